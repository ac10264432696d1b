"""Chances are reckoned beside the game, each for its position, and only where it is asked."""

import asyncio
from datetime import date
from pathlib import Path

from companion.events import Command, Reckoned, Weighed
from companion.odds.asking import answer
from companion.referee import Referee, View
from companion.rules.records import from_history
from companion.web.state import state_of
from tests.scripts import Script
from tests.web.tables import Table, table

STAND = """
position german yellow,red | yellow Y.B Y.B 5 15 | red R.B R.B R.B 25 | turn yellow
set
wait 1
"""
NEW = {"do": "new_game", "sheet": "german", "seats": ["yellow", "red"], "sensing": "choose"}


def test_chances_are_shown_with_their_position_only() -> None:
    script = Script().run(STAND)
    here = str(script.view.position)
    script.feed(Reckoned("german yellow,red | turn red", {"red": 1.0}))
    assert script.view.chances == {}
    script.feed(Reckoned(here, {"yellow": 0.6, "red": 0.4}, 0.01))
    assert script.view.chances == {"yellow": 0.6, "red": 0.4}
    script.run("roll 4")
    assert script.view.chances == {"yellow": 0.6, "red": 0.4}
    script.run("lift 5\nput 9\nwait 1")
    assert script.view.chances == {}
    script.feed(Reckoned(here, {"yellow": 0.6, "red": 0.4}, 0.01))
    assert script.view.chances == {}


def test_chances_of_nothing_change_nothing() -> None:
    referee = Referee()
    referee.feed(Reckoned("german", {"red": 1.0}), 1.0)
    assert referee.view.chances == {}


def test_a_table_reckons_when_it_is_asked_to_and_not_before(tmp_path: Path) -> None:
    async def play() -> None:
        async with table(tmp_path / "games.db") as one:
            assert await one.do(NEW) == 204
            await one.until(lambda view: view.phase == "opening")
            await roll_for_the_start(one)
            assert one.daemon.chances == (0, {})
            assert one.daemon.thinker._process is None
            one.daemon.post(Command("set", {"name": "chances", "value": True}))
            await one.until(lambda view: bool(view.chances))
            view = one.view
            assert sum(view.chances.values()) > 0.99
            async with one.events() as events:
                told = await events.next("chances")
            assert told[-1] == {c: round(value, 3) for c, value in view.chances.items()}
            one.daemon.post(Command("set", {"name": "chances", "value": False}))
            await one.until(lambda view: not view.setting("chances"))

    asyncio.run(play())


async def roll_for_the_start(one: Table) -> None:
    for face in (6, 1):
        await one.do({"do": "roll", "face": face})
    await one.until(begun)


def begun(view: View) -> bool:
    return view.phase == "roll" and view.position is not None and view.position.opening is None


def test_luck_is_told_of_a_game_that_is_over_and_of_no_other() -> None:
    """An early end counts the value then."""
    script = Script(sensing="choose").run("new german yellow,red\nok\n")
    for face in (6, 1, 6, 3, 5, 2, 6, 4):
        script.run(f"roll {face}")
        if script.view.phase == "move":
            script.run("ok")
    assert script.referee.match is not None
    record = str(from_history(script.referee.match, date(2026, 11, 17)))
    told = answer({"ask": "luck", "record": record, "games": 60})
    at = told.pop("position")
    script.feed(Weighed(at, told))
    assert script.view.fortunes is None
    script.run("do end_game")
    script.feed(Weighed(at, {"luck": 7}))
    assert script.view.fortunes is None
    script.feed(Weighed(at, told))
    fortunes = script.view.fortunes
    assert fortunes is not None
    assert [one.colour for one in fortunes.players] == ["yellow", "red"]
    for language in ("en", "de", "nl"):
        state = state_of(script.view, language)
        assert state["fortunes"]
        assert set(state["luck"]) == {"yellow", "red"}
    script.run("new german yellow,red")
    assert script.view.fortunes is None

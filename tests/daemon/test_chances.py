"""Chances are reckoned beside the game, each for its position, and only where it is asked."""

import asyncio
from pathlib import Path

from companion.events import Command, Reckoned
from companion.referee import Referee, View
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

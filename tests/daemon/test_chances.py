"""Chances are reckoned beside the game, each for its position, and only where it is asked."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from companion.daemon.reckoning import Reckoner
from companion.events import Command, Event, Pressed, Reckoned, Weighed
from companion.odds.asking import answer
from companion.referee import Referee, View
from companion.referee.effects import Fortunes, Luck
from companion.rules.records import from_history
from companion.screens import labels
from companion.thinking import ThinkingError
from companion.web.state import state_of
from tests.patience import PATIENCE
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


class Analyst:
    """Answers a question about luck, after it has failed so many times."""

    def __init__(self, fails: int, asked: list[str]) -> None:
        self.fails, self.asked = fails, asked

    def __call__(self) -> "Analyst":
        return self

    async def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(question["ask"])
        if self.fails:
            self.fails -= 1
            raise ThinkingError("it has ended")
        return {"luck": {"yellow": [0.1, 0.01]}, "gave": {"yellow": [0.0, 0.01]},
                "win": {"yellow": [0.5, 0.01]}}  # fmt: skip

    async def close(self) -> None:
        """Nothing runs."""

    rest = close


class Host:
    """A daemon as far as reckoning needs it, around a script."""

    def __init__(self, script: Script, analyst: Analyst) -> None:
        self.script, self.thinker = script, analyst
        self.weighed = asyncio.Queue[Weighed]()
        self.listeners: list[Callable[[View], None]] = []

    @property
    def view(self) -> View:
        return self.script.view

    @property
    def history(self) -> tuple[Any, int]:
        return self.script.referee.match, 0

    def post(self, event: Event) -> bool:
        if isinstance(event, Weighed):
            self.script.feed(event)
            self.weighed.put_nowait(event)
        return True

    def subscribe(self, listener: Callable[[View], None]) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)

    def run(self, text: str) -> None:
        """Go on with the script; all who listen hear of it."""
        self.script.run(text)
        for listener in tuple(self.listeners):
            listener(self.view)


async def weigh(host: Host, times: int, *texts: str) -> None:
    """Reckon until luck was told so often; between, the script goes on with these texts."""
    reckoner = asyncio.create_task(Reckoner(host.thinker).run(host))  # type: ignore[arg-type]
    async with asyncio.timeout(PATIENCE):
        for number in range(times):
            await host.weighed.get()
            if number < len(texts):
                host.run(texts[number])
    reckoner.cancel()


@pytest.mark.parametrize(("fails", "told"), [(0, ["yellow"]), (1, ["yellow"]), (2, [])])
def test_luck_comes_before_the_charts_and_nobody_waits_for_it_in_vain(
    fails: int, told: list[str]
) -> None:
    """Its process may end early: it is asked twice, and then the page says nothing of it."""
    script = ended_with_chances_on()
    assert state_of(script.view, "en")["weighing"]
    asked: list[str] = []
    asyncio.run(weigh(Host(script, Analyst(fails, asked)), 1))
    tries = min(fails + 1, 2)
    assert asked[:tries] == ["luck"] * tries
    state = state_of(script.view, "en")
    assert (list(state["luck"]), state["weighing"]) == (told, False)


def test_a_game_that_ends_twice_is_weighed_twice_and_an_empty_one_is_not_waited_for() -> None:
    wanted = Command("set", {"name": "chances", "value": True})
    script = Script()
    script.run(
        "position german yellow,red | yellow Y.b Y.c Y.d 40 | red R.B R.B R.B 25 | turn yellow"
    )
    script.run("set\nwait 1\nroll 1\nlift 40\nput Y.a\nwait 3")
    script.feed(wanted)
    assert script.view.phase == "over"
    host = Host(script, Analyst(0, []))
    asyncio.run(weigh(host, 2, "do take_back\nlift Y.a\nput 40\nwait 3\nlift 40\nput Y.a\nwait 3"))
    assert not state_of(script.view, "en")["weighing"]
    empty = Script(sensing="choose").run("new german yellow,red\nok\ndo end_game")
    empty.feed(wanted)
    assert empty.view.phase == "over"
    asyncio.run(weigh(Host(empty, Analyst(0, [])), 1))
    assert not state_of(empty.view, "en")["weighing"]


def ended_with_chances_on() -> Script:
    script = Script(sensing="choose").run("new german yellow,red\nok\nroll 6\nroll 1\nroll 6\nok")
    script.feed(Command("set", {"name": "chances", "value": True}))
    script.run("do end_game")
    return script


def test_luck_of_a_game_that_others_have_followed_is_no_longer_worked_out() -> None:
    script = ended_with_chances_on()
    asked: list[str] = []

    class Slow(Analyst):
        async def ask(self, question: dict[str, Any]) -> dict[str, Any]:
            told = await super().ask(question)
            if question["ask"] == "luck":
                host.run("new german yellow,red\nok\nroll 6\nroll 1\nroll 6\nok")
                await asyncio.Event().wait()  # for ever
            return told

    host = Host(script, Slow(0, asked))

    async def until_chances() -> None:
        reckoner = asyncio.create_task(Reckoner(host.thinker).run(host))  # type: ignore[arg-type]
        async with asyncio.timeout(PATIENCE):
            while "chances" not in asked:
                await asyncio.sleep(0)
        reckoner.cancel()

    asyncio.run(until_chances())


def test_luck_that_is_switched_off_and_on_again_is_worked_out_after_all() -> None:
    script = ended_with_chances_on()
    asked: list[str] = []

    class Slow(Analyst):
        async def ask(self, question: dict[str, Any]) -> dict[str, Any]:
            told = await super().ask(question)
            if asked == ["luck"]:
                for wanted in (False, True):
                    host.script.feed(Command("set", {"name": "chances", "value": wanted}))
                    host.run("")
                await asyncio.Event().wait()  # for ever
            return told

    host = Host(script, Slow(0, asked))
    asyncio.run(weigh(host, 1))
    assert not state_of(script.view, "en")["weighing"]


def test_a_table_that_is_too_busy_to_hear_who_was_lucky_is_told_with_its_next_view() -> None:
    script = Script(sensing="choose").run("new german yellow,red\nok\ndo end_game")
    script.feed(Command("set", {"name": "chances", "value": True}))

    class Busy(Host):
        asked, quiet = 0, False

        def post(self, event: Event) -> bool:
            if self.quiet or not isinstance(event, Weighed):
                return super().post(event)
            self.asked += 1
            assert self.asked < 100, "nothing else gets a turn"
            asyncio.get_running_loop().call_soon(self.calm_down)
            return False

        def calm_down(self) -> None:
            self.quiet = True
            self.run("")

    asyncio.run(weigh(Busy(script, Analyst(0, [])), 1))
    assert not state_of(script.view, "en")["weighing"]


def test_the_box_says_in_its_menu_too_why_nobody_tells_who_was_lucky() -> None:
    script = Script(sensing="choose").run("new german yellow,red\nok\nroll 6\nroll 1\nroll 6\nok")
    assert labels.fortunes(script.view) == []
    script.run("do end_game")
    (why,) = labels.fortunes(script.view)
    script.feed(Pressed("ok", held=True))
    assert script.view.phase == "menu"
    assert labels.fortunes(script.view) == [why]


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


@pytest.mark.parametrize(
    ("seats", "luckiest", "said"),
    [
        (2, "yellow", "Anna was luckier than Ben."),
        (2, None, "Nobody was clearly luckier."),
        (3, "yellow", "Anna was the luckiest: such rolls win 20 more games of 100."),
        (3, None, "Nobody was clearly luckier than the others."),
    ],
)
def test_of_two_players_the_points_stand_in_the_table_alone(
    seats: int, luckiest: str | None, said: str
) -> None:
    colours = ("yellow", "red", "black")[:seats]
    begun = f"new german {','.join(colours)}\nok\nroll 4\ndo end_game"
    script = Script(sensing="choose").run(begun)
    lucks = [Luck(one, 0.2 if one == luckiest else -0.1, 0.02, 0.0, 0.0) for one in colours]
    names = {"yellow": "Anna", "red": "Ben"}
    view = replace(script.view, names=names, fortunes=Fortunes(tuple(lucks), luckiest, None, None))
    assert state_of(view, "en")["fortunes"] == [said]


def test_shown_percents_add_up_to_a_hundred() -> None:
    assert labels.percents({"yellow": 0.505, "red": 0.495}) == {"yellow": 51, "red": 49}
    assert labels.percents({"a": 1 / 3, "b": 1 / 3, "c": 1 / 3}) == {"a": 34, "b": 33, "c": 33}
    assert labels.percents({"yellow": 1.0, "red": 0.0}) == {"yellow": 100, "red": 0}
    assert labels.percents({}) == {}


def test_chances_are_shown_again_when_a_move_is_taken_back(tmp_path: Path) -> None:
    async def play() -> None:
        async with table(tmp_path / "games.db") as one:
            assert await one.do(NEW) == 204
            await one.until(lambda view: view.phase == "opening")
            await roll_for_the_start(one)
            one.daemon.post(Command("set", {"name": "chances", "value": True}))
            await one.until(lambda view: bool(view.chances))
            before, here = one.view.chances, one.view.position
            assert await one.do({"do": "roll", "face": 4}) == 204
            await one.until(lambda view: view.phase == "move")
            assert await one.do({"do": "move", "move": "yellow 4 1>5"}) == 204
            await one.until(lambda view: view.position != here and bool(view.chances))
            assert await one.do({"do": "take_back"}) == 204
            await one.until(lambda view: view.position == here and view.chances == before)

    asyncio.run(play())

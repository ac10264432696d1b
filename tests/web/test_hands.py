"""Simulated hands play whole games through sensors, buttons and words, and are never refused."""

import asyncio
from dataclasses import replace
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import orders
from companion.events import Event, Reading, Rolling, Snapshot
from companion.odds.players import chooser
from companion.referee import Times, View
from companion.rules import SHEETS, Move, Pass
from companion.rules import game as the_game
from companion.rules.history import Seat
from companion.rules.records import record
from companion.table.sim import SimDie
from companion.web.guard import RequestRefused
from companion.web.hands import Hands
from tests.web.tables import table

GAMES: list[dict[str, Any]] = [
    {"sheet": "german", "options": {"barriers": True, "compulsory_capture": True}},
    {"sheet": "british"},
    {"sheet": "dutch", "options": {"pieces": 2}},
    {"sheet": "pairs"},
    {"sheet": "cards"},
    {"sheet": "german", "sensing": "touch"},
    {"sheet": "dutch", "sensing": "choose"},
    {"sheet": "cards", "sensing": "choose"},
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: "-".join(map(str, game.values())))
def test_autoplay_finishes_a_game_without_being_refused(
    game: dict[str, Any], tmp_path: Path
) -> None:
    async def play() -> None:
        async with table(tmp_path / "games.db") as one:
            refused: list[Any] = []
            one.daemon.subscribe(
                lambda view: refused.append(view.refusals) if view.phase == "illegal" else None
            )
            colours = SHEETS[game["sheet"]].board.colours
            seats = game.get("seats", [colours[0], colours[2]])
            box = dict.fromkeys(seats, "fox")
            wish = {"do": "new_game", "box": box, **game, "seats": seats}
            assert await one.do(wish) == 204
            await one.until(lambda view: view.phase == "over")
            assert refused == []
            assert one.view.ranking
            text = one.page.history.text(date(2025, 1, 1))
            assert text is not None
            assert record(text).position == one.view.position

    asyncio.run(play())


def test_a_player_with_two_colours_plays_both_alone(tmp_path: Path) -> None:
    async def play() -> None:
        async with table(tmp_path / "games.db") as one:
            seats = ["yellow", "green"]
            wish = {"do": "new_game", "sheet": "german", "options": {"two_colours_each": True}}
            assert (
                await one.do({**wish, "seats": seats, "box": dict.fromkeys(seats, "hare")}) == 204
            )
            turns: set[str | None] = set()
            everybody = {"yellow", "green", "red", "black"}

            def seen(view: View) -> bool:
                turns.add(view.colour)
                return turns >= everybody

            await one.until(seen)

    asyncio.run(play())


def test_a_person_is_not_played_for(tmp_path: Path) -> None:
    """The colours that play by themselves wait for the one that does not."""

    async def play() -> None:
        async with table(tmp_path / "games.db") as one:
            seats = ["yellow", "red"]
            wish = {"do": "new_game", "sheet": "german", "seats": seats, "box": {"red": "cat"}}
            await one.do(wish)
            await one.until(lambda view: view.phase == "opening")
            await one.do({"do": "roll", "face": 6})
            await one.until(lambda view: view.position is not None and not view.position.opening)
            await one.until(lambda view: view.phase == "roll" and view.colour == "yellow")
            told = one.page.view
            await asyncio.sleep(0.05)
            assert one.page.view == told

    asyncio.run(play())


def test_who_plays_is_changed_before_the_new_game_is_shown(tmp_path: Path) -> None:
    async def play() -> None:
        async with table(tmp_path / "games.db") as one:
            do = one.page.actions.do
            do(orders.NewGame(sheet="german", seats=("yellow", "red")))
            do(orders.Seat(colour="red", level="fox"))
            with pytest.raises(RequestRefused):
                do(orders.Seat(colour="green", level="fox"))
            await one.until(lambda view: view.box == {"red": "fox"})

    asyncio.run(play())


def test_a_move_that_sensors_cannot_see_counts_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A piece put on top of another looks as if it were gone; the simulated board knows it."""

    async def play() -> None:
        async with table(tmp_path / "games.db") as one:
            await one.do({"do": "new_game", "sheet": "british", "seats": ["red", "yellow"]})
            await one.until(lambda view: view.phase == "opening")
            for face in (6, 1, 6):
                await one.do({"do": "roll", "face": face})
            await one.until(lambda view: view.phase == "move")
            await one.do({"do": "step"})
            await one.until(lambda view: view.phase == "roll")
            await one.do({"do": "roll", "face": 6})
            await one.until(lambda view: view.phase == "move")
            game = one.view.position.game if one.view.position else None
            assert game is not None
            stacked = game.move("red 6 R.B>6")
            assert stacked in one.view.legal
            told: list[Event] = []
            post = one.daemon.post

            def hear(event: Event) -> bool:
                told.append(event)
                return post(event)

            monkeypatch.setattr(one.daemon, "post", hear)
            await one.do({"do": "move", "move": "red 6 R.B>6"})
            await one.until(lambda view: view.phase == "roll" and view.last == stacked)
            assert {type(event) for event in told} == {Reading, Snapshot}

    asyncio.run(play())


class Told:
    """A host whose view goes on, one further at every look, and stays at the last."""

    def __init__(self, *views: View) -> None:
        self.views = list(views)
        self.hands: Hands

    @property
    def view(self) -> View:
        asyncio.get_running_loop().call_soon(self.hands.look, self.views[-1])
        return self.views.pop(0) if len(self.views) > 1 else self.views[0]


@pytest.mark.parametrize("tumbling", [False, True])
def test_a_die_that_still_tumbles_is_not_thrown_again(tumbling: bool) -> None:
    begun = the_game("german").start(begins="yellow")
    still, moving = View("roll", begun), View("move", begun, face=4)
    rolling = replace(still, rolling=True)
    host = Told(*([] if tumbling else [still]), rolling, rolling, moving)
    die = SimDie(Random(1).randbytes)
    thrown: list[Event] = []
    die.start(thrown.append)
    host.hands = Hands(host, None, die, Random(1), lambda: None, Times())  # type: ignore[arg-type]
    asyncio.run(host.hands.step())
    assert thrown.count(Rolling()) == (0 if tumbling else 1)
    assert host.views == [moving], "it has to wait until the die lies"


def test_the_page_plays_as_the_levels_of_the_odds_do(tmp_path: Path) -> None:
    """The moves that the box makes on the page are those of its player, and of nobody else."""

    async def play() -> None:
        async with table(tmp_path / "games.db") as one:
            seats = ["yellow", "red"]
            wish = {"do": "new_game", "sheet": "german", "seats": seats}
            assert await one.do(wish) == 204
            await one.until(lambda view: view.position is not None)
            for colour in seats:
                assert await one.do({"do": "seat", "colour": colour, "level": "hare"}) == 204
            await one.until(lambda view: view.phase == "over")
            text = one.page.history.text(date(2025, 1, 1))
            assert text is not None
            game = record(text)
            here, chooses = game.game.start(), chooser(game.game, "hare")
            for move in game.events:
                if isinstance(move, Seat):
                    continue
                assert isinstance(move, Move | Pass)
                after = game.game.play(here, move)
                moves = game.game.legal_moves(here, move.face)
                worths = [chooses.worth(game.game.play(here, one), here.seat) for one in moves]
                assert chooses.worth(after, here.seat) == max(worths)
                here = after

    asyncio.run(play())


@pytest.mark.parametrize(
    ("wish", "status", "said"),
    [
        ({"do": "seat", "colour": "red", "level": "lion"}, 422, "there is no player 'lion'"),
        ({"do": "seat", "colour": "pink", "level": "fox"}, 422, "nobody sits at 'pink'"),
        ({"do": "seat", "colour": "green", "level": "fox"}, 422, "nobody sits at 'green'"),
        ({"do": "new_game", "sheet": "german", "box": {"red": "lion"}}, 422, "no player 'lion'"),
        ({"do": "new_game", "sheet": "german", "box": {"pink": "cat"}}, 422, "sits at 'pink'"),
    ],
)
def test_a_level_or_seat_that_does_not_exist_is_refused_with_a_sentence(
    wish: dict[str, Any], status: int, said: str, tmp_path: Path
) -> None:
    async def ask() -> None:
        async with table(tmp_path / "games.db") as one:
            if wish["do"] == "seat":
                assert await one.do({"do": "seat", "colour": "red", "level": "fox"}) == 409
            await one.do({"do": "new_game", "sheet": "german", "seats": ["yellow", "red"]})
            await one.until(lambda view: view.position is not None)
            async with one.client.post(f"{one.address}do", json=wish) as answer:
                assert answer.status == status
                assert said in (await answer.json())["error"]

    asyncio.run(ask())


def test_who_asks_twice_to_put_it_right_has_no_move_made_for_them(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db") as one:
            seats = ["yellow", "red"]
            assert await one.do({"do": "new_game", "sheet": "german", "seats": seats}) == 204
            await one.until(lambda view: view.phase == "opening")
            for face in (6, 1, 4):
                assert await one.do({"do": "roll", "face": face}) == 204
            await one.until(lambda view: view.phase == "move")
            assert await one.do({"do": "step"}) == 204
            await one.until(lambda view: view.colour == "red")
            assert await one.do({"do": "take_back"}) == 204
            await one.until(lambda view: view.phase == "restore")
            told: list[str] = []
            one.daemon.subscribe(lambda view: told.append(f"{view.phase} {view.colour}"))
            both = (one.do({"do": "go_on"}), one.do({"do": "go_on"}))
            assert list(await asyncio.gather(*both)) == [204, 204]
            await one.until(lambda view: view.phase == "move")
            async with one.page.simulation.hands._busy:  # type: ignore[union-attr]
                pass  # nobody has anything left to do
            assert (one.view.phase, one.view.colour) == ("move", "yellow"), told

    asyncio.run(run())


def test_hands_that_were_quicker_end_no_service(tmp_path: Path) -> None:
    """Somebody puts down a piece that simulated hands were about to."""

    async def play() -> None:
        async with table(tmp_path / "games.db") as one:
            wish = {"do": "new_game", "sheet": "german", "seats": ["yellow", "red"]}
            assert await one.do(wish) == 204
            await one.until(lambda view: view.phase == "opening")
            simulation, position = one.page.simulation, one.view.position
            assert simulation is not None
            assert position is not None
            standing = dict(simulation.table.at)
            simulation.table.lift("yellow1")
            carrying = asyncio.create_task(simulation.hands._carry(position))
            await asyncio.sleep(0)
            simulation.table.put("yellow1", standing["yellow1"] or "")
            await carrying
            assert simulation.table.at == standing

    asyncio.run(play())

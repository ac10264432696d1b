"""What if: a past game goes on from one of its moves, at a table of its own."""

import asyncio
import sqlite3
import threading
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.referee import Referee
from companion.rules import game
from companion.rules.family import house_rules
from companion.rules.history import History, Roll, replay
from companion.web.guard import BY_CODE, TABLE, cookie_name
from companion.web.what_if import records_until
from tests.patience import PATIENCE
from tests.web.tables import AWAY, PIN, Events, Table, table
from tests.web.test_past import get, one_move


async def post(found: Table, path: str, told: Any, **options: Any) -> int:
    async with found.client.post(found.address + path, json=told, **options) as answer:
        return answer.status


def rows(path: Path) -> int:
    with sqlite3.connect(path) as connection:
        return int(connection.execute("SELECT count(*) FROM records").fetchone()[0])


def test_another_way_is_tried_and_the_table_that_counts_knows_nothing_of_it(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db") as found:
            await one_move(found)
            before = found.view
            kept = rows(tmp_path / "games.db")
            assert await post(found, "what-if", {"game": "1", "move": 2}) == 204
            async with found.client.get(f"{found.address}what-if/events") as answer:
                told = await Events(answer).next("state")
            assert told["whatIf"] == {"game": "1", "move": 2}
            assert (told["turn"], told["face"], told["phase"]) == ("yellow", 4, "move")
            assert "1" in told["pieces"]["yellow"]
            assert await post(found, "what-if/do", {"do": "move", "move": "yellow 4 1>5"}) == 204
            other = found.page._other
            assert other is not None
            async with asyncio.timeout(PATIENCE):
                while other.view.colour != "red":
                    await asyncio.sleep(0.01)
            assert found.view == before
            assert rows(tmp_path / "games.db") == kept
            assert await post(found, "what-if", {"game": "1", "move": 0}) == 204
            assert found.page._other is not other  # there is one at a time

    asyncio.run(run())


def test_what_cannot_be_tried_is_a_sentence(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db", pin=PIN) as found:
            status, told = await get(found, "what-if/events")
            assert (status, "no other table" in told["error"]) == (404, True)
            assert await post(found, "what-if/do", {"do": "roll"}) == 404
            assert await post(found, "what-if", {"game": "77", "move": 1}) == 404
            assert await post(found, "what-if", {"game": "x", "move": 1}) == 422
            assert await post(found, "what-if", {"game": "1", "move": -1}) == 400
            await one_move(found)
            wish = {"game": "1", "move": 999}  # after the last move
            assert await post(found, "what-if", wish, headers=AWAY) == 401
            assert await post(found, "what-if", wish) == 204
            status, _ = await get(found, "what-if/events", headers=AWAY)
            assert status == 401  # names are for those who may play

    asyncio.run(run())


def test_from_there_no_house_rules_go_and_no_phone_that_was_put_off_plays(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db", pin=PIN) as found:
            await one_move(found)
            rules = house_rules("Hut", "german", [])._replace(rolls=100.0)
            found.page.own.rules.sheets.keep(rules)
            phone = {
                **AWAY,
                "Cookie": f"{cookie_name(TABLE, BY_CODE)}={found.page.players.key('red')}",
            }
            assert await post(found, "what-if", {"game": "1", "move": 1}) == 204
            wish = {"do": "delete_rules", "name": "Hut"}
            assert await post(found, "what-if/do", wish) == 409
            assert found.page.own.rules.sheets.read().called("Hut")
            assert await post(found, "what-if/do", {"do": "take_back"}, headers=phone) == 204
            found.page.put_off("red")
            assert await post(found, "what-if/do", {"do": "take_back"}, headers=phone) == 401

    asyncio.run(run())


@pytest.mark.parametrize("sheet", ["german", "parchis", "cards", "dutch"])
def test_every_move_of_a_game_can_be_gone_on_from(sheet: str) -> None:
    """Each is what the game was then, with the roll that came next."""
    rng = Random(4)
    history = History(game(sheet, {}, None), {})
    while len(history.past) < 60:
        if history.face is None:
            history.add(Roll(rng.randint(1, 6)))
        history.add(rng.choice(history.game.legal_moves(history.position, history.face or 1)))
    for moves, deed in enumerate(history.past):
        told = replay(records_until(history, moves), lambda one: History(one.game, one.names))
        assert told is not None
        assert told.position == deed.position
        assert deed.position.opening is not None or told.face == deed.face


def test_a_long_game_is_not_replayed_in_the_loops_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []
    resume = Referee.resume

    def noted(self: Referee, *args: Any) -> Any:
        threads.append(threading.current_thread())
        return resume(self, *args)

    async def run() -> None:
        async with table(tmp_path / "games.db") as found:
            await one_move(found)
            monkeypatch.setattr(Referee, "resume", noted)
            both = [post(found, "what-if", {"game": "1", "move": move}) for move in (1, 2)]
            assert set(await asyncio.gather(*both)) <= {204, 409}
            await asyncio.sleep(0)
            beside = [task for task in asyncio.all_tasks() if "play_beside" in str(task)]
            assert len(beside) == 1

    asyncio.run(run())
    assert len(threads) == 2
    assert threading.current_thread() not in threads


def test_it_says_the_rules_of_its_own_game_under_the_familys_name(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db", pin=PIN) as found:
            options = {"barriers": True}
            rules = house_rules("Hut", "german", ["barriers"])._replace(rolls=100.0)
            found.page.own.rules.sheets.keep(rules)
            await found.page.own.rules.read()
            await one_move(found, options=options)
            assert await post(found, "what-if", {"game": "1", "move": 2}) == 204
            await found.do({"do": "new_game", "sheet": "british"})
            await found.until(lambda view: view.phase == "opening")
            async with found.client.get(f"{found.address}what-if/events") as answer:
                told = await Events(answer).next("state")
            assert told["game"]["title"] == "Hut"
            status, articles = await get(found, "what-if/articles.json")
            assert (status, {one["id"][0] for one in articles}) == (200, {"G", "O"})  # German
            status, why = await get(found, "what-if/why.json?from=1&to=9")
            assert (status, why[0]["text"]) == (200, "That is 8 squares, you rolled 4.")
            for path in ("articles.json", "why.json?from=1&to=9"):
                assert (await get(found, f"what-if/{path}", headers=AWAY))[0] == 401

    asyncio.run(run())

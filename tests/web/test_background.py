"""What takes long is done beside the table: one thing at a time, and not too many."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from companion.archive import called, reading
from companion.journal import Journal
from companion.referee import Match
from companion.rules import game, legal_moves
from companion.web.background import EACH, WAITING, Background, Stopped
from companion.web.guard import RequestRefused
from companion.web.past import PastGames
from companion.web.server import PORTION
from companion.web.stream import Reader
from tests.patience import PATIENCE
from tests.web.tables import table


class Blocked:
    """Work that takes until it is let go; it lets go by itself, so that a test can fail."""

    def __init__(self) -> None:
        self.begun, self.done = threading.Event(), False
        self._free = threading.Event()
        self._end = threading.Timer(20.0, self._free.set)
        self._end.daemon = True
        self._end.start()

    def __call__(self, *args: object, **options: object) -> bytes:
        self.begun.set()
        self._free.wait()
        self.done = True
        return b"{}"

    def let_go(self) -> None:
        self._end.cancel()
        self._free.set()


def long_game(path: Path, records: int) -> None:
    """A game of so many records; whoever wins takes the last move back."""
    rng, match = Random("long"), Match(game("german"))
    kept = [match.started()]
    while len(kept) < records:
        face = rng.randint(1, 6)
        kept.append(match.roll(face, len(kept)))
        kept.append(match.play(rng.choice(legal_moves(match.position, face))))
        if match.over:
            kept.append(match.take_back())
    journal = Journal(path)
    assert journal.keep(kept, 0.0)
    journal.close()


def test_one_thing_is_done_at_a_time_and_not_in_the_loops_thread() -> None:
    done: list[tuple[int, threading.Thread]] = []

    def piece(number: int) -> Callable[[], int]:
        def work() -> int:
            done.append((number, threading.current_thread()))
            return number

        return work

    async def go() -> None:
        beside = Background()
        asked = [beside.do(f"10.0.0.{n}", piece(n)) for n in range(8)]
        assert await asyncio.gather(*asked) == list(range(8))
        beside.close()

    asyncio.run(go())
    assert [number for number, _ in done] == list(range(8))
    assert len({thread for _, thread in done} - {threading.current_thread()}) == 1


def test_what_goes_wrong_is_told_to_whoever_asked() -> None:
    def wrong() -> None:
        raise RequestRefused(404, "there is no such game")

    async def go() -> None:
        beside = Background()
        with pytest.raises(RequestRefused, match="no such game"):
            await beside.do("", wrong)
        assert await beside.do("", lambda: 1) == 1
        beside.close()

    asyncio.run(go())


def test_only_a_few_wait_and_fewer_of_one_network() -> None:
    async def go() -> None:
        beside, blocked = Background(), Blocked()
        asked = [asyncio.create_task(beside.do("10.0.0.1", blocked)) for _ in range(EACH)]
        asked += [asyncio.create_task(beside.do(f"10.0.1.{n}", blocked)) for n in range(WAITING)]
        await asyncio.sleep(0)
        refused = [task for task in asked if task.done()]
        assert refused == asked[WAITING:]
        with pytest.raises(RequestRefused, match="too much"):
            await beside.do("10.0.0.1", blocked)
        blocked.let_go()
        await asyncio.gather(*asked, return_exceptions=True)
        assert await beside.do("10.0.0.1", lambda: 1) == 1  # there is room again
        beside.close()

    asyncio.run(go())


def test_what_nobody_waits_for_any_more_is_not_begun() -> None:
    async def go() -> None:
        beside, blocked, left = Background(), Blocked(), Blocked()
        first = asyncio.create_task(beside.do("", blocked))
        second = asyncio.create_task(beside.do("", left))
        await asyncio.to_thread(blocked.begun.wait)
        second.cancel()
        blocked.let_go()
        await first
        assert await beside.do("", lambda: 1) == 1
        assert not left.begun.is_set()
        beside.close()

    asyncio.run(go())


def test_a_stop_waits_for_nobody_who_reads_past_games(tmp_path: Path) -> None:
    blocked = Blocked()

    async def go() -> None:
        async with table(tmp_path / "games.db") as one:
            one.page.past.played.replayed = blocked  # type: ignore[method-assign]
            get = asyncio.create_task(one.client.get(f"{one.address}games/1.json"))
            assert await asyncio.to_thread(blocked.begun.wait, PATIENCE)
        await asyncio.gather(get, return_exceptions=True)

    asyncio.run(go())
    assert not blocked.done
    blocked.let_go()


def test_work_gives_way_with_every_record_and_ends_when_the_table_stops(tmp_path: Path) -> None:
    path, records, rests = tmp_path / "games.db", 400, [0]
    long_game(path, records)

    def rest() -> None:
        rests[0] += 1

    past = PastGames(path, rest)
    for read, times in (
        (lambda: past.replayed(1, "de"), 4),
        (lambda: past.text(1), 3),
        (lambda: past.results([1], "en"), 2),
    ):
        rests[0] = 0
        read()
        assert rests[0] > times * records * 0.45

    async def go() -> None:
        beside = Background()
        beside.close()
        with pytest.raises(Stopped):
            PastGames(path, beside.pace).replayed(1, "de")

    asyncio.run(go())


def test_a_games_text_is_the_one_that_is_exported(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    long_game(path, 300)
    with reading(path) as connection:
        exported = str(called(connection, 1).record)
    assert PastGames(path, lambda: None).text(1) == exported


def test_a_long_game_is_told_in_portions_however_often_it_was_told(tmp_path: Path) -> None:
    """A watcher who does not read has one portion waiting, not the game."""
    path = tmp_path / "games.db"
    long_game(path, 1500)

    async def go() -> None:
        async with table(path) as one:
            while one.page.history.behind:
                await asyncio.sleep(0)
            told = [list(one.page._messages(Reader("en", True))) for _ in range(2)]
        for messages in told:
            assert sum(map(len, messages)) > 4 * PORTION
            assert max(map(len, messages)) < 2 * PORTION

    asyncio.run(go())

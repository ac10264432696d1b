"""The daemon is killed at random moments while games are played at it over pseudo-terminals.

Moments are counted in views told, so that a busy machine sees the same kills as an idle one.
`KILLS` says how often; `make soak` does it 1000 times.
"""

import asyncio
import json
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from companion.events import Command
from companion.referee import Match
from companion.rules import SHEETS
from tests.daemon.process import Child, daemon_process
from tests.players import Players, config_text

KILLS = int(os.environ.get("KILLS", "8"))
MOST = 40  # views that a life lasts


def rows(journal: Path) -> list[dict[str, Any]]:
    """Every record on disk, in order."""
    if not journal.exists():
        return []
    connection = sqlite3.connect(journal)
    try:
        assert connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
        if not connection.execute("PRAGMA user_version").fetchone()[0]:
            return []
        return [json.loads(r) for (r,) in connection.execute("SELECT record FROM records")]
    finally:
        connection.close()


def state(records: list[dict[str, Any]]) -> tuple[object, int | None]:
    """Position and roll that records lead to; the engine refuses those that cannot be."""
    match = Match.replay(records)
    return (None, None) if match is None else (match.position, match.face)


def latest_game(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    starts = [n for n, record in enumerate(records) if record["kind"] == "start"]
    return records[starts[-1] :] if starts else []


class Moment(NamedTuple):
    """When to kill: after so many views, and a part of the time until the next one.

    Without any view it is a moment of the start-up.
    """

    views: int
    part: float


class Ordeal:
    """Players who go on playing, and a daemon that is killed again and again."""

    def __init__(self, folder: Path, rng: Random) -> None:
        self.rng = rng
        self.folder = folder
        self.journal = folder / "games.db"
        self.config = folder / "companion.toml"
        self.config.write_text(config_text(folder))
        self.players = Players(folder, rng, lambda _: None)
        self.told = self.resumed = self.in_play = self.starting = 0
        self._start_up = 0.0

    def choose(self) -> Command:
        seats = self.rng.sample(SHEETS["german"].board.colours, self.rng.choice([2, 2, 2, 3, 4]))
        sensing = self.rng.choice(["presence", "touch"])
        return Command("new_game", {"sheet": "german", "seats": seats, "sensing": sensing})

    def moment(self, number: int) -> Moment:
        """Every fifth kill falls into the start-up, the first of them on its first instruction."""
        if number % 5 == 0:
            return Moment(0, self.rng.random() if number else 0.0)
        return Moment(self.rng.randint(1, MOST), self.rng.random())

    async def live_until(self, moment: Moment) -> None:
        """One life of the daemon, which ends by a kill."""
        async with self.life() as child:
            await self.wait_for(moment, child)
            assert child.process.returncode is None, "the daemon ended by itself"
            child.process.kill()
            await child.process.wait()

    async def live_to_the_end_of_a_game(self) -> None:
        """One life of the daemon, as long as a game takes."""
        games = self.players.games
        async with self.life() as child:
            while self.players.games == games:
                assert await child.told(child.lines + 1), "the daemon ended by itself"

    @asynccontextmanager
    async def life(self) -> AsyncIterator[Child]:
        """A daemon that is played at; what it told is compared with what it left."""
        before = rows(self.journal)
        self.players.told = None
        ended = False
        async with daemon_process(
            self.config, self.journal, self.folder / "log", self.players
        ) as child:
            playing = asyncio.create_task(self.players.play(self.choose, lambda: ended))
            try:
                yield child
            finally:
                ended = True
                self.players.wake()
                await playing
        self.check(before, child)

    async def wait_for(self, moment: Moment, child: Child) -> None:
        """Wait for the views, and then for a part of a start-up, or of the time between views."""
        began = time.monotonic()
        if moment.views:
            assert await child.told(1), "the daemon ended by itself"
            first = time.monotonic()
            self._start_up = self._start_up or first - began
            assert await child.told(moment.views), "the daemon ended by itself"
            gap = (time.monotonic() - first) / moment.views
        else:
            gap = self._start_up
        await asyncio.sleep(gap * moment.part)

    def check(self, before: list[dict[str, Any]], child: Child) -> None:
        """Everything told is on disk, and what is on disk is a game by the rules."""
        after = rows(self.journal)
        assert after[: len(before)] == before
        state(latest_game(after))
        numbers = [record["number"] for record in after if record["kind"] == "roll"]
        assert len(numbers) == len(set(numbers)), "a roll was counted twice"
        self.starting += child.first is None
        if child.first is None:
            return
        last = child.history[-1]
        for told in (child.first, last):
            safe = after[: len(before) + told.kept]
            assert len(safe) == len(before) + told.kept, "a told move is not on disk"
            assert (told.position, told.face) == state(latest_game(safe))
        self.told += child.lines
        self.resumed += bool(latest_game(before))
        self.in_play += last.phase in ("roll", "move", "ask", "restore")


def test_what_was_told_survives_a_kill(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    async def play() -> Ordeal:
        ordeal = Ordeal(tmp_path, Random(os.environ.get("SEED", "kill")))
        ordeal.players.plug()
        try:
            await ordeal.live_until(Moment(MOST, 0.0))
            for number in range(KILLS):
                await ordeal.live_until(ordeal.moment(number))
            await ordeal.live_to_the_end_of_a_game()
        finally:
            ordeal.players.unplug()
        return ordeal

    ordeal = asyncio.run(play())
    assert ordeal.starting
    assert ordeal.resumed + ordeal.starting == KILLS + 1
    assert ordeal.in_play > KILLS / 2
    assert ordeal.players.turns > KILLS
    record_property(
        "figure",
        f"kills: {KILLS + 1}, of them {ordeal.starting} while starting and {ordeal.in_play} in a "
        f"turn; {ordeal.told} views told, {ordeal.players.turns} moves made, "
        f"{len(rows(ordeal.journal))} records on disk, none told was lost",
    )

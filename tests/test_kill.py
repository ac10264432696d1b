"""The daemon is killed at random moments while games are played at it over pseudo-terminals.

`KILLS` says how often; `make soak` does it 300 times.
"""

import asyncio
import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from companion.events import Command
from companion.referee import Match
from companion.rules import SHEETS
from tests.daemon_process import Child, daemon_process
from tests.players import Players, Told, config_text

KILLS = int(os.environ.get("KILLS", "8"))


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


class Ordeal:
    """Players who go on playing, and a daemon that is killed again and again."""

    def __init__(self, folder: Path, rng: Random) -> None:
        self.rng = rng
        self.folder = folder
        self.journal = folder / "games.db"
        self.config = folder / "companion.toml"
        self.config.write_text(config_text(folder))
        self.players = Players(folder, rng, lambda _: None)
        self.told = self.resumed = 0

    def choose(self) -> Command:
        seats = self.rng.sample(SHEETS["german"].board.seats, self.rng.randint(2, 4))
        sensing = self.rng.choice(["presence", "touch"])
        return Command("new_game", {"sheet": "german", "seats": seats, "sensing": sensing})

    async def life(self, seconds: float | None) -> None:
        """One life of the daemon: of so many seconds, or until a game is over."""
        before = rows(self.journal)
        self.players.told = None
        games = self.players.games
        async with daemon_process(
            self.config, self.journal, self.folder / "log", self.players
        ) as child:
            ended = asyncio.Event()
            playing = asyncio.create_task(
                self.players.play(
                    self.choose,
                    lambda: ended.is_set() or (seconds is None and self.players.games > games),
                )
            )
            if seconds is None:
                await playing
            else:
                await asyncio.sleep(seconds)
                child.process.kill()
                await child.process.wait()
            ended.set()
            self.players._news.set()
            await playing
        self.check(before, child)

    def check(self, before: list[dict[str, Any]], child: Child) -> None:
        """Everything told is on disk, and what is on disk is a game by the rules."""
        after = rows(self.journal)
        assert after[: len(before)] == before
        state(latest_game(after))
        numbers = [record["number"] for record in after if record["kind"] == "roll"]
        assert len(numbers) == len(set(numbers)), "a roll was counted twice"
        if not child.history:
            return
        last: Told = child.history[-1]
        safe = after[: len(before) + last.kept]
        assert len(safe) == len(before) + last.kept, "a told move is not on disk"
        assert (last.position, last.face) == state(latest_game(safe))
        self.told += child.lines
        self.resumed += bool(latest_game(before))


def test_what_was_told_survives_a_kill(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    async def play() -> Ordeal:
        ordeal = Ordeal(tmp_path, Random(os.environ.get("SEED", "kill")))
        ordeal.players.plug()
        try:
            await ordeal.life(4.0)
            for _ in range(KILLS):
                await ordeal.life(ordeal.rng.uniform(0.05, 1.5))
            await ordeal.life(None)
        finally:
            ordeal.players.unplug()
        return ordeal

    ordeal = asyncio.run(play())
    assert ordeal.resumed > KILLS / 4
    assert ordeal.players.turns > KILLS
    record_property(
        "figure",
        f"kills: {KILLS + 1}, {ordeal.told} views told, {ordeal.players.turns} moves made, "
        f"{len(rows(ordeal.journal))} records on disk, none told was lost",
    )

"""A soak: game after game through a daemon process, over simulated serial devices.

Run as `python -m tests.daemon_soak [GAMES]`. It fails if the daemon's memory grows by 5 MB or
more, or if a task, thread or file descriptor is left behind.
"""

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import NamedTuple

from companion.events import Command
from companion.rules import SHEETS
from tests.daemon_process import Child, daemon_process
from tests.players import Players, config_text

WARM = 20  # games after which every cache has been filled
GROWTH = 5.0  # MB


class Sample(NamedTuple):
    """What a process holds."""

    megabytes: float
    descriptors: int
    threads: int
    tasks: int


def sample(child: Child) -> Sample:
    status = dict(
        line.split(":", 1) for line in Path(f"/proc/{child.pid}/status").read_text().splitlines()
    )
    return Sample(
        int(status["VmRSS"].split()[0]) / 1024,
        len(os.listdir(f"/proc/{child.pid}/fd")),
        int(status["Threads"]),
        child.last.get("tasks", 0),
    )


async def soak(folder: Path, games: int, seed: str = "soak") -> bool:
    """Play so many games; whether the daemon holds as little at the end as at the beginning."""
    rng = Random(seed)
    config = folder / "companion.toml"
    config.write_text(config_text(folder))
    players = Players(folder, rng, lambda _: None)
    players.plug()
    samples: list[Sample] = []
    began = time.monotonic()

    def choose() -> Command:
        seats = rng.sample(SHEETS["german"].board.seats, rng.choice([2] * 11 + [4]))
        sensing = "presence" if len(samples) % 4 == 0 else "touch"
        return Command("new_game", {"sheet": "german", "seats": seats, "sensing": sensing})

    def done() -> bool:
        if players.games > len(samples):
            samples.append(sample(child))
            if len(samples) % 50 == 0:
                say(f"{len(samples)} games, {players.turns} moves, {samples[-1]}")
        return players.games >= games

    async with daemon_process(config, folder / "games.db", folder / "log", players) as child:
        await players.play(choose, done)
    players.unplug()
    first, last = samples[min(WARM, games - 1)], samples[-1]
    growth = last.megabytes - first.megabytes
    say(
        f"soak: {games} games, {players.turns} moves in {time.monotonic() - began:.0f} s; "
        f"memory {first.megabytes:.1f} -> {last.megabytes:.1f} MB ({growth:+.1f}), "
        f"descriptors {first.descriptors} -> {last.descriptors}, threads {first.threads} -> "
        f"{last.threads}, tasks {first.tasks} -> {last.tasks}; {players.nudges} nudges"
    )
    return growth < GROWTH and first[1:] == last[1:]


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
        sys.exit(not asyncio.run(soak(Path(name), count)))

"""A soak: game after game through a daemon process, over simulated serial devices.

Run as `python -m tests.daemon.soak [GAMES [BOARD]]`. It fails if the daemon's memory grows by
5 MB or more, or if a task, thread or file descriptor is left behind. Sheets for the board that
lies there are played on its sensors, one game in eight is of another and played by the buttons.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import NamedTuple

from companion.events import Command
from companion.rules import SHEETS, BadInput, game
from tests.daemon.process import Child, daemon_process
from tests.players import Players, config_text

CHOICES = 24  # different games, played in turn: the engine keeps its tables of up to 64
WARM = 2 * CHOICES  # games after which every cache has been filled
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


def chosen(rng: Random, board: str, number: int) -> Command:
    """The next game: mostly for the board that lies there, with any options."""
    fits = [sheet for sheet in SHEETS.values() if sheet.board.name == board]
    others = [sheet for sheet in SHEETS.values() if sheet.board.name != board]
    elsewhere = number % 8 == 7
    sheet = rng.choice(others if elsewhere else fits)
    options = {o.name: rng.choice(o.allowed) for o in sheet.options if rng.random() < 0.3}
    sensing = "choose" if elsewhere else "presence" if number % 4 == 0 else "touch"
    seats = rng.sample(sheet.board.colours, rng.choice([2] * 11 + [4]))
    try:
        game(sheet.id, options, seats)
    except BadInput:  # not every choice goes together
        options, seats = {}, list(sheet.board.colours)
    return Command(
        "new_game", {"sheet": sheet.id, "options": options, "seats": seats, "sensing": sensing}
    )


async def soak(folder: Path, games: int, board: str = "40", seed: str = "soak") -> bool:
    """Play so many games; whether the daemon holds as little at the end as at the beginning."""
    rng = Random(seed)
    config = folder / "companion.toml"
    config.write_text(config_text(folder, board=board))
    players = Players(folder, rng, lambda _: None, board)
    players.plug()
    samples: list[Sample] = []
    sheets: Counter[str] = Counter()
    choices = [chosen(rng, board, number) for number in range(CHOICES)]
    began = time.monotonic()

    def choose() -> Command:
        command = choices[len(samples) % CHOICES]
        sheets[command.args["sheet"]] += 1
        return command

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
        f"soak: {games} games ({', '.join(f'{n} {name}' for name, n in sheets.most_common())}), "
        f"{players.turns} moves in {time.monotonic() - began:.0f} s; "
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
        wanted, *lies = sys.argv[1:] or ["1000"]
        sys.exit(not asyncio.run(soak(Path(name), int(wanted), *lies)))

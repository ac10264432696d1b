"""The daemon: how fast it starts, how little it takes, and how soon a reading is on the screen.

A process of its own plays over pseudo-terminals with the real serial devices, journal, screens and
OLED driver; only the I2C bus is a counter. The way from a reading to the picture is measured in
one process with the simulated Picos: from the byte on the line to the last byte to the bus.
"""

import asyncio
import compileall
import os
import socket
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import companion
from companion.config import parse
from companion.daemon import Daemon
from companion.daemon.house import Membership
from companion.daemon.wiring import referees, screen
from companion.devices import open_devices
from companion.events import Command, Pressed
from companion.journal import Journal
from companion.referee import Times, View
from companion.rules import Move
from companion.rules.boardgame import BoardGame
from companion.table.oled import Oled
from tests.daemon.process import daemon_process
from tests.players import WIRING, Players, Told, config_text

STARTS = 5
PRESSES = 400
IDLE = 30.0  # seconds: a tick of the clock is a hundredth of one
START_TARGET, MEMORY_TARGET, IDLE_TARGET = 1.0, 60.0, 0.005
MEDIAN_TARGET, P99_TARGET = 0.005, 0.020
TICKS = os.sysconf("SC_CLK_TCK")
TOUCH = Command("new_game", {"sheet": "german", "seats": ["yellow", "red"], "sensing": "touch"})


def run() -> bool:
    """Measure all; whether every target was met."""
    compileall.compile_dir(companion.__path__[0], quiet=1)  # as an installed box has it
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start = median(asyncio.run(cold_start(folder)) for _ in range(STARTS))
        memory, idle, blinking = asyncio.run(at_rest(folder))
    with tempfile.TemporaryDirectory() as name:
        presses = sorted(asyncio.run(reading_to_glass(Path(name))))
    middle, last = median(presses), presses[int(len(presses) * 0.99)]
    print(f"  cold start to the first picture   {start:6.2f} s    (target {START_TARGET} s)")
    print(f"  memory in a game                  {memory:6.1f} MB   (target {MEMORY_TARGET:g} MB)")
    print(f"  waiting for a roll                {idle:8.2%} of a core (target {IDLE_TARGET:.1%})")
    print(
        f"  waiting for a move (blinking)     {blinking:8.2%} of a core (target {IDLE_TARGET:.1%})"
    )
    print(
        f"  reading to the last byte of the picture, {len(presses)} presses: median "
        f"{middle * 1e3:.2f} ms, p99 {last * 1e3:.2f} ms (targets {MEDIAN_TARGET * 1e3:g} and "
        f"{P99_TARGET * 1e3:g} ms)"
    )
    return (
        start < START_TARGET
        and memory < MEMORY_TARGET
        and max(idle, blinking) < IDLE_TARGET
        and middle < MEDIAN_TARGET
        and last < P99_TARGET
    )


def players_at(folder: Path, more: str = "") -> tuple[Players, Path]:
    config = folder / "companion.toml"
    config.write_text(config_text(folder) + more)
    return Players(folder, Random(1), lambda _: None), config


async def cold_start(folder: Path, more: str = "") -> float:
    """From starting the process until it says READY, which it does after its first picture.

    `more` is added to the configuration.
    """
    players, config = players_at(folder, more)
    address = folder / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
        wire.bind(str(address))
        wire.setblocking(False)
        os.environ["NOTIFY_SOCKET"] = str(address)
        try:
            began = time.monotonic()
            async with daemon_process(config, folder / "cold.db", folder / "log", players):
                loop = asyncio.get_running_loop()
                while b"READY=1" not in await loop.sock_recv(wire, 4096):
                    pass
                return time.monotonic() - began
        finally:
            del os.environ["NOTIFY_SOCKET"]
            address.unlink()


async def at_rest(folder: Path) -> tuple[float, float, float]:
    """Megabytes in a game, and the share of a core while it waits for a roll and for a move."""
    players, config = players_at(folder)
    players.plug()
    async with daemon_process(config, folder / "rest.db", folder / "log", players) as child:
        await players.play(lambda: TOUCH, lambda: players.turns >= 20 and phase(players) == "roll")
        idle = await share_of_core(child.pid)
        while phase(players) != "move":
            players.die.throw()
            await asyncio.sleep(0.3)
        blinking = await share_of_core(child.pid)
        status = Path(f"/proc/{child.pid}/status").read_text()
    players.unplug()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024, idle, blinking


def phase(players: Players) -> str | None:
    return players.told.phase if players.told is not None else None


async def share_of_core(pid: int, seconds: float = IDLE) -> float:
    """What a process takes of a core, over so many seconds."""

    def used() -> float:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    await asyncio.sleep(1.0)
    before, began = used(), time.monotonic()
    await asyncio.sleep(seconds)
    return (used() - before) / (time.monotonic() - began)


class TimedWire:
    """The OLED's bus: notes when the last byte was handed over."""

    last = 0.0

    def command(self, *_: int) -> None:
        self.last = time.perf_counter()

    def data(self, _: Any) -> None:
        self.last = time.perf_counter()

    def cleanup(self) -> None:
        """Nothing is held."""


async def reading_to_glass(folder: Path, more: str = "", presses: int = PRESSES) -> list[float]:
    """Touch moves, press by press: seconds from the reading on the line to the end of drawing.

    `more` is added to the configuration.
    """
    players, config = players_at(folder, more)
    players.plug()
    wire = TimedWire()
    parsed = parse(config.read_text())
    devices = open_devices(parsed, os.urandom, confirm=True)
    devices.display = display = Oled(lambda: wire)
    daemon = Daemon(
        devices,
        referees(parsed, Times(press=0.0)),
        Journal(folder / "games.db"),
        screen=screen(display),
        services=[Membership(parsed.cafe, folder).run],
    )
    players.post = daemon.post
    news = asyncio.Event()

    def hear(view: View) -> None:
        players.hear(Told.of(view))
        news.set()

    daemon.subscribe(hear)
    running = asyncio.create_task(daemon.run())
    found: list[float] = []
    try:
        await until(lambda: daemon.inbox.board is not None)
        while len(found) < presses:
            await one_turn(daemon, players, wire, found)
    finally:
        daemon.stop()
        await running
        players.unplug()
    return found


async def until(true: Callable[[], bool]) -> None:
    while not true():
        await asyncio.sleep(0.001)


async def one_turn(daemon: Daemon, players: Players, wire: TimedWire, found: list[float]) -> None:
    """Do what the table waits for; presses on the board are timed."""
    view = daemon.view
    if view.phase in ("idle", "over"):
        daemon.post(TOUCH)
    elif view.phase in ("setting", "ask", "illegal"):
        daemon.post(Pressed("ok"))
    elif view.phase in ("roll", "opening"):
        players.die.throw()
    elif view.phase == "move":
        move = next(move for move in view.legal if isinstance(move, Move))
        assert isinstance(view.position, object)
        game = view.position.game if view.position is not None else None
        assert isinstance(game, BoardGame)
        for spot in game.stops(move):
            cell = WIRING[spot if spot in WIRING else f"{spot}1"]
            await asyncio.sleep(0.02)
            shown, began = daemon.view, time.perf_counter()
            players.board.press(*cell)
            await until(lambda: daemon.view != shown)  # noqa: B023 - waited for here
            await drawn(wire, began)
            found.append(wire.last - began)
            players.board.release(*cell)
    with suppress(TimeoutError):
        async with asyncio.timeout(0.5):
            await until(lambda: daemon.view != view)
    await asyncio.sleep(0.01)


async def drawn(wire: TimedWire, began: float) -> None:
    """Wait until something was drawn since then, and the bus has been quiet for a while."""
    await until(lambda: wire.last > began and time.perf_counter() - wire.last > 0.02)

"""A daemon in a process of its own, for tests that kill it or measure it.

Run as `python -m tests.daemon.process CONFIG JOURNAL`: the real devices, journal, referee and
screen. It reads events as JSON lines and writes what it tells as JSON lines, as a page would.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from companion.config import load
from companion.daemon import Daemon
from companion.daemon.house import Membership
from companion.daemon.serving import log_to_stderr, until_signalled
from companion.daemon.wiring import last_roll, referees, screen
from companion.devices import open_devices
from companion.events import as_json, from_json
from companion.journal import Journal
from companion.referee import Times, View
from companion.rules import position
from companion.table.oled import Oled
from tests.players import Players, Told

ROOT = Path(__file__).parents[2]
QUICK = Times(settle=0.004, passing=0.008, patience=0.5, hidden=0.5, press=0.0, flicker=0.0)
"""Hands in tests are quicker than any."""


class CountedWire:
    """The OLED's wire, as a number of bytes."""

    sent = 0

    def command(self, *values: int) -> None:
        self.sent += len(values)

    def data(self, values: Any) -> None:
        self.sent += len(values)

    def cleanup(self) -> None:
        """Nothing is held."""


def main(config_path: str, journal_path: str) -> None:
    log_to_stderr()
    config = load(Path(config_path))
    journal = Journal(Path(journal_path))
    number = last_roll(list(journal.resumable()))
    devices = open_devices(config, os.urandom, last_roll=number, confirm=True)
    devices.display = display = Oled(CountedWire)

    async def page(daemon: Daemon) -> None:
        tell(daemon, daemon.view)
        daemon.subscribe(lambda view: tell(daemon, view))
        asyncio.get_running_loop().add_reader(0, hear, daemon)
        await asyncio.Event().wait()

    daemon = Daemon(
        devices,
        referees(config, QUICK),
        journal,
        screen=screen(display),
        services=[page, Membership(config.cafe, Path(journal_path).parent).run],
    )
    asyncio.run(until_signalled(daemon))


def tell(daemon: Daemon, view: View) -> None:
    told = Told.of(view, daemon.kept)
    line = told._replace(position=None)._asdict()
    line["position"] = None if view.position is None else str(view.position)
    line["tasks"] = len(asyncio.all_tasks())
    os.write(1, json.dumps(line).encode() + b"\n")


def hear(daemon: Daemon) -> None:
    data = os.read(0, 65536)
    if not data:
        daemon.stop()
        asyncio.get_running_loop().remove_reader(0)
    for line in data.splitlines():
        daemon.post(from_json(json.loads(line)))


class Child:
    """The other end: a daemon process, and the players it tells things to."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.lines = 0
        self.last: dict[str, Any] = {}
        self.first: Told | None = None
        self.history: list[Told] = []
        self.ended = False
        self._news = asyncio.Condition()

    @property
    def pid(self) -> int:
        return self.process.pid

    def post(self, event: Any) -> None:
        assert self.process.stdin is not None
        if not self.process.stdin.is_closing():
            self.process.stdin.write(json.dumps(as_json(event)).encode() + b"\n")

    async def told(self, lines: int) -> bool:
        """Wait until it has told so much; false if it ended before."""
        async with self._news:
            await self._news.wait_for(lambda: self.ended or self.lines >= lines)
        return self.lines >= lines

    async def listen(self, players: Players) -> None:
        """Pass on what it tells until it ends."""
        assert self.process.stdout is not None
        while (line := await self.process.stdout.readline()).endswith(b"\n"):
            async with self._news:
                self._take(json.loads(line), players)
                self._news.notify_all()
        async with self._news:  # it ended, perhaps in the middle of a line
            self.ended = True
            self._news.notify_all()

    def _take(self, data: dict[str, Any], players: Players) -> None:
        self.last = data
        data = {key: value for key, value in data.items() if key != "tasks"}
        text = data.pop("position")
        told = Told(**data, position=None if text is None else position(text))
        self.first = self.first or told
        self.history.append(told)
        del self.history[:-4]
        self.lines += 1
        players.hear(told)


@asynccontextmanager
async def daemon_process(
    config: Path, journal: Path, log: Path, players: Players
) -> AsyncIterator[Child]:
    """Start one; it is killed at the end, if it still runs."""
    with log.open("ab") as errors:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "tests.daemon.process", str(config), str(journal)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            cwd=ROOT,
            env={**os.environ, "MALLOC_ARENA_MAX": "1"},  # as the service has it
            limit=1 << 20,
        )
    child = Child(process)
    players.post = child.post
    listening = asyncio.create_task(child.listen(players))
    try:
        yield child
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await listening


if __name__ == "__main__":
    main(*sys.argv[1:])

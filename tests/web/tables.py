"""Simulated tables with their page, for tests: in this process, or in one that can be killed.

Run as `python -m tests.web.tables JOURNAL PORT [PIN]` it is a table of its own, with quick sensors.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import aiohttp
from yarl import URL

from companion.config import Config, WebSection
from companion.daemon import Daemon
from companion.daemon.serving import until_signalled
from companion.daemon.simulated import devices
from companion.daemon.wiring import put_together
from companion.referee import Times, View
from companion.web import files, server
from companion.web.guard import BOX_COOKIE
from companion.web.key import kept_key
from companion.web.server import Page
from tests.patience import PATIENCE

KEY = "the-key-of-the-boxs-own-screen"
QUICK = Times(settle=0.01, passing=0.02, patience=0.6, draw=0.0, press=0.0, flickers=1 << 30)
"""Hands in tests are quicker than any."""
PIN = "482916"
AWAY = {"X-Forwarded-For": "10.1.2.3"}
"""Makes a request count as one from another device, through a proxy at the box."""


class Table:
    """A daemon on a simulated table with its page, and a client for it."""

    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self.now = 0.0
        self.page: Page
        self.address = ""
        self.client: aiohttp.ClientSession

    @property
    def view(self) -> View:
        return self.daemon.view

    async def do(self, wish: dict[str, Any], **options: Any) -> int:
        """Wish something of the table; the status that is answered."""
        async with self.client.post(f"{self.address}do", json=wish, **options) as answer:
            return answer.status

    async def until(self, holds: Callable[[View], bool]) -> None:
        """Wait until something holds of a view that was told."""
        held = asyncio.Event()

        def look(view: View) -> None:
            if holds(view):
                held.set()

        end = self.daemon.subscribe(look)
        try:
            look(self.page.view)
            async with asyncio.timeout(PATIENCE):
                await held.wait()
        finally:
            end()

    @asynccontextmanager
    async def events(self, query: str = "", **options: Any) -> AsyncIterator["Events"]:
        """Listen to the page's events."""
        async with self.client.get(f"{self.address}events{query}", **options) as answer:
            assert answer.status == 200, answer.status
            yield Events(answer)


class Events:
    """A stream of server-sent events, read one after the other."""

    def __init__(self, answer: aiohttp.ClientResponse) -> None:
        self._answer = answer

    async def next(self, name: str) -> Any:
        """The data of the next event of this name."""
        seen = ""
        async with asyncio.timeout(PATIENCE):
            async for line in self._answer.content:
                text = line.decode().rstrip("\n")
                if text.startswith("event: "):
                    seen = text.removeprefix("event: ")
                elif text.startswith("data: ") and seen == name:
                    return json.loads(text.removeprefix("data: "))
        raise EOFError("the stream ended")


@asynccontextmanager
async def table(
    journal: Path, *, pin: str | None = None, pace: float = 0.0, seed: int = 1, **names: Any
) -> AsyncIterator[Table]:
    """A table with its page at a free port of this machine."""
    started = asyncio.Event()

    async def serve(daemon: Daemon) -> None:
        section = WebSection(port=0, pin=pin, names=tuple(names.get("names", ())))
        found.page = Page(daemon, section, times=QUICK, pace=pace, clock=lambda: found.now, key=KEY)
        if found.page.simulation is not None:
            found.page.simulation.hands.rng = Random(seed)

        def tell(address: str) -> None:
            found.address = address
            started.set()

        await found.page.run(tell)

    daemon = put_together(
        Config(sensing="presence"),
        journal,
        devices=partial(devices, Random(seed).randbytes),
        times=QUICK,
        services=[serve],
        entropy=Random(seed).randbytes,
    )
    found = Table(daemon)
    running = asyncio.create_task(daemon.run())
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as client:
        found.client = client
        async with asyncio.timeout(PATIENCE):
            await started.wait()
        client.cookie_jar.update_cookies({BOX_COOKIE: KEY}, URL(found.address))
        try:
            yield found
        finally:
            daemon.stop()
            await running


def main(journal: Path, port: int, pin: str | None) -> None:
    """Serve a table until told to stop; prints the page's address.

    With SEEDED set its die always rolls the same; STATIC is a folder with other files for the page;
    PHONE is where the page says that phones find it, though it listens to this machine only. REAL
    is the port of a second page, which sees the same table as if it were a real one.
    """
    from companion.daemon.simulated import simulated_table

    real = os.environ.get("REAL")

    def started(address: str) -> None:
        sys.stdout.write(f"{address}\n")
        sys.stdout.flush()

    async def beside(daemon: Daemon) -> None:
        with patch.object(server, "simulation_of", lambda *_: None):
            page = Page(daemon, WebSection(port=int(real or 0)), key=kept_key(journal.parent))
        await page.run(started)

    async def run() -> None:
        daemon = simulated_table(
            WebSection(port=port, pin=pin),
            journal,
            QUICK,
            started,
            lambda fault: sys.exit(fault),
            entropy=Random(7).randbytes if os.environ.get("SEEDED") else os.urandom,
            pace=0.0,
            services=[beside] if real else [],
        )
        await until_signalled(daemon)

    static = Path(os.environ.get("STATIC", files.STATIC))
    phone = os.environ.get("PHONE") or None
    with (
        patch.object(files, "load", partial(files.load, static)),
        patch.object(server, "phone_address", lambda *_: phone),
    ):
        asyncio.run(run())


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else None)

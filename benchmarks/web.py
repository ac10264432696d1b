"""The page: its first picture, the way of a request, and two hundred who watch.

Windows with and without watchers alternate in one run; the watchers are a process of their own,
as browsers are.
"""

import asyncio
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import aiohttp

from companion.config import Config, WebSection
from companion.daemon import Daemon
from companion.daemon.simulated import devices
from companion.daemon.wiring import put_together
from companion.events import Pressed
from companion.referee import Times
from companion.web.guard import BOX_COOKIE
from companion.web.server import Page

KEY = "the-key-of-the-boxs-own-screen"
PICTURE = 1.0
WISH = 0.030
REACTION = 0.020
WATCHERS = 200
WISHES = 150
WINDOWS, PRESSES = 3, 120

_WATCH = """
import asyncio, sys
async def watch(port, number, ready):
    place = (f"127.0.0.{2 + number % 10}", 0)  # of one network only so many are let in
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=place)
    writer.write(b"GET /events HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n")
    await reader.readuntil(b"event: state")
    ready.release()
    while await reader.read(65536):
        pass
async def main(port, number):
    ready = asyncio.Semaphore(0)
    tasks = [asyncio.create_task(watch(port, n, ready)) for n in range(number)]
    for _ in tasks:
        await ready.acquire()
    print("watching", flush=True)
    await asyncio.wait(tasks)
asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
"""


@asynccontextmanager
async def table(journal: Path) -> AsyncIterator[tuple[Daemon, Page, str]]:
    """A simulated table with its page, in this process."""
    started: asyncio.Future[tuple[Page, str]] = asyncio.get_running_loop().create_future()

    async def serve(daemon: Daemon) -> None:
        page = Page(daemon, WebSection(port=0), times=Times(), key=KEY)
        await page.run(lambda address: started.set_result((page, address)))

    daemon = put_together(
        Config(sensing="presence"), journal, devices=partial(devices, bytes), services=[serve]
    )
    running = asyncio.create_task(daemon.run())
    page, address = await started
    yield daemon, page, address
    daemon.stop()
    await running


async def first_picture(address: str) -> list[float]:
    """Seconds from asking for the page until a board is painted, in fresh browser profiles."""
    from playwright.async_api import async_playwright

    found = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for _ in range(5):
            page = await (await browser.new_context()).new_page()
            await page.goto(address)
            await page.wait_for_selector(".board")
            found.append(
                await page.evaluate(
                    "performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"
                )
            )
        await browser.close()
    return found


async def ways(address: str) -> list[float]:
    """Seconds from a POST until the event that tells of it is here."""
    found = []
    async with (
        aiohttp.ClientSession(cookies={BOX_COOKIE: KEY}) as client,
        client.get(f"{address}events") as stream,
    ):
        lines = stream.content.__aiter__()

        async def heard(what: bytes) -> None:
            async for line in lines:
                if line.startswith(b"data: ") and what in line:
                    return

        async def ask(order: dict[str, str]) -> None:
            async with client.post(f"{address}do", json=order) as answer:
                answer.raise_for_status()

        await ask({"do": "new_game", "sheet": "german"})
        await heard(b'"phase":"opening"')
        for number in range(WISHES):
            name, phase = (("resume", b"opening"), ("pause", b"paused"))[number % 2 == 0]
            began = time.perf_counter()
            await ask({"do": name})
            await heard(b'"phase":"' + phase + b'"')
            found.append(time.perf_counter() - began)
    return found


async def reactions(daemon: Daemon) -> list[float]:
    """Seconds from an event until the referee has told what came of it."""
    found = []
    told = asyncio.Event()
    end = daemon.subscribe(lambda view: told.set())
    for _ in range(PRESSES):
        told.clear()
        began = time.perf_counter()
        daemon.post(Pressed("down"))
        await told.wait()
        found.append(time.perf_counter() - began)
        await asyncio.sleep(0.02)
    end()
    return found


async def watched(daemon: Daemon, address: str) -> list[float]:
    """The same while two hundred listen."""
    port = address.rstrip("/").rpartition(":")[2]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _WATCH, port, str(WATCHERS), stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    await process.stdout.readline()
    found = await reactions(daemon)
    process.kill()
    await process.wait()
    return found


def p99(times: list[float]) -> float:
    return statistics.quantiles(times, n=100)[98]


def line(what: str, value: float, target: float) -> bool:
    good = value < target
    mark = "ok" if good else "MISSED"
    print(f"  {what}: {value * 1000:.1f} ms (target {target * 1000:.0f} ms) {mark}")
    return good


async def measured(journal: Path) -> bool:
    good: list[bool] = []
    async with table(journal) as (daemon, page, address):
        good.append(line("first picture", statistics.median(await first_picture(address)), PICTURE))
        good.append(line("from wish to event", statistics.median(await ways(address)), WISH))
        daemon.post(Pressed("ok", held=True))
        alone: list[float] = []
        many: list[float] = []
        for _ in range(WINDOWS):
            alone += await reactions(daemon)
            many += await watched(daemon, address)
        print(f"  reaction, nobody watching: p99 {p99(alone) * 1000:.1f} ms")
        good.append(line(f"reaction, {WATCHERS} watching: p99", p99(many), REACTION))
        print(f"  dropped: {page.stream.dropped}")
    return all(good)


def run() -> bool:
    """Measure all of it; whether every target was met."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(measured(Path(folder) / "games.db"))

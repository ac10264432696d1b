"""Past games: the weight of the first view, ten thousand games in a list, and a long replay.

What a busy machine distorts is a ratio of two windows that alternate in one run.
"""

import asyncio
import json
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks.web import KEY, table
from companion.journal import Journal
from companion.rules import game
from companion.rules.history import History, Roll, kept, started
from companion.web.guard import BOX_COOKIE

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

WEIGHT = 200_000
"""Bytes of the first view, before compression."""
GAMES = 10_000
LIST = 0.3  # seconds from asking, in a page that is open, until the list is there
MOVES = 600
SLOWER = 1.25
"""How much longer something may take than without."""
FRAMES = 90

_LOADED = """() => performance.getEntriesByType("resource")
    .concat(performance.getEntriesByType("navigation"))
    .reduce((sum, one) => sum + (one.decodedBodySize || 0), 0)"""
_LISTED = """async () => {
    const list = document.querySelector(".games");
    list.replaceChildren();
    const start = performance.now();
    const { games } = await (await fetch("/games.json?q=anna")).json();
    list.append(...games.map((one) => document.createElement("li")));
    return performance.now() - start;
}"""
_FRAMES = """async ([frames, scrub]) => {
    const slider = document.querySelector(".replay input[type=range]");
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    const start = performance.now();
    for (let n = 0; n < frames; n++) {
        if (scrub) {
            slider.value = (n * 37) % Number(slider.max);
            slider.dispatchEvent(new Event("input"));
        }
        await frame();
    }
    return performance.now() - start;
}"""


def long_game() -> list[dict[str, Any]]:
    """The records of a game of so many moves."""
    rng = Random(1)
    history = History(game("british", {}, None), {"red": "Anna"})
    told = [started(history.game, history.names)]
    while len(history.past) < MOVES and not history.position.over:
        if history.face is None:
            roll = Roll(rng.randint(1, 6))
            history.add(roll)
            told.append(kept(history.game, roll))
        move = rng.choice(history.game.legal_moves(history.position, history.face or 1))
        history.add(move)
        told.append(kept(history.game, move))
    return [*told, {"kind": "end"}]


def fill(path: Path) -> None:
    """A journal with a long game, and many short ones before it."""
    journal = Journal(path)
    journal.keep(long_game(), time.time())
    journal.close()
    start = started(game("german", {}, ("yellow", "red")), {"yellow": "Anna", "red": "Ben"})
    rows = []
    with sqlite3.connect(path) as connection:
        (last,) = connection.execute("SELECT max(id) FROM records").fetchone()
        for number in range(GAMES):
            first = last + 1 + 3 * number
            told = (start, {"kind": "roll", "face": 3, "number": number}, {"kind": "end"})
            rows += [
                (first + at, first, 1.7e9 + 600 * number, one["kind"], json.dumps(one))
                for at, one in enumerate(told)
            ]
        connection.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?)", rows)


async def opened(browser: "Browser", address: str, path: str, shows: str) -> "Page":
    context = await browser.new_context()
    await context.add_cookies([{"name": BOX_COOKIE, "value": KEY, "url": address}])
    page = await context.new_page()
    await page.goto(address + path)
    await page.wait_for_selector(shows)
    return page


async def looked_at(path: Path) -> bool:
    """What a browser sees of it."""
    from playwright.async_api import async_playwright

    async with table(path) as (_, _, address), async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        first = await opened(browser, address, "", ".board")
        weight = int(await first.evaluate(_LOADED))
        print(f"  first view: {weight / 1000:.0f} kB (target {WEIGHT / 1000:.0f} kB)")
        page = await opened(browser, address, "games", ".past-game")
        times = [float(await page.evaluate(_LISTED)) / 1000 for _ in range(9)]
        await page.context.close()
        listed = statistics.median(times)
        print(f"  list of {GAMES} games: {listed * 1000:.0f} ms (target {LIST * 1000:.0f} ms)")
        replay = await opened(browser, address, "games?game=1", ".replay input[type=range]")
        await replay.wait_for_selector(".said strong, .said")
        alone, scrubbed = [], []
        for _ in range(3):
            alone.append(float(await replay.evaluate(_FRAMES, [FRAMES, False])))
            scrubbed.append(float(await replay.evaluate(_FRAMES, [FRAMES, True])))
        ratio = statistics.median(scrubbed) / statistics.median(alone)
        print(f"  {MOVES} moves scrubbed: frames take {ratio:.2f} of idle ones (target {SLOWER})")
        await browser.close()
    return weight <= WEIGHT and listed <= LIST and ratio <= SLOWER


def start(journal: Path) -> float:
    """Seconds from starting the box until its page is served."""
    command = [sys.executable, "-c", "from companion.cli import main; main()", "play"]
    options = ["--no-browser", "--port", "0", "--journal", str(journal)]
    begun = time.perf_counter()
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert b"http" in process.stdout.readline()
        taken = time.perf_counter() - begun
        process.terminate()
    return taken


def starts(full: Path, empty: Path) -> bool:
    """Whether the box starts with all those games as soon as without."""
    taken: dict[Path, list[float]] = {full: [], empty: []}
    for _ in range(5):
        for path, times in taken.items():
            times.append(start(path))
    ratio = statistics.median(taken[full]) / statistics.median(taken[empty])
    print(f"  start with {GAMES} games: {ratio:.2f} of one without (target {SLOWER})")
    return ratio <= SLOWER


def run() -> bool:
    """Measure all of it; whether every target was met."""
    with tempfile.TemporaryDirectory() as folder:
        full, empty = Path(folder) / "full" / "games.db", Path(folder) / "empty" / "games.db"
        for path in (full, empty):
            path.parent.mkdir()
        fill(full)
        seen = asyncio.run(looked_at(full))
        return starts(full, empty) and seen

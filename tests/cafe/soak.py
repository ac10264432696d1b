"""A house in bad weather: broker, house and tables are killed, and lines cut, slowed and half-open.

    python -m tests.cafe.soak TABLES KILLS [SEED]

Everything is real: Mosquitto, `companion house` and each table are processes that get SIGKILL, in
any mixture and at the same time. What the house shows is what its page is told. In the end the
archive has to be the journals, record for record; on the way a dead table has to be shown as lost
within ten seconds, and a live one that can be heard is never shown as anything but there for so
long. Times are counted from when the house hears its broker: while it does not, its page says that
it knows of no table how it is.
"""

import asyncio
import contextlib
import json
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import aiohttp

from companion.cafe.archive import Archive
from companion.cafe.line import end
from companion.config import ASSUMED
from companion.invitation import Invitation
from tests.cafe.houses import PASSWORD, Mosquitto, free_port
from tests.cafe.proxy import WEATHER, Proxy
from tests.cafe.test_archive import archived, everything

SHOWN = 10.0
"""Seconds within which the house has to show what is so."""
PACE = 3.0
"""Seconds between two things done at a table."""
STALE = 7.0
"""Seconds without a word of the house after which its page believes it no more (house.js)."""
KINDS = ("broker", "house", "table", "line")


class Process:
    """Something that is started, and killed without a word."""

    def __init__(self, log: Path, *words: str) -> None:
        self.log, self.words = log, words
        self._child: asyncio.subprocess.Process | None = None

    async def start(self, *words: str) -> None:
        with self.log.open("ab") as log:
            self._child = await asyncio.create_subprocess_exec(
                *(sys.executable, *(words or self.words)), stdout=log, stderr=log
            )

    async def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        if self._child is not None:
            with contextlib.suppress(ProcessLookupError):
                self._child.send_signal(how)
            await self._child.wait()
        self._child = None


class Place:
    """One table with its proxy: a whole daemon with guests, in a process of its own."""

    def __init__(self, name: str, folder: Path, proxy: Proxy, seed: int) -> None:
        self.name, self.folder, self.proxy, self.seed = name, folder, proxy, seed
        folder.mkdir(parents=True)
        invited = Invitation("127.0.0.1", proxy.port, name, "", PASSWORD.format(name))
        (folder / "companion.toml").write_text(f"{ASSUMED}\n{invited.toml()}")
        self.process = Process(folder / "log")
        self.alive, self.changed = False, time.monotonic()
        self.missed: float | None = None
        """Since when it has not been shown as it is."""

    async def live(self, pace: float = PACE) -> None:
        words = ("-m", "companion.daemon.guests", str(self.folder), str(pace), str(self.seed))
        await self.process.start(*words)
        self.alive, self.changed = True, time.monotonic()

    async def die(self) -> None:
        """Gone without a word."""
        await self.process.kill()
        self.alive, self.changed = False, time.monotonic()

    @property
    def well_since(self) -> float | None:
        """Since when it lives and can be heard: it has reached for the broker, in fair weather."""
        well = self.alive and self.proxy.weather == "fair" and self.proxy.reached > self.changed
        return max(self.proxy.reached, self.proxy.changed) if well else None


class Page:
    """The house's page, as a browser hears it."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}/events"
        self.hears, self.heard = False, 0.0
        self.fair_since = time.monotonic()
        self.shown: dict[str, str] = {}

    @property
    def believed(self) -> bool:
        return self.hears and time.monotonic() - self.heard < STALE

    async def listen(self) -> None:
        async with aiohttp.ClientSession() as session:
            while True:
                with contextlib.suppress(aiohttp.ClientError, OSError, TimeoutError):
                    await self._once(session)
                self.hears = False
                await asyncio.sleep(0.1)

    async def _once(self, session: aiohttp.ClientSession) -> None:
        patience = aiohttp.ClientTimeout(total=None, sock_read=STALE)
        async with session.get(self.address, timeout=patience) as answer:
            name = ""
            async for line in answer.content:
                if line.startswith(b"event: "):
                    name = line[7:].decode().strip()
                elif line.startswith(b"data: "):
                    self._take(name, json.loads(line[6:]))

    def _take(self, name: str, told: object) -> None:
        self.heard = time.monotonic()
        if name == "house" and isinstance(told, dict):
            if told["hears"] and not self.hears:
                self.fair_since = self.heard
            self.hears = told["hears"]
        elif name == "table" and isinstance(told, dict):
            self.shown[told["name"]] = told["status"]


class Soak:
    """The house, its tables, and what was seen."""

    def __init__(self, folder: Path, tables: int, seed: int, pace: float = PACE) -> None:
        self.folder, self.chance, self.pace = folder, random.Random(seed), pace
        self.names = [f"table-{number}" for number in range(1, tables + 1)]
        self.mosquitto = Mosquitto(folder / "broker", self.names).start()
        self.page = Page(port := free_port())
        self.house_port = port
        self.disturbed: Counter[str] = Counter()
        self.faults: list[str] = []
        self.lost_after: list[float] = []
        self.worst, self.unlike = 0.0, False

    async def begin(self) -> None:
        self.house_proxy = await Proxy(self.mosquitto.port).start()
        (self.folder / "house.toml").write_text(
            f'archive = "{self.folder}/house.db"\n[page]\nport = {self.house_port}\n[broker]\n'
            f'port = {self.house_proxy.port}\npassword = "{PASSWORD.format("house")}"\n'
        )
        run = "from companion.cli import main; main()"
        config = str(self.folder / "house.toml")
        self.house = Process(self.folder / "log", "-c", run, "house", "--config", config)
        self.places = [
            Place(name, self.folder / name, await Proxy(self.mosquitto.port).start(), number)
            for number, name in enumerate(self.names)
        ]
        await self.house.start()
        for place in self.places:
            await place.live(self.pace)
        async with asyncio.timeout(300):
            while not all(self.page.shown.get(name) == "there" for name in self.names):
                await asyncio.sleep(0.1)

    # -- what goes wrong -------------------------------------------------------------------------

    async def disturb(self, what: str, kills: int, calm: float) -> None:
        """This kind of thing goes wrong so often."""
        for _ in range(kills):
            await asyncio.sleep(self.chance.expovariate(1 / calm))
            self.disturbed[what] += 1
            await getattr(self, f"_{what}")(self.chance.uniform(0, 3))

    async def _broker(self, pause: float) -> None:
        await asyncio.to_thread(self.mosquitto.kill)
        await asyncio.sleep(pause)
        await asyncio.to_thread(self.mosquitto.start)

    async def _house(self, pause: float) -> None:
        await self.house.kill()
        self.page.hears = False
        await asyncio.sleep(pause)
        await self.house.start()

    async def _table(self, pause: float) -> None:
        """A table dies, and stays dead until it is shown so, or should have been."""
        alive = [place for place in self.places if place.alive]
        place = self.chance.choice(alive)
        pulled = self.chance.random() < 0.5
        if pulled:  # its plug, that is: nobody hears the end of its connection
            place.proxy.change("hole")
        await place.die()
        while not self._is_missed(place):
            await asyncio.sleep(0.1)
        if pulled:
            place.proxy.change("fair")
        await place.live(self.pace)

    def _is_missed(self, place: Place) -> bool:
        """Whether a dead table has been shown as lost, or not been in time."""
        since = time.monotonic() - max(place.changed, self.page.fair_since)
        if not self.page.believed:
            return False
        if self.page.shown.get(place.name) == "lost":
            self.lost_after.append(max(0.0, since))
            return True
        if since > SHOWN:
            shown = self.page.shown.get(place.name)
            self.faults.append(f"{place.name} is dead for {since:.1f} s and shown as {shown}")
            return True
        return False

    async def _line(self, pause: float) -> None:
        proxies = [self.house_proxy, *(place.proxy for place in self.places)]
        proxy = self.chance.choice(proxies)
        proxy.change(self.chance.choice(WEATHER))
        await asyncio.sleep(pause)
        proxy.change("fair")  # half-open connections stay so until somebody notices
        if proxy is self.house_proxy:
            self.page.fair_since = time.monotonic()

    # -- what is seen ----------------------------------------------------------------------------

    def look(self) -> None:
        """Whether live tables are shown as there."""
        now = time.monotonic()
        for place in self.places:
            well = place.well_since
            there = self.page.shown.get(place.name) == "there"
            if well is None or there or not self.page.believed:
                place.missed = None
                continue
            since = now - max(well, self.page.fair_since)
            self.worst = max(self.worst, since)
            if since > SHOWN and place.missed is None:
                shown = self.page.shown.get(place.name)
                self.faults.append(f"{place.name} lives and is {shown} for {since:.1f} s")
                place.missed = now

    async def watch(self) -> None:
        while True:
            self.look()
            await asyncio.sleep(0.1)

    async def catch_up(self) -> int:
        """Stop playing, and wait until everything is archived; how many records that are."""
        await asyncio.gather(*(place.process.kill(signal.SIGTERM) for place in self.places))
        for place in self.places:
            await place.live(pace=1e6)
        limit = time.monotonic() + 300
        while True:
            await asyncio.sleep(2)
            want, found = await asyncio.to_thread(self._both)
            calm = all(self.page.shown.get(name) == "there" for name in self.names)
            if (want and found == want and calm) or time.monotonic() > limit:
                break
        self.unlike = found != want
        if self.unlike:
            self.faults.append(f"{len(found)} records are archived, and there are {len(want)}")
        return len(want)

    def _both(self) -> tuple[list[Any], list[Any]]:
        """Every record of every journal, and every record of the archive."""
        files = [place.folder / "games.db" for place in self.places]
        want = [record for path in files for record in everything(path)]
        archive = Archive(self.folder / "house.db")
        try:
            return sorted(want, key=lambda one: one[:2]), list(archived(archive))
        finally:
            archive.close()

    async def close(self) -> None:
        for process in (self.house, *(place.process for place in self.places)):
            await process.kill(signal.SIGTERM)
        for place in self.places:
            place.proxy.close()
        self.house_proxy.close()
        self.mosquitto.kill()


async def run(
    tables: int, kills: int, seed: int, folder: Path, calm: float, pace: float = PACE
) -> "tuple[Soak, int]":
    """Kill each kind so often; returns what was seen, and how many records there are.

    `calm` is how many seconds pass between two things of a kind, on average; `pace` those between
    two things done at a table.
    """
    soak = Soak(folder, tables, seed, pace)
    watching = [asyncio.create_task(soak.page.listen())]
    try:
        await soak.begin()
        watch = asyncio.create_task(soak.watch())
        watching.append(watch)
        await asyncio.gather(*(soak.disturb(kind, kills, calm) for kind in KINDS))
        await asyncio.sleep(SHOWN if kills > 1 else 0)
        await end([watch])
        records = await soak.catch_up()
    finally:
        await end(watching)
        await soak.close()
    return soak, records


def main(arguments: list[str]) -> int:
    tables, kills = int(arguments[0]), int(arguments[1])
    seed = int(arguments[2]) if len(arguments) > 2 else 19
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        soak, records = asyncio.run(run(tables, kills, seed, Path(folder), 10.0))
    told = ", ".join(f"{kind} {number} times" for kind, number in sorted(soak.disturbed.items()))
    lost = sorted(soak.lost_after)
    same = "NOT all of them as they are" if soak.unlike else "each of them once and as it is"
    sys.stdout.write(
        f"{tables} tables, seed {seed}, {time.monotonic() - began:.0f} s; disturbed: {told}\n"
        f"{records} records in all journals; archived: {same}\n"
        f"{len(lost)} deaths shown as lost: after {lost[len(lost) // 2]:.1f} s in the middle, "
        f"{lost[-1]:.1f} s at most\n"
        f"a live table was not shown as there for {soak.worst:.1f} s at most\n"
    )
    for fault in soak.faults[:20]:
        sys.stdout.write(f"WRONG: {fault}\n")
    return 1 if soak.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""A house in bad weather: broker, house and tables are killed, and lines cut, slowed and half-open.

    python -m tests.cafe.soak TABLES KILLS [SCALE]

In any mixture, with a real Mosquitto. In the end the archive has to be the journals, record for
record; on the way a dead table must not be shown as there ten seconds later, nor a live one that
could be heard all the time as lost for so long. SCALE makes all these times shorter.
"""

import asyncio
import contextlib
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from companion.cafe import line, room, table
from companion.cafe.archive import Archive
from companion.cafe.house import House
from companion.cafe.line import end
from companion.cafe.table import Table
from companion.events import Pressed
from tests.cafe.houses import Mosquitto, Section
from tests.cafe.test_archive import archived, everything
from tests.cafe.test_table import Daemon

SHOWN = 10.0
"""Seconds within which the house has to show what is so."""
WEATHER = ("cut", "slow", "hole")


class Proxy:
    """Stands between somebody and the broker, and can be cut, slow, or a hole."""

    def __init__(self, port: int) -> None:
        self.port, self.broker = 0, port
        self.weather = "fair"
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> "Proxy":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def change(self, weather: str) -> None:
        """Other weather; half-open connections stay so until somebody notices."""
        self.weather = weather
        if weather == "cut":
            for writer in self._writers:
                writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            if self.weather == "cut":
                return
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.broker)
            self._writers.add(far_writer)
            both = [
                asyncio.create_task(self._pass(reader, far_writer)),
                asyncio.create_task(self._pass(far_reader, writer)),
            ]
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            await end(both)
            far_writer.transport.abort()
            self._writers.discard(far_writer)
        except OSError:
            pass
        finally:
            writer.transport.abort()
            self._writers.discard(writer)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        swallowed = False
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                swallowed = swallowed or self.weather == "hole"
                if self.weather == "slow":
                    await asyncio.sleep(random.uniform(0, SLOW))
                if not swallowed:  # what a hole took is missing for ever: so is this connection
                    writer.write(data)
                    await writer.drain()

    def close(self) -> None:
        self.change("cut")
        self._server.close()


SLOW = 1.0


class Place:
    """One table with its proxy; it can be killed, and comes back with the same journal."""

    def __init__(self, name: str, folder: Path, proxy: Proxy, chance: random.Random) -> None:
        self.name, self.folder, self.proxy, self.chance = name, folder, proxy, chance
        self.daemon: Any = Daemon(folder / "games.db")
        self.changed = time.monotonic()
        self.alive = False
        self._task: asyncio.Task[None] | None = None

    def live(self) -> None:
        section = Section("127.0.0.1", self.proxy.port, self.name, f"password-of-{self.name}")
        self._task = asyncio.create_task(Table(self.daemon, section, self.folder).run())
        self.alive, self.changed = True, time.monotonic()

    async def die(self) -> None:
        """Gone without a word."""
        self.proxy.change("hole")
        self.alive, self.changed = False, time.monotonic()
        if self._task is not None:
            await end([self._task])
        self.proxy.change("cut")

    def play(self) -> None:
        """Do the next thing that somebody at the table would do."""
        view, daemon = self.daemon.view, self.daemon
        if view.position is None or view.phase in ("idle", "over"):
            daemon.order("new_game", sheet="german", names={"red": self.chance.choice("ABC")})
        elif view.phase in ("opening", "roll"):
            daemon.order("roll", face=self.chance.randint(1, 6))
        elif view.phase == "move" and view.legal:
            move = self.chance.choice(view.legal)
            daemon.order("move", move=view.position.game.move_text(move))
        elif view.phase == "setting":
            daemon.order("go_on")
        else:
            daemon.post(Pressed("ok"))


class Soak:
    """The house, its tables, and what was seen."""

    def __init__(self, folder: Path, tables: int, scale: float, seed: int) -> None:
        self.folder, self.scale, self.chance = folder, scale, random.Random(seed)
        self.names = [f"table-{number}" for number in range(1, tables + 1)]
        self.mosquitto = Mosquitto(folder / "broker", self.names).start()
        self.fair_since = time.monotonic()
        self.killed: Counter[str] = Counter()
        self.faults: list[str] = []
        self.worst = 0.0
        self.house: House | None = None
        self._house_task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        self.house_proxy = await Proxy(self.mosquitto.port).start()
        self.places = [
            Place(name, self.folder / name, await Proxy(self.mosquitto.port).start(), self.chance)
            for name in self.names
        ]
        for place in self.places:
            place.live()
        self.open_house()

    def open_house(self) -> None:
        section = Section("127.0.0.1", self.house_proxy.port, "house", "password-of-house")
        self.house = House(section, Archive(self.folder / "house.db"))
        self._house_task = asyncio.create_task(self.house.run())
        self.fair_since = time.monotonic()

    async def kill_house(self) -> None:
        self.house_proxy.change("hole")
        if self._house_task is not None:
            await end([self._house_task])
        self.house_proxy.change("cut")
        self.house = None

    async def disturb(self, what: str) -> None:
        """One thing goes wrong, for a while."""
        self.killed[what] += 1
        place = self.chance.choice(self.places)
        pause = self.chance.uniform(0, 3) * self.scale
        if what == "broker":
            self.mosquitto.kill()
            await asyncio.sleep(pause)
            self.mosquitto.start()
            self.fair_since = time.monotonic()
        elif what == "house":
            await self.kill_house()
            await asyncio.sleep(pause)
            self.house_proxy.change("fair")
            self.open_house()
        elif what == "table":
            await place.die()
            if self.chance.random() < 0.5:
                await asyncio.sleep(SHOWN * self.scale * 1.1)  # long enough to be missed
            place.proxy.change("fair")
            place.live()
        else:
            place.proxy.change(self.chance.choice(WEATHER))
            await asyncio.sleep(pause)
            place.proxy.change("fair")
            place.changed = time.monotonic()

    def look(self) -> None:
        """Whether the house shows what is so."""
        now, limit = time.monotonic(), SHOWN * self.scale
        if self.house is None or self.house_proxy.weather != "fair":
            return
        for place in self.places:
            status = getattr(self.house.room.tables.get(place.name), "status", "unknown")
            since = now - max(place.changed, self.fair_since)
            if not place.alive and status == "there" and now - place.changed > limit:
                self.faults.append(f"{place.name} is dead for {now - place.changed:.1f} s")
            well = place.alive and place.proxy.weather == "fair"
            if well and status != "there":
                self.worst = max(self.worst, since)
                if since > limit:
                    self.faults.append(f"{place.name} lives and is {status} for {since:.1f} s")

    async def watch(self) -> None:
        while True:
            self.look()
            for place in self.places:
                if place.alive and self.chance.random() < 0.5:
                    place.play()
            await asyncio.sleep(0.1)

    async def catch_up(self) -> int:
        """Wait until everything is archived; how many records that are."""
        assert self.house is not None
        house, end_at = self.house, time.monotonic() + 120
        journals = [place.daemon.journal for place in self.places]
        while time.monotonic() < end_at:
            copied = house.copying._copied
            if all(copied.get(one.id, 0) == one.last for one in journals):
                break
            await asyncio.sleep(0.1)
        want = sorted(
            (record for one in journals for record in everything(one.path)), key=lambda r: r[:2]
        )
        found = archived(house.archive)
        if found != want:
            self.faults.append(f"{len(found)} records are archived, and there are {len(want)}")
        return len(want)

    async def close(self) -> None:
        if self._house_task is not None:
            await end([self._house_task])
        for place in self.places:
            if place._task is not None:
                await end([place._task])
            place.proxy.close()
            place.daemon.journal.close()
        self.house_proxy.close()
        self.mosquitto.kill()


async def run(tables: int, kills: int, scale: float, seed: int, folder: Path) -> "tuple[Soak, int]":
    """Kill each kind so often; returns what was seen, and how many records there are."""
    soak = Soak(folder, tables, scale, seed)
    await soak.begin()
    watching = asyncio.create_task(soak.watch())
    try:
        kinds = [kind for kind in ("broker", "house", "table", "line") for _ in range(kills)]
        soak.chance.shuffle(kinds)
        for kind in kinds:
            await soak.disturb(kind)
            await asyncio.sleep(soak.chance.expovariate(1 / (2 * scale)))
        await asyncio.sleep(SHOWN * scale * 1.2)
        await end([watching])
        records = await soak.catch_up()
    finally:
        await end([watching])
        await soak.close()
    return soak, records


def shorten(scale: float) -> None:
    """All the café's times, shorter."""
    room.LOST, table.PULSE = 6.0 * scale, 2.0 * scale
    table.Table.__init__.__kwdefaults__["pulse"] = 2.0 * scale  # type: ignore[index]
    line.KEEPALIVE, line.LONGEST = max(1, round(5 * scale)), 4.0 * scale
    line.Line.__init__.__kwdefaults__["patience"] = line.LONGEST  # type: ignore[index]
    line.REPLY, line.CONNECT = max(1.0, 6.0 * scale), max(1.0, 3.0 * scale)


def main(arguments: list[str]) -> int:
    tables, kills = int(arguments[0]), int(arguments[1])
    scale = float(arguments[2]) if len(arguments) > 2 else 1.0
    shorten(scale)
    with tempfile.TemporaryDirectory() as folder:
        soak, records = asyncio.run(run(tables, kills, scale, 19, Path(folder)))
    told = ", ".join(f"{kind} {number} times" for kind, number in sorted(soak.killed.items()))
    sys.stdout.write(f"{tables} tables, disturbed: {told}; {records} records archived\n")
    sys.stdout.write(f"a live table was not shown as there for {soak.worst:.1f} s at most\n")
    for fault in soak.faults[:20]:
        sys.stdout.write(f"WRONG: {fault}\n")
    return 1 if soak.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

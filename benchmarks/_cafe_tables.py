"""Tables of a café in one process, fed with a recorded game: what `benchmarks.cafe` measures.

    python -m benchmarks._cafe_tables FOLDER BROKER_PORT FIRST COUNT RATE SECONDS

Each is a whole `companion.cafe.table.Table` with its own line and its own journal; only the referee
and the devices are a recording. Instead of a player's name stands the number of the event, so that
a browser's picture tells which event it shows. Writes when each was told to FOLDER/told-FIRST.json.
"""

import asyncio
import json
import sys
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from companion.cafe.table import Table
from companion.config import CafeSection
from companion.events import Event
from companion.journal import Journal, connect
from companion.referee import View
from tests.cafe.houses import PASSWORD
from tests.cafe.test_table import Daemon


class Step(NamedTuple):
    """What was kept at once, and what the table showed then."""

    records: list[dict[str, Any]]
    view: View


def recorded(folder: Path, steps: int, seed: int = 7) -> list[Step]:
    """A game as a daemon played it."""
    chance, daemon, found = Random(seed), Daemon(folder / "recorded.db"), list[Step]()
    daemon.order("new_game", sheet="german", names={"red": "e"})
    daemon.order("go_on")
    last = 0
    while len(found) < steps:
        view = daemon.view
        if view.phase == "move" and view.legal and view.position is not None:
            move = chance.choice(view.legal)
            daemon.order("move", move=view.position.game.move_text(move))
        elif view.phase in ("opening", "roll"):
            daemon.order("roll", face=chance.randint(1, 6))
        elif view.phase == "over":
            break
        else:
            daemon.order("go_on")
        records = [record for _, _, record in daemon.journal.since(last)]
        last = daemon.journal.last
        if records and daemon.view.position is not None:
            found.append(Step(records, daemon.view))
    daemon.journal.close()
    return found


class Feed:
    """A daemon that plays a recording; its disk is another machine's, and is not waited for."""

    def __init__(self, folder: Path, number: int, steps: list[Step]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.journal = Journal(folder / "games.db", open_with=_unwaited)
        self.number, self.steps, self.view = number, steps, steps[0].view
        self.told: list[float] = []
        self.keeping = 0.0
        """Seconds of work for the journal, which any table has."""
        self._listeners: list[Callable[[View], None]] = []

    def post(self, event: Event) -> bool:
        return True

    async def forget_names(self, names: Collection[str]) -> bool:
        return True

    def subscribe(self, listener: Callable[[View], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def step(self) -> None:
        """The next thing happens at the table."""
        event = len(self.told)
        records, view = self.steps[event % len(self.steps)]
        began = time.thread_time()
        self.journal.keep(records, time.time())
        self.keeping += time.thread_time() - began
        names = dict.fromkeys(view.position.game.colours, f"e{event}") if view.position else {}
        self.view = replace(view, names=names)
        self.told.append(time.time())
        for listener in self._listeners:
            listener(self.view)


def _unwaited(path: Path) -> Any:
    connection = connect(path)
    connection.execute("PRAGMA synchronous=OFF")
    return connection


async def play(feed: Feed, rate: float, seconds: float, chance: Random) -> None:
    """Events at this rate, not in step with the other tables."""
    loop = asyncio.get_running_loop()
    begin = loop.time() + chance.uniform(0, 1 / rate)
    for number in range(int(seconds * rate)):
        await asyncio.sleep(begin + number / rate - loop.time())
        feed.step()


async def main(
    folder: Path, port: int, first: int, count: int, rate: float, seconds: float
) -> None:
    steps, chance = recorded(folder / f"feed-{first}", 400), Random(first)
    feeds = [Feed(folder / f"table-{n}", n, steps) for n in range(first, first + count)]
    tables = []
    for feed in feeds:
        name = f"table-{feed.number}"
        section = CafeSection(
            broker="127.0.0.1", port=port, name=name, password=PASSWORD.format(name)
        )
        tables.append(Table(feed, section, folder / name, board="40"))
    running = [asyncio.create_task(table.run()) for table in tables]
    while not all(table.heard for table in tables):
        await asyncio.sleep(0.1)
    print("joined", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    used = time.process_time()
    await asyncio.gather(*(play(feed, rate, seconds, chance) for feed in feeds))
    used = time.process_time() - used - sum(feed.keeping for feed in feeds)
    told = {f"table-{feed.number}": feed.told for feed in feeds}
    (folder / f"told-{first}.json").write_text(json.dumps({"used": used, "told": told}))
    print("played", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


if __name__ == "__main__":
    place, *numbers = sys.argv[1:]
    port, first, count = (int(one) for one in numbers[:3])
    rate, seconds = (float(one) for one in numbers[3:])
    (Path(place) / f"feed-{first}").mkdir(parents=True)
    asyncio.run(main(Path(place), port, first, count, rate, seconds))

"""The house: hears every table, copies their journals, and asks of them what staff wish."""

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import msgspec

from companion.cafe import messages, topics
from companion.cafe.archive import Archive, Copying, Place, taken
from companion.cafe.forgetting import Mark, is_forgotten, mark_of
from companion.cafe.homeassistant import gone
from companion.cafe.line import Broker, Line, Said, together
from companion.cafe.refusals import Refusals
from companion.cafe.room import Room, TableState
from companion.cafe.statistics import games_csv, statistics

ANSWER = 5.0  # seconds for a table to answer an order
CALM = 10.0  # seconds for which the last few records of a game may wait to be copied
LOOK = 0.5  # seconds between two looks whether somebody is lost
MOST_ORDERS = 64  # that may be waited for at once

T = TypeVar("T")
_LOG = logging.getLogger("companion.cafe")


class NoAnswerError(Exception):
    """A table did not answer, or there is no such table."""


class House:
    """Everything behind the house's page."""

    def __init__(
        self,
        broker: Broker,
        archive: Archive,
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
        calm: float = CALM,
    ) -> None:
        self.archive = archive
        self.room = Room([place.name for place in archive.places()])
        self.copying = Copying(archive.copied(), calm=calm)
        self.refusals = Refusals()
        self.birth = ""
        self._clock, self._wall = clock, wall
        self._disk = ThreadPoolExecutor(1, thread_name_prefix="archive")
        self._listeners: list[Callable[[], None]] = []
        self._answers: dict[str, asyncio.Future[messages.Answer]] = {}
        self._storing: set[asyncio.Task[None]] = set()
        self._counting: dict[Callable[[Archive], Any], asyncio.Future[Any]] = {}
        self._removed: dict[str, str] = {}
        """By a table that was taken away, the stay that it was in."""
        self._known = {place.name: place for place in archive.places()}
        self.line = Line(
            broker,
            user=topics.HOUSE,
            identifier=topics.HOUSE,
            hears=[*((topic, 1) for topic in topics.heard_by_house()), (topics.LOG, 0)],
            take=self._take,
            birth=self._begin,
            born=self._born,
            changed=self._line_changed,
            patience=2.0,
        )

    # -- for the page --------------------------------------------------------------------------

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call this whenever a table changes; returns how to end that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    @property
    def tables(self) -> list[TableState]:
        """Every table, by name."""
        return [self.room.tables[name] for name in sorted(self.room.tables)]

    def now(self) -> float:
        """The house's clock that never jumps."""
        return self._clock()

    async def order(self, table: str, order: messages.Order) -> messages.Answer:
        """Ask something of a table. Raises NoAnswerError."""
        found = self.room.tables.get(table)
        if found is None or found.status != "there":
            raise NoAnswerError("the table is not there")
        if len(self._answers) >= MOST_ORDERS:
            raise NoAnswerError("too much is asked at once")
        id = secrets.token_hex(8)
        answer: asyncio.Future[messages.Answer] = asyncio.get_running_loop().create_future()
        self._answers[id] = answer
        try:
            self._ask(table, id, order)
            async with asyncio.timeout(ANSWER):
                return await answer
        except TimeoutError:
            raise NoAnswerError("the table does not answer") from None
        finally:
            del self._answers[id]

    async def statistics(self) -> dict[str, Any]:
        """The archive in numbers."""
        return await self._counted(statistics)

    async def games_csv(self) -> str:
        """Every archived game as a line."""
        return await self._counted(games_csv)

    async def _counted(self, count: Callable[[Archive], T]) -> T:
        """Whoever asks while it is being counted waits for that: visitors come and go, and what
        they left behind would keep the archive from its tables."""
        work: asyncio.Future[Any] | None = self._counting.get(count)
        if work is None:
            work = asyncio.ensure_future(self._on_disk(partial(count, self.archive)))
            work.add_done_callback(lambda _: self._counting.pop(count))
            self._counting[count] = work
        found: T = await asyncio.shield(work)
        return found

    async def forget(self, name: str) -> int:
        """Forget a name in the archive and at every table; in how many archived games it was."""
        known = await self._on_disk(self.archive.marks)
        # One salt for all: whoever compares a name with many marks works it out once.
        mark = mark_of(name, known[0].salt if known else None)
        found = await self._on_disk(partial(self.archive.forget, mark, self._wall()))
        for table in self.tables:
            self._send_mark(table.name, mark)  # one that is not heard may hear us
            if table.status != "there" and table.now is not None:
                await self._forget_shown(table, table.now, mark)
        return found

    async def _forget_shown(self, table: TableState, now: messages.Now, mark: Mark) -> None:
        """What the broker holds of a table that is not there has the name too."""
        kept = await asyncio.to_thread(
            lambda: {key: one for key, one in now.names.items() if not is_forgotten(one, [mark])}
        )
        if kept != now.names:
            payload = messages.encode(msgspec.structs.replace(now, names=kept))
            self.line.say(Said(topics.NOW.of(table.name), payload, True, topics.NOW.qos))

    async def remove(self, table: str) -> None:
        """A table no longer belongs to the house: what the broker holds of it goes."""
        self._removed[table] = self.room.tables[table].birth
        for topic in topics.TOPICS:
            if topic.retained and topic.writer == "table":
                self.line.say(Said(topic.of(table), b"", True, 1))
        for said in gone(table):
            self.line.say(said)
        self.room.forget(table)
        self._known.pop(table, None)
        await self._on_disk(partial(self.archive.drop_place, table))
        self._changed()

    # -- its life ------------------------------------------------------------------------------

    async def run(self) -> None:
        """Be the house until cancelled."""
        try:
            await together(self.line.run(self._farewell), self._watch(), self._tell_time())
        finally:
            if self._storing:
                await asyncio.gather(*self._storing, return_exceptions=True)
            await self._on_disk(self.archive.close)
            self._disk.shutdown()

    def _begin(self) -> Said:
        self.birth = secrets.token_hex(6)
        return _here(messages.Here(birth=self.birth, here=False))

    def _born(self) -> None:
        self._say_here()

    def _say_here(self) -> None:
        """Say that we listen, and what time it is."""
        self.line.say(_here(messages.Here(birth=self.birth, here=True, at=self._wall())))

    async def _tell_time(self) -> None:
        while True:
            await asyncio.sleep(messages.TIME)
            self._say_here()

    def _farewell(self) -> list[Said]:
        return [_here(messages.Here(birth=self.birth, here=False, off=True))]

    def _line_changed(self) -> None:
        if self.line.up != self.room.hears:
            self.room.line(self.line.up, self._clock())
        self._changed()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(LOOK)
            before = self.room.version
            self.room.look(self._clock())
            if self.room.version != before:
                self._changed()

    def _changed(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    # -- what comes ----------------------------------------------------------------------------

    def _take(self, topic: str, payload: bytes, retained: bool) -> None:
        if topic.startswith("$SYS"):
            if self.refusals.take(payload, self._clock()):
                self._changed()
            return
        if self._removed and self._is_of_removed(topic, payload):
            return
        before = self.room.version
        found = self.room.take(topic, payload, retained, self._clock(), self._wall())
        if found is not None:
            _, table, message = found
            self._follow(table, message)
        if self.room.version != before:
            self._changed()

    def _is_of_removed(self, topic: str, payload: bytes) -> bool:
        """Whether a table says this that was taken away, in the stay that it was in, or only that
        it is gone: its last will comes when the broker turns it out, also of a stay in which it
        said nothing else. The broker holds nothing of it."""
        try:
            which, name = topics.parse(topic)
        except topics.NoTopicError:
            return False
        if name not in self._removed:
            return False
        birth = messages.birth_of(payload)
        if birth and birth != self._removed[name] and not _is_death(which, payload):
            del self._removed[name]  # it was let in again
            return False
        if payload and which.retained:
            self.line.say(Said(topic, b"", True, which.qos))
        return True

    def _follow(self, table: TableState, message: messages.Message) -> None:
        if isinstance(message, messages.Pulse):
            self._catch_up(table)
        elif isinstance(message, messages.Piece):
            self._piece(table, message)
        elif isinstance(message, messages.Answer):
            answer = self._answers.get(message.id)
            if answer is not None and not answer.done():
                answer.set_result(message)
        elif isinstance(message, messages.About):
            self._remember(table, message)

    def _remember(self, table: TableState, about: messages.About) -> None:
        """A table is missed when it does not come back, and hears which names are forgotten."""
        place = Place(table.name, about.label, about.box)
        if self._known.get(table.name) != place:
            self._known[table.name] = place
            self._store(partial(self.archive.known, place))
        marks = [Mark(*one) for one in about.forgotten]
        self._store(partial(self.archive.hear, table.name, marks, self._wall()))
        self._store(self.archive.marks, partial(self._send_marks, table.name))

    def _send_marks(self, table: str, marks: list[Mark]) -> None:
        for mark in marks:
            self._send_mark(table, mark)

    def _send_mark(self, table: str, mark: Mark) -> None:
        order = messages.Forget(salt=mark.salt, mark=mark.mark)
        self._ask(table, secrets.token_hex(8), order)

    def _ask(self, table: str, id: str, order: messages.Order) -> None:
        payload = messages.encode(messages.Ask(id=id, order=order))
        self.line.say(Said(topics.ASK.of(table), payload, False, topics.ASK.qos))

    # -- the archive ---------------------------------------------------------------------------

    def _catch_up(self, table: TableState) -> None:
        """Ask a table for what the archive lacks of its journal, one piece at a time."""
        if table.pulse is None or table.status != "there":
            return
        id, pulse = secrets.token_hex(8), table.pulse
        order = self.copying.next(
            table.name, table.birth, pulse.journal, pulse.last, self._clock(), id
        )
        if order is not None:
            self._ask(table.name, id, order)

    def _piece(self, table: TableState, piece: messages.Piece) -> None:
        if not self.copying.answered(table.name, table.birth, piece):
            return
        if not piece.journal:
            self.copying.stored(table.name, piece, 0)
            self._catch_up(table)
            return

        def stored(last: int) -> None:
            self.copying.stored(table.name, piece, last)
            self._catch_up(table)

        back = self.copying.went_back(piece)
        self._store(partial(taken, self.archive, table.name, piece, back), stored)

    def _store(self, act: Callable[[], T], then: Callable[[T], None] = lambda _: None) -> None:
        """Do something with the archive off the loop, and go on with what came of it."""

        async def store() -> None:
            try:
                then(await self._on_disk(act))
            except Exception:
                _LOG.exception("the archive cannot be written; it is tried again")

        task = asyncio.create_task(store())
        self._storing.add(task)
        task.add_done_callback(self._storing.discard)

    async def _on_disk(self, act: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        return await asyncio.shield(loop.run_in_executor(self._disk, act))


def _is_death(which: topics.Topic, payload: bytes) -> bool:
    """Whether somebody says that a table is no longer there."""
    try:
        return which is topics.HERE and not messages.decode(payload, messages.Here).here
    except (messages.LaterVersionError, messages.MalformedError):
        return False


def _here(here: messages.Here) -> Said:
    return Said(topics.HOUSE_HERE.name, messages.encode(here), True, topics.HOUSE_HERE.qos)


async def serve(house: House, page: Any, started: Callable[[str], None] | None = None) -> None:
    """Run a house and its page until cancelled."""
    with contextlib.suppress(asyncio.CancelledError):
        await together(house.run(), page.run(started))

"""Work that takes long, away from the loop: in one thread, one piece after the other.

A thread for each request would leave the table a small part of the processor, and stopping the
table would wait for all of them. So only a few may wait, fewer of one network, and nobody waits
for the thread when the table stops.
"""

import asyncio
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

from companion.web.guard import RequestRefused

WAITING = 16
"""Pieces of work that may wait."""
EACH = 4
"""The same, of one network."""

TURN = 0.001  # seconds of work
REST = 0.001  # seconds after it in which the table has the processor to itself

Found = TypeVar("Found")


class Stopped(Exception):  # noqa: N818 - not a fault
    """The table stops, and nobody wants to know any more."""


class Background:
    """One thread for everything that is asked of it; used in the event loop's thread."""

    def __init__(self) -> None:
        self._asked: queue.SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]] | None]
        self._asked = queue.SimpleQueue()
        self._waiting: Counter[str] = Counter()
        self._loop = asyncio.get_running_loop()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._rested = 0.0

    async def do(self, network: str, act: Callable[[], Found]) -> Found:
        """Do this when it has its turn. Raises what it raises, or RequestRefused."""
        if self._waiting[network] >= EACH or self._waiting.total() >= WAITING:
            raise RequestRefused(503, "too much is asked for at once: try again later", 5)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="background", daemon=True)
            self._thread.start()
        told: asyncio.Future[Found] = self._loop.create_future()
        self._waiting[network] += 1
        told.add_done_callback(lambda _: self._waiting.subtract([network]))
        self._asked.put((act, told))
        return await told

    def close(self) -> None:
        """Nothing more is begun, and what is being done ends at its next pause."""
        self._closed = True
        self._asked.put(None)

    def pace(self) -> None:
        """Called by work now and then, in the thread: give the table its turn."""
        if self._closed:
            raise Stopped
        if time.perf_counter() - self._rested >= TURN:
            time.sleep(REST)
            self._rested = time.perf_counter()

    def _work(self) -> None:
        while (piece := self._asked.get()) is not None:
            act, told = piece
            if told.done():  # who asked has gone
                continue
            try:
                tell: Callable[[], None] = _telling(told, act())
            except BaseException as fault:
                tell = _refusing(told, fault)
            try:
                self._loop.call_soon_threadsafe(tell)
            except RuntimeError:  # the table has stopped
                return


def _telling(told: "asyncio.Future[Any]", found: object) -> Callable[[], None]:
    return lambda: None if told.done() else told.set_result(found)


def _refusing(told: "asyncio.Future[Any]", fault: BaseException) -> Callable[[], None]:
    return lambda: None if told.done() else told.set_exception(fault)

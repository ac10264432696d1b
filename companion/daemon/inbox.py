"""The one queue into the referee: bounded, and full it forgets readings rather than rolls."""

import asyncio
from collections import deque
from typing import NamedTuple

from companion.events import Event, Lost, Reading, Snapshot, Tick

LIMIT = 2048


class Posted(NamedTuple):
    """An event and when it came."""

    event: Event
    at: float


class Inbox:
    """Events in the order they came; used in the event loop's thread.

    A flood of readings is repaired by one snapshot of how the board stands after it.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self.forgotten = 0
        self._waiting: deque[Posted] = deque()
        self._on: set[str] = set()
        self._pieces: tuple[tuple[str, str], ...] = ()
        self._seen = False
        self._stale = False
        self._wake = asyncio.Event()

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def oldest(self) -> float | None:
        """When the event that has waited longest came."""
        return self._waiting[0].at if self._waiting else None

    @property
    def board(self) -> Snapshot | None:
        """How the board stands by the latest word of its sensors; None while it is not there."""
        return Snapshot(frozenset(self._on), self._pieces) if self._seen else None

    def put(self, event: Event, at: float) -> bool:
        """Take an event; false if there is no room for it."""
        sensed = self._sense(event)
        if len(self._waiting) >= self.limit:
            self.forgotten += 1
            if sensed:
                self._stale = True
                return True  # the snapshot to come tells of it
            if not self._forget_a_reading():
                return False
        self._waiting.append(Posted(event, at))
        self._wake.set()
        return True

    async def get(self, deadline: float | None) -> Posted:
        """The next event; a tick when none came before the deadline (in the loop's time)."""
        loop = asyncio.get_running_loop()
        while not self._waiting:
            now = loop.time()
            if self._stale:
                self._stale = False
                return Posted(Snapshot(frozenset(self._on), self._pieces), now)
            if deadline is not None and now >= deadline:
                return Posted(Tick(), now)
            self._wake.clear()
            timer = None if deadline is None else loop.call_at(deadline, self._wake.set)
            try:
                await self._wake.wait()
            finally:
                if timer is not None:
                    timer.cancel()
        return self._waiting.popleft()

    def _sense(self, event: Event) -> bool:
        """Follow how the board stands; whether the event tells of that."""
        if isinstance(event, Reading):
            (self._on.add if event.on else self._on.discard)(event.place)
            self._pieces = ()
        elif isinstance(event, Snapshot):
            self._on, self._pieces = set(event.on), event.pieces
            self._seen = True
        else:
            if isinstance(event, Lost) and event.device == "board":
                self._stale = self._seen = False
            return False
        return True

    def _forget_a_reading(self) -> bool:
        for index, posted in enumerate(self._waiting):
            if isinstance(posted.event, Reading | Snapshot):
                del self._waiting[index]
                self._stale = True
                return True
        return False

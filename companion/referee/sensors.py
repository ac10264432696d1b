"""The board's sensors as last heard: what is on, what flickers, what is set aside."""

from collections import deque
from collections.abc import Iterable

from companion.referee.times import Times


class Sensors:
    """Occupancy by place. It is unknown until a first snapshot has come."""

    def __init__(self, times: Times) -> None:
        self.times = times
        self.on: set[str] = set()
        self.known = False
        self.aside: set[str] = set()
        self._changes: dict[str, deque[float]] = {}

    def forget(self) -> None:
        """The board went away: what it said last no longer counts."""
        self.on.clear()
        self._changes.clear()
        self.known = False

    def set(self, place: str, on: bool, now: float) -> bool:
        """Take one reading; tells whether the sensor changed."""
        if (place in self.on) == on:
            return False
        (self.on.add if on else self.on.discard)(place)
        changes = self._changes.setdefault(place, deque(maxlen=self.times.flickers))
        if not changes or now - changes[-1] >= self.times.bounce:
            changes.append(now)
        return True

    def snapshot(self, on: Iterable[str], now: float) -> bool:
        """Take a whole board; tells whether it changed anything, sensors set aside left out."""
        before, known = set(self.on), self.known
        self.on, self.known = set(on), True
        return not known or bool((self.on ^ before) - self.aside)

    def use(self, place: str, wanted: bool) -> None:
        """Set a sensor aside, or use it again."""
        (self.aside.discard if wanted else self.aside.add)(place)

    def flickers(self, place: str, now: float) -> bool:
        """Whether a sensor has changed too often of late to be hands."""
        changes = self._changes.get(place)
        if changes is None or len(changes) < self.times.flickers:
            return False
        return now - changes[0] <= self.times.flicker

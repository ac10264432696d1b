"""The board's sensors as last heard: what is on, what flickers, what is set aside."""

from companion.events import Snapshot
from companion.flicker import Flicker
from companion.referee.times import Times


class Sensors:
    """Occupancy by place. It is unknown until a first snapshot has come."""

    def __init__(self, times: Times) -> None:
        self.on: set[str] = set()
        self.pieces: tuple[tuple[str, str], ...] = ()
        """The places and colours of all pieces, if the board knows them."""
        self.known = False
        self.aside: set[str] = set()
        self._flicker = Flicker(times.flickers, times.flicker, times.bounce)

    def forget(self) -> None:
        """The board went away: what it said last no longer counts."""
        self.on.clear()
        self.pieces = ()
        self._flicker.forget()
        self.known = False

    def set(self, place: str, on: bool, now: float) -> bool:
        """Take one reading; tells whether the sensor changed."""
        if (place in self.on) == on:
            return False
        (self.on.add if on else self.on.discard)(place)
        self.pieces = ()
        self._flicker.change(place, now)
        return True

    def snapshot(self, seen: Snapshot) -> bool:
        """Take a whole board; tells whether it changed anything, sensors set aside left out."""
        before, known = set(self.on), self.known
        self.on, self.known, self.pieces = set(seen.on), True, seen.pieces
        return not known or bool((self.on ^ before) - self.aside)

    def use(self, place: str, wanted: bool) -> None:
        """Set a sensor aside, or use it again."""
        (self.aside.discard if wanted else self.aside.add)(place)

    def flickers(self, place: str, now: float) -> bool:
        """Whether a sensor has changed too often lately to be hands."""
        return self._flicker.too_often(place, now)

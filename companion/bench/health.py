"""Sensors that stick or flicker, noticed from what the board reports."""

from collections.abc import Iterable

from companion.events import Event, Reading, Snapshot
from companion.flicker import Flicker


class Health:
    """Watches readings; time is an argument."""

    def __init__(self, places: Iterable[str]) -> None:
        self.places = tuple(places)
        self.on: set[str] = set()
        self.seen: set[str] = set()
        """Places that have been on at some time."""
        self.flickering: list[str] = []
        """Places that changed too often to be hands."""
        self._moved: set[str] = set()
        self._flicker = Flicker()

    def take(self, event: Event, now: float) -> None:
        """Take an event; those of other devices say nothing here."""
        if isinstance(event, Snapshot):
            for place in event.on ^ self.on:
                self._change(place, place in event.on, now)
        elif isinstance(event, Reading) and (event.place in self.on) != event.on:
            self._moved.add(event.place)
            self._change(event.place, event.on, now)

    def _change(self, place: str, on: bool, now: float) -> None:
        if on:
            self.on.add(place)
            self.seen.add(place)
        else:
            self.on.discard(place)
        self._flicker.change(place, now)
        if place not in self.flickering and self._flicker.too_often(place, now):
            self.flickering.append(place)

    def settle(self) -> None:
        """Forget how it came to be as it is: nobody has touched anything yet."""
        self._moved.clear()
        self._flicker.forget()
        self.flickering.clear()

    @property
    def restless(self) -> bool:
        """Whether any sensor has changed."""
        return bool(self._moved)

    @property
    def unmoved(self) -> list[str]:
        """Places that have been on all the time: stuck, or a piece has stood there."""
        return [place for place in self.places if place in self.on and place not in self._moved]

    @property
    def unseen(self) -> list[str]:
        """Places that have never been on."""
        return [place for place in self.places if place not in self.seen]

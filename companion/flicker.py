"""When a sensor flickers: it changes more often than hands make it, on the bench as in a game."""

CHANGES = 12
WITHIN = 6.0
"""Seconds within which so many changes are too many.

A sensor that changes just faster than the board settles keeps it from ever coming to rest, so
this must not be shorter than `CHANGES` times that (`Times.settle`).
"""
BOUNCE = 0.05
"""Changes closer together than this, in seconds, are one contact bouncing."""


class Flicker:
    """The latest changes of every sensor, as many as can still count; time is an argument."""

    def __init__(
        self, changes: int = CHANGES, within: float = WITHIN, bounce: float = BOUNCE
    ) -> None:
        self._most, self._within, self._bounce = changes, within, bounce
        self._changes: dict[str, tuple[float, ...]] = {}

    def change(self, place: str, now: float) -> None:
        """A sensor has changed."""
        changes = tuple(at for at in self._changes.get(place, ()) if now - at <= self._within)
        if not changes or now - changes[-1] >= self._bounce:
            self._changes[place] = (*changes, now)[-self._most :]

    def too_often(self, place: str, now: float) -> bool:
        """Whether a sensor has changed too often lately to be hands."""
        changes = self._changes.get(place)
        if changes is None or len(changes) < self._most:
            return False
        return now - changes[0] <= self._within

    def forget(self) -> None:
        """What changed before no longer counts."""
        self._changes.clear()

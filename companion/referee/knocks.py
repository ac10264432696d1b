"""A knock of the table: many sensors lose contact at once, and the pieces stay where they are."""

from collections import deque
from typing import Generic, TypeVar

from companion.referee.outlines import Outline

AT_ONCE = 3
"""So often nobody lifts pieces in the same moment; one alone is a contact that bounces."""

T = TypeVar("T")


class Knocks(Generic[T]):
    """Which spots lost contact in a knock, and are not back yet.

    With every loss of contact comes how all was believed to stand before it.
    """

    def __init__(self, within: float) -> None:
        self._within = within
        self._lately: deque[tuple[float, int, bool, T]] = deque(maxlen=AT_ONCE)
        """The losses that are not known yet to be part of a knock, and whether they are over."""
        self._gone: list[int] = []
        self._knocked_at: float | None = None
        """When contact was last lost in a knock: pieces dance for a while."""

    def lost(self, at: int, now: float, before: T) -> T | None:
        """A spot lost contact. If this tells of a knock: how all stands, in spite of it."""
        if self._knocked_at is not None and now - self._knocked_at <= self._within:
            self._knocked_at = now
            self._gone.append(at)
            return before
        self._lately.append((now, at, False, before))
        began, _, _, stood = self._lately[0]
        bounces = all(one == at for _, one, _, _ in self._lately)
        if len(self._lately) < AT_ONCE or now - began > self._within or bounces:
            return None
        self._knocked_at = now
        self._gone += (one for _, one, is_back, _ in self._lately if not is_back)
        self._lately.clear()
        return stood

    def back(self, at: int) -> bool:
        """A spot has contact again; whether it lost it in a knock."""
        if at in self._gone:
            self._gone.remove(at)
            return True
        for number, (when, one, is_back, before) in enumerate(self._lately):
            if one == at and not is_back:
                self._lately[number] = (when, at, True, before)
                break
        return False

    def over(self) -> bool:
        """Who is not back by now is gone. Tells whether anybody is."""
        gone, self._gone = self._gone, []
        self._knocked_at = None
        self._lately.clear()
        return bool(gone)

    def steadied(self, seen: Outline) -> Outline:
        """What would be seen without the knock."""
        if not self._gone:
            return seen
        shown = bytearray(seen)
        for at in self._gone:
            shown[at] += 1
        return bytes(shown)

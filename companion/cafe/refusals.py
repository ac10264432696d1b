"""Whom the broker turned away lately, read from what Mosquitto says of itself.

It says neither which table it was nor what it tried, only that somebody was turned away: enough to
know where to look. Pure: lines in with their time, counts out.
"""

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

RECENT = 120.0
"""Seconds after which nobody asks any more who was turned away."""
MOST = 1000
_KINDS = {
    "not authorised": "password",
    "alert": "encryption",
    "protocol error": "nonsense",
}


class _Refusal(NamedTuple):
    kind: str
    at: float


class Refusals:
    """Who was turned away within the last minutes."""

    def __init__(self) -> None:
        self._found: deque[_Refusal] = deque(maxlen=MOST)

    def take(self, line: bytes, now: float) -> bool:
        """Take in a line of the broker's log; whether it tells of somebody turned away."""
        text = line[:500].decode("utf-8", "replace").lower()
        for words, kind in _KINDS.items():
            if words in text and ("disconnected" in text or "ssl" in text):
                self._found.append(_Refusal(kind, now))
                return True
        return False

    def counts(self, now: float) -> Mapping[str, int]:
        """How many of each kind, lately."""
        while self._found and now - self._found[0].at >= RECENT:
            self._found.popleft()
        found: dict[str, int] = {}
        for one in self._found:
            found[one.kind] = found.get(one.kind, 0) + 1
        return found

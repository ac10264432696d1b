"""Logging sparingly: a loose wire must not fill the card with what everybody knows by now."""

import logging
import time
from collections import deque
from collections.abc import Callable

BURST = 10.0
"""Lines that one topic may have at once."""
REFILL = 1 / 3600.0
"""Lines a second that it gets back: one an hour."""
KNOWN = 20  # sentences of a topic that are not said again


class _Topic:
    """What was said of one thing, and how much more may be."""

    def __init__(self, now: float) -> None:
        self.room = BURST
        self.at = now
        self.left_out = 0
        self.said: deque[str] = deque(maxlen=KNOWN)


class Sparing:
    """A log in which no topic has more than a few lines, then one an hour.

    A line that comes after others were left out says how many.
    """

    def __init__(self, log: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._log = log
        self._clock = clock
        self._topics: dict[str, _Topic] = {}

    def say(self, level: int, topic: str, text: str, *, once: bool = False) -> None:
        """Log a sentence, if there is room; `once` means that its topic has said it if it has."""
        now = self._clock()
        about = self._topics.setdefault(topic, _Topic(now))
        about.room = min(BURST, about.room + (now - about.at) * REFILL)
        about.at = now
        if once and text in about.said:
            return
        if about.room < 1:
            about.left_out += 1
            return
        about.room -= 1
        about.said.append(text)
        more = f" ({about.left_out} more were left out)" if about.left_out else ""
        about.left_out = 0
        self._log.log(level, "%s%s", text, more)

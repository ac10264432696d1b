"""Debounce, per key and deferred: a key has changed once it has been different long enough."""

from firmware.keys import QUIET

DEBOUNCE = QUIET / 1000
"""Seconds for which a switch has to keep its new state, at the Pi's pins as on a Pico."""


class Debounce:
    """Keys are bits of a number; time is an argument, so it may jump.

    A key that goes back before the delay is over has not changed; `noise` counts how often
    that happened to each, which shows a loose wire.
    """

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.stable = 0
        self.noise: dict[int, int] = {}
        self._waiting = 0
        self._since: dict[int, float] = {}

    def update(self, raw: int, now: float) -> int:
        """Take a reading of all keys; returns the keys that have changed as bits."""
        differs = raw ^ self.stable
        if not (differs | self._waiting):
            return 0
        for key in bits(self._waiting & ~differs):
            self.noise[key] = self.noise.get(key, 0) + 1
            del self._since[key]
        for key in bits(differs & ~self._waiting):
            self._since[key] = now
        changed = 0
        for key in bits(differs):
            if now - self._since[key] >= self.delay:
                changed |= 1 << key
                del self._since[key]
        self.stable ^= changed
        self._waiting = differs & ~changed
        return changed


def bits(mask: int) -> list[int]:
    """The numbers of the bits that are set, lowest first."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found

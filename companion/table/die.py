"""Drawing a face without bias: the die on a Pico and the Pi draw in the same way."""

from collections.abc import Callable

from firmware.die.die import draw

__all__ = ["Entropy", "draw"]

Entropy = Callable[[int], bytes]
"""Returns that many unpredictable bytes, as `os.urandom` does."""

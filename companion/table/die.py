"""Drawing a face without bias from bytes of entropy."""

from collections.abc import Callable

Entropy = Callable[[int], bytes]
"""Returns that many unpredictable bytes, as `os.urandom` does."""

FACES = 6
_FAIR = 256 - 256 % FACES  # bytes from here on would favour the low faces


def draw(entropy: Entropy) -> int:
    """A face from 1 to 6, each as likely: bytes that do not divide evenly are thrown away."""
    while True:
        value = entropy(1)[0]
        if value < _FAIR:
            return value % FACES + 1

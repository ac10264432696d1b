"""Chance from a seed: the same numbers here and in `kernel.c`, so that both play the same games."""

_WORD = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


def _mix(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _WORD
    return z ^ (z >> 31)


class Stream:
    """The draws of one play-out: they depend on the seed and its number alone."""

    def __init__(self, seed: int, number: int) -> None:
        self._state = _mix((seed + _mix(number + _STEP & _WORD)) & _WORD)

    def draw(self, below: int) -> int:
        """A number from 0 up to, not including, `below`; each as likely (to one in 2^32)."""
        self._state = self._state + _STEP & _WORD
        return (_mix(self._state) >> 32) * below >> 32


def mixed(*numbers: int) -> int:
    """One seed from several numbers."""
    seed = 0
    for number in numbers:
        seed = _mix((seed + _mix((number & _WORD) + _STEP & _WORD)) & _WORD)
    return seed

"""Chance from a seed: the same numbers here and in `kernel.c`, so that both play the same games.

Every seat has dice of its own, counted from the first roll of the game: play-outs of two positions
of one game go on with the same dice, and what they have in common cancels out when they are
compared. And in every six play-outs each roll of each seat shows each face once, so that no luck of
the dice is left in the mean of six.
"""

from collections.abc import Sequence

_WORD = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15
NOTHING_ROLLED = (0, 0, 0, 0)


def _mix(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _WORD
    return z ^ (z >> 31)


def _stream(seed: int, number: int) -> int:
    return _mix((seed + _mix(number + _STEP & _WORD)) & _WORD)


class Chance:
    """The dice and the choices of one play-out: they depend on the seed and its number alone."""

    def __init__(self, seed: int, number: int, rolled: Sequence[int] = NOTHING_ROLLED) -> None:
        six = _stream(seed, number // 6)
        self._dice = [
            (_mix((six + seat + 1) & _WORD) + times * _STEP) & _WORD
            for seat, times in enumerate(rolled)
        ]
        self._choice = _mix(_stream(seed, number))
        self._turned = number % 6

    def roll(self, seat: int) -> int:
        """The next face of a seat's dice."""
        self._dice[seat] = self._dice[seat] + _STEP & _WORD
        return ((_mix(self._dice[seat]) >> 32) * 6 // (1 << 32) + self._turned) % 6 + 1

    def draw(self, below: int) -> int:
        """A number from 0 up to, not including, `below`; each as likely (to one in 2^32)."""
        self._choice = self._choice + _STEP & _WORD
        return (_mix(self._choice) >> 32) * below >> 32


def mixed(*numbers: int) -> int:
    """One seed from several numbers."""
    seed = 0
    for number in numbers:
        seed = _stream(seed, number & _WORD)
    return seed

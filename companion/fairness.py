"""How fair a die has been: Pearson's chi-square over its faces."""

import math
from collections.abc import Sequence
from typing import NamedTuple

ENOUGH = 30
"""Rolls below which the test says nothing: five for each face."""

SUSPICIOUS = 0.001
"""A fair die looks this odd once in a thousand tests."""


class Fairness(NamedTuple):
    """The statistic, and how often a fair die would look at least as odd."""

    statistic: float
    p: float

    @property
    def suspicious(self) -> bool:
        """Whether a fair die would hardly ever look like this."""
        return self.p < SUSPICIOUS


def fairness(counts: Sequence[int]) -> Fairness:
    """Test how often each face came against a fair die."""
    total = sum(counts)
    if total == 0:
        raise ValueError("no rolls to judge")
    expected = total / len(counts)
    statistic = sum((count - expected) ** 2 / expected for count in counts)
    return Fairness(statistic, _survival(statistic, len(counts) - 1))


def _survival(x: float, degrees: int) -> float:
    """The chance that a chi-square variable of so many degrees of freedom exceeds x.

    The incomplete gamma function goes up two degrees at a time, from one or from two.
    """
    half = x / 2
    if degrees % 2:
        value, term, step = math.erfc(math.sqrt(half)), math.sqrt(half / math.pi) * 2, 1.0
    else:
        value, term, step = math.exp(-half), half, 2.0
    factor = math.exp(-half)
    while step + 2 <= degrees:
        value += factor * term
        step += 2
        term *= x / step
    return min(1.0, value)

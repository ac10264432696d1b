"""How fair a die has been: chi-square over its faces, and a test for looking all the time.

Whoever looks at a chart after every roll gives chance a try each time: a fair die leaves the usual
band in most evenings. `is_loaded` is made for that. `suspicion` says how much better these rolls
fit dice with one loaded face than a fair one; `alarm` says how much is too much after so many
rolls. It is high at first and lowest after an evening's rolls, where a face that comes one time in
four can be told from chance: a fair die is called loaded in less than 1 % of evenings, such a die
in 86 %. No test does better than 89 % (Neyman and Pearson's, which looks once, at the end):
`python -m tests.die_soak` measures all three. A fair die's suspicion is 1 on average at any time,
so it reaches `CERTAIN` ever in its life at most once in so many dice (Ville's inequality).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

ENOUGH = 30
"""Rolls below which the test says nothing: five for each face."""

SUSPICIOUS = 0.001
"""A fair die looks this odd once in a thousand tests, if it is tested once."""

LOADED = {0.10: 0.05, 0.20: 0.05, 0.25: 0.80, 0.35: 0.05, 0.50: 0.05}
"""How often the one face of a loaded die comes, and how likely we hold such a die to be."""

EVENING = 400
"""Rolls of a long evening: there the alarm is lowest."""

LOWEST, CERTAIN = 18.0, 1000.0
"""How suspicious a die must be after an evening, and at any time."""


def alarm(rolls: int) -> float:
    """How suspicious a die of so many rolls must be to be called loaded."""
    if rolls < EVENING:
        return min(CERTAIN, LOWEST * (EVENING / max(rolls, 1)) ** 4)
    return min(CERTAIN, LOWEST * (rolls / EVENING) ** 2)


def suspicion(counts: Sequence[int]) -> float:
    """How many times better a loaded die explains these rolls than a fair one."""
    total, faces = sum(counts), len(counts)
    logs = [
        math.log(weight / faces)
        + count * math.log(faces * load)
        + (total - count) * math.log(faces * (1 - load) / (faces - 1))
        for load, weight in LOADED.items()
        for count in counts
    ]
    most = min(max(logs), 600.0)  # beyond that a float overflows, and nobody doubts any more
    return math.exp(most) * sum(math.exp(min(one - most, 0.0)) for one in logs)


def is_loaded(counts: Sequence[int]) -> bool:
    """Whether a fair die would hardly ever have looked like this at any time."""
    return suspicion(counts) >= alarm(sum(counts))


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

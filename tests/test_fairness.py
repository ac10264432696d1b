"""The chi-square test against tabled values, and the test for looking after every roll."""

import random

import pytest

from companion.fairness import CERTAIN, EVENING, _survival, alarm, fairness, is_loaded, suspicion
from tests.die_soak import FAIR, LOADED, flagged


@pytest.mark.parametrize(
    ("x", "degrees", "p"),
    [  # the usual table of critical values
        (3.841, 1, 0.05), (5.991, 2, 0.05), (7.815, 3, 0.05), (9.488, 4, 0.05),
        (11.070, 5, 0.05), (12.592, 6, 0.05), (15.086, 5, 0.01), (20.515, 5, 0.001),
        (1.145, 5, 0.95), (18.307, 10, 0.05), (19.675, 11, 0.05),
    ],
)  # fmt: skip
def test_the_tail_agrees_with_the_printed_table(x: float, degrees: int, p: float) -> None:
    assert _survival(x, degrees) == pytest.approx(p, rel=0.002)


def test_equal_counts_are_perfectly_fair() -> None:
    assert fairness([10] * 6) == (0, 1)


def test_a_loaded_die_is_suspicious_and_a_fair_one_hardly_ever() -> None:
    assert fairness([60, 100, 100, 100, 100, 140]).suspicious
    rng = random.Random(5)
    odd = 0
    for _ in range(1000):
        counts = [0] * 6
        for _ in range(120):
            counts[rng.randrange(6)] += 1
        odd += fairness(counts).p < 0.05
    assert 20 < odd < 85


def test_no_rolls_cannot_be_judged() -> None:
    with pytest.raises(ValueError, match="no rolls"):
        fairness([0] * 6)


def test_a_fair_dies_suspicion_is_one_on_average() -> None:
    """So that, looked at all the time, it reaches this at most once in `CERTAIN` dice."""
    assert suspicion([0] * 6) == pytest.approx(1)
    counts = [3, 0, 2, 5, 1, 1]
    after = [[n + (face == at) for at, n in enumerate(counts)] for face in range(6)]
    assert sum(map(suspicion, after)) / 6 == pytest.approx(suspicion(counts))


def test_a_fair_die_looked_at_after_every_roll_is_left_alone() -> None:
    assert sum(flagged(seed, FAIR, 400) for seed in range(40)) <= 1


def test_a_die_with_a_face_at_one_in_four_is_found_in_an_evening() -> None:
    assert sum(flagged(seed, LOADED, EVENING) for seed in range(40)) >= 32
    assert is_loaded([0, 0, 0, 0, 0, 100_000])
    assert suspicion([100] * 6) < 1 < alarm(600)


def test_a_little_load_is_found_in_years() -> None:
    assert is_loaded([2000, *[1600] * 5])


def test_what_counts_as_too_much_is_least_after_an_evening() -> None:
    assert alarm(0) == alarm(30) == alarm(10_000) == CERTAIN
    assert alarm(300) > alarm(EVENING) < alarm(600)

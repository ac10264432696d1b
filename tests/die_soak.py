"""A thousand evenings with a die that is looked at after every roll: `python -m tests.die_soak`."""

import random
import sys
from collections import Counter
from collections.abc import Sequence

from companion.fairness import is_loaded

FAIR = (1, 1, 1, 1, 1, 1)
LOADED = (5, 3, 3, 3, 3, 3)
"""One face comes one time in four."""


def flagged(seed: int, weights: Sequence[int], rolls: int) -> bool:
    """Whether a die is called loaded at any time of an evening."""
    rng, counts = random.Random(seed), [0] * 6
    for face in rng.choices(range(6), weights, k=rolls):
        counts[face] += 1
        if is_loaded(counts):
            return True
    return False


def most_possible(evenings: int, rolls: int) -> float:
    """How often the best test finds the loaded die if it flags a fair one in 1 % of evenings.

    That is how likely the loaded dice make all the rolls against how likely a fair one does, looked
    at once, at the end (Neyman and Pearson): looking earlier can only lose.
    """
    said: dict[Sequence[int], list[float]] = {FAIR: [], LOADED: []}
    rng = random.Random(rolls)
    for weights, ratios in said.items():
        for _ in range(evenings):
            counts = Counter(rng.choices(range(6), weights, k=rolls))
            ratios.append(sum((1.5 / 0.9) ** counts[face] for face in range(6)))
    bar = sorted(said[FAIR])[-evenings // 100]
    return sum(ratio >= bar for ratio in said[LOADED]) / evenings


def main() -> None:
    """Print how often a fair and a loaded die are flagged; fails beyond what is promised."""
    evenings = 1000
    fair = sum(flagged(seed, FAIR, 400) for seed in range(evenings))
    sys.stdout.write(f"a fair die, 400 rolls: flagged in {fair} of {evenings} evenings\n")
    found = {}
    for rolls in (400, 600, 800):
        found[rolls] = sum(flagged(seed, LOADED, rolls) for seed in range(evenings))
        said = f"a face at one in four, {rolls} rolls: flagged in {found[rolls]} of {evenings}"
        best = most_possible(20 * evenings, rolls)
        sys.stdout.write(f"{said}; no test can flag more than {best:.1%}\n")
    if fair > evenings / 100 or found[400] < evenings * 0.84 or found[600] < evenings * 0.95:
        sys.exit("that is not what is promised")


if __name__ == "__main__":
    main()

"""The referee on the 128-position board: how long one event takes to go through `feed`.

Evenings of clumsy people, with all that they do wrong, are recorded and fed again to a fresh
referee; each event is timed on its own, in CPU time.
"""

import time

from companion.referee import Referee
from tests.people.recording import recorded, with_ticks

EVENINGS, ROLLS = 4, 250
TARGET = 0.002


def run() -> bool:
    """Print median and p99; true if p99 is under the target."""
    taken: list[float] = []
    for seed in range(EVENINGS):
        referee = Referee()
        for at, event in with_ticks(referee, recorded(f"bench {seed}", "british", ROLLS)):
            start = time.thread_time()
            referee.feed(event, at)
            taken.append(time.thread_time() - start)
    taken.sort()
    median, p99 = taken[len(taken) // 2], taken[len(taken) * 99 // 100]
    print(
        f"  {len(taken)} events: median {median * 1e6:.0f} us, p99 {p99 * 1e6:.0f} us "
        f"(target {TARGET * 1e6:.0f} us), worst {taken[-1] * 1e6:.0f} us"
    )
    return p99 < TARGET

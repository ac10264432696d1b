"""The referee on the 128-position board: how long an event takes, and what memory.

Evenings of clumsy people, with all that they do wrong, are recorded and fed again to a fresh
referee; each event is timed on its own, in CPU time. With `BEFORE=FOLDER` in the environment the
referee of another checkout hears the same, in turn with this one, round after round: it must not
have been quicker, nor have kept less in memory when the evenings are over.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from companion.events import as_json
from tests.people.recording import recorded

EVENINGS, ROLLS = 4, 250
ROUNDS = 3
P99_TARGET = 0.002
LEFT_TARGET, LOADED_TARGET, RESIDENT_TARGET = 0.6e6, 6e6, 22e6
EQUAL = 1.15
"""A ratio of times that counts as equal, on a machine that does other things too."""

HERE = str(Path(__file__).parents[1])
WORKER = Path(__file__).with_name("_feeding.py")
ASKED = ("taken", "left", "loaded", "resident")


class Figures:
    """What was found about one checkout, a list of numbers for each round and question."""

    def __init__(self, checkout: str) -> None:
        self.checkout = checkout
        self._found: dict[str, list[list[float]]] = {what: [] for what in ASKED}

    def ask(self, what: str, evenings: str, compiled: str) -> None:
        """One more round; what is compiled is kept, as an installed box has it."""
        command = [sys.executable, str(WORKER), self.checkout, what]
        env = {"PYTHONPYCACHEPREFIX": compiled, "MALLOC_ARENA_MAX": "1"}  # as the service has it
        done = subprocess.run(
            command + [evenings] * (what in ("taken", "left")),
            capture_output=True,
            text=True,
            check=True,
            env=env,
        )
        self._found[what].append([float(word) for word in done.stdout.split()])

    def of(self, what: str, at: int = 0) -> float:
        """The median of all rounds but the first, in which all is compiled."""
        return median(one[at] for one in self._found[what][1:])

    def tell(self) -> None:
        middle, p99, worst, number, kept = (self.of("taken", at) for at in range(5))
        print(
            f"  {self.checkout}\n"
            f"    {number:.0f} events, {kept:.0f} records: median {middle * 1e6:.0f} us, "
            f"p99 {p99 * 1e6:.0f} us (target {P99_TARGET * 1e6:.0f} us), "
            f"worst {worst * 1e6:.0f} us\n"
            f"    memory: {self.of('left') / 1e3:.0f} kB left by {EVENINGS} evenings "
            f"(target {LEFT_TARGET / 1e3:.0f} kB), {self.of('loaded') / 1e3:.0f} kB to import "
            f"(target {LOADED_TARGET / 1e3:.0f} kB), {self.of('resident') / 1e3:.0f} kB resident "
            f"(target {RESIDENT_TARGET / 1e3:.0f} kB)"
        )

    @property
    def good(self) -> bool:
        """Whether every target is met."""
        return (
            self.of("taken", 1) < P99_TARGET
            and self.of("left") < LEFT_TARGET
            and self.of("loaded") < LOADED_TARGET
            and self.of("resident") < RESIDENT_TARGET
        )

    def no_worse_than(self, before: "Figures") -> bool:
        """Whether no event takes longer than before, and no evening leaves more behind."""
        slower = self.of("taken", 1) / before.of("taken", 1)
        more = self.of("left") / before.of("left")
        print(f"  p99 {slower:.2f} of before (target {EQUAL}), memory left {more:.2f} (target 1)")
        return slower <= EQUAL and more <= 1


def run() -> bool:
    """Print the figures; true if the targets are met."""
    here = Figures(HERE)
    before = [
        Figures(str(Path(folder).resolve())) for folder in (os.environ.get("BEFORE"),) if folder
    ]
    with tempfile.TemporaryDirectory() as folder:
        evenings = Path(folder) / "evenings"
        evenings.write_text("".join(f"{json.dumps(evening(seed))}\n" for seed in range(EVENINGS)))
        for _ in range(ROUNDS + 1):
            for what in ASKED:
                for figures in (*before, here):
                    figures.ask(what, str(evenings), folder)
    for figures in (*before, here):
        figures.tell()
    return here.good and all(here.no_worse_than(one) for one in before)


def evening(seed: int) -> list[tuple[float, dict[str, object]]]:
    """All that a box hears on one evening, as plain data."""
    return [(at, as_json(event)) for at, event in recorded(f"bench {seed}", "british", ROLLS)]

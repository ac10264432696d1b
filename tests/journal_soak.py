"""A soak of the journal: power cuts and failed syncs, with torn and reordered writes.

Run as `python -m tests.journal_soak [CUTS [SYNCS [SEED]]]`. It fails if anything that was told is
lost, or if a file is damaged and nobody is told.
"""

import logging
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.test_failed_syncs import fail_syncs
from tests.test_power_cuts import suffer

PIECE = 500
"""How many are suffered by one file: it grows, and would be copied ever more slowly."""


def pieces(wanted: int) -> Iterator[tuple[Path, int]]:
    """Folders, each with how many have to be suffered in it."""
    for begun in range(0, wanted, PIECE):
        with tempfile.TemporaryDirectory() as name:
            yield Path(name), min(PIECE, wanted - begun)


def say(what: str) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


def cut_power(wanted: int, seed: str) -> bool:
    """Whether nothing was lost or damaged."""
    cuts = acknowledged = lost = corrupt = 0
    for folder, number in pieces(wanted):
        evening = suffer(folder, number, lazy=False, seed=f"{seed} {cuts}")
        cuts += number
        acknowledged += evening.acknowledged
        lost += evening.lost
        corrupt += evening.corrupt
        say(
            f"power cuts: {cuts}, {acknowledged} batches acknowledged, {lost} lost, "
            f"{corrupt} damaged files"
        )
    return not lost and not corrupt


def fail_all(wanted: int, seed: str) -> bool:
    """Whether nothing was lost or unsaid."""
    failed = lost = unsaid = 0
    for folder, number in pieces(wanted):
        found = fail_syncs(folder, number, seed=f"{seed} {failed}")
        failed, lost, unsaid = failed + found[0], lost + found[1], unsaid + found[2]
        say(f"failed syncs: {failed}, {lost} lost, {unsaid} unsaid")
    return not lost and not unsaid


def main(cuts: str = "10000", syncs: str = "10000", seed: str = "soak") -> int:
    logging.disable(logging.CRITICAL)
    kept = cut_power(int(cuts), seed)
    return 0 if fail_all(int(syncs), seed) and kept else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

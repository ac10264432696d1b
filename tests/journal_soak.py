"""A soak of the journal: power cuts and failed syncs, with torn and reordered writes.

Run as `python -m tests.journal_soak [CUTS [SYNCS]]`. It fails if anything that was told is lost, or
if a file is damaged and nobody is told.
"""

import logging
import sys
import tempfile
from pathlib import Path

from tests.test_failed_syncs import fail_syncs
from tests.test_power_cuts import suffer


def main(cuts: int = 10_000, syncs: int = 10_000) -> int:
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as name:
        evening = suffer(Path(name), cuts, lazy=False)
    sys.stdout.write(
        f"power cuts: {cuts}, {evening.acknowledged} batches acknowledged, {evening.lost} lost, "
        f"{evening.corrupt} damaged files\n"
    )
    with tempfile.TemporaryDirectory() as name:
        failed, lost, unsaid = fail_syncs(Path(name), syncs)
    sys.stdout.write(f"failed syncs: {failed}, {lost} lost, {unsaid} unsaid\n")
    return 1 if evening.lost or evening.corrupt or lost or unsaid else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))

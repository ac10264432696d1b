"""A soak of the journal: power cuts and failed syncs, with torn and reordered writes.

Run as `python -m tests.journal_soak [CUTS [SYNCS]]`. It fails if anything that was told is lost, or
if a file is damaged and nobody is told.
"""

import logging
import sys
import tempfile
from pathlib import Path
from random import Random

import apsw

from companion.events import RecordData
from companion.journal import Journal
from companion.referee import Match
from companion.rules import game
from tests.power import Disk, OnDisk
from tests.test_power_cuts import Evening, suffer


class Faulty(Disk):
    """A disk on which a sync fails now and then, after which anything may have arrived."""

    failed = 0

    def sync(self, name: str) -> None:
        if self.rng.random() < 0.15:
            self.failed += 1
            raise apsw.IOError("the sync failed")
        super().sync(name)

    def delete(self, name: str) -> None:
        """SQLite has the folder synced, and much is written after it before the power is cut."""
        super().delete(name)
        self.safe.pop(name, None)


def fail_syncs(folder: Path, wanted: int) -> tuple[int, int]:
    """Play on disks whose syncs fail, and cut the power; how many failed, and how much was lost."""
    failed = lost = 0
    rng = Random("sync")
    turns = Evening(folder, rng)
    path = folder / "games.db"
    while failed < wanted:
        for old in folder.iterdir():
            old.unlink()
        disk = Faulty(rng)
        journal = Journal(path, open_with=OnDisk(disk))
        match = Match(game("german", colours=["yellow", "red"]))
        new: list[RecordData] = [match.started()]
        asked: list[RecordData] = []
        safe = 0
        for _ in range(rng.randint(5, 60)):
            asked += new
            if journal.keep(new, 0.0):
                safe = len(asked)
            if match.over:
                break
            new = turns.turn(match)
        failed += disk.failed
        for old in folder.iterdir():
            old.unlink()
        for name, data in disk.after_the_cut().items():
            Path(name).write_bytes(data)
        after = Journal(path)
        found = after.resumable()
        after.close()
        lost += found != asked[: len(found)] or len(found) < safe
    return failed, lost


def main(cuts: int = 10_000, syncs: int = 10_000) -> int:
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as name:
        evening = suffer(Path(name), cuts, lazy=False)
    sys.stdout.write(
        f"power cuts: {cuts}, {evening.acknowledged} batches acknowledged, {evening.lost} lost, "
        f"{evening.corrupt} damaged files\n"
    )
    with tempfile.TemporaryDirectory() as name:
        failed, lost = fail_syncs(Path(name), syncs)
    sys.stdout.write(f"failed syncs: {failed}, {lost} lost\n")
    return 1 if evening.lost or evening.corrupt or lost else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))

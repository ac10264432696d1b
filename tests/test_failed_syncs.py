"""Failed syncs: the journal on a disk that says it could not flush, and forgets what it had."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import apsw

from companion.events import RecordData
from companion.journal import Journal
from companion.referee import Match
from companion.rules import game
from tests.power import Disk, OnDisk
from tests.test_power_cuts import Evening

SYNCS = 60


class Faulty(Disk):
    """A disk on which a sync fails now and then.

    Of what was on its way then, some arrives, torn or whole, and the rest never will: the system
    says so once, goes on showing it to whoever reads, and does not try again.
    """

    failed = 0

    def sync(self, name: str) -> None:
        if self.rng.random() < 0.15:
            self.failed += 1
            coming = self.coming.pop(name, [])
            arrived = [self._torn(one, 0.5) for one in coming if self.rng.random() < 0.5]
            self.safe[name] = self._applied(name, arrived)
            raise apsw.IOError("the sync failed")
        super().sync(name)


def fail_syncs(
    folder: Path, wanted: int, *, lazy: bool = False, seed: str = "sync"
) -> tuple[int, int, int]:
    """Play on disks whose syncs fail, and cut the power.

    Returns how many failed, in how many games something told was lost, and how often it was not
    said that something is not kept.
    """
    failed = lost = unsaid = 0
    rng = Random(seed)
    turns = Evening(folder, rng)
    path = folder / "games.db"
    while failed < wanted:
        for old in folder.iterdir():
            old.unlink()
        disk = Faulty(rng)
        journal = Journal(path, open_with=OnDisk(disk, lazy=lazy))
        match = Match(game("german", colours=["yellow", "red"]))
        new: list[RecordData] = [match.started()]
        asked: list[RecordData] = []
        safe = 0
        for _ in range(rng.randint(5, 60)):
            asked += new
            if journal.keep(new, 0.0):
                safe = len(asked)
            else:
                unsaid += journal.trouble is None
            if match.over:
                break
            new = turns.turn(match)
        failed += disk.failed
        for old in folder.iterdir():
            old.unlink()
        for name, data in disk.after_the_cut().items():
            Path(name).write_bytes(data)
        after = Journal(path)
        found = list(after.resumable())
        after.close()
        lost += found != asked[: len(found)] or len(found) < safe
    return failed, lost, unsaid


def test_failed_syncs_lose_nothing_that_was_told_and_are_said(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    failed, lost, unsaid = fail_syncs(tmp_path, SYNCS)
    assert (lost, unsaid) == (0, 0)
    record_property("figure", f"failed syncs: {failed}, 0 lost, 0 unsaid")


def test_the_same_disk_does_cost_a_journal_that_does_not_flush(tmp_path: Path) -> None:
    assert fail_syncs(tmp_path, SYNCS, lazy=True)[1] > 10

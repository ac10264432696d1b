"""Power cuts: the journal on a disk that loses and tears what was not flushed."""

from collections.abc import Callable
from pathlib import Path
from random import Random

from companion.events import RecordData
from companion.journal import Journal
from companion.referee import Match
from companion.rules import game, legal_moves
from tests.power import Disk, OnDisk

CUTS = 300
BATCHES = 40


class Evening:
    """A game that goes on after every cut, on the same file."""

    def __init__(self, folder: Path, rng: Random, lazy: bool = False) -> None:
        self.rng = rng
        self.lazy = lazy
        self.path = folder / "games.db"
        self.lost = self.corrupt = self.acknowledged = 0

    def life(self) -> None:
        """Play until the power goes, at any write or flush; then look what is there."""
        disk = Disk(self.rng, self.rng.randint(1, 6 * BATCHES))
        journal = Journal(self.path, open_with=OnDisk(disk, lazy=self.lazy))
        safe = list(journal.resumable()) if journal.trouble is None else self.known
        match = Match.replay(safe) or Match(game("german", colours=["yellow", "red"]))
        new = [] if safe else [match.started()]
        asked = list(safe)
        while not disk.dead:
            asked += new
            if journal.keep(new, 0.0):
                safe = list(asked)
                self.acknowledged += 1
            if self.rng.random() < 0.3:
                journal.note({"event": "Reading", "place": "x" * self.rng.randint(1, 3000)}, 0.0)
            new = self.turn(match)
        self.look(disk, safe, asked)

    def turn(self, match: Match) -> list[RecordData]:
        if match.over:
            match.__init__(match.game)  # type: ignore[misc]  # the same game once more
            return [match.started()]
        face = self.rng.randint(1, 6)
        move = self.rng.choice(legal_moves(match.position, face))
        return [match.roll(face, None), match.play(move)]

    def look(self, disk: Disk, safe: list[RecordData], asked: list[RecordData]) -> None:
        """Write the files as a new start finds them, and start again on an ordinary disk."""
        for old in self.path.parent.iterdir():
            old.unlink()
        for name, data in disk.after_the_cut().items():
            Path(name).write_bytes(data)
        journal = Journal(self.path)
        self.corrupt += journal.trouble is not None
        self.known = found = list(journal.resumable())
        journal.close()
        begun = [n for n, record in enumerate(asked) if record["kind"] == "start"]
        if not begun:  # the power went before anything was asked for
            self.lost += found != []
            return
        latest = asked[begun[-1] :]
        if begun[-1] >= len(safe) and found not in ([], latest[: len(found)]):
            latest = asked[begun[-2] :] if len(begun) > 1 else []  # the last start was not told
        told = len(safe) - (len(asked) - len(latest)) if latest else 0
        self.lost += found != latest[: len(found)] or len(found) < told
        if not self.lost:
            assert Match.replay(found) is not None or not safe


def suffer(folder: Path, cuts: int, lazy: bool, seed: str = "power") -> Evening:
    evening = Evening(folder, Random(seed), lazy)
    evening.known = []
    for _ in range(cuts):
        evening.life()
    return evening


def test_power_cuts_neither_damage_the_journal_nor_lose_what_was_told(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    evening = suffer(tmp_path, CUTS, lazy=False)
    assert evening.acknowledged > CUTS
    assert evening.corrupt == 0
    assert evening.lost == 0
    record_property(
        "figure",
        f"power cuts: {CUTS}, {evening.acknowledged} batches acknowledged, 0 lost, 0 damaged files",
    )


def test_a_new_file_survives_its_first_cut(tmp_path: Path) -> None:
    """What SQLite deletes while it makes a file may be there again, and undo what came after."""
    lost = acknowledged = 0
    for number in range(40):
        folder = tmp_path / str(number)
        folder.mkdir()
        evening = suffer(folder, 1, lazy=False, seed=f"new {number}")
        lost += evening.lost
        acknowledged += evening.acknowledged
    assert acknowledged > 40
    assert lost == 0


def test_the_same_cuts_do_cost_a_journal_that_does_not_flush(tmp_path: Path) -> None:
    assert suffer(tmp_path, 60, lazy=True).lost > 10

"""Names of records: the id of a journal and a number mean the same record for ever."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.events import RecordData
from companion.journal import Journal
from companion.journal_ids import RecordName, is_id, new_id
from companion.kept_records import KeptRecord, journal_spans, kept_records
from tests.power import Disk as PowerDisk
from tests.power import OnDisk
from tests.test_journal import START, damaged, keep, roll

OTHER: RecordData = {"kind": "start", "game": "british blue,green", "names": {}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "games.db"


def forget_ids(path: Path) -> None:
    """Make it a file as earlier versions left them."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("DROP TABLE journal_ids; DROP TABLE first_names")


def everything(path: Path, most: int = 500) -> list[KeptRecord]:
    """All records of a file, in pieces."""
    found: list[KeptRecord] = []
    for span in journal_spans(path):
        after = 0
        while piece := kept_records(path, span.journal, after, most):
            found += piece
            after = piece[-1].name.number
    return found


class Archive:
    """What somebody has copied from files over time: a name must never mean two records."""

    def __init__(self) -> None:
        self.records: dict[RecordName, RecordData | None] = {}

    def copy(self, path: Path) -> None:
        for one in everything(path):
            for name in (one.name, one.first_name):
                assert self.records.setdefault(name, one.record) == one.record


def test_a_file_has_an_id_and_keeps_it(path: Path) -> None:
    keep(path, START, roll(1))
    (span,) = journal_spans(path)
    assert is_id(span.journal)
    assert span[1:] == (1, 2)
    journal = Journal(path)
    assert journal.id == span.journal
    journal.keep([roll(2)], 0.0)
    journal.close()
    assert journal_spans(path) == [(span.journal, 1, 3)]


def test_two_files_have_two_ids(path: Path, tmp_path: Path) -> None:
    keep(path, START)
    keep(tmp_path / "other.db", START)
    assert journal_spans(path)[0].journal != journal_spans(tmp_path / "other.db")[0].journal


def test_a_flipped_bit_makes_an_id_none() -> None:
    id = new_id()
    for at in range(len(id)):
        for bit in range(7):
            wrong = id[:at] + chr(ord(id[at]) ^ 1 << bit) + id[at + 1 :]
            assert not is_id(wrong)


def test_records_are_read_in_pieces_with_their_games(path: Path) -> None:
    keep(path, START, roll(1), roll(2), OTHER, roll(3))
    (span,) = journal_spans(path)
    whole = everything(path)
    assert everything(path, most=2) == whole
    assert [one.record for one in whole] == [START, roll(1), roll(2), OTHER, roll(3)]
    assert [one.game for one in whole] == [(span.journal, 1)] * 3 + [(span.journal, 4)] * 2
    assert all(one.name == one.first_name for one in whole)
    assert len(kept_records(path, span.journal, 3, 1)) == 1


def test_an_id_that_a_file_does_not_know_has_no_records_there(path: Path) -> None:
    keep(path, START)
    assert kept_records(path, new_id()) == []


def test_a_file_is_read_while_it_is_written(path: Path) -> None:
    journal = Journal(path)
    journal.keep([START], 1.5)
    (one,) = everything(path)
    assert (one.record, one.at) == (START, 1.5)
    assert one.name == (journal.id, journal.last)
    journal.close()


def test_a_file_from_before_gets_an_id_with_its_games(path: Path) -> None:
    keep(path, START, roll(1))
    forget_ids(path)
    assert journal_spans(path) == []
    keep(path, roll(2))
    assert [one.record for one in everything(path)] == [START, roll(1), roll(2)]


def test_a_file_begun_in_place_of_a_ruined_one_has_another_id(path: Path) -> None:
    archive = Archive()
    keep(path, START, roll(1))
    (before,) = journal_spans(path)
    archive.copy(path)
    path.write_bytes(b"SQLite format 3\0" + b"?" * 5000)
    keep(path, OTHER)
    assert [span.journal for span in journal_spans(path)] != [before.journal]
    archive.copy(path)


def test_a_rescued_game_keeps_its_names(path: Path) -> None:
    keep(path, START, roll(1), roll(2))
    before = everything(path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE records SET record = 'x' WHERE id = 3")
    keep(path, roll(4))
    assert damaged(path).exists()
    after = everything(path)
    assert [one.first_name for one in after[:2]] == [one.name for one in before[:2]]
    assert after[0].name.journal != before[0].name.journal
    assert {one.game for one in after} == {before[0].name}
    assert [one.record for one in after] == [START, roll(1), roll(4)]


def test_an_earlier_copy_of_the_file_put_in_its_place_gives_no_name_twice(path: Path) -> None:
    archive = Archive()
    journal = Journal(path)
    journal.keep([START, roll(1)], 0.0)
    journal.rest()
    shutil.copy(path, path.with_suffix(".backup"))
    journal.keep([roll(2), OTHER, roll(3)], 0.0)
    archive.copy(path)
    names = {one.first_name for one in everything(path)}
    shutil.copy(path.with_suffix(".backup"), path.with_suffix(".moved"))
    path.with_suffix(".moved").rename(path)
    path.with_name(f"{path.name}-wal").unlink()
    journal.keep([roll(4), roll(5)], 0.0)
    journal.close()
    archive.copy(path)
    again = [one for one in everything(path) if one.record in (OTHER, roll(3))]
    assert again
    assert {one.first_name for one in again} <= names


def test_what_a_damaged_log_loses_leaves_its_numbers_to_nobody(path: Path) -> None:
    archive = Archive()
    journal = Journal(path)
    journal.keep([START], 0.0)
    for number in range(200):
        journal.keep([roll(number)], 0.0)
    archive.copy(path)
    log = path.with_name(f"{path.name}-wal")
    left = path.parent / "left"
    left.mkdir()
    for file in (path, log):
        shutil.copy(file, left)
    with (left / log.name).open("r+b") as torn:
        third = log.stat().st_size // 3
        torn.seek(third)
        torn.write(b"\xff" * third)
    again = left / path.name
    keep(again, *(roll(number) for number in range(300, 400)))
    assert roll(150) not in [one.record for one in everything(again)]
    archive.copy(again)
    journal.close()


def test_no_power_cut_in_the_first_start_with_ids_costs_anything(tmp_path: Path) -> None:
    """The file of an earlier version gets its id whole or not at all, wherever the power goes."""
    source = tmp_path / "before.db"
    keep(source, START, roll(1), roll(2))
    forget_ids(source)
    given = whole = 0
    for cut in range(1, 40):
        folder = tmp_path / str(cut)
        folder.mkdir()
        path = folder / "games.db"
        shutil.copy(source, path)
        disk = PowerDisk(Random(cut), cut)
        disk.load(path)
        Journal(path, open_with=OnDisk(disk)).close()
        whole += not disk.dead
        for file in list(folder.iterdir()):
            file.unlink()
        for name, data in disk.after_the_cut().items():
            Path(name).write_bytes(data)
        given += len(journal_spans(path))
        journal = Journal(path)
        assert journal.trouble is None
        assert list(journal.resumable()) == [START, roll(1), roll(2)]
        journal.close()
        assert len(journal_spans(path)) == 1
    assert 0 < given < 39  # some cuts were before it, some after
    assert whole

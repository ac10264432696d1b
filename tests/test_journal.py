"""The journal: what was kept is there again, whatever the disk does."""

import errno
import fcntl
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.events import RecordData
from companion.journal import EVENTS, PAGE, VERSION, Journal, UnderWayError, connect
from companion.referee import Match
from companion.rules import game, legal_moves

START: RecordData = {"kind": "start", "game": "german yellow,red", "names": {"yellow": "Ada"}}


def roll(number: int) -> RecordData:
    return {"kind": "roll", "face": number % 6 + 1, "number": number}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "games.db"


def rows(path: Path) -> list[RecordData]:
    with sqlite3.connect(path) as connection:
        return [json.loads(r) for (r,) in connection.execute("SELECT record FROM records")]


def keep(path: Path, *records: RecordData) -> None:
    """A companion keeps these, and ends."""
    journal = Journal(path)
    assert journal.keep(records, 0.0)
    journal.close()


def after_a_kill(path: Path) -> list[RecordData]:
    """What would be resumed if whoever uses the file were gone now, without closing it."""
    with tempfile.TemporaryDirectory() as folder:
        for file in (path, path.with_name(f"{path.name}-wal")):
            if file.exists():
                shutil.copy(file, folder)
        journal = Journal(Path(folder, path.name))
        journal.close()
        assert journal.trouble is None
        return list(journal.resumable())


class Disk:
    """A way to open databases that fails as told: `fail(statement)` raises before it runs,
    `late(statement)` after."""

    def __init__(self) -> None:
        self.fail: Callable[[str], None] = lambda _: None
        self.late: Callable[[str], None] = lambda _: None

    def __call__(self, path: Path) -> Any:
        disk = self

        class Failing(sqlite3.Connection):
            def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
                disk.fail(sql)
                done = super().execute(sql, *args)
                disk.late(sql)
                return done

        return sqlite3.connect(path, isolation_level=None, factory=Failing)


# -- keeping and resuming ------------------------------------------------------------------


def test_what_was_kept_is_there_after_a_restart(path: Path) -> None:
    journal = Journal(path)
    assert journal.keep([START], 10.0)
    assert journal.keep([roll(1), roll(2)], 11.0)
    assert after_a_kill(path) == [START, roll(1), roll(2)]


def test_only_the_latest_game_is_resumed_with_the_latest_settings(path: Path) -> None:
    journal = Journal(path)
    aside = {"kind": "aside", "place": "7", "aside": True}
    quiet, loud = {"kind": "settings", "volume": 0}, {"kind": "settings", "volume": 3}
    journal.keep([quiet, START, roll(1), aside], 1.0)
    journal.keep([{**START, "names": {}}, roll(2), loud], 2.0)
    assert after_a_kill(path) == [aside, loud, {**START, "names": {}}, roll(2)]


def test_a_resumed_game_goes_on_in_the_same_game(path: Path) -> None:
    keep(path, START, roll(1))
    journal = Journal(path)
    journal.keep([roll(2)], 2.0)
    journal.close()
    assert after_a_kill(path) == [START, roll(1), roll(2)]


def test_a_whole_game_replays_to_the_same_position(path: Path) -> None:
    match = Match(game("german", colours=["yellow", "red"]))
    journal = Journal(path)
    journal.keep([match.started()], 0.0)
    for number in range(300):
        if match.over:
            break
        face = number * 7 % 6 + 1
        records = [match.roll(face, number)]
        records.append(match.play(legal_moves(match.position, face)[0]))
        journal.keep(records, float(number))
    replayed = Match.replay(after_a_kill(path))
    assert replayed is not None
    assert replayed.position == match.position


def test_the_file_is_flushed_at_every_commit(path: Path) -> None:
    opened: list[sqlite3.Connection] = []

    def watched(where: Path) -> sqlite3.Connection:
        opened.append(connect(where))
        return opened[-1]

    Journal(path, open_with=watched).keep([START], 0.0)
    assert opened[-1].execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert opened[-1].execute("PRAGMA synchronous").fetchone() == (3,)


def test_a_batch_is_kept_whole_or_not_at_all(path: Path) -> None:
    disk = Disk()
    journal = Journal(path, open_with=disk)
    journal.keep([START], 0.0)

    def no_commit(sql: str) -> None:
        if sql == "COMMIT":
            raise sqlite3.OperationalError("disk I/O error")

    disk.fail = no_commit
    assert not journal.keep([roll(1), roll(2)], 1.0)
    assert rows(path) == [START]


# -- a disk in trouble ---------------------------------------------------------------------


def test_a_full_disk_is_said_and_what_waited_is_written_later(path: Path) -> None:
    pages = [1000]

    def small(where: Path) -> sqlite3.Connection:
        connection = connect(where)
        connection.execute(f"PRAGMA max_page_count={pages[0]}")
        return connection

    journal = Journal(path, open_with=small)
    journal.keep([START], 0.0)
    pages[0] = 1
    journal._connection.execute("PRAGMA max_page_count=1")
    number = 0
    while journal.keep([{**roll(number), "note": "x" * 500}], 1.0):
        number += 1
    assert "full" in str(journal.trouble)
    before = rows(path)
    assert not journal.keep([roll(1000)], 2.0)
    assert rows(path) == before
    assert list(journal.resumable())[-1] == roll(1000)  # the game goes on in memory
    pages[0] = 1000
    assert journal.flush()
    assert journal.trouble is None
    assert after_a_kill(path) == list(journal.resumable())


@pytest.mark.parametrize(("free", "said"), [(4096, "disk is full"), (1 << 30, "may be failing")])
def test_a_start_on_a_full_disk_does_not_look_like_a_failing_one(
    path: Path, free: int, said: str
) -> None:
    """The file beside the journal finds no room then, which SQLite calls an I/O error."""
    disk = Disk()

    def no_shm(sql: str) -> None:
        if sql == "PRAGMA journal_mode=WAL":
            fault = sqlite3.OperationalError("disk I/O error")
            fault.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
            raise fault

    disk.fail = no_shm
    journal = Journal(path, open_with=disk, free=lambda _: free)
    assert said in str(journal.trouble)


def test_a_read_only_disk_is_said_and_the_game_goes_on(path: Path) -> None:
    keep(path, START, roll(1))
    mode = ["ro"]

    def read_only(where: Path) -> sqlite3.Connection:
        return sqlite3.connect(f"file:{where}?mode={mode[0]}", uri=True, isolation_level=None)

    journal = Journal(path, open_with=read_only)
    assert list(journal.resumable()) == [START, roll(1)]
    assert not journal.keep([roll(2)], 1.0)
    assert "read-only" in str(journal.trouble)
    assert list(journal.resumable()) == [START, roll(1), roll(2)]
    mode[0] = "rw"
    assert journal.flush()
    assert after_a_kill(path) == [START, roll(1), roll(2)]


def test_an_empty_file_on_a_read_only_disk_is_not_damaged(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.touch()
    journal = Journal(
        path,
        open_with=lambda where: sqlite3.connect(
            f"file:{where}?mode=ro", uri=True, isolation_level=None
        ),
    )
    assert not journal.keep([START], 0.0)
    assert "read-only" in str(journal.trouble)
    assert list(journal.resumable()) == [START]
    assert path.exists()  # and not set aside


def unwritable(path: Path) -> sqlite3.Connection:
    """A file at rest on a disk that takes nothing: not even a log can be made beside it."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
    connection.close()
    fault = sqlite3.OperationalError("unable to open database file")
    fault.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
    raise fault


def test_the_last_game_is_resumed_from_a_disk_that_takes_nothing(path: Path) -> None:
    journal = Journal(path)
    journal.keep([START, roll(1)], 0.0)
    journal.close()
    opening = [unwritable]
    journal = Journal(path, open_with=lambda where: opening[0](where))
    assert "read-only" in str(journal.trouble)
    assert list(journal.resumable()) == [START, roll(1)]
    assert not journal.keep([roll(2)], 1.0)
    opening[0] = connect
    assert journal.flush()
    assert after_a_kill(path) == [START, roll(1), roll(2)]
    assert rows(path) == [START, roll(1), roll(2)]


# -- two companions on one file --------------------------------------------------------------

OTHER: RecordData = {**START, "names": {}}


def test_a_second_companion_leaves_the_game_of_the_first_alone(path: Path) -> None:
    """Somebody types `companion play` in two terminals."""
    keep(path, START, roll(1))
    one, two = Journal(path), Journal(path)
    assert list(one.resumable()) == [START, roll(1)]
    assert "another companion" in str(two.trouble)
    assert list(two.resumable()) == []
    assert not two.keep([OTHER, roll(8)], 1.0)
    assert one.keep([roll(2)], 2.0)
    assert rows(path) == [START, roll(1), roll(2)]


def test_a_second_companion_keeps_its_game_when_the_first_one_ends(path: Path) -> None:
    one, two = Journal(path), Journal(path)
    one.keep([START, roll(1)], 0.0)
    two.keep([OTHER, roll(8)], 1.0)
    assert not two.flush()
    one.close()
    assert two.flush()
    assert two.trouble is None
    assert two.keep([roll(9)], 2.0)
    assert list(two.resumable()) == [OTHER, roll(8), roll(9)]
    assert rows(path) == [START, roll(1), OTHER, roll(8), roll(9)]
    with sqlite3.connect(path) as connection:
        games = connection.execute("SELECT game FROM records").fetchall()
    assert games == [(1,), (1,), (3,), (3,), (3,)]


def test_a_second_companion_keeps_its_game_if_it_ends_after_the_first_one(path: Path) -> None:
    one, two = Journal(path), Journal(path)
    two.keep([OTHER], 0.0)
    one.close()
    two.close()
    assert rows(path) == [OTHER]


def test_a_second_companion_without_a_game_knows_that_of_the_first_when_it_ends(
    path: Path,
) -> None:
    quiet, loud = {"kind": "settings", "volume": 0}, {"kind": "settings", "volume": 3}
    keep(path, quiet)
    one, two = Journal(path), Journal(path)
    assert list(two.resumable()) == [quiet]  # it speaks the same language
    one.keep([loud, START, roll(1)], 0.0)
    one.close()
    assert two.flush()
    assert list(two.resumable()) == [loud, START, roll(1)]
    assert two.keep([roll(2)], 1.0)
    assert after_a_kill(path) == [loud, START, roll(1), roll(2)]


def test_a_companion_in_trouble_does_not_leave_its_file_to_another(path: Path) -> None:
    """What it holds in memory goes on with a game that another would go on with, too."""
    disk = Disk()
    one = Journal(path, open_with=disk)
    one.keep([START], 0.0)

    def broken(sql: str) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    disk.fail = broken
    assert not one.keep([roll(1)], 1.0)
    assert "another companion" in str(Journal(path).trouble)


def failing(fault: Exception) -> Callable[[str], None]:
    def fail(sql: str) -> None:
        raise fault

    return fail


def io_error() -> sqlite3.OperationalError:
    fault = sqlite3.OperationalError("disk I/O error")
    fault.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
    return fault


@pytest.mark.parametrize("fault", [io_error(), OSError(errno.EIO, "Input/output error")])
def test_a_failing_disk_is_let_go_of_so_that_it_can_be_taken_out(
    path: Path, fault: Exception
) -> None:
    disk = Disk()
    one = Journal(path, open_with=disk)
    one.keep([START], 0.0)
    disk.fail = failing(fault)
    assert not one.keep([roll(1)], 1.0)
    held = [os.readlink(file) for file in Path("/proc/self/fd").iterdir() if file.is_symlink()]
    assert not any(str(path.parent) in file for file in held)
    disk.fail = lambda _: None
    assert one.flush()
    assert "another companion" in str(Journal(path).trouble)
    assert after_a_kill(path) == [START, roll(1)]


def test_a_full_disk_is_not_left_to_another(path: Path) -> None:
    disk = Disk()
    one = Journal(path, open_with=disk, free=lambda _: 0)
    disk.fail = failing(io_error())
    assert not one.keep([START], 1.0)
    assert "full" in str(one.trouble)
    assert "another companion" in str(Journal(path).trouble)


@pytest.mark.parametrize("gone", ["folder", "lock"])
def test_another_disk_at_the_same_place_is_held_too(path: Path, gone: str) -> None:
    disk = Disk()
    one = Journal(path, open_with=disk)
    one.keep([START], 0.0)
    disk.fail = failing(sqlite3.OperationalError("no such device"))
    assert not one.keep([roll(1)], 1.0)
    if gone == "folder":
        path.parent.rename(path.parent.with_name("away"))
    else:
        path.with_name("games.db.lock").unlink()
    other = Journal(path)
    assert other.trouble is None
    disk.fail = lambda _: None
    assert not one.flush()
    assert "another companion" in str(one.trouble)
    other.close()
    assert one.flush()
    assert "another companion" in str(Journal(path).trouble)


@pytest.mark.parametrize("other", [(), (OTHER, roll(8)), (OTHER, roll(8), OTHER, roll(9))])
def test_a_game_goes_whole_to_another_disk_at_the_same_place(
    path: Path, other: tuple[RecordData, ...]
) -> None:
    """What was there stays as it was, and neither goes on with the other's game."""
    quiet = {"kind": "settings", "volume": 0}
    disk = Disk()
    one = Journal(path, open_with=disk)
    one.keep([quiet, START, roll(1)], 0.0)
    disk.fail = failing(io_error())
    assert not one.keep([roll(2)], 1.0)
    path.parent.rename(path.parent.with_name("away"))
    keep(path, *other)
    disk.fail = lambda _: None
    assert one.keep([roll(3)], 2.0)
    assert rows(path) == [*other, quiet, START, roll(1), roll(2), roll(3)]
    assert after_a_kill(path) == [quiet, START, roll(1), roll(2), roll(3)]
    with sqlite3.connect(path) as connection:
        games = connection.execute("SELECT DISTINCT game FROM records WHERE id > ?", (len(other),))
        assert games.fetchall() == [(None,), (len(other) + 2,)]


def test_a_game_that_another_companion_began_meanwhile_stays_as_it_was(path: Path) -> None:
    disk = Disk()
    one = Journal(path, open_with=disk)
    one.keep([START, roll(1)], 0.0)
    disk.fail = failing(io_error())
    assert not one.keep([roll(2)], 1.0)
    keep(path, OTHER, roll(8))
    disk.fail = lambda _: None
    assert one.flush()
    assert rows(path) == [START, roll(1), OTHER, roll(8), START, roll(1), roll(2)]


def test_only_who_may_write_can_hold_a_file(path: Path) -> None:
    journal = Journal(path)
    assert journal._lock is not None
    assert fcntl.fcntl(journal._lock, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDWR
    assert path.with_name("games.db.lock").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES])
def test_the_game_is_resumed_where_the_lock_cannot_be_opened(
    path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(path, START, roll(1))

    def closed(*args: Any) -> int:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr("companion.journal.os.open", closed)
        journal = Journal(path)
    assert "read-only" in str(journal.trouble)
    assert list(journal.resumable()) == [START, roll(1)]
    assert journal.keep([roll(2)], 1.0)
    assert rows(path) == [START, roll(1), roll(2)]


def test_a_killed_companion_no_longer_holds_its_file(path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from companion.journal import Journal;"
        "journal = Journal(Path(sys.argv[1])); print(journal.trouble, flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holding:
        assert holding.stdout is not None
        assert holding.stdout.readline() == b"None\n"
        waiting = Journal(path)
        assert "another companion" in str(waiting.trouble)
        holding.kill()
        holding.wait()
        assert waiting.flush()


def test_the_game_is_resumed_where_nothing_can_be_made_to_hold_the_file_by(path: Path) -> None:
    keep(path, START, roll(1))
    lock = path.with_name("games.db.lock")
    lock.unlink()
    lock.mkdir()
    journal = Journal(path)
    assert "games cannot be kept" in str(journal.trouble)
    assert list(journal.resumable()) == [START, roll(1)]
    assert not journal.keep([roll(2)], 1.0)
    lock.rmdir()
    assert journal.flush()
    assert rows(path) == [START, roll(1), roll(2)]


# -- a disk that comes back ------------------------------------------------------------------


def test_a_game_begun_without_any_file_is_written_when_one_can_be_made(tmp_path: Path) -> None:
    blocked = tmp_path / "state"
    blocked.write_text("not a folder")
    journal = Journal(blocked / "games.db")
    assert journal.trouble is not None
    assert not journal.keep([START, roll(1)], 0.0)
    blocked.unlink()
    assert journal.keep([roll(2)], 1.0)
    assert after_a_kill(blocked / "games.db") == [START, roll(1), roll(2)]


def test_games_kept_earlier_survive_a_game_begun_while_the_file_was_away(path: Path) -> None:
    keep(path, START, roll(1))
    away = path.parent.rename(path.parent.with_name("away"))
    path.parent.write_text("in the way")
    journal = Journal(path)
    journal.keep([{**START, "names": {}}], 1.0)
    path.parent.unlink()
    away.rename(path.parent)
    assert journal.flush()
    assert rows(path) == [START, roll(1), {**START, "names": {}}]
    assert after_a_kill(path) == [{**START, "names": {}}]


def test_a_commit_that_reached_the_disk_but_failed_is_not_doubled(path: Path) -> None:
    disk = Disk()
    journal = Journal(path, open_with=disk)
    journal.keep([START], 0.0)

    def too_late(sql: str) -> None:
        if sql == "COMMIT":
            disk.late = lambda _: None
            raise sqlite3.OperationalError("disk I/O error")

    disk.late = too_late
    assert not journal.keep([roll(1)], 1.0)
    assert journal.keep([roll(2)], 2.0)
    assert rows(path) == [START, roll(1), roll(2)]


def test_two_games_whose_commit_failed_are_both_written_later(path: Path) -> None:
    disk = Disk()
    journal = Journal(path, open_with=disk)
    journal.keep([START], 0.0)

    def no_commit(sql: str) -> None:
        if sql == "COMMIT":
            raise io_error()

    disk.fail = no_commit
    assert not journal.keep([roll(1)], 1.0)
    assert not journal.keep([OTHER, roll(8)], 1.0)
    disk.fail = lambda _: None
    assert journal.flush()
    assert rows(path) == [START, roll(1), OTHER, roll(8)]
    with sqlite3.connect(path) as connection:
        games = connection.execute("SELECT game FROM records").fetchall()
    assert games == [(1,), (1,), (3,), (3,)]


# -- a damaged file ------------------------------------------------------------------------


def damaged(path: Path) -> Path:
    return next(path.parent.glob("games.db.damaged-*[0-9x]"))


def test_a_damaged_file_is_set_aside_and_a_new_one_begun(path: Path) -> None:
    journal = Journal(path)
    journal.keep([START, roll(1)], 0.0)
    journal.close()
    garbage = b"this was a journal once" * 400
    path.write_bytes(garbage)
    journal = Journal(path)
    assert "damaged" in str(journal.trouble)
    assert damaged(path).read_bytes() == garbage
    assert journal.keep([START], 1.0)
    assert journal.trouble is None
    assert after_a_kill(path) == [START]


def test_the_game_is_rescued_from_a_file_damaged_elsewhere(path: Path) -> None:
    journal = Journal(path)
    journal.note({"event": "x" * 600}, 0.0)
    journal.keep([START, roll(1)], 0.0)
    journal.close()
    data = bytearray(path.read_bytes())
    place = data.rfind(b"x" * 500)
    page = place // PAGE * PAGE
    data[page : page + 64] = bytes(64)
    path.write_bytes(data)
    journal = Journal(path)
    assert "damaged" in str(journal.trouble)
    assert list(journal.resumable()) == [START, roll(1)]
    assert rows(path) == [START, roll(1)]


@pytest.mark.parametrize("text", ['{"kind":"ro', '["roll"]', "\x00\x00"])
def test_a_game_with_a_record_that_cannot_be_read_goes_on_from_before_it(
    path: Path, text: str
) -> None:
    """SQLite sees nothing wrong with such a file: the pages are whole, what is in them is not."""
    journal = Journal(path)
    aside = {"kind": "aside", "place": "7", "aside": True}
    journal.keep([START, roll(1), roll(2), roll(3), aside], 0.0)
    journal.close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE records SET record = ? WHERE id = 3", (text,))
    journal = Journal(path)
    assert "damaged" in str(journal.trouble)
    assert damaged(path).exists()
    assert list(journal.resumable()) == [aside, START, roll(1)]
    assert journal.keep([roll(4)], 1.0)
    assert after_a_kill(path) == [aside, START, roll(1), roll(4)]


def flip(path: Path, text: bytes) -> None:
    """Turn over the highest bit of a text's first letter: what is left is no text."""
    data = bytearray(path.read_bytes())
    assert data.count(text) == 1
    data[data.index(text)] ^= 0x80
    path.write_bytes(data)


def test_a_flipped_bit_in_a_record_is_damage_and_the_game_goes_on_from_before_it(
    path: Path,
) -> None:
    journal = Journal(path)
    journal.keep([START, roll(1), {**roll(2), "note": "flip"}, roll(3)], 0.0)
    journal.close()
    flip(path, b"flip")
    journal = Journal(path)
    assert "damaged" in str(journal.trouble)
    assert list(journal.resumable()) == [START, roll(1)]
    assert journal.keep([roll(4)], 1.0)
    assert journal.trouble is None


def test_a_flipped_bit_in_a_name_costs_a_letter(path: Path) -> None:
    journal = Journal(path)
    journal.keep([START, roll(1)], 0.0)
    journal.close()
    flip(path, b"Ada")
    journal = Journal(path)
    assert journal.trouble is None
    assert list(journal.resumable()) == [{**START, "names": {"yellow": "\ufffdda"}}, roll(1)]


def test_a_file_damaged_while_playing_costs_nothing_of_the_game(path: Path) -> None:
    disk = Disk()
    journal = Journal(path, open_with=disk)
    journal.keep([START, roll(1)], 0.0)

    def malformed(sql: str) -> None:
        if sql == "BEGIN IMMEDIATE":
            disk.fail = lambda _: None
            fault = sqlite3.DatabaseError("database disk image is malformed")
            fault.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise fault

    disk.fail = malformed
    assert journal.keep([roll(2)], 1.0)
    assert "damaged" in str(journal.trouble)
    assert damaged(path).exists()
    assert after_a_kill(path) == [START, roll(1), roll(2)]


def flip_in_index(path: Path, name: str) -> None:
    """Turn over a bit in the last entry of an index: the game or kind that is written there."""
    with sqlite3.connect(path) as connection:
        ((page,),) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name=?", (name,))
        ((size,),) = connection.execute("PRAGMA page_size")
    data = bytearray(path.read_bytes())
    start = (page - 1) * size
    entry = start + int.from_bytes(data[start + 5 : start + 7])
    data[entry + 1 + data[entry + 1]] ^= 0x40
    path.write_bytes(data)


@pytest.mark.parametrize("index", ["records_of_game", "records_that_last"])
def test_a_flipped_bit_in_an_index_costs_nothing(
    path: Path, index: str, caplog: pytest.LogCaptureFixture
) -> None:
    quiet = {"kind": "settings", "volume": 0}
    keep(path, quiet, START, *map(roll, range(9)), OTHER, roll(1))
    flip_in_index(path, index)
    journal = Journal(path)
    assert journal.trouble is None
    assert list(journal.resumable()) == [quiet, OTHER, roll(1)]
    assert [index in line for line in caplog.messages] == [True]
    assert journal.keep([START, roll(2)], 1.0)
    journal.close()
    assert after_a_kill(path) == [quiet, START, roll(2)]
    assert len(caplog.messages) == 1
    assert list(path.parent.glob("*.damaged-*")) == []


@pytest.mark.parametrize("change", ["game = 'x'", "game = 1000000", "kind = 'stbrt'"])
def test_a_changed_field_of_an_old_game_hides_no_later_one(path: Path, change: str) -> None:
    keep(path, START, roll(1))
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE records SET {change} WHERE id = 1")
    keep(path, OTHER, roll(2))
    assert after_a_kill(path) == [OTHER, roll(2)]


@pytest.mark.parametrize("row", [1, 2, 3])
@pytest.mark.parametrize("change", ["game = 'x'", "game = 1000000", "kind = 'x'"])
def test_a_game_goes_on_though_a_field_beside_its_records_has_changed(
    path: Path, row: int, change: str
) -> None:
    keep(path, START, roll(1), OTHER, roll(2), roll(3))
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE records SET {change} WHERE id = 2 + ?", (row,))
    journal = Journal(path)
    assert list(journal.resumable()) == [OTHER, roll(2), roll(3)]
    assert journal.keep([roll(4)], 1.0)
    assert after_a_kill(path) == [OTHER, roll(2), roll(3), roll(4)]


def test_a_game_is_rescued_whatever_became_of_the_indexes(path: Path) -> None:
    """The file is damaged elsewhere too, or they were only built again."""
    aside = {"kind": "aside", "place": "7", "aside": True}
    journal = Journal(path)
    journal.note({"event": "x" * 600}, 0.0)
    journal.keep([aside, START, roll(1), OTHER, roll(2)], 0.0)
    journal.close()
    for index in ("records_of_game", "records_that_last"):
        flip_in_index(path, index)
    data = bytearray(path.read_bytes())
    page = data.rfind(b"x" * 500) // PAGE * PAGE
    data[page : page + 64] = bytes(64)
    path.write_bytes(data)
    journal = Journal(path)
    assert "damaged" in str(journal.trouble)
    assert list(journal.resumable()) == [aside, OTHER, roll(2)]


@pytest.mark.parametrize("bit", [0x04, 0x80])
@pytest.mark.parametrize("text", [b"NULL", b"id INTEGER", b"INTEGER", b"PRIMARY", b"events"])
def test_a_flipped_bit_in_the_layout_is_damage(path: Path, text: bytes, bit: int) -> None:
    """What SQLite says of it may be no text, and a file that nobody can open stops no box."""
    keep(path, START, roll(1))
    data = bytearray(path.read_bytes())
    data[data.index(text)] ^= bit
    path.write_bytes(data)
    journal = Journal(path)
    assert "damaged" in str(journal.trouble)
    assert damaged(path).read_bytes() == data
    assert journal.keep([OTHER], 1.0)
    assert after_a_kill(path) == [OTHER]


def test_a_file_that_names_a_format_of_the_future_is_damage(path: Path) -> None:
    """SQLite would read it, and never write to it."""
    keep(path, START, roll(1))
    data = bytearray(path.read_bytes())
    data[18] ^= 0x08
    path.write_bytes(data)
    journal = Journal(path)
    assert list(journal.resumable()) == [START, roll(1)]
    assert journal.keep([roll(2)], 1.0)
    assert "damaged" in str(journal.trouble)
    assert after_a_kill(path) == [START, roll(1), roll(2)]


@pytest.mark.parametrize("bit", range(32))
def test_a_flipped_bit_in_the_layouts_version_is_said(path: Path, bit: int) -> None:
    keep(path, START)
    with sqlite3.connect(path) as connection:
        version = (VERSION ^ 1 << bit) - (1 << 32) * (bit == 31)
        connection.execute(f"PRAGMA user_version={version}")
    journal = Journal(path)
    assert ("update" if bit < 8 and version > VERSION else "damaged") in str(journal.trouble)


def test_a_disk_that_takes_nothing_with_a_flipped_bit_in_the_layout_stops_no_box(
    path: Path,
) -> None:
    keep(path, START, roll(1))
    data = bytearray(path.read_bytes())
    data[data.index(b"NULL")] ^= 0x80
    path.write_bytes(data)
    journal = Journal(path, open_with=unwritable)
    assert journal.trouble is not None
    assert list(journal.resumable()) == []


@pytest.mark.parametrize("seed", range(100))
def test_a_flipped_bit_anywhere_hides_no_later_game(seed: int, path: Path) -> None:
    keep(path, {"kind": "settings", "volume": 0}, START, *map(roll, range(20)))
    keep(path, START, *map(roll, range(20)))
    data, rng = bytearray(path.read_bytes()), Random(seed)
    # most of it in what SQLite reads first: the header, the layout, the beginnings of pages
    place = rng.randrange(len(data)) if seed % 2 else rng.randrange(len(data) // PAGE) * PAGE
    data[min(place + rng.randrange(100) * (1 - seed % 2), len(data) - 1)] ^= 1 << rng.randrange(8)
    path.write_bytes(data)
    journal = Journal(path)
    kept = journal.keep([OTHER, roll(1)], 1.0)
    assert kept or journal.trouble is not None
    journal.close()
    journal = Journal(path)
    assert list(journal.resumable())[-2:] == [OTHER, roll(1)] or journal.trouble is not None
    journal.close()


# -- layouts -------------------------------------------------------------------------------


def test_an_older_file_is_brought_up_to_date_with_its_games(path: Path) -> None:
    journal = Journal(path)
    journal.keep([START, roll(1)], 0.0)
    journal.close()
    with sqlite3.connect(path) as connection:
        connection.executescript("DROP TABLE events; PRAGMA user_version=1")
    journal = Journal(path)
    journal.note({"event": "Tick"}, 0.0)
    assert journal.keep([roll(2)], 1.0)
    assert after_a_kill(path) == [START, roll(1), roll(2)]


def test_a_file_of_a_later_companion_is_left_alone(path: Path) -> None:
    journal = Journal(path)
    journal.keep([START], 0.0)
    journal.close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version={VERSION + 1}")
    journal = Journal(path)
    assert "update" in str(journal.trouble)
    assert not journal.keep([roll(1)], 1.0)
    assert rows(path) == [START]
    assert list(path.parent.glob("*.damaged-*")) == []


def test_only_the_latest_events_are_kept(path: Path) -> None:
    journal = Journal(path)
    for number in range(EVENTS + 500):
        journal.note({"event": "Tick", "number": number}, 0.0)
        if number % 1000 == 0:
            journal.flush()
    journal.flush()
    journal.close()
    with sqlite3.connect(path) as connection:
        found = [json.loads(e)["number"] for (e,) in connection.execute("SELECT event FROM events")]
    assert found == list(range(500, EVENTS + 500))


# -- deleting a game -------------------------------------------------------------------------------


def a_game(name: str) -> list[RecordData]:
    return [{**START, "names": {"yellow": name}}, roll(1), roll(2)]


def test_a_deleted_game_leaves_nothing_in_the_file_and_the_others_alone(path: Path) -> None:
    journal = Journal(path)
    journal.keep(a_game("Ada"), 1.0)
    journal.note({"at": 2.0, "event": "command", "args": {"names": {"yellow": "Berta"}}}, 2.0)
    journal.keep([*a_game("Berta"), {"kind": "settings", "sound": "off"}], 3.0)
    journal.keep(a_game("Clara"), 4.0)
    journal.note({"at": 5.0, "event": "tick"}, 5.0)
    assert journal.delete(4)
    assert b"Berta" not in b"".join(one.read_bytes() for one in path.parent.iterdir())
    journal.keep([roll(3)], 6.0)
    journal.close()
    with sqlite3.connect(path) as connection:
        games = connection.execute("SELECT DISTINCT game FROM records ORDER BY game").fetchall()
        events = connection.execute("SELECT count(*) FROM events").fetchone()
    assert (games, events) == ([(None,), (1,), (8,)], (1,))
    again = Journal(path)  # the game goes on, and what was set holds
    kept = [{"kind": "settings", "sound": "off"}, *a_game("Clara"), roll(3)]
    assert (list(again.resumable()), again.trouble) == (kept, None)
    again.close()


def test_the_game_on_the_table_is_not_deleted(path: Path) -> None:
    journal = Journal(path)
    journal.keep(a_game("Ada"), 1.0)
    with pytest.raises(UnderWayError):
        journal.delete(1)
    assert (len(rows(path)), journal.trouble) == (3, None)
    journal.close()


def test_the_last_number_of_a_deleted_game_is_not_given_under_the_same_name(path: Path) -> None:
    """Nobody goes on with games from elsewhere: the latest of them is deleted as well."""
    journal = Journal(path)
    journal.keep(a_game("Ada"), 1.0)
    first = journal.id
    journal.keep(a_game("Berta"), 2.0)
    assert journal.delete(4, latest=True)
    journal.keep(a_game("Clara"), 3.0)
    assert journal.id != first
    journal.close()
    again = Journal(path)
    assert list(again.resumable()) == a_game("Clara")
    again.close()
    assert len(rows(path)) == 6


def test_a_disk_that_takes_nothing_deletes_nothing(path: Path) -> None:
    keep(path, *a_game("Ada"))
    keep(path, *a_game("Berta"))
    disk = Disk()
    journal = Journal(path, open_with=disk)

    def full(sql: str) -> None:
        if sql.startswith("DELETE FROM records"):
            raise sqlite3.OperationalError("database or disk is full")

    disk.fail = full
    assert not journal.delete(1)
    disk.fail = lambda _: None
    assert journal.delete(1)
    journal.close()
    assert rows(path) == a_game("Berta")

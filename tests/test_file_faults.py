"""What people and cards do to the journal's files while it is in use: nothing is lost unsaid.

`FAULTS` says how often each fault strikes; `make soak` does it 200 times.
"""

import asyncio
import contextlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.database_files import finish
from companion.events import Command, RecordData
from companion.journal import PAGE, Journal
from companion.wal import FRAME, HEADER
from tests.daemon.test_daemon import table
from tests.picos import until
from tests.test_journal import OTHER, START, Disk, after_a_kill, keep, roll, rows

TIMES = int(os.environ.get("FAULTS", "3"))
QUIET: RecordData = {"kind": "settings", "volume": 0}
ENDS = ("", "-wal", "-shm")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "games.db"


def beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def each(act: Callable[[Path], object], *ends: str) -> Callable[[Path], None]:
    def fault(path: Path) -> None:
        for end in ends:
            if beside(path, end).exists():
                act(beside(path, end))

    return fault


def move(file: Path) -> None:
    away = file.parent / "elsewhere"
    away.mkdir(exist_ok=True)
    file.rename(away / file.name)


def empty(file: Path) -> None:
    os.truncate(file, 0)


def shorten(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def copy_over(file: Path) -> None:
    """As editors and `sed -i` do: a copy takes the file's place."""
    copy = file.with_name("copy")
    shutil.copy(file, copy)
    copy.rename(file)


def restore_another(file: Path) -> None:
    """Somebody puts back a file of last week."""
    week = file.with_name("week.db")
    journal = Journal(week)
    journal.keep([OTHER, roll(7)], 0.0)
    journal.close()
    beside(week, ".lock").unlink()
    week.rename(file)


FAULTS: dict[str, Callable[[Path], object]] = {
    "deleted": each(Path.unlink, ""),
    "deleted-with-its-log": each(Path.unlink, *ENDS),
    "moved": each(move, ""),
    "moved-with-its-log": each(move, *ENDS),
    "emptied": each(empty, ""),
    "shortened": each(shorten, ""),
    "emptied-with-its-log": each(empty, "", "-wal"),
    "replaced-by-its-copy": each(copy_over, ""),
    "replaced-by-another": each(restore_another, ""),
    "log-deleted": each(Path.unlink, "-wal"),
    "log-moved": each(move, "-wal"),
    "log-emptied": each(empty, "-wal"),
    "log-shortened": each(shorten, "-wal"),
    "log-replaced": each(copy_over, "-wal"),
    "folder-removed": lambda path: shutil.rmtree(path.parent),
    "folder-moved": lambda path: path.parent.rename(path.parent.with_name("away")),
}
MAY_COST_EARLIER_GAMES = {"emptied", "shortened", "emptied-with-its-log", "log-shortened"}


class Table:
    """Plays on one journal, and hears what it says."""

    def __init__(self, path: Path, open_with: Any = None) -> None:
        self.journal = Journal(path) if open_with is None else Journal(path, open_with=open_with)
        self.kept: list[RecordData] = []
        self.said: list[str] = []
        self.number = 0

    def keep(self, *records: RecordData) -> None:
        """Everything that is told has to be safe."""
        assert self.journal.keep(records, float(self.number)), self.journal.trouble
        self.kept += records
        self.hear()

    def hear(self) -> None:
        if self.journal.trouble is not None:
            self.said.append(self.journal.trouble)

    def play(self, turns: int) -> None:
        for _ in range(turns):
            self.number += 1
            self.keep(roll(self.number), {"kind": "move", "move": f"yellow {self.number}"})


@pytest.mark.parametrize("seed", range(TIMES))
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_the_files_costs_nothing_of_the_game_and_is_said(
    path: Path, name: str, seed: int
) -> None:
    rng = Random(f"{name} {seed}")
    table = Table(path)
    table.keep(QUIET, OTHER, roll(99))
    if rng.random() < 0.5:
        table.journal.rest()
    table.keep(START)
    table.play(rng.randint(1, 60))
    if rng.random() < 0.3:
        table.journal.rest()
    FAULTS[name](path)
    if rng.random() < 0.5:
        assert table.journal.flush()
        table.hear()
    table.play(rng.randint(1, 4))
    game = [QUIET, START, *table.kept[4:]]
    assert after_a_kill(path) == game
    assert name.startswith("log") or table.said, "nobody was told"
    if name not in MAY_COST_EARLIER_GAMES:
        known = rows(path) + [one for file in path.parent.glob("*.was-*") for one in rows(file)]
        assert known.count(OTHER) >= 1
        assert known.count(roll(99)) >= 1
    table.play(2)
    assert table.journal.trouble is None
    table.journal.close()
    assert after_a_kill(path)[-4:] == table.kept[-4:]


@pytest.mark.parametrize("statement", ["BEGIN IMMEDIATE", "COMMIT"])
@pytest.mark.parametrize("when", ["fail", "late"])
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_the_middle_of_a_commit_costs_nothing(
    path: Path, name: str, when: str, statement: str
) -> None:
    disk = Disk()
    table = Table(path, disk)
    table.keep(QUIET, START)
    table.play(5)

    def strike(sql: str) -> None:
        if sql == statement:
            disk.fail = disk.late = lambda _: None
            FAULTS[name](path)

    setattr(disk, when, strike)
    table.play(1)
    table.play(1)
    assert after_a_kill(path) == table.kept


@pytest.mark.parametrize("name", ["deleted", "emptied", "folder-removed", "moved"])
def test_a_fault_is_noticed_though_nothing_is_kept(path: Path, name: str) -> None:
    table = Table(path)
    table.keep(START)
    table.play(3)
    FAULTS[name](path)
    assert table.journal.flush()
    assert str(path) in str(table.journal.trouble)
    assert after_a_kill(path) == table.kept


def test_a_file_that_cannot_be_written_again_is_said_until_it_can(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    table = Table(folder / "games.db")
    table.keep(START)
    shutil.rmtree(folder)
    folder.write_text("in the way")
    assert not table.journal.keep([roll(1)], 1.0)
    assert table.journal.trouble is not None
    assert list(table.journal.resumable()) == [START, roll(1)]
    folder.unlink()
    assert table.journal.flush()
    assert after_a_kill(folder / "games.db") == [START, roll(1)]


@pytest.mark.parametrize("name", ["deleted", "emptied", "folder-removed", "log-deleted"])
def test_players_see_what_became_of_the_file_while_nobody_moves(tmp_path: Path, name: str) -> None:
    path = tmp_path / "state" / "games.db"

    async def go() -> list[RecordData]:
        async with table(path) as one:
            await one.begin()
            await one.play(3)
            before = len(one.views)
            FAULTS[name](path)
            await until(lambda: any("journal" in view.missing for view in one.views[before:]))
            await until(lambda: "journal" not in one.view.missing)
            assert after_a_kill(path) == list(one.journal.resumable())
            await one.play(2)
            return list(one.journal.resumable())

    kept = asyncio.run(go())
    assert after_a_kill(path) == kept


def test_a_game_that_is_over_needs_no_log(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    async def go() -> None:
        async with table(path) as one:
            await one.begin()
            await one.play(3)
            assert beside(path, "-wal").stat().st_size
            one.daemon.post(Command("end_game"))
            await one.phase("over", "idle")
            await until(lambda: not beside(path, "-wal").stat().st_size)

    asyncio.run(go())


# -- a damaged log ---------------------------------------------------------------------------


def killed(path: Path, turns: int, *, rest: bool = False) -> list[RecordData]:
    """Files as a killed companion leaves them, its game in the log; what it had kept."""
    table = Table(path)
    table.keep(QUIET, OTHER, START)
    if rest:
        table.journal.rest()
    table.play(turns)
    copies = {end: beside(path, end).read_bytes() for end in ("", "-wal")}
    table.journal.close()
    for end, data in copies.items():
        beside(path, end).write_bytes(data)
    return [QUIET, *table.kept[2:]]


def harm(log: Path, rng: Random) -> None:
    """Turn over a bit, or blot out a sector, anywhere before the last frame.

    What is left of that one looks as a power cut leaves it: nobody was told of it yet.
    """
    data = bytearray(log.read_bytes())
    place = rng.randrange(len(data) - PAGE - FRAME - 512)
    if rng.random() < 0.5:
        data[place] ^= 1 << rng.randrange(8)
    else:
        data[place : place + 512] = bytes(512)
    log.write_bytes(data)


@pytest.mark.parametrize("seed", range(TIMES * 5))
def test_a_damaged_log_is_mended_and_kept(
    path: Path, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    rng = Random(f"log {seed}")
    game = killed(path, rng.randint(3, 60), rest=rng.random() < 0.5)
    log = beside(path, "-wal")
    harm(log, rng)
    harmed = log.read_bytes()
    journal = Journal(path)
    found = list(journal.resumable())
    assert found == game[: len(found)]
    if found != game:
        assert caplog.messages
        assert "damaged" in str(journal.trouble) or "torn" in caplog.messages[0]
    if caplog.messages:
        kept = [*path.parent.glob("games.db.damaged-*-wal"), *path.parent.glob("*.torn-wal")]
        assert [file.read_bytes() for file in kept] == [harmed]
    assert journal.keep([OTHER, roll(1)], 1.0)
    journal.close()
    assert after_a_kill(path)[-2:] == [OTHER, roll(1)]


def test_most_damaged_logs_cost_nothing(path: Path) -> None:
    """A page is written again with every record: a damaged one is mended from its next writing."""
    whole = 0
    for seed in range(40):
        for file in path.parent.glob("*"):
            file.unlink()
        game = killed(path, 40)
        harm(beside(path, "-wal"), Random(seed))
        journal = Journal(path)
        whole += list(journal.resumable()) == game
        journal.close()
    assert whole >= 30


def test_a_sound_log_is_taken_as_it_is(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    game = killed(path, 12)
    journal = Journal(path)
    assert list(journal.resumable()) == game
    assert journal.trouble is None
    assert caplog.messages == []
    assert sorted(file.name for file in path.parent.iterdir()) == [
        "games.db",
        "games.db-shm",
        "games.db-wal",
        "games.db.lock",
    ]


def test_an_older_log_behind_the_valid_end_is_no_damage(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A log is written again from its beginning; what lies behind is of the time before."""
    table = Table(path)
    table.keep(START)
    table.play(40)
    connection = table.journal._connection
    assert connection.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()[0] == 0
    table.play(2)
    copies = {end: beside(path, end).read_bytes() for end in ("", "-wal")}
    assert len(copies["-wal"]) > HEADER + 40 * PAGE
    table.journal.close()
    for end, data in copies.items():
        beside(path, end).write_bytes(data)
    journal = Journal(path)
    assert list(journal.resumable()) == table.kept
    assert caplog.messages == []


def test_a_game_at_rest_needs_no_log(path: Path) -> None:
    table = Table(path)
    table.keep(START)
    table.play(9)
    assert table.journal.rest()
    assert beside(path, "-wal").stat().st_size == 0
    alone = path.parent / "alone.db"
    shutil.copy(path, alone)
    assert rows(alone) == table.kept


# -- kills while files are set aside -----------------------------------------------------------


class KilledError(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("step", range(12))
@pytest.mark.parametrize("way", ["file", "log"])
def test_a_kill_while_a_damaged_file_is_set_aside_costs_nothing(
    path: Path, step: int, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = killed(path, 30)
    if way == "file":
        data = bytearray(path.read_bytes())
        data[100:200] = bytes(100)
        path.write_bytes(data)
    else:
        log = beside(path, "-wal")
        data = bytearray(log.read_bytes())
        data[HEADER + FRAME + PAGE // 2] ^= 1  # in the first frame, whose page came again
        log.write_bytes(data)
    left = [step]

    def deadly(act: Any) -> Any:
        def doing(*args: Any, **more: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                raise KilledError
            return act(*args, **more)

        return doing

    with monkeypatch.context() as patched:
        for name in ("rename", "link", "unlink", "replace", "fsync"):
            patched.setattr(f"companion.database_files.os.{name}", deadly(getattr(os, name)))
        with contextlib.suppress(KilledError):
            Journal(path).close()
    journal = Journal(path)
    assert list(journal.resumable()) == game
    assert journal.keep([roll(1)], 1.0)
    journal.close()
    assert after_a_kill(path) == [*game, roll(1)]


def test_what_takes_the_place_finds_no_log_of_the_one_before(path: Path) -> None:
    path.parent.mkdir()
    for end in ("", "-wal", "-shm", "-journal", ".new"):
        beside(path, end).write_text(end)
    finish(path)
    assert path.read_text() == ".new"
    assert list(path.parent.iterdir()) == [path]


def blot_out(log: Path) -> None:
    log.write_bytes(bytes(log.stat().st_size))


def cut_the_beginning_off(log: Path) -> None:
    log.write_bytes(log.read_bytes()[100:])


@pytest.mark.parametrize("harm", [blot_out, cut_the_beginning_off])
@pytest.mark.parametrize("rest", [False, True])
def test_a_log_of_which_nothing_can_be_read_is_kept_and_said(
    path: Path, harm: Callable[[Path], None], rest: bool
) -> None:
    game = killed(path, 40, rest=rest)
    log = beside(path, "-wal")
    harm(log)
    harmed = log.read_bytes()
    journal = Journal(path)
    found = list(journal.resumable())
    assert found == game[: len(found)]
    assert found == game or "missing" in str(journal.trouble)
    kept = [*path.parent.glob("games.db.damaged-*-wal"), *path.parent.glob("*.torn-wal")]
    assert [file.read_bytes() for file in kept] == [harmed]
    assert journal.keep([OTHER, roll(1)], 1.0)
    journal.close()
    assert after_a_kill(path)[-2:] == [OTHER, roll(1)]


def link_to_itself(place: Path) -> None:
    place.symlink_to(place.name)


def link_to_zeros(place: Path) -> None:
    place.symlink_to("/dev/zero")


ODD: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "loop": link_to_itself,
    "zeros": link_to_zeros,
    "folder": Path.mkdir,
}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("end", ["", "-wal", "-journal", ".new"])
def test_what_is_no_file_is_said_and_stops_no_box(path: Path, end: str, odd: str) -> None:
    """Whoever opens a pipe would wait for ever, and `/dev/zero` has no end."""
    keep(path, OTHER, roll(2))
    place = beside(path, end)
    away = path.with_name("away")
    if not end:
        path.rename(away)
    ODD[odd](place)
    journal = Journal(path)
    assert not journal.keep([START, roll(1)], 1.0)
    assert "games cannot be kept" in str(journal.trouble)
    (place.rmdir if odd == "folder" else place.unlink)()
    if not end:
        away.rename(path)
    assert journal.flush()
    assert journal.trouble is None
    journal.close()
    assert rows(path) == [OTHER, roll(2), START, roll(1)]

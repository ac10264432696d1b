"""The journal: every accepted event is safe on disk before the table is told; resume is replay.

One SQLite file. A write-ahead log with `synchronous=EXTRA` is flushed at every commit, so that
a power cut costs nothing that was told. Trouble with the disk never stops a game: what cannot be
written is held in memory and written as soon as the disk takes it again. Only one companion at a
time goes on with the game in a file: it holds a lock beside it, which goes when its process does.
"""

import contextlib
import errno
import fcntl
import itertools
import json
import logging
import os
import shutil
import sqlite3
import sys
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any, NamedTuple

from companion import SERVICE, wal
from companion.database_files import (
    LOG,
    NoFileError,
    Watch,
    beside,
    finish,
    free_name,
    make_ready,
    must_be_files,
    scratch,
    set_aside,
)
from companion.events import RecordData
from companion.game_numbers import note_deleted
from companion.journal_ids import (
    TABLES,
    JournalId,
    RecordName,
    begin_id,
    first_names,
    give_id,
    ids_of,
    keep_first_names,
    make_tables,
    name_of,
    new_id,
)

Connect = Callable[[Path], Any]
"""Opens a database for writing; the result executes statements as `sqlite3` does."""

FILE = "games.db"
SYSTEM = Path("/var/lib") / SERVICE / FILE
"""Where the service keeps its games."""

EVENTS = 4000
"""How many of the latest events are kept for bug reports."""

BATCH = 128
"""How many events are written together: each writing costs the card whole pages."""

PAGE = 1024
"""Bytes of a page: a record changes two of them, and both are written whole."""

ENDS = 8
"""How many ends of a damaged log are tried."""

CHANGE = 8 << 10
"""Bytes of a log that one change may take, and that a power cut may leave as noise."""

ROOM = 64 << 10
"""Bytes that have to be free for SQLite to begin the files beside the journal."""

CHECKED = 8 << 20
"""Bytes up to which a journal is checked row by row when it is opened: 0.15 s on a PC."""

_LOG = logging.getLogger("companion.journal")

_MIGRATIONS = (
    # 1: what was accepted, as one row for each record; a game's number is that of its start.
    """
    CREATE TABLE records (
        id INTEGER PRIMARY KEY, game INTEGER, at REAL NOT NULL,
        kind TEXT NOT NULL, record TEXT NOT NULL
    );
    CREATE INDEX records_of_game ON records (game);
    """,
    # 2: the latest events, refused ones included, for bug reports.
    """
    CREATE TABLE events (id INTEGER PRIMARY KEY, at REAL NOT NULL, event TEXT NOT NULL);
    """,
)
VERSION = len(_MIGRATIONS)
"""The version of the file's layout; older files are brought up to it."""

_LASTING_INDEX = """
    CREATE INDEX records_that_last ON records (kind) WHERE kind IN ('settings', 'aside')
"""
"""Finds the few that last. One of every kind was a page to write with each record."""

_TABLES = ("records", "events")
"""The tables that every file has; those of its names came later."""

_VERSIONS = range(256)
"""Whoever finds another version found a flipped bit."""

_LASTING = ("settings", "aside")
"""Kinds that hold beyond the game they were said in."""

_FAULTS = (sqlite3.Error, OSError, UnicodeDecodeError)
"""What a disk leads to; SQLite quotes a damaged layout, which may be no text any more."""

_WITHOUT_GAPS = """
    DELETE FROM records WHERE id > (
        SELECT min(id) FROM records AS one
        WHERE id >= ? AND NOT EXISTS (SELECT 1 FROM records WHERE id = one.id + 1)
    )
"""

_OF_THE_DISK = (
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
)

_HIGHEST = 1 << 62
"""No record gets a number like this: one was damaged, and soon there would be no higher ones."""


class NewerJournalError(Exception):
    """The file was written by a later version than this one."""


class InUseError(Exception):
    """Another companion keeps its games in the file."""


class UnderWayError(Exception):
    """A table goes on with the game: it is not deleted."""


class DamagedError(Exception):
    """The file is not what SQLite wrote."""


class DisplacedError(Exception):
    """The file we write to is no longer the one that is there."""


@dataclass(slots=True)
class _Row:
    """A record; it has a number once writing it was tried, so that it is not doubled.

    Once it is safe it has a name, which it keeps if it is written again elsewhere. Its text is
    kept rather than what it says, which takes three times as much memory.
    """

    kind: str
    text: str
    at: float
    id: int = 0
    game: int | None = None
    journal: str | None = None
    was: int = 0

    @classmethod
    def of(
        cls,
        record: RecordData,
        at: float,
        id: int = 0,
        game: int | None = None,
        name: RecordName | None = None,
    ) -> "_Row":
        row = cls(sys.intern(record["kind"]), sys.intern(_text(record)), at, id, game)
        row.call(name)
        return row

    @property
    def name(self) -> RecordName | None:
        """What it is called for ever; None as long as it is not safe."""
        return None if self.journal is None else RecordName(self.journal, self.was)

    def call(self, name: RecordName | None) -> None:
        """It is safe, and has a name; the first that it gets it keeps."""
        if self.journal is None and name is not None:
            self.journal, self.was = name

    @property
    def record(self) -> RecordData:
        """What it says."""
        record: RecordData = json.loads(self.text)
        return record


class _Held(NamedTuple):
    """What a mended file holds: the number of its last record (negative if it is not sound), and
    whether nothing before it is missing."""

    last: int
    whole: bool


def journal_path(environment: Mapping[str, str] = os.environ) -> Path:
    """Where games are kept: in the service's folder, or in the user's own."""
    if folder := environment.get("STATE_DIRECTORY"):
        return Path(folder.partition(":")[0]) / FILE
    state = environment.get("XDG_STATE_HOME") or Path(environment.get("HOME", ".")) / ".local/state"
    return Path(state) / SERVICE / FILE


def played_path(environment: Mapping[str, str] = os.environ) -> Path:
    """Where `companion play` keeps its games: apart from those on a real board."""
    return journal_path(environment).with_name("played.db")


def existing_journal(environment: Mapping[str, str] = os.environ, system: Path = SYSTEM) -> Path:
    """Where commands look for games: what the service kept, else one's own, else what was played
    on a simulated table."""
    own = journal_path(environment)
    places = [own] if "STATE_DIRECTORY" in environment else [system, own, played_path(environment)]
    return next((place for place in places if place.exists()), own)


def is_held(path: Path) -> bool:
    """Whether another companion keeps its games there."""
    try:
        with _lock_of(path).open("r+b") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # nobody was there yet, or it cannot be told
        return False
    return False


def _lock_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def free(path: Path) -> int:
    """How many bytes may still be written where this file is."""
    disk = os.statvfs(path.parent)
    return disk.f_bavail * disk.f_frsize if disk.f_favail or not disk.f_files else 0


def connect(path: Path) -> sqlite3.Connection:
    """Open a database whose transactions are begun and ended by us, from whatever thread."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=2.0)
    connection.text_factory = _legible
    connection.execute("PRAGMA wal_autocheckpoint=900")  # a log of 1 MB is soon checked
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open a database that may lie on a disk, or belong to a user, that lets us write nothing.

    A file at rest, without a log beside it, can then only be read as one that never changes.
    """
    must_be_files(path)
    for way in ("mode=ro", "mode=ro&immutable=1"):
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?{way}", uri=True)
        connection.text_factory = _legible
        try:
            connection.execute("SELECT count(*) FROM sqlite_master")
        except _FAULTS as fault:
            connection.close()
            problem = sqlite3.DatabaseError(_words(fault))
        else:
            return connection
    raise problem


def _legible(text: bytes) -> str:
    """A text of the file; a flipped bit in it must not make the others unreadable."""
    return text.decode(errors="replace")


def _words(fault: Exception) -> str:
    return _legible(fault.object) if isinstance(fault, UnicodeDecodeError) else str(fault)


class Journal:
    """The journal of one table, for writing. Its calls never raise because of the disk.

    `trouble` is a sentence while something is not as it should be, else None.
    """

    def __init__(
        self,
        path: Path,
        *,
        open_with: Connect = connect,
        free: Callable[[Path], int] = free,
        now: Callable[[], float] = time.time,
        make_id: Callable[[], str] = new_id,
    ) -> None:
        self.path = path
        self.trouble: str | None = None
        self._make_id = make_id
        self._ids: list[JournalId] = []
        self._safe = 0
        self._open_with = open_with
        self._free = free
        self._now = now
        self._connection: Any = None
        self._watch: Watch | None = None
        self._notice: str | None = None
        self._lock: IO[bytes] | None = None
        self._in_use = False
        self._known = False
        self._last = 0
        self._game: int | None = None
        self._lasting: list[_Row] = []
        self._rows: list[_Row] = []
        self._waiting: list[_Row] = []
        self._events: deque[tuple[float, str]] = deque(maxlen=EVENTS)
        if not self._attempt(self._open):
            self._look()

    # -- what the daemon does ----------------------------------------------------------------

    def keep(self, records: Iterable[RecordData], at: float) -> bool:
        """Commit these records together; whether they are safe on disk now."""
        for record in records:
            row = _Row.of(record, at)
            if record["kind"] == "start":
                self._rows.clear()
            elif record["kind"] == "settings":  # only the latest counts
                self._lasting = [row for row in self._lasting if row.kind != "settings"]
            (self._lasting if record["kind"] in _LASTING else self._rows).append(row)
            self._waiting.append(row)
        return self._attempt(self._write)

    def note(self, event: RecordData, at: float) -> None:
        """Remember an event for a bug report; it goes to disk with others, or in a lull."""
        self._events.append((at, json.dumps(event, separators=(",", ":"))))

    def flush(self) -> bool:
        """Write what waits, and look whether the file is still there."""
        return self._attempt(self._write)

    def rest(self) -> bool:
        """The table is idle: bring everything into the file itself, so that it needs no log."""
        return self._attempt(self._fold)

    def resumable(self) -> Iterator[RecordData]:
        """What the referee resumes from: what lasts, then the latest game; one at a time."""
        yield from self.lasting()
        yield from (row.record for row in self._rows)

    def lasting(self) -> list[RecordData]:
        """What holds whatever is played: settings, and sensors set aside."""
        return [row.record for row in self._lasting]

    @property
    def last(self) -> int:
        """The number of the last record in the file, as far as we know."""
        return self._last

    @property
    def id(self) -> str | None:
        """What the next record belongs to: with its number that names it for ever.

        None as long as no file could be opened.
        """
        return self._ids[-1].id if self._ids else None

    def forget(self, names: Collection[str]) -> bool:
        """Take names out of every game, also out of what is noted for bug reports; whether that
        is on disk. Nothing of them stays in the file."""
        return self._attempt(partial(self._forget, frozenset(names)))

    def _forget(self, names: frozenset[str]) -> None:
        with self._erasing() as connection:
            for table, column in (("records", "record"), ("events", "event")):
                found = connection.execute(f"SELECT id, {column} FROM {table}").fetchall()
                for id, text in found:
                    if (without := _without_names(text, names)) is not None:
                        change = f"UPDATE {table} SET {column} = ? WHERE id = ?"
                        connection.execute(change, (without, id))
        for row in self._rows:
            row.text = _without_names(row.text, names) or row.text
        self._fold()

    def delete(self, game: int, *, latest: bool = False) -> bool:
        """Delete a game, and what was noted for bug reports until its end; whether that is on
        disk. Nothing of it stays in the file; what holds beyond the game does.

        Raises UnderWayError for the latest game, with which a table goes on, unless it is meant.
        """
        return self._attempt(partial(self._delete, game, latest))

    def _delete(self, game: int, latest: bool) -> None:
        self._write_all()
        if game == self._game and not latest:
            raise UnderWayError(f"a table goes on with game {game}")
        with self._erasing() as connection:
            before = _last(connection)
            (end,) = connection.execute(
                "SELECT max(at) FROM records WHERE game = ?", (game,)
            ).fetchone()
            make_tables(connection)
            note_deleted(connection, game)
            connection.execute("DELETE FROM events WHERE at <= ?", (end,))
            connection.execute(
                "UPDATE records SET game = NULL WHERE game = ? AND kind IN ('settings', 'aside')",
                (game,),
            )
            connection.execute(
                "DELETE FROM first_names WHERE number IN (SELECT id FROM records WHERE game = ?)",
                (game,),
            )
            connection.execute("DELETE FROM records WHERE game = ?", (game,))
            if (last := _last(connection)) < before:  # its numbers are given again
                connection.execute("DELETE FROM journal_ids WHERE first > ?", (last,))
                begin_id(connection, last, self._make_id)
        if game == self._game:
            self._rows, self._game = [], None
        self._ids, self._last = ids_of(connection), last
        self._fold()

    @contextlib.contextmanager
    def _erasing(self) -> Iterator[Any]:
        """A change that takes something out, whole or not at all; its pages are written over."""
        self._write_all()
        connection = self._connection
        connection.execute("PRAGMA secure_delete=ON")
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise

    def since(self, number: int) -> list[tuple[int, float, RecordData]]:
        """What is in the file after a number, of the latest game and of what lasts: each with
        its number and its time."""
        found = []
        for rows in (self._lasting, self._rows):
            for row in reversed(rows):
                if 0 < row.id <= number:
                    break
                if row.id and row.name is not None:
                    found.append((row.id, row.at, row.record))
        return sorted(found, key=lambda one: one[0])

    def close(self) -> None:
        """Write what waits and close the file; may be called twice."""
        if self._connection is not None or self._waiting:
            self._attempt(self._write_all)
        self._drop()
        self._let_go()

    # -- trouble -------------------------------------------------------------------------------

    def _attempt(self, act: Callable[[], None]) -> bool:
        """Do something with the file; trouble is put in words, and the next call tries again."""
        try:
            if self._connection is None and act != self._open:
                self._open()
            elif self._watch is not None and (change := self._watch.look()) is not None:
                raise DisplacedError(change)
            act()
        except DamagedError as fault:
            return self._begin_anew(str(fault))
        except DisplacedError as fault:
            return self._put_back(str(fault))
        except (NewerJournalError, InUseError) as fault:
            self._say(str(fault))
        except _FAULTS as fault:
            if _is_damage(fault) or self._is_of_the_future(fault):
                return self._begin_anew(_words(fault))
            self._say(f"games cannot be kept in {self.path} ({fault}): {self._cure(fault)}")
            self._drop()
            if _is_io_error(fault) and not self._is_full():
                self._let_go()  # or a failing disk could not be taken out
        else:
            notice, self._notice = self._notice, None
            self._say(notice)
            return True
        self._drop()
        return False

    def _say(self, trouble: str | None) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            if trouble is None:
                _LOG.info("games are kept again in %s", self.path)
            else:
                _LOG.error("%s", trouble)

    def _cure(self, fault: Exception) -> str:
        """What to do about a disk that does not take what we write."""
        code = _code(fault)
        number = getattr(fault, "errno", None)
        if isinstance(fault, NoFileError):
            return "move that away, and they are written by themselves"
        if code == sqlite3.SQLITE_BUSY:
            return "another program holds the file; they are written when it lets go"
        read_only = code == sqlite3.SQLITE_READONLY or number in (errno.EROFS, errno.EACCES)
        full = code == sqlite3.SQLITE_FULL or number == errno.ENOSPC
        if full or (not read_only and self._is_full()):
            return "the disk is full; delete something, and they are written by themselves"
        if read_only or code == sqlite3.SQLITE_CANTOPEN or isinstance(fault, OSError):
            return "is the disk read-only, or does the folder belong to somebody else?"
        return "the disk may be failing; copy the file to another one soon"

    def _is_full(self) -> bool:
        """SQLite calls it an I/O error where the files beside the journal find no room."""
        try:
            return self._free(self.path) < ROOM
        except OSError:  # the folder is not there
            return False

    def _is_of_the_future(self, fault: Exception) -> bool:
        """SQLite only reads a file that names a later format than there is: byte 18 of it."""
        if _code(fault) != sqlite3.SQLITE_READONLY:
            return False
        with contextlib.suppress(OSError), self.path.open("rb") as file:
            return file.read(19)[18:] not in (b"", b"\1", b"\2")
        return False

    def _begin_anew(self, why: str) -> bool:
        """Set a damaged file aside and begin a new one with the game under way in it."""
        self._drop()
        aside = free_name(self.path, "damaged", self._now())
        try:
            set_aside(self.path, aside)
            if not self._lasting and not self._rows:
                self._take(_rescued(self.path, self._open_with))
            self._forget_numbers()
            self._last = 0
            self._make_new()
            finish(self.path)
            self._open()
            self._write()
        except (*_FAULTS, NewerJournalError, InUseError, DamagedError, DisplacedError) as fault:
            self._drop()
            self._say(f"{self.path} is damaged ({why}), and no other can be begun ({fault})")
            return False
        self._say(f"{self.path} was damaged ({why}): it is kept as {aside.name}, a new one begun")
        return True

    def _put_back(self, what: str) -> bool:
        """Somebody took the file from under us: write where it belongs what we have of it.

        As long as we have it open, a file that was deleted can still be read, with all its games.
        """
        watch = self._watch
        assert watch is not None
        held = beside(self.path, ".held-wal")
        told = f"{what} while games were kept in it"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            replaced = watch.replaced
            whole = self._copy_whole()
            if watch.log_replaced:
                os.replace(watch.log, held)  # closing ours would delete it
            if replaced:
                told += self._leave_to_another(whole)
            else:
                told += self._replace(whole)
            if held.exists():
                os.replace(held, watch.log if replaced else beside(self._name("moved"), "-wal"))
            self._open()
            self._write()
        except (*_FAULTS, NewerJournalError, InUseError, DamagedError, DisplacedError) as fault:
            self._say(f"{told}; nothing can be written there now ({fault}): {self._cure(fault)}")
            self._drop()
            return False
        self._say(told)
        return True

    def _name(self, word: str) -> Path:
        return free_name(self.path, word, self._now())

    def _leave_to_another(self, whole: bool) -> str:
        """Another file is where ours was: our game goes on in it, the others stay beside it."""
        self._drop()
        if not whole:
            return ": the game under way goes on in the one that is there"
        ours = self._name("was")
        os.replace(beside(self.path, "~"), ours)
        return f": the game under way goes on there, and what was kept before is in {ours.name}"

    def _replace(self, whole: bool) -> str:
        """A copy of ours takes its place again; if there is none, what the memory holds."""
        if whole:
            make_ready(self.path)
            said = ": all that was kept is written there again"
        else:
            aside = self._name("damaged")
            set_aside(self.path, aside)
            self._make_new(copy=True)
            said = f": the game under way is written there again, the remains are in {aside.name}"
        self._drop()
        finish(self.path)
        return said

    def _copy_whole(self) -> bool:
        """Copy all that our open file holds to the scratch file; whether that could be done."""
        place = scratch(self.path)
        try:
            self._connection.execute("VACUUM INTO ?", (str(place),))
            with contextlib.closing(self._open_with(place)) as copy:
                return bool(
                    _first(copy, "PRAGMA integrity_check(1)") == "ok"
                    and _first(copy, "PRAGMA user_version") == VERSION
                )
        except _FAULTS:
            return False

    def _make_new(self, *, copy: bool = False) -> None:
        """Make ready a database for what is to be written again: an empty one, or, if it is sound,
        a copy of the file without its log."""
        place = scratch(self.path)
        if copy and self.path.exists():
            wal.applied(self.path, (), place)
        for _ in range(2):
            try:
                with contextlib.closing(self._open_with(place)) as connection:
                    prepare(connection, place)
                    give_id(connection, _last(connection), another=copy, make=self._make_id)
                    _first(connection, "PRAGMA journal_mode=DELETE")
                break
            except (*_FAULTS, DamagedError):
                if not copy:
                    raise
                place = scratch(self.path)
        make_ready(self.path)

    def _forget_numbers(self) -> None:
        """All that is known is to be written as new."""
        for row in (*self._lasting, *self._rows):
            row.id, row.game = 0, None
        self._game = None
        self._waiting = [*self._lasting, *self._rows]

    def _drop(self) -> None:
        connection, self._connection, self._watch = self._connection, None, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error, OSError):
                connection.close()

    def _let_go(self) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.close()

    # -- the file ------------------------------------------------------------------------------

    def _open(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._hold()
        must_be_files(self.path)
        finish(self.path)
        lost = self._mend_log()
        connection = self._open_with(self.path)
        try:
            prepare(connection, self.path)
            last = _last(connection)
            found = give_id(
                connection,
                last,
                another=lost or self._knows_more(ids_of(connection), last),
                make=self._make_id,
            )
            rows = _resumable(connection)
            watch = Watch(self.path)
        except BaseException as fault:
            connection.close()
            if isinstance(fault, sqlite3.Error) and _code(fault) == sqlite3.SQLITE_ERROR:
                raise DamagedError(str(fault)) from fault  # it has not the tables it should have
            raise
        self._connection, self._watch = connection, watch
        if not self._known:
            self._last = last
            waiting = bool(self._rows)  # a game began while the file could not be opened
            self._take(rows, only_lasting=waiting)
            self._known = True
        elif not self._is_latest(rows):
            self._bring_all()
        else:  # the end of it may be missing there
            listed = {id(row) for row in self._waiting}
            known = [row for row in (*self._lasting, *self._rows) if id(row) not in listed]
            self._waiting[:0] = known
        self._ids, self._safe = found, last

    def _knows_more(self, ids: Sequence[JournalId], last: int) -> bool:
        """Whether a file is ours as it was earlier: later records had the numbers it gives next."""
        return self._known and ids[-1:] == self._ids[-1:] and last < self._safe

    def _mend_log(self) -> bool:
        """SQLite forgets what lies behind a damaged place of its log: see to that before it opens.

        What a power cut tore was not told yet, and looks the same where it is the last change;
        and where the log was just started over, what lies behind has long been in the file. Returns
        whether records may be missing whose numbers will be given again.
        """
        log = wal.read(self.path)
        if log is None:
            return False
        if not log.sound and not any(frame.whole for frame in log.frames):
            self._keep_noise()
            return True
        if not log.behind:
            return False
        ends = [*itertools.islice(log.ends(), ENDS), 0, log.valid]
        taken = self._records_in(log.frames[: log.valid]).last
        found = {end: self._records_in(log.frames[:end], taken) for end in ends}
        best = max(ends, key=lambda end: (found[end].last, end == log.valid))
        if found[best].last < 0:
            raise DamagedError("its log is damaged, too")
        whole = found[ends[0]].whole and found[ends[0]].last == found[best].last
        torn = any(frame.size for frame in log.frames[ends[0] :])
        if best == log.valid and whole and not torn:
            return False
        if log.behind == 1 and not whole:
            kept = beside(self.path, ".torn-wal")
            shutil.copyfile(beside(self.path, "-wal"), kept)
            _LOG.warning("the last change in the log of %s was torn: see %s", self.path, kept.name)
            return True
        aside = self._name("damaged")
        set_aside(self.path, aside)
        told = f"the log of {self.path} was damaged: it is kept as {aside.name}-wal"
        self._records_in(log.frames[:best], taken, another_id=True)
        make_ready(self.path)
        finish(self.path)
        if whole:
            _LOG.warning("%s, and mended%s", told, ", but for a torn last change" * torn)
        else:
            self._notice = f"{told}; some of the last moves may be missing"
        return False

    def _keep_noise(self) -> None:
        """SQLite writes over a log that does not begin as one; and nobody knows what was in it."""
        log, kept = beside(self.path, "-wal"), beside(self.path, ".torn-wal")
        shutil.copyfile(log, kept)
        told = f"nothing can be read of the log of {self.path}: it is kept as {kept.name}"
        if log.stat().st_size > CHANGE:
            self._notice = f"{told}; some of the last moves may be missing"
        else:
            _LOG.warning("%s", told)

    def _records_in(
        self, frames: Sequence[wal.Frame], taken: int = -1, *, another_id: bool = False
    ) -> "_Held":
        """Make a scratch file of our file and these frames, and say what it holds.

        Behind the first `taken` records nothing may be missing: those after a gap are left out.
        """
        place = scratch(self.path)
        try:
            wal.applied(self.path, frames, place)
            with contextlib.closing(self._open_with(place)) as connection:
                sound = _check(connection) is None  # an index may know of rows that are gone
                prepare(connection, place)
                before = _last(connection)
                if taken > 0:
                    connection.execute(_WITHOUT_GAPS, (taken,))
                if another_id:
                    give_id(connection, _last(connection), another=True, make=self._make_id)
                _first(connection, "PRAGMA journal_mode=DELETE")
                return _Held(_last(connection), sound and _last(connection) == before)
        except (*_FAULTS, DamagedError, NewerJournalError) as fault:
            if isinstance(fault, OSError) or _code(fault) in _OF_THE_DISK:
                raise  # it says nothing of the file
            return _Held(-1, False)

    def _is_latest(self, rows: Sequence[_Row]) -> bool:
        """Whether the latest game of a file is ours, or will be when what waits is written."""
        ours = self._rows[0] if self._rows else None
        if ours is None or any(ours is row for row in self._waiting):
            return True
        starts = [(row.id, row.record) for row in rows if row.kind == "start"]
        return starts == [(ours.id, ours.record)]

    def _bring_all(self) -> None:
        """Another file is here now, or another game in it: ours is written whole, from its start.

        What lasts is looked for there, and written only if it is missing.
        """
        for row in self._rows:
            row.id, row.game = 0, None
        self._game = None
        self._waiting = [*self._lasting, *self._rows]

    def _hold(self) -> None:
        """Keep other companions from the file until we close it or die, also in most troubles.

        The lock is on a file of its own: closing one more handle of a database would end the
        locks that SQLite has on it. It is opened for writing, so that nobody holds a journal who
        may only read it.
        """
        place = _lock_of(self.path)
        if self._lock is not None and _is_at(self._lock, place):
            return
        self._let_go()
        lock = os.fdopen(os.open(place, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            self._in_use = True
            raise InUseError(
                f"another companion keeps its games in {self.path}: this one plays in memory, and "
                "takes the file when the other ends (--journal names another one)"
            ) from None
        except OSError as fault:
            _LOG.warning("no lock for %s (%s): let only one companion use it", self.path, fault)
        self._lock = lock

    def _look(self) -> None:
        """A disk that takes nothing may still tell how the last game stands.

        The game of another companion that is at work is not ours to go on with.
        """
        with (
            contextlib.suppress(*_FAULTS, DamagedError),
            contextlib.closing(connect_to_read(self.path)) as connection,
        ):
            if 0 < _first(connection, "PRAGMA user_version") <= VERSION:
                self._take(_resumable(connection, damaged=True), only_lasting=self._in_use)
                self._last = _last(connection)
                self._known = not self._in_use

    def _take(self, rows: Sequence[_Row], *, only_lasting: bool = False) -> None:
        """Go on with what a file holds."""
        own = [row for row in self._lasting if not row.id]  # the others came from the file
        self._lasting = [row for row in rows if row.kind in _LASTING] + own
        if not only_lasting:
            self._rows[:0] = [row for row in rows if row.kind not in _LASTING]
            self._game = self._rows[-1].game if self._rows else None

    def _write_all(self) -> None:
        self._write(batch=1)

    def _fold(self) -> None:
        """Write everything, and bring it from the log into the file."""
        self._write_all()
        _first(self._connection, "PRAGMA wal_checkpoint(TRUNCATE)")
        self._must_be_there(log=0)

    def _write(self, batch: int = BATCH) -> None:
        """One transaction with all that waits; events only if there is a batch of them."""
        events = list(self._events) if len(self._events) >= batch else []
        if not self._waiting and not events:
            if self.trouble is not None:  # is the disk well again?
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.execute("COMMIT")
            return
        connection, game = self._connection, self._game
        connection.execute("BEGIN IMMEDIATE")
        try:
            rows = self._unwritten()
            connection.executemany(
                "INSERT INTO records VALUES (?, ?, ?, ?, ?)",
                [(row.id, row.game, row.at, row.kind, row.text) for row in rows],
            )
            keep_first_names(
                connection, ((row.id, name) for row in rows if (name := row.name) is not None)
            )
            connection.executemany("INSERT INTO events (at, event) VALUES (?, ?)", events)
            if events:
                connection.execute(
                    "DELETE FROM events WHERE id <= (SELECT max(id) FROM events) - ?", (EVENTS,)
                )
            connection.execute("COMMIT")
            self._must_be_there()
        except BaseException:
            self._game = game  # what waits may begin with the rest of an earlier one
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise
        for row in self._waiting:
            row.call(name_of(self._ids, row.id))
        self._waiting, self._safe = [], max(self._safe, self._last)
        for _ in events:  # the loop's thread may have noted more meanwhile
            self._events.popleft()

    def _must_be_there(self, log: int = LOG) -> None:
        """What was written counts only if it is in the files that the next start will find."""
        assert self._watch is not None
        if (change := self._watch.look_after_writing(log)) is not None:
            raise DisplacedError(change)

    def _unwritten(self) -> list[_Row]:
        """What waits and is not on disk, with the next free numbers.

        A commit that failed may have reached the disk: that is seen only now.
        """
        missing: list[_Row] = []
        last = _last(self._connection)
        for row in self._waiting:
            if not self._is_there(row):
                missing.append(row)
                row.id = self._last = last + len(missing)
            if row.kind == "start":
                self._game = row.id
            row.game = self._game
        return missing

    def _is_there(self, row: _Row) -> bool:
        if not row.id:
            return False
        found = self._connection.execute("SELECT at, record FROM records WHERE id = ?", (row.id,))
        return (row.at, row.text) in [tuple(one) for one in found]


def prepare(connection: Any, path: Path) -> None:
    """Make a connection safe against power cuts, and its file of our layout."""
    connection.execute("PRAGMA synchronous=EXTRA")  # also a file that SQLite deletes stays deleted
    connection.execute(f"PRAGMA page_size={PAGE}")  # heard only by a file that is still empty
    _first(connection, "PRAGMA journal_mode=WAL")
    connection.execute(f"PRAGMA journal_size_limit={LOG}")
    connection.execute("PRAGMA cache_size=-256")  # in KiB: a game is small
    small = path.exists() and path.stat().st_size <= CHECKED
    if small and (found := _check(connection)) is not None:
        _LOG.warning("an index of %s was damaged (%s) and is built again", path, found)
    version = int(_first(connection, "PRAGMA user_version"))
    if version not in _VERSIONS:
        raise DamagedError(f"there is no layout {version}")
    if version > VERSION:
        raise NewerJournalError(
            f"{path} was written by a later companion (layout {version}, this one knows "
            f"{VERSION}): update with systemd/install.sh; until then games are not kept"
        )
    _migrate(connection, version)
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as new:
        _migrate(new, 0)
        make_tables(new)
        theirs, ours = _columns(connection), _columns(new)
        if any(theirs[name] != ours[name] for name in theirs if theirs[name] or name in _TABLES):
            raise DamagedError("its tables have not the columns they should have")
    _index(connection)


def _index(connection: Any) -> None:
    """Earlier versions made another index, and do without either."""
    statement = "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'records'"
    names = {name for (name,) in connection.execute(statement)}
    if "records_that_last" not in names or "records_of_kind" in names:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("DROP INDEX IF EXISTS records_of_kind")
        if "records_that_last" not in names:
            connection.execute(_LASTING_INDEX)
        connection.execute("COMMIT")


def _migrate(connection: Any, version: int) -> None:
    for number in range(version, VERSION):
        connection.execute("BEGIN IMMEDIATE")
        for statement in filter(str.strip, _MIGRATIONS[number].split(";")):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version={number + 1}")
        connection.execute("COMMIT")


def _columns(connection: Any) -> dict[str, list[Any]]:
    """By table, its columns; a table that is not there has none."""
    return {
        name: list(connection.execute(f"PRAGMA table_info({name})")) for name in (*_TABLES, *TABLES)
    }


def _check(connection: Any) -> str | None:
    """Find out whether everything is where it should be; indexes can be built again from the rows.

    Returns what was wrong with them.
    """
    found = str(_first(connection, "PRAGMA integrity_check(1)"))
    if found == "ok":
        return None
    connection.execute("BEGIN IMMEDIATE")  # a damaged index may point into the rows
    connection.execute("REINDEX")
    if _first(connection, "PRAGMA integrity_check(1)") != "ok":
        raise DamagedError(found)
    connection.execute("COMMIT")
    return found


def _first(connection: Any, statement: str) -> Any:
    row = next(iter(connection.execute(statement)), None)
    return None if row is None else row[0]


def _last(connection: Any) -> int:
    """The number of the last record."""
    last = _first(connection, "SELECT max(id) FROM records") or 0
    if not isinstance(last, int) or last >= _HIGHEST:
        raise DamagedError(f"no record has the number {last}")
    return last


def _resumable(connection: Any, *, damaged: bool = False) -> list[_Row]:
    """The latest word of each lasting kind, and the latest game: all since its start.

    It is found by the records themselves, since an index, or the game's number beside one of
    them, may be wrong. Raises DamagedError if a record cannot be read; of a `damaged` file we take
    the game as far as it can be.
    """
    latest = _first(
        connection,
        "SELECT rowid FROM records NOT INDEXED WHERE kind = 'start' ORDER BY rowid DESC LIMIT 1",
    )
    lasting: list[_Row] = []
    rows: list[_Row] = []
    whole = True
    named = _names(connection)
    for id, at, kind, text in _read(connection, latest or 0, damaged=damaged):
        record = read_record(text)
        if record is None:
            if not damaged:
                raise DamagedError(f"record {id} cannot be read")
            whole = whole and kind in _LASTING  # what follows would not fit
        elif record["kind"] in _LASTING:
            lasting.append(_Row.of(record, at, id, None, named(id)))
        elif record["kind"] == "start":
            rows, whole = [_Row.of(record, at, id, id, named(id))], True
        elif rows and whole:
            rows.append(_Row.of(record, at, id, rows[0].id, named(id)))
    settings = [row for row in lasting if row.kind == "settings"][:-1]
    return [*(row for row in lasting if row not in settings), *rows]


def _names(connection: Any) -> Callable[[int], RecordName | None]:
    """How the records of a file are called, as far as that can be read."""
    ids: list[JournalId] = []
    elsewhere: dict[int, RecordName] = {}
    with contextlib.suppress(*_FAULTS):
        ids = ids_of(connection)
        elsewhere = first_names(connection, range(_HIGHEST))
    return lambda number: elsewhere.get(number) or name_of(ids, number)


def _read(connection: Any, latest: int, *, damaged: bool) -> Iterator[tuple[int, float, str, Any]]:
    """What lasts of all that was before a record, and everything from there on."""
    what = f"SELECT rowid, at, kind, record FROM records {'NOT INDEXED' if damaged else ''} WHERE"
    for which in ("kind IN ('settings', 'aside') AND rowid < ?", "rowid >= ?"):
        statement = f"{what} {which} ORDER BY rowid"
        try:
            for id, at, kind, text in connection.execute(statement, (latest,)):
                yield id, at if isinstance(at, float) else 0.0, kind, text
        except sqlite3.Error:
            if not damaged:
                raise


def _rescued(path: Path, open_with: Connect) -> list[_Row]:
    """The latest game out of a damaged file and its log, as far as it can still be read."""
    place = scratch(path)
    log = wal.read(path)
    try:
        wal.applied(path, log.frames if log is not None else (), place)
        with contextlib.closing(open_with(place)) as connection:
            return _resumable(connection, damaged=True)
    except _FAULTS:
        return []


def read_record(text: Any) -> RecordData | None:
    """A record as it was kept; None if that is something else now."""
    if not isinstance(text, str):
        return None
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or not isinstance(record.get("kind"), str):
        return None
    if record["kind"] != "start" and "\ufffd" in text:  # only a start has names, typed by people
        return None
    record["kind"] = sys.intern(record["kind"])
    return {sys.intern(key): value for key, value in record.items()}  # thousands have the same


def _without_names(text: Any, names: Collection[str]) -> str | None:
    """A record or event without these names, wherever it has some; None if it has none of them."""
    if not isinstance(text, str) or '"names"' not in text:
        return None
    try:
        found = json.loads(text)
    except ValueError:
        return None
    without = _without(found, names)
    return None if without == found else _text(without)


def _without(value: Any, names: Collection[str]) -> Any:
    if not isinstance(value, dict):
        return value
    kept = {key: _without(inner, names) for key, inner in value.items()}
    if isinstance(called := kept.get("names"), dict):
        kept["names"] = {colour: name for colour, name in called.items() if name not in names}
    return kept


def _text(record: RecordData) -> str:
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False)


def _is_at(file: IO[bytes], place: Path) -> bool:
    """Whether an open file is the one that is found there; another disk may be there now."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(place))
    except FileNotFoundError:
        return False


def _is_io_error(fault: Exception) -> bool:
    return _code(fault) == sqlite3.SQLITE_IOERR or getattr(fault, "errno", None) == errno.EIO


def _is_damage(fault: Exception) -> bool:
    if isinstance(fault, UnicodeDecodeError):
        return True
    return _code(fault) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _code(fault: Exception) -> int:
    """SQLite's number for a fault; 0 if it is not SQLite's."""
    return int(getattr(fault, "sqlite_errorcode", 0)) & 0xFF

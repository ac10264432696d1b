"""The house's archive: a copy of every table's journal, in one SQLite file.

A table's journal stays the truth. Records are stored under the names that they keep for ever, the
journal's id and a number, so that none is stored twice however often it comes; how far each journal
is copied is kept in the same transaction. What is lost of an archive is asked for again.

Where somebody put an earlier copy of a card back, a journal goes on differently from what was
copied of it. That is seen, and what is new in it is stored as a branch, under `id.2`: nothing that
was archived is lost for it.
"""

import contextlib
import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from companion.cafe.forgetting import Mark, without_names
from companion.cafe.messages import Piece, PieceRecord, Records, Span

NAME = "house.db"
VERSION = 1
PAUSE = 600.0
"""Seconds: what lies further apart in a game was not played through."""

MARKS, SALTS = 500, 4
"""Marks that one table may tell of, and salts: to compare a name with one takes a while."""
LATEST = 1e11
"""Seconds since 1970, in the year 5138: what is said to be later, or before 1970, has no date."""
_SHEET = re.compile(r"\w[\w-]{0,39}")

_LAYOUT = """
    CREATE TABLE records (
        journal TEXT NOT NULL, number INTEGER NOT NULL, place TEXT NOT NULL,
        game_journal TEXT, game_number INTEGER, at REAL NOT NULL, kind TEXT NOT NULL, record TEXT,
        PRIMARY KEY (journal, number)
    ) WITHOUT ROWID;
    CREATE INDEX records_of_game ON records (game_journal, game_number, number);
    CREATE INDEX records_of_kind ON records (kind, place);
    CREATE TABLE copied (
        journal TEXT PRIMARY KEY, place TEXT NOT NULL, last INTEGER NOT NULL,
        branch INTEGER NOT NULL, fork INTEGER
    );
    CREATE TABLE places (name TEXT PRIMARY KEY, label TEXT NOT NULL, box TEXT NOT NULL);
    CREATE TABLE forgotten (mark TEXT PRIMARY KEY, salt TEXT NOT NULL, at REAL NOT NULL);
"""
_TOLD = """
    CREATE TABLE IF NOT EXISTS told_forgotten (
        place TEXT NOT NULL, mark TEXT NOT NULL, salt TEXT NOT NULL, PRIMARY KEY (place, mark)
    ) WITHOUT ROWID
"""
"""What tables say is forgotten; earlier versions leave it alone."""


class Place(NamedTuple):
    """A table that has been here."""

    name: str
    label: str
    box: str


class GameRow(NamedTuple):
    """One archived game in short."""

    journal: str
    number: int
    place: str
    sheet: str
    began: float
    seconds: float
    moves: int
    ended: bool


class _Line(NamedTuple):
    """How far a journal is copied; of a branch also where it goes on differently."""

    journal: str
    last: int
    branch: int
    fork: int | None

    def name(self, number: int) -> tuple[str, int]:
        """What a record of it is called here."""
        own = self.branch > 1 and self.fork is not None and number >= self.fork
        return (f"{self.journal}.{self.branch}" if own else self.journal, number)

    def earlier(self, number: int) -> list[tuple[str, int]]:
        """What it may be called if it was copied before the branch began, the latest first."""
        return [(f"{self.journal}.{branch}", number) for branch in range(self.branch - 1, 1, -1)]


class Archive:
    """The file. Its calls are made in one thread at a time, never in the house's loop."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._db.execute("PRAGMA journal_mode=WAL")
        # What a power cut takes of it is asked for again; it stays whole either way.
        self._db.execute("PRAGMA synchronous=NORMAL")
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            self._db.close()
            raise OSError(f"{path} was written by a later companion: update this one")
        if version == 0:
            with self._change():
                for statement in filter(str.strip, _LAYOUT.split(";")):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version={VERSION}")
        self._db.execute(_TOLD)
        self._marks = self.marks()

    def close(self) -> None:
        self._db.close()

    # -- copying -------------------------------------------------------------------------------

    def copied(self) -> dict[str, int]:
        """By journal, the number of the last record that is here."""
        return dict(self._db.execute("SELECT journal, last FROM copied"))

    def take(self, place: str, piece: Piece) -> int:
        """Store what a table sent; returns how far its journal is copied now."""
        journal = piece.journal
        with self._change():
            line = self._line(journal)
            for one in piece.records:
                if one.number <= line.last and not self._is_same(line, place, one):
                    return self._begin_branch(line, place)
                line = self._put(line, place, one)
            last = max(line.last, piece.after)
            self._keep(line._replace(last=last), place)
        return last

    def went_back(self, place: str, journal: str) -> None:
        """A journal holds less than was copied of it: an earlier copy of its card is in use."""
        with self._change():
            self._begin_branch(self._line(journal), place)

    def _line(self, journal: str) -> "_Line":
        row = self._db.execute(
            "SELECT last, branch, fork FROM copied WHERE journal = ?", (journal,)
        ).fetchone()
        return _Line(journal, *(row or (0, 1, None)))

    def _keep(self, line: "_Line", place: str) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO copied VALUES (?, ?, ?, ?, ?)",
            (line.journal, place, line.last, line.branch, line.fork),
        )

    def _begin_branch(self, line: "_Line", place: str) -> int:
        self._keep(_Line(line.journal, 0, line.branch + 1, None), place)
        return 0

    def _put(self, line: "_Line", place: str, one: PieceRecord) -> "_Line":
        """Store a record that follows; of a branch only what is different."""
        if line.branch > 1 and line.fork is None and one.first is None:
            if self._is_same(line, place, one):
                return line._replace(last=one.number)
            line = line._replace(fork=one.number)
        text = self._text(place, one)
        kind = "" if text is None or one.record is None else str(one.record.get("kind", ""))
        first = one.first or line.name(one.number)
        game = line.name(one.game[1]) if one.game and one.game[0] == line.journal else one.game
        self._db.execute(
            "INSERT OR IGNORE INTO records VALUES (?,?,?,?,?,?,?,?)",
            (*first, place, *(game or (None, None)), one.at, kind, text),
        )
        return line._replace(last=max(line.last, one.number))

    def _text(self, place: str, one: PieceRecord) -> str | None:
        record = one.record
        if record is not None and record.get("kind") == "start":
            record = without_names(record, [*self._marks, *self.told_marks(place)])
        try:
            return None if record is None else json.dumps(record, separators=(",", ":"))
        except RecursionError:  # no table of ours has made it
            return None

    def _is_same(self, line: "_Line", place: str, one: PieceRecord) -> bool:
        """Whether a record is the one that was copied under its number."""
        if one.first is not None:
            return True  # it has a name of its own
        names = [line.name(one.number), *line.earlier(one.number)]
        for name in names:
            found = self._db.execute(
                "SELECT at, record FROM records WHERE journal = ? AND number = ?", name
            ).fetchone()
            if found is not None:
                return bool(found == (one.at, self._text(place, one)))
        return False

    def known(self, place: Place) -> None:
        """Remember a table, so that it is missed when it does not come back."""
        with self._change():
            self._db.execute("INSERT OR REPLACE INTO places VALUES (?, ?, ?)", place)

    def places(self) -> list[Place]:
        return [Place(*row) for row in self._db.execute("SELECT * FROM places ORDER BY name")]

    def drop_place(self, name: str) -> None:
        """A table no longer belongs to the house, and its word counts no more; its games stay."""
        with self._change():
            self._db.execute("DELETE FROM places WHERE name = ?", (name,))
            self._db.execute("DELETE FROM told_forgotten WHERE place = ?", (name,))

    def records(self, journal: str) -> list[tuple[int, float, dict[str, Any] | None]]:
        """All that is archived of a journal, in its order."""
        rows = self._db.execute(
            "SELECT number, at, record FROM records WHERE journal = ? ORDER BY number", (journal,)
        )
        return [
            (number, at, None if text is None else json.loads(text)) for number, at, text in rows
        ]

    # -- forgetting ----------------------------------------------------------------------------

    def marks(self) -> list[Mark]:
        """The marks of names that are forgotten."""
        rows = self._db.execute("SELECT salt, mark FROM forgotten ORDER BY at")
        return [Mark(*row) for row in rows]

    def forget(self, mark: Mark, at: float) -> int:
        """Forget a name in every game, now and whenever it comes again; in how many it was."""
        with self._change():
            self._db.execute(
                "INSERT OR IGNORE INTO forgotten VALUES (?, ?, ?)", (mark.mark, mark.salt, at)
            )
        self._marks = self.marks()
        return self._take_out([mark])

    def hear(self, place: str, marks: Sequence[Mark], at: float) -> None:
        """A table says which names are forgotten; of some this archive may be from before that.

        That holds for the games of the table itself. For all it holds if another table says so
        too: nobody's word alone takes a name from others.
        """
        new = [mark for mark in marks if mark not in self._marks]
        known = self.told_marks(place)
        new = [mark for mark in new if mark not in known][: max(0, MARKS - len(known))]
        salts = list(dict.fromkeys(mark.salt for mark in (*known, *new)))[:SALTS]
        new = [mark for mark in new if mark.salt in salts]
        with self._change():
            self._db.executemany(
                "INSERT OR IGNORE INTO told_forgotten VALUES (?, ?, ?)",
                [(place, mark.mark, mark.salt) for mark in new],
            )
        others = [mark for mark in new if self._tells(mark) > 1]
        for mark in others:
            self.forget(mark, at)
        self._take_out([mark for mark in new if mark not in others], place)

    def told_marks(self, place: str) -> list[Mark]:
        """The marks that a table told of."""
        rows = self._db.execute("SELECT salt, mark FROM told_forgotten WHERE place = ?", (place,))
        return [Mark(*row) for row in rows]

    def _tells(self, mark: Mark) -> int:
        """How many boxes tell of a mark; one may have been here under two names."""
        found = self._db.execute(
            "SELECT count(DISTINCT box) FROM told_forgotten JOIN places ON name = place "
            "WHERE mark = ? AND salt = ?",
            (mark.mark, mark.salt),
        )
        return int(found.fetchone()[0])

    def _take_out(self, marks: Sequence[Mark], place: str | None = None) -> int:
        """Take names out of every game, or out of those of one table; in how many they were."""
        if not marks:
            return 0
        changed = 0
        with self._change():
            starts = self._db.execute(
                "SELECT journal, number, record FROM records WHERE kind = 'start' "
                "AND place = coalesce(?, place)",
                (place,),
            ).fetchall()
            for journal, number, text in starts:
                record = json.loads(text)
                without = without_names(record, marks)
                if without != record:
                    changed += 1
                    self._db.execute(
                        "UPDATE records SET record = ? WHERE journal = ? AND number = ?",
                        (json.dumps(without, separators=(",", ":")), journal, number),
                    )
        if changed:  # what was there must not stay in a free page of the file
            self._db.execute("VACUUM")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return changed

    # -- what is asked of it -------------------------------------------------------------------

    def size(self) -> tuple[int, int]:
        """How many games and records are here."""
        games = self._db.execute("SELECT count(*) FROM records WHERE kind = 'start'").fetchone()[0]
        return games, self._db.execute("SELECT count(*) FROM records").fetchone()[0]

    def games(self) -> Iterator[GameRow]:
        """Every archived game in short, the oldest first; long pauses are left out."""
        rows = self._db.execute(
            """
            WITH timed AS (
                SELECT journal, number, place, kind, record, at, game_journal, game_number,
                    at - lag(at) OVER (
                        PARTITION BY game_journal, game_number ORDER BY journal, number
                    ) AS gap
                FROM records WHERE game_journal IS NOT NULL
            )
            SELECT game_journal, game_number, max(place),
                max(CASE WHEN kind = 'start' THEN json_extract(record, '$.game') END), min(at),
                sum(min(max(coalesce(gap, 0), 0), ?)), sum(kind = 'move'), sum(kind = 'end')
            FROM timed GROUP BY game_journal, game_number ORDER BY min(at)
            """,
            (PAUSE,),
        )
        for journal, number, place, game, began, seconds, moves, ended in rows:
            at, sheet = max(0.0, min(began, LATEST)), _sheet(game)
            yield GameRow(journal, number, place, sheet, at, seconds, moves, bool(ended))

    def faces(self) -> dict[str, list[int]]:
        """By table, how often each face of its die came; what was chosen says nothing about it."""
        rows = self._db.execute(
            "SELECT place, json_extract(record, '$.face') AS face, count(*) FROM records "
            "WHERE kind = 'roll' AND coalesce(json_extract(record, '$.source'), '') <> 'chosen' "
            "GROUP BY place, face"
        )
        found: dict[str, list[int]] = {}
        for place, face, count in rows:
            if isinstance(face, int) and face in range(1, 7):
                found.setdefault(place, [0] * 6)[face - 1] = count
        return found

    @contextlib.contextmanager
    def _change(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")


def _sheet(game: Any) -> str:
    """The sheet of a game, as its start says it; a table may have sent anything."""
    sheet = str(game).split(" ")[0].split("+")[0]
    return sheet if isinstance(game, str) and _SHEET.fullmatch(sheet) else ""


def taken(archive: Archive, place: str, piece: Piece, back: bool) -> int:
    """Store a piece, of a journal that may have gone `back`; returns how far it is copied."""
    if back:
        archive.went_back(place, piece.journal)
        return 0
    return archive.take(place, piece)


FEW = 50
"""Records that are worth no question of their own."""


class Copying:
    """What is still to be asked for, of one table after the other; pure but for what it is told.

    One question at a time goes to a table. An answer says which journals its file holds, so that
    earlier ones are found too, and nothing that the archive has is asked for again.
    """

    def __init__(self, copied: dict[str, int], patience: float = 10.0, calm: float = 0.0) -> None:
        """`calm` is for how many seconds a few records of a game under way may wait: to read a
        piece costs a table more than to tell of an event."""
        self._copied = dict(copied)
        self._patience, self._calm = patience, calm
        self._last: dict[str, float] = {}
        self._asked: dict[str, tuple[str, float, str]] = {}
        self._spans: dict[str, list[Span]] = {}
        self._stays: dict[str, str] = {}
        self._compared: set[tuple[str, str]] = set()

    def next(
        self, table: str, birth: str, journal: str, last: int, now: float, id: str
    ) -> Records | None:
        """What to ask a table that was just heard; None if nothing, or an answer is awaited."""
        asked = self._asked.get(table)
        if asked is not None and now - asked[1] < self._patience and asked[2] == birth:
            return None
        order = self._lacking(table, birth, journal, last)
        if order is None or self._may_wait(table, order, last, now):
            return None
        self._asked[table] = (id, now, birth)
        if order.journal:
            self._last[table] = now
        return order

    def _may_wait(self, table: str, order: Records, last: int, now: float) -> bool:
        few = bool(order.journal) and last - order.after < FEW
        return few and 0 <= now - self._last.get(table, -self._calm) < self._calm

    def _lacking(self, table: str, birth: str, journal: str, last: int) -> Records | None:
        if self._stays.get(table) != birth:  # it has just come: what does its file hold?
            return Records()
        for span in self._spans.get(table, []):
            here = self._copied.get(span.journal, 0)
            if here and (birth, span.journal) not in self._compared:  # is it still the same?
                return Records(journal=span.journal, after=here - 1)
            if here < span.last:
                return Records(journal=span.journal, after=here)
        if journal and self._copied.get(journal, 0) < last:
            return Records(journal=journal, after=self._copied.get(journal, 0))
        return None

    def answered(self, table: str, birth: str, piece: Piece) -> bool:
        """Whether a piece is the answer to our question; it has to be stored before the next."""
        if self._asked.get(table, ("", 0.0, ""))[0] != piece.id:
            return False
        self._spans[table], self._stays[table] = list(piece.spans), birth
        return True

    def went_back(self, piece: Piece) -> bool:
        """Whether a journal holds less than was copied of it."""
        here = self._copied.get(piece.journal, 0)
        ends = [span.last for span in piece.spans if span.journal == piece.journal]
        return bool(here and ends and ends[0] < here)

    def stored(self, table: str, piece: Piece, last: int) -> None:
        """A piece is on disk."""
        if piece.journal:
            self._copied[piece.journal] = last
            self._compared.add((self._stays[table], piece.journal))
        if not piece.records and last:  # there is nothing behind: believe it for now
            for span in self._spans.get(table, []):
                if span.journal == piece.journal:
                    self._copied[span.journal] = max(last, span.last)
        self._asked.pop(table, None)

    def behind(self, table: str, journal: str, last: int) -> int:
        """How many records of a table are still to be copied, as far as is known."""
        spans = self._spans.get(table, [])
        known = {span.journal: span.last for span in spans}
        if journal:
            known[journal] = max(known.get(journal, 0), last)
        firsts = {span.journal: span.first - 1 for span in spans}
        return sum(
            max(0, end - max(self._copied.get(one, 0), firsts.get(one, 0)))
            for one, end in known.items()
        )

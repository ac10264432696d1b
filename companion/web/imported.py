"""Games brought from elsewhere: text records, kept beside this table's own games.

They have a file of their own, so that no table ever goes on with one of them, and nothing that is
played here stands beside what somebody only brought along.
"""

import hashlib
import re
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from datetime import time as clock_time
from pathlib import Path
from typing import NamedTuple

from companion.archive import IMPORTED, MARK, NoGamesError, Pace, reading
from companion.events import RecordData
from companion.journal import Journal
from companion.rules import SHEETS, BadInput
from companion.rules.errors import BadHeader, BadLine
from companion.rules.history import Entry, History, Roll, Unroll, kept, started
from companion.rules.moves import Lay, Move, Pass
from companion.rules.names import LONGEST_NAME, plain_name
from companion.rules.records import TITLE, Record, record
from companion.web.guard import RequestRefused
from companion.web.past import Called, PastGames

LARGEST = 512 * 1024
"""Bytes of a record: the longest games we have seen take 60 kB."""
MOST = 2000
"""Games that may be brought here."""


class Taken(NamedTuple):
    """The number of a game that was brought here, and whether names in it were cut."""

    number: str
    cut: bool


class ImportedGames:
    """The file of games that were brought here, and a way to bring another."""

    def __init__(self, folder: Path, pace: Pace, called: Called) -> None:
        self._path = folder / IMPORTED
        self.past = PastGames(self._path, pace, MARK, timed=False, called=called)

    def take(self, text: str, played: Callable[[Record], str | None]) -> Taken:
        """Keep the game of a text record. Raises RequestRefused, which says why not.

        `played` knows the number of the same game if it was played here.
        """
        if not text.lstrip("\ufeff \t\r\n").startswith(TITLE):
            raise RequestRefused(415, f"this is no game record: one begins with {TITLE!r}")
        try:
            found = record(text)
            records = _as_kept(found)
        except (BadHeader, BadLine) as fault:
            damaged = f"this game record is damaged: {fault}"
            if (sheet := _unknown_sheet(text)) is not None:
                line = fault.line if isinstance(fault, BadLine) else 0
                raise RequestRefused(422, str(fault), sheet=sheet, line=line) from None
            if isinstance(fault, BadLine):
                raise RequestRefused(422, damaged, line=fault.line) from None
            raise RequestRefused(422, damaged, lacks=fault.key) from None
        except BadInput as fault:
            raise RequestRefused(422, f"this game cannot be kept: {fault}", lacks="") from None
        except RecursionError:
            raise RequestRefused(422, "this game record is damaged") from None
        digest = hashlib.sha256(found.unmarked().encode()).hexdigest()[:32]
        known, games = self._known(digest)
        here = played(found) if known is None else self.past.number(known)
        if here is not None:
            raise RequestRefused(409, f"this game is here already: {here}", number=here)
        if games >= MOST:
            raise RequestRefused(507, f"there is room for {MOST} games from elsewhere")
        number = self._keep([{**records[0], "digest": digest}, *records[1:]], found)
        return Taken(number, any(len(plain_name(name)) > LONGEST_NAME for name in found.players))

    def delete(self, id: int) -> bool:
        """Delete a game by its id; whether that is on disk."""
        journal = Journal(self._path)
        try:
            return journal.delete(id, latest=True)
        finally:
            journal.close()
            self.past.drop(id)

    def _known(self, digest: str) -> tuple[int | None, int]:
        """The id of the game with this digest, and how many games there are."""
        try:
            with reading(self._path) as connection:
                rows = connection.execute(
                    "SELECT game, record FROM records WHERE kind = 'start'"
                ).fetchall()
        except NoGamesError:
            return None, 0
        return next((game for game, text in rows if digest in str(text)), None), len(rows)

    def _keep(self, records: list[RecordData], found: Record) -> str:
        noon = datetime.combine(found.date, clock_time(12), UTC).timestamp()
        journal = Journal(self._path)
        try:
            safe = journal.keep(records, max(noon, 0.0))
            trouble = journal.trouble
        finally:
            journal.close()
        if not safe:
            raise RequestRefused(507, trouble or "the game could not be kept")
        try:
            with reading(self._path) as connection:
                (id,) = connection.execute("SELECT max(game) FROM records").fetchone()
        except (NoGamesError, sqlite3.Error) as fault:
            raise RequestRefused(507, str(fault)) from None
        return self.past.number(id) or ""


def _unknown_sheet(text: str) -> str | None:
    """The sheet that a record names, if it is none of ours."""
    named = re.search(r"^[ \t]*sheet:[ \t]*([^\s+;]+)", text, re.MULTILINE)
    return named[1][:40] if named is not None and named[1] not in SHEETS else None


def _as_kept(found: Record) -> list[RecordData]:
    """A text record as journals keep games. Raises BadInput where journals cannot tell it."""
    game = found.game
    called = [plain_name(name)[:LONGEST_NAME].strip() for name in found.players]
    names = {game.colours[seat]: name for seat, name in zip(game.seats, called, strict=True)}
    if found.begins is not None:
        raise BadInput("nobody rolled for who begins: such games are not kept")
    events = [kept(game, entry) for entry in _with_rolls(found)]
    return [started(game, {colour: name for colour, name in names.items() if name}), *events]


def _with_rolls(found: Record) -> Iterator[Entry]:
    """What happened, each roll before its move. After a take back the roll lies there again,
    unless another was played."""
    history = History(found.game)
    for number, event in enumerate(found.events):
        if isinstance(event, Move | Lay | Pass) and event.face != history.face:
            if history.face is not None:
                yield history.follow(Unroll()).entry
            source = "chosen" if number in found.chosen else "unknown"
            yield history.follow(Roll(event.face, source=source)).entry
        yield history.follow(event).entry

"""Past games, read from a journal without disturbing the daemon that writes it."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from glob import escape
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from companion.game_numbers import numbering
from companion.journal import VERSION, connect_to_read, read_record
from companion.rules import BadInput, Game, Position, recall_game
from companion.rules.history import History, Roll, is_whole, replay, roll
from companion.rules.names import plain_name
from companion.rules.records import Record, from_history


class NoGamesError(Exception):
    """There is no journal, or it cannot be read; the message says what to do."""


class BrokenGameError(NoGamesError):
    """A game of which something was lost on the disk."""


IMPORTED = "imported.db"
"""The journal of games that were brought from elsewhere; it lies beside the table's own."""
MARK = "i"
"""Stands before the number of a game that was brought from elsewhere."""

PAUSE = 600.0
"""Seconds: what lies further apart was not played through; the clock may have been set, too."""
PLAYED = ("roll", "unroll", "move", "ruling", "take_back", "refused")
"""Records of what people did at the board."""
BEGUN = ("roll", "move", "ruling")
"""Records without which a game was set up and never played."""

_YEAR_9999 = 253_370_764_800.0  # in seconds since 1970: no date is later


Pace = Callable[[], None]
"""Lets others have their turn, where something takes long."""


def _at_once() -> None:
    """Nobody else wants a turn."""


class Timed(NamedTuple):
    """A kept record, and when it was kept (in seconds since 1970)."""

    at: float
    record: dict[str, Any]


class KeptGame:
    """One game of a journal. `number` is what commands call it, with the `mark` before it.

    `pace` is called after each record of it that is read or played, which takes a while in all.
    """

    def __init__(
        self, number: int, timed: list[Timed], pace: Pace = _at_once, mark: str = ""
    ) -> None:
        self.number = number
        self.mark = mark
        self.timed = timed
        self._pace = pace

    @property
    def began(self) -> datetime:
        """When the pieces were set."""
        return datetime.fromtimestamp(self.timed[0].at)

    @property
    def seconds(self) -> float:
        """How long it was played, long pauses left out, and what came after the last act."""
        played = [one for one in self.timed if one.record["kind"] in PLAYED]
        gaps = (after.at - before.at for before, after in pairwise([*self.timed[:1], *played]))
        return sum(min(max(0.0, gap), PAUSE) for gap in gaps)

    @cached_property
    def game(self) -> Game:
        """Sheet, options and seats."""
        return recall_game(self.timed[0].record["game"])

    @property
    def players(self) -> dict[str, str]:
        """Who sat where; a seat nobody gave a name is called by its colour."""
        names: dict[str, str] = self.timed[0].record.get("names") or {}
        colours = [self.game.colours[seat] for seat in self.game.seats]
        return {colour: plain_name(names.get(colour, "")) or colour for colour in colours}

    @cached_property
    def record(self) -> Record:
        """The game as a record that can be read, exported and replayed. Raises BadInput."""
        return from_history(self.history, self.began.date())

    @cached_property
    def history(self) -> History:
        """All that happened in it. Raises BadInput."""
        history = replay(self._paced(), lambda start: History(start.game, start.names))
        if history is None:
            raise BadInput(f"game {self.mark}{self.number} has no beginning")
        return history

    def _paced(self) -> Iterator[dict[str, Any]]:
        for timed in self.timed:
            yield timed.record
            self._pace()

    @property
    def last(self) -> Position:
        """Where it stood in the end. Raises BadInput."""
        return self.history.position

    @property
    def winner(self) -> str | None:
        """The colour of the player who won; None while nobody has."""
        return self.last.winner

    @property
    def state(self) -> str:
        """`won`, `ended` (early) or `open`."""
        if self.last.over:
            return "won"
        acts = (one for one in reversed(self.timed) if one.record["kind"] in (*PLAYED, "end"))
        last = next(acts, self.timed[0])
        return "ended" if last.record["kind"] == "end" else "open"

    @property
    def moves(self) -> int:
        """How many moves stand, passes and rulings included; rolls for who begins are none.

        Raises BadInput.
        """
        return sum(deed.position.opening is None for deed in self.history.past)

    @property
    def rolls(self) -> list[Roll]:
        """Every roll, also one that was taken back."""
        return [roll(timed.record) for timed in self.timed if timed.record["kind"] == "roll"]


LATEST = 20
"""Past games that say how fast people play."""
FEW_ROLLS = 20
QUICKEST = 2.0
"""Seconds a roll: who is quicker is no person."""


def pace(connection: sqlite3.Connection) -> float | None:
    """How many seconds a roll takes here, breaks left out; None where no game tells.

    Half of the latest games were played faster than that, and half more slowly.
    """
    from statistics import median  # one megabyte that only this needs

    found = []
    for id in numbering(connection).ids[-LATEST:]:
        rolled = connection.execute(
            "SELECT at FROM records WHERE game = ? AND kind = 'roll' ORDER BY id", (id,)
        ).fetchall()
        gaps = [after - before for (before,), (after,) in pairwise(rolled)]
        played = [gap for gap in gaps if 0 <= gap <= PAUSE]
        if len(played) >= FEW_ROLLS and sum(played) / len(played) >= QUICKEST:
            found.append(sum(played) / len(played))
    return median(found) if found else None


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A journal opened for reading only, also one of another user. Raises NoGamesError."""
    try:
        there = path.exists()
    except OSError as fault:
        raise NoGamesError(f"{path} cannot be read: {fault.strerror}") from fault
    if not there:
        raise NoGamesError(
            f"there are no games yet: {path} does not exist (name another with --journal)"
        )
    try:
        connection = connect_to_read(path)
    except (sqlite3.Error, OSError) as fault:
        raise NoGamesError(f"{path} cannot be read: {fault}") from fault
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            raise NoGamesError(f"{path} was written by a later companion: update this one")
        if version == 0:
            raise NoGamesError(f"there are no games yet in {path}")
        yield connection
    except sqlite3.Error as fault:
        raise NoGamesError(f"{path} cannot be read: {fault}") from fault
    finally:
        connection.close()


def numbers(connection: sqlite3.Connection) -> dict[int, int]:
    """By what people call it, the id of every game that was played, oldest first."""
    return dict(reversed(list(latest_games(connection))))


def latest_games(connection: sqlite3.Connection) -> Iterator[tuple[int, int]]:
    """Number and id of the games that were played, latest first; each is looked at in its turn.

    A game that was set up, and then nobody rolled, has a number, and is not listed.
    """
    return (one for one in reversed(numbering(connection)) if was_played(connection, one[1]))


def latest_game(connection: sqlite3.Connection) -> KeptGame:
    """The latest game that was played. Raises NoGamesError."""
    for number, id in latest_games(connection):
        return kept_game(connection, id, number)
    raise NoGamesError("no game has been played yet")


def was_played(connection: sqlite3.Connection, id: int) -> bool:
    """Whether somebody rolled or moved in a game; of one without a beginning nobody knows."""
    first = connection.execute(
        "SELECT kind FROM records WHERE game = ? ORDER BY id LIMIT 1", (id,)
    ).fetchone()
    found = connection.execute(
        "SELECT 1 FROM records WHERE game = ? AND kind IN (?, ?, ?) LIMIT 1", (id, *BEGUN)
    ).fetchone()
    return found is not None or first != ("start",)


def no_game(number: int, mark: str = "") -> NoGamesError:
    """That nothing is called like this, and where to look; commands list what was played here."""
    where = "the page lists those from elsewhere (Past games)"
    return NoGamesError(
        f"there is no game {mark}{number}: {where if mark else '`companion games` lists them'}"
    )


def id_of(connection: sqlite3.Connection, number: int, mark: str = "") -> int:
    """The id of the game that people call by this number. Raises NoGamesError."""
    id = numbering(connection).id(number)
    if id is None:
        raise no_game(number, mark)
    return id


def called(connection: sqlite3.Connection, number: int, mark: str = "") -> KeptGame:
    """The game that people call by this number. Raises NoGamesError."""
    return kept_game(connection, id_of(connection, number, mark), number, mark=mark)


def kept_game(
    connection: sqlite3.Connection, id: int, number: int, pace: Pace = _at_once, mark: str = ""
) -> KeptGame:
    """One game, by its id and what people call it.

    Raises NoGamesError, and BrokenGameError if there only are remains of it.
    """
    timed = []
    if is_number(id):
        for at, record in connection.execute(
            "SELECT at, record FROM records WHERE game = ? ORDER BY id", (id,)
        ):
            timed.append(_whole(f"{mark}{number}", at, record))
            pace()
    if not timed:
        raise no_game(number, mark)
    if timed[0].record["kind"] != "start":
        raise BrokenGameError(f"game {mark}{number} cannot be read: its beginning is lost")
    return KeptGame(number, timed, pace, mark)


def is_number(value: Any) -> bool:
    """Whether this is a number that SQLite knows."""
    return type(value) is int and abs(value) < 2**63


def _whole(name: str, at: Any, text: Any) -> Timed:
    """A record that holds what its kind has to, and its time."""
    record = read_record(text)
    whole = record is not None and is_whole(record)
    if record is None or not whole or not isinstance(at, float) or not 0 <= at < _YEAR_9999:
        raise BrokenGameError(f"game {name} cannot be read: one of its records is damaged")
    return Timed(at, record)


def latest_events(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    """The latest events of the table that can be read, oldest first."""
    rows = connection.execute("SELECT event FROM events ORDER BY id")
    return [event for (text,) in rows if (event := _event(text)) is not None]


def _event(text: Any) -> dict[str, Any] | None:
    try:
        event = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return None
    known = isinstance(event, dict) and isinstance(event.get("event"), str)
    return event if known and isinstance(event.get("at"), int | float) else None


def set_aside(path: Path) -> list[Path]:
    """The damaged or displaced files that this journal replaced, oldest first."""
    found = [
        file
        for word in ("damaged", "was")
        for file in path.parent.glob(f"{escape(path.name)}.{word}-*")
    ]
    return sorted(file for file in found if not file.name.endswith(("-wal", "-shm")))

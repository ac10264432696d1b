"""What people call the games of a journal: 1 for the first, and one more for each that began later.

A game has its number for good, on the page, in links and in the terminal. When a game is deleted
its number goes with it: the others keep theirs, and no later game gets it. Inside, a game is known
by its id, which is the number of the record that began it.

The numbers of deleted games are a table of their own, which earlier versions of the companion leave
alone. An earlier version that deletes a game does not note it, so later games move up by one.
"""

import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from companion.journal_ids import JournalId, has_table, ids_of

_GAMES = """
    WITH RECURSIVE found(game) AS (
        SELECT min(game) FROM records WHERE game > ? AND typeof(game) = 'integer'
        UNION ALL
        SELECT (
            SELECT min(game) FROM records WHERE game > found.game AND typeof(game) = 'integer'
        ) FROM found WHERE found.game IS NOT NULL
    )
    SELECT game FROM found WHERE game IS NOT NULL
"""
"""One look into the index for each game: its records are many more."""

_LOWEST = -(1 << 63)


class Numbering:
    """The ids of all games, oldest first, with the numbers that deleted games have taken along."""

    def __init__(self, ids: Sequence[int], deleted: Collection[int] = ()) -> None:
        self.ids = ids
        self._deleted = sorted(deleted)
        # For each deleted number, what it would be without those before it.
        self._closed_up = [number - before for before, number in enumerate(self._deleted)]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Number and id of each game, oldest first."""
        return ((self._at(place), id) for place, id in enumerate(self.ids))

    def __reversed__(self) -> Iterator[tuple[int, int]]:
        """The same, latest first."""
        return ((self._at(place), self.ids[place]) for place in reversed(range(len(self.ids))))

    def __len__(self) -> int:
        return len(self.ids)

    def number(self, id: int) -> int | None:
        """What people call a game; None if it is not there."""
        place = bisect_left(self.ids, id)
        return self._at(place) if self.ids[place : place + 1] == [id] else None

    def id(self, number: int) -> int | None:
        """The game that people call by this number; None if it is not there."""
        before = bisect_left(self._deleted, number)
        place = number - 1 - before
        deleted = self._deleted[before : before + 1] == [number]
        return self.ids[place] if not deleted and 0 <= place < len(self.ids) else None

    def _at(self, place: int) -> int:
        return place + 1 + bisect_right(self._closed_up, place + 1)


class KnownNumbers:
    """The numbering of one file, remembered: only games that began since are looked for."""

    def __init__(self) -> None:
        self._file: list[JournalId] = []
        self._deleted: set[int] = set()
        self._ids: list[int] = []

    def of(self, connection: sqlite3.Connection) -> Numbering:
        """The numbering as it is now. An id of the file tells whether it is another by now."""
        file, deleted = ids_of(connection), set(deleted_numbers(connection))
        if not file or file != self._file or not self._deleted <= deleted:
            self._ids = []
        elif deleted != self._deleted:
            known = Numbering(self._ids, self._deleted)
            gone = {known.id(number) for number in deleted - self._deleted}
            self._ids = [id for id in self._ids if id not in gone]
        self._file, self._deleted = file, deleted
        self._ids += _ids(connection, self._ids[-1] if self._ids else _LOWEST)
        return Numbering(self._ids, deleted)


def numbering(connection: Any) -> Numbering:
    """What the games of an open journal are called."""
    return Numbering(_ids(connection, _LOWEST), deleted_numbers(connection))


def _ids(connection: Any, after: int) -> list[int]:
    return [id for (id,) in connection.execute(_GAMES, (after,))]


def deleted_numbers(connection: Any) -> list[int]:
    """The numbers of games that were deleted; a file of an earlier version has none."""
    if not has_table(connection, "deleted_games"):
        return []
    return [number for (number,) in connection.execute("SELECT number FROM deleted_games")]


def note_deleted(connection: Any, id: int) -> None:
    """A game is about to be deleted: nobody else gets its number; part of a transaction."""
    number = numbering(connection).number(id)
    if number is not None:
        connection.execute("INSERT OR IGNORE INTO deleted_games VALUES (?)", (number,))

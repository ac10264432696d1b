"""The records of a journal by names that last, in pieces, for whoever copies them elsewhere.

It is read without disturbing the daemon that writes it. Each call opens the file, reads a bounded
piece and closes it: call it in a thread, never in the table's loop.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from companion.events import RecordData
from companion.journal import VERSION, connect_to_read, read_record
from companion.journal_ids import JournalId, RecordName, first_names, ids_of, name_of

MOST = 500
"""How many records a piece has at most."""


class JournalSpan(NamedTuple):
    """The records that a file holds under one id: numbers from `first` to `last`."""

    journal: str
    first: int
    last: int


class KeptRecord(NamedTuple):
    """One record of a file.

    `name` says where it was read; `first_name` is what it was called in the file in which it was
    written first, and names it for ever. `game` is the first name of the start of its game.
    `record` is None where damage has left nothing to read.
    """

    name: RecordName
    first_name: RecordName
    game: RecordName | None
    at: float
    record: RecordData | None


def journal_spans(path: Path) -> list[JournalSpan]:
    """Which records a file holds, in their order; none of a file that never got an id.

    Raises OSError or sqlite3.Error where it cannot be read.
    """
    with _opened(path) as connection:
        ids = ids_of(connection)
        last = connection.execute("SELECT max(id) FROM records").fetchone()[0] or 0
    ends = [*(one.first - 1 for one in ids[1:]), last]
    spans = [JournalSpan(one.id, one.first, end) for one, end in zip(ids, ends, strict=False)]
    return [span for span in spans if span.first <= span.last]


def kept_records(path: Path, journal: str, after: int = 0, most: int = MOST) -> list[KeptRecord]:
    """The next records of a journal after a number, at most so many; none when there are no more.

    A file that does not know this id has none of its records. Raises as `journal_spans`.
    """
    with _opened(path) as connection:
        ids = ids_of(connection)
        here = next((at for at, one in enumerate(ids) if one.id == journal), None)
        if here is None:
            return []
        start = max(after + 1, ids[here].first)
        stop = ids[here + 1].first if here + 1 < len(ids) else 1 << 62
        rows = connection.execute(
            "SELECT id, game, at, record FROM records WHERE id >= ? AND id < ? ORDER BY id LIMIT ?",
            (start, stop, min(most, MOST)),
        ).fetchall()
        names = _Names(connection, ids, rows)
    return [
        KeptRecord(
            RecordName(journal, number),
            names.first(number) or RecordName(journal, number),
            names.first(game) if isinstance(game, int) else None,
            at if isinstance(at, float) else 0.0,
            read_record(text),
        )
        for number, game, at, text in rows
    ]


class _Names:
    """The first names of the records of a piece, and of the games they belong to."""

    def __init__(self, connection: Any, ids: list[JournalId], rows: list[Any]) -> None:
        self._ids = ids
        numbers = {row[0] for row in rows} | {row[1] for row in rows if isinstance(row[1], int)}
        lowest, highest = min(numbers, default=0), max(numbers, default=0)
        self._elsewhere = first_names(connection, range(lowest, highest + 1))

    def first(self, number: int) -> RecordName | None:
        return self._elsewhere.get(number) or name_of(self._ids, number)


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    if not path.exists():
        raise FileNotFoundError(f"there is no journal {path}")
    connection = connect_to_read(path)
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if not 0 < version <= VERSION:
            raise OSError(f"{path} was written by a later companion: update this one")
        yield connection
    finally:
        connection.close()

"""Names that records keep for ever: the random id of a journal, and a number in it.

A file begins with one id. Where the numbers of records that were lost may be given again, a
further id begins: so one name never means two records. A record that is written again in another
file, because its own was damaged or taken away, keeps its first name.

Both are tables of their own, which earlier versions of the companion leave alone; so is that of the
numbers that people's games had before they were deleted (see `game_numbers.py`).
"""

import re
import secrets
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple
from zlib import crc32

TABLES = {
    "journal_ids": "first INTEGER PRIMARY KEY, id TEXT NOT NULL",
    "first_names": "number INTEGER PRIMARY KEY, journal TEXT NOT NULL, was INTEGER NOT NULL",
    "deleted_games": "number INTEGER PRIMARY KEY",
}
"""The columns of each table; a file of an earlier version may lack them."""

_ID = re.compile("[0-9a-f]{28}")


class RecordName(NamedTuple):
    """What a record is called wherever it is copied to."""

    journal: str
    number: int


class JournalId(NamedTuple):
    """The id of all records of a file from `first` on, until the next one."""

    first: int
    id: str


def new_id() -> str:
    """A random id; its end is a checksum, so that a flipped bit does not make it another."""
    chance = secrets.token_hex(10)
    return chance + _sum(chance)


def is_id(text: object) -> bool:
    """Whether this is an id as we make them."""
    return isinstance(text, str) and bool(_ID.fullmatch(text)) and text[20:] == _sum(text[:20])


def _sum(chance: str) -> str:
    return f"{crc32(chance.encode()):08x}"


def ids_of(connection: Any) -> list[JournalId]:
    """The ids of an open file, in the order of its records; none if it never got one."""
    if not has_table(connection, "journal_ids"):
        return []
    rows = connection.execute("SELECT first, id FROM journal_ids ORDER BY first")
    return [JournalId(first, id) for first, id in rows if is_id(id)]


def give_id(
    connection: Any, last: int, *, another: bool = False, make: Callable[[], str] = new_id
) -> list[JournalId]:
    """See to it that an open file has an id, `another` one for what comes after its last record.

    Returns its ids. It is done whole or not at all, whenever the power goes.
    """
    found = ids_of(connection)
    begun = bool(found) and found[0].first == 1
    if begun and not another:
        return found
    connection.execute("BEGIN IMMEDIATE")
    make_tables(connection)
    begin_id(connection, last if begun else 0, make)
    connection.execute("COMMIT")
    return ids_of(connection)


def begin_id(connection: Any, last: int, make: Callable[[], str] = new_id) -> None:
    """Begin an id for what comes after a record; part of a transaction."""
    connection.execute("INSERT OR REPLACE INTO journal_ids VALUES (?, ?)", (last + 1, make()))


def make_tables(connection: Any) -> None:
    """Make the tables that are not there yet."""
    for name, columns in TABLES.items():
        connection.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")


def name_of(ids: Sequence[JournalId], number: int) -> RecordName | None:
    """The name of a record by its number in a file with these ids."""
    at = bisect_right([one.first for one in ids], number) - 1
    return RecordName(ids[at].id, number) if at >= 0 else None


def first_names(connection: Any, numbers: range) -> dict[int, RecordName]:
    """By the number that it has here, what a record of another file was called there."""
    if not has_table(connection, "first_names"):
        return {}
    rows = connection.execute(
        "SELECT number, journal, was FROM first_names WHERE number >= ? AND number < ?",
        (numbers.start, numbers.stop),
    )
    return {
        number: RecordName(journal, was)
        for number, journal, was in rows
        if is_id(journal) and isinstance(was, int)
    }


def keep_first_names(connection: Any, names: Iterable[tuple[int, RecordName]]) -> None:
    """Remember what records were called that are being written here; part of a transaction."""
    connection.executemany(
        "INSERT OR REPLACE INTO first_names VALUES (?, ?, ?)",
        [(number, *was) for number, was in names],
    )


def has_table(connection: Any, table: str) -> bool:
    """Whether an open file has a table; one of an earlier version may lack it."""
    statement = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?"
    return bool(next(iter(connection.execute(statement, (table,))))[0])

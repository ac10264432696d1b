"""Forgetting a name: it goes from every game, and a mark stays, so that no backup brings it back.

The mark is a salted hash of the name. Whoever knows a name can tell that it was forgotten; whoever
has the mark cannot read the name from it, though short names can be guessed at some expense.
"""

import hashlib
import secrets
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from companion.archive import IMPORTED
from companion.journal import Journal
from companion.kept_records import journal_spans, kept_records
from companion.rules.names import plain_name
from companion.small_files import read_small, write_small

_ROUNDS = 20_000
KEPT = "forgotten"
"""The file in which a table keeps the marks that it was told."""
MOST = 500
"""Marks that it tells of again: a house that was restored from a backup has lost the latest."""
_LARGEST = 4 << 20
"""Bytes of that file: earlier versions kept more marks in it."""


class Mark(NamedTuple):
    """What stays of a forgotten name."""

    salt: str
    mark: str


def mark_of(name: str, salt: str | None = None) -> Mark:
    """The mark of a name; how it was written, large or small, does not matter."""
    salt = secrets.token_hex(8) if salt is None else salt
    return Mark(salt, _hashed(plain_name(name).casefold(), salt))


@lru_cache(4096)
def _hashed(name: str, salt: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", name.encode(), salt.encode(), _ROUNDS).hex()[:40]


def is_forgotten(name: str, marks: Iterable[Mark]) -> bool:
    """Whether a name is one of those."""
    return any(mark_of(name, mark.salt).mark == mark.mark for mark in marks)


def forgotten_in(path: Path, marks: Iterable[Mark]) -> set[str]:
    """The names in a journal's file that are forgotten. Raises sqlite3.Error or OSError.

    Called in a thread: to compare a name takes a while, on purpose.
    """
    marks, found = list(marks), set[str]()
    for span in journal_spans(path):
        after = 0
        while records := kept_records(path, span.journal, after):
            after = records[-1].name.number
            for one in records:
                names = (one.record or {}).get("names")
                if isinstance(names, dict):
                    found |= {name for name in names.values() if isinstance(name, str) and name}
    return {name for name in found if is_forgotten(name, marks)}


def forget_imported(folder: Path, mark: Mark) -> bool:
    """Take a name out of the games that were brought here; whether that is on disk.

    Raises sqlite3.Error or OSError; called in a thread.
    """
    path = folder / IMPORTED
    names = forgotten_in(path, [mark]) if path.exists() else set()
    if not names:
        return True
    journal = Journal(path)
    try:
        return journal.forget(names)
    finally:
        journal.close()


def kept_marks(folder: Path) -> list[Mark]:
    """The marks that this table was told; none where they cannot be read."""
    try:
        found = read_small(folder / KEPT, _LARGEST)
    except OSError:
        return []
    lines = found.decode("ascii", errors="replace").splitlines()
    pairs = (line.split() for line in lines)
    return [Mark(*pair) for pair in pairs if [len(one) for one in pair] == [16, 40]][-MOST:]


def keep_mark(folder: Path, mark: Mark) -> None:
    """Remember a mark. Raises OSError."""
    known = kept_marks(folder)
    if mark in known:
        return
    marks = [*known, mark][-MOST:]
    write_small(folder / KEPT, "".join(f"{one.salt} {one.mark}\n" for one in marks), 0o600)


def without_names(start: dict[str, Any], marks: Iterable[Mark]) -> dict[str, Any]:
    """A record of a game's start, without the names that are forgotten."""
    marks, names = list(marks), start.get("names")
    if not marks or not isinstance(names, dict):
        return start
    kept = {
        colour: name
        for colour, name in names.items()
        if not (isinstance(name, str) and name and is_forgotten(name, marks))
    }
    return start if kept == names else {**start, "names": kept}

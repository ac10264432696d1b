"""Forgetting a name: it goes from every game, and a mark stays, so that no backup brings it back.

The mark is a salted hash of the name. Whoever knows a name can tell that it was forgotten; whoever
has the mark cannot read the name from it, though short names can be guessed at some expense.
"""

import hashlib
import secrets
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from companion.rules.records import plain_name

_ROUNDS = 20_000


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

"""The errors of the rules: input that cannot be meant, and moves that may not be made."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.rules.verdicts import Refusal


class BadInput(ValueError):  # noqa: N818 - it reads better where it is raised
    """Quotes the input and says what is allowed."""


class BadLine(BadInput):
    """A text of which one line cannot be read; `line` counts them from 1."""

    def __init__(self, line: int, why: BadInput) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


class BadHeader(BadInput):
    """A record whose header lacks something, or is wrong in it; `key` is what."""

    def __init__(self, key: str, why: BadInput) -> None:
        super().__init__(f"header: {why}")
        self.key = key


class IllegalMove(BadInput):
    """A move that the rules refuse; `refusals` are the clauses that it breaks, with evidence."""

    def __init__(self, message: str, refusals: tuple["Refusal", ...]) -> None:
        super().__init__(message)
        self.refusals = refusals


def known(what: str, given: str, allowed: Iterable[str]) -> str:
    """Return `given` if it is allowed; otherwise raise an error that lists what is."""
    choices = list(allowed)
    if given not in choices:
        raise BadInput(f"unknown {what} {given!r}: {meant(given, choices)}{', '.join(choices)}")
    return given


def meant(given: str, choices: Iterable[str]) -> str:
    """The beginning of a list of choices, with the one that was probably meant before it."""
    from difflib import get_close_matches  # only who makes a mistake needs it

    plain = {one.lower(): one for one in choices}
    close = get_close_matches(given[:80].lower(), plain, 1)
    return f"did you mean {plain[close[0]]}? Choose from " if close else "choose from "

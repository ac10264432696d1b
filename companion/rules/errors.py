"""The errors of the rules: input that cannot be meant, and moves that may not be made."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.rules.verdicts import Refusal


class BadInput(ValueError):  # noqa: N818 - it reads better where it is raised
    """Quotes the input and says what is allowed."""


class IllegalMove(BadInput):
    """A move that the rules refuse; `refusals` are the clauses that it breaks, with evidence."""

    def __init__(self, message: str, refusals: tuple["Refusal", ...]) -> None:
        super().__init__(message)
        self.refusals = refusals


def known(what: str, given: str, allowed: Iterable[str]) -> str:
    """Return `given` if it is allowed; otherwise raise an error that lists what is."""
    choices = list(allowed)
    if given not in choices:
        raise BadInput(f"unknown {what} {given!r}: choose from {', '.join(choices)}")
    return given

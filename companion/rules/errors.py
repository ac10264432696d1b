"""The one error of the rules: input that cannot be meant, with what would be allowed."""

from collections.abc import Iterable


class BadInput(ValueError):  # noqa: N818 - it reads better where it is raised
    """Quotes the input and says what is allowed."""


def known(what: str, given: str, allowed: Iterable[str]) -> str:
    """Return `given` if it is allowed; otherwise raise an error that lists what is."""
    choices = list(allowed)
    if given not in choices:
        raise BadInput(f"unknown {what} {given!r}: choose from {', '.join(choices)}")
    return given

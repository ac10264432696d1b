"""One line of the doctor's report."""

from collections.abc import Iterable
from typing import Literal, NamedTuple


class Finding(NamedTuple):
    """A device, how it is, and what to do if it is not well."""

    state: Literal["good", "bad", "note"]
    device: str
    what: str
    cure: str = ""


def listed(names: Iterable[str], most: int = 12) -> str:
    """Names in a row, the rest counted."""
    names = list(names)
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")


def joined(names: Iterable[str], word: str = "and") -> str:
    """Names as one would say them: `a, b and c`."""
    *first, last = names
    return f"{', '.join(first)} {word} {last}" if first else last

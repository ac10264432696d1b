"""One line of the doctor's report."""

from collections.abc import Collection, Iterable, Mapping
from typing import Literal, NamedTuple

from companion.bench.wires import whole_lines
from companion.events import Cell


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


def told(names: Collection[str], wiring: Mapping[str, Cell]) -> str:
    """These places in words, whole rows and columns named as such."""
    found, rest = whole_lines(names, wiring)
    said = [f"the whole {line} ({listed(line.places, 4)})" for line in found]
    return "; ".join([*said, *([listed(rest)] if rest else [])])


def joined(names: Iterable[str], word: str = "and") -> str:
    """Names as one would say them: `a, b and c`."""
    *first, last = names
    return f"{', '.join(first)} {word} {last}" if first else last

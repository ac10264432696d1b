"""Whole rows and columns: where all places of one fail together, its wire is to blame."""

from collections.abc import Collection, Iterator, Mapping
from typing import Literal, NamedTuple

from companion.commands.finding import listed
from companion.config import Cell

FEWEST = 3
"""Places of a row or column that fail together by more than chance."""


class Line(NamedTuple):
    """A row or column of the matrix, counted from 0, with the places that are wired to it."""

    kind: Literal["row", "column"]
    number: int
    places: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.kind} {self.number + 1}"


def lines(wiring: Mapping[str, Cell]) -> Iterator[Line]:
    """Every row and column that has enough places, the longest first."""
    found: dict[tuple[Literal["row", "column"], int], list[str]] = {}
    for name, (row, column) in wiring.items():
        found.setdefault(("row", row), []).append(name)
        found.setdefault(("column", column), []).append(name)
    whole = [Line(*key, tuple(names)) for key, names in found.items() if len(names) >= FEWEST]
    yield from sorted(whole, key=lambda line: -len(line.places))


def whole_lines(names: Collection[str], wiring: Mapping[str, Cell]) -> tuple[list[Line], list[str]]:
    """The rows and columns of which every place is among these, and the places of no such line."""
    rest = list(names)
    found: list[Line] = []
    for line in lines(wiring):
        if all(name in names for name in line.places) and set(line.places) & set(rest):
            found.append(line)
            rest = [name for name in rest if name not in line.places]
    return found, rest


def told(names: Collection[str], wiring: Mapping[str, Cell]) -> str:
    """These places in words, whole rows and columns named as such."""
    found, rest = whole_lines(names, wiring)
    said = [f"the whole {line} ({listed(line.places, 4)})" for line in found]
    return "; ".join([*said, *([listed(rest)] if rest else [])])


def silent(answered: Collection[Cell], rows: int, columns: int, *, all_used: bool) -> list[str]:
    """Rows and columns in which no cell has answered, as `row 3`.

    Of a matrix whose last lines may be unused, only those before one that answers.
    """
    found = []
    for kind, count, at in (("row", rows, 0), ("column", columns, 1)):
        seen = {cell[at] for cell in answered}
        last = count if all_used else max(seen, default=-1)
        found += [f"{kind} {number + 1}" for number in range(last) if number not in seen]
    return found

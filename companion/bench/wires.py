"""Whole rows and columns: where all places of one fail together, its wire is to blame."""

from collections.abc import Collection, Iterator, Mapping
from typing import Literal, NamedTuple

from companion.events import Cell

FEWEST = 3
"""Places of a row or column that fail together by more than chance."""


Kind = Literal["row", "column"]


class Line(NamedTuple):
    """A row or column of the matrix, counted from 0, with the places that are wired to it."""

    kind: Kind
    number: int
    places: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.kind} {self.number + 1}"


def lines(wiring: Mapping[str, Cell]) -> Iterator[Line]:
    """Every row and column that has enough places, the longest first."""
    found: dict[tuple[Kind, int], list[str]] = {}
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


def silent(answered: Collection[Cell], rows: int, columns: int, *, all_used: bool) -> list[Line]:
    """Rows and columns in which no cell has answered.

    Of a matrix whose last lines may be unused, only those before one that answers.
    """
    found: list[Line] = []
    kinds: tuple[Kind, Kind] = ("row", "column")
    for kind, count, at in zip(kinds, (rows, columns), (0, 1), strict=True):
        seen = {cell[at] for cell in answered}
        last = count if all_used else max(seen, default=-1)
        found += [Line(kind, number, ()) for number in range(last) if number not in seen]
    return found


def dead_lines(
    missing: Collection[str],
    before: Mapping[str, Cell],
    wired: Mapping[str, Cell],
    matrix: tuple[int, int],
    *,
    all_used: bool,
) -> list[Line]:
    """The lines to which missing places belong: by the last map, or by their silence."""
    if len(missing) < FEWEST:
        return []
    known = {**{name: before[name] for name in missing if name in before}, **wired}
    found, _ = whole_lines(missing, known)
    return found or silent(list(wired.values()), *matrix, all_used=all_used)

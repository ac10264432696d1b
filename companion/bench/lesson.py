"""Learning how a board is wired, place by place: pure, so that every muddle can be tested."""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from companion.events import Cell
from companion.rules.boards import Place
from companion.rules.places import number_in


class Remark(NamedTuple):
    """What the last press meant: which cells answered when a place was asked for.

    If the cell is known already, `other` is the place that it belongs to.
    """

    kind: Literal["learned", "known", "double"]
    asked: Place
    cells: tuple[Cell, ...]
    other: Place | None = None

    @property
    def text(self) -> str:
        """It in words, for a terminal."""
        asked, cells = describe(self.asked), "; ".join(map(named, self.cells))
        if self.kind == "double":
            return (
                f"{len(self.cells)} cells answered at once ({cells}): press only "
                f"{asked}; if you did, its wires touch others, part them"
            )
        if self.other is not None:
            return (
                f"this is {describe(self.other)} ({cells}): press {asked}; if you did, both "
                "are wired to the same row and column, give one of them its own"
            )
        return f"{asked} is {cells}"


def describe(place: Place) -> str:
    """A place as a person would say it."""
    number = number_in(place.name)
    if place.kind == "track":
        return f"square {place.name}"
    what = {"finish": "finish square", "home": "home spot", "base": "base spot", "stack": "stack"}
    return f"{place.colour}'s {what[place.kind]} {number}"


def named(cell: Cell) -> str:
    """A cell as it is counted on the map."""
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


class Lesson:
    """Asks for one place after another and notes which cell of the matrix answers.

    A press counts when everything is released again: only then is it known how many cells
    answered. Cells that were closed from the beginning are left out until they open.
    """

    def __init__(
        self, places: Iterable[Place], known: Mapping[str, Cell], closed: Iterable[Cell] = ()
    ) -> None:
        self._places = tuple(places)
        self.wired = dict(known)
        self.missing: list[str] = []
        self.stuck = set(closed)
        self._down: set[Cell] = set()
        self._press: set[Cell] = set()
        self._order: list[str] = []

    def follow(self, other: "Lesson") -> None:
        """Go on after another lesson of the same board: what was given up stays so."""
        self.missing, self._order = other.missing, other._order

    @property
    def asked(self) -> Place | None:
        """The place that is asked for now; None when all have been."""
        for place in self._places:
            if place.name not in self.wired and place.name not in self.missing:
                return place
        return None

    def change(self, cell: Cell, on: bool) -> Remark | None:
        """A cell closed or opened; a remark follows when the press is over."""
        if cell in self.stuck:
            if not on:
                self.stuck.remove(cell)
            return None
        if on:
            self._down.add(cell)
            self._press.add(cell)
            return None
        self._down.discard(cell)
        if self._down or not self._press:
            return None
        press, self._press = self._press, set()
        return self._judge(sorted(press))

    def skip(self) -> None:
        """Nothing answers here: note it as a missing wire and go on."""
        if self.asked is not None:
            self._order.append(self.asked.name)
            self.missing.append(self.asked.name)

    def back(self) -> None:
        """Ask for the last place again."""
        if self._order:
            name = self._order.pop()
            self.wired.pop(name, None)
            if name in self.missing:
                self.missing.remove(name)

    def _judge(self, cells: list[Cell]) -> Remark | None:
        asked = self.asked
        if asked is None:
            return None
        if len(cells) > 1:
            return Remark("double", asked, tuple(cells))
        (cell,) = cells
        other = next((p for p in self._places if self.wired.get(p.name) == cell), None)
        if other is not None:
            return Remark("known", asked, (cell,), other)
        self.wired[asked.name] = cell
        self._order.append(asked.name)
        return Remark("learned", asked, (cell,))

    def lines(self, rows: int, columns: int) -> list[str]:
        """The map as the configuration has it; it grows if a cell lies outside."""
        rows = max([rows, *(row + 1 for row, _ in self.wired.values())])
        columns = max([columns, *(column + 1 for _, column in self.wired.values())])
        grid = [["-"] * columns for _ in range(rows)]
        for name, (row, column) in self.wired.items():
            grid[row][column] = name
        width = max((len(name) for name in self.wired), default=1)
        return [" ".join(name.ljust(width) for name in row).rstrip() for row in grid]

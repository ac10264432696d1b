"""A key matrix as a circuit on gpiozero's mock pins: keys, wires, diodes, weak pull-ups.

Pins are driven, not calls patched: what a column reads follows from which rows pull low and
which keys are closed, with current only going the way diodes let it.
"""

from collections.abc import Sequence
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin

Cell = tuple[int, int]


class WiredPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin that tells its circuit when its function or level changes."""

    circuit: "Circuit | None" = None

    def _set_function(self, value: str) -> None:
        if self.circuit is not None and self.circuit.broken:
            raise OSError("no such line")
        super()._set_function(value)
        if self.circuit is not None:
            self.circuit.update()

    def _set_state(self, value: float) -> None:
        super()._set_state(value)
        if self.circuit is not None:
            self.circuit.update()


class Circuit:
    """Keys between row and column pins; by default every key has its diode.

    `slow` makes a column that was low stay low until `settle` is called, as on long wires.
    While it is `broken` the pins cannot be switched.
    """

    def __init__(
        self, rows: Sequence[int], columns: Sequence[int], diodes: bool = True, slow: bool = False
    ) -> None:
        self.factory = MockFactory(pin_class=WiredPin)
        self.closed: set[Cell] = set()
        self.diodes = diodes
        self.slow = slow
        self.broken = False
        self.shorts = 0
        self.rows: list[Any] = [self.factory.pin(pin) for pin in rows]
        self.columns: list[Any] = [self.factory.pin(pin) for pin in columns]
        for pin in (*self.rows, *self.columns):
            pin.circuit = self

    def press(self, *cells: Cell) -> None:
        self.closed.update(cells)
        self.update()

    def release(self, *cells: Cell) -> None:
        self.closed.difference_update(cells)
        self.update()

    def settle(self) -> None:
        self.update(settled=True)

    def update(self, settled: bool = False) -> None:
        driven = [(index, pin) for index, pin in enumerate(self.rows) if pin.function == "output"]
        low = self._spread({("row", index) for index, pin in driven if not pin.state})
        self.shorts += len(low & {("row", index) for index, pin in driven if pin.state})
        for index, pin in enumerate(self.columns):
            if pin.function != "input" or pin.pull != "up":
                continue
            if ("column", index) in low:
                pin.drive_low()
            elif settled or not self.slow:
                pin.drive_high()

    def _spread(self, low: set[tuple[str, int]]) -> set[tuple[str, int]]:
        """Every wire that is pulled low through closed keys."""
        while True:
            more = {("column", column) for row, column in self.closed if ("row", row) in low}
            if not self.diodes:  # then current also flows from a row through a column to another
                more |= {("row", row) for row, column in self.closed if ("column", column) in low}
            if more <= low:
                return low
            low = low | more

"""A board whose sensors form a diode matrix on the Pi's own pins.

Rows are inputs pulled up. Columns float, and one at a time is pulled low: a closed key pulls
its row down through its diode. A column that is not being read never drives anything, so a
missing diode cannot short two pins.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from companion.events import Found, Lost, Reading, Snapshot
from companion.table import Emit
from companion.table.debounce import Debounce, bits

INTERVAL = 0.016  # seconds between scans: 62 a second
DEBOUNCE = 0.020
RETRY = 1.0

Cell = tuple[int, int]
"""Row and column of a key in its matrix, counted from 0."""


def _settle() -> None:
    """Let the rows rise after a column with closed keys: the pull-ups are weak."""
    time.sleep(30e-6)


class Matrix:
    """Reads all keys of a matrix as bits, column by column."""

    def __init__(
        self,
        factory: Any,
        rows: Sequence[int],
        columns: Sequence[int],
        settle: Callable[[], None] = _settle,
    ) -> None:
        from gpiozero import GPIODevice, InputDevice

        self.height = len(rows)
        self._settle = settle
        with ExitStack() as stack:
            inputs = [
                stack.enter_context(InputDevice(pin, pull_up=True, pin_factory=factory))
                for pin in rows
            ]
            drivers = [stack.enter_context(GPIODevice(pin, pin_factory=factory)) for pin in columns]
            for driver in drivers:
                driver.pin.input_with_pull("floating")
            self._rows = [device.pin for device in inputs]
            self._columns = [device.pin for device in drivers]
            self._devices = stack.pop_all()

    def scan(self) -> int:
        """All closed keys; the key at row r, column c is bit c * height + r."""
        mask, bit = 0, 1
        rows = self._rows
        for column in self._columns:
            before = mask
            column.output_with_state(False)
            for row in rows:
                if not row.state:
                    mask |= bit
                bit <<= 1
            column.function = "input"
            if mask != before:
                self._settle()
        return mask

    def close(self) -> None:
        self._devices.close()


class GpioBoard:
    """A `Board` on a matrix; `places` says which key is which place, other keys are ignored."""

    def __init__(
        self,
        matrix: Matrix,
        places: Mapping[Cell, str],
        name: str = "board",
        debounce: float = DEBOUNCE,
    ) -> None:
        self.name = name
        self._matrix = matrix
        self._names = {
            column * matrix.height + row: place for (row, column), place in places.items()
        }
        self._debounce = Debounce(debounce)
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def noise(self) -> dict[str, int]:
        """How often each place changed for less than the debounce time: loose wires."""
        return {
            self._names[key]: count
            for key, count in self._debounce.noise.items()
            if key in self._names
        }

    def start(self, emit: Emit) -> None:
        """Begin to scan; the first settled reading is reported as a snapshot."""
        self._emit = emit
        self._loop = asyncio.get_running_loop()
        self._begin()

    def light(self, places: Mapping[str, str]) -> None:
        """Nothing: this board has no lights."""

    def close(self) -> None:
        """Stop scanning and free the pins; may be called twice."""
        if self._closed:
            return
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        self._matrix.close()

    def _begin(self) -> None:
        """Read silently until the first readings have settled."""
        self._quiet_until = self._loop.time() + 2 * self._debounce.delay + INTERVAL
        self._lost = False
        self._settled = False
        self._step()

    def _step(self) -> None:
        self._timer = self._loop.call_later(INTERVAL, self._step)
        now = self._loop.time()
        try:
            changed = self._debounce.update(self._matrix.scan(), now)
        except Exception as fault:
            self._fail(fault)
            return
        if self._settled:
            if changed:
                self._report(changed)
        elif now >= self._quiet_until:
            self._settled = True
            self._emit(Found(self.name, f"{len(self._names)} places on the Pi's own pins"))
            self._emit(Snapshot(frozenset(self._on())))

    def _report(self, changed: int) -> None:
        for key in bits(changed):
            if key in self._names:
                self._emit(Reading(self._names[key], bool(self._debounce.stable >> key & 1)))

    def _on(self) -> list[str]:
        return [self._names[key] for key in bits(self._debounce.stable) if key in self._names]

    def _fail(self, fault: Exception) -> None:
        """Say once that the pins cannot be read, and try again every second."""
        if not self._lost:
            self._lost = True
            self._emit(Lost(self.name, f"the matrix pins cannot be read ({fault})"))
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(RETRY, self._retry)

    def _retry(self) -> None:
        try:
            self._matrix.scan()
        except Exception as fault:
            self._fail(fault)
        else:
            self._begin()

"""A board whose sensors form a diode matrix on the Pi's own pins.

Each switch joins a row to a column through its own diode, cathode to the row, as on a board
with a Pico. Columns are inputs pulled up. Rows float, and one at a time is pulled low: a closed
key then pulls its column down. A row that is not being read drives nothing, so a missing
diode cannot short two pins.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from companion.events import Cell, Event, Found, Lost, Reading, Snapshot
from companion.table import Emit, check_lights
from companion.table.debounce import DEBOUNCE, Debounce, bits

INTERVAL = 0.975 * DEBOUNCE  # between scans, for a thread wakes late: at least 50 a second;
EARLY = 0.9  # a change counts when the next one sees it as well, which may come early
RETRY = 1.0


def _settle() -> None:
    """Let the columns rise after a row with closed keys: the pull-ups are weak."""
    time.sleep(30e-6)


class Matrix:
    """Reads all keys of a matrix as bits, row by row."""

    def __init__(
        self,
        factory: Any,
        rows: Sequence[int],
        columns: Sequence[int],
        settle: Callable[[], None] = _settle,
    ) -> None:
        from gpiozero import GPIODevice, InputDevice

        self.height, self.width = len(rows), len(columns)
        self._settle = settle
        with ExitStack() as stack:
            drivers = [stack.enter_context(GPIODevice(pin, pin_factory=factory)) for pin in rows]
            inputs = [
                stack.enter_context(InputDevice(pin, pull_up=True, pin_factory=factory))
                for pin in columns
            ]
            for driver in drivers:
                driver.pin.output_with_state(False)  # low whenever it is an output again
                driver.pin.input_with_pull("floating")
            self._rows = [device.pin for device in drivers]
            self._columns = [device.pin for device in inputs]
            self._devices = stack.pop_all()
        settle()

    def scan(self) -> int:
        """All closed keys; the key at row r, column c is bit r * width + c."""
        mask, bit = 0, 1
        columns = self._columns
        for row in self._rows:
            before = mask
            row.function = "output"
            for column in columns:
                if not column.state:
                    mask |= bit
                bit <<= 1
            row.function = "input"
            if mask != before:
                self._settle()
        return mask

    def close(self) -> None:
        self._devices.close()


Pace = Callable[[Callable[[], float]], Callable[[], None]]
"""Calls a step again and again, each after the seconds it returned; returns how to stop it."""


def thread_pace(step: Callable[[], float]) -> Callable[[], None]:
    """Pace the steps in a thread of their own.

    Reading pins blocks a little each time, and waking a thread costs half of what waking the
    event loop does.
    """
    stopped = threading.Event()

    def work() -> None:
        due = time.monotonic()
        while not stopped.is_set():
            wait = step()
            now = time.monotonic()
            due = max(due + wait, now)
            time.sleep(due - now)

    thread = threading.Thread(target=work, name="matrix", daemon=True)
    thread.start()

    def stop() -> None:
        stopped.set()
        thread.join()

    return stop


class GpioBoard:
    """A `Board` on a matrix; `places` says at which cell each place is wired.

    Cells without a place make no events; `on_cell(row, column, on)`, if set, is told of all.
    """

    def __init__(
        self,
        matrix: Matrix,
        places: Mapping[str, Cell],
        name: str = "board",
        debounce: float = EARLY * DEBOUNCE,
        pace: Pace = thread_pace,
        on_cell: Callable[[int, int, bool], None] | None = None,
    ) -> None:
        self.name = name
        self.on_cell = on_cell
        self._matrix = matrix
        self._names = {
            row * matrix.width + column: place for place, (row, column) in places.items()
        }
        self._debounce = Debounce(debounce)
        self._pace = pace
        self._stop: Callable[[], None] | None = None
        self._closed = False

    @property
    def cells(self) -> frozenset[Cell]:
        """Every closed cell, whether it is a place or not."""
        return frozenset(self._cell(key) for key in bits(self._debounce.stable))

    def _cell(self, key: int) -> Cell:
        return divmod(key, self._matrix.width)

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns of its pins."""
        return self._matrix.height, self._matrix.width

    @property
    def unreachable(self) -> dict[str, Cell]:
        """Every place is on a pin: the configuration was checked."""
        return {}

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
        self._lost = False
        self._begin()
        self._stop = self._pace(self._step)

    def light(self, places: Mapping[str, str]) -> None:
        """Nothing but a check: this board has no lights."""
        check_lights(places)

    def light_cells(self, cells: Mapping[Cell, str]) -> None:
        """Nothing: this board has no lights."""

    def close(self) -> None:
        """Stop scanning and free the pins; may be called twice."""
        if self._closed:
            return
        self._closed = True
        if self._stop is not None:
            self._stop()
        self._matrix.close()

    def _begin(self) -> None:
        """Read silently until the first readings have settled."""
        self._settled = False
        self._quiet_until = self._loop.time() + 2 * self._debounce.delay + INTERVAL

    def _step(self) -> float:
        """One scan, in the pace's thread; returns how long to wait for the next."""
        now = self._loop.time()
        try:
            changed = self._debounce.update(self._matrix.scan(), now)
        except Exception as fault:
            if not self._lost:
                self._lost = True
                self._tell(Lost(self.name, f"the matrix pins cannot be read ({fault})"))
            return RETRY
        if self._lost:
            self._lost = False
            self._begin()
        elif self._settled:
            if changed:
                self._report(changed)
        elif now >= self._quiet_until:
            self._settled = True
            self._tell(Found(self.name, f"{len(self._names)} places on the Pi's own pins"))
            self._tell(Snapshot(frozenset(self._on())))
        return INTERVAL

    def _report(self, changed: int) -> None:
        for key in bits(changed):
            on = bool(self._debounce.stable >> key & 1)
            if self.on_cell is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self.on_cell, *self._cell(key), on)
            if key in self._names:
                self._tell(Reading(self._names[key], on))

    def _on(self) -> list[str]:
        return [self._names[key] for key in bits(self._debounce.stable) if key in self._names]

    def _tell(self, event: Event) -> None:
        """Cross over to the event loop's thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._deliver, event)

    def _deliver(self, event: Event) -> None:
        if not self._closed:
            self._emit(event)

"""The devices on the Pi's pins while nothing happens: what share of a core they take."""

import asyncio
import statistics
import time

from companion.events import Event
from companion.table.buttons import BoxButtons, RollButton
from companion.table.matrix import GpioBoard, Matrix
from companion.table.pins import open_pins

WINDOWS, SECONDS = 7, 1.0
TARGET = 0.01
ROWS, COLUMNS = range(4, 12), range(12, 21)


class CountingMatrix(Matrix):
    scans = 0

    def scan(self) -> int:
        self.scans += 1
        return super().scan()


async def idle() -> tuple[float, float]:
    """CPU seconds per second, and scans a second, of a whole table on mock pins.

    The median of some windows, for others work on the same machine.
    """
    pins = open_pins("mock")
    matrix = CountingMatrix(pins, ROWS, COLUMNS)
    places = {f"{row}.{column}": (row, column) for row in range(8) for column in range(9)}
    events: list[Event] = []
    sources = (
        GpioBoard(matrix, places),
        BoxButtons(pins, {"up": 21, "down": 22, "ok": 23}),
        RollButton(pins, 24, bytes),
    )
    for source in sources:
        source.start(events.append)
    await asyncio.sleep(0.5)
    windows = []
    for _ in range(WINDOWS):
        matrix.scans = 0
        begun, spent = time.monotonic(), time.process_time()
        await asyncio.sleep(SECONDS)
        passed = time.monotonic() - begun
        windows.append(((time.process_time() - spent) / passed, matrix.scans / passed))
    for source in sources:
        source.close()
    shares, rates = zip(*windows, strict=True)
    return statistics.median(shares), statistics.median(rates)


def run() -> bool:
    """Print the figures; true if the target is met."""
    share, rate = asyncio.run(idle())
    met = share < TARGET and rate >= 50
    print(
        f"  72 places and 4 buttons, idle: {100 * share:.2f} % of a core at {rate:.0f} scans a "
        f"second (target: below {100 * TARGET:.0f} %, at least 50): {'met' if met else 'MISSED'}"
    )
    return met

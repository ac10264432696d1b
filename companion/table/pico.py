"""Simulated Picos: the firmware's own logic behind a pseudo-terminal, for the real adapters.

They need no MicroPython and no waiting: a press is debounced and a throw comes to rest in
the device's own time, which runs ahead of the clock when told to.
"""

import asyncio
import os
import random
import termios
import tty
from collections.abc import Callable
from pathlib import Path

from firmware.board.board import Board
from firmware.board.lights import Lights
from firmware.die.die import Die
from firmware.keys import QUIET
from firmware.line import BOOTS
from firmware.port import Port
from firmware.ticks import PERIOD

STEP = 5  # ms of device time between two turns of its loop
IDLE = 0.05  # seconds between two turns while nothing happens


class PtyConsole:
    """The device's end of a pseudo-terminal, read and written without waiting."""

    def __init__(self) -> None:
        self.fd, self.host = os.openpty()  # the host end stays open, or reads would fail
        tty.setraw(self.fd, termios.TCSANOW)
        os.set_blocking(self.fd, False)

    def read(self) -> bytes:
        """What the box has written."""
        try:
            return os.read(self.fd, 4096)
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> int:
        """Write what fits, as a Pico does; says how many bytes that were."""
        try:
            return os.write(self.fd, data)
        except BlockingIOError:
            return 0

    def close(self) -> None:
        """Pull the plug."""
        os.close(self.fd)
        os.close(self.host)


class SimulatedPico:
    """A Pico that appears as a serial port at `path` while it is plugged in."""

    def __init__(self, path: Path | str, unit: str, seed: int | None = None) -> None:
        self.path = Path(path)
        self.unit = unit
        self.random = random.Random(seed)
        self.boot = 0
        self._console: PtyConsole | None = None
        self._step: Callable[[int], None] | None = None
        self._ahead = self.random.randrange(PERIOD)
        self._timer: asyncio.TimerHandle | None = None

    def plug(self) -> None:
        """Plug it in: it boots, and its port appears. Needs a running event loop."""
        self.unplug()
        self._console = PtyConsole()
        self.path.symlink_to(os.ttyname(self._console.host))
        self.reboot()
        self.go_on()

    def unplug(self) -> None:
        """Pull it out; may be called twice."""
        self.stall()
        if self._console is not None:
            self.path.unlink(missing_ok=True)
            self._console.close()
            self._console = None
            self._step = None

    def reboot(self) -> None:
        """Restart it without unplugging, as the watchdog would."""
        if self._console is not None:
            self.boot = self.random.randrange(BOOTS)
            self._step = self.build(self._console, self.boot)

    def stall(self) -> None:
        """Let it hang: it neither reads nor writes until `go_on`."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            if self._console is not None:
                asyncio.get_running_loop().remove_reader(self._console.fd)

    def go_on(self) -> None:
        """Wake from a stall."""
        if self._console is not None and self._timer is None:
            asyncio.get_running_loop().add_reader(self._console.fd, self.step)
            self._idle()

    def noise(self, data: bytes) -> None:
        """Put bytes on the line that no firmware has sent."""
        if self._console is not None:
            self._console.write(data)

    def step(self) -> None:
        """One turn of the firmware's loop."""
        if self._step is not None:
            now = int(asyncio.get_running_loop().time() * 1000) + self._ahead
            self._step(now % PERIOD)

    def run(self, milliseconds: int, step: int = STEP) -> None:
        """Let so much device time pass at once, in turns of `step` ms."""
        for _ in range(0, milliseconds, step):
            self._ahead += step
            self.step()

    def build(self, console: PtyConsole, boot: int) -> Callable[[int], None]:
        """The firmware of this device, freshly booted; returns its step."""
        raise NotImplementedError

    def _idle(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(IDLE, self._idle)
        self.step()


class SimulatedBoard(SimulatedPico):
    """A board whose switches are pressed by calls."""

    def __init__(
        self,
        path: Path | str,
        rows: int = 8,
        columns: int = 16,
        unit: str = "5b0a7d",
        seed: int | None = None,
    ) -> None:
        super().__init__(path, unit, seed)
        self.rows, self.columns = rows, columns
        self.lit = 0
        self._masks = [0] * rows

    def build(self, console: PtyConsole, boot: int) -> Callable[[int], None]:
        """The board's firmware."""
        port = Port(console, "board", boot, self.unit, self.rows, self.columns)
        lights = Lights(self._light)
        return Board(port, lambda: self._masks, self.rows, self.columns, lights).step

    def _light(self, mask: int) -> None:
        self.lit = mask

    def close_switch(self, row: int, column: int) -> None:
        """Close a switch without letting time pass."""
        self._masks[row] |= 1 << column

    def open_switch(self, row: int, column: int) -> None:
        """Open a switch without letting time pass."""
        self._masks[row] &= ~(1 << column)

    def press(self, row: int, column: int) -> None:
        """A piece is put down, or a button pressed, and has stopped bouncing."""
        self.close_switch(row, column)
        self.run(2 * QUIET, QUIET)

    def release(self, row: int, column: int) -> None:
        """The opposite of `press`."""
        self.open_switch(row, column)
        self.run(2 * QUIET, QUIET)


class SimulatedDie(SimulatedPico):
    """A die that is thrown by calls."""

    def __init__(self, path: Path | str, unit: str = "d1ed1e", seed: int | None = None) -> None:
        super().__init__(path, unit, seed)
        self.pips = 0
        self._button = False
        self._edges = 0
        self._face: int | None = None

    def build(self, console: PtyConsole, boot: int) -> Callable[[int], None]:
        """The die's firmware."""
        port = Port(console, "die", boot, self.unit)
        return Die(
            port, boot, lambda: self._button, self._take_edges, self._entropy, self._show
        ).step

    def _show(self, mask: int) -> None:
        self.pips = mask

    def _take_edges(self) -> int:
        edges, self._edges = self._edges, 0
        return edges

    def _entropy(self, count: int) -> bytes:
        if self._face is None:
            return self.random.randbytes(count)
        return bytes([self._face - 1] * count)

    def throw(self, face: int | None = None) -> None:
        """Press the button and let the die come to rest, on this face or on any."""
        self._face = face
        self._button = True
        self.run(100, 25)
        self._button = False
        self.run(500, 50)
        self._face = None

    def shake(self, edges: int) -> None:
        """Move the shake switch so often, 60 ms apart, and let the die come to rest."""
        for _ in range(edges):
            self._edges += 1
            self.run(60, 30)
        self.run(500, 50)

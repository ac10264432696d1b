"""Speaks with MicroPython itself, not with our program on it: its raw prompt, over a serial port.

Nothing of the program that runs there is needed: it is interrupted, and lines of Python are sent.
What they print comes back. All that is sent is printable, for some bytes are orders to the prompt.
"""

import contextlib
import errno
import os
import re
import select
import termios
import time
from collections.abc import Callable
from types import TracebackType

import serial

INTERRUPT, RAW, FRIENDLY, END = b"\x03", b"\x01", b"\x02", b"\x04"
GREETING = b"raw REPL; CTRL-B to exit\r\n>"
PATIENCE = 5.0  # seconds until an answer must have begun
WORK = 20.0  # seconds that a piece of work may take: erasing a page of flash is slow
PIECE = 64  # bytes written at once


class PicoError(Exception):
    """The Pico does not do as it is told; says what happened, in a sentence."""


class PicoGoneError(PicoError):
    """It was unplugged, or its cable is loose."""


class PortBusyError(PicoError):
    """Another program has the port."""


class PicoFault(PicoError):  # noqa: N818  # an error of the Python over there
    """What was sent raised an exception there; `number` is that of an OSError, if it was one."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        last = text.strip().splitlines()[-1] if text.strip() else text
        self.last = last
        found = re.match(r"OSError: (?:\[Errno )?(\d+)", last)
        self.number = int(found[1]) if found else None


class RawRepl:
    """MicroPython's raw prompt on one port; use it in a `with`."""

    def __init__(self, path: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.path = path
        self._clock = clock
        self._held = b""
        try:
            self._port = serial.Serial(path, 115200, timeout=0, write_timeout=0, exclusive=True)
        except OSError as fault:
            if fault.errno in (errno.EBUSY, errno.EAGAIN):
                raise PortBusyError(f"another program holds {path}") from None
            if fault.errno == errno.EACCES:
                raise PicoError(
                    f"you may not open {path}: use sudo, or add yourself to the group dialout"
                ) from None
            raise PicoGoneError(f"{path} cannot be opened: {fault.strerror or fault}") from None

    def __enter__(self) -> "RawRepl":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the port."""
        with contextlib.suppress(OSError, termios.error):  # it may be gone already
            self._port.reset_output_buffer()
        self._port.close()

    def enter(self) -> None:
        """Interrupt whatever runs, and come to the raw prompt."""
        for _ in range(3):  # a program may be waiting in its own interrupt, or starting again
            self._held = b""
            self._write(b"\r" + INTERRUPT + INTERRUPT)
            self._gather(0.3)
            self._write(RAW)
            try:
                self._until(GREETING, PATIENCE / 2)
            except PicoGoneError:
                raise
            except PicoError:
                continue
            return
        raise PicoError(f"the Pico on {self.path} does not come to MicroPython's prompt")

    def run(self, source: str) -> str:
        """Run lines of Python there; returns what they print. Raises PicoFault."""
        data = source.encode("ascii")
        self._write(data + END)
        self._until(b"OK", PATIENCE)
        said = self._until(END, WORK)
        fault = self._until(END, PATIENCE)
        self._until(b">", PATIENCE)
        if fault:
            raise PicoFault(fault.decode(errors="replace"))
        return said.decode(errors="replace").replace("\r\n", "\n")

    def tell(self, source: str) -> None:
        """Run something after which nothing answers any more, like a restart."""
        try:
            self._write(source.encode("ascii") + END)
            self._gather(0.3)
        except PicoGoneError:
            return

    # -- bytes ---------------------------------------------------------------------------------

    def _write(self, data: bytes) -> None:
        end = self._clock() + WORK
        while data:
            try:
                data = data[os.write(self._port.fileno(), data[:PIECE]) :]
            except BlockingIOError:
                if self._clock() > end:
                    raise PicoError(f"the Pico on {self.path} takes nothing any more") from None
                select.select([], [self._port.fileno()], [], 0.1)
            except OSError as fault:
                raise self._gone(fault) from None

    def _until(self, mark: bytes, patience: float) -> bytes:
        """What comes before a mark; the mark is taken too."""
        end = self._clock() + patience
        while mark not in self._held:
            if self._clock() > end:
                raise PicoError(f"the Pico on {self.path} does not answer as MicroPython does")
            self._read(0.1)
        before, _, self._held = self._held.partition(mark)
        return before

    def _gather(self, seconds: float) -> None:
        """Listen for a while."""
        end = self._clock() + seconds
        while (left := end - self._clock()) > 0:
            self._read(left)

    def _read(self, seconds: float) -> None:
        try:
            ready, _, _ = select.select([self._port.fileno()], [], [], seconds)
            if not ready:
                return
            data = os.read(self._port.fileno(), 4096)
        except BlockingIOError:
            return
        except OSError as fault:
            raise self._gone(fault) from None
        if not data:
            raise PicoGoneError(f"the Pico was unplugged from {self.path}")
        self._held += data

    def _gone(self, fault: OSError) -> PicoGoneError:
        return PicoGoneError(f"the Pico was unplugged from {self.path} ({fault.strerror})")

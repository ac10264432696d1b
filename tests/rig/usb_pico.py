"""A Pico on the USB of a QEMU guest: a serial line (CDC-ACM) with Raspberry Pi's vendor number."""

import socket
import struct
import threading
from collections import deque
from contextlib import suppress

from tests.rig.usb import BULK, INTERRUPT, Device, Interface

_NOTICE, _IN, _OUT = 0x81, 0x82, 0x02
_GET_LINE_CODING = 0x21
_LINE = struct.pack("<IBBB", 115200, 0, 0, 8)


class UsbPico(Device):
    """The Pico's USB; what its program reads and writes goes through `line`, a socket."""

    vendor, product = 0x2E8A, 0x0005
    strings = ("", "MicroPython", "Board in FS mode", "rig")
    interfaces = (Interface(2, 2, 0), Interface(10))
    endpoints = ((_NOTICE, INTERRUPT), (_IN, BULK), (_OUT, BULK))

    def __init__(self, wire: socket.socket) -> None:
        self.line, self._inner = socket.socketpair()
        self._wanted: deque[tuple[int, int]] = deque()
        self._change = threading.Condition()
        super().__init__(wire)
        threading.Thread(target=self._carry, daemon=True, name="line").start()

    def unplug(self) -> None:
        """Pull it out."""
        super().unplug()
        self._inner.close()

    def configuration(self) -> bytes:
        """A line to control, with its notices, and one for data, as every CDC-ACM has them."""
        about_call = bytes([5, 0x24, 0, 0x10, 1, 5, 0x24, 1, 0, 1, 4, 0x24, 2, 2, 5, 0x24, 6, 0, 1])
        parts = [
            bytes([9, 4, 0, 0, 1, 2, 2, 0, 0]),
            about_call,
            struct.pack("<BBBBHB", 7, 5, _NOTICE, 3, 64, 16),
            bytes([9, 4, 1, 0, 2, 10, 0, 0, 0]),
            struct.pack("<BBBBHB", 7, 5, _OUT, 2, 64, 0),
            struct.pack("<BBBBHB", 7, 5, _IN, 2, 64, 0),
        ]
        body = b"".join(parts)
        return struct.pack("<BBHBBBBB", 9, 2, 9 + len(body), 2, 1, 0, 0x80, 50) + body

    def command(
        self, way: int, request: int, value: int, index: int, length: int, data: bytes
    ) -> bytes | None:
        """Speed and signals of the line mean nothing here."""
        return _LINE[:length] if request == _GET_LINE_CODING else b""

    def bulk_in(self, number: int, endpoint: int, length: int) -> None:
        """Answered as soon as the Pico has something to say."""
        with self._change:
            self._wanted.append((number, length))
            self._change.notify()

    def bulk_out(self, data: bytes) -> None:
        """What the box writes goes to the Pico."""
        self._inner.sendall(data)

    def cancelled(self, number: int) -> None:
        """The guest has closed the port, or is about to."""
        with self._change:
            waiting = [one for one in self._wanted if one[0] != number]
            known = len(waiting) != len(self._wanted)
            self._wanted = deque(waiting)
        if known:
            self.send_bulk(number, _IN, None)

    def _carry(self) -> None:
        """What the Pico says, to whoever reads."""
        with suppress(OSError):  # pulled out
            while said := self._inner.recv(4096):
                while said:
                    with self._change:
                        while not self._wanted:
                            self._change.wait()
                        number, length = self._wanted.popleft()
                    self.send_bulk(number, _IN, said[:length])
                    said = said[length:]

"""An OLED for a QEMU guest: an i2c-tiny-usb adapter with an SSD1306 on it, spoken as usbredir.

QEMU's `usb-redir` device hands us what the guest's own drivers (xhci, i2c-tiny-usb, i2c-dev) send
over USB. Opening the connection is plugging the cable in, closing it is pulling it out.
"""

import socket
import struct
import threading
from contextlib import suppress

from tests.table.panel import PanelModel

ADDRESS = 0x3C
VENDOR, PRODUCT = 0x0403, 0xC631  # i2c-tiny-usb

# Kinds of usbredir packets.
_CONNECT, _INTERFACES, _ENDPOINTS = 1, 4, 5
_SET_CONFIGURATION, _GET_CONFIGURATION, _CONFIGURATION = 6, 7, 8
_SET_SETTING, _GET_SETTING, _SETTING = 9, 10, 11
_CONTROL = 100
_STALL = 4

_DEVICE = struct.pack(
    "<BBHBBBBHHHBBBB", 18, 1, 0x110, 0xFF, 0, 0, 8, VENDOR, PRODUCT, 0x0205, 1, 2, 3, 1
)
_CONFIGURED = struct.pack("<BBHBBBBB", 9, 2, 18, 1, 1, 0, 0x80, 50) + struct.pack(
    "<BBBBBBBBB", 9, 4, 0, 0, 0, 0xFF, 0, 0, 0
)
_STRINGS = ("", "rig", "i2c-tiny-usb", "rig0")
_I2C_AND_SMBUS = 0x0EFF0001


class Adapter(threading.Thread):
    """The adapter, plugged in until `unplug`; what the guest sends goes to the panel."""

    def __init__(self, wire: socket.socket, panel: PanelModel) -> None:
        super().__init__(daemon=True, name="adapter")
        self.panel = panel
        self.lock = threading.Lock()
        self._wire = wire
        self._acknowledged = False
        self._greet()
        self.start()

    def unplug(self) -> None:
        """Pull it out."""
        with suppress(OSError):
            self._wire.shutdown(socket.SHUT_RDWR)
        self._wire.close()
        self.join()

    def run(self) -> None:
        with suppress(EOFError, OSError):
            self._receive(struct.unpack("<III", self._receive(12))[1])  # QEMU's own greeting
            while True:
                kind, length, number = struct.unpack("<IIQ", self._receive(16))
                self._take(kind, number, self._receive(length))

    def _greet(self) -> None:
        """Who we are: a full-speed device with one vendor interface and no endpoint but control.

        QEMU's xhci wants the capabilities 4 to 6 (packet sizes, wide ids, long transfers).
        """
        hello = b"ludo rig".ljust(64, b"\0") + struct.pack("<I", 0x70)
        self._wire.sendall(struct.pack("<III", 0, len(hello), 0) + hello)
        kinds = bytes([0] + [255] * 15) * 2
        self._send(_ENDPOINTS, 0, kinds + bytes(64) + struct.pack("<H", 8) * 32)
        self._send(_INTERFACES, 0, struct.pack("<I", 1) + bytes(32) + b"\xff" + bytes(95))
        self._send(_CONNECT, 0, struct.pack("<BBBBHH", 1, 0xFF, 0, 0, VENDOR, PRODUCT))

    def _send(self, kind: int, number: int, body: bytes) -> None:
        self._wire.sendall(struct.pack("<IIQ", kind, len(body), number) + body)

    def _receive(self, length: int) -> bytes:
        data = b""
        while len(data) < length:
            more = self._wire.recv(length - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def _take(self, kind: int, number: int, body: bytes) -> None:
        if kind == _SET_CONFIGURATION:
            self._send(_CONFIGURATION, number, bytes([0, body[0]]))
        elif kind == _GET_CONFIGURATION:
            self._send(_CONFIGURATION, number, bytes([0, 1]))
        elif kind == _SET_SETTING:
            self._send(_SETTING, number, bytes([0, body[0], body[1]]))
        elif kind == _GET_SETTING:
            self._send(_SETTING, number, bytes([0, body[0], 0]))
        elif kind == _CONTROL:
            self._control(number, body)

    def _control(self, number: int, body: bytes) -> None:
        endpoint, request, way, _, value, index, length = struct.unpack("<BBBBHHH", body[:10])
        reads = bool(way & 0x80)
        data = self._answer(way, request, value, index, length, body[10:])
        status = 0 if data is not None else _STALL
        data = data or b""
        count = len(data) if reads else length
        head = struct.pack("<BBBBHHH", endpoint, request, way, status, value, index, count)
        self._send(_CONTROL, number, head + (data if reads else b""))

    def _answer(
        self, way: int, request: int, value: int, index: int, length: int, data: bytes
    ) -> bytes | None:
        """The answer to a control request; None if there is no such."""
        if way == 0x80 and request == 6:
            return self._descriptor(value >> 8, value & 0xFF, length)
        if way == 0x80 and request == 0:
            return b"\0\0"[:length]
        if way & 0x60 == 0x40:
            return self._command(request, value, index, length, data)
        return None if way & 0x80 else b""

    def _descriptor(self, kind: int, index: int, length: int) -> bytes | None:
        if kind == 3 and index < len(_STRINGS):
            text = _STRINGS[index].encode("utf-16-le") if index else b"\x09\x04"
            return (bytes([2 + len(text), 3]) + text)[:length]
        found = {1: _DEVICE, 2: _CONFIGURED}.get(kind)
        return None if found is None else found[:length]

    def _command(
        self, request: int, value: int, index: int, length: int, data: bytes
    ) -> bytes | None:
        """The adapter's own commands: echo, functions, speed, status, and I2C transfers."""
        if request == 0:
            return struct.pack("<H", value)[:length]
        if request == 1:
            return struct.pack("<I", _I2C_AND_SMBUS)[:length]
        if request == 2:
            return b""
        if request == 3:
            return bytes([1 if self._acknowledged else 2])
        if not 4 <= request <= 7:
            return None
        reads = bool(value & 1)
        self._acknowledged = index == ADDRESS
        if self._acknowledged and not reads and data:
            with self.lock:
                self.panel.message(list(data))
        return bytes(length) if reads else b""

"""USB devices for a QEMU guest, spoken as usbredir.

QEMU's `usb-redir` device hands us what the guest's own drivers send over USB. Opening the
connection is plugging the cable in, closing it is pulling it out.
"""

import socket
import struct
import threading
from contextlib import suppress
from typing import NamedTuple

# Kinds of usbredir packets.
_CONNECT, _INTERFACES, _ENDPOINTS = 1, 4, 5
_SET_CONFIGURATION, _GET_CONFIGURATION, _CONFIGURATION = 6, 7, 8
_SET_SETTING, _GET_SETTING, _SETTING = 9, 10, 11
_LISTEN, _LISTENING = 15, 17
_CANCEL = 21
_CONTROL, _BULK = 100, 101
_CANCELLED, _STALL = 1, 4

CONTROL, BULK, INTERRUPT = 0, 2, 3
"""Kinds of endpoints."""


class Interface(NamedTuple):
    """What an interface is, in USB's numbers."""

    kind: int
    subkind: int = 0
    protocol: int = 0


class Device(threading.Thread):
    """A full-speed device, plugged in until `unplug`."""

    vendor: int
    product: int
    version = 0x0100
    strings: tuple[str, ...] = ("",)
    interfaces: tuple[Interface, ...] = ()
    endpoints: tuple[tuple[int, int], ...] = ()
    """Address and kind of those that are there besides control."""

    def __init__(self, wire: socket.socket) -> None:
        super().__init__(daemon=True, name=type(self).__name__)
        self.lock = threading.Lock()
        self._wire = wire
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

    # -- what a kind of device does ----------------------------------------------------------------

    def configuration(self) -> bytes:
        """The descriptor of the one configuration, with those of its interfaces."""
        raise NotImplementedError

    def command(
        self, way: int, request: int, value: int, index: int, length: int, data: bytes
    ) -> bytes | None:
        """Its answer to a request of its own kind; None if there is no such."""
        raise NotImplementedError

    def bulk_in(self, number: int, endpoint: int, length: int) -> None:
        """The guest would like to read so much."""

    def bulk_out(self, data: bytes) -> None:
        """The guest has written."""

    def cancelled(self, number: int) -> None:
        """The guest no longer waits for an answer."""

    # -- usbredir ----------------------------------------------------------------------------------

    def _greet(self) -> None:
        """Who we are.

        QEMU's xhci wants the capabilities 4 to 6 (packet sizes, wide ids, long transfers).
        """
        hello = b"ludo rig".ljust(64, b"\0") + struct.pack("<I", 0x70)
        self._wire.sendall(struct.pack("<III", 0, len(hello), 0) + hello)
        kinds = bytearray([CONTROL] + [255] * 15) * 2
        intervals, sizes = bytearray(32), [8] * 32
        for address, kind in self.endpoints:
            place = (address & 0x80) >> 3 | address & 0x0F
            kinds[place], sizes[place] = kind, 64
            intervals[place] = 16 if kind == INTERRUPT else 0  # ms
        body = bytes(kinds + intervals) + bytes(32) + struct.pack("<32H", *sizes)
        self._send(_ENDPOINTS, 0, body)
        columns = zip(*self.interfaces, strict=True)
        numbers = bytes(range(len(self.interfaces))).ljust(32, b"\0")
        body = numbers + b"".join(bytes(column).ljust(32, b"\0") for column in columns)
        self._send(_INTERFACES, 0, struct.pack("<I", len(self.interfaces)) + body)
        about = struct.pack("<BBBBHH", 1, 0xFF, 0, 0, self.vendor, self.product)
        self._send(_CONNECT, 0, about)

    def _send(self, kind: int, number: int, body: bytes) -> None:
        with self.lock:
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
        elif kind == _LISTEN:
            self._send(_LISTENING, number, bytes([0, body[0]]))
        elif kind == _CANCEL:
            self.cancelled(number)
        elif kind == _CONTROL:
            self._control(number, body)
        elif kind == _BULK:
            self._bulk(number, body)

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
        if way & 0x60:
            return self.command(way, request, value, index, length, data)
        return None if way & 0x80 else b""

    def _descriptor(self, kind: int, index: int, length: int) -> bytes | None:
        if kind == 3 and index < len(self.strings):
            text = self.strings[index].encode("utf-16-le") if index else b"\x09\x04"
            return (bytes([2 + len(text), 3]) + text)[:length]
        ids = (self.vendor, self.product, self.version)
        names = range(1, len(self.strings))
        about = struct.pack("<BBHBBBBHHH", 18, 1, 0x110, *self._kind(), 8, *ids)
        about += bytes([*names, 0, 0, 0][:3]) + b"\1"
        found = {1: about, 2: self.configuration()}.get(kind)
        return None if found is None else found[:length]

    def _kind(self) -> tuple[int, int, int]:
        """A device of one interface is of its kind."""
        return self.interfaces[0].kind, 0, 0

    def _bulk(self, number: int, body: bytes) -> None:
        endpoint, _, low, stream, high = struct.unpack("<BBHIH", body[:10])
        length = high << 16 | low
        if endpoint & 0x80:
            self.bulk_in(number, endpoint, length)
            return
        self.bulk_out(body[10:])
        self._send(_BULK, number, struct.pack("<BBHIH", endpoint, 0, low, stream, high))

    def send_bulk(self, number: int, endpoint: int, data: bytes | None) -> None:
        """Answer a wish to read; None if it was cancelled."""
        status = _CANCELLED if data is None else 0
        head = struct.pack("<BBHIH", endpoint, status, len(data or b""), 0, 0)
        self._send(_BULK, number, head + (data or b""))

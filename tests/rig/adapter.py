"""An OLED for a QEMU guest: an i2c-tiny-usb adapter with an SSD1306 on it.

The guest's own drivers (xhci, i2c-tiny-usb, i2c-dev) speak with it.
"""

import socket
import struct

from tests.rig.usb import Device, Interface
from tests.table.panel import PanelModel

ADDRESS = 0x3C
_I2C_AND_SMBUS = 0x0EFF0001


class Adapter(Device):
    """The adapter, plugged in until `unplug`; what the guest sends goes to the panel."""

    vendor, product, version = 0x0403, 0xC631, 0x0205
    strings = ("", "rig", "i2c-tiny-usb", "rig0")
    interfaces = (Interface(0xFF),)

    def __init__(self, wire: socket.socket, panel: PanelModel) -> None:
        self.panel = panel
        self._acknowledged = False
        super().__init__(wire)

    def configuration(self) -> bytes:
        """One vendor interface, and no endpoint but control."""
        return struct.pack("<BBHBBBBB", 9, 2, 18, 1, 1, 0, 0x80, 50) + struct.pack(
            "<BBBBBBBBB", 9, 4, 0, 0, 0, 0xFF, 0, 0, 0
        )

    def command(
        self, way: int, request: int, value: int, index: int, length: int, data: bytes
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

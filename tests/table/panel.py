"""A model of the SSD1306 and SH1106: the bytes of the wire become the picture on the glass."""

import errno
from typing import Literal

import smbus2
from PIL import Image

ARGUMENTS = {
    "ssd1306": {
        **dict.fromkeys((0x20, 0x81, 0x8D, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1),
        **dict.fromkeys((0x21, 0x22), 2),
    },
    "sh1106": dict.fromkeys((0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1),
}


class PanelModel:
    """Display memory and command decoder; it starts as after power on: off, full of noise."""

    def __init__(self, chip: Literal["ssd1306", "sh1106"] = "ssd1306") -> None:
        self.chip = chip
        self.width = 128 if chip == "ssd1306" else 132
        self.power_on_reset()

    def power_on_reset(self) -> None:
        self.memory = [bytearray((0x5A, 0xC3)) * (self.width // 2) for _ in range(8)]
        self.horizontal = False
        self.columns = (0, self.width - 1)
        self.pages = (0, 7)
        self.column = self.page = 0
        self.on = self.inverted = self.remapped = self.flipped = False
        self.contrast = 0x7F
        self._pending: list[int] = []

    def message(self, values: list[int]) -> None:
        """One I2C message after the address byte: a control byte, then commands or data."""
        control, *rest = values
        if control == 0x00:
            self.commands(rest)
        elif control == 0x40:
            self.data(rest)
        else:
            raise AssertionError(f"control byte {control:#x}")

    def commands(self, values: list[int]) -> None:
        self._pending += values
        while self._pending:
            needed = ARGUMENTS[self.chip].get(self._pending[0], 0)
            if len(self._pending) <= needed:
                return
            command, arguments = self._pending[0], self._pending[1 : 1 + needed]
            del self._pending[: 1 + needed]
            self._obey(command, arguments)

    def _obey(self, command: int, arguments: list[int]) -> None:
        if command == 0x20 and self.chip == "ssd1306":
            self.horizontal = arguments[0] == 0
        elif command == 0x21 and self.chip == "ssd1306":
            self.columns = (arguments[0], arguments[1])
            self.column = arguments[0]
        elif command == 0x22 and self.chip == "ssd1306":
            self.pages = (arguments[0], arguments[1])
            self.page = arguments[0]
        elif command == 0x81:
            self.contrast = arguments[0]
        elif command in (0xA0, 0xA1):
            self.remapped = command == 0xA1
        elif command in (0xC0, 0xC8):
            self.flipped = command == 0xC8
        elif command in (0xA6, 0xA7):
            self.inverted = command == 0xA7
        elif command in (0xAE, 0xAF):
            self.on = command == 0xAF
        elif 0xB0 <= command <= 0xB7:
            self.page = command & 7
        elif command < 0x10:
            self.column = self.column & 0xF0 | command
        elif command < 0x20:
            self.column = self.column & 0x0F | (command & 0x0F) << 4

    def data(self, values: list[int]) -> None:
        for value in values:
            self.memory[self.page][self.column] = value
            self.column += 1
            if not self.horizontal:
                self.column %= self.width
            elif self.column > self.columns[1]:
                self.column = self.columns[0]
                self.page = self.pages[0] if self.page == self.pages[1] else self.page + 1

    def seen(self) -> Image.Image:
        """What a person sees on a module mounted the usual way; black while it is off."""
        if not self.on:
            return Image.new("1", (128, 64))
        left = (self.width - 128) // 2
        columns = range(128) if self.remapped else range(127, -1, -1)
        rows = range(64) if self.flipped else range(63, -1, -1)
        pixels = bytes(
            255 * ((page[left + column] >> (row & 7) & 1) ^ self.inverted)
            for row in rows
            for page in (self.memory[row >> 3],)
            for column in columns
        )
        return Image.frombytes("L", (128, 64), pixels).convert("1")


class FakeBus:
    """An I2C bus with a panel, in place of smbus2's; real messages arrive here."""

    def __init__(self, panel: PanelModel, address: int = 0x3C) -> None:
        self.panel = panel
        self.address = address
        self.plugged = True
        self.sent = 0
        self.fail_after: int | None = None
        self.closed = 0
        self.watch = False
        self.seen: list[Image.Image] = []
        self.levels: set[int] = set()

    def _take(self, address: int, values: list[int]) -> None:
        if self.fail_after is not None:
            self.fail_after -= 1
            if self.fail_after < 0:
                self.plugged = False
        if not self.plugged or address != self.address:
            raise OSError(errno.ENXIO, "No such device or address")
        self.sent += 1 + len(values)
        if values:
            self.panel.message(values)
        if self.watch:
            self.seen.append(self.panel.seen())
            self.levels.add(self.panel.contrast)

    def read_byte(self, address: int) -> int:
        self._take(address, [])
        return 0x43

    def write_i2c_block_data(self, address: int, control: int, values: list[int]) -> None:
        self._take(address, [control, *values])

    def i2c_rdwr(self, *messages: smbus2.i2c_msg) -> None:
        for message in messages:
            self._take(message.addr, list(message.buf[: message.len]))

    def __enter__(self) -> "FakeBus":
        return self

    def __exit__(self, *fault: object) -> None: ...

    def close(self) -> None:
        self.closed += 1

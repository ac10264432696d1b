"""Build 0 and its first step: what one hour without solder needs, and the keypad for the cards.

They have no board of ours, so they are not a `Build`; their pins come from their configurations.
"""

from functools import lru_cache

from companion.config import Config, load
from hardware.bom import Line
from hardware.builds import ROOT
from hardware.pins import PI_GROUND, PI_PIN
from hardware.wiring import CODE, Diagram, Wire

CONFIG = "build-0.toml"
CARD_CONFIG = "card-keypad.toml"


@lru_cache
def config(name: str) -> Config:
    return load(ROOT / "hardware" / "configs" / name)


def table() -> Diagram:
    """Screen and four keys on the Pi: nine wires."""
    found = config(CONFIG)
    box = found.box
    wires = [
        Wire(1, "OLED", "VCC", "RD"),
        Wire(PI_PIN[2], "OLED", "SDA", "BU"),
        Wire(PI_PIN[3], "OLED", "SCL", "YE"),
        Wire(6, "OLED", "GND", "BK"),
        Wire(9, "KEYS", "common", "BK"),
    ]
    keys = (("up", box.up, "GN"), ("down", box.down, "OG"), ("OK", box.ok, "WH"))
    for name, pin, colour in (*keys, ("roll", found.die.pin, "PK")):
        assert pin is not None
        wires.append(Wire(PI_PIN[pin], "KEYS", name, colour))
    return Diagram("build-0", "Build 0: screen and keys", "PI", tuple(wires))


def cards() -> Diagram:
    """The keypad of sixteen keys, eight wires more."""
    matrix = config(CARD_CONFIG).matrix
    assert matrix is not None
    wires = [
        Wire(PI_PIN[pin], "MAT", f"{what} {number}", CODE[number + add])
        for what, pins, add in (("row", matrix.rows, 0), ("column", matrix.columns, 4))
        for number, pin in enumerate(pins, 1)
    ]
    return Diagram("card-keypad", "The card game on a keypad", "PI", tuple(wires))


def lines() -> list[Line]:
    """What build 0 needs."""
    wires = table().wires
    screen = sum(wire.part == "OLED" for wire in wires)
    return [
        Line(
            "Raspberry Pi Zero 2 WH (header soldered)",
            1,
            22.00,
            "the companion runs here",
            "Pi 3, 4 or 5: the same pins, but too large for the stand",
        ),
        Line("microSD card, 16 GB", 1, 7.00, "Raspberry Pi OS Lite"),
        Line(
            "Power supply 5 V 2.5 A, micro-USB",
            1,
            9.00,
            "feeds everything",
            "USB-C 5 V 3 A for a Pi 4 or 5",
        ),
        Line(
            'OLED screen 128x64, I2C, 1.3", SH1106, pins soldered',
            1,
            7.00,
            "turn, moves, verdicts; readable by four",
            '0.96" SSD1306 for two: oled.chip = "ssd1306"',
        ),
        Line(
            "Membrane keypad 1x4, self-adhesive",
            1,
            2.00,
            "up, down, OK, roll",
            "four push buttons",
        ),
        Line("Jumper wire, female to female, 20 cm", screen, 0.10, "header to the screen"),
        Line(
            "Jumper wire, male to female, 20 cm",
            len(wires) - screen,
            0.10,
            "keypad's socket to the header",
        ),
        Line("Screws: 4 of M2 x 4 mm, 4 of M2.5 x 6 mm", 1, 0.50, "screen and Pi", "tape"),
        Line("Filament PLA, g", 75, 0.02, "the stand", "a sheet of stiff card, folded"),
    ]


def card_lines() -> list[Line]:
    """What the card game needs beside build 0."""
    return [
        Line("Membrane keypad 4x4, self-adhesive", 1, 3.50, "sixteen stacks"),
        Line(
            "Jumper wire, male to female, 20 cm",
            len(cards().wires),
            0.10,
            "keypad's socket to the header",
        ),
    ]


def cost(found: list[Line]) -> float:
    """What a list adds up to, in euros."""
    return round(sum(line.quantity * line.price for line in found), 2)


def grounds() -> set[int]:
    """The ground pins in use."""
    return {wire.pin for wire in table().wires if wire.pin in PI_GROUND}

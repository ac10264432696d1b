"""The wiring of a build as data, and as sources for WireViz.

A diagram joins one controller to what hangs on it. Everything that needs a pin is listed once,
here; pin numbers come from the configuration and the firmware.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import yaml

from hardware.builds import BUILDS, Build, build, firmware_pins
from hardware.pins import (
    PI_GROUND,
    PI_PIN,
    PICO_GROUND,
    PICO_PIN,
    pi_label,
    pico_label,
)

CODE = ("BK", "BN", "RD", "OG", "YE", "GN", "BU", "VT", "GY", "WH")
"""Colours of ribbon wires by number, as on resistors and along a rainbow ribbon: 1 brown, 2 red,
... 9 white, 10 black."""

COLOUR_NAMES = {
    "BK": "black",
    "BN": "brown",
    "RD": "red",
    "OG": "orange",
    "YE": "yellow",
    "GN": "green",
    "BU": "blue",
    "VT": "violet",
    "GY": "grey",
    "WH": "white",
    "PK": "pink",
}
LED_OHMS = 330
BUZZER_OHMS = 100


class Wire(NamedTuple):
    """One wire: a pin of the controller, the part and its terminal, and the wire's colour."""

    pin: int
    part: str
    terminal: str
    colour: str


class Diagram(NamedTuple):
    """All wires that go to one controller, and cables that are simply plugged in."""

    name: str
    title: str
    controller: str
    wires: tuple[Wire, ...]
    usb: tuple[tuple[str, str], ...] = ()
    behind: bool = False
    """Whether the builder looks at the controller's back, as at the Pico under the plate."""


PARTS: Mapping[str, tuple[str, str]] = {
    "OLED": ("Screen 128x64, I2C", "the order of the four pins differs: read the print"),
    "UP": ("Button up", ""),
    "DOWN": ("Button down", ""),
    "OK": ("Button OK", ""),
    "ROLL": ("Roll button, 30 mm", ""),
    "BUZZER": ("Passive piezo buzzer, no coil", f"{BUZZER_OHMS} ohm in series, soldered to +"),
    "GOOD": ("Green LED, 5 mm", f"{LED_OHMS} ohm in series, soldered to the long leg"),
    "BAD": ("Red LED, 5 mm", f"{LED_OHMS} ohm in series, soldered to the long leg"),
    "ROWS": ("Plug to the rows", "the ringed end (cathode) of every diode"),
    "COLUMNS": ("Plug to the columns", "one leg of every switch"),
    "BUTTON": ("Big button, 30 mm", "to ground: no resistor"),
    "SHAKE": ("Shake switch SW-18010P", "may be left out"),
    "KEYS": ("Membrane keypad, 4 keys", "the order of its wires differs: the doctor shows it"),
    "MAT": ("Membrane keypad, 16 keys", "a row for each player; one key at a time"),
    "PIPS": ("7 LEDs, red, 5 mm", f"each: {LED_OHMS} ohm to its long leg, short leg to GND"),
}
"""What each part is, and what to know when wiring it."""


def diagrams() -> tuple[Diagram, ...]:
    """Every diagram, in the order of the builds."""
    found: list[Diagram] = []
    for one in BUILDS:
        if one.key != "mat":
            found.append(box(one))
        found.append(board(one))
    return (*found, die())


def box(one: Build) -> Diagram:
    """Screen, buttons, buzzer and lights on the Pi."""
    grounds = list(PI_GROUND)
    wires = [
        Wire(1, "OLED", "VCC", "RD"),
        Wire(PI_PIN[2], "OLED", "SDA", "BU"),
        Wire(PI_PIN[3], "OLED", "SCL", "YE"),
        Wire(_take(grounds, PI_PIN[3]), "OLED", "GND", "BK"),
    ]
    for part, pin, terminals, colour in _box_parts(one):
        wires.append(Wire(PI_PIN[pin], part, terminals[0], colour))
        wires.append(Wire(_take(grounds, PI_PIN[pin]), part, terminals[1], "BK"))
    usb: tuple[tuple[str, str], ...] = ()
    if one.pico:
        usb = (("Pi, data USB", "USB hub"), ("USB hub", "Pico board"), ("USB hub", "Pico die"))
    return Diagram(f"{one.stem}-box", f"{one.name}: the box", "PI", tuple(wires), usb)


def _take(grounds: list[int], near: int) -> int:
    """The nearest ground pin that is still free; every part gets its own."""
    grounds.sort(key=lambda ground: (abs(ground - near), ground))
    return grounds.pop(0)


def _box_parts(one: Build) -> Iterator[tuple[str, int, tuple[str, str], str]]:
    box = one.config.box
    switch, led = ("leg 1", "leg 2"), ("+ (long leg)", "- (short leg)")
    wanted = [
        ("UP", box.up, switch, "GN"),
        ("DOWN", box.down, switch, "OG"),
        ("OK", box.ok, switch, "WH"),
        ("ROLL", one.config.die.pin, switch, "PK"),
        ("BUZZER", box.buzzer, ("+", "-"), "GY"),
        ("GOOD", box.good, led, "GN"),
        ("BAD", box.bad, led, "RD"),
    ]
    for part, pin, terminals, colour in wanted:
        if pin is not None:
            yield part, pin, terminals, colour


def board(one: Build) -> Diagram:
    """The matrix's plugs on the Pi or the Pico that reads it."""
    place = PICO_PIN if one.pico else PI_PIN
    wires = [
        Wire(place[pin], plug, f"{plug[:-1].lower()} {number}", CODE[number % 10])
        for plug, pins in (("ROWS", one.row_pins), ("COLUMNS", one.column_pins))
        for number, pin in enumerate(pins, 1)
    ]
    title = f"{one.name}: {'the mat' if one.key == 'mat' else 'the board'}"
    reader = "PICO" if one.pico else "PI"
    return Diagram(f"{one.stem}-board", title, reader, tuple(wires), behind=one.pico)


def die() -> Diagram:
    """Pips, button and shake switch on the die's Pico."""
    pins = firmware_pins("die")
    grounds = list(PICO_GROUND)
    wires = []
    spots = (
        "above left",
        "above right",
        "middle left",
        "middle",
        "middle right",
        "below left",
        "below right",
    )
    wires += [
        Wire(PICO_PIN[pin], "PIPS", spot, CODE[number + 1])
        for number, (pin, spot) in enumerate(zip(pins["PIPS"], spots, strict=True))
    ]
    wires.append(Wire(_take(grounds, wires[0].pin), "PIPS", "all short legs", "BK"))
    for part, colour in (("BUTTON", "GN"), ("SHAKE", "OG")):
        pin = PICO_PIN[pins[part]]
        wires.append(Wire(pin, part, "leg 1", colour))
        wires.append(Wire(_take(grounds, pin), part, "leg 2", "BK"))
    return Diagram("die", "The die", "PICO", tuple(wires), (("Pico, USB", "USB hub of the box"),))


def source(diagram: Diagram) -> str:
    """A diagram as a WireViz file."""
    wires = sorted(diagram.wires, key=lambda wire: wire.pin)
    label = pi_label if diagram.controller == "PI" else pico_label
    kind = "Raspberry Pi, 40-pin header" if diagram.controller == "PI" else "Raspberry Pi Pico"
    connectors: dict[str, Any] = {
        diagram.controller: {
            "type": kind,
            "pins": [wire.pin for wire in wires],
            "pinlabels": [label(wire.pin) for wire in wires],
            "show_pincount": False,
            "bgcolor_title": "#d9ead3",
            "notes": "numbers are places on the header"
            if diagram.controller == "PI"
            else "numbers are places on the edge, 1 beside USB",
        }
    }
    cables: dict[str, Any] = {}
    connections: list[Any] = []
    for part in dict.fromkeys(wire.part for wire in diagram.wires):
        own = [wire for wire in diagram.wires if wire.part == part]
        kind, notes = PARTS[part]
        connectors[part] = {
            "type": kind,
            "pinlabels": [wire.terminal for wire in own],
            "show_pincount": False,
            "bgcolor_title": "#fff2cc",
        }
        if notes:
            connectors[part]["notes"] = notes
        cable = f"W {part}"
        cables[cable] = {
            "wirecount": len(own),
            "colors": [wire.colour for wire in own],
            "category": "bundle",
            "show_name": False,
            "show_wirecount": False,
        }
        numbers = range(1, len(own) + 1)
        connections.append(
            [
                {diagram.controller: [wire.pin for wire in own]},
                {cable: list(numbers)},
                {part: list(numbers)},
            ]
        )
    _plug_in(diagram, connectors, cables, connections)
    text = yaml.safe_dump(
        {
            "metadata": {"title": diagram.title},
            "options": {"fontname": "DejaVu Sans", "bgcolor": "WH", "color_mode": "FULL"},
            "connectors": connectors,
            "cables": cables,
            "connections": connections,
        },
        sort_keys=False,
        default_flow_style=None,
        width=96,
    )
    head = "Written by `make hardware` from the configuration and the firmware."
    return f"# {diagram.title}. {head}\n{text}"


def _plug_in(
    diagram: Diagram,
    connectors: dict[str, Any],
    cables: dict[str, Any],
    connections: list[Any],
) -> None:
    """Add the USB cables; a socket with several cables gets one terminal for each."""
    sockets: dict[str, int] = {}
    for number, ends in enumerate(diagram.usb, 1):
        cable = f"USB {number}"
        cables[cable] = {
            "wirecount": 1,
            "colors": ["GY"],
            "type": "USB cable",
            "show_name": False,
            "show_wirecount": False,
        }
        places = []
        for end in ends:
            sockets[end] = sockets.get(end, 0) + 1
            connectors.setdefault(end, {"type": "USB", "pinlabels": [], "show_pincount": False})
            connectors[end]["pinlabels"].append("USB")
            places.append({end: [sockets[end]]})
        connections.append([places[0], {cable: [1]}, places[1]])


class Cell(NamedTuple):
    """A line of the matrix table: a place, its row and column, and the pins they lead to.

    On paper rows and columns count from 1, as `companion doctor` and `learn` name them.
    """

    place: str
    row: int
    column: int
    row_pin: str
    column_pin: str


def matrix_table(one: Build) -> list[Cell]:
    """Every place of the board in the board's own order."""
    place = PICO_PIN if one.pico else PI_PIN
    label = pico_label if one.pico else pi_label

    def pin(number: int) -> str:
        return f"{label(place[number])} (pin {place[number]})"

    found = []
    for spot in one.board.places:
        row, column = one.cells[spot.name]
        pins = pin(one.row_pins[row]), pin(one.column_pins[column])
        found.append(Cell(spot.name, row + 1, column + 1, *pins))
    return found


def main_diagrams(key: str) -> tuple[Diagram, ...]:
    """The diagrams that somebody who makes this build needs."""
    one = build(key)
    shown = [box(build("a") if key == "mat" else one), board(one)]
    return (*shown, die()) if one.serial_die else tuple(shown)

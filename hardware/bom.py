"""The bill of materials of a build: parts, quantities, typical prices, alternatives.

Quantities follow from the board data and the wiring. Prices are what hobby shops in Europe
typically ask, in euros with tax, rounded; they move, and a shop's order has postage.
"""

import csv
import io
import math
from collections.abc import Iterator
from typing import Literal, NamedTuple

from hardware.builds import BATTEN, OPTION_TITLES, PLATE, Build, Option
from hardware.magnets import magnet
from hardware.overlay import spot
from hardware.shapes import Point
from hardware.templates import joined
from hardware.wiring import BUZZER_OHMS, LED_OHMS, board, box, die

ALL = "all"
TACT_BODY, PROUD = 3.5, 0.5
"""mm: a tact switch's case, and how far its stem stands above the plate: a pawn rests on it."""
TACT_HEIGHT = TACT_BODY + PLATE + PROUD
SLEEVE = 0.025  # m for each place


class Line(NamedTuple):
    """One line: the part, how many, the price of one in euros, and for which option."""

    part: str
    quantity: int
    price: float
    use: str
    alternatives: str = ""
    option: str = ALL


def lines(one: Build) -> list[Line]:
    """The whole list; lines of an option are only bought for that option."""
    found = [*_computer(one), *_box(one), *_board(one), *_pieces(one)]
    for option in one.options:
        found += _sensors(one, option)
    return found


def bought(one: Build, option: Option) -> list[Line]:
    """What to buy for one option."""
    return [line for line in lines(one) if line.option in (ALL, option)]


def cost(one: Build, option: Option) -> float:
    """What one option costs, in euros."""
    return round(sum(line.quantity * line.price for line in bought(one, option)), 2)


def list_text(found: list[Line]) -> str:
    """A list without options as a file for a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["part", "quantity", "price each (EUR)", "sum (EUR)", "use", "alternatives"])
    for line in found:
        total = f"{line.quantity * line.price:.2f}"
        price = f"{line.price:.2f}"
        writer.writerow([line.part, line.quantity, price, total, line.use, line.alternatives])
    total = f"{sum(line.quantity * line.price for line in found):.2f}"
    writer.writerow(["TOTAL", "", "", total, "", ""])
    return out.getvalue()


def csv_text(one: Build) -> str:
    """The list as a file for a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ["part", "quantity", "price each (EUR)", "sum (EUR)", "option", "use", "alternatives"]
    )
    for line in lines(one):
        writer.writerow(
            [
                line.part,
                line.quantity,
                f"{line.price:.2f}",
                f"{line.quantity * line.price:.2f}",
                line.option,
                line.use,
                line.alternatives,
            ]
        )
    for option in one.options:
        writer.writerow(
            ["TOTAL", "", "", f"{cost(one, option):.2f}", option, OPTION_TITLES[option], ""]
        )
    return out.getvalue()


def _computer(one: Build) -> Iterator[Line]:
    if one.key == "mat":
        return
    yield Line(
        "Raspberry Pi Zero 2 WH (header soldered)",
        1,
        22.00,
        "the companion runs here",
        'Pi 3, 4 or 5: print the box with pi = "full"',
    )
    yield Line("microSD card, 16 GB", 1, 7.00, "Raspberry Pi OS Lite")
    yield Line(
        "Power supply 5 V 2.5 A, micro-USB",
        1,
        9.00,
        "feeds everything",
        "USB-C 5 V 3 A for a Pi 4 or 5",
    )
    if one.pico:
        yield Line(
            "Raspberry Pi Pico H (header soldered)",
            1,
            5.50,
            "reads the board; the sockets go onto its pins",
            "Pico 2 with header",
        )
        yield Line(
            "Raspberry Pi Pico, without header",
            1,
            4.50,
            "in the die; its wires are soldered on, a header would not fit",
            "Pico 2",
        )
        yield Line(
            "USB hub with micro-USB plug, 3 ports or more",
            1,
            8.00,
            "the Zero has one port",
            "none on a Pi 3, 4 or 5, which has four",
        )
        yield Line("USB cable A to micro-B, 1 m", 2, 2.50, "hub to the Picos")


def _box(one: Build) -> Iterator[Line]:
    if one.key == "mat":
        return
    wired = box(one).wires
    parts = list(dict.fromkeys(wire.part for wire in wired))
    buttons = sum(part in ("UP", "DOWN", "OK") for part in parts)
    lights = sum(part in ("GOOD", "BAD") for part in parts)
    pips = sum(wire.part == "PIPS" for wire in die().wires) - 1 if one.serial_die else 0
    yield Line(
        'OLED screen 128x64, I2C, 1.3", SH1106, pins soldered',
        1,
        7.00,
        "turn, moves, verdicts; readable by four",
        '0.96" SSD1306, too small for four; 2.42" SSD1309, set to I2C, as ssd1306: not tried',
    )
    yield Line("Push button, panel mount 12 mm, momentary", buttons, 0.80, "up, down, OK")
    yield Line(
        "Arcade button 30 mm, momentary, to snap in, without lamp",
        1,
        2.50,
        ("on the die" if one.serial_die else "roll button on the box")
        + "; its tabs end at most 36 mm below its rim",
        "not the long kind with a lamp, which is 60 mm deep",
    )
    yield Line(
        "Passive piezo buzzer, 12 mm (PS1240 or its like)",
        1,
        0.80,
        "sounds",
        "not an active one, which has one tone; nor a magnetic one, a coil of 16 to 50 ohm",
    )
    yield Line(
        "LED 5 mm green, diffuse, 2.1 V",
        1,
        0.10,
        "good",
        "not pure green or blue-green: 3 V leave it dark",
    )
    yield Line("LED 5 mm red", 1 + pips, 0.10, "bad" + (", and the die's pips" if pips else ""))
    yield Line(f"Resistor {LED_OHMS} ohm, 1/4 W", lights + pips, 0.05, "one for every LED")
    yield Line(f"Resistor {BUZZER_OHMS} ohm, 1/4 W", 1, 0.05, "before the buzzer")
    if one.serial_die:
        yield Line(
            "Shake switch SW-18010P",
            1,
            0.40,
            "in the die, if it is to be shaken",
            "SW-520D; or none",
        )
    matrix = 0 if one.pico else len(board(one).wires)
    yield Line(
        "Jumper wires, female to female, 20 cm",
        len(wired) + matrix,
        0.08,
        "header to the box's parts" + (" and to the board's sockets" if matrix else ""),
        "for the big button's tabs 2.8 mm crimp sockets, where you have them",
    )
    yield Line("Screw M3 x 10 mm, pan head", 4, 0.06, "the box's lid")
    if one.serial_die:
        yield Line("Screw M3 x 10 mm, countersunk", 4, 0.06, "the die's bottom")
    yield Line("Screw M2.5 x 6 mm", 4, 0.06, "Pi")
    yield Line(
        "Screw M2 x 4 mm",
        12 if one.serial_die else 4,
        0.06,
        "screen, and both Picos" if one.serial_die else "screen",
    )
    if one.serial_die:
        yield Line("Wire, thin and flexible, 20 cm", len(die().wires), 0.05, "in the die")
    yield Line(
        "Filament PLA, g",
        275 if one.serial_die else 170,
        0.02,
        "box, pawns, coupon" + (", die, cradle" if one.serial_die else ""),
        "a lunch box and a drill",
    )


def _board(one: Build) -> Iterator[Line]:
    yield Line(
        f"Plywood {one.panel} x {one.panel} x {PLATE:g} mm",
        1,
        5.00,
        "the plate with the holes",
        "MDF, acrylic; not metal",
    )
    yield Line(
        f"Wooden batten {BATTEN:g} x 30 mm, {one.panel // 100 * 4} dm",
        1,
        4.00,
        "frame under the edge, standing; room for the wires",
        "not wider: the outer holes are near",
    )
    yield Line(
        f"Hardboard {one.panel} x {one.panel} x 3 mm",
        1,
        3.00,
        "cover under the wires",
        "stiff card",
    )
    yield Line(
        "Screw 3 x 12 mm, brass",
        10 if one.pico else 8,
        0.10,
        "the cover, and the Pico's cradle" if one.pico else "the cover",
    )
    yield Line(
        "Solder 1 mm, heat-shrink, hot glue, two-part glue, tape: a set", 1, 8.00, "consumables"
    )
    yield Line("Screw 3 x 20 mm, brass", 4, 0.10, "corners; brass does not disturb magnets")
    sheets = len(one.boards)
    yield Line(
        "Print of the board, matt laminated",
        sheets,
        6.00,
        " and ".join(f"board {name}" for name in one.boards),
        "own printer: A4 tiles or A3",
    )
    yield Line("Ribbon cable, rainbow, m", 2 if one.panel < 400 else 3, 1.20, "rows and columns")
    yield Line(
        "Bare copper wire 0.5 mm, m",
        metres(one, "row"),
        0.25,
        "rows",
        "the diodes' legs, where they reach to the neighbour",
    )
    yield Line("Hook-up wire, insulated, m", metres(one, "column"), 0.20, "columns")
    yield from _plugs(one)


def _plugs(one: Build) -> Iterator[Line]:
    """How the ribbons end: a socket on each side of the Pico, or plugs that can be changed."""
    if one.pico:
        yield Line(
            "Socket strip 2.54 mm, 20 ways",
            2,
            0.60,
            "one on each side of the Pico: columns on pins 1 to 20, rows on 21 to 40",
        )
        return
    rows, columns = one.shape
    yield Line(
        "Pin strip 2.54 mm, pins",
        rows + columns,
        0.03,
        f"ends of the ribbons: {rows} rows, {columns} columns",
    )
    if one.key != "mat":
        yield Line(
            "Socket strip 2.54 mm, ways",
            rows + columns,
            0.05,
            "in the box, at the jumper wires: the plugs go in here",
        )


def metres(one: Build, what: Literal["row", "column"]) -> int:
    """Whole metres of wire for all rows or columns, a quarter more than the shortest way."""
    chains: dict[int, list[Point]] = {}
    for place in one.board.places:
        row, column = one.cells[place.name]
        chains.setdefault(row if what == "row" else column, []).append(spot(one, place))
    length = sum(math.dist(*wire) for chain in chains.values() for wire in joined(chain))
    return math.ceil(length * 1.25 / 1000)


def _sensors(one: Build, option: Option) -> Iterator[Line]:
    places = len(one.board.places)
    if option == "reed":
        yield Line(
            "Reed switch 2 x 14 mm, normally open, 10-15 AT",
            places,
            0.25,
            "one standing in the hole of every place",
            "",
            option,
        )
        yield Line(
            "Insulating sleeve 1 mm, m",
            math.ceil(places * SLEEVE),
            0.30,
            "over the upper leg of every reed",
            "insulation stripped from hook-up wire",
            option,
        )
    else:
        yield Line(
            f"Tact switch 6 x 6 mm, {TACT_HEIGHT:g} mm high",
            places,
            0.08,
            "one under every place, its stem through the hole",
            "9.5 mm high for a plate of 5.5 mm",
            option,
        )
    yield Line("Diode 1N4148", places, 0.03, "one at every switch", "1N4448; BAT85", option)


def _pieces(one: Build) -> Iterator[Line]:
    if one.key == "mat":
        return
    pieces = 4 * len(one.board.colours)
    yield Line(
        f"Wooden pawn, base {one.pawn:g} mm or less",
        pieces,
        0.20,
        "four of every colour; two fit side by side on a square",
        "printed; any with a flat base",
    )
    if "reed" in one.options:
        yield Line(
            f"Magnet disc {magnet(one)}, N35",
            pieces,
            0.15,
            "in the base of every pawn, all with the same pole down",
            "no stronger: two pawns on a square would push each other off",
            "reed",
        )
        yield Line(
            "Anti-slip sheet, self-adhesive, 0.5 mm, A6",
            1,
            1.50,
            "a foot under every pawn: like poles push",
            "rubber from a bicycle tube, glued",
            "reed",
        )

"""Figures of the build guide: one cell of the matrix, and a place cut open from the side."""

from hardware.bom import PROUD, TACT_BODY
from hardware.builds import PLATE
from hardware.shapes import Drawing, Ellipse, Poly, Rect, Shape, Style, Text, circle, line, moved

INK, RED, BLUE, GREY, LIGHT = "#2e2a25", "#c9362e", "#2a62b4", "#7d7465", "#f4efe2"
WOOD, GLASS, STEEL, GLUE = "#dcb98a", "#cfe6e8", "#9a9a9a", "#f3e9c8"
WIRE = Style(stroke=INK, width=0.6)
PEN = Style(stroke=INK, width=0.5)


def cell() -> Drawing:
    """A cell of the matrix: with a switch and a diode, and with a hall sensor."""
    panels = [*moved(_switch_cell(), 4, 4), *moved(_hall_cell(), 98, 4)]
    ground = Rect(0, 0, 204, 96, Style(fill="#ffffff"))
    return Drawing("One cell of the matrix", 204, 96, (ground, *panels))


def _panel(width: float, title: str) -> list[Shape]:
    return [
        Rect(0, 0, width, 88, Style(fill=LIGHT, stroke=GREY, width=0.3), 3),
        Text(width / 2, 6, title, 4, INK, bold=True),
    ]


def _switch_cell() -> list[Shape]:
    """Column, switch, diode, row; and which end of a diode has the ring."""
    x, row = 20.0, 58.0
    return [
        *_panel(88, "Reed or tact switch"),
        line((x, 11), (x, 66), Style(stroke=BLUE, width=0.9)),
        Text(x + 2, 12.6, "column (pulled up)", 3.2, BLUE, anchor="start"),
        line((8, row), (80, row), Style(stroke=RED, width=0.9)),
        Text(79, row + 3.6, "row (pulled low)", 3.2, RED, anchor="end"),
        circle(x, 22, 0.9, Style(fill=BLUE)),
        line((x, 22), (34, 22), WIRE),
        circle(34, 22, 0.9, Style(fill=INK)),
        line((34, 22), (45, 16.5), WIRE),
        circle(46, 22, 0.9, Style(fill=INK)),
        line((46, 22), (60, 22), WIRE),
        Text(40, 27, "switch", 3.2, INK),
        line((60, 22), (60, 36), WIRE),
        Poly(((56, 36), (64, 36), (60, 43)), Style(fill=INK)),
        line((56, 43.4), (64, 43.4), Style(stroke=INK, width=0.9)),
        line((60, 43), (60, row), WIRE),
        circle(60, row, 0.9, Style(fill=RED)),
        Text(66, 38, "1N4148", 3.2, INK, anchor="start"),
        Text(66, 42.5, "ring to the row", 3.2, INK, anchor="start"),
        *_diode(16, 79),
    ]


def _diode(x: float, y: float) -> list[Shape]:
    """A diode as it looks: glass, legs, the black ring at the right."""
    return [
        line((x, y), (x + 56, y), Style(stroke=STEEL, width=0.7)),
        Rect(x + 20, y - 2.2, 16, 4.4, Style(fill="#e0a860", stroke=INK, width=0.3), 1.6),
        Rect(x + 31, y - 2.2, 2.6, 4.4, Style(fill="#1c1c1c")),
        Text(x - 1, y - 4.5, "from the switch", 3, INK, anchor="start"),
        Text(x + 57, y - 4.5, "to the row", 3, RED, anchor="end"),
    ]


def _hall_cell() -> list[Shape]:
    """Eight sensors of a row share a buffer, which the row switches on."""
    found: list[Shape] = [*_panel(102, "Hall sensor: a 74HC541 for eight places of a row")]
    found += [
        Rect(52, 18, 24, 40, Style(fill="#ffffff", stroke=INK, width=0.5), 1),
        Text(64, 38, "74HC541", 3.6, INK, bold=True),
        Text(64, 42.5, "pin 20: 3V3", 2.6, GREY),
        Text(64, 46, "pin 10: GND", 2.6, GREY),
    ]
    for n, y in enumerate((23.0, 30.0)):
        found += [
            Rect(8, y - 2.6, 18, 5.2, Style(fill="#ffffff", stroke=INK, width=0.4), 0.6),
            Text(17, y, "DRV5032AJ", 2.6, INK),
            line((26, y), (52, y), WIRE),
            line((76, y), (94 - 8 * n, y), WIRE),
            circle(94 - 8 * n, y, 0.9, Style(fill=BLUE)),
            Text(53.5, y, f"A{n + 1}", 2.6, GREY, anchor="start"),
            Text(74.5, y, f"Y{n + 1}", 2.6, GREY, anchor="end"),
        ]
    found += [
        Text(8, 35.5, "OUT to the right,", 2.5, GREY, anchor="start"),
        Text(8, 39, "VCC to 3V3, GND to GND;", 2.5, GREY, anchor="start"),
        Text(8, 42.5, "10k at every OUT, 100 nF", 2.5, GREY, anchor="start"),
        Text(8, 46, "at every 74HC541", 2.5, GREY, anchor="start"),
        *_pull_up(36, 23, "10k"),
        line((94, 14), (94, 62), Style(stroke=BLUE, width=0.9)),
        line((86, 14), (86, 62), Style(stroke=BLUE, width=0.9)),
        Text(90, 66, "columns", 3.2, BLUE),
        line((8, 70), (60, 70), Style(stroke=RED, width=0.9)),
        Text(8, 74, "row, to pins 1 and 19 (output enable)", 3.0, RED, anchor="start"),
        line((60, 70), (60, 58), Style(stroke=RED, width=0.9)),
        circle(60, 70, 0.9, Style(fill=RED)),
        *_pull_up(46, 70, "10k"),
        Text(51, 82, "Row low: the buffer lays its sensors on the columns.", 2.9, INK),
    ]
    return found


def _pull_up(x: float, y: float, label: str) -> list[Shape]:
    """A resistor from a wire up to 3.3 V."""
    return [
        circle(x, y, 0.8, Style(fill=INK)),
        line((x, y), (x, y - 2), WIRE),
        Rect(x - 1.1, y - 7, 2.2, 5, Style(fill="#ffffff", stroke=INK, width=0.4)),
        line((x, y - 7), (x, y - 9), WIRE),
        line((x - 1.8, y - 9), (x + 1.8, y - 9), WIRE),
        Text(x + 2, y - 4.5, label, 2.4, GREY, anchor="start"),
        Text(x + 2.4, y - 9, "3V3", 2.4, GREY, anchor="start"),
    ]


SCALE = 2.4
"""How much larger than life the cut is drawn."""


def section() -> Drawing:
    """A place cut open: pawn with magnet, print, plate, and the three ways to sense it."""
    found: list[Shape] = [Rect(0, 0, 210, 108, Style(fill="#ffffff"))]
    plate = 46.0
    found.append(Rect(6, plate, 198, PLATE * SCALE, Style(fill=WOOD, stroke=INK, width=0.3)))
    found.append(Rect(6, plate - 0.9, 198, 0.9, Style(fill="#ffffff", stroke=RED, width=0.25)))
    found.append(Text(7, plate - 3.6, "print, laminated", 3, RED, anchor="start"))
    found.append(Text(7, plate + 9.4, "plate 5 mm", 3, INK, anchor="start"))
    for x, title, parts in (
        (50.0, "reed switch, hole 3.5 mm", _reed),
        (110.0, "hall sensor, hole 5.5 mm", _hall),
        (170.0, "tact switch, hole 4 mm", _tact),
    ):
        touch = parts is _tact
        found += _pawn(x, plate - 0.9 - (PROUD * SCALE if touch else 0), magnet=not touch)
        found += parts(x, plate)
        found.append(Text(x, 103, title, 3.6, INK, bold=True))
    return Drawing("A place from the side", 210, 108, tuple(found))


def _pawn(x: float, floor: float, magnet: bool) -> list[Shape]:
    base, blue = 6 * SCALE, Style(fill="#6b93cf", stroke=INK, width=0.3)
    body = (
        (x - base, floor),
        (x - base, floor - 4),
        (x - 4.5, floor - 12),
        (x - 3, floor - 24),
        (x + 3, floor - 24),
        (x + 4.5, floor - 12),
        (x + base, floor - 4),
        (x + base, floor),
    )
    found: list[Shape] = [Poly(body, blue), circle(x, floor - 28, 6.5, blue)]
    if magnet:
        half = 2 * SCALE
        found.append(
            Rect(
                x - half,
                floor - 2 * SCALE,
                2 * half,
                2 * SCALE,
                Style(fill="#5a5a5a", stroke=INK, width=0.3),
            )
        )
        found.append(
            line((x + half, floor - 3), (x + base + 3, floor - 9), Style(stroke=GREY, width=0.25))
        )
        found.append(Text(x + base + 3.5, floor - 10, "magnet 4 x 2 mm", 2.6, GREY, anchor="start"))
    return found


def _hole(x: float, plate: float, diameter: float) -> Rect:
    return Rect(x - diameter * SCALE / 2, plate, diameter * SCALE, 5 * SCALE, Style(fill="#ffffff"))


def _reed(x: float, plate: float) -> list[Shape]:
    """Upright, the bend of its leg 1 mm below the print, the glass 2 mm below the bend."""
    bend, length = plate + 1 * SCALE, 14 * SCALE
    top = bend + 2 * SCALE
    return [
        _hole(x, plate, 3.5),
        Poly(
            ((x - 8, plate + 12), (x + 8, plate + 12), (x + 3, plate + 19), (x - 3, plate + 19)),
            Style(fill=GLUE, stroke=GREY, width=0.2),
        ),
        Ellipse(
            x, top + length / 2, 1.1 * SCALE, length / 2, Style(fill=GLASS, stroke=INK, width=0.3)
        ),
        line((x - 0.5, top + 3), (x - 0.5, top + 19), Style(stroke=STEEL, width=0.7)),
        line((x + 0.5, top + 15), (x + 0.5, top + length + 5), Style(stroke=STEEL, width=0.7)),
        Poly(
            ((x - 0.5, top + 3), (x - 0.5, bend), (x + 3.2, bend), (x + 3.2, top + length + 5)),
            Style(stroke=STEEL, width=0.5),
            closed=False,
        ),
        line((x + 3.2, bend + 2), (x + 3.2, top + length + 2), Style(stroke=RED, width=1.2)),
        line((x - 5.2, plate), (x - 5.2, bend), Style(stroke=INK, width=0.4)),
        Text(x - 6, plate + 1.4, "1 mm", 2.6, INK, anchor="end"),
        Text(x + 9, plate + 16, "hot glue", 2.6, GREY, anchor="start"),
        Text(x + 6, plate + 28, "upper leg bent down", 2.6, GREY, anchor="start"),
        Text(x + 6, plate + 31.4, "in its sleeve", 2.6, GREY, anchor="start"),
    ]


def _hall(x: float, plate: float) -> list[Shape]:
    """Lying on its legs, flat side up."""
    return [
        _hole(x, plate, 5.5),
        Rect(
            x - 2 * SCALE,
            plate + 1 * SCALE,
            4 * SCALE,
            1.5 * SCALE,
            Style(fill="#333333", stroke=INK, width=0.3),
            0.5,
        ),
        *(
            line(
                (x + dx, plate + 2.5 * SCALE), (x + dx, plate + 20), Style(stroke=STEEL, width=0.6)
            )
            for dx in (-3.2, 0, 3.2)
        ),
        Text(x + 8, plate + 18, "marked side up;", 2.6, GREY, anchor="start"),
        Text(x + 8, plate + 21.4, "VCC, GND, OUT", 2.6, GREY, anchor="start"),
    ]


def _tact(x: float, plate: float) -> list[Shape]:
    """The stem stands a little above the plate: the pawn rests on it, not on the wood."""
    under, proud = plate + PLATE * SCALE, PROUD * SCALE
    half = 1.75 * SCALE
    return [
        _hole(x, plate, 4),
        Rect(x - half, plate - proud, 2 * half, PLATE * SCALE + proud, Style(fill="#222222")),
        Poly(
            (
                (x - 3 * half, plate - 0.45),
                (x - half, plate - proud - 0.45),
                (x + half, plate - proud - 0.45),
                (x + 3 * half, plate - 0.45),
            ),
            Style(stroke=RED, width=0.9),
            closed=False,
        ),
        Text(x - 16, plate + 8, f"{PROUD:g} mm proud", 2.6, INK, anchor="end"),
        Rect(
            x - 3 * SCALE,
            under,
            6 * SCALE,
            TACT_BODY * SCALE,
            Style(fill="#555555", stroke=INK, width=0.3),
        ),
        *(
            line(
                (x + dx, under + TACT_BODY * SCALE),
                (x + dx, under + TACT_BODY * SCALE + 6),
                Style(stroke=STEEL, width=0.8),
            )
            for dx in (-6, 6)
        ),
        Poly(
            ((x - 13, under), (x - 7.4, under), (x - 7.4, under + 6)),
            Style(fill=GLUE, stroke=GREY, width=0.2),
        ),
        Poly(
            ((x + 13, under), (x + 7.4, under), (x + 7.4, under + 6)),
            Style(fill=GLUE, stroke=GREY, width=0.2),
        ),
        Text(x + 10, under + 9, "press the pawn", 2.6, GREY, anchor="start"),
        Text(x + 10, under + 12.4, "down on its square", 2.6, GREY, anchor="start"),
    ]

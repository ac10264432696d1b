"""Figures of the build guide: a cell of the matrix, a place cut open, which pole goes down."""

from hardware.bom import PROUD, TACT_BODY
from hardware.builds import HOLES, PLATE, build
from hardware.magnets import FOOT, GLASS, LEG, TAIL, magnet
from hardware.shapes import (
    Drawing,
    Ellipse,
    Poly,
    Rect,
    Shape,
    Style,
    Text,
    arrow,
    circle,
    line,
    moved,
)

INK, RED, BLUE, GREY, LIGHT = "#2e2a25", "#c9362e", "#2a62b4", "#7d7465", "#f4efe2"
WOOD, GLASSY, STEEL, GLUE = "#dcb98a", "#cfe6e8", "#9a9a9a", "#f3e9c8"
DOT = "#ffd23f"
"""The dot that marks the lower pole of a magnet, and the place for it on the jig."""
WIRE = Style(stroke=INK, width=0.6)


def cell() -> Drawing:
    """A cell of the matrix as a diagram, and where its wires go at a tact switch."""
    panels = [*moved(_switch_cell(), 4, 4), *moved(_tact_legs(), 98, 4)]
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


def _tact_legs() -> list[Shape]:
    """A tact switch from below: two legs at a corner each, and a diode at one of them."""
    x, y, half, out = 50.0, 32.0, 11.0, 4.0
    found: list[Shape] = [
        *_panel(102, "Tact switch, seen from below"),
        Rect(x - half, y - half, 2 * half, 2 * half, Style(fill="#555555", stroke=INK), 1.5),
        circle(x, y, 4.5, Style(fill="#3b3b3b")),
    ]
    legs = {(sx, sy): (x + sx * (half + out), y + sy * 7) for sx in (-1, 1) for sy in (-1, 1)}
    for (sx, _), (lx, ly) in legs.items():
        found.append(Rect(min(lx, x + sx * half), ly - 1.2, out, 2.4, Style(fill=STEEL)))
    found += [
        line((x - half, y + by), (x + half, y + by), Style(stroke=STEEL, dash=(1, 1)))
        for by in (-7, 7)
    ]
    (cx, cy), (rx, ry) = legs[(-1, -1)], legs[(1, 1)]
    found += [
        line((cx, cy), (12, cy), Style(stroke=BLUE, width=0.9)),
        circle(cx, cy, 1, Style(fill=BLUE)),
        Text(12, cy - 4, "column", 3.2, BLUE, anchor="start"),
        circle(rx, ry, 1, Style(fill=RED)),
        line((rx, ry), (90, ry), Style(stroke=STEEL, width=0.7)),
        Rect(72, ry - 1.8, 11, 3.6, Style(fill="#e0a860", stroke=INK, width=0.3), 1.4),
        Rect(79.5, ry - 1.8, 1.8, 3.6, Style(fill=BLACK_RING)),
        line((90, ry - 10), (90, ry + 8), Style(stroke=RED, width=0.9)),
        Text(89, ry - 13, "row", 3.2, RED),
        Text(76, ry + 5, "ring to the row", 2.8, INK),
        Text(50, 56, "Two legs across from each other (dotted) are one piece of metal:", 2.8, INK),
        Text(50, 61, "they are always joined. Take two that are diagonal; cut off the", 2.8, INK),
        Text(50, 66, "other two. Multimeter (beep): silent, and a beep when pressed.", 2.8, INK),
        Text(50, 75, "A reed has one leg at each end: either may be the column's.", 2.8, GREY),
    ]
    return found


BLACK_RING = "#1b1b1b"
SCALE = 2.4
"""How much larger than life the cut is drawn."""


def section() -> Drawing:
    """A place cut open: pawn with magnet, print, plate, and the two ways to sense it."""
    found: list[Shape] = [Rect(0, 0, 210, 128, Style(fill="#ffffff"))]
    plate = 52.0
    found.append(Rect(6, plate, 198, PLATE * SCALE, Style(fill=WOOD, stroke=INK, width=0.3)))
    found.append(Rect(6, plate - 0.9, 198, 0.9, Style(fill="#ffffff", stroke=RED, width=0.25)))
    found.append(Text(7, plate - 3.6, "print, laminated", 3, RED, anchor="start"))
    found.append(Text(7, plate + 6, f"plate {PLATE:g} mm", 3, INK, anchor="start"))
    for x, title, parts in (
        (70.0, f"reed switch, hole {HOLES['reed']:g} mm", _reed),
        (150.0, f"tact switch, hole {HOLES['touch']:g} mm", _tact),
    ):
        touch = parts is _tact
        found += _pawn(x, plate - 0.9 - (PROUD * SCALE if touch else FOOT * SCALE), not touch)
        found += parts(x, plate)
        found.append(Text(x, 123, title, 3.6, INK, bold=True))
    return Drawing("A place from the side", 210, 128, tuple(found))


def _pawn(x: float, floor: float, with_magnet: bool) -> list[Shape]:
    base, blue = 6 * SCALE, Style(fill="#6b93cf", stroke=INK, width=0.3)
    body = (
        (x - base, floor),
        (x - base, floor - 9),
        (x - 5, floor - 15),
        (x - 3.4, floor - 26),
        (x + 3.4, floor - 26),
        (x + 5, floor - 15),
        (x + base, floor - 9),
        (x + base, floor),
    )
    found: list[Shape] = [Poly(body, blue), circle(x, floor - 31, 6.5, blue)]
    if not with_magnet:
        return found
    which = magnet(build("b"))
    half, high = which.diameter / 2 * SCALE, which.thickness * SCALE
    steel = Style(fill="#5a5a5a", stroke=INK, width=0.3)
    found += [
        Rect(x - half, floor - high, 2 * half, high, steel),
        Rect(x - half, floor - 1.1, 2 * half, 1.1, Style(fill=DOT)),
        Rect(x - base, floor, 2 * base, FOOT * SCALE, Style(fill="#333333")),
        line((x + half, floor - 4), (x + base + 4, floor - 13), Style(stroke=GREY, width=0.25)),
        Text(x + base + 4.5, floor - 14.5, f"magnet {which},", 2.6, GREY, anchor="start"),
        Text(x + base + 4.5, floor - 11, "marked face down", 2.6, GREY, anchor="start"),
        Text(x - base - 2, floor - 3, f"foot {FOOT:g} mm", 2.6, GREY, anchor="end"),
    ]
    return found


def _hole(x: float, plate: float, diameter: float) -> Rect:
    half = diameter * SCALE / 2
    return Rect(x - half, plate, 2 * half, PLATE * SCALE, Style(fill="#ffffff"))


def _reed(x: float, plate: float) -> list[Shape]:
    """Upright, its glass beginning where the wood ends, the upper leg bent down in the hole."""
    top = plate + PLATE * SCALE
    bend, length = top - LEG * SCALE, GLASS * SCALE
    end = top + length + TAIL * SCALE
    side = x + 3.2
    return [
        _hole(x, plate, HOLES["reed"]),
        Poly(
            ((x - 8, top), (x - 2.6, top), (x - 2.6, top + 8)),
            Style(fill=GLUE, stroke=GREY, width=0.2),
        ),
        Poly(
            ((x + 9, top), (x + 4.4, top), (x + 4.4, top + 8)),
            Style(fill=GLUE, stroke=GREY, width=0.2),
        ),
        Ellipse(
            x, top + length / 2, 1.1 * SCALE, length / 2, Style(fill=GLASSY, stroke=INK, width=0.3)
        ),
        line((x - 0.5, top), (x - 0.5, top + 19), Style(stroke=STEEL, width=0.7)),
        line((x + 0.5, top + 15), (x + 0.5, end), Style(stroke=STEEL, width=0.7)),
        Poly(
            ((x - 0.5, top), (x - 0.5, bend), (side, bend), (side, end)),
            Style(stroke=STEEL, width=0.5),
            closed=False,
        ),
        line((side, bend + 1.5), (side, end - 6), Style(stroke=RED, width=1.2)),
        line((x - 14, top + 3), (x - 2, top), Style(stroke=INK, width=0.25)),
        Text(x - 15, top + 3, "glass begins where", 2.6, INK, anchor="end"),
        Text(x - 15, top + 6.4, "the wood ends", 2.6, INK, anchor="end"),
        Text(x + 10, top + 5, "hot glue", 2.6, GREY, anchor="start"),
        Text(x + 7, top + 22, "upper leg bent down", 2.6, GREY, anchor="start"),
        Text(x + 7, top + 25.4, f"{LEG:g} mm above the glass,", 2.6, GREY, anchor="start"),
        Text(x + 7, top + 28.8, "in its sleeve", 2.6, GREY, anchor="start"),
        Text(x - 3, end - 4, f"leave {TAIL:g} mm of this leg", 2.6, GREY, anchor="end"),
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


def poles() -> Drawing:
    """How to mark the magnets: as a stack they all lie the same way round."""
    found: list[Shape] = [Rect(0, 0, 210, 70, Style(fill="#ffffff"))]
    steel = Style(fill="#8d8f94", stroke=INK, width=0.3)
    found += [Rect(14, 20 + 6 * n, 18, 6, steel) for n in range(5)]
    found += [
        Ellipse(23, 20, 9, 2.2, steel),
        circle(23, 20, 1.3, Style(fill=DOT, stroke=INK, width=0.2)),
        Text(23, 60, "1. dot on the top one", 3.2, INK),
        Rect(66, 38, 18, 6, steel),
        Rect(66, 44, 18, 6, steel),
        Rect(92, 20, 18, 6, steel),
        Ellipse(101, 20, 9, 2.2, steel),
        circle(101, 20, 1.3, Style(fill=DOT, stroke=INK, width=0.2)),
        arrow(82, 30, 12, (2, -1), Style(fill=INK)),
        Text(88, 60, "2. slide it off; dot on the next", 3.2, INK),
    ]
    floor = 52.0
    body = [(130, floor), (130, floor - 8), (142, floor - 26), (150, floor - 26)]
    outline = (*body, (162, floor - 8), (162, floor))
    found += [
        Poly(outline, Style(fill="#6b93cf", stroke=INK, width=0.3)),
        Rect(139, floor - 7, 14, 7, Style(fill="#5a5a5a", stroke=INK, width=0.3)),
        Rect(139, floor - 2, 14, 2, Style(fill=DOT)),
        Text(146, 60, "3. dot side down,", 3.2, INK),
        Text(146, 65, "in every pawn", 3.2, INK),
        *_repelled(184, 30),
    ]
    return Drawing("Which pole goes down", 210, 70, tuple(found))


def _repelled(x: float, y: float) -> list[Shape]:
    """The test of a finished pawn: two bases held together push each other away."""
    blue = Style(fill="#6b93cf", stroke=INK, width=0.3)
    return [
        Rect(x - 9, y - 14, 18, 8, blue),
        Rect(x - 9, y + 6, 18, 8, blue),
        Rect(x - 5, y - 8, 10, 2, Style(fill=DOT)),
        Rect(x - 5, y + 6, 10, 2, Style(fill=DOT)),
        Poly(((x - 1.5, y - 1), (x + 1.5, y - 1), (x, y - 4)), Style(fill=RED)),
        Poly(((x - 1.5, y + 1), (x + 1.5, y + 1), (x, y + 4)), Style(fill=RED)),
        Text(x, 60, "4. base to base", 3.2, INK),
        Text(x, 65, "they push apart", 3.2, INK),
    ]

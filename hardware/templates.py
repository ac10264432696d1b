"""What a plate is made with: a drilling template, laser cuts, and the wiring side to solder by."""

import itertools
import math

from hardware.builds import CORNER_HOLE, FRAME, HOLES, Build, Option
from hardware.overlay import build_of, corner_holes, spot
from hardware.pins import PI_PIN, PICO_PIN, pi_label, pico_label
from hardware.shapes import Drawing, Point, Poly, Rect, Shape, Style, Text, circle, line
from hardware.wiring import CODE

BLACK, GREY, CUT, ENGRAVE = "#000000", "#777777", "#ff0000", "#0000ff"
WHITE = "#ffffff"
HAIR = 0.1
NAME = 2.5
"""Size in mm of the places' names on the wiring side."""

WIRE_COLOURS = {
    "BK": "#222222",
    "BN": "#8a5a2b",
    "RD": "#d62828",
    "OG": "#f08a24",
    "YE": "#e3c400",
    "GN": "#2f9e44",
    "BU": "#2a62b4",
    "VT": "#8338ec",
    "GY": "#8a8a8a",
    "WH": "#c9c9c9",
}
"""The ribbon's colours on white paper; white is drawn grey, or it would not be seen."""


def drill(name: str) -> Drawing:
    """The template to lay on the plate and drill through."""
    one = build_of(name)
    shapes = _plate(one, Style(fill=WHITE, stroke=BLACK, width=0.2))
    for place in one.board.places:
        x, y = spot(one, place)
        fine = Style(stroke=BLACK, width=HAIR)
        shapes += [line((x - 4, y), (x + 4, y), fine), line((x, y - 4), (x, y + 4), fine)]
        for option in one.options:
            tag = f"hole {option} {place.name}"
            shapes.append(circle(x, y, HOLES[option] / 2, fine, tag=tag))
        shapes.append(Text(x + 2.6, y - 2.6, place.name, 2.4, BLACK, anchor="start"))
    holes = ", ".join(f"{option} {HOLES[option]:g} mm" for option in one.options)
    words = (
        f"Drill the middles with 1.5 mm first, then: {holes}. "
        f"Corners {CORNER_HOLE:g} mm. Seen from above."
    )
    shapes.append(Text(one.size / 2, one.size - FRAME / 2, words, 2.6, BLACK))
    return Drawing(f"Ludo companion, drilling template {name}", one.size, one.size, tuple(shapes))


def laser(name: str, option: Option) -> Drawing:
    """Cut lines in red and engraving in blue, for a laser cutter."""
    one = build_of(name)
    shapes = _plate(one, Style(stroke=CUT, width=HAIR))
    for place in one.board.places:
        x, y = spot(one, place)
        tag = f"hole {option} {place.name}"
        shapes.append(circle(x, y, HOLES[option] / 2, Style(stroke=CUT, width=HAIR), tag=tag))
        shapes.append(Text(x + 2.8, y - 2.8, place.name, 2.4, ENGRAVE, anchor="start"))
    title = f"Ludo companion, laser cut {name}, {option}"
    return Drawing(title, one.size, one.size, tuple(shapes))


def _plate(one: Build, style: Style) -> list[Shape]:
    shapes: list[Shape] = [Rect(0, 0, one.size, one.size, style, tag="plate")]
    for x, y in corner_holes(one):
        shapes.append(circle(x, y, CORNER_HOLE / 2, style, tag="corner"))
    return shapes


def underside(name: str) -> Drawing:
    """The plate seen from below, with every place's row and column; the rows as they run."""
    one = build_of(name)
    shapes = _plate(one, Style(fill=WHITE, stroke=BLACK, width=0.2))
    chains: dict[int, list[Point]] = {}
    for place in one.board.places:
        x, y = spot(one, place)
        chains.setdefault(one.cells[place.name][0], []).append((one.size - x, y))
    taken = [point for points in chains.values() for point in points]
    for row, points in sorted(chains.items()):
        for start, end in joined(points):
            far = math.dist(start, end) > 1.5 * one.pitch
            style = Style(
                stroke=WIRE_COLOURS[CODE[row + 1]], width=1.1, dash=(2.5, 1.5) if far else ()
            )
            path = _clear_way(one, start, end, taken) if far else (start, end)
            shapes.append(Poly(path, style, closed=False, tag=f"row {row + 1}"))
    for place in one.board.places:
        x, y = spot(one, place)
        x = one.size - x
        row, column = one.cells[place.name]
        ring = Style(fill=WHITE, stroke=WIRE_COLOURS[CODE[row + 1]], width=0.7)
        shapes.append(circle(x, y, HOLES["reed"] / 2 + 0.6, ring, tag=f"cell {place.name}"))
        shapes.append(Text(x, y, str(column + 1), 2.6, BLACK, bold=True))
    for place in one.board.places:
        x, y = spot(one, place)
        shapes += _name(one.size - x, y, place.name)
    shapes += _legend(one)
    return Drawing(f"Ludo companion, wiring side {name}", one.size, one.size, tuple(shapes))


def _clear_way(one: Build, start: Point, end: Point, taken: list[Point]) -> tuple[Point, ...]:
    """A wire's way that keeps farthest from the places it passes, and from their names."""
    kept = [point for point in taken if point not in (start, end)]
    kept += [(x + 4.5, y - 3.0) for x, y in kept]

    def room(way: tuple[Point, ...]) -> float:
        return min(_from_line(point, *piece) for point in kept for piece in itertools.pairwise(way))

    ways: list[tuple[Point, ...]] = [(start, end)]
    ways += [beside(start, end, part * one.pitch) for part in (0.2, -0.2, 0.33, -0.33, 0.5, -0.5)]
    return max(ways, key=lambda way: min(round(room(way), 3), 4.0))


def _from_line(point: Point, start: Point, end: Point) -> float:
    """How far a point is from a straight line between two others."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    along = ((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / (dx * dx + dy * dy)
    along = min(1.0, max(0.0, along))
    return math.dist(point, (start[0] + along * dx, start[1] + along * dy))


def beside(start: Point, end: Point, by: float) -> tuple[Point, ...]:
    """A way that runs beside the straight line, so as not to seem to end at places on it."""
    length = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    out, along = (-uy * by, ux * by), (ux * abs(by), uy * abs(by))
    return (
        start,
        (start[0] + along[0] + out[0], start[1] + along[1] + out[1]),
        (end[0] - along[0] + out[0], end[1] - along[1] + out[1]),
        end,
    )


def _name(x: float, y: float, name: str) -> list[Shape]:
    """A place's name at the upper right of its hole, on white: wires must not hide it."""
    wide = 0.62 * NAME * len(name) + 0.6
    return [
        Rect(x + 2.0, y - 4.2, wide, NAME + 0.3, Style(fill=WHITE), 0.6),
        Text(x + 2.3, y - 2.8, name, NAME, "#333333", anchor="start"),
    ]


def joined(points: list[Point]) -> list[tuple[Point, Point]]:
    """The shortest wires that join all points, of a row for instance."""
    reached, waiting, wires = [points[0]], points[1:], []
    while waiting:
        start, end = min(
            ((here, there) for here in reached for there in waiting),
            key=lambda pair: (round(math.dist(*pair), 6), pair),
        )
        wires.append((start, end))
        reached.append(end)
        waiting.remove(end)
    return wires


def _legend(one: Build) -> list[Shape]:
    """Which row and column leads to which pin, in the frame."""
    place = PICO_PIN if one.pico else PI_PIN
    label = pico_label if one.pico else pi_label
    found: list[Shape] = []
    for what, pins, y in (
        ("row", one.row_pins, FRAME / 2),
        ("column", one.column_pins, one.size - FRAME / 2),
    ):
        step = (one.size - 2 * FRAME - 4) / len(pins)
        for number, bcm in enumerate(pins):
            pin = place[bcm]
            x = FRAME + 2 + number * step
            short = what if step > 30 else what[0]
            colour = WIRE_COLOURS[CODE[(number + 1) % 10]]
            found.append(line((x, y), (x + 4, y), Style(stroke=colour, width=1.4)))
            words = f"{short} {number + 1}: {label(pin)}, pin {pin}"
            size = min(2.4, (step - 6) / (len(words) * 0.5))
            found.append(Text(x + 5, y, words, size, BLACK, anchor="start"))
    words = (
        "Seen from below. In the ring: the column. Along a line: one row, to the ringed end of "
        "each diode; broken lines are insulated wire."
    )
    found.append(Text(one.size / 2, FRAME + 2.2, words, 2.4, GREY))
    return found

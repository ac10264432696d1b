"""What a plate is made with: a drilling template, laser cuts, and the wiring side to solder by."""

import itertools
import math
from functools import lru_cache
from typing import Literal

from companion.rules.boards import Place
from hardware import fonts
from hardware.builds import BATTEN, CORNER_HOLE, FRAME, HOLES, Build, Option
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
    foot = one.size - FRAME / 2
    first = f"Middles 1.5 mm first, then: {holes}."
    shapes.append(Text(FRAME + 2, foot, first, 2.4, BLACK, anchor="start"))
    last = f"Corners {CORNER_HOLE:g} mm. Seen from above."
    shapes.append(Text(one.size - FRAME - 2, foot, last, 2.4, BLACK, anchor="end"))
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


def cover(name: str) -> Drawing:
    """The cover under the wires: as large as the plate, screwed to the battens."""
    one = build_of(name)
    shapes: list[Shape] = [Rect(0, 0, one.size, one.size, Style(stroke=CUT, width=HAIR))]
    near, far = BATTEN / 2, one.size - BATTEN / 2
    for at in (one.size * 0.2, one.size * 0.8):
        for x, y in ((at, near), (at, far), (near, at), (far, at)):
            shapes.append(circle(x, y, 1.6, Style(stroke=CUT, width=HAIR), tag="hole cover"))
    words = f"Cover under board {name}: 3 mm hardboard or card, holes 3.2 mm."
    shapes.append(Text(one.size * 0.25, one.size * 0.25, words, 3, BLACK, anchor="middle"))
    return Drawing(f"Ludo companion, cover {name}", one.size, one.size, tuple(shapes))


def _plate(one: Build, style: Style) -> list[Shape]:
    shapes: list[Shape] = [Rect(0, 0, one.size, one.size, style, tag="plate")]
    for x, y in corner_holes(one):
        shapes.append(circle(x, y, CORNER_HOLE / 2, style, tag="corner"))
    return shapes


def underside(name: str) -> Drawing:
    """The plate seen from below to solder the rows by: every row as its wire runs."""
    return _wiring_side(name, "row")


def columns(name: str) -> Drawing:
    """The same to solder the columns by: every column as its wire runs."""
    return _wiring_side(name, "column")


Line = Literal["row", "column"]


@lru_cache
def _wiring_side(name: str, what: Line) -> Drawing:
    """Seen from below: rings with the number of their row or column, wires, names, a legend."""
    one = build_of(name)
    shapes = _plate(one, Style(fill=WHITE, stroke=BLACK, width=0.2))
    inner = one.size - 2 * BATTEN
    shapes.append(Rect(BATTEN, BATTEN, inner, inner, Style(stroke=GREY, width=0.15, dash=(2, 2))))
    wires = _wires(one, what)
    shapes += wires
    for place in one.board.places:
        x, y = _below(one, place)
        number = one.cells[place.name][0 if what == "row" else 1] + 1
        ring = Style(fill=WHITE, stroke=_colour(number), width=0.7)
        shapes.append(circle(x, y, RING, ring, tag=f"cell {place.name}"))
        shapes.append(Text(x, y, str(number), 2.4, BLACK, bold=True))
    for place in one.board.places:
        shapes += _name(*_below(one, place), place.name)
    if one.pico:
        shapes += _pico(one)
    shapes += _legend(one, what, wires)
    title = f"Ludo companion, wiring side {name}, {what}s"
    return Drawing(title, one.size, one.size, tuple(shapes))


RING = HOLES["reed"] / 2 + 0.6
CRADLE, PLUG = (66.0, 21.0), 40.0
"""mm: the Pico's cradle, and the room before it that a USB plug and the bend of its cable need."""


def cradle_at(one: Build) -> Point:
    """The upper left corner of the Pico's cradle, seen from below: in the lower left corner."""
    return BATTEN + PLUG, one.size - BATTEN - 2 - CRADLE[1]


def _pico(one: Build) -> list[Shape]:
    """Where the cradle is screwed, and where the batten has its notch for the cable."""
    (x, y), fine = cradle_at(one), Style(stroke=GREY, width=0.25)
    level = y + CRADLE[1] / 2
    plug = line((BATTEN + 1, level), (x, level), fine)
    head = Poly(
        ((BATTEN + 1, level), (BATTEN + 4, level - 1.5), (BATTEN + 4, level + 1.5)),
        Style(fill=GREY),
    )
    middle = (BATTEN + 5 + x) / 2
    return [
        Rect(x, y, *CRADLE, fine, 3, tag="cradle"),
        *(circle(x + CRADLE[0] - 6, y + at, 1.7, fine) for at in (5, 16)),
        Text(x + CRADLE[0] / 2 - 4, level - 2.2, "the Pico's cradle,", LETTERS, BLACK),
        Text(x + CRADLE[0] / 2 - 4, level + 2.2, "USB to the left", LETTERS, BLACK),
        plug,
        head,
        Text(middle, level - 2.6, "cable: notch in", LETTERS, BLACK),
        Text(middle, level + 2.8, "the batten here", LETTERS, BLACK),
    ]


def _below(one: Build, place: Place) -> Point:
    """Where a place lies when the plate is turned over."""
    x, y = spot(one, place)
    return one.size - x, y


def _colour(number: int) -> str:
    return WIRE_COLOURS[CODE[number % 10]]


def _wires(one: Build, what: Line) -> list[Poly]:
    """The wires of all rows or columns; insulated ones, which cross others, are broken lines."""
    chains: dict[int, list[Point]] = {}
    for place in one.board.places:
        number = one.cells[place.name][0 if what == "row" else 1] + 1
        chains.setdefault(number, []).append(_below(one, place))
    taken = [point for points in chains.values() for point in points]
    found: list[Poly] = []
    for number, points in sorted(chains.items()):
        for start, end in joined(points):
            far = math.dist(start, end) > 1.5 * one.pitch
            width = 1.1 if what == "row" else 0.8
            style = Style(stroke=_colour(number), width=width, dash=(2.5, 1.5) if far else ())
            path = _clear_way(one, start, end, taken, found) if far else (start, end)
            found.append(Poly(path, style, closed=False, tag=f"{what} {number}"))
    return found


def _clear_way(
    one: Build, start: Point, end: Point, taken: list[Point], wires: list[Poly]
) -> tuple[Point, ...]:
    """A wire's way that keeps off the places it passes, their names, and the wires drawn before."""
    kept = [point for point in taken if point not in (start, end)]
    middle, reach = _middle(start, end), math.dist(start, end) / 2 + one.pitch
    kept = [point for point in kept if math.dist(point, middle) < reach]
    names = [(x + 4.5, y - 3.0) for x, y in kept]
    edge = BATTEN + 2
    drawn = [piece for wire in wires for piece in itertools.pairwise(wire.points)]

    def room(way: tuple[Point, ...]) -> float:
        if not all(edge < at < one.size - edge for point in way for at in point):
            return 0.0  # it would run under the frame
        pieces = list(itertools.pairwise(way))
        holes = (_from_line(point, *piece) for point in kept for piece in pieces)
        words = (_from_line(point, *piece) + 1.5 for point in names for piece in pieces)
        return min(*holes, *words, 9.0, 9.0)

    def lonely(way: tuple[Point, ...]) -> float:
        points = [point for piece in itertools.pairwise(way) for point in _along(*piece)]
        near = [min((_from_line(point, *piece) for piece in drawn), default=9) for point in points]
        return sum(min(far, 3.0) for far in near) / len(near)

    ways: list[tuple[Point, ...]] = [(start, end)]
    ways += [beside(start, end, sign * part * one.pitch) for part in SHIFTS for sign in (1, -1)]
    rooms = {way: min(round(room(way), 3), 3.0) for way in ways}
    widest = [way for way in ways if rooms[way] == max(rooms.values())]
    return max(widest, key=lambda way: round(lonely(way), 3))


def _middle(start: Point, end: Point) -> Point:
    return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2


SHIFTS = (0.06, 0.12, 0.2, 0.28, 0.36, 0.44, 0.52)
"""How far aside a wire may run, as parts of the pitch."""


def _along(start: Point, end: Point) -> list[Point]:
    """Points of a straight wire, 6 mm from each other or nearer."""
    count = max(2, math.ceil(math.dist(start, end) / 6))
    return [
        (
            start[0] + (end[0] - start[0]) * (n + 0.5) / count,
            start[1] + (end[1] - start[1]) * (n + 0.5) / count,
        )
        for n in range(count)
    ]


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


STEP, LETTERS = 3.9, 2.5
"""mm from line to line of the legend, and the size of its letters."""


def _legend(one: Build, what: Line, wires: list[Poly]) -> list[Shape]:
    """Which number leads to which pin, where the frame under the plate does not hide it."""
    place = PICO_PIN if one.pico else PI_PIN
    label = pico_label if one.pico else pi_label
    pins = one.row_pins if what == "row" else one.column_pins
    entries = [
        (number, f"{what} {number}: {label(place[pin])}, pin {place[pin]}")
        for number, pin in enumerate(pins, 1)
    ]
    how = [(0, words) for words in _how_to_read(what)]
    tries = []
    for most in (9, 5, 3):  # the fewest blocks that find room between the wires
        part = math.ceil(len(entries) / math.ceil(len(entries) / most))
        blocks = [how, *(entries[n : n + part] for n in range(0, len(entries), part))]
        tries.append(_blocks(one, blocks, wires))
        if tries[-1][0] == 0:
            break
    return min(tries, key=lambda found: found[0])[1]


def _blocks(
    one: Build, blocks: list[list[tuple[int, str]]], wires: list[Poly]
) -> tuple[int, list[Shape]]:
    """Blocks of lines, each where there is room, and how many wires they cover after all."""
    taken = [_below(one, each) for each in one.board.places]
    found: list[Shape] = []
    covered = 0
    for block in blocks:
        wide = max(fonts.width(words, LETTERS) + (6 if number else 0) for number, words in block)
        crossed, (x, y) = _room(one, wide, STEP * len(block), taken, wires, found)
        covered += crossed
        for line_number, (number, words) in enumerate(block):
            level = y + STEP * (line_number + 0.5)
            if number:
                found.append(
                    line((x, level), (x + 4, level), Style(stroke=_colour(number), width=1.4))
                )
            start = x + 5.5 if number else x
            found.append(Text(start, level, words, LETTERS, BLACK, anchor="start", tag="legend"))
    return covered, found


def _how_to_read(what: Line) -> list[str]:
    if what == "row":
        return [
            "Rows, seen from below.",
            "A line joins the ringed ends",
            "of the diodes of one row;",
            "broken: insulated wire.",
            "The frame covers the edge",
            "up to the dashed line.",
        ]
    return [
        "Columns, seen from below.",
        "A line joins the switches'",
        "other legs of one column;",
        "all of it insulated wire.",
        "The frame covers the edge",
        "up to the dashed line.",
    ]


def _room(
    one: Build,
    wide: float,
    high: float,
    holes: list[Point],
    wires: list[Poly],
    texts: list[Shape],
) -> tuple[int, Point]:
    """The upper left corner of a free rectangle: off holes, names, frame and seams, and if it can
    be off wires; how many it covers stands before it."""
    middle, edge = one.size / 2, BATTEN + 2
    used = [fonts.box(text) for text in texts if isinstance(text, Text)]
    ways = [piece for wire in wires for piece in itertools.pairwise(wire.points)]
    best: tuple[int, Point] | None = None
    steps = [edge + 1.5 * n for n in range(int((one.size - 2 * edge) / 1.5))]
    for y in steps:
        for x in steps:
            right, lower = x + wide, y + high
            if right > one.size - edge or lower > one.size - edge:
                continue
            if x < middle + SEAM and right > middle - SEAM:
                continue  # sheets are joined near the middle
            if y < middle + SEAM and lower > middle - SEAM:
                continue
            if any(x - 9 < hx < right + 4 and y - 4 < hy < lower + 6 for hx, hy in holes):
                continue
            if any(
                x < r + 2 and right > a - 8 and y < d + 2 and lower > u - 2 for a, u, r, d in used
            ):
                continue
            crossed = sum(_crosses(piece, (x - 1, y - 1, right + 1, lower + 1)) for piece in ways)
            if best is None or crossed < best[0]:
                best = (crossed, (x, y))
                if crossed == 0:
                    return best
    assert best is not None, "the sheet has no room for its legend"
    return best


SEAM = 7.0


def _crosses(piece: tuple[Point, Point], box: tuple[float, float, float, float]) -> bool:
    """Whether a straight wire runs through a rectangle."""
    (x1, y1), (x2, y2) = piece
    left, upper, right, lower = box
    low, high = 0.0, 1.0
    for start, by, least, most in ((x1, x2 - x1, left, right), (y1, y2 - y1, upper, lower)):
        if abs(by) < 1e-9:
            if not least <= start <= most:
                return False
            continue
        first, last = sorted(((least - start) / by, (most - start) / by))
        low, high = max(low, first), min(high, last)
    return low < high

"""The boards to play on, drawn from the engine's board data: what is printed and laid on the plate.

`spot` says where a place lies; every hole, square and label on every sheet comes through it.
"""

import math

from companion.rules.boards import BOARDS, Board, Mat, Place, letter
from hardware import fonts
from hardware.builds import BUILDS, CORNER_HOLE, FRAME, Build
from hardware.shapes import (
    Drawing,
    Ellipse,
    Point,
    Poly,
    Rect,
    Shape,
    Style,
    Text,
    arrow,
    circle,
    line,
    mixed,
    moved,
    star,
)

PAPER, INK, QUIET, TRAIL = "#fdf8ec", "#2e2a25", "#7d7465", "#e6d9bd"
COLOURS = {
    "red": "#c9362e",
    "green": "#2f8b4f",
    "yellow": "#f0b41c",
    "blue": "#2a62b4",
    "black": "#3b3b3f",
}
WHITE, STAR = "#ffffff", "#e9c46a"
KEY = 2.2
"""Size in mm of the letters in the frame."""
SQUARE = 0.94
"""Side of a track square, as a part of the pitch; the rest is the gap between two."""
ROUND = 0.82
"""Diameter of a round place of the 40 board, likewise."""


def build_of(name: str) -> Build:
    """The build that a board belongs to."""
    return next(one for one in BUILDS if name in one.boards)


def spot(one: Build, place: Place) -> Point:
    """Where the middle of a place lies on the sheet, in mm from the upper left corner."""
    return (
        FRAME + (place.x + 0.5) * one.pitch,
        FRAME + (place.y + 0.5) * one.pitch,
    )


def tint(colour: str, part: float = 0.78) -> str:
    """A colour made light by so much white."""
    return mixed(COLOURS[colour], WHITE, part)


def reach(one: Build, place: Place) -> float:
    """How far a place reaches from its middle: half the side of a square, a spot's radius."""
    if isinstance(one.board, Mat):
        return 0.3 * one.pitch
    if place.kind == "home":
        return 0.29 * one.pitch
    if one.board.name == "40":
        return ROUND / 2 * one.pitch
    return (0.62 if place.kind == "base" else SQUARE / 2) * one.pitch


def is_square(one: Build, place: Place) -> bool:
    """Whether a place is drawn as a square; the others are round."""
    return one.board.name not in ("40", "mat") and place.kind in ("track", "finish")


def overlay(name: str) -> Drawing:
    """A whole board, ready to print."""
    one, board = build_of(name), BOARDS[name]
    shapes = [*_ground(one, name)]
    if isinstance(board, Mat):
        shapes += _mat(one, board)
    elif name == "40":
        shapes += _board_40(one, board)
    else:
        shapes += _cross(one, board)
    shapes += [mark for place in board.places for mark in drill_mark(one, place)]
    return Drawing(f"Ludo companion, board {name}", one.size, one.size, tuple(shapes))


def drill_mark(one: Build, place: Place) -> list[Shape]:
    """The middle of a place: a fine cross to drill by, small enough to play over."""
    x, y = spot(one, place)
    fine = Style(stroke=QUIET, width=0.12)
    return [
        line((x - 1.2, y), (x + 1.2, y), fine),
        line((x, y - 1.2), (x, y + 1.2), fine),
        circle(x, y, 0.35, Style(fill=QUIET), tag=f"drill {place.name}"),
    ]


def corner_holes(one: Build) -> list[Point]:
    """The middles of the four screw holes in the frame."""
    near, far = FRAME / 2, one.size - FRAME / 2
    return [(near, near), (far, near), (far, far), (near, far)]


def _ground(one: Build, name: str) -> list[Shape]:
    size = one.size
    found: list[Shape] = [
        Rect(0, 0, size, size, Style(fill=mixed(PAPER, "#c9a86a", 0.35))),
        Rect(
            FRAME - 3,
            FRAME - 3,
            size - 2 * FRAME + 6,
            size - 2 * FRAME + 6,
            Style(fill=PAPER, stroke=mixed(INK, PAPER, 0.35), width=0.5),
            5,
        ),
    ]
    for x, y in corner_holes(one):
        found.append(circle(x, y, CORNER_HOLE / 2, Style(stroke=QUIET, width=0.15)))
        found.append(circle(x, y, 0.3, Style(fill=QUIET)))
    quiet, foot = mixed(INK, PAPER, 0.3), size - FRAME / 2 + 1.2
    label = f"Ludo companion  ·  board {name}  ·  {number(one.pitch)} mm"
    found.append(Text(FRAME + 2, foot, label, 2.2, quiet, anchor="start"))
    if "reed" in one.options:
        mark = "magnets: dots down, one pole for all"
        found.append(circle(size - FRAME - 3, foot, 1, Style(fill=STAR, stroke=INK, width=0.15)))
        found.append(Text(size - FRAME - 6, foot, mark, 2.2, quiet, anchor="end"))
    return found + _key(one, BOARDS[name])


def _key(one: Build, board: Board | Mat) -> list[Shape]:
    """What the signs on the squares mean, along the upper edge."""
    pen, y = mixed(INK, PAPER, 0.1), FRAME / 2 - 1.4
    signs: list[tuple[list[Shape], str]] = []
    if isinstance(board, Mat):
        signs.append(([], "press the button of the stack on which you lay a card"))
    elif board.marks:
        signs.append((globe(0, y, 1.6, INK), "globe: safe in Pairs, in Dutch the die's globe"))
        gold = Style(fill=STAR, stroke=INK, width=0.15)
        signs.append(([star(0, y, 1.9, gold)], "star: in Dutch the die's star"))
    if isinstance(board, Board):
        whole: list[Shape] = [arrow(0, y, 3.6, (1, 0), Style(fill=pen))]
        head: list[Shape] = [_head(0, y, 1.1, (1, 0), pen)]
        signs.append((whole if not board.marks else head, "start, and the way round"))
        if board.home:
            turn_off: list[Shape] = [_head(0, y, 1.1, (1, 0), COLOURS[board.colours[0]])]
            signs.append((turn_off, "a colour's turn to its finish"))
    found: list[Shape] = []
    middle = (len(signs) + 1) // 2  # sheets are joined near the middle: no words there
    for part, right in ((signs[:middle], False), (signs[middle:], True)):
        widths = [(5 if sign else 0) + fonts.width(words, KEY) for sign, words in part]
        x = one.size - FRAME - 2 - sum(widths) - 6 * (len(part) - 1) if right else FRAME + 2
        for (sign, words), width in zip(part, widths, strict=True):
            found += moved(sign, x + 1.5, 0)
            found.append(Text(x + (5 if sign else 0), y, words, KEY, pen, anchor="start"))
            x += width + 6
    return found


def number(value: float) -> str:
    """A number without needless zeros."""
    return f"{value:g}"


def _circle_place(one: Build, place: Place, style: Style) -> Ellipse:
    x, y = spot(one, place)
    return circle(x, y, reach(one, place), style, tag=f"place {place.name}")


# The 40 board: round places on a trail


def _board_40(one: Build, board: Board) -> list[Shape]:
    found: list[Shape] = []
    for seat, colour in enumerate(board.colours):
        found += _corner_40(one, board, seat, colour)
    track = [spot(one, place) for place in board.places[: board.track]]
    found.append(Poly(tuple(track), Style(stroke=TRAIL, width=one.pitch * 0.3)))
    for seat, colour in enumerate(board.colours):
        found += _lane_40(one, board, seat, colour)
    for place in board.places[: board.track]:
        found += _track_40(one, board, place)
    x = y = one.size / 2
    found.append(star(x, y, one.pitch * 0.36, Style(fill=TRAIL), 8))
    found.append(circle(x, y, one.pitch * 0.09, Style(fill=PAPER)))
    return found


def _corner_40(one: Build, board: Board, seat: int, colour: str) -> list[Shape]:
    """A base: a tinted panel in the corner, four places, and the colour's letter."""
    bases = [place for place in board.places if place.kind == "base" and place.colour == colour]
    outer = min(bases, key=lambda place: _to_edge(board, place))
    inner = max(bases, key=lambda place: _to_edge(board, place))
    dx, dy = inner.x - outer.x, inner.y - outer.y
    x1, y1 = spot(one, outer._replace(x=outer.x - 0.55 * dx, y=outer.y - 0.55 * dy))
    x2, y2 = spot(one, outer._replace(x=outer.x + 2.9 * dx, y=outer.y + 2.9 * dy))
    lx, ly = spot(one, outer._replace(x=outer.x + 2.15 * dx, y=outer.y + 2.15 * dy))
    found: list[Shape] = [
        Rect(
            min(x1, x2),
            min(y1, y2),
            abs(x2 - x1),
            abs(y2 - y1),
            Style(fill=tint(colour), stroke=tint(colour, 0.45), width=0.6),
            9,
        ),
        circle(lx, ly, one.pitch * 0.42, Style(stroke=tint(colour, 0.45), width=0.8)),
        Text(lx, ly, letter(colour), one.pitch * 0.5, tint(colour, 0.25), bold=True),
    ]
    return found + _base_places(one, bases, colour, white=0.72, below=0.19)


def _base_places(
    one: Build, bases: list[Place], colour: str, *, white: float, below: float
) -> list[Shape]:
    """Coloured rings with a white middle and their names, in parts of reach and pitch."""
    found: list[Shape] = []
    for place in bases:
        found.append(_circle_place(one, place, Style(fill=COLOURS[colour], stroke=INK, width=0.4)))
        x, y = spot(one, place)
        found.append(circle(x, y, reach(one, place) * white, Style(fill=WHITE)))
        found.append(_tiny(x, y + one.pitch * below, place.name, one.pitch))
    return found


def _to_edge(board: Board, place: Place) -> float:
    """How far a place is from its corner of the board."""
    end = board.grid - 1
    return min(place.x, end - place.x) + min(place.y, end - place.y)


def _lane_40(one: Build, board: Board, seat: int, colour: str) -> list[Shape]:
    found: list[Shape] = []
    for step in range(len(board.finish)):
        place = board.places_of(seat, board.track_end + 1 + step)[0]
        style = Style(fill=tint(colour, 0.35), stroke=INK, width=0.4)
        found.append(_circle_place(one, place, style))
        x, y = spot(one, place)
        found.append(circle(x, y, reach(one, place) * 0.68, Style(fill=WHITE)))
        found.append(_tiny(x, y + one.pitch * 0.19, place.name, one.pitch))
    return found


def _track_40(one: Build, board: Board, place: Place) -> list[Shape]:
    index = int(place.name) - 1
    seat, step = divmod(index, board.quarter)
    x, y = spot(one, place)
    if step != 0:
        style = Style(fill=WHITE, stroke=INK, width=0.4)
        return [
            _circle_place(one, place, style),
            _tiny(x, y + one.pitch * 0.22, place.name, one.pitch),
        ]
    colour = board.colours[seat]
    ahead = board.places[(index + 1) % board.track]
    ux, uy = ahead.x - place.x, ahead.y - place.y
    return [
        _circle_place(one, place, Style(fill=COLOURS[colour], stroke=INK, width=0.4)),
        circle(x, y, reach(one, place) * 0.72, Style(fill=tint(colour, 0.72))),
        arrow(x, y, one.pitch * 0.5, (ux, uy), Style(fill=COLOURS[colour])),
        _tiny(
            x + abs(uy) * one.pitch * 0.21, y + abs(ux) * one.pitch * 0.22, place.name, one.pitch
        ),
    ]


def _tiny(x: float, y: float, text: str, pitch: float) -> Text:
    return Text(x, y, text, pitch * 0.13, QUIET)


# The 52 and 68 boards: a cross of squares


def _cross(one: Build, board: Board) -> list[Shape]:
    found: list[Shape] = []
    for seat, colour in enumerate(board.colours):
        found += _yard(one, board, colour)
        found += _triangle(one, board, seat, colour)
    for place in board.places:
        if place.kind == "track":
            found += _track(one, board, place)
        elif place.kind == "finish":
            found += _finish(one, board, place)
        elif place.kind == "home":
            style = Style(fill=WHITE, stroke=INK, width=0.3)
            found.append(_circle_place(one, place, style))
            x, y = spot(one, place)
            found.append(_tiny(x, y + one.pitch * 0.18, place.name, one.pitch * 0.78))
    return found


def _yard(one: Build, board: Board, colour: str) -> list[Shape]:
    """A corner: the colour's yard with four base places and its letter."""
    bases = [place for place in board.places if place.kind == "base" and place.colour == colour]
    cx = sum(place.x for place in bases) / 4
    cy = sum(place.y for place in bases) / 4
    middle = Place("", "base", colour, cx, cy)
    x, y = spot(one, middle)
    half = (board.grid - 3) / 4 * one.pitch - one.pitch * 0.06
    disc = half * 0.86
    found: list[Shape] = [
        Rect(x - half, y - half, 2 * half, 2 * half, Style(fill=COLOURS[colour]), one.pitch * 0.35),
        circle(x, y, disc, Style(fill=tint(colour, 0.86))),
        circle(x, y, disc - 1.2, Style(stroke=COLOURS[colour], width=0.4)),
    ]
    found.append(Text(x, y, letter(colour), one.pitch * 0.62, tint(colour, 0.3), bold=True))
    for sx in (-1, 1):
        for sy in (-1, 1):
            corner = half * 0.86
            found.append(
                star(
                    x + sx * corner,
                    y + sy * corner,
                    one.pitch * 0.16,
                    Style(fill=tint(colour, 0.4)),
                    4,
                )
            )
    return found + _base_places(one, bases, colour, white=0.78, below=0.3)


def _triangle(one: Build, board: Board, seat: int, colour: str) -> list[Shape]:
    """A quarter of the middle, towards its finish lane."""
    lane = board.places_of(seat, board.track_end + len(board.finish))[0]
    x = y = one.size / 2
    lx, ly = spot(one, lane)
    ux, uy = (lx - x) / math.hypot(lx - x, ly - y), (ly - y) / math.hypot(lx - x, ly - y)
    half = 1.5 * one.pitch - one.pitch * 0.03
    corners = (
        (x, y),
        (x + half * (ux - uy), y + half * (uy + ux)),
        (x + half * (ux + uy), y + half * (uy - ux)),
    )
    return [Poly(corners, Style(fill=COLOURS[colour], stroke=PAPER, width=0.8))]


def _square(one: Build, place: Place, fill: str) -> Rect:
    x, y = spot(one, place)
    half = reach(one, place)
    return Rect(
        x - half,
        y - half,
        2 * half,
        2 * half,
        Style(fill=fill, stroke=INK, width=0.3),
        one.pitch * 0.09,
        tag=f"place {place.name}",
    )


def _corner_number(one: Build, place: Place, fill: str = QUIET) -> Text:
    x, y = spot(one, place)
    half = reach(one, place)
    inset = one.pitch * 0.07
    return Text(
        x - half + inset,
        y - half + inset + one.pitch * 0.05,
        place.name,
        one.pitch * 0.135,
        fill,
        anchor="start",
    )


def _track(one: Build, board: Board, place: Place) -> list[Shape]:
    index = int(place.name) - 1
    seat, step = divmod(index, board.quarter)
    colour = board.colours[seat]
    x, y = spot(one, place)
    start = step == 0
    found: list[Shape] = [_square(one, place, COLOURS[colour] if start else WHITE)]
    ink = WHITE if start and colour != "yellow" else INK
    if index in board.marked("safe"):
        found.append(
            circle(
                x,
                y,
                one.pitch * 0.335,
                Style(fill=tint(colour, 0.8) if start else None, stroke=ink, width=0.35),
            )
        )
    if index in board.marked("globe"):
        found += globe(x, y, one.pitch * 0.265, COLOURS[colour] if start and ink == WHITE else INK)
    if index in board.marked("star"):
        found.append(star(x, y, one.pitch * 0.34, Style(fill=STAR, stroke=INK, width=0.25)))
    if start:
        found += _way_out(one, board, index, board.marked("globe") != ())
    for other in range(4):
        if board.progress(other, index) == board.track_end:
            found += _turn_off(one, board, other, place)
    found.append(_corner_number(one, place, ink if start else QUIET))
    return found


def globe(x: float, y: float, radius: float, colour: str) -> list[Shape]:
    """A globe with meridians and parallels."""
    pen = Style(stroke=colour, width=radius * 0.07)
    found: list[Shape] = [
        circle(x, y, radius, Style(fill=WHITE, stroke=colour, width=radius * 0.1)),
        Ellipse(x, y, radius * 0.45, radius, pen),
        line((x, y - radius), (x, y + radius), pen),
        line((x - radius, y), (x + radius, y), pen),
    ]
    for side in (-1, 1):
        half = radius * math.cos(math.asin(0.5))
        found.append(
            line((x - half, y + side * radius / 2), (x + half, y + side * radius / 2), pen)
        )
    return found


def _way_out(one: Build, board: Board, index: int, small: bool) -> list[Shape]:
    """The arrow on a start square: which way the pieces go round."""
    place, ahead = board.places[index], board.places[(index + 1) % board.track]
    x, y = spot(one, place)
    ux, uy = ahead.x - place.x, ahead.y - place.y
    fill = WHITE if board.colours[index // board.quarter] != "yellow" else INK
    if small:
        shift = one.pitch * 0.41
        return [_head(x + ux * shift, y + uy * shift, one.pitch * 0.085, (ux, uy), fill)]
    return [arrow(x, y, one.pitch * 0.62, (ux, uy), Style(fill=fill))]


def _head(x: float, y: float, size: float, towards: Point, fill: str) -> Poly:
    ux, uy = towards
    tip = (x + ux * size, y + uy * size)
    left = (x - ux * size * 0.4 - uy * size, y - uy * size * 0.4 + ux * size)
    right = (x - ux * size * 0.4 + uy * size, y - uy * size * 0.4 - ux * size)
    return Poly((tip, left, right), Style(fill=fill))


def _turn_off(one: Build, board: Board, seat: int, place: Place) -> list[Shape]:
    """The arrow on the square where a colour leaves the track for its finish."""
    lane = board.places_of(seat, board.track_end + 1)[0]
    ux, uy = lane.x - place.x, lane.y - place.y
    x, y = spot(one, place)
    shift = one.pitch * 0.39
    fill = COLOURS[board.colours[seat]]
    return [_head(x + ux * shift, y + uy * shift, one.pitch * 0.1, (ux, uy), fill)]


def _finish(one: Build, board: Board, place: Place) -> list[Shape]:
    assert place.colour is not None
    ink = INK if place.colour == "yellow" else WHITE
    x, y = spot(one, place)
    return [
        _square(one, place, COLOURS[place.colour]),
        circle(x, y, one.pitch * 0.3, Style(fill=tint(place.colour, 0.6))),
        _corner_number(one, place, ink),
    ]


# The card mat: four buttons for every player, and a place to roll


def _mat(one: Build, board: Mat) -> list[Shape]:
    found: list[Shape] = []
    middle = one.size / 2
    for ring, width in ((1.9, 0.9), (1.78, 0.3)):
        found.append(circle(middle, middle, one.pitch * ring, Style(stroke=TRAIL, width=width)))
    for sx in (-1, 1):
        for sy in (-1, 1):
            x, y = middle + sx * one.pitch * 3, middle + sy * one.pitch * 3
            found.append(star(x, y, one.pitch * 0.4, Style(fill=TRAIL), 8))
            found.append(circle(x, y, one.pitch * 0.1, Style(fill=PAPER)))
    for turn, colour in enumerate(board.colours):
        found += _side(one, board, turn, colour)
    found += _die_face(middle, middle, one.pitch * 0.62)
    return found


def _side(one: Build, board: Mat, turn: int, colour: str) -> list[Shape]:
    """A player's side: a tinted strip, four buttons with the number of their stack."""
    stacks = [place for place in board.places if place.colour == colour]
    points = [spot(one, place) for place in stacks]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    pad = one.pitch * 0.42
    found: list[Shape] = [
        Rect(
            min(xs) - pad,
            min(ys) - pad,
            max(xs) - min(xs) + 2 * pad,
            max(ys) - min(ys) + 2 * pad,
            Style(fill=tint(colour), stroke=tint(colour, 0.4), width=0.6),
            8,
        )
    ]
    angle = (90, 180, 270, 0)[turn]
    inward = ((1, 0), (0, 1), (-1, 0), (0, -1))[turn]
    for place, (x, y) in zip(stacks, points, strict=True):
        found.append(_circle_place(one, place, Style(fill=COLOURS[colour], stroke=INK, width=0.4)))
        found.append(circle(x, y, reach(one, place) * 0.74, Style(fill=WHITE)))
        shift = one.pitch * 0.7
        found.append(
            Text(
                x + inward[0] * shift,
                y + inward[1] * shift,
                place.name[-1],
                one.pitch * 0.4,
                COLOURS[colour],
                bold=True,
                turn=angle,
            )
        )
        low = one.pitch * 0.14
        found.append(
            Text(x - inward[0] * low, y - inward[1] * low, place.name, 3.2, QUIET, turn=angle)
        )
    return found


def _die_face(x: float, y: float, half: float) -> list[Shape]:
    found: list[Shape] = [
        Rect(
            x - half,
            y - half,
            2 * half,
            2 * half,
            Style(fill=WHITE, stroke=mixed(INK, PAPER, 0.5), width=0.6),
            half * 0.3,
        )
    ]
    for dx, dy in ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)):
        found.append(
            circle(
                x + dx * half * 0.5,
                y + dy * half * 0.5,
                half * 0.15,
                Style(fill=mixed(INK, PAPER, 0.35)),
            )
        )
    return found

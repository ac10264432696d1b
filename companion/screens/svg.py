"""A board drawn as SVG from its data: every square, mark, base and home where the data has it.

The drawing's unit is one step of the board's grid, so it can be shown or printed at any size.
"""

import math
from collections.abc import Iterator, Sequence

from companion.rules.boards import Board, Mark, Mat, Place, letter
from companion.rules.places import part_of

INK, PAPER, LINE, SQUARE = "#2b2b2b", "#fbf6e9", "#8d8471", "#ffffff"
PAINT = {
    "yellow": "#f4c542",
    "green": "#4fa65a",
    "red": "#d9534b",
    "black": "#4a4a4a",
    "blue": "#4a86c5",
}
TINT = {
    "yellow": "#fbe7a8",
    "green": "#b9dcbd",
    "red": "#f2b9b4",
    "black": "#c4c4c4",
    "blue": "#b6d0ea",
}
MARGIN = 1.0


def board_svg(
    board: Board | Mat, marks: Sequence[Mark] = (), *, title: str, step: float = 36, unit: str = ""
) -> str:
    """The whole drawing; one step of the grid is `step` wide, in pixels or in `unit`."""
    size = board.grid - 1 + 2 * MARGIN
    width = f"{size * step:g}{unit}"
    track = board.walked
    shapes = _mat(board) if track is None else _board(track, marks)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{width}" '
        f'viewBox="{-MARGIN:g} {-MARGIN:g} {size:g} {size:g}" role="img" '
        'font-family="sans-serif" text-anchor="middle" stroke-linejoin="round">',
        f"<title>{title}</title>",
        _tag("rect", x=-MARGIN, y=-MARGIN, width=size, height=size, rx=0.5, fill=PAPER),
        *shapes,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


# -- a board with a track ------------------------------------------------------------------


def _board(board: Board, marks: Sequence[Mark]) -> Iterator[str]:
    tracks = board.places[: board.track]
    starts = {board.quarter * seat: colour for seat, colour in enumerate(board.colours)}
    marked = {square: mark for mark in marks for square in board.marked(mark)}
    yield from _bases(board)
    if board.home:
        yield from _home(board)
    else:
        yield _tag("path", d=_closed(tracks), fill="none", stroke=LINE, stroke_width=0.06)
    for square, place in enumerate(tracks):
        colour = starts.get(square)
        yield _square(board, place, PAINT[colour] if colour else SQUARE)
        if square in marked:
            yield from _mark(marked[square], place.x, place.y)
        ink = INK if square in marked else _on(colour)
        yield _text(place.x, place.y + 0.1, place.name, 0.28, ink)
        if colour:
            yield _arrow(place, tracks[(square + 1) % board.track])
    for place in board.places:
        if place.kind == "finish":
            yield _square(board, place, PAINT[place.colour or ""])
            yield _text(place.x, place.y + 0.11, part_of(place.name), 0.34, _on(place.colour))


def _bases(board: Board) -> Iterator[str]:
    """A field in each colour with its waiting places, and the colour's letter."""
    for colour in board.colours:
        spots = [p for p in board.places if p.kind == "base" and p.colour == colour]
        x, y = _middle(spots)
        reach = max(abs(spot.x - x) for spot in spots) + 0.75
        yield _tag(
            "rect", x=x - reach, y=y - reach, width=2 * reach, height=2 * reach,
            rx=0.45, fill=TINT[colour], stroke=PAINT[colour], stroke_width=0.08,
        )  # fmt: skip
        for spot in spots:
            yield _tag(
                "circle", cx=spot.x, cy=spot.y, r=0.4, fill=SQUARE,
                stroke=PAINT[colour], stroke_width=0.08, data_place=spot.name,
            )  # fmt: skip
        if reach < 1.5:  # no room between the spots: the letter stands beside the field
            x += math.copysign(reach + 0.5, (board.grid - 1) / 2 - x)
        yield _text(x, y + 0.3, letter(colour), 0.85, PAINT[colour], bold=True)


def _home(board: Board) -> Iterator[str]:
    """Four triangles round the middle, each the home of the colour whose column leads there."""
    middle = (board.grid - 1) / 2
    for colour in board.colours:
        spots = [p for p in board.places if p.kind == "home" and p.colour == colour]
        x, y = _middle(spots)
        # The triangle's base lies on the side of the middle on which the home spots are.
        dx, dy = _towards(x - middle, y - middle)
        a = (middle + 1.5 * (dx - dy), middle + 1.5 * (dy + dx))
        b = (middle + 1.5 * (dx + dy), middle + 1.5 * (dy - dx))
        points = " ".join(f"{px:g},{py:g}" for px, py in (a, b, (middle, middle)))
        yield _tag("polygon", points=points, fill=PAINT[colour], stroke=LINE, stroke_width=0.05)
        for spot in spots:
            yield _tag(
                "circle", cx=spot.x, cy=spot.y, r=0.24, fill=TINT[colour], data_place=spot.name
            )


def _square(board: Board, place: Place, fill: str) -> str:
    """A square of the track or finish: square on boards with a home, round on the other."""
    if board.home:
        return _tag(
            "rect", x=place.x - 0.5, y=place.y - 0.5, width=1, height=1, fill=fill,
            stroke=LINE, stroke_width=0.05, data_place=place.name,
        )  # fmt: skip
    return _tag(
        "circle", cx=place.x, cy=place.y, r=0.42, fill=fill,
        stroke=LINE, stroke_width=0.06, data_place=place.name,
    )  # fmt: skip


def _arrow(place: Place, following: Place) -> str:
    """A small arrowhead at the edge of a start square, the way its pieces go."""
    dx, dy = following.x - place.x, following.y - place.y
    x, y = place.x + dx * 0.42, place.y + dy * 0.42
    back, side = 0.16, 0.12
    corners = [
        (x, y),
        (x - dx * back - dy * side, y - dy * back + dx * side),
        (x - dx * back + dy * side, y - dy * back - dx * side),
    ]
    return _tag("polygon", points=" ".join(f"{px:.3g},{py:.3g}" for px, py in corners), fill=INK)


def _mark(mark: Mark, x: float, y: float) -> Iterator[str]:
    """What is printed on a square: a globe, a star, or the ring of a safe square."""
    style: dict[str, str | float] = {"fill": "none", "stroke": "#a9c4d8", "stroke_width": 0.04}
    if mark == "star":
        yield _tag(
            "polygon", points=_star(x, y, 0.44), fill="#ffe9a3", stroke=LINE, stroke_width=0.03
        )
    elif mark == "globe":
        yield _tag("circle", cx=x, cy=y, r=0.4, fill="#e3f1fb", stroke=LINE, stroke_width=0.04)
        yield _tag("ellipse", cx=x, cy=y, rx=0.2, ry=0.4, **style)
        yield _tag(
            "path", d=f"M{x - 0.34:g} {y - 0.2:g}h0.68M{x - 0.34:g} {y + 0.2:g}h0.68", **style
        )
    else:
        yield _tag("circle", cx=x, cy=y, r=0.37, fill=SQUARE, stroke=LINE, stroke_width=0.1)


def _star(x: float, y: float, reach: float) -> str:
    """The ten corners of a star."""
    corners = []
    for corner in range(10):
        far = reach if corner % 2 == 0 else reach * 0.5
        turn = math.pi * corner / 5
        corners.append(f"{x + far * math.sin(turn):.4g},{y - far * math.cos(turn):.4g}")
    return " ".join(corners)


# -- the card game's mat -------------------------------------------------------------------


def _mat(mat: Board | Mat) -> Iterator[str]:
    """Four numbered stacks in front of every player."""
    middle = (mat.grid - 1) / 2
    for place in mat.places:
        colour = place.colour or ""
        yield _tag(
            "rect", x=place.x - 0.4, y=place.y - 0.4, width=0.8, height=0.8, rx=0.1,
            fill=TINT[colour], stroke=PAINT[colour], stroke_width=0.07, data_place=place.name,
        )  # fmt: skip
        yield _text(place.x, place.y + 0.15, place.name[-1], 0.42, INK, bold=True)
    for colour in mat.colours:
        x, y = _middle([place for place in mat.places if place.colour == colour])
        x, y = x + (middle - x) * 0.35, y + (middle - y) * 0.35
        yield _text(x, y + 0.25, letter(colour), 0.7, PAINT[colour], bold=True)


# -- words of the SVG language -------------------------------------------------------------


def _middle(places: Sequence[Place]) -> tuple[float, float]:
    return (
        sum(place.x for place in places) / len(places),
        sum(place.y for place in places) / len(places),
    )


def _towards(x: float, y: float) -> tuple[int, int]:
    """The one of the four directions that a point lies in."""
    if abs(x) > abs(y):
        return (1, 0) if x > 0 else (-1, 0)
    return (0, 1) if y > 0 else (0, -1)


def _on(colour: str | None) -> str:
    """An ink that can be read on a colour, or on white."""
    return INK if colour in (None, "yellow") else "#ffffff"


def _closed(places: Sequence[Place]) -> str:
    first, *others = places
    return f"M{first.x:g} {first.y:g}" + "".join(f"L{p.x:g} {p.y:g}" for p in others) + "Z"


def _text(x: float, y: float, text: str, size: float, fill: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}"{weight}>{text}</text>'


def _tag(name: str, **attributes: str | float) -> str:
    """An empty element; `stroke_width` is written stroke-width, numbers without noise."""
    parts = [
        f'{key.replace("_", "-")}="{value if isinstance(value, str) else f"{value:g}"}"'
        for key, value in attributes.items()
    ]
    return f"<{name} {' '.join(parts)}/>"

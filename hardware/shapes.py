"""A small vocabulary of shapes in millimetres, x to the right and y down, as on paper.

A drawing is a list of shapes; `svg` and `prints` each know how to put them on a page. A `tag`
says what a shape is for, such as `place 12` or `drill 12`.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Style:
    """How a shape is painted; colours as `#rrggbb`, None for not at all, width in mm."""

    fill: str | None = None
    stroke: str | None = None
    width: float = 0.25
    dash: tuple[float, ...] = ()


@dataclass(frozen=True)
class Ellipse:
    """A circle or an ellipse."""

    x: float
    y: float
    rx: float
    ry: float
    style: Style
    tag: str = ""


@dataclass(frozen=True)
class Rect:
    """An upright rectangle by its upper left corner, perhaps with round corners."""

    x: float
    y: float
    width: float
    height: float
    style: Style
    radius: float = 0.0
    tag: str = ""


@dataclass(frozen=True)
class Poly:
    """A polygon, or an open line."""

    points: tuple[Point, ...]
    style: Style
    closed: bool = True
    tag: str = ""


@dataclass(frozen=True)
class Text:
    """One line of text; `y` is the middle of its capital letters, `turn` is clockwise degrees."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: Anchor = "middle"
    bold: bool = False
    turn: float = 0.0
    tag: str = ""


Shape = Ellipse | Rect | Poly | Text

CAPITALS = 0.718
"""Height of Helvetica's capital letters, as a part of the size."""


@dataclass(frozen=True)
class Drawing:
    """Shapes on a sheet of a certain size."""

    title: str
    width: float
    height: float
    shapes: tuple[Shape, ...]


def circle(x: float, y: float, radius: float, style: Style, tag: str = "") -> Ellipse:
    return Ellipse(x, y, radius, radius, style, tag)


def line(start: Point, end: Point, style: Style, tag: str = "") -> Poly:
    return Poly((start, end), style, closed=False, tag=tag)


def star(x: float, y: float, radius: float, style: Style, points: int = 5) -> Poly:
    """A star standing upright."""
    corners = []
    for n in range(2 * points):
        reach = radius if n % 2 == 0 else radius * 0.42
        angle = math.pi * n / points - math.pi / 2
        corners.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    return Poly(tuple(corners), style)


def arrow(x: float, y: float, length: float, towards: Point, style: Style) -> Poly:
    """A filled arrow centred at x/y that points along `towards`."""
    size = math.hypot(*towards)
    ux, uy = towards[0] / size, towards[1] / size
    half, shaft, head = length / 2, length * 0.11, length * 0.3
    outline = [
        (-half, shaft),
        (half - head, shaft),
        (half - head, head),
        (half, 0.0),
        (half - head, -head),
        (half - head, -shaft),
        (-half, -shaft),
    ]
    return Poly(tuple((x + ux * a - uy * b, y + uy * a + ux * b) for a, b in outline), style)


def moved(shapes: Iterable[Shape], dx: float, dy: float) -> list[Shape]:
    """The same shapes elsewhere."""
    found: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Poly):
            points = tuple((x + dx, y + dy) for x, y in shape.points)
            found.append(replace(shape, points=points))
        else:
            found.append(replace(shape, x=shape.x + dx, y=shape.y + dy))
    return found


def mixed(colour: str, with_: str, part: float) -> str:
    """A colour between two: `part` of the second in the first."""
    channels = [
        round(int(colour[n : n + 2], 16) * (1 - part) + int(with_[n : n + 2], 16) * part)
        for n in (1, 3, 5)
    ]
    return "#" + "".join(f"{channel:02x}" for channel in channels)

"""Drawings as PDF files to print true to scale, on one sheet or on several to be joined.

Every sheet carries a bar of exactly 100 mm to measure after printing, and a small map that shows
which part it is. The picture goes on a little beyond the cut marks of a seam, so that a cut a hair
beside them shows no white. Fonts are embedded.
"""

import io
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from hardware.fonts import box, face
from hardware.shapes import CAPITALS, Drawing, Ellipse, Poly, Rect, Shape, Style, Text

SIDE, TOP, BOTTOM = 8.0, 8.0, 15.0
"""Margins in mm; printers leave 4 to 5 mm white, and the bar and its words stand below."""
BLEED = 4.0
NEAR, CLEAR = 5.0, 12.0
"""mm from a seam to the middle of a hole: at least, and with which one is content."""
BAR = 100.0
BAR_Y = 6.0

PAPERS = {
    "A4": (210.0, 297.0),
    "A3": (297.0, 420.0),
    "A2": (420.0, 594.0),
    "Letter": (215.9, 279.4),
    "Tabloid": (279.4, 431.8),
}
MAP = 9.0
"""mm: the height of the little map at the foot."""
Span = tuple[float, float]


class Tiling(NamedTuple):
    """How a drawing is cut into sheets: paper size, and where the parts begin and end."""

    paper: tuple[float, float]
    xs: tuple[float, ...]
    ys: tuple[float, ...]

    @property
    def columns(self) -> int:
        return len(self.xs) - 1

    @property
    def rows(self) -> int:
        return len(self.ys) - 1


def tiling(drawing: Drawing, paper: str) -> Tiling:
    """The fewest sheets, upright if both ways need as many; no seam runs through a hole."""
    holes = [
        (shape.x, shape.y)
        for shape in drawing.shapes
        if isinstance(shape, Ellipse) and shape.tag.startswith(("drill ", "hole ", "cell "))
    ]
    words = [box(shape) for shape in drawing.shapes if isinstance(shape, Text)]
    found = []
    for across, down in (PAPERS[paper], PAPERS[paper][::-1]):
        level = [(left, right) for left, _, right, _ in words]
        upright = [(upper, lower) for _, upper, _, lower in words]
        xs = cuts(drawing.width, across - 2 * SIDE, sorted({x for x, _ in holes}), level)
        ys = cuts(drawing.height, down - TOP - BOTTOM, sorted({y for _, y in holes}), upright)
        found.append(Tiling((across, down), xs, ys))
    return min(found, key=lambda tiles: tiles.columns * tiles.rows)


def cuts(
    length: float, limit: float, holes: list[float], words: Sequence[Span] = ()
) -> tuple[float, ...]:
    """Where to cut a length into the fewest parts: through no hole or words, then evenly."""
    parts = math.ceil(round(length / limit, 6))
    while True:
        found = _cut(length, limit, parts, holes, words)
        if all(abs(at - hole) >= NEAR for at in found[1:-1] for hole in holes):
            return found
        parts += 1


def _cut(
    length: float, limit: float, parts: int, holes: list[float], words: Sequence[Span]
) -> tuple[float, ...]:
    found = [0.0]
    for part in range(1, parts):
        least = max(found[-1] + 1, length - (parts - part) * limit)
        most = min(found[-1] + limit, length - (parts - part))
        even = length * part / parts

        def worth(at: float, even: float = even) -> tuple[bool, int, float, float, float]:
            room = min((abs(at - hole) for hole in holes), default=CLEAR)
            cut = sum(start - 0.3 < at < end + 0.3 for start, end in words)
            return room >= NEAR, -cut, min(round(room, 3), CLEAR), -round(abs(at - even), 3), -at

        steps = int((most - least) / 0.5) + 1
        found.append(max((least + 0.5 * step for step in range(steps)), key=worth))
    return (*found, length)


def pdf(drawing: Drawing, paper: str) -> bytes:
    """The whole file; the same drawing always gives the same bytes."""
    tiles = tiling(drawing, paper)
    out = io.BytesIO()
    size = (tiles.paper[0] * mm, tiles.paper[1] * mm)
    canvas = Canvas(
        out, pagesize=size, invariant=1, pageCompression=1, initialFontName=face(bold=False)
    )
    canvas.setTitle(f"{drawing.title}, {paper}")
    canvas.setAuthor("Ludo companion")
    for row in range(tiles.rows):
        for column in range(tiles.columns):
            canvas.scale(mm, mm)
            _sheet(canvas, drawing, tiles, column, row, paper)
            canvas.showPage()
    canvas.save()
    return out.getvalue()


def _sheet(canvas: Any, drawing: Drawing, tiles: Tiling, column: int, row: int, paper: str) -> None:
    """One sheet: its part of the drawing, cut marks, the bar."""
    x, y = tiles.xs[column], tiles.ys[row]
    width, height = tiles.xs[column + 1] - x, tiles.ys[row + 1] - y
    left = (tiles.paper[0] - width) / 2
    top = TOP + (tiles.paper[1] - TOP - BOTTOM - height) / 2
    bleeds = (
        BLEED if column > 0 else 0,
        BLEED if row > 0 else 0,
        BLEED if column < tiles.columns - 1 else 0,
        BLEED if row < tiles.rows - 1 else 0,
    )
    canvas.saveState()
    clip = canvas.beginPath()
    clip.rect(
        left - bleeds[0],
        tiles.paper[1] - top - height - bleeds[3],
        width + bleeds[0] + bleeds[2],
        height + bleeds[1] + bleeds[3],
    )
    canvas.clipPath(clip, stroke=0, fill=0)
    canvas.translate(left - x, tiles.paper[1] - top + y)
    seen = (x - BLEED, y - BLEED, x + width + BLEED, y + height + BLEED)
    for shape in drawing.shapes:
        if _meets(shape, seen):
            draw(canvas, shape)
    canvas.restoreState()
    _cut_marks(canvas, left, tiles.paper[1] - top, width, height)
    count = tiles.columns * tiles.rows
    which = f"sheet {row * tiles.columns + column + 1} of {count}"
    if count > 1:
        which += f" (row {row + 1}, column {column + 1})"
        _map(canvas, tiles, column, row)
    _check_bar(canvas, f"{drawing.title}, {paper}", which)


def _meets(shape: Shape, sheet: tuple[float, float, float, float]) -> bool:
    """Whether any of a shape can be seen on a part of the drawing."""
    left, upper, right, lower = _edges(shape)
    return left <= sheet[2] and right >= sheet[0] and upper <= sheet[3] and lower >= sheet[1]


def _edges(shape: Shape) -> tuple[float, float, float, float]:
    """A box that surely holds a shape, its pen too."""
    if isinstance(shape, Text):
        wide = 2 * shape.size * len(shape.text)
        return shape.x - wide, shape.y - wide, shape.x + wide, shape.y + wide
    pen = shape.style.width
    if isinstance(shape, Ellipse):
        across, down = shape.rx + pen, shape.ry + pen
        return shape.x - across, shape.y - down, shape.x + across, shape.y + down
    if isinstance(shape, Rect):
        right, lower = shape.x + shape.width, shape.y + shape.height
        return shape.x - pen, shape.y - pen, right + pen, lower + pen
    xs, ys = [x for x, _ in shape.points], [y for _, y in shape.points]
    return min(xs) - pen, min(ys) - pen, max(xs) + pen, max(ys) + pen


def _cut_marks(canvas: Any, left: float, top: float, width: float, height: float) -> None:
    canvas.setStrokeColor(HexColor("#000000"))
    canvas.setLineWidth(0.1)
    near, far = BLEED + 0.5, BLEED + 3
    for x, out in ((left, -1), (left + width, 1)):
        for y, up in ((top, 1), (top - height, -1)):
            canvas.line(x + out * near, y, x + out * far, y)
            canvas.line(x, y + up * near, x, y + up * far)


def _map(canvas: Any, tiles: Tiling, column: int, row: int) -> None:
    """All sheets side by side as they are joined, at the lower right; this one is filled."""
    scale = MAP / tiles.ys[-1]
    left = tiles.paper[0] - SIDE - tiles.xs[-1] * scale
    top = BAR_Y - 3.0 + MAP
    canvas.setLineWidth(0.2)
    canvas.setStrokeColor(HexColor("#000000"))
    canvas.setFillColor(HexColor("#000000"))
    for down in range(tiles.rows):
        for across in range(tiles.columns):
            x, y = tiles.xs[across] * scale, tiles.ys[down] * scale
            wide = tiles.xs[across + 1] * scale - x
            high = tiles.ys[down + 1] * scale - y
            here = (across, down) == (column, row)
            canvas.rect(left + x, top - y - high, wide, high, stroke=1, fill=int(here))


def _check_bar(canvas: Any, title: str, which: str) -> None:
    """A bar of 100 mm with a tick every 10 mm, and what to do if it is not 100 mm."""
    canvas.setStrokeColor(HexColor("#000000"))
    canvas.setFillColor(HexColor("#000000"))
    canvas.setLineWidth(0.2)
    canvas.line(SIDE, BAR_Y, SIDE + BAR, BAR_Y)
    for tick in range(11):
        x = SIDE + tick * BAR / 10
        canvas.line(x, BAR_Y, x, BAR_Y + (2.5 if tick % 5 == 0 else 1.5))
    canvas.setFont(face(bold=False), 2.2)
    for line, words in enumerate(
        (title, which, "The bar must measure 100 mm: print at 100 %, not fitted.")
    ):
        canvas.drawString(SIDE + BAR + 3, BAR_Y + 2.6 - 2.9 * line, words)


def draw(canvas: Any, shape: Shape) -> None:
    """Put one shape on the canvas, whose unit is the millimetre; y is turned up."""
    if isinstance(shape, Text):
        _draw_text(canvas, shape)
        return
    stroke, fill = _pens(canvas, shape.style)
    if isinstance(shape, Ellipse):
        canvas.ellipse(
            shape.x - shape.rx,
            -shape.y - shape.ry,
            shape.x + shape.rx,
            -shape.y + shape.ry,
            stroke=stroke,
            fill=fill,
        )
    elif isinstance(shape, Rect) and shape.radius:
        canvas.roundRect(
            shape.x,
            -shape.y - shape.height,
            shape.width,
            shape.height,
            shape.radius,
            stroke=stroke,
            fill=fill,
        )
    elif isinstance(shape, Rect):
        canvas.rect(
            shape.x, -shape.y - shape.height, shape.width, shape.height, stroke=stroke, fill=fill
        )
    elif isinstance(shape, Poly):
        path = canvas.beginPath()
        path.moveTo(shape.points[0][0], -shape.points[0][1])
        for x, y in shape.points[1:]:
            path.lineTo(x, -y)
        if shape.closed:
            path.close()
        canvas.drawPath(path, stroke=stroke, fill=fill)


def _pens(canvas: Any, style: Style) -> tuple[int, int]:
    canvas.setLineJoin(1)
    canvas.setLineCap(1 if style.width > 2 else 0)
    canvas.setDash(*([list(style.dash)] if style.dash else []))
    if style.stroke is not None:
        canvas.setStrokeColor(HexColor(style.stroke))
        canvas.setLineWidth(style.width)
    if style.fill is not None:
        canvas.setFillColor(HexColor(style.fill))
    return int(style.stroke is not None), int(style.fill is not None)


def _draw_text(canvas: Any, shape: Text) -> None:
    canvas.saveState()
    canvas.translate(shape.x, -shape.y)
    canvas.rotate(-shape.turn)
    canvas.setFont(face(shape.bold), shape.size)
    canvas.setFillColor(HexColor(shape.fill))
    down = -shape.size * CAPITALS / 2
    if shape.anchor == "middle":
        canvas.drawCentredString(0, down, shape.text)
    elif shape.anchor == "end":
        canvas.drawRightString(0, down, shape.text)
    else:
        canvas.drawString(0, down, shape.text)
    canvas.restoreState()

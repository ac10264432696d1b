"""Drawings as PDF files to print true to scale, on one sheet or on several to be joined.

Every sheet carries a bar of exactly 100 mm to measure after printing. The picture goes on a
little beyond the cut marks of a seam, so that a cut a hair beside them shows no white.
"""

import io
import math
from typing import Any, NamedTuple

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from hardware.shapes import CAPITALS, Drawing, Ellipse, Poly, Rect, Shape, Style, Text

SIDE, TOP, BOTTOM = 8.0, 8.0, 15.0
"""Margins in mm; printers leave 4 to 5 mm white, and the bar and its words stand below."""
BLEED = 4.0
BAR = 100.0
BAR_Y = 6.0

PAPERS = {"A4": (210.0, 297.0), "A3": (297.0, 420.0)}


class Tiling(NamedTuple):
    """How a drawing is cut into sheets: paper size, columns, rows and the size of one part."""

    paper: tuple[float, float]
    columns: int
    rows: int
    width: float
    height: float


def tiling(drawing: Drawing, paper: str) -> Tiling:
    """The fewest sheets, upright if both ways need as many."""
    found = []
    for across, down in (PAPERS[paper], PAPERS[paper][::-1]):
        columns = math.ceil(round(drawing.width / (across - 2 * SIDE), 6))
        rows = math.ceil(round(drawing.height / (down - TOP - BOTTOM), 6))
        part = (drawing.width / columns, drawing.height / rows)
        found.append(Tiling((across, down), columns, rows, *part))
    return min(found, key=lambda tiles: tiles.columns * tiles.rows)


def pdf(drawing: Drawing, paper: str) -> bytes:
    """The whole file; the same drawing always gives the same bytes."""
    tiles = tiling(drawing, paper)
    out = io.BytesIO()
    size = (tiles.paper[0] * mm, tiles.paper[1] * mm)
    canvas = Canvas(out, pagesize=size, invariant=1, pageCompression=1)
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
    left = (tiles.paper[0] - tiles.width) / 2
    top = TOP + (tiles.paper[1] - TOP - BOTTOM - tiles.height) / 2
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
        tiles.paper[1] - top - tiles.height - bleeds[3],
        tiles.width + bleeds[0] + bleeds[2],
        tiles.height + bleeds[1] + bleeds[3],
    )
    canvas.clipPath(clip, stroke=0, fill=0)
    canvas.translate(left - column * tiles.width, tiles.paper[1] - top + row * tiles.height)
    for shape in drawing.shapes:
        draw(canvas, shape)
    canvas.restoreState()
    _cut_marks(canvas, left, tiles.paper[1] - top, tiles.width, tiles.height)
    count = tiles.columns * tiles.rows
    which = f"sheet {row * tiles.columns + column + 1} of {count}"
    if count > 1:
        which += f" (row {row + 1}, column {column + 1})"
    _check_bar(canvas, f"{drawing.title}, {paper}, {which}")


def _cut_marks(canvas: Any, left: float, top: float, width: float, height: float) -> None:
    canvas.setStrokeColor(HexColor("#000000"))
    canvas.setLineWidth(0.1)
    near, far = BLEED + 0.5, BLEED + 3
    for x, out in ((left, -1), (left + width, 1)):
        for y, up in ((top, 1), (top - height, -1)):
            canvas.line(x + out * near, y, x + out * far, y)
            canvas.line(x, y + up * near, x, y + up * far)


def _check_bar(canvas: Any, words: str) -> None:
    """A bar of 100 mm with a tick every 10 mm, and what to do if it is not 100 mm."""
    canvas.setStrokeColor(HexColor("#000000"))
    canvas.setFillColor(HexColor("#000000"))
    canvas.setLineWidth(0.2)
    canvas.line(SIDE, BAR_Y, SIDE + BAR, BAR_Y)
    for tick in range(11):
        x = SIDE + tick * BAR / 10
        canvas.line(x, BAR_Y, x, BAR_Y + (2.5 if tick % 5 == 0 else 1.5))
    canvas.setFont("Helvetica", 2.4)
    canvas.drawString(SIDE + BAR + 3, BAR_Y + 2.2, words)
    canvas.drawString(
        SIDE + BAR + 3,
        BAR_Y - 0.9,
        "The bar must measure 100 mm. If not: print at 100 %, not fitted to the page.",
    )


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
    canvas.setFont("Helvetica-Bold" if shape.bold else "Helvetica", shape.size)
    canvas.setFillColor(HexColor(shape.fill))
    down = -shape.size * CAPITALS / 2
    if shape.anchor == "middle":
        canvas.drawCentredString(0, down, shape.text)
    elif shape.anchor == "end":
        canvas.drawRightString(0, down, shape.text)
    else:
        canvas.drawString(0, down, shape.text)
    canvas.restoreState()

"""Small bar charts, drawn once and written as SVG or PNG."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

WIDTH, HEIGHT = 640, 240  # of one chart
LEFT, TOP, BOTTOM = 48, 40, 36
PAPER, INK, BAR, MARK = "#ffffff", "#222222", "#3b78b5", "#c04030"


@dataclass
class Bars:
    """One chart: a bar for each label, and perhaps a line at what is expected."""

    title: str
    labels: Sequence[str]
    values: Sequence[float]
    expected: float | None = None


@dataclass
class Shape:
    """A rectangle (with a size) or a text (with words), placed from the top left."""

    x: float
    y: float
    colour: str
    width: float = 0
    height: float = 0
    words: str = ""
    size: int = 13
    middle: bool = False


def shapes(charts: Sequence[Bars]) -> list[Shape]:
    """Everything to be drawn, chart below chart."""
    found = []
    for number, chart in enumerate(charts):
        found += _chart(chart, number * HEIGHT)
    return found


def _chart(chart: Bars, top: float) -> list[Shape]:
    room = HEIGHT - TOP - BOTTOM
    most = max([*chart.values, chart.expected or 0, 1])
    step = (WIDTH - LEFT - 16) / max(1, len(chart.values))
    base = top + TOP + room
    found = [Shape(LEFT, top + 12, INK, words=chart.title, size=15)]
    for number, (label, value) in enumerate(zip(chart.labels, chart.values, strict=True)):
        x, tall = LEFT + number * step, room * value / most
        found.append(Shape(x + step * 0.12, base - tall, BAR, step * 0.76, tall))
        middle = x + step / 2
        found.append(Shape(middle, base + 6, INK, words=label, size=11, middle=True))
        shown = f"{value:g}"
        found.append(Shape(middle, base - tall - 15, INK, words=shown, size=11, middle=True))
    if chart.expected is not None:
        y = base - room * chart.expected / most
        found.append(Shape(LEFT, y - 0.75, MARK, WIDTH - LEFT - 16, 1.5))
    found.append(Shape(LEFT, base, INK, WIDTH - LEFT - 16, 1))
    return found


def svg(charts: Sequence[Bars]) -> str:
    """The charts as an SVG picture."""
    height = HEIGHT * len(charts)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>',
    ]
    for one in shapes(charts):
        if one.words:
            anchor = ' text-anchor="middle"' if one.middle else ""
            lines.append(
                f'<text x="{one.x:.1f}" y="{one.y + one.size * 0.8:.1f}" font-size="{one.size}" '
                f'fill="{one.colour}"{anchor}>{escape(one.words)}</text>'
            )
        else:
            lines.append(
                f'<rect x="{one.x:.1f}" y="{one.y:.1f}" width="{one.width:.1f}" '
                f'height="{one.height:.1f}" fill="{one.colour}"/>'
            )
    return "\n".join([*lines, "</svg>", ""])


def png(charts: Sequence[Bars], path: Path) -> None:
    """The charts as a PNG picture."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (WIDTH, HEIGHT * len(charts)), PAPER)
    draw = ImageDraw.Draw(image)
    for one in shapes(charts):
        if one.words:
            font = ImageFont.load_default(one.size)
            left = one.x - draw.textlength(one.words, font=font) / 2 if one.middle else one.x
            draw.text((left, one.y), one.words, fill=one.colour, font=font)
        elif one.height >= 0.5:
            box = (one.x, one.y, one.x + one.width, one.y + one.height)
            draw.rectangle(box, fill=one.colour)
    image.save(path)

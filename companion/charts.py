"""Small bar charts, drawn once and written as SVG or PNG."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any
from unicodedata import combining, east_asian_width, normalize

WIDTH, HEIGHT = 640, 240  # of one chart
LEFT, RIGHT, TOP, BOTTOM = 184, 64, 36, 12  # beside the bars: labels, values, the title
EDGE = 12
THICKEST = 30  # a bar with its distance to the next
PAPER, INK, BAR, MARK = "#ffffff", "#222222", "#3b78b5", "#c04030"


@dataclass
class Bars:
    """One chart: a lying bar for each label, and perhaps a line at what is expected."""

    title: str
    labels: Sequence[str]
    values: Sequence[float]
    expected: float | None = None


@dataclass
class Shape:
    """A rectangle (with a size) or a text (with words), placed from the top left.

    A text may also be placed from where it ends.
    """

    x: float
    y: float
    colour: str
    width: float = 0
    height: float = 0
    words: str = ""
    size: int = 13
    end: bool = False


def shapes(charts: Sequence[Bars]) -> list[Shape]:
    """Everything to be drawn, chart below chart."""
    found = []
    for number, chart in enumerate(charts):
        found += _chart(chart, number * HEIGHT)
    return found


def _chart(chart: Bars, top: float) -> list[Shape]:
    room = WIDTH - LEFT - RIGHT
    most = max([*chart.values, chart.expected or 0, 1])
    step = min(THICKEST, (HEIGHT - TOP - BOTTOM) / max(1, len(chart.values)))
    size = 12 if step >= 14 else 10
    base = top + TOP
    found = [Shape(EDGE, top + 10, INK, words=_fitted(chart.title, WIDTH - 2 * EDGE, 15), size=15)]
    for number, (label, value) in enumerate(zip(chart.labels, chart.values, strict=True)):
        y, text = base + number * step, base + (number + 0.5) * step - size * 0.55
        name = _fitted(label, LEFT - EDGE - 8, size)
        found.append(Shape(LEFT, y + step * 0.12, BAR, room * value / most, step * 0.76))
        found.append(Shape(LEFT - 8, text, INK, words=name, size=size, end=True))
        shown = f"{value:g}"
        found.append(Shape(WIDTH - EDGE, text, INK, words=shown, size=size, end=True))
    tall = step * len(chart.values)
    if chart.expected is not None:
        found.append(Shape(LEFT + room * chart.expected / most - 0.75, base, MARK, 1.5, tall))
    found.append(Shape(LEFT, base, INK, 1, tall))
    return found


def _fitted(words: str, room: float, size: int) -> str:
    """Words that fit into so many pixels, whatever font a viewer has: cut, if need be."""
    if _width(words) * size <= room:
        return words
    while words and _width(f"{words}…") * size > room:
        words = words[:-1]
    return f"{words.rstrip()}…"


def _width(words: str) -> float:
    """About how wide words are, in heights of the font; rather too much than too little."""
    return sum(map(_letter_width, words))


def _letter_width(letter: str) -> float:
    if combining(letter):
        return 0.0
    if letter in "mwMW@%" or east_asian_width(letter) in "WF":
        return 1.0
    return 0.75 if letter.isupper() else 0.6


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
            anchor = ' text-anchor="end"' if one.end else ""
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
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT * len(charts)), PAPER)
    draw = ImageDraw.Draw(image)
    for one in shapes(charts):
        if one.words:
            letters = font(one.size)
            words = drawable(one.words, letters)
            left = one.x - draw.textlength(words, font=letters) if one.end else one.x
            draw.text((left, one.y), words, fill=one.colour, font=letters)
        elif one.width >= 0.5:
            box = (one.x, one.y, one.x + one.width, one.y + one.height)
            draw.rectangle(box, fill=one.colour)
    image.save(path)


def font(size: int) -> Any:
    """The font of PNGs: one with many letters where there is one, else Pillow's own."""
    from PIL import ImageFont

    try:
        return ImageFont.truetype("DejaVuSans.ttf", size)
    except OSError:
        return ImageFont.load_default(size)


def drawable(words: str, font: Any) -> str:
    """Words as far as a font has their letters: without an accent, if need be, or none (`?`)."""
    box = bytes(font.getmask("\U0010ffff"))
    has = {one for one in normalize("NFKD", words) + words if bytes(font.getmask(one)) != box}
    kept = (one if one in has else normalize("NFKD", one)[0] for one in words)
    return "".join(one for one in kept if one in has).strip() or "?"

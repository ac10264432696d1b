"""The letters of the prints: a font that comes with reportlab and is embedded in every PDF.

A print shop without the font must not put another in its place: words would grow into holes.
"""

from functools import lru_cache

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from hardware.shapes import CAPITALS, Text

_FILES = {"Vera": "Vera.ttf", "VeraBd": "VeraBd.ttf"}


@lru_cache
def face(bold: bool) -> str:
    """The name of the font, which reportlab knows from then on."""
    name = "VeraBd" if bold else "Vera"
    pdfmetrics.registerFont(TTFont(name, _FILES[name]))
    return name


def width(text: str, size: float, bold: bool = False) -> float:
    """How wide a line is printed, in mm."""
    return float(pdfmetrics.stringWidth(text, face(bold), size))


def box(text: Text) -> tuple[float, float, float, float]:
    """Left, upper, right and lower edge of a text as it is printed, turned by quarters or not."""
    wide, high = width(text.text, text.size, text.bold), text.size * CAPITALS
    back = {"start": 0.0, "middle": wide / 2, "end": wide}[text.anchor]
    left, upper, right, lower = -back, -high / 2, wide - back, high / 2
    for _ in range(round(text.turn / 90) % 4):
        left, upper, right, lower = -lower, left, -upper, right
    return text.x + left, text.y + upper, text.x + right, text.y + lower

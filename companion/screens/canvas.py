"""A 128x64 one-bit picture to draw on, which remembers where text and map have gone."""

from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw

from companion.screens import letters

WIDTH, HEIGHT = 128, 64
LINE = 9
"""From one line of a text to the next."""

Area = tuple[int, int, int, int]
"""Left, top, right, bottom; right and bottom lie outside."""


class Mark(NamedTuple):
    """Something that was drawn: what it is, where, the room it had, and which text."""

    kind: str
    box: Area
    room: Area
    text: str = ""


class Canvas:
    """The picture being drawn."""

    def __init__(self) -> None:
        self.image = Image.new("1", (WIDTH, HEIGHT))
        self.draw = ImageDraw.Draw(self.image)
        self.marks: list[Mark] = []

    def paste(
        self, picture: Image.Image, x: int, y: int, kind: str, room: Area | None = None
    ) -> None:
        """Put a small picture somewhere."""
        box = (x, y, x + picture.width, y + picture.height)
        self.image.paste(picture, (x, y))
        self.marks.append(Mark(kind, box, room or box))

    def text(
        self,
        text: str,
        x: int,
        y: int,
        room: int,
        *,
        bold: bool = False,
        right: bool = False,
        kind: str = "text",
    ) -> None:
        """Write one line; `right` sets it at the right end of its room."""
        line = letters.lettering(text, bold)
        at = x + room - line.width if right else x
        self.image.paste(1, (at, y), line)
        left, top, end, bottom = line.getbbox() or (0, 0, 1, 1)
        box = (at + left, y + top, at + end, y + bottom)
        self.marks.append(Mark(kind, box, (x, y, x + room, y + letters.HEIGHT), text))

    def name(self, text: str, x: int, y: int, room: int) -> int:
        """Write a name 21 pixels high; returns where its letters end."""
        line = letters.big(text, room)
        self.image.paste(1, (x, y), line)
        box = (x, y, x + line.width, y + 3 * letters.CAPITAL)
        self.marks.append(Mark("name", box, (x, y, x + room, box[3]), text))
        return x + line.width

    def lines(self, lines: tuple[str, ...], x: int, y: int, room: int, pitch: int = LINE) -> None:
        """Write several lines, one under the other."""
        for number, line in enumerate(lines):
            self.text(line, x, y + number * pitch, room)

    def bar(self, box: Area) -> None:
        """Turn a part of the picture black on white."""
        part = self.image.crop(box)
        self.image.paste(ImageChops.logical_xor(part, Image.new("1", part.size, 1)), box)

    def invert(self) -> None:
        """Turn the whole picture black on white."""
        self.bar((0, 0, WIDTH, HEIGHT))


DIE = 21
_PIPS = {
    1: ((10, 10),),
    2: ((5, 5), (15, 15)),
    3: ((5, 5), (10, 10), (15, 15)),
    4: ((5, 5), (15, 5), (5, 15), (15, 15)),
    5: ((5, 5), (15, 5), (10, 10), (5, 15), (15, 15)),
    6: ((5, 4), (5, 10), (5, 16), (15, 4), (15, 10), (15, 16)),
}
_STAR = ((10, 2), (12, 8), (18, 8), (13, 12), (15, 18), (10, 14), (5, 18), (7, 12), (2, 8), (8, 8))


@lru_cache(32)
def die(shown: str) -> Image.Image:
    """A die's face, 21 pixels wide: pips, a star, a globe, `?` before the roll, or a bonus."""
    face = Image.new("1", (DIE, DIE))
    draw = ImageDraw.Draw(face)
    draw.rounded_rectangle((0, 0, DIE - 1, DIE - 1), radius=3, outline=1)
    if shown == "star":
        draw.polygon(_STAR, fill=1)
    elif shown == "globe":
        draw.ellipse((3, 3, 17, 17), outline=1)
        draw.ellipse((7, 3, 13, 17), outline=1)
        draw.line((3, 10, 17, 10), fill=1)
        draw.line((10, 3, 10, 17), fill=1)
    elif shown.isdecimal():
        for x, y in _PIPS[int(shown)]:
            draw.rectangle((x - 1, y - 1, x + 1, y + 1), fill=1)
    else:
        mark = letters.lettering(shown)
        mark = mark.crop((0, 0, mark.width, letters.CAPITAL))
        if len(shown) == 1:
            mark = mark.resize((mark.width * 2, mark.height * 2), Image.Resampling.NEAREST)
        face.paste(mark, ((DIE - mark.width) // 2, 4 if len(shown) == 1 else 7))
    return face


@lru_cache(4)
def tumbling(turn: int) -> Image.Image:
    """A die in the air: it stands on an edge, and turns."""
    face = Image.new("1", (DIE, DIE))
    draw = ImageDraw.Draw(face)
    if turn % 2:
        draw.polygon(((10, 0), (20, 10), (10, 20), (0, 10)), outline=1)
        for x, y in ((10, 5), (10, 10), (10, 15)):
            draw.rectangle((x - 1, y - 1, x + 1, y + 1), fill=1)
    else:
        draw.polygon(((5, 1), (19, 5), (15, 19), (1, 15)), outline=1)
        for x, y in ((7, 7), (13, 7), (7, 13), (13, 13)):
            draw.rectangle((x - 1, y - 1, x + 1, y + 1), fill=1)
    return face

"""The lettering of the small screen: narrow letters of our own, and Pillow's for the rest.

Pillow's built-in bitmap letters are six pixels wide: ten of them fill the space beside the map,
and many a German word is longer. These are four wide, with capitals seven pixels high, so that
three times that makes the big names. Latin-1 letters that are not drawn here come from Pillow.
"""

from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

HEIGHT = 9
"""Seven rows above the baseline and two below it."""
CAPITAL = 7
SOFT_HYPHEN = "\xad"
ELLIPSIS = "…"
_DENSE = " MWNmw%&★⊕■□✚✕↯↩"

_DRAWN = (
    """
A    B    C    D    E    F    G    H    I   J    K    L    M     N    O     P
.##. ###. .##. ###. #### #### .##. #..# ### ..## #..# #... #...# #..# .###. ###.
#..# #..# #..# #..# #... #... #..# #..# .#. ...# #..# #... ##.## ##.# #...# #..#
#..# #..# #... #..# #... #... #... #..# .#. ...# #.#. #... #.#.# ##.# #...# #..#
#### ###. #... #..# ###. ###. #.## #### .#. ...# ##.. #... #.#.# #.## #...# ###.
#..# #..# #... #..# #... #... #..# #..# .#. ...# #.#. #... #...# #.## #...# #...
#..# #..# #..# #..# #... #... #..# #..# .#. #..# #..# #... #...# #..# #...# #...
#..# ###. .##. ###. #### #... .### #..# ### .##. #..# #### #...# #..# .###. #...
""",
    """
Q    R    S    T     U    V     W     X     Y     Z    Ä    Ö    Ü    É    Ë    ß
.##. ###. .### ##### #..# #...# #...# #...# #...# #### #..# #..# #..# ..#. #..# .##.
#..# #..# #... ..#.. #..# #...# #...# #...# #...# ...# .... .... .... .#.. .... #..#
#..# #..# #... ..#.. #..# #...# #...# .#.#. .#.#. ..#. .##. .##. #..# #### #### #.#.
#..# ###. .##. ..#.. #..# #...# #.#.# ..#.. ..#.. .##. #..# #..# #..# #... #... #..#
#..# #.#. ...# ..#.. #..# .#.#. #.#.# .#.#. ..#.. .#.. #### #..# #..# ###. ###. #..#
#.#. #..# ...# ..#.. #..# .#.#. ##.## #...# ..#.. #... #..# #..# #..# #... #... #.#.
.#.# #..# ###. ..#.. .##. ..#.. #...# #...# ..#.. #### #..# .##. .##. #### #### #...
""",
    """
a    b    c   d    e    f   g    h    i j  k    l  m     n    o    p    q    r
.... #... ... ...# .... ..# .... #... # .# #... #. ..... .... .... .... .... ...
.... #... ... ...# .... .#. .... #... . .. #... #. ..... .... .... .... .... ...
.##. ###. .## .### .##. ### .### ###. # .# #..# #. ##.#. ###. .##. ###. .### #.#
...# #..# #.. #..# #..# .#. #..# #..# # .# #.#. #. #.#.# #..# #..# #..# #..# ##.
.### #..# #.. #..# #### .#. #..# #..# # .# ##.. #. #.#.# #..# #..# #..# #..# #..
#..# #..# #.. #..# #... .#. #..# #..# # .# #.#. #. #.#.# #..# #..# #..# #..# #..
.### ###. .## .### .### .#. .### #..# # .# #..# .# #.#.# #..# .##. ###. .### #..
.... .... ... .... .... ... ...# .... . .# .... .. ..... .... .... #... ...# ...
.... .... ... .... .... ... .##. .... . #. .... .. ..... .... .... #... ...# ...
""",
    """
s    t   u    v     w     x    y    z    ä    ö    ü    ë    ï   é    è    ê    á    ó
.... .#. .... ..... ..... .... .... .... #..# #..# #..# #..# #.# ..#. .#.. .##. ..#. ..#.
.... .#. .... ..... ..... .... .... .... .... .... .... .... ... .#.. ..#. #..# .#.. .#..
.### ### #..# #...# #...# #..# #..# #### .##. .##. #..# .##. .#. .##. .##. .##. .##. .##.
#... .#. #..# #...# #.#.# #..# #..# ...# ...# #..# #..# #..# .#. #..# #..# #..# ...# #..#
.##. .#. #..# .#.#. #.#.# .##. #..# .##. .### #..# #..# #### .#. #### #### #### .### #..#
...# .#. #..# .#.#. #.#.# #..# #..# #... #..# #..# #..# #... .#. #... #... #... #..# #..#
###. ..# .### ..#.. .#.#. #..# .### #### .### .##. .### .### .#. .### .### .### .### .##.
.... ... .... ..... ..... .... ...# .... .... .... .... .... ... .... .... .... .... ....
.... ... .... ..... ..... .... .##. .... .... .... .... .... ... .... .... .... .... ....
""",
    """
0    1   2    3    4    5    6    7    8    9    . ,  : ;  ! ?    ' "   (  )  - +
.##. .#. .##. ###. ...# #### .##. #### .##. .##. . .. . .. # .##. # #.# .# #. ... .....
#..# ##. #..# ...# ..## #... #... ...# #..# #..# . .. . .. # #..# # #.# #. .# ... .....
#..# .#. ...# ...# .#.# ###. #... ...# #..# #..# . .. # .# # ...# . ... #. .# ... ..#..
#..# .#. ..#. .##. #..# ...# ###. ..#. .##. .### . .. . .. # ..#. . ... #. .# ### ..#..
#..# .#. .#.. ...# #### ...# #..# ..#. #..# ...# . .. . .. # ..#. . ... #. .# ... #####
#..# .#. #... ...# ...# #..# #..# .#.. #..# ...# . .# # .# . .... . ... #. .# ... ..#..
.##. ### #### ###. ...# .##. .##. .#.. .##. .##. # .# . .# # ..#. . ... .# #. ... ..#..
.... ... .... .... .... .... .... .... .... .... . #. . #. . .... . ... .. .. ... .....
.... ... .... .... .... .... .... .... .... .... . .. . .. . .... . ... .. .. ... .....
""",
    """
>    <    =    /   %     &     …     ×     _    [  ]  Ø     →      §
.... .... .... ..# ##..# .##.. ..... ..... .... ## ## .###. ...... .##.
#... ...# .... ..# ##..# #..#. ..... ..... .... #. .# #..## ...#.. #...
.#.. ..#. #### .#. ...#. #.#.. ..... #...# .... #. .# #..## ...##. .##.
..#. .#.. .... .#. ..#.. .#... ..... .#.#. .... #. .# #.#.# ###### #..#
.#.. ..#. #### .#. .#... #.#.# ..... ..#.. .... #. .# ##..# ...##. .##.
#... ...# .... #.. #..## #..#. ..... .#.#. .... #. .# ##..# ...#.. ...#
.... .... .... #.. #..## .##.# #.#.# #...# #### ## ## .###. ...... ##..
""",
    """
✓      ▲     ▼     ▸    ★     ⊕     ■     □     ✚     ✕     ↯     ↩
...... ..... ..... #... ..#.. .###. ..... ..... ..... ..... ...## .......
.....# ..... ..... ##.. ..#.. #.#.# ##### ##### ..#.. #...# ..##. ....##.
....## ..#.. ##### ###. ##### #.#.# ##### #...# ..#.. .#.#. .##.. ..#...#
#..##. .###. .###. #### .###. ##### ##### #...# ##### ..#.. ##### .##...#
####.. ##### ..#.. ###. .###. #.#.# ##### #...# ..#.. .#.#. ..##. ######.
.##... ..... ..... ##.. ##.## #.#.# ##### ##### ..#.. #...# .##.. .##....
...... ..... ..... #... #...# .###. ..... ..... ..... ..... ##... ..#....
""",
)


def _read(strips: tuple[str, ...]) -> dict[str, Image.Image]:
    """The drawings as pictures, by letter."""
    found = {}
    for strip in strips:
        names, *rows = strip.strip("\n").split("\n")
        for name, *drawn in zip(names.split(), *(row.split() for row in rows), strict=True):
            glyph = Image.new("1", (len(drawn[0]), HEIGHT))
            for y, row in enumerate(drawn):
                for x, dot in enumerate(row):
                    glyph.putpixel((x, y), dot == "#")
            found[name] = glyph
    found[" "] = Image.new("1", (2, HEIGHT))
    return found


@lru_cache(1)
def _drawn() -> dict[str, Image.Image]:
    return _read(_DRAWN)


@lru_cache(256)
def glyph(letter: str) -> Image.Image | None:
    """The picture of one letter, nine pixels high; None if there is none for it."""
    drawn = _drawn().get(letter)
    if drawn is not None or letter < "!" or letter > "ÿ":
        return drawn
    cell = Image.new("1", (12, HEIGHT + 2))
    ImageDraw.Draw(cell).text((2, 0), letter, fill=1, font=ImageFont.load_default_imagefont())
    box = cell.getbbox()
    if box is None:
        return None
    # Pillow's letters stand two rows lower; an accent that would not fit is moved down by one.
    top = min(2, box[1])
    return cell.crop((box[0], top, box[2], top + HEIGHT))


@lru_cache(256)
def lettering(text: str, bold: bool = False) -> Image.Image:
    """A line of text as a picture, nine pixels high and as wide as its ink."""
    shape = _bold if bold else glyph
    glyphs = [shape(letter) or _unknown() for letter in text if letter != SOFT_HYPHEN]
    length = sum(one.width + 1 for one in glyphs) - 1
    line = Image.new("1", (max(length, 1), HEIGHT))
    x = 0
    for one in glyphs:
        line.paste(one, (x, 0))
        x += one.width + 1
    return line


@lru_cache(256)
def _bold(letter: str) -> Image.Image | None:
    """A letter with thicker strokes; the ones that would fill up stay as they are."""
    plain = glyph(letter)
    if plain is None or letter in _DENSE:
        return plain
    wider = Image.new("1", (plain.width + 1, HEIGHT))
    wider.paste(plain, (0, 0))
    wider.paste(1, (1, 0), plain)
    return wider


def _unknown() -> Image.Image:
    """A box, for a letter nobody has drawn."""
    box = Image.new("1", (4, HEIGHT))
    ImageDraw.Draw(box).rectangle((0, 0, 3, CAPITAL - 1), outline=1)
    return box


def lacks(text: str) -> set[str]:
    """The letters of a text that nobody has drawn."""
    return {letter for letter in text if letter != SOFT_HYPHEN and glyph(letter) is None}


@lru_cache(512)
def width(text: str, bold: bool = False) -> int:
    """How many pixels wide a text is."""
    return lettering(text, bold).width


@lru_cache(64)
def big(text: str, room: int) -> Image.Image:
    """A name in letters 21 pixels high, as wide as the room lets them be.

    A long one has letters of 14 pixels: taller ones so narrow are hard to read.
    """
    for across, gap in ((3, 3), (2, 2), (2, 1)):
        if _stretched_width(text, across, gap) <= room:
            return _stretched(text, across, gap)
    bold = width(text, bold=True) <= room
    line = lettering(shortened(text, room, bold), bold)
    tall = Image.new("1", (line.width, HEIGHT * 3))
    tall.paste(line.resize((line.width, HEIGHT * 2), Image.Resampling.NEAREST), (0, CAPITAL // 2))
    return tall


def _stretched_width(text: str, across: int, gap: int) -> int:
    glyphs = [glyph(letter) or _unknown() for letter in text]
    return sum(one.width * across + gap for one in glyphs) - gap


def _stretched(text: str, across: int, gap: int) -> Image.Image:
    line = Image.new("1", (_stretched_width(text, across, gap), HEIGHT * 3))
    x = 0
    for letter in text:
        one = glyph(letter) or _unknown()
        size = (one.width * across, HEIGHT * 3)
        line.paste(one.resize(size, Image.Resampling.NEAREST), (x, 0))
        x += one.width * across + gap
    return line


@lru_cache(256)
def shortened(text: str, room: int, bold: bool = False) -> str:
    """A name cut to the room it has, with dots for what is missing."""
    if width(text, bold) <= room:
        return text
    kept = text
    while kept and width(kept + ELLIPSIS, bold) > room:
        kept = kept[:-1]
    return kept.rstrip() + ELLIPSIS


@lru_cache(128)
def wrapped(text: str, room: int) -> tuple[str, ...]:
    """A text broken into lines; at a soft hyphen where a word is too long for a line."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        for piece in _pieces(word, room):
            longer = f"{line} {piece}" if line else piece
            if width(longer) <= room:
                line = longer
            else:
                if line:
                    lines.append(line)
                line = piece
            if piece.endswith("-") and piece != word:
                lines.append(line)
                line = ""
    return tuple([*lines, line] if line else lines)


def _pieces(word: str, room: int) -> list[str]:
    """A word in as many pieces as it takes to fit: at soft hyphens, or else anywhere."""
    if width(word) <= room:
        return [word.replace(SOFT_HYPHEN, "")]
    parts = word.split(SOFT_HYPHEN) if SOFT_HYPHEN in word else list(word)
    pieces = [parts[0]]
    for part in parts[1:]:
        if width(f"{pieces[-1]}{part}-") <= room:
            pieces[-1] += part
        else:
            pieces[-1] += "-"
            pieces.append(part)
    return pieces

"""What all screens are made of: the map at the left, the column of words, pages that turn."""

from collections.abc import Sequence
from gettext import NullTranslations
from typing import NamedTuple

from companion.referee import Step, View
from companion.rules import AnyMove, Position
from companion.screens import letters, maps
from companion.screens.canvas import LINE, WIDTH, Canvas
from companion.screens.languages import words

BEAT = 0.5
"""Seconds between two pictures of a view in which something blinks."""
TURN = 6
"""Beats until a page turns by itself."""
EDGE = 1
"""Pixels at the left and the right that stay free of words: there the bezel begins."""
LEFT, ROOM = 65, WIDTH - EDGE - 65
"""Where the words stand: right of the map."""
PITCH = 10
"""From one line of a list to the next."""
SOME = 2
"""Lines that are worth a page of their own, if the text goes on."""
_STOPS = (".", "?", "!")
_ENDS = (*_STOPS, ":")
"""After these a page may turn without dots."""


class Drawing:
    """One picture in the making: the view, its words, and the beat of the moment."""

    def __init__(
        self, view: View, seconds: float, code: str | None = None, watched: bool = False
    ) -> None:
        self.view = view
        self.code = code
        """What the QR code of this view leads to, if it has one."""
        self.watched = watched
        """Whether it is for those who only watch: they see neither codes nor the PIN."""
        self.canvas = Canvas()
        self.words: NullTranslations = words(str(view.setting("language")))
        self.beat = int(seconds / BEAT)
        self.changes = False
        """Whether a later beat may look different."""

    @property
    def position(self) -> Position:
        assert self.view.position is not None
        return self.view.position

    def page(self, count: int) -> int:
        """Which of so many pages is open: the one turned to, or the next every few beats."""
        if count < 2:
            return 0
        if self.view.page is not None:
            return self.view.page % count
        self.changes = True
        return self.beat // TURN % count

    def current(self, count: int) -> int:
        """Which of so many things is shown now: each for two beats, in turn."""
        self.changes = self.changes or count > 0
        return self.beat // 2 % count if count else 0

    def map(self, hops: Sequence[maps.Hop] = (), position: Position | None = None) -> None:
        """The board or the stacks, with hops that walk."""
        position = position or self.position
        pressed = (*self.view.pressed, *self.view.noticed)
        self.changes = self.changes or bool(hops)
        if position.game.board.walked is None:
            counts = {spot: pressed.count(spot) for spot in pressed}
            maps.stack_map(self.canvas, position, self.beat, hops, counts, self.words)
        else:
            if maps.is_shared(position):
                self.changes = True
            maps.board_map(self.canvas, position, self.beat, hops, pressed, self.words)

    def counter(self, number: int, count: int, y: int, right: int) -> None:
        """Which of several pages this is, at the right; black on white, apart from any move."""
        if count > 1:
            wide = letters.width(f"{count}/{count}")
            left = right - wide - 2
            self.canvas.text(f"{number + 1}/{count}", left + 1, y, wide + 1)
            self.canvas.bar((left, y - 1, right, y + letters.CAPITAL + 1))

    def title(self, text: str, y: int = 0) -> int:
        """A bold heading beside the map, on two lines if need be; returns where it ends."""
        room = ROOM
        first, *rest = wrapped_bold(text, room)
        self.canvas.text(first, LEFT, y, room, bold=True)
        for line in rest:
            y += PITCH
            self.canvas.text(line, LEFT, y, room, bold=True)
        return y + PITCH


def wrapped_bold(text: str, room: int) -> tuple[str, ...]:
    """A heading on as few lines as it takes; bold letters are a pixel further apart."""
    if letters.width(text, bold=True) <= room:
        return (text,)
    lines: list[str] = []
    for word in text.split():
        if lines and letters.width(f"{lines[-1]} {word}", bold=True) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)


def counter_room(count: int) -> int:
    """How wide the number of a page is, with a gap before it; nothing if there is only one page.

    The gap is that between words: a step to square 1 is no step to 11.
    """
    return letters.width(f"{count}/{count}") + 3 + letters.width(" ") if count > 1 else 0


class Page(NamedTuple):
    """One page of words: lines of a text, or a part of a list and where in it that begins."""

    lines: tuple[str, ...]
    first: int | None = None


def text_pages(paragraphs: Sequence[str], room: int, most: int) -> list[Page]:
    """Texts, each begun on a new line, in pages of so many lines.

    A sentence stays together where it can, because nobody waits to read its end; one that is too
    long for a page is parted at a colon, or else evenly, and dots say that it goes on.
    """
    pages: list[tuple[str, ...]] = [()]
    for text in paragraphs:
        lines = letters.wrapped(text, room)
        if len(pages[-1]) + len(lines) <= most:
            pages[-1] += lines
        elif len(lines) <= most:
            pages[-1:] = _flowing(pages[-1], text, room, most)
        else:
            begun = pages.pop()
            count = len(begun) + len(lines)
            size = -(-count // -(-count // most))
            if len(begun) >= size:
                pages.append(begun)
                begun = ()
            first, *others = _parted(text, room, (size, most), len(begun))
            pages += [begun + first, *others]
    return [Page(page) for page in pages if page]


def _flowing(
    begun: tuple[str, ...], text: str, room: int, most: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A page that was begun, with as many whole sentences as it can take; and the others."""
    words = text.split()
    taken = _sentence_end(words, _fitting(words, room, most - len(begun)), _STOPS)
    if len(letters.wrapped(" ".join(words[:taken]), room)) > most - len(begun):
        taken = 0
    first = letters.wrapped(" ".join(words[:taken]), room) if taken else ()
    return begun + first, letters.wrapped(" ".join(words[taken:]), room)


def _parted(text: str, room: int, sizes: tuple[int, int], begun: int) -> list[tuple[str, ...]]:
    """A long text in pages: as many lines as can be up to the end of a sentence, else even ones.

    The first page has been begun already; one that ends in mid-sentence ends in dots.
    """
    even, most = sizes
    words = text.split()
    pages: list[tuple[str, ...]] = []
    while len(letters.wrapped(" ".join(words), room)) > most - begun:
        taken = _sentence_end(words, _fitting(words, room, most - begun), _ENDS)
        if len(letters.wrapped(" ".join(words[:taken]), room)) < SOME:  # a heading, not a sentence
            taken = _fitting(words, room, even - begun)
        pages.append(letters.wrapped(_goes_on(words[:taken]), room))
        words, begun = words[taken:], 0
    return [*pages, letters.wrapped(" ".join(words), room)]


def _fitting(words: Sequence[str], room: int, most: int) -> int:
    """How many of these words fit on so many lines; at least one, and not all."""
    taken = len(words) - 1
    while taken > 1 and len(letters.wrapped(_goes_on(words[:taken]), room)) > most:
        taken -= 1
    return taken


def _sentence_end(words: Sequence[str], most: int, stops: tuple[str, ...]) -> int:
    """After how many of these words, at most, one ends in a stop; 0 if none does."""
    ends = (at for at in range(most, 1, -1) if words[at - 1].endswith(stops))
    return next(ends, 0)


def _goes_on(words: Sequence[str]) -> str:
    said = " ".join(words)
    return said if said.endswith(_ENDS) else f"{said} {letters.ELLIPSIS}"


def list_pages(entries: Sequence[str], most: int) -> list[Page]:
    """A list in pages of so many lines."""
    return [Page(tuple(entries[at : at + most]), at) for at in range(0, len(entries), most)]


def steps_hops(position: Position, steps: Sequence[Step]) -> tuple[maps.Hop, ...]:
    """How pieces that stand astray walk on the map to where they belong."""
    colours = position.game.colours
    return tuple(
        maps.Hop(origin, target, astray=colours.index(colour) if colour else None)
        for origin, target, colour in steps
    )


def moves_hops(position: Position, move: AnyMove | None) -> tuple[maps.Hop, ...]:
    """How a move walks on the map."""
    return () if move is None else maps.hops_of(position, move)


__all__ = ["BEAT", "LEFT", "LINE", "PITCH", "ROOM", "TURN", "Drawing", "Page"]

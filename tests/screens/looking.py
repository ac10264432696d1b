"""Looking at a picture as a person does: is all of it there, does anything lie on anything?"""

from collections.abc import Iterator
from dataclasses import replace

from companion.referee import View
from companion.screens import letters
from companion.screens.canvas import WIDTH, Area, Mark
from companion.screens.drawing import BEAT, EDGE, TURN, Drawing
from companion.screens.pictures import drawn

WORDS = ("text", "name", "label")


def every_page(view: View) -> Iterator[Drawing]:
    """The drawings of all pages of a view, turned with the buttons."""
    first = None
    for page in range(100):
        drawing = drawn(replace(view, page=page))
        marks = drawing.canvas.marks
        if marks == first:
            return
        first = first or marks
        yield drawing
    raise AssertionError(f"a hundred pages and no end: {view}")


def some_beats(view: View) -> Iterator[Drawing]:
    """What a view looks like as time goes by: two turns of pages."""
    for beat in range(2 * TURN):
        drawing = drawn(view, beat * BEAT)
        yield drawing
        if not drawing.changes:
            return


def faults(drawing: Drawing) -> list[str]:
    """Everything that is cut, lies on something else, or lacks a letter."""
    marks = drawing.canvas.marks
    found = []
    for mark in marks:
        if not _inside(mark.box, (0, 0, 128, 64)):
            found.append(f"{mark} leaves the screen")
        if mark.kind in WORDS and not EDGE <= mark.box[0] < mark.box[2] <= WIDTH - EDGE:
            found.append(f"{mark} lies under the bezel")
        if not _inside(mark.box, mark.room):
            found.append(f"{mark} is too long for its room")
        if mark.kind in WORDS and letters.lacks(mark.text):
            found.append(f"{mark} lacks the letters {letters.lacks(mark.text)}")
    for number, mark in enumerate(marks):
        found += [
            f"{mark} lies on {other}"
            for other in marks[:number]
            if _meet(mark.box, other.box) and not _belongs(mark, other)
        ]
    return found


def texts(view: View) -> str:
    """All that is written on all pages of a view, hyphens at line ends taken out."""
    lines: dict[str, None] = {}
    for drawing in every_page(view):
        page = [mark.text for mark in drawing.canvas.marks if mark.kind in WORDS[:2]]
        lines[" ".join(page).replace("- ", "")] = None
    return " ".join(lines)


def _inside(box: Area, room: Area) -> bool:
    left = box[0] >= room[0] and box[1] >= room[1]
    return left and box[2] <= room[2] and box[3] <= room[3]


def _meet(one: Area, other: Area) -> bool:
    across = one[0] < other[2] and other[0] < one[2]
    return across and one[1] < other[3] and other[1] < one[3]


def _belongs(one: Mark, other: Mark) -> bool:
    """Letters on the map belong there."""
    return {one.kind, other.kind} == {"label", "map"}

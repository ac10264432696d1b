"""The stand of build 0 as a sheet of stiff card: cut, fold, tape; for those without a printer."""

from hardware.shapes import Drawing, Rect, Shape, Style, Text, circle, line

LONG = 100.0
"""mm from end to end, as the printed stand."""
FLAP, BASE, BACK, FRONT = 12.0, 76.0, 66.0, 88.0
"""mm of each part, from the top of the sheet down: glue, floor, back, front."""
WINDOW = 32.0, 18.0
"""mm: shows the picture of a 1.3" screen, and that of a 0.96" one."""
SCREEN_UP = 52.0
"""mm from the front's lower edge to the screen's middle: its plugs need room before the back."""
PI = 65.0, 30.0
PI_AT = (LONG - PI[0]) / 2, BASE - 4 - PI[1]
"""The Zero on the floor, from the left and from the front: its sockets are at the back."""
PLUGS = PI_AT[0] + PI[0] - 54 - 7, PI_AT[0] + PI[0] - 41.4 + 7
"""From where to where the back is open for the plugs of the sockets PWR and USB."""
OPENING = 12.0
CUT = Style(stroke="#000000", width=0.3)
FOLD = Style(stroke="#c9362e", width=0.25, dash=(3, 2))
GREY = "#555555"


def card() -> Drawing:
    """The sheet: black lines are cut, red ones folded, all the same way."""
    high = FLAP + BASE + BACK + FRONT
    shapes: list[Shape] = [Rect(0, 0, LONG, high, Style(fill="#ffffff"))]
    shapes.append(Rect(0, 0, LONG, high, CUT))
    level = 0.0
    for part in (FLAP, BASE, BACK):
        level += part
        shapes.append(line((0, level), (LONG, level), FOLD))
    shapes.append(Text(LONG / 2, FLAP / 2, "glue under the front's lower edge", 2.8, GREY))
    shapes.append(Text(LONG / 2, FLAP + 8, "floor: the Pi lies on its other side,", 3.2, GREY))
    shapes.append(Text(LONG / 2, FLAP + 13, "pins towards this edge", 3.2, GREY))
    shapes += _pi(FLAP + PI_AT[1])
    level = FLAP + BASE
    shapes.append(Rect(PLUGS[0], level, PLUGS[1] - PLUGS[0], OPENING, CUT, tag="plugs"))
    words = "back: cut this out, for the plugs"
    shapes.append(Text(LONG / 2, level + OPENING + 5, words, 3.2, GREY))
    shapes += _front(FLAP + BASE + BACK)
    return Drawing("Ludo companion, folded stand", LONG, high, tuple(shapes))


def _pi(top: float) -> list[Shape]:
    """Where the Zero lies, and its four holes: M2.5 screws and nuts, or tape."""
    left, dots = PI_AT[0], Style(stroke=GREY, width=0.2, dash=(1, 1))
    shapes: list[Shape] = [Rect(left, top, *PI, dots, 3)]
    holes = [(x, y) for x in (3.5, 61.5) for y in (3.5, 26.5)]
    return [*shapes, *(circle(left + x, top + y, 1.4, CUT) for x, y in holes)]


def _front(top: float) -> list[Shape]:
    """The window above, the keypad's place below it, and the slot for its ribbon."""
    x, y = (LONG - WINDOW[0]) / 2, top + FRONT - SCREEN_UP - WINDOW[1] / 2
    keys = top + 52
    dots = Style(stroke=GREY, width=0.2, dash=(1, 1))
    return [
        Text(LONG / 2, top + 8, "front, this side out", 3.2, GREY),
        Rect(x, y, *WINDOW, CUT, tag="window"),
        Text(LONG / 2, y + WINDOW[1] + 4, "window: tape the screen behind it, pins up", 2.6, GREY),
        Rect((LONG - 69) / 2, keys, 69, 20, dots),
        Text(LONG / 2, keys + 10, "keypad: up, down, OK, roll", 2.8, GREY),
        Rect(LONG / 2 - 9, keys + 23, 18, 4, CUT),
        Text(LONG / 2, keys + 30.5, "slot for its ribbon", 2.6, GREY),
    ]

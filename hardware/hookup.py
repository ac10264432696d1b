"""The wiring as pictures: every used pin with its wire, and every part as it looks.

Two kinds of pictures replace one tangle: the header (or the Pico) with each wire led out to a
label, and the parts with their resistors, each wire ending in the number of its pin.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from hardware.pins import PI_GROUND, PI_POWER, PICO_GROUND, pi_label, pico_label
from hardware.shapes import (
    Drawing,
    Ellipse,
    Poly,
    Rect,
    Shape,
    Style,
    Text,
    circle,
    line,
    mixed,
    moved,
)
from hardware.wiring import BUZZER_OHMS, COLOUR_NAMES, LED_OHMS, PARTS, Diagram, Wire

INK, GREY, LIGHT, WHITE = "#2e2a25", "#7d7465", "#f4efe2", "#ffffff"
BOARD, BLACK, GOLD, STEEL = "#1f7a45", "#202020", "#d8b13a", "#9a9a9a"
COLOURS = {
    "BK": "#222222",
    "BN": "#8a5a2b",
    "RD": "#d62828",
    "OG": "#f08a24",
    "YE": "#e3c400",
    "GN": "#2f9e44",
    "BU": "#2a62b4",
    "VT": "#8338ec",
    "GY": "#8a8a8a",
    "WH": "#f2f2f2",
    "PK": "#f06ba8",
}
BANDS = {
    LED_OHMS: ("#f08a24", "#f08a24", "#8a5a2b"),  # 33 and one nought
    BUZZER_OHMS: ("#8a5a2b", "#222222", "#8a5a2b"),  # 10 and one nought
}
"""The rings of the resistors, as they are painted; a golden one follows."""


def wire(start: tuple[float, float], end: tuple[float, float], colour: str) -> list[Shape]:
    """A wire in its colour, with a dark edge: white and yellow ones must be seen too."""
    return [
        line(start, end, Style(stroke=mixed(COLOURS[colour], "#000000", 0.45), width=1.5)),
        line(start, end, Style(stroke=COLOURS[colour], width=1.1)),
    ]


def pictures(diagram: Diagram) -> Iterator[tuple[str, Drawing]]:
    """The pictures of a diagram: its pins, and if there are any its parts."""
    yield "pins", pins(diagram)
    if any(each.part in _LOOKS for each in diagram.wires):
        yield "parts", parts(diagram)


# The pins


STEP = 6.0
"""mm from pin to pin in the picture."""


def pins(diagram: Diagram) -> Drawing:
    """The controller with all its pins; the used ones have wires, led straight out to labels."""
    on_pi, behind = diagram.controller == "PI", diagram.behind
    shapes: list[Shape] = [Rect(0, 0, 210, 152, Style(fill=WHITE))]
    shapes += moved(_pi() if on_pi else _pico(behind), 0, 0)
    by_pin = {each.pin: each for each in diagram.wires}
    for pin in range(1, 41):
        shapes += _pin(pin, by_pin.get(pin), on_pi, behind)
    shapes.append(Text(105, 148, _which_side(on_pi, behind), 3.2, GREY))
    shapes.append(Text(105, 5, diagram.title, 4.2, INK, bold=True))
    return Drawing(f"{diagram.title}: pins", 210, 152, tuple(shapes))


def _which_side(on_pi: bool, behind: bool) -> str:
    if on_pi:
        return "The pins towards you, the card at the top. Pin 1 has a square pad."
    if behind:
        return "As it lies under the plate: its back and its pins towards you, USB at the top."
    return "The chip towards you, USB at the top. From behind, left and right are swapped."


def place(pin: int, on_pi: bool, behind: bool = False) -> tuple[float, float]:
    """Where a pin is drawn: the Pi's in two columns, odd and even; the Pico's round its edge."""
    top = 18.0
    if on_pi:
        return (102.0 if pin % 2 else 108.0), top + STEP * ((pin - 1) // 2)
    row = pin - 1 if pin <= 20 else 40 - pin
    return (94.0 if (pin <= 20) is not behind else 116.0), top + STEP * row


def _pi() -> list[Shape]:
    return [
        Rect(84, 10, 33, 132, Style(fill=BOARD, stroke=INK, width=0.3), 3),
        Rect(87, 11, 8, 6, Style(fill=STEEL, stroke=INK, width=0.2), 0.5),
        Text(91, 14, "card", 2, INK),
        Rect(99, 15, 12, 120, Style(fill=BLACK), 0.8),
        Rect(100.2, 16.2, 3.6, 3.6, Style(stroke=GOLD, width=0.5)),
    ]


def _pico(behind: bool) -> list[Shape]:
    """From the front with its chip; from behind with its socket below the board."""
    board = Rect(90, 10, 30, 132, Style(fill=BOARD, stroke=INK, width=0.3), 2)
    socket = Rect(99, 7.5, 12, 8, Style(fill=STEEL, stroke=INK, width=0.2), 0.8)
    if behind:
        return [socket, board, Text(105, 13, "USB", 2.4, WHITE)]
    chip = Rect(101.5, 67.5, 7, 7, Style(fill=BLACK), 0.6)
    return [board, socket, Text(105, 11.5, "USB", 2.4, INK), chip]


def _pin(pin: int, used: Wire | None, on_pi: bool, behind: bool) -> list[Shape]:
    """A pin, its number, and if it is used its wire and what hangs on it."""
    x, y = place(pin, on_pi, behind)
    left = x < 105
    power = on_pi and PI_POWER.get(pin) == "5V"
    fill = GOLD if used else "#c9362e" if power else "#5f5a4a"
    shapes: list[Shape] = [circle(x, y, 1.5, Style(fill=fill))]
    inwards = left is not on_pi
    if used is None or not on_pi:
        shapes.append(Text(x + (4.8 if inwards else -4.8), y, str(pin), 2.4, WHITE))
    if power:
        shapes.append(Text(119, y, "5 V: nothing goes here", 2.4, "#c9362e", anchor="start"))
    if used is None:
        return shapes
    end = 76.0 if left else 134.0
    shapes += wire((x, y), (end, y), used.colour)
    label = (pi_label if on_pi else pico_label)(pin)
    told = f"{used.part} {used.terminal}"
    anchor, out = ("end", -2) if left else ("start", 2)
    at = end + (1 if left else -1) * 4.2
    shapes += [
        circle(at, y, 2.4, Style(fill=WHITE, stroke=INK, width=0.2)),
        Text(at, y, str(pin), 2.4, INK, bold=True),
        Text(end + out, y - 1.3, told, 2.8, INK, anchor=anchor, bold=True),  # type: ignore[arg-type]
        Text(
            end + out,
            y + 1.7,
            f"{label}, {COLOUR_NAMES[used.colour]}",
            2.2,
            GREY,
            anchor=anchor,  # type: ignore[arg-type]
        ),
    ]
    return shapes


# The parts


WIDE, HIGH = 67.0, 52.0


class Drawn(NamedTuple):
    """A part's picture, and where each of its terminals is, by name."""

    shapes: list[Shape]
    ends: dict[str, tuple[float, float]]
    down: bool = False
    """Whether its wires leave below instead of above."""


def parts(diagram: Diagram) -> Drawing:
    """Every part in a frame of its own, wires up to the numbers of their pins."""
    names = [name for name in dict.fromkeys(each.part for each in diagram.wires) if name in _LOOKS]
    columns = min(3, len(names))
    rows = -(-len(names) // columns)
    width, height = columns * (WIDE + 1.5) + 4.5, rows * (HIGH + 3) + 13
    shapes: list[Shape] = [Rect(0, 0, width, height, Style(fill=WHITE))]
    shapes.append(Text(width / 2, 6, f"{diagram.title}", 3.6, INK, bold=True))
    for number, name in enumerate(names):
        own = [each for each in diagram.wires if each.part == name]
        x, y = 3 + (number % columns) * (WIDE + 1.5), 11 + number // columns * (HIGH + 3)
        shapes += moved(_panel(name, own, diagram.controller == "PI"), x, y)
    return Drawing(f"{diagram.title}: parts", width, height, tuple(shapes))


def _panel(name: str, own: list[Wire], on_pi: bool) -> Iterator[Shape]:
    yield Rect(0, 0, WIDE, HIGH, Style(fill=LIGHT, stroke=GREY, width=0.25), 2.5)
    kind, note = PARTS[name]
    yield Text(WIDE / 2, 4, kind, 3, INK, bold=True)
    looks = _LOOKS[name](own)
    yield from looks.shapes
    grounds = PI_GROUND if on_pi else PICO_GROUND
    number, to = (43.4, 40.5) if looks.down else (10.6, 13.5)
    for each in own:
        x, y = looks.ends[each.terminal]
        yield from wire((x, y), (x, to), each.colour)
        yield circle(x, number, 2.7, Style(fill=WHITE, stroke=INK, width=0.25))
        yield Text(x, number, str(each.pin), 2.6, INK, bold=True)
        if each.pin in grounds:
            yield Text(
                x + (5 if looks.down else 0), number - (0 if looks.down else 3.7), "GND", 1.8, GREY
            )
    if note:
        yield Text(WIDE / 2, HIGH - 2.6, note, 2.2, GREY)


def _spread(own: list[Wire], step: float, y: float) -> dict[str, tuple[float, float]]:
    """Terminals side by side in the middle of the frame."""
    left = WIDE / 2 - step * (len(own) - 1) / 2
    return {each.terminal: (left + step * n, y) for n, each in enumerate(own)}


def _screen(own: list[Wire]) -> Drawn:
    ends = _spread(own, 7.5, 22)
    shapes: list[Shape] = [
        Rect(WIDE / 2 - 17, 19, 34, 28, Style(fill="#1f4f8a", stroke=INK, width=0.3), 1),
        Rect(WIDE / 2 - 15, 27, 30, 17, Style(fill="#10131a")),
        Rect(WIDE / 2 - 12, 30, 15, 1.4, Style(fill="#9fe3ff")),
        Rect(WIDE / 2 - 12, 34, 20, 1.4, Style(fill="#9fe3ff")),
    ]
    for terminal, (x, y) in ends.items():
        shapes.append(circle(x, y, 1.2, Style(fill=GOLD)))
        shapes.append(Text(x, y + 3, terminal, 2.2, WHITE, bold=True))
    return Drawn(shapes, ends)


def _button(own: list[Wire]) -> Drawn:
    """A push button from behind: two lugs, and no matter which is which."""
    ends = _spread(own, 12, 27)
    middle = WIDE / 2
    shapes: list[Shape] = [
        circle(middle, 33, 11.5, Style(fill="#8a8a8a", stroke=INK, width=0.3)),
        circle(middle, 33, 9, Style(fill="#3b3b3f")),
    ]
    shapes += [Rect(x - 1, y, 2, 8, Style(fill=GOLD)) for x, y in ends.values()]
    shapes.append(Text(middle, 46, "either lug", 2.2, GREY))
    return Drawn(shapes, ends)


def _arcade(own: list[Wire]) -> Drawn:
    ends = _spread(own, 12, 27)
    middle = WIDE / 2
    shapes: list[Shape] = [
        circle(middle, 34, 12.5, Style(fill="#8f1d1d", stroke=INK, width=0.3)),
        Rect(middle - 9, 29, 18, 12, Style(fill="#2b2b2b"), 1),
    ]
    shapes += [Rect(x - 1.2, y, 2.4, 6, Style(fill=STEEL)) for x, y in ends.values()]
    return Drawn(shapes, ends)


def _resistor(x: float, y: float, ohms: int) -> list[Shape]:
    """An upright resistor, 11 mm long in the picture, with its rings."""
    shapes: list[Shape] = [
        line((x, y - 2), (x, y + 13), Style(stroke=STEEL, width=0.7)),
        Rect(x - 2, y, 4, 11, Style(fill="#e3c9a0", stroke=INK, width=0.25), 1.4),
    ]
    for n, colour in enumerate((*BANDS[ohms], "#c9a227")):
        shapes.append(Rect(x - 2, y + 1.6 + 2.2 * n, 4, 1.1, Style(fill=colour)))
    shapes.append(Text(x + 3.4, y + 5.5, f"{ohms} ohm", 2.4, INK, anchor="start"))
    return shapes


def _led(fill: str) -> Callable[[list[Wire]], Drawn]:
    def looks(own: list[Wire]) -> Drawn:
        plus, minus = own[0].terminal, own[1].terminal
        middle = WIDE / 2
        high, low = middle - 5, middle + 16
        shapes = [
            *_resistor(high, 18, LED_OHMS),
            line((high, 31), (high, 36), Style(stroke=STEEL, width=0.7)),
            line((high, 36), (middle + 3, 41), Style(stroke=STEEL, width=0.7)),
            line((low, 18), (low, 36), Style(stroke=STEEL, width=0.7)),
            line((low, 36), (middle + 8, 41), Style(stroke=STEEL, width=0.7)),
            circle(middle + 5.5, 43, 4.6, Style(fill=fill, stroke=INK, width=0.3)),
            line((middle + 8.8, 39.6), (middle + 8.8, 46.4), Style(stroke=INK, width=0.7)),
            Text(high - 3, 35, "long leg", 2.2, INK, anchor="end"),
            Text(low + 2, 35, "short leg,", 2.2, INK, anchor="start"),
            Text(low + 2, 38, "flat side", 2.2, INK, anchor="start"),
        ]
        return Drawn(shapes, {plus: (high, 17), minus: (low, 19)})

    return looks


def _buzzer(own: list[Wire]) -> Drawn:
    plus, minus = own[0].terminal, own[1].terminal
    middle = WIDE / 2
    high, low = middle - 6, middle + 14
    shapes: list[Shape] = [
        *_resistor(high, 18, BUZZER_OHMS),
        line((high, 31), (high + 3, 37), Style(stroke=STEEL, width=0.7)),
        line((low, 18), (low - 4, 37), Style(stroke=STEEL, width=0.7)),
        circle(middle + 3, 40, 8.4, Style(fill="#2b2b2b", stroke=INK, width=0.3)),
        circle(middle + 3, 40, 1.6, Style(fill="#777777")),
        Text(middle - 1.5, 36, "+", 3.4, WHITE, bold=True),
    ]
    return Drawn(shapes, {plus: (high, 17), minus: (low, 19)})


def _shake(own: list[Wire]) -> Drawn:
    ends = _spread(own, 14, 30)
    middle = WIDE / 2
    shapes: list[Shape] = [
        line((ends[own[0].terminal][0], 30), (middle - 6, 36), Style(stroke=STEEL, width=0.7)),
        line((ends[own[1].terminal][0], 30), (middle + 6, 36), Style(stroke=STEEL, width=0.7)),
        Rect(middle - 6, 33, 12, 6, Style(fill=GOLD, stroke=INK, width=0.3), 2),
    ]
    return Drawn(shapes, ends)


_SPOTS = ((-1, 1), (1, 1), (-1, 0), (0, 0), (1, 0), (-1, -1), (1, -1))


def _pips(own: list[Wire]) -> Drawn:
    """Seven lights as they lie in the die, seen from above, each with its resistor's number."""
    ends = _spread(own, 7.6, 16)
    shapes: list[Shape] = [
        Rect(19, 21, 26, 26, Style(fill="#d9cdb2", stroke=INK, width=0.3), 3),
    ]
    for (dx, dy), each in zip(_SPOTS, own[:-1], strict=True):
        x, y = 32 + 8 * dx, 34 - 8 * dy
        shapes.append(circle(x, y, 2.6, Style(fill="#d62828", stroke=INK, width=0.2)))
        shapes.append(Text(x, y, str(each.pin), 2.2, WHITE, bold=True))
    shapes += [
        Text(47, 26, "from above", 2.2, GREY, anchor="start"),
        Text(47, 32, "pin to 330 ohm", 2.2, INK, anchor="start"),
        Text(47, 35.4, "to long leg;", 2.2, INK, anchor="start"),
        Text(47, 38.8, "short legs", 2.2, INK, anchor="start"),
        Text(47, 42.2, "together: GND", 2.2, INK, anchor="start"),
    ]
    return Drawn(shapes, ends)


def _keys(words: tuple[str, ...]) -> Callable[[list[Wire]], Drawn]:
    """A membrane keypad and below it its tail, as it leaves it; rows of keys, four in each."""

    def looks(own: list[Wire]) -> Drawn:
        ends = _spread(own, 58 / max(len(own), 5), 35)
        rows = -(-len(words) // 4)
        high = 5.2 if rows > 1 else 13.0
        top = 7.0 if rows > 1 else 10.0
        shapes: list[Shape] = [
            Rect(WIDE / 2 - 8, top + rows * high + 2, 16, 32 - top - rows * high, TAIL),
            Rect(WIDE / 2 - 24, top, 48, rows * high + 3, Style(fill="#2b2b2b"), 1.5),
        ]
        for n, word in enumerate(words):
            x, y = WIDE / 2 - 17 + 11.4 * (n % 4), top + 1.5 + high / 2 + high * (n // 4)
            key = Style(fill="#e8e4da")
            shapes.append(Rect(x - 4.6, y - high / 2 + 0.7, 9.2, high - 1.4, key, 1))
            shapes.append(Text(x, y, word, 2.6, INK, bold=True))
            if rows == 1:  # what is printed on it, as the text names it
                shapes.append(Text(x, y - 4, str(n + 1), 2.2, GREY))
        left, right = min(x for x, _ in ends.values()), max(x for x, _ in ends.values())
        shapes.append(Rect(left - 3, 33.4, right - left + 6, 4, Style(fill=BLACK), 0.6))
        return Drawn(shapes, ends, down=True)

    return looks


TAIL = Style(fill="#d9d9d9")


_LOOKS: dict[str, Callable[[list[Wire]], Drawn]] = {
    "OLED": _screen,
    "UP": _button,
    "DOWN": _button,
    "OK": _button,
    "ROLL": _arcade,
    "BUTTON": _arcade,
    "GOOD": _led("#35c45f"),
    "BAD": _led("#e0392f"),
    "BUZZER": _buzzer,
    "SHAKE": _shake,
    "PIPS": _pips,
    "KEYS": _keys(("up", "down", "OK", "roll")),
    "MAT": _keys(tuple(f"{colour}.{n}" for colour in "RGYB" for n in range(1, 5))),
}


def joints() -> Drawing:
    """How a jumper wire meets what has no pin: a lug, a tab, the leg of a light."""
    shapes: list[Shape] = [Rect(0, 0, 210, 62, Style(fill=WHITE))]
    for n, (title, second) in enumerate(
        (
            ("on a pin: as it is", ""),
            ("on a lug: cut, strip, hook, solder", "heat-shrink over it"),
            ("on a tab: a 2.8 mm socket, crimped", "or soldered like a lug"),
            ("on a leg: resistor, then wire", "heat-shrink over each joint"),
        )
    ):
        x = 4 + 51.5 * n
        shapes.append(Rect(x, 3, 48, 56, Style(fill=LIGHT, stroke=GREY, width=0.25), 2.5))
        shapes += moved(_joint(n), x, 3)
        shapes.append(Text(x + 24, 47, title, 2.5, INK, bold=True))
        shapes.append(Text(x + 24, 51.5, second, 2.5, GREY))
    return Drawing("How wires meet", 210, 62, tuple(shapes))


def _joint(which: int) -> list[Shape]:
    plug: list[Shape] = [
        *wire((24, 4), (24, 14), "GN"),
        Rect(21.5, 12, 5, 15, Style(fill=BLACK), 0.6),
        Rect(22.8, 15, 2.4, 2, Style(fill=GOLD)),
    ]
    if which == 0:
        pin = Rect(23.4, 28, 1.2, 9, Style(fill=GOLD))
        return [*plug, pin, Rect(18, 37, 12, 3, Style(fill=BOARD))]
    lug = Ellipse(24, 31, 2.6, 4, Style(fill=GOLD, stroke=INK, width=0.3))
    hole = Ellipse(24, 30, 0.9, 1.4, Style(fill=LIGHT))
    shrink = Style(fill="#333333")
    if which == 1:
        bare = line((24, 20), (24, 30), Style(stroke="#c87533", width=0.9))
        sleeve = Rect(22, 8, 4, 9, shrink, 1)
        return [*wire((24, 4), (24, 20), "GN"), sleeve, lug, hole, bare, _body()]
    if which == 2:
        socket = Rect(20.5, 18, 7, 11, Style(fill=GOLD, stroke=INK, width=0.3), 1.5)
        tab = Rect(22.4, 28, 3.2, 8, Style(fill=STEEL))
        return [*wire((24, 4), (24, 19), "GN"), tab, socket, _body()]
    return [
        *wire((24, 4), (24, 9), "GN"),
        *_resistor(24, 12, LED_OHMS)[:-1],
        Rect(22.6, 6.5, 2.8, 5, shrink, 1),
        Rect(22.6, 23.5, 2.8, 5, shrink, 1),
        line((24, 25), (24, 34), Style(stroke=STEEL, width=0.7)),
        circle(25.5, 37, 4, Style(fill="#e0392f", stroke=INK, width=0.3)),
        line((27, 30), (27, 34), Style(stroke=STEEL, width=0.7)),
    ]


def _body() -> Poly:
    return Poly(((14, 36), (34, 36), (32, 41), (16, 41)), Style(fill="#3b3b3f"))

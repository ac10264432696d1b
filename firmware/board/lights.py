"""The board's lights: which cells are lit, blink or blink fast, as the box last said."""

from firmware.ticks import elapsed

BLINK = 500  # ms lit, ms dark
FAST = 125

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Lights:
    """Draws a mask of lit cells through `show`, only when it changes."""

    def __init__(self, show: "Callable[[int], None]") -> None:
        self.show = show
        self.masks = (0, 0, 0)
        self.since = 0
        self.shown: int | None = None

    def set(self, on: "int | None", blink: "int | None", fast: "int | None", now: int) -> None:
        """Light these cells; blinking begins lit, and goes on in step when nothing changed."""
        masks = (on or 0, blink or 0, fast or 0)
        if masks != self.masks:
            self.masks = masks
            self.since = now

    def step(self, now: int) -> None:
        """Draw what is to be seen now."""
        on, blink, fast = self.masks
        age = elapsed(now, self.since)
        lit = on
        if age // BLINK % 2 == 0:
            lit |= blink
        if age // FAST % 2 == 0:
            lit |= fast
        if lit != self.shown:
            self.shown = lit
            self.show(lit)

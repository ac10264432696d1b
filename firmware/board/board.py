"""The board's logic: scan, debounce, tell the box; now and then the whole matrix at once."""

from firmware.board.lights import Lights
from firmware.keys import Keys
from firmware.line import mask_of, mask_text
from firmware.port import Port
from firmware.ticks import elapsed

SNAP_EVERY = 2000  # ms
WARM_UP = 60  # ms from the start until every key held down has been debounced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Board:
    """One board; `scan()` returns a mask of closed switches for each row."""

    def __init__(
        self,
        port: Port,
        scan: "Callable[[], list[int]]",
        rows: int,
        columns: int,
        lights: "Lights | None" = None,
    ) -> None:
        self.port = port
        self.scan = scan
        self.keys = Keys(rows, columns)
        self.cells = rows * columns
        self.lights = lights
        self.started: int | None = None
        self.warm = False
        self.snapped = 0
        self.wanted = True

    def step(self, now: int) -> None:
        """One turn of the loop."""
        unread = self.port.unread
        if self.started is None:
            self.started = now
        self.warm = self.warm or elapsed(now, self.started) >= WARM_UP
        for row, column, down in self.keys.update(self.scan(), now):
            self.port.say("press" if down else "release", row, column)
        for word, args in self.port.hear(now):
            self._obey(word, args, now)
        if self.port.lost:
            self.port.lost = False
            self.wanted = True
        due = self.wanted or elapsed(now, self.snapped) >= SNAP_EVERY
        if due and self.warm and not unread:  # else it would be old when it is read
            self.port.say("snap", mask_text(self.keys.mask(), self.cells))
            self.snapped = now
            self.wanted = False
        if self.lights is not None:
            if not self.port.linked:
                self.lights.set(0, 0, 0, now)
            self.lights.step(now)
        self.port.flush()

    def _obey(self, word: str, args: "list[str]", now: int) -> None:
        if word in ("hello", "snap"):
            self.wanted = True
        elif word == "light" and self.lights is not None and len(args) == 3:
            masks = [mask_of(arg, self.cells) for arg in args]
            if None not in masks:
                self.lights.set(masks[0], masks[1], masks[2], now)

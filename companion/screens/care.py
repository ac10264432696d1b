"""Care for the panel: an OLED that shows the same for hours wears out where it glows.

After a while without an event it is dimmed and its picture is moved by a pixel now and then;
after a longer while it goes dark. Any event wakes it: then the time since the last is 0 again.
"""

from typing import NamedTuple

from PIL import Image, ImageChops

LEVELS = {1: 16, 2: 64, 3: 144, 4: 255}
"""The panel's contrast for each brightness in the menu."""

_SHIFTS = ((0, 0), (1, 0), (1, 1), (0, 1))


class Glow(NamedTuple):
    """How the panel shows a picture: its contrast (0 is dark), and how far it is moved."""

    level: int
    shift: tuple[int, int] = (0, 0)


class Care(NamedTuple):
    """When the panel rests, in seconds without an event."""

    dim_after: float = 120.0
    dark_after: float = 1200.0
    shift_every: float = 60.0

    def glow(self, idle: float, brightness: int = 3) -> Glow:
        """How to show a picture so long after the last event."""
        level = LEVELS[brightness]
        if idle < self.dim_after:
            return Glow(level)
        if idle >= self.dark_after:
            return Glow(0)
        moved = int((idle - self.dim_after) / self.shift_every) + 1
        return Glow(max(level // 8, 1), _SHIFTS[moved % len(_SHIFTS)])

    def next_change(self, idle: float) -> float | None:
        """How long after the last event the glow changes next; None once it is dark."""
        if idle < self.dim_after:
            return self.dim_after
        if idle >= self.dark_after:
            return None
        moved = int((idle - self.dim_after) / self.shift_every) + 1
        return min(self.dim_after + moved * self.shift_every, self.dark_after)


def shifted(image: Image.Image, shift: tuple[int, int]) -> Image.Image:
    """A picture moved by some pixels; what leaves it at one side is lost while it rests."""
    if shift == (0, 0):
        return image
    moved = ImageChops.offset(image, *shift)
    if shift[0]:
        moved.paste(0, (0, 0, shift[0], moved.height))
    if shift[1]:
        moved.paste(0, (0, 0, moved.width, shift[1]))
    return moved

"""The seven pips: what each face looks like, and how the die looks while it rolls.

0   1
2 3 4
5   6
"""

from firmware.ticks import elapsed

FRAME = 70  # ms a picture stays while the die rolls
TURN = 150  # ms a spoke of the star stays
WINK = 250  # ms lit, ms dark, while the box has not heard the roll

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

PICTURES = {
    "1": (0b0001000,),
    "2": (0b1000001,),
    "3": (0b1001001,),
    "4": (0b1100011,),
    "5": (0b1101011,),
    "6": (0b1110111,),
    "globe": (0b1111111,),
    "star": (0b0011100, 0b1001001, 0b0101010),
}
ORDINARY = ("1", "2", "3", "4", "5", "6")
TUMBLE = (1, 4, 2, 6, 3, 5)


class Pips:
    """Draws through `show`, a function of a mask of pips, only when the mask changes."""

    def __init__(self, show: "Callable[[int], None]") -> None:
        self.show = show
        self.faces: tuple[str, ...] = ORDINARY
        self.shown: int | None = None

    def dress(self, faces: "list[str]") -> None:
        """Take the box's names for faces 1 to 6; names without a picture change nothing."""
        if len(faces) == 6 and all(name in PICTURES for name in faces):
            self.faces = tuple(faces)

    def tumble(self, age: int) -> None:
        """Draw the rolling die, `age` ms after the throw began."""
        face = TUMBLE[age // FRAME % 6]
        self._draw(PICTURES[str(face)][0])

    def still(self, face: "int | None", since: int, now: int, winking: bool) -> None:
        """Draw the lying die; it winks as long as the box has not heard the roll."""
        age = elapsed(now, since)
        if face is None or (winking and age // WINK % 2 == 1):
            self._draw(0)
            return
        spokes = PICTURES[self.faces[face - 1]]
        self._draw(spokes[age // TURN % len(spokes)])

    def _draw(self, mask: int) -> None:
        if mask != self.shown:
            self.shown = mask
            self.show(mask)

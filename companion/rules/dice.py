"""The dice: six faces, numbered 1 to 6 on the wire, with the names a sheet gives them."""

from collections.abc import Callable
from typing import NamedTuple


class Die(NamedTuple):
    """A die: what each face shows, and how faces rank when players roll for the start."""

    name: str
    faces: tuple[str, str, str, str, str, str]
    ranks: tuple[int, int, int, int, int, int] = (1, 2, 3, 4, 5, 6)

    def roll(self, random: Callable[[], float]) -> int:
        """A face drawn with `random`, a source of numbers in [0, 1)."""
        return int(random() * 6) + 1

    def show(self, face: int) -> str:
        """What a face shows, for instance `4` or `globe`; a bonus, which no die shows, as `+20`."""
        return self.faces[face - 1] if face <= len(self.faces) else f"+{face}"

    def face(self, shown: str) -> int:
        """The face that shows this; the opposite of `show`. Raises ValueError."""
        if shown not in self.faces:
            faces = ", ".join(self.faces)
            raise ValueError(f"this die has no face {shown!r}: its faces are {faces}")
        return self.faces.index(shown) + 1

    def rank(self, face: int) -> int:
        """How high a face counts when players roll for the start."""
        return self.ranks[face - 1]


ORDINARY = Die("ordinary", ("1", "2", "3", "4", "5", "6"))
GLOBE_STAR = Die("globe-star", ("1", "2", "star", "4", "globe", "6"), (1, 2, 5, 3, 6, 4))

"""Magnets and reeds: what a pawn does to the switch below it, to the next one, and to other pawns.

A reed closes when the magnetic potential between the two ends of its iron reaches its
ampere-turns. The magnet is two discs of magnetic charge, its faces. Calculated, not measured; the
makers of reeds say themselves that such figures may be off by a factor of two (Littelfuse,
application note AN102A: ampere-turns and millitesla), which is why the guide begins with a coupon.
"""

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from hardware.builds import PLATE, Build
from hardware.overlay import is_square, reach, spot
from hardware.shapes import Point

REMANENCE = 1.17  # T, N35; the weakest grade sold, from tables of magnet shops
MU0 = 4e-7 * math.pi
BEST, WORST = 10.0, 15.0
"""Ampere-turns at which reeds of the class 10-15 AT close, as their data sheets give the class."""
CLOSES, SILENT = 1.5, 0.5
"""What we ask for: so many times the worst reed's own, and at most this part of the best one's."""

FOOT, PRINT = 0.5, 0.5
"""mm between magnet and plate: a thin anti-slip foot; print, laminate and a little air."""
LEG, GLASS, TAIL = 2.0, 14.0, 6.0
"""mm of iron: upper leg from the glass to its bend, the glass, lower leg to the solder joint."""

WHITE = 0.78
"""The white middle of a base place, as a part of it, in which a pawn stands; at most."""

GRAMS = {12.0: 2.1, 10.0: 1.5}
"""What the lightest printed pawn weighs, by its foot, filled whole; wooden ones weigh no less."""
FRICTION = 0.6  # a rubber foot on laminate; felt has half of it
GRAVITY = 9.81


class Magnet(NamedTuple):
    """A disc magnetised through its thickness, in mm."""

    diameter: float
    thickness: float

    @property
    def moment(self) -> float:
        """In ampere square metres."""
        volume = math.pi * self.diameter**2 / 4 * self.thickness * 1e-9
        return REMANENCE / MU0 * volume

    @property
    def grams(self) -> float:
        """Neodymium weighs 7.5 g a cubic centimetre."""
        return math.pi * self.diameter**2 / 4 * self.thickness * 7.5e-3

    def __str__(self) -> str:
        return f"{self.diameter:g} x {self.thickness:g} mm"


def magnet(one: Build) -> Magnet:
    """The size for a build: strong enough from the corner of a square, and no stronger."""
    return Magnet(5, 3) if one.pitch > 20 else Magnet(4, 3)


class Reed(NamedTuple):
    """How deep the ends of a standing reed's iron lie below the magnet's face, in mm."""

    upper: float
    lower: float


def reed(plate: float = PLATE) -> Reed:
    """A reed pushed up until its glass begins where the wood ends."""
    upper = FOOT + PRINT + plate - LEG
    return Reed(upper, upper + LEG + GLASS + TAIL)


STANDING = reed()
RINGS, SPOKES = 6, 12


@lru_cache(4096)
def pull(which: Magnet, aside: float, ends: Reed = STANDING) -> float:
    """Ampere-turns at a reed whose axis is `aside` mm from the magnet's; below 0 turned over."""
    return _potential(which, aside, ends.upper) - _potential(which, aside, ends.lower)


def _potential(which: Magnet, aside: float, depth: float) -> float:
    """The magnetic potential below a magnet in amperes, its faces cut into patches of one size."""
    radius = which.diameter / 2
    charge = which.moment / (which.thickness * 1e-3) / (RINGS * SPOKES)
    found = 0.0
    for ring in range(RINGS):
        out = radius * math.sqrt((ring + 0.5) / RINGS)
        for spoke in range(SPOKES):
            turn = 2 * math.pi * (spoke + 0.5 * (ring % 2)) / SPOKES
            far = math.hypot(aside - out * math.cos(turn), out * math.sin(turn))
            near_face = math.hypot(far, depth)
            far_face = math.hypot(far, depth + which.thickness)
            found += charge / (4 * math.pi * 1e-3) * (1 / near_face - 1 / far_face)
    return found


def together(
    which: Magnet,
    pawns: Iterable[Point],
    poles: Iterable[int] | None = None,
    ends: Reed = STANDING,
) -> float:
    """Ampere-turns of several pawns, each by its place beside the cross; a pole of -1 is turned."""
    places = list(pawns)
    turned = list(poles) if poles is not None else [1] * len(places)
    fields = [pull(which, round(math.hypot(*at), 2), ends) for at in places]
    return sum(pole * field for pole, field in zip(turned, fields, strict=True))


def slack(one: Build) -> float:
    """How far off the cross a pawn may stand, along each side, and still be on its square."""
    return max(0.0, 0.47 * one.pitch - one.pawn / 2)


def alone(one: Build) -> Iterator[list[Point]]:
    """One pawn all over its square, edge to edge."""
    most = slack(one)
    steps = [most * n / 4 for n in range(-4, 5)]
    for x in steps:
        for y in steps:
            yield [(x, y)]


def apart(one: Build) -> float:
    """How far apart two pawns on one square come to rest, in mm: they push each other."""
    which = magnet(one)
    weight = (GRAMS[one.pawn] + which.grams) / 1000 * GRAVITY
    ratio = 3 * MU0 * which.moment**2 / (4 * math.pi * FRICTION * weight)
    return max(one.pawn, math.sqrt(math.sqrt(ratio)) * 1000)


def pairs(one: Build) -> Iterator[list[Point]]:
    """Two pawns side by side, turned any way, touching or as far apart as they push each other."""
    most = slack(one)
    for gap in (one.pawn, apart(one)):
        for step in range(12):
            turn = math.pi * step / 12
            dx, dy = gap / 2 * math.cos(turn), gap / 2 * math.sin(turn)
            for shift in (-most, -most / 2, 0.0, most / 2, most):
                # Both move across the line that joins them; along it the square is full.
                x, y = -shift * math.sin(turn), shift * math.cos(turn)
                yield [(x + dx, y + dy), (x - dx, y - dy)]


def nearby(one: Build) -> Iterator[list[Point]]:
    """A pawn all over the next square, and two side by side there."""
    for [(x, y)] in alone(one):
        yield [(one.pitch + x, y)]
    for pair in pairs(one):
        yield [(one.pitch + x, y) for x, y in pair]


def closes(one: Build, poles: tuple[int, int] = (1, 1), plate: float = PLATE) -> float:
    """The least that one or two pawns on a square give its reed."""
    which, ends = magnet(one), reed(plate)
    one_pawn = min(abs(together(which, pawns, ends=ends)) for pawns in alone(one))
    return min(one_pawn, beside(one, poles, plate))


def beside(one: Build, poles: tuple[int, int] = (1, 1), plate: float = PLATE) -> float:
    """The least that two pawns side by side give their reed."""
    which, ends = magnet(one), reed(plate)
    return min(abs(together(which, pawns, poles, ends)) for pawns in pairs(one))


def reaches(one: Build, plate: float = PLATE) -> float:
    """The most that pawns on a neighbouring square give an empty place, whichever poles."""
    which, ends = magnet(one), reed(plate)
    found = []
    for pawns in nearby(one):
        for poles in ((1, 1), (1, -1)):
            turned = poles[: len(pawns)]
            found.append(abs(together(which, pawns, turned, ends)))
    return max(found)


def crowd(one: Build, count: int) -> float:
    """The most that the nearest `count` pawns, each on its cross, give an empty place."""
    which = magnet(one)
    spots = [spot(one, place) for place in one.board.places]
    found = []
    for here in spots:
        fields = sorted(
            (math.dist(here, there), pull(which, round(math.dist(here, there), 2)))
            for there in spots
            if there != here
        )
        found.append(abs(sum(field for _, field in fields[:count])))
    return max(found)


def stray(one: Build) -> float:
    """How far off its cross a pawn can stand inside any round place, in mm."""
    rounds = [place for place in one.board.places if not is_square(one, place)]
    return max(
        reach(one, place) * (WHITE if place.kind == "base" else 1) - one.pawn / 2
        for place in rounds
    )

"""The field of a pawn's magnet, at its own sensor and at the neighbours': why the spacing works.

A disc magnetised through its thickness. On its axis the field is exact; aside it is that of a
dipole. Calculated, not measured.
"""

import math

from hardware.builds import Build
from hardware.overlay import spot

REMANENCE = 1170.0  # mT, N35
DIAMETER, THICKNESS = 4.0, 2.0  # mm
DEPTH = 2.5
"""mm from the magnet's face to the sensor: print and laminate, a little air, half the case."""

REED_DEPTH = 10.4
"""mm from the magnet's face to a reed's contacts: print, 1 mm, the bend, half of the glass."""

OPERATE = 9.5  # mT at which a DRV5032AJ surely closes
QUIET = 5.0  # mT below which it surely does not close
RELEASE = 3.0  # mT below which one that was closed surely opens
REED_MARGIN = 3.0
"""How much more its own pawn gives a reed than all others: a reed opens at half of what closes it,
and reeds of one bag differ by half."""
PIECES = 16


def on_axis(distance: float) -> float:
    """The field straight below a magnet, in mT."""
    radius, far = DIAMETER / 2, distance + THICKNESS
    near = distance / math.hypot(distance, radius)
    return REMANENCE / 2 * (far / math.hypot(far, radius) - near)


def aside(distance: float, depth: float = DEPTH) -> float:
    """The upright field beside a magnet, in mT, without sign."""
    volume = math.pi * DIAMETER**2 / 4 * THICKNESS
    depth += THICKNESS / 2
    reach = math.hypot(distance, depth)
    return abs(REMANENCE * volume / (4 * math.pi) * (3 * depth**2 / reach**5 - 1 / reach**3))


def worst(one: Build, depth: float = DEPTH, homes: bool = True) -> float:
    """The most that all other pawns can do to an empty place, in mT; without homes to one of those
    that a pawn leaves again."""
    spots = [spot(one, place) for place in one.board.places]
    fields = [
        sorted(aside(math.dist(here, there), depth) for there in spots if there != here)
        for here, place in zip(spots, one.board.places, strict=True)
        if homes or place.kind != "home"
    ]
    return max(sum(field[1 - PIECES :]) for field in fields)


def off_middle() -> float:
    """How far from the middle a pawn may stand until its hall sensor loses it, in mm."""
    steps = (step / 10 for step in range(1, 100))
    return next(step for step in steps if aside(step) < OPERATE)

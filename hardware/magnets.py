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

OPERATE = 9.5  # mT at which a DRV5032AJ surely closes
QUIET = 5.0  # mT below which it surely does not close


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


def worst(one: Build) -> float:
    """The most that pawns on all places around can do to an empty place, in mT."""
    spots = [spot(one, place) for place in one.board.places]
    return max(
        sum(aside(math.dist(here, there)) for there in spots if there != here) for here in spots
    )

"""Whether everything fits into box, stand and die: which two parts would need the same room.

OpenSCAD tells where it puts things (`part = "report"`), for every variant; the answers are kept in
`hardware/enclosure/fits.txt`, so that the test needs no OpenSCAD. Lengths in mm. All are boxes,
with parts under a lid, parts on the floor and walls around; the lid of the stand is its front.
"""

import ast
import hashlib
import itertools
import math
import re
import subprocess
from collections.abc import Iterator
from typing import NamedTuple

from hardware.builds import ROOT

SOURCES = ROOT / "hardware" / "enclosure"
KEPT = "hardware/enclosure/fits.txt"
TOUCH = 0.25
"""Parts that are clamped may overlap by so much."""


class Variant(NamedTuple):
    """One box: which Pi, which screen, with or without the roll button."""

    pi: str
    oled: str
    roll: bool

    @property
    def source(self) -> str:
        return "box"

    @property
    def settings(self) -> tuple[str, ...]:
        return f'pi="{self.pi}"', f'oled="{self.oled}"', f"roll_button={str(self.roll).lower()}"

    @property
    def name(self) -> str:
        return f"{self.pi} {self.oled} {'with' if self.roll else 'without'} roll button"


VARIANTS = tuple(
    Variant(pi, oled, roll)
    for pi in ("zero", "full")
    for oled in ("0.96", "1.3", "2.42")
    for roll in (True, False)
)


class Other(NamedTuple):
    """The stand for a screen, or the die."""

    source: str
    oled: str = ""

    @property
    def settings(self) -> tuple[str, ...]:
        return (f'oled="{self.oled}"',) if self.oled else ()

    @property
    def name(self) -> str:
        return f"{self.source} {self.oled}".strip()


OTHERS = (Other("stand", "0.96"), Other("stand", "1.3"), Other("die"))
EVERY: tuple[Variant | Other, ...] = (*VARIANTS, *OTHERS)

Place = tuple[float, float, float]


class Part(NamedTuple):
    """A block by its lower corner and size, or an upright cylinder by its lower end."""

    name: str
    shape: str
    at: Place
    size: tuple[float, ...]

    @property
    def low(self) -> Place:
        x, y, z = self.at
        half = self.size[0] / 2 if self.shape == "tube" else 0
        return x - half, y - half, z

    @property
    def high(self) -> Place:
        if self.shape == "tube":
            x, y, z = self.at
            half = self.size[0] / 2
            return x + half, y + half, z + self.size[1]
        (x, y, z), (wide, deep, tall) = self.at, self.size
        return x + wide, y + deep, z + tall


class Box(NamedTuple):
    """What a variant tells of itself; the lid's parts are in the lid's own coordinates."""

    width: float
    depth: float
    front: float
    tilt: float
    wall: float
    rear: float
    """How far the back wall leans forward with each mm of height."""
    lid: list[Part]
    inside: list[Part]
    told: dict[str, list[tuple[float, ...]]]


def scad(name: str) -> bytes:
    """A source and all that it includes."""
    text = (SOURCES / f"{name}.scad").read_bytes()
    included = re.findall(rb"^include <(\w+)\.scad>", text, re.M)
    return b"".join([text, *(scad(other.decode()) for other in included)])


def digest() -> str:
    """A hash of what the answers were made from."""
    return hashlib.sha256(b"".join(map(scad, ("box", "stand", "die")))).hexdigest()


def ask() -> str:
    """The kept text: OpenSCAD's answers for every variant."""
    lines = [f"made from {digest()}"]
    for variant in EVERY:
        lines.append(f"variant {variant.name}")
        settings = [word for setting in variant.settings for word in ("-D", setting)]
        command = ["openscad", "-o", "-", "--export-format", "echo", "-D", 'part="report"']
        done = subprocess.run(
            [*command, *settings, str(SOURCES / f"{variant.source}.scad")],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0 or "ECHO" not in done.stdout:
            raise SystemExit(f"openscad cannot report {variant.name}: {done.stderr[-300:]}")
        lines += [line.removeprefix("ECHO: ") for line in done.stdout.splitlines() if line]
    return "\n".join(lines) + "\n"


def read(text: str) -> dict[str, Box]:
    """The kept text as boxes, by the variant's name."""
    found = {}
    for part in text.split("variant ")[1:]:
        name, *lines = part.splitlines()
        told: dict[str, list[tuple[float, ...]]] = {}
        parts: dict[str, list[Part]] = {"LID": [], "INSIDE": []}
        for line in lines:
            what, *rest = ast.literal_eval(f"({line})")
            if what in parts:
                label, shape, at, size = rest[0]
                parts[what].append(Part(label, shape, tuple(at), tuple(size)))
            else:
                told.setdefault(what, []).append(tuple(rest))
        [numbers] = told["BOX"]
        width, depth, front, tilt, wall, rear = numbers
        lid, inside = parts["LID"], parts["INSIDE"]
        found[name] = Box(width, depth, front, tilt, wall, rear, lid, inside, told)
    return found


def clashes(box: Box) -> list[str]:
    """Every two parts that overlap, and every part that sticks out of the box."""
    told = [
        f"{a.name} and {b.name}"
        for a, b in itertools.combinations(box.lid, 2)
        if not _belong(a, b) and _meet(a, b)
    ]
    for part in box.lid:
        told += [f"{part.name} and {other.name}" for other in box.inside if _lean(box, part, other)]
        if part.name != "boss" and not _within(box, part, _side(box, part)):
            told.append(f"{part.name} and the walls")
    told += [f"{part.name} and the walls" for part in box.inside if not _stands(box, part)]
    return told


def _belong(a: Part, b: Part) -> bool:
    """A button and its nut, a screen's board and its plugs: one thing in two parts."""
    return a.name.split()[0] == b.name.split()[0] or {a.name, b.name} == {"button", "nut"}


def _meet(a: Part, b: Part) -> bool:
    if min(a.high[2], b.high[2]) - max(a.low[2], b.low[2]) <= TOUCH:
        return False
    if a.shape == b.shape == "tube":
        return math.dist(a.at[:2], b.at[:2]) < (a.size[0] + b.size[0]) / 2
    if a.shape == b.shape == "box":
        return all(min(a.high[n], b.high[n]) > max(a.low[n], b.low[n]) for n in (0, 1))
    block, tube = (a, b) if a.shape == "box" else (b, a)
    gaps = [max(block.low[n] - tube.at[n], tube.at[n] - block.high[n], 0.0) for n in (0, 1)]
    return math.hypot(*gaps) < tube.size[0] / 2


Flat = tuple[float, float]


def _side(box: Box, part: Part) -> list[Flat]:
    """A part of the lid seen from the side, y and z in the box's own coordinates."""
    turn = math.radians(box.tilt)
    return [
        (
            y * math.cos(turn) - z * math.sin(turn),
            box.front + y * math.sin(turn) + z * math.cos(turn),
        )
        for y in (part.low[1], part.high[1])
        for z in (part.low[2], part.high[2])
    ]


def _within(box: Box, part: Part, side: list[Flat]) -> bool:
    """Whether a part, seen from the side, lies between the walls and above the floor."""
    across = box.wall <= part.low[0] and part.high[0] <= box.width - box.wall
    back = box.depth - box.wall * math.hypot(1, box.rear)
    return across and all(
        box.wall - 0.01 <= y <= back - box.rear * z and z >= box.wall for y, z in side
    )


def _stands(box: Box, part: Part) -> bool:
    """Whether a part on the floor lies between the walls, or in an opening of the back wall."""
    for x, z, wide, tall in box.told.get("OPEN", ()):
        if (
            x <= part.low[0]
            and part.high[0] <= x + wide
            and z <= part.low[2]
            and part.high[2] <= z + tall
        ):
            return True
    return _within(box, part, _profile(part))


def _profile(part: Part) -> list[Flat]:
    """A part on the floor seen from the side."""
    return [(y, z) for y in (part.low[1], part.high[1]) for z in (part.low[2], part.high[2])]


def _lean(box: Box, part: Part, other: Part) -> bool:
    """Whether a part of the lid meets one that stands in the box: no line parts them."""
    if min(part.high[0], other.high[0]) <= max(part.low[0], other.low[0]):
        return False
    mine, theirs = _side(box, part), _profile(other)
    turn = math.radians(box.tilt)
    for axis in ((1.0, 0.0), (0.0, 1.0), (math.cos(turn), math.sin(turn)),
                 (-math.sin(turn), math.cos(turn))):  # fmt: skip
        first, second = _spread(mine, axis), _spread(theirs, axis)
        if first[1] <= second[0] or second[1] <= first[0]:
            return False
    return True


def _spread(points: list[Flat], axis: Flat) -> Flat:
    along = [y * axis[0] + z * axis[1] for y, z in points]
    return min(along), max(along)


def spare(box: Box) -> Iterator[tuple[str, float]]:
    """How much room is left below the deepest parts of the lid, straight down to the floor."""
    for part in box.lid:
        if part.name != "boss":
            yield part.name, min(z for _, z in _side(box, part)) - box.wall

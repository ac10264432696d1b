"""The enclosures: OpenSCAD makes STL files and pictures of them; a look at what it made."""

import hashlib
import math
import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from companion.screens import maps, shapes
from hardware.builds import HOLES, PLATE, build
from hardware.fits import SOURCES, VARIANTS, scad
from hardware.magnets import magnet

SIZE = "1200,900"
BED, BRIDGE = 180.0, 20.0
"""mm: the smallest usual printer, and the longest bridge that prints well without support."""


class Solid(NamedTuple):
    """A part to print: file name, source and parameters."""

    name: str
    source: str
    settings: tuple[str, ...]


class View(NamedTuple):
    """A picture: the same, the two solids it shows, and where the camera stands."""

    name: str
    source: str
    settings: tuple[str, ...]
    shown: tuple[str, str]
    camera: str


SHAPES = ("block", "frame", "plus", "cross")
"""The pieces' shapes, as the box's screen draws them; which colour has which is in `maps`."""


def colours_of(shape: str) -> tuple[str, ...]:
    """The colours that have a shape."""
    return tuple(colour for colour, n in shapes.SHAPE_OF.items() if n == SHAPES.index(shape))


def shape_rows(shape: str) -> tuple[str, ...]:
    """A shape in dots of the screen, `#` for lit."""
    picture = maps.shape(colours_of(shape)[0], 5)
    return tuple(
        "".join("#" if picture.getpixel((x, y)) else "." for x in range(5)) for y in range(5)
    )


def _listed(values: Iterable[object]) -> str:
    return "[" + ", ".join(str(value) for value in values) + "]"


def _rows(shape: str) -> str:
    return _listed(f'"{row}"' for row in shape_rows(shape))


def _boxes() -> Iterator[Solid]:
    for pi in ("zero", "full"):
        yield Solid(f"box-{pi}-body", "box", ('part="body"', f'pi="{pi}"'))
    for variant in VARIANTS:
        end = "-roll" if variant.roll else ""
        name = f"box-{variant.pi}-lid-{variant.oled}{end}"
        yield Solid(name, "box", ('part="lid"', *variant.settings))
    yield Solid("box-screen-clips", "box", ('part="clips"',))


def _pieces() -> Iterator[Solid]:
    """Pawns and what helps to make them, for each spacing."""
    for one in (build("b"), build("c")):
        which = magnet(one)
        sizes = (f"base={one.pawn:g}", f"magnet=[{which.diameter:g}, {which.thickness:g}]")
        for shape in SHAPES:
            yield Solid(f"pawn-{one.pawn:g}-{shape}", "pawn", (f"rows={_rows(shape)}", *sizes))
        yield Solid(f"pawn-{one.pawn:g}-jig", "tools", ('part="pawn-jig"', *sizes))
        drill = (f"pitch={one.pitch:g}", f"hole={HOLES['reed']:g}")
        yield Solid(f"drilling-jig-{one.pitch:g}", "tools", ('part="jig"', *drill))
    yield Solid("pico-cradle", "tools", ('part="cradle"',))
    yield Solid("coupon", "tools", ('part="coupon"', f"plate={PLATE:g}"))


SOLIDS = (
    *_boxes(),
    Solid("die-shell", "die", ('part="shell"',)),
    Solid("die-bottom", "die", ('part="bottom"',)),
    *(
        Solid(f"stand-{oled}", "stand", ('part="stand"', f'oled="{oled}"'))
        for oled in ("0.96", "1.3")
    ),
    *_pieces(),
)
BOX, ROLL_BOX = ("box-zero-body", "box-zero-lid-1.3"), ("box-zero-body", "box-zero-lid-1.3-roll")
LARGE_BOX = ("box-zero-body", "box-zero-lid-2.42-roll")
DIE, STAND = ("die-bottom", "die-shell"), ("stand-1.3", "stand-1.3")
SET = (
    'part="set"',
    f"shapes={_listed(map(_rows, SHAPES))}",
    'colours=["#c9362e", "#2f8b4f", "#f0b41c", "#2a62b4"]',
)
USUAL = 'oled="1.3"'
VIEWS = (
    View("box-roll", "box", (USUAL,), ROLL_BOX, "65,46,22,55,0,25,400"),
    View("box", "box", (USUAL, "roll_button=false"), BOX, "65,46,22,55,0,25,400"),
    View("box-large", "box", ('oled="2.42"',), LARGE_BOX, "65,46,22,55,0,25,400"),
    View("box-open", "box", (USUAL, 'part="open"'), ROLL_BOX, "65,46,60,62,0,25,560"),
    View("box-lid", "box", (USUAL, 'part="under"'), ROLL_BOX, "65,-47,12,48,0,20,400"),
    View(
        "box-lid-large", "box", ('oled="2.42"', 'part="under"'), LARGE_BOX, "65,-47,12,48,0,20,400"
    ),
    View("box-back", "box", (USUAL, "roll_button=false"), BOX, "65,46,22,62,0,205,400"),
    View("die", "die", (), DIE, "56,36,20,52,0,-28,350"),
    View("die-open", "die", ('part="open"',), DIE, "56,36,45,62,0,-28,460"),
    View("stand", "stand", (USUAL,), STAND, "50,43,32,68,0,28,350"),
    View("stand-back", "stand", (USUAL,), STAND, "50,43,32,62,0,208,350"),
    View("pawns", "pawn", SET, STAND, "30,0,10,62,0,12,165"),
    View("tools", "tools", (), STAND, "58,48,10,50,0,25,360"),
)


MEASURED = "hardware/enclosure/solids.txt"


def origin(solid: Solid) -> str:
    """A hash of what a solid is made from."""
    return hashlib.sha256(scad(solid.source) + repr(solid).encode()).hexdigest()


def make_solids(folder: Path) -> None:
    """Write every STL file, several at a time; one made from the same before is left as it is."""
    folder.mkdir(parents=True, exist_ok=True)
    note = folder / ".made-from"
    before = dict(line.split() for line in note.read_text().splitlines()) if note.exists() else {}
    stale = [
        solid
        for solid in SOLIDS
        if before.get(solid.name) != origin(solid) or not (folder / f"{solid.name}.stl").exists()
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        making = [(solid, pool.submit(_make_solid, solid, folder)) for solid in stale]
        for solid, done in making:
            done.result()
            before[solid.name] = origin(solid)  # noted one by one: whoever is interrupted goes on
            note.write_text("".join(f"{name} {digest}\n" for name, digest in before.items()))


def _make_solid(solid: Solid, folder: Path) -> None:
    path = folder / f"{solid.name}.stl"
    _make(solid, path)
    sort_facets(path)


def measured(folder: Path) -> str:
    """A line for every solid: what it was made from, its size, its longest bridge, its weight."""
    lines = ["# Solid, hash of its source, size in mm, longest bridge in mm, grams of PLA if full."]
    for solid in SOLIDS:
        path = folder / f"{solid.name}.stl"
        found = [[tuple(map(float, corner)) for corner in facet] for facet in facets(path)]
        corners = [corner for facet in found for corner in facet]
        size = [max(c[n] for c in corners) - min(c[n] for c in corners) for n in range(3)]
        grams = sum(_six_volumes(*facet) for facet in found) / 6 * 1.24e-3
        lines.append(
            f"{solid.name} {origin(solid)} {' x '.join(f'{length:.1f}' for length in size)} "
            f"{longest_bridge(path):.1f} {grams:.1f}"
        )
    return "\n".join(lines) + "\n"


def _six_volumes(a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...]) -> float:
    """Six times the volume between a triangle and the origin."""
    return (
        a[0] * (b[1] * c[2] - b[2] * c[1])
        - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
    )


def make_views(folder: Path) -> None:
    """Write every picture of the solids made before; without a screen, in a virtual one."""
    for view in VIEWS:
        made = ", ".join(f'"{folder.resolve() / name}.stl"' for name in view.shown)
        options = (
            f"--imgsize={SIZE}",
            f"--camera={view.camera}",
            "--colorscheme=Tomorrow",
            "-D",
            f"made=[{made}]",
        )
        _make(view, folder / f"{view.name}.png", *options)


def _make(what: Solid | View, path: Path, *options: str) -> None:
    settings = [word for setting in what.settings for word in ("-D", setting)]
    command = [
        "openscad",
        "-o",
        str(path),
        *settings,
        *options,
        str(SOURCES / f"{what.source}.scad"),
    ]
    if isinstance(what, View) and not os.environ.get("DISPLAY") and shutil.which("xvfb-run"):
        command = ["xvfb-run", "-a", *command]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    words = done.stderr.splitlines()
    faults = [line for line in words if line.startswith(("WARNING", "ERROR"))]
    if done.returncode != 0 or faults:
        told = "; ".join(faults or words[-3:])
        raise SystemExit(f"openscad could not make {path.name} from {what.source}.scad: {told}")


Corner = tuple[str, ...]


def facets(path: Path) -> list[tuple[Corner, Corner, Corner]]:
    """The triangles of a text STL file, corners as written."""
    corners = [
        tuple(line.split()[1:])
        for line in path.read_text(encoding="ascii").splitlines()
        if line.lstrip().startswith("vertex")
    ]
    return [(corners[n], corners[n + 1], corners[n + 2]) for n in range(0, len(corners), 3)]


_FACET = re.compile(
    r"facet normal (.*?)\n.*?vertex (.*?)\n.*?vertex (.*?)\n.*?vertex (.*?)\n", re.S
)


def sort_facets(path: Path) -> None:
    """Put the triangles in order: OpenSCAD writes the same ones, but in another order each time."""
    found = []
    for normal, *corners in _FACET.findall(path.read_text(encoding="ascii")):
        first = corners.index(min(corners))
        found.append((*corners[first:], *corners[:first], normal))
    lines = [f"solid {path.stem}"]
    for a, b, c, normal in sorted(found):
        lines += [f"  facet normal {normal}", "    outer loop"]
        lines += [f"      vertex {corner}" for corner in (a, b, c)]
        lines += ["    endloop", "  endfacet"]
    path.write_text("\n".join([*lines, f"endsolid {path.stem}", ""]), encoding="ascii")


def faults(path: Path) -> list[str]:
    """What would stop a printer: holes in the surface, a part too large, a bridge too long."""
    edges: Counter[tuple[Corner, Corner]] = Counter()
    found = facets(path)
    for a, b, c in found:
        edges.update([(a, b), (b, c), (c, a)])
    told = []
    if any(edges[start, end] != edges[end, start] for start, end in edges):
        told.append(f"{path.name}: the surface is not closed")
    for axis, name in enumerate("xyz"):
        values = [float(corner[axis]) for facet in found for corner in facet]
        if max(values) - min(values) > BED:
            told.append(f"{path.name}: too large for a printer of {BED:g} mm along {name}")
    if told:
        return told
    longest = longest_bridge(path)
    if longest > BRIDGE:
        told.append(f"{path.name}: a bridge of {longest:.0f} mm without support")
    return told


# Bridges: undersides that hang in the air, and how far it is from one support to the next

CELL, LEDGE = 0.5, 2.0
"""mm: how finely undersides are looked at, and how far one may stick out with a loose end."""
WAYS = (0.0, math.pi / 4, math.pi / 2, 3 * math.pi / 4)
"""Directions in which every bridge is tried."""
Flat = tuple[float, float]
Spot = tuple[int, int]


def longest_bridge(path: Path) -> float:
    """The longest way that plastic must span in the air, in mm; endless where one end is loose."""
    solid = [[tuple(map(float, corner)) for corner in facet] for facet in facets(path)]
    floor = min(corner[2] for facet in solid for corner in facet)
    levels: dict[float, list[list[Flat]]] = {}
    for facet in solid:
        heights = {round(corner[2], 3) for corner in facet}
        flat = [(corner[0], corner[1]) for corner in facet]
        if len(heights) == 1 and _turn(flat) < 0 and (height := heights.pop()) > floor + 0.1:
            levels.setdefault(height, []).append(flat)
    return max((_span(solid, level, hung) for level, hung in levels.items()), default=0.0)


def _turn(points: list[Flat]) -> float:
    """Twice the area of a triangle; below 0 it faces down."""
    (ax, ay), (bx, by), (cx, cy) = points
    return (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)


def _span(solid: list[list[tuple[float, ...]]], level: float, hung: list[list[Flat]]) -> float:
    """The longest bridge of one level: for each dot the shortest way across from hold to hold."""
    below = _cut_at(solid, level - 0.05)
    air = {spot for triangle in hung for spot in _dots(triangle)} - below
    edges = sorted({round(angle, 1): angle for angle in _edges(hung)}.values())
    longest = 0.0
    for spot in air:
        across = _across(air, below, spot, WAYS)
        if across > BRIDGE:  # as a slicer does: along the walls that it hangs between
            across = _across(air, below, spot, edges)
        longest = max(longest, across)
    return longest


def _edges(hung: list[list[Flat]]) -> Iterator[float]:
    """The directions of the edges of what hangs in the air, from 0 to half a turn."""
    for triangle in hung:
        for (x1, y1), (x2, y2) in zip(triangle, [*triangle[1:], triangle[0]], strict=True):
            if math.hypot(x2 - x1, y2 - y1) > LEDGE:
                yield math.atan2(y2 - y1, x2 - x1) % math.pi


def _across(air: set[Spot], below: set[Spot], spot: Spot, ways: Iterable[float]) -> float:
    """The shortest way across from hold to hold through a dot; 0 if it is near a hold."""
    shortest = math.inf
    for angle in ways:
        ends = [_reach(air, below, spot, turned) for turned in (angle, angle + math.pi)]
        if (min(ends) + 1) * CELL <= LEDGE:
            return 0.0
        shortest = min(shortest, (sum(ends) + 1) * CELL)
    return shortest


def _reach(air: set[Spot], below: set[Spot], start: Spot, angle: float) -> float:
    """How many dots hang in the air before the next support; endless if there is none."""
    dx, dy = math.cos(angle), math.sin(angle)
    for count in range(1, 400):
        x, y = round(start[0] + count * dx), round(start[1] + count * dy)
        if (x, y) in air:
            continue
        beside = {(x, y), (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}
        if below & beside:
            return count - 1
        if not air & beside:  # edges that lean are stairs of dots: one dot beside it is still on it
            return math.inf
    return math.inf


def _dots(triangle: list[Flat]) -> Iterator[Spot]:
    """The dots whose middles lie in a triangle."""
    ys = [y for _, y in triangle]
    for row in range(math.ceil(min(ys) / CELL - 0.5), math.floor(max(ys) / CELL - 0.5) + 1):
        y = (row + 0.5) * CELL
        xs = _crossed([(triangle[n], triangle[(n + 1) % 3]) for n in range(3)], y)
        for left, right in zip(xs[::2], xs[1::2], strict=False):
            first, last = math.ceil(left / CELL - 0.5), math.floor(right / CELL - 0.5)
            yield from ((column, row) for column in range(first, last + 1))


def _crossed(lines: Iterable[tuple[Flat, Flat]], y: float) -> list[float]:
    """Where lines cross a level line, from left to right."""
    return sorted(
        x1 + (y - y1) / (y2 - y1) * (x2 - x1)
        for (x1, y1), (x2, y2) in lines
        if (y1 <= y) != (y2 <= y)
    )


def _cut_at(solid: list[list[tuple[float, ...]]], height: float) -> set[Spot]:
    """The dots inside the solid at a height."""
    lines = []
    for facet in solid:
        ends = []
        for n in range(3):
            (x1, y1, z1), (x2, y2, z2) = facet[n], facet[(n + 1) % 3]
            if (z1 <= height) != (z2 <= height):
                part = (height - z1) / (z2 - z1)
                ends.append((x1 + part * (x2 - x1), y1 + part * (y2 - y1)))
        if len(ends) == 2:
            lines.append((ends[0], ends[1]))
    rows: dict[int, list[tuple[Flat, Flat]]] = {}
    for line in lines:
        low, high = sorted((line[0][1], line[1][1]))
        for row in range(math.ceil(low / CELL - 0.5), math.floor(high / CELL - 0.5) + 1):
            rows.setdefault(row, []).append(line)
    inside: set[Spot] = set()
    for row, found in rows.items():
        xs = _crossed(found, (row + 0.5) * CELL)
        for left, right in zip(xs[::2], xs[1::2], strict=False):
            first, last = math.ceil(left / CELL - 0.5), math.floor(right / CELL - 0.5)
            inside.update((column, row) for column in range(first, last + 1))
    return inside

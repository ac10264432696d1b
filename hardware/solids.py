"""The enclosures: OpenSCAD makes STL files and pictures of them; a look at what it made."""

import os
import re
import shutil
import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from hardware.builds import ROOT

SOURCES = ROOT / "hardware" / "enclosure"
SIZE = "1200,900"


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


SOLIDS = (
    Solid("box-zero-body", "box", ('part="body"',)),
    Solid("box-zero-lid-roll", "box", ('part="lid"',)),
    Solid("box-zero-lid", "box", ('part="lid"', "roll_button=false")),
    Solid("box-full-body", "box", ('part="body"', 'pi="full"')),
    Solid("box-full-lid-roll", "box", ('part="lid"', 'pi="full"')),
    Solid("box-full-lid", "box", ('part="lid"', 'pi="full"', "roll_button=false")),
    Solid("die-shell", "die", ('part="shell"',)),
    Solid("die-bottom", "die", ('part="bottom"',)),
)
BOX, ROLL_BOX = ("box-zero-body", "box-zero-lid"), ("box-zero-body", "box-zero-lid-roll")
DIE = ("die-bottom", "die-shell")
VIEWS = (
    View("box-roll", "box", (), ROLL_BOX, "65,46,22,55,0,25,400"),
    View("box", "box", ("roll_button=false",), BOX, "65,46,22,55,0,25,400"),
    View("box-open", "box", ('part="open"',), ROLL_BOX, "65,46,60,62,0,25,560"),
    View("box-lid", "box", ('part="under"',), ROLL_BOX, "65,-47,12,48,0,20,400"),
    View("box-back", "box", ("roll_button=false",), BOX, "65,46,22,62,0,205,400"),
    View("die", "die", (), DIE, "56,36,20,52,0,-28,350"),
    View("die-open", "die", ('part="open"',), DIE, "56,36,45,62,0,-28,460"),
)


def make_solids(folder: Path) -> None:
    """Write every STL file, several at a time."""
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in [pool.submit(_make, solid, folder / f"{solid.name}.stl") for solid in SOLIDS]:
            done.result()
    for solid in SOLIDS:
        sort_facets(folder / f"{solid.name}.stl")


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
    """What would stop a printer: holes in the surface, or a part too large for its bed."""
    edges: Counter[frozenset[Corner]] = Counter()
    found = facets(path)
    for a, b, c in found:
        edges.update([frozenset((a, b)), frozenset((b, c)), frozenset((c, a))])
    told = []
    if any(count % 2 for count in edges.values()):
        told.append(f"{path.name}: the surface is not closed")
    for axis, name in enumerate("xyz"):
        values = [float(corner[axis]) for facet in found for corner in facet]
        if max(values) - min(values) > 180:
            told.append(f"{path.name}: too large for a printer of 180 mm along {name}")
    return told

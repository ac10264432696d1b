"""Everything that is made, by path: texts and prints in Python, the rest with other programs."""

import hashlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from hardware import bom, figures, pages, solids, svg, templates, wiring
from hardware.builds import BUILDS, ROOT
from hardware.overlay import overlay
from hardware.prints import PAPERS, pdf
from hardware.shapes import Drawing

PICTURES = "docs/build/pictures"
ORIGINS = f"{PICTURES}/made-from.txt"
BUILT = "build/hardware"


def kept() -> dict[str, str]:
    """Texts that stay in the repository, by path: wiring, lists of parts, pages, drawings."""
    found = {
        f"hardware/wiring/{diagram.name}.yml": wiring.source(diagram)
        for diagram in wiring.diagrams()
    }
    for one in BUILDS:
        found[f"hardware/bom/{one.stem}.csv"] = bom.csv_text(one)
        found[f"docs/build/{one.stem}.md"] = pages.page(one)
        for name in one.boards:
            found[f"{PICTURES}/board-{name}.svg"] = svg.text_of(overlay(name))
        name = one.boards[0]
        found[f"{PICTURES}/underside-{name}.svg"] = svg.text_of(templates.underside(name))
        found[f"{PICTURES}/columns-{name}.svg"] = svg.text_of(templates.columns(name))
    found[f"{PICTURES}/cell.svg"] = svg.text_of(figures.cell())
    found[f"{PICTURES}/section.svg"] = svg.text_of(figures.section())
    found[f"{PICTURES}/poles.svg"] = svg.text_of(figures.poles())
    return found


def prints() -> dict[str, Callable[[], bytes]]:
    """Files below build/hardware/ that need no other program, each with what makes it."""
    found: dict[str, Callable[[], bytes]] = {}
    for stem, sheet in _sheets():
        found[f"boards/{stem}.svg"] = partial(_svg, sheet)
        for paper in PAPERS:
            found[f"boards/{stem}-{paper}.pdf"] = partial(_pdf, sheet, paper)
    for one in BUILDS:
        for option in one.options:
            name = one.boards[0]
            cut = partial(templates.laser, name, option)
            found[f"boards/laser-{name}-{option}.svg"] = partial(_svg, cut)
    return found


Sheet = Callable[[], Drawing]


def _svg(sheet: Sheet) -> bytes:
    return svg.text_of(sheet()).encode()


def _pdf(sheet: Sheet, paper: str) -> bytes:
    return pdf(sheet(), paper)


def _sheets() -> Iterator[tuple[str, Sheet]]:
    for one in BUILDS:
        for name in one.boards:
            yield f"board-{name}", partial(overlay, name)
        name = one.boards[0]
        yield f"drill-{name}", partial(templates.drill, name)
        yield f"underside-{name}", partial(templates.underside, name)
        yield f"columns-{name}", partial(templates.columns, name)


def drawn() -> dict[str, str]:
    """Pictures that other programs draw and the repository keeps, each with a hash of its source.

    Their bytes depend on the programs' versions and the fonts, so a test cannot draw them
    anew; the hash tells whether one is out of date.
    """
    found = {}
    for diagram in wiring.diagrams():
        source = wiring.source(diagram).encode()
        found[f"{PICTURES}/wiring-{diagram.name}.svg"] = hashlib.sha256(source).hexdigest()
    for view in solids.VIEWS:
        parts = [
            (solids.SOURCES / name).read_bytes() for name in (f"{view.source}.scad", "common.scad")
        ]
        parts.append(repr(view).encode())
        found[f"{PICTURES}/{view.name}.png"] = hashlib.sha256(b"".join(parts)).hexdigest()
    return found


def built() -> list[str]:
    """Every file below build/hardware/, in order."""
    names = list(prints())
    for diagram in wiring.diagrams():
        names += [f"wiring/{diagram.name}.svg", f"wiring/{diagram.name}.png"]
    names += [f"enclosure/{solid.name}.stl" for solid in solids.SOLIDS]
    names += [f"enclosure/{view.name}.png" for view in solids.VIEWS]
    names += [f"bom/{one.stem}.csv" for one in BUILDS]
    return sorted(names)


def write_kept(root: Path = ROOT) -> None:
    """Write the texts that stay."""
    for name, text in kept().items():
        _write(root / name, text.encode())


def write_built(out: Path) -> None:
    """Make everything below build/hardware/."""
    for name, make in prints().items():
        _write(out / name, make())
    for one in BUILDS:
        _write(out / "bom" / f"{one.stem}.csv", bom.csv_text(one).encode())
    draw_wiring(out / "wiring")
    solids.make_solids(out / "enclosure")
    solids.make_views(out / "enclosure")
    faults = [
        told
        for solid in solids.SOLIDS
        for told in solids.faults(out / "enclosure" / f"{solid.name}.stl")
    ]
    if faults:
        raise SystemExit("\n".join(faults))


def draw_wiring(folder: Path) -> None:
    """Draw every diagram with WireViz, which needs Graphviz."""
    from wireviz import wireviz

    folder.mkdir(parents=True, exist_ok=True)
    for diagram in wiring.diagrams():
        wireviz.parse(
            wiring.source(diagram),
            output_formats=("svg", "png"),
            output_dir=folder,
            output_name=diagram.name,
        )


def keep_pictures(out: Path, root: Path = ROOT) -> None:
    """Copy the pictures that the pages show, and note what they were made from."""
    origins = drawn()
    for name in origins:
        stem = Path(name).name
        place = (
            out / "wiring" / stem.removeprefix("wiring-")
            if stem.startswith("wiring-")
            else out / "enclosure" / stem
        )
        _write(root / name, place.read_bytes())
    lines = [f"{digest}  {Path(name).name}" for name, digest in sorted(origins.items())]
    head = "# Each picture that another program drew, with the SHA-256 of what it was drawn from."
    _write(root / ORIGINS, "\n".join([head, *lines, ""]).encode())


def sums(out: Path) -> str:
    """The SHA-256 of every file made, as `sha256sum` writes it."""
    return "".join(
        f"{hashlib.sha256((out / name).read_bytes()).hexdigest()}  {name}\n" for name in built()
    )


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != data:
        path.write_bytes(data)

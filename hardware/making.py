"""Everything that is made, by path: texts and prints in Python, the rest with other programs."""

import hashlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from hardware import (
    bom,
    figures,
    first,
    first_pages,
    fits,
    hookup,
    pages,
    solids,
    stand,
    svg,
    templates,
    wiring,
)
from hardware.builds import BUILDS, ROOT
from hardware.overlay import overlay
from hardware.prints import PAPERS, pdf
from hardware.shapes import Drawing

PICTURES = "docs/build/pictures"
SHEETS = "docs/build/sheets"
ORIGINS = f"{PICTURES}/made-from.txt"
BUILT = "build/hardware"


def kept() -> dict[str, str]:
    """Texts that stay in the repository, by path: wiring, lists of parts, pages, drawings."""
    found = {
        f"hardware/wiring/{diagram.name}.yml": wiring.source(diagram) for diagram in diagrams()
    }
    for diagram in diagrams():
        for what, drawing in hookup.pictures(diagram):
            found[f"{PICTURES}/{what}-{diagram.name}.svg"] = svg.text_of(drawing)
    found[f"{PICTURES}/joints.svg"] = svg.text_of(hookup.joints())
    found["docs/build/build-0.md"] = first_pages.table_page()
    found["docs/build/card-keypad.md"] = first_pages.cards_page()
    found["docs/build/printed-parts.md"] = first_pages.parts_page()
    found["hardware/bom/build-0.csv"] = bom.list_text(first.lines())
    found["hardware/bom/card-keypad.csv"] = bom.list_text(first.card_lines())
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


def kept_prints() -> dict[str, bytes]:
    """Sheets that stay in the repository: build 0 must not need a computer that makes them."""
    return {f"{SHEETS}/stand-{paper}.pdf": pdf(stand.card(), paper) for paper in ("A4", "Letter")}


def diagrams() -> tuple[wiring.Diagram, ...]:
    """Every diagram, from the first hour to the die."""
    return first.table(), first.cards(), *wiring.diagrams()


def prints() -> dict[str, Callable[[], bytes]]:
    """Files below build/hardware/ that need no other program, each with what makes it."""
    found: dict[str, Callable[[], bytes]] = {}
    for stem, sheet in _sheets():
        found[f"boards/{stem}.svg"] = partial(_svg, sheet)
        for paper in PAPERS:
            found[f"boards/{stem}-{paper}.pdf"] = partial(_pdf, sheet, paper)
    for one in BUILDS:
        name = one.boards[0]
        found[f"boards/cover-{name}.svg"] = partial(_svg, partial(templates.cover, name))
        for option in one.options:
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
    yield "stand", stand.card


def drawn() -> dict[str, str]:
    """Pictures that other programs draw and the repository keeps, each with a hash of its source.

    Their bytes depend on the programs' versions and the fonts, so a test cannot draw them
    again; the hash tells whether one is out of date.
    """
    found = {}
    for view in solids.VIEWS:
        source = fits.scad(view.source) + repr(view).encode()
        found[f"{PICTURES}/{view.name}.png"] = hashlib.sha256(source).hexdigest()
    return found


def built() -> list[str]:
    """Every file below build/hardware/, in order."""
    names = list(prints())
    names += [f"enclosure/{solid.name}.stl" for solid in solids.SOLIDS]
    names += [f"enclosure/{view.name}.png" for view in solids.VIEWS]
    names += [f"bom/{stem}.csv" for stem in _lists()]
    return sorted(names)


def _lists() -> dict[str, str]:
    """Every list of parts, by the beginning of its file's name."""
    found = {"build-0": bom.list_text(first.lines())}
    found["card-keypad"] = bom.list_text(first.card_lines())
    return {**found, **{one.stem: bom.csv_text(one) for one in BUILDS}}


def write_kept(root: Path = ROOT) -> None:
    """Write the texts that stay."""
    for name, text in kept().items():
        _write(root / name, text.encode())
    for name, data in kept_prints().items():
        _write(root / name, data)


def write_built(out: Path) -> None:
    """Make everything below build/hardware/."""
    for name, make in prints().items():
        _write(out / name, make())
    for stem, text in _lists().items():
        _write(out / "bom" / f"{stem}.csv", text.encode())
    solids.make_solids(out / "enclosure")
    solids.make_views(out / "enclosure")
    faults = [
        told
        for solid in solids.SOLIDS
        for told in solids.faults(out / "enclosure" / f"{solid.name}.stl")
    ]
    if faults:
        raise SystemExit("\n".join(faults))


def keep_fits(out: Path, root: Path = ROOT) -> None:
    """Note where everything is in the box, and what the solids measure."""
    _write(root / fits.KEPT, fits.ask().encode())
    _write(root / solids.MEASURED, solids.measured(out / "enclosure").encode())


def keep_pictures(out: Path, root: Path = ROOT) -> None:
    """Copy the pictures that the pages show, and note what they were made from."""
    origins = drawn()
    for name in origins:
        _write(root / name, (out / "enclosure" / Path(name).name).read_bytes())
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

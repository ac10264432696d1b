"""`companion screens`: every screen of the box as pictures, to look at without a box."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from PIL.Image import Image

SCALE = 4
COLUMNS = 6
GAP = 8
BENCH = "bench"
"""Stands for a sheet's name where a board is built and nothing is played."""


@click.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The folder to write to; it is made if need be.",
)
@click.option("--sheet", "sheets", multiple=True, help="Only this sheet; may be given again.")
@click.option("--language", "languages", multiple=True, help="Only this one; may be given again.")
def screens(out: Path, sheets: tuple[str, ...], languages: tuple[str, ...]) -> None:
    """Draw every screen, for every sheet and language, and a contact sheet of them all."""
    from companion.languages import LANGUAGES
    from companion.rules import SHEETS

    for given, known, what in ((sheets, SHEETS, "sheet"), (languages, LANGUAGES, "language")):
        strange = [one for one in given if one not in known]
        if strange:
            there = ", ".join(known)
            raise click.UsageError(f"there is no {what} {strange[0]!r}; there are: {there}")
    try:
        number = _draw_all(out, sheets or (*SHEETS, BENCH), languages or tuple(LANGUAGES))
    except OSError as fault:
        raise click.ClickException(f"cannot write to {out}: {fault.strerror}") from None
    click.echo(f"{number} pictures and contact.png are in {out}")


def _draw_all(out: Path, sheets: tuple[str, ...], languages: tuple[str, ...]) -> int:
    """Write the pictures, and one of all of them side by side."""
    from PIL.Image import Resampling

    out.mkdir(parents=True, exist_ok=True)
    small = []
    for language in languages:
        for sheet in sheets:
            for name, image in _pictures(sheet, language):
                size = (image.width * SCALE, image.height * SCALE)
                large = image.resize(size, Resampling.NEAREST)
                large.save(out / f"{language}-{sheet}-{name}.png")
                small.append(image.convert("L"))
    contact_sheet(small).save(out / "contact.png")
    return len(small)


def _pictures(sheet: str, language: str) -> "Iterator[tuple[str, Image]]":
    from companion.screens import bench
    from companion.screens.bench_samples import bench_samples
    from companion.screens.pictures import picture
    from companion.screens.samples import samples

    if sheet == BENCH:
        for name, scene in bench_samples(language).items():
            yield name, bench.picture(scene)
        return
    for name, view in samples(sheet, language).items():
        yield name, picture(view)


def contact_sheet(images: "list[Image]", columns: int = COLUMNS, scale: int = 2) -> "Image":
    """Pictures side by side on grey."""
    from PIL import Image as Images

    width, height = 128 * scale + GAP, 64 * scale + GAP
    rows = -(-len(images) // columns)
    sheet = Images.new("L", (columns * width + GAP, rows * height + GAP), 96)
    for number, image in enumerate(images):
        row, column = divmod(number, columns)
        large = image.resize((128 * scale, 64 * scale), Images.Resampling.NEAREST)
        sheet.paste(large, (GAP + column * width, GAP + row * height))
    return sheet

"""`python -m hardware`: make the drawings, prints, wiring, lists and enclosures of all builds."""

import shutil
import tempfile
from pathlib import Path

import click

from hardware import making
from hardware.builds import ROOT

NEEDED = {"openscad": "openscad"}


@click.command()
@click.option("--texts", is_flag=True, help="Only the texts that stay in the repository.")
@click.option("--twice", is_flag=True, help="Make everything twice and compare every byte.")
def main(texts: bool, twice: bool) -> None:
    """Make everything of the reference builds from its sources."""
    making.write_kept()
    if texts:
        return
    missing = [package for program, package in NEEDED.items() if shutil.which(program) is None]
    if missing:
        raise click.ClickException(
            f"{' and '.join(missing)} must be installed: `apt install {' '.join(missing)}`"
        )
    out = ROOT / making.BUILT
    making.write_built(out)
    making.keep_pictures(out)
    making.keep_fits(out)
    (out / "SHA256SUMS").write_text(making.sums(out), encoding="ascii")
    names = making.built()
    click.echo(f"{len(names)} files in {making.BUILT}, listed in SHA256SUMS.")
    if twice:
        compare(out, names)


def compare(out: Path, names: list[str]) -> None:
    """Make everything once more elsewhere, and name what differs."""
    with tempfile.TemporaryDirectory() as other:
        making.write_built(Path(other))
        differ = [
            name for name in names if (out / name).read_bytes() != (Path(other) / name).read_bytes()
        ]
    if differ:
        raise click.ClickException(f"made twice, these differ: {', '.join(differ)}")
    click.echo(f"Made twice: all {len(names)} files are the same, byte by byte.")


main()

"""How the package is built: the languages' catalogues are compiled on the way.

Only setuptools (by `tool.setuptools.cmdclass` in pyproject.toml) and `make` use this; it is
loaded by itself, so it imports nothing else of ours, and babel only when it compiles.
"""

from datetime import UTC, datetime
from pathlib import Path

from setuptools.command.build_py import build_py

_NO_DATE = datetime(1970, 1, 1, tzinfo=UTC)
"""The same sentences give the same file, whenever it is made."""
CATALOGUES = Path("companion/screens/catalogues")


def compile_catalogues(sources: Path, target: Path) -> list[Path]:
    """Write a `.mo` under `target` for every `.po` under `sources`, at the same place."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    written = []
    for source in sorted(sources.rglob("*.po")):
        with source.open("rb") as file:
            catalogue = read_po(file)
        catalogue.creation_date = catalogue.revision_date = _NO_DATE
        compiled = target / source.relative_to(sources).with_suffix(".mo")
        compiled.parent.mkdir(parents=True, exist_ok=True)
        with compiled.open("wb") as file:
            write_mo(file, catalogue)
        written.append(compiled)
    return written


class BuildWithCatalogues(build_py):  # type: ignore[misc]  # setuptools has no types
    """Copies the modules as ever, then adds the compiled catalogues.

    An editable install has its modules in the source tree, and the catalogues beside them.
    """

    def run(self) -> None:
        """Build."""
        super().run()
        root = Path() if self.editable_mode else Path(self.build_lib)
        compile_catalogues(CATALOGUES, root / CATALOGUES)


if __name__ == "__main__":
    compile_catalogues(CATALOGUES, CATALOGUES)

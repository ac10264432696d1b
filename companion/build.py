"""How the package is built: the languages' catalogues and the odds' kernel are compiled on the way.

Only setuptools (by `tool.setuptools.cmdclass` in pyproject.toml) and `make` use this; it is
loaded by itself, so it imports nothing else of ours, and babel only when it compiles.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from datetime import UTC, datetime
from pathlib import Path

from setuptools.command.build_py import build_py

_NO_DATE = datetime(1970, 1, 1, tzinfo=UTC)
"""The same sentences give the same file, whenever it is made."""
CATALOGUES = Path("companion/screens/catalogues")
KERNEL = Path("companion/odds/kernel.c")
COMPILERS = {
    "linux-x86_64": ("x86_64-linux-gnu-gcc",),
    "linux-aarch64": ("aarch64-linux-gnu-gcc",),
    "linux-armv7l": ("arm-linux-gnueabihf-gcc",),
}
"""Debian's compilers for the machines that packages are made for."""
FLAGS = ("-std=c11", "-O3", "-shared", "-fPIC", "-s", "-Wall", "-Wextra", "-Werror")


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


def compile_kernel(source: Path, folder: Path, platform: str | None = None) -> Path | None:
    """Compile the odds' kernel for a kind of machine (this one, if not given) into a folder.

    None where there is no compiler for it: the box then plays its games out in Python.
    """
    kind = platform or sysconfig.get_platform()
    own = () if platform and platform != sysconfig.get_platform() else ("cc", "gcc")
    found = [shutil.which(name) for name in (*own, *COMPILERS.get(kind, ()))]
    compiler = next((path for path in found if path), None)
    if compiler is None:
        return None
    target = folder / f"kernel_{kind.replace('-', '_')}.so"
    target.parent.mkdir(parents=True, exist_ok=True)
    made = target.with_suffix(f".{os.getpid()}")
    subprocess.run([compiler, *FLAGS, "-o", str(made), str(source)], check=True)
    # Behind its end stands what it was built from, and that it is whole: a torn library would
    # end the process that opens it.
    content = made.read_bytes() + hashlib.sha256(source.read_bytes()).digest()
    made.write_bytes(content + hashlib.sha256(content).digest())
    made.replace(target)
    return target


class BuildWithCatalogues(build_py):  # type: ignore[misc]  # setuptools has no types
    """Copies the modules as ever, then adds the compiled catalogues, and the kernel if it can.

    An editable install has its modules in the source tree, and what is compiled beside them. A
    library is named by its machine: a wheel may carry those of several, and each box takes its own.
    """

    def run(self) -> None:
        """Build."""
        super().run()
        root = Path() if self.editable_mode else Path(self.build_lib)
        compile_catalogues(CATALOGUES, root / CATALOGUES)
        compile_kernel(KERNEL, root / KERNEL.parent)


def main(arguments: list[str]) -> None:
    """Compile what was changed, for this machine; with `--kernels` for every kind of box."""
    if arguments == ["--kernels"]:
        for platform in COMPILERS:
            made = compile_kernel(KERNEL, KERNEL.parent, platform)
            if made is None:
                sys.exit(f"there is no compiler for {platform}: {COMPILERS[platform][0]}")
        return
    compile_catalogues(CATALOGUES, CATALOGUES)
    compile_kernel(KERNEL, KERNEL.parent)


if __name__ == "__main__":
    main(sys.argv[1:])

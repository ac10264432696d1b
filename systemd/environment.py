"""Makes an environment of the companion from wheels: no pip, no network, no compiler.

    environment.py name WHEELS [FILE ...]   what it is to be called, with these files in it
    environment.py make WHEELS FOLDER       make it

WHEELS is a folder with wheels and a list of them, `wheels.sha256`, in the form of `sha256sum`. Only
what the list names is unpacked, and only if every byte of it is as listed. The list may name
wheels for several Pythons and machines: those that fit this one are taken.
"""

import compileall
import hashlib
import os
import platform
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

LIST = "wheels.sha256"
OURS = "ludo-companion"
FROM_APT = frozenset({"lgpio"})
"""Has wheels for some Pythons only; for the others the system's package serves."""
LARGEST = 200_000_000  # bytes that one wheel may hold


class BadWheels(Exception):  # noqa: N818  # it is said to people, as one sentence
    """Something is wrong with the wheels: which one, and what to do."""


class Wheel(NamedTuple):
    """What a wheel's file name says of it."""

    file: str
    project: str
    version: str
    pythons: tuple[str, ...]
    abis: tuple[str, ...]
    platforms: tuple[str, ...]


class Target(NamedTuple):
    """The Python and machine that an environment is for."""

    minor: int
    machine: str

    @classmethod
    def here(cls) -> "Target":
        """The Python that runs this."""
        return cls(sys.version_info.minor, platform.machine())

    def __str__(self) -> str:
        return f"Python 3.{self.minor} on {self.machine}"


def wheel_of(file: str) -> Wheel:
    """Read a wheel's file name."""
    parts = file.removesuffix(".whl").split("-")
    if not file.endswith(".whl") or len(parts) not in (5, 6) or "/" in file:
        raise BadWheels(f"{file!r} is no name of a wheel")
    project = parts[0].replace("_", "-").replace(".", "-").lower()
    python, abi, where = parts[-3:]
    pythons, abis = tuple(python.split(".")), tuple(abi.split("."))
    return Wheel(file, project, parts[1], pythons, abis, tuple(where.split(".")))


def fits(wheel: Wheel, target: Target) -> bool:
    """Whether a wheel can be used by this Python on this machine."""
    own = f"cp3{target.minor}"
    if any(p.startswith("linux") or p.startswith("manylinux") for p in wheel.platforms):
        there = any(p.endswith(f"_{target.machine}") for p in wheel.platforms)
    else:
        there = "any" in wheel.platforms
    if not there:
        return False
    if "none" in wheel.abis:
        return "py3" in wheel.pythons or own in wheel.pythons
    if "abi3" in wheel.abis:
        return any(_minor(python) <= target.minor for python in wheel.pythons)
    return own in wheel.pythons and own in wheel.abis


def _minor(python: str) -> int:
    digits = python.removeprefix("cp3")
    return int(digits) if digits.isdigit() else sys.maxsize


def read_list(path: Path) -> dict[str, str]:
    """The wheels that a list names, each with its hash."""
    listed = {}
    try:
        lines = path.read_text().splitlines()
    except OSError as fault:
        raise BadWheels(f"there is no list of wheels: {fault}") from None
    for line in lines:
        digest, _, file = line.partition("  ")
        if len(digest) != 64 or not file:
            raise BadWheels(f"{path} has a line that sha256sum did not write: {line!r}")
        listed[file] = digest
    return listed


def make_list(folder: Path, path: Path) -> None:
    """Write down the wheels of a folder."""
    wheels = sorted(folder.glob("*.whl"))
    lines = (f"{hashlib.sha256(wheel.read_bytes()).hexdigest()}  {wheel.name}" for wheel in wheels)
    path.write_text("".join(f"{line}\n" for line in lines))


def chosen(files: Mapping[str, str], target: Target) -> list[Wheel]:
    """One wheel for each project of a list; the one made for just this Python comes first."""
    projects: dict[str, list[Wheel]] = {}
    for wheel in map(wheel_of, files):
        projects.setdefault(wheel.project, []).append(wheel)
    found = []
    for project, wheels in sorted(projects.items()):
        fitting = [wheel for wheel in wheels if fits(wheel, target)]
        if fitting:
            found.append(max(fitting, key=lambda wheel: f"cp3{target.minor}" in wheel.pythons))
        elif project not in FROM_APT:
            raise BadWheels(f"there is no {project} for {target}")
    return found


def name(folder: Path, target: Target, files: Iterable[Path] = ()) -> str:
    """What an environment of these wheels is called: our version, and a digest of all of them
    and of the files that go with them."""
    listed = read_list(folder / LIST)
    wheels = chosen(listed, target)
    digest = hashlib.sha256("".join(listed[one.file] for one in wheels).encode())
    for file in files:
        digest.update(file.read_bytes())
    ours = [wheel.version for wheel in wheels if wheel.project == OURS]
    if not ours:
        raise BadWheels(f"{folder / LIST} does not name the companion itself")
    return f"{ours[0]}-{digest.hexdigest()[:8]}"


def make(folder: Path, environment: Path, target: Target) -> None:
    """Make an environment that sees the system's packages too; raises BadWheels."""
    listed = read_list(folder / LIST)
    wheels = chosen(listed, target)
    for wheel in wheels:
        check(folder / wheel.file, listed[wheel.file])
    subprocess.run(
        [sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", environment],
        check=True,
    )
    site = environment / f"lib/python3.{target.minor}/site-packages"
    for wheel in wheels:
        unpack(folder / wheel.file, site)
    lines = (f"{listed[wheel.file]}  {wheel.file}\n" for wheel in wheels)
    (environment / LIST).write_text("".join(lines))
    program = environment / "bin" / "companion"
    program.write_text(_PROGRAM.format(python=environment / "bin/python"))
    program.chmod(0o755)
    compileall.compile_dir(site, quiet=2)


_PROGRAM = """#!{python}
import sys

from companion.cli import main

if __name__ == "__main__":
    sys.exit(main())
"""


def check(wheel: Path, digest: str) -> None:
    """Whether a wheel is the one that was tested."""
    try:
        with wheel.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as fault:
        raise BadWheels(f"{wheel.name} cannot be read: {fault.strerror}") from None
    if found != digest:
        raise BadWheels(f"{wheel.name} is not the file that was tested: fetch it again")


def unpack(wheel: Path, site: Path) -> None:
    """Put the modules of a wheel into a folder; programs and headers are not needed."""
    with zipfile.ZipFile(wheel) as file:
        if sum(entry.file_size for entry in file.infolist()) > LARGEST:
            raise BadWheels(f"{wheel.name} is far too large")
        for entry in file.infolist():
            place = _place(PurePosixPath(entry.filename))
            if place is None or entry.is_dir():
                continue
            path = site / place
            if not path.resolve().is_relative_to(site.resolve()):
                raise BadWheels(f"{wheel.name} wants to write outside its folder: {place}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.read(entry))


def _place(path: PurePosixPath) -> PurePosixPath | None:
    """Where a file of a wheel goes below site-packages; None if it is not installed."""
    if not path.parts[0].endswith(".data"):
        return path
    if len(path.parts) > 2 and path.parts[1] in ("purelib", "platlib"):
        return PurePosixPath(*path.parts[2:])
    return None


def needs(listed: Mapping[str, str], target: Target) -> Iterator[str]:
    """The wheels that a list names for one Python, in the words of pip."""
    for wheel in chosen(listed, target):
        yield f"{wheel.project}=={wheel.version} --hash=sha256:{listed[wheel.file]}"


def main(words: list[str]) -> None:
    """Do what is asked for, or say in one sentence why not."""
    target = Target.here()
    match words:
        case ["name", folder, *files]:
            sys.stdout.write(f"{name(Path(folder), target, map(Path, files))}\n")
        case ["make", folder, environment]:
            os.umask(0o022)
            make(Path(folder), Path(environment), target)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BadWheels as fault:
        sys.exit(f"environment.py: {fault}")

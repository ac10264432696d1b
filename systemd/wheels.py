"""The wheels that a box gets: listed with their hashes, fetched, and ours built beside them.

    wheels.py lock                        write systemd/wheels.sha256 again, from requirements.txt
    wheels.py fetch FOLDER                what this machine needs, and our own wheel
    wheels.py fetch FOLDER 3.11-aarch64   what another one needs; several may be named

The list is what was tested: a box gets these files, or none. Only `lock` looks for versions,
and it takes those that requirements.txt has.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from environment import LIST, Target, check, chosen, make_list, needs, read_list, unpack

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "companion", "firmware", "hardware/configs")
BUILDERS = "builders.sha256"
"""What our own wheel is built with, listed in the same way."""
KEPT = Path(os.environ.get("KEPT_WHEELS", PROJECT / "build/wheels"))
"""Where wheels that were fetched are kept."""
TARGETS = tuple(Target(minor, machine) for minor in (11, 13) for machine in ("aarch64", "x86_64"))
"""Bookworm's and Trixie's Python, on a Pi and on a desk."""
EXTRAS = ("pi", "cafe")
"""What a box gets besides what everybody needs."""
UNUSED = ("rpi-gpio", "setuptools", "spidev")
"""Never fetched: two come from apt, having no wheels, and one is named by colorzero, which does
not import it."""
MANYLINUX = ("2014", "_2_17", "_2_27", "_2_28", "_2_34")
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")


def pinned(target: Target) -> list[str]:
    """What a box with this Python needs, in the versions of requirements.txt."""
    words = [str(PROJECT / ".venv/bin/uv"), "pip", "compile", "--quiet", "--no-header"]
    words += ["--no-annotate", "--python-version", f"3.{target.minor}", "--python-platform"]
    words += [f"{target.machine}-unknown-linux-gnu", "--constraint", "requirements.txt"]
    words += [word for extra in EXTRAS for word in ("--extra", extra)]
    words += [word for name in UNUSED for word in ("--no-emit-package", name)]
    done = subprocess.run(
        [*words, "pyproject.toml"], cwd=PROJECT, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout.split()


def download(needed: Iterable[str], folder: Path, target: Target) -> None:
    """Fetch wheels for one Python and machine; nothing is built."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.writelines(f"{one}\n" for one in needed)
        file.flush()
        words = [
            *PIP,
            "download",
            "--quiet",
            "--no-deps",
            "--only-binary=:all:",
            "--dest",
            str(folder),
        ]
        if target != Target.here():
            words += ["--implementation", "cp", "--python-version", f"3.{target.minor}"]
            for abi in (f"cp3{target.minor}", "abi3", "none"):
                words += ["--abi", abi]
            for version in MANYLINUX:
                words += ["--platform", f"manylinux{version}_{target.machine}"]
        subprocess.run([*words, "--requirement", file.name], check=True)


def bring(listed: Mapping[str, str], folder: Path, target: Target) -> None:
    """Put the wheels of a list for one target into a folder; what was fetched once is kept."""
    KEPT.mkdir(parents=True, exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {wheel.file: listed[wheel.file] for wheel in chosen(listed, target)}
    missing = {file: digest for file, digest in wanted.items() if not (KEPT / file).exists()}
    if missing:
        download(needs(missing, target), KEPT, target)
    for file, digest in wanted.items():
        check(KEPT / file, digest)
        shutil.copy(KEPT / file, folder)


def lock() -> None:
    """List the wheels that were tested, for every box; and what builds ours."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for target in TARGETS:
            download(pinned(target), folder, target)
        make_list(folder, HERE / LIST)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        versions = (PROJECT / "requirements.txt").read_text().split()
        names = ("babel==", "setuptools==")
        download((one for one in versions if one.startswith(names)), folder, TARGETS[0])
        make_list(folder, HERE / BUILDERS)


def fetch(folder: Path, targets: Sequence[Target]) -> None:
    """Put into a folder what these need, and our own wheel, with a list of it all."""
    folder.mkdir(parents=True, exist_ok=True)
    listed = read_list(HERE / LIST)
    for target in targets:
        bring(listed, folder, target)
    build(folder)
    make_list(folder, folder / LIST)


def build(folder: Path) -> None:
    """Our own wheel, from a copy: building leaves files beside the sources, and the clone is
    not ours. The same sources give the same wheel, to the byte."""
    with tempfile.TemporaryDirectory() as place:
        copy, tools = Path(place) / "copy", Path(place) / "tools"
        listed = read_list(HERE / BUILDERS)
        bring(listed, tools, Target.here())
        for name in SOURCES:
            source = PROJECT / name
            if source.is_dir():
                made = shutil.ignore_patterns("__pycache__", "*.mo", "*.so")
                shutil.copytree(source, copy / name, ignore=made)
            else:
                copy.mkdir(exist_ok=True)
                shutil.copy(source, copy)
        for wheel in sorted(tools.glob("*.whl")):
            check(wheel, listed[wheel.name])
            unpack(wheel, tools)
        subprocess.run(
            [sys.executable, "-c", _BUILD, folder.resolve()],
            cwd=copy,
            check=True,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(tools), "SOURCE_DATE_EPOCH": str(EPOCH)},
        )


EPOCH = 1577836800  # 2020: zip files know no earlier time than 1980
_BUILD = """
import sys
sys.path.insert(0, "")
from companion.build import COMPILERS, KERNEL, compile_kernel
for platform in COMPILERS:  # a library for each machine for which there is a compiler
    compile_kernel(KERNEL, KERNEL.parent, platform)
from setuptools.build_meta import build_wheel
build_wheel(sys.argv[1])
"""


def target_of(text: str) -> Target:
    """A target as the command line names it."""
    version, _, machine = text.partition("-")
    return Target(int(version.removeprefix("3.")), machine)


def main() -> None:
    """Do what the command line asks for."""
    words = argparse.ArgumentParser(prog="wheels.py", description=__doc__)
    words.add_argument("what", choices=("lock", "fetch"))
    words.add_argument("folder", nargs="?", type=Path)
    words.add_argument("targets", nargs="*", type=target_of, help="such as 3.11-aarch64")
    given = words.parse_args()
    if given.what == "lock":
        lock()
    elif given.folder is None:
        words.error("which folder?")
    else:
        fetch(given.folder, given.targets or [Target.here()])


if __name__ == "__main__":
    main()

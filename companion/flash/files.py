"""What belongs on a Pico, and what has to be done to get it there: pure, and the same for all.

A Pico gets only the files of its own role. Values that a builder set there (`SETTINGS`) stay as
they are. What is there already, to the last byte, is not written again.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from companion.link.news import Role

SETTINGS: Mapping[str, tuple[str, ...]] = {
    "die": ("BUTTON", "SHAKE", "PIPS"),
    "board": ("ROWS", "FIRST_COLUMN", "COLUMNS", "LIGHTS", "COLOUR"),
}
"""The names at the top of each `main.py` that belong to the builder, not to the version."""
MAIN = "main.py"
SHARED = "firmware"
_VERSION = re.compile(r'^VERSION = "(.*)"$', re.MULTILINE)


class Work(NamedTuple):
    """What has to be done to a Pico."""

    write: Mapping[str, bytes]
    remove: tuple[str, ...]
    same: int
    """How many files are there already."""

    @property
    def size(self) -> int:
        """Bytes to be written."""
        return sum(map(len, self.write.values()))


def files(role: Role, folder: Path, set_there: Mapping[str, str] | None = None) -> dict[str, bytes]:
    """The files of this role, by their paths on the Pico; from the firmware in this folder."""
    found = {}
    for path in sorted([*folder.glob("*.py"), *(folder / role).glob("*.py")]):
        name = path.relative_to(folder).as_posix()
        text = path.read_text(encoding="utf-8")
        if name == f"{role}/{MAIN}":
            found[MAIN] = with_settings(text, set_there or {}).encode()
        else:
            found[f"{SHARED}/{name}"] = text.encode()
    return found


def settings(role: Role, main: str) -> dict[str, str]:
    """What a `main.py` sets of the values that belong to the builder."""
    found = {}
    for name in SETTINGS[role]:
        line = re.search(rf"^{name} = ([^#\n]*)", main, re.MULTILINE)
        if line is not None:
            found[name] = line[1].strip()
    return found


def with_settings(main: str, values: Mapping[str, str]) -> str:
    """A `main.py` with these values, each in its own line; comments stay."""
    for name, value in values.items():
        main = re.sub(
            rf"^{name} = [^#\n]*?(?=(  #.*)?$)",
            lambda _, line=f"{name} = {value}": line,  # type: ignore[misc]
            main,
            count=1,
            flags=re.MULTILINE,
        )
    return main


def is_ours(main: str) -> bool:
    """Whether a `main.py` is one of ours, of whatever version."""
    return "from firmware." in main


def role_of(main: str) -> Role | None:
    """Which of ours a `main.py` is."""
    if "from firmware.die" in main:
        return "die"
    return "board" if "from firmware.board" in main else None


def version(text: bytes) -> str | None:
    """The version that a file `firmware/__init__.py` tells."""
    found = _VERSION.search(text.decode(errors="replace"))
    return found[1] if found else None


def work(wanted: Mapping[str, bytes], there: Mapping[str, str]) -> Work:
    """What to write and to remove, where `there` has the digest of each file that is there."""
    changed = {
        path: data
        for path, data in wanted.items()
        if there.get(path) != hashlib.sha256(data).hexdigest()
    }
    old = [path for path in there if path.startswith(f"{SHARED}/") and path not in wanted]
    return Work(changed, tuple(sorted(old)), len(wanted) - len(changed))


def folders(paths: Iterable[str]) -> Sequence[str]:
    """The folders that these files need, outer ones first."""
    found = {
        "/".join(parts[:depth])
        for parts in (path.split("/")[:-1] for path in paths)
        for depth in range(1, len(parts) + 1)
    }
    return sorted(found)

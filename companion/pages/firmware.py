"""The firmware's version: a number that people give, and a digest that changes with its files.

So `companion doctor` sees that a Pico runs other files than those of this companion, though
nobody thought of a new number.
"""

import hashlib
import re
from pathlib import Path

NUMBER = "1.1.0"
_LINE = re.compile(r'^VERSION = ".*"$', re.MULTILINE)


def version(folder: Path) -> str:
    """The version that the firmware in this folder should tell."""
    told = hashlib.sha256()
    for file in sorted(folder.rglob("*.py")):
        text = _LINE.sub("", file.read_text(encoding="utf-8"))
        told.update(f"{file.relative_to(folder).as_posix()}\n{text}\n".encode())
    return f"{NUMBER}-{told.hexdigest()[:6]}"


def stamp(folder: Path) -> None:
    """Write that version into the firmware."""
    file = folder / "__init__.py"
    text = file.read_text(encoding="utf-8")
    file.write_text(_LINE.sub(f'VERSION = "{version(folder)}"', text), encoding="utf-8")

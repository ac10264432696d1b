"""The family's own sheets of this box: TOML files in a folder beside its games.

A file is what `rules/family.py` reads and writes, so one can be made by hand as well. Whatever is
wrong with a file is a sentence, and the other sheets are there all the same. Only sheets that were
tried out are offered for a game; the others wait until somebody tries them.
"""

import re
import unicodedata
from pathlib import Path
from typing import NamedTuple

from companion.rules.errors import BadInput
from companion.rules.family import HouseRules, from_toml
from companion.small_files import read_small, write_small

FOLDER = "house-rules"
MOST_SHEETS = 40
LARGEST = 4096
"""Bytes that a file may have."""


class Kept(NamedTuple):
    """What is in the folder: sheets by the name of their file, and what is wrong with others."""

    sheets: dict[str, HouseRules]
    faults: dict[str, str]

    @property
    def offered(self) -> tuple[HouseRules, ...]:
        """The sheets that a game can be played by."""
        return tuple(one for one in self.sheets.values() if one.rolls is not None)

    def called(self, name: str) -> str | None:
        """The file of the sheet of this name."""
        wanted = name.casefold()
        return next((f for f, one in self.sheets.items() if one.name.casefold() == wanted), None)


class HouseSheets:
    """The folder of one box."""

    def __init__(self, beside: Path) -> None:
        self.folder = beside / FOLDER

    def read(self) -> Kept:
        """Everything that is in it now."""
        sheets: dict[str, HouseRules] = {}
        faults: dict[str, str] = {}
        try:
            paths = sorted(path for path in self.folder.iterdir() if path.suffix == ".toml")
        except FileNotFoundError:
            return Kept({}, {})
        except OSError as fault:
            return Kept({}, {self.folder.name: f"cannot be read: {fault.strerror}"})
        for path in paths[:MOST_SHEETS]:
            try:
                rules = read_file(path)
                if rules.name in {one.name for one in sheets.values()}:
                    raise BadInput(f"another file is called {rules.name!r} too: change one name")
                sheets[path.stem] = rules
            except BadInput as fault:
                faults[path.name] = str(fault)
        for path in paths[MOST_SHEETS:]:
            faults[path.name] = f"there are {MOST_SHEETS} sheets already: delete one of them"
        return Kept(sheets, faults)

    def keep(self, rules: HouseRules, instead_of: str = "") -> None:
        """Write a sheet, in the place of another if one is named. Raises BadInput, OSError."""
        kept = self.read()
        old = kept.called(instead_of) if instead_of else None
        if instead_of and old is None:
            raise BadInput(f"there are no house rules called {instead_of!r}")
        same = kept.called(rules.name)
        if same is not None and same != old:
            raise BadInput(f"there are house rules called {rules.name!r} already: choose a name")
        if old is None and len(kept.sheets) + len(kept.faults) >= MOST_SHEETS:
            raise BadInput(f"there are {MOST_SHEETS} sheets already: delete one of them")
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{old or self._free(rules.name)}.toml"
        write_small(path, rules.toml())

    def delete(self, name: str) -> None:
        """Delete the sheet of this name. Raises BadInput, OSError."""
        file = self.read().called(name)
        if file is None:
            raise BadInput(f"there are no house rules called {name!r}")
        (self.folder / f"{file}.toml").unlink()

    def _free(self, name: str) -> str:
        """A name for the file that no other has."""
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        wanted = re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "rules"
        number, found = 1, wanted
        while (self.folder / f"{found}.toml").exists():
            number += 1
            found = f"{wanted}-{number}"
        return found


def read_file(path: Path) -> HouseRules:
    """House rules from a file; raises BadInput with what is wrong with it."""
    try:
        return from_toml(read_small(path, LARGEST).decode("utf-8"))
    except OSError as fault:
        raise BadInput(f"it cannot be read: {fault.strerror or fault}") from None
    except UnicodeDecodeError:
        raise BadInput("it is no text in UTF-8") from None

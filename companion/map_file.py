"""Writes a configuration anew, whole or not at all: with the map of a board, or with a house."""

import os
import stat
from pathlib import Path
from typing import Any

from companion.config import ConfigError


def draft_of(path: Path) -> Path:
    """An empty file beside a configuration, to take its place: with its mode and its owner."""
    draft = path.with_name(f"{path.name}.new")
    old = path.stat()
    draft.touch()
    try:
        os.chown(draft, old.st_uid, old.st_gid)
        draft.chmod(stat.S_IMODE(old.st_mode))
    except OSError:
        draft.unlink()
        raise
    return draft


def must_be_writable(path: Path) -> None:
    """Raises ConfigError at once, not after the first answer, if answers cannot be written."""
    try:
        draft_of(path.resolve()).unlink()
    except OSError as fault:
        raise ConfigError(
            f"{path} cannot be written ({fault.strerror}): run it with sudo, or name a "
            "configuration of your own with --config"
        ) from fault


def with_map(text: str, board: str, lines: list[str]) -> str:
    """A configuration with this map; everything else in it stays, comments too."""
    import tomlkit

    document = tomlkit.parse(text)
    rows = tomlkit.array()
    rows.multiline(True)
    rows.extend(lines)
    section: Any = document["matrix"]
    section["map"] = rows
    if "board" in section:
        section["board"] = board
    return tomlkit.dumps(document)


def write_map(path: Path, board: str, lines: list[str]) -> None:
    """Put a map into a configuration."""
    path = path.resolve()
    write_text(path, with_map(path.read_text(encoding="utf-8-sig"), board, lines))


def write_text(path: Path, text: str) -> None:
    """Write a configuration; its mode and its owner stay."""
    path = path.resolve()
    draft = draft_of(path)
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())  # whole on the disk before it takes the other's place
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)

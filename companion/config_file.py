"""Changes a configuration: what it would be after a change, and the one way to write it down.

Everything that is not changed stays, comments too. Whoever writes, `companion learn`, a page or
root for the service, does so with `write`: only a configuration that can be used takes the place of
another, and only whole.
"""

import contextlib
import os
import stat
from functools import cache
from pathlib import Path
from typing import Any, get_args

from companion.config import ASSUMED, LARGEST, Config, ConfigError, parse
from companion.invitation import Invitation
from companion.orders import Build, ScreenKind
from companion.small_files import read_small_text

BUILDS = Path(__file__).parents[1] / "hardware" / "configs"
"""They come with the companion, in a clone and in its wheel."""
KEPT = ("sounds", "serial", "web", "cafe")
"""Sections that stay when a table is built again: they say nothing of its wires."""


def text_of(path: Path) -> str:
    """The configuration that is there, or what a box without one assumes. Raises OSError."""
    try:
        return read_small_text(path, "utf-8-sig", LARGEST)
    except FileNotFoundError:
        return ASSUMED


# -- what it would be ----------------------------------------------------------------------------


def with_map(text: str, board: str, lines: list[str]) -> str:
    """A configuration with this map of its board."""
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


def with_page(text: str, address: str, pin: str | None) -> str:
    """A configuration whose page listens at this address; without a PIN the one there is stays."""
    import tomlkit

    document = tomlkit.parse(text)
    if "web" not in document:
        document.append("web", tomlkit.table())
    section: Any = document["web"]
    section["address"] = address
    if pin:
        section["pin"] = pin
    return tomlkit.dumps(document)


def with_house(text: str, invitation: Invitation) -> str:
    """A configuration that joins this house, and leaves any other."""
    import tomlkit

    document = tomlkit.parse(text)
    if "cafe" in document:
        document["cafe"] = tomlkit.parse(invitation.toml())["cafe"]
        return tomlkit.dumps(document)
    before = tomlkit.dumps(document)
    return f"{before}{'' if before.endswith(chr(10)) else chr(10)}\n{invitation.toml()}"


def with_build(text: str, build: Build, screen: ScreenKind | None, upside_down: bool) -> str:
    """The configuration of a build, or of what greets; what others set in the old one stays."""
    import tomlkit

    old = tomlkit.parse(text)
    new = tomlkit.parse(build_text(build))
    for name in KEPT:
        if name in old:
            new[name] = old[name]
    if screen == "none":
        new.pop("oled", None)
    elif screen is not None:
        if "oled" not in new:
            new.append("oled", tomlkit.table())
        section: Any = new["oled"]
        section["chip"] = screen
        section["rotation"] = 180 if upside_down else 0
    before: Any = old.get("matrix")
    if before and before.get("map") and _same_board(old, new):
        after: Any = new["matrix"]
        after["map"] = before["map"]
    return tomlkit.dumps(new)


def _same_board(old: Any, new: Any) -> bool:
    """Whether a map of the one serves the other: the same board, connected in the same way."""
    one, other = old["matrix"], new.get("matrix") or {}
    names = [(doc.get("board"), part.get("board")) for doc, part in ((old, one), (new, other))]
    return one.get("via") == other.get("via") == "serial" and names[0] == names[1]


def build_text(build: Build) -> str:
    """The configuration of one of our builds, or of what greets."""
    return ASSUMED if build == "found" else (BUILDS / f"{build}.toml").read_text(encoding="utf-8")


@cache
def builds() -> dict[Build, Config]:
    """What can be built, each as its papers have it."""
    return {one: parse(build_text(one), one, complete=False) for one in get_args(Build)}


def build_of(config: Config) -> Build | None:
    """Which of them this is, by its wires; None if it is somebody's own."""
    return next((one for one, other in builds().items() if _wires(other) == _wires(config)), None)


def _wires(config: Config) -> tuple[object, ...]:
    board = config.matrix
    pins = None if board is None else (board.via, board.rows, board.columns)
    return config.board, config.sensing, config.die, config.box, pins


# -- writing it down -----------------------------------------------------------------------------


def write(path: Path, text: str, group: int | None = None, *, keep_old: bool = True) -> None:
    """Put a configuration that can be used in its place. Raises ConfigError and OSError.

    It is for the group that is given, or keeps owner and mode of the file that is there.
    """
    parse(text, "the new configuration", complete=False)
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = draft_of(path, group)
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())  # whole on the disk before it takes the other's place
        if keep_old:
            _keep_old(path)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def draft_of(path: Path, group: int | None = None) -> Path:
    """An empty file beside a configuration, to take its place: it may hold a PIN."""
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    old = path.stat() if path.exists() else None
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o640)
    try:
        if group is not None:
            os.fchown(file, 0, group)
            os.fchmod(file, 0o640)
        elif old is not None:
            os.fchown(file, old.st_uid, old.st_gid)
            os.fchmod(file, stat.S_IMODE(old.st_mode))
    except OSError:
        draft.unlink()
        raise
    finally:
        os.close(file)
    return draft


def _keep_old(path: Path) -> None:
    before = path.with_name(f"{path.name}.before")
    with contextlib.suppress(OSError):  # of a file that is not ours: it has a copy less
        before.unlink(missing_ok=True)
        os.link(path, before)


def write_map(path: Path, board: str, lines: list[str]) -> None:
    """Put a map into a configuration, or into a first one. Raises ConfigError and OSError.

    It is written again with every answer: the file before it is worth nothing.
    """
    write(path, with_map(text_of(path), board, lines), keep_old=False)


def must_be_writable(path: Path) -> None:
    """Raises ConfigError at once, not after the first answer, if answers cannot be written."""
    try:
        draft_of(path.resolve()).unlink()
    except OSError as fault:
        raise ConfigError(
            f"{path} cannot be written ({fault.strerror}): run it with sudo, or name a "
            "configuration of your own with --config"
        ) from fault

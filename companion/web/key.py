"""The key of the box's own screen: made once, and kept where only the box can read it.

The line in the file is one that systemd reads as well, for the kiosk. Whoever may move the Pi's own
pins may read it too: they can press the box's buttons anyway, and `companion page` opens the page
for them.
"""

import contextlib
import grp
import logging
import os
import secrets
from pathlib import Path

FILE = "key.env"
_BEGIN = "LUDO_KEY="
_SHORTEST = 20
PINS = "gpio"
"""The group that may use the Pi's pins; whoever sits at a Pi's own desktop is in it."""

_LOG = logging.getLogger("companion.web")


def kept_key(folder: Path) -> str:
    """The key that is kept in a folder; a new one, if there is none or it cannot be trusted.

    If it cannot be kept, it is made for this run: the page then has to be opened again.
    """
    path = folder / FILE
    try:
        line = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        line = ""
    if line.startswith(_BEGIN) and len(line) >= len(_BEGIN) + _SHORTEST and not _is_open(path):
        _share(path)
        return line.removeprefix(_BEGIN)
    key = secrets.token_urlsafe(24)
    try:
        keep_secret(path, f"{_BEGIN}{key}\n")
        _share(path)
    except OSError as fault:
        _LOG.warning("the key of the box's own screen cannot be kept: %s", fault)
    return key


def read_key(folder: Path) -> str:
    """The key that is kept there. Raises OSError, for those who may not read it too."""
    return (folder / FILE).read_text(encoding="ascii").strip().removeprefix(_BEGIN)


def _is_open(path: Path) -> bool:
    """Whether others can read it than the box, and those who may use its pins."""
    about = path.stat()
    return bool(about.st_mode & 0o037) or bool(about.st_mode & 0o040 and about.st_gid != _pins())


def _share(path: Path) -> None:
    """Let those read it who may use the pins, if the box is one of them itself."""
    if (group := _pins()) in os.getgroups():
        with contextlib.suppress(OSError):  # then it stays the box's own
            os.chown(path, -1, group)
            path.chmod(0o640)


def _pins() -> int:
    try:
        return grp.getgrnam(PINS).gr_gid
    except KeyError:
        return -1


def keep_secret(path: Path, text: str) -> None:
    """Write a file that only the box itself can read, whole or not at all. Raises OSError."""
    new = path.with_name(f"{path.name}.new")
    path.parent.mkdir(parents=True, exist_ok=True)
    new.unlink(missing_ok=True)
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)

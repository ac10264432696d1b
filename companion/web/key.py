"""The key of the box's own screen: made once, and kept where only the box can read it.

The line in the file is one that systemd reads as well, for the kiosk.
"""

import logging
import os
import secrets
from pathlib import Path

FILE = "key.env"
_BEGIN = "LUDO_KEY="
_SHORTEST = 20

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
        return line.removeprefix(_BEGIN)
    key = secrets.token_urlsafe(24)
    try:
        keep_secret(path, f"{_BEGIN}{key}\n")
    except OSError as fault:
        _LOG.warning("the key of the box's own screen cannot be kept: %s", fault)
    return key


def _is_open(path: Path) -> bool:
    """Whether others can read it."""
    return bool(path.stat().st_mode & 0o077)


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

"""The key of the box's own screen: made once, and kept where only the box can read it.

The line in the file is one that systemd reads as well, for the kiosk. Whoever may move the Pi's own
pins may read it too: they can press the box's buttons anyway, and `companion page` opens the page
for them. The service may give its files to nobody: the installer does so, which is root
(`python -I -m companion.web.key /var/lib/ludo-companion`).
"""

import contextlib
import fcntl
import grp
import logging
import os
import pwd
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from companion import SERVICE
from companion.small_files import read_small_text, write_small

FILE = "key.env"
_BEGIN = "LUDO_KEY="
_SHORTEST = 20
_TRIES, _PAUSE = 40, 0.05  # two seconds
PINS = "gpio"
"""The group that may use the Pi's pins; whoever sits at a Pi's own desktop is in it."""

_LOG = logging.getLogger("companion.web")


def kept_key(folder: Path) -> str:
    """The key that is kept in a folder; a new one, if there is none or it cannot be trusted.

    If it cannot be kept, it is made for this run: the page then has to be opened again.
    """
    path = folder / FILE
    if known := _trusted(path):
        return known
    key = secrets.token_urlsafe(24)
    try:
        with _alone(folder):
            if known := _trusted(path):  # somebody else has made one meanwhile
                return known
            write_small(path, f"{_BEGIN}{key}\n", 0o600)
    except OSError as fault:
        _LOG.warning("the key of the box's own screen cannot be kept: %s", fault)
    return key


def _trusted(path: Path) -> str | None:
    """The key that is kept there, if nobody else can have read it."""
    try:
        line = read_small_text(path, "ascii").strip()
        if not line.startswith(_BEGIN) or len(line) < len(_BEGIN) + _SHORTEST or _is_open(path):
            return None
    except OSError:
        return None
    return line.removeprefix(_BEGIN)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Of companions that start in one folder one after the other goes on; nobody waits for ever."""
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        for _ in range(_TRIES):
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(_PAUSE)
        yield
    finally:
        os.close(handle)


def read_key(folder: Path) -> str:
    """The key that is kept there. Raises OSError, for those who may not read it too."""
    return read_small_text(folder / FILE, "ascii").strip().removeprefix(_BEGIN)


def _is_open(path: Path) -> bool:
    """Whether others can read it than the box, and those who may use its pins."""
    about = path.stat()
    return bool(about.st_mode & 0o037) or bool(about.st_mode & 0o040 and about.st_gid != _pins())


def share_key(folder: Path) -> bool:
    """As root: have a key be there that the service keeps, and those may read who may use the pins.

    Tells whether that is so; without that user and that group, or where something else lies in
    its place, nothing is changed. Raises OSError.
    """
    try:
        user, pins = pwd.getpwnam(SERVICE), grp.getgrnam(PINS)
    except KeyError:
        return False
    if not folder.exists():
        folder.mkdir(parents=True)
        os.chown(folder, user.pw_uid, user.pw_gid)
    kept_key(folder)
    handle = os.open(folder / FILE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode) or about.st_nlink != 1:
            return False  # the service can put anything there; only a file of its own is given
        os.fchown(handle, user.pw_uid, pins.gr_gid)
        os.fchmod(handle, 0o640)
    finally:
        os.close(handle)
    return True


def _pins() -> int:
    try:
        return grp.getgrnam(PINS).gr_gid
    except KeyError:
        return -1


if __name__ == "__main__":
    sys.exit(0 if share_key(Path(sys.argv[1])) else 1)

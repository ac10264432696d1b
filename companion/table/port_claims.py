"""Who may have a serial port for a while: whoever flashes a Pico asks, and the daemon lets go.

A claim is a lock on a file that is named after the port. It ends with its process, however that
does: a claim that nobody holds any more keeps nobody away.
"""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path("/run/lock")


def claim_file(path: str, folder: Path = FOLDER) -> Path:
    """The file that stands for a port."""
    return folder / f"ludo-companion.{Path(os.path.realpath(path)).name}"


@contextlib.contextmanager
def claim(path: str, folder: Path = FOLDER) -> Iterator[bool]:
    """Claim a port; false if somebody else has claimed it."""
    place = claim_file(path, folder)
    file = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        try:
            yield True
        finally:
            place.unlink(missing_ok=True)
    finally:
        os.close(file)


def is_claimed(path: str, folder: Path = FOLDER) -> bool:
    """Whether somebody has claimed a port; a file that cannot be read claims nothing."""
    try:
        file = os.open(
            claim_file(path, folder), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        )
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False

"""Reads a small file whole, and only if it is one, and writes it whole, or not at all: the one way
for files that others can replace, and for those that must outlive a power cut.

People put folders, pipes and links where files belong. Whoever opens a pipe may wait for ever, and
a device may have no end.
"""

import errno
import os
import secrets
import stat
from pathlib import Path

LARGEST = 256 << 10
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def read_small(path: Path, largest: int = LARGEST) -> bytes:
    """The bytes of a file. Raises OSError, also where there are more of them than `largest`."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is not a file", str(path))
        with open(handle, "rb", closefd=False) as file:
            found = file.read(largest + 1)
    finally:
        os.close(handle)
    if len(found) > largest:
        raise OSError(errno.EFBIG, f"it is too large: {largest} bytes are the most", str(path))
    return found


def read_small_text(path: Path, encoding: str = "utf-8", largest: int = LARGEST) -> str:
    """The text of such a file. Raises OSError, also where it is none."""
    try:
        return read_small(path, largest).decode(encoding)
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, "it is not text", str(path)) from None


def write_small(path: Path, text: str, mode: int = 0o644, *, as_before: bool = False) -> None:
    """Put a file in its place when it is whole on the disk. Raises OSError.

    With `as_before` root leaves it to those whose file was there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")  # nobody else writes there
    handle = os.open(new, _NEW, 0o600)
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
            if as_before and os.geteuid() == 0 and path.exists():
                os.fchown(handle, path.stat().st_uid, path.stat().st_gid)
            os.fchmod(handle, mode)
            file.flush()
            os.fsync(handle)
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)
    _sync(path.parent)


def _sync(folder: Path) -> None:
    """What was put in a folder is there after a power cut."""
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

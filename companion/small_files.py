"""Reads a small file whole, and only if it is one: the one way for files that others can replace.

People put folders, pipes and links where files belong. Whoever opens a pipe may wait for ever, and
a device may have no end.
"""

import errno
import os
import stat
from pathlib import Path

LARGEST = 256 << 10


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

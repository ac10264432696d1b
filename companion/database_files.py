"""The files of a database: whether they are still ours, and how they are replaced and set aside.

People delete, move and empty files that are in use, and the power may go at any moment. So files
are set aside under a second name before the first is taken away, and what takes their place is
whole on the disk, under a name of its own, before anything else is touched: whoever starts next
finds it there and goes on.
"""

import contextlib
import os
import shutil
import stat
import time
from pathlib import Path
from typing import NamedTuple

SCRATCH = "~"
"""Behind a database's name: one that is being made, and of no use until it is ready."""
READY = ".new"
"""Behind a database's name: one that is whole and takes its place."""

LOG = 1 << 20
"""Bytes to which SQLite may shorten a log that it starts over."""

_HEAD = 4  # bytes by which a log is known to be one


def beside(path: Path, end: str) -> Path:
    """A file that belongs to a database, for instance its `-wal`."""
    return path.with_name(path.name + end)


class NoFileError(OSError):
    """A folder, a pipe or a device is where a file of a database belongs."""


def must_be_files(path: Path) -> None:
    """Whoever opens a pipe may wait for ever, and a device may have no end. Raises OSError."""
    for end in ("", "-wal", "-shm", "-journal", READY):
        place = beside(path, end)
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            if not stat.S_ISREG(os.stat(place).st_mode):
                raise NoFileError(f"{place.name} is not a file")


class _Seen(NamedTuple):
    """What tells a file from another one at the same place, and its size."""

    device: int
    inode: int
    size: int


def _seen(path: Path) -> _Seen | None:
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return _Seen(found.st_dev, found.st_ino, found.st_size)


class Watch:
    """Knows the files that a connection has open, and looks whether they are what is there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.log = beside(path, "-wal")
        self._file = _seen(path)
        self._log = _seen(self.log)

    @property
    def replaced(self) -> bool:
        """Whether another file is where ours was."""
        found = _seen(self.path)
        return found is not None and self._file is not None and found[:2] != self._file[:2]

    @property
    def log_replaced(self) -> bool:
        """Whether a log lies there that is not ours."""
        found = _seen(self.log)
        return found is not None and self._log is not None and found[:2] != self._log[:2]

    def look(self) -> str | None:
        """What has become of the files, in words; None if they are as we left them."""
        return self._change(_seen(self.path), self._file, "") or self._change(
            _seen(self.log), self._log, "the log of "
        )

    def look_after_writing(self, log: int = LOG) -> str | None:
        """The same after a commit, which leaves them as long, but a log perhaps of `log` bytes."""
        before, self._log = self._log, _seen(self.log)
        changed = self._change(_seen(self.path), self._file, "")
        if changed is None and before is not None:
            least = before._replace(size=min(before.size, log))
            changed = self._change(self._log, least, "the log of ")
        if changed is None and not self._has_head():
            changed = f"the log of {self.path} was emptied"
        self._log = self._log if changed is None else before
        self._file = _seen(self.path) if changed is None else self._file
        return changed

    def _change(self, found: _Seen | None, known: _Seen | None, what: str) -> str | None:
        if known is None or found == known:
            return None
        if found is None:
            return f"{what}{self.path} was deleted or moved away"
        if found[:2] != known[:2]:
            return f"another file took the place of {what}{self.path}"
        return f"{what}{self.path} was emptied" if found.size < known.size else None

    def _has_head(self) -> bool:
        """Whether the log begins as one; what is written behind a hole is of no use."""
        if self._log is None or not self._log.size:
            return True
        with self.log.open("rb") as file:
            return file.read(_HEAD) != bytes(_HEAD)


def free_name(path: Path, word: str, now: float) -> Path:
    """A name beside a file that nothing has yet, with the date in it."""
    date = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now))
    name = beside(path, f".{word}-{date}")
    while name.exists() or beside(name, "-wal").exists():
        name = beside(name, "x")
    return name


def set_aside(path: Path, aside: Path) -> None:
    """Give a database and its log a second name; both stay where they are until replaced."""
    for end in ("", "-wal"):
        with contextlib.suppress(FileNotFoundError):
            try:
                os.link(beside(path, end), beside(aside, end))
            except FileExistsError:
                raise
            except FileNotFoundError:
                raise
            except OSError:  # not every disk can give a file two names
                shutil.copyfile(beside(path, end), beside(aside, end))
    _sync(path.parent)


def scratch(path: Path) -> Path:
    """Where to make a database that is to take the place of this one; nothing is there."""
    place = beside(path, SCRATCH)
    for end in ("", "-wal", "-shm", "-journal"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside(place, end))
    return place


def make_ready(path: Path) -> None:
    """What was made is whole: from here on it takes the place, whoever does it."""
    made = beside(path, SCRATCH)
    _sync(made)
    os.replace(made, beside(path, READY))
    _sync(path.parent)


def finish(path: Path) -> None:
    """Let what is ready take its place; nobody may have the files open.

    The logs of the one before go first: SQLite would take them for those of the new one.
    """
    ready = beside(path, READY)
    if not ready.exists():
        return
    for end in ("-wal", "-shm", "-journal"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside(path, end))
    _sync(path.parent)
    os.replace(ready, path)
    _sync(path.parent)


def _sync(path: Path) -> None:
    """Flush a file or folder to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

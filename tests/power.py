"""A disk whose power can be cut: what was not flushed is lost, or torn, or there anyway.

It is a layer under SQLite (an APSW VFS). Writes go to real files, so that SQLite reads what it
wrote, and into a model of what has certainly reached the disk. After a cut the model gives the
files as a new start finds them.
"""

import itertools
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import apsw

SECTOR = 512
_names = itertools.count()


class Disk:
    """What is safe on disk, and what is still on its way, file by file."""

    def __init__(self, rng: Random, cut_at: int | None = None) -> None:
        self.rng = rng
        self.cut_at = cut_at
        self.steps = 0
        self.dead = False
        self.safe: dict[str, bytes] = {}
        self.coming: dict[str, list[tuple[int, bytes] | int]] = {}

    def step(self) -> None:
        """One write or flush; the power may go now, and stays off."""
        self.steps += 1
        if self.cut_at is not None and self.steps >= self.cut_at:
            self.dead = True
        if self.dead:
            raise apsw.IOError("the power is off")

    def load(self, path: Path) -> None:
        """Files that were there before are safe."""
        for found in path.parent.glob(f"{path.name}*"):
            self.safe[str(found)] = found.read_bytes()

    def write(self, name: str, data: bytes, offset: int) -> None:
        self.coming.setdefault(name, []).append((offset, data))

    def truncate(self, name: str, size: int) -> None:
        self.coming.setdefault(name, []).append(size)

    def sync(self, name: str) -> None:
        self.safe[name] = self._applied(name, self.coming.pop(name, []))

    def delete(self, name: str, synced: bool) -> None:
        """Gone for the living; if the folder was not flushed it may be there again after a cut."""
        self.coming.pop(name, None)
        if synced or self.rng.random() < 0.5:
            self.safe.pop(name, None)

    def after_the_cut(self) -> dict[str, bytes]:
        """The files as they are found: of what was on its way, anything may have arrived."""
        found = dict(self.safe)
        for name, changes in self.coming.items():
            luck = self.rng.choice([0.0, 0.1, 0.5, 0.9, 1.0])
            arrived = [one for one in changes if self.rng.random() < luck]
            if name in self.safe or arrived:
                found[name] = self._applied(name, [self._torn(one, luck) for one in arrived])
        return {name: data for name, data in found.items() if not name.endswith("-shm")}

    def _torn(self, change: tuple[int, bytes] | int, luck: float) -> tuple[int, bytes] | int:
        """Sometimes only some sectors of a write arrive."""
        if isinstance(change, int) or self.rng.random() < 0.5:
            return change
        offset, data = change
        end = self.rng.randrange(0, len(data) + 1, SECTOR) if len(data) >= SECTOR else len(data)
        if self.rng.random() < 0.5:
            return offset, data[:end]
        return offset + end, data[end:]

    def _applied(self, name: str, changes: Sequence[tuple[int, bytes] | int]) -> bytes:
        data = bytearray(self.safe.get(name, b""))
        for change in changes:
            if isinstance(change, int):
                del data[change:]
                continue
            offset, new = change
            data.extend(bytes(max(0, offset + len(new) - len(data))))
            data[offset : offset + len(new)] = new
        return bytes(data)


class _Layer(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        self.name = f"cut-{next(_names)}"
        self.disk = disk
        super().__init__(self.name, "")

    def xOpen(self, name: Any, flags: list[int]) -> Any:  # noqa: N802 - SQLite's name
        return _File(self.disk, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802 - SQLite's name
        self.disk.step()
        super().xDelete(filename, syncdir)
        self.disk.delete(filename, syncdir)


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self.disk = disk
        self.path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        self.disk.step()
        super().xWrite(data, offset)
        self.disk.write(self.path, bytes(data), offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - SQLite's name
        self.disk.step()
        super().xTruncate(newsize)
        self.disk.truncate(self.path, newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        self.disk.step()
        self.disk.sync(self.path)  # the model's word counts; the real disk need not be flushed


class OnDisk:
    """Opens databases on such a disk; its connections are used as those of `sqlite3`.

    `lazy` leaves out what makes a commit safe, to show that cuts then cost something.
    """

    def __init__(self, disk: Disk, *, lazy: bool = False, checkpoint: int = 40) -> None:
        self.disk = disk
        self.lazy = lazy
        self.checkpoint = checkpoint
        self.layer = _Layer(disk)

    def __call__(self, path: Path) -> "_Connection":
        self.disk.load(path)
        connection = apsw.Connection(str(path), vfs=self.layer.name)
        connection.execute(f"PRAGMA wal_autocheckpoint={self.checkpoint}")
        return _Connection(connection, self.lazy)


class _Connection:
    def __init__(self, connection: apsw.Connection, lazy: bool) -> None:
        self._connection = connection
        self._lazy = lazy

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        if self._lazy:
            statement = statement.replace("synchronous=EXTRA", "synchronous=NORMAL")
        try:
            return list(self._connection.execute(statement, values))
        except apsw.Error as fault:
            raise sqlite3.OperationalError(str(fault)) from fault

    def executemany(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        try:
            self._connection.executemany(statement, rows)
        except apsw.Error as fault:
            raise sqlite3.OperationalError(str(fault)) from fault

    def close(self) -> None:
        try:
            self._connection.close(True)
        except apsw.Error as fault:
            raise sqlite3.OperationalError(str(fault)) from fault

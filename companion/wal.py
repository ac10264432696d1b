"""SQLite's write-ahead log, read without SQLite: which of its frames are whole.

A frame is a page of the database as a change left it. SQLite takes a log up to its first damaged
frame and overwrites the rest without a word. But each frame can be checked by the checksum that
stands in the frame before it, so what lies behind the damage is still known to be whole or not.
"""

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

HEADER = 32
FRAME = 24
"""Bytes of the log's header, and of each frame's."""

LARGEST = 64 << 20
"""Bytes of the largest log that is looked at: ours has one or two million."""

_MAGIC = 0x377F0682  # its lowest bit says in which order of bytes checksums are computed
_SIZES = tuple(512 << n for n in range(8))
_MASK = 0xFFFFFFFF

Sums = tuple[int, int]


class Frame(NamedTuple):
    """A page of the database (counted from 1) in the log; `size` pages has the whole database
    where it ends a change, else 0."""

    page: int
    size: int
    whole: bool
    data: bytes


class Log(NamedTuple):
    """The frames of a log since it was last started over."""

    frames: tuple[Frame, ...]
    valid: int
    """So many frames from the beginning are taken by SQLite."""
    sound: bool = True
    """Whether it begins as SQLite begins one; else SQLite takes nothing of it."""

    @property
    def behind(self) -> int:
        """How many changes lie behind the valid end."""
        return sum(frame.size > 0 for frame in self.frames[self.valid :])

    def ends(self) -> Iterator[int]:
        """The number of frames up to each whole end of a change, the last one first."""
        for number in range(len(self.frames), self.valid, -1):
            frame = self.frames[number - 1]
            if frame.whole and frame.size:
                yield number


def read(database: Path) -> Log | None:
    """The log of a database; None if there is none, or one that is too large to look at."""
    log = database.with_name(f"{database.name}-wal")
    try:
        data = log.read_bytes() if log.stat().st_size <= LARGEST else b""
    except OSError:
        return None
    if not data:
        return None
    if len(data) < HEADER + FRAME:
        return Log((), 0, False)
    magic, _, size, _, *salts = struct.unpack(">6I", data[:24])
    order = ">" if magic & 1 else "<"
    sums = _sums(data[:24], (0, 0), order)
    sound = magic & ~1 == _MAGIC and sums == struct.unpack(">2I", data[24:HEADER])
    if not sound:  # SQLite leaves it alone; its frames may be whole
        size, order = _page_size(database), "<"
        salts = list(struct.unpack(">2I", data[HEADER + 8 : HEADER + 16]))
        sums = struct.unpack(">2I", data[24:HEADER])
    if size not in _SIZES:
        return Log((), 0, False)
    frames = tuple(_frames(data, size, tuple(salts), sums, order))
    return Log(frames, _valid(frames) if sound else 0, sound)


def _page_size(database: Path) -> int:
    """What stands at the beginning of a database; 0 if there is no database."""
    try:
        with database.open("rb") as file:
            size = int.from_bytes(file.read(18)[16:], "big")
    except OSError:
        return 0
    return 65536 if size == 1 else size


def _frames(
    data: bytes, size: int, salts: tuple[int, ...], sums: Sums, order: str
) -> Iterator[Frame]:
    """Every frame up to the last that belongs to this log: behind it lie those of older times."""
    places = range(HEADER, len(data) - size - FRAME + 1, size + FRAME)
    ours = [at for at in places if struct.unpack(">2I", data[at + 8 : at + 16]) == salts]
    for at in range(HEADER, ours[-1] + 1 if ours else 0, size + FRAME):
        page, end, *rest = struct.unpack(">6I", data[at : at + FRAME])
        content = data[at + FRAME : at + FRAME + size]
        found = _sums(content, _sums(data[at : at + 8], sums, order), order)
        sums, mine = (rest[2], rest[3]), tuple(rest[:2]) == salts
        yield Frame(page, end if mine else 0, mine and found == sums and page > 0, content)


def _valid(frames: Iterable[Frame]) -> int:
    """How many frames SQLite takes: up to the last end of a change before any damage."""
    valid = 0
    for number, frame in enumerate(frames, 1):
        if not frame.whole:
            break
        if frame.size:
            valid = number
    return valid


def _sums(data: bytes, sums: Sums, order: str) -> Sums:
    """Go on with a checksum over some bytes, eight at a time."""
    one, two = sums
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    for word in words:
        one = (one + word + two) & _MASK
        two = (two + next(words) + one) & _MASK
    return one, two


def applied(database: Path, frames: Iterable[Frame], target: Path) -> None:
    """Write a copy of a database with the whole ones of these frames in it."""
    data = bytearray(database.read_bytes() if database.exists() else b"")
    for frame in frames:
        if not frame.whole:
            continue
        size = len(frame.data)
        start = (frame.page - 1) * size
        data.extend(bytes(max(0, start + size - len(data))))
        data[start : start + size] = frame.data
        if frame.size:
            del data[frame.size * size :]
    target.write_bytes(data)

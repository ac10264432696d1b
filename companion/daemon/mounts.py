"""Whether what is written outlasts a power-off: a read-only system writes to memory instead.

Memory takes every write, so that nobody notices before all is gone. The mounts tell.
"""

import re
from pathlib import Path
from typing import NamedTuple

from companion import journal

MEMORY = ("tmpfs", "ramfs")
KEEP = "docs/service.md tells how to keep them on a read-only system"
_UPPER = re.compile(r"(?:^|,)upperdir=([^,]+)")


class Mount(NamedTuple):
    """A line of mountinfo, as far as it matters here."""

    point: Path
    kind: str
    options: str


def mounted(mountinfo: Path = Path("/proc/self/mountinfo")) -> str:
    """What is mounted where, as the system tells this process; nothing if it does not."""
    try:
        return mountinfo.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def forgotten(games: Path) -> str | None:
    """What to say of the service's games if they do not outlast a power-off, else None.

    Only of the service's: those of `companion play` may well be in a temporary folder.
    """
    kind = in_memory(games.resolve(), mounted()) if games == journal.SYSTEM else None
    if kind is None:
        return None
    return f"{games.parent} lies in memory ({kind}): games are gone when the power is off"


def in_memory(path: Path, mountinfo: str) -> str | None:
    """The kind of file system in memory that a path lies on; None if a disk keeps it."""
    mounts = [mount for line in mountinfo.splitlines() if (mount := _mount(line)) is not None]
    found = _under(path, mounts)
    if found is None or found.kind not in (*MEMORY, "overlay"):
        return None
    if found.kind in MEMORY:
        return found.kind
    # An overlay lasts as long as what it is written to; it is often mounted where nobody sees it.
    upper = _UPPER.search(found.options)
    written = _under(Path(upper[1]), mounts) if upper is not None else None
    lasts = written is not None and written.kind not in (*MEMORY, "overlay")
    return None if lasts else found.kind


def _mount(line: str) -> Mount | None:
    before, _, after = line.partition(" - ")
    try:
        point, (kind, _, options) = before.split(" ")[4], after.split(" ")
    except (IndexError, ValueError):
        return None
    return Mount(Path(_plain(point)), kind, _plain(options))


def _plain(text: str) -> str:
    """Spaces and the like are written as octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), text)


def _under(path: Path, mounts: list[Mount]) -> Mount | None:
    """The mount that a path lies on: the deepest, and of several at one place the last."""
    found = None
    for mount in mounts:
        deeper = found is None or len(mount.point.parts) >= len(found.point.parts)
        if deeper and path.is_relative_to(mount.point):
            found = mount
    return found

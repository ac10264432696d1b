"""A Pico that is being flashed: looked at, written to, checked, restarted, and heard greeting.

While files are written they have other names, so a Pico that is unplugged goes on with the program
it had. For the moment in which names change it has no `main.py`: a Pico that is unplugged just then
waits at MicroPython's prompt for the next try, and never runs a mixture.
"""

import errno
import hashlib
import os
import random
import select
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import serial

from companion.flash.files import MAIN, SHARED, Work, folders, is_ours, role_of, settings, work
from companion.flash.files import files as files_of
from companion.link import Hello, Link
from companion.link.news import Role
from companion.table.raw_repl import PicoError, PicoFault, PicoGoneError, RawRepl

OLDEST = (1, 28)
"""MicroPython from which on a chip's random numbers are good enough for a die."""
CHUNK = 192  # bytes in one order
NEW = ".new"
PAGE = 4096  # bytes that a file takes at least
GREETING = 20.0  # seconds a restarted Pico has to greet

Progress = Callable[[str, int, int], None]
"""Is told the file that was written, and how many bytes of how many are done."""

_LOOK = """
import os, hashlib, binascii
def digest(path):
    told = hashlib.sha256()
    with open(path, 'rb') as file:
        while True:
            data = file.read(512)
            if not data:
                return binascii.hexlify(told.digest()).decode()
            told.update(data)
def each(folder):
    try:
        entries = list(os.ilistdir(folder or '/'))
    except OSError:
        return
    for entry in entries:
        path = folder + '/' + entry[0] if folder else entry[0]
        if entry[1] == 0x4000:
            if folder or entry[0] == 'firmware':
                yield from each(path)
        else:
            yield path
"""
_LIST = "for path in each(''): print(digest(path), os.stat(path)[6], path)\n"
_WHO = (
    "import sys\n"
    "print(sys.implementation.name)\n"
    "print(sys.implementation.version[0], sys.implementation.version[1])\n"
    "print(sys.implementation._machine)\n"
)


class FlashError(Exception):
    """Why it cannot be flashed, in a sentence with what to do."""


class There(NamedTuple):
    """What is on a Pico."""

    machine: str
    files: Mapping[str, str]
    """The digest of each file."""
    sizes: Mapping[str, int]
    main: str
    free: int


class Flashed(NamedTuple):
    """What was done to a Pico."""

    written: tuple[str, ...]
    same: int
    version: str


def look(pico: RawRepl) -> There:
    """What is on a Pico that is at its raw prompt. Raises FlashError if it is not for us."""
    name, number, machine = pico.run(_WHO).strip().splitlines()
    if name != "micropython":
        raise FlashError(
            f"{name} runs on this Pico, not MicroPython: give a UF2 of MicroPython with --uf2"
        )
    major, minor = map(int, number.split())
    if (major, minor) < OLDEST:
        raise FlashError(
            f"MicroPython {major}.{minor} is too old for a fair die: {OLDEST[0]}.{OLDEST[1]} or "
            "newer is needed; give its UF2 with --uf2"
        )
    pico.run(_LOOK)
    digests, sizes = {}, {}
    for line in pico.run(_LIST).splitlines():
        digest, size, path = line.split(" ", 2)
        digests[path], sizes[path] = digest, int(size)
    source = next((name for name in (MAIN, MAIN + NEW) if name in digests), None)
    main = pico.run(f"print(open({source!r}).read())") if source else ""
    size, free = pico.run("v = os.statvfs('/')\nprint(v[0], v[3])").split()
    return There(machine, digests, sizes, main, int(size) * int(free))


def flash(
    pico: RawRepl,
    role: Role,
    folder: Path,
    version: str,
    *,
    replace: bool = False,
    given: Mapping[str, str] | None = None,
    progress: Progress = lambda path, done, whole: None,
) -> Flashed:
    """Put the program of a role onto a Pico, as far as it is not there. Raises FlashError."""
    pico.enter()
    there = look(pico)
    if not replace:
        _must_be_ours(there, role)
    kept = settings(role, there.main) if role_of(there.main) == role else {}
    wanted = files_of(role, folder, {**kept, **(given or {})})
    wanted = {path: _stamped(path, data, version) for path, data in wanted.items()}
    if replace:
        _clear(pico, there, wanted)
        there = look(pico)
    todo = work(wanted, there.files)
    if todo.write or todo.remove:
        _must_fit(there, todo)
        try:
            _write(pico, todo, progress)
        except PicoFault as fault:
            raise _full(there, todo) if fault.number == errno.ENOSPC else _odd(fault) from None
        _rename(pico, todo)
    pico.tell("import machine\nmachine.reset()")
    return Flashed(tuple(todo.write), todo.same, version)


def _stamped(path: str, data: bytes, version: str) -> bytes:
    """The version that a Pico tells is that of the files it got."""
    if path != f"{SHARED}/__init__.py":
        return data
    lines = data.decode().splitlines(keepends=True)
    return "".join(
        f'VERSION = "{version}"\n' if line.startswith("VERSION = ") else line for line in lines
    ).encode()


def _must_be_ours(there: There, role: Role) -> None:
    """A program that somebody wrote is not overwritten without being asked."""
    if not there.main.strip():
        return
    if not is_ours(there.main):
        size = there.sizes.get(MAIN, len(there.main))
        raise FlashError(
            f"another program is on this Pico (main.py, {size} bytes): --replace removes it"
        )
    other = role_of(there.main)
    if other is not None and other != role:
        raise FlashError(
            f"this Pico is a {other}: plug in the {role}'s, or say --replace to make it a {role}"
        )


def _must_fit(there: There, todo: Work) -> None:
    if _room(todo) > there.free:
        raise _full(there, todo)


def _room(todo: Work) -> int:
    return sum(-(-len(data) // PAGE) * PAGE for data in todo.write.values())


def _full(there: There, todo: Work) -> FlashError:
    others = sorted(
        (size, path)
        for path, size in there.sizes.items()
        if not path.startswith(f"{SHARED}/") and path != MAIN
    )
    held = ", ".join(f"{path} ({size // 1024 + 1} kB)" for size, path in others[::-1][:3])
    return FlashError(
        f"the Pico is full: {_room(todo) // 1024} kB are needed, {there.free // 1024} kB are free"
        + (f"; it also holds {held}" if held else "")
        + ": --replace removes what is not ours"
    )


def _odd(fault: PicoFault) -> FlashError:
    return FlashError(f"MicroPython refuses: {fault.last}")


def _clear(pico: RawRepl, there: There, wanted: Mapping[str, bytes]) -> None:
    """Remove what is neither wanted nor ours."""
    for path in there.files:
        if path not in wanted:
            pico.run(f"os.remove({path!r})")


def _write(pico: RawRepl, todo: Work, progress: Progress) -> None:
    """Write each file under another name, and have the Pico read it back."""
    for folder in folders(todo.write):
        pico.run(f"try:\n os.mkdir({folder!r})\nexcept OSError:\n pass")
    done = 0
    for path, data in todo.write.items():
        pico.run(f"file = open({path + NEW!r}, 'wb')")
        try:
            for start in range(0, len(data), CHUNK):
                pico.run(f"file.write({data[start : start + CHUNK]!r})")
            pico.run("file.close()")
        except PicoFault:
            pico.run(f"file.close()\nos.remove({path + NEW!r})")
            raise
        found = pico.run(f"print(digest({path + NEW!r}))").strip()
        if found != hashlib.sha256(data).hexdigest():
            raise FlashError(f"{path} is not on the Pico as it was sent: try again")
        done += len(data)
        progress(path, done, todo.size)


def _rename(pico: RawRepl, todo: Work) -> None:
    """The new files take the places of the old ones; `main.py` is first to go, last to come."""
    pico.run("def put(a, b):\n try: os.remove(b)\n except OSError: pass\n os.rename(a, b)\n")
    if MAIN in todo.write:
        pico.run(f"try: os.remove({MAIN!r})\nexcept OSError: pass")
    else:
        pico.run(f"put({MAIN!r}, {MAIN + NEW!r})")
    for path in todo.write:
        if path != MAIN:
            pico.run(f"put({path + NEW!r}, {path!r})")
    for path in todo.remove:  # names of an earlier try may be gone by now
        pico.run(f"try: os.remove({path!r})\nexcept OSError: pass")
    pico.run(f"put({MAIN + NEW!r}, {MAIN!r})\nif hasattr(os, 'sync'): os.sync()")


def greeting(
    path: str, patience: float = GREETING, clock: Callable[[], float] = time.monotonic
) -> Hello | None:
    """What the program on a Pico says of itself; None if it says nothing in this time.

    The port may vanish and come back meanwhile, as it does when a Pico restarts.
    """
    end = clock() + patience
    while clock() < end:
        try:
            with serial.Serial(path, 115200, timeout=0, write_timeout=0, exclusive=True) as port:
                hello = _greeted(port, end, clock)
                if hello is not None:
                    return hello
        except OSError:
            time.sleep(0.1)
    return None


def _greeted(port: serial.Serial, end: float, clock: Callable[[], float]) -> Hello | None:
    link = Link(random.randrange(10**6))
    link.wanted = False  # throws that wait in a die are for the table
    while clock() < end:
        link.tick(clock())
        os.write(port.fileno(), link.outgoing())
        ready, _, _ = select.select([port.fileno()], [], [], 0.1)
        data = os.read(port.fileno(), 4096) if ready else b""
        if ready and not data:
            return None  # it was unplugged
        link.receive(data, clock())
        if link.hello is not None:
            return link.hello
    return None


__all__ = ["FlashError", "Flashed", "PicoError", "PicoGoneError", "flash", "greeting", "look"]

"""Runs a program under what a unit forbids, by the kernel's own filters: no systemd is needed.

`python -m tests.sandbox UNIT PROGRAM ...` reads the unit's file and forbids calls, address families
and memory to be written and executed, as systemd does. Devices, folders and users stay as they are.
"""

import ctypes
import errno
import os
import re
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path

UNITS = Path(__file__).parents[1] / "systemd"
ALLOWED, REFUSED = 0x7FFF0000, 0x00050000
EQUAL, AT_LEAST, MASKED_EQUAL = 4, 5, 7
NO_NEW_PRIVILEGES = 38
WRITE_AND_EXECUTE, EXECUTE = 6, 4
FAMILIES = 64


class Compared(ctypes.Structure):
    """What an argument of a call is compared with; the fields of libseccomp's `scmp_arg_cmp`."""

    _fields_ = (
        ("arg", ctypes.c_uint),
        ("op", ctypes.c_int),
        ("one", ctypes.c_uint64),
        ("other", ctypes.c_uint64),
    )


def seccomp() -> ctypes.CDLL:
    found = ctypes.CDLL("libseccomp.so.2")
    found.seccomp_init.restype = ctypes.c_void_p
    found.seccomp_init.argtypes = [ctypes.c_uint32]
    found.seccomp_load.argtypes = found.seccomp_release.argtypes = [ctypes.c_void_p]
    found.seccomp_syscall_resolve_name.argtypes = [ctypes.c_char_p]
    found.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.c_int,
        ctypes.c_uint,
        ctypes.c_void_p,
    ]
    return found


class Filter:
    """One filter of calls; several hold together, and the strictest counts."""

    def __init__(self, otherwise: int) -> None:
        self._library = seccomp()
        self._made = self._library.seccomp_init(otherwise)

    def add(self, action: int, name: str, *compared: Compared) -> None:
        """A rule for a call; names that this machine does not have are left out."""
        number = self._library.seccomp_syscall_resolve_name(name.encode())
        if number < 0:
            return
        array = (Compared * len(compared))(*compared)
        done = self._library.seccomp_rule_add_array(
            self._made, action, number, len(compared), array if compared else None
        )
        assert done == 0, f"{name}: {os.strerror(-done)}"

    def load(self) -> None:
        """From now on it holds, for this process and all that it starts."""
        assert self._library.seccomp_load(self._made) == 0
        self._library.seccomp_release(self._made)


def settings(unit: str) -> dict[str, list[str]]:
    """What a unit's file says, by name; a name may stand there several times."""
    found: dict[str, list[str]] = {}
    for line in (UNITS / f"{unit}.service").read_text().splitlines():
        name, is_setting, value = line.partition("=")
        if is_setting and not line.startswith("#"):
            found.setdefault(name, []).append(value)
    return found


@cache
def members(name: str) -> frozenset[str]:
    """The calls of a set such as @system-service, as systemd says them."""
    if not name.startswith("@"):
        return frozenset({name})
    told = subprocess.run(
        ["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True
    ).stdout
    inner = re.findall(r"^ +([@\w-]+)$", told, re.MULTILINE)
    return frozenset().union(*map(members, inner))


def allowed_calls(filters: list[str]) -> frozenset[str]:
    """What `SystemCallFilter=` lets pass; a line that begins with ~ takes away."""
    found = members("@default")
    for line in filters:
        calls = frozenset().union(*map(members, line.removeprefix("~").split()))
        found = found - calls if line.startswith("~") else found | calls
    return found


def enter(unit: str) -> None:
    """Forbid this process what the unit forbids."""
    said = settings(unit)
    calls = Filter(REFUSED | errno.EPERM)
    for name in sorted(allowed_calls(said["SystemCallFilter"])):
        calls.add(ALLOWED, name)
    filters = [calls]
    if said.get("MemoryDenyWriteExecute") == ["yes"]:
        memory, refused = Filter(ALLOWED), REFUSED | errno.EPERM
        memory.add(refused, "mmap", Compared(2, MASKED_EQUAL, WRITE_AND_EXECUTE, WRITE_AND_EXECUTE))
        for name in ("mprotect", "pkey_mprotect"):
            memory.add(refused, name, Compared(2, MASKED_EQUAL, EXECUTE, EXECUTE))
        filters.append(memory)
    if "RestrictAddressFamilies" in said:
        families, refused = Filter(ALLOWED), REFUSED | errno.EAFNOSUPPORT
        names = " ".join(said["RestrictAddressFamilies"]).split()
        known = {int(getattr(socket, name)) for name in names}
        for number in set(range(FAMILIES)) - known:
            families.add(refused, "socket", Compared(0, EQUAL, number, 0))
        families.add(refused, "socket", Compared(0, AT_LEAST, FAMILIES, 0))
        filters.append(families)
    ctypes.CDLL(None).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    for one in reversed(filters):  # the first forbids to load others
        one.load()


if __name__ == "__main__":
    enter(sys.argv[1])
    os.execvp(sys.argv[2], sys.argv[2:])

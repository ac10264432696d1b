"""Serial ports with our devices on them: found by their hello, lost and found again.

Nothing here waits: ports are opened without blocking, read when the loop says so, and what a
stalled device does not take is held back and then given up.
"""

import asyncio
import contextlib
import errno
import glob
import os
import random
import select
import termios
from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

import serial
from serial.tools import list_ports

from companion.link import Counters, Down, Hello, Incompatible, Link, News, Taken, Up
from companion.table.port_claims import is_claimed

RASPBERRY_PI = 0x2E8A  # the USB vendor of a Pico
LOOK_EVERY = 1.0  # seconds between two looks for new ports
TICK_EVERY = 0.25
MUTE = 3.0  # seconds after which a port that says nothing we know is told of
HELD_BACK = 4096  # bytes a device may leave unread before we drop lines

FindPorts = Callable[[], Iterable[str]]


class PortReport(NamedTuple):
    """What `companion doctor` tells of one port."""

    path: str
    state: str  # `waiting`, `up`, `spare`, `unused`, `refused` or `closed`
    hello: Hello | None
    counters: Counters
    round_trip: float | None
    note: str
    cause: str = ""
    """What is wrong with it in a word: `forbidden`, `busy`, `broken`, `mute`, `protocol`, `unit`,
    `second`; empty if nothing is."""
    refused: Incompatible | None = None
    prose: str = ""


class Owner(Protocol):
    """A device of the table that lives on whatever port greets with its role."""

    role: str
    unit: str | None
    wire: "Wire | None"

    def bound(self, wire: "Wire", hello: Hello) -> None:
        """This port now is yours."""

    def unbound(self, why: str) -> None:
        """Your port is gone."""

    def refused(self, why: str) -> None:
        """There is a device of your role, but it cannot be used."""

    def heard(self, news: News) -> None:
        """Your device says something."""


class PicoPorts:
    """Finds the ports that Picos sit on; asks for USB details only when the ports change."""

    def __init__(self) -> None:
        self._seen: list[tuple[str, int]] = []
        self._picos: list[str] = []

    def __call__(self) -> list[str]:
        seen = [(path, os.stat(path).st_ctime_ns) for path in sorted(glob.glob("/dev/ttyACM*"))]
        if seen != self._seen:
            self._seen = seen
            ports = list_ports.comports()
            self._picos = [port.device for port in ports if port.vid == RASPBERRY_PI]
        return self._picos


def ports_like(patterns: Iterable[str]) -> FindPorts:
    """A way to find ports by name, for instance `/dev/ttyAMA0` or `/dev/serial/by-id/*Pico*`."""
    kept = tuple(patterns)
    return lambda: [path for pattern in kept for path in sorted(glob.glob(pattern))]


class SerialPorts:
    """Every port a device may sit on; shared by the serial die and the serial board."""

    def __init__(self, find: FindPorts | None = None, *, look_every: float = LOOK_EVERY) -> None:
        self.taken = Taken()
        self._find = find or PicoPorts()
        self._look_every = look_every
        self._owners: list[Owner] = []
        self._wires: dict[str, Wire] = {}
        self._left: set[str] = set()
        """Ports that a unit has left for another one, as long as they are there."""
        self._notes: dict[str, tuple[str, str]] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def attach(self, owner: Owner) -> None:
        """Look for this device from now on; called inside a running event loop."""
        self._owners.append(owner)
        if not self._timers:
            self._look()
            self._tick()
        else:
            self._offer()

    def detach(self, owner: Owner) -> None:
        """Stop looking for it; with the last one every port is closed."""
        if owner in self._owners:
            self._owners.remove(owner)
            if owner.wire is not None:
                owner.wire.link.wanted = False
            owner.wire = None
        if not self._owners:
            for timer in self._timers.values():
                timer.cancel()
            self._timers.clear()
            for wire in list(self._wires.values()):
                wire.close()
            self._wires.clear()

    def report(self) -> list[PortReport]:
        """Every port we have or would like to have, with what is wrong with it."""
        open_ports = [wire.report(*self._use(wire)) for wire in self._wires.values()]
        closed = [
            PortReport(path, "closed", None, Counters(), None, note, cause)
            for path, (cause, note) in self._notes.items()
            if path not in self._wires
        ]
        return sorted([*open_ports, *closed], key=lambda report: report.path)

    def _again(self, name: str, delay: float, call: Callable[[], None]) -> None:
        self._timers[name] = asyncio.get_running_loop().call_later(delay, call)

    def _look(self) -> None:
        """Open what is new; a port that cannot be opened is tried again at the next look."""
        self._again("look", self._look_every, self._look)
        try:
            there = {os.path.realpath(path) for path in self._find()}
        except OSError:
            return  # a port vanished while we looked at it
        self._notes = {path: note for path, note in self._notes.items() if path in there}
        self._left &= there
        for path in [path for path in there if is_claimed(path)]:
            there.discard(path)
            self._notes[path] = ("claimed", f"{path} is with `companion flash` for the moment.")
            if (wire := self._wires.get(path)) is not None:
                wire.close()
                self.gone(wire, f"The Pico on {path} is being flashed.")
        for path in sorted(there - self._wires.keys()):
            try:
                wire = Wire(path, Link(random.randrange(10**6), self.taken), self)
            except (OSError, termios.error) as error:
                self._notes[path] = open_failed(path, error)
            else:
                self._notes.pop(path, None)
                self._wires[path] = wire
                wire.tick()  # it may fail and be gone again, so it has to be known by now

    def _tick(self) -> None:
        self._again("tick", TICK_EVERY, self._tick)
        for wire in list(self._wires.values()):
            wire.tick()

    def heard(self, wire: "Wire", news: News) -> None:
        """Hand on what a device says, or note that it came or went."""
        owner = next((one for one in self._owners if one.wire is wire), None)
        if isinstance(news, Up):
            self._offer()
        elif isinstance(news, Down):
            self._release(wire, news.why)
        elif isinstance(news, Incompatible):
            self._release(wire, news.why)
            for one in self._owners:
                if one.role == news.role and one.wire is None:
                    one.refused(news.why)
        elif owner is not None:
            owner.heard(news)

    def gone(self, wire: "Wire", why: str) -> None:
        """A port went away under our hands."""
        self._wires.pop(wire.path, None)
        self._release(wire, why)
        self._offer()

    def _release(self, wire: "Wire", why: str) -> None:
        for owner in self._owners:
            if owner.wire is wire:
                owner.wire = None
                wire.link.wanted = False
                owner.unbound(why)

    def _offer(self) -> None:
        """Give each device without a port one that greeted with its role.

        A unit that greets from a second port has been replugged: the new port counts. But where
        it greets from the first one again, there are two that say the same.
        """
        for wire in list(self._wires.values()):
            hello = wire.link.hello
            if hello is None or not wire.link.up or self._owned(wire):
                continue
            for owner in self._owners:
                if owner.role != hello.role or owner.unit not in (None, hello.unit):
                    continue
                old = owner.wire
                if old is not None and old.link.hello is not None:
                    if old.link.hello.unit != hello.unit or wire.path in self._left:
                        continue
                    self._left.add(old.path)
                    old.close()
                    self.gone(old, "It was plugged into another port.")
                if owner.wire is None:
                    self._left.discard(wire.path)
                    owner.wire = wire
                    wire.link.wanted = True
                    owner.bound(wire, hello)
                    break

    def _owned(self, wire: "Wire") -> bool:
        return any(owner.wire is wire for owner in self._owners)

    def _use(self, wire: "Wire") -> tuple[str, str, str]:
        """The state of a port whose device has greeted; what is wrong with it, and in a word."""
        hello = wire.link.hello
        if hello is None or self._owned(wire):
            return "up", "", ""
        owner = next((one for one in self._owners if one.role == hello.role), None)
        if owner is None:
            return "unused", "", ""
        if owner.unit in (None, hello.unit):
            note = f"A second {hello.role}: it waits until the first is unplugged."
            return "spare", note, "second"
        if owner.wire is not None:
            return "unused", "", ""
        key = "die.unit" if hello.role == "die" else "matrix.unit"
        return "spare", f"Its unit is {hello.unit}, but {key} says {owner.unit}.", "unit"


class Wire:
    """One open port and the link over it."""

    def __init__(self, path: str, link: Link, ports: SerialPorts) -> None:
        self.path = path
        self.link = link
        self.link.wanted = False  # until a device of the table takes this port
        self._ports = ports
        self._loop = asyncio.get_running_loop()
        self.held = b""
        self._writing = False
        self._opened = self._loop.time()
        self.dropped = 0
        self._serial: serial.Serial | None = serial.Serial(
            path, 115200, timeout=0, write_timeout=0, exclusive=True
        )
        self._fd: int = self._serial.fileno()
        self._loop.add_reader(self._fd, self._readable)

    def tick(self) -> None:
        """Let time pass on this port."""
        if self._serial is not None:
            self._hand_on(self.link.tick(self._loop.time()))

    def flush(self) -> None:
        """Write what the link has to say, as far as the device takes it now."""
        data = self.link.outgoing()
        if self._serial is None:
            return
        if len(self.held) + len(data) > HELD_BACK:
            self.dropped += 1  # whole sayings fall out; the link repeats what matters
        else:
            self.held += data
        self._writable()

    def _writable(self) -> None:
        try:
            while self.held:
                self.held = self.held[os.write(self._fd, self.held) :]
        except BlockingIOError:
            pass
        except OSError as error:
            self._fail(error)
            return
        if bool(self.held) != self._writing:
            self._writing = bool(self.held)
            if self._writing:
                self._loop.add_writer(self._fd, self._writable)
            else:
                self._loop.remove_writer(self._fd)

    def _readable(self) -> None:
        try:
            data = os.read(self._fd, 4096)
        except BlockingIOError:
            return
        except OSError as error:
            self._fail(error)
            return
        if not data:
            if self._hung_up():
                self._fail(OSError(errno.EIO, "hung up"))
            return
        self._hand_on(self.link.receive(data, self._loop.time()))

    def _hung_up(self) -> bool:
        """Whether an empty read means the end; pyserial's settings make it mean nothing."""
        poll = select.poll()
        poll.register(self._fd, select.POLLIN)
        return any(flags & (select.POLLHUP | select.POLLERR) for _, flags in poll.poll(0))

    def _hand_on(self, news: list[News]) -> None:
        for one in news:
            self._ports.heard(self, one)
        self.flush()

    def _fail(self, error: OSError) -> None:
        self.close()
        self._ports.gone(self, f"It was unplugged from {self.path} ({error.strerror}).")

    def close(self) -> None:
        """Close the port without waiting for what the device has not taken."""
        port, self._serial = self._serial, None
        if port is None:
            return
        self._loop.remove_reader(self._fd)
        self._loop.remove_writer(self._fd)
        self.link.up = False
        with contextlib.suppress(OSError, termios.error):  # it may be gone already
            port.reset_output_buffer()
        port.close()

    def report(self, state: str, note: str, cause: str) -> PortReport:
        """How this port does; what is given is that of a device that has greeted."""
        link = self.link
        refused = link.refused if not link.up else None
        if refused is not None:
            state, note, cause = "refused", refused.why, "protocol"
        elif not link.up:
            state, note, cause = "waiting", "", ""
            if self._loop.time() - self._opened > MUTE:
                cause = "mute"
                note = (
                    "It says nothing we know: flash it with `companion flash`, or plug it in again."
                )
        told = (self.path, state, link.hello, link.counters, link.round_trip)
        return PortReport(*told, note, cause, refused, link.prose)


def open_failed(path: str, error: Exception) -> tuple[str, str]:
    """Why a port could not be opened, in a word and in a sentence with what to do."""
    code = getattr(error, "errno", None)
    if code == errno.EACCES:
        note = f"You may not open {path}: add yourself to the group dialout and log in again."
        return "forbidden", note
    if code in (errno.EBUSY, errno.EAGAIN):
        note = f"Another program holds {path}: stop it (perhaps a second companion, or mpremote)."
        return "busy", note
    return "broken", f"{path} cannot be opened: {error}"

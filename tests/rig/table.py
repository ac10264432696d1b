"""The table around the rig's box: Picos on its serial lines, fingers, pieces, and the glass."""

import asyncio
import socket
from contextlib import suppress
from random import Random
from typing import Literal

from PIL import Image

from companion.events import (
    Button,
    Event,
    Found,
    Lost,
    Pressed,
    Reading,
    Rolled,
    Rolling,
    Snapshot,
)
from companion.rules import Move, Pass, Position
from companion.rules.boards import BOARDS, Board
from companion.table.pico import PtyConsole, SimulatedBoard, SimulatedDie, SimulatedPico
from tests.hands import PhysicalTable, hops_of
from tests.players import COLUMNS, WIRING
from tests.rig.adapter import Adapter
from tests.rig.guest import Guest
from tests.rig.mirror import Mirror, as_text
from tests.table.panel import PanelModel

PINS: dict[Button, int] = {"up": 17, "down": 27, "ok": 22}
FINGER = 0.3  # seconds between two movements of a finger: longer than any contact bounces
HOLD = 5.0  # seconds: time under emulation is not to be trusted
PATIENCE = 600.0  # seconds for a picture to appear; reached only when something is broken

CONFIG = (
    'board = "40"\nsensing = "presence"\npin_factory = "lgpio"\n'
    f"[box]\nup = 17\ndown = 27\nok = 22\nhold_seconds = {HOLD}\nbuzzer = 18\ngood = 23\nbad = 24\n"
    '[serial]\nports = ["/dev/ttyAMA0", "/dev/ttyUSB0"]\n'
    '[die]\nsource = "serial"\n[oled]\nchip = "ssd1306"\nbus = "i2c"\n'
    '[matrix]\nvia = "serial"\nmap = [\n'
    + "".join(
        f'    "{" ".join(list(WIRING)[n : n + COLUMNS])}",\n'
        for n in range(0, len(WIRING), COLUMNS)
    )
    + "]\n"
)


class WrongPictureError(Exception):
    """The glass does not show what it should."""


class _Line(PtyConsole):
    """The device's end of a serial line that QEMU has the other end of."""

    def __init__(self, wire: socket.socket) -> None:
        wire.setblocking(False)
        self.wire = wire
        self.fd = wire.fileno()

    def read(self) -> bytes:
        try:
            return super().read()
        except OSError:
            return b""  # the guest lost its power

    def write(self, data: bytes) -> int:
        with suppress(OSError):
            return super().write(data)
        return len(data)  # lost with the guest's power

    def close(self) -> None:
        self.wire.close()


def plug(pico: SimulatedPico, wire: socket.socket) -> None:
    """Connect a simulated Pico to a line."""
    pico._console = _Line(wire)
    pico.reboot()
    pico.go_on()


def unplug(pico: SimulatedPico) -> None:
    pico.stall()
    if pico._console is not None:
        pico._console.close()
        pico._console = None
        pico._step = None


class Table:
    """Everything people do, done to the guest and told to the mirror."""

    def __init__(self, mirror: Mirror, rng: Random) -> None:
        forty = BOARDS["40"]
        assert isinstance(forty, Board)
        self.mirror = mirror
        self.rng = rng
        self.pieces = PhysicalTable(forty, rng)
        self.board = SimulatedBoard("unused", columns=COLUMNS, seed=1)
        self.die = SimulatedDie("unused", seed=2)
        self.panel = PanelModel()
        self.rolls = self.moves = 0
        self._on: frozenset[str] = frozenset()

    def connect(self, guest: Guest) -> None:
        """Put the plugs in."""
        self.guest = guest
        self.panel.power_on_reset()
        self.adapter = Adapter(guest.connect("oled"), self.panel)
        plug(self.die, guest.connect("uart"))
        plug(self.board, guest.connect("usb"))

    def disconnect(self) -> None:
        unplug(self.die)
        unplug(self.board)
        self.adapter.unplug()

    def unplug_board(self) -> None:
        unplug(self.board)
        self.mirror.tell(Lost("board", "pulled off"))

    def plug_board(self) -> None:
        plug(self.board, self.guest.connect("usb"))
        self.mirror.tell(Found("board", "put on"), Snapshot(self.pieces.on()))

    def glass(self) -> Image.Image:
        """What a person sees."""
        with self.adapter.lock:
            return self.panel.seen()

    async def expect(self, what: str, wanted: set[bytes] | None = None) -> Image.Image:
        """Wait until the glass shows what the mirror says, or one of these pictures."""
        wanted = wanted or self.mirror.pictures()
        end = asyncio.get_running_loop().time() + PATIENCE
        while (seen := self.glass()).tobytes() not in wanted:
            if asyncio.get_running_loop().time() > end:
                meant = Image.frombytes("1", (128, 64), min(wanted))
                raise WrongPictureError(
                    f"{what}: the glass shows\n{as_text(seen)}\ninstead of\n{as_text(meant)}"
                )
            await asyncio.sleep(0.05)
        return seen

    async def in_guest(self, command: str) -> str:
        """Run a command while the Picos live on."""
        return await asyncio.to_thread(self.guest.run, command)

    async def press(self, button: Button, held: bool = False, *, expect: bool = True) -> None:
        """A finger on one of the box's buttons."""
        await self._pull(button, "down")
        if not held:
            await self._pull(button, "up")
        self.mirror.tell(Pressed(button, held))
        if expect:
            await self.expect(f"after {button}{', held' if held else ''}")
        if held:
            await self._pull(button, "up")

    async def _pull(self, button: Button, way: str) -> None:
        await asyncio.to_thread(self.guest.ask, {"pull": {str(PINS[button]): way}})
        await asyncio.sleep(FINGER)

    async def log_has(self, text: str) -> None:
        """Wait for a line in the log of the daemon that runs now."""
        mine = "_PID=$(systemctl show -P MainPID ludo-companion)"
        await self.until_true(f"journalctl {mine} -o cat --no-pager | grep -q '{text}'")

    async def until_true(self, command: str) -> None:
        """Wait until a command succeeds in the guest."""
        end = f"[ $SECONDS -lt {PATIENCE:.0f} ] || exit 1"
        await self.in_guest(f"until {command}; do {end}; sleep 0.5; done")

    def sense_anew(self) -> None:
        """A daemon that just started is told how the board stands."""
        self.mirror.tell(Snapshot(self.pieces.on()))

    async def pick(self, key: str, *, expect: bool = True) -> None:
        """Go to a line of the menu and press OK."""
        while True:
            lines, cursor = self.mirror.view.lines, self.mirror.view.cursor
            target = next(n for n, line in enumerate(lines) if line.key == key)
            if target == cursor:
                break
            down = (target - cursor) % len(lines)
            await self.press("down" if down <= len(lines) / 2 else "up")
        await self.press("ok", expect=expect)

    async def roll(self, face: int | None = None) -> None:
        """Throw the die."""
        face = face or self.rng.randint(1, 6)
        self.die.throw(face)
        self.rolls += 1
        self.mirror.tell(Rolling(), Rolled(self.rolls, face))
        await self.expect(f"after a roll of {face}")

    async def set_up(self, position: Position) -> None:
        """Put every piece where a position has it."""
        self.pieces.set_up(position)
        self.sense(tell=False)
        self.mirror.tell(Snapshot(self.pieces.on()))
        await self.expect("after setting the pieces")

    async def move(self, chosen: Move) -> None:
        """Carry the pieces of a legal move."""
        for hop in (hop for hops in hops_of(self.mirror.match.position, chosen) for hop in hops):
            self.carry(self.pieces.taken_place(hop.origin, hop.seat), hop.target, hop.seat)
        self.moves += 1
        self.mirror.tell()
        await self.expect(f"after {chosen}")

    def carry(self, place: str, spot: str, seat: int) -> str:
        """Lift a piece and put it down elsewhere; returns where."""
        self.pieces.lift(place, seat)
        self.sense()
        target = self.pieces.free_place(spot)
        self.pieces.drop(target, seat)
        self.sense()
        return target

    def sense(self, tell: bool = True) -> None:
        """Let the switches follow the pieces, and the mirror the switches."""
        on = self.pieces.on()
        changes: list[Event] = [Reading(place, False) for place in sorted(self._on - on)]
        changes += [Reading(place, True) for place in sorted(on - self._on)]
        for place in self._on - on:
            self.board.open_switch(*WIRING[place])
        for place in on - self._on:
            self.board.close_switch(*WIRING[place])
        self._on = on
        self.board.run(60, 20)
        if tell:
            self.mirror.tell(*changes, wait=0.05)

    async def turn(self) -> None:
        """A roll, and any move that it allows."""
        await self.roll()
        view = self.mirror.view
        if view.phase != "move":
            return
        moves = [move for move in view.legal if not isinstance(move, Pass)]
        chosen = self.rng.choice(moves)
        assert isinstance(chosen, Move)
        await self.move(chosen)
        phase: Literal["move"] | str = self.mirror.view.phase
        if phase in ("move", "ask"):  # it could not be seen: OK says that it was made
            await self.press("ok")

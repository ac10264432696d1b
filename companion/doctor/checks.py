"""What `companion doctor` finds: each device looked at, each fault with what to do about it."""

import asyncio
import glob
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion import SERVICE, journal, privileged
from companion.bench.health import Health
from companion.bench.wires import whole_lines
from companion.config import SHORT_PIN, Config, MatrixSection, OledSection, places
from companion.daemon.mounts import KEEP, forgotten
from companion.devices import Devices
from companion.doctor.finding import Finding, listed, told
from companion.doctor.picos import picos
from companion.events import Cell, Event, Found, Lost, Snapshot
from companion.rules.boards import BOARDS
from companion.small_files import read_small_text
from companion.table.pins import pi_model
from companion.table.sim import SimBoard, SimDisplay

GRACE = 4.0  # seconds a device has to appear
OLED_ADDRESSES = (0x3C, 0x3D)

ASSUMED = Config(sensing="touch", matrix=MatrixSection(via="serial"), oled=OledSection())
"""What is looked for when there is no configuration: Picos on USB, an OLED on I2C."""


@dataclass
class Patient:
    """A table under examination: its devices, and all they have reported so far."""

    config: Config
    devices: Devices
    partly: bool = False
    """Some of the devices could not even be opened, and are not spoken of again."""
    events: list[Event] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        board = self.devices.board
        names = [place.name for place in BOARDS[self.config.board].places]
        if not isinstance(board, SimBoard):
            wired = places(self.config) if board is not None else {}
            names = [name for name in names if name in wired]
        self.health = Health(names)

    def start(self) -> None:
        """Start every device; what they report is kept."""
        for source in self.devices.sources:
            source.start(self.take)

    def take(self, event: Event) -> None:
        """Take an event of any device."""
        self.events.append(event)
        self.health.take(event, asyncio.get_running_loop().time())
        self.news.set()

    def last(self, device: str) -> Found | Lost | None:
        """Whether a device was last found or lost."""
        told = [e for e in self.events if isinstance(e, Found | Lost) and e.device == device]
        return told[-1] if told else None

    async def settle(self, grace: float = GRACE) -> None:
        """Wait until every device is found or known to be lost."""
        try:
            async with asyncio.timeout(grace):
                while not self._settled():
                    self.news.clear()
                    await self.news.wait()
        except TimeoutError:
            return  # the findings name who did not come

    def _settled(self) -> bool:
        told = {source.name: self.last(source.name) for source in self.devices.sources}
        board = self.devices.board
        if board is not None and isinstance(told[board.name], Found):
            # it has yet to tell what stands on it
            return any(isinstance(e, Snapshot) for e in self.events) and None not in told.values()
        return None not in told.values()


async def examine(patient: Patient, observe: float) -> list[Finding]:
    """Look at every device; `observe` is for how long the sensors are watched at rest.

    Where one of them changes, it is watched three times as long: as long as a game counts.
    """
    patient.start()
    await patient.settle()
    await asyncio.sleep(observe)
    if patient.health.restless:
        await asyncio.sleep(2 * observe)
    return [*sources(patient), *sensors(patient), *ports(patient), *screen(patient)]


def machine() -> Finding:
    """Which Pi this is."""
    model = pi_model()
    if model is None:
        return Finding(
            "bad",
            "computer",
            "this is not a Raspberry Pi",
            "run it on the Pi, or try `companion doctor --simulated`",
        )
    return Finding("good", "computer", model)


def secrets(path: Path, config: Config) -> Iterator[Finding]:
    """Whether the PIN is one that cannot be guessed, and only the box can read it."""
    pin = config.web.pin
    if pin is None:
        return
    if len(pin) < SHORT_PIN:
        yield Finding(
            "note",
            "pin",
            f"web.pin has {len(pin)} digits: it works, but can be guessed in an evening",
            f"set one of {SHORT_PIN} digits or more",
        )
    if path.stat().st_mode & stat.S_IROTH:
        yield Finding(
            "bad",
            "pin",
            f"everybody on this machine can read the PIN in {path}",
            f"sudo chgrp {SERVICE} {path} && sudo chmod 640 {path}",
        )


def house(config: Config, folder: Path, units: Path = privileged.UNITS) -> Iterator[Finding]:
    """Whether the table can join its house, where it has one."""
    if config.cafe is None:
        return
    from companion.cafe.check import why_not
    from companion.cafe.table import kept_box

    where = f"{config.cafe.broker}:{config.cafe.port}"
    why = asyncio.run(why_not(config.cafe, kept_box(folder)))
    if why is None:
        yield Finding("good", "house", f"{config.cafe.name} is let in at {where}")
    else:
        yield Finding("bad", "house", why, "docs/cafe.md tells how a table joins")
    yield from unit_is_open(config, units)


def unit_is_open(config: Config, units: Path) -> Iterator[Finding]:
    """The doctor may reach what the service may not: whether its unit is open for the broker."""
    unit, _ = privileged.followed()
    part = unit.part(units)
    if not part.parent.exists():  # nothing is installed here
        return
    opened = read_small_text(part) if part.exists() else ""
    wanted = privileged.part_of(privileged.network_for(config)).splitlines()
    if any(one not in opened.splitlines() for one in wanted):
        yield Finding(
            "bad",
            "house",
            "the service may not talk with the broker: its unit is not open for it",
            "sudo systemctl start ludo-companion-settings; its journal tells why it did not",
        )


def games() -> Iterator[Finding]:
    """Whether the service's games outlast a power-off, where it has been used."""
    folder = journal.SYSTEM.parent
    if not folder.exists():
        return
    why = forgotten(journal.SYSTEM)
    if why is None:
        yield Finding("good", "games", f"kept in {folder}")
    else:
        yield Finding("note", "games", why, KEEP)


def sources(patient: Patient) -> Iterator[Finding]:
    """Board, die and buttons: found, or why not."""
    pretended = patient.devices.pins is not None and patient.config.pin_factory == "mock"
    if pretended:
        yield Finding(
            "bad",
            "pins",
            'pin_factory = "mock": no pin is really read or moved',
            'set pin_factory = "lgpio"',
        )
    missing = missing_picos(patient)
    for source in patient.devices.sources:
        last = patient.last(source.name)
        if source.name in missing:
            continue
        if isinstance(last, Lost) or last is None:
            why = last.why if last is not None else "it did not answer"
            yield Finding("bad", source.name, why, _cure(source.name))
        elif pretended and _on_pins(patient.config, source.name):
            yield Finding("note", source.name, "only pretended")
        else:
            yield Finding("good", source.name, last.what)
    for button in (patient.devices.die, patient.devices.buttons):
        if button is not None and button.down:
            yield Finding(
                "bad",
                button.name,
                f"held down all the time: {', '.join(sorted(button.down))}",
                "let go of it; if nobody touches it, its two wires touch: part them",
            )
    if patient.devices.ports is not None:
        yield from picos(missing, patient.devices.ports.report())
    if patient.partly:
        return
    if patient.devices.die is None:
        yield Finding("note", "die", "a real die, entered with the buttons")
    if patient.devices.buttons is None:
        yield Finding("note", "buttons", "none configured: set box.up, box.down and box.ok")
    if patient.devices.board is None:
        yield Finding("note", "board", "no sensors: moves are chosen on the screen")


def _on_pins(config: Config, name: str) -> bool:
    """Whether a device is wired to the Pi's own pins, not to a Pico."""
    if name == "board":
        return config.matrix is not None and config.matrix.via == "gpio"
    return name == "buttons" or config.die.source == "gpio"


def _cure(name: str) -> str:
    keys = {
        "board": "matrix.rows and matrix.columns",
        "die": "die.pin",
        "buttons": "box.up, box.down and box.ok",
    }
    return f"check {keys[name]} in the configuration, and that no other program holds these pins"


def missing_picos(patient: Patient) -> dict[str, str]:
    """The devices on Picos that are not there, each with what was said of it last."""
    if patient.devices.ports is None:
        return {}
    found = {}
    for source in patient.devices.sources:
        last = patient.last(source.name)
        if not isinstance(last, Found) and not _on_pins(patient.config, source.name):
            why = last.why if last is not None else ""
            found[source.name] = f"No {source.name} was found" if why[:3] in ("", "No ") else why
    return found


def sensors(patient: Patient) -> Iterator[Finding]:
    """Places that stick or flicker, and wires that lead nowhere."""
    board, health = patient.devices.board, patient.health
    if board is None or not isinstance(patient.last(board.name), Found):
        return
    faults = list(_sensor_faults(patient))
    yield from faults
    if not _wired(patient) and not isinstance(board, SimBoard):
        yield Finding("note", "sensors", "no place is mapped", "run `companion learn`")
    elif not faults:
        standing = f", {len(health.on)} of them on" if health.on else ", none on"
        yield Finding("good", "sensors", f"{len(health.places)} places at rest{standing}")


def _sensor_faults(patient: Patient) -> Iterator[Finding]:
    board, health = patient.devices.board, patient.health
    assert board is not None
    if health.flickering:
        yield Finding(
            "bad",
            "sensors",
            f"flickering: {listed(health.flickering)}",
            "check the solder joints of these places; a reed switch may be too far from its piece",
        )
    noisy = {place: n for place, n in board.noise.items() if n >= 3}
    if noisy:
        yield Finding(
            "bad",
            "sensors",
            f"loose: {listed(noisy)} closed for a moment {max(noisy.values())} times at rest",
            "check the wires and diodes of these places",
        )
    yield from _stuck(patient)
    unreachable = board.unreachable
    if unreachable:
        yield Finding(
            "bad",
            "sensors",
            f"outside the Pico's matrix: {listed(unreachable)}",
            "`companion flash board --set COLUMNS=16`, or run `companion learn`: it asks for these",
        )
    closed: frozenset[Cell] = board.cells
    unnamed = closed - set(_wired(patient))
    if unnamed and _wired(patient):
        cells = ", ".join(f"row {row + 1} column {column + 1}" for row, column in sorted(unnamed))
        yield Finding(
            "bad",
            "sensors",
            f"closed, but no place is mapped there: {cells}",
            "if something is there, the map is wrong: run `companion learn --again`; if nothing "
            "is, look for touching wires or a bent switch",
        )


def _stuck(patient: Patient) -> Iterator[Finding]:
    """Places that are on though nothing may stand there; pieces may, but not on a whole line."""
    on = [place for place in patient.health.places if place in patient.health.on]
    wiring = wiring_of(patient)
    found, _ = whole_lines(on, wiring)
    if patient.config.sensing == "touch" and on:
        yield Finding("bad", "sensors", f"stuck: {told(on, wiring)}", _stuck_cure(bool(found)))
        return
    spots = {place.name: place.kind for place in BOARDS[patient.config.board].places}
    for line in found:
        if any(spots[name] not in ("base", "home") for name in line.places):
            yield Finding(
                "bad",
                "sensors",
                f"all of {line} is on: {listed(line.places)}",
                f"lift what stands there; if nothing does, {_LINE_CLOSED}",
            )


_LINE_CLOSED = "the wire of a row or column touches another: follow the one that is named"


def _stuck_cure(whole: bool) -> str:
    cure = "take everything off these buttons; if nothing is there, "
    return cure + (_LINE_CLOSED if whole else "look for touching wires")


def wiring_of(patient: Patient) -> dict[str, Cell]:
    """Which cell each place is wired to: as the map says, or as a simulated board is."""
    board = patient.devices.board
    return dict(board.wiring) if isinstance(board, SimBoard) else places(patient.config)


def _wired(patient: Patient) -> list[Cell]:
    return list(places(patient.config).values())


def ports(patient: Patient) -> Iterator[Finding]:
    """Serial ports worth a word: firmware of another version, a noisy line, a stranger."""
    if patient.devices.ports is None:
        return
    from firmware import VERSION

    absent = [name for name in patient.config.serial.ports if not glob.glob(name)]
    if absent:
        yield Finding(
            "note",
            "ports",
            f"serial.ports names what is not there: {listed(absent)}",
            "plug it in, or correct the name; without serial.ports every Pico on USB is tried",
        )
    lacking = bool(missing_picos(patient))
    for report in patient.devices.ports.report():
        if report.state in ("unused", "spare") and report.hello is not None and not lacking:
            second = report.cause == "second"
            yield Finding(
                "note",
                report.path,
                f"{report.hello}, is not used",
                _SECOND if second else _UNUSED[report.hello.role],
            )
        if report.hello is not None and report.hello.firmware != VERSION:
            yield Finding(
                "note",
                report.path,
                f"firmware {report.hello.firmware}, this companion brings {VERSION}",
                f"it works; `companion flash {report.hello.role} --port {report.path}` "
                "brings the same",
            )
        if report.hello is not None and report.counters.bad > 3:
            yield Finding(
                "bad",
                report.path,
                f"{report.counters.bad} garbled lines",
                "take a shorter or better USB cable, and keep it away from motors and lamps",
            )


_SECOND = "it waits until the first of its kind is unplugged"
_UNUSED = {
    "board": 'to use it, set matrix.via = "serial", and sensing to "presence" or "touch"; '
    "matrix.unit chooses one of several",
    "die": 'to use it, set die.source = "serial"; die.unit chooses one of several',
}


def screen(patient: Patient) -> Iterator[Finding]:
    """Whether the screen takes a picture; if not, at which address one answers."""
    display, oled = patient.devices.display, patient.config.oled
    if display is None:
        yield Finding("note", "screen", "none configured: add an [oled] section")
        return
    try:
        display.show(trial_picture().rotate(oled.rotation if oled is not None else 0))
    except OSError as fault:
        what = getattr(fault, "what", str(fault))
        yield Finding("bad", "screen", what, _screen_cure(oled, fault))
        return
    if oled is None or isinstance(display, SimDisplay):
        yield Finding("good", "screen", "a simulated screen shows a test picture")
    else:
        where = f"0x{oled.address:02X} on I2C {oled.bus_number}" if oled.bus == "i2c" else "SPI"
        yield Finding(
            "good", "screen", f"{oled.chip} at {where} shows a test picture; is its frame whole?"
        )


def _screen_cure(oled: OledSection | None, fault: OSError) -> str:
    if oled is not None and oled.bus == "i2c":
        answering = i2c_answers(oled.bus_number)
        if answering and oled.address not in answering:
            return f"one answers at 0x{answering[0]:02X}: set oled.address = 0x{answering[0]:02X}"
    return str(getattr(fault, "cure", "check its wires, and that it gets its 3.3 V"))


def i2c_answers(port: int, bus: Any = None) -> list[int]:
    """The addresses of OLEDs at which something answers on an I2C bus."""
    from smbus2 import SMBus

    found = []
    try:
        with bus or SMBus(port) as opened:
            for address in OLED_ADDRESSES:
                try:
                    opened.read_byte(address)
                except OSError:
                    continue
                found.append(address)
    except OSError:
        return []
    return found


def trial_picture() -> Any:
    """A picture in which every edge, and a shift by two columns, would be seen."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 127, 63), outline=1)
    draw.rectangle((2, 2, 125, 61), outline=1)
    draw.text((16, 20), "companion doctor", fill=1, font=ImageFont.load_default_imagefont())
    for n in range(16):
        draw.rectangle((8 + 7 * n, 42, 8 + 7 * n + n // 3, 52), fill=1)
    return image

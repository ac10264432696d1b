"""Every kind of device, real and simulated, behind one handle each: what the contract tests move.

A rig is a device plus the hands that move it. The real adapters get gpiozero's mock pins or a
model panel; the simulated ones are moved by their own methods.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin
from PIL import Image

from companion.events import Button
from companion.table import BoardDevice, DieDevice, Display, Sounder, Source
from companion.table.buttons import BoxButtons, RollButton
from companion.table.matrix import GpioBoard, Matrix
from companion.table.oled import Oled, i2c_wire
from companion.table.pico import SimulatedBoard, SimulatedDie
from companion.table.serial_devices import SerialBoard, SerialDie
from companion.table.serial_ports import SerialPorts, ports_like
from companion.table.sim import SimBoard, SimButtons, SimDie, SimDisplay, SimSounder
from companion.table.sounder import GpioSounder
from firmware.die.pips import PICTURES
from tests.table.circuit import Circuit
from tests.table.clock import later, loop_pace, run
from tests.table.panel import FakeBus, PanelModel

PLACES = ("1", "2", "3", "R.B1")
CELLS = dict(zip(PLACES, ((0, 0), (0, 1), (1, 0), (1, 1)), strict=True))
SETTLE = 0.2

Runner = Callable[[Coroutine[Any, Any, None]], None]
"""Runs a test's coroutine: in jumping time, or in real time where real lines are read."""


def entropy_of(*values: int) -> Callable[[int], bytes]:
    """Entropy that gives these bytes, one at a time."""
    rest = iter(values)
    return lambda size: bytes(next(rest) for _ in range(size))


@dataclass
class BoardRig:
    board: BoardDevice
    put: Callable[[str], object]
    take: Callable[[str], object]
    plug: Callable[[], object] = lambda: None
    unplug: Callable[[], object] = lambda: None
    run: Runner = run


def gpio_board(_directory: Path) -> BoardRig:
    circuit = Circuit((4, 5), (6, 7))
    board = GpioBoard(
        Matrix(circuit.factory, (4, 5), (6, 7), circuit.settle),
        CELLS,
        pace=loop_pace,
    )

    def break_pins(broken: bool) -> None:
        circuit.broken = broken

    return BoardRig(
        board,
        put=lambda place: circuit.press(CELLS[place]),
        take=lambda place: circuit.release(CELLS[place]),
        plug=lambda: break_pins(False),
        unplug=lambda: break_pins(True),
    )


def sim_board(_directory: Path) -> BoardRig:
    board = SimBoard(PLACES)
    return BoardRig(board, board.put, board.take, board.plug, board.unplug)


def serial_board(directory: Path) -> BoardRig:
    """Over real pyserial and real time, with the firmware's own logic at the other end."""
    pico = SimulatedBoard(directory / "ttyACM0", rows=2, columns=2)
    board = SerialBoard(SerialPorts(ports_like([f"{directory}/tty*"])), CELLS)
    return BoardRig(
        board,
        put=lambda place: pico.press(*CELLS[place]),
        take=lambda place: pico.release(*CELLS[place]),
        plug=pico.plug,
        unplug=pico.unplug,
        run=asyncio.run,
    )


@dataclass
class DieRig:
    die: DieDevice
    throw: Callable[[], Any]
    shown: Callable[[], int | None] = lambda: None
    plug: Callable[[], object] = lambda: None
    unplug: Callable[[], object] = lambda: None
    run: Runner = run


def gpio_die(entropy: Callable[[int], bytes], _directory: Path) -> DieRig:
    factory = MockFactory()
    die = RollButton(factory, 21, entropy)
    pin = factory.pin(21)

    async def throw() -> None:
        pin.drive_low()
        await later(SETTLE)
        pin.drive_high()
        await later(SETTLE)

    return DieRig(die, throw)


def sim_die(entropy: Callable[[int], bytes], _directory: Path) -> DieRig:
    die = SimDie(entropy)

    async def throw() -> None:
        die.throw()

    return DieRig(die, throw, lambda: die.shown, die.plug, die.unplug)


def serial_die(entropy: Callable[[int], bytes], directory: Path) -> DieRig:
    pico = SimulatedDie(directory / "ttyACM1")
    pico._entropy = entropy  # type: ignore[assignment,method-assign]
    die = SerialDie(SerialPorts(ports_like([f"{directory}/tty*"])))

    async def throw() -> None:
        pico.throw()

    faces = {PICTURES[str(face)][0]: face for face in range(1, 7)}
    return DieRig(die, throw, lambda: faces.get(pico.pips), pico.plug, pico.unplug, asyncio.run)


@dataclass
class ButtonsRig:
    buttons: Source
    press: Callable[[Button, bool], Any]


def gpio_buttons() -> ButtonsRig:
    factory = MockFactory()
    pins: dict[Button, int] = {"up": 5, "down": 6, "ok": 13}
    buttons = BoxButtons(factory, pins, hold=1.0)

    async def press(button: Button, held: bool) -> None:
        pin = factory.pin(pins[button])
        pin.drive_low()
        await later(1.5 if held else SETTLE)
        pin.drive_high()
        await later(SETTLE)

    return ButtonsRig(buttons, press)


def sim_buttons() -> ButtonsRig:
    buttons = SimButtons()

    async def press(button: Button, held: bool) -> None:
        buttons.press(button, held)

    return ButtonsRig(buttons, press)


@dataclass
class DisplayRig:
    display: Display
    seen: Callable[[], Image.Image]
    unplug: Callable[[], object]
    plug: Callable[[], object]
    lit: Callable[[], bool]


def oled_display() -> DisplayRig:
    bus = FakeBus(PanelModel())
    oled = Oled(lambda: i2c_wire(bus=bus))

    def unplug() -> None:
        bus.plugged = False

    def plug() -> None:
        bus.panel.power_on_reset()
        bus.plugged = True

    return DisplayRig(oled, bus.panel.seen, unplug, plug, lambda: bus.panel.on)


def sim_display() -> DisplayRig:
    display = SimDisplay()
    dark = Image.new("1", (128, 64))
    return DisplayRig(
        display,
        lambda: display.image or dark,
        display.unplug,
        display.plug,
        lambda: display.image is not None and display.level > 0,
    )


@dataclass
class SounderRig:
    sounder: Sounder
    lamps: Callable[[], dict[str, bool]]
    sounding: Callable[[], float | None]
    loudness: Callable[[], float]


def gpio_sounder() -> SounderRig:
    factory = MockFactory(pin_class=MockPWMPin)
    sounder = GpioSounder(factory, buzzer=12, good=16, bad=20, volume=0.5)
    buzzer = factory.pin(12)
    return SounderRig(
        sounder,
        lambda: {"good": bool(factory.pin(16).state), "bad": bool(factory.pin(20).state)},
        lambda: buzzer.frequency if buzzer.state else None,
        lambda: float(buzzer.state) / 0.25,  # the device is set to half, a half of the wave
    )


def sim_sounder() -> SounderRig:
    sounder = SimSounder()
    return SounderRig(
        sounder,
        lambda: dict(sounder.lamps),
        lambda: sounder.played[-1][0][0] if sounder.played else None,
        lambda: sounder.share,
    )

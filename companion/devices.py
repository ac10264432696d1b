"""The devices of a table, opened as its configuration says, or simulated."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from companion.config import BoxSection, Config, DieSection, places
from companion.events import Button, Cell
from companion.rules.boards import BOARDS
from companion.table import BoardDevice, ButtonsDevice, DieDevice, Display, Sounder, Source
from companion.table.die import Entropy
from companion.table.pins import PinError, open_pins

if TYPE_CHECKING:
    from companion.table.serial_ports import SerialPorts

T = TypeVar("T")


@dataclass
class Devices:
    """What stands on a table; what is not configured is None."""

    board: BoardDevice | None = None
    die: DieDevice | None = None
    buttons: ButtonsDevice | None = None
    display: Display | None = None
    sounder: Sounder | None = None
    ports: "SerialPorts | None" = None
    pins: Any = field(default=None, repr=False)

    @property
    def sources(self) -> list[Source]:
        """The devices that report events."""
        return [one for one in (self.board, self.die, self.buttons) if one is not None]

    def close(self) -> None:
        """Close everything; may be called twice."""
        for source in self.sources:
            source.close()
        if self.display is not None:
            self.display.close()
        if self.sounder is not None:
            self.sounder.close()
        pins, self.pins = self.pins, None
        if pins is not None:
            pins.close()


@dataclass
class _Opening:
    """What opening the devices needs to know."""

    config: Config
    entropy: Entropy
    last_roll: int | None
    confirm: bool
    wiring: Mapping[str, Cell]


def open_devices(
    config: Config,
    entropy: Entropy,
    *,
    last_roll: int | None = None,
    confirm: bool = False,
    wiring: Mapping[str, Cell] | None = None,
) -> Devices:
    """Open what the configuration names. Raises PinError.

    `last_roll` is the number of the last roll that was kept, so that it does not count twice;
    with `confirm` a serial die waits until its rolls are confirmed. `wiring` replaces the map.
    """
    opening = _Opening(
        config, entropy, last_roll, confirm, places(config) if wiring is None else wiring
    )
    devices = Devices()
    try:
        _open(opening, devices)
    except BaseException:
        devices.close()
        raise
    return devices


def without_pins(config: Config) -> Config:
    """The same table without what needs the Pi's pins."""
    matrix, oled = config.matrix, config.oled
    left = matrix if matrix is not None and matrix.via == "serial" else None
    return msgspec.structs.replace(
        config,
        sensing=config.sensing if left is not None else "choose",
        box=BoxSection(),
        die=config.die if config.die.source == "serial" else DieSection(source="hand"),
        matrix=left,
        oled=oled if oled is not None and oled.bus == "i2c" else None,
    )


def simulated(config: Config, entropy: Entropy, *, last_roll: int = 0) -> Devices:
    """The same table without any hardware."""
    from companion.table import sim

    names = [place.name for place in BOARDS[config.board].places]
    columns = len(config.matrix.columns) if config.matrix is not None else 0
    return Devices(
        board=sim.SimBoard(names, columns=columns or 16),
        die=sim.SimDie(entropy, last_roll),
        buttons=sim.SimButtons(),
        display=sim.SimDisplay(),
        sounder=sim.SimSounder(),
    )


def _open(opening: _Opening, devices: Devices) -> None:
    config = opening.config
    if _uses_pins(config):
        devices.pins = open_pins(config.pin_factory)
    if config.oled is not None:
        devices.display = _display(config, devices.pins)
    devices.sounder = _sounder(config, devices.pins)
    devices.buttons = _buttons(config, devices.pins)
    if config.die.source == "serial" or (config.matrix and config.matrix.via == "serial"):
        from companion.table.serial_ports import SerialPorts, ports_like

        named = config.serial.ports
        devices.ports = SerialPorts(ports_like(named) if named else None)
    devices.die = _die(opening, devices)
    devices.board = _board(opening, devices)


def _uses_pins(config: Config) -> bool:
    box, matrix, oled = config.box, config.matrix, config.oled
    return (
        any(pin is not None for pin in (box.up, box.buzzer, box.good, box.bad))
        or config.die.source == "gpio"
        or (matrix is not None and matrix.via == "gpio")
        or (oled is not None and oled.bus == "spi")
    )


def _claim(what: str, make: Callable[[], T]) -> T:
    """Take pins for something; says which could not be had, and the likely reason."""
    try:
        return make()
    except Exception as fault:  # every pin library has its own kind
        raise PinError(
            f"the pins of {what} cannot be used ({str(fault).strip(chr(39))})",
            "is another companion running? Stop it: `sudo systemctl stop ludo-companion`",
        ) from fault


def _display(config: Config, pins: Any) -> Display:
    from companion.table.oled import Oled, i2c_wire, spi_wire

    oled = config.oled
    assert oled is not None
    if oled.bus == "i2c":
        return Oled(lambda: i2c_wire(oled.bus_number, oled.address), oled.chip)
    assert oled.dc is not None
    assert oled.reset is not None
    where = (pins, oled.bus_number, oled.device, oled.dc, oled.reset)
    return Oled(lambda: spi_wire(*where), oled.chip)


def _sounder(config: Config, pins: Any) -> Sounder:
    from companion.table.sounder import GpioSounder

    box = config.box
    buzzer = box.buzzer if config.sounds.enabled else None
    return _claim(
        "buzzer and lights",
        lambda: GpioSounder(pins, buzzer, box.good, box.bad, volume=config.sounds.volume),
    )


def _buttons(config: Config, pins: Any) -> ButtonsDevice | None:
    from companion.table.buttons import BoxButtons

    box = config.box
    if box.up is None or box.down is None or box.ok is None:
        return None
    wired: dict[Button, int] = {"up": box.up, "down": box.down, "ok": box.ok}
    return _claim("the buttons", lambda: BoxButtons(pins, wired, box.hold_seconds))


def _die(opening: _Opening, devices: Devices) -> DieDevice | None:
    die = opening.config.die
    if die.source == "gpio":
        from companion.table.buttons import RollButton

        pin, entropy, number = die.pin or 0, opening.entropy, opening.last_roll or 0
        return _claim("the roll button", lambda: RollButton(devices.pins, pin, entropy, number))
    if die.source == "serial" and devices.ports is not None:
        from companion.table.serial_devices import SerialDie

        return SerialDie(
            devices.ports, unit=die.unit, confirm=opening.confirm, after=opening.last_roll
        )
    return None


def _board(opening: _Opening, devices: Devices) -> BoardDevice | None:
    matrix = opening.config.matrix
    if matrix is None or opening.config.sensing == "choose":
        return None
    if matrix.via == "serial" and devices.ports is not None:
        from companion.table.serial_devices import SerialBoard

        return SerialBoard(devices.ports, opening.wiring, unit=matrix.unit)
    from companion.table.matrix import GpioBoard, Matrix

    keys = _claim("the matrix", lambda: Matrix(devices.pins, matrix.rows, matrix.columns))
    return GpioBoard(keys, opening.wiring)


def matrix_size(config: Config, board: BoardDevice | None) -> tuple[int, int]:
    """Rows and columns of the matrix: of the Pi's pins, or as the Pico says."""
    matrix = config.matrix
    if matrix is not None and matrix.via == "gpio":
        return len(matrix.rows), len(matrix.columns)
    return board.size if board is not None else (0, 0)

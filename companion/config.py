"""The table's configuration: a TOML file, checked so that every fault is named with its cure.

`load` reads and checks a file; `places` says at which cell of the matrix each place of the
board is wired. Every key is described in docs/config.md, and a test keeps that page complete.
"""

import difflib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args

import msgspec
from msgspec import Meta, Struct

from companion import invitation
from companion.events import Cell
from companion.rules.boards import BOARDS
from companion.small_files import read_small_text

DEFAULT = Path("/etc/ludo-companion/companion.toml")
HOUSE = Path("/etc/ludo-companion/house.toml")
LARGEST = 64 << 10
"""Letters that a configuration may have."""
NOTHING = "-"
"""Stands in a matrix map where no place is wired."""

BoardName = Literal["40", "52", "52-mirrored", "68", "68-parchis", "mat"]


_ADDRESS = "a number from 0x08 to 0x77; a module's label 0x78 is 0x3C here, 0x7A is 0x3D"
_TABLE_NAME = "a name of small letters, digits and dashes, for instance table-3"
_PIN = "6 to 12 digits in quotes"
SHORT_PIN = 6
"""Digits that a new PIN has at least; shorter ones, from earlier versions, still work."""


class ConfigError(Exception):
    """The configuration cannot be used; the message names every fault and says what to do."""


class _Section(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the file."""


class BoxSection(_Section, frozen=True, kw_only=True):
    """The box's own buttons, buzzer and lamps: BCM pin numbers."""

    up: int | None = None
    down: int | None = None
    ok: int | None = None
    hold_seconds: Annotated[float, Meta(ge=0.3, le=5)] = 1.0
    buzzer: int | None = None
    good: int | None = None
    bad: int | None = None


class DieSection(_Section, frozen=True, kw_only=True):
    """Where rolls come from."""

    source: Literal["serial", "gpio", "hand"] = "serial"
    pin: int | None = None
    unit: str | None = None


class MatrixSection(_Section, frozen=True, kw_only=True):
    """How the board's sensors are wired."""

    via: Literal["gpio", "serial"]
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    board: BoardName | None = None
    map: tuple[str, ...] = ()
    unit: str | None = None


class OledSection(_Section, frozen=True, kw_only=True):
    """The screen."""

    chip: Literal["ssd1306", "sh1106"] = "ssd1306"
    bus: Literal["i2c", "spi"] = "i2c"
    port: Annotated[int, Meta(ge=0, le=22)] | None = None
    address: Annotated[int, Meta(ge=0x08, le=0x77, description=_ADDRESS)] = 0x3C
    device: Literal[0, 1] = 0
    dc: int | None = None
    reset: int | None = None
    rotation: Literal[0, 180] = 0

    @property
    def bus_number(self) -> int:
        """The number of the bus: I2C is 1 on every Pi's header, SPI is 0."""
        return self.port if self.port is not None else (1 if self.bus == "i2c" else 0)


class SerialSection(_Section, frozen=True, kw_only=True):
    """Where to look for the Picos; empty means every Pico on USB."""

    ports: tuple[str, ...] = ()


class SoundsSection(_Section, frozen=True, kw_only=True):
    """Whether and how loud the buzzer sounds."""

    enabled: bool = True
    volume: Annotated[float, Meta(ge=0, le=1)] = 0.5


class WebSection(_Section, frozen=True, kw_only=True):
    """The page: for this machine only, unless `address` says otherwise."""

    enabled: bool = True
    address: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8080
    pin: Annotated[str, Meta(pattern=r"^[0-9]{4,12}\Z", description=_PIN)] | None = None
    names: tuple[str, ...] = ()
    past_games: bool = False


class CafeSection(_Section, frozen=True, kw_only=True):
    """The house that the table belongs to: its MQTT broker, and the table's name there."""

    broker: Annotated[str, Meta(min_length=1, max_length=253)]
    port: Annotated[int, Meta(ge=1, le=65535)] = 1883
    name: Annotated[str, Meta(pattern=invitation.NAME, description=_TABLE_NAME)]
    label: Annotated[str, Meta(max_length=60)] = ""
    password: Annotated[str, Meta(max_length=200)] | None = None
    user: Annotated[str, Meta(min_length=1, max_length=60)] | None = None
    certificate: str | None = None


class Config(_Section, frozen=True, kw_only=True):
    """A whole table."""

    board: BoardName = "40"
    sensing: Literal["presence", "touch", "choose"] = "choose"
    pin_factory: Literal["lgpio", "rpigpio", "mock"] = "lgpio"
    box: BoxSection = BoxSection()
    die: DieSection = DieSection()
    matrix: MatrixSection | None = None
    oled: OledSection | None = None
    serial: SerialSection = SerialSection()
    sounds: SoundsSection = SoundsSection()
    web: WebSection = WebSection()
    cafe: CafeSection | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """What it says about settings of the table: they begin with that."""
        return {} if self.oled is None else {"rotation": self.oled.rotation}


class BrokerSection(_Section, frozen=True, kw_only=True):
    """The house's own broker, as the house comes to it."""

    broker: Annotated[str, Meta(min_length=1, max_length=253)] = "127.0.0.1"
    port: Annotated[int, Meta(ge=1, le=65535)] = 1883
    password: Annotated[str, Meta(max_length=200)] | None = None
    certificate: str | None = None


class PageSection(_Section, frozen=True, kw_only=True):
    """The house's page: for this machine only, unless `address` says otherwise."""

    address: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8090
    pin: Annotated[str, Meta(pattern=r"^[0-9]{6,12}\Z", description=_PIN)] | None = None
    names: tuple[str, ...] = ()


class HouseConfig(_Section, frozen=True, kw_only=True):
    """A whole house."""

    broker: BrokerSection = BrokerSection()
    page: PageSection = PageSection()
    archive: str = "/var/lib/ludo-house/house.db"


def find(given: Path | None = None) -> Path | None:
    """The file to use: the one given, the working directory's, or the system's, if there is one."""
    if given is not None:
        return given
    return next((path for path in (Path("companion.toml"), DEFAULT) if path.exists()), None)


ASSUMED = """\
board = "40"
sensing = "presence"

[die]
source = "serial"

[matrix]
via = "serial"

[oled]
"""
"""What a box without a configuration has: a die and a board that greet, and a screen."""


def load(path: Path, *, complete: bool = True) -> Config:
    """Read and check a file; `complete=False` lets positions be without a sensor as yet."""
    text = _text_of(path, "copy one of hardware/configs/ there and adapt it")
    return parse(text, str(path), complete=complete)


def load_house(path: Path = HOUSE) -> HouseConfig:
    """Read and check the configuration of a house."""
    data = _toml(_text_of(path, "`companion house setup` writes it"), str(path))
    faults = [*_unknown_keys(data, HouseConfig, ""), *_wrong_values(data, HouseConfig, "")]
    _refuse(faults, str(path))
    return msgspec.convert(data, HouseConfig)


def _text_of(path: Path, cure: str) -> str:
    try:
        return read_small_text(path, "utf-8-sig", LARGEST)  # some editors put a mark in front
    except FileNotFoundError as fault:
        raise ConfigError(f"there is no {path}: {cure}") from fault
    except OSError as fault:
        raise ConfigError(f"{path} cannot be read ({fault.strerror})") from fault


def parse(text: str, name: str = "the configuration", *, complete: bool = True) -> Config:
    """Check the text of a configuration. Raises ConfigError.

    It names every wrong key and value; if there is none, every fault of pins, needs and map.
    """
    data = _toml(text, name)
    faults = [*_unknown_keys(data, Config, ""), *_wrong_values(data, Config, "")]
    if not faults:
        config = msgspec.convert(data, Config)
        faults = [*_pin_faults(config), *_need_faults(config), *_map_faults(config, complete)]
    _refuse(faults, name)
    return config


def _toml(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ConfigError(f"{name} is not TOML: it is nested too deep") from None
    except ValueError as fault:  # TOML's own, and numbers of thousands of digits
        raise ConfigError(f"{name} is not TOML: {fault}") from fault


def _refuse(faults: list[str], name: str) -> None:
    if faults:
        raise ConfigError("\n".join([f"{name} cannot be used:", *(f"  {one}" for one in faults)]))


def places(config: Config) -> dict[str, Cell]:
    """At which row and column of the matrix each place of the board is wired."""
    if config.matrix is None:
        return {}
    names = _translation(config.matrix.board or config.board, config.board)
    return {
        names[name]: (row, column) for row, column, name in _cells(config.matrix) if name in names
    }


def keys(struct: type[Struct] = Config, before: str = "") -> Iterator[str]:
    """Every key there is, as `section.key`."""
    for field in msgspec.structs.fields(struct):
        inner = _struct_in(field.type)
        if inner is None:
            yield before + field.name
        else:
            yield from keys(inner, f"{before}{field.name}.")


# Shape: unknown keys and wrong values


def _struct_in(kind: Any) -> type[Struct] | None:
    for one in (kind, *get_args(kind)):
        if isinstance(one, type) and issubclass(one, Struct):
            return one
    return None


def _unknown_keys(data: Mapping[str, Any], struct: type[Struct], before: str) -> Iterator[str]:
    fields = {field.name: field for field in msgspec.structs.fields(struct)}
    for key, value in data.items():
        if key not in fields:
            yield f"{before}{key}: there is no such key{_did_you_mean(key, fields)}"
        elif (inner := _struct_in(fields[key].type)) and isinstance(value, dict):
            yield from _unknown_keys(value, inner, f"{before}{key}.")


def _did_you_mean(word: str, known: Iterable[str]) -> str:
    known = list(known)
    close = difflib.get_close_matches(word, known, n=1)
    return f"; did you mean {close[0]}?" if close else f"; there are: {', '.join(known)}"


def _wrong_values(data: Mapping[str, Any], struct: type[Struct], before: str) -> Iterator[str]:
    """Each value is checked by itself: msgspec would stop at the first that is wrong."""
    for field in msgspec.structs.fields(struct):
        where = before + field.name
        if field.name not in data:
            if field.required:
                yield f"{before.rstrip('.')}: the key {field.name} is missing"
            continue
        value = data[field.name]
        if (inner := _struct_in(field.type)) and isinstance(value, dict):
            yield from _wrong_values(value, inner, f"{where}.")
            continue
        try:
            msgspec.convert(value, field.type)
        except msgspec.ValidationError as fault:
            what, _, at = str(fault).partition(" - at ")
            yield f"{where}{at.strip('`$')}: {_in_words(what, value, field.type)}"


_IN_WORDS = {
    "`": "",
    " | null": "",
    "object": "a section",
    "array": "a list",
    "int": "a whole number",
    "float": "a number",
    "str": "a text in quotes",
    "bool": "true or false",
}
_KINDS = re.compile("|".join(re.escape(word) for word in _IN_WORDS))


def _in_words(message: str, value: Any, kind: Any) -> str:
    """What is wrong with a value: its choices, our own words for it, or msgspec's."""
    if message.startswith("Invalid enum value"):
        return f"{str(value)!r} is not one of {', '.join(map(str, _choices(kind)))}"
    for one in (kind, *get_args(kind)):
        for meta in getattr(one, "__metadata__", ()):
            if meta.description is not None:
                return f"expected {meta.description}"
    return _KINDS.sub(lambda word: _IN_WORDS[word[0]], message.lower())


def _choices(kind: Any) -> tuple[Any, ...]:
    for one in (kind, *get_args(kind)):
        values = get_args(one)
        if values and not any(isinstance(value, type) for value in values):
            return tuple(value for value in values if not hasattr(value, "__args__"))
    return ()


# Pins: what a Pi has, and who uses which


class _Use(NamedTuple):
    pin: int
    by: str


HEADER = range(28)
_ID_PINS = (0, 1)
_PULLED_UP = (2, 3)
_UARTS = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0")
_SPI = {
    0: ((9, 10, 11), (8, 7)),
    1: ((19, 20, 21), (18, 17)),
    2: ((1, 2, 3), (0, 24)),  # a Pi 5
    4: ((5, 6, 7), (4, 25)),  # a Pi 4
    5: ((13, 14, 15), (12, 26)),  # both
    6: ((19, 20, 21), (18, 27)),  # a Pi 4
}
"""The pins of each bus, and those that select its devices 0 and 1. Bus 3 is not here: a Pi 4 has
it on other pins than a Pi 5, and the file does not say which Pi it is for."""


def _pins_set(config: Config) -> list[_Use]:
    """Every pin that the file names."""
    found = [
        _Use(pin, f"box.{name}")
        for name in ("up", "down", "ok", "buzzer", "good", "bad")
        if (pin := getattr(config.box, name)) is not None
    ]
    if config.die.pin is not None:
        found.append(_Use(config.die.pin, "die.pin"))
    if config.matrix is not None:
        for name in ("rows", "columns"):
            pins: tuple[int, ...] = getattr(config.matrix, name)
            found += [_Use(pin, f"matrix.{name}[{n}]") for n, pin in enumerate(pins)]
    if config.oled is not None:
        found += [
            _Use(pin, f"oled.{name}")
            for name in ("dc", "reset")
            if (pin := getattr(config.oled, name)) is not None
        ]
    return found


def _pins_taken(config: Config) -> list[_Use]:
    """Pins that belong to a bus which the file uses."""
    found = []
    if config.oled is not None and config.oled.bus == "i2c" and config.oled.bus_number == 1:
        found += [_Use(2, "the OLED's I2C bus (SDA)"), _Use(3, "the OLED's I2C bus (SCL)")]
    if config.oled is not None and config.oled.bus == "spi" and config.oled.bus_number in _SPI:
        lines, select = _SPI[config.oled.bus_number]
        pins = (*lines, select[config.oled.device])
        found += [_Use(pin, "the OLED's SPI bus") for pin in pins]
    if any(fnmatchcase(uart, port) for uart in _UARTS for port in config.serial.ports):
        found += [_Use(14, "the serial port (TX)"), _Use(15, "the serial port (RX)")]
    return found


def _pin_faults(config: Config) -> Iterator[str]:
    users: dict[int, list[str]] = {}
    for pin, by in [*_pins_taken(config), *_pins_set(config)]:
        users.setdefault(pin, []).append(by)
        if pin not in HEADER:
            yield (
                f"{by}: a Pi's header has no GPIO {pin}, only 2 to 27 "
                "(BCM numbers, not positions on the header)"
            )
        elif pin in _ID_PINS and not by.startswith("the OLED's"):
            yield f"{by}: GPIO {pin} is reserved for the ID chip of add-on boards; take 2 to 27"
        elif pin in _PULLED_UP and by.startswith("matrix.rows"):
            yield f"{by}: GPIO {pin} has a fixed pull-up and cannot be a row; take another pin"
    for pin, names in sorted(users.items()):
        if len(names) > 1:
            yield (
                f"GPIO {pin} has {len(names)} functions: {' and '.join(names)}; "
                "give each its own pin"
            )


# Needs: keys that belong together


def _need_faults(config: Config) -> Iterator[str]:
    box, die, oled = config.box, config.die, config.oled
    missing = [name for name in ("up", "down", "ok") if getattr(box, name) is None]
    if 0 < len(missing) < 3:
        yield f"box: the buttons belong together, and {', '.join(missing)} has no pin"
    if die.source == "hand" and missing:
        yield 'die.source = "hand" needs the box\'s buttons: set box.up, box.down and box.ok'
    if config.sensing == "choose" and len(missing) == 3:
        yield 'sensing = "choose" needs the box\'s buttons: set box.up, box.down and box.ok'
    if die.source == "gpio" and die.pin is None:
        yield 'die.source = "gpio" needs die.pin, the pin of the roll button'
    if die.source != "gpio" and die.pin is not None:
        yield f'die.pin is for die.source = "gpio", but it is "{die.source}"'
    if die.source != "serial" and die.unit is not None:
        yield f'die.unit is for die.source = "serial", but it is "{die.source}"'
    if config.sensing != "choose" and config.matrix is None:
        yield f'sensing = "{config.sensing}" needs a [matrix]; without sensors take "choose"'
    if oled is not None:
        yield from _oled_faults(oled)
    if config.cafe is not None and config.cafe.name == "house":
        yield "cafe.name: the house itself is called house; give the table another name"


def _oled_faults(oled: OledSection) -> Iterator[str]:
    if oled.bus == "spi":
        for name in ("dc", "reset"):
            if getattr(oled, name) is None:
                yield f'oled.bus = "spi" needs oled.{name}, a pin'
    else:
        for name in ("dc", "reset"):
            if getattr(oled, name) is not None:
                yield f'oled.{name} is for oled.bus = "spi", but it is "i2c"'


# The matrix: which cell is which place


def _cells(matrix: MatrixSection) -> Iterator[tuple[int, int, str]]:
    for row, line in enumerate(matrix.map):
        for column, name in enumerate(line.split()):
            if name != NOTHING:
                yield row, column, name


def _translation(wired: str, played: str) -> dict[str, str]:
    """The names of one board in the words of another that has the same spots."""
    spots = {(place.x, place.y): place.name for place in BOARDS[played].places}
    return {
        place.name: spots[place.x, place.y]
        for place in BOARDS[wired].places
        if (place.x, place.y) in spots
    }


def _map_faults(config: Config, complete: bool) -> Iterator[str]:
    matrix = config.matrix
    if matrix is None:
        return
    wired = matrix.board or config.board
    names = [place.name for place in BOARDS[wired].places]
    if len(_translation(wired, config.board)) != len(BOARDS[config.board].places):
        yield f"matrix.board: a map of board {wired} cannot serve board {config.board}"
        return
    yield from _size_faults(matrix)
    seen: dict[str, Cell] = {}
    for row, column, name in _cells(matrix):
        where = f"matrix.map row {row + 1}, column {column + 1}"
        if name not in names:
            yield f"{where}: board {wired} has no place {name!r}{_did_you_mean_place(name, names)}"
        elif name in seen:
            before = seen[name]
            yield f"{where}: {name} stands already at row {before[0] + 1}, column {before[1] + 1}"
        else:
            seen[name] = (row, column)
    absent = [name for name in names if name not in seen]
    if complete and absent and config.sensing != "choose":
        yield (
            f"matrix.map: without a sensor: {', '.join(absent)}; "
            "run `companion learn` to fill the map in"
        )


def _did_you_mean_place(name: str, names: list[str]) -> str:
    close = difflib.get_close_matches(name, names, n=1)
    return f"; did you mean {close[0]}?" if close else ""


def _size_faults(matrix: MatrixSection) -> Iterator[str]:
    widths = [len(line.split()) for line in matrix.map]
    if matrix.via == "gpio":
        if not matrix.rows or not matrix.columns:
            yield 'matrix.via = "gpio" needs matrix.rows and matrix.columns, lists of pins'
        elif widths and widths != [len(matrix.columns)] * len(matrix.rows):
            yield (
                f"matrix.map must have {len(matrix.rows)} lines of {len(matrix.columns)} names, "
                f"one for each cell ({NOTHING!r} where nothing is wired)"
            )
        if matrix.unit is not None:
            yield 'matrix.unit is for matrix.via = "serial", but it is "gpio"'
        return
    for name in ("rows", "columns"):
        if getattr(matrix, name):
            yield f'matrix.{name} is for matrix.via = "gpio": a Pico has its own pins'
    if len(widths) > 8 or any(width > 16 for width in widths) or len(set(widths)) > 1:
        yield "matrix.map must have at most 8 lines, of the same number of names, at most 16"

"""What a link tells its owner: values read from a device's lines, checked to the last digit."""

from typing import Literal, NamedTuple

from companion.events import Cell
from firmware.line import PROTOCOL, mask_of, number

Role = Literal["die", "board"]
LARGEST = (8, 16)
BOARD_WORDS = ("press", "release", "snap")
DIE_WORDS = ("rolling", "roll", "fumble")


class Hello(NamedTuple):
    """A device introduces itself. `boot` changes whenever it restarts, `unit` never does."""

    role: Role
    firmware: str
    protocol: int
    boot: int
    unit: str
    rows: int
    columns: int

    def __str__(self) -> str:
        return f"{self.role} {self.unit}, firmware {self.firmware}"


class Up(NamedTuple):
    """A device is there and speaks our protocol."""

    hello: Hello


class Down(NamedTuple):
    """The device is silent or has restarted; `why` is a sentence."""

    why: str


class Incompatible(NamedTuple):
    """A device that we cannot understand, and the `cure`: what to flash."""

    role: Role
    what: str
    cure: str

    @property
    def why(self) -> str:
        """Both as sentences."""
        return f"{self.what}. {self.cure}."


class Key(NamedTuple):
    """One switch of the matrix changed."""

    row: int
    column: int
    on: bool


class Keys(NamedTuple):
    """Every switch of the matrix that is closed."""

    on: frozenset[Cell]


class RollBegun(NamedTuple):
    """The die is moving."""


class Roll(NamedTuple):
    """The die came to rest; the number is this throw's own."""

    number: int
    face: int


class Fumble(NamedTuple):
    """The die was moved, but not thrown."""

    number: int


News = Up | Down | Incompatible | Key | Keys | RollBegun | Roll | Fumble


class MalformedError(ValueError):
    """A line with a right checksum that still makes no sense: a fault in the firmware."""


def _numbers(args: list[str], count: int) -> list[int]:
    found = [number(arg) for arg in args]
    if len(found) != count or None in found:
        raise MalformedError(f"expected {count} numbers, got {args}")
    return [one for one in found if one is not None]


def read_hello(args: list[str]) -> Hello | Incompatible:
    """A device's hello, or why we cannot work with it. Raises MalformedError."""
    if len(args) < 3 or args[0] not in ("die", "board"):
        raise MalformedError(f"no hello of a die or a board: {args}")
    role: Role = "die" if args[0] == "die" else "board"
    protocol = number(args[2])
    if protocol is None:
        raise MalformedError(f"no protocol version: {args[2]!r}")
    if protocol != PROTOCOL:
        return _mismatch(role, args[1], protocol)
    if len(args) != 6:
        raise MalformedError(f"a hello of six words was expected: {args}")
    boot = number(args[3])
    rows, _, columns = args[5].partition("x")
    size = (number(rows), number(columns))
    if boot is None or size[0] is None or size[1] is None:
        raise MalformedError(f"no boot number or matrix size: {args}")
    if size[0] > LARGEST[0] or size[1] > LARGEST[1]:
        raise MalformedError(f"a matrix of {args[5]} is larger than 8x16")
    return Hello(role, args[1], protocol, boot, args[4], size[0], size[1])


def _mismatch(role: Role, firmware: str, protocol: int) -> Incompatible:
    said = f"The {role} has firmware {firmware}, which speaks protocol {protocol}; this box "
    if protocol < PROTOCOL:
        cure = f"Run `companion flash {role}`"
        return Incompatible(role, f"{said}needs protocol {PROTOCOL}", cure)
    return Incompatible(
        role,
        f"{said}knows protocol {PROTOCOL} only",
        f"Update the companion, or run `companion flash {role}` to get the older one",
    )


def read_news(word: str, args: list[str], hello: Hello) -> News | None:
    """What a device's line says; None for a word we do not know. Raises MalformedError."""
    if word in (DIE_WORDS if hello.role == "board" else BOARD_WORDS):
        raise MalformedError(f"a {hello.role} does not say {word}")
    if word in ("press", "release"):
        row, column = _numbers(args, 2)
        if row >= hello.rows or column >= hello.columns:
            raise MalformedError(f"cell {row} {column} lies outside the matrix")
        return Key(row, column, word == "press")
    if word == "snap":
        return Keys(_cells(args, hello))
    if word == "rolling":
        _numbers(args, 0)
        return RollBegun()
    if word == "roll":
        count, face = _numbers(args, 2)
        if not 1 <= face <= 6:
            raise MalformedError(f"a die has no face {face}")
        return Roll(count, face)
    if word == "fumble":
        return Fumble(*_numbers(args, 1))
    return None


def _cells(args: list[str], hello: Hello) -> frozenset[Cell]:
    mask = mask_of(args[0], hello.rows * hello.columns) if len(args) == 1 else None
    if mask is None:
        raise MalformedError(f"no mask of a {hello.rows}x{hello.columns} matrix: {args}")
    return frozenset(
        divmod(bit, hello.columns) for bit in range(hello.rows * hello.columns) if mask >> bit & 1
    )

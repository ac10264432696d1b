"""The reference builds as data: which boards, how large, which configuration, which sensors.

Pins are never written here: those on the Pi come from the build's configuration, those on a
Pico from the firmware's `main.py`.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

from companion.config import Config, load, places
from companion.events import Cell
from companion.rules.boards import BOARDS, Board, Mat

ROOT = Path(__file__).parents[1]

Option = Literal["reed", "touch"]
OPTIONS: tuple[Option, ...] = ("reed", "touch")
OPTION_TITLES: Mapping[Option, str] = {
    "reed": "presence with reed switches",
    "touch": "touch with tact switches",
}
HOLES: Mapping[Option, float] = {"reed": 3.5, "touch": 4.0}
"""Diameter in mm of every hole: a reed and its bent leg, a switch's stem."""

FRAME = 8.0
"""Width in mm of the printed frame round the grid; the corner screws go through it."""
CORNER_HOLE = 3.2
BATTEN = 10.0
"""mm of the plate's edge that the frame under it covers."""
PLATE = 5.0
"""Thickness in mm of the plate."""


@dataclass(frozen=True)
class Build:
    """One build: `boards` are the overlays that its holes serve, the first is in its config."""

    key: str
    title: str
    boards: tuple[str, ...]
    config_file: str
    pitch: float
    panel: int
    options: tuple[Option, ...]

    @property
    def name(self) -> str:
        """What the build is called in sentences."""
        return "The card mat" if self.key == "mat" else f"Build {self.key.upper()}"

    @property
    def stem(self) -> str:
        """The beginning of this build's file names."""
        return "card-mat" if self.key == "mat" else f"build-{self.key}"

    @cached_property
    def board(self) -> Board | Mat:
        return BOARDS[self.boards[0]]

    @cached_property
    def config(self) -> Config:
        return load(ROOT / "hardware" / "configs" / self.config_file)

    @property
    def cells(self) -> dict[str, Cell]:
        """Row and column of every place, as the configuration maps them."""
        return places(self.config)

    @property
    def size(self) -> float:
        """The side of the printed board in mm, frame and all."""
        return self.board.grid * self.pitch + 2 * FRAME

    @property
    def pawn(self) -> float:
        """How wide a pawn's base may be in mm: two of them share a square of the cross."""
        return min(12.0, self.pitch // 2)

    @property
    def pico(self) -> bool:
        """Whether a Pico reads the matrix; else the Pi's own pins do."""
        return self.config.matrix is not None and self.config.matrix.via == "serial"

    @property
    def serial_die(self) -> bool:
        return self.config.die.source == "serial"

    @cached_property
    def shape(self) -> Cell:
        """How many rows and columns are wired."""
        return max(row for row, _ in self.cells.values()) + 1, max(
            column for _, column in self.cells.values()
        ) + 1

    @cached_property
    def row_pins(self) -> tuple[int, ...]:
        """The rows' pins: GPIO numbers of the Pi, or GP numbers of the Pico."""
        matrix = self.config.matrix
        assert matrix is not None
        pins = firmware_pins("board")["ROWS"] if self.pico else matrix.rows
        return tuple(pins[: self.shape[0]])

    @cached_property
    def column_pins(self) -> tuple[int, ...]:
        """The columns' pins, as for the rows."""
        matrix = self.config.matrix
        assert matrix is not None
        if not self.pico:
            return tuple(matrix.columns[: self.shape[1]])
        first = firmware_pins("board")["FIRST_COLUMN"]
        return tuple(range(first, first + self.shape[1]))


BUILDS: tuple[Build, ...] = (
    Build("a", "40 squares on the Pi's own pins", ("40",), "build-a-40.toml", 24.0, 300, OPTIONS),
    Build(
        "b",
        "52 squares, a Pico under the board and one in the die",
        ("52", "52-mirrored"),
        "build-b-52.toml",
        24.0,
        400,
        OPTIONS,
    ),
    Build(
        "c",
        "68 squares, a Pico under the board and one in the die",
        ("68", "68-parchis"),
        "build-c-68.toml",
        20.0,
        400,
        OPTIONS,
    ),
    Build("mat", "16 buttons for the card game", ("mat",), "card-mat.toml", 47.5, 400, ("touch",)),
)


def build(key: str) -> Build:
    """A build by its key: a, b, c or mat."""
    return next(one for one in BUILDS if one.key == key)


@lru_cache
def firmware_pins(role: Literal["die", "board"]) -> dict[str, Any]:
    """The constants at the top of a Pico's `main.py`, read without running it."""
    source = (ROOT / "firmware" / role / "main.py").read_text(encoding="utf-8")
    found: dict[str, Any] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = ast.literal_eval(node.value)
    return found

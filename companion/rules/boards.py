"""The boards as data: every place on them, where it lies, and each colour's way round.

A *place* is a spot a piece can stand on and a sensor can watch: a track square, a finish
square, one of four home spots, one of four base spots. Drawings, prints, wiring and the
engine all read this one source.

A *way* is a colour's own road, counted in progress: 0 is its start square, `last` is the
end. `BASE` is the progress of a piece that waits.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from operator import or_
from typing import Literal, NamedTuple

BASE = -1
OFF_TRACK = -1

Kind = Literal["track", "finish", "home", "base", "stack"]
Mark = Literal["globe", "star", "safe"]


class Place(NamedTuple):
    """One spot on a board: its printed name, what it is, whose it is, and its grid x/y."""

    name: str
    kind: Kind
    colour: str | None
    x: float
    y: float


_HEADINGS = {"E": (1, 0), "S": (0, 1), "N": (0, -1), "NE": (1, -1)}


def _walk(start: tuple[int, int], runs: str) -> list[tuple[int, int]]:
    """The grid points of a quarter of the track, from a start square up to the next one."""
    x, y = start
    points = [start]
    for run in runs.split():
        heading, steps = run.rstrip("0123456789"), int(run.lstrip("NES"))
        dx, dy = _HEADINGS[heading]
        for _ in range(steps):
            x, y = x + dx, y + dy
            points.append((x, y))
    return points[:-1]


@dataclass(frozen=True)
class Board:
    """A board: one quarter is described, and turned three times round the middle.

    `corners` are the colours clockwise as they sit, beginning at the left arm and its corner.
    A mirrored board is flipped over the diagonal through the first colour's corner, so that every
    colour keeps its corner while the pieces go round the other way.
    """

    name: str
    grid: int
    corners: tuple[str, str, str, str]
    start: tuple[int, int]
    runs: str
    track_end: int
    finish: tuple[tuple[float, float], ...]
    finish_names: tuple[str, ...]
    home: tuple[tuple[float, float], ...]
    base: tuple[tuple[float, float], ...]
    marks: dict[Mark, tuple[int, ...]]
    mirrored: bool = False

    def _turned(self, point: tuple[float, float], quarters: int) -> tuple[float, float]:
        x, y = point
        for _ in range(quarters):
            x, y = self.grid - 1 - y, x
        return (y, x) if self.mirrored else (x, y)

    @cached_property
    def colours(self) -> tuple[str, str, str, str]:
        """By seat: in the order their starts lie along the way, which is the turn order."""
        first, second, third, fourth = self.corners
        return (first, fourth, third, second) if self.mirrored else self.corners

    @cached_property
    def quarter(self) -> int:
        return len(_walk(self.start, self.runs))

    @property
    def walked(self) -> "Board":
        """This board, since pieces walk on it; on a mat nothing walks."""
        return self

    @property
    def track(self) -> int:
        """How many squares the shared circuit has."""
        return 4 * self.quarter

    @property
    def last(self) -> int:
        """The progress at the very end of a way: the deepest finish square, or home."""
        return self.track_end + len(self.finish) + (1 if self.home else 0)

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Every place: the track from square 1 on, then finishes, homes and bases by seat."""
        quarter = _walk(self.start, self.runs)
        found: list[Place] = []
        for turn in range(4):
            for step, square in enumerate(quarter):
                x, y = self._turned(square, turn)
                found.append(Place(str(turn * len(quarter) + step + 1), "track", None, x, y))
        groups: list[tuple[Kind, tuple[tuple[float, float], ...], tuple[str, ...]]] = [
            ("finish", self.finish, self.finish_names),
            ("home", self.home, ("H1", "H2", "H3", "H4")),
            ("base", self.base, ("B1", "B2", "B3", "B4")),
        ]
        for kind, points, names in groups:
            for turn, colour in enumerate(self.colours):
                for name, point in zip(names, points, strict=False):
                    x, y = self._turned(point, turn)
                    found.append(Place(f"{letter(colour)}.{name}", kind, colour, x, y))
        return tuple(found)

    @cached_property
    def by_name(self) -> dict[str, Place]:
        return {place.name: place for place in self.places}

    @cached_property
    def squares(self) -> tuple[tuple[int, ...], ...]:
        """By seat, the track index under each progress, or OFF_TRACK; in the last place the base's.

        So in each of these rows the index BASE finds the base. They are the same for every game.
        """
        found = [[self.square(seat, step) for step in self._way] for seat in range(4)]
        return tuple(tuple(OFF_TRACK if at is None else at for at in row) for row in found)

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """By seat, the spot at each progress; in the last place the base."""
        return tuple(tuple(self.spot(seat, step) for step in self._way) for seat in range(4))

    @cached_property
    def upto(self) -> tuple[tuple[int, ...], ...]:
        """By seat, the squares walked up to each progress, as bits; in the last place none."""
        bits = ((1 << at if at != OFF_TRACK else 0 for at in row[:-1]) for row in self.squares)
        return tuple((*accumulate(row, or_), 0) for row in bits)

    @property
    def _way(self) -> tuple[int, ...]:
        return (*range(self.last + 1), BASE)

    def marked(self, mark: Mark) -> tuple[int, ...]:
        """The track indices that carry a mark, for instance every globe."""
        steps = self.marks.get(mark, ())
        return tuple(sorted(turn * self.quarter + step for turn in range(4) for step in steps))

    def square(self, seat: int, progress: int) -> int | None:
        """The track index under a colour's progress; None off the shared track."""
        if 0 <= progress <= self.track_end:
            return (progress + seat * self.quarter) % self.track
        return None

    def progress(self, seat: int, square: int) -> int | None:
        """The progress at which a colour stands on a track square; None if it never does."""
        steps = (square - seat * self.quarter) % self.track
        return steps if steps <= self.track_end else None

    def spot(self, seat: int, progress: int) -> str:
        """The name players use: `12` on the track, `Y.a` in the finish, `R.H` home, `R.B` base."""
        square = self.square(seat, progress)
        if square is not None:
            return self.places[square].name
        step = progress - self.track_end - 1
        in_finish = progress != BASE and step < len(self.finish)
        name = self.finish_names[step] if in_finish else "B" if progress == BASE else "H"
        return f"{letter(self.colours[seat])}.{name}"

    def places_of(self, seat: int, progress: int) -> tuple[Place, ...]:
        """The places that progress means: one square, or the four base or home spots."""
        square = self.square(seat, progress)
        if square is not None:
            return (self.places[square],)
        spot = self.spot(seat, progress)
        names = [f"{spot}{n}" for n in range(1, 5)] if spot[-1] in "BH" else [spot]
        return tuple(self.by_name[name] for name in names)

    def progress_at(self, seat: int, place: Place) -> int | None:
        """The progress at which a colour stands on a place; None if that is not on its way."""
        if place.kind == "track":
            return self.progress(seat, int(place.name) - 1)
        if place.colour != self.colours[seat]:
            return None
        if place.kind == "base":
            return BASE
        if place.kind == "home":
            return self.last
        return self.track_end + 1 + self.finish_names.index(place.name.partition(".")[2])


def letter(colour: str) -> str:
    """A colour's letter on boards and in records; black is K, so that B stays blue."""
    return "K" if colour == "black" else colour[0].upper()


def _home_spots(middle: float) -> tuple[tuple[float, float], ...]:
    """Four spots in the left home triangle of a 3x3 middle."""
    edge = middle - 1
    return (
        (edge - 0.15, middle - 0.7),
        (edge - 0.15, middle),
        (edge - 0.15, middle + 0.7),
        (edge + 0.5, middle),
    )


BOARD_40 = Board(
    name="40",
    grid=11,
    corners=("yellow", "green", "red", "black"),
    start=(0, 4),
    runs="E4 N4 E2",
    track_end=39,
    finish=tuple((x, 5) for x in range(1, 5)),
    finish_names=("a", "b", "c", "d"),
    home=(),
    base=((0, 0), (1, 0), (0, 1), (1, 1)),
    marks={},
)

BOARD_52 = Board(
    name="52",
    grid=15,
    corners=("red", "green", "yellow", "blue"),
    start=(1, 6),
    runs="E4 NE1 N5 E2 S1",
    track_end=50,
    finish=tuple((x, 7) for x in range(1, 6)),
    finish_names=("1", "2", "3", "4", "5"),
    home=_home_spots(7),
    base=((1.5, 1.5), (3.5, 1.5), (1.5, 3.5), (3.5, 3.5)),
    marks={"globe": (0, 8), "star": (5, 11), "safe": (0, 8)},
)
BOARD_52_MIRRORED = replace(BOARD_52, name="52-mirrored", mirrored=True)

BOARD_68 = Board(
    name="68",
    grid=19,
    corners=("red", "green", "yellow", "blue"),
    start=(1, 8),
    runs="E6 NE1 N7 E2 S1",
    track_end=66,
    finish=tuple((x, 9) for x in range(1, 8)),
    finish_names=("1", "2", "3", "4", "5", "6", "7"),
    home=_home_spots(9),
    base=((2, 2), (5, 2), (2, 5), (5, 5)),
    marks={},
)

BOARD_68_PARCHIS = replace(
    BOARD_68,
    name="68-parchis",
    start=(4, 8),
    runs="E3 NE1 N7 E2 S4",
    track_end=63,
    marks={"safe": (0, 7, 12)},
    mirrored=True,
)
"""The same plate with the start in the middle of the arm's side, as parchís has it."""


@dataclass(frozen=True)
class Mat:
    """The card game's mat: no track, four stack buttons in front of every player."""

    name: str
    grid: int
    colours: tuple[str, str, str, str]

    @property
    def walked(self) -> None:
        """There is no board that pieces walk on."""
        return None

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Sixteen stacks, in front of the left, top, right and bottom player in turn."""
        end = self.grid - 1
        found = []
        for turn, colour in enumerate(self.colours):
            for stack in range(4):
                x, y = 0.0, end / 2 - 1.5 + stack
                for _ in range(turn):
                    x, y = end - y, x
                found.append(Place(f"{letter(colour)}.{stack + 1}", "stack", colour, x, y))
        return tuple(found)

    @cached_property
    def by_name(self) -> dict[str, Place]:
        return {place.name: place for place in self.places}


MAT = Mat(name="mat", grid=8, colours=("red", "green", "yellow", "blue"))

BOARDS: dict[str, Board | Mat] = {
    board.name: board
    for board in (BOARD_40, BOARD_52, BOARD_52_MIRRORED, BOARD_68, BOARD_68_PARCHIS, MAT)
}

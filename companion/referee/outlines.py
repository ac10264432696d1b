"""Outlines: what a position looks like to sensors that know only occupied or empty.

A *spot* is a track or finish square, or all four base (or home) places of a colour together:
those are interchangeable, so only their number counts. An outline holds a number per spot, as
bytes. Two pieces on one square look like one.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import NamedTuple

from companion.rules import Board, Position
from companion.rules.boards import BASE
from companion.rules.places import spot_of

Outline = bytes
Spots = tuple[tuple[str, ...], ...]
"""By seat, the spots of its pieces."""
REMEMBERED = 24
"""The same few boards are asked about again and again; with 128 hardly one more is found."""


class Step(NamedTuple):
    """One thing for a hand to do: a piece of a colour from here to there.

    None is off the board, or not known: `9 off`, `5 on`, a piece whose colour nobody can tell.
    """

    origin: str | None
    target: str | None
    colour: str | None = None


def ends_of(steps: Iterable[Step]) -> Counter[tuple[str, bool]]:
    """The places where steps begin (False), and those where they end (True), as far as known."""
    ends = (end for step in steps for end in ((step.origin, False), (step.target, True)))
    return Counter((spot, is_end) for spot, is_end in ends if spot is not None)


class Eyes:
    """The spots of one board, and the outlines of positions and of readings on it."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._of = lru_cache(REMEMBERED)(self._outline_of)
        self._shown = lru_cache(REMEMBERED)(self._outline)
        self.spots: list[str] = []
        self.index: dict[str, int] = {}
        for place in board.places:
            spot = spot_of(place.name)
            if spot not in self.index:
                self.index[spot] = len(self.spots)
                self.spots.append(spot)
            self.index[place.name] = self.index[spot]
        self.size = [0] * len(self.spots)
        self.places = [board.places[0]] * len(self.spots)
        """One place of each spot."""
        self.owner: list[int | None] = [None] * len(self.spots)
        """The seat whose pieces alone may stand on a spot; None for the track."""
        for place in board.places:
            at = self.index[place.name]
            self.size[at] += 1
            self.places[at] = place
            self.owner[at] = None if place.colour is None else board.colours.index(place.colour)
        self.whose = {
            spot: owner
            for spot, size, owner in zip(self.spots, self.size, self.owner, strict=True)
            if size > 1 and owner is not None
        }
        """By base and home, the seat that it belongs to: what lies there is theirs."""
        self._on_way = [[self.index[spot] for spot in way] for way in board.names]
        """By seat, the spot at each step of its way; the base is last, where index -1 finds it."""

    def way_back(self, seat: int, origin: str, target: str) -> float:
        """How far a colour's piece has to go back; what went forward mostly has to come back."""
        if origin not in self.index or target not in self.index:
            return 1000.0
        a, b = (self.places[self.index[spot]] for spot in (origin, target))
        here, there = (self.board.progress_at(seat, place) for place in (a, b))
        if self.beside(origin, target):
            return 0.5 if there is not None and here is not None and there < here else 1.0
        if here is None or there is None:
            return 500.0 + abs(a.x - b.x) + abs(a.y - b.y)
        if here == BASE:
            return 200.0
        return here - there if there <= here else there - here + 0.5

    def beside(self, one: str, other: str) -> bool:
        """Whether two squares lie side by side, so that a sleeve may push a piece across."""
        here, there = self.index[one], self.index[other]
        if self.size[here] > 1 or self.size[there] > 1:
            return False
        a, b = self.places[here], self.places[there]
        return abs(a.x - b.x) + abs(a.y - b.y) < 1.5  # round a corner nobody is pushed

    def holds_many(self, spot: str) -> bool:
        """Whether a spot is a base or a home, with a place for every piece."""
        return self.size[self.index[spot]] > 1

    def of(self, position: Position) -> Outline:
        """The outline a position shows."""
        return self._of(position.pieces)

    def shown(self, pieces: Spots) -> Outline:
        """The outline that pieces on these spots show; what is in the air shows nowhere."""
        return self._shown(pieces)

    def _outline_of(self, pieces: tuple[tuple[int, ...], ...]) -> Outline:
        ways = zip(self._on_way, pieces, strict=True)
        return self._filled(at[piece] for at, own in ways for piece in own)

    def _outline(self, pieces: Spots) -> Outline:
        return self._filled(self.index[spot] for own in pieces for spot in own if spot)

    def _filled(self, stands: Iterable[int]) -> Outline:
        """The outline with a piece more on each of these spots, as many as it has sensors for."""
        seen, size = bytearray(len(self.spots)), self.size
        for at in stands:
            if seen[at] < size[at]:
                seen[at] += 1
        return bytes(seen)

    def seen(self, on: Iterable[str]) -> Outline:
        """The outline of the places whose sensors are on."""
        seen = bytearray(len(self.spots))
        for place in on:
            seen[self.index[place]] += 1
        return bytes(seen)

    def slack(self, aside: Collection[str]) -> dict[int, int]:
        """By spot, how many of its sensors are set aside."""
        found: dict[int, int] = {}
        for place in aside:
            found[self.index[place]] = found.get(self.index[place], 0) + 1
        return found


def differing(one: Outline, other: Outline) -> list[int]:
    """The spots at which two outlines differ; mostly few."""
    rest = int.from_bytes(one, "little") ^ int.from_bytes(other, "little")
    found = []
    while rest:
        at = ((rest & -rest).bit_length() - 1) // 8
        found.append(at)
        rest &= ~(0xFF << 8 * at)
    return found


class Difference(NamedTuple):
    """How one outline differs from another: spots with fewer pieces, spots with more."""

    gone: dict[int, int]
    came: dict[int, int]

    def __bool__(self) -> bool:
        return bool(self.gone or self.came)


def difference(before: Outline, after: Outline, slack: dict[int, int]) -> Difference:
    """What went and what came; by `slack`, so many pieces may stand on a spot unseen."""
    gone: dict[int, int] = {}
    came: dict[int, int] = {}
    if before != after:
        for at in differing(before, after):
            was, now = before[at], after[at]
            if now > was:
                came[at] = now - was
            elif was - now > slack.get(at, 0):
                gone[at] = was - now - slack.get(at, 0)
    return Difference(gone, came)

"""Hands at a table, as clumsy as real ones: they turn moves into streams of sensor readings.

A `PhysicalTable` knows which pieces stand where; what its sensors would say follows from it.
`Hands` make moves on it: in any lift order, sliding, bumping neighbours or knocking them over,
hesitating, with bouncing contacts, and sometimes with readings lost until the next snapshot.

The pieces are also those of the tables that are played on over wires: by `tests/players.py` at a
daemon, and in the rig.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from companion.events import Event, Reading, Snapshot
from companion.rules import Board, Move, Position, outcome
from companion.rules.boardgame import BoardGame
from companion.rules.boards import BASE

Timed = tuple[Event, float]
"""An event, and how many seconds after the one before it."""


class PhysicalTable:
    """Pieces on places. A place may hold several; a sensor sees only whether any is there."""

    def __init__(self, board: Board, rng: Random) -> None:
        self.board = board
        self.rng = rng
        self.standing: dict[str, list[int]] = {place.name: [] for place in board.places}

    def set_up(self, position: Position) -> None:
        """Put every piece where a position has it; base and home spots at random."""
        for pieces in self.standing.values():
            pieces.clear()
        for seat, own in enumerate(position.pieces):
            for piece in own:
                self.standing[self.free_place(self.board.spot(seat, piece))].append(seat)

    def free_place(self, spot: str) -> str:
        """A place of a spot to put a piece on: an empty one of four, or the square itself."""
        if spot in self.standing:
            return spot
        empty = [name for n in range(1, 5) if not self.standing[name := f"{spot}{n}"]]
        return self.rng.choice(empty)

    def taken_place(self, spot: str, seat: int | None = None) -> str:
        """A place of a spot on which a piece (of this colour) stands."""
        if spot in self.standing:
            return spot
        names = [f"{spot}{n}" for n in range(1, 5)]
        return self.rng.choice(
            [n for n in names if self.standing[n] and (seat is None or seat in self.standing[n])]
        )

    def on(self) -> frozenset[str]:
        return frozenset(name for name, pieces in self.standing.items() if pieces)

    def lift(self, place: str, seat: int | None = None) -> tuple[int, list[Reading]]:
        """Take a piece (of this colour) off a place."""
        pieces = self.standing[place]
        piece = pieces[-1] if seat is None else seat
        pieces.remove(piece)
        return piece, [] if pieces else [Reading(place, False)]

    def drop(self, place: str, seat: int) -> list[Reading]:
        """Put a piece on a place."""
        pieces = self.standing[place]
        pieces.append(seat)
        return [Reading(place, True)] if len(pieces) == 1 else []


@dataclass
class Hop:
    """One piece to carry: whose, from which spot to which; `over` are squares slid across."""

    seat: int
    origin: str
    target: str
    over: list[str] = field(default_factory=list)


def hops_of(position: Position, move: Move) -> tuple[list[Hop], list[Hop], list[Hop]]:
    """What hands carry for a legal move: the pieces moved, those captured, and penalties."""
    game = position.game
    assert isinstance(game, BoardGame)
    origin, target = game.stops(move)
    step = 1 if move.target >= move.origin else -1
    over = [
        game.spot(move.seat, progress)
        for progress in range(move.origin + step, move.target, step)
        if progress != BASE
    ]
    moved = [Hop(move.seat, origin, target, over) for _ in range(move.size)]
    captured, penalties = [], []
    for happening in outcome(position, move).happenings:
        base = game.spot(happening.seat, BASE)
        if happening.what == "captured":
            captured.append(Hop(happening.seat, happening.places[0], base))
        elif happening.what == "sent_back":
            moved = [Hop(move.seat, origin, base)] if origin != base else []
        elif happening.what == "penalty" and happening.places[0] != base:
            penalties.append(Hop(happening.seat, happening.places[0], base))
    return moved, captured, penalties


class Hands:
    """Clumsy hands on a table of presence sensors."""

    def __init__(self, table: PhysicalTable, rng: Random, clumsy: float = 0.25) -> None:
        self.table = table
        self.rng = rng
        self.clumsy = clumsy

    def pause(self) -> float:
        """Mostly quick, sometimes slow, now and then beyond the referee's patience."""
        if self.rng.random() < self.clumsy / 3:
            return self.rng.choice([self.rng.uniform(0.4, 3.0), self.rng.uniform(0.4, 3.0), 6.0])
        return self.rng.uniform(0.02, 0.3)

    def make(self, position: Position, move: Move) -> list[Timed]:
        """The readings of a legal move, penalty included, in some order."""
        moved, captured, penalties = hops_of(position, move)
        events = [*self.hesitation(), *self.carry(moved, captured)]
        for hop in penalties:
            events += [(event, delay + 0.8) for event, delay in self.carry([hop], [])]
        return self.over_the_wire(events)

    def carry(self, moved: list[Hop], captured: list[Hop]) -> Iterator[Timed]:
        """Lift and put down, victims first, last, or parked beside the board for a while."""
        order = self.rng.choice(["victims first", "victims last", "both in hand"])
        yield from self.bump(moved)
        if order == "victims first":
            for hop in captured:
                yield from self.one(hop)
            for hop in moved:
                yield from self.one(hop)
            return
        in_hand = []
        if order == "both in hand":
            for hop in captured:
                piece, readings = self.table.lift(self.table.taken_place(hop.origin), hop.seat)
                in_hand.append((piece, hop.target))
                yield from ((reading, self.pause()) for reading in readings)
        for hop in moved:
            yield from self.one(hop)
        for piece, target in in_hand:
            yield from self.put(self.table.free_place(target), piece)
        if order == "victims last":
            for hop in captured:
                yield from self.one(hop)

    def one(self, hop: Hop) -> Iterator[Timed]:
        """Carry one piece; sometimes it slides over the squares between."""
        place = self.table.taken_place(hop.origin, hop.seat)
        piece, readings = self.table.lift(place, hop.seat)
        yield from ((reading, self.pause()) for reading in readings)
        if self.rng.random() < self.clumsy:
            for spot in hop.over:
                if spot in self.table.standing and not self.table.standing[spot]:
                    yield Reading(spot, True), self.rng.uniform(0.02, 0.15)
                    yield Reading(spot, False), self.rng.uniform(0.02, 0.15)
        yield from self.put(self.table.free_place(hop.target), piece)

    def put(self, place: str, piece: int) -> Iterator[Timed]:
        for reading in self.table.drop(place, piece):
            yield reading, self.pause()

    def hesitation(self) -> Iterator[Timed]:
        """A piece is lifted and put back, then another is taken."""
        if self.rng.random() < self.clumsy:
            yield from self.lift_and_put_back(self.rng.choice(sorted(self.table.on())))

    def bump(self, moved: list[Hop]) -> Iterator[Timed]:
        """A sleeve knocks a neighbour over, and it is put back."""
        if self.rng.random() < self.clumsy:
            ends = {hop.origin for hop in moved} | {hop.target for hop in moved}
            others = sorted(place for place in self.table.on() if place not in ends)
            if others:
                place = self.rng.choice(others)
                near = self.free_neighbour(place)
                if near is not None and near not in ends and self.rng.random() < 0.5:
                    yield from self.knock_over(place, near)
                else:
                    yield from self.lift_and_put_back(place)

    def free_neighbour(self, place: str) -> str | None:
        """An empty track square beside this one."""
        if not place.isdecimal() or len(self.table.standing[place]) > 1:
            return None
        near = str(int(place) + self.rng.choice([-1, 1]))
        return near if near in self.table.standing and not self.table.standing[near] else None

    def knock_over(self, place: str, near: str) -> Iterator[Timed]:
        """A piece falls onto the next square, lies there for a while, and is put back."""
        for here, there in ((place, near), (near, place)):
            piece, readings = self.table.lift(here)
            yield from ((reading, self.pause()) for reading in readings)
            yield from self.put(there, piece)

    def lift_and_put_back(self, place: str) -> Iterator[Timed]:
        piece, readings = self.table.lift(place)
        yield from ((reading, self.pause()) for reading in readings)
        yield from self.put(place, piece)

    def over_the_wire(self, events: list[Timed]) -> list[Timed]:
        """Contacts bounce, and now and then readings are lost until the next snapshot."""
        told: list[Timed] = []
        lossy = self.rng.random() < self.clumsy / 2
        for event, delay in events:
            if lossy and self.rng.random() < 0.4:
                continue
            told.append((event, delay))
            if isinstance(event, Reading) and self.rng.random() < self.clumsy:
                bounces = [not event.on, event.on] * self.rng.randint(1, 2)
                told += [(Reading(event.place, on), 0.004) for on in bounces]
        if lossy or self.rng.random() < 0.2:
            told.append((Snapshot(self.table.on()), 0.3))
        return told


class Fingers:
    """Fingers on a board of buttons: press where from, press where to."""

    def __init__(self, table: PhysicalTable, rng: Random, clumsy: float = 0.25) -> None:
        self.table = table
        self.rng = rng
        self.clumsy = clumsy

    def press(self, place: str) -> list[Timed]:
        """A press and its release, with bounce."""
        events: list[Timed] = [(Reading(place, True), self.rng.uniform(0.3, 1.2))]
        if self.rng.random() < self.clumsy:
            events += [(Reading(place, False), 0.004), (Reading(place, True), 0.004)]
        return [*events, (Reading(place, False), 0.1)]

    def hop(self, origin: str, target: str) -> list[Timed]:
        return [*self.press(self._place(origin)), *self.press(self._place(target))]

    def _place(self, spot: str) -> str:
        return spot if spot in self.table.standing else f"{spot}{self.rng.randint(1, 4)}"

    def make(self, position: Position, move: Move) -> list[Timed]:
        """A legal move; sometimes another piece is touched first, and let go again."""
        game = position.game
        assert isinstance(game, BoardGame)
        events = []
        if self.rng.random() < self.clumsy:
            place = self.rng.choice(sorted(self.table.on()))
            events += [*self.press(place), *self.press(place)]
        return [*events, *self.hop(*game.stops(move))]

"""Reading a board of presence sensors: from a settled outline to what hands have done.

A `Scene` is what the board may come to look like next: as it is, as it was before the last
move, and after each legal move. `look` compares what is seen with all of them.
"""

from dataclasses import dataclass
from typing import NamedTuple

from companion.referee.outlines import Difference, Eyes, Outline, difference
from companion.rules import AnyMove, Attempt, Hop, Move, Position, outcome

BACK = "back"


class Way(NamedTuple):
    """One way the board may change: a legal move, or BACK, and the outlines that show it.

    A move that is penalised shows twice: with the penalty paid, and, last, before that.
    """

    action: AnyMove | str
    outlines: tuple[Outline, ...]
    near: bool = True
    """Whether hands may be on the way there; otherwise only the finished board counts."""
    unseen_start: bool = False
    """Whether the first of two pieces can leave without its place looking empty."""
    victims: frozenset[int] = frozenset()
    """The spots of captured pieces, which may be lifted first."""


class Still(NamedTuple):
    """The board stands as the game has it."""


class Done(NamedTuple):
    """The board shows exactly these ways; more than one has to be asked about.

    It is `thin` when a piece is gone and none has come: it may stand on top of another, and
    it may still be in somebody's hand.
    """

    actions: tuple[AnyMove | str, ...]
    thin: bool


class OnTheWay(NamedTuple):
    """Pieces are in the air, or something is still missing from these ways."""

    ways: tuple[Way, ...]
    change: Difference


class Wrong(NamedTuple):
    """No way leads here."""

    change: Difference
    passing: bool


Sight = Still | Done | OnTheWay | Wrong


@dataclass(frozen=True)
class Scene:
    """The board as it should be now, and the ways it may go on."""

    eyes: Eyes
    rest: Outline
    ways: tuple[Way, ...]

    def look(self, seen: Outline, slack: dict[int, int]) -> Sight:
        """What the settled board shows."""
        change = difference(self.rest, seen, slack)
        if not change:
            return Still()
        done = tuple(
            way.action
            for way in self.ways
            if any(
                outline != self.rest and not difference(outline, seen, slack)
                for outline in way.outlines
            )
        )
        if done:
            return Done(done, thin=not change.came)
        near = (way for way in self.ways if way.near)
        ways = tuple(way for way in near if self._leads_there(way, change, slack))
        if ways or not change.came:
            return OnTheWay(ways, change)
        return Wrong(change, self._passing(change))

    def _leads_there(self, way: Way, change: Difference, slack: dict[int, int]) -> bool:
        """Whether what came is part of a way, and a piece of that way has left its place."""
        part = difference(self.rest, way.outlines[-1], slack)
        came = all(part.came.get(at, 0) >= number for at, number in change.came.items())
        left = not part.gone or any(at in part.gone or at in way.victims for at in change.gone)
        return came and (left or (way.unseen_start and not change.gone))

    def _passing(self, change: Difference) -> bool:
        """Whether a piece may just be sliding over a square towards a legal end."""
        return any(self._slides(way, change) for way in self.ways if way.near)

    def _slides(self, way: Way, change: Difference) -> bool:
        if not isinstance(way.action, Move):
            return False
        origin, *between = (self.eyes.index[spot] for spot in _between(self.eyes, way.action))
        part = difference(self.rest, way.outlines[-1], {})
        if origin in part.gone:
            left = origin in change.gone
        else:  # it leaves a stack, which looks the same without it
            left = not change.gone.keys() - way.victims
        return left and change.came.keys() - part.came.keys() <= set(between)


def _between(eyes: Eyes, move: Move) -> list[str]:
    """The spots from where a move starts up to where it ends."""
    low, high = sorted((move.origin, move.target))
    steps = range(low, high + 1) if move.target >= move.origin else range(high, low - 1, -1)
    return [eyes.board.spot(move.seat, step) for step in steps]


def outlines_of(eyes: Eyes, position: Position, move: AnyMove) -> tuple[Outline, ...]:
    """What the board looks like after a move: at its end, and before a penalty is paid."""
    there, told = outcome(position, move)
    final = eyes.of(there)
    for happening in told:
        if happening.what == "penalty" and not happening.places[0].endswith(".B"):
            base = eyes.board.spot(happening.seat, -1)
            return final, eyes.with_piece(final, happening.places[0], base)
    return (final,)


def victims_of(eyes: Eyes, position: Position, move: AnyMove) -> frozenset[int]:
    """The spots of the pieces that a move captures."""
    told = outcome(position, move).happenings
    return frozenset(eyes.index[h.places[0]] for h in told if h.what == "captured")


def attempt_of(eyes: Eyes, change: Difference) -> Attempt | None:
    """What hands seem to have done, as places; None if it cannot be told."""
    gone = [eyes.spots[at] for at, number in change.gone.items() for _ in range(number)]
    came = [eyes.spots[at] for at, number in change.came.items() for _ in range(number)]
    if len(gone) == len(came):
        return Attempt(tuple(Hop(a, b) for a, b in zip(gone, came, strict=True)))
    if len(came) == 1 and not gone:
        return Attempt((Hop(None, came[0]),))
    if len(gone) == 1 and not came:
        return Attempt((Hop(gone[0], None),))
    return None

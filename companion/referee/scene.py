"""Reading a board of presence sensors: from a settled outline to what hands have done.

A `Scene` is what the board may come to look like next: as it is, as it was before the last
move, and after each legal move. `look` compares what is seen with all of them.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from companion.referee.match import Match
from companion.referee.outlines import Difference, Eyes, Outline, difference
from companion.referee.picture import Picture, just_made, picture_of, sent_home
from companion.rules import AnyMove, Happening, Move, Pass, Position, outcome
from companion.rules.boards import BASE
from companion.rules.history import Deed
from companion.rules.places import is_base

BACK = "back"


@dataclass(eq=False)
class Way:
    """One way the board may change: a legal move, or BACK, and the outlines that show it.

    A move that is penalised shows twice: with the penalty paid, and, last, before that.
    """

    action: AnyMove | str
    outlines: tuple[Outline, ...]
    here: Position
    there: Position
    near: bool = True
    """Whether hands may be on the way there; otherwise only the finished board counts."""
    unseen_start: bool = False
    """Whether the first of two pieces can leave without its place looking empty."""
    victims: frozenset[int] = frozenset()
    """The spots of captured pieces, which may be lifted first."""
    penalty: Happening | None = None

    @cached_property
    def goals(self) -> tuple[Picture, ...]:
        """Where every piece stands then, one for each outline."""
        return _goals(self.there, self.penalty)

    @cached_property
    def made(self) -> Picture:
        """Where every piece stands when a move is just made: see `just_made`."""
        assert isinstance(self.action, Move)
        return just_made(self.here, self.action)

    @cached_property
    def homes(self) -> tuple[tuple[str, str], ...]:
        """The ways home of those whom a move captures: from which spot to which base."""
        assert isinstance(self.action, Move)
        told = outcome(self.here, self.action).happenings
        return tuple(sent_home(self.here.game, told))

    def path(self, eyes: Eyes) -> frozenset[int]:
        """The spots that a move passes, from its origin to its target."""
        move = self.action
        if not isinstance(move, Move):
            return frozenset()
        low, high = sorted((move.origin, move.target))
        return frozenset(eyes.index[eyes.board.spot(move.seat, at)] for at in range(low, high + 1))


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

    @property
    def one_of_two(self) -> bool:
        """Whether the first of two pieces is there, and the other still to come."""
        return any(way.unseen_start for way in self.ways)


class Wrong(NamedTuple):
    """No way leads here."""

    change: Difference
    passing: bool


Sight = Still | Done | OnTheWay | Wrong


@dataclass(frozen=True)
class Scene:
    """The board as it should be now, and the ways it may go on.

    These are worked out when first looked at: mostly the next roll comes before that.
    """

    eyes: Eyes
    position: Position
    moves: tuple[AnyMove, ...]
    """The legal moves with the roll that lies, or those that the last one may turn into."""
    last: Deed | None
    """The last move, as long as it may be amended or taken back."""

    @cached_property
    def rest(self) -> Outline:
        """What the board looks like now."""
        return self.eyes.of(self.position)

    @cached_property
    def ways(self) -> tuple[Way, ...]:
        """Everything that may be done next."""
        last = self.last
        if last is None:
            return tuple(_way(self.eyes, self.position, move) for move in self.moves)
        ways = [
            _way(self.eyes, last.position, move, near=_same_piece(move, last.move))
            for move in self.moves
        ]
        if not isinstance(last.move, Pass):
            there, both = last.position, isinstance(last.move, Move) and last.move.size == 2
            outlines = (self.eyes.of(there),)
            ways.append(Way(BACK, outlines, self.position, there, unseen_start=both))
        return tuple(ways)

    @cached_property
    def goal(self) -> Picture:
        """Where every piece stands in the game."""
        return picture_of(self.position)

    @cached_property
    def _penalty(self) -> Happening | None:
        """What the last move cost its player, if that is a piece on the board."""
        last = self.last
        if last is None or not isinstance(last.move, Move):
            return None
        return _way(self.eyes, last.position, last.move).penalty

    @property
    def unpaid(self) -> Picture | None:
        """Where every piece stands until the last move's penalty is paid, if it has one."""
        return _goals(self.position, self._penalty)[-1] if self._penalty is not None else None

    @property
    def movers(self) -> set[tuple[int, str]]:
        """Who may move, and from which spot."""
        moves = (way.action for way in self.ways)
        return {
            (move.seat, self.eyes.board.spot(move.seat, move.origin))
            for move in moves
            if isinstance(move, Move)
        }

    def look(
        self, seen: Outline, slack: dict[int, int], owed: Collection[int] = frozenset()
    ) -> Sight:
        """What the settled board shows; who is `owed` to the end of a move has not made it."""
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
            and not (owed and self._is_short_of(way, seen, owed))
        )
        if done:
            spots = () if self._penalty is None else self._penalty.places[:1]
            unpaid = {self.eyes.index[spot] for spot in spots}
            return Done(done, thin=not change.came.keys() - unpaid)
        near = (way for way in self.ways if way.near)
        ways = tuple(way for way in near if self._leads_there(way, change, slack))
        if ways or not change.came:
            return OnTheWay(ways, change)
        return Wrong(change, self._passing(seen, slack) or self._second_follows(change))

    def _is_short_of(self, way: Way, seen: Outline, owed: Collection[int]) -> bool:
        """Whether nobody stands where a move ends, on a square to which somebody was owed."""
        if not isinstance(way.action, Move):
            return False
        end = self.eyes.index[self.eyes.board.spot(way.action.seat, way.action.target)]
        return end in owed and self.eyes.size[end] == 1 and not seen[end]

    def _leads_there(self, way: Way, change: Difference, slack: dict[int, int]) -> bool:
        """Whether what came is part of a way, and a piece of that way has left its place."""
        part = difference(self.rest, way.outlines[-1], slack)
        came = all(part.came.get(at, 0) >= number for at, number in change.came.items())
        left = not part.gone or any(at in part.gone or at in way.victims for at in change.gone)
        return came and (left or (way.unseen_start and not change.gone))

    def _second_follows(self, change: Difference) -> bool:
        """Whether the second of a pair may be on its way, where only the first one was seen.

        The pair left a third piece behind, so that nobody sees whether both have left.
        """
        move = self.last.move if self.last is not None else None
        if not isinstance(move, Move) or move.size != 2 or change.gone or len(change.came) != 1:
            return False
        origin = self.eyes.index[self.eyes.board.spot(move.seat, move.origin)]
        return bool(self.rest[origin]) and all(self.eyes.size[at] == 1 for at in change.came)

    def _passing(self, seen: Outline, slack: dict[int, int]) -> bool:
        """Whether a piece that may move may just be on its way, and not yet let go of."""
        return any(self._slides(way, seen, slack) for way in self.ways)

    def _slides(self, way: Way, seen: Outline, slack: dict[int, int]) -> bool:
        """Whether only the piece of a move is on its way.

        Another piece than the one moved last begins where that one is back.
        """
        if not isinstance(way.action, Move):
            return False
        began = self.rest if way.near else self.eyes.of(way.here)
        change, part = difference(began, seen, slack), difference(began, way.outlines[-1], {})
        origin = self.eyes.index[self.eyes.board.spot(way.action.seat, way.action.origin)]
        if origin in part.gone:
            unseen = way.unseen_start and not change.gone.keys() - way.victims
            left = origin in change.gone or unseen
        else:  # it leaves a stack, which looks the same without it
            left = not change.gone.keys() - way.victims
        beside = change.came.keys() - part.came.keys()
        if not way.near and any(self.rest[at] for at in beside):
            return False  # the piece moved last still stands there
        return left and all(self.eyes.size[at] == 1 for at in beside)


def scene_of(eyes: Eyes, match: Match) -> Scene:
    """What the board looks like now, and after everything that may be done next.

    Until the next roll that is to undo the last move, or to turn it into another.
    """
    if match.face is None:
        return Scene(eyes, match.position, match.amendments(), match.open_move)
    moves = tuple(move for move in match.legal if not isinstance(move, Pass))
    return Scene(eyes, match.position, moves, None)


def _way(eyes: Eyes, position: Position, move: AnyMove, near: bool = True) -> Way:
    there, told = outcome(position, move)
    penalty = next((one for one in told if one.what == "penalty"), None)
    if penalty is not None and is_base(penalty.places[0]):
        penalty = None  # it waits in its base anyway
    final = eyes.of(there)
    unpaid = () if penalty is None else (eyes.shown(_goals(there, penalty)[1].pieces),)
    return Way(
        move,
        (final, *unpaid),
        position,
        there,
        near,
        unseen_start=isinstance(move, Move) and move.size == 2,
        victims=frozenset(eyes.index[h.places[0]] for h in told if h.what == "captured"),
        penalty=penalty,
    )


def _goals(there: Position, penalty: Happening | None) -> tuple[Picture, ...]:
    """Where pieces stand after a move: at its end, and before a penalty is paid."""
    final = picture_of(there)
    if penalty is None:
        return (final,)
    base = there.game.spot(penalty.seat, BASE)
    return final, final.moved(penalty.seat, base, penalty.places[0])


def _same_piece(move: AnyMove, other: AnyMove | None) -> bool:
    """Whether two moves are made with the same piece."""
    if not isinstance(move, Move) or not isinstance(other, Move):
        return False
    return (move.seat, move.origin, move.size) == (other.seat, other.origin, other.size)

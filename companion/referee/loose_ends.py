"""Loose ends: whether a board deserves a quiet hint, or STOP.

A board is *nearly lawful* when merely loose ends are left until it is as the game has it, or as
a legal move leaves it: a piece is in the air, a captured one is not home yet, a sleeve has
pushed one onto the next square. That is worth a hint. Where every lawful board would have a
piece stand elsewhere, it is STOP.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from companion.referee.hops import Hops
from companion.referee.match import Match
from companion.referee.outlines import Eyes, Outline
from companion.referee.picture import AIR, Picture, sent_home
from companion.referee.remedies import Astray, ways_between
from companion.referee.scene import BACK, Scene, Way
from companion.referee.times import Times
from companion.referee.tracking import Pictures, Read
from companion.rules import AnyMove, Move, Pass, outcome


class LooseEnds:
    """What is loose and what is astray, with the game as it stands now."""

    def __init__(
        self,
        eyes: Eyes,
        scene: Scene,
        match: Match,
        seen: Outline,
        touched: Collection[int],
        hops: Hops,
        times: Times,
        pushed: Collection[tuple[int, int]] = (),
        *,
        held: bool = False,
    ) -> None:
        self.eyes = eyes
        self.seen = seen
        self._touched = touched
        self._hops = hops
        self._times = times
        self._pushed = pushed
        """The pieces that are known to be pushed since an earlier scene: where to, where from."""
        self._held = held
        """Whether the board itself says that who is in the air stands unseen on nobody."""
        self.scene = scene
        self.match = match
        open_move = match.open_move
        last = open_move.move if open_move is not None else None
        self._face = match.face if open_move is None else open_move.face
        self._moved_from, self.moved_last = _stop(match, last, 0), _stop(match, last, 1)
        """Where the piece moved last came from and where it belongs: it was not pushed."""
        self._taken_back = _stop(match, match.undone, 0)
        """Where the piece taken back last belongs: forward from there it was not pushed."""
        roller = last.seat if isinstance(last, Pass) else match.position.seat
        rolled = match.face is not None or isinstance(last, Pass)
        self._rolled = match.game.hands[roller] if rolled and not match.over else ()
        """The colours that a roll was made for which still has, or had, to be played."""

    def nearly_lawful(self, pictures: Pictures) -> bool:
        """Whether only loose ends are left, in some picture, until some lawful board."""
        return any(self._is_lawful(pictures, picture) for picture in pictures.all)

    def lawful(self, pictures: Pictures) -> list[Picture]:
        """The pictures with only loose ends until some lawful board."""
        return [picture for picture in pictures.all if self._is_lawful(pictures, picture)]

    def _is_lawful(self, pictures: Pictures, picture: Picture) -> bool:
        return not pictures.unexplained(picture, self.seen) and (
            self.loose(picture, self.scene.goal) is not None
            or any(self._leads_to(picture, way) for way in self.scene.ways if way.near)
        )

    def made_unseen(self, pictures: Pictures) -> list[Picture]:
        """The pictures in which a legal move is made after all: its piece left a stack unseen.

        They come too late for a hint, since what is in the air explains the board as well; but
        no step may be false in them.
        """
        return self._made_in(pictures.read_again()) if self.match.face is not None else []

    def captured_unseen(self, pictures: Pictures) -> list[Picture]:
        """The pictures in which a legal move captured unseen who lies in its base now.

        Its piece came from a stack, and nothing else explains it: plainly read, that one lies
        there itself. Or it was set on who was then pulled out, and plainly read two pieces were
        exchanged before.
        """
        if self.match.face is None or pictures.plainest.at(AIR):
            return []
        return self._made_in(
            (*self._exchanged(pictures.read_as(Read.PLAINLY)), *pictures.dropped())
        )

    def in_another_base(self, pictures: Pictures) -> list[Picture]:
        """The pictures in which who a legal move captures lies in another colour's base.

        The move is made; or its own piece is still to come, and no plain reading has it otherwise.
        """
        ways = [way for way in self.scene.ways if isinstance(way.action, Move) and way.victims]
        if self.match.face is None or not ways:
            return []
        made = self._made_in(pictures.read_as(Read.OPENLY))
        plainly = pictures.read_as(Read.PLAINLY)
        begun = [one for one in plainly if any(self._leads_to(one, way) for way in ways)]
        return [
            one
            for one in (*made, *begun)
            if any(self._is_in_another_base(seat, at) for seat, at in _standing(one))
        ]

    def _is_in_another_base(self, seat: int, spot: str) -> bool:
        return self.eyes.whose.get(spot, seat) != seat

    def _exchanged(self, pictures: Iterable[Picture]) -> Iterator[Picture]:
        """Who lies in another's base stands where one of these stood, and that one lies there."""
        whose = self.eyes.whose
        for one in pictures:
            for seat, base in _standing(one):
                if self._is_in_another_base(seat, base):
                    owner = whose[base]
                    squares = (spot for spot in one.pieces[owner] if spot not in whose)
                    yield from (one.moved(seat, base, at).moved(owner, at, base) for at in squares)

    def _made_in(self, pictures: Iterable[Picture]) -> list[Picture]:
        """Those in which some legal move is made, but for bumps and captured pieces."""
        ways = [(way, way.goals[-1]) for way in self.scene.ways if isinstance(way.action, Move)]
        return [
            one
            for one in pictures
            if self.eyes.shown(one.pieces) == self.seen
            and any(self._is_complete(one, way, goal) for way, goal in ways)
        ]

    def complete(self, pictures: Pictures) -> "list[Complete]":
        """The legal moves that a picture shows, but for bumps and captured pieces.

        One after which all stands as before shows only if hands were there.
        """
        found = []
        for way in self.scene.ways:
            if isinstance(way.action, Move) and self.match.face is not None:
                goal = way.goals[-1]
                if goal == self.scene.goal and way.path(self.eyes).isdisjoint(self._touched):
                    continue
                shows = [one for one in pictures.all if self._is_complete(one, way, goal)]
                if shows:
                    found.append(Complete(way.action, goal, tuple(shows)))
        return found

    def begun(self, pictures: Pictures) -> "list[Complete]":
        """The moves of a Pair whose first piece is there, in every picture, and one is to come."""
        return [
            Complete(way.action, way.goals[-1], pictures.all)
            for way in self.scene.ways
            if isinstance(way.action, Move) and way.action.size == 2 and self.match.face is not None
            if all(self._is_begun(one, way.action, way) for one in pictures.all)
        ]

    def _is_begun(self, picture: Picture, move: Move, way: Way) -> bool:
        origin, target = self.match.game.stops(move)
        left = self._ways_between(picture, way.goals[-1])
        return [one for one in left if not self._is_loose(picture, one, way)] == [
            Astray(move.seat, origin, target)
        ] and move.seat in picture.at(target)

    def loose(self, picture: Picture, goal: Picture, way: Way | None = None) -> list[Astray] | None:
        """The loose ends between a picture and a lawful board; None if a piece is astray."""
        found = self._ways_between(picture, goal)
        if not all(self._is_loose(picture, one, way) for one in found):
            return None
        return found if self._fits(picture, goal) else None

    def _ways_between(self, picture: Picture, goal: Picture) -> list[Astray]:
        return ways_between(self.eyes, picture, goal, self._hops, held=self._held)

    def _fits(self, picture: Picture, goal: Picture) -> bool:
        """Whether what stands where a picture knows of nobody might be there in the goal."""
        shown = self.eyes.shown(picture.pieces)
        if shown == self.seen:
            return True
        wanted = self.eyes.shown(goal.pieces)
        return all(
            number <= max(known, may)
            for number, known, may in zip(self.seen, shown, wanted, strict=True)
        )

    def _is_loose(self, picture: Picture, one: Astray, way: Way | None) -> bool:
        if one.here == AIR or self._to_go_home(one, way):
            return True
        if not self._hops.sleeves:
            return False
        return self._bumped(picture, one, way) or self._pushed_in_a_row(picture, one, way)

    def _to_go_home(self, one: Astray, way: Way | None) -> bool:
        """A captured piece still stands where it was captured, or was pushed to from there.

        Or it was laid in another colour's base.
        """
        if way is None or not self.eyes.holds_many(one.belongs):
            return False
        if self._is_in_another_base(one.seat, one.here):
            captured = (self.scene.goal.at(self.eyes.spots[at]) for at in way.victims)
            return any(one.seat in seats for seats in captured)
        here = self.eyes.index[one.here]
        pushed_from = (there for at, there in self._pushed if at == here)
        return any(at in way.victims for at in (here, *pushed_from))

    def _bumped(self, picture: Picture, one: Astray, way: Way | None) -> bool:
        """A sleeve has pushed a piece onto the next square, as far as that can be told.

        Not pushed are a piece that is not next to where it belongs, one that is moved
        (`_is_moved`), and one whose square is still occupied (unless it was pushed from there while
        another of its stack was in the hand). Who was pushed in an earlier scene, and still stands
        there or was pushed on, is pushed; one that nobody saw come to a square where another stood
        is not. Otherwise time decides: what took longer than `carry`,
        or left before that square was free, was carried; what took less than `push` was pushed.
        In between, with a move in view, it was pushed unless its step is itself a legal move.
        Without one, nobody is pushed to where the game has another; a piece of the player who has
        rolled was pushed only if that player has another in the hand; any other, unless it went
        one step forward with a roll of one.
        """
        seat, here, belongs = one
        before = self._was_pushed(here, belongs)
        if not (before or self.eyes.beside(here, belongs)) or self._is_moved(one, way):
            return False
        move = way.action if way is not None else None
        seconds = self._hops.seconds(belongs, here)
        quick = seconds is not None and seconds <= self._times.push
        stack = len(self.scene.goal.at(belongs)) > 1  # another of it may be back there
        if picture.at(belongs) and not (stack and self._hops.came_at_once(belongs, here)):
            return False
        if self._goes_on(one) and not quick:
            return False
        if before:
            return True
        if seconds is None and self.scene.goal.at(here):
            return False
        if self._hops.carried(belongs, here):
            return False
        if quick:
            return True
        if isinstance(move, Move):
            return not self._is_move(one)
        if self.scene.goal.at(here):
            return False
        if seat in self._rolled:
            return any(AIR in picture.pieces[mine] for mine in self._rolled)
        return self._step(one) != 1 or self._face != 1

    def _is_moved(self, one: Astray, way: Way | None) -> bool:
        """Whether it is the piece moved last, or that of the move looked at, or one that goes on
        after it was taken back: no sleeve takes such a piece along."""
        move = way.action if way is not None else None
        if one.belongs == self.moved_last:
            return True
        if not isinstance(move, Move):
            return self._goes_on(one) or (move == BACK and one.belongs == self._moved_from)
        stops = [self.eyes.board.spot(move.seat, at) for at in (move.origin, move.target)]
        return one.belongs == stops[1] or (one.seat, one.here) == (move.seat, stops[0])

    def _goes_on(self, one: Astray) -> bool:
        """Whether the piece that was taken back stands further on again."""
        return one.belongs == self._taken_back and (self._step(one) or 0) > 0

    def _pushed_in_a_row(self, picture: Picture, one: Astray, way: Way | None) -> bool:
        """Two alike stood side by side, and each was pushed onto the next square.

        It looks as if one had gone over two; each push must have been seen.
        """
        seat, here, belongs = one
        for spot in set(picture.pieces[seat]) & set(self.scene.goal.pieces[seat]):
            if self.eyes.beside(here, spot) and self.eyes.beside(spot, belongs):
                parts = (Astray(seat, here, spot), Astray(seat, spot, belongs))
                if any(self._is_moved(part, way) for part in parts):
                    continue
                first = self._was_pushed(here, spot) or self._hops.came_at_once(spot, here)
                second = self._was_pushed(spot, belongs) or self._hops.pushed(belongs, spot)
                if first and second:
                    return True
        return False

    def _was_pushed(self, here: str, belongs: str) -> bool:
        """Whether a piece is known to be pushed since an earlier scene."""
        return (self.eyes.index[here], self.eyes.index[belongs]) in self._pushed

    def _is_move(self, one: Astray) -> bool:
        """Whether a piece stands where a legal move with this roll would have brought it."""
        seat, here, belongs = one
        moves = [way.action for way in self.scene.ways if isinstance(way.action, Move)]
        spot = self.eyes.board.spot
        return any(
            (move.seat, spot(move.seat, move.target), spot(move.seat, move.origin))
            == (seat, here, belongs)
            for move in moves
        )

    def _step(self, one: Astray) -> int | None:
        """How many steps ahead of where it belongs a piece stands, if it is on its way at all."""
        stands, should = (
            self.eyes.board.progress_at(one.seat, self.eyes.places[self.eyes.index[spot]])
            for spot in (one.here, one.belongs)
        )
        return None if stands is None or should is None else stands - should

    def _leads_to(self, picture: Picture, way: Way) -> bool:
        """Whether a way is nearly there: only loose ends, or its own move after its victim's."""
        for goal in way.goals:
            found = self._ways_between(picture, goal)
            left = (one for one in found if not self._is_loose(picture, one, way))
            if all(self._to_move(picture, one, way) for one in left) and self._fits(picture, goal):
                return True
        return False

    def moved_back(self, pictures: Pictures, owed: Mapping[int, int], *, held: bool) -> bool:
        """Whether the last piece stands, in some picture, where it came from, but for who it had
        captured.

        One in the air is taken to be `held`, or else to stand unseen on another of its colour.
        Who was `owed` to a base before does not count.
        """
        last = self.match.open_move
        if last is None or not isinstance(last.move, Move):
            return False
        home = sent_home(self.match.game, outcome(last.position, last.move).happenings)
        back = [way for way in self.scene.ways if way.action == BACK]
        for way in back if home else ():
            goal = way.goals[0]
            found = [ways_between(self.eyes, one, goal, held=held) for one in pictures.all]
            left = [self._without_owed(ways, owed) for ways in found]
            if any(ways and all((to, at) in home for _, at, to in ways) for ways in left):
                return True
        return False

    def _without_owed(self, ways: list[Astray], owed: Mapping[int, int]) -> list[Astray]:
        """The pieces that are astray, without as many as were owed to each spot before."""
        left, still = [], dict(owed)
        for one in ways:
            at = self.eyes.index[one.belongs]
            if one.here == AIR and still.get(at, 0) > 0:
                still[at] -= 1
            else:
                left.append(one)
        return left

    def amending(self, pictures: Pictures, *, asked: bool = False) -> bool:
        """Whether the last piece may stand unseen where it came from, and another move be made.

        Its square is empty, and where it came from stands another: only people know. Where it was
        `asked` whether it is moved back, it may stand there for all to see.
        """
        last = self.match.open_move
        if last is None or not isinstance(last.move, Move) or self.match.face is not None:
            return False
        origin, target = self.match.game.stops(last.move)
        seat, others = last.move.seat, [way for way in self.scene.ways if not way.near]
        return any(
            seat not in one.at(target)
            and ((asked and seat in one.at(origin)) or (AIR in one.pieces[seat] and one.at(origin)))
            and any(self._leads_to(one, way) for way in others)
            for one in pictures.all
        )

    def _to_move(self, picture: Picture, one: Astray, way: Way) -> bool:
        """The mover itself is still to come: its victim is gone already, or its twin is there."""
        move = way.action
        if not isinstance(move, Move) or one[0] != move.seat:
            return False
        spots = tuple(self.eyes.board.spot(move.seat, at) for at in (move.origin, move.target))
        if one[1:] != spots:
            return False
        gone = any(
            self._rivals_at(picture, at, move.seat)
            < self._rivals_at(self.scene.goal, at, move.seat)
            for at in way.victims
        )
        return gone or (move.size == 2 and move.seat in picture.at(spots[1]))

    def _rivals_at(self, picture: Picture, at: int, seat: int) -> int:
        return sum(other != seat for other in picture.at(self.eyes.spots[at]))

    def _is_complete(self, picture: Picture, way: Way, goal: Picture) -> bool:
        move = way.action
        assert isinstance(move, Move)
        target = self.eyes.board.spot(move.seat, move.target)
        if target in goal.pieces[move.seat] and target not in picture.pieces[move.seat]:
            return False  # nobody of that colour is there yet
        found = self.loose(picture, goal, way)
        return found is not None and not any((s, to) == (move.seat, target) for s, _, to in found)


def _standing(picture: Picture) -> Iterator[tuple[int, str]]:
    """The pieces of a picture: whose they are, and where they stand."""
    return ((seat, spot) for seat, own in enumerate(picture.pieces) for spot in own)


def _stop(match: Match, move: AnyMove | None, number: int) -> str | None:
    """Where a move begins (0) or ends (1), if there is one."""
    return match.game.stops(move)[number] if isinstance(move, Move) else None


class Complete(NamedTuple):
    """A legal move that was made, where every piece stands when all is straightened, and which
    pictures show that."""

    move: Move
    goal: Picture
    pictures: tuple[Picture, ...]

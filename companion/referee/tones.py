"""The tone a board deserves: a quiet hint, or STOP.

A board is *nearly lawful* when merely loose ends are left until it is as the game has it, or as
a legal move leaves it: a piece is in the air, a captured one is not home yet, a sleeve has
pushed one onto the next square. That is worth a hint. Where every lawful board would have a
piece stand elsewhere, it is STOP.
"""

from typing import NamedTuple

from companion.referee.match import Match
from companion.referee.outlines import Eyes, Outline
from companion.referee.picture import AIR, Picture
from companion.referee.pictures import Pictures
from companion.referee.remedies import Way as Astray
from companion.referee.remedies import ways_between
from companion.referee.scene import Scene, Way
from companion.rules import Move, Pass
from companion.rules.boardgame import BoardGame


class Tones:
    """What is loose and what is astray, with the game as it stands now."""

    def __init__(self, eyes: Eyes, scene: Scene, match: Match) -> None:
        self.eyes = eyes
        self.scene = scene
        self.match = match
        assert isinstance(match.game, BoardGame)
        last = match.open_move.move if match.open_move is not None else None
        self._moved_last = match.game.stops(last)[1] if isinstance(last, Move) else None
        roller = last.seat if isinstance(last, Pass) else match.position.seat
        rolled = match.face is not None or isinstance(last, Pass)
        self._rolled = match.game.hands[roller] if rolled and not match.over else ()
        """The colours that a roll was made for which still has, or had, to be played."""

    def nearly_lawful(self, pictures: Pictures, seen: Outline) -> bool:
        """Whether only loose ends are left, in some picture, until some lawful board."""
        return any(
            not pictures.unexplained(picture, seen)
            and (
                self.loose(picture, self.scene.goal) is not None
                or any(self._leads_to(picture, way) for way in self.scene.ways if way.near)
            )
            for picture in pictures.all
        )

    def complete(self, pictures: Pictures) -> "Complete | None":
        """The one legal move that a picture shows, but for bumps and captured pieces."""
        found = []
        for way in self.scene.ways:
            if isinstance(way.action, Move) and self.match.face is not None:
                goal = way.goals[-1]
                shows = [one for one in pictures.all if self._is_complete(one, way, goal)]
                if shows:
                    found.append(Complete(way.action, goal, tuple(shows)))
        return found[0] if len(found) == 1 else None

    def loose(self, picture: Picture, goal: Picture, way: Way | None = None) -> list[Astray] | None:
        """The loose ends between a picture and a lawful board; None if a piece is astray."""
        found = ways_between(self.eyes, picture, goal)
        return found if all(self._is_loose(picture, one, way) for one in found) else None

    def _is_loose(self, picture: Picture, one: Astray, way: Way | None) -> bool:
        return one[1] == AIR or self._to_go_home(one, way) or self._bumped(picture, one, way)

    def _to_go_home(self, one: Astray, way: Way | None) -> bool:
        """A captured piece still stands where it was captured."""
        if way is None:
            return False
        return self.eyes.index[one[1]] in way.victims and self.eyes.holds_many(one[2])

    def _bumped(self, picture: Picture, one: Astray, way: Way | None) -> bool:
        """A sleeve has pushed a piece onto the next square, as far as that can be told.

        The piece that is moved, or was moved last, was not pushed; nor was one of a player who
        has just rolled and has no other piece in the hand, nor any with a roll of one.
        """
        seat, origin, target = one
        if not self.eyes.beside(origin, target) or target == self._moved_last:
            return False
        if picture.at(target):
            return False  # one of a stack is not pushed alone
        move = way.action if way is not None else None
        if isinstance(move, Move):
            return target != self.eyes.board.spot(move.seat, move.target)
        if seat in self._rolled and self._along_the_way(one):
            return any(AIR in picture.pieces[mine] for mine in self._rolled)
        return self.match.face != 1

    def _along_the_way(self, one: Astray) -> bool:
        """Whether a piece stands one step before or behind where it belongs, on its own way."""
        seat, origin, target = one
        steps = [
            self.eyes.board.progress_at(seat, self.eyes.places[self.eyes.index[spot]])
            for spot in (origin, target)
        ]
        return steps[0] is not None and steps[1] is not None and abs(steps[0] - steps[1]) == 1

    def _leads_to(self, picture: Picture, way: Way) -> bool:
        """Whether a way is nearly there: only loose ends, or its own move after its victim's."""
        for goal in way.goals:
            found = ways_between(self.eyes, picture, goal)
            if all(
                self._is_loose(picture, one, way) or self._to_move(picture, one, way)
                for one in found
            ):
                return True
        return False

    def _to_move(self, picture: Picture, one: Astray, way: Way) -> bool:
        """The mover itself is still to come: its victim is gone already, or its twin is there."""
        move = way.action
        if not isinstance(move, Move) or one[0] != move.seat:
            return False
        spots = tuple(self.eyes.board.spot(move.seat, at) for at in (move.origin, move.target))
        if one[1:] != spots:
            return False
        gone = any(not self._rival_at(picture, at, move.seat) for at in way.victims)
        return gone or (move.size == 2 and move.seat in picture.at(spots[1]))

    def _rival_at(self, picture: Picture, at: int, seat: int) -> bool:
        return any(other != seat for other in picture.at(self.eyes.spots[at]))

    def _is_complete(self, picture: Picture, way: Way, goal: Picture) -> bool:
        move = way.action
        assert isinstance(move, Move)
        found = self.loose(picture, goal, way)
        target = self.eyes.board.spot(move.seat, move.target)
        return found is not None and not any((s, to) == (move.seat, target) for s, _, to in found)


class Complete(NamedTuple):
    """A legal move that was made, where every piece stands when all is straightened, and which
    pictures show that."""

    move: Move
    goal: Picture
    pictures: tuple[Picture, ...]

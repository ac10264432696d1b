"""What a roll owes: bonus squares, rolls earned by what happened, and faces that count otherwise.

On the printed sheets a roll owes one move, and a six perhaps another roll. Other games owe more,
and all of it is told in the same few words, so that journals, records, screens and odds read it
without knowing any of these games:

*A bonus* is squares to be played at once, before anybody rolls: twenty for a capture, ten for
getting home. Twenty is no face of a die. A position says what is owed (`owed`, the first of it is
`due`), and a bonus is played like a roll: `legal_moves(position, 20)`, a move that reads
`red +20 5>25`, and a pass where no piece can use it. While something is due nobody rolls
(`judge_roll`), and `judge` takes a move for the bonus without being told a face. A bonus brings
nobody in, and is bound by no duty; what it captures or brings home earns in its turn.

*A roll that is earned* by an outcome (`earns_roll`) keeps the turn as a six does. Several reasons
give one roll. `rolls` are those still to be made, none while only a bonus keeps the turn.

*A face that counts otherwise* (`reckons`) is counted as another number while a condition holds: a
six as seven when nobody waits. The counting clauses are asked about that number; the move keeps
the face that was rolled.

*One six too many* may cost the piece that moved last (`sends_back`): the one legal move takes it
to its base, so that hands, records and screens see a move like any other. The position remembers
where that piece stands (`moved`) while sixes are counted.

The rest needs no more than clauses that were there before: a *bounce* and *stairs* are ways to
count, *a capture by passing* is an `after` that looks at the path, *a barrier that a six opens* is
a `compel`. A sheet whose articles owe nothing is played by `BoardGame` alone, and pays nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.rules.articles import Duty, Reckoning, Sheet
from companion.rules.boardgame import BoardGame, Numbers, Steps
from companion.rules.boards import BASE
from companion.rules.errors import BadInput
from companion.rules.game import FACES
from companion.rules.moves import AnyMove, Move, Pass
from companion.rules.positions import NOBODY, Position
from companion.rules.verdicts import Happening


class OwingGame(BoardGame):
    """A sheet on a board on which a roll may owe more than one move."""

    def __init__(
        self,
        sheet: Sheet,
        options: Mapping[str, Any],
        colours: tuple[str, ...],
        numbers: Numbers,
        neutral: int | None = None,
        players: tuple[tuple[int, ...], ...] | None = None,
    ) -> None:
        super().__init__(sheet, options, colours, numbers, neutral, players)
        held = self.held
        self.earns_roll = [(a.id, a.earns_roll) for a in held if a.earns_roll]
        self.earns_squares = [(a.id, a.earns_squares) for a in held if a.earns_squares]
        self.bonuses = frozenset(a.bonus for a in held if a.earns_squares)
        self.keeps_moved = any(a.sends_back for a in held)
        self.reckoning: Reckoning | None = None
        for article in held:
            if article.reckons is not None:
                self.reckons_clause, self.reckoning = article.id, article.reckons
        for seat in range(len(self.colours)):
            for count in self.bonuses:
                self.steps[seat][count] = self._steps(seat, count, count)
            if self.reckoning is not None:
                face, count = self.reckoning.face, self.reckoning.count
                self.steps[seat][face, count] = self._steps(seat, face, count)

    def _steps(self, seat: int, face: int, count: int) -> tuple[Steps, Steps]:
        return Steps(self, seat, face, 1, count), Steps(self, seat, face, 2, count)

    # -- what may be played ----------------------------------------------------------------

    def counted_as(self, position: Position, move: Move) -> Move:
        """The same move with the number that its face counts as there."""
        reckoning = self.reckoning
        if reckoning is None or move.face != reckoning.face:
            return move
        if not reckoning.when(position.pieces[move.seat]):
            return move
        return replace(move, face=reckoning.count)

    def legal_moves(self, position: Position, face: int) -> Sequence[AnyMove]:
        if position.owed:
            if face != position.due:
                raise BadInput(f"{position.due} squares are owed first, before any roll")
            bonus = self.free_moves(position.seat, position, face)
            return bonus or (Pass(position.seat, face, self),)
        self.face(face)
        if not position.over and position.opening is None and self.ends_turn(position, face):
            return (self._sent_back(position, face) or self.passes[position.seat][face],)
        return super().legal_moves(position, face)

    def _sent_back(self, position: Position, face: int) -> Move | None:
        """The move that takes the piece moved last to its base, if it is still on the track."""
        if not self.keeps_moved or not BASE < position.moved <= self.board.track_end:
            return None
        return Move(position.seat, face, position.moved, BASE, 1, self)

    def free_moves(
        self, colour: int, position: Position, face: Any, duties: Sequence[Duty] = ()
    ) -> Sequence[Move]:
        key = self.counted_face(position, colour, face)
        return super().free_moves(colour, position, key, duties)

    def counted_face(self, position: Position, seat: int, face: Any) -> Any:
        reckoning = self.reckoning
        if reckoning is not None and face == reckoning.face:
            return (face, reckoning.count) if reckoning.when(position.pieces[seat]) else face
        return face

    # -- what follows ----------------------------------------------------------------------

    def play(
        self, position: Position, move: AnyMove, told: list[Happening] | None = None
    ) -> Position:
        if position.opening is not None:
            return super().play(position, move, told)
        told = [] if told is None else told
        after = super().play(position, move, told)
        seat = position.seat
        if after.over or not self.takes_turns(seat, after.home, after.pieces):
            return after
        if not position.owed and self.ends_turn(position, move.face):
            return after
        if position.owed:
            rolls, sixes = position.rolls, position.sixes
        elif after.seat == seat:
            rolls, sixes = after.rolls, after.sixes
        else:
            rolls, sixes = 0, 0
        if isinstance(move, Move):
            rolls = rolls or self._rolls_earned(position, move, told)
        owed = (*position.owed[1:], *self._squares_earned(position, move, told))
        if not owed and not rolls:
            return after
        moved = position.moved
        if isinstance(move, Move) and move.seat == seat:
            moved = move.target
        if not self.keeps_moved or not sixes or moved not in after.pieces[seat]:
            moved = NOBODY  # also where the move itself has sent that piece back
        return Position(self, after.pieces, seat, rolls, sixes, after.home, None, owed, moved)

    def _rolls_earned(self, position: Position, move: Move, told: list[Happening]) -> int:
        """One roll, if anything that happened gives one."""
        for clause, earns in self.earns_roll:
            if earns(self, position, move, told):
                told.append(self.tell(clause, "again", position.seat))
                return 1
        return 0

    def _squares_earned(
        self, position: Position, move: AnyMove, told: list[Happening]
    ) -> tuple[int, ...]:
        """The bonuses that a move earns, in the order of their articles."""
        if not isinstance(move, Move):
            return ()
        found = []
        for clause, earns in self.earns_squares:
            squares = earns(self, position, move, told)
            if squares:
                told.append(self.tell(clause, "bonus", position.seat))
                found.append(squares)
        return tuple(found)

    # -- text ------------------------------------------------------------------------------

    def read_face(self, shown: str) -> int:
        if shown.startswith("+") and shown[1:].isdecimal() and int(shown[1:]) in self.bonuses:
            return int(shown[1:])
        return super().read_face(shown)

    def check_turn(self, position: Position) -> None:
        super().check_turn(position)
        if set(position.owed) - self.bonuses:
            allowed = ", ".join(map(str, sorted(self.bonuses))) or "nothing"
            owed = " ".join(map(str, position.owed))
            raise BadInput(f"nobody is owed {owed} in {self}: what can be owed is {allowed}")
        if position.owed and (position.over or position.opening is not None):
            raise BadInput("squares are owed only while somebody plays")
        if position.moved != NOBODY:
            if not self.keeps_moved or not position.sixes:
                raise BadInput("where a piece moved last counts only while sixes are counted")
            if position.moved not in position.pieces[position.seat]:
                where = self.spot(position.seat, position.moved)
                raise BadInput(f"the piece that moved last is not on {where}")


def owing(articles: Sequence[Any]) -> bool:
    """Whether any of these articles makes a roll owe more than a move."""
    return any(a.earns_roll or a.earns_squares or a.sends_back or a.reckons for a in articles)


_FIRST_BONUS = max(FACES) + 1


def is_bonus(face: int | None) -> bool:
    """Whether this is a bonus and no face of a die."""
    return face is not None and face >= _FIRST_BONUS

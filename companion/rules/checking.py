"""Playing a move that somebody else chose: made if it is legal, else refused with its reason."""

from collections.abc import Iterable

from companion.rules.boardgame import BoardGame
from companion.rules.cards import stack_name
from companion.rules.errors import IllegalMove
from companion.rules.game import Game
from companion.rules.moves import AnyMove, Attempt, Hop, Lay, Move, Pass
from companion.rules.positions import Position
from companion.rules.verdicts import Refusal, Refused


def play(position: Position, move: AnyMove) -> Position:
    """The position after a move; raises IllegalMove, with its reason, for one that is not legal."""
    table = position.game
    legal = table.legal_moves(position, move.face)
    if move not in legal:
        raise IllegalMove(_sentence(position, move, legal), refusals(position, move))
    return table.play(position, move)


def _sentence(position: Position, move: AnyMove, legal: Iterable[AnyMove]) -> str:
    table = position.game
    clauses = ", ".join(broken_clauses(position, move))
    instead = ", ".join(table.move_text(one) for one in legal) or "nothing: the game is over"
    return f"{table.move_text(move)!r} is not legal there ({clauses}); allowed is {instead}"


def broken_clauses(position: Position, move: AnyMove) -> tuple[str, ...]:
    """The clauses that a move which is not legal breaks."""
    return tuple(dict.fromkeys(refusal.clause for refusal in refusals(position, move)))


def refusals(position: Position, move: AnyMove) -> tuple[Refusal, ...]:
    """Why a move is not legal there."""
    table = position.game
    if position.over:
        return (Refusal("O1", "game_over"),)
    if isinstance(move, Pass) and move.seat != position.seat:
        return (Refusal("O1", "not_your_turn"),)
    if isinstance(move, Move) and (not position.pieces[move.seat] or move.size > 2):
        return (Refusal("O5", "no_piece_there"),)
    by = table.colours[move.seat] if isinstance(move, Lay) else None
    verdict = table.judge(position, move.face, attempt_of(table, move), by)
    if isinstance(verdict, Refused):
        return verdict.refusals
    # Hands would have been taken to mean another piece, or another size, that is there.
    if isinstance(move, Lay):
        return (Refusal("C6", "lay_out_and_add"),)
    return (Refusal("O4", "not_your_piece"), Refusal("O5", "no_piece_there"))


def attempt_of(table: Game, move: AnyMove) -> Attempt:
    """What hands do that make a move."""
    if isinstance(move, Lay):
        return Attempt(tuple(Hop(None, stack_name(table, move.seat, s)) for s in move.stacks))
    if isinstance(move, Pass):
        return Attempt(())
    assert isinstance(table, BoardGame)
    return Attempt((Hop(*table.stops(move)),) * move.size)

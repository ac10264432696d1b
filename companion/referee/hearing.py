"""Asking the rules about what hands did, at the moment in the turn at which they did it."""

from companion.referee.match import Match
from companion.rules import Attempt, Game, Hop, Move, Refused, Verdict, judge


def verdict_on(match: Match, attempt: Attempt, seat: int | None = None) -> Verdict:
    """The verdict on an attempt, with the roll that lies or, just after a move, with its own.

    `seat` says whose piece it is, where that is known: two colours may stand where it left.
    Until the next roll a player may still be busy with the last one: a second piece moved then
    is a second move (O7), the same piece moved on is a wrong end of that move, and a piece
    moved although nothing could is judged by the roll that could not be used.
    """
    if match.face is None and len(attempt.hops) == 1:
        verdict = _about_last_roll(match, attempt.hops[0], seat)
        if isinstance(verdict, Refused) and verdict.refusals:
            return verdict
    return judge(match.position, match.face, attempt)


def _about_last_roll(match: Match, hop: Hop, seat: int | None) -> Verdict | None:
    game, last = match.game, match.open_move
    if last is None or seat not in (None, *game.hands[last.position.seat]):
        return None
    if game.board.walked is None or match.position.over or hop.origin is None:
        return None
    if isinstance(last.move, Move) and hop.origin == game.stops(last.move)[1]:
        moved_on = Hop(game.stops(last.move)[0], hop.target)
        return judge(last.position, last.face, Attempt((moved_on,)))
    again = match.position.seat == last.position.seat
    hands = game.hands[last.position.seat]
    if again or not any(stands(game, match, seat, hop.origin) for seat in hands):
        return None
    if isinstance(last.move, Move):
        return judge(last.position, last.face, Attempt((Hop(*game.stops(last.move)), hop)))
    return judge(last.position, last.face, Attempt((hop,)))


def stands(game: Game, match: Match, seat: int, spot: str) -> bool:
    """Whether a colour has a piece on a spot."""
    return any(game.spot(seat, piece) == spot for piece in match.position.pieces[seat])

"""House rulings: the position that results when the players let an illegal move stand."""

from companion.referee.match import Match
from companion.rules import Attempt, BadInput, Pass, Position


def ruled(match: Match, attempt: Attempt) -> Position | None:
    """Where the game stands if this is let pass; None if that cannot be told."""
    game, here = match.game, match.position
    if here.over or here.opening is not None:
        return None
    if len(attempt.hops) != 1:
        return None
    origin, target = attempt.hops[0]
    if origin is None or target is None:
        return None
    for seat in (*game.hands[here.seat], *game.in_play):
        there = game.let_stand(here, seat, origin, target)
        if there is not None:
            return _turn_goes_on(match, there)
    return None


def _turn_goes_on(match: Match, there: Position) -> Position | None:
    """With a roll on the table the turn goes on as after a move; before it, nothing else."""
    game = match.game
    after = there
    if match.face is not None:
        after = game.play(there, Pass(there.seat, match.face))
    try:
        game.check(after)
    except BadInput:
        return None
    return after

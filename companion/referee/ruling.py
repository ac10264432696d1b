"""House rulings: the position that results when the players let an illegal move stand."""

from dataclasses import replace

from companion.referee.match import Match
from companion.rules import Attempt, BadInput, Pass, Position
from companion.rules.boardgame import BoardGame
from companion.rules.clauses import send_to_base


def ruled(match: Match, attempt: Attempt) -> Position | None:
    """Where the game stands if this is let pass; None if that cannot be told."""
    game, here = match.game, match.position
    if not isinstance(game, BoardGame) or here.over or here.opening is not None:
        return None
    if len(attempt.hops) != 1:
        return None
    origin, target = attempt.hops[0]
    if origin is None or target is None:
        return None
    for seat in (*game.hands[here.seat], *game.in_play):
        there = _moved(game, here, seat, origin, target)
        if there is not None:
            return _turn_goes_on(match, there)
    return None


def _moved(game: BoardGame, here: Position, seat: int, origin: str, target: str) -> Position | None:
    try:
        start, end = game.read_spot(seat, origin), game.read_spot(seat, target)
    except BadInput:
        return None
    if start not in here.pieces[seat] or start == end:
        return None
    pieces = list(here.pieces)
    own = list(pieces[seat])
    own[own.index(start)] = end
    pieces[seat] = tuple(sorted(own))
    square = game.square[seat][end]
    if square >= 0 and square not in game.numbers.shared_squares:
        for rival, at in game.rivals[seat][end]:
            while at in pieces[rival]:
                send_to_base(pieces, rival, at)
    return replace(here, pieces=tuple(pieces))


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

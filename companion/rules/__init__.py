"""The rules of five printed Ludo sheets, and a reason for every refusal.

>>> from companion.rules import attempt, game, judge, legal_moves, play
>>> table = game("german", ["three_rolls"], ["yellow", "red"])
>>> position = table.start(begins="yellow")
>>> [str(move) for move in legal_moves(position, 4)]
['yellow 4 1>5']
>>> judge(position, 4, attempt("1>6")).refusals[0]
Refusal(clause='O8', slip='wrong_count', places=('1', '6'), counted=5)
>>> play(position, table.move("yellow 4 1>5")).colour
'red'
"""

from collections.abc import Sequence

from companion.rules import judging
from companion.rules.boards import BOARDS, Board, Mat, Place
from companion.rules.checking import play
from companion.rules.dice import Die
from companion.rules.errors import BadInput, IllegalMove
from companion.rules.game import Game
from companion.rules.moves import AnyMove, Attempt, Hop, Lay, Move, Pass, attempt
from companion.rules.positions import NOBODY, Position
from companion.rules.sheets import (
    SHEETS,
    game,
    move,
    position,
    recall_game,
    recall_position,
    sheet,
)
from companion.rules.verdicts import (
    Accepted,
    Happening,
    Outcome,
    Refusal,
    Refused,
    Unclear,
    Verdict,
)


def legal_moves(position: Position, face: int) -> Sequence[AnyMove]:
    """Every legal move with this roll; a pass where nothing moves; none when it is over."""
    return position.game.legal_moves(position, face)


def play_unchecked(position: Position, move: AnyMove) -> Position:
    """The position after a move that is known to be legal, quickly; any other makes nonsense."""
    return position.game.play(position, move)


def outcome(position: Position, move: AnyMove) -> Outcome:
    """The position after a move known to be legal, and what happened: captures, rolls, places."""
    return position.game.outcome(position, move)


def judge(position: Position, face: int | None, attempt: Attempt, by: str | None = None) -> Verdict:
    """What the rules say to what hands did; no face before the roll, `by` whom if that is known."""
    return position.game.judge(position, face, attempt, by)


def judge_roll(
    position: Position, unplayed: int | None = None, by: str | None = None
) -> tuple[Refusal, ...]:
    """Why nobody, or not this colour, may roll now. See `judging.judge_roll`."""
    return judging.judge_roll(position, unplayed, by)


__all__ = [
    "BOARDS",
    "NOBODY",
    "SHEETS",
    "Accepted",
    "AnyMove",
    "Attempt",
    "BadInput",
    "Board",
    "Die",
    "Game",
    "Happening",
    "Hop",
    "IllegalMove",
    "Lay",
    "Mat",
    "Move",
    "Outcome",
    "Pass",
    "Place",
    "Position",
    "Refusal",
    "Refused",
    "Unclear",
    "Verdict",
    "attempt",
    "game",
    "judge",
    "judge_roll",
    "legal_moves",
    "move",
    "outcome",
    "play",
    "play_unchecked",
    "position",
    "recall_game",
    "recall_position",
    "sheet",
]

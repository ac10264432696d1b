"""The box's players at the table: when one rolls, what is thought about, and what it wants moved.

The referee neither draws nor thinks. `Players` says when a roll is to be drawn (`Draw`) and what is
to be thought about (`Think`); the shell answers with the events `Drawn` and `Thought`. Each answer
belongs to one turn: one that comes after the game has gone on is left be, and nothing waits for it.
Hands carry the move out, and the referee looks at them as at anybody's.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple
from zlib import crc32

from companion.referee.effects import Draw, Think
from companion.referee.match import Match
from companion.referee.times import Times
from companion.rules import AnyMove, Position


class Turn(NamedTuple):
    """What a player of the box has before it: a position, and its roll once it lies."""

    position: Position
    face: int | None
    level: str
    number: int
    """How much had happened in the game before: a position may come again."""


class Players:
    """What the box's players do next, and what they want; what people do is not known here."""

    def __init__(self, times: Times) -> None:
        self._times = times
        self.draws = True
        """Whether the box rolls for itself; otherwise somebody throws for it."""
        self._turn: Turn | None = None
        self._since = 0.0
        self._asked = 0
        self._waits = False
        self._wish: tuple[Position, int | None, AnyMove] | None = None

    # -- whose turn it is ------------------------------------------------------------------

    def follow(self, match: Match, now: float) -> None:
        """The game stands so: perhaps it is another turn."""
        level = match.level
        turn = level and Turn(match.position, match.face, level, len(match.deeds))
        if turn != self._turn:
            self._turn, self._since, self._waits = turn or None, now, False
            if turn and len(match.legal) == 1:
                self._wish = match.position, match.face, match.legal[0]

    def stir(self, now: float) -> None:
        """Hands are at the board: a roll waits until they have gone."""
        self._since = now

    @property
    def is_on(self) -> bool:
        """Whether it is the turn of one of them."""
        return self._turn is not None

    # -- what is asked of the shell --------------------------------------------------------

    @property
    def draws_at(self) -> float | None:
        """When a roll is to be drawn, if the board stays quiet; None if none is."""
        if self._turn is None or self._turn.face is not None or self._waits or not self.draws:
            return None
        return self._since + self._times.draw

    def draw(self) -> Draw:
        """Ask for a roll."""
        return Draw(self._ask())

    def think(self) -> Think | None:
        """Ask for a move, if that is not known and nobody was asked yet."""
        turn = self._turn
        if turn is None or turn.face is None or self._waits:
            return None
        if self.wish(turn.position, turn.face) is not None:
            return None
        here = str(turn.position)
        question = {
            "ask": "move",
            "position": here,
            "face": turn.face,
            "level": turn.level,
            "seed": crc32(f"{turn.number} {turn.face} {here}".encode()),
        }
        return Think(self._ask(), question)

    def _ask(self) -> int:
        self._asked, self._waits = self._asked + 1, True
        return self._asked

    # -- what is answered ------------------------------------------------------------------

    def is_answer(self, number: int) -> bool:
        """Whether this answers what was asked last, and is still wanted; it is wanted once."""
        return self._waits and number == self._asked

    def forget_question(self) -> None:
        """The answer came when it was of no use: ask again."""
        self._waits = False

    def hear(self, told: Mapping[str, Any]) -> AnyMove | None:
        """Take in the move that was thought of; None if there is none that can be made."""
        turn = self._turn
        text = told.get("move")
        if turn is None or turn.face is None or not isinstance(text, str):
            return None
        move = turn.position.game.move(text)
        if move not in turn.position.game.legal_moves(turn.position, turn.face):
            return None
        self._wish = turn.position, turn.face, move
        return move

    def wish(self, position: Position, face: int | None) -> AnyMove | None:
        """The move that the box wants, or wanted, with this roll in this position."""
        return self._wish[2] if self._wish and self._wish[:2] == (position, face) else None

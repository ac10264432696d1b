"""The box's players at the table: when one rolls, what is thought about, and what it wants moved.

The referee neither draws nor thinks. `Players` says when a roll is to be drawn (`Draw`) and what is
to be thought about (`Think`); the shell answers with the events `Drawn` and `Thought`. Each answer
belongs to one turn: one that comes after the game has gone on is left be, and nothing waits for it.
Hands carry the move out, and the referee looks at them as at anybody's.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple
from zlib import crc32

from companion.referee.effects import Advice, Draw, Fortunes, Luck, Moment, Think
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
        self._asked = self._number = 0
        self._waits = False
        self._wish: tuple[Position, int | None, AnyMove] | None = None
        self._advises: tuple[int, Position, int] | None = None
        self._advice: tuple[Position, int | None, Advice] | None = None

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
        self._asked += 1
        self._number, self._waits = self._asked, True
        return self._asked

    def advise(self, match: Match) -> Think:
        """Ask what the best move is, for whoever wants to know."""
        assert match.face is not None
        self._asked += 1
        self._advises = self._asked, match.position, match.face
        here = str(match.position)
        seed = crc32(f"{len(match.deeds)} {match.face} {here}".encode())
        question = {"ask": "hint", "position": here, "face": match.face, "seed": seed}
        return Think(self._asked, question)

    # -- what is answered ------------------------------------------------------------------

    def is_answer(self, number: int) -> bool:
        """Whether this answers what was asked for a player, and is still wanted; once is enough."""
        return self._waits and number == self._number

    def is_advice(self, number: int, match: Match) -> bool:
        """Whether this answers who asked for advice, and the game has not gone on since."""
        return self._advises == (number, match.position, match.face)

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

    def hear_advice(self, told: Mapping[str, Any]) -> Advice | None:
        """Take in what was advised; None if that cannot be understood."""
        assert self._advises is not None
        (_, here, face), self._advises = self._advises, None
        text, margin = told.get("move"), told.get("margin")
        if not isinstance(margin, list | tuple) or len(margin) != 2:
            return None
        move = here.game.move(text) if isinstance(text, str) else None
        advice = Advice(move, float(margin[0]), float(margin[1]), told.get("places") is True)
        self._advice = here, face, advice
        return advice

    def advice(self, position: Position, face: int | None) -> Advice | None:
        """What was advised with this roll in this position."""
        return self._advice[2] if self._advice and self._advice[:2] == (position, face) else None


def fortunes(position: Position, told: Mapping[str, Any]) -> Fortunes:
    """Who was lucky, from plain data. Raises what plain data that is damaged leads to."""
    luck, gave = told["luck"], told["gave"]
    players = tuple(Luck(colour, *luck[colour], *gave[colour]) for colour in luck)
    return Fortunes(
        players,
        told.get("luckiest"),
        _moment(position, told.get("roll")),
        _moment(position, told.get("move")),
    )


def _moment(position: Position, told: Mapping[str, Any] | None) -> Moment | None:
    if told is None:
        return None
    game, instead = position.game, told.get("instead")
    return Moment(
        told["colour"],
        game.move(told["move"]),
        float(told["change"][0]),
        None if instead is None else game.move(instead),
    )

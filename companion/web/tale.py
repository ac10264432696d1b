"""The tale of the game under way, from its kept records: history, charts, and the text record."""

from collections.abc import Iterable
from datetime import date
from typing import Any, NamedTuple

from companion.referee import Match, Record
from companion.rules import AnyMove, Happening, Move, Pass, Position, outcome
from companion.rules.boardgame import BoardGame
from companion.rules.records import from_kept
from companion.screens import notation, phrases
from companion.screens.languages import words as words_of


class Deed(NamedTuple):
    """One move or ruling that stands, with what was before it and what came of it."""

    before: Position
    face: int | None
    move: AnyMove | None
    after: Position
    happenings: tuple[Happening, ...]


class Tale:
    """The deeds of a game, kept up with its records."""

    def __init__(self) -> None:
        self.deeds: list[Deed] = []
        self._match: Match | None = None
        self._records: list[Record] = []

    def catch_up(self, records: Iterable[Record]) -> int:
        """Take in what was kept since; returns how many of the deeds told before still stand."""
        kept = [record for record in records if record["kind"] not in ("settings", "aside")]
        if kept[: len(self._records)] != self._records:
            self.deeds, self._match, self._records = [], None, []
            stands = 0
        else:
            stands = len(self.deeds)
        for record in kept[len(self._records) :]:
            stands = min(stands, self._take(record))
        self._records = kept
        return stands

    def _take(self, record: Record) -> int:
        if record["kind"] == "start":
            self._match, self.deeds = Match.replay([record]), []
            return 0
        if self._match is None:
            return 0
        match = self._match
        before, face, number = match.position, match.face, len(match.past)
        match.redo(record)
        if len(match.past) < number:
            del self.deeds[len(match.past) :]
        elif len(match.past) > number:
            move = match.past[-1].move
            told = outcome(before, move).happenings if move is not None else ()
            self.deeds.append(Deed(before, match.past[-1].face or face, move, match.position, told))
        return len(self.deeds)

    # -- for the page --------------------------------------------------------------------------

    def entries(self, language: str, start: int = 0) -> list[dict[str, Any]]:
        """The deeds from one on, as the page lists and charts them."""
        return [entry(deed, language) for deed in self.deeds[start:]]

    @property
    def rolls(self) -> list[int]:
        """How often each face came in this game."""
        faces = [record["face"] for record in self._records if record["kind"] == "roll"]
        return [faces.count(face) for face in range(1, 7)]

    def text(self, today: date) -> str | None:
        """The game as a text record that a person can read and `companion` can replay."""
        return None if self._match is None else str(from_kept(self._records, today))


def entry(deed: Deed, language: str) -> dict[str, Any]:
    """One deed as plain data."""
    words, before = words_of(language), deed.before
    game = before.game
    move = deed.move
    told: dict[str, Any] = {
        "colour": before.colour,
        "face": deed.face,
        "opening": before.opening is not None,
        "text": "" if move is None else notation.move(before, move, words),
        "ruling": move is None,
        "passed": isinstance(move, Pass),
        "told": [
            {
                "what": one.what,
                "clause": one.clause,
                "text": phrases.happening(game, one, words),
                "colour": game.colours[one.seat],
            }
            for one in deed.happenings
        ],
        "progress": _progress(deed.after),
    }
    if isinstance(move, Move) and isinstance(game, BoardGame):
        told["colour"] = game.colours[move.seat]
        told["from"], told["to"] = game.stops(move)
    if move is not None and before.opening is not None:
        told["text"] = phrases.roll(game, move.face, words)
    return told


def _progress(position: Position) -> dict[str, float]:
    """By colour, how much of its way is done, from 0 to 1."""
    game = position.game
    full = (game.last + 1) if isinstance(game, BoardGame) else 6
    below = -1 if isinstance(game, BoardGame) else 0
    return {
        game.colours[seat]: round(sum(p - below for p in pieces) / (full * len(pieces)), 4)
        for seat, pieces in enumerate(position.pieces)
        if pieces
    }

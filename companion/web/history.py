"""The game under way from its kept records: what was played, the charts, and the text record."""

import itertools
from collections.abc import Callable, Iterable
from datetime import date
from typing import Any, NamedTuple

import msgspec

from companion.fairness import is_loaded
from companion.referee import Match, Record
from companion.rules import AnyMove, Happening, Move, Pass, Position, outcome
from companion.rules.boardgame import BoardGame
from companion.rules.records import event_text, from_kept, kept_event
from companion.screens import notation, phrases
from companion.screens.languages import words as words_of

_encode = msgspec.json.Encoder().encode


class Deed(NamedTuple):
    """One move or ruling that stands, with what was before it and what came of it."""

    before: Position
    face: int | None
    move: AnyMove | None
    after: Position
    happenings: tuple[Happening, ...]


class History:
    """The deeds of a game, kept up with its records; nothing is worked out twice."""

    def __init__(self) -> None:
        self.deeds: list[Deed] = []
        self.rolls = [0] * 6
        """How often the die showed each face in this game."""
        self.by_hand = [0] * 6
        """How often each was entered by hand: a die beside the box, or practice."""
        self.behind = False
        """Whether there are records that have not been taken in yet."""
        self._match: Match | None = None
        self._records: list[Record] = []
        self._lines: list[str] = []
        self._entries: dict[str, list[bytes]] = {}

    def catch_up(
        self, records: Iterable[Record], enough: Callable[[], bool] = lambda: False
    ) -> int:
        """Take in what was kept since, until it is enough for now; the rest leaves it `behind`.

        Returns how many of the deeds told before still stand.
        """
        kept = [record for record in records if record["kind"] not in ("settings", "aside")]
        stands = len(self.deeds)
        if kept[: len(self._records)] != self._records:
            self._forget()
            stands = 0
        for record in itertools.islice(kept, len(self._records), None):
            stands = min(stands, self._take(record))
            self._records.append(record)
            if enough():
                break
        self.behind = len(self._records) < len(kept)
        return stands

    def _forget(self) -> None:
        self.deeds, self._match, self._records, self._lines = [], None, [], []
        self.rolls, self.by_hand, self._entries = [0] * 6, [0] * 6, {}

    def _take(self, record: Record) -> int:
        if record["kind"] == "start":
            self._forget()
            self._match = Match.replay([record])
            return 0
        if self._match is None:
            return 0
        match = self._match
        before, face, number = match.position, match.face, len(match.past)
        happened = kept_event(before.game, record)
        if happened is not None:
            self._lines.append(event_text(before, happened))
        if record["kind"] == "roll":
            counts = self.by_hand if record.get("number") is None else self.rolls
            counts[record["face"] - 1] += 1
        match.redo(record)
        if len(match.past) < number:
            del self.deeds[len(match.past) :]
            for entries in self._entries.values():
                del entries[len(match.past) :]
        elif len(match.past) > number:
            move = match.past[-1].move
            told = outcome(before, move).happenings if move is not None else ()
            self.deeds.append(Deed(before, match.past[-1].face or face, move, match.position, told))
        return len(self.deeds)

    # -- for the page --------------------------------------------------------------------------

    def entries(
        self, language: str, start: int = 0, enough: Callable[[], bool] = lambda: False
    ) -> list[bytes]:
        """The deeds from one on, as the page lists and charts them, each as JSON.

        There is at least one if there are any; the rest may have to be asked for again.
        """
        told = self._entries.setdefault(language, [])
        while len(told) < len(self.deeds):
            told.append(_encode(entry(self.deeds[len(told)], language)))
            if len(told) > start and enough():
                break
        return told[start:]

    def die(self) -> dict[str, Any]:
        """How the die has fallen; where it has no die of its own, what was entered."""
        counts = self.rolls if any(self.rolls) else self.by_hand
        entered = sum(self.by_hand) if counts is self.rolls else 0
        return {"counts": counts, "entered": entered, "loaded": is_loaded(counts)}

    def text(self, today: date) -> str | None:
        """The game as a text record that a person can read and `companion` can replay."""
        if self._match is None:
            return None
        header = str(from_kept(self._records[:1], today)).rstrip("\n")
        return "\n".join([header, "", *self._lines, ""])


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

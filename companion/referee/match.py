"""The truth of one game: position, roll, and everything that led there, as kept records."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from companion.rules import (
    AnyMove,
    BadInput,
    Game,
    Happening,
    Pass,
    Position,
    legal_moves,
    outcome,
    recall_game,
    recall_position,
)

Record = dict[str, Any]
"""One line of the journal: `kind`, and what belongs to it. It is plain data."""


class Past(NamedTuple):
    """What can be taken back: the position and roll before, and the move (None: a ruling)."""

    position: Position
    face: int | None
    move: AnyMove | None


class Match:
    """A game under way. Every method that changes it returns the record to keep."""

    def __init__(self, game: Game, names: Mapping[str, str] | None = None) -> None:
        self.game = game
        self.names = dict(names or {})
        self.position = game.start()
        self.face: int | None = None
        self.past: list[Past] = []
        self.happenings: tuple[Happening, ...] = ()
        self.ended = False
        self.roll_number: int | None = None
        self.undone: AnyMove | None = None
        """The move taken back last, if nothing was played since."""

    @property
    def legal(self) -> tuple[AnyMove, ...]:
        """The legal moves with the roll that lies; none before the roll."""
        return () if self.face is None else tuple(legal_moves(self.position, self.face))

    @property
    def over(self) -> bool:
        return self.ended or self.position.over

    @property
    def last_mover(self) -> str | None:
        """The colour whose move would be taken back; None if there is none."""
        moved = (past for past in reversed(self.past) if not _idle(past))
        return next((past.position.colour for past in moved), None)

    @property
    def untouched(self) -> bool:
        """Whether nobody has rolled yet."""
        return not self.past and self.face is None and not self.over

    @property
    def penalty(self) -> Happening | None:
        """What the last move cost its player; with the next roll that is paid."""
        told = self.happenings if self.face is None else ()
        return next((one for one in told if one.what == "penalty"), None)

    def started(self) -> Record:
        return {"kind": "start", "game": str(self.game), "names": self.names}

    def roll(self, face: int, number: int | None = None) -> Record:
        """A roll lies on the table."""
        self.face = self.game.face(face)
        self.roll_number = number
        return {"kind": "roll", "face": face, "number": number}

    def play(self, move: AnyMove) -> Record:
        """A legal move is made with the roll that lies."""
        self.past.append(Past(self.position, self.face, move))
        self.position, self.happenings = outcome(self.position, move)
        self.face, self.undone = self.position.due, None
        return {"kind": "move", "move": self.game.move_text(move)}

    def unroll(self) -> Record:
        """The roll that lies was entered wrongly: it is taken away again."""
        self.face = None
        return {"kind": "unroll"}

    def take_back(self) -> Record:
        """The last move or ruling is undone; its roll lies there again."""
        last = self.past.pop()
        self.position, self.face, self.happenings = last.position, last.face, ()
        self.undone = last.move
        return {"kind": "take_back"}

    def rule(self, ruled: Position) -> Record:
        """The players decide that this is how it stands."""
        self.past.append(Past(self.position, self.face, None))
        self.position, self.face, self.happenings = ruled, ruled.due, ()
        return {"kind": "ruling", "position": str(ruled)}

    def end(self) -> Record:
        """The players stop before the game is over."""
        self.ended = True
        return {"kind": "end"}

    @property
    def open_move(self) -> Past | None:
        """The last move or pass, as long as it may still be amended: no roll came after it."""
        last = self.past[-1] if self.past else None
        if last is None or last.move is None or last.position.opening is not None:
            return None
        return None if self.face is not None or self.ended else last

    def amendments(self) -> tuple[AnyMove, ...]:
        """The moves that the open one may still turn into."""
        last = self.open_move
        if last is None or last.face is None:
            return ()
        moves = legal_moves(last.position, last.face)
        return tuple(m for m in moves if not isinstance(m, Pass) and m != last.move)

    def can_take_back(self) -> bool:
        return any(not _idle(past) for past in self.past)

    def can_undo_roll(self) -> bool:
        """Whether a roll lies, or the last one could not be used and was passed at once."""
        if self.position.due is not None:  # nobody has rolled what is owed
            return False
        return self.face is not None or bool(self.past and _was_forced(self.past[-1]))

    def undo_roll(self) -> list[Record]:
        """Take away the last roll if nothing was done with it."""
        records: list[Record] = []
        if not self.can_undo_roll():
            return records
        if self.face is None:
            records.append(self.take_back())
        if self.face is not None:
            records.append(self.unroll())
        return records

    def undo_move(self) -> list[Record]:
        """Undo the last move that moved something, and the passes after it."""
        records = []
        while self.past and _idle(self.past[-1]):
            records.append(self.take_back())
        if self.past:
            records.append(self.take_back())
        return records

    @classmethod
    def replay(cls, records: Iterable[Record]) -> "Match | None":
        """The match that these records tell of; None if they tell of none under way."""
        match: Match | None = None
        for record in records:
            try:
                if record["kind"] == "start":
                    match = cls(recall_game(record["game"]), record.get("names"))
                elif match is not None:
                    match.redo(record)
            except (KeyError, TypeError, ValueError, AttributeError) as fault:
                why = fault if isinstance(fault, BadInput) else repr(fault)
                raise BadInput(f"the record {record!r} cannot be followed: {why}") from None
        return match

    def redo(self, record: Record) -> None:
        """Follow one record of a game under way."""
        kind = record["kind"]
        if kind == "roll":
            self.roll(record["face"], record.get("number"))
        elif kind == "move":
            move = self.game.move(record["move"])
            if self.face is None:
                self.face = move.face
            if move not in self.legal:
                raise BadInput(f"the record's move {record['move']!r} is not legal there")
            self.play(move)
        elif kind == "unroll":
            self.unroll()
        elif kind == "take_back" and self.past:
            self.take_back()
        elif kind == "ruling":
            self.rule(recall_position(record["position"]))
        elif kind == "end":
            self.end()


def _idle(past: Past) -> bool:
    return isinstance(past.move, Pass)


def _was_forced(past: Past) -> bool:
    """Whether a roll had to be passed; rolls for the start are, too."""
    if not _idle(past) or past.face is None:
        return False
    return len(legal_moves(past.position, past.face)) == 1

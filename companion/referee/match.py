"""The truth of one game: its history so far, and what may still become of it."""

from collections.abc import Iterable

from companion.events import RecordData
from companion.rules import AnyMove, Happening, Pass, Position, legal_moves
from companion.rules.history import (
    Deed,
    End,
    Entry,
    History,
    Roll,
    Ruling,
    Seat,
    TakeBack,
    Unroll,
    kept,
    replay,
    started,
)


class Match(History):
    """A game under way. Every method that changes it returns the record to keep."""

    _asked: tuple[Position, int] | None = None
    _allowed: tuple[AnyMove, ...] = ()

    @property
    def legal(self) -> tuple[AnyMove, ...]:
        """The legal moves with the roll that lies; none before the roll."""
        return () if self.face is None else self._legal_with(self.position, self.face)

    def _legal_with(self, position: Position, face: int) -> tuple[AnyMove, ...]:
        """The legal moves there; the same are asked for again and again."""
        asked = self._asked
        if asked is None or asked[0] is not position or asked[1] != face:
            self._asked = position, face
            self._allowed = tuple(legal_moves(position, face))
        return self._allowed

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

    def started(self) -> RecordData:
        return started(self.game, self.names)

    def _keep(self, entry: Entry) -> RecordData:
        self.follow(entry)
        return kept(self.game, entry)

    def roll(self, face: int, number: int | None = None, source: str = "unknown") -> RecordData:
        """A roll lies on the table."""
        return self._keep(Roll(face, number, source))

    def play(self, move: AnyMove) -> RecordData:
        """A legal move is made with the roll that lies."""
        return self._keep(move)

    def unroll(self) -> RecordData:
        """The roll that lies was entered wrongly: it is taken away again."""
        return self._keep(Unroll())

    def take_back(self) -> RecordData:
        """The last move or ruling is undone; its roll lies there again."""
        return self._keep(TakeBack())

    def rule(self, ruled: Position) -> RecordData:
        """The players decide that this is how it stands."""
        return self._keep(Ruling(ruled))

    def end(self) -> RecordData:
        """The players stop before the game is over."""
        return self._keep(End())

    def seat(self, colour: str, level: str | None) -> RecordData:
        """A player of the box takes a seat, or a person takes it back."""
        return self._keep(Seat(colour, level))

    @property
    def level(self) -> str | None:
        """How well the box plays whose turn it is; None if a person plays, or nobody does."""
        return None if self.over else self.level_at(self.position.seat)

    @property
    def open_move(self) -> Deed | None:
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
        moves = self._legal_with(last.position, last.face)
        return tuple(m for m in moves if not isinstance(m, Pass) and m != last.move)

    def can_take_back(self) -> bool:
        return any(not _idle(past) for past in self.past)

    def can_undo_roll(self) -> bool:
        """Whether a roll lies, or the last one could not be used and was passed at once."""
        if self.position.due is not None:  # nobody has rolled what is owed
            return False
        return self.face is not None or bool(self.past and _was_forced(self.past[-1]))

    @property
    def last_roller(self) -> str | None:
        """The colour whose roll `undo_roll` would take away."""
        before = self.past[-1].position if self.face is None and self.past else self.position
        return before.colour

    def undo_roll(self) -> list[RecordData]:
        """Take away the last roll if nothing was done with it."""
        records: list[RecordData] = []
        if not self.can_undo_roll():
            return records
        if self.face is None:
            records.append(self.take_back())
        if self.face is not None:
            records.append(self.unroll())
        return records

    def undo_move(self) -> list[RecordData]:
        """Undo the last move that moved something, and the passes after it."""
        records = []
        while self.past and _idle(self.past[-1]):
            records.append(self.take_back())
        if self.past:
            records.append(self.take_back())
        return records

    @classmethod
    def replay(cls, records: Iterable[RecordData]) -> "Match | None":
        """The match that these records tell of; None if they tell of none under way."""
        match = replay(records, lambda start: cls(start.game, start.names))
        assert match is None or isinstance(match, cls)
        return match


def _idle(past: Deed) -> bool:
    return isinstance(past.move, Pass)


def _was_forced(past: Deed) -> bool:
    """Whether a roll had to be passed; rolls for the start are, too."""
    if not _idle(past) or past.face is None:
        return False
    return len(legal_moves(past.position, past.face)) == 1

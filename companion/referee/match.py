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
        return self.past[self._undone_from].position.colour if self.can_take_back() else None

    @property
    def takes_back_both(self) -> bool:
        """Whether a move of the box would be taken back with a person's."""
        return self.can_take_back() and self._undone_from < self._last_moved

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

    def undo_move(self, *, alone: bool = False) -> list[RecordData]:
        """Undo the last move that moved something, and the passes after it.

        Unless it `alone` is meant, what the box has answered goes with the move of a person.
        """
        start = self._last_moved if alone else self._undone_from
        return [self.take_back() for _ in self.past[max(start, 0) :]]

    @property
    def _undone_from(self) -> int:
        """Where the move stands that is taken back: a person's, if only the box has moved since.

        A person's turn in which nothing moved is not gone back beyond.
        """
        if all(self.level_at(seat) is not None for seat in self.game.seats):
            return self._last_moved
        at = len(self.past) - 1
        while at >= 0 and self._is_boxed(self.past[at]):
            at -= 1
        while at >= 0 and _idle(self.past[at]) and not self._is_boxed(self.past[at]):
            at -= 1
        return self._last_moved if at < 0 or self._is_boxed(self.past[at]) else at

    @property
    def _last_moved(self) -> int:
        """Where the last move stands that moved something; -1 if there is none."""
        moved = (at for at in range(len(self.past) - 1, -1, -1) if not _idle(self.past[at]))
        return next(moved, -1)

    def _is_boxed(self, past: Deed) -> bool:
        """Whether a player of the box moved, at a seat that the box has still."""
        return past.move is not None and self.level_at(past.position.seat) is not None

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

"""A position as a value: where the pieces are, whose turn it is, and what is left of the turn."""

from dataclasses import FrozenInstanceError, dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.rules.game import Game

NOBODY = -1
"""The seat whose turn it is when the game is over."""

Opening = tuple[tuple[int, int], ...]
"""The rolls for the start: (seat, face) in order, face 0 for who has yet to roll."""


@dataclass(slots=True, unsafe_hash=True, repr=False, init=False)
class Position:
    """Everything the rules need to go on; comparable, hashable, and `str` parses back.

    `pieces` holds, by seat, the sorted progress of each piece (in the card game the heights
    of the four new stacks); `rolls` are those left in this turn, `sixes` those thrown in a
    row; `home` are the seats that are done, in their order. `owed` are the bonus squares still
    to be played before anybody rolls, and `moved` is where the piece stands that moved last in
    this turn, if the sheet asks for it (see `owing.py`).

    A position never changes. As the engine makes one at every roll, and a frozen dataclass is
    six times slower to make, it is made open and closed by its last line.
    """

    game: "Game"
    pieces: tuple[tuple[int, ...], ...]
    seat: int
    rolls: int = 1
    sixes: int = 0
    home: tuple[int, ...] = ()
    opening: Opening | None = None
    owed: tuple[int, ...] = ()
    moved: int = NOBODY

    def __init__(
        self,
        game: "Game",
        pieces: tuple[tuple[int, ...], ...],
        seat: int,
        rolls: int = 1,
        sixes: int = 0,
        home: tuple[int, ...] = (),
        opening: Opening | None = None,
        owed: tuple[int, ...] = (),
        moved: int = NOBODY,
    ) -> None:
        self.game = game
        self.pieces = pieces
        self.seat = seat
        self.rolls = rolls
        self.sixes = sixes
        self.home = home
        self.opening = opening
        self.owed = owed
        self.moved = moved
        self.__class__ = _Closed

    @property
    def over(self) -> bool:
        return self.seat == NOBODY

    @property
    def due(self) -> int | None:
        """The bonus that has to be played now, instead of a roll; None if none is."""
        return self.owed[0] if self.owed else None

    @property
    def ranking(self) -> tuple[str, ...]:
        """The players who have won their rank, best first, by colour. See `Game.ranking`."""
        return tuple(self.game.colours[seat] for seat in self.game.ranking(self))

    @property
    def winner(self) -> str | None:
        """The colour of the player who has won; None while nobody has."""
        return self.ranking[0] if self.ranking else None

    @property
    def colour(self) -> str | None:
        """The colour whose turn it is; None when the game is over."""
        return None if self.over else self.game.colours[self.seat]

    def __str__(self) -> str:
        return self.game.position_text(self)

    def __repr__(self) -> str:
        return f"position({str(self)!r})"


class _Closed(Position):
    """What every position is once it is made."""

    __slots__ = ()

    def __new__(cls, *args: Any, **named: Any) -> "_Closed":
        made = Position(*args, **named)
        assert isinstance(made, _Closed)
        return made

    def __init__(self, *args: Any, **named: Any) -> None:
        """It is made already."""

    def __setattr__(self, name: str, value: Any) -> None:
        raise FrozenInstanceError(f"a position never changes: make another, with another {name}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"a position never changes: {name} stays")

    def __copy__(self) -> "_Closed":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "_Closed":
        return self

    def __reduce__(self) -> tuple[type[Position], tuple[Any, ...]]:
        return Position, tuple(getattr(self, field.name) for field in fields(Position))


_Closed.__name__ = _Closed.__qualname__ = "Position"

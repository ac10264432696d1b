"""A position as a value: where the pieces are, whose turn it is, and what is left of the turn."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.rules.game import Game

NOBODY = -1
"""The seat whose turn it is when the game is over."""

Opening = tuple[tuple[int, int], ...]
"""The rolls for the start: (seat, face) in order, face 0 for who has yet to roll."""


@dataclass(slots=True, unsafe_hash=True, repr=False)
class Position:
    """Everything the rules need to go on; comparable, hashable, and `str` parses back.

    `pieces` holds, by seat, the sorted progress of each piece (in the card game the heights
    of the four new stacks); `rolls` are those left in this turn, `sixes` those thrown in a
    row; `home` are the seats that are done, in their order.
    """

    game: "Game"
    pieces: tuple[tuple[int, ...], ...]
    seat: int
    rolls: int = 1
    sixes: int = 0
    home: tuple[int, ...] = ()
    opening: Opening | None = None

    @property
    def over(self) -> bool:
        return self.seat == NOBODY

    @property
    def places(self) -> tuple[int, ...]:
        """The seats of the players who have their place, best first. See `Game.places`."""
        return self.game.places(self)

    @property
    def winner(self) -> str | None:
        """The colour of the player who has won; None while nobody has."""
        places = self.places
        return self.game.colours[places[0]] if places else None

    @property
    def colour(self) -> str | None:
        """The colour whose turn it is; None when the game is over."""
        return None if self.over else self.game.colours[self.seat]

    def __str__(self) -> str:
        return self.game.position_text(self)

    def __repr__(self) -> str:
        return f"position({str(self)!r})"

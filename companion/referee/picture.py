"""A picture of the pieces on the table: for every colour, where its pieces are.

Cards are pieces here, too: each stands on its stack, or in the air.
"""

from collections.abc import Iterable
from typing import NamedTuple

from companion.rules import Game, Happening, Move, Position, outcome
from companion.rules.boards import BASE

AIR = ""
"""Where a piece is that stands nowhere: in a hand, on the floor, or unseen on top of another."""


class Picture(NamedTuple):
    """Where the pieces are, by seat; pieces of one colour are as good as each other."""

    pieces: tuple[tuple[str, ...], ...]

    def at(self, spot: str) -> list[int]:
        """The seats whose pieces stand on a spot, one entry a piece."""
        return [seat for seat, own in enumerate(self.pieces) for where in own if where == spot]

    def moved(self, seat: int, origin: str, target: str, number: int = 1) -> "Picture":
        """The picture after a hand has moved pieces of a colour, as many as are there."""
        own = list(self.pieces[seat])
        for _ in range(min(number, own.count(origin))):
            own[own.index(origin)] = target
        pieces = list(self.pieces)
        pieces[seat] = tuple(sorted(own))
        return Picture(tuple(pieces))

    def joined(self, seat: int, spot: str) -> "Picture":
        """The picture with one piece more: a card that nobody knew of."""
        pieces = list(self.pieces)
        pieces[seat] = tuple(sorted((*pieces[seat], spot)))
        return Picture(tuple(pieces))


def picture_of(position: Position) -> Picture:
    """The pieces as a position has them."""
    game = position.game
    return Picture(
        tuple(
            tuple(sorted(game.lying(seat, pieces))) for seat, pieces in enumerate(position.pieces)
        )
    )


def sent_home(game: Game, told: Iterable[Happening]) -> dict[tuple[str, str], int]:
    """The ways to their base of pieces that a move has sent there, with their seats."""
    return {
        (one.places[0], game.spot(one.seat, BASE)): one.seat
        for one in told
        if one.what in ("captured", "sent_back", "penalty")
    }


def just_made(position: Position, move: Move) -> Picture:
    """The pieces when a move is just made: captured ones are not home, a penalty is not paid."""
    there, told = outcome(position, move)
    picture, game = picture_of(there), position.game
    for one in told:
        if one.what in ("captured", "sent_back", "penalty"):
            here = one.places[0] if one.what == "penalty" else AIR
            picture = picture.moved(one.seat, game.spot(one.seat, BASE), here)
    return picture

"""Where pieces stand on a table that nobody watches: as the game has them, but for open steps.

Colours are known here, as they are to the people at the table.
"""

from collections import Counter
from collections.abc import Iterable

from companion.referee.outlines import Step
from companion.rules import AnyMove, Board, Happening, Move, Position, outcome
from companion.rules.boardgame import BoardGame
from companion.rules.boards import BASE, letter

Standing = tuple[Counter[str], ...]
"""For each seat, how many of its pieces stand on which spot."""


def standing(position: Position, still_to_do: Iterable[Step] = ()) -> Standing:
    """How the pieces of a position stand while these steps are still to be done."""
    board = position.game.board
    assert isinstance(board, Board)
    stands = tuple(
        Counter(board.spot(seat, piece) for piece in pieces)
        for seat, pieces in enumerate(position.pieces)
    )
    for origin, target in still_to_do:
        if origin is not None and target is not None:
            owners = [seat for seat, own in enumerate(stands) if own[target] > 0]
            likely = sorted(owners, key=lambda seat: _strange(position, seat, origin, target))
            for seat in likely[:1]:
                shift(stands, seat, target, origin)
    return stands


def shift(stands: Standing, seat: int, origin: str, target: str, number: int = 1) -> None:
    """A hand moves pieces of a colour, as many as are there."""
    moved = min(number, stands[seat][origin])
    stands[seat][origin] -= moved
    stands[seat][target] += moved


def ways(stands: Standing, position: Position, likely: tuple[Step, ...] = ()) -> tuple[Step, ...]:
    """What hands have to do until the pieces stand as in this position; likely steps first."""
    found: list[Step] = []
    for has, wants in zip(stands, standing(position), strict=True):
        origins, targets = has - wants, wants - has
        for step in likely:
            origin, target = step
            if origin is not None and target is not None and origins[origin] and targets[target]:
                origins[origin] -= 1
                targets[target] -= 1
                found.append(step)
        rest = zip(origins.elements(), targets.elements(), strict=True)
        found += (Step(origin, target) for origin, target in rest)
    return tuple(found)


def sent_home(game: BoardGame, told: Iterable[Happening]) -> dict[tuple[str, str], int]:
    """The ways to their base of pieces that a move has sent there, with their seats."""
    return {
        (one.places[0], game.spot(one.seat, BASE)): one.seat
        for one in told
        if one.what in ("captured", "sent_back", "penalty")
    }


def undoing(before: Position, move: AnyMove | None) -> tuple[Step, ...]:
    """How the pieces that a move has moved from a position go back to it."""
    if not isinstance(move, Move) or not isinstance(before.game, BoardGame):
        return ()
    began, ended = before.game.stops(move)
    home = sent_home(before.game, outcome(before, move).happenings)
    return (Step(ended, began), *(Step(base, place) for place, base in home))


def _strange(position: Position, seat: int, *spots: str) -> tuple[bool, bool]:
    """How little a step suits a colour: its own base or finish says most, then whose turn it is."""
    own = f"{letter(position.game.colours[seat])}."
    return not any(spot.startswith(own) for spot in spots), seat != position.seat

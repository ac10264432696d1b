"""Clause functions that several sheets share. They return evidence, never text.

Each sees only what it needs: a piece and a roll, the own pieces, or the whole table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.rules.articles import Count, EarnsRoll, Objections, Pieces, Told
from companion.rules.boards import BASE
from companion.rules.moves import Move
from companion.rules.verdicts import Evidence, Happening

if TYPE_CHECKING:
    from companion.rules.boardgame import BoardGame
    from companion.rules.positions import Position


# -- counting ------------------------------------------------------------------------------


def exact_count(game: "BoardGame", move: Move) -> Evidence | None:
    """A piece on its way goes as many squares as the roll says."""
    counted = move.target - move.origin
    if move.origin == BASE or counted == move.face or move.origin + move.face > game.last:
        return None
    if move.target < move.origin:
        return None
    return Evidence("wrong_count", game.stops(move), counted)


def forward_only(game: "BoardGame", move: Move) -> Evidence | None:
    """Pieces never go back, nor off the board into their base."""
    if move.target < move.origin:
        return Evidence("backwards", game.stops(move))
    return None


def fits_before_the_end(game: "BoardGame", move: Move) -> Evidence | None:
    """A roll larger than what is left of the way cannot be used by that piece."""
    left = game.last - move.origin
    if move.origin != BASE and move.face > left and move.target >= move.origin:
        return Evidence("past_the_end", (game.spot(move.seat, move.origin),), left)
    return None


@dataclass(frozen=True)
class Enters:
    """A piece leaves its base only with one of these faces, and comes to stand on `landing`.

    Some faces may bring it elsewhere (`others`).
    """

    faces: frozenset[int]
    landing: int
    others: tuple[tuple[int, int], ...] = ()

    def __call__(self, game: "BoardGame", move: Move) -> Evidence | None:
        if move.origin != BASE:
            return None
        if move.face not in self.faces:
            return Evidence("needs_entry_roll", game.stops(move))
        landing = dict(self.others).get(move.face, self.landing)
        if move.target != landing:
            return Evidence("enters_elsewhere", (game.spot(move.seat, landing),))
        return None


def enters(faces: frozenset[int], landing: int) -> Count:
    """The clause that says with which faces a piece comes in, and where."""
    return Enters(faces, landing)


# -- forbidding ----------------------------------------------------------------------------


# These are asked at every roll, and mostly have nothing to say: loops, not comprehensions.


def own_piece_there(game: "BoardGame", position: "Position", moves: Sequence[Move]) -> Objections:
    """One square, one piece: an own piece may not be landed on."""
    own = position.pieces[moves[0].seat]
    found: Objections = ()
    for move in moves:
        if move.target in own and move.origin != move.target != BASE:
            evidence = Evidence("own_piece", (game.spot(move.seat, move.target),))
            found = (*found, (move, evidence))
    return found


def rival_block(game: "BoardGame", position: "Position", moves: Sequence[Move]) -> Objections:
    """Nobody lands on or passes two pieces of another colour, of which each has four."""
    pieces, blocked = position.pieces, 0
    for rival, blocks in game.rival_blocks[moves[0].seat]:
        a, b, c, d = theirs = pieces[rival]  # in order, so that two on a square are neighbours
        if c == d or b == c != BASE or a == b != BASE:
            blocked |= blocks[theirs]
    return in_the_way(game, blocked, moves) if blocked else ()


def in_the_way(game: "BoardGame", blocked: int, moves: Sequence[Move]) -> Objections:
    """The moves that land on or pass one of these squares, given as bits."""
    upto = game.upto[moves[0].seat]
    found: Objections = ()
    for move in moves:
        hit = blocked & ~upto[move.origin] & upto[move.target]
        if hit or move.target < move.origin:
            hit = blocked & game.path(move)
            if hit:
                found = (*found, (move, Evidence("block", game.square_names(hit))))
    return found


# -- afterwards ----------------------------------------------------------------------------


def send_to_base(pieces: list[Pieces], seat: int, progress: int) -> None:
    """Put one piece of a colour back into its base."""
    moved = list(pieces[seat])
    moved.remove(progress)
    pieces[seat] = (BASE, *moved)


def must_always(game: Any, position: "Position", moves: Sequence[Any]) -> bool:
    """Whatever can be done has to be done."""
    return True


def capture(
    game: "BoardGame", position: "Position", move: Move, pieces: list[Pieces]
) -> Sequence[Told]:
    """A piece that is landed on goes back to its base."""
    told: Sequence[Told] = ()
    for rival, at in game.rivals[move.seat][move.target]:
        if at in pieces[rival]:
            send_to_base(pieces, rival, at)
            told = (*told, ("captured", rival, at))
    return told


# -- what a roll owes ----------------------------------------------------------------------


def captured_something(
    game: "BoardGame", position: "Position", move: Move, told: Sequence[Happening]
) -> bool:
    """Whether a move captured a piece."""
    return any(one.what == "captured" for one in told)


def got_home(
    game: "BoardGame", position: "Position", move: Move, told: Sequence[Happening]
) -> bool:
    """Whether a move brought a piece home, or into the finish where that is the end of the way."""
    return move.origin < game.arrived <= move.target


@dataclass(frozen=True)
class SquaresFor:
    """So many squares for something that happened."""

    earned: EarnsRoll
    squares: int

    def __call__(
        self, game: Any, position: "Position", move: Move, told: Sequence[Happening]
    ) -> int:
        return self.squares if self.earned(game, position, move, told) else 0


def nobody_waits(own: Pieces) -> bool:
    """Whether none of a colour's pieces is in its base."""
    return own[0] != BASE


# -- full squares and barriers ----------------------------------------------------------------


def any_barrier(game: "BoardGame", position: "Position", moves: Sequence[Move]) -> Objections:
    """Nobody, the owner included, lands on or passes two pieces of one colour."""
    blocked = 0
    for seat in game.in_play:
        blocked |= game.blocks[seat][position.pieces[seat]]
    return in_the_way(game, blocked, moves) if blocked else ()


def others_barrier(game: "BoardGame", position: "Position", moves: Sequence[Move]) -> Objections:
    """Nobody lands on or passes two pieces of another colour."""
    blocked = 0
    for rival, blocks in game.rival_blocks[moves[0].seat]:
        blocked |= blocks[position.pieces[rival]]
    return in_the_way(game, blocked, moves) if blocked else ()

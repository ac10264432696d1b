"""Rules of Ludo with pairs, blockades and the rule of six.

Source: seed sheet 004_dd15bd4d86b18005. The articles follow its order.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.rules.articles import Article, Objections, Sheet
from companion.rules.boardgame import BoardGame, Numbers
from companion.rules.boards import BASE, BOARD_52
from companion.rules.clauses import (
    capture,
    enters,
    exact_count,
    fits_before_the_end,
    forward_only,
    must_always,
    rival_block,
)
from companion.rules.dice import ORDINARY
from companion.rules.moves import Move
from companion.rules.order import order_articles
from companion.rules.verdicts import Evidence

if TYPE_CHECKING:
    from companion.rules.positions import Position

ENTRY = 0
SAFE = frozenset(BOARD_52.marked("safe"))


def pawn_fits(game: BoardGame, move: Move) -> Evidence | None:
    """P2: a pawn needs as many squares ahead as the roll."""
    return fits_before_the_end(game, move) if move.size == 1 else None


def pawn_count(game: BoardGame, move: Move) -> Evidence | None:
    """O8 for a single pawn."""
    return exact_count(game, move) if move.size == 1 else None


def pair_count(game: BoardGame, move: Move) -> Evidence | None:
    """P3: a Pair goes half of an even roll, and has to have that many squares ahead."""
    if move.size == 1 or move.target < move.origin:
        return None
    if move.origin == BASE or move.origin == game.last:
        return Evidence("no_pair", (game.spot(move.seat, move.origin),))
    if move.face % 2:
        return Evidence("pair_needs_even", game.stops(move))
    half, left, counted = move.face // 2, game.last - move.origin, move.target - move.origin
    if half > left:
        return Evidence("past_the_end", (game.spot(move.seat, move.origin),), left)
    return Evidence("pair_goes_half", game.stops(move), counted) if counted != half else None


# Both clauses below are asked at every roll, so they look for themselves whether a move takes a
# pawn out of a Pair: it goes alone, and two or four stand there. Of three, the third is single.


def _pair_can_go(game: BoardGame, position: "Position", pawn: Move) -> bool:
    """Whether the Pair of this pawn has the half of the roll before it, and no blockade there."""
    target = pawn.origin + pawn.face // 2
    if target > game.last:
        return False
    upto = game.upto[pawn.seat]
    way = upto[target] & ~upto[pawn.origin]
    for rival, blocks in game.rival_blocks[pawn.seat]:
        if blocks[position.pieces[rival]] & way:
            return False
    return True


def pair_moves_whole(game: BoardGame, position: "Position", moves: Sequence[Move]) -> Objections:
    """P9: with a 2 or a 4 with which a Pair can go, it goes whole or not at all."""
    if moves[0].face not in (2, 4):
        return ()
    own = position.pieces[moves[0].seat]
    if len(set(own)) == len(own):  # nobody stands on another, as most of the time
        return ()
    found: Objections = ()
    for move in moves:
        if move.size == 2 or move.origin == BASE or own.count(move.origin) % 2:
            continue
        if _pair_can_go(game, position, move):
            found = (*found, (move, Evidence("pair_moves_whole", game.stops(move))))
    return found


def may_keep_the_pairs(game: BoardGame, position: "Position", moves: Sequence[Move]) -> bool:
    """P11: with pawns in base, a player need not split."""
    own = position.pieces[position.seat]
    if own[0] != BASE or moves[0].origin == BASE:
        return False
    for move in moves:
        if move.size == 2 or move.origin == BASE or own.count(move.origin) % 2:
            return False
    return True


def only_splits_are_left(game: BoardGame, position: "Position", moves: Sequence[Move]) -> bool:
    """P10: with the base empty, a split that is the only way has to be made."""
    own = position.pieces[position.seat]
    return own[0] != BASE and all(
        move.size == 1 and own.count(move.origin) % 2 == 0 for move in moves
    )


def build(sheet: Sheet, options: Mapping[str, Any], colours: tuple[str, ...]) -> BoardGame:
    """The game for these colours."""
    numbers = Numbers(
        start_clause="P1",
        again_clause="P5",
        last_clause="P5",
        place_clause="P16",
        most_sixes=3,
        sixes_clause="P6",
        sizes=(1, 2),
        shared_squares=SAFE,  # P14: the engine's tables know no rivals to capture there
    )
    return BoardGame(sheet, options, colours, numbers)


SHEET = Sheet(
    id="pairs",
    title="Ludo with Pairs",
    source="Rules of Ludo by Luke Yoo",
    about="Two pawns on a square are a Pair: it bars the way, and goes half of an even roll.",
    board=BOARD_52,
    marks=("safe",),
    die=ORDINARY,
    build=build,
    articles=(
        Article(
            "P1",
            "Each player has four pawns in base.",
            "The board has 52 squares, play goes clockwise, and the highest roll begins; those "
            "who tie roll again.",
            counts=(forward_only,),
        ),
        Article(
            "P2",
            "A pawn cannot go if the roll is more than the squares left to its destination.",
            counts=(pawn_fits,),
        ),
        Article(
            "P3",
            "A Pair goes half of an even roll. It cannot go with an odd roll, or if that half is "
            "more than the squares left.",
            counts=(pair_count,),
        ),
        Article(
            "P4",
            "Nobody lands on or passes a blockade of another colour, neither a pawn nor a Pair.",
            forbids=(rival_block,),
        ),
        Article(
            "P5",
            "With the first, second and third six of a turn you bring in a pawn, or take a pawn "
            "six forward (a pawn of a Pair too), or a Pair three forward; and you roll again. If "
            "nothing of this can be done, you just roll again.",
            "But not after your last pawn has reached the destination.",
        ),
        Article("P6", "The fourth six in a row ends your turn at once, without a move."),
        Article(
            "P7",
            "Only a six brings in a pawn, onto your Entry.",
            "A blockade of another colour on the Entry bars it; if nothing else can be done then, "
            "the six still gives another roll.",
            counts=(enters(frozenset({6}), ENTRY),),
        ),
        Article(
            "P8",
            "Two of your pawns on one square are a Pair: a blockade to the others, never to you.",
            "More of your pawns may join: of three, two count as the Pair and the third is single; "
            "four are two Pairs.",
        ),
        Article(
            "P9",
            "Splitting: one pawn of a Pair may go alone with an odd roll or a six. With a 2 or a 4 "
            "the Pair goes whole or not at all.",
            "What stops half a roll stops all of it, so no other split can come up. Of three "
            "pawns on a square the single one may use any roll, and that is no split.",
            forbids=(pair_moves_whole,),
        ),
        Article(
            "P10",
            "With your base empty and no other way to use the roll, you have to split.",
            must_move=only_splits_are_left,
        ),
        Article(
            "P11",
            "You need not split while pawns wait in your base: you may split or pass.",
            "In every other case in which something can be done, it has to be done.",
            may_pass=may_keep_the_pairs,
            must_move=must_always,
        ),
        Article("P12", "If nothing can go and nothing can come in, your turn ends."),
        Article(
            "P13",
            "Landing on a single pawn of another colour sends it back to its base, unless the "
            "square is safe. A Pair captures too.",
            "It goes to its base, not to its Entry.",
            captures=(capture,),
        ),
        Article(
            "P14",
            "On safe squares nobody is captured: pawns of different colours stand side by side.",
            "Safe are every colour's Entry and the square eight further on, eight in all. Single "
            "pawns side by side are no blockade. A Pair on a safe square bars it to all other "
            "colours, even where a fellow pawn stands. A blockade on the square a pawn leaves "
            "does not stop it.",
        ),
        Article(
            "P15",
            "A pawn reaches the destination by the exact count, a Pair by the exact half, and "
            "stays there.",
        ),
        Article(
            "P16",
            "Whoever first has all four pawns at the destination wins.",
            "The sheet names no winner. The others may play on for the places, until all but one "
            "are placed.",
        ),
        *order_articles(pawn_count),
    ),
)

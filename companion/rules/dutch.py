"""The Dutch sheet: a die with a globe and a star, or a plain one.

Source: seed sheet 003_eb3f1a27881acaad (in Dutch). The articles follow its order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.rules.articles import Article, Option, Pieces, Sheet, Told
from companion.rules.boardgame import BoardGame, Numbers
from companion.rules.boards import BASE, BOARD_52_MIRRORED
from companion.rules.clauses import (
    capture,
    enters,
    exact_count,
    fits_before_the_end,
    forward_only,
    must_always,
    send_to_base,
)
from companion.rules.dice import GLOBE_STAR, ORDINARY
from companion.rules.moves import Move
from companion.rules.order import order_articles
from companion.rules.verdicts import Evidence

if TYPE_CHECKING:
    from companion.rules.positions import Position

STAR, GLOBE = 3, 5
START = 0
BOARD = BOARD_52_MIRRORED
LAST_STAR = BOARD.track_end
GLOBES = tuple(g for g in BOARD.marked("globe") if g <= LAST_STAR)
STARS = BOARD.marked("star")


def _next(squares: tuple[int, ...], origin: int) -> int | None:
    return next((square for square in squares if square > origin), None)


def to_the_next_globe(game: BoardGame, move: Move) -> Evidence | None:
    """D6: a globe takes a piece on the track to the next globe square on its way."""
    if move.face != GLOBE or not START <= move.origin < LAST_STAR:
        return None
    globe = _next(GLOBES, move.origin)
    if globe is None:
        return Evidence("no_globe_ahead", (game.spot(move.seat, move.origin),))
    if move.target != globe:
        return Evidence("not_the_next_globe", (game.spot(move.seat, globe),))
    return None


def to_the_next_star(game: BoardGame, move: Move) -> Evidence | None:
    """D7: a star takes a piece to the next star square, if no globe comes first."""
    if move.face != STAR or move.origin == BASE:
        return None
    star, globe = _next(STARS, move.origin), _next(GLOBES, move.origin)
    if star is None:
        return Evidence("no_star_ahead", (game.spot(move.seat, move.origin),))
    if globe is not None and globe < star:
        return Evidence("globe_in_the_way", (game.spot(move.seat, globe),))
    if move.target != star:
        return Evidence("not_the_next_star", (game.spot(move.seat, star),))
    return None


def number_count(game: BoardGame, move: Move) -> Evidence | None:
    """O8 on this die: only the numbers are counted, and the squares of a bonus."""
    shown = game.die.show(move.face).removeprefix("+")
    return exact_count(game, move) if shown.isdecimal() else None


def home_from_the_star(game: BoardGame, move: Move) -> Evidence | None:
    """D11: the last star is reached exactly, and left for home with a globe."""
    spot = (game.spot(move.seat, LAST_STAR),)
    if move.origin == game.last:
        return Evidence("past_the_end", (game.spot(move.seat, move.origin),), 0)
    if move.origin == LAST_STAR:
        if move.face != GLOBE:
            return Evidence("waits_for_a_globe", spot)
        return None if move.target == game.last else Evidence("goes_home", spot)
    counts = move.origin != BASE and move.face not in (STAR, GLOBE)
    if move.target > LAST_STAR or (counts and move.origin + move.face > LAST_STAR):
        return Evidence("past_the_last_star", spot, LAST_STAR - move.origin)
    return None


def capture_or_return(
    game: BoardGame, position: "Position", move: Move, pieces: list[Pieces]
) -> Sequence[Told]:
    """D9: one piece there is captured; two or more send the newcomer back."""
    for rival, at in game.rivals[move.seat][move.target]:
        if pieces[rival].count(at) > 1:
            send_to_base(pieces, move.seat, move.target)
            return [("sent_back", move.seat, move.target)]
    return capture(game, position, move, pieces)


def build(sheet: Sheet, options: Mapping[str, Any], colours: tuple[str, ...]) -> BoardGame:
    """The game for these options and colours."""
    plain = options["plain_die"]
    numbers = Numbers(
        start_clause="D3",
        again_clause="D14" if plain else "D5",
        last_clause="D14" if plain else "D5",
        place_clause="D15",
        pieces=options["pieces"],
        again=frozenset({6 if plain else GLOBE}),
        unused_spots=frozenset() if plain else frozenset(range(LAST_STAR + 1, BOARD.last)),
    )
    if plain:
        sheet = replace(sheet, die=ORDINARY, marks=())
    return BoardGame(sheet, options, colours, numbers)


SHEET = Sheet(
    id="dutch",
    title="Dutch Ludo",
    source="a Dutch sheet with a globe-and-star die",
    about="Globes bring pieces in and carry them from globe to globe, stars from star to star.",
    board=BOARD,
    die=GLOBE_STAR,
    build=build,
    marks=("globe", "star"),
    options=(Option("plain_die"), Option("pieces", 4, (1, 2, 3, 4))),
    articles=(
        Article(
            "D1",
            "Two to four players have four pieces each, or fewer for a shorter game. All start "
            "on the corner circles.",
            "The option pieces takes 1 to 4.",
        ),
        Article(
            "D2",
            "The special die shows 1, 2, a star, 4, a globe and 6.",
            "The star stands where a plain die has its 3, the globe where it has its 5.",
        ),
        Article(
            "D3",
            "Play goes anticlockwise, both the turns and the pieces.",
            "This is how we read the sheet's word for it, linksom. The highest throw begins, and "
            "those who tie throw again; a star ranks above the numbers, and a globe above the "
            "star.",
            counts=(forward_only,),
        ),
        Article(
            "D4",
            "Only a globe brings a piece in, onto its start square, the first globe square.",
            counts=(enters(frozenset({GLOBE}), START),),
        ),
        Article(
            "D5",
            "A globe gives an extra throw.",
            "A six does not. The extra throw comes whether or not the globe could be used, but "
            "not after your last piece has got home.",
        ),
        Article(
            "D6",
            "A globe brings in a piece, or takes a piece on the track to the next globe square. "
            "It may pass stars.",
            "Behind the last globe on the way there is no next one.",
            counts=(to_the_next_globe,),
        ),
        Article(
            "D7",
            "A star takes a piece to the next star square, but never past a globe square.",
            "If the next globe comes before the next star, that piece cannot use the star. Printed "
            "boards differ on the first star of a quarter; ours is five squares past the start.",
            counts=(to_the_next_star,),
        ),
        Article("D8", "A number takes a piece that many squares further."),
        Article(
            "D9",
            "Landing on one piece of another player sends it back to its circles. Landing on two "
            "or more of another player sends your own piece back instead.",
            "Coming in where two or more stand sends the newcomer straight back: nothing changes "
            "on the board, and OK confirms it.",
            captures=(capture_or_return,),
        ),
        Article("D10", "Your own pieces may share a square.", "It follows from D9."),
        Article(
            "D11",
            "To get home a piece has to stand exactly on the star square before its home column, "
            "and goes home from there with a globe.",
            "A number that would take it past that star cannot be used by it.",
            counts=(home_from_the_star,),
        ),
        Article(
            "D12",
            "Without a globe a piece on the last star waits, and the turn is lost.",
            "It is lost only when no other piece can use the throw.",
        ),
        Article(
            "D13", "You have to move if you can, even when it hurts you.", must_move=must_always
        ),
        Article(
            "D14",
            "With a plain die the rules of globe and star fall away: a six brings a piece in and "
            "gives another throw, the home column is walked, and home takes the exact throw.",
            "The other throw comes whether or not the six could be used, but not after your last "
            "piece has got home.",
            option="plain_die",
            replaces=("D4", "D6", "D7", "D11"),
            counts=(enters(frozenset({6}), START), fits_before_the_end),
        ),
        Article(
            "D15",
            "Whoever first has all pieces home wins.",
            "The others may play on for the places, until all but one are placed.",
        ),
        *order_articles(number_count),
    ),
)

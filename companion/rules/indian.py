"""The modern Indian game: safe squares, and another roll for a capture and for getting home.

Not from one printed sheet: several public descriptions agree on most of it, and where they do not
our reading says what we chose.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.rules.articles import Article, Objections, Sheet
from companion.rules.boardgame import BoardGame, Numbers
from companion.rules.boards import BOARD_52
from companion.rules.clauses import (
    capture,
    captured_something,
    enters,
    exact_count,
    fits_before_the_end,
    forward_only,
    got_home,
    must_always,
)
from companion.rules.dice import ORDINARY
from companion.rules.moves import Move
from companion.rules.order import order_articles
from companion.rules.owing import OwingGame
from companion.rules.verdicts import Evidence

if TYPE_CHECKING:
    from companion.rules.positions import Position

START = 0
SAFE = frozenset(BOARD_52.marked("safe"))


def ends_on_two(game: BoardGame, position: "Position", moves: Sequence[Move]) -> Objections:
    """M8: nobody ends where two of another colour stand, but on a safe square all may."""
    found: Objections = ()
    for move in moves:
        for rival, at in game.rivals[move.seat][move.target]:
            if position.pieces[rival].count(at) > 1:
                found = (*found, (move, Evidence("two_stand_there", (game.stops(move)[1],))))
    return found


def build(sheet: Sheet, options: Mapping[str, Any], colours: tuple[str, ...]) -> OwingGame:
    """The game for these colours."""
    numbers = Numbers(
        start_clause="M1",
        again_clause="M3",
        last_clause="M12",
        place_clause="M12",
        most_sixes=2,
        sixes_clause="M4",
        shared_squares=SAFE,
    )
    return OwingGame(sheet, options, colours, numbers)


SHEET = Sheet(
    id="indian",
    title="Indian Ludo",
    source="several descriptions of the game as it is played in India",
    about="Eight safe squares. A capture gives another roll, and so does getting home.",
    board=BOARD_52,
    marks=("safe",),
    die=ORDINARY,
    build=build,
    articles=(
        Article(
            "M1",
            "Each player has four pieces in the base. Play goes clockwise, and the highest roll "
            "begins.",
            "Those who tie roll again.",
            counts=(forward_only,),
        ),
        Article(
            "M2",
            "Only a six brings a piece in, onto its start square.",
            counts=(enters(frozenset({6}), START),),
        ),
        Article(
            "M3",
            "A six gives another roll.",
            "Whether or not it could be used. Some let the turn pass if it could not.",
        ),
        Article(
            "M4",
            "The third six in a row is void: nothing moves, and your turn is over.",
            "What you moved with the first two stays: some take that back as well. A roll that is "
            "no six ends the row, even if it gives another roll: some count every six of a turn.",
        ),
        Article(
            "M5",
            "You choose which piece goes. If none can, the turn passes on.",
            "What can go has to go.",
            must_move=must_always,
        ),
        Article(
            "M6",
            "Landing on another colour's piece sends it back to its base.",
            captures=(capture,),
        ),
        Article(
            "M7",
            "The start squares and the stars eight squares further on are safe: nobody is captured "
            "there, and all colours stand side by side.",
            "Your start too, when you come in: some capture there.",
        ),
        Article(
            "M8",
            "Two pieces of a colour on one square are safe together.",
            "Nobody else ends there, and all may pass. Some let nobody pass, some stand beside "
            "them, some capture both, and some let no two of a colour share a square.",
            forbids=(ends_on_two,),
        ),
        Article("M9", "A capture gives another roll.", earns_roll=captured_something),
        Article(
            "M10",
            "A piece that gets home gives another roll.",
            "Several reasons give one roll, not several (some add them up); and none after your "
            "last piece.",
            earns_roll=got_home,
        ),
        Article(
            "M11",
            "Home takes the exact roll. A piece cannot use a larger one, and nobody enters another "
            "colour's home column.",
            counts=(fits_before_the_end,),
            off_way=True,
        ),
        Article(
            "M12",
            "Whoever first has all four pieces home wins.",
            "The others may play on for the places, until all but one are placed.",
        ),
        *order_articles(exact_count),
    ),
)

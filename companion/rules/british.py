"""The traditional British game, with blocks.

Source: seed sheet 002_1a1a6a3f476014e4. The articles follow its order.
"""

from collections.abc import Mapping
from typing import Any

from companion.rules.articles import Article, Sheet
from companion.rules.boardgame import BoardGame, Numbers
from companion.rules.boards import BOARD_68
from companion.rules.clauses import (
    capture,
    enters,
    exact_count,
    fits_before_the_end,
    forward_only,
    rival_block,
)
from companion.rules.dice import ORDINARY
from companion.rules.order import order_articles

SIXTH_SQUARE = 5
"""Where a piece lands that walks six squares, its start square being the first."""


def build(sheet: Sheet, options: Mapping[str, Any], colours: tuple[str, ...]) -> BoardGame:
    """The game for these colours."""
    numbers = Numbers(
        start_clause="B2",
        again_clause="B4",
        last_clause="B4",
        place_clause="B10",
        passed_spots=frozenset(range(SIXTH_SQUARE)),
    )
    return BoardGame(sheet, options, colours, numbers)


SHEET = Sheet(
    id="british",
    title="British Ludo",
    source="the traditional British game",
    about="A long track of 68 squares. Two pieces of a colour make a block that nobody passes.",
    board=BOARD_68,
    die=ORDINARY,
    build=build,
    articles=(
        Article(
            "B1",
            "Each of red, green, yellow and blue has four pieces, which start in the circle.",
            "The board has arms of eight, 68 track squares and seven home-column squares a colour: "
            "the outer end of an arm's middle column lies on the track.",
        ),
        Article(
            "B2",
            "The highest throw starts. Turns and pieces go clockwise.",
            "Those who tie throw again.",
            counts=(forward_only,),
        ),
        Article("B3", "You choose which piece goes. If none can, the turn passes on."),
        Article(
            "B4",
            "A six gives another turn.",
            "Without limit, and whether or not the six could be used; but not after your last "
            "piece has got home.",
        ),
        Article(
            "B5",
            "Only a six brings a piece in. It walks six squares, and its start square is the "
            "first of them, so it stands five squares further on.",
            counts=(enters(frozenset({6}), SIXTH_SQUARE),),
        ),
        Article(
            "B6",
            "Landing on another colour's piece sends it back to its circle.",
            captures=(capture,),
        ),
        Article(
            "B7",
            "Landing on your own piece makes a block. No other colour passes it or lands on it, "
            "not even while coming in. Your own pieces may pass and join.",
            forbids=(rival_block,),
        ),
        Article(
            "B8",
            "After its circuit a piece goes up its home column; the home triangle takes the exact "
            "throw. A piece cannot use a larger one.",
            counts=(fits_before_the_end,),
        ),
        Article("B9", "Other colours never enter a home column.", off_way=True),
        Article(
            "B10",
            "Whoever first has all four pieces home wins.",
            "The others may play on for the places, until all but one are placed.",
        ),
        *order_articles(exact_count),
    ),
)

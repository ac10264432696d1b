"""The German sheet (rules-org.de, "Mensch ärgere dich nicht" family) with its seven variants.

Source: seed sheet 000_96611071582f0d0c. The articles follow its order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.rules.articles import Article, Objections, Option, Pieces, Sheet, Told
from companion.rules.boardgame import BoardGame, Numbers
from companion.rules.boards import BASE, BOARD_40
from companion.rules.clauses import (
    any_barrier,
    capture,
    enters,
    exact_count,
    fits_before_the_end,
    forward_only,
    own_piece_there,
    send_to_base,
)
from companion.rules.dice import ORDINARY
from companion.rules.errors import BadInput
from companion.rules.moves import Move
from companion.rules.order import order_articles
from companion.rules.verdicts import Evidence

if TYPE_CHECKING:
    from companion.rules.positions import Position

START = 0
FIRST_FINISH = 40
SIX = frozenset({6})


# -- duties --------------------------------------------------------------------------------


def clear_the_start(game: BoardGame, position: "Position", moves: Sequence[Move]) -> Sequence[Move]:
    """G9: while pieces wait in base, the piece on A goes first."""
    own = position.pieces[moves[0].seat]
    if own[0] != BASE or START not in own:
        return ()
    return [move for move in moves if move.origin == START]


def bring_in_with_a_six(
    game: BoardGame, position: "Position", moves: Sequence[Move]
) -> Sequence[Move]:
    """G11: a six brings a piece in; with an own piece on A, that piece makes room."""
    if moves[0].face != 6:
        return ()
    entering = [move for move in moves if move.origin == BASE]
    return entering or clear_the_start(game, position, moves)


# -- GV2: the neutral colour ---------------------------------------------------------------


def neutral_home(position: "Position", home: tuple[int, ...]) -> tuple[int, ...]:
    """The last neutral piece is home: who brought it wins, if that player is home too."""
    if position.seat not in home:
        return home
    return (position.seat, *(seat for seat in home if seat != position.seat))


# -- GV3: capturing backwards --------------------------------------------------------------


def backwards_on_the_track(game: BoardGame, move: Move) -> Evidence | None:
    """Backwards only on the track, by the roll, and not onto or past the own A.

    Past A a piece comes to squares that are far ahead of it.
    """
    past_start = move.target == move.origin - move.face + FIRST_FINISH < FIRST_FINISH
    if move.target >= move.origin and not past_start:
        return None
    if move.origin >= FIRST_FINISH or move.target <= START or past_start:
        return Evidence("too_far_back", game.stops(move))
    counted = move.origin - move.target
    if counted != move.face:
        return Evidence("wrong_count", game.stops(move), counted)
    return None


def backwards_to_capture(
    game: BoardGame, position: "Position", moves: Sequence[Move]
) -> Objections:
    """Backwards only onto an opponent's piece."""
    return [
        (move, Evidence("nothing_to_capture", game.stops(move)))
        for move in moves
        if move.target < move.origin and not game.captured_by(position.pieces, move)
    ]


# -- GV4: three rolls ----------------------------------------------------------------------


def three_rolls(game: BoardGame, pieces: Sequence[Pieces], seat: int) -> int:
    """Three rolls when every piece waits in base or stands as deep in the finish as it can."""
    for colour in game.hands[seat]:
        own = pieces[colour]
        waiting = own.count(BASE)
        if own[waiting:] != tuple(range(game.last + 1 - len(own) + waiting, game.last + 1)):
            return 1
    return 3


# -- GV5: no jumping in the finish ---------------------------------------------------------


def jumps_in_the_finish(game: BoardGame, position: "Position", moves: Sequence[Move]) -> Objections:
    """No piece passes another on the finish squares."""
    inside = [piece for piece in position.pieces[moves[0].seat] if piece >= FIRST_FINISH]
    return [
        (move, Evidence("jump_in_finish", (game.spot(move.seat, piece),)))
        for piece in inside
        for move in moves
        if move.origin < piece < move.target
    ]


# -- GV6: barriers -------------------------------------------------------------------------


def own_piece_on_single_square(
    game: BoardGame, position: "Position", moves: Sequence[Move]
) -> Objections:
    """Only track squares take two, and the own A takes one."""
    return [
        (move, evidence)
        for move, evidence in own_piece_there(game, position, moves)
        if not START < move.target < FIRST_FINISH
    ]


# -- GV7: compulsory capture ---------------------------------------------------------------


def penalty(
    game: BoardGame, position: "Position", move: Move, pieces: list[Pieces]
) -> Sequence[Told]:
    """A missed capture costs the piece that should have made it."""
    if _does_its_duty(game, position, move):
        return ()
    missed = [
        other
        for other in game.legal_moves(position, move.face)
        if isinstance(other, Move) and _does_its_duty(game, position, other)
    ]
    if not missed:
        return ()
    # The piece just moved goes, if it could have captured; then the one furthest along,
    # and of two equally far the player's own.
    same = [one for one in missed if (one.seat, one.origin) == (move.seat, move.origin)]
    guilty = max(same or missed, key=lambda one: (one.origin, one.seat == position.seat))
    stands = move.target if same else guilty.origin
    if stands not in pieces[guilty.seat]:  # this very move has sent it there
        stands = BASE
    send_to_base(pieces, guilty.seat, stands)
    return [("penalty", guilty.seat, stands)]


def _does_its_duty(game: BoardGame, position: "Position", move: Move) -> bool:
    """Whether a move captures a piece that is not the mover's own."""
    hit = game.captured_by(position.pieces, move)
    return any(seat != position.seat for seat, _ in hit)


# -- the sheet -----------------------------------------------------------------------------


def build(sheet: Sheet, options: Mapping[str, Any], colours: tuple[str, ...]) -> BoardGame:
    """The game for these options and colours; with other numbers of players GV1 and GV2 do nothing,
    as they did in old games."""
    numbers = Numbers(
        start_clause="G3",
        again_clause="G13",
        last_clause="G14",
        place_clause="G17",
        on_start=1,
        most_on_square=2 if options["barriers"] else 1,
        single_spots=frozenset({START}),
    )
    taken = tuple(BOARD_40.colours.index(colour) for colour in colours)
    if options["two_colours_each"] and len(taken) == 2:
        if (taken[0] - taken[1]) % 2 == 0:
            raise BadInput(
                f"{colours[0]} and {colours[1]} belong to one player in two_colours_each: "
                "seat the other player at a colour beside"
            )
        return BoardGame(sheet, options, colours, numbers, players=((0, 2), (1, 3)))
    if options["neutral_colour"] and len(taken) == 3:
        (neutral,) = set(range(4)) - set(taken)
        return BoardGame(sheet, options, colours, numbers, neutral=neutral)
    return BoardGame(sheet, options, colours, numbers)


def check_colours(options: Mapping[str, Any], colours: tuple[str, ...]) -> None:
    """GV1 is for two players, GV2 for three."""
    for option, players in (("two_colours_each", 2), ("neutral_colour", 3)):
        if options[option] and len(colours) != players:
            raise BadInput(
                f"{option} takes {players} players, not {len(colours)}: "
                f"seat {players}, or switch it off"
            )


ONE_PIECE_A_SQUARE = Article(
    "G8",
    "A square holds one piece. You cannot end on your own piece; another has to go.",
    forbids=(own_piece_there,),
)

SHEET = Sheet(
    id="german",
    title="German sheet",
    source="rules-org.de, in the family of Mensch ärgere dich nicht",
    about="Forty squares, one piece on each. A six brings a piece in, and must.",
    board=BOARD_40,
    die=ORDINARY,
    build=build,
    check_colours=check_colours,
    options=tuple(
        Option(name)
        for name in (
            "two_colours_each",
            "neutral_colour",
            "capture_backwards",
            "three_rolls",
            "no_jumping_in_finish",
            "barriers",
            "compulsory_capture",
        )
    ),
    articles=(
        Article("G1", "One ordinary die and four pieces for each of yellow, green, red, black."),
        Article(
            "G2",
            "To begin, one piece stands on your start square, marked A, and three wait in your "
            "base.",
        ),
        Article(
            "G3",
            "Everybody rolls once, and the highest begins.",
            "Those who tie for the highest roll again among themselves. With two colours each, "
            "each person rolls once and begins with the first of the own colours, clockwise "
            "from yellow.",
        ),
        Article("G4", "Turns go round clockwise."),
        Article(
            "G5",
            "A piece goes forward by the roll. It may jump over pieces, and the squares they "
            "stand on are counted.",
            counts=(forward_only,),
        ),
        Article("G6", "With several pieces on the board you choose which one goes."),
        Article(
            "G7",
            "Ending on another colour's piece captures it: it goes to its base. You may leave a "
            "capture be.",
            captures=(capture,),
        ),
        ONE_PIECE_A_SQUARE,
        Article(
            "G9",
            "While pieces wait in your base, your start square (A) has to be cleared: if the piece "
            "on it can go, it goes.",
            "If it cannot (an own piece or a barrier is in its way), any other legal move is free.",
            compels=(clear_the_start,),
        ),
        Article(
            "G10",
            "Only a six brings a piece from your base, onto your start square (A).",
            counts=(enters(SIX, START),),
        ),
        Article(
            "G11",
            "A six must bring in a piece while any waits in your base. If your own piece stands "
            "on your start square (A), that piece has to go forward six first.",
            "If it cannot, or if entering is not possible, any piece may use the six.",
            compels=(bring_in_with_a_six,),
        ),
        Article(
            "G12",
            "Another colour's piece on your start square (A) is captured by the piece coming in.",
            captures_entering=(capture,),
        ),
        Article(
            "G13",
            "After a six you roll again, as often as sixes come.",
            "Also when no piece could use the six.",
        ),
        Article(
            "G14",
            "The six that brings your last piece home gives no further roll.",
            "The last piece is that of the colour whose turn it is, and the same holds in the "
            "other sheets. The last neutral piece ends the roll only if you have nothing left "
            "to move.",
        ),
        Article(
            "G15",
            "The finish squares a to d are counted one by one and need the exact roll. Pieces on "
            "them may be jumped, and a piece inside may go deeper.",
            counts=(fits_before_the_end,),
        ),
        Article("G16", "Nobody enters another colour's finish.", off_way=True),
        Article(
            "G17",
            "Whoever first has all four pieces in the finish wins. The others play on for the "
            "places.",
            "The game is over when all but one are placed.",
        ),
        Article(
            "GV1",
            "Two players, all colours: yellow and red against green and black. Every colour takes "
            "its own turns.",
            "You win when both your colours are home, and that ends the game; a colour that is "
            "home is passed over. Your two colours can capture each other.",
            option="two_colours_each",
        ),
        Article(
            "GV2",
            "Three players, the fourth colour is neutral: with any roll you move one of your own "
            "or one of the neutral pieces. Nobody has won before all four neutral pieces are home; "
            "if several players are home by then, the one who brought in the last neutral piece "
            "wins.",
            "The neutral pieces are set up like the others, and the duties G9 and G11 bind "
            "whichever colour you choose. If only a neutral piece can go, it must. A player who is "
            "home goes on with neutral pieces. If the one who brought the last neutral piece is "
            "not home, the first who got home wins; if nobody is, the first to get home after "
            "that. Then the places follow in the order of getting home.",
            option="neutral_colour",
            settles=neutral_home,
        ),
        Article(
            "GV3",
            "Capturing backwards: a roll that takes you exactly onto a piece behind you may be "
            "used backwards to capture it, but not onto or past your own start square (A).",
            "Only pieces on the track go backwards.",
            option="capture_backwards",
            replaces=("G5",),
            counts=(backwards_on_the_track,),
            forbids=(backwards_to_capture,),
        ),
        Article(
            "GV4",
            "Three rolls: with no piece on the track, and none in the finish that could still go "
            "deeper, you roll up to three times until a six comes.",
            "This is looked at once, as your turn begins; rolls given by a six are single. "
            "Neutral pieces count as yours here.",
            option="three_rolls",
            turn_rolls=three_rolls,
        ),
        Article(
            "GV5",
            "No jumping in the finish: a piece cannot pass another on the finish squares.",
            option="no_jumping_in_finish",
            forbids=(jumps_in_the_finish,),
        ),
        Article(
            "GV6",
            "Barriers: two of your pieces may share a square of the track. Nobody jumps over them "
            "or lands on them, not even you, until one of them leaves.",
            "Your own start square (A) still takes one piece only. A barrier on somebody's keeps "
            "that player from coming in.",
            option="barriers",
            amends=(replace(ONE_PIECE_A_SQUARE, forbids=(own_piece_on_single_square,)),),
            forbids=(any_barrier,),
        ),
        Article(
            "GV7",
            "Compulsory capture: if you can capture, you must. If you make another move instead, "
            "the piece that should have captured goes to its base. Among several captures you "
            "choose.",
            "Of several pieces that could have captured, the one furthest along goes; if the "
            "piece you moved could have, that one; on a tie your own, not the neutral one. What "
            "G9 and G11 forbid is no missed capture. The penalty comes before anybody is counted "
            "as home. Hitting your own piece with a neutral one is lawful but never a duty.",
            option="compulsory_capture",
            after=(penalty,),
        ),
        *order_articles(exact_count),
    ),
)

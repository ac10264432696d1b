"""Spain's parchís, with one die: a five brings in, barriers, twenty for a capture, ten for home.

Not from one printed sheet: several public descriptions agree on most of it, and where they do not
our reading says what we chose.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.rules.articles import Article, Objections, Pieces, Reckoning, Sheet, Told
from companion.rules.boardgame import BoardGame, Numbers
from companion.rules.boards import BASE, BOARD_68_PARCHIS
from companion.rules.clauses import (
    SquaresFor,
    any_barrier,
    capture,
    captured_something,
    enters,
    exact_count,
    fits_before_the_end,
    forward_only,
    got_home,
    must_always,
    nobody_waits,
    send_to_base,
)
from companion.rules.dice import ORDINARY
from companion.rules.moves import Move
from companion.rules.order import order_articles
from companion.rules.owing import OwingGame
from companion.rules.verdicts import Evidence

if TYPE_CHECKING:
    from companion.rules.positions import Position

START = 0
ROOM = 2
"""How many pieces a square holds."""
SAFE = frozenset(BOARD_68_PARCHIS.marked("safe"))


def bring_in_with_a_five(
    game: BoardGame, position: "Position", moves: Sequence[Move]
) -> Sequence[Move]:
    """S3: a five brings a piece in, if it can."""
    if moves[0].face != 5:
        return ()
    return [move for move in moves if move.origin == BASE]


def others_on(
    game: BoardGame, pieces: Sequence[Pieces], seat: int, progress: int
) -> list[tuple[int, int]]:
    """The other colours' pieces on a square of a colour's way, each with its progress there."""
    square = game.square[seat][progress]
    found: list[tuple[int, int]] = []
    if square < 0:
        return found
    for other in game.others[seat]:
        at = game.board.progress(other, square)
        if at is not None:
            found += [(other, at)] * pieces[other].count(at)
    return found


def make_room_on_the_start(
    game: BoardGame, position: "Position", move: Move, pieces: list[Pieces]
) -> Sequence[Told]:
    """S4: of three pieces on the start, one of another colour goes back: the one furthest along."""
    if move.origin != BASE:
        return ()
    others = others_on(game, pieces, move.seat, START)
    if pieces[move.seat].count(START) + len(others) <= ROOM:
        return ()
    rival, at = max(others, key=lambda one: one[1])
    send_to_base(pieces, rival, at)
    return [("captured", rival, at)]


def square_is_full(game: BoardGame, position: "Position", moves: Sequence[Move]) -> Objections:
    """S8: a square holds two pieces; who comes in makes room, unless both are the own ones."""
    own = position.pieces[moves[0].seat]
    found: Objections = ()
    for move in moves:
        if move.target in (BASE, game.last) or move.target == move.origin:
            continue
        standing = own.count(move.target)
        if move.origin != BASE and move.target <= game.board.track_end:
            standing += len(others_on(game, position.pieces, move.seat, move.target))
        if standing >= ROOM:
            found = (*found, (move, Evidence("square_full", (game.stops(move)[1],))))
    return found


def open_a_barrier(game: BoardGame, position: "Position", moves: Sequence[Move]) -> Sequence[Move]:
    """S9: a six opens an own barrier, if one of its pieces can go."""
    if moves[0].face != 6:
        return ()
    own, end = position.pieces[moves[0].seat], game.board.track_end
    return [move for move in moves if move.origin <= end and own.count(move.origin) == ROOM]


def build(sheet: Sheet, options: Mapping[str, Any], colours: tuple[str, ...]) -> OwingGame:
    """The game for these colours."""
    numbers = Numbers(
        start_clause="S1",
        again_clause="S5",
        last_clause="S14",
        place_clause="S14",
        most_sixes=2,
        sixes_clause="S6",
        most_on_square=ROOM,
        most_together=ROOM,
        shared_squares=SAFE,
    )
    return OwingGame(sheet, options, colours, numbers)


SHEET = Sheet(
    id="parchis",
    title="Parchís",
    source="several descriptions of the game as it is played in Spain",
    about="A five brings a piece in. Twenty squares for a capture, ten for getting home.",
    board=BOARD_68_PARCHIS,
    marks=("safe",),
    die=ORDINARY,
    build=build,
    articles=(
        Article(
            "S1",
            "Each player has four pieces in the base. The highest roll begins.",
            "Those who tie roll again.",
        ),
        Article(
            "S2",
            "Turns and pieces go anticlockwise.",
            "The colours sit as on our board of 68 squares, and the start lies in the middle of "
            "the arm's side, five squares past the one where its colour turns off.",
            counts=(forward_only,),
        ),
        Article(
            "S3",
            "Only a five brings a piece in, onto its start square, and it has to as long as one "
            "waits.",
            "If none can come in, any other piece uses the five.",
            counts=(enters(frozenset({5}), START),),
            compels=(bring_in_with_a_five,),
        ),
        Article(
            "S4",
            "If two pieces stand on your start square and one of them is another colour's, it is "
            "captured by the piece coming in.",
            "Of two other colours the piece that has gone further goes: many take the one that "
            "came last, which the board does not show. A single one stays, as the start is a safe "
            "square: some capture it too.",
            after=(make_room_on_the_start,),
        ),
        Article(
            "S5",
            "A six gives another roll. With no piece waiting in your base it counts seven.",
            "Pieces at home do not wait: some want all four on the track. The other roll comes "
            "whether or not the six could be used: some let the turn pass if it could not.",
            reckons=Reckoning(6, 7, nobody_waits),
        ),
        Article(
            "S6",
            "The third six in a row moves nothing: the piece you moved last goes back to its base, "
            "and your turn is over.",
            "What you moved last may have been a bonus: some take the piece that the six moved. A "
            "piece in its home column stays (some put it at the column's foot), one on a safe "
            "square does not (some spare it). If none has moved, nothing goes back.",
            sends_back=True,
        ),
        Article(
            "S7",
            "Two pieces of one colour on a square of the track are a barrier: nobody passes it or "
            "lands on it, not even their owner.",
            "A barrier of another colour on your start keeps you from coming in: some capture one "
            "of the two. Some have barriers on safe squares only, and some let the owner pass.",
            forbids=(any_barrier,),
        ),
        Article(
            "S8",
            "A square holds two pieces, also in the home column.",
            "Two colours side by side bar nobody's way, nor do two in a home column: some call "
            "these barriers too.",
            forbids=(square_is_full,),
        ),
        Article(
            "S9",
            "A six has to open one of your barriers.",
            "If several can be opened, you choose; if none can, any piece uses the six. The piece "
            "may make another barrier: some forbid that.",
            compels=(open_a_barrier,),
            slip="must_open",
        ),
        Article(
            "S10",
            "Landing on another colour's piece captures it: it goes back to its base.",
            captures=(capture,),
        ),
        Article(
            "S11",
            "Twelve squares are safe: the starts, and the squares seven and twelve further on. "
            "Nobody is captured there.",
            "Only S4 captures on a start.",
        ),
        Article(
            "S12",
            "A capture gives you twenty squares more, at once and with any of your pieces.",
            "If no piece can use them they are lost. They bring nobody in, open no barrier, and "
            "what they capture or bring home earns again.",
            earns_squares=SquaresFor(captured_something, 20),
            bonus=20,
        ),
        Article(
            "S13",
            "Home takes the exact number, and a piece that gets there gives you ten squares more, "
            "at once and with any of your pieces. Nobody enters another colour's home column.",
            "The ten are played like the twenty. Some let a piece bounce back from home.",
            counts=(fits_before_the_end,),
            earns_squares=SquaresFor(got_home, 10),
            bonus=10,
            off_way=True,
        ),
        Article(
            "S14",
            "Whoever first has all four pieces home wins.",
            "The others may play on for the places, until all but one are placed. Nothing is owed "
            "after your last piece.",
        ),
        Article(
            "S15",
            "You choose which piece goes. If none can, the turn passes on.",
            "What can go has to go.",
            must_move=must_always,
        ),
        *order_articles(exact_count),
    ),
)

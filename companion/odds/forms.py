"""The fast form of a game: tables made by asking its articles, forms beside its other clauses.

What the counting clauses let pass is asked of them, step by step, and kept in tables; so are the
lays of the card game. A clause that looks at the whole table cannot be kept in one: `kernel.c` has
its form under the same name, and the dictionaries here say which clause has which. Tests play both
and compare. A clause that is not in them has no fast form, and then the game has none: it is played
by `rules`, slower and just as right.
"""

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import fields
from struct import Struct
from typing import Any

from companion.odds.dangers import threats, two_are_safe
from companion.rules import Game, Position
from companion.rules.articles import Article
from companion.rules.boardgame import BoardGame
from companion.rules.boards import BASE, OFF_TRACK
from companion.rules.cards import FULL, STACKS, CardGame, thinkable
from companion.rules.clauses import (
    SquaresFor,
    any_barrier,
    capture,
    captured_something,
    got_home,
    nobody_waits,
    others_barrier,
    own_piece_there,
    rival_block,
)
from companion.rules.dutch import capture_or_return
from companion.rules.game import FACES
from companion.rules.german import (
    FIRST_FINISH,
    START,
    backwards_to_capture,
    bring_in_with_a_six,
    clear_the_start,
    jumps_in_the_finish,
    neutral_home,
    own_piece_on_single_square,
    penalty,
    three_rolls,
)
from companion.rules.house import tries_with_nobody_out
from companion.rules.indian import ends_on_two
from companion.rules.moves import AnyMove, Lay, Move, Pass
from companion.rules.owing import OwingGame
from companion.rules.pairs import may_keep_the_pairs, pair_moves_whole
from companion.rules.parchis import (
    ROOM,
    bring_in_with_a_five,
    make_room_on_the_start,
    open_a_barrier,
    square_is_full,
)
from companion.rules.positions import NOBODY

SEATS, PIECES, WAY, KEYS, TARGETS, OWED, MOST_MOVES = 4, 4, 80, 9, 3, 8, 48
NEVER = -2
REPLACED_FACE, FIRST_BONUS = 6, 7
LAYS = 32

Clause = Callable[..., Any]

FORBIDS: dict[Clause, int] = {
    own_piece_there: 1 << 0,
    own_piece_on_single_square: 1 << 1,
    others_barrier: 1 << 2,
    rival_block: 1 << 2,  # the same of four pieces, looked at in another way
    any_barrier: 1 << 3,
    jumps_in_the_finish: 1 << 4,
    backwards_to_capture: 1 << 5,
    pair_moves_whole: 1 << 6,
    ends_on_two: 1 << 7,
    square_is_full: 1 << 8,
}
COMPELS: dict[Clause, int] = {
    clear_the_start: 1,
    bring_in_with_a_six: 2,
    bring_in_with_a_five: 3,
    open_a_barrier: 4,
}
AFTER: dict[Clause, int] = {
    capture: 1,
    capture_or_return: 2,
    penalty: 3,
    make_room_on_the_start: 4,
}
TURN_ROLLS: dict[Clause, int] = {three_rolls: 1, tries_with_nobody_out: 2}
EARNED: dict[Clause, int] = {captured_something: 1, got_home: 2}
MAY_PASS: dict[Clause, int] = {may_keep_the_pairs: 1}
SETTLES: dict[Clause, int] = {neutral_home: 1}
WAITING: dict[Clause, int] = {nobody_waits: 1}
KNOWN_FIELDS = (
    "id text reading counts forbids compels captures captures_entering after may_pass must_move "
    "turn_rolls earns_roll earns_squares bonus reckons sends_back slip settles off_way option "
    "replaces amends"
)
"""What an article can have that is dealt with here; `must_move`, words and slips change no game."""


class NoFastFormError(Exception):
    """A game has something that only `rules` can play; the message says what."""


class Tables(ctypes.Structure):
    """A game as `kernel.c` reads it; the same fields in the same order."""

    _numbers = (
        "is_cards last arrived track_end neutral players first_wins most_sixes has_home "
        "may_keep_the_pairs turn_rolls settles owes keeps_moved replaced_face room start "
        "first_finish two_are_safe full"
    )

    _fields_ = (
        ("steps", ctypes.c_int8 * (TARGETS + 1) * WAY * 2 * KEYS * SEATS),
        ("square", ctypes.c_int8 * WAY * SEATS),
        ("meets", ctypes.c_int8 * SEATS * WAY * SEATS),
        ("beside", ctypes.c_int8 * SEATS * WAY * SEATS),
        ("threat", ctypes.c_uint8 * WAY * SEATS * WAY * SEATS),
        ("lays", ctypes.c_int8 * 4 * LAYS * 6),
        ("lawful", ctypes.c_uint32 * 6 * 2401),
        ("counts", ctypes.c_int8 * SEATS),
        ("following", ctypes.c_int8 * SEATS),
        ("hands", ctypes.c_int8 * 2 * SEATS),
        ("player", ctypes.c_int8 * SEATS),
        ("again", ctypes.c_int8 * 7),
        ("ranks", ctypes.c_int8 * 7),
        ("compels", ctypes.c_int8 * 4),
        ("captures", ctypes.c_int8 * 4),
        ("entering", ctypes.c_int8 * 4),
        ("after", ctypes.c_int8 * 4),
        ("earns_roll", ctypes.c_int8 * 4),
        ("earns_squares", ctypes.c_int8 * 4),
        ("squares_earned", ctypes.c_int8 * 4),
        ("bonuses", ctypes.c_int8 * 2),
        *((name, ctypes.c_int8) for name in _numbers.split()),
        ("forbids", ctypes.c_uint32),
    )


def tables(game: Game) -> Tables:
    """The fast form of a game; raises NoFastFormError where it has none."""
    if {field.name for field in fields(Article)} != set(KNOWN_FIELDS.split()):
        raise NoFastFormError("articles have fields that the fast form does not know")
    if type(game) not in (BoardGame, OwingGame, CardGame):
        raise NoFastFormError(f"{type(game).__name__} is a kind of game without a fast form")
    made, walked = Tables(), game.walked
    _players(game, made)
    if walked is None:
        _cards(game, made)
    else:
        _numbers(walked, made)
        _clauses(walked, made)
        _squares(walked, made)
        _steps(walked, made)
    made.two_are_safe = two_are_safe(game)
    for (hunted, at, hunter, from_), faces in threats(game).items():
        made.threat[hunted][at][hunter][from_] = faces
    return made


def _form(known: dict[Clause, int], clause: Any) -> int:
    if clause not in known:
        raise NoFastFormError(f"the clause {getattr(clause, '__name__', clause)} has no fast form")
    return known[clause]


def _listed(array: Any, forms: Sequence[int]) -> None:
    if len(forms) > len(array):
        raise NoFastFormError(f"{len(forms)} clauses of a kind are more than {len(array)}")
    array[: len(forms)] = forms


def _players(game: Game, made: Tables) -> None:
    """Who sits where and follows whom, and the die."""
    made.players, made.first_wins = len(game.players), game.first_wins
    for seat, pieces in enumerate(game.set_up()):
        made.counts[seat] = len(pieces)
        made.following[seat] = game.following.get(seat, NOBODY)
        made.player[seat] = next(
            (n for n, player in enumerate(game.players) if seat in player), NOBODY
        )
    for face in FACES:
        made.ranks[face] = game.die.rank(face)
    made.most_sixes = made.neutral = NOBODY


# -- on a board ----------------------------------------------------------------------------


def _numbers(game: BoardGame, made: Tables) -> None:
    numbers = game.numbers
    made.last, made.arrived, made.track_end = game.last, game.arrived, game.board.track_end
    made.has_home = bool(game.board.home)
    made.neutral = NOBODY if game.neutral is None else game.neutral
    made.most_sixes = NOBODY if numbers.most_sixes is None else numbers.most_sixes
    made.room, made.start, made.first_finish = ROOM, START, FIRST_FINISH
    for seat in range(SEATS):
        hands = [*game.hands[seat], NOBODY][:2]
        made.hands[seat][:] = hands
    for face in numbers.again:
        made.again[face] = 1
    if game.last + 2 > WAY or numbers.pieces > PIECES:
        raise NoFastFormError("the way is longer, or the pieces are more, than the fast form has")


def _clauses(game: BoardGame, made: Tables) -> None:
    made.forbids = 0
    for _, clause in game.forbids:
        made.forbids |= _form(FORBIDS, clause)
    _listed(made.compels, [_form(COMPELS, duty) for _, duty, _ in game.compels])
    _listed(made.captures, [_form(AFTER, clause) for _, clause in game.captures[False]])
    _listed(made.entering, [_form(AFTER, clause) for _, clause in game.captures[True]])
    _listed(made.after, [_form(AFTER, clause) for _, clause in game.after])
    if game.may_pass is not None:
        made.may_keep_the_pairs = _form(MAY_PASS, game.may_pass)
    held = game.held
    rolls = next((a.turn_rolls for a in held if a.turn_rolls), None)
    settles = next((a.settles for a in held if a.settles), None)
    made.turn_rolls = _form(TURN_ROLLS, rolls) if rolls else 0
    made.settles = _form(SETTLES, settles) if settles else 0
    if isinstance(game, OwingGame):
        _owing(game, made)


def _owing(game: OwingGame, made: Tables) -> None:
    """What a roll owes besides a move."""
    made.owes, made.keeps_moved = 1, game.keeps_moved
    _listed(made.earns_roll, [_form(EARNED, clause) for _, clause in game.earns_roll])
    earns = [clause for _, clause in game.earns_squares if isinstance(clause, SquaresFor)]
    if len(earns) < len(game.earns_squares):
        raise NoFastFormError("squares are earned in a way that has no fast form")
    _listed(made.earns_squares, [_form(EARNED, clause.earned) for clause in earns])
    _listed(made.squares_earned, [clause.squares for clause in earns])
    bonuses = sorted(game.bonuses)
    if any(bonus <= max(FACES) for bonus in bonuses):
        raise NoFastFormError("a bonus that a die could show has no fast form")
    _listed(made.bonuses, bonuses)
    if game.reckoning is not None:
        _form(WAITING, game.reckoning.when)
        made.replaced_face = game.reckoning.face


def _squares(game: BoardGame, made: Tables) -> None:
    """Which square a colour's progress is, and whom it meets there."""
    ways = range(BASE, game.last + 1)
    for seat in range(SEATS):
        rivals = game.rivals[seat]
        for progress in ways:
            square = game.square[seat][progress]
            made.square[seat][progress + 1] = square
            made.meets[seat][progress + 1][:] = (NEVER,) * SEATS
            made.beside[seat][progress + 1][:] = (NEVER,) * SEATS
            for rival, at in rivals[progress]:
                made.meets[seat][progress + 1][rival] = at
            if square == OFF_TRACK:
                continue
            for other in game.others[seat]:
                at_other = game.board.progress(other, square)
                if at_other is not None:
                    made.beside[seat][progress + 1][other] = at_other


def _keys(game: BoardGame) -> dict[int, Any]:
    """The rolls that have a table of steps: six faces, one that counts otherwise, the bonuses."""
    keys: dict[int, Any] = {face - 1: face for face in FACES}
    if isinstance(game, OwingGame):
        if game.reckoning is not None:
            keys[REPLACED_FACE] = (game.reckoning.face, game.reckoning.count)
        keys |= {FIRST_BONUS + n: bonus for n, bonus in enumerate(sorted(game.bonuses))}
    return keys


def _steps(game: BoardGame, made: Tables) -> None:
    """Ask the counting clauses about every step of every piece with every roll."""
    for key, roll in _keys(game).items():
        for seat in game.in_play:
            for size in game.numbers.sizes:
                asked = game.steps[seat][roll][size - 1]
                row = made.steps[seat][key][size - 1]
                for origin in range(BASE, game.last + 1):
                    targets = [move.target for move in asked[origin]]
                    if len(targets) > TARGETS or BASE in targets:
                        raise NoFastFormError("a roll has more targets than the fast form has")
                    row[origin + 1][: len(targets) + 1] = [len(targets), *targets]


# -- with cards ----------------------------------------------------------------------------


def _cards(game: Game, made: Tables) -> None:
    """Ask the clauses about every lay with every roll, for all heights of the own stacks."""
    made.is_cards, made.full, made.again[6] = 1, FULL, 1
    pieces: list[tuple[int, ...]] = [()] * SEATS
    asked = game.seats[0]
    lays_of = {face: thinkable(face) for face in FACES}
    for face, lays in lays_of.items():
        if len(lays) > LAYS:
            raise NoFastFormError("a roll has more lays than the fast form has")
        for n, stacks in enumerate(lays):
            made.lays[face - 1][n][:] = [stacks.count(stack) for stack in STACKS]
    for index in range((FULL + 1) ** 4):
        own = heights(index)
        if own == (FULL,) * 4:
            continue
        pieces[asked] = own
        position = Position(game, tuple(pieces), asked)
        for face, lays in lays_of.items():
            legal = {m.stacks for m in game.legal_moves(position, face) if isinstance(m, Lay)}
            if any(own[s - 1] + lay.count(s) > FULL for lay in legal for s in lay):
                raise NoFastFormError("stacks of more than six cards have no fast form")
            made.lawful[index][face - 1] = sum(1 << n for n, one in enumerate(lays) if one in legal)


def heights(index: int) -> tuple[int, ...]:
    """The four heights that a number stands for; the opposite of the kernel's."""
    found = []
    for _ in range(4):
        index, height = divmod(index, FULL + 1)
        found.append(height)
    return tuple(reversed(found))


# -- positions and moves -------------------------------------------------------------------

POSITION = Struct("=38bh")
MOVE = Struct("=5b")


def packed(position: Position) -> bytes:
    """A position as the kernel reads it; raises NoFastFormError for one it has no room for."""
    game, owed = position.game, position.owed
    throws = [-1] * SEATS
    if position.opening is not None:
        thrown = [seat for seat, _ in position.opening]
        if thrown != sorted(thrown):
            raise NoFastFormError("rolls for the start in another order have no fast form")
        for seat, face in position.opening:
            throws[seat] = face
    if len(owed) > OWED or position.sixes > 30_000:
        raise NoFastFormError("more is owed, or more sixes were thrown, than the fast form has")
    flat: list[int] = []
    for pieces in position.pieces:
        flat += pieces
        flat += (0,) * (PIECES - len(pieces))
    flat += position.home
    flat += (0,) * (SEATS - len(position.home))
    flat += throws
    flat += owed
    flat += (0,) * (OWED - len(owed))
    opening = position.opening is not None
    flat += (len(position.home), len(owed), opening, position.seat, position.rolls, position.moved)
    if len(game.colours) != SEATS:
        raise NoFastFormError("the fast form has four seats")
    return POSITION.pack(*flat, position.sixes)


def read_moves(game: Game, packed: bytes) -> list[AnyMove]:
    """The moves that the kernel wrote."""
    return [_move(game, *one) for one in MOVE.iter_unpack(packed)]


def _move(game: Game, seat: int, face: int, origin: int, target: int, size: int) -> AnyMove:
    if not size:
        return Pass(seat, face, game)
    if game.walked is None:
        stacks = thinkable(face)[target]
        return Lay(seat, face, stacks, origin == 1, game)
    return Move(seat, face, origin, target, size, game)

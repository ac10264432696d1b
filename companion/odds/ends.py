"""Exact values of endings: two players with at most two pieces each still on their way.

All positions of such an ending are looked at, each valued by the mean over the six faces of the
best move, again and again until nothing changes (value iteration). So these chances have no error,
and they judge the play-outs. A table of `german` has 817,216 positions; it is made when an ending
is first asked for (`known_ends`), in some seconds and 9 MB, and takes the fast part. Sheets on
which a turn remembers more than the pieces (a limit of sixes, tries, bonus squares) have none.
"""

import ctypes
from collections.abc import Iterable, Sequence
from functools import lru_cache

from companion.odds.forms import PIECES, WAY, NoFastFormError
from companion.odds.kernel import FastGame, MissingError, library
from companion.odds.players import weights
from companion.odds.playouts import as_numbers
from companion.rules import AnyMove, Game, Position
from companion.rules.boardgame import BoardGame
from companion.rules.boards import BASE
from companion.rules.game import FACES

CLOSE = 1e-6
"""How little the values may change in the last round."""
MOST_STATES = 2_000_000
FREE = 2
"""Pieces of each player that are still on their way."""


class _Ending(ctypes.Structure):
    """Which endings are meant; the same fields as in `kernel.c`."""

    _fields_ = (
        ("pairs", ctypes.c_int32),
        ("tables", ctypes.c_int32),
        ("pieces", ctypes.c_void_p),
        ("number", ctypes.c_void_p),
        ("seats", ctypes.c_int8 * 2),
        ("deepest", ctypes.c_int8 * PIECES),
    )


class NoEndTableError(Exception):
    """A game has no exact endings; the message says why."""


class Ends:
    """The exact endings of one game of two players: with best play, or if both play as a level."""

    def __init__(self, game: Game, level: str | None = None) -> None:
        self.game = game
        self._level = None if level is None else as_numbers(weights(game, level))
        walked, self._fast = _fast_form(game)
        self._deepest, self._arrived = _deepest(walked), walked.arrived
        self._pairs = _pairs(walked)
        self._number = {pair: n for n, pair in enumerate(self._pairs)}
        self._seats = game.order
        self._tables = 1 if _same_for_both(self._fast, *self._seats) else 2
        if self._tables * len(self._pairs) ** 2 > MOST_STATES:
            raise NoEndTableError(f"{game} has too many endings to keep")
        self._values = self._solve()

    def covers(self, position: Position) -> bool:
        """Whether this is one of the endings."""
        if position.over or position.opening is not None:
            return False
        return all(self._pair(position, seat) is not None for seat in self._seats)

    def value(self, position: Position) -> float:
        """The chance of the player whose turn it is, before the roll."""
        who = self._seats.index(position.seat)
        mine, theirs = (self._pair(position, self._seats[w]) for w in (who, 1 - who))
        assert mine is not None
        assert theirs is not None
        table = who if self._tables > 1 else 0
        return float(self._values[(table * len(self._pairs) + mine) * len(self._pairs) + theirs])

    def chance(self, position: Position, seat: int) -> float:
        """The chance of a seat's player, before the roll or at the end."""
        if position.over:
            return float(position.home[0] == seat)
        own = self.value(position)
        return own if position.seat == seat else 1 - own

    def best(self, position: Position, moves: Sequence[AnyMove]) -> tuple[AnyMove, float, Position]:
        """The best of some moves, the chance it leaves, and where it leads; the first of equals."""
        led = [(move, self.game.play(position, move)) for move in moves]
        valued = [(self.chance(after, position.seat), move, after) for move, after in led]
        value, move, after = max(valued, key=lambda one: one[0])
        return move, value, after

    def _pair(self, position: Position, seat: int) -> int | None:
        own = position.pieces[seat]
        if own[FREE:] != self._deepest or own[0] >= self._arrived:
            return None
        return self._number.get((own[0], own[1]))

    def _solve(self) -> "ctypes.Array[ctypes.c_float]":
        pairs = self._pairs
        pieces = (ctypes.c_int8 * (2 * len(pairs)))(*(one for pair in pairs for one in pair))
        number = (ctypes.c_int16 * (WAY * WAY))(*([-1] * WAY * WAY))
        for n, (low, high) in enumerate(pairs):
            number[(low + 1) * WAY + high + 1] = n
        ending = _Ending(
            len(pairs),
            self._tables,
            ctypes.addressof(pieces),
            ctypes.addressof(number),
        )
        ending.seats[:] = self._seats
        ending.deepest[FREE : FREE + len(self._deepest)] = self._deepest
        rows = self._tables * len(pairs)
        return self._fast.solve_ending(ending, rows, rows * len(pairs), CLOSE, self._level)


def _fast_form(game: Game) -> tuple[BoardGame, FastGame]:
    walked = game.walked
    if walked is None or len(game.players) != 2 or len(game.order) != 2:
        raise NoEndTableError("exact endings are for two players on a board, one colour each")
    try:
        fast = FastGame(game, library())
    except (MissingError, NoFastFormError) as why:
        raise NoEndTableError(str(why)) from None
    made = fast.tables
    if made.turn_rolls or made.most_sixes >= 0 or made.owes or walked.numbers.pieces < FREE:
        raise NoEndTableError(f"a turn of {game} remembers more than where the pieces stand")
    return walked, fast


def _deepest(game: BoardGame) -> tuple[int, ...]:
    """Where the pieces lie that are no longer on their way."""
    home = game.numbers.pieces - FREE
    if game.board.home:
        return (game.last,) * home
    return tuple(range(game.last + 1 - home, game.last + 1))


def _pairs(game: BoardGame) -> list[tuple[int, int]]:
    """Every way in which two pieces can stand, least far along first."""
    top = game.last if game.board.home else game.last - (game.numbers.pieces - FREE)
    single = game.numbers.most_on_square == 1
    found = [
        (low, high)
        for low in range(BASE, top + 1)
        for high in range(low, top + 1)
        if high == BASE or low != high or not single or (game.board.home and high == game.last)
    ]
    return sorted(found, key=lambda pair: (sum(pair), pair))


def _same_for_both(fast: FastGame, one: int, other: int) -> bool:
    """Whether both seats see the same board, so that one table serves both."""
    made = fast.tables
    return all(
        bytes(made.steps[one][face - 1]) == bytes(made.steps[other][face - 1]) for face in FACES
    ) and all(
        made.meets[one][slot][other] == made.meets[other][slot][one]
        and made.beside[one][slot][other] == made.beside[other][slot][one]
        for slot in range(WAY)
    )


@lru_cache(1)
def ends(game: Game) -> Ends | None:
    """The exact endings of a game; None where it has none."""
    try:
        return Ends(game)
    except NoEndTableError:
        return None


def known_ends(positions: Iterable[Position]) -> Ends | None:
    """The exact endings of a game, if one of its positions is among them; else none are made."""
    ending = next((here for here in positions if _looks_like_one(here)), None)
    return None if ending is None else ends(ending.game)


def _looks_like_one(position: Position) -> bool:
    """Whether all pieces but two of each player lie where they no longer move."""
    game = position.game.walked
    if game is None or position.over or len(game.order) != 2 or game.numbers.pieces < FREE:
        return False
    return all(position.pieces[seat][FREE:] == _deepest(game) for seat in game.order)

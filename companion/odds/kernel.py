"""The fast part: `kernel.c` as a shared library, found beside this module and asked through ctypes.

A box need not have it: it is built where there is a compiler (`python -m companion.build`), for the
machines that packages are made for, and a Pi only unpacks it. A library that was built from another
source than the one beside it is as good as none: `MissingError` says why, and `rules` plays.
"""

import ctypes
import hashlib
import sysconfig
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from companion.odds.forms import (
    MOST_MOVES,
    MOVE,
    POSITION,
    WAY,
    NoFastFormError,
    Tables,
    packed,
    tables,
)
from companion.rules import Game, Position

FOLDER = Path(__file__).parent
SOURCE = FOLDER / "kernel.c"
DIGEST = hashlib.sha256().digest_size
OUT_OF_THE_TABLES = -2
MOST_ROUNDS = 10_000
LISTS_OF_A_ROW, STEPS = 64, 12
"""Room for the moves of endings, to begin with; most take less."""


class Level(ctypes.Structure):
    """What pieces are worth to a level of player; the same fields as in `kernel.c`."""

    _fields_ = (
        ("own", ctypes.c_int32 * WAY),
        ("theirs", ctypes.c_int32 * WAY),
        ("danger", ctypes.c_int32),
        ("chase", ctypes.c_int32),
        ("random", ctypes.c_int32),
    )


class Counts(ctypes.Structure):
    """How many play-outs there were; the same fields as in `kernel.c`."""

    _fields_ = (
        ("games", ctypes.c_int64),
        ("unfinished", ctypes.c_int64),
        ("rolls", ctypes.c_int64),
    )


class MissingError(Exception):
    """There is no fast part on this machine; the message says why."""


def library_path(platform: str | None = None) -> Path:
    """Where the library for a kind of machine lies, for instance `linux-aarch64`."""
    kind = (platform or sysconfig.get_platform()).replace("-", "_")
    return FOLDER / f"kernel_{kind}.so"


def check(path: Path) -> None:
    """Raise MissingError if a library is torn, or was built from another source than ours.

    It says both itself, behind its end; opening a torn one would end the process.
    """
    content, source = path.read_bytes(), SOURCE.read_bytes()
    if hashlib.sha256(content[:-DIGEST]).digest() != content[-DIGEST:]:
        raise MissingError(f"the fast part {path.name} is damaged")
    if hashlib.sha256(source).digest() != content[-2 * DIGEST : -DIGEST]:
        raise MissingError(f"the fast part {path.name} was built from another kernel.c")


def load(path: Path) -> ctypes.CDLL:
    """Open a library; raises MissingError, with the reason, for one that cannot be used."""
    try:
        check(path)
        found = ctypes.CDLL(str(path))
    except OSError as fault:
        raise MissingError(f"the fast part {path.name} cannot be used: {fault}") from None
    sizes = [ctypes.sizeof(Tables), POSITION.size, MOVE.size]
    sizes += [ctypes.sizeof(Level), ctypes.sizeof(Counts)]
    if [found.odds_size(n) for n in range(5)] != sizes:
        raise MissingError(f"the fast part {path.name} has its fields in another order")
    found.odds_play_outs.argtypes = [
        *[ctypes.c_void_p] * 4,
        ctypes.c_int,
        ctypes.c_uint64,
        ctypes.c_void_p,
        ctypes.c_int64,
        ctypes.c_int,
        *[ctypes.c_void_p] * 3,
    ]
    found.odds_expand.argtypes = [
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_int,
        *[ctypes.c_void_p] * 2,
    ]
    found.odds_rank.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    found.odds_choose.argtypes = [
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_int,
        ctypes.c_uint64,
        ctypes.c_uint64,
        ctypes.c_void_p,
    ]
    found.odds_ending_moves.argtypes = [
        *[ctypes.c_void_p] * 5,
        ctypes.c_int64,
        *[ctypes.c_void_p] * 2,
        ctypes.c_int64,
    ]
    found.odds_ending_moves.restype = ctypes.c_int64
    found.odds_ending_sweep.argtypes = [
        *[ctypes.c_void_p] * 2,
        ctypes.c_int,
        *[ctypes.c_void_p] * 6,
    ]
    found.odds_ending_sweep.restype = ctypes.c_double
    return found


@cache
def library() -> ctypes.CDLL:
    """The library of this machine; raises MissingError."""
    path = library_path()
    if not path.exists():
        raise MissingError(f"there is no fast part for this machine ({path.name})")
    return load(path)


class FastGame:
    """One game in its fast form. Raises MissingError or NoFastFormError where there is none."""

    def __init__(self, game: Game, library: ctypes.CDLL) -> None:
        self.game, self._library = game, library
        self.tables = tables(game)
        self._moves = ctypes.create_string_buffer(MOVE.size * MOST_MOVES)
        self._nexts = ctypes.create_string_buffer(POSITION.size * MOST_MOVES)
        self._at = ctypes.addressof(self.tables)

    def expand_packed(self, position: bytes, face: int) -> tuple[bytes, bytes]:
        """Every legal move with this roll and where it leads, as the kernel writes them."""
        n = self._library.odds_expand(self._at, position, face, self._moves, self._nexts)
        if n < 0:
            raise NoFastFormError("more is owed than the fast form has room for")
        return self._moves.raw[: n * MOVE.size], self._nexts.raw[: n * POSITION.size]

    def twice_ranks(self, position: Position) -> tuple[int, ...]:
        """Twice the rank of each player when the game is over."""
        found = (ctypes.c_int8 * 4)()
        self._library.odds_rank(self._at, packed(position), found)
        return tuple(found[: len(self.game.players)])

    def choose(self, level: Level, position: Position, face: int, seed: int, number: int) -> int:
        """The number of the move that a level makes, among the legal ones."""
        chosen = ctypes.create_string_buffer(MOVE.size)
        where = packed(position)
        pick = self._library.odds_choose(
            self._at, ctypes.byref(level), where, face, seed, number, chosen
        )
        if pick < 0:
            raise NoFastFormError("more is owed than the fast form has room for")
        return int(pick)

    def play_outs(
        self,
        position: Position,
        face: int,
        levels: Any,
        seats: bytes,
        seed: int,
        rolled: Sequence[int],
        sixes: int,
        most: int,
    ) -> tuple[Counts, bytes, bytes]:
        """So many times six play-outs: wins and twice the ranks of each four seats, by sixes."""
        wins, ranks = ((ctypes.c_uint8 * (4 * sixes))() for _ in range(2))
        counts = Counts()
        done = self._library.odds_play_outs(
            self._at,
            levels,
            seats,
            packed(position),
            face,
            seed,
            (ctypes.c_int32 * 4)(*rolled),
            sixes,
            most,
            wins,
            ranks,
            ctypes.byref(counts),
        )
        if done < 0:
            raise NoFastFormError("more is owed than the fast form has room for")
        return counts, bytes(wins), bytes(ranks)

    def solve_ending(
        self, ending: ctypes.Structure, rows: int, states: int, close: float, level: Level | None
    ) -> "ctypes.Array[ctypes.c_float]":
        """The value of every state of an ending, of which a row has one pair of the mover."""
        library, about = self._library, ctypes.byref(ending)
        playing = None if level is None else ctypes.byref(level)
        first, kinds = (ctypes.c_uint32 * rows)(), (ctypes.c_uint16 * states)()
        room, used = LISTS_OF_A_ROW * rows, -1
        while used < 0:
            lists, steps = (ctypes.c_uint32 * room)(), (ctypes.c_uint16 * (STEPS * room))()
            used = library.odds_ending_moves(
                self._at, about, playing, first, lists, room, kinds, steps, STEPS * room
            )
            if used == OUT_OF_THE_TABLES:
                raise NoFastFormError("a move leads out of these endings")
            room *= 2
        values, turned = ((ctypes.c_float * states)() for _ in range(2))
        draws = level is not None
        for _ in range(MOST_ROUNDS):
            changed = library.odds_ending_sweep(
                self._at, about, draws, first, lists, kinds, steps, values, turned
            )
            if changed < close:
                break
        return values

"""Sheets as data: articles in printed order, each with its words and its clause functions.

A clause function returns evidence, never text:

- `counts` look at a piece and a roll alone: `(game, move) -> Evidence | None`.
- `forbids` look at the table: of the moves on offer, all of one colour, they name those they
  object to: `(game, position, moves) -> [(move, Evidence), ...]`. The card game, which has no
  pieces to count, has only these.
- `compels` name the moves on offer that must be chosen from: `(game, position, moves) -> moves`;
  an empty answer means no duty.
- `after` carries out what a move brings about, on a list of the pieces, and tells of each
  piece that went elsewhere: `(game, position, move, pieces) -> [(what, seat, progress), ...]`.
- `may_pass` tells whether the player may also leave these moves be.
- `turn_rolls` says how many rolls a turn begins with.
- `settles` puts the seats in order once the neutral colour is home.

A variant is an article with an `option`; it may take the clauses of others out (`replaces`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.rules.boards import Board, Mat
from companion.rules.dice import Die
from companion.rules.moves import Move
from companion.rules.verdicts import Evidence

if TYPE_CHECKING:
    from companion.rules.boardgame import BoardGame
    from companion.rules.game import Game
    from companion.rules.positions import Position

Pieces = tuple[int, ...]
Told = tuple[str, int, int]
"""What happened, to whose piece, and its progress then."""

Count = Callable[["BoardGame", Move], Evidence | None]
Objections = Sequence[tuple[Any, Evidence]]
Forbid = Callable[[Any, "Position", Sequence[Any]], Objections]
Duty = Callable[["BoardGame", "Position", Sequence[Move]], Sequence[Move]]
After = Callable[["BoardGame", "Position", Move, list[Pieces]], Iterable[Told]]
MayPass = Callable[["BoardGame", "Position", Sequence[Any]], bool]
TurnRolls = Callable[["BoardGame", Sequence[Pieces], int], int]
Settles = Callable[["Position", tuple[int, ...]], tuple[int, ...]]


@dataclass(frozen=True)
class Option:
    """A switch of a sheet: its name in code, its default and the values it can take."""

    name: str
    default: bool | int = False
    allowed: tuple[bool | int, ...] = (False, True)


@dataclass(frozen=True)
class Article:
    """One clause of a sheet in our own words; `reading` is what we settled ourselves."""

    id: str
    text: str
    reading: str = ""
    counts: tuple[Count, ...] = ()
    forbids: tuple[Forbid, ...] = ()
    compels: tuple[Duty, ...] = ()
    after: tuple[After, ...] = ()
    may_pass: MayPass | None = None
    turn_rolls: TurnRolls | None = None
    settles: Settles | None = None
    off_way: bool = False
    option: str | None = None
    replaces: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """A printed rule sheet: the numbers as data, and every clause in order."""

    id: str
    title: str
    source: str
    about: str
    board: Board | Mat
    die: Die
    articles: tuple[Article, ...]
    build: Callable[..., "Game"]
    options: tuple[Option, ...] = ()

    def article(self, clause: str) -> Article:
        """The article with this id; raises KeyError."""
        return next(a for a in self.articles if a.id == clause)

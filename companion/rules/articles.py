"""Sheets as data: articles in printed order, each with its words and its clause functions.

A clause function returns evidence, never text:

- `counts` look at a piece and a roll alone: `(game, move) -> Evidence | None`.
- `forbids` look at the table: of the moves on offer, all of one colour, they name those they
  object to: `(game, position, moves) -> [(move, Evidence), ...]`. The card game, which has no
  pieces to count, has only these.
- `compels` name the moves on offer that must be chosen from: `(game, position, moves) -> moves`;
  an empty answer means no duty.
- `captures` are asked only where a move ends on other colours' pieces, before all `after`; those
  that are about a piece coming in (`captures_entering`) take their place for such moves.
- `after` carries out what a move brings about, on a list of the pieces, and tells of each
  piece that went elsewhere: `(game, position, move, pieces) -> [(what, seat, progress), ...]`.
- `may_pass` tells whether the player may also leave these moves be; `must_move`, where the
  player may not, whether it is this article that says so: `(game, position, moves) -> bool`.
- `turn_rolls` says how many rolls a turn begins with.
- `earns_roll`, `earns_squares` (a `bonus`), `reckons` and `sends_back` are what a roll owes besides
  a move: see `owing.py`.
- `settles` puts the seats in order once the neutral colour is home.

A variant is an article with an `option`; it may take the clauses of others out (`replaces`), or
put others in their place under the id that they had (`amends`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.rules.boards import Board, Mark, Mat
from companion.rules.dice import Die
from companion.rules.errors import known
from companion.rules.moves import Move
from companion.rules.verdicts import Evidence, Happening

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
MustMove = Callable[[Any, "Position", Sequence[Any]], bool]
TurnRolls = Callable[["BoardGame", Sequence[Pieces], int], int]
EarnsRoll = Callable[[Any, "Position", Move, Sequence[Happening]], bool]
EarnsSquares = Callable[[Any, "Position", Move, Sequence[Happening]], int]
Settles = Callable[["Position", tuple[int, ...]], tuple[int, ...]]


@dataclass(frozen=True)
class Reckoning:
    """A face that counts as another number while a colour's pieces stand in some way."""

    face: int
    count: int
    when: Callable[[Pieces], bool]


@dataclass(frozen=True)
class Option:
    """A switch of a sheet: its name in code, its default and the values it can take."""

    name: str
    default: bool | int = False
    allowed: tuple[bool | int, ...] = (False, True)


@dataclass(frozen=True)
class Article:
    """One clause of a sheet in our own words; `reading` is what we settled ourselves.

    `slip` is what a neglected duty is called, where it is not the usual one.
    """

    id: str
    text: str
    reading: str = ""
    counts: tuple[Count, ...] = ()
    forbids: tuple[Forbid, ...] = ()
    compels: tuple[Duty, ...] = ()
    captures: tuple[After, ...] = ()
    captures_entering: tuple[After, ...] = ()
    after: tuple[After, ...] = ()
    may_pass: MayPass | None = None
    must_move: MustMove | None = None
    turn_rolls: TurnRolls | None = None
    earns_roll: EarnsRoll | None = None
    earns_squares: EarnsSquares | None = None
    bonus: int = 0
    reckons: Reckoning | None = None
    sends_back: bool = False
    slip: str = ""
    settles: Settles | None = None
    off_way: bool = False
    option: str | None = None
    replaces: tuple[str, ...] = ()
    amends: tuple["Article", ...] = ()


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
    marks: tuple[Mark, ...] = ()
    """The marks of the board that mean something in the game."""
    check_colours: Callable[[Mapping[str, Any], tuple[str, ...]], None] | None = None
    """Refuses options that a new game of these colours cannot have, which old games may."""

    def article(self, clause: str) -> Article:
        """The article with this id; raises BadInput with the ids there are."""
        known(f"clause of {self.id}", clause, (article.id for article in self.articles))
        return next(article for article in self.articles if article.id == clause)

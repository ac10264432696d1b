"""The table as it really is: pieces with colours on places, in hands, beside the board, lost.

Whoever looks at it knows everything. What the box hears of it is only what `sense` is told:
a place has become occupied, or empty. Two pieces on one square look like one.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import permutations
from typing import NamedTuple, Protocol

from companion.rules import Position
from companion.rules.boardgame import BoardGame
from companion.rules.boards import BASE, Board

Colours = Counter[tuple[str, str]]
"""How many pieces of a colour stand on a spot, by (spot, colour)."""

HAND, BESIDE, FLOOR = "hand", "beside", "floor"
FAR = 1000
"""Steps: further than any way on a board; so far is a square from which none leads there."""


class AnyTable(Protocol):
    """What an evening wants of a table, whatever lies on it."""

    sense: Callable[[str, bool], None]

    def on(self) -> frozenset[str]:
        """Every place whose sensor is on."""

    def set_up(self, position: Position) -> None:
        """All as in a position, without telling any sensor."""

    def is_like(self, position: Position) -> bool:
        """Whether all is as a position has it."""

    def astray(self, position: Position) -> str:
        """What is not as a position has it, in words."""


class Hop(NamedTuple):
    """A piece of a colour goes from a spot to a spot."""

    colour: str
    origin: str
    target: str


class Ground(NamedTuple):
    """What never changes on a board: which places a spot has, and which lie side by side."""

    spot_of: dict[str, str]
    places_of: dict[str, tuple[str, ...]]
    beside: dict[str, tuple[str, ...]]


def _survey(board: Board) -> Ground:
    spot_of = {
        place.name: place.name[:-1] if place.kind in ("base", "home") else place.name
        for place in board.places
    }
    places_of: dict[str, tuple[str, ...]] = {}
    for place, spot in spot_of.items():
        places_of[spot] = (*places_of.get(spot, ()), place)
    squares = [place for place in board.places if place.kind in ("track", "finish")]
    beside = {
        one.name: tuple(
            other.name
            for other in squares
            if other is not one and abs(one.x - other.x) + abs(one.y - other.y) < 1.5
        )
        for one in squares
    }
    return Ground(spot_of, places_of, beside)


_GROUNDS: dict[str, Ground] = {}


def ground(board: Board) -> Ground:
    """What never changes on this board."""
    if board.name not in _GROUNDS:
        _GROUNDS[board.name] = _survey(board)
    return _GROUNDS[board.name]


def game_of(position: Position) -> BoardGame:
    """The game of a position that is played on a board."""
    assert isinstance(position.game, BoardGame)
    return position.game


def colours_in(position: Position) -> Colours:
    """Where a position has each colour."""
    game = game_of(position)
    return Counter(
        (game.spot(seat, piece), game.colours[seat])
        for seat, own in enumerate(position.pieces)
        for piece in own
    )


class Table:
    """The pieces, wherever they are. Every change of a sensor is told to `sense` at once."""

    def __init__(self, board: Board, sense: Callable[[str, bool], None] | None = None) -> None:
        self.board = board
        self.ground = ground(board)
        self.sense = sense or (lambda place, on: None)
        self.stands: dict[str, list[str]] = {}
        self.away: dict[str, list[str]] = {HAND: [], BESIDE: [], FLOOR: []}

    # -- looking ---------------------------------------------------------------------------

    def on(self) -> frozenset[str]:
        """Every place whose sensor is on."""
        return frozenset(self.stands)

    def colours(self) -> Colours:
        """What stands where, by spot; pieces off the board are not in it."""
        spot_of = self.ground.spot_of
        return Counter(
            (spot_of[place], colour) for place, own in self.stands.items() for colour in own
        )

    def is_like(self, position: Position) -> bool:
        """Whether each colour is where a position has it, and nothing is off the board."""
        return self.colours() == colours_in(position)

    def taken(self, spot: str, colour: str | None = None) -> str | None:
        """A place of a spot where a piece (of this colour) stands; it is the topmost there."""
        for place in reversed(self.ground.places_of.get(spot, (spot,))):
            own = self.stands.get(place)
            if own and (colour is None or colour in own):
                return place
        return None

    def free(self, spot: str) -> str:
        """A place of a spot where a piece can be set: an empty one, if there is any."""
        places = self.ground.places_of.get(spot, (spot,))
        return next((place for place in places if place not in self.stands), places[0])

    def missing(self, position: Position) -> Colours:
        """What a position has and the board has not."""
        return colours_in(position) - self.colours()

    def extra(self, position: Position) -> Colours:
        """What stands where a position has nothing of that colour."""
        return self.colours() - colours_in(position)

    def astray(self, position: Position) -> str:
        lost = {where: own for where, own in self.away.items() if own}
        extra, missing = sorted(self.extra(position)), sorted(self.missing(position))
        return f"too much {extra} missing {missing} away {lost}"

    # -- doing -----------------------------------------------------------------------------

    def set_up(self, position: Position) -> None:
        """All pieces as in a position, without telling any sensor."""
        self.stands.clear()
        for gone in self.away.values():
            gone.clear()
        for (spot, colour), count in sorted(colours_in(position).items()):
            for _ in range(count):
                self.stands.setdefault(self.free(spot), []).append(colour)

    def lift(self, place: str, colour: str | None = None, to: str = HAND) -> str:
        """Take a piece off a place: the topmost, or the topmost of a colour."""
        own = self.stands[place]
        at = len(own) - 1 if colour is None else len(own) - 1 - own[::-1].index(colour)
        taken = own.pop(at)
        self.away[to].append(taken)
        if not own:
            del self.stands[place]
            self.sense(place, False)
        return taken

    def put(self, place: str, colour: str, since: str = HAND) -> None:
        """Set a piece down, on top of what stands there."""
        self.away[since].remove(colour)
        own = self.stands.setdefault(place, [])
        own.append(colour)
        if len(own) == 1:
            self.sense(place, True)

    def keep(self, colour: str, since: str, to: str) -> None:
        """A piece off the board changes hands, or is laid aside, or falls."""
        self.away[since].remove(colour)
        self.away[to].append(colour)

    def where_away(self, colour: str | None) -> tuple[str, str] | None:
        """A piece (of this colour) that is off the board: where, and its colour."""
        for where in (HAND, BESIDE, FLOOR):
            for held in reversed(self.away[where]):
                if colour is None or held == colour:
                    return where, held
        return None


def hops_back(table: Table, position: Position) -> list[Hop]:
    """What somebody does who knows how it was: each colour to where a position has it.

    Pieces off the board have no origin here: their hop starts at ''.
    """
    extra = sorted(table.extra(position).elements())
    hops = []
    for spot, colour in sorted(table.missing(position).elements()):
        found = next((one for one in extra if one[1] == colour), None)
        if found is not None:
            extra.remove(found)
        hops.append(Hop(colour, found[0] if found else "", spot))
    return in_free_order(hops, table)


def the_short_way(hops: list[Hop], game: BoardGame) -> list[Hop]:
    """The same board in the end, and the pieces of a colour go as little as they can, together.

    Fingers name the piece that goes: who carried one to where another belongs would say so.
    """
    ways = {
        colour: {game.spot(seat, at): at for at in range(BASE, game.last + 1)}
        for seat, colour in enumerate(game.colours)
    }

    def length(hop: Hop) -> float:
        way = ways[hop.colour]
        known = hop.origin in way and hop.target in way
        return abs(way[hop.origin] - way[hop.target]) if known else FAR * bool(hop.origin)

    found: list[Hop] = []
    for colour in dict.fromkeys(hop.colour for hop in hops):
        own = [hop for hop in hops if hop.colour == colour]
        orders = (
            [hop._replace(origin=origin) for hop, origin in zip(own, origins, strict=True)]
            for origins in permutations(hop.origin for hop in own)
        )
        found += min(orders, key=lambda order: sum(map(length, order)))
    return sorted(found, key=lambda hop: (not hop.origin, length(hop)))


def in_free_order(hops: Iterable[Hop], table: Table) -> list[Hop]:
    """The same hops, in an order in which a square is left before it is needed, if there is one."""
    waiting, ordered = list(hops), []
    while waiting:
        origins = {hop.origin for hop in waiting}
        ready = next((hop for hop in waiting if hop.target not in origins), waiting[0])
        waiting.remove(ready)
        ordered.append(ready)
    return ordered

"""The simulated table the page plays on: pieces that hands lift and put, and what sensors say.

Every piece has a name (`red2`) and stands on a place, or is in the air. The sensors know less, as
under a real board: only whether anything stands on a place. But the table tells with them who
stands where, so that nobody here is asked what everybody sees.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from companion.events import Found, Snapshot
from companion.referee import PUTTING_RIGHT, Step, View
from companion.rules import BOARDS, BadInput, Board, Move, Position, outcome
from companion.rules.places import base_of, spot_of
from companion.table.sim import SimBoard

SINGLE = ("base", "home")
"""The kinds of places that have room for one piece."""
UNPLAYED = ("setting", "over")
"""The phases in which pieces are set up or cleared away: nobody captures."""
Carry = tuple[str, str]
"""A piece, and the place it is to be put on."""


class AnyBoard(SimBoard):
    """Simulated sensors for whichever board is laid on the table."""

    def __init__(self) -> None:
        names = {place.name: None for board in BOARDS.values() for place in board.places}
        super().__init__(names)
        self.laid = False
        """Whether the sensors have ever seen a board."""
        self._pieces: tuple[tuple[str, str], ...] = ()

    def lay(self, pieces: Iterable[tuple[str, str]]) -> None:
        """Another board with pieces on it is laid on the table: seen at once, as a whole."""
        self.laid = True
        self.on = {self._known(place) for place, _ in pieces}
        self.tell(pieces)

    def tell(self, pieces: Iterable[tuple[str, str]]) -> None:
        """Tell who stands where, which real sensors do not know: places and colours."""
        self._pieces = tuple(pieces)
        self._tell(Snapshot(frozenset(self.on), self._pieces))

    def _found(self) -> None:
        """Before a board is laid there is none to look at: an empty one would be put right."""
        self._tell(Found(self.name, self._what))
        if self.laid:
            self.tell(self._pieces)


class Tabletop:
    """The pieces on the table; those that were `left` on it stand there when its board is laid."""

    def __init__(self, sensors: AnyBoard, left: Mapping[str, str] | None = None) -> None:
        self.sensors = sensors
        self._left = dict(left or {})
        self.board: Board | None = None
        self.at: dict[str, str | None] = {}
        self.colours: dict[str, str] = {}
        self.sensing = "presence"
        self.version = 0
        self._origins: dict[str, str] = {}
        self._pressed: tuple[str, ...] = ()

    # -- what hands do -----------------------------------------------------------------------

    def lift(self, piece: str) -> None:
        """Take a piece off the board."""
        place = self._at(piece)
        if place is None:
            return
        self._stand(piece, None)
        self._origins[piece] = place
        if self.sensing == "touch":
            self._press_to_lift(place)
        else:
            if place not in self.at.values():
                self.sensors.take(place)
            self.sensors.tell(self._pieces())

    def put(self, piece: str, place: str) -> None:
        """Put a piece that is in the air on a place."""
        if self._at(piece) is not None:
            raise BadInput(f"{piece} stands on {self.at[piece]}: lift it first")
        spot = self._place(place)
        if spot.kind in SINGLE and place in self.at.values():
            raise BadInput(f"{place} is taken: there is room for one piece")
        self._stand(piece, place)
        if self.sensing == "touch":
            self.press(place)
            self._pressed = ()
        else:
            self.sensors.put(place)
            self.sensors.tell(self._pieces())

    def slide(self, piece: str, place: str) -> None:
        """Push a piece that is on its way over a place; on an empty one the sensor feels it."""
        if self._at(piece) is not None:
            raise BadInput(f"{piece} stands on {self.at[piece]}: lift it first")
        if self._place(place).name not in self.at.values() and self.sensing == "presence":
            self.sensors.put(place)
            self.sensors.take(place)
            self.sensors.tell(self._pieces())

    def press(self, place: str) -> None:
        """Press a button at a place, and let it go."""
        if place in self.sensors.on:
            self.sensors.take(place)
        self.sensors.put(place)
        self.sensors.take(place)

    def _press_to_lift(self, place: str) -> None:
        """Press where a piece is taken from; a square that was pressed before is let go of."""
        spot = spot_of(place)
        if spot in self._pressed:
            return
        for before in self._pressed:
            self.press(self._places(before)[0])
        self.press(place)
        self._pressed = (spot,)

    def making_way(self, view: View, piece: str, place: str) -> dict[str, str]:
        """Who makes way when this piece is put there, and the spot where it goes; it may be one.

        A legal move says whom it sends home. Whoever puts a piece where it belongs takes along who
        does not. By all else those on which it is set are captured.
        """
        position = view.position
        if self.sensing != "presence" or position is None or view.phase in UNPLAYED:
            return {}
        moves = list(self._made(view, piece, place))
        if moves:
            home = self._sent_home(position, piece, moves)
        elif self._misses(position, self.colours[piece], place):
            return self._yet_to_leave(position, place)
        elif self._may_share(position, place) or self._origins.get(piece) == place:
            return {}
        else:
            home = {one for one in self._on(place) if self.colours[one] != self.colours[piece]}
        return {one: base_of(self.colours[one]) for one in sorted(home)}

    def _sent_home(self, position: Position, piece: str, moves: list[Move]) -> set[str]:
        found: set[str] = set()
        game, before = position.game, position.pieces
        for move in moves:
            there, told = outcome(position, move)
            after = there.pieces
            for rival, at in game.captured_by(before, move):
                beaten = game.colours[rival], game.spot(rival, at)
                if after[rival].count(at) < before[rival].count(at):
                    found.update(name for name in self.at if self._is(name, beaten))
            if any((one.what, one.seat) == ("sent_back", move.seat) for one in told):
                found.add(piece)  # unlike a penalty, which another piece pays
        return found

    def _misses(self, position: Position, colour: str, place: str) -> bool:
        """Whether the game has another piece of a colour there."""
        seat, spot = position.game.colours.index(colour), spot_of(place)
        wanted = sum(position.game.spot(seat, at) == spot for at in position.pieces[seat])
        return wanted > sum(self._is(name, (colour, spot)) for name in self.at)

    def _yet_to_leave(self, position: Position, place: str) -> dict[str, str]:
        """Who does not belong there, and where it goes; so on from there."""
        goes, found, places = dict(self.carries(position)), dict[str, str](), [place]
        for here in places:
            for name in self._on(here):
                if name in goes and name not in found:
                    found[name] = spot_of(goes[name])
                    places.append(goes[name])
        return found

    def _on(self, place: str) -> list[str]:
        return [name for name, at in self.at.items() if at == place]

    def _may_share(self, position: Position, place: str) -> bool:
        """Whether colours stand side by side there."""
        return place in {str(square + 1) for square in position.game.safe_squares}

    def _made(self, view: View, piece: str, place: str) -> Iterator[Move]:
        """The legal moves that putting a piece there may make."""
        if self.sensing != "presence" or view.phase not in ("move", "illegal"):
            return
        assert view.position is not None
        game, began = view.position.game, spot_of(self._origins.get(piece, ""))
        for move in view.legal:
            if not isinstance(move, Move) or game.colours[move.seat] != self.colours.get(piece):
                continue
            origin, target = game.stops(move)
            if target == spot_of(place) and (origin == began or view.phase == "illegal"):
                yield move

    def _is(self, piece: str, colour_and_spot: tuple[str, str]) -> bool:
        place = self.at[piece]
        return place is not None and (self.colours[piece], spot_of(place)) == colour_and_spot

    def put_at(self, piece: str, spot: str) -> None:
        """Put a piece on a square, or where there is room in a base or a home."""
        places = self._places(spot)
        self.put(piece, next((one for one in places if not self._taken(one)), places[0]))

    def _taken(self, place: str) -> bool:
        return place in self.at.values()

    # -- what the game says ------------------------------------------------------------------

    def follow(self, view: View) -> None:
        """Lay the board of a new game; without sensors pieces stand where the game has them."""
        position, self.sensing, self._pressed = view.position, view.sensing, view.pressed
        if position is None:
            return
        board = position.game.board.walked
        unseen = view.sensing != "presence" or not self.sensors.laid
        fresh = view.phase == "setting" and bool(view.remedy or unseen)
        if board is None:
            self.board, self.at = None, {}
        elif board is not self.board or fresh or self._others(position):
            left, self._left = self._left, {}
            self.lay(board, position, {} if fresh else left)
        elif self.sensing != "presence" and not (self._is_under_way(view) or is_astray(view)):
            self._jump(position)

    def _is_under_way(self, view: View) -> bool:
        """Whether pieces stand elsewhere because a move has only begun."""
        return self.in_hand or _waits(view) or self._is_captured_first(view)

    def _is_captured_first(self, view: View) -> bool:
        """Whether all that differs is that who may be captured has been sent home before."""
        position = view.position
        assert position is not None
        game = position.game
        captured = {
            (game.colours[rival], game.spot(rival, at))
            for move in view.legal
            if isinstance(move, Move)
            for rival, at in game.captured_by(position.pieces, move)
        }
        return all(
            (self.colours[name], spot_of(place)) in captured
            and spot_of(self.at[name] or "") == base_of(self.colours[name])
            for name, place in self.carries(position)
        )

    def lay(self, board: Board, position: Position, left: Mapping[str, str] | None = None) -> None:
        """Put a board on the table with its pieces where a position has them, or hands `left` them.

        Without sensors nobody would say that they stand elsewhere.
        """
        self.board, self.at, self.colours = board, {}, {}
        for seat, pieces in enumerate(position.pieces):
            colour = position.game.colours[seat]
            for number in range(1, len(pieces) + 1):
                self.at[f"{colour}{number}"] = None
                self.colours[f"{colour}{number}"] = colour
        if left and self.sensing == "presence" and self._fits(left):
            self.at.update(left)
        else:
            self._jump(position)
        if self.sensing == "presence":
            self.sensors.lay(self._pieces())

    def left(self) -> dict[str, str]:
        """Where pieces stay when everybody goes: those in a hand are put back, or beside there."""
        found = {name: place for name, place in self.at.items() if place is not None}
        for name in self.at.keys() - found.keys():
            found[name] = self._free_at(self._origins[name], found.values())
        return found

    def _free_at(self, place: str, taken: Collection[str]) -> str:
        """This place, or a free one like it if there is room for one piece only."""
        assert self.board is not None
        spot = self.board.by_name[place]
        if spot.kind not in SINGLE or place not in taken:
            return place
        alike = (
            one for one in self.board.places if (one.kind, one.colour) == (spot.kind, spot.colour)
        )
        return next((one.name for one in alike if one.name not in taken), place)

    def _fits(self, left: Mapping[str, str]) -> bool:
        """Whether these are the pieces of the game, on places that have room for them."""
        assert self.board is not None
        known, places = self.board.by_name, list(left.values())
        return left.keys() == self.at.keys() and all(
            place in known and (known[place].kind not in SINGLE or places.count(place) == 1)
            for place in places
        )

    def carries(self, position: Position) -> list[Carry]:
        """What hands have to carry so that the board is as a position has it."""
        assert self.board is not None
        todo: list[tuple[str, list[str]]] = []
        staying: set[str] = set()
        for seat, pieces in enumerate(position.pieces):
            colour = position.game.colours[seat]
            wanted = [self.board.spot(seat, piece) for piece in pieces]
            loose = []
            for name in self._own(colour):
                place = self.at[name]
                spot = spot_of(place) if place is not None else ""
                if spot in wanted and place is not None:
                    wanted.remove(spot)
                    staying.add(place)
                else:
                    loose.append(name)
            todo += [(name, self._places(spot)) for name, spot in zip(loose, wanted, strict=True)]
        found: list[Carry] = []
        for name, places in sorted(todo, key=lambda one: len(one[1]), reverse=True):
            place = next((p for p in places if p not in staying), places[0])
            staying.add(place)
            found.append((name, place))
        return found

    def steps_to(self, position: Position) -> list[Step]:
        """What hands have to carry for that, as steps are told."""
        here = {name: None if at is None else spot_of(at) for name, at in self.at.items()}
        return [
            Step(here[name], spot_of(place), self.colours[name])
            for name, place in self.carries(position)
        ]

    def standing(self) -> list[Mapping[str, Any]]:
        """Every piece as the page draws it."""
        return [
            {"id": name, "colour": self.colours[name], "place": place}
            for name, place in self.at.items()
        ]

    @property
    def in_hand(self) -> bool:
        """Whether a piece is in the air."""
        return None in self.at.values()

    def _pieces(self) -> list[tuple[str, str]]:
        """Where pieces stand, with their colours."""
        stand = ((place, self.colours[name]) for name, place in self.at.items())
        return sorted((place, colour) for place, colour in stand if place is not None)

    def _others(self, position: Position) -> bool:
        """Whether other pieces are on the table than the game has."""
        wanted = {
            f"{position.game.colours[seat]}{number}"
            for seat, pieces in enumerate(position.pieces)
            for number in range(1, len(pieces) + 1)
        }
        return wanted != self.at.keys()

    def _jump(self, position: Position) -> None:
        carries = self.carries(position)
        for name, _ in carries:
            self._stand(name, None)
        for name, place in carries:
            self._stand(name, place)

    def _places(self, spot: str) -> list[str]:
        assert self.board is not None
        known = self.board.by_name
        return [spot] if spot in known else [f"{spot}{n}" for n in range(1, 5)]

    def _own(self, colour: str) -> list[str]:
        return [name for name, its in self.colours.items() if its == colour]

    def _stand(self, piece: str, place: str | None) -> None:
        self.at[piece] = place
        self._origins.pop(piece, None)
        self.version += 1

    def _at(self, piece: str) -> str | None:
        if piece not in self.at:
            raise BadInput(f"there is no piece {piece!r} on the table")
        return self.at[piece]

    def _place(self, name: str) -> Any:
        if self.board is None or name not in self.board.by_name:
            raise BadInput(f"there is no place {name!r} on the board")
        return self.board.by_name[name]


def _waits(view: View) -> bool:
    """Whether a press may have set a piece on somebody, or begin where that one goes home from.

    Only the next press tells; a press on a piece that may move chooses it.
    """
    assert view.position is not None
    game = view.position.game
    movers = {game.stops(one)[0] for one in view.legal if isinstance(one, Move)}
    return any(spot_of(place) not in movers for place in view.pressed)


def is_astray(view: View) -> bool:
    """Whether pieces stand elsewhere than the game has them, and hands put that right."""
    return view.phase in PUTTING_RIGHT and bool(view.remedy)

"""The simulated table the page plays on: pieces that hands lift and put, and what sensors say.

Every piece has a name (`red2`) and stands on a place, or is in the air. The sensors know less:
only whether anything stands on a place, as under a real board.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from companion.events import Found, Snapshot
from companion.referee import PUTTING_RIGHT, View
from companion.rules import BOARDS, BadInput, Board, Move, Position, outcome
from companion.rules.boards import BASE
from companion.rules.places import base_of, spot_of
from companion.table.sim import SimBoard

Carry = tuple[str, str]
"""A piece, and the place it is to be put on."""


class AnyBoard(SimBoard):
    """Simulated sensors for whichever board is laid on the table."""

    def __init__(self) -> None:
        names = {place.name: None for board in BOARDS.values() for place in board.places}
        super().__init__(names)
        self._laid = False

    def lay(self, on: Iterable[str]) -> None:
        """Another board with pieces on it is laid on the table: seen at once, as a whole."""
        self._laid = True
        self.on = {self._known(place) for place in on}
        self._tell(Snapshot(frozenset(self.on)))

    def _found(self) -> None:
        """Before a board is laid there is none to look at: an empty one would be put right."""
        if self._laid:
            super()._found()
        else:
            self._tell(Found(self.name, self._what))


class Tabletop:
    """The pieces on the table."""

    def __init__(self, sensors: AnyBoard) -> None:
        self.sensors = sensors
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
        elif place not in self.at.values():
            self.sensors.take(place)

    def put(self, piece: str, place: str) -> None:
        """Put a piece that is in the air on a place."""
        if self._at(piece) is not None:
            raise BadInput(f"{piece} stands on {self.at[piece]}: lift it first")
        spot = self._place(place)
        if spot.kind in ("base", "home") and place in self.at.values():
            raise BadInput(f"{place} is taken: there is room for one piece")
        self._stand(piece, place)
        if self.sensing == "touch":
            self.press(place)
            self._pressed = ()
        else:
            self.sensors.put(place)

    def slide(self, piece: str, place: str) -> None:
        """Push a piece that is on its way over a place; on an empty one the sensor feels it."""
        if self._at(piece) is not None:
            raise BadInput(f"{piece} stands on {self.at[piece]}: lift it first")
        if self._place(place).name not in self.at.values() and self.sensing == "presence":
            self.sensors.put(place)
            self.sensors.take(place)

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

    def sent_home(self, view: View, piece: str, place: str) -> list[str]:
        """The pieces that a legal move sends home by putting this one there; it may be one."""
        found: set[str] = set()
        for move in self._made(view, piece, place):
            assert view.position is not None
            game, before = view.position.game, view.position.pieces
            after = outcome(view.position, move).position.pieces
            for rival, at in game.captured_by(before, move):
                beaten = game.colours[rival], game.spot(rival, at)
                if after[rival].count(at) < before[rival].count(at):
                    found.update(name for name in self.at if self._is(name, beaten))
            if after[move.seat].count(BASE) > before[move.seat].count(BASE):
                found.add(piece)
        return sorted(found)

    def unseen(self, view: View, piece: str, place: str) -> Move | None:
        """The legal move that putting this one there makes, if the sensors do not see all of it.

        That is one from a stack, or to one: something stands there before and after.
        """
        if not self.is_blind(piece, place) or view.phase != "move":
            return None
        return next(self._made(view, piece, place), None)

    def is_blind(self, piece: str, place: str) -> bool:
        """Whether a sensor misses it when a piece goes there: it leaves somebody, or joins."""
        return self._taken(self._origins.get(piece, "")) or self._taken(place)

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

    def put_home(self, piece: str) -> None:
        """Put a piece into its base."""
        free = (p for p in self._places(base_of(self.colours[piece])) if not self._taken(p))
        self.put(piece, next(free))

    def stands_unseen(self, colour: str, spot: str) -> bool:
        """Whether a piece of a colour shares a place with another: no sensor tells who came.

        While one of that colour is in a hand, that one has yet to come.
        """
        held = any(self.at[name] is None for name in self._own(colour))
        return not held and any(
            self._is(name, (colour, spot)) and list(self.at.values()).count(self.at[name]) > 1
            for name in self.at
        )

    def _taken(self, place: str) -> bool:
        return place in self.at.values()

    # -- what the game says ------------------------------------------------------------------

    def follow(self, view: View) -> None:
        """Lay the board of a new game; without sensors pieces stand where the game has them."""
        position, self.sensing, self._pressed = view.position, view.sensing, view.pressed
        if position is None:
            return
        board = position.game.board.walked
        fresh = view.phase == "setting" and bool(view.remedy or view.sensing != "presence")
        if board is None:
            self.board, self.at = None, {}
        elif board is not self.board or fresh or self._others(position):
            self.lay(board, position)
        elif self.sensing != "presence" and not self._in_hand and not is_astray(view):
            self._jump(position)

    def lay(self, board: Board, position: Position) -> None:
        """Put a board on the table with its pieces where a position has them."""
        self.board, self.at, self.colours = board, {}, {}
        for seat, pieces in enumerate(position.pieces):
            colour = position.game.colours[seat]
            for number in range(1, len(pieces) + 1):
                self.at[f"{colour}{number}"] = None
                self.colours[f"{colour}{number}"] = colour
        self._jump(position)
        if self.sensing == "presence":
            self.sensors.lay({place for place in self.at.values() if place is not None})

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

    def ways(self, position: Position) -> set[tuple[str | None, str]]:
        """From where to where hands have to carry pieces, as steps are told."""
        return {
            (None if (here := self.at[name]) is None else spot_of(here), spot_of(place))
            for name, place in self.carries(position)
        }

    def standing(self) -> list[Mapping[str, Any]]:
        """Every piece as the page draws it."""
        return [
            {"id": name, "colour": self.colours[name], "place": place}
            for name, place in self.at.items()
        ]

    @property
    def _in_hand(self) -> bool:
        return None in self.at.values()

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


def is_astray(view: View) -> bool:
    """Whether pieces stand elsewhere than the game has them, and hands put that right."""
    return view.phase in PUTTING_RIGHT and bool(view.remedy)

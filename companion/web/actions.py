"""Does what a page asks: on the simulated table with its pieces, on a real one by command."""

import asyncio
from collections.abc import Callable, Mapping
from functools import singledispatchmethod
from random import Random
from typing import Any

from msgspec import structs

from companion import orders
from companion.events import Asker, Event, Pressed
from companion.referee import SETTINGS, Times, View
from companion.rules import BadInput, Game, game
from companion.rules.levels import check_seat
from companion.table.sim import SimButtons, SimDie
from companion.web.guard import RequestRefused
from companion.web.hands import PACE, Hands
from companion.web.host import Host
from companion.web.tabletop import AnyBoard, Tabletop, is_astray

BY_ITSELF = {"touch": ("setting",), "choose": ("setting", "restore", "penalty")}
"""By the way of sensing, the phases in which the pieces go where the game has them."""


class Simulation:
    """The parts of a simulated table that a page moves; `changed` is told when pieces did."""

    def __init__(
        self,
        host: Host,
        changed: Callable[[], None],
        times: Times,
        pace: float = PACE,
        left: Mapping[str, str] | None = None,
    ) -> None:
        self._host = host
        devices = host.devices
        assert isinstance(devices.board, AnyBoard)
        assert isinstance(devices.die, SimDie)
        assert isinstance(devices.buttons, SimButtons)
        self.die, self.buttons = devices.die, devices.buttons
        self.table = Tabletop(devices.board, left)
        self.changed = changed
        self.hands = Hands(host, self.table, self.die, Random(), changed, times, pace)

    def put(self, piece: str, place: str) -> None:
        """Put a piece down; who makes way is carried where it goes, as on any board on a screen."""
        ways = self.table.making_way(self._host.view, piece, place)
        for one in ways:
            self.table.lift(one)
        own = ways.pop(piece, None)
        for one, spot in ways.items():
            self.table.put_at(one, spot)
        self.table.put(piece, place)
        if own is not None:
            self.table.lift(piece)
            self.table.put_at(piece, own)
        self.changed()

    def follow(self, view: View) -> None:
        """A new view: lay what has to be laid, and let hands see it."""
        self.table.follow(view)
        self.hands.look(view)
        if view.phase in BY_ITSELF.get(view.sensing, ()):
            # the pieces were laid, which no sensor can see
            self._host.post(orders.command(orders.GoOn()))


def simulation_of(
    host: Host,
    changed: Callable[[], None],
    times: Times,
    pace: float = PACE,
    left: Mapping[str, str] | None = None,
) -> Simulation | None:
    """The simulation, if the table of this host is a simulated one that pages can move."""
    if isinstance(host.devices.board, AnyBoard):
        return Simulation(host, changed, times, pace, left)
    return None


class Actions:
    """Carries out orders. Each raises RequestRefused with a sentence where it cannot be done."""

    def __init__(self, host: Host, simulation: Simulation | None) -> None:
        self.host = host
        self._sim = simulation
        self._by: Asker = "page"
        self._colours: tuple[str, ...] = ()
        self._tasks: set[asyncio.Task[None]] = set()
        self._begun: Game | None = None
        """A game that was asked for and is not shown yet."""

    def follow(self, view: View) -> None:
        """A new view of the table."""
        if view.position is not None and view.position.game is self._begun:
            self._begun = None

    def do(self, order: orders.Order, by: Asker = "page", colours: tuple[str, ...] = ()) -> None:
        """Do what is asked for; `colours` are those of the player whose phone asks."""
        self._by, self._colours = by, colours
        view, name = self.host.view, orders.name_of(order)
        about = order.colour if isinstance(order, orders.Seat) else view.colour
        own = name == "take_back" or about in colours  # the referee knows whose move it was
        try:
            orders.check_asker(name, by, own=own, covered=view.covered)
            self._do(order)
        except orders.NotAllowed as fault:
            raise RequestRefused(403, str(fault)) from None
        except orders.NotNow as fault:
            raise RequestRefused(409, str(fault)) from None
        except BadInput as fault:
            raise RequestRefused(422, str(fault)) from None

    @singledispatchmethod
    def _do(self, order: orders.Order) -> None:
        """What needs nothing from the simulated table is the referee's."""
        self._post(orders.command(order, self._by, self._colours))

    @property
    def _table(self) -> Simulation:
        if self._sim is None:
            raise RequestRefused(409, "this table is a real one: use its pieces, die and buttons")
        return self._sim

    def _post(self, event: Event) -> None:
        if not self.host.post(event):
            raise RequestRefused(503, "too much is happening at the table: try again")

    def _later(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # -- die, pieces, buttons --------------------------------------------------------------------

    @_do.register
    def _roll(self, order: orders.Roll) -> None:
        if self._sim is not None and self._by == "player" and order.face is not None:
            raise RequestRefused(
                403, "a player's phone throws the die, and does not choose its face"
            )
        if self._sim is not None and order.face is None:
            self._sim.die.throw()
        elif self._sim is not None:  # chosen, not thrown: the die's own rolls are counted apart
            self._sim.die.show(order.face)
            chosen = structs.replace(order, chosen=True)
            self._post(orders.command(chosen, self._by, self._colours))
        elif self.host.view.hand_face is None:
            raise RequestRefused(409, "this table has its own die: roll that one")
        elif order.face is None:
            raise RequestRefused(422, "say which face the die shows")
        else:
            self._post(orders.command(order, self._by, self._colours))

    @_do.register
    def _lift(self, order: orders.Lift) -> None:
        self._table.table.lift(order.piece)
        self._table.changed()

    @_do.register
    def _put(self, order: orders.Put) -> None:
        self._table.put(order.piece, order.place)

    @_do.register
    def _slide(self, order: orders.Slide) -> None:
        for place in order.places:
            self._table.table.slide(order.piece, place)

    @_do.register
    def _touch(self, order: orders.Touch) -> None:
        position = self.host.view.position
        if position is None or order.place not in position.game.board.by_name:
            raise RequestRefused(422, f"there is no place {order.place!r} to press")
        self._table.table.press(order.place)

    @_do.register
    def _press(self, order: orders.Press) -> None:
        """Press a button; from elsewhere, or without being asked, the box is not switched off."""
        view = self.host.view
        chosen = view.lines[view.cursor].key if view.cursor in range(len(view.lines)) else ""
        if chosen == "shut_down" and order.button == "ok" and not order.held:
            if orders.PERMISSIONS[chosen][self._by] == "never":
                raise RequestRefused(403, "the box is switched off at the box itself")
            _must_be_sure(order.sure)
        by: Asker = self._by if order.sure else "page"
        self._post(Pressed(order.button, order.held, by))

    # -- moves -----------------------------------------------------------------------------------

    @_do.register
    def _move(self, order: orders.Move) -> None:
        view = self.host.view
        legal = {view.position.game.move_text(m): m for m in view.legal} if view.position else {}
        if order.move not in legal:
            raise RequestRefused(409, f"{order.move!r} is not a legal move now")
        if self._sim is not None and view.phase in ("move", "illegal"):
            self._later(self._sim.hands.make(legal[order.move]))
        else:
            self._post(orders.command(order, self._by, self._colours))

    @_do.register
    def _go_on(self, order: orders.GoOn) -> None:
        """A phone has no pieces to put right: hands at a simulated table do it for whoever asks."""
        view = self.host.view
        if self._sim is not None and is_astray(view):
            self._later(self._sim.hands.put_right())
        else:
            self._post(orders.command(order, self._by, self._colours))

    @_do.register
    def _step(self, order: orders.Step) -> None:
        self._later(self._table.hands.step())

    @_do.register
    def _auto(self, order: orders.Auto) -> None:
        hands = self._table.hands
        hands.pace = hands.pace if order.pace is None else order.pace
        hands.play_all(order.on)
        self._table.changed()

    @_do.register
    def _seat(self, order: orders.Seat) -> None:
        position = self.host.view.position
        game = self._begun or (None if position is None else position.game)
        if game is None:
            raise RequestRefused(409, "no game is on: choose who plays when one is begun")
        check_seat(order.colour, order.level, [game.colours[seat] for seat in game.seats])
        self._post(orders.command(order, self._by, self._colours))

    # -- the game --------------------------------------------------------------------------------

    @_do.register
    def _new_game(self, order: orders.NewGame) -> None:
        chosen = game(order.sheet, order.options or {}, order.seats)
        for colour, level in order.box.items():
            check_seat(colour, level, [chosen.colours[seat] for seat in chosen.seats])
        if self._sim is not None:
            self._sim.hands.play_all(False)
        self._post(orders.command(order, self._by, self._colours))
        self._begun = chosen

    @_do.register
    def _set(self, order: orders.Set) -> None:
        if order.value not in SETTINGS.get(order.name, ()):
            raise RequestRefused(422, f"{order.name} cannot be set to {order.value}")
        self._post(orders.command(order, self._by, self._colours))

    @_do.register
    def _shut_down(self, order: orders.ShutDown) -> None:
        _must_be_sure(order.sure)
        self._post(orders.command(order, self._by, self._colours))

    @_do.register
    def _set_up(
        self,
        order: orders.Configure
        | orders.Join
        | orders.LookForUpdate
        | orders.InstallUpdate
        | orders.EarlierVersion,
    ) -> None:
        raise RequestRefused(422, f"{orders.name_of(order)} is about setting up: ask /setup for it")

    @_do.register
    def _bench(self, order: orders.Bench) -> None:
        if not self.host.benches:
            raise RequestRefused(
                409, "there is no board to test: the configuration has no [matrix]"
            )
        self._post(orders.command(order, self._by, self._colours))


def _must_be_sure(sure: bool) -> None:
    if not sure:
        raise RequestRefused(409, "say that you are sure: the box is switched off")

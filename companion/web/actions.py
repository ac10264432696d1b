"""Does what a page asks: on the simulated table with its pieces, on a real one by command."""

import asyncio
from collections.abc import Callable
from functools import singledispatchmethod
from random import Random
from typing import Any, Literal

from companion.events import Command, Event, Pressed
from companion.referee import Times, View
from companion.referee.settings import SETTINGS
from companion.rules import BadInput, game
from companion.rules.records import plain_name
from companion.table.sim import SimButtons, SimDie
from companion.web import requests
from companion.web.guard import Refused
from companion.web.hands import PACE, Hands
from companion.web.host import Host
from companion.web.tabletop import AnyBoard, Tabletop

BY_ITSELF = {"touch": ("setting",), "choose": ("setting", "restore", "penalty")}
"""By the way of sensing, the phases in which the pieces go where the game has them."""


class Simulation:
    """The parts of a simulated table that a page moves; `changed` is told when pieces did."""

    def __init__(
        self, host: Host, changed: Callable[[], None], times: Times, pace: float = PACE
    ) -> None:
        self._host = host
        devices = host.devices
        assert isinstance(devices.board, AnyBoard)
        assert isinstance(devices.die, SimDie)
        assert isinstance(devices.buttons, SimButtons)
        self.die, self.buttons = devices.die, devices.buttons
        self.table = Tabletop(devices.board)
        self.changed = changed
        self.hands = Hands(host, self.table, self.die, Random(), changed, times, pace)

    def put(self, piece: str, place: str) -> None:
        """Put a piece down; whom that captures is carried home, as on any board on a screen."""
        captured = self.table.captured(self._host.view, piece, place)
        for one in captured:
            self.table.lift(one)
        self.table.put(piece, place)
        for one in captured:
            self.table.put_home(one)
        self.changed()

    def follow(self, view: View) -> None:
        """A new view: lay what has to be laid, and let hands see it."""
        self.table.follow(view)
        self.hands.look(view)
        if view.phase in BY_ITSELF.get(view.sensing, ()):
            self._host.post(Command("go_on"))  # the pieces were laid, which no sensor can see


def simulation_of(
    host: Host, changed: Callable[[], None], times: Times, pace: float = PACE
) -> Simulation | None:
    """The simulation, if the table of this host is a simulated one that pages can move."""
    if isinstance(host.devices.board, AnyBoard):
        return Simulation(host, changed, times, pace)
    return None


class Actions:
    """Carries out requests. Each raises Refused with a sentence where it cannot be done."""

    def __init__(self, host: Host, simulation: Simulation | None) -> None:
        self.host = host
        self._sim = simulation
        self._at_the_box = False
        self._tasks: set[asyncio.Task[None]] = set()

    def do(self, request: Any, at_the_box: bool = False) -> None:
        """Do what is asked for, by somebody at the box's own screen or elsewhere."""
        self._at_the_box = at_the_box
        try:
            self._do(request)
        except BadInput as fault:
            raise Refused(422, str(fault)) from None

    @singledispatchmethod
    def _do(self, request: Any) -> None:
        raise Refused(400, f"nobody can do {request!r}")

    @property
    def _table(self) -> Simulation:
        if self._sim is None:
            raise Refused(409, "this table is a real one: use its pieces, die and buttons")
        return self._sim

    def _post(self, event: Event) -> None:
        if not self.host.post(event):
            raise Refused(503, "too much is happening at the table: try again")

    def _later(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # -- die, pieces, buttons --------------------------------------------------------------------

    @_do.register
    def _roll(self, request: requests.Roll) -> None:
        if self._sim is not None:
            self._sim.die.throw(request.face)
        elif self.host.view.hand_face is None:
            raise Refused(409, "this table has its own die: roll that one")
        elif request.face is None:
            raise Refused(422, "say which face the die shows")
        else:
            self._post(Command("roll", {"face": request.face}))

    @_do.register
    def _lift(self, request: requests.Lift) -> None:
        self._table.table.lift(request.piece)
        self._table.changed()

    @_do.register
    def _put(self, request: requests.Put) -> None:
        self._table.put(request.piece, request.place)

    @_do.register
    def _slide(self, request: requests.Slide) -> None:
        for place in request.places:
            self._table.table.slide(request.piece, place)

    @_do.register
    def _touch(self, request: requests.Touch) -> None:
        position = self.host.view.position
        if position is None or request.place not in position.game.board.by_name:
            raise Refused(422, f"there is no place {request.place!r} to press")
        self._table.table.press(request.place)

    @_do.register
    def _press(self, request: requests.Press) -> None:
        """Press a button; from elsewhere, or without being asked, the box is not switched off."""
        view = self.host.view
        chosen = view.lines[view.cursor].key if view.cursor in range(len(view.lines)) else ""
        if chosen == "shut_down" and request.button == "ok" and not request.held:
            if not self._at_the_box:
                raise Refused(403, "the box is switched off at the box itself")
            if not request.sure:
                raise Refused(409, "say that you are sure: the box is switched off")
        by: Literal["screen", "page"] = "screen" if self._at_the_box and request.sure else "page"
        self._post(Pressed(request.button, request.held, by))

    # -- moves -----------------------------------------------------------------------------------

    @_do.register
    def _move(self, request: requests.Move) -> None:
        view = self.host.view
        legal = {view.position.game.move_text(m): m for m in view.legal} if view.position else {}
        if request.move not in legal:
            raise Refused(409, f"{request.move!r} is not a legal move now")
        if self._sim is not None and view.phase in ("move", "illegal"):
            self._later(self._sim.hands.make(legal[request.move]))
        else:
            self._post(Command("move", {"move": request.move}))

    @_do.register
    def _step(self, request: requests.Step) -> None:
        self._later(self._table.hands.step())

    @_do.register
    def _alone(self, request: requests.Alone) -> None:
        hands = self._table.hands
        hands.pace = hands.pace if request.pace is None else request.pace
        hands.play_alone(request.colours)
        self._table.changed()

    @_do.register
    def _auto(self, request: requests.Auto) -> None:
        self._table.hands.play_all(request.on)
        self._table.changed()

    # -- the game --------------------------------------------------------------------------------

    @_do.register
    def _new_game(self, request: requests.NewGame) -> None:
        game(request.sheet, request.options, request.seats)
        args: dict[str, Any] = {
            "sheet": request.sheet,
            "options": request.options,
            "seats": list(request.seats) if request.seats is not None else None,
            "names": {c: name for c, n in request.names.items() if (name := plain_name(n))},
        }
        if request.sensing is not None:
            args["sensing"] = request.sensing
        if self._sim is not None:
            self._sim.hands.play_all(False)
            self._sim.hands.play_alone(request.alone)
        self._post(Command("new_game", args))

    @_do.register
    def _order(self, request: requests.Order) -> None:
        self._post(Command(request.name))

    @_do.register
    def _set(self, request: requests.Set) -> None:
        if request.value not in SETTINGS.get(request.name, ()):
            raise Refused(422, f"{request.name} cannot be set to {request.value}")
        self._post(Command("set", {"name": request.name, "value": request.value}))

    @_do.register
    def _sensor(self, request: requests.Sensor) -> None:
        view = self.host.view
        if view.position is None or request.place not in view.position.game.board.by_name:
            raise Refused(422, f"there is no place {request.place!r} on this board")
        self._post(Command("set_aside" if request.aside else "use_again", {"place": request.place}))

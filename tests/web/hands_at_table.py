"""A referee and the page's simulated table in one process, with a clock that the test turns."""

from typing import Any, NamedTuple

from companion.events import Event
from companion.referee import View
from companion.rules.places import spot_of
from companion.table.sim import SimButtons, SimDie
from companion.web.actions import Simulation
from companion.web.state import state_of
from companion.web.tabletop import AnyBoard, Tabletop
from tests.scripts import Script


class Devices(NamedTuple):
    board: AnyBoard
    die: SimDie
    buttons: SimButtons


class AtTable:
    """Somebody who drags pieces on the page; what the sensors feel is told to a referee."""

    pause = 0.2
    """How long a piece is in the hand."""

    def __init__(self, position: str, face: int | None = None, sensing: str = "presence") -> None:
        self.script = Script(sensing)
        self.devices = Devices(AnyBoard(), SimDie(lambda _: b"\0"), SimButtons())
        self.simulation = Simulation(self, lambda: None, self.script.referee.times)  # type: ignore[arg-type]
        self.devices.board.start(self.script.feed)
        self.script.stand(position)
        self.simulation.follow(self.view)
        self.wait()
        if face is not None:
            self.script.run(f"roll {face}")
            self.wait()

    @property
    def view(self) -> View:
        return self.script.view

    @property
    def table(self) -> Tabletop:
        return self.simulation.table

    def post(self, event: Event) -> bool:
        """What hands say to the referee."""
        self.script.feed(event)
        self.simulation.follow(self.view)
        return True

    def wait(self, seconds: float = 9.0) -> None:
        """Let time pass."""
        self.script.wait(seconds)
        self.simulation.follow(self.view)

    def drag(self, piece: str, place: str) -> None:
        """Carry a piece to a place, and see what comes of it."""
        self.table.lift(piece)
        self.script.wait(self.pause)
        self.simulation.put(piece, place)
        self.wait()

    def at(self, colour: str, spot: str) -> str:
        """A piece of a colour that stands there."""
        found = (name for name, at in self.table.at.items() if at and spot_of(at) == spot)
        return next(name for name in found if self.table.colours[name] == colour)

    @property
    def steps(self) -> list[tuple[str | None, str | None, str | None]]:
        """The steps that the page shows: colour, from, to."""
        return [(one["colour"], one["from"], one["to"]) for one in self.told["remedy"]]

    @property
    def told(self) -> dict[str, Any]:
        """What the page is told."""
        return state_of(self.view, "en", simulated=True)

    def follow_step(self, step: Any) -> None:
        """Do one of the steps shown."""
        colour, origin, target = step
        places = self.table._places(target)
        free = (one for one in places if one not in self.table.at.values())
        self.drag(self.at(colour, origin), next(free, places[0]))

    @property
    def said(self) -> list[str]:
        return [one.slip for one in self.view.refusals]

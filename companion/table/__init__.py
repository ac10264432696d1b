"""Adapters between the world and the referee: sensors, die, buttons, OLED, lights, sounds.

Every adapter takes an `emit` function and calls it, in the event loop's thread, with values
from `companion.events`. None of them knows a rule. Each kind has a real and a simulated
form, and one set of contract tests runs over both.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from companion.events import Button, Cell, Event

if TYPE_CHECKING:
    from PIL.Image import Image

Emit = Callable[[Event], None]

LIGHTS = ("on", "blink", "fast")
NOT_FOUND = "No {role} was found: plug it in."
"""Why a device is lost of which nothing more is known."""


class Source(Protocol):
    """A device that reports events: board sensors, die, box buttons."""

    name: str

    def start(self, emit: Emit) -> None:
        """Begin to report; called inside a running event loop. A missing device is reported
        as `Lost` and taken when it appears: `start` does not raise for it."""

    def close(self) -> None:
        """Stop reporting and free what is held; may be called twice."""


class Display(Protocol):
    """A 128x64 one-bit screen."""

    def show(self, image: "Image") -> None:
        """Show a picture; sends only what changed. Raises OSError when the wire fails."""

    def contrast(self, level: int) -> None:
        """Brightness from 0 to 255; 0 switches the panel off."""

    def renew(self) -> None:
        """Show the same again from the beginning: the panel may have lost its power unnoticed."""

    def close(self) -> None:
        """Blank the screen and free the bus; may be called twice."""


class BoardDevice(Source, Protocol):
    """Board sensors in a matrix, perhaps with a light at each place."""

    on_cell: Callable[[int, int, bool], None] | None
    """Told of every cell that changes, whether it is a place or not."""

    @property
    def cells(self) -> frozenset[Cell]:
        """The cells that are closed now."""

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns, as the board itself says; (0, 0) while it has not."""

    @property
    def noise(self) -> Mapping[str, int]:
        """How often each place changed for less than the debounce time: loose wires."""

    @property
    def unreachable(self) -> Mapping[str, Cell]:
        """Places wired to cells that the board does not have."""

    def light_cells(self, cells: Mapping[Cell, str]) -> None:
        """Light these cells of the matrix, whether they are places or not."""

    def light(self, places: Mapping[str, str]) -> None:
        """Light these places: `on`, `blink` or `fast`; all others go dark. Another way than
        these is a ValueError."""


def check_lights(places: Mapping[str, str]) -> None:
    """Raise ValueError if a place is to be lit in a way that boards do not know."""
    for place, way in places.items():
        if way not in LIGHTS:
            raise ValueError(f"{place} cannot be lit {way!r}: a light is {', '.join(LIGHTS)}")


class DieDevice(Source, Protocol):
    """A die that shows what it rolled until it is told to show another face."""

    @property
    def down(self) -> frozenset[str]:
        """Which of its buttons are held down, where that can be told."""

    def faces(self, names: Sequence[str]) -> None:
        """What its faces are called in the game that is played, for a die that can draw them."""

    def confirm(self, number: int) -> None:
        """A roll is safe, or of no use: now the die may forget it."""

    def show(self, face: int | None) -> None:
        """Show a face (1-6), or nothing, now and when the die comes back; a throw replaces it."""


class ButtonsDevice(Source, Protocol):
    """The buttons of the box."""

    @property
    def down(self) -> frozenset[Button]:
        """Which are held down, where that can be told."""

    def read(self) -> frozenset[Button]:
        """Which are down at this moment, before they have been started."""


class Sounder(Protocol):
    """Buzzer and two status lights (`good`, `bad`)."""

    def play(self, pattern: tuple[tuple[float, float], ...]) -> None:
        """Play tones given as (hertz, seconds), 0 hertz being a rest; a new one replaces it."""

    def volume(self, share: float) -> None:
        """How loud tones are from now on, from 0 to 1: a share of what the device is set to."""

    def lamp(self, name: str, on: bool) -> None:
        """Switch a status light."""

    def close(self) -> None:
        """Be silent and dark; may be called twice."""

"""What the table tells the referee: small values, made by adapters, replayed from journals.

A reading is a raw fact of one sensor. Places are named as on the board (`12`, `R.B2`), so
that neither adapters nor traces need to know the rules.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Button = Literal["up", "down", "ok"]


class Reading(NamedTuple):
    """A sensor changed: a piece stands there (or the button is down), or no longer."""

    place: str
    on: bool


class Snapshot(NamedTuple):
    """The whole board at once: every place whose sensor is on. It repairs lost readings."""

    on: frozenset[str]


class Rolling(NamedTuple):
    """The die is being thrown; nothing counts yet."""


class Rolled(NamedTuple):
    """The die lies still. `number` counts rolls, so that a resent roll is not a second one."""

    number: int
    face: int


class Fumbled(NamedTuple):
    """The die was touched or dropped without a proper throw: no roll."""


class Pressed(NamedTuple):
    """A box button: pressed, or held down.

    `by` says where: at the `box`, on the page at its own `screen`, or on a `page` elsewhere.
    """

    button: Button
    held: bool = False
    by: Literal["box", "screen", "page"] = "box"


class Lost(NamedTuple):
    """A device went away; `why` is a short sentence for the log."""

    device: str
    why: str = ""


class Found(NamedTuple):
    """A device is there (again); `what` says which, for instance its firmware version."""

    device: str
    what: str = ""


class Command(NamedTuple):
    """A wish from the menu, the web page or the command line, for instance `take_back`."""

    name: str
    args: Mapping[str, Any] = {}


class Tick(NamedTuple):
    """Nothing happened but time."""


Event = Reading | Snapshot | Rolling | Rolled | Fumbled | Pressed | Lost | Found | Command | Tick

"""What the table tells the referee: small values, made by adapters, replayed from journals.

A reading is a raw fact of one sensor. Places are named as on the board (`12`, `R.B2`), so
that neither adapters nor traces need to know the rules. As lines of JSON (`as_json`) a journal
keeps them, and a bug report holds them.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_args

Button = Literal["up", "down", "ok"]
RecordData = dict[str, Any]
"""What the referee wants kept: `kind`, and what belongs to it, as plain data."""
Cell = tuple[int, int]
"""Row and column of a switch in its matrix, counted from 0."""
Asker = Literal["box", "screen", "page", "player", "staff"]
"""Who asks: the box itself, its own screen, a page elsewhere, a player's phone, the house."""


class Reading(NamedTuple):
    """A sensor changed: a piece stands there (or the button is down), or no longer."""

    place: str
    on: bool


class Snapshot(NamedTuple):
    """The whole board at once: every place whose sensor is on. It repairs lost readings.

    `pieces` are the places and colours of all pieces on a board that knows them, as a simulated
    one does; what sensors say does not tell that.
    """

    on: frozenset[str]
    pieces: tuple[tuple[str, str], ...] = ()


class Rolling(NamedTuple):
    """The die is being thrown; nothing counts yet."""


class Rolled(NamedTuple):
    """The die lies still. `number` counts rolls, so that a resent roll is not a second one.

    `source` says which die it was: `die:` and its unit id, or as in `rules/history.py`.
    """

    number: int
    face: int
    source: str = "unknown"


class Fumbled(NamedTuple):
    """The die was touched or dropped without a proper throw: no roll."""


class Pressed(NamedTuple):
    """A box button: pressed, or held down.

    `by` says where: at the `box`, on the page at its own `screen`, or on a `page` elsewhere.
    """

    button: Button
    held: bool = False
    by: Asker = "box"


class Lost(NamedTuple):
    """A device went away; `why` is a short sentence for the log."""

    device: str
    why: str = ""


class Found(NamedTuple):
    """A device is there (again); `what` says which, for instance its firmware version."""

    device: str
    what: str = ""


class Command(NamedTuple):
    """An order from a menu, a page, a phone or the command line: see `companion/orders.py`.

    `colours` are those of the player whose phone it is.
    """

    name: str
    args: Mapping[str, Any] = {}
    by: Asker = "box"
    colours: tuple[str, ...] = ()


class Drawn(NamedTuple):
    """The roll that was drawn for a player of the box; `number` is that of the wish for it."""

    number: int
    face: int


class Thought(NamedTuple):
    """What the box has thought of, as plain data: the answer to the question of this number."""

    number: int
    told: Mapping[str, Any] = {}


class Reckoned(NamedTuple):
    """Each player's chance to win in a position, as somebody has reckoned them, and their error."""

    position: str
    win: Mapping[str, float] = {}
    error: float = 0.0


class Weighed(NamedTuple):
    """Who was lucky in the game that ended in this position, as plain data (`odds/asking.py`)."""

    position: str
    told: Mapping[str, Any] = {}


class Tick(NamedTuple):
    """Nothing happened but time."""


Event = (
    Reading
    | Snapshot
    | Rolling
    | Rolled
    | Fumbled
    | Pressed
    | Lost
    | Found
    | Command
    | Drawn
    | Thought
    | Reckoned
    | Weighed
    | Tick
)

_KINDS: dict[str, Any] = {kind.__name__: kind for kind in get_args(Event)}


def as_json(event: Event) -> dict[str, Any]:
    """An event as plain data."""
    values: dict[str, Any] = event._asdict()
    if isinstance(event, Snapshot):
        values["on"] = sorted(event.on)
        if not event.pieces:
            del values["pieces"]
    return {"event": type(event).__name__, **values}


def from_json(data: Mapping[str, Any]) -> Event:
    """The opposite of `as_json`; raises ValueError for anything that is not an event."""
    values = dict(data)
    kind = _KINDS.get(values.pop("event", None))
    if kind is None:
        raise ValueError(f"{data!r} is not an event")
    if kind is Command:
        values["colours"] = tuple(values.get("colours", ()))
    try:
        if kind is Snapshot:
            values["on"] = frozenset(values.get("on", ()))
            values["pieces"] = tuple((place, colour) for place, colour in values.get("pieces", ()))
        event: Event = kind(**values)
    except TypeError as fault:
        raise ValueError(f"{data!r} is not an event: {fault}") from None
    return event

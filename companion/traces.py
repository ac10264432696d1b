"""Events as lines of JSON: what the journal keeps of them, and what a bug report holds."""

from collections.abc import Mapping
from typing import Any

from companion import events
from companion.events import Event, Snapshot

_KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        events.Reading,
        events.Snapshot,
        events.Rolling,
        events.Rolled,
        events.Fumbled,
        events.Pressed,
        events.Lost,
        events.Found,
        events.Command,
        events.Tick,
    )
}


def as_json(event: Event) -> dict[str, Any]:
    """An event as plain data."""
    values: dict[str, Any] = event._asdict()
    if isinstance(event, Snapshot):
        values["on"] = sorted(event.on)
    return {"event": type(event).__name__, **values}


def from_json(data: Mapping[str, Any]) -> Event:
    """The opposite of `as_json`; raises ValueError for what is none."""
    values = dict(data)
    kind = _KINDS.get(values.pop("event", None))
    if kind is None:
        raise ValueError(f"{data!r} is not an event")
    if kind is Snapshot:
        values["on"] = frozenset(values.get("on", ()))
    try:
        event: Event = kind(**values)
    except TypeError as fault:
        raise ValueError(f"{data!r} is not an event: {fault}") from None
    return event

"""Events as JSON: what is written reads back as the same event."""

import json

import pytest

from companion import events
from companion.events import Event, as_json, from_json

EVERY: list[Event] = [
    events.Reading("R.B2", True),
    events.Snapshot(frozenset({"1", "Y.a"})),
    events.Snapshot(frozenset({"1"}), (("1", "red"), ("1", "yellow"))),
    events.Rolling(),
    events.Rolled(7, 6),
    events.Fumbled(),
    events.Pressed("ok", held=True),
    events.Lost("board", "it was unplugged"),
    events.Found("die", "firmware 1"),
    events.Command("new_game", {"sheet": "german", "seats": ["yellow", "red"]}),
    events.Tick(),
]


@pytest.mark.parametrize("event", EVERY, ids=lambda event: type(event).__name__)
def test_an_event_reads_back_from_its_line(event: Event) -> None:
    assert from_json(json.loads(json.dumps(as_json(event)))) == event


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"event": "Boo"},
        {"event": "Rolled", "face": 3, "colour": 1},
        {"event": "Snapshot", "on": ["1"], "pieces": None},
    ],
)
def test_what_is_no_event_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="is not an event"):
        from_json(data)

"""What Home Assistant is told, so that a table appears there; it reads, and commands nothing.

One retained message for each thing, the form that all of its versions read. They are said again
whenever it says that it is back.
"""

from typing import Any

import msgspec

from companion import __version__
from companion.cafe import topics
from companion.cafe.line import Said

_encode = msgspec.json.Encoder().encode
_PLAYER = "{{ value_json.names.get(value_json.turn, value_json.turn) }}"


def discovery(table: str, label: str, box: str) -> list[Said]:
    """Every message that announces a table."""
    now, needs = topics.NOW.of(table), topics.HELP.of(table)
    device = {
        "identifiers": [f"ludo_{box}"],
        "name": label or table,
        "manufacturer": "Ludo companion",
        "sw_version": __version__,
    }
    here = {
        "topic": topics.HERE.of(table),
        "value_template": "{{ 'online' if value_json.here else 'offline' }}",
    }
    things: dict[tuple[str, str], dict[str, Any]] = {
        ("binary_sensor", "help"): {
            "name": "Needs help",
            "state_topic": needs,
            "value_template": "{{ 'ON' if value_json.needs else 'OFF' }}",
            "device_class": "problem",
        },
        ("binary_sensor", "playing"): {
            "name": "Playing",
            "state_topic": now,
            "value_template": "{{ 'OFF' if value_json.free else 'ON' }}",
            "device_class": "occupancy",
        },
        ("sensor", "turn"): {"name": "Turn", "state_topic": now, "value_template": _PLAYER},
        ("sensor", "game"): {
            "name": "Game",
            "state_topic": now,
            "value_template": "{{ value_json.sheet }}",
        },
    }
    found = []
    for (component, thing), told in things.items():
        own = {
            "unique_id": f"ludo_{box}_{thing}",
            "device": device,
            "availability": [here],
            "availability_mode": "all",
        }
        found.append(_said(component, table, thing, {**told, **own}))
    trigger = {
        "automation_type": "trigger",
        "type": "call",
        "subtype": "help",
        "topic": topics.CALLS.of(table),
        "device": device,
    }
    return [*found, _said("device_automation", table, "call", trigger)]


def gone(table: str) -> list[Said]:
    """What takes a table out of Home Assistant again."""
    return [said._replace(payload=b"") for said in discovery(table, "", "")]


def _said(component: str, table: str, thing: str, told: dict[str, Any]) -> Said:
    topic = f"{topics.DISCOVERY}/{component}/{topics.PREFIX}_{table}/{thing}/config"
    return Said(topic, _encode(told), True, 1)

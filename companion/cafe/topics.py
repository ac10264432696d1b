"""The topics of a house: what each is called, who may write it, and what it carries.

One table of data. The broker's access rules are made from it, and so is docs/mqtt.md.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from companion.cafe import messages
from companion.invitation import NAME

PREFIX = "ludo"
HOUSE = "house"
"""The user, and the name, of the house itself: no table may have it."""
DISCOVERY = "homeassistant"
LOG = "$SYS/broker/log/+"
"""Where Mosquitto says whom it turned away; other brokers say nothing there."""
BIRTH = f"{DISCOVERY}/status"
"""Where Home Assistant says that it is back."""

Writer = Literal["table", "house"]


class Topic(NamedTuple):
    """One topic; `{table}` in its name is the table's own name."""

    name: str
    writer: Writer
    carries: type[messages.Message]
    retained: bool
    qos: Literal[0, 1]
    means: str

    def of(self, table: str) -> str:
        """The topic of one table."""
        return self.name.format(table=table)


def _table(
    name: str,
    carries: type[messages.Message],
    kept: bool,
    qos: Literal[0, 1],
    means: str,
    writer: Writer = "table",
) -> Topic:
    return Topic(f"{PREFIX}/tables/{{table}}/{name}", writer, carries, kept, qos, means)


ABOUT = _table("about", messages.About, True, 1, "what the table is")
HERE = _table("here", messages.Here, True, 1, "whether it is there; its last will says that not")
NOW = _table("now", messages.Now, True, 0, "what it shows now")
HELP = _table("help", messages.Help, True, 1, "what needs a person there")
CALLS = _table("calls", messages.Called, False, 1, "somebody there has just called a person")
PULSE = _table("pulse", messages.Pulse, False, 0, "a sign of life, every two seconds")
EVENTS = _table("events", messages.Kept, False, 0, "a record, as soon as it is kept")
ASK = _table("ask", messages.Ask, False, 1, "what the house asks of it", "house")
ANSWERS = _table("answers", messages.Answer, False, 1, "its answer to that")
PIECES = _table("pieces", messages.Piece, False, 1, "a piece of its journal that was asked for")
REFUSED = _table("refused", messages.TurnedAway, False, 1, "that it may not speak under its name")
PROBE = _table("doctor", messages.Probe, False, 0, "a word of the table's doctor to itself")
HOUSE_HERE = Topic(
    f"{PREFIX}/{HOUSE}/here", "house", messages.Here, True, 1, "whether the house listens"
)

TOPICS = (
    *(ABOUT, HERE, NOW, HELP, CALLS, PULSE, EVENTS, ASK, ANSWERS, PIECES, REFUSED, PROBE),
    HOUSE_HERE,
)
_BY_END = {topic.name.rpartition("/")[2]: topic for topic in TOPICS if topic is not HOUSE_HERE}


class NoTopicError(Exception):
    """A topic that is not one of ours."""


def parse(topic: str) -> tuple[Topic, str]:
    """Which topic this is, and of which table. Raises NoTopicError."""
    if topic == HOUSE_HERE.name:
        return HOUSE_HERE, HOUSE
    before, _, end = topic.rpartition("/")
    place, _, table = before.rpartition("/")
    if place != f"{PREFIX}/tables" or end not in _BY_END or not is_name(table):
        raise NoTopicError(f"{topic[:80]!r} is not one of the house's topics")
    return _BY_END[end], table


def is_name(name: str) -> bool:
    """Whether a table may have this name."""
    return re.match(NAME, name) is not None and name not in (HOUSE, DISCOVERY)


def heard_by_house() -> Iterator[str]:
    """What the house listens to: all that tables write, but for their doctors, calls and records.

    A pulse says how far a journal has got, and that is what the archive is asked for; what needs a
    person says also who is called.
    """
    heard = (one for one in TOPICS if one.writer == "table" and one not in (PROBE, CALLS, EVENTS))
    return (topic.of("+") for topic in heard)


def heard_by_table() -> Iterator[Topic]:
    """What a table listens to: what it is asked, whether the house is there, and its own word on
    whether it is there itself, which shows that the broker takes what it says."""
    return iter((ASK, HOUSE_HERE, HERE))


def access_rules() -> str:
    """The broker's access rules: a table writes as itself only, and only the house asks.

    The broker puts the user's name in the place of `%u`.
    """
    lines = ["# Written by the house: who may say and hear what.", f"user {HOUSE}"]
    for topic in TOPICS:
        # The house empties what a table that is gone, or a name that is forgotten, left behind.
        right = "readwrite" if topic.writer == "house" or topic.retained else "read"
        lines.append(f"topic {right} {topic.of('+')}")
    lines += [f"topic readwrite {DISCOVERY}/#", f"topic read {LOG}", ""]
    lines += [
        f"user {DISCOVERY}",
        f"topic read {PREFIX}/tables/#",
        f"topic readwrite {DISCOVERY}/#",
    ]
    lines.append("")
    for topic in TOPICS:
        writes = "readwrite" if topic in (HERE, PROBE) else "write"
        right = writes if topic.writer == "table" else "read"
        lines.append(f"pattern {right} {topic.of('%u')}")
    lines += [f"pattern write {DISCOVERY}/+/{PREFIX}_%u/+/config", f"pattern read {BIRTH}", ""]
    return "\n".join(lines)

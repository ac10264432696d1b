"""The room: what the house knows of every table, worked out of what comes over the line.

Pure: messages in with their time, tables out. Retained words tell how a table was; only a pulse
tells that it lives, and one that is not heard for six seconds is lost. Whatever one table sends,
the others stay as they are.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from companion.cafe import messages, topics
from companion.cafe.topics import NoTopicError, Topic

LOST = 6.0
"""Seconds without a pulse after which a table is lost."""
CLOCK = 120.0
"""Seconds by which a table's clock may differ from the house's."""
TWINS = 60.0
"""Seconds within which two boxes of one name count as there at the same time."""
REFUSED = 15.0
"""Seconds for which a table that is refused to speak is shown so: it says it every five."""
RATE, BURST = 60.0, 240.0
"""Messages a second that a table may send, and at once."""
TABLES = 1000
"""Tables that a house knows at most; the access rules let none in that was not added."""

Status = Literal["there", "waiting", "lost", "off"]
"""Heard; not heard yet; no longer heard; switched off."""


class Trouble(NamedTuple):
    """Something about a table that is not its game: a key that phrases speak, and a detail."""

    key: Literal["twins", "clock", "later", "floods", "malformed", "speaks"]
    detail: str = ""


@dataclass
class TableState:
    """One table as the house knows it."""

    name: str
    about: messages.About | None = None
    now: messages.Now | None = None
    help: messages.Help | None = None
    pulse: messages.Pulse | None = None
    birth: str = ""
    heard: float | None = None
    """When its last pulse came, by the house's clock that never jumps."""
    known: float = 0.0
    """Since when it has been waited for."""
    gone: Literal["", "off", "lost"] = ""
    version: int = 0
    """Goes up with everything that is to be seen."""
    status: Status = "waiting"
    since: float = 0.0
    """Since when it has had this status."""
    clock: float = 0.0
    """By how many seconds its clock is before the house's."""
    refused: int = 0
    """Messages that could not be read, or were too many."""
    later: str = ""
    floods_until: float = 0.0
    malformed_until: float = 0.0
    speaks_as: str = ""
    """The name under which it tries to speak, and is refused."""
    speaks_until: float = 0.0
    _room: float = BURST
    _filled: float = 0.0
    _ended: deque[str] = field(default_factory=lambda: deque(maxlen=8))
    _replaced: deque[str] = field(default_factory=lambda: deque(maxlen=8))
    _boxes: dict[str, float] = field(default_factory=dict)

    def troubles(self, now: float) -> list[Trouble]:
        """What is not right with it, besides what its guests need."""
        found = []
        recent = [box for box, at in self._boxes.items() if now - at < TWINS]
        if len(recent) > 1:
            found.append(Trouble("twins", self.name))
        if abs(self.clock) > CLOCK and self.status == "there":
            found.append(Trouble("clock", str(round(self.clock))))
        if self.later:
            found.append(Trouble("later", self.later))
        if now < self.speaks_until:
            found.append(Trouble("speaks", self.speaks_as))
        if now < self.floods_until:
            found.append(Trouble("floods"))
        elif now < self.malformed_until:
            found.append(Trouble("malformed"))
        return found

    @property
    def needs(self) -> list[messages.Need]:
        """What needs a person, as the table last said; of a table that is lost nobody knows."""
        return self.help.needs if self.help is not None and self.status == "there" else []

    def waited(self) -> float | None:
        """For how many seconds the turn has lasted, by the table's own clock alone."""
        if self.now is None or self.pulse is None or self.status != "there":
            return None
        return max(0.0, max(self.pulse.at, self.now.at) - self.now.since)

    # -- what changes it -----------------------------------------------------------------------

    def may_speak(self, now: float) -> bool:
        """Whether it has not said too much lately."""
        self._room = min(BURST, self._room + (now - self._filled) * RATE)
        self._filled = now
        if self._room < 1:
            self.floods_until = now + 10
            return False
        self._room -= 1
        return True

    def set_status(self, status: Status, now: float) -> bool:
        """Whether that is something new."""
        if status == self.status:
            return False
        self.status, self.since = status, now
        self.version += 1
        return True

    def live_as(self, birth: str) -> bool:
        """Whether what names this birth belongs to the present stay; a new one begins it.

        So does one that another took the place of, when that one is heard no longer: two boxes
        had one name.
        """
        if birth in self._ended:
            return False
        if birth != self.birth:
            if birth in self._replaced and self.status not in ("lost", "off"):
                return False
            if self.birth:
                self._replaced.append(self.birth)
            self.birth, self.gone = birth, ""
        return True

    def die(self, birth: str) -> None:
        """A stay is over: what it said last and comes late does not begin it again."""
        if birth not in self._ended:
            self._ended.append(birth)

    def seen_box(self, box: str, now: float) -> None:
        self._boxes[box] = now
        while len(self._boxes) > 8:
            self._boxes.pop(next(iter(self._boxes)))


class Room:
    """Every table. All times are of a clock that never jumps, but for `wall`."""

    def __init__(self, tables: "Iterator[str] | list[str] | tuple[str, ...]" = ()) -> None:
        self.tables: dict[str, TableState] = {name: TableState(name) for name in tables}
        self.version = 0
        """Goes up with every change of any table."""
        self.hears = False
        """Whether the house hears its broker: otherwise it knows of no table how it is."""

    def line(self, up: bool, now: float) -> None:
        """The house's own line came up or went: what was heard before says nothing of now."""
        self.hears = up
        for table in self.tables.values():
            table.heard, table.known = None, now
            table.set_status("waiting", now)
        self.version += 1

    def take(
        self, topic: str, payload: bytes, retained: bool, now: float, wall: float
    ) -> "tuple[Topic, TableState, messages.Message] | None":
        """Take in a message; what it was, if it is one that others want as well."""
        try:
            which, name = topics.parse(topic)
        except NoTopicError:
            return None
        if which.writer != "table":
            return None
        if not payload and name not in self.tables:  # it was removed, and its words with it
            return None
        table = self._table(name, now)
        if table is None or not table.may_speak(now):
            return None
        if not payload:  # a retained word was taken away
            self._emptied(which, table)
            return None
        try:
            message = messages.decode(payload, which.carries)
        except messages.LaterVersionError as fault:
            if not table.later:
                self._changed(table)
            table.later = str(fault)
            return None
        except messages.MalformedError:
            table.refused += 1
            if now >= table.malformed_until:
                self._changed(table)
            table.malformed_until = now + 10
            return None
        self._put(table, message, retained, now, wall)
        return which, table, message

    def look(self, now: float) -> None:
        """Time has passed: who has not been heard is lost."""
        for table in self.tables.values():
            if self.hears and table.set_status(self._status(table, now), now):
                self.version += 1

    def forget(self, name: str) -> None:
        """A table that no longer belongs to the house."""
        if self.tables.pop(name, None) is not None:
            self.version += 1

    # -- one message -----------------------------------------------------------------------------

    def _table(self, name: str, now: float) -> TableState | None:
        if name not in self.tables:
            if len(self.tables) >= TABLES:
                return None
            self.tables[name] = TableState(name, known=now, since=now, _filled=now)
            self.version += 1
        return self.tables[name]

    def _emptied(self, which: Topic, table: TableState) -> None:
        if which is topics.NOW:
            table.now = None
        elif which is topics.HELP:
            table.help = None
        elif which is topics.ABOUT:
            table.about = None
        self._changed(table)

    def _put(
        self, table: TableState, message: messages.Message, retained: bool, now: float, wall: float
    ) -> None:
        if isinstance(message, messages.Pulse):
            self._pulse(table, message, retained, now, wall)
        elif isinstance(message, messages.Here):
            self._here(table, message, now)
        elif isinstance(message, messages.Now):
            table.now = message
            self._changed(table)
        elif isinstance(message, messages.Help):
            table.help = message
            self._changed(table)
        elif isinstance(message, messages.TurnedAway):
            table.speaks_as, table.speaks_until = message.name, now + REFUSED
            self._changed(table)
        elif isinstance(message, messages.About):
            table.about, table.later = message, ""
            self._changed(table)

    def _pulse(
        self, table: TableState, pulse: messages.Pulse, retained: bool, now: float, wall: float
    ) -> None:
        if retained or not table.live_as(pulse.birth):
            return
        before, table.clock = table.clock, pulse.at - wall
        table.pulse, table.heard, table.gone = pulse, now, ""
        if (abs(before) > CLOCK) != (abs(table.clock) > CLOCK):
            self._changed(table)
        if table.set_status(self._status(table, now), now):
            self.version += 1

    def _here(self, table: TableState, here: messages.Here, now: float) -> None:
        if here.box and here.here:
            table.seen_box(here.box, now)
        if here.here:
            table.live_as(here.birth)
        else:
            self._death(table, here)
        if table.set_status(self._status(table, now), now):
            self.version += 1

    def _death(self, table: TableState, here: messages.Here) -> None:
        table.die(here.birth)
        if here.birth == table.birth or not table.birth:
            table.birth, table.heard = here.birth, None
            table.gone = "off" if here.off else "lost"

    def _status(self, table: TableState, now: float) -> Status:
        if not self.hears:
            return "waiting"
        if table.gone:
            return "off" if table.gone == "off" else "lost"
        last = table.heard if table.heard is not None else table.known
        if now - last >= LOST:
            return "lost"
        return "there" if table.heard is not None else "waiting"

    def _changed(self, table: TableState) -> None:
        table.version += 1
        self.version += 1

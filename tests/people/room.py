"""Clock, wires and box of a simulated evening: what the table's sensors say reaches a referee.

The referee is a black box here: events go in, effects and its next deadline come out. The wires
bounce, lose lines and come out; the power fails. A log of all events becomes a script.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from heapq import heapify, heappop, heappush
from random import Random

from companion.events import (
    Drawn,
    Event,
    Found,
    Lost,
    Pressed,
    Reading,
    RecordData,
    Rolled,
    Rolling,
    Snapshot,
    Thought,
    Tick,
)
from companion.referee import Draw, Effect, Keep, Referee, Report, Show, Think, View
from companion.rules import Pass, Position, legal_moves, position
from tests.people.acts import WIRE
from tests.people.table import AnyTable
from tests.scripts import line_of

SNAP_EVERY = 2.0
"""Seconds: at the latest then a board says what stands on it, and repairs what was lost."""


class Room:
    """One table, one box. `watch` hears every effect, with the time it came at."""

    def __init__(
        self,
        table: AnyTable,
        sensing: str,
        rng: Random,
        watch: Callable[[Sequence[Effect]], None],
        bounce: float = 0.0,
        loss: float = 0.0,
    ) -> None:
        self.table, self.sensing, self.rng, self.watch = table, sensing, rng, watch
        self.bounce, self.loss = bounce, loss
        self.now = 0.0
        self.rolls = 0
        self.log: list[tuple[float, Event | str]] = []
        self.readings: list[Reading | Snapshot] = []
        self.records: list[RecordData] = []
        self.cut_at = 0
        self.cut_kind = ""
        self.on_cut: Callable[[str], None] = lambda kind: None
        self.on_found: Callable[[], None] = lambda: None
        self.missed = False
        """Whether fingers did something that the box did not hear, or has forgotten since."""
        self.rebooted = False
        """Whether the box was off since the table was last known to be right."""
        self._later: list[tuple[float, int, str, Callable[[], None]]] = []
        self._count = 0
        self.cable = self.power = True
        self.box: dict[str, str] = {}
        """The seats that the box has."""
        self.to_draw: int | None = None
        """The number of the roll that the box wants to be drawn."""
        self.events = 0
        self.changed = 0.0
        self.lost_at = -9.0
        self.told_at = 0.0
        """When the board tells next, or told last, all that stands on it."""
        table.sense = self.sense
        self.referee = Referee(sensing=sensing)
        self.view: View = self.referee.view

    # -- the box ---------------------------------------------------------------------------

    def stand(self, position: Position) -> None:
        """A new box goes on from a position, with the board as that position has it."""
        self._later.clear()
        self.told_at = self.now
        self.cable = self.power = True
        self.cut_kind = ""
        self.table.set_up(position)
        self.referee = Referee(sensing=self.sensing)
        self.records = [
            {"kind": "start", "game": str(position.game)},
            {"kind": "ruling", "position": str(position)},
            *({"kind": "seat", "colour": c, "level": level} for c, level in self.box.items()),
        ]
        self.to_draw = None
        self.note(f"position {position}")
        self._heard(self.referee.resume(self.records, self.now))
        self.view = self.referee.view
        self.snapshot()
        self.wait(1.0)

    def feed(self, event: Event) -> None:
        """One event reaches the box, unless it is off."""
        if not self.power:
            return
        self.events += 1
        self.log.append((self.now, event))
        self._heard(self.referee.feed(event, self.now))

    def _heard(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Keep):
                self.records.append(effect.record)
            elif isinstance(effect, Show):
                self.view = effect.view
            elif isinstance(effect, Report):
                assert not effect.text.startswith("no way leads"), effect.text
            elif isinstance(effect, Draw):
                self.to_draw = effect.number
            elif isinstance(effect, Think):
                self.in_a_while(self.rng.uniform(0.1, 1.5), partial(self._think, effect))
        self.watch(effects)

    def draw(self, face: int) -> None:
        """The roll that the box wants is drawn."""
        assert self.to_draw is not None
        number, self.to_draw = self.to_draw, None
        self.feed(Drawn(number, face))

    def _think(self, effect: Think) -> None:
        """The box's player has thought of something: any move that moves something."""
        here = position(str(effect.question["position"]))
        moves = legal_moves(here, int(effect.question["face"]))
        moved = [move for move in moves if not isinstance(move, Pass)]
        told = here.game.move_text(self.rng.choice(moved or moves))
        self.feed(Thought(effect.number, {"move": told}))

    def note(self, text: str) -> None:
        """A line for the log: what happened, for whoever reads the script."""
        self.log.append((self.now, text))

    def wait(self, seconds: float) -> None:
        """Time passes, with the ticks the referee asks for and what was put off until now."""
        end = self.now + seconds
        while True:
            deadline = self.referee.next_deadline() if self.power else None
            due = self._later[0][0] if self._later else None
            if due is not None and due <= end and (deadline is None or due <= deadline):
                self.now = max(self.now, due)
                heappop(self._later)[3]()
            elif deadline is not None and deadline <= end:
                self.now = max(self.now, deadline)
                self._heard(self.referee.feed(Tick(), self.now))
            else:
                break
        self.now = end

    def in_a_while(self, seconds: float, do: Callable[[], None], kind: str = WIRE) -> None:
        """Do this later, whatever else goes on then."""
        self._count += 1
        heappush(self._later, (self.now + seconds, self._count, kind, do))

    def is_coming(self, *kinds: str) -> bool:
        """Whether something of these kinds was put off and is still to come."""
        return any(kind in kinds for _, _, kind, _ in self._later)

    def forget(self, kind: str) -> None:
        """What was put off will not be done after all."""
        self._later = [one for one in self._later if one[2] != kind]
        heapify(self._later)

    # -- what people can do at the box -----------------------------------------------------

    def press(self, button: str, held: bool = False) -> None:
        if self.sensing != "presence" and self.cut_kind == "power":
            self._cut_if_due()
        self.feed(Pressed(button, held))  # type: ignore[arg-type]

    def roll(self, face: int, seconds: float) -> None:
        """Throw the die: it rolls for a while, and lies."""
        self.feed(Rolling())
        self.wait(seconds)
        self.rolls += 1
        self.feed(Rolled(self.rolls, face))

    def pick(self, wanted: Callable[[int], bool]) -> bool:
        """Turn to the line that is wanted, and press OK; False if there is none."""
        lines = self.view.lines
        if not any(wanted(n) for n in range(len(lines))):
            return False
        for _ in lines:
            if wanted(self.view.cursor):
                break
            self.press("down")
        self.press("ok")
        return True

    # -- the wires -------------------------------------------------------------------------

    def sense(self, place: str, on: bool) -> None:
        """The table says that a sensor changed; the wire may spoil it."""
        self.changed = self.now
        if self.sensing != "presence":
            return
        self._cut_if_due()
        if not (self.power and self.cable):
            return
        if self.told_at <= self.now:  # every two seconds; while nothing changes it is left out
            self.told_at = (self.now // SNAP_EVERY + 1) * SNAP_EVERY
            self.in_a_while(self.told_at - self.now, self.snapshot)
        if self.loss and self.rng.random() < self.loss:
            self.lost_at = self.now
            self.note(f"# lost on the way: {place} {'on' if on else 'off'}")
            self.in_a_while(self.rng.uniform(0.1, SNAP_EVERY), self.snapshot)
            return
        self._read(place, on)
        if self.bounce and self.rng.random() < self.bounce:
            gap = self.rng.uniform(0.02, 0.04)
            self.in_a_while(gap, lambda: self._read(place, not on))
            self.in_a_while(2 * gap, lambda: self._read(place, place in self.table.on()))

    def _read(self, place: str, on: bool) -> None:
        if self.power and self.cable:
            reading = Reading(place, on)
            self.readings.append(reading)
            self.feed(reading)

    def tap(self, place: str, bounces: bool = False) -> None:
        """A finger presses a place (touch) and lets go; without cable or power nobody hears it."""
        self.changed = self.now
        self._cut_if_due()
        self.missed = self.missed or not (self.power and self.cable)
        self._read(place, True)
        if bounces:
            self.wait(self.rng.uniform(0.02, 0.04))
            self._read(place, False)
            self.wait(self.rng.uniform(0.02, 0.04))
            self._read(place, True)
        self.wait(0.1)
        self._read(place, False)

    def snapshot(self) -> None:
        """The board says what stands on it."""
        if self.power and self.cable and self.sensing == "presence":
            snapshot = Snapshot(self.table.on())
            self.readings.append(snapshot)
            self.feed(snapshot)

    def cut_soon(self, kind: str, readings: int) -> None:
        """The cable comes out, or the power fails, at one of the next readings or presses."""
        self.cut_kind, self.cut_at = kind, readings

    def no_cut(self) -> None:
        self.cut_kind = ""

    def _cut_if_due(self) -> None:
        if self.cut_kind:
            self.cut_at -= 1
            if self.cut_at <= 0:
                self._cut()

    def _cut(self) -> None:
        kind, self.cut_kind = self.cut_kind, ""
        self.on_cut(kind)
        self.missed = self.sensing != "presence"
        if kind == "cable":
            self.feed(Lost("board"))
            self.cable = False
            self.in_a_while(self.rng.uniform(1.0, 10.0), self._plugged)
        elif kind == "power":
            self.note("# the power fails")
            self.power = False
            self.in_a_while(self.rng.uniform(5.0, 25.0), self._booted)

    def _plugged(self) -> None:
        self.cable = True
        self.feed(Found("board"))
        self.on_found()
        self.snapshot()

    def _booted(self) -> None:
        self.power, self.rebooted, self.to_draw = True, True, None
        self.referee = Referee(sensing=self.sensing)
        self._heard(self.referee.resume(list(self.records), self.now))
        self.view = self.referee.view
        self.note(f"position {self.view.position}")
        if self.view.face is not None:
            self.note(f"roll {self.view.face}")
        self.note("# the power is back: the box knows what it had kept, as above")
        self.snapshot()


def script_of(
    log: Iterable[tuple[float, Event | str]], sensing: str, start: float, heading: str
) -> str:
    """The log as a script for `tests/scripts.py`: times count from `start`."""
    lines = [*(f"# {line}" for line in heading.splitlines()), f"sensing {sensing}"]
    for at, what in log:
        text = what if isinstance(what, str) else line_of(what)
        stamp = f"@{max(at - start, 0.0):.3f} "
        lines.append(text if text.startswith(("#", "position")) else stamp + text)
    return "\n".join(lines) + "\n"

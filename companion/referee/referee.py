"""The referee: events in, effects out; it recognises, judges, keeps turn and puts right.

No I/O, no clock, no randomness: time comes with every event, and the same events give the
same effects. `Evening` in `evening.py` holds the game; here is what is heard and when.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from companion.events import (
    Command,
    Event,
    Found,
    Fumbled,
    Lost,
    Pressed,
    Reading,
    Rolled,
    Rolling,
    Snapshot,
    Tick,
)
from companion.referee.effects import Effect, Keep, Light, Show, View
from companion.referee.evening import Evening
from companion.referee.lights import light
from companion.referee.match import Record
from companion.referee.times import Times
from companion.rules import BadInput


class Referee:
    """Feed it events with their time; it returns what is to be done."""

    def __init__(
        self,
        *,
        sensing: str = "presence",
        die: str = "serial",
        times: Times | None = None,
        choice: Mapping[str, Any] | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.evening = Evening(sensing, die, times or Times(), choice or {}, settings or {})
        self.now = 0.0
        self._shown: View | None = None
        self._lit: Light | None = None
        self._take: dict[type, Callable[[Any], None]] = {
            Reading: self._reading,
            Snapshot: self._snapshot,
            Rolling: lambda _: self.evening.rolling(),
            Rolled: lambda event: self.evening.rolled(event.face, event.number),
            Fumbled: lambda _: self.evening.fumbled(),
            Pressed: lambda event: self.evening.box.button(event.button, event.held),
            Lost: lambda event: self.evening.lost(event.device),
            Found: lambda event: self.evening.found(event.device),
            Command: lambda event: self.evening.commands.do(event.name, dict(event.args)),
            Tick: lambda _: None,
        }

    @property
    def view(self) -> View:
        """The table as it is now."""
        return self.evening.view()

    def resume(self, records: Iterable[Record], now: float) -> list[Effect]:
        """Go on with the game that a journal tells of; the board is compared with it.

        Records that cannot be followed are reported, and nobody plays then.
        """
        self._at(now)
        try:
            self.evening.resume(records)
        except BadInput as error:
            self.evening.report(
                f"the last game cannot be resumed and stays in the journal: {error}"
            )
        return self._effects()

    def catch_up(
        self, missing: Mapping[str, str], board: Collection[str] | None, now: float
    ) -> list[Effect]:
        """Hear which devices are lost and what the board senses, as far as that is known."""
        events: list[Event] = [Lost(device, why) for device, why in missing.items()]
        if board is not None:
            events.append(Snapshot(frozenset(board)))
        return [effect for event in events for effect in self.feed(event, now)]

    def feed(self, event: Event, now: float) -> list[Effect]:
        """Take one event. Nonsense is reported, and never changes the game."""
        self._at(now)
        take = self._take.get(type(event))
        if take is None or not _well_formed(event):
            self.evening.report(f"not an event: {event!r}")
        else:
            try:
                take(event)
            except BadInput as error:
                self.evening.report(str(error))
        self.evening.watch.due()
        return self._effects()

    def next_deadline(self) -> float | None:
        """When `feed(Tick(), now)` is wanted at the latest; None if nothing is waited for."""
        return self.evening.watch.deadline()

    def _at(self, now: float) -> None:
        if now < self.now:
            self.evening.report(f"time went back by {self.now - now:.3f} s; the later one counts")
        self.now = self.evening.now = max(now, self.now)

    def _reading(self, event: Reading) -> None:
        if self._known((event.place,)):
            self.evening.reading(event.place, event.on)

    def _snapshot(self, event: Snapshot) -> None:
        if self._known(event.on):
            self.evening.snapshot(event.on)

    def _known(self, places: Iterable[str]) -> bool:
        """Whether the board in play has these places; others are reported."""
        board = self.evening.board
        strange = sorted(set(places) - set(board.by_name))
        if strange:
            self.evening.report(f"no place {', '.join(strange)} on board {board.name}")
        return not strange

    def _effects(self) -> list[Effect]:
        """What came of it: first what must be kept, then what is shown."""
        effects = self.evening.taken_effects()
        view = self.evening.view()
        kept: list[Effect] = [effect for effect in effects if isinstance(effect, Keep)]
        rest = [effect for effect in effects if not isinstance(effect, Keep)]
        if view != self._shown:
            self._shown = view
            rest.append(Show(view))
        lit = light(view)
        if lit != self._lit:
            self._lit = lit
            rest.append(lit)
        return kept + rest


def _well_formed(event: Event) -> bool:
    """Whether an event holds what it should: names that are text, and so on."""
    if isinstance(event, Snapshot):
        return isinstance(event.on, Collection) and all(isinstance(n, str) for n in event.on)
    if isinstance(event, Command):
        return isinstance(event.name, str) and isinstance(event.args, Mapping)
    if isinstance(event, Reading):
        return isinstance(event.place, str)
    return not isinstance(event, Lost | Found) or isinstance(event.device, str)

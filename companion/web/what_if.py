"""What if: a simulated table of its own, on which a past game goes on from one of its moves.

It has a referee and devices like any other, and no journal: what is tried on it is kept nowhere,
and the game that is played at the real table knows nothing of it.
"""

import asyncio
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from companion.box_players import BoxPlayers
from companion.events import Event, RecordData, Tick
from companion.referee import Draw, Effect, Referee, Show, Sound, Think, Times, View
from companion.rules import Position
from companion.rules.history import Deed, History, Roll, Seat, kept, started
from companion.screens.pictures import picture
from companion.screens.sounds import pattern
from companion.table.sim import SimButtons, SimDie
from companion.thinking import Thinker
from companion.web.host import Journal
from companion.web.mirror import MirrorDisplay, MirrorSounder
from companion.web.tabletop import AnyBoard

ROOM = 256  # events that may wait
_LOG = logging.getLogger("companion.web")


def records_until(history: History, moves: int) -> list[RecordData]:
    """What leads to a game after so many of its moves, with the roll that came next.

    What was taken back is left out: it would have to be taken back again.
    """
    game, standing = history.game, history.past
    following = standing[moves : moves + 1]
    told = [started(game, history.names), *_seats(history, following)]
    for deed in standing[:moves]:
        told += _with_its_roll(deed)
    if following and following[0].position.opening is None:
        told += [kept(game, roll) for roll in rolls_of(following[0])]
    return told


def _seats(history: History, following: Sequence[Deed]) -> Iterator[RecordData]:
    """Who had which seat when the next move was made: the box's players play on."""
    for deed in takewhile(lambda deed: all(deed is not one for one in following), history.deeds):
        if isinstance(deed.entry, Seat):
            yield kept(history.game, deed.entry)


def _with_its_roll(deed: Deed) -> Iterable[RecordData]:
    game = deed.position.game
    yield from (kept(game, roll) for roll in rolls_of(deed))
    yield kept(game, deed.entry)


def rolls_of(deed: Deed) -> Iterable[Roll]:
    """The roll that a move was made with; a bonus is none."""
    if deed.face is not None and deed.position.due is None:
        yield Roll(deed.face, source="chosen" if deed.chosen else "unknown")


class OtherDevices:
    """What stands on that table; all of it is simulated."""

    def __init__(self) -> None:
        self.board = AnyBoard()
        self.die = SimDie(os.urandom, 0)
        self.buttons = SimButtons()
        self.display = MirrorDisplay()
        self.sounder = MirrorSounder()

    @property
    def sources(self) -> tuple[AnyBoard | SimDie | SimButtons, ...]:
        """The devices that report events."""
        return self.board, self.die, self.buttons


class OtherTable:
    """The host of that table, as a page wants it."""

    benches = False
    setup = None
    chances: tuple[int, Mapping[Position, Mapping[str, float]]] = (0, {})

    def __init__(
        self, records: Iterable[RecordData], journal: Journal, times: Times, thinker: Thinker
    ) -> None:
        self.journal, self.thinker = journal, thinker
        self._box_players = BoxPlayers(thinker, os.urandom, self.post)
        self.devices = OtherDevices()
        self._records = list(records)
        self._referee = Referee(sensing="presence", times=times)
        self._view = self._referee.view
        self._effects: list[Effect] = []
        self._events: asyncio.Queue[Event] = asyncio.Queue(ROOM)
        self._listeners: list[Callable[[View], None]] = []

    @property
    def view(self) -> View:
        """The table as it is now."""
        return self._view

    @property
    def history(self) -> tuple[History | None, int]:
        """The game, and how many deeds of it there are."""
        match = self._referee.match
        return match, 0 if match is None else len(match.deeds)

    async def delete_game(self, id: int) -> bool:
        """Games are deleted at the table that counts."""
        return False

    def offer_phones(self, phones: object) -> None:
        """Phones play at the table that counts."""

    def post(self, event: Event) -> bool:
        """Tell the referee of an event; false if there is no room for it."""
        try:
            self._events.put_nowait(event)
        except asyncio.QueueFull:
            return False
        return True

    def _hear(self, event: Event) -> None:
        self.post(event)

    def subscribe(self, listener: Callable[[View], None]) -> Callable[[], None]:
        """Call this with every new view; returns how to end that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def resume(self, now: float) -> None:
        """Go on with the game, before `run`; a long one takes a while, so not in the loop."""
        self._effects = self._referee.resume(self._records, now)

    async def run(self) -> None:
        """Play until cancelled."""
        now = asyncio.get_running_loop().time
        self._carry_out([*self._effects, Show(self._referee.view)])
        for source in self.devices.sources:
            source.start(self._hear)
        try:
            while True:
                event = await self._next(now)
                try:
                    self._carry_out(self._referee.feed(event, now()))
                except Exception:
                    _LOG.exception("what if: the referee stumbled over %s", event)
        finally:
            await self._box_players.forget()
            for source in self.devices.sources:
                source.close()

    async def _next(self, now: Callable[[], float]) -> Event:
        deadline = self._referee.next_deadline()
        wait = None if deadline is None else max(0.0, deadline - now())
        try:
            return await asyncio.wait_for(self._events.get(), wait)
        except TimeoutError:
            return Tick()

    def _carry_out(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Show):
                self._view = effect.view
                self.devices.display.show(picture(effect.view))
                for listener in tuple(self._listeners):
                    listener(effect.view)
            elif isinstance(effect, Sound) and (volume := self._view.setting("volume")):
                self.devices.sounder.play(pattern(effect.name, volume))
            elif isinstance(effect, Draw | Think):
                self._box_players.answer(effect)

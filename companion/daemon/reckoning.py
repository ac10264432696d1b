"""Reckons the chances of the game under way beside it: the newest position first, then older ones.

Who was lucky in a game that is over comes before all of them: people sit and wait for it. For the
rest nothing waits. Each belongs to its position: what comes when the game has gone on is kept
for the chart, and is shown nowhere else. A table that does not show chances never asks for any.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Protocol

from companion.events import Event, Reckoned, Weighed
from companion.referee import View
from companion.rules import Position
from companion.rules.history import History
from companion.rules.records import from_history
from companion.thinking import Thinker, ThinkingError

GAMES = 1_200
"""Play-outs of a position: about one and a half points of a hundred."""
LONGEST = 600.0
"""Seconds that taking a game apart may take."""
TRIES = 2
"""How often that is tried, where the process that does it ends before."""
UNKNOWN: Mapping[str, Any] = {"luck": {}, "gave": {}}
"""What is told where nobody can say who was lucky: nobody waits for it any longer."""
_LOG = logging.getLogger("companion")


class Table(Protocol):
    """What is needed of the daemon whose game it is."""

    thinker: Thinker

    @property
    def view(self) -> View:
        """The table as it was told last."""

    @property
    def history(self) -> tuple[History | None, int]:
        """The game, and how many deeds of it were told."""

    def post(self, event: Event) -> bool:
        """Tell the referee of something."""

    def subscribe(self, listener: Callable[[View], None]) -> Callable[[], None]:
        """Call this with every new view; returns how to end that."""


def _analyst() -> Thinker:
    """A process of its own for one long question."""
    return Thinker(patience=LONGEST)


class Reckoner:
    """The chances to win by position, as far as they are known; `version` grows with them."""

    def __init__(self, analyst: Callable[[], Thinker] = _analyst) -> None:
        self._analyst = analyst
        self.known: dict[Position, Mapping[str, float]] = {}
        self.version = 0
        self._errors: dict[Position, float] = {}
        self._told: Position | None = None
        self._history: History | None = None
        self._weighed: tuple[History, int, Position] | None = None

    async def run(self, daemon: Table) -> None:
        """Reckon while the table is there."""
        news = asyncio.Event()
        news.set()
        end = daemon.subscribe(lambda _: news.set())
        try:
            while True:
                await news.wait()
                news.clear()
                try:
                    self._remind(daemon)
                    while await self._weigh(daemon) or await self._reckon(daemon):
                        pass
                except ThinkingError as fault:
                    _LOG.warning("the chances are not reckoned: %s", fault)
        finally:
            end()

    async def _weigh(self, daemon: Table) -> bool:
        """Say who was lucky in a game that is over; once. Whether there may be more to do now.

        A table that is too busy to hear it is told with its next view.
        """
        ended = _ended(daemon)
        if ended is None or ended == self._weighed:
            return False
        history, _, position = ended
        told: Mapping[str, Any] | None = UNKNOWN
        if history.past:
            await daemon.thinker.rest()  # one process at a time, where there is little memory
            told = await self._luck_meanwhile(daemon, ended)
        if told is None:
            return True  # the table has changed meanwhile
        if not daemon.post(Weighed(str(position), told)):
            return False
        self._weighed = ended
        return True

    async def _luck_meanwhile(
        self, daemon: Table, ended: tuple[History, int, Position]
    ) -> Mapping[str, Any] | None:
        """Who was lucky in this game; None if it went on, another began, or nobody wants to know
        any longer, before that was known.

        A pause or a menu over it changes nothing.
        """
        record = str(from_history(ended[0], date.today()))
        work = asyncio.create_task(self._luck(record))

        def follow(_: View) -> None:
            if _ended(daemon) != ended:
                work.cancel()

        end = daemon.subscribe(follow)
        try:
            return await work
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            return None
        finally:
            end()

    async def _luck(self, record: str) -> Mapping[str, Any]:
        """Who was lucky in the game of a record, by a process that ends with it."""
        for _ in range(TRIES):
            analyst = self._analyst()
            try:
                return await analyst.ask({"ask": "luck", "record": record})
            except ThinkingError as fault:
                _LOG.warning("who was lucky cannot be said: %s", fault)
            finally:
                await analyst.close()
        return UNKNOWN

    async def _reckon(self, daemon: Table) -> bool:
        """Reckon one position; whether there was one."""
        position = self._next(daemon)
        if position is None:
            return False
        text = str(position)
        told = await daemon.thinker.ask({"ask": "chances", "position": text, "games": GAMES})
        win = {colour: value for colour, (value, _) in told["win"].items()}
        self.known[position] = win
        self._errors[position] = max(error for _, error in told["win"].values())
        self.version += 1
        self._remind(daemon)
        return True

    def _remind(self, daemon: Table) -> None:
        """Tell the table the chances as it stands now, if they are known: also after a move was
        taken back; once, as long as it stands so."""
        here = daemon.view.position
        if here == self._told:
            return
        self._told = None
        if here is not None and here in self.known and daemon.view.setting("chances"):
            known = Reckoned(str(here), self.known[here], self._errors[here])
            self._told = here if daemon.post(known) else None

    def _next(self, daemon: Table) -> Position | None:
        """The newest position whose chances are wanted and not known."""
        history, _ = daemon.history
        if history is not self._history:
            self._history, self.known, self._errors, self._told = history, {}, {}, None
        if history is None or not daemon.view.setting("chances"):
            return None
        here = daemon.view.position
        past = (deed.after for deed in reversed(history.past))
        newest = ([here] if here is not None else []) + list(past)
        return next((one for one in newest if one not in self.known), None)


def _ended(daemon: Table) -> tuple[History, int, Position] | None:
    """A game that is over, where luck is wanted: it, its number of deeds, and how it stands."""
    history, _ = daemon.history
    if history is None or not daemon.view.over or not daemon.view.setting("chances"):
        return None
    return history, len(history.deeds), history.position

"""Reckons the chances of the game under way beside it: the newest position first, then older ones.

Nothing waits for them. Each belongs to its position: what comes when the game has gone on is kept
for the chart, and is shown nowhere else. A table that does not show chances never asks for any.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import date
from typing import Protocol

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


class Reckoner:
    """The chances to win by position, as far as they are known; `version` grows with them."""

    def __init__(self) -> None:
        self.known: dict[Position, Mapping[str, float]] = {}
        self.version = 0
        self._history: History | None = None
        self._weighed: History | None = None

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
                    await self._catch_up(daemon)
                    await self._weigh(daemon)
                except ThinkingError as fault:
                    _LOG.warning("the chances are not reckoned: %s", fault)
        finally:
            end()

    async def _weigh(self, daemon: Table) -> None:
        """Say who was lucky in a game that is over; once, by a process that ends with it."""
        history, _ = daemon.history
        over = daemon.view.phase == "over" and daemon.view.setting("chances")
        if history is None or not over or history is self._weighed or not history.past:
            return
        self._weighed = history
        record = str(from_history(history, date.today()))
        await daemon.thinker.rest()  # one process at a time, where there is little memory
        analyst = Thinker(patience=LONGEST)
        try:
            told = await analyst.ask({"ask": "luck", "record": record})
        finally:
            await analyst.close()
        daemon.post(Weighed(told.pop("position"), told))

    async def _catch_up(self, daemon: Table) -> None:
        while (position := self._next(daemon)) is not None:
            text = str(position)
            told = await daemon.thinker.ask({"ask": "chances", "position": text, "games": GAMES})
            win = {colour: value for colour, (value, _) in told["win"].items()}
            self.known[position] = win
            self.version += 1
            if position == daemon.view.position:
                error = max(error for _, error in told["win"].values())
                daemon.post(Reckoned(text, win, error))

    def _next(self, daemon: Table) -> Position | None:
        """The newest position whose chances are wanted and not known."""
        history, _ = daemon.history
        if history is not self._history:
            self._history, self.known = history, {}
        if history is None or not daemon.view.setting("chances"):
            return None
        here = daemon.view.position
        past = (deed.after for deed in reversed(history.past))
        newest = ([here] if here is not None else []) + list(past)
        return next((one for one in newest if one not in self.known), None)

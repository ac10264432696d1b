"""Answers what a referee asks for the box's players: a roll is drawn, and a question thought about.

The answers come back as events like any other, some time later; nothing waits for them.
"""

import asyncio
from collections.abc import Callable

from companion.events import Drawn, Event, Thought
from companion.referee import Draw, Think
from companion.table.die import Entropy, draw
from companion.thinking import Thinker, ThinkingError


class BoxPlayers:
    """Draws and thinks for one referee; `post` brings it the answers."""

    def __init__(self, thinker: Thinker, entropy: Entropy, post: Callable[[Event], bool]) -> None:
        self._thinker, self._entropy, self._post = thinker, entropy, post
        self._tasks: set[asyncio.Task[None]] = set()

    def answer(self, asked: Draw | Think) -> None:
        """Draw at once, or think beside the loop."""
        if isinstance(asked, Draw):
            self._post(Drawn(asked.number, draw(self._entropy)))
            return
        task = asyncio.create_task(self._think(asked))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _think(self, asked: Think) -> None:
        try:
            told = await self._thinker.ask(dict(asked.question))
        except ThinkingError as fault:
            told = {"error": str(fault)}
        self._post(Thought(asked.number, told))

    async def forget(self) -> None:
        """Whoever asked is no longer there."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

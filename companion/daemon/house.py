"""The daemon's place in a house: whether it has one, and how that stands.

Nothing of a house is imported until the configuration names one.
"""

import asyncio
import contextlib
import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.config import CafeSection
from companion.daemon.shell import Daemon
from companion.privileged import orders_folder


class Membership:
    """A table's place in a house; one of the daemon's services, and known to its page."""

    def __init__(
        self,
        section: CafeSection | None,
        folder: Path,
        *,
        page: Callable[[], str] = str,
        board: str = "",
    ) -> None:
        """`page` tells where the table's own page is found."""
        self._section, self._folder = section, folder
        self._page, self._board = page, board
        self._table: Any = None
        self._again = asyncio.Event()

    def go_to(self, section: CafeSection | None) -> None:
        """Leave the house for another one, while the table plays on."""
        self._section = section
        self._again.set()

    async def run(self, daemon: Daemon) -> None:
        """Belong to the house until cancelled."""
        while True:
            self._again.clear()
            work: list[asyncio.Task[Any]] = [asyncio.create_task(self._again.wait())]
            if self._section is not None:
                work.append(asyncio.create_task(self._stay(daemon, self._section)))
            try:
                done, _ = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
                for one in done:
                    one.result()
            finally:
                await _ended(work)
                self._table = None

    async def _stay(self, daemon: Daemon, section: CafeSection) -> None:
        cafe = await asyncio.to_thread(importlib.import_module, "companion.cafe.table")
        self._table = cafe.Table(daemon, section, self._folder, page=self._page, board=self._board)
        await self._table.run()

    def told(self, language: str) -> dict[str, Any]:
        """Which house this is, whether it hears the table, and why not, in a language.

        `service` says whether root opens the way to another house.
        """
        section, table = self._section, self._table
        told: dict[str, Any] = {"service": orders_folder() is not None}
        if section is None:
            return {**told, "state": "none"}
        told |= {"broker": f"{section.broker}:{section.port}", "name": section.name}
        if table is None:
            return {**told, "state": "waiting", "why": ""}
        return {**told, "state": table.state, "why": table.why(language)}


async def _ended(work: "list[asyncio.Task[Any]]") -> None:
    for one in work:
        one.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.gather(*work, return_exceptions=True)

"""The daemon's place in a house: whether it has one, how that stands, and how it joins another.

Nothing of a house is imported until the configuration, or an invitation that somebody confirmed,
names one.
"""

import asyncio
import contextlib
import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.config import ASSUMED, CafeSection, ConfigError, parse
from companion.daemon.shell import Daemon
from companion.invitation import Invitation, InvitationError, with_house
from companion.map_file import must_be_writable, write_text
from companion.privileged import ask_and_wait, order_folder


class Membership:
    """A table's place in a house; one of the daemon's services, and known to its page."""

    def __init__(
        self,
        section: CafeSection | None,
        folder: Path,
        *,
        path: Path | None = None,
        page: Callable[[], str] = str,
        board: str = "",
    ) -> None:
        """`path` is the configuration that an invitation is written to; `page` tells where the
        table's own page is found."""
        self.section = section
        self._folder, self._path, self._page, self._board = folder, path, page, board
        self._table: Any = None
        self._again = asyncio.Event()

    async def run(self, daemon: Daemon) -> None:
        """Belong to the house until cancelled; whoever is invited to another one goes there."""
        while True:
            self._again.clear()
            work: list[asyncio.Task[Any]] = [asyncio.create_task(self._again.wait())]
            if self.section is not None:
                work.append(asyncio.create_task(self._stay(daemon, self.section)))
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

    # -- for the page --------------------------------------------------------------------------

    def told(self, language: str) -> dict[str, Any]:
        """Which house this is, whether it hears the table, and why not, in a language."""
        section, table = self.section, self._table
        if section is None:
            return {"state": "none"}
        told = {"broker": f"{section.broker}:{section.port}", "name": section.name}
        if table is None:
            return {**told, "state": "waiting", "why": ""}
        return {**told, "state": table.state, "why": table.why(language)}

    async def join(self, invitation: Invitation) -> str:
        """Write that this table belongs to that house, and go there.

        Returns who wrote it: `root`, which also opened the service for that broker, or `self`
        where no service is installed. Raises InvitationError.
        """
        if self._path is None:
            raise InvitationError("this table has no configuration that could be written")
        by = await asyncio.to_thread(written, self._path, invitation)
        self.section = section_of(invitation)
        self._again.set()
        return by


def section_of(invitation: Invitation) -> CafeSection:
    """What the configuration says then."""
    found = parse(f"{ASSUMED}\n{invitation.toml()}", complete=False).cafe
    assert found is not None
    return found


def joined(path: Path, invitation: Invitation) -> str:
    """The text of a configuration that follows an invitation. Raises InvitationError."""
    try:
        text = path.read_text(encoding="utf-8-sig") if path.exists() else ASSUMED
        new = with_house(text, invitation)
        parse(new, str(path), complete=False)
    except (OSError, UnicodeDecodeError, ConfigError, ValueError) as fault:
        raise InvitationError(f"the configuration cannot be used: {fault}") from None
    return new


def written(path: Path, invitation: Invitation) -> str:
    """Write an invitation into a configuration; who did it. Raises InvitationError.

    A service may not write its own: root does it, and only what is written is said to be.
    """
    folder, text = order_folder(), joined(path, invitation)
    try:
        if folder is None:
            must_be_writable(path)
            write_text(path, text)
            return "self"
        if ask_and_wait(text, folder, path):
            return "root"
    except (OSError, ConfigError) as fault:
        raise InvitationError(f"the configuration cannot be written: {fault}") from None
    raise InvitationError(
        "the configuration was not written: journalctl -u ludo-companion-settings tells why"
    )


async def _ended(work: "list[asyncio.Task[Any]]") -> None:
    for one in work:
        one.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.gather(*work, return_exceptions=True)

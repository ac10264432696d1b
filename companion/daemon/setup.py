"""Sets a box up as its owner asks: what is written down for it, and that the service follows.

The service that is installed has root write its configuration (`companion.privileged`); one that
somebody started by hand writes it itself, if it may. Nothing is said to be written before it is.
"""

import asyncio
import logging
import os
import secrets
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion import __version__, config_file, invitation, orders, privileged, updates
from companion.config import Config, ConfigError, parse, places
from companion.daemon.mounts import in_memory, mounted
from companion.rules import BadInput
from companion.rules.boards import BOARDS

_LOG = logging.getLogger("companion")
VERSIONS = Path("/opt/ludo-companion")
OPEN, OWN = "0.0.0.0", "127.0.0.1"


class NotWrittenError(BadInput):
    """What was asked for is not written down; the sentence says why."""


class Setup:
    """How one box is set up, and the orders that change it.

    `again` is called when something was written: the service starts again with it, and the game
    goes on.
    """

    def __init__(self, path: Path, again: Callable[[], None]) -> None:
        self.path = path
        self.again = again
        self._folder = privileged.orders_folder()
        self._busy = asyncio.Lock()
        self._begun: set[asyncio.Task[None]] = set()
        self._answered: int | None = None  # when root had answered last, before it was asked again
        self.changes: dict[type[orders.Order], Callable[[Any, str], str]] = {
            orders.OpenPage: self._open_page,
            orders.Configure: self._configure,
            orders.Join: self._join,
        }
        """By the kind of an order, what it makes of a configuration."""
        self.updates: dict[type[orders.Order], Callable[[Any], str]] = {
            orders.LookForUpdate: lambda order: f"look {order.where}",
            orders.InstallUpdate: lambda order: f"install {order.digest}",
            orders.EarlierVersion: lambda _: "back",
        }
        """By the kind of an order, what root is asked for; it answers in its own time."""

    def told(self) -> dict[str, Any]:
        """How the box is set up, for the page; no PIN and no password is in it."""
        config = self._config()
        return {
            "written": self.path.exists(),
            "build": config_file.build_of(config),
            "mapped": is_mapped(config),
            "picos": has_picos(),
            "screens": {build: screen_of(one) for build, one in config_file.builds().items()},
            "forgets": in_memory(self.path.resolve(), mounted()) is not None,
            "board": config.board,
            "sensing": config.sensing,
            "die": config.die.source,
            "matrix": None if config.matrix is None else config.matrix.via,
            "screen": screen_of(config),
            "upside_down": config.oled is not None and config.oled.rotation == 180,
            "buttons": config.box.ok is not None,
            "open": not privileged.is_own(config.web.address),
            "address": f"http://{socket.gethostname().partition('.')[0]}.local:{config.web.port}/",
            "pin": config.web.pin is not None,
            "version": __version__,
            "before": updates.running(VERSIONS / "previous"),
            "update": self._update(),
            "house": None if config.cafe is None else config.cafe.label or config.cafe.name,
        }

    def _update(self) -> dict[str, Any] | None:
        """What came of the last wish; what came of the one before is no answer to it."""
        if self._answered == updates.answered():
            return {"state": "working"}
        return updates.answer()

    def pin(self) -> str | None:
        """The PIN that is set; for the box's own screen only."""
        return self._config().web.pin

    def _config(self) -> Config:
        """The configuration as it is written now; perhaps half a line. Raises BadInput."""
        try:
            return parse(config_file.text_of(self.path), str(self.path), complete=False)
        except ConfigError as fault:
            raise NotWrittenError(str(fault)) from None
        except OSError as fault:
            raise NotWrittenError(f"{self.path} cannot be read: {fault.strerror}") from None

    # -- orders ----------------------------------------------------------------------------------

    def begin(self, order: orders.Order) -> None:
        """Do what the box's menu asks for; the log says why, if it is not done."""
        task = asyncio.ensure_future(self._tried(order))
        self._begun.add(task)
        task.add_done_callback(self._begun.discard)

    async def _tried(self, order: orders.Order) -> None:
        try:
            await self.carry_out(order)
        except NotWrittenError as fault:
            _LOG.error("%s", fault)

    async def carry_out(self, order: orders.Order) -> None:
        """Do what is asked for. Raises NotWrittenError with a sentence."""
        if type(order) in self.updates:
            await self._ask_for(self.updates[type(order)](order))
            return
        async with self._busy:
            self._config()  # what cannot be used is not changed either
            try:
                text = self.changed(order, config_file.text_of(self.path))
                await asyncio.to_thread(self._write, text)
            except ConfigError as fault:
                raise NotWrittenError(str(fault)) from None
            except OSError as fault:
                raise NotWrittenError(f"{self.path}: {fault.strerror or fault}") from None
        self.again()

    def changed(self, order: orders.Order, text: str) -> str:
        """The configuration after an order. Raises ConfigError."""
        change = self.changes.get(type(order))
        if change is None:
            raise NotWrittenError(f"{orders.name_of(order)} changes nothing that is written down")
        return change(order, text)

    def _open_page(self, order: orders.OpenPage, text: str) -> str:
        web = self._config().web
        pin = order.pin or None
        if order.on and pin is None and (web.pin is None or not privileged.is_own(web.address)):
            pin = new_pin()  # there is none, or it is open already: another one is asked for
        return config_file.with_page(text, OPEN if order.on else OWN, pin)

    def _configure(self, order: orders.Configure, text: str) -> str:
        return config_file.with_build(text, order.build, order.screen, order.upside_down)

    def _join(self, order: orders.Join, text: str) -> str:
        try:
            return config_file.with_house(text, invitation.read(order.invitation))
        except invitation.InvitationError as fault:
            raise NotWrittenError(str(fault)) from None

    async def _ask_for(self, wish: str) -> None:
        """Ask root for something about updates, unless it would be forgotten."""
        if in_memory(VERSIONS, mounted()) is not None:
            raise NotWrittenError("read_only")
        if self._folder is None:
            raise NotWrittenError("updates are for a box whose service is installed")
        self._answered = updates.answered()
        try:
            await asyncio.to_thread(updates.ask, wish, self._folder)
        except OSError as fault:
            self._answered = None
            raise NotWrittenError(str(fault)) from None

    @property
    def upload(self) -> Path | None:
        """Where a package that is sent to the box goes; None where none can be installed."""
        folder = os.environ.get("STATE_DIRECTORY")
        if self._folder is None or folder is None:
            return None
        return Path(folder.partition(":")[0]) / updates.UPLOAD

    def _write(self, text: str) -> None:
        """Write it, or have root write it, and see that it is there."""
        if self._folder is None:
            config_file.write(self.path, text)
        elif not privileged.ask_and_wait(text, self._folder, self.path):
            raise NotWrittenError(
                "it was not written down: `journalctl -u ludo-companion-settings` tells why"
            )


def has_picos() -> bool:
    """Whether a Pico is on USB."""
    from companion.table.serial_ports import PicoPorts  # a table without Picos needs none of it

    return bool(PicoPorts()())


def screen_of(config: Config) -> str:
    """The chip of the screen, or `none`."""
    return "none" if config.oled is None else config.oled.chip


def is_mapped(config: Config) -> bool:
    """Whether a game can be played with the board: each of its places is known, or none matters."""
    return config.sensing == "choose" or len(places(config)) == len(BOARDS[config.board].places)


def new_pin() -> str:
    """Six digits that nobody can guess."""
    return f"{secrets.randbelow(1_000_000):06}"

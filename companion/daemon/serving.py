"""Serves a table until somebody stops it: its signals, its page, its log, and switching off."""

import asyncio
import importlib
import logging
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from companion.config import WebSection
from companion.daemon.shell import Daemon, Service
from companion.orders import OpenPage
from companion.web.host import House
from companion.web.key import kept_key

SHUT_DOWN = "shut-down"
"""The file that asks systemd to switch the box off."""
PAGE = {"open_page": OpenPage(on=True), "close_page": OpenPage(on=False)}
"""What the box's menu asks for, as orders about how it is set up."""


class Served(Protocol):
    """A table with a game or on the bench."""

    def stop(self) -> None:
        """End `run`."""

    async def run(self) -> None:
        """Serve it until it is stopped."""


async def until_signalled(table: Served, told: Callable[[], object] = lambda: None) -> None:
    """Serve a table until it ends by itself, or SIGTERM or SIGINT stop it cleanly.

    So does closing the terminal's window, unless `nohup` said that it should not.
    Who sends one sends it once: `told` is called also while the table ends already.
    """

    def stop() -> None:
        told()
        table.stop()

    loop = asyncio.get_running_loop()
    ends = [signal.SIGTERM, signal.SIGINT]
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        ends.append(signal.SIGHUP)
    for number in ends:
        loop.add_signal_handler(number, stop)
    await table.run()


def fulfil(daemon: Daemon, wish: str, wanted: list[Any] | None = None) -> None:
    """Do what the referee, or a page, asks of the shell around it.

    The service may not switch the box off itself: a file in its runtime folder makes systemd
    do so (ludo-companion-shutdown.path), which then stops us like any other service.
    """
    if wish in ("bench", "again") and wanted is not None:
        wanted.append(wish)
        daemon.stop()
        return
    if wish in PAGE and daemon.setup is not None:
        daemon.setup.begin(PAGE[wish])
        return
    if wish != "shut_down":
        logging.getLogger("companion").warning("nobody can fulfil the wish %r", wish)
        return
    folder = os.environ.get("RUNTIME_DIRECTORY")
    if folder is None:
        daemon.stop()
        return
    try:
        (Path(folder.partition(":")[0]) / SHUT_DOWN).touch()
    except OSError as fault:
        logging.getLogger("companion").error("the box cannot be switched off: %s", fault)


def page_address(section: WebSection) -> str:
    """Where others in the house find the table's page; empty if it is for the table only."""
    if not section.enabled:
        return ""
    from companion.web.addresses import phone_address

    return (phone_address(section.address, section.port) or "").removesuffix("phone")


def page_service(section: WebSection, folder: Path, house: House | None = None) -> Service:
    """The page beside a real table; aiohttp is imported in a thread, after the table is up.

    The key of the box's own screen is kept in `folder`; an invitation to a house is given to
    `house`.
    """
    key = kept_key(folder)  # before the table is up: then the kiosk reads it

    async def page(daemon: Daemon) -> None:
        server = await asyncio.to_thread(importlib.import_module, "companion.web.server")
        try:
            await server.Page(daemon, section, key=key, house=house).run()
        except OSError as fault:
            logging.getLogger("companion").error("%s; the table goes on without it", fault)

    return page


class _ForJournald(logging.Formatter):
    """Puts the priority in front, as journald reads it."""

    def format(self, record: logging.LogRecord) -> str:
        level = {"DEBUG": 7, "INFO": 6, "WARNING": 4, "ERROR": 3, "CRITICAL": 2}
        mark = f"<{level.get(record.levelname, 6)}>"
        return "\n".join(mark + line for line in super().format(record).splitlines())


def log_to_stderr() -> None:
    """Log one line for each thing worth knowing; journald adds time and name itself."""
    out = logging.StreamHandler(sys.stderr)
    if "JOURNAL_STREAM" in os.environ:
        out.setFormatter(_ForJournald("%(message)s"))
    else:
        out.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[out])

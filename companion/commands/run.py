"""`companion run`: the daemon beside the board, as systemd starts it."""

import asyncio
import logging
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from companion.config import Config
    from companion.daemon import Daemon

SHUT_DOWN = "shut-down"
"""The file that asks systemd to switch the box off."""


@click.command()
@click.option("--config", "path", type=click.Path(path_type=Path), help="The configuration.")
@click.option(
    "--journal", type=click.Path(path_type=Path), help="Where games are kept (a SQLite file)."
)
@click.option("--simulated", "pretend", is_flag=True, help="Use a table without any hardware.")
def run(path: Path | None, journal: Path | None, pretend: bool) -> None:
    """Referee the table until told to stop."""
    from companion.commands.play import page_service
    from companion.daemon.wiring import journal_path, put_together
    from companion.table.pins import PinError

    log_to_stderr()
    config = _config(path, pretend)
    games = journal or journal_path()
    try:
        daemon = put_together(
            config,
            games,
            pretend=pretend,
            services=[page_service(config.web, games.parent)] if config.web.enabled else [],
            wish=fulfil,
        )
    except PinError as fault:
        raise click.ClickException(str(fault)) from None
    asyncio.run(until_signalled(daemon))


def _config(path: Path | None, pretend: bool) -> "Config":
    from companion.commands.printable import refusal
    from companion.config import DEFAULT, Config, ConfigError, find, load

    place = find(path)
    try:
        if place is not None:
            return load(place)
        if pretend:
            return Config(sensing="presence")
    except ConfigError as fault:
        raise refusal(str(fault)) from None
    raise click.ClickException(
        f"there is no configuration: copy one of hardware/configs/ to {DEFAULT} and adapt it, "
        "or name one with --config"
    )


async def until_signalled(daemon: "Daemon") -> None:
    """Run a daemon until SIGTERM or SIGINT; both stop it cleanly."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, daemon.stop)
    await daemon.run()


def fulfil(daemon: "Daemon", wish: str) -> None:
    """Do what the referee asks of the shell around it.

    The service may not switch the box off itself: a file in its runtime folder makes systemd
    do so (ludo-companion-shutdown.path), which then stops us like any other service.
    """
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

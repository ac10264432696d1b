"""`companion run`: the daemon beside the board, as systemd starts it."""

import asyncio
import logging
import os
import signal
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    """Referee the table until told to stop.

    While the map of a board is incomplete, when UP is held at the start, and when a page asks
    for it, the board is put on the bench first: `companion bench`.
    """
    from companion.config import find
    from companion.table.pins import PinError

    log_to_stderr()
    place, settings, tried = find(path), dict[str, Any](), False
    try:
        while True:
            config = _config(path, pretend, complete=tried)
            bench = not pretend and _lacks_places(config)
            if not bench:
                bench, settings = _game(config, journal, pretend, look=not tried)
            if not bench or not _bench(config, journal, None if pretend else place, settings):
                return
            tried = True
    except PinError as fault:
        raise click.ClickException(str(fault)) from None


def _lacks_places(config: "Config") -> bool:
    from companion.config import places
    from companion.rules.boards import BOARDS

    whole = len(places(config)) == len(BOARDS[config.board].places)
    return config.sensing != "choose" and not whole


def _game(
    config: "Config", journal: Path | None, pretend: bool, *, look: bool
) -> "tuple[bool, dict[str, Any]]":
    """Be the daemon; returns whether the bench was asked for, and the settings of the game.

    With `look`, UP held at the start asks for it before anything else happens.
    """
    from companion.commands.play import page_service
    from companion.daemon.wiring import put_together
    from companion.journal import journal_path

    wanted: list[str] = []
    games = journal or journal_path()
    daemon = put_together(
        config,
        games,
        pretend=pretend,
        services=[page_service(config.web, games.parent)] if config.web.enabled else [],
        wish=partial(fulfil, wanted=wanted),
    )
    daemon.benches = config.matrix is not None
    if look and daemon.benches and "up" in _down(daemon.devices.buttons):
        daemon.close_unused()
        return True, {}
    asyncio.run(until_signalled(daemon))
    return bool(wanted), dict(daemon.view.settings)


def _bench(
    config: "Config", journal: Path | None, place: Path | None, settings: "dict[str, Any]"
) -> bool:
    """Put the board on the bench; false if the service is to stop."""
    from companion.commands.bench import page, until_done, workbench
    from companion.journal import journal_path

    games = journal or journal_path()

    async def work() -> bool:
        services = [page(config.web, games.parent)] if config.web.enabled else []
        table = workbench(config, place, settings=settings, services=services)
        await until_done(table)
        return not table.stopped

    return asyncio.run(work())


def _down(buttons: Any) -> frozenset[str]:
    read = getattr(buttons, "read", None)
    return read() if read is not None else frozenset()


def _config(path: Path | None, pretend: bool, *, complete: bool) -> "Config":
    """The configuration; one that is not `complete` may lack places on its map.

    Whoever ends the bench with places missing plays without sensors, if there are buttons; if
    not, there is nothing to play with, and the board stays on the bench.
    """
    from companion.commands.printable import refusal
    from companion.config import DEFAULT, Config, ConfigError, find, load

    place = find(path)
    try:
        if place is not None:
            config = load(place, complete=False)
            return _as_far_as_mapped(place, config) if complete else config
        if pretend:
            return Config(sensing="presence")
    except ConfigError as fault:
        raise refusal(str(fault)) from None
    raise click.ClickException(
        f"there is no configuration: copy one of hardware/configs/ to {DEFAULT} and adapt it, "
        "or name one with --config"
    )


def _as_far_as_mapped(place: Path, config: "Config") -> "Config":
    import msgspec

    from companion.config import ConfigError, load

    try:
        return load(place)
    except ConfigError as fault:
        buttons = config.box.ok is not None
        what = "moves are chosen on the screen" if buttons else "the board stays on the bench"
        logging.getLogger("companion").warning("%s\n%s", fault, what)
        return msgspec.structs.replace(config, sensing="choose") if buttons else config


async def until_signalled(daemon: "Daemon") -> None:
    """Run a daemon until SIGTERM or SIGINT; both stop it cleanly."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, daemon.stop)
    await daemon.run()


def fulfil(daemon: "Daemon", wish: str, wanted: list[str] | None = None) -> None:
    """Do what the referee, or a page, asks of the shell around it.

    The service may not switch the box off itself: a file in its runtime folder makes systemd
    do so (ludo-companion-shutdown.path), which then stops us like any other service.
    """
    if wish == "bench" and wanted is not None:
        wanted.append(wish)
        daemon.stop()
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

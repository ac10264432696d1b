"""`companion bench`: map and test a board on the box's own screen and lights, and on a page."""

import asyncio
import logging
import os
import signal
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from companion.config import Config, WebSection
    from companion.daemon.bench import Save, Service, Workbench
    from companion.devices import Devices

BOARDS = ("40", "52", "52-mirrored", "68", "mat")


@click.command()
@click.option(
    "--config", "path", type=click.Path(path_type=Path), help="The configuration to write to."
)
@click.option("--simulated", "pretend", is_flag=True, help="A board that the page presses.")
@click.option("--board", type=click.Choice(BOARDS), help="Which board, for --simulated.")
@click.option("--port", type=click.IntRange(0, 65535), help="The page's port.")
@click.option("--no-browser", is_flag=True, help="Open no browser.")
def bench(
    path: Path | None, pretend: bool, board: str | None, port: int | None, no_browser: bool
) -> None:
    """Map and test a board on the box's own screen and lights, and on a page.

    Needs no terminal: `companion run` comes here by itself while the map is incomplete, when
    UP is held while the box starts, and from the page.
    """
    import msgspec

    from companion.commands.play import open_browser, usual_port
    from companion.config import Config, ConfigError, find, load
    from companion.table.pins import PinError

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    place = None if pretend and path is None else find(path)
    try:
        config = Config(sensing="presence") if place is None else load(place, complete=False)
        if board is not None:
            config = load_board(board)
        if place is None and not pretend:
            raise ConfigError(
                "there is no configuration: copy one of hardware/configs/ to companion.toml, name "
                "one with --config, or try it with --simulated"
            )
        if config.matrix is None and not pretend:
            raise ConfigError(f"{place} has no [matrix] section: say there how it is wired")
    except ConfigError as fault:
        raise click.ClickException(str(fault)) from None
    chosen = usual_port(config.web.address) if port is None else port
    section = msgspec.structs.replace(config.web, port=chosen)
    from companion.journal import journal_path

    failed: list[str] = []

    def started(address: str) -> None:
        click.echo(f"The bench is ready: open {address} (Ctrl-C ends it).")
        if not no_browser:
            open_browser(address)

    async def work() -> None:
        served = page(section, journal_path().parent, started, failed.append)
        table = workbench(config, None if pretend else place, services=[served])
        await until_done(table)

    try:
        asyncio.run(work())
    except PinError as fault:
        raise click.ClickException(str(fault)) from None
    if failed:
        raise click.ClickException(failed[0])


def load_board(name: str) -> "Config":
    """A simulated table with this board."""
    from companion.config import parse

    sensing = "touch" if name == "mat" else "presence"
    matrix = '[matrix]\nvia = "serial"\n'
    return parse(f'board = "{name}"\nsensing = "{sensing}"\n{matrix}', complete=False)


def workbench(
    config: "Config",
    path: Path | None,
    *,
    settings: Mapping[str, Any] | None = None,
    services: "list[Service] | None" = None,
) -> "Workbench":
    """A board on the bench; without a path it is a simulated one. Raises PinError."""
    from companion.bench import Bench
    from companion.config import places
    from companion.daemon.bench import Workbench

    if path is None:
        devices = simulated(config)
        wiring, kept, save = dict(devices.board.wiring), "simulated", None  # type: ignore[union-attr]
    else:
        devices, wiring = opened(config), places(config)
        save = writer(path, config)
        kept = "forbidden" if save is None else "written"
    judge = Bench(
        config.board,
        wiring,
        sensing=config.sensing,
        kept=kept,  # type: ignore[arg-type]
        all_used=config.matrix is not None and config.matrix.via == "gpio",
        settings=settings,
    )
    return Workbench(config, devices, judge, save=save, services=services or [])


def simulated(config: "Config") -> "Devices":
    """A table whose board and buttons a page presses, and whose screen it shows."""
    from companion.devices import simulated as pretended
    from companion.web.mirror import MirrorDisplay, MirrorSounder

    devices = pretended(config, os.urandom)
    devices.display, devices.sounder = MirrorDisplay(), MirrorSounder()
    return devices


def opened(config: "Config") -> "Devices":
    """The table as it is wired, its board with no cell mapped, read even if moves are chosen."""
    import msgspec

    from companion.devices import open_devices

    bare = msgspec.structs.replace(config, sensing="touch")
    return open_devices(bare, os.urandom, wiring={})


def writer(path: Path, config: "Config") -> "Save | None":
    """How to write the map, as `companion learn` does; None if the file cannot be written."""
    from companion.commands.learn import must_be_writable, write_map

    try:
        must_be_writable(path)
    except click.ClickException as fault:
        logging.getLogger("companion").warning("%s", fault.message)
        return None
    return partial(write_map, path, config.board)


def page(
    section: "WebSection",
    folder: Path,
    started: Callable[[str], None] | None = None,
    failed: Callable[[str], None] | None = None,
) -> "Service":
    """The bench's page; a port that is taken costs the page, not the bench.

    The key of the box's own screen is kept in `folder`, as for the page of the game.
    """
    from companion.web.key import kept_key

    key = kept_key(folder)
    tell = None if started is None else partial(_with_key, started, key)

    async def serve(table: "Workbench") -> None:
        import importlib

        server = await asyncio.to_thread(importlib.import_module, "companion.web.bench")
        try:
            await server.BenchPage(table, section, key).run(tell)
        except OSError as fault:
            sentence = f"the page cannot be served at port {section.port}: {fault}"
            if failed is None:
                logging.getLogger("companion").error("%s", sentence)
            else:
                failed(sentence)
                table.stop()

    return serve


def _with_key(started: Callable[[str], None], key: str, address: str) -> None:
    started(f"{address}?key={key}")


async def until_done(table: "Workbench") -> None:
    """Run a bench until the person is done, SIGTERM or SIGINT."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, table.stop)
    await table.run()

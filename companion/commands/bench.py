"""`companion bench`: map and test a board on the box's own screen and lights, and on a page."""

import asyncio
import logging
from pathlib import Path

import click

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

    from companion.config import Config, ConfigError, find, load
    from companion.daemon.bench_wiring import load_board, on_the_bench, page
    from companion.journal import journal_path
    from companion.table.pins import PinError
    from companion.terminal.browser import open_browser, usual_port

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
    failed: list[str] = []

    def started(address: str) -> None:
        click.echo(f"The bench is ready: open {address} (Ctrl-C ends it).")
        if not no_browser:
            open_browser(address)

    async def work() -> None:
        served = page(section, journal_path().parent, started, failed.append)
        await on_the_bench(config, None if pretend else place, services=[served])

    try:
        asyncio.run(work())
    except PinError as fault:
        raise click.ClickException(str(fault)) from None
    if failed:
        raise click.ClickException(failed[0])

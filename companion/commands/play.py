"""`companion play`: the daemon on a simulated table, and the page on which it is played."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from companion.daemon import Daemon

SETTLE = 0.25
"""Simulated sensors neither bounce nor lag: their board is looked at sooner than a real one."""
DRAW = 0.6
"""Nor are there hands to wait for before the box rolls."""
PATIENCE = 2.0
"""A piece is carried with one drag: who lets go half-way is told sooner what is missing."""


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), help="The page's port.")
@click.option("--journal", type=click.Path(path_type=Path), help="Where games are kept.")
@click.option("--lan", is_flag=True, help="Let phones in the same network watch.")
@click.option("--pin", metavar="DIGITS", help="The PIN with which they may also play.")
@click.option("--no-browser", is_flag=True, help="Open no browser.")
def play(
    port: int | None, journal: Path | None, lan: bool, pin: str | None, no_browser: bool
) -> None:
    """Play on a simulated table, on a page in the browser."""
    import logging

    from companion.config import WebSection
    from companion.daemon.bench_wiring import load_board, on_the_bench, page
    from companion.daemon.serving import until_signalled
    from companion.daemon.simulated import simulated_table
    from companion.journal import is_held, played_path
    from companion.referee import Times
    from companion.terminal.browser import for_phones, open_browser, usual_port

    if pin is not None and not (pin.isdecimal() and pin.isascii() and 6 <= len(pin) <= 12):
        raise click.BadParameter("a PIN has 6 to 12 digits", param_hint="--pin")
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    address = "0.0.0.0" if lan else "127.0.0.1"
    if port is None:
        port = usual_port(address)
    section = WebSection(address=address, port=port, pin=pin)
    games = journal or played_path()
    if is_held(games):
        raise click.ClickException(
            f"another companion keeps its games in {games}: go on at its page, or end it first; "
            "--journal FILE lays a table with other games"
        )

    def started(address: str) -> None:
        click.echo(f"The table is laid: open {address} (Ctrl-C ends it; the game is kept).")
        if lan:
            click.echo(for_phones(address))
        if not no_browser:
            open_browser(address)

    failed: list[str] = []
    times = Times(settle=SETTLE, draw=DRAW, patience=PATIENCE)

    async def table() -> "Daemon":
        daemon = simulated_table(section, games, times, started, failed.append, benches=wanted)
        await until_signalled(daemon)
        return daemon

    async def bench(played: "Daemon") -> bool:
        position = played.view.position
        config = load_board(position.game.board.name if position is not None else "40")
        services = [page(section, games.parent)]
        settings = played.view.settings
        end = await on_the_bench(config, None, settings=settings, services=services)
        return end != "stopped"

    wanted: list[str] = []
    while True:
        daemon = asyncio.run(table())
        no_browser = True  # the page that is open loads itself again
        if not wanted or failed or not asyncio.run(bench(daemon)):
            break
        wanted.clear()
    if failed:
        raise click.ClickException(failed[0].replace("another web.port", "another with --port"))

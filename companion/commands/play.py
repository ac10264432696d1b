"""`companion play`: the daemon on a simulated table, and the page on which it is played."""

import asyncio
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from companion.config import WebSection
    from companion.daemon import Daemon, Service
    from companion.devices import Devices
    from companion.referee import Times
    from companion.table.die import Entropy

PORT = 8080
SETTLE = 0.25
"""Simulated sensors neither bounce nor lag: their board is looked at sooner than a real one."""


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

    from companion.commands.run import until_signalled
    from companion.config import WebSection
    from companion.journal import played_path
    from companion.referee import Times

    if pin is not None and not (pin.isdecimal() and pin.isascii() and 6 <= len(pin) <= 12):
        raise click.BadParameter("a PIN has 6 to 12 digits", param_hint="--pin")
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    address = "0.0.0.0" if lan else "127.0.0.1"
    if port is None:
        port = usual_port(address)
    section = WebSection(address=address, port=port, pin=pin)
    games = journal or played_path()

    def started(address: str) -> None:
        click.echo(f"The table is laid: open {address} (Ctrl-C ends it; the game is kept).")
        if not no_browser:
            open_browser(address)

    failed: list[str] = []
    times = Times(settle=SETTLE)

    async def table() -> "Daemon":
        daemon = simulated_table(section, games, times, started, failed.append, benches=wanted)
        await until_signalled(daemon)
        return daemon

    wanted: list[str] = []
    while True:
        daemon = asyncio.run(table())
        no_browser = True  # the page that is open loads itself anew
        if not wanted or failed or not asyncio.run(on_the_bench(section, games, daemon)):
            break
        wanted.clear()
    if failed:
        raise click.ClickException(failed[0])


def simulated_table(
    section: "WebSection",
    journal: Path,
    times: "Times",
    started: Callable[[str], None],
    failed: Callable[[str], None],
    *,
    entropy: "Entropy" = os.urandom,
    pace: float | None = None,
    benches: list[str] | None = None,
) -> "Daemon":
    """A daemon on a simulated table with its page; without the page it stops.

    With a list of `benches` the page may ask for the bench; the wish is noted there.
    """
    from companion.commands.run import fulfil
    from companion.config import Config
    from companion.daemon.wiring import put_together

    async def page(daemon: "Daemon") -> None:
        from companion.web.hands import PACE
        from companion.web.key import kept_key
        from companion.web.server import Page

        one = Page(
            daemon,
            section,
            times=times,
            pace=PACE if pace is None else pace,
            key=kept_key(journal.parent),
        )
        try:
            await one.run(lambda address: started(address + one.own_address))
        except OSError as fault:
            failed(str(fault))
            daemon.stop()

    daemon = put_together(
        Config(sensing="presence"),
        journal,
        devices=partial(devices, entropy),
        times=times,
        services=[page],
        wish=partial(fulfil, wanted=benches),
    )
    daemon.benches = benches is not None
    return daemon


async def on_the_bench(section: "WebSection", journal: Path, daemon: "Daemon") -> bool:
    """The board that was played on, simulated, on the bench; false if all is to stop."""
    from companion.commands.bench import load_board, page, until_done, workbench

    position = daemon.view.position
    config = load_board(position.game.board.name if position is not None else "40")
    settings = dict(daemon.view.settings)
    table = workbench(config, None, settings=settings, services=[page(section, journal.parent)])
    await until_done(table)
    return not table.stopped


def devices(entropy: "Entropy", last_roll: int) -> "Devices":
    """The devices of a simulated table that a page can move."""
    from companion.devices import Devices
    from companion.table.sim import SimButtons, SimDie
    from companion.web.mirror import MirrorDisplay, MirrorSounder
    from companion.web.tabletop import AnyBoard

    return Devices(
        board=AnyBoard(),
        die=SimDie(entropy, last_roll),
        buttons=SimButtons(),
        display=MirrorDisplay(),
        sounder=MirrorSounder(),
    )


def page_service(section: "WebSection", folder: Path) -> "Service":
    """The page beside a real table; aiohttp is imported in a thread, after the table is up.

    The key of the box's own screen is kept in `folder`.
    """

    from companion.web.key import kept_key

    key = kept_key(folder)  # before the table is up: then the kiosk reads it

    async def page(daemon: "Daemon") -> None:
        import importlib
        import logging

        server = await asyncio.to_thread(importlib.import_module, "companion.web.server")
        try:
            await server.Page(daemon, section, key=key).run()
        except OSError as fault:
            logging.getLogger("companion").error("%s; the table goes on without it", fault)

    return page


def usual_port(address: str) -> int:
    """The port of the page, or any free one where that is taken."""
    import socket

    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, PORT))
        except OSError:
            return 0
    return PORT


def open_browser(address: str) -> None:
    """Open the page where there is a screen to open it on."""
    import webbrowser

    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(address)

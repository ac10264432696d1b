"""`companion run`: the daemon beside the board, as systemd starts it."""

import asyncio
import logging
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

if TYPE_CHECKING:
    from companion.config import Config
    from companion.daemon import Service
    from companion.devices import Devices

End = Literal["done", "stopped", "again", "bench"]
"""How a game or the bench ended: the bench is done; all is to stop, or to start again with a
changed configuration; or a game makes room for the bench."""


@click.command()
@click.option("--config", "path", type=click.Path(path_type=Path), help="The configuration.")
@click.option(
    "--journal", type=click.Path(path_type=Path), help="Where games are kept (a SQLite file)."
)
@click.option("--simulated", "pretend", is_flag=True, help="Use a table without any hardware.")
def run(path: Path | None, journal: Path | None, pretend: bool) -> None:
    """Referee the table until told to stop.

    While the map of a board is incomplete, when UP is held at the start, and when page or menu ask
    for it, the board is put on the bench first: `companion bench`.
    """
    from companion.config import DEFAULT, find
    from companion.daemon.serving import log_to_stderr
    from companion.daemon.setup import is_mapped
    from companion.devices import without_pins
    from companion.privileged import orders_folder
    from companion.table.pins import PinError

    log_to_stderr()
    settings, tried, pins = dict[str, Any](), False, True
    lasting = orders_folder() is not None or path == DEFAULT
    while True:
        place = find(path)
        config = _config(path, pretend, complete=tried)
        config = config if pins else without_pins(config)
        end: End = "bench"
        try:
            if pretend or is_mapped(config):
                end, settings = _game(config, place, journal, pretend, look=not tried)
            if end == "bench":
                end = _bench(config, journal, None if pretend else place or DEFAULT, settings)
                tried = True
        except PinError as fault:
            if not lasting:
                raise click.ClickException(str(fault)) from None
            # Without a page nobody could write another configuration.
            logging.getLogger("companion").error("%s; the table goes on without its pins", fault)
            pins = False
            continue
        if end == "again":
            tried, pins, lasting = False, True, True
        elif end == "stopped":
            return


def _game(
    config: "Config", place: Path | None, journal: Path | None, pretend: bool, *, look: bool
) -> "tuple[End, dict[str, Any]]":
    """Be the daemon; returns how it ended, and the settings of the game.

    With `look`, UP held at the start asks for the bench before anything else happens.
    """
    from companion.config import DEFAULT
    from companion.daemon.serving import fulfil, until_signalled
    from companion.daemon.setup import Setup
    from companion.daemon.wiring import put_together
    from companion.journal import journal_path

    wanted: list[End] = []
    games = journal or journal_path()
    daemon = put_together(
        config,
        games,
        pretend=pretend,
        services=_services(config, games.parent),
        wish=partial(fulfil, wanted=wanted),
        benches=config.matrix is not None,
    )
    if not pretend:
        daemon.setup = Setup(place or DEFAULT, partial(fulfil, daemon, "again", wanted))
    if look and daemon.benches and "up" in _down(daemon.devices):
        daemon.close_unused()
        return "bench", {}
    asyncio.run(until_signalled(daemon, lambda: wanted.append("stopped")))
    end: End = "stopped" if not wanted or "stopped" in wanted else wanted[-1]
    return end, dict(daemon.view.settings)


def _services(config: "Config", folder: Path) -> "list[Service]":
    """What runs beside the table: its page, and its place in a house, if it has one."""
    from companion.daemon.house import Membership
    from companion.daemon.serving import page_address, page_service

    address = partial(page_address, config.web)
    house = Membership(config.cafe, folder, page=address, board=config.board)
    page = [page_service(config.web, folder, house)] if config.web.enabled else []
    return [*page, house.run]


def _bench(
    config: "Config", journal: Path | None, place: Path | None, settings: "dict[str, Any]"
) -> "End":
    """Put the board on the bench; returns how that ended."""
    from companion.daemon.bench_wiring import on_the_bench, page
    from companion.journal import journal_path

    folder = (journal or journal_path()).parent
    services = [page(config.web, folder)] if config.web.enabled else []
    return asyncio.run(on_the_bench(config, place, settings=settings, services=services))


def _down(devices: "Devices") -> frozenset[str]:
    return devices.buttons.read() if devices.buttons is not None else frozenset()


def _config(path: Path | None, pretend: bool, *, complete: bool) -> "Config":
    """The configuration; one that is not `complete` may lack places on its map.

    Whoever ends the bench with places missing plays without sensors, if there are buttons; if
    not, there is nothing to play with, and the board stays on the bench.
    """
    from companion.config import DEFAULT, Config, ConfigError, find, load
    from companion.terminal.printable import refusal

    place = find(path)
    try:
        if place == DEFAULT and not place.exists():
            return assumed()
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


def assumed() -> "Config":
    """What stands beside a box without a configuration: it is known by how it greets."""
    from companion.config import ASSUMED, DEFAULT, parse

    logging.getLogger("companion").warning(
        "there is no %s: looking for a board and a die on USB, and a screen on I2C", DEFAULT
    )
    return parse(ASSUMED, complete=False)


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

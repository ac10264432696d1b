"""Puts a board on the bench: its devices, its map, where that is written, and its page."""

import asyncio
import importlib
import logging
import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Literal

import msgspec

from companion.bench import Bench
from companion.config import Config, ConfigError, WebSection, parse, places
from companion.config_file import must_be_writable, text_of, with_map, write_map
from companion.daemon.bench import Save, Service, Workbench
from companion.daemon.serving import until_signalled
from companion.daemon.setup import Setup
from companion.devices import Devices, open_devices
from companion.devices import simulated as pretended
from companion.privileged import ask_and_wait, orders_folder
from companion.web.key import kept_key
from companion.web.mirror import MirrorDisplay, MirrorSounder

End = Literal["done", "stopped", "again"]


def load_board(name: str) -> Config:
    """A simulated table with this board."""
    sensing = "touch" if name == "mat" else "presence"
    matrix = '[matrix]\nvia = "serial"\n'
    return parse(f'board = "{name}"\nsensing = "{sensing}"\n{matrix}', complete=False)


def workbench(
    config: Config,
    path: Path | None,
    *,
    settings: Mapping[str, Any] | None = None,
    services: list[Service] | None = None,
) -> Workbench:
    """A board on the bench; without a path it is a simulated one. Raises PinError."""
    if path is None:
        devices = simulated(config)
        wiring, kept, save = dict(devices.board.wiring), "simulated", None  # type: ignore[union-attr]
    else:
        devices, wiring = opened(config), places(config)
        save = writer(path, config)
        kept = (
            "written" if save is not None else "forbidden" if orders_folder() is None else "later"
        )
    judge = Bench(
        config.board,
        wiring,
        sensing=config.sensing,
        kept=kept,  # type: ignore[arg-type]
        all_used=config.matrix is not None and config.matrix.via == "gpio",
        settings={**config.settings, **(settings or {})},
    )
    table = Workbench(config, devices, judge, save=save, services=services or [])
    if path is not None:
        table.setup = Setup(path, table.begin_anew)
    return table


async def on_the_bench(
    config: Config,
    path: Path | None,
    *,
    settings: Mapping[str, Any] | None = None,
    services: list[Service] | None = None,
) -> End:
    """Serve a board on the bench until the person is done, or all is to stop or to start again."""
    table = workbench(config, path, settings=settings, services=services)
    before = table.bench.wiring
    await until_signalled(table)
    if path is not None and table.bench.kept == "later" and table.bench.wiring != before:
        await asyncio.to_thread(hand_over, path, config.board, table.lines())
    return "stopped" if table.stopped else "again" if table.changed_setup else "done"


def hand_over(path: Path, board: str, lines: list[str]) -> bool:
    """Have root write the map; says whether it was, and the log says so too."""
    folder = orders_folder()
    assert folder is not None
    log = logging.getLogger("companion")
    try:
        done = ask_and_wait(with_map(text_of(path), board, lines), folder, path)
    except OSError as fault:
        log.error("the map cannot be handed over: %s", fault)
        return False
    if done:
        log.info("the map is written to %s", path)
    else:
        log.error("the map was not written: journalctl -u ludo-companion-settings tells why")
    return done


def simulated(config: Config) -> Devices:
    """A table whose board and buttons a page presses, and whose screen it shows."""
    devices = pretended(config, os.urandom)
    devices.display, devices.sounder = MirrorDisplay(), MirrorSounder()
    return devices


def opened(config: Config) -> Devices:
    """The table as it is wired, its board with no cell mapped, read even if moves are chosen."""
    bare = msgspec.structs.replace(config, sensing="touch")
    return open_devices(bare, os.urandom, wiring={})


def writer(path: Path, config: Config) -> Save | None:
    """How to write the map, as `companion learn` does; None if the file cannot be written."""
    try:
        must_be_writable(path)
    except (ConfigError, FileNotFoundError) as fault:
        if orders_folder() is None:
            logging.getLogger("companion").warning("%s", fault)
        return None
    return partial(write_map, path, config.board)


def page(
    section: WebSection,
    folder: Path,
    started: Callable[[str], None] | None = None,
    failed: Callable[[str], None] | None = None,
) -> Service:
    """The bench's page; a port that is taken costs the page, not the bench.

    The key of the box's own screen is kept in `folder`, as for the page of the game.
    """
    key = kept_key(folder)
    tell = None if started is None else partial(_with_key, started, key)

    async def serve(table: Workbench) -> None:
        server = await asyncio.to_thread(importlib.import_module, "companion.web.bench")
        try:
            await server.BenchPage(table, section, key).run(tell)
        except OSError as fault:
            if failed is None:
                logging.getLogger("companion").error("%s", fault)
            else:
                failed(str(fault))
                table.stop()

    return serve


def _with_key(started: Callable[[str], None], key: str, address: str) -> None:
    started(f"{address}?key={key}")

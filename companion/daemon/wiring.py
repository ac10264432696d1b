"""Puts a table together as its configuration says: devices, referee, journal, screen, daemon."""

import os
import socket
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from companion.config import Config, WebSection
from companion.daemon.mounts import KEEP, forgotten
from companion.daemon.screen import Screen
from companion.daemon.shell import Daemon, Service, Wish
from companion.daemon.voice import Speaker
from companion.devices import Devices, open_devices, simulated
from companion.events import Lost, RecordData
from companion.house_sheets import HouseSheets
from companion.journal import Journal
from companion.privileged import is_own
from companion.referee import Network, Referee, Times, View
from companion.rules import SHEETS
from companion.table import Display
from companion.table.die import Entropy
from companion.table.speech import Voice


def last_roll(records: Iterable[RecordData]) -> int | None:
    """The number of the last roll kept: a die that tells it again is not believed twice."""
    numbers = [record.get("number") for record in records if record["kind"] == "roll"]
    return numbers[-1] if numbers else None


def referees(
    config: Config,
    times: Times | None = None,
    network: Network | None = None,
    benches: bool = False,
    sheets: HouseSheets | None = None,
) -> Callable[[], Referee]:
    """How to make a referee for this table: its first choice is a sheet for this board."""
    fitting = [name for name, sheet in SHEETS.items() if sheet.board.name == config.board]
    choice = {"sheet": fitting[0]} if fitting else {}

    def make() -> Referee:
        own = sheets.read().offered if sheets is not None else ()
        chosen = {**choice, "own": own}
        return Referee(
            sensing=config.sensing,
            die=config.die.source,
            times=times,
            choice=chosen,
            settings=config.settings,
            network=network,
            benches=benches,
        )

    return make


def network_of(section: WebSection) -> Network:
    """What the box's menu says of its page; phones find it by this machine's name."""
    name = socket.gethostname().partition(".")[0]
    address = f"{name}.local:{section.port}"
    return Network(not is_own(section.address), address, section.pin or "")


def screen(display: Display) -> Callable[[Daemon], Screen]:
    """How to make the task of this display."""
    from companion.screens.pictures import blinks, picture

    def made(daemon: Daemon) -> Screen:
        def shown(view: View, seconds: float) -> Any:
            return picture(view, seconds, daemon.phone_code)

        return Screen(display, shown, daemon.post, blinks=blinks)

    return made


def _warnings(journal: Path) -> Iterator[Service]:
    """Players see that their games do not outlast a power-off, and the log says it once."""
    why = forgotten(journal)

    async def warn(daemon: Daemon) -> None:
        daemon.post(Lost("disk", f"{why}; {KEEP}"))

    if why is not None:
        yield warn


def put_together(
    config: Config,
    journal: Path,
    *,
    pretend: bool = False,
    devices: Callable[[int], Devices] | None = None,
    entropy: Entropy = os.urandom,
    times: Times | None = None,
    services: Iterable[Service] = (),
    wish: Wish | None = None,
    benches: bool = False,
) -> Daemon:
    """The daemon of a table; with `pretend` on simulated devices. Raises PinError.

    `devices` makes others; it is told the number of the last roll. With `benches` the wish `bench`
    is fulfilled, so menu and page may offer it.
    """
    from companion.screens.sounds import pattern
    from companion.screens.spoken import spoken

    real = config.web.enabled and devices is None and not pretend
    kept = Journal(journal)
    number = last_roll(kept.resumable())
    try:
        if devices is not None:
            opened = devices(number or 0)
        elif pretend:
            opened = simulated(config, entropy, last_roll=number or 0)
        else:
            opened = open_devices(config, entropy, last_roll=number, confirm=True)
    except BaseException:
        kept.close()
        raise
    display = opened.display
    daemon = Daemon(
        opened,
        referees(
            config,
            times,
            network_of(config.web) if real else None,
            benches,
            HouseSheets(journal.parent),
        ),
        kept,
        screen=None if display is None else screen(display),
        sounds=pattern,
        services=[*services, *_warnings(journal)],
        wish=wish,
        entropy=entropy,
    )
    voice = Voice()
    if voice.available:
        daemon.subscribe(Speaker(voice, spoken))
    return daemon

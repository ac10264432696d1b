"""Puts a table together as its configuration says: devices, referee, journal, screen, daemon."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from companion.config import Config
from companion.daemon.mounts import in_memory, mounted
from companion.daemon.screen import Screen
from companion.daemon.shell import Daemon, Service, Wish
from companion.daemon.voice import Speaker
from companion.devices import Devices, open_devices, simulated
from companion.events import Lost
from companion.journal import Journal, Record
from companion.referee import Referee, Times
from companion.rules import SHEETS
from companion.table import Display
from companion.table.die import Entropy
from companion.table.speech import Voice

NAME = "ludo-companion"
FILE = "games.db"
SYSTEM = Path("/var/lib") / NAME / FILE
KEEP = "docs/service.md tells how to keep them on a read-only system"


def journal_path(environment: Mapping[str, str] = os.environ) -> Path:
    """Where games are kept: in the service's folder, or in the user's own."""
    if folder := environment.get("STATE_DIRECTORY"):
        return Path(folder.partition(":")[0]) / FILE
    state = environment.get("XDG_STATE_HOME") or Path(environment.get("HOME", ".")) / ".local/state"
    return Path(state) / NAME / FILE


def played_path(environment: Mapping[str, str] = os.environ) -> Path:
    """Where `companion play` keeps its games: apart from those on a real board."""
    return journal_path(environment).with_name("played.db")


def existing_journal(environment: Mapping[str, str] = os.environ, system: Path = SYSTEM) -> Path:
    """Where commands look for games: what the service kept, else one's own, else what was played
    on a simulated table."""
    own = journal_path(environment)
    places = [own] if "STATE_DIRECTORY" in environment else [system, own, played_path(environment)]
    return next((place for place in places if place.exists()), own)


def forgotten(journal: Path) -> str | None:
    """What to say of the service's games if they do not outlast a power-off, else None.

    Only of the service's: those of `companion play` may well be in a temporary folder.
    """
    kind = in_memory(journal.resolve(), mounted()) if journal == SYSTEM else None
    if kind is None:
        return None
    return f"{journal.parent} lies in memory ({kind}): games are gone when the power is off"


def last_roll(records: Iterable[Record]) -> int | None:
    """The number of the last roll kept: a die that tells it again is not believed twice."""
    numbers = [record.get("number") for record in records if record["kind"] == "roll"]
    return numbers[-1] if numbers else None


def referees(config: Config, times: Times | None = None) -> Callable[[], Referee]:
    """How to make a referee for this table: its first choice is a sheet for this board."""
    fitting = [name for name, sheet in SHEETS.items() if sheet.board.name == config.board]
    choice = {"sheet": fitting[0]} if fitting else {}
    return lambda: Referee(
        sensing=config.sensing, die=config.die.source, times=times, choice=choice
    )


def screen(display: Display) -> Callable[[Daemon], Screen]:
    """How to make the task of this display."""
    from companion.screens.pictures import blinks, picture

    return lambda daemon: Screen(display, picture, daemon.post, blinks=blinks)


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
) -> Daemon:
    """The daemon of a table; with `pretend` on simulated devices. Raises PinError.

    `devices` makes others; it is told the number of the last roll.
    """
    from companion.screens.sounds import pattern
    from companion.screens.spoken import spoken

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
        referees(config, times),
        kept,
        screen=None if display is None else screen(display),
        sounds=pattern,
        services=[*services, *_warnings(journal)],
        wish=wish,
    )
    voice = Voice()
    if voice.available:
        daemon.subscribe(Speaker(voice, spoken))
    return daemon

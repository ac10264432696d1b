"""A whole house on one machine: a real Mosquitto, the house's page, and tables with guests.

What an owner sees before buying a second Pi. Everything lies in one folder, and listens to this
machine only.
"""

import asyncio
import contextlib
import shutil
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path

from companion.cafe import broker, setting_up
from companion.cafe.archive import NAME, Archive
from companion.cafe.house import House, serve
from companion.cafe.page import HousePage
from companion.config import ASSUMED, load_house
from companion.daemon.guests import PIN
from companion.invitation import Invitation
from companion.web.key import kept_key

LABELS = ("Window", "Corner", "Bar left", "Bar right", "Sofa", "Garden", "Gallery", "Stove")
PLACES = ("/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto")


def mosquitto() -> str:
    """Debian's broker. Raises OSError in words."""
    found = shutil.which("mosquitto") or next((one for one in PLACES if Path(one).exists()), None)
    if found is None:
        raise OSError("there is no mosquitto here: apt install mosquitto")
    return found


def free_port() -> int:
    """A port of this machine that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def demonstrate(
    folder: Path,
    tables: int,
    port: int,
    pace: float,
    started: Callable[[str], None],
    died: Callable[[str], None],
) -> None:
    """Run the house until told to stop; `died` is told of a table that ended by itself, and why."""
    task = asyncio.current_task()
    assert task is not None
    for end in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(end, task.cancel)
    place = setting_up.House(folder / "broker", port=free_port())
    config = folder / "house.toml"
    setting_up.write_config(
        config, place, setting_up.set_up(place), pin=PIN, port=port, archive=folder / NAME
    )
    settings = load_house(config)
    children: list[asyncio.subprocess.Process] = []
    watching: list[asyncio.Task[None]] = []
    try:
        children.append(await _broker(place))
        for number in range(1, tables + 1):
            invited = setting_up.invite(place.folder, f"table-{number}", _label(number))
            table = await _table(folder, invited, pace, number)
            children.append(table)
            watching.append(asyncio.create_task(_watch(table, folder / invited.name, died)))
        watching.append(asyncio.create_task(_reread(children[0], place.folder)))
        house = House(settings.broker, Archive(folder / NAME))
        page = HousePage(house, settings.page, kept_key(folder))
        await serve(house, page, started)
    finally:
        for one in watching:
            one.cancel()
        for child in reversed(children):
            with contextlib.suppress(ProcessLookupError):
                child.terminate()
        await asyncio.gather(*(child.wait() for child in children))


async def _reread(mosquitto: asyncio.subprocess.Process, folder: Path) -> None:
    """Let the broker read its passwords again whenever `companion house add` wrote them."""
    passwords, known = folder / broker.PASSWORDS, 0
    while True:
        now = passwords.stat().st_mtime_ns
        if now != known:
            mosquitto.send_signal(signal.SIGHUP)
        known = now
        await asyncio.sleep(0.5)


async def _watch(table: asyncio.subprocess.Process, own: Path, died: Callable[[str], None]) -> None:
    """Say when a table ends by itself: the house shows it as lost, and here is why."""
    code = await table.wait()
    lines = (own / "log").read_text(errors="replace").strip().splitlines()
    why = f"signal {-code}" if code < 0 else lines[-1] if lines else f"code {code}"
    if code:
        died(f"{own.name} is dead ({why}); its log is {own / 'log'}")


def _label(number: int) -> str:
    return LABELS[number - 1] if number <= len(LABELS) else f"Table {number}"


async def _broker(place: setting_up.House) -> asyncio.subprocess.Process:
    text = broker.configuration(place.folder, port=place.port, user="root")
    path = broker.write_configuration(place.folder, text)
    quiet = asyncio.subprocess.DEVNULL
    child = await asyncio.create_subprocess_exec(
        mosquitto(), "-c", str(path), stdout=quiet, stderr=quiet
    )
    for _ in range(500):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", place.port)) == 0:
                return child
        await asyncio.sleep(0.01)
    raise OSError(f"mosquitto does not start: try `mosquitto -c {path}`")


async def _table(
    folder: Path, invited: Invitation, pace: float, seed: int
) -> asyncio.subprocess.Process:
    """A table in a process of its own; its configuration is for nobody else to read."""
    own = folder / invited.name
    own.mkdir(parents=True, exist_ok=True)
    config = own / "companion.toml"
    config.touch(mode=0o600)
    config.write_text(f"{ASSUMED}\n{invited.toml()}", encoding="utf-8")
    with (own / "log").open("ab") as log:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "companion.daemon.guests", str(own), str(pace), str(seed)),
            stdout=log,
            stderr=log,
        )

"""What the service asks of root: to write the configuration, and to open the network it names.

The service may not write its configuration, nor say whom it may talk with. It leaves an order in
its runtime folder; systemd then starts this module as root (`ludo-companion-settings.service`).
Whatever is in the folder is taken for hostile: one regular file of the service's own, not a link,
no larger than a configuration, holding a configuration that can be used, or nothing happens.

The network follows the configuration, whoever wrote it: a box with a page for the house, or with a
house that it finds by its name, may talk with the local network; one whose house has an address
with that address; any other with itself only. A house beyond the local network is named by the
owner, in the file: the service cannot ask for one.
"""

import contextlib
import ipaddress
import os
import pwd
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from companion import SERVICE, config_file
from companion.config import (
    DEFAULT,
    HOUSE,
    LARGEST,
    Config,
    ConfigError,
    HouseConfig,
    load,
    load_house,
    parse,
)
from companion.small_files import read_small_text, write_small

ORDER = "order"
"""The file in the service's runtime folder that asks for a configuration: its text."""
HOUSE_SERVICE = "ludo-house"
FOLDER = Path("/run") / SERVICE
UNITS = Path("/etc/systemd/system")
PART = "20-network.conf"
LOCAL = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fe80::/10", "fc00::/7")
"""The networks of houses; the addresses of the world are not among them."""
PATIENCE = 20.0  # seconds for the helper to have done it


class OrderError(Exception):
    """An order that is not obeyed, and why."""


# -- the service's side --------------------------------------------------------------------------


def orders_folder() -> Path | None:
    """Where orders to root are left; None unless this is the service that is installed."""
    folder = os.environ.get("RUNTIME_DIRECTORY")
    return None if folder is None else Path(folder.partition(":")[0])


def ask(text: str, folder: Path) -> None:
    """Ask for this configuration; the order is there whole, or not at all. Raises OSError."""
    write_small(folder / ORDER, text, 0o600)  # it may hold a PIN


def is_written(text: str, config: Path = DEFAULT) -> bool:
    """Whether the configuration is this one: only then may it be said to be written."""
    try:
        return read_small_text(config) == text
    except OSError:
        return False


def ask_and_wait(text: str, folder: Path, config: Path = DEFAULT) -> bool:
    """Ask for this configuration, and say whether it was written."""
    ask(text, folder)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if is_written(text, config):
            return True
        time.sleep(0.1)
    return False


# -- root's side ---------------------------------------------------------------------------------


def take(folder: Path, owner: int) -> str | None:
    """The text of the order that is there, which is gone then; None if there is none."""
    place = folder / ORDER
    try:
        file = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as fault:
        _discard(place)
        raise OrderError(f"the order cannot be read: {fault.strerror}") from None
    try:
        about = os.fstat(file)
        _discard(place)
        if not stat.S_ISREG(about.st_mode) or about.st_uid != owner or about.st_nlink > 1:
            raise OrderError("the order is no file of the service's own")
        data = os.read(file, 4 * LARGEST + 1)
    finally:
        os.close(file)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise OrderError("the order is no text") from None
    if len(text) > LARGEST or "\0" in text:
        raise OrderError("the order is no configuration")
    return text


def _discard(place: Path) -> None:
    """Or it would be tried for ever; a folder of that name is left, and tried no more than once."""
    with contextlib.suppress(OSError):
        place.unlink()


def write(text: str, config: Path, group: int | None = None) -> None:
    """Write a configuration that can be used; the one before stays beside it. Raises OrderError."""
    try:
        _check_house(parse(text, "the order", complete=False), config)
        config_file.write(config, text, group)
    except ConfigError as fault:
        raise OrderError(str(fault)) from None


def _check_house(wanted: Config, config: Path) -> None:
    """A house beyond the local network is nothing that the service may choose."""
    if wanted.cafe is None or all(_is_local(one) for one in _broker(wanted.cafe.broker)):
        return
    with contextlib.suppress(ConfigError):
        now = load(config, complete=False).cafe
        if now is not None and now.broker == wanted.cafe.broker:
            return
    raise OrderError(f"{wanted.cafe.broker} is beyond the local network: the owner writes that")


# -- whom a service may talk with ----------------------------------------------------------------


def network_for(config: Config) -> tuple[str, ...]:
    """The addresses that a table's service may talk with, besides its own machine's."""
    if config.web.enabled and not is_own(config.web.address):
        return LOCAL
    return () if config.cafe is None else _broker(config.cafe.broker)


def network_for_house(config: HouseConfig) -> tuple[str, ...]:
    """The same for a house."""
    return () if is_own(config.page.address) else LOCAL


def _broker(name: str) -> tuple[str, ...]:
    """What it takes to reach a broker: its address; for a name also who knows it."""
    if is_own(name):
        return ()
    try:
        return (str(ipaddress.ip_address(name)),)
    except ValueError:
        return LOCAL


def is_own(address: str) -> bool:
    """Whether an address is this machine's own, for itself only."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


def _is_local(address: str) -> bool:
    """Whether an address, or a network, is one of a house."""
    one = ipaddress.ip_network(address)
    homes = [ipaddress.ip_network(home) for home in LOCAL]
    return any(one.version == home.version and one.subnet_of(home) for home in homes)  # type: ignore[arg-type]


def part_of(addresses: Iterable[str]) -> str:
    """What is written beside a unit; empty if it may talk with nobody else."""
    lines = "".join(f"IPAddressAllow={one}\n" for one in addresses)
    about = "# The configuration asks for it: see docs/service.md.\n[Service]\n"
    return f"{about}{lines}" if lines else ""


class Unit(NamedTuple):
    """A service whose network follows its configuration."""

    name: str
    config: Path
    read: Callable[[Path], tuple[str, ...]]
    """The addresses that it may talk with; raises ConfigError."""

    def part(self, units: Path) -> Path:
        """Where systemd reads that."""
        return units / f"{self.name}.service.d" / PART


def followed(config: Path = DEFAULT, house: Path = HOUSE) -> tuple[Unit, Unit]:
    """The table's service and the house's."""
    return (
        Unit(SERVICE, config, lambda path: network_for(load(path, complete=False))),
        Unit(HOUSE_SERVICE, house, lambda path: network_for_house(load_house(path))),
    )


def follow(unit: Unit, units: Path) -> bool:
    """Let a unit follow its configuration; true if it has to be told. Raises OrderError."""
    part = unit.part(units)
    try:
        wanted = part_of(unit.read(unit.config)) if unit.config.exists() else ""
    except ConfigError as fault:
        raise OrderError(str(fault)) from None
    there = read_small_text(part) if part.exists() else ""
    if there == wanted:
        return False
    if wanted:
        write_small(part, wanted)
    else:
        part.unlink()
    return True


def restart(service: str) -> None:
    """Have systemd read the unit again and restart the service; the game goes on."""
    subprocess.run(["systemctl", "daemon-reload"], check=True)
    subprocess.run(["systemctl", "--no-block", "try-restart", f"{service}.service"], check=True)


def obey(
    owner: int,
    group: int | None,
    *,
    folder: Path = FOLDER,
    config: Path = DEFAULT,
    house: Path = HOUSE,
    units: Path = UNITS,
    restart: Callable[[str], None] = restart,
) -> None:
    """Do what is asked for, if anything is, and let the network follow. Raises OrderError."""
    text = take(folder, owner)
    if text is not None:
        write(text, config, group)
    for unit in followed(config, house):
        if follow(unit, units):
            restart(unit.name)


def main() -> None:
    """As systemd starts it, as root."""
    who = pwd.getpwnam(SERVICE)
    try:
        obey(who.pw_uid, who.pw_gid)
    except OrderError as fault:
        sys.exit(f"not obeyed: {fault}")


if __name__ == "__main__":
    main()

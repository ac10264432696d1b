"""What the service asks of root: to write the configuration, and to open the network it names.

The service may not write its configuration, nor say whom it may talk with. It leaves an order in
its runtime folder; systemd then starts this module as root (`ludo-companion-settings.service`).
Whatever is in the folder is taken for hostile: one regular file of the service's own, not a link,
no larger than a configuration, holding a configuration that can be used, or nothing happens.

The network follows the configuration, whoever wrote it: a box with a page for the house may talk
with the local network, a table of a café with its broker there, any other with itself only. A
broker outside of the local network is opened by the installer alone.
"""

import contextlib
import ipaddress
import os
import pwd
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from companion.config import DEFAULT, LARGEST, Config, ConfigError, load, parse

ORDER = "order"
"""The file in the service's runtime folder that asks for a configuration: its text."""
SERVICE = "ludo-companion"
FOLDER = Path("/run") / SERVICE
NETWORK = Path(f"/etc/systemd/system/{SERVICE}.service.d/20-network.conf")
HOUSE = NETWORK.with_name("20-house.conf")
LOCAL = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fe80::/10", "fc00::/7")
"""The networks of houses; the addresses of the world are not among them."""
PATIENCE = 20.0  # seconds for the helper to have done it


class OrderError(Exception):
    """An order that is not obeyed, and why."""


# -- the service's side --------------------------------------------------------------------------


def ask(text: str, folder: Path) -> None:
    """Ask for this configuration; the order is there whole, or not at all. Raises OSError."""
    draft = folder / f"{ORDER}.new"
    draft.write_text(text, encoding="utf-8")
    draft.replace(folder / ORDER)


def order_folder() -> Path | None:
    """Where orders are left, for the service that is installed; None for any other daemon."""
    folder = os.environ.get("RUNTIME_DIRECTORY")
    return None if folder is None else Path(folder.partition(":")[0])


def is_written(text: str, config: Path = DEFAULT) -> bool:
    """Whether the configuration is this one: only then may it be said to be written."""
    try:
        return config.read_text(encoding="utf-8") == text
    except (OSError, UnicodeDecodeError):
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
        parse(text, "the order", complete=False)
    except ConfigError as fault:
        raise OrderError(str(fault)) from None
    config.parent.mkdir(parents=True, exist_ok=True)
    draft = config.with_name(f"{config.name}.new")
    draft.unlink(missing_ok=True)
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o640)
    with open(file, "w", encoding="utf-8") as opened:
        if group is not None:
            os.fchown(file, 0, group)
        os.fchmod(file, 0o640)  # it may hold a PIN: the service reads it, and nobody else
        opened.write(text)
        opened.flush()
        os.fsync(file)
    if config.exists():
        before = config.with_name(f"{config.name}.before")
        before.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # of a file that is not root's: it has a copy less
            os.link(config, before)
    draft.replace(config)


def network_for(config: Config) -> str:
    """What the unit is told of whom the service may talk with; empty if with nobody else."""
    if not (config.web.enabled and _is_open(config.web.address)):
        return ""
    lines = "".join(f"IPAddressAllow={one}\n" for one in LOCAL)
    return f"# The configuration asks for it: see docs/service.md.\n[Service]\n{lines}"


def _is_open(address: str) -> bool:
    try:
        return not ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address != "localhost"


def house_for(config: Config) -> str:
    """What the unit is told of the broker of its house. Raises OrderError.

    Names are known here by what is on this machine: /etc/hosts, and whoever finds `.local` names.
    """
    if config.cafe is None:
        return ""
    from companion.cafe.setting_up import SetUpError, address_rules, far_addresses

    try:
        addresses = far_addresses(config.cafe.broker)
    except SetUpError as fault:
        raise OrderError(str(fault)) from None
    for one in addresses:
        if not any(_is_in(one, network) for network in LOCAL):
            raise OrderError(
                f"the broker at {one} is outside of the local network: only the installer opens it"
            )
    return address_rules(addresses)


def _is_in(address: str, network: str) -> bool:
    found, place = ipaddress.ip_address(address), ipaddress.ip_network(network)
    return found.version == place.version and found in place


def follow(config: Path, network: Path, house: Path, restart: Callable[[], None]) -> None:
    """Let the unit follow the configuration, and tell it where that is new. Raises OrderError."""
    try:
        found = load(config, complete=False) if config.exists() else Config()
    except ConfigError as fault:
        raise OrderError(str(fault)) from None
    new = _is_new(network, network_for(found))
    try:
        new = _is_new(house, house_for(found)) or new
    finally:  # a house that is not found does not close the page
        if new:
            restart()


def _is_new(place: Path, wanted: str) -> bool:
    there = place.read_text() if place.exists() else ""
    if there == wanted:
        return False
    if wanted:
        place.parent.mkdir(parents=True, exist_ok=True)
        draft = place.with_name(f".{place.name}.new")
        draft.write_text(wanted)
        draft.replace(place)
    else:
        place.unlink()
    return True


def restart() -> None:
    """Have systemd read the unit again and start the service anew; the game goes on."""
    subprocess.run(["systemctl", "daemon-reload"], check=True)
    service = f"{SERVICE}.service"
    subprocess.run(["systemctl", "--no-block", "try-restart", service], check=True)


def obey(
    owner: int,
    group: int | None,
    *,
    folder: Path = FOLDER,
    config: Path = DEFAULT,
    network: Path = NETWORK,
    house: Path = HOUSE,
    restart: Callable[[], None] = restart,
) -> None:
    """Do what is asked for, if anything is, and let the network follow. Raises OrderError."""
    text = take(folder, owner)
    if text is not None:
        write(text, config, group)
    follow(config, network, house, restart)


def main() -> None:
    """As systemd starts it, as root."""
    who = pwd.getpwnam(SERVICE)
    try:
        obey(who.pw_uid, who.pw_gid)
    except OrderError as fault:
        sys.exit(f"not obeyed: {fault}")


if __name__ == "__main__":
    main()

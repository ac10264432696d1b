"""What the service asks of root: to write the configuration, and to open the network it names.

The service may not write its configuration, nor say whom it may talk with. It leaves an order in
its runtime folder; systemd then starts this module as root (`ludo-companion-settings.service`).
Whatever is in the folder is taken for hostile: one regular file of the service's own, not a link,
no larger than a configuration, holding a configuration that can be used, or nothing happens.

The network follows the configuration, whoever wrote it: a box with a page for the house may talk
with the local network, any other with itself only. What a table of a café needs, the installer
opens.
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


def follow(config: Path, network: Path) -> bool:
    """Let the unit follow the configuration; true if it has to be told."""
    try:
        wanted = network_for(load(config, complete=False)) if config.exists() else ""
    except ConfigError as fault:
        raise OrderError(str(fault)) from None
    there = network.read_text() if network.exists() else ""
    if there == wanted:
        return False
    if wanted:
        network.parent.mkdir(parents=True, exist_ok=True)
        draft = network.with_name(f".{network.name}.new")
        draft.write_text(wanted)
        draft.replace(network)
    else:
        network.unlink()
    return True


def restart() -> None:
    """Have systemd read the unit again and restart the service; the game goes on."""
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
    restart: Callable[[], None] = restart,
) -> None:
    """Do what is asked for, if anything is, and let the network follow. Raises OrderError."""
    text = take(folder, owner)
    if text is not None:
        write(text, config, group)
    if follow(config, network):
        restart()


def main() -> None:
    """As systemd starts it, as root."""
    who = pwd.getpwnam(SERVICE)
    try:
        obey(who.pw_uid, who.pw_gid)
    except OrderError as fault:
        sys.exit(f"not obeyed: {fault}")


if __name__ == "__main__":
    main()

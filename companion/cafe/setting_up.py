"""Setting up a house: the broker's files, the house's configuration, and a line for each table.

Everything lies in two folders: the broker's (passwords, access rules, configuration, certificate)
and the house's. Running it again changes nothing that is there already but the access rules.
"""

import json
import socket
import subprocess
import time
from pathlib import Path
from typing import Any, NamedTuple

from companion.cafe import broker
from companion.cafe.certificates import CertificateError, names_in, valid_between
from companion.cafe.topics import HOUSE, is_name
from companion.invitation import Invitation
from companion.small_files import read_small_text, write_small

BROKER = Path("/etc/mosquitto/ludo")
FILE, CERTIFICATE, KEY = "house.json", "house.pem", "house.key"
DAYS = 3650
RENEW = 30 * 86400.0
"""Seconds before its end in which a certificate is made again."""


class SetUpError(Exception):
    """It cannot be set up like that; the message says what to do."""


class House(NamedTuple):
    """Where a house is, and how tables reach it."""

    folder: Path
    address: str = "127.0.0.1"
    """Where the broker listens."""
    name: str = "127.0.0.1"
    """By which name or address tables find it."""
    port: int = broker.PORT
    tls: bool = False


def local_name() -> str:
    """The name by which this machine is found in its network."""
    return f"{socket.gethostname().partition('.')[0]}.local"


def chosen(
    folder: Path, lan: bool | None, tls: bool | None, name: str | None, port: int | None
) -> House:
    """The house that somebody wants; what is not said is as it was before, or for itself only."""
    try:
        before = known_house(folder)
    except SetUpError:
        before = {}
    was_open = before.get("address", "127.0.0.1") != "127.0.0.1"
    lan = was_open if lan is None else lan
    tls = bool(before.get("tls")) if tls is None else tls
    same = (lan, tls) == (was_open, bool(before.get("tls")))
    return House(
        folder,
        address="0.0.0.0" if lan else "127.0.0.1",
        name=name or (same and before.get("name")) or (local_name() if lan else "127.0.0.1"),
        port=port or (same and before.get("port")) or (broker.TLS_PORT if tls else broker.PORT),
        tls=tls,
    )


def set_up(house: House) -> str:
    """Write the broker's files; returns the house's own password, a new one."""
    house.folder.mkdir(parents=True, exist_ok=True)
    password = broker.new_password()
    broker.let_in(house.folder, HOUSE, password)
    broker.write_access(house.folder)
    certificate = None
    if house.tls:
        certificate = make_certificate(house.folder, house.name)
    text = broker.configuration(
        house.folder, address=house.address, port=house.port, certificate=certificate
    )
    broker.write_configuration(house.folder, text)
    told = {
        "address": house.address,
        "name": house.name,
        "port": house.port,
        "tls": house.tls,
    }
    broker.write_file(house.folder / FILE, json.dumps(told))
    return password


def write_config(
    path: Path,
    house: House,
    password: str,
    *,
    pin: str | None = None,
    port: int | None = None,
    archive: Path | None = None,
) -> None:
    """Write the house's configuration; what is not given, and what an owner changed, stays."""
    import tomlkit

    try:
        document = tomlkit.parse(read_small_text(path))
    except FileNotFoundError:
        document = tomlkit.document()
    except ValueError as fault:
        raise SetUpError(f"{path} is not TOML: {fault}") from None
    if archive is not None:
        document["archive"] = str(archive)
    section = document.setdefault("broker", tomlkit.table())
    section["broker"] = "127.0.0.1"  # it is this machine, whatever tables call it
    section["port"] = house.port
    section["password"] = password
    section.pop("certificate", None)
    if house.tls:
        section["certificate"] = str(house.folder / CERTIFICATE)
    page = document.setdefault("page", tomlkit.table())
    if house.address != "127.0.0.1":
        page.setdefault("address", "0.0.0.0")
    if port is not None:
        page["port"] = port
    if pin is not None:
        page["pin"] = pin
    write_small(path, tomlkit.dumps(document), 0o640, as_before=True)  # its group reads it


def make_certificate(folder: Path, name: str) -> broker.Certificate:
    """The house's own certificate for a name; one that is still valid for it stays.

    Raises SetUpError.
    """
    found = broker.Certificate(folder / CERTIFICATE, folder / KEY)
    if found.key.exists() and _is_valid(found.certificate, name):
        return found
    kind = "IP" if name.replace(".", "").isdigit() or ":" in name else "DNS"
    names = f"subjectAltName={kind}:{name},DNS:localhost,IP:127.0.0.1"
    command = [
        *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
        *("-nodes", "-days", str(DAYS), "-subj", f"/CN={name}", "-addext", names),
        *("-keyout", str(found.key), "-out", str(found.certificate)),
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise SetUpError("openssl is missing: install it, or set up without --tls") from None
    if done.returncode:
        raise SetUpError(f"no certificate could be made: {done.stderr.strip()[-300:]}")
    found.key.chmod(0o640)
    return found


def _is_valid(certificate: Path, name: str) -> bool:
    try:
        valid, names = valid_between(str(certificate)), names_in(str(certificate))
    except CertificateError:
        return False
    if valid is None:  # the owner's own, of an authority
        return True
    return name in names and valid[0] <= time.time() <= valid[1] - RENEW


def known_house(folder: Path) -> dict[str, Any]:
    """How the house is reached, as the set-up wrote it. Raises SetUpError."""
    try:
        found = json.loads(read_small_text(folder / FILE))
    except FileNotFoundError:
        raise SetUpError(
            f"no house is set up in {folder}: run `companion house setup` first"
        ) from None
    except PermissionError:
        raise SetUpError(f"{folder} belongs to the broker: run it with sudo") from None
    except OSError as fault:
        raise SetUpError(f"{folder / FILE} cannot be read: {fault.strerror}") from None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not {"name", "port", "tls"} <= found.keys():
        raise SetUpError(f"{folder / FILE} is damaged: run `companion house setup` once more")
    return found


def invite(folder: Path, name: str, label: str = "") -> Invitation:
    """Let a table in, with a new password. Raises SetUpError."""
    if not is_name(name):
        raise SetUpError(
            f"{name!r} is no name for a table: take small letters, digits and dashes, not 'house'"
        )
    known = known_house(folder)
    certificate = ""
    if known["tls"]:
        certificate = read_small_text(folder / CERTIFICATE, "ascii")
    password = broker.new_password()
    broker.let_in(folder, name, password)
    return Invitation(known["name"], known["port"], name, label, password, certificate)

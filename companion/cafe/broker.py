"""Mosquitto for a house: its configuration, who may come in, and the access rules, as files.

A password per table; the file holds only what they hash to. Mosquitto reads passwords and rules
again when it is sent SIGHUP, so that a table can be added while others play.
"""

import base64
import hashlib
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from companion.cafe.topics import access_rules
from companion.small_files import read_small_text, write_small

PASSWORDS = "passwords"
ACCESS = "access"
CONFIGURATION = "mosquitto.conf"
PORT, TLS_PORT = 1883, 8883
_ROUNDS = 101  # what mosquitto_passwd does; the passwords are random and long


class Certificate(NamedTuple):
    """What the broker shows to tables: files."""

    certificate: Path
    key: Path


def new_password() -> str:
    """A password that nobody guesses, and that can be typed."""
    return secrets.token_urlsafe(18)


def hashed(password: str, salt: bytes | None = None) -> str:
    """A password as Mosquitto 2 keeps it."""
    salt = os.urandom(12) if salt is None else salt
    found = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, _ROUNDS)
    parts = (base64.b64encode(salt).decode(), base64.b64encode(found).decode())
    return f"$7${_ROUNDS}${parts[0]}${parts[1]}"


def read_passwords(folder: Path) -> dict[str, str]:
    """By user, what its password hashes to."""
    try:
        lines = read_small_text(folder / PASSWORDS).splitlines()
    except FileNotFoundError:
        return {}
    pairs = (line.partition(":") for line in lines)
    return {user: found for user, _, found in pairs if user and found}


def write_passwords(folder: Path, known: Mapping[str, str]) -> None:
    """Write who may come in; whole, or not at all."""
    text = "".join(f"{user}:{found}\n" for user, found in sorted(known.items()))
    write_file(folder / PASSWORDS, text)


def let_in(folder: Path, user: str, password: str) -> None:
    """From the next reading on this user comes in with this password, and with no other."""
    write_passwords(folder, {**read_passwords(folder), user: hashed(password)})


def keep_out(folder: Path, user: str) -> bool:
    """This user may no longer come in; says whether it was known."""
    known = read_passwords(folder)
    if known.pop(user, None) is None:
        return False
    write_passwords(folder, known)
    return True


def write_access(folder: Path) -> None:
    """Write the access rules."""
    write_file(folder / ACCESS, access_rules())


def configuration(
    folder: Path,
    *,
    address: str = "127.0.0.1",
    port: int = PORT,
    certificate: Certificate | None = None,
    user: str | None = None,
) -> str:
    """Mosquitto's configuration: nobody comes in without a password, nothing is kept on disk.

    What is retained comes again from the tables themselves, when they see the broker again.
    """
    lines = [
        "# Written by `companion house`; it is written again by the next set-up.",
        "per_listener_settings false",
        "allow_anonymous false",
        f"password_file {folder / PASSWORDS}",
        f"acl_file {folder / ACCESS}",
        f"listener {port} {address}",
        "max_connections 1000",
        "message_size_limit 131072",
        "max_queued_messages 2000",
        "set_tcp_nodelay true",
        "log_dest topic",  # the house hears whom it turns away
        *(f"log_type {kind}" for kind in ("error", "warning", "notice")),
    ]
    if certificate is not None:
        lines += [f"certfile {certificate.certificate}", f"keyfile {certificate.key}"]
    if user is not None:
        lines.append(f"user {user}")
    return "\n".join([*lines, ""])


def write_configuration(folder: Path, text: str) -> Path:
    """Write Mosquitto's configuration; returns where."""
    place = folder / CONFIGURATION
    write_file(place, text)
    return place


def write_file(place: Path, text: str) -> None:
    """Write a file that only the broker's group reads."""
    write_small(place, text, 0o640, as_before=True)

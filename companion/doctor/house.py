"""What the doctor finds at the bar's side: the broker, its files, and why a table is not there."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

from companion.cafe import broker, topics
from companion.cafe.certificates import CertificateError, day, valid_between
from companion.cafe.check import look_around
from companion.cafe.room import Room, TableState
from companion.cafe.setting_up import RENEW
from companion.config import HouseConfig
from companion.doctor.finding import Finding
from companion.screens import house as said
from companion.small_files import read_small_text


def examine_house(config: HouseConfig, folder: Path, now: float) -> Iterator[Finding]:
    """Look at the broker's files, come in as the house does, and look at every table."""
    invited, findings = _invited(folder)
    yield from findings
    yield from _certificate(config, now)
    trouble, room, refusals = asyncio.run(look_around(config.broker))
    where = f"{config.broker.broker}:{config.broker.port}"
    if trouble is not None:
        yield Finding("bad", "broker", trouble.said, "systemctl status mosquitto tells more")
        return
    yield Finding("good", "broker", f"lets the house in at {where}")
    for kind, number in refusals.counts(time.monotonic()).items():
        yield Finding("bad", "broker", said.refusal(kind, number), _CURES[kind])
    for name in sorted({*invited, *room.tables}):
        yield _table(name, room)


_CURES = {
    "password": "companion house add TABLE invites a table with another password",
    "encryption": "companion house add TABLE gives a table the house's certificate",
    "nonsense": "look whether something else in the network knocks at the broker's port",
}


def _invited(folder: Path) -> tuple[set[str], list[Finding]]:
    """Who may come in by the broker's files, as far as we may read them."""
    try:
        invited = set(broker.read_passwords(folder)) - {topics.HOUSE}
        rules = read_small_text(folder / broker.ACCESS)
    except FileNotFoundError as fault:
        cure = "run `companion house setup`"
        return set(), [Finding("bad", "files", f"there is no {fault.filename}", cure)]
    except PermissionError:
        cure = "run it with sudo to see who was invited"
        return set(), [Finding("note", "files", f"{folder} belongs to the broker", cure)]
    except OSError as fault:
        cure = "move that away, and run `companion house setup`"
        what = f"{fault.filename} cannot be read: {fault.strerror}"
        return set(), [Finding("bad", "files", what, cure)]
    if rules != topics.access_rules():
        cure = "run `sudo systemd/install.sh --house`"
        return invited, [Finding("bad", "files", "the access rules are of another version", cure)]
    tables = "one table" if len(invited) == 1 else f"{len(invited)} tables"
    return invited, [Finding("good", "files", f"{tables} may come in")]


def _certificate(config: HouseConfig, now: float) -> Iterator[Finding]:
    given = config.broker.certificate
    if given is None:
        return
    cure = "run `companion house setup --tls` once more, and invite every table again"
    try:
        between = valid_between(given)
    except CertificateError as fault:
        yield Finding("bad", "certificate", f"{fault.args[0]} cannot be read", cure)
        return
    if between is None:
        return
    first, last = between
    valid = f"valid from {day(first)} to {day(last)}"
    if not first <= now <= last:
        yield Finding("bad", "certificate", f"{valid}, and today is {day(now)}", cure)
    elif last - now < RENEW:
        yield Finding("note", "certificate", valid, cure)
    else:
        yield Finding("good", "certificate", valid)


def _table(name: str, room: Room) -> Finding:
    table = room.tables.get(name)
    if table is None or (table.about is None and table.status != "there"):
        return Finding(
            "note",
            name,
            "was invited, and has never been heard",
            f"open its link at the table; `companion house add {name}` prints another",
        )
    troubles = [said.trouble(*one) for one in table.troubles(time.monotonic())]
    if troubles:
        return Finding("bad", name, "; ".join(troubles), "docs/cafe.md tells how a table joins")
    return _status(name, table)


def _status(name: str, table: TableState) -> Finding:
    if table.status == "there":
        return Finding("good", name, "is there")
    if table.status == "off":
        return Finding("note", name, "is switched off")
    cure = "`companion doctor` at the table says why"
    return Finding("bad", name, "is lost: it is not heard", cure)

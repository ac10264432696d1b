"""`companion report`: everything a bug report needs, in one file without secrets."""

import json
import os
import platform
import re
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import click

from companion import SERVICE
from companion.small_files import read_small_text
from companion.terminal.journal_option import journal_file, journal_option
from companion.terminal.printable import why

GAMES = 3  # the latest games that go into a report
LOG_LINES = 3000
PACKAGES = (SERVICE, "gpiozero", "lgpio", "luma.core", "luma.oled", "pillow", "pyserial")
SECRET = re.compile(r"pass|secret|token|key", re.IGNORECASE)
LOGIN = re.compile(r"//[^/@\s]+@")
REMOVED = "(removed)"
_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK


@click.command()
@journal_option
@click.option("--config", "path", type=click.Path(path_type=Path), help="The configuration.")
@click.option(
    "--output", "-o", type=click.Path(path_type=Path, dir_okay=False), help="The file to write."
)
def report(journal: Path | None, path: Path | None, output: Path | None) -> None:
    """Pack logs, configuration (without secrets), versions and the last events into one file."""
    target = output or Path(f"companion-report-{datetime.now():%Y%m%d-%H%M%S}.zip")
    parts = dict(packed(journal_file(journal), path))
    try:
        with (
            os.fdopen(os.open(target, _NEW, 0o600), "wb") as place,
            zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as file,
        ):
            os.fchmod(place.fileno(), 0o600)  # names and habits are nobody else's affair
            for name, text in parts.items():
                file.writestr(name, text)
    except OSError as fault:
        if target.is_symlink():
            raise click.ClickException(f"{target} is a link: name the file itself") from None
        raise click.ClickException(f"{target} cannot be written: {why(fault)}") from None
    click.echo(f"{target} holds {', '.join(parts)}.")
    if any(name.startswith("game-") for name in parts):
        click.echo(f"`companion replay {target}` plays it.")


def packed(journal: Path, config: Path | None) -> Iterator[tuple[str, str]]:
    """Every part of the report; what cannot be had says why."""
    from companion.archive import NoGamesError, reading

    yield "versions.txt", versions()
    yield "config.toml", configuration(config)
    yield "log.txt", log()
    try:
        with reading(journal) as connection:
            yield from games(connection)
    except NoGamesError as fault:
        yield "games.txt", f"{fault}\n"


def games(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """The latest games as records, and the events that led to them."""
    from companion.archive import BrokenGameError, kept_game, latest_events
    from companion.game_numbers import numbering
    from companion.journal import read_record
    from companion.rules import BadInput

    latest = list(numbering(connection))[-GAMES:]
    for number, id in latest:
        try:
            text = str(kept_game(connection, id, number).record)
        except (BadInput, BrokenGameError) as fault:
            yield f"broken-{number:06}.txt", f"{fault}\n"
        else:
            yield f"game-{number:06}.txt", text
    events = latest_events(connection)
    rows = connection.execute(
        "SELECT id, game, at, record FROM records WHERE game >= ? OR kind IN ('settings', 'aside')"
        " ORDER BY id",
        (min([*(id for _, id in latest[:1]), *resumed_from(connection, events)], default=0),),
    )
    yield (
        "records.jsonl",
        "".join(
            json.dumps(
                {"id": id, "game": game, "at": at, "record": read_record(record) or record},
                default=repr,
            )
            + "\n"
            for id, game, at, record in rows
        ),
    )
    yield "events.jsonl", "".join(json.dumps(event) + "\n" for event in events)


def resumed_from(connection: sqlite3.Connection, events: Iterable[dict[str, Any]]) -> Iterator[int]:
    """The numbers of the games that were under way where these events can be fed again from."""
    from companion.archive import is_number

    for event in events:
        if event.get("event") in ("began", "goes_on") and is_number(event.get("after")):
            found = connection.execute(
                "SELECT max(game) FROM records WHERE typeof(game) = 'integer' AND id <= ?",
                (event["after"],),
            )
            yield from (game for (game,) in found if game is not None)


def versions() -> str:
    """What runs here."""
    said = [f"python {sys.version.split()[0]}", f"system {platform.platform()}"]
    model = Path("/proc/device-tree/model")
    if model.exists():
        said.append(f"model {model.read_text(errors='replace').rstrip(chr(0))}")
    for package in PACKAGES:
        try:
            said.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            said.append(f"{package} is not installed")
    return "\n".join([*said, ""])


def configuration(given: Path | None) -> str:
    """The configuration; everything that could be a secret is taken out."""
    from companion.config import find

    place = find(given)
    if place is None:
        return "# there is no configuration\n"
    try:
        return without_secrets(read_small_text(place, "utf-8-sig"))
    except OSError as fault:
        return f"# {place} cannot be read: {why(fault)}\n"


def without_secrets(text: str) -> str:
    """A TOML text without passwords, tokens and the page's PIN; comments may hold some too."""
    import tomllib

    import tomlkit

    try:
        return tomlkit.dumps(_cleaned(tomllib.loads(text), ""))
    except (ValueError, RecursionError) as fault:
        return f"# not TOML ({fault}), and so left out\n"


def _cleaned(value: Any, section: str) -> Any:
    """A value of the configuration, in the section of this name."""
    if isinstance(value, dict):
        return {
            key: REMOVED if _is_secret(key, section) else _cleaned(one, key)
            for key, one in value.items()
        }
    if isinstance(value, list):
        return [_cleaned(one, section) for one in value]
    return LOGIN.sub(f"//{REMOVED}@", value) if isinstance(value, str) else value


def _is_secret(key: str, section: str) -> bool:
    return bool(SECRET.search(key)) or (key == "pin" and section != "die")


def log() -> str:
    """What the service logged, where there is a journald."""
    command = ["journalctl", "--unit", SERVICE, "--lines", str(LOG_LINES), "--no-pager"]
    try:
        done = subprocess.run(
            [*command, "--output", "short-iso"],
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        )
    except (OSError, subprocess.TimeoutExpired) as fault:
        return f"the log cannot be read: {fault}\n"
    return done.stdout or done.stderr or "the log is empty\n"

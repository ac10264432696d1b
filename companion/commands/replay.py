"""`companion replay`: a past game, a record or a bug report, played again in the terminal."""

import json
import shutil
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.commands.journal_option import journal_option, opened

if TYPE_CHECKING:
    from companion.rules.records import Record

PACE = 0.4
CLEAR = "\x1b[H\x1b[J"


@click.command()
@click.argument("what", required=False)
@journal_option
@click.option("--pace", type=click.FloatRange(0), default=PACE, show_default=True, help="Seconds.")
@click.option(
    "--events", "with_events", is_flag=True, help="Of a report: what the table sensed, and when."
)
def replay(what: str | None, journal: Path | None, pace: float, with_events: bool) -> None:
    """Play WHAT again: the number of a game, a record file, or a bug report.

    Without WHAT it is the latest game.
    """
    if with_events:
        for line in sensed(Path(what or "")):
            click.echo(line)
        return
    try:
        show(found(what, journal), pace, terminal_width())
    except KeyboardInterrupt:
        click.echo()


def found(what: str | None, journal: Path | None) -> "Record":
    """The record that is meant."""
    from companion.games import kept_game, numbers

    if what is not None and not what.isdecimal():
        return read(Path(what))
    with opened(journal) as connection:
        known = numbers(connection)
        if not known:
            raise click.ClickException("no game has been played yet")
        given = None if what is None else click.IntRange(1)(what)
        return kept_game(connection, known[-1] if given is None else given).record


def read(path: Path) -> "Record":
    """A record file, or the latest game of a report."""
    from companion.rules.records import record

    if zipfile.is_zipfile(path):
        games = sorted(name for name in zipfile.ZipFile(path).namelist() if name[:5] == "game-")
        if not games:
            raise click.ClickException(f"{path} holds no game")
        return record(part(path, games[-1]))
    try:
        return record(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as fault:
        raise click.ClickException(f"{path} cannot be read: {fault}") from None


def part(path: Path, name: str) -> str:
    """One part of a report."""
    try:
        with zipfile.ZipFile(path) as file:
            return file.read(name).decode()
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as fault:
        raise click.ClickException(f"{path} is no report with {name} in it: {fault}") from None


def terminal_width() -> int | None:
    """The columns of the terminal; None where there is none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def show(
    record: "Record",
    pace: float,
    columns: int | None,
    wait: Callable[[float], None] = time.sleep,
) -> None:
    """Every position in turn; on a terminal each is drawn over the one before, if it fits in."""
    from companion.commands.terminal import picture, places_line
    from companion.rules.records import Record as Shown
    from companion.rules.records import event_text

    drawn = columns is not None
    shown = Shown(record.game, record.date, record.players, record.begins)
    for number, event in enumerate(record.events, 1):
        line = f"{number:>4}  {event_text(shown.position, event)}"
        shown = shown.then(event)
        if columns is not None and drawn:
            board = picture(shown.position)
            wide = max(len(click.unstyle(row)) for row in board)
            drawn = wide <= columns
            if drawn:
                click.echo("\n".join([CLEAR + board[0], *board[1:], ""]))
            else:
                click.echo(f"No board: it needs {wide} columns, this terminal has {columns}.")
        click.echo(line)
        if columns is not None and pace:
            wait(pace)
    if columns is None:
        click.echo("\n".join(["", *picture(shown.position)]))
    if shown.position.places:
        click.echo(places_line(shown.game, shown.position))


def sensed(path: Path) -> Iterator[str]:
    """The events of a report, fed to a referee as they were; what each brought about."""
    from companion.referee import Referee, Report, Times
    from companion.traces import from_json

    records = [json.loads(line) for line in part(path, "records.jsonl").splitlines()]
    events = [json.loads(line) for line in part(path, "events.jsonl").splitlines()]
    referee: Referee | None = None
    for data in events:
        at = data.pop("at")
        if data["event"] == "began":
            times = Times(**data.get("times", {}))
            referee = Referee(sensing=data["sensing"], die=data["die"], times=times)
            referee.resume(resumable(records, data["after"]), at)
            yield f"{at:12.3f}  began: {referee.view.phase}"
        elif referee is not None:
            before = referee.view.phase
            effects = referee.feed(from_json(data), at)
            kind = data.pop("event")
            said = " ".join(f"{key}={value}" for key, value in data.items())
            after = referee.view
            told = [effect.text for effect in effects if isinstance(effect, Report)]
            yield f"{at:12.3f}  {kind} {said}".rstrip() + _brought(before, after, told)
    if referee is None:
        yield "the report holds no start of the daemon, so its events cannot be fed again"


def _brought(before: str, view: Any, told: list[str]) -> str:
    said = [view.phase] if view.phase != before else []
    said += [f"refused: {', '.join(one.clause for one in view.refusals)}"] if view.refusals else []
    return f"  -> {'; '.join([*said, *told])}" if said or told else ""


def resumable(records: list[dict[str, Any]], after: int) -> list[dict[str, Any]]:
    """What the daemon resumed from when this was the last record kept."""
    kept = [row for row in records if row["id"] <= after and isinstance(row["record"], dict)]
    game = max((row["game"] for row in kept if row["game"] is not None), default=None)
    lasting = [row["record"] for row in kept if row["record"]["kind"] in ("settings", "aside")]
    own = [row["record"] for row in kept if row["game"] == game and row["record"] not in lasting]
    return [*lasting, *own]

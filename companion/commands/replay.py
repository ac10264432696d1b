"""`companion replay`: a past game, a record or a bug report, played again in the terminal."""

import json
import shutil
import stat
import struct
import sys
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.small_files import read_small_text
from companion.terminal.journal_option import is_game_number, journal_option, opened, where
from companion.terminal.printable import printable, refusal, why

if TYPE_CHECKING:
    from companion.referee import Referee
    from companion.rules.records import Record

PACE = 0.4
LARGEST = 8 << 20
"""Bytes that a record, a report, or a part of one may have."""
UNZIPPING = (
    OSError,
    KeyError,
    ValueError,
    RuntimeError,  # it is encrypted, or packed in a way that is not known here
    EOFError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
)
"""What reading a file leads to that only looks like a report."""
CLEAR = "\x1b[H\x1b[J"


@click.command()
@click.argument("what", required=False)
@journal_option
@click.option("--pace", type=click.FloatRange(0), default=PACE, show_default=True, help="Seconds.")
@click.option(
    "--events", "with_events", is_flag=True, help="Of a report: what the table sensed, and when."
)
@click.option("--luck", is_flag=True, help="Say at the end who was lucky; it takes a while.")
def replay(
    what: str | None, journal: Path | None, pace: float, with_events: bool, luck: bool
) -> None:
    """Play WHAT again: the number of a game, a record file, or a bug report.

    Without WHAT it is the latest game.
    """
    if with_events:
        for line in sensed(Path(what or "")):
            click.echo(printable(line))
        return
    record = found(what, journal)
    try:
        show(record, pace, terminal_width())
        if luck:
            from companion.terminal.luck import analysed, told

            click.echo("\n".join(["", *told(record, analysed(record))]))
    except KeyboardInterrupt:
        click.echo()


def found(what: str | None, journal: Path | None) -> "Record":
    """The record that is meant."""
    from companion.archive import called, latest_game

    if what is not None and not is_game_number(what):
        return read(Path(what))
    file, asked, mark = where(what, journal)
    with opened(file) as connection:
        if asked is None:
            return latest_game(connection).record
        return called(connection, asked, mark).record


def read(path: Path) -> "Record":
    """A record file, or the latest game of a report."""
    from companion.rules.records import record

    if zipfile.is_zipfile(ordinary(path)):
        games = sorted(name for name in parts(path) if name.startswith("game-"))
        if not games:
            raise refusal(f"{path} holds no game")
        return record(part(path, games[-1]))
    try:
        return record(read_small_text(path, largest=LARGEST))
    except OSError as fault:
        raise refusal(f"{path} cannot be read: {why(fault)}") from None


def ordinary(path: Path) -> Path:
    """The same path, if there is a file of a size that a record or a report can have."""
    try:
        found = path.stat()
    except OSError as fault:
        raise refusal(f"{path} cannot be read: {fault.strerror}") from None
    if not stat.S_ISREG(found.st_mode):
        raise refusal(f"{path} is not a file: name a record or a report")
    if found.st_size > LARGEST:
        raise refusal(f"{path} is too large for a record or a report")
    return path


def parts(path: Path) -> list[str]:
    """The names of the parts of a report."""
    try:
        with zipfile.ZipFile(path) as file:
            return file.namelist()
    except UNZIPPING as fault:
        raise refusal(f"{path} is no report: {fault}") from None


def part(path: Path, name: str) -> str:
    """One part of a report; a small file may hold more than a machine can."""
    try:
        with zipfile.ZipFile(ordinary(path)) as file, file.open(name) as packed:
            content = packed.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise ValueError("it is too large")
        return content.decode()
    except UNZIPPING as fault:
        raise refusal(f"{path} is no report with {name} in it: {fault}") from None


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
    from companion.rules.records import Record as Shown
    from companion.rules.records import event_text
    from companion.terminal.game import picture, ranking_line

    drawn = columns is not None
    shown = Shown(record.game, record.date, record.players, record.begins)
    for number, event in enumerate(record.events, 1):
        told = event_text(shown.position, event, chosen=number - 1 in record.chosen)
        line = f"{number:>4}  {told}"
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
    if shown.position.ranking:
        click.echo(ranking_line(shown.game, shown.position))


def sensed(path: Path) -> Iterator[str]:
    """The events of a report, fed to a referee as they were; what each brought about."""
    records = list(lines(path, "records.jsonl"))
    referee: Referee | None = None
    fed, at = False, 0.0
    for data in lines(path, "events.jsonl"):
        try:
            at, kind = float(data.pop("at")), str(data["event"])
            if kind == "began" or (kind == "goes_on" and referee is None):
                referee = made(data, records, at)
                said = f"{kind}: {referee.view.phase}"
            elif referee is None or kind == "goes_on":
                continue
            else:
                said, referee = deed(referee, data, at)
        except Exception as fault:  # whatever it holds, the next line may be sound
            said = f"cannot be read: {fault!r}"
        fed = fed or referee is not None
        yield f"{at:12.3f}  {said}"
    if not fed:
        yield "the report does not hold where its events begin, so they cannot be fed again"


def lines(path: Path, name: str) -> Iterator[dict[str, Any]]:
    """The lines of one part of a report; one that is damaged is left out."""
    for line in part(path, name).splitlines():
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(data, dict):
            yield data


def made(data: dict[str, Any], records: list[dict[str, Any]], at: float) -> "Referee":
    """A referee that knows what the daemon's knew there."""
    from companion.events import Snapshot
    from companion.referee import Referee, Times

    def new() -> Referee:
        times, choice = Times(**data.get("times", {})), data.get("choice")
        return Referee(sensing=data["sensing"], die=data["die"], times=times, choice=choice)

    referee = new()
    lasting, game = resumable(records, data["after"])
    try:
        referee.resume([*lasting, *game], at)
    except Exception:  # as the daemon, which goes on without the game then
        referee = new()
        referee.resume(lasting, at)
    if "rolled" in data:
        referee.forget_rolls_but(data["rolled"])
    on, pieces = data.get("board"), (tuple(one) for one in data.get("pieces", ()))
    board = None if on is None else Snapshot(frozenset(on), tuple(pieces))
    referee.catch_up(data.get("missing", {}), board, at)
    return referee


def deed(referee: "Referee", data: dict[str, Any], at: float) -> tuple[str, "Referee | None"]:
    """What one event brought about, and who is fed the next; nobody, if this one stumbled."""
    from companion.events import from_json
    from companion.referee import Report

    event, before = from_json(data), referee.view.phase
    kind = data.pop("event")
    said = " ".join([kind, *(f"{key}={value}" for key, value in data.items())])
    try:
        effects = referee.feed(event, at)
    except Exception as fault:  # it is what the report is about; the daemon started over after it
        return f"{said}  -> the referee stumbled: {fault!r}", None
    view = referee.view
    brought: list[str] = [view.phase] if view.phase != before else []
    if view.refusals:
        brought.append(f"refused: {', '.join(one.clause for one in view.refusals)}")
    brought += [effect.text for effect in effects if isinstance(effect, Report)]
    return f"{said}  -> {'; '.join(brought)}" if brought else said, referee


def resumable(
    records: list[dict[str, Any]], after: int
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What the daemon resumed from when this was the last record kept: what lasts, and the game."""
    kept = [row for row in records if row["id"] <= after and isinstance(row["record"], dict)]
    game = max((row["game"] for row in kept if row["game"] is not None), default=None)
    lasting = [row["record"] for row in kept if row["record"]["kind"] in ("settings", "aside")]
    own = [row["record"] for row in kept if row["game"] == game and row["record"] not in lasting]
    return lasting, own

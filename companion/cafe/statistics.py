"""The house in numbers: games a day, how long they take, busy hours, and each table's die."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Collection
from datetime import date, datetime, timedelta
from typing import Any

from companion.cafe.archive import Archive
from companion.fairness import ENOUGH, fairness, is_loaded

DAYS = 60
"""Days that the charts show."""


def statistics(
    archive: Archive, local: Callable[[float], datetime] = datetime.fromtimestamp
) -> dict[str, Any]:
    """Everything as plain data. Hours and days are those of the house."""
    days: Counter[date] = Counter()
    hours = [0] * 24
    lengths: dict[str, list[float]] = {}
    for game in archive.games():
        began = local(game.began)
        days[began.date()] += 1
        hours[began.hour] += 1
        if game.ended:
            lengths.setdefault(game.sheet, []).append(game.seconds / 60)
    games, records = archive.size()
    return {
        "games": games,
        "records": records,
        "days": [[day.isoformat(), days[day]] for day in _each_day(days)],
        "hours": hours,
        "sheets": [_length(sheet, minutes) for sheet, minutes in sorted(lengths.items())],
        "dice": [_die(table, faces) for table, faces in sorted(archive.faces().items())],
    }


def _each_day(days: Collection[date]) -> list[date]:
    """Every day from the first game on, also those on which nobody played; the last few weeks."""
    if not days:
        return []
    number = min(DAYS, (max(days) - min(days)).days + 1)
    return [max(days) - timedelta(days=back) for back in reversed(range(number))]


def _length(sheet: str, minutes: list[float]) -> dict[str, Any]:
    ordered = sorted(minutes)
    return {
        "sheet": sheet,
        "games": len(ordered),
        "shortest": round(ordered[0], 1),
        "half": round(ordered[len(ordered) // 2], 1),
        "longest": round(ordered[-1], 1),
    }


def _die(table: str, faces: list[int]) -> dict[str, Any]:
    found = fairness(faces)
    judged = "too_few" if sum(faces) < ENOUGH else "odd" if is_loaded(faces) else "nothing_odd"
    return {"table": table, "faces": faces, "p": round(found.p, 4), "judged": judged}


def games_csv(archive: Archive) -> str:
    """Every archived game as a line, for a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["table", "sheet", "began", "minutes", "moves", "ended", "journal", "number"])
    for game in archive.games():
        began = datetime.fromtimestamp(game.began).isoformat(timespec="seconds")
        minutes = f"{game.seconds / 60:.1f}"
        row = [game.place, game.sheet, began, minutes, game.moves, game.ended]
        writer.writerow([*row, game.journal, game.number])
    return out.getvalue()

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
    archive: Archive,
    local: Callable[[float], datetime] = datetime.fromtimestamp,
    today: Callable[[], date] = date.today,
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
    labels = {place.name: place.label for place in archive.places()}
    return {
        "games": games,
        "records": records,
        "days": [[day.isoformat(), days[day]] for day in _each_day(days, today())],
        "hours": hours,
        "sheets": [_length(sheet, minutes) for sheet, minutes in sorted(lengths.items())],
        "dice": [
            {"table": table, "label": labels.get(table) or table, **_die(faces)}
            for table, faces in sorted(archive.faces().items())
        ],
    }


def _each_day(days: Collection[date], today: date) -> list[date]:
    """Every day from the first game on, also those on which nobody played; the last few weeks.

    A table whose clock is ahead must not hide them.
    """
    if not days:
        return []
    last = max((day for day in days if day <= today), default=max(days))
    number = min(DAYS, max(0, (last - min(days)).days) + 1)
    return [last - timedelta(days=back) for back in reversed(range(number))]


def _length(sheet: str, minutes: list[float]) -> dict[str, Any]:
    ordered = sorted(minutes)
    return {
        "sheet": sheet,
        "games": len(ordered),
        "shortest": round(ordered[0], 1),
        "half": round(ordered[len(ordered) // 2], 1),
        "longest": round(ordered[-1], 1),
    }


def _die(faces: list[int]) -> dict[str, Any]:
    found = fairness(faces)
    judged = "too_few" if sum(faces) < ENOUGH else "odd" if is_loaded(faces) else "nothing_odd"
    return {"faces": faces, "p": round(found.p, 4), "judged": judged}


def games_csv(archive: Archive) -> str:
    """Every archived game as a line, for a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["table", "sheet", "began", "minutes", "moves", "ended", "journal", "number"])
    for game in archive.games():
        began = datetime.fromtimestamp(game.began).isoformat(timespec="seconds")
        minutes = f"{game.seconds / 60:.1f}"
        row = [game.place, game.sheet, began, minutes, game.moves, game.ended]
        writer.writerow([*row, _no_formula(game.journal), game.number])
    return out.getvalue()


def _no_formula(text: str) -> str:
    """A text from a table, which a spreadsheet must not take for something to work out."""
    return text if text[:1].isalnum() else f"'{text}"

"""The house in numbers: games a day, how long they take, busy hours, and each table's die."""

import csv
import io
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from typing import Any

from companion.cafe.archive import Archive
from companion.fairness import ENOUGH, fairness, is_loaded

DAYS = 60
"""Days that the charts show."""


def statistics(
    archive: Archive, local: Callable[[float], datetime] = datetime.fromtimestamp
) -> dict[str, Any]:
    """Everything as plain data. Hours and days are those of the house."""
    days: Counter[str] = Counter()
    hours = [0] * 24
    lengths: dict[str, list[float]] = {}
    for game in archive.games():
        began = local(game.began)
        days[began.date().isoformat()] += 1
        hours[began.hour] += 1
        if game.ended or game.moves:
            lengths.setdefault(game.sheet, []).append(game.seconds / 60)
    games, records = archive.size()
    return {
        "games": games,
        "records": records,
        "days": [[day, days[day]] for day in sorted(days)[-DAYS:]],
        "hours": hours,
        "sheets": [_length(sheet, minutes) for sheet, minutes in sorted(lengths.items())],
        "dice": [_die(table, faces) for table, faces in sorted(archive.faces().items())],
    }


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
    judged = "too_few" if sum(faces) < ENOUGH else "odd" if is_loaded(faces) else "fair"
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

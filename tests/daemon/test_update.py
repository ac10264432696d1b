"""The first start after an update, on the journal of the version before: the power may go then."""

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.config import Config
from companion.daemon import wiring
from companion.events import Command
from companion.journal import Journal
from companion.kept_records import journal_spans
from companion.referee import Match, View
from tests.picos import until
from tests.power import Disk, OnDisk

BEFORE = Path(__file__).parents[1] / "journals" / "before.db"
CONFIG = Config(board="68", sensing="choose")
BY_HAND = msgspec.structs.replace(CONFIG, die=msgspec.structs.replace(CONFIG.die, source="hand"))
EVERY = 3
"""Of the moments at which the power can go, each of so many is tried."""


def records(path: Path) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        rows = connection.execute("SELECT record FROM records ORDER BY id").fetchall()
    return [json.loads(text) for (text,) in rows]


async def started(path: Path, turns: int = 0) -> tuple[View, int]:
    """Be the daemon on this journal, and play on: its last view, and how many records are safe."""
    daemon = wiring.put_together(BY_HAND, path, pretend=True)
    views: list[View] = []
    safe = 0

    def told(view: View) -> None:
        nonlocal safe
        views.append(view)
        safe = daemon.kept if daemon.journal.trouble is None else safe

    daemon.subscribe(told)
    running = asyncio.create_task(daemon.run())
    await until(lambda: bool(views))
    for _ in range(turns):
        for name in ("move", "roll"):
            match = daemon.referee.match
            assert match is not None
            move = match.game.move_text(match.legal[0]) if match.legal else ""
            seen = len(views)
            daemon.post(Command(name, {"move": move} if name == "move" else {"face": 4}))
            await until(lambda before=seen: len(views) > before)  # type: ignore[misc]
    daemon.stop()
    await running
    return views[-1], safe


def stands(kept: list[dict[str, Any]]) -> tuple[str, int | None]:
    match = Match.replay(kept)
    assert match is not None
    return str(match.position), match.face


def cut_at(step: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Start on the old journal until the power goes at a write or flush; whether it did."""
    path = Path(shutil.copy(BEFORE, folder / "games.db"))
    disk = Disk(Random(step), step)
    disk.load(path)
    with monkeypatch.context() as patch:
        patch.setattr(wiring, "Journal", partial(Journal, open_with=OnDisk(disk)))
        _, safe = asyncio.run(started(path, turns=2))
    for file in folder.iterdir():
        file.unlink()
    for name, data in disk.after_the_cut().items():
        Path(name).write_bytes(data)
    view, _ = asyncio.run(started(path))
    kept, old = records(path), records(BEFORE)
    assert kept[: len(old)] == old
    assert len(kept) >= len(old) + safe
    assert "journal" not in view.missing
    assert (str(view.position), view.face) == stands(kept)
    assert len(journal_spans(path)) == 1
    return disk.dead


def test_a_power_cut_in_the_first_start_after_an_update_costs_nothing_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it comes, the game of the version before goes on from what people were shown."""
    step = 1
    while True:
        (tmp_path / str(step)).mkdir()
        if not cut_at(step, tmp_path / str(step), monkeypatch):
            break
        step += EVERY
    assert step > 10 * EVERY

"""Starting and stopping are short because little is done, whatever else the machine has to do.

A start on a busy machine took 20 s, a stop 10 s: what they do is counted here, since seconds say
more of the machine than of us.
"""

import asyncio
import json
import socket
from pathlib import Path
from typing import Any

import pytest

from companion.daemon import Daemon
from companion.events import Pressed
from companion.journal import Journal
from companion.rules.history import History
from tests.daemon.test_daemon import table
from tests.picos import until
from tests.web.test_background import long_game

RECORDS = 600


def test_a_start_plays_each_record_once_and_reads_it_three_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.db"
    long_game(path, RECORDS)
    played, read = [0], [0]
    add, loads = History.add, json.loads

    def counted(self: History, *args: Any, **more: Any) -> Any:
        played[0] += 1
        return add(self, *args, **more)

    def counted_loads(*args: Any, **more: Any) -> Any:
        read[0] += 1
        return loads(*args, **more)

    monkeypatch.setattr(History, "add", counted)
    monkeypatch.setattr(json, "loads", counted_loads)

    async def go() -> None:
        async with table(path) as one:
            assert one.view.position is not None

    asyncio.run(go())
    assert RECORDS * 0.9 < played[0] <= RECORDS + 5
    assert read[0] <= 3 * RECORDS + 20


def test_the_table_is_ready_before_any_page_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page takes longer to come up than the table, and nobody has to wait for it to play."""
    begun: list[bytes] = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
        wire.bind(str(tmp_path / "notify"))
        wire.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))

        async def page(daemon: Daemon) -> None:
            while True:
                try:
                    begun.append(wire.recv(4096))
                except BlockingIOError:
                    return

        async def go() -> None:
            async with table(tmp_path / "games.db", services=[page]):
                await until(lambda: bool(begun))

        asyncio.run(go())
    assert any(b"READY=1" in message for message in begun)


def test_a_stop_ends_the_pages_first_and_then_takes_in_what_was_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much a page has to do: nothing new comes from it while the rest is taken in."""
    order: list[str] = []
    close = Journal.close

    async def page(daemon: Daemon) -> None:
        try:
            daemon.stop()
            for _ in range(200):
                daemon.post(Pressed("down"))
            await asyncio.Event().wait()
        finally:
            order.append("page")

    def closed(self: Journal) -> None:
        order.append("journal")
        close(self)

    async def go() -> None:
        monkeypatch.setattr(Journal, "close", closed)
        async with table(tmp_path / "games.db", services=[page]) as one:
            await until(lambda: bool(order))
        assert len(one.daemon.inbox) == 0

    asyncio.run(go())
    assert order == ["page", "journal"]

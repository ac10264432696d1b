"""The daemon on a simulated table: keeping before telling, going on whatever is missing."""

import asyncio
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from companion.archive import called, numbers, reading
from companion.cli import main
from companion.commands.replay import sensed
from companion.config import Config
from companion.daemon import Daemon
from companion.daemon.screen import Screen
from companion.daemon.voice import Speaker
from companion.daemon.wiring import (
    put_together,
    referees,
)
from companion.devices import simulated
from companion.events import Command, Event, Pressed, RecordData, Rolled
from companion.journal import Journal, connect, existing_journal, journal_path, played_path
from companion.referee import Effect, Match, Referee, View
from companion.rules import Board, Pass, Position
from companion.screens.pictures import picture
from companion.screens.sounds import loudness, pattern
from companion.screens.spoken import spoken
from companion.table.sim import SimBoard, SimButtons, SimDie, SimDisplay, SimSounder
from tests.hands import PhysicalTable
from tests.patience import PATIENCE
from tests.picos import until

CONFIG = Config(sensing="choose")
NEW = Command("new_game", {"sheet": "german", "seats": ["yellow", "red"], "sensing": "choose"})

COMPANION = (sys.executable, "-c", "from companion.cli import main; main()")


class Table:
    """A daemon on simulated devices, with everything it told."""

    def __init__(self, path: Path, **options: Any) -> None:
        self.devices = simulated(CONFIG, Random(1).randbytes)
        self.journal: Journal = options.pop("journal", None) or Journal(path)
        referee: Callable[[], Referee] = options.pop("referee", referees(CONFIG))
        self.board, self.die = self.devices.board, self.devices.die
        self.buttons, self.display = self.devices.buttons, self.devices.display
        assert isinstance(self.display, SimDisplay)
        display = self.display
        self.daemon = Daemon(
            self.devices,
            referee,
            self.journal,
            screen=lambda daemon: Screen(display, picture, daemon.post, retry=0.01),
            tend=0.01,
            **options,
        )
        self.views: list[View] = []
        self.daemon.subscribe(self.views.append)

    @property
    def view(self) -> View:
        return self.views[-1]

    async def phase(self, *phases: str) -> View:
        await until(lambda: bool(self.views) and self.view.phase in phases)
        return self.view

    async def roll(self) -> View:
        """Throw, and wait until the table says what came of it."""
        before = len(self.views)
        assert isinstance(self.die, SimDie)
        self.die.throw()
        await until(lambda: len(self.views) > before and not self.view.rolling)
        return self.view

    async def play(self, turns: int) -> None:
        """Play so many turns by choosing the first move."""
        for _ in range(turns):
            view = await self.roll()
            if view.phase == "move":
                self.daemon.post(Pressed("ok"))
                await until(lambda: self.view.phase != "move")
            if self.view.phase == "ask":
                self.daemon.post(Pressed("ok"))
                await self.phase("roll", "over")

    async def begin(self) -> None:
        self.daemon.post(NEW)
        await self.phase("setting")
        self.daemon.post(Command("go_on"))
        await self.phase("opening")


@asynccontextmanager
async def table(path: Path, **options: Any) -> AsyncIterator[Table]:
    one = Table(path, **options)
    running = asyncio.create_task(one.daemon.run())
    await until(lambda: bool(one.views) or running.done())
    try:
        yield one
    finally:
        one.daemon.stop()
        await running


@asynccontextmanager
async def two_tables(path: Path) -> AsyncIterator[tuple[Table, Table]]:
    """One that plays and one that waits for its file."""
    async with table(path) as hung:
        await hung.begin()
        await hung.play(4)
        async with table(path) as one:
            await until(lambda: one.view.missing == ("journal",))
            yield hung, one


@asynccontextmanager
async def found_in_a_menu(path: Path) -> AsyncIterator[tuple[Table, Table]]:
    """The one that waits is in its menu when it gets the file."""
    async with two_tables(path) as (hung, one):
        one.daemon.post(Command("menu"))
        await one.phase("menu")
        hung.daemon.stop()
        await until(lambda: one.view.missing == ())
        yield hung, one


def on_disk(path: Path) -> list[dict[str, Any]]:
    with sqlite3.connect(path) as connection:
        return [json.loads(r) for (r,) in connection.execute("SELECT record FROM records")]


# -- keeping, then telling -----------------------------------------------------------------


def test_whatever_is_told_is_already_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    async def go() -> None:
        async with table(path) as one:
            told: list[bool] = []

            def compare(view: View) -> None:
                match = Match.replay(on_disk(path))
                kept = (match.position, match.face) if match else (None, None)
                told.append((view.position, view.face) == kept)

            one.daemon.subscribe(compare)
            await one.begin()
            await one.play(30)
            assert len(told) > 60
            assert all(told)

    asyncio.run(go())


def test_who_looks_while_something_is_being_kept_sees_what_was_told(tmp_path: Path) -> None:
    writing, go_on = threading.Event(), threading.Event()

    class SlowJournal(Journal):
        def keep(self, records: Iterable[RecordData], at: float) -> bool:
            writing.set()
            assert go_on.wait(PATIENCE)
            return super().keep(records, at)

    async def go() -> None:
        go_on.set()
        async with table(tmp_path / "games.db", journal=SlowJournal(tmp_path / "games.db")) as one:
            await one.begin()
            writing.clear()
            go_on.clear()
            assert isinstance(one.die, SimDie)
            one.die.throw()
            await until(writing.is_set)
            seen, told = one.daemon.view, one.view
            go_on.set()
            assert seen == told
            assert seen.face is None
            await until(lambda: one.view is not told)
            assert one.daemon.view == one.view

    asyncio.run(go())


def test_a_restarted_daemon_goes_on_with_the_game(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    async def go() -> None:
        async with table(path) as one:
            await one.begin()
            await one.play(12)
            before = one.view
        async with table(path) as one:
            assert (one.view.position, one.view.face) == (before.position, before.face)
            await one.play(3)
            assert one.view.position != before.position

    asyncio.run(go())


def test_a_game_that_cannot_be_replayed_is_left_alone_and_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "games.db"
    journal = Journal(path)
    start = {"kind": "start", "game": "german yellow,red", "names": {}}
    journal.keep([start, {"kind": "move", "move": "yellow 6 12>18"}], 0.0)
    journal.close()

    async def go() -> None:
        async with table(path) as one:
            assert one.view.phase == "idle"
            await one.begin()

    with caplog.at_level("INFO"):
        asyncio.run(go())
    assert "cannot be resumed" in caplog.text
    assert [record["kind"] for record in on_disk(path)] == ["start", "move", "start"]


def test_a_die_may_forget_a_roll_only_when_it_is_safe(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    class CarefulDie(SimDie):
        confirmed: list[tuple[int, int]]

        def confirm(self, number: int) -> None:
            rolls = [r["number"] for r in on_disk(path) if r["kind"] == "roll"]
            self.confirmed.append((number, rolls[-1]))

    async def go() -> None:
        one = Table(path)
        die = CarefulDie(Random(2).randbytes)
        die.confirmed = []
        one.devices.die = one.die = die
        running = asyncio.create_task(one.daemon.run())
        await until(lambda: bool(one.views))
        await one.begin()
        await one.play(6)
        one.daemon.stop()
        await running
        assert die.confirmed == [(n, n) for n in range(1, 7)]

    asyncio.run(go())


def test_the_die_shows_the_last_roll_that_counted(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    async def go() -> None:
        async with table(path) as one:
            assert isinstance(one.die, SimDie)
            await one.begin()
            while (await one.roll()).phase != "move":
                assert one.view.last is not None
                assert one.die.shown == one.view.last.face  # a pass, and the roll still lies there
            counts = one.view.face
            assert counts is not None
            one.die.throw(counts % 6 + 1)
            await one.phase("illegal")
            assert one.view.face == one.die.shown == counts
            one.die.unplug()
            await until(lambda: one.view.missing == ("die",))
            assert one.die.shown is None
            one.die.plug()
            await until(lambda: one.view.missing == ())
            assert one.die.shown == counts
        async with table(path) as one:
            assert isinstance(one.die, SimDie)
            assert one.die.shown == one.view.face == counts

    asyncio.run(go())


def test_a_referee_that_stumbles_is_replaced_and_the_game_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Stumbling(Referee):
        def feed(self, event: Event, now: float) -> list[Effect]:
            if event == Command("stumble"):
                raise ZeroDivisionError
            return super().feed(event, now)

    async def go() -> None:
        async with table(
            tmp_path / "games.db", referee=lambda: Stumbling(sensing="choose", die="serial")
        ) as one:
            assert isinstance(one.buttons, SimButtons)
            one.buttons.unplug()
            await one.begin()
            await one.play(8)
            before = one.view.position
            count = len(one.views)
            one.daemon.post(Command("stumble"))
            await until(lambda: len(one.views) > count)
            assert one.view.position == before
            assert one.view.missing == ("buttons",)
            await one.play(2)

    asyncio.run(go())
    assert "stumbled over" in caplog.text


def test_a_roll_that_makes_the_referee_stumble_is_not_told_again_for_ever(tmp_path: Path) -> None:
    """A die sends its oldest unheard roll only: it would hold back all later ones."""

    class Stumbling(Referee):
        def feed(self, event: Event, now: float) -> list[Effect]:
            if isinstance(event, Rolled) and event.number == 2:
                raise ZeroDivisionError
            return super().feed(event, now)

    async def go() -> None:
        confirmed: list[int] = []
        async with table(
            tmp_path / "games.db", referee=lambda: Stumbling(sensing="choose", die="serial")
        ) as one:
            one.die.confirm = confirmed.append  # type: ignore[union-attr, method-assign]
            for number in (1, 2, 3):
                one.daemon.post(Rolled(number, 5))
            await until(lambda: confirmed == [1, 2, 3])

    asyncio.run(go())


def test_a_referee_that_stumbles_over_its_own_game_too_begins_without_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Or the box would start again and again, and no one could play on it."""

    class Falling(Referee):
        def feed(self, event: Event, now: float) -> list[Effect]:
            if event == Command("stumble"):
                raise ZeroDivisionError
            return super().feed(event, now)

        def resume(self, records: Iterable[RecordData], now: float) -> list[Effect]:
            records = list(records)
            assert not any(record["kind"] == "roll" for record in records)
            return super().resume(records, now)

    async def go(turns: int) -> None:
        async with table(
            tmp_path / "games.db", referee=lambda: Falling(sensing="choose", die="serial")
        ) as one:
            assert one.view.phase == "idle"
            one.daemon.post(Command("set", {"name": "language", "value": "nl"}))
            await one.begin()
            await one.play(turns)
            one.daemon.post(Command("stumble"))
            await one.phase("idle")
            assert one.view.settings["language"] == "nl"
            await one.begin()
            await one.play(turns)

    asyncio.run(go(2))
    asyncio.run(go(1))
    assert "cannot be resumed" in caplog.text
    assert [r["kind"] for r in on_disk(tmp_path / "games.db")].count("start") == 4


def test_a_listener_that_fails_stops_neither_the_table_nor_the_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(view: View) -> None:
        raise OSError(f"no voice for {view.phase}")

    async def go() -> None:
        one = Table(tmp_path / "games.db")
        heard: list[str] = []
        one.daemon.subscribe(failing)
        one.daemon.subscribe(lambda view: heard.append(view.phase))
        running = asyncio.create_task(one.daemon.run())
        await until(lambda: bool(one.views) or running.done())
        await one.begin()
        await one.play(3)
        assert heard == [view.phase for view in one.views]
        one.daemon.stop()
        await running

    asyncio.run(go())
    assert "no voice for roll" in caplog.text


def standing(start: Position) -> frozenset[str]:
    """The places on which pieces stand in a position."""
    board = start.game.board
    assert isinstance(board, Board)
    laid = PhysicalTable(board, Random(1))
    laid.set_up(start)
    return laid.on()


# -- what is missing -----------------------------------------------------------------------


def test_it_starts_without_devices_says_which_and_takes_them_when_they_appear(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")

    async def go() -> None:
        one = Table(tmp_path / "games.db")
        assert isinstance(one.die, SimDie)
        assert isinstance(one.board, SimBoard)
        one.die.unplug()
        one.board.unplug()
        running = asyncio.create_task(one.daemon.run())
        await until(lambda: bool(one.views) and len(one.view.missing) == 2)
        assert one.view.missing == ("board", "die")
        one.die.plug()
        one.board.plug()
        await until(lambda: one.view.missing == ())
        one.daemon.stop()
        await running

    asyncio.run(go())
    lines = [record.message for record in caplog.records]
    assert lines.count("die lost: it is not plugged in") == 1
    assert lines.count("die found: a simulated die") == 1


def test_a_display_that_fails_is_told_once_and_drawn_on_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def go() -> None:
        async with table(tmp_path / "games.db") as one:
            assert isinstance(one.display, SimDisplay)
            await until(lambda: one.display.image is not None)  # type: ignore[union-attr]
            one.display.unplug()
            await one.begin()
            await until(lambda: one.view.missing == ("oled",))
            await one.play(2)
            one.display.image = None
            one.display.plug()
            await until(lambda: one.view.missing == ())
            await until(lambda: one.display.image is not None)  # type: ignore[union-attr]

    asyncio.run(go())
    assert [r.message for r in caplog.records if "oled lost" in r.message] == [
        "oled lost: the simulated OLED is unplugged"
    ]


def test_a_full_disk_is_shown_and_the_game_goes_on_and_is_kept_later(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    Journal(path).close()
    pages = [1]

    def small(where: Path) -> sqlite3.Connection:
        connection = connect(where)
        connection.execute(f"PRAGMA max_page_count={pages[0]}")
        return connection

    async def go() -> None:
        async with table(path, journal=Journal(path, open_with=small)) as one:
            await one.begin()
            while one.view.missing != ("journal",):
                await one.play(1)
            assert "full" in str(one.journal.trouble)
            await one.play(4)
            pages[0] = 1000
            await until(lambda: one.view.missing == ())
            match = Match.replay(on_disk(path))
            assert match is not None
            assert match.position == one.view.position

    asyncio.run(go())


def test_a_folder_that_cannot_be_made_is_shown_and_the_game_is_kept_later(tmp_path: Path) -> None:
    path = tmp_path / "state" / "games.db"
    path.parent.write_text("in the way")

    async def go() -> None:
        async with table(path) as one:
            await until(lambda: one.view.missing == ("journal",))
            await one.begin()
            await one.play(4)
            path.parent.unlink()
            await until(lambda: one.view.missing == ())
            match = Match.replay(on_disk(path))
            assert match is not None
            assert match.position == one.view.position

    asyncio.run(go())


def replayed(path: Path) -> list[Position]:
    """Where every game of a journal stands in the end."""
    with reading(path) as connection:
        return [called(connection, number).last for number in numbers(connection)]


def test_two_tables_on_one_file_keep_both_their_games(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    async def go() -> list[Position | None]:
        async with table(path) as one:
            await one.begin()
            await one.play(4)
        async with table(path) as second, table(path) as one:
            assert second.view.position is not None
            assert one.view.position is None
            await until(lambda: one.view.missing == ("journal",))
            await one.begin()
            await one.play(3)
            await second.play(5)
            ends = [second.view.position, one.view.position]
            second.daemon.stop()
            await until(lambda: one.view.missing == ())
        return ends

    assert asyncio.run(go()) == replayed(path)


def test_a_table_without_a_game_goes_on_with_the_kept_one_when_it_gets_the_file(
    tmp_path: Path,
) -> None:
    """A daemon that hung was replaced before it was gone."""
    path = tmp_path / "games.db"

    async def go() -> None:
        async with two_tables(path) as (hung, one):
            hung.daemon.stop()
            await until(lambda: one.view.position is not None)
            assert one.view.position == hung.view.position
            await one.play(2)
            assert one.view.missing == ()

    asyncio.run(go())
    assert len(replayed(path)) == 1


def test_a_found_game_waits_until_nobody_is_in_a_menu(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    async def go() -> None:
        async with found_in_a_menu(path) as (hung, one):
            one.daemon.post(Pressed("down"))
            await until(lambda: one.view.cursor == 1)
            assert one.view.phase == "menu"
            one.daemon.post(Command("back"))
            await until(lambda: one.view.position is not None)
            assert one.view.position == hung.view.position

    asyncio.run(go())
    assert len(replayed(path)) == 1


def test_a_game_begun_meanwhile_is_not_left_for_a_found_one(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    async def go() -> None:
        async with found_in_a_menu(path) as (hung, one):
            await one.begin()
            await one.play(1)
            ends.extend([hung.view.position, one.view.position])

    ends: list[Position | None] = []
    asyncio.run(go())
    assert replayed(path) == ends


def test_a_roll_after_a_found_game_is_a_new_one_whatever_its_number(tmp_path: Path) -> None:
    """The die of a second companion counts from the beginning."""
    path = tmp_path / "games.db"

    def rolls() -> list[tuple[int, int]]:
        return [(r["number"], r["face"]) for r in on_disk(path) if r["kind"] == "roll"]

    async def go() -> None:
        async with table(path) as hung:
            await hung.begin()
            await hung.play(4)
            before = rolls()
            async with table(path) as one:
                await until(lambda: one.view.missing == ("journal",))
                one.daemon.post(Rolled(9, 3))
                await until(lambda: one.view.notice is not None)
                hung.daemon.stop()
                await until(lambda: one.view.position is not None)
                one.daemon.post(Rolled(9, 3))  # told twice, and no roll of this game
                number, _ = before[-1]
                one.daemon.post(Rolled(number, 1))
                await until(lambda: len(rolls()) > len(before))
                assert rolls() == [*before, (number, 1)]

    asyncio.run(go())
    packed = str(tmp_path / "report.zip")
    CliRunner().invoke(main, ["report", "--journal", str(path), "-o", packed])
    fed = list(sensed(Path(packed)))
    assert "Rolled number=9 face=3" in fed[-2]  # a report tells the same
    assert "->" not in fed[-2]
    assert "->" in fed[-1]


def test_trouble_with_the_journal_is_logged_once_and_its_end_too(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "state" / "games.db"
    path.parent.write_text("in the way")

    async def go() -> None:
        async with table(path) as one:
            await until(lambda: one.view.missing == ("journal",))
            path.parent.unlink()
            await until(lambda: one.view.missing == ())

    with caplog.at_level("INFO", "companion"):
        asyncio.run(go())
    told = [line for line in caplog.messages if str(path) in line]
    assert len(told) == 2
    assert told[0].startswith("games cannot be kept in")
    assert told[1].startswith("games are kept again in")


def test_a_board_that_was_not_watched_is_looked_at_when_it_is(tmp_path: Path) -> None:
    async def go() -> None:
        async with table(tmp_path / "games.db") as one:
            assert isinstance(one.board, SimBoard)
            await one.begin()
            start = one.view.position
            assert start is not None
            for place in standing(start):
                one.board.put(place)
            one.daemon.post(Command(NEW.name, {**NEW.args, "sensing": "presence"}))
            await one.phase("opening")

    asyncio.run(go())


def test_lamps_lights_and_sounds_follow_the_game(tmp_path: Path) -> None:
    async def go() -> None:
        async with table(
            tmp_path / "games.db", sounds=lambda tone, volume: ((len(tone), volume),)
        ) as one:
            await one.begin()
            while one.view.phase != "move":
                await one.roll()
            assert isinstance(one.board, SimBoard)
            assert isinstance(one.devices.sounder, SimSounder)
            wanted = [move for move in one.view.legal if not isinstance(move, Pass)]
            assert wanted
            assert one.board.lit
            assert one.devices.sounder.lamps == {"good": False, "bad": False}
            assert ((len("roll"), 2),) in one.devices.sounder.played

    asyncio.run(go())


def test_the_volume_of_the_menu_is_that_of_the_sounder(tmp_path: Path) -> None:
    async def go() -> None:
        async with table(tmp_path / "games.db", sounds=pattern) as one:
            assert isinstance(one.devices.sounder, SimSounder)
            for volume in (1, 3):
                one.daemon.post(Command("set", {"name": "volume", "value": volume}))
                await until(lambda wanted=volume: one.view.settings["volume"] == wanted)  # type: ignore[misc]
                one.daemon.post(Command("new_game", {"sheet": "german", "seats": ["yellow"]}))
                one.daemon.post(Command("roll", {"face": 3}))
                await until(lambda wanted=volume: one.devices.sounder.share == loudness(wanted))  # type: ignore[misc]
            assert one.devices.sounder.played[-1] == pattern("notice", 2)

    asyncio.run(go())


class Heard(list[tuple[str, str, float]]):
    """A voice that only writes down what it was to say."""

    def say(self, text: str, language: str, volume: float = 1.0) -> None:
        self.append((text, language, volume))


def test_a_table_with_a_voice_says_whose_turn_it_is_once(tmp_path: Path) -> None:
    async def go() -> None:
        heard = Heard()
        async with table(tmp_path / "games.db") as one:
            one.daemon.subscribe(Speaker(heard, spoken))
            await one.begin()
            assert heard == []
            for name, value in (("speech", True), ("language", "de")):
                one.daemon.post(Command("set", {"name": name, "value": value}))
            await until(lambda: ("Gelb: Würfeln", "de", loudness(2)) in heard)
            said = list(heard)
            one.daemon.post(Pressed("down"))
            one.daemon.post(Pressed("ok"))
            await until(lambda: one.view.notice is not None)
            assert [text for text, _, _ in heard[len(said) :]] == ["Bitte würfeln. Gelb: Würfeln"]

    asyncio.run(go())


def test_a_service_that_fails_does_not_stop_the_table(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(_: Daemon) -> None:
        raise RuntimeError("no page today")

    async def go() -> None:
        async with table(tmp_path / "games.db", services=[broken]) as one:
            await one.begin()
            await one.play(2)

    asyncio.run(go())
    assert "no page today" in caplog.text


def test_shutting_down_is_a_wish_to_the_shell(tmp_path: Path) -> None:
    wishes: list[str] = []

    async def go() -> None:
        async with table(tmp_path / "games.db", wish=lambda _, wish: wishes.append(wish)) as one:
            one.daemon.post(Command("shut_down"))
            await until(lambda: bool(wishes))

    asyncio.run(go())
    assert wishes == ["shut_down"]


def test_a_stop_does_not_wait_for_all_that_was_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flood of events, each of which a slow card takes its time for."""
    monkeypatch.setattr("companion.daemon.shell.LAST_WORDS", 0.0)

    async def go() -> int:
        async with table(tmp_path / "games.db") as one:
            await one.begin()
            for number in range(2000):
                one.daemon.post(Rolled(1000 + number, number % 6 + 1))
            one.daemon.stop()
        return len(one.daemon.inbox)

    assert asyncio.run(go()) > 1900


# -- as systemd sees it --------------------------------------------------------------------


@contextmanager
def listening(path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
        wire.bind(str(path))
        wire.settimeout(PATIENCE)
        yield wire


def heard(wire: socket.socket, wanted: str) -> str:
    while True:
        message = wire.recv(4096).decode()
        if wanted in message:
            return message


def test_systemd_hears_ready_status_and_signs_of_life(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "NOTIFY_SOCKET": str(tmp_path / "notify"),
        "WATCHDOG_USEC": "200000",
        "STATE_DIRECTORY": str(tmp_path / "state"),
    }
    with listening(tmp_path / "notify") as wire:
        process = subprocess.Popen(
            [*COMPANION, "run", "--simulated"],
            env=environment,
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert "STATUS=idle" in heard(wire, "READY=1")
            heard(wire, "WATCHDOG=1")
            heard(wire, "WATCHDOG=1")
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert process.returncode == 0
    assert "Traceback" not in errors
    assert (tmp_path / "state" / "games.db").exists()


def test_no_configuration_is_said_with_what_to_do(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMPANION, "run", "--config", "none.toml"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "there is no none.toml: copy one of hardware/configs/" in done.stderr
    assert "Traceback" not in done.stderr


def test_commands_read_the_games_of_the_service_then_ones_own_then_those_of_play(
    tmp_path: Path,
) -> None:
    system = tmp_path / "var" / "games.db"
    home = {"HOME": str(tmp_path / "home")}
    own, played = journal_path(home), played_path(home)
    assert existing_journal(home, system) == own  # there is none: this one is named
    for journal in (played, own, system):
        journal.parent.mkdir(parents=True, exist_ok=True)
        journal.touch()
        assert existing_journal(home, system) == journal
    service = {"STATE_DIRECTORY": str(tmp_path / "state")}
    assert existing_journal(service, system) == tmp_path / "state" / "games.db"


def test_the_same_daemon_runs_on_a_simulated_table(tmp_path: Path) -> None:
    async def go() -> None:
        daemon = put_together(CONFIG, tmp_path / "games.db", pretend=True)
        views: list[View] = []
        daemon.subscribe(views.append)
        running = asyncio.create_task(daemon.run())
        await until(lambda: bool(views))
        daemon.post(NEW)
        await until(lambda: views[-1].phase == "setting")
        daemon.stop()
        await running

    asyncio.run(go())
    assert on_disk(tmp_path / "games.db")[-1]["kind"] == "start"

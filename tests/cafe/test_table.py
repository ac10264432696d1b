"""The table's side of a house, against a real broker."""

import asyncio
import contextlib
import json
import socket
import time
from collections.abc import AsyncIterator, Callable, Collection
from pathlib import Path
from typing import Any

import pytest

from companion.cafe import messages, topics
from companion.cafe.homeassistant import gone
from companion.cafe.line import Line, Said, Trouble, end
from companion.cafe.table import Table
from companion.events import Command, Event, Found, Lost
from companion.journal import Journal
from companion.referee import Keep, Referee, Show, View
from tests.cafe.houses import Mosquitto, Section, until


class Daemon:
    """A daemon without devices: a referee, a journal, and who listens."""

    def __init__(self, journal: Path) -> None:
        self.journal = Journal(journal)
        self.referee = Referee(sensing="choose", die="hand")
        self.view = self.referee.view
        self.now = 0.0
        self.posted: list[Event] = []
        self._listeners: list[Callable[[View], None]] = []

    def post(self, event: Event) -> bool:
        self.posted.append(event)
        self.now += 1
        effects = self.referee.feed(event, self.now)
        records = [one.record for one in effects if isinstance(one, Keep)]
        if records:
            self.journal.keep(records, self.now)
        for one in effects:
            if isinstance(one, Show):
                self.view = one.view
                for listener in self._listeners:
                    listener(one.view)
        return True

    async def forget_names(self, names: Collection[str]) -> bool:
        return self.journal.forget(names)

    def order(self, name: str, **args: Any) -> None:
        self.post(Command(name, args))

    def subscribe(self, listener: Callable[[View], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)


class Ear:
    """Somebody at the broker who hears everything that tables tell, and may ask."""

    def __init__(self, section: Section) -> None:
        self.heard: list[tuple[str, bytes, bool]] = []
        self.line = Line(
            section,
            user=section.name,
            identifier="ear",
            hears=[
                *((topic, 1) for topic in topics.heard_by_house()),
                (topics.CALLS.of("+"), 1),
                (topics.EVENTS.of("+"), 0),
                ("homeassistant/#", 1),
            ],
            take=lambda *message: self.heard.append(message),
            birth=lambda: Said("ludo/house/here", b"{}", False, 0),
            born=lambda: None,
        )

    def of(self, topic: topics.Topic, table: str = "table-1") -> list[Any]:
        return [
            messages.decode(payload, topic.carries)
            for name, payload, _ in self.heard
            if name == topic.of(table) and payload
        ]

    def last(self, topic: topics.Topic, table: str = "table-1") -> Any:
        return (self.of(topic, table) or [None])[-1]

    def ask(self, id: str, order: messages.Order, table: str = "table-1") -> None:
        payload = messages.encode(messages.Ask(id=id, order=order))
        self.line.say(Said(topics.ASK.of(table), payload, False, 1))


@contextlib.asynccontextmanager
async def running(*work: Any) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(one.run()) for one in work]
    try:
        yield
    finally:
        await end(tasks)


async def held(mosquitto: Mosquitto, table: str = "table-1") -> list[str]:
    """What the broker holds of a table, as somebody hears it who comes new."""
    ear, asked = Ear(mosquitto.section("house")), ("homeassistant/asked", b"all", False)
    async with running(ear.line):
        await until(lambda: ear.line.up)
        ear.line.say(Said("homeassistant/asked", b"all", False, 1))
        await until(lambda: asked in ear.heard)  # what was held came before it
    return [topic for topic, payload, _ in ear.heard if table in topic and payload]


@contextlib.asynccontextmanager
async def joined(mosquitto: Mosquitto, tmp_path: Path) -> AsyncIterator[tuple[Daemon, Table, Ear]]:
    """One table that has joined, and an ear that hears it."""
    daemon, ear = Daemon(tmp_path / "games.db"), Ear(mosquitto.section("house"))
    table = Table(daemon, mosquitto.section("table-1", label="Window"), tmp_path, pulse=0.05)
    async with running(ear.line, table):
        await until(lambda: table.heard and ear.last(topics.NOW) is not None)
        yield daemon, table, ear
    daemon.journal.close()


async def test_a_table_says_what_it_is_and_that_it_is_there(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with joined(mosquitto, tmp_path) as (_, table, ear):
        await until(lambda: ear.last(topics.PULSE) and ear.last(topics.HELP))
        about, here = ear.last(topics.ABOUT), ear.last(topics.HERE)
        assert (about.label, about.birth, about.box) == ("Window", table.birth, table.box)
        assert (here.here, here.birth) == (True, table.birth)
        assert ear.last(topics.NOW).free
        assert ear.last(topics.HELP).needs == []
        assert ear.last(topics.PULSE).birth == table.birth


async def test_what_is_played_is_told_with_its_records(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with joined(mosquitto, tmp_path) as (daemon, _, ear):
        daemon.order("new_game", sheet="german", seats=["yellow", "red"], names={"red": "Ann"})
        daemon.order("go_on")
        daemon.order("roll", face=6)
        await until(lambda: ear.last(topics.NOW).turn == "red")
        now = ear.last(topics.NOW)
        assert (now.sheet, now.board, now.names, now.free) == (
            "german",
            "40",
            {"red": "Ann"},
            False,
        )
        assert set(now.pieces) == {"yellow", "red"}
        last = daemon.journal.last
        await until(lambda: ear.last(topics.EVENTS) and ear.last(topics.EVENTS).number == last)
        kept = ear.of(topics.EVENTS)
        assert [one.record["kind"] for one in kept][:2] == ["start", "roll"]
        assert {one.journal for one in kept} == {daemon.journal.id}
        assert [one.number for one in kept] == list(range(1, last + 1))


async def test_a_table_that_is_switched_off_says_so(mosquitto: Mosquitto, tmp_path: Path) -> None:
    daemon, ear = Daemon(tmp_path / "games.db"), Ear(mosquitto.section("house"))
    table = Table(daemon, mosquitto.section("table-1"), tmp_path)
    async with running(ear.line):
        async with running(table):
            await until(lambda: table.heard)
        await until(lambda: ear.last(topics.HERE).off)
        assert not ear.last(topics.HERE).here


async def test_a_death_belongs_to_its_birth(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """Whoever comes back before the broker noticed that it went is not declared dead for it."""
    async with joined(mosquitto, tmp_path) as (_, table, ear):
        first = table.birth
        late = messages.Here(birth=first, box=table.box, here=False)
        mosquitto.kill()
        await until(lambda: not table.line.up)
        mosquitto.start()
        await until(lambda: table.heard and table.birth != first and ear.line.up)
        ear.heard.clear()
        ear.line.say(Said(topics.HERE.of("table-1"), messages.encode(late), True, 1))
        await until(lambda: ear.last(topics.HERE) and ear.last(topics.HERE).here)
        assert ear.last(topics.HERE).birth == table.birth


async def test_a_table_cannot_speak_as_another_and_says_so(
    mosquitto: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.cafe.table.READ_BACK", 0.3)
    daemon, ear = Daemon(tmp_path / "games.db"), Ear(mosquitto.section("house"))
    thief = mosquitto.section("table-2", user="table-1", password="password-of-table-1")
    table = Table(daemon, thief, tmp_path, pulse=0.05)
    async with running(ear.line, table):
        await until(lambda: table.fault)
        assert table.fault is not None
        assert "does not let this table speak as 'table-2'" in table.fault.said
        assert Lost("house-access", table.fault.said) in daemon.posted
        assert "house-access" in daemon.view.missing
        assert [topic for topic, _, _ in ear.heard if "table-2" in topic] == []


@pytest.mark.parametrize(
    ("change", "sentence", "shown"),
    [
        ({"password": "guessed"}, "does not let 'table-1' in", ["house-password"]),
        ({"port": 1}, "nobody listens at 127.0.0.1:1", []),
        ({"broker": "no-such-house.invalid"}, "no machine is called no-such-house.invalid", []),
        ({"certificate": "/no/such.pem"}, "cannot be read as a cert", ["house-certificate"]),
    ],
)
async def test_why_a_table_cannot_join_is_a_sentence(
    mosquitto: Mosquitto, tmp_path: Path, change: dict[str, Any], sentence: str, shown: list[str]
) -> None:
    daemon = Daemon(tmp_path / "games.db")
    table = Table(daemon, mosquitto.section("table-1")._replace(**change), tmp_path)
    async with running(table):
        await until(lambda: table.line.trouble and sentence in table.line.trouble.said)
    assert list(daemon.view.missing) == shown


async def test_who_is_no_broker_is_told_from_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.cafe.line.REPLY", 0.3)
    silent = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    table = Table(Daemon(tmp_path / "games.db"), Section("127.0.0.1", port, "t", "p"), tmp_path)
    async with running(table):
        await until(lambda: table.line.trouble and "as a broker does" in table.line.trouble.said)
    silent.close()


async def test_two_boxes_of_one_name_both_say_so(mosquitto: Mosquitto, tmp_path: Path) -> None:
    tables = []
    for number in (1, 2):
        folder = tmp_path / str(number)
        tables.append(
            Table(Daemon(folder / "games.db"), mosquitto.section("table-1"), folder, pulse=0.05)
        )
    async with running(*tables):
        await until(lambda: all(table.fault for table in tables))
    for table in tables:
        assert table.fault is not None
        assert "is called 'table-1' too" in table.fault.said


async def test_a_line_that_came_up_again_is_no_fault_any_more(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with joined(mosquitto, tmp_path) as (daemon, table, _):
        table._wrong(Trouble("access", {"user": "table-1"}, True))
        mosquitto.kill()
        await until(lambda: not table.line.up)
        mosquitto.start()
        await until(lambda: table.fault is None)
        assert any(isinstance(one, Found) and one.device == "house-access" for one in daemon.posted)


# -- what the house asks --------------------------------------------------------------------------


async def test_the_house_sets_says_and_answers(mosquitto: Mosquitto, tmp_path: Path) -> None:
    async with joined(mosquitto, tmp_path) as (daemon, _, ear):
        ear.ask("1", messages.Set(name="language", value="nl"))
        ear.ask("2", messages.Say(text="Last orders"))
        ear.ask("3", messages.Set(name="volume", value=7))
        ear.ask("4", messages.AnswerCall())
        await until(lambda: len(ear.of(topics.ANSWERS)) == 4)
        states = {one.id: one.state for one in ear.of(topics.ANSWERS)}
        assert states == {"1": "done", "2": "done", "3": "refused", "4": "refused"}
        assert daemon.view.settings["language"] == "nl"
        assert daemon.view.house.text == "Last orders"


async def test_a_call_reaches_the_house_and_its_answer_the_table(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with joined(mosquitto, tmp_path) as (daemon, _, ear):
        here = messages.encode(messages.Here(birth="h", here=True))
        ear.line.say(Said(topics.HOUSE_HERE.name, here, True, 1))
        await until(lambda: daemon.view.house.here)
        daemon.order("call")
        await until(lambda: ear.last(topics.HELP).needs)
        assert ear.last(topics.HELP).needs[0].kind == "call"
        ear.ask("1", messages.AnswerCall())
        await until(lambda: not ear.last(topics.HELP).needs)
        assert daemon.view.house.coming


async def test_a_game_is_begun_but_never_over_a_running_one(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with joined(mosquitto, tmp_path) as (daemon, _, ear):
        ear.ask("1", messages.NewGame(sheet="german", seats=["yellow", "red"]))
        await until(lambda: daemon.view.phase == "setting")
        daemon.order("go_on")
        before = daemon.view.position
        ear.ask("2", messages.NewGame(sheet="british"))
        ear.ask("3", messages.NewGame(sheet="no-such-sheet"))
        await until(lambda: len(ear.of(topics.ANSWERS)) == 3)
        states = {one.id: one.state for one in ear.of(topics.ANSWERS)}
        assert states == {"1": "done", "2": "asked", "3": "refused"}
        assert daemon.view.title == "offer_game"
        assert daemon.view.position == before


async def test_an_order_that_comes_twice_or_was_retained_is_done_once_or_never(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with joined(mosquitto, tmp_path) as (daemon, table, ear):
        for _ in range(3):
            ear.ask("same", messages.Say(text="once"))
        await until(lambda: ear.of(topics.ANSWERS))
        ask = messages.encode(messages.Ask(id="old", order=messages.Say(text="kept")))
        table._take(topics.ASK.of("table-1"), ask, True)
        said = [
            one.args["text"]
            for one in daemon.posted
            if isinstance(one, Command) and "text" in one.args
        ]
        assert said == ["once"]


async def test_pieces_of_the_journal_come_by_name_and_number(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with joined(mosquitto, tmp_path) as (daemon, _, ear):
        daemon.order("new_game", sheet="german", seats=["yellow", "red"])
        daemon.order("go_on")
        for face in (1, 6):
            daemon.order("roll", face=face)
        ear.ask("1", messages.Records())
        await until(lambda: ear.of(topics.PIECES))
        (span,) = ear.last(topics.PIECES).spans
        last = daemon.journal.last
        assert (span.journal, span.first, span.last) == (daemon.journal.id, 1, last)
        ear.ask("2", messages.Records(journal=span.journal, after=1))
        await until(lambda: len(ear.of(topics.PIECES)) == 2)
        found = ear.last(topics.PIECES)
        assert [one.number for one in found.records] == list(range(2, last + 1))
        assert found.records[0].record["face"] == 1
        assert found.records[0].game == (span.journal, 1)


# -- being alone ----------------------------------------------------------------------------------


async def test_nonsense_changes_nothing(mosquitto: Mosquitto, tmp_path: Path) -> None:
    async with joined(mosquitto, tmp_path) as (daemon, table, _):
        before = len(daemon.posted)
        for payload in (b"", b"{", b"[]", b"\xff", b'{"v":99}', b'{"v":1,"id":"1","order":{}}'):
            table._take(topics.ASK.of("table-1"), payload, False)
            table._take(topics.HERE.of("table-1"), payload, False)
            table._take("ludo/tables/table-1/unknown", payload, False)
        assert len(daemon.posted) == before


# -- Home Assistant -------------------------------------------------------------------------------


async def test_home_assistant_finds_the_table_and_again_when_it_is_back(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with joined(mosquitto, tmp_path) as (_, table, ear):

        def found() -> dict[str, Any]:
            return {t: json.loads(p) for t, p, _ in ear.heard if t.endswith("/config")}

        await until(lambda: len(found()) == 5)
        for topic, told in found().items():
            _, component, node, _, end = topic.split("/")
            assert (node, end) == ("ludo_table-1", "config")
            assert told["device"]["identifiers"] == [f"ludo_{table.box}"]
            assert "command_topic" not in told
            state = told["topic"] if component == "device_automation" else told["state_topic"]
            assert topics.parse(state)[1] == "table-1"
            if component != "device_automation":
                assert told["availability"][0]["topic"] == topics.HERE.of("table-1")
        assert len({told.get("unique_id") for told in found().values()}) == 5
        ear.heard.clear()
        ear.line.say(Said(topics.BIRTH, b"online", False, 0))
        await until(lambda: len(found()) == 5)


async def test_a_call_triggers_once_also_when_the_table_joins_again_meanwhile(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with joined(mosquitto, tmp_path) as (daemon, table, ear):

        async def call_and_join_again() -> None:
            heard = len(ear.of(topics.CALLS))
            here = messages.encode(messages.Here(birth="h", here=True))
            ear.line.say(Said(topics.HOUSE_HERE.name, here, True, 1))
            await until(lambda: daemon.view.house.here)
            daemon.order("call")
            await until(lambda: ear.last(topics.HELP).needs and len(ear.of(topics.CALLS)) > heard)
            birth = table.birth
            mosquitto.kill()
            mosquitto.start()
            await until(lambda: (now := ear.last(topics.HELP)) and now.birth != birth)

        await call_and_join_again()
        told = [json.loads(p) for t, p, _ in ear.heard if "device_automation" in t]
        assert {one["topic"] for one in told} == {topics.CALLS.of("table-1")}
        assert len(ear.of(topics.CALLS)) == 1
        ear.ask("1", messages.AnswerCall())
        await until(lambda: not ear.last(topics.HELP).needs)
        await call_and_join_again()
        assert len(ear.of(topics.CALLS)) == 2


async def test_what_home_assistant_has_of_a_table_can_be_taken_away(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with joined(mosquitto, tmp_path) as (_, _, ear):
        await until(lambda: any(t.startswith("homeassistant/") for t, _, _ in ear.heard))
        ear.heard.clear()
        for said in gone("table-1"):
            ear.line.say(said)
        await until(
            lambda: len([1 for t, p, _ in ear.heard if "homeassistant" in t and not p]) == 5
        )


async def test_a_name_that_is_looked_up_for_long_is_no_broken_line(
    mosquitto: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no DNS answers, a name in `.local` takes six seconds; paho counts them as silence."""
    passed, connect = [0.0], socket.create_connection

    def slow(*where: Any, **how: Any) -> socket.socket:
        passed[0] += 6.0
        return connect(*where, **how)

    monkeypatch.setattr(socket, "create_connection", slow)
    monkeypatch.setattr("paho.mqtt.client.time_func", lambda: time.monotonic() + passed[0])
    async with joined(mosquitto, tmp_path) as (_, table, _):
        assert table.line.stays == 1

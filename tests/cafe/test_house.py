"""The house against a real broker: who is there, orders, the archive, and what it survives."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from companion.archive import IMPORTED
from companion.cafe import broker, messages, topics
from companion.cafe.archive import Archive
from companion.cafe.forgetting import is_forgotten, kept_marks
from companion.cafe.house import House, NoAnswerError
from companion.cafe.line import Said, end, together
from companion.cafe.page import HousePage
from companion.cafe.room import LOST
from companion.cafe.table import Table
from companion.config import BrokerSection, PageSection
from companion.journal import Journal
from tests.cafe.houses import Mosquitto, until
from tests.cafe.test_archive import archived, everything
from tests.cafe.test_table import Daemon, Ear, held, running
from tests.patience import PATIENCE

PIN = "471100"


class Clock:
    """A clock that can be put forward."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return asyncio.get_running_loop().time() + self.ahead


@contextlib.asynccontextmanager
async def house_of(mosquitto: Mosquitto, tmp_path: Path) -> AsyncIterator[tuple[House, Clock]]:
    clock = Clock()
    archive = Archive(tmp_path / "house.db")
    house = House(mosquitto.section("house"), archive, clock=clock, calm=0.0)
    async with running(house):
        await until(lambda: house.room.hears)
        yield house, clock


def table_of(mosquitto: Mosquitto, tmp_path: Path, name: str = "table-1") -> Table:
    folder = tmp_path / name
    daemon = Daemon(folder / "games.db")
    return Table(daemon, mosquitto.section(name, label=name.title()), folder, pulse=0.05)


def status(house: House, name: str = "table-1") -> str:
    found = house.room.tables.get(name)
    return "unknown" if found is None else found.status


def lost_later(house: House, clock: Clock) -> bool:
    """Let time pass, and look."""
    clock.ahead += LOST
    return status(house) == "lost"


def play(table: Table, rolls: int) -> None:
    daemon: Any = table.host
    daemon.order("new_game", sheet="german", seats=["yellow", "red"], names={"red": "Ann"})
    daemon.order("go_on")
    for number in range(rolls):
        daemon.order("roll", face=1 + number % 6)


async def test_a_table_is_there_and_its_games_are_archived(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with house_of(mosquitto, tmp_path) as (house, _):
        table = table_of(mosquitto, tmp_path)
        async with running(table):
            await until(lambda: status(house) == "there")
            play(table, 3)
            journal = table.host.journal
            want = everything(journal.path)
            await until(lambda: house.copying._copied.get(journal.id) == journal.last)
            assert archived(house.archive) == want
            now = house.room.tables["table-1"].now
            assert now is not None
            assert (now.sheet, now.names) == ("german", {"red": "Ann"})
        await until(lambda: status(house) == "off")


async def test_a_table_that_dies_is_lost_and_the_others_stay(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with house_of(mosquitto, tmp_path) as (house, clock):
        first, second = (table_of(mosquitto, tmp_path, f"table-{n}") for n in (1, 2))
        async with running(second), running(first):
            await until(lambda: status(house) == "there")
            await until(lambda: status(house, "table-2") == "there")
            first.line.say = lambda said: None  # type: ignore[method-assign]
            first.line._take = lambda *_: None
            await until(lambda: lost_later(house, clock))
            await until(lambda: status(house, "table-2") == "there")


async def test_a_broker_that_was_wiped_knows_everything_again(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with house_of(mosquitto, tmp_path) as (house, _):
        table = table_of(mosquitto, tmp_path)
        async with running(table):
            await until(lambda: status(house) == "there")
            mosquitto.kill()
            await until(lambda: not house.room.hears)
            assert status(house) == "waiting"
            play(table, 2)
            mosquitto.start()
            await until(lambda: status(house) == "there")
            journal = table.host.journal
            await until(lambda: house.copying._copied.get(journal.id) == journal.last)
            assert archived(house.archive) == everything(journal.path)
            await until(lambda: house.room.tables["table-1"].now.sheet == "german")  # type: ignore


async def test_orders_reach_the_table_and_answers_come_back(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with house_of(mosquitto, tmp_path) as (house, _):
        with pytest.raises(NoAnswerError):
            await house.order("table-1", messages.Say(text="hello"))
        table = table_of(mosquitto, tmp_path)
        async with running(table):
            await until(lambda: status(house) == "there")
            answer = await house.order("table-1", messages.Set(name="language", value="de"))
            assert answer.state == "done"
            assert table.host.view.settings["language"] == "de"
            answer = await house.order("table-1", messages.NewGame(sheet="nonsense"))
            assert answer.state == "refused"


async def test_a_forgotten_name_goes_from_table_broker_and_archive_and_stays_away(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with house_of(mosquitto, tmp_path) as (house, _):
        table = table_of(mosquitto, tmp_path)
        journal = table.host.journal
        async with running(table):
            await until(lambda: status(house) == "there")
            play(table, 2)
            brought = Journal(journal.path.with_name(IMPORTED))
            brought.keep([{"kind": "start", "game": "german", "names": {"red": "Ann"}}], 1.0)
            brought.close()
            await until(lambda: house.copying._copied.get(journal.id) == journal.last)
            assert await house.forget("ANN") == 1
            await until(lambda: b"Ann" not in brought.path.read_bytes())
            await until(lambda: not table.host.view.names)
            await until(lambda: house.room.tables["table-1"].now.names == {})  # type: ignore
            assert all("Ann" not in repr(one) for one in everything(journal.path))
        journal.close()
        assert b"Ann" not in journal.path.read_bytes()
        assert archived(house.archive) == everything(journal.path)
        # A copy of the card from before has the name again, until it joins.
        again = table_of(mosquitto, tmp_path / "copy")
        play(again, 1)
        async with running(again):
            await until(lambda: not again.host.view.names)
            copy = again.host.journal
            await until(lambda: all("Ann" not in repr(one) for one in everything(copy.path)))
            await until(lambda: house.copying._copied.get(copy.id) == copy.last)
        assert all("Ann" not in repr(one) for one in archived(house.archive))


async def test_a_table_that_was_here_before_is_missed(mosquitto: Mosquitto, tmp_path: Path) -> None:
    async with (
        house_of(mosquitto, tmp_path) as (house, _),
        running(table_of(mosquitto, tmp_path)),
    ):
        await until(lambda: status(house) == "there")
        await until(lambda: house.archive.places())
    mosquitto.kill()
    mosquitto.start()
    async with house_of(mosquitto, tmp_path) as (house, clock):
        assert status(house) == "waiting"
        clock.ahead += LOST
        await until(lambda: status(house) == "lost")


# -- the page -------------------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def page_of(house: House) -> AsyncIterator[str]:
    page = HousePage(house, PageSection(port=0, pin=PIN), "key-of-the-screen")
    task = asyncio.create_task(together(page.run()))
    try:
        await until(lambda: page.address)
        yield page.address
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_watching_is_free_and_orders_need_the_pin(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with (
        house_of(mosquitto, tmp_path) as (house, _),
        page_of(house) as address,
        aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as web,
        running(table_of(mosquitto, tmp_path)),
    ):
        await until(lambda: status(house) == "there")
        wish = {"table": "table-1", "order": {"do": "say", "text": "hello"}}
        for path in ("", "wall", "staff", "statistics", "house.js", "words.json?lang=de"):
            assert (await web.get(address + path)).status == 200
        assert (await web.get(address + "../config.py")).status == 404
        assert (await web.post(address + "order", json=wish)).status == 401
        assert (await web.post(address + "pin", json={"pin": "000000"})).status == 401
        assert (await web.post(address + "pin", json={"pin": PIN})).status == 204
        answer = await web.post(address + "order", json=wish)
        assert (await answer.json())["state"] == "done"
        wrong = {"table": "table-1", "order": {"do": "records"}}
        assert (await web.post(address + "order", json=wrong)).status == 400
        assert (await web.post(address + "order", json={**wish, "table": "x"})).status == 504
        assert (await (await web.get(address + "statistics.json")).json())["games"] == 0
        assert (await (await web.get(address + "games.csv")).text()).startswith("table,sheet,")
        headers = (await web.get(address)).headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]


async def test_an_archive_from_before_hears_of_forgotten_names(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    """A backup has neither the mark nor the change: the tables, who were told, tell of it again."""
    async with house_of(mosquitto, tmp_path / "now") as (house, _):
        table = table_of(mosquitto, tmp_path)
        async with running(table):
            await until(lambda: status(house) == "there")
            await house.forget("Ann")
            await until(lambda: kept_marks(tmp_path / "table-1"))
    async with house_of(mosquitto, tmp_path / "backup") as (house, _):
        daemon: Any = table.host
        async with running(Table(daemon, mosquitto.section("table-1"), tmp_path / "table-1")):
            await until(lambda: house.archive.told_marks("table-1"))
        assert is_forgotten("Ann", house.archive.told_marks("table-1"))


async def test_a_name_goes_from_what_the_broker_holds_of_a_table_that_is_away(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with house_of(mosquitto, tmp_path) as (house, _):
        table = table_of(mosquitto, tmp_path)
        async with running(table):
            await until(lambda: status(house) == "there")
            play(table, 1)
            await until(lambda: (now := house.room.tables["table-1"].now) and now.names)
        await until(lambda: status(house) == "off")
        await house.forget("Ann")
        await until(lambda: house.room.tables["table-1"].now.names == {})  # type: ignore
    ear = Ear(mosquitto.section("house"))
    async with running(ear.line):
        await until(lambda: ear.last(topics.NOW))
        assert ear.last(topics.NOW).names == {}


async def test_a_table_that_is_removed_leaves_nothing_at_the_broker(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with house_of(mosquitto, tmp_path) as (house, _):
        async with running(table_of(mosquitto, tmp_path)):
            await until(lambda: status(house) == "there")
        await until(lambda: status(house) == "off")
        page = HousePage(house, PageSection(port=0), "key")
        address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        serving = asyncio.create_task(page.run(address.set_result))
        url = (await address).partition("?")[0] + "remove"
        async with aiohttp.ClientSession() as session:
            async with session.post(url, json={"table": "table-1"}) as answer:
                assert answer.status == 403
            own = {"Cookie": "house-box=key"}
            async with session.post(url, json={"table": "table-1"}, headers=own) as answer:
                assert answer.status == 204
            async with session.post(url, json={"table": "table-1"}, headers=own) as answer:
                assert answer.status == 404
        await end([serving])
        assert "table-1" not in house.room.tables
        await until(lambda: not house.line._latest)
    assert await held(mosquitto) == []


async def test_a_table_that_is_removed_while_it_is_there_does_not_come_back(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    table = table_of(mosquitto, tmp_path)
    async with house_of(mosquitto, tmp_path) as (house, _):
        async with running(table):
            await until(lambda: status(house) == "there")
            await house.remove("table-1")
            heard = table._number
            await until(lambda: table._number > heard + 2)  # it still says that it is there
            broker.keep_out(mosquitto.folder, "table-1")
            mosquitto.reload()
            await until(lambda: table.state == "wrong")
            assert status(house) == "unknown"
            broker.let_in(mosquitto.folder, "table-1", "password-of-table-1")
            mosquitto.reload()
            await until(lambda: status(house) == "there")
            await house.remove("table-1")
        async with asyncio.timeout(PATIENCE):
            while await held(mosquitto):  # its farewell, until the house has heard that too
                pass


async def test_the_last_will_of_another_stay_brings_no_removed_table_back(tmp_path: Path) -> None:
    """It came in once more, and was turned out before it could say that it is there."""
    nowhere = BrokerSection(broker="127.0.0.1", port=1)
    house = House(nowhere, Archive(tmp_path / "house.db"), calm=0.0)

    def say(birth: str, here: bool) -> None:
        payload = messages.encode(messages.Here(birth=birth, here=here))
        house._take(topics.HERE.of("table-1"), payload, False)

    say("one", here=True)
    await house.remove("table-1")
    say("two", here=False)
    assert "table-1" not in house.room.tables
    say("three", here=True)
    assert "table-1" in house.room.tables
    house.archive.close()


async def test_a_table_that_is_not_heard_but_hears_is_told_of_a_forgotten_name(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    table = table_of(mosquitto, tmp_path)
    async with house_of(mosquitto, tmp_path) as (house, clock), running(table):
        await until(lambda: status(house) == "there")
        table._pulse_every = 3600.0  # its signs of life do not come through
        await until(lambda: lost_later(house, clock))
        await house.forget("Ann")
        await until(lambda: kept_marks(tmp_path / "table-1"))


async def test_home_assistant_hears_every_table_and_commands_none(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    broker.let_in(mosquitto.folder, topics.DISCOVERY, "ha")
    mosquitto.reload()
    own = mosquitto.section(topics.DISCOVERY, password="ha")
    ear = Ear(own)
    daemon = Daemon(tmp_path / "games.db")
    table = Table(daemon, mosquitto.section("table-1"), tmp_path, pulse=0.05)
    async with running(ear.line, table):
        await until(lambda: ear.last(topics.NOW) and ear.last(topics.PULSE))
        assert [topic for topic, _, _ in ear.heard if topic.startswith("homeassistant/")]
        ear.ask("1", messages.Say(text="Last orders"))
        here = messages.Here(birth="x", box="y", here=False)
        ear.line.say(Said(topics.HERE.of("table-1"), messages.encode(here), True, 1))
        pulses = len(ear.of(topics.PULSE))
        await until(lambda: len(ear.of(topics.PULSE)) > pulses + 5)
        assert ear.last(topics.HERE).here
        assert not daemon.view.house.text


async def test_visitors_who_ask_for_figures_and_go_leave_no_work_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, go_on = [], threading.Event()

    def counted(archive: Archive) -> dict[str, Any]:
        asked.append(archive)
        go_on.wait(PATIENCE)
        return {"games": len(asked)}

    monkeypatch.setattr("companion.cafe.house.statistics", counted)
    house = House(BrokerSection(), Archive(tmp_path / "house.db"))
    visitors = [asyncio.create_task(house.statistics()) for _ in range(50)]
    await asyncio.sleep(0)
    for one in visitors:
        one.cancel()
    await asyncio.gather(*visitors, return_exceptions=True)
    last = asyncio.create_task(house.statistics())
    await asyncio.sleep(0)
    go_on.set()
    assert await last == {"games": 1}
    assert await house.statistics() == {"games": 2}  # counted again for who asks later

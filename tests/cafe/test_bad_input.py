"""What keeps a table out of its house is a sentence at the table, in both doctors and in the house.

Against a real Mosquitto, with passwords, access rules and certificates.
"""

import asyncio
import contextlib
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from companion.cafe import broker, setting_up, topics
from companion.cafe.archive import Archive
from companion.cafe.certificates import valid_between
from companion.cafe.check import look_around, why_not
from companion.cafe.house import House
from companion.cafe.refusals import RECENT, Refusals
from companion.cafe.table import Table
from companion.config import ASSUMED, BrokerSection, HouseConfig, parse
from companion.doctor.checks import unit_is_open
from companion.doctor.finding import Finding
from companion.doctor.house import examine_house
from companion.privileged import network_for, part_of
from companion.screens.house import trouble as said_of
from tests.cafe.conftest import TABLES
from tests.cafe.houses import PASSWORD, Mosquitto, Section, until
from tests.cafe.test_table import Daemon, running

YEAR = 365 * 86400.0


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.cafe.check.LISTEN", 0.3)
    monkeypatch.setattr("companion.cafe.check.PULSES", 0.5)
    monkeypatch.setattr("companion.cafe.check.PATIENCE", 2.0)
    monkeypatch.setattr("companion.cafe.table.READ_BACK", 0.2)


@contextlib.asynccontextmanager
async def house_at(section: Section, folder: Path) -> AsyncIterator[House]:
    house = House(section, Archive(folder / "house.db"))
    async with running(house):
        yield house


def table_at(section: Section, folder: Path) -> Table:
    return Table(Daemon(folder / "games.db"), section, folder, pulse=0.05)


async def at_the_table(section: Section, folder: Path, key: str) -> str:
    """What a table with this configuration says, and that its screen says so too."""
    table = table_at(section, folder)
    async with running(table):
        await until(lambda: table.fault)
    assert table.fault is not None
    assert table.fault.key == key
    assert any(one.startswith("house") for one in table.host.view.missing)
    assert table.state == "wrong"
    return table.fault.said


async def test_a_wrong_password(mosquitto: Mosquitto, tmp_path: Path) -> None:
    wrong = mosquitto.section("table-1", password="guessed")
    async with house_at(mosquitto.section("house"), tmp_path) as house:
        await until(lambda: house.room.hears)
        said = await at_the_table(wrong, tmp_path, "password")
        await until(lambda: house.refusals.counts(house.now()).get("password"))
    assert "does not let 'table-1' in" in said
    assert said == await why_not(wrong, "mine")


async def test_a_name_that_is_another_tables(mosquitto: Mosquitto, tmp_path: Path) -> None:
    thief = mosquitto.section("table-2", user="table-1", password=PASSWORD.format("table-1"))
    async with house_at(mosquitto.section("house"), tmp_path) as house:
        await until(lambda: house.room.hears)
        table = table_at(thief, tmp_path)
        async with running(table):
            await until(lambda: "table-1" in house.room.tables)
            known = house.room.tables["table-1"]
            await until(lambda: [one.key for one in known.troubles(house.now())] == ["speaks"])
        assert known.troubles(house.now())[0].detail == "table-2"
        assert "table-2" not in house.room.tables
    assert "does not let this table speak as 'table-2'" in str(await why_not(thief, "mine"))


async def test_two_boxes_of_one_name(mosquitto: Mosquitto, tmp_path: Path) -> None:
    section = mosquitto.section("table-1")
    both = [table_at(section, tmp_path / name) for name in ("a", "b")]
    async with house_at(mosquitto.section("house"), tmp_path) as house, running(*both):
        await until(lambda: all(one.fault and one.fault.key == "twin" for one in both))
        known = house.room.tables["table-1"]
        await until(lambda: [one.key for one in known.troubles(house.now())] == ["twins"])
        assert "is called 'table-1' too" in str(await why_not(section, "mine"))


async def test_a_table_is_heard_again_when_the_other_of_its_name_has_gone(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    section = mosquitto.section("table-1")
    stays, goes = (table_at(section, tmp_path / name) for name in ("a", "b"))
    async with house_at(mosquitto.section("house"), tmp_path) as house, running(stays):
        await until(lambda: stays.heard)
        async with running(goes):
            await until(lambda: stays.fault and goes.heard)
        await until(lambda: stays.state == "there")
        await until(lambda: house.room.tables["table-1"].birth == stays.birth)
        await until(lambda: house.room.tables["table-1"].status == "there")


async def test_a_clock_wrong_by_a_year(mosquitto: Mosquitto, tmp_path: Path) -> None:
    def last_year() -> float:
        return time.time() - YEAR

    section = mosquitto.section("table-1")
    folder = tmp_path / "table"
    table = Table(Daemon(folder / "games.db"), section, folder, wall=last_year, pulse=0.05)
    async with house_at(mosquitto.section("house"), tmp_path) as house, running(table):
        await until(lambda: table.heard and "table-1" in house.room.tables)
        await until(lambda: house.room.tables["table-1"].heard)
        house._say_here()  # as it does every half a minute
        await until(lambda: table.fault)
        assert table.fault is not None
        assert table.fault.said.endswith("differ by 365 d: set the clock")
        known = house.room.tables["table-1"]
        (trouble,) = known.troubles(house.now())
        assert said_of(*trouble) == "Its clock and the house's differ by 365 d"
        assert "differ by 365 d" in str(await why_not(section, table.box, last_year))
        assert await why_not(section, table.box) is None
        table._wall = time.time
        house._say_here()
        await until(lambda: table.fault is None)


async def test_a_broker_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.cafe.line.REPLY", 0.3)
    silent = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
    section = Section("127.0.0.1", silent.sockets[0].getsockname()[1], "table-1", "p")
    sentence = "does not answer as a broker does"
    table = table_at(section, tmp_path / "table")
    async with house_at(section, tmp_path) as house, running(table):
        for line in (house.line, table.line):
            await until(lambda: line.trouble and sentence in line.trouble.said)  # noqa: B023
        assert not house.room.hears
        assert table.state == "waiting"
    assert sentence in str(await why_not(section, "mine"))
    silent.close()


# -- certificates ---------------------------------------------------------------------------------


def dated(folder: Path, first: str, last: str) -> broker.Certificate:
    """A certificate that is valid at another time."""
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / "openssl.cnf"
    config.write_text(
        f"[ca]\ndefault_ca=own\n[own]\ndatabase={folder}/index\nserial={folder}/serial\n"
        f"new_certs_dir={folder}\ndefault_md=sha256\npolicy=any\nx509_extensions=names\n"
        "[any]\ncommonName=supplied\n[names]\nsubjectAltName=IP:127.0.0.1\nbasicConstraints=CA:TRUE\n"
        "[req]\ndistinguished_name=dn\n[dn]\n"
    )
    (folder / "index").write_text("")
    (folder / "serial").write_text("01\n")
    found = broker.Certificate(folder / "house.pem", folder / "house.key")
    for words in (
        [
            *("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
            *("-nodes", "-subj", "/CN=127.0.0.1", "-config", str(config)),
            *("-keyout", str(found.key), "-out", str(folder / "asked.csr")),
        ],
        [
            *("ca", "-selfsign", "-batch", "-notext", "-config", str(config)),
            *("-keyfile", str(found.key), "-in", str(folder / "asked.csr")),
            *("-startdate", first, "-enddate", last, "-out", str(found.certificate)),
        ],
    ):
        subprocess.run(["openssl", *words], check=True, capture_output=True)
    return found


def secure(folder: Path, certificate: broker.Certificate) -> Mosquitto:
    return Mosquitto(folder, TABLES, certificate).start()


@pytest.fixture
def house_certificate(tmp_path: Path) -> Iterator[tuple[Mosquitto, str]]:
    own = setting_up.make_certificate(tmp_path, "127.0.0.1")
    found = secure(tmp_path / "broker", own)
    yield found, str(own.certificate)
    found.kill()


async def test_the_certificate_of_another_house(
    house_certificate: tuple[Mosquitto, str], tmp_path: Path
) -> None:
    mosquitto, own = house_certificate
    (tmp_path / "other").mkdir()
    other = setting_up.make_certificate(tmp_path / "other", "127.0.0.1").certificate
    wrong = mosquitto.section("table-1", certificate=str(other))
    async with house_at(mosquitto.section("house", certificate=own), tmp_path) as house:
        await until(lambda: house.room.hears)
        said = await at_the_table(wrong, tmp_path / "table", "certificate")
        await until(lambda: house.refusals.counts(house.now()).get("encryption"))
    assert "does not have the house's certificate" in said
    assert said == await why_not(wrong, "mine")


@pytest.mark.parametrize(
    ("first", "last", "days"),
    [
        ("20200101000000Z", "20210101000000Z", "from 2020-01-01 to 2021-01-01"),
        ("20990101000000Z", "20991231000000Z", "from 2099-01-01 to 2099-12-31"),
    ],
    ids=["expired", "not yet valid, or a clock wrong by years"],
)
async def test_a_certificate_that_is_not_valid_today(
    first: str, last: str, days: str, tmp_path: Path
) -> None:
    certificate = dated(tmp_path / "own", first, last)
    mosquitto = secure(tmp_path / "broker", certificate)
    try:
        wrong = mosquitto.section("table-1", certificate=str(certificate.certificate))
        said = await at_the_table(wrong, tmp_path / "table", "dates")
        assert f"is valid {days}, and today is {time.strftime('%Y-%m-%d', time.gmtime())}" in said
        assert said == await why_not(wrong, "mine")
        section = mosquitto.section("house", certificate=str(certificate.certificate))
        async with house_at(section, tmp_path) as house:
            await until(lambda: house.line.trouble and house.line.trouble.key == "dates")
    finally:
        mosquitto.kill()


def test_a_certificate_that_ran_out_is_made_anew(tmp_path: Path) -> None:
    dated(tmp_path, "20200101000000Z", "20210101000000Z")
    made = setting_up.make_certificate(tmp_path, "127.0.0.1")
    valid = valid_between(str(made.certificate))
    assert valid is not None
    assert valid[0] <= time.time() < valid[1]
    before = made.certificate.read_bytes()
    assert setting_up.make_certificate(tmp_path, "127.0.0.1").certificate.read_bytes() == before


# -- the doctors ----------------------------------------------------------------------------------


def by_name(findings: list[Finding]) -> dict[str, Finding]:
    return {one.device: one for one in findings}


def test_the_houses_doctor_tells_of_every_table(mosquitto: Mosquitto, tmp_path: Path) -> None:
    config = HouseConfig(
        broker=BrokerSection(port=mosquitto.port, password=PASSWORD.format("house"))
    )

    async def alive() -> tuple[dict[str, Finding], str]:
        there = table_at(mosquitto.section("table-1"), tmp_path / "1")
        off = table_at(mosquitto.section("table-2"), tmp_path / "2")
        async with running(off):
            await until(lambda: off.heard)
        async with running(there):
            await until(lambda: there.heard)
            found = await asyncio.to_thread(
                lambda: list(examine_house(config, mosquitto.folder, time.time()))
            )
        _, room, _ = await look_around(mosquitto.section("house"))
        return by_name(found), room.tables["table-1"].status

    found, later = asyncio.run(alive())
    assert (found["table-1"].state, found["table-1"].what) == ("good", "is there")
    assert (found["table-2"].state, found["table-2"].what) == ("note", "is switched off")
    assert "never been heard" in found["table-3"].what
    assert found["broker"].state == found["files"].state == "good"
    assert later == "off"


def test_the_houses_doctor_says_what_is_wrong_with_the_broker(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    wrong = HouseConfig(broker=BrokerSection(port=mosquitto.port, password="x"))
    found = by_name(list(examine_house(wrong, mosquitto.folder, time.time())))
    assert "does not let the house in" in found["broker"].what
    (mosquitto.folder / broker.ACCESS).write_text("user house\n")
    old = dated(tmp_path / "old", "20200101000000Z", "20210101000000Z").certificate
    section = BrokerSection(port=mosquitto.port, certificate=str(old))
    found = by_name(list(examine_house(HouseConfig(broker=section), mosquitto.folder, time.time())))
    assert "another version" in found["files"].what
    assert "valid from 2020-01-01 to 2021-01-01, and today is" in found["certificate"].what


def test_the_tables_doctor_sees_a_unit_that_is_closed(tmp_path: Path) -> None:
    far = parse(ASSUMED + '[cafe]\nbroker = "192.168.7.5"\nname = "t"\n', complete=False)
    near = parse(ASSUMED + '[cafe]\nbroker = "127.0.0.1"\nname = "t"\n', complete=False)
    part = tmp_path / "ludo-companion.service.d/20-network.conf"
    assert list(unit_is_open(far, tmp_path)) == [], "nothing is installed"
    part.parent.mkdir()
    assert "may not talk with the broker" in next(unit_is_open(far, tmp_path)).what
    assert list(unit_is_open(near, tmp_path)) == []
    part.write_text(part_of(network_for(far)))
    assert list(unit_is_open(far, tmp_path)) == []


def test_who_was_turned_away_is_forgotten_after_a_while() -> None:
    refusals = Refusals()
    assert refusals.take(b"1: Client <unknown> disconnected, not authorised.", 0.0)
    assert not refusals.take(b"1: New connection from 127.0.0.1:1 on port 2.", 1.0)
    assert refusals.counts(2.0) == {"password": 1}
    assert refusals.counts(RECENT) == {}
    assert topics.LOG in topics.access_rules()

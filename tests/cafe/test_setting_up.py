"""Setting up a house: files that a real Mosquitto takes, TLS, and what the doctor says."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cafe import broker, setting_up
from companion.cafe.check import why_not
from companion.cafe.table import Table
from companion.cli import main
from companion.config import (
    ASSUMED,
    HOUSE,
    BrokerSection,
    CafeSection,
    HouseConfig,
    keys,
    load_house,
    parse,
)
from companion.invitation import Invitation, read
from companion.web.key import kept_key
from tests.cafe.houses import Mosquitto, Section, free_port, until
from tests.cafe.test_table import Daemon, running

ROOT = Path(__file__).parents[2]


def companion(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[tuple[Mosquitto, Invitation]]:
    """A house with a certificate of its own."""
    folder = tmp_path / "broker"
    found = Mosquitto(folder, ["table-1"])
    setting_up.set_up(setting_up.House(folder, port=found.port, tls=True))
    invited = setting_up.invite(folder, "table-1", "Window")
    found.certificate = broker.Certificate(folder / setting_up.CERTIFICATE, folder / setting_up.KEY)
    found.start()
    yield found, invited
    found.kill()


def of(invited: Invitation, certificate: str | None) -> Section:
    return Section(
        invited.broker, invited.port, invited.name, invited.password, certificate=certificate
    )


async def test_a_table_joins_over_tls_and_believes_only_this_house(
    secure: tuple[Mosquitto, Invitation], tmp_path: Path
) -> None:
    found, invited = secure
    own = str(found.folder / setting_up.CERTIFICATE)
    assert invited.certificate == Path(own).read_text()
    table = Table(Daemon(tmp_path / "games.db"), of(invited, own), tmp_path)
    async with running(table):
        await until(lambda: table.heard)
    other = setting_up.make_certificate(tmp_path, "127.0.0.1").certificate
    table = Table(Daemon(tmp_path / "games.db"), of(invited, str(other)), tmp_path)
    async with running(table):
        await until(lambda: table.fault)
        assert table.fault is not None
        assert table.fault.key == "certificate"


async def test_the_doctor_says_why_a_table_cannot_join(
    mosquitto: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.cafe.check.LISTEN", 0.3)
    good = mosquitto.section("table-1")
    assert await why_not(good, "mine") is None
    assert "does not let" in str(await why_not(good._replace(password="x"), "mine"))
    table = Table(Daemon(tmp_path / "games.db"), good, tmp_path)
    async with running(table):
        await until(lambda: table.heard)
        assert await why_not(good, table.box) is None
        assert "is called 'table-1' too" in str(await why_not(good, "mine"))
    monkeypatch.setattr("companion.cafe.check.PATIENCE", 0.5)
    assert "nobody listens" in str(await why_not(good._replace(port=free_port()), "mine"))


def test_what_setup_writes_and_add_prints_can_be_used(tmp_path: Path) -> None:
    folder, config = tmp_path / "broker", tmp_path / "house.toml"
    done = companion("house", "setup", "--broker", folder, "--config", config, "--pin", "123456")
    assert done.exit_code == 0, done.output
    found = load_house(config)
    assert (found.broker.port, found.page.pin) == (1883, "123456")
    assert found.broker.password
    done = companion("house", "add", "table-3", "--broker", folder, "--label", "Büro")
    assert done.exit_code == 0, done.output
    link = next(line for line in done.output.splitlines() if line.startswith("http"))
    assert link.startswith("http://table-3.local:8080/join#")
    found_section = parse(ASSUMED + read(link).toml(), complete=False).cafe
    assert isinstance(found_section, CafeSection)
    assert (found_section.name, found_section.label) == ("table-3", "Büro")
    assert sorted(broker.read_passwords(folder)) == ["house", "table-3"]
    assert companion("house", "remove", "table-3", "--broker", folder).exit_code == 0
    assert sorted(broker.read_passwords(folder)) == ["house"]


def test_running_setup_again_keeps_tables_and_what_the_owner_wrote(tmp_path: Path) -> None:
    folder, config = tmp_path / "broker", tmp_path / "house.toml"
    words = ("house", "setup", "--broker", folder, "--config", config)
    companion(*words)
    companion("house", "add", "table-1", "--broker", folder)
    config.write_text(config.read_text() + "\n# ours\n[page]\nport = 9000\n".replace("[page]", ""))
    before = broker.read_passwords(folder)["table-1"]
    assert companion(*words).exit_code == 0
    assert broker.read_passwords(folder)["table-1"] == before
    assert "# ours" in config.read_text()


def test_what_was_chosen_stays_until_something_else_is(tmp_path: Path) -> None:
    config = tmp_path / "house.toml"
    words = ("house", "setup", "--broker", tmp_path / "b", "--config", config)
    companion(*words, "--lan", "--name", "bar.local", "--port", "1999")
    for more in ((), ("--pin", "123456")):
        assert "bar.local:1999" in companion(*words, *more).output
    assert "listener 1999 0.0.0.0" in (tmp_path / "b/mosquitto.conf").read_text()
    assert "127.0.0.1:1883" in companion(*words, "--no-lan").output
    assert load_house(config).page.pin == "123456"


def test_the_house_reaches_its_own_broker_without_the_network(tmp_path: Path) -> None:
    """Its unit lets it speak to this machine alone, and its own name may be unknown to it."""
    folder, config = tmp_path / "b", tmp_path / "house.toml"
    words = ("house", "setup", "--broker", folder, "--config", config, "--lan")
    companion(*words, "--tls", "--name", "bar.local")
    broker_section = load_house(config).broker
    assert (broker_section.broker, broker_section.port) == ("127.0.0.1", 8883)
    assert broker_section.certificate == str(folder / setting_up.CERTIFICATE)
    companion(*words, "--no-tls")
    assert load_house(config).broker.certificate is None


def test_another_name_is_another_certificate(tmp_path: Path) -> None:
    first = setting_up.make_certificate(tmp_path, "bar.local").certificate.read_text()
    again = setting_up.make_certificate(tmp_path, "bar.local").certificate.read_text()
    other = setting_up.make_certificate(tmp_path, "192.168.1.7").certificate.read_text()
    assert first == again != other


@pytest.mark.parametrize("name", ["homeassistant", "house", "Table 3", "a/b", "ü"])
def test_a_name_that_cannot_be_is_refused(name: str, tmp_path: Path) -> None:
    setting_up.set_up(setting_up.House(tmp_path))
    done = companion("house", "add", name, "--broker", tmp_path)
    assert done.exit_code == 1
    assert "is no name for a table" in done.output


def test_without_a_house_nobody_is_added(tmp_path: Path) -> None:
    done = companion("house", "add", "table-1", "--broker", tmp_path)
    assert done.exit_code == 1
    assert "no house is set up" in done.output


def test_a_house_that_has_not_run_is_asked_for_nothing_and_given_no_key(tmp_path: Path) -> None:
    config, archive = tmp_path / "house.toml", tmp_path / "state" / "archive.db"
    house = setting_up.House(tmp_path / "broker", port=free_port())
    setting_up.write_config(config, house, "secret", port=free_port(), archive=archive)
    done = companion("house", "forget", "Anna", "--config", config)
    assert done.exit_code == 1
    assert "key.env: No such file or directory" in done.output
    assert "does it run?" in done.output
    assert not archive.parent.exists()
    kept_key(archive.parent)
    done = companion("house", "forget", "Anna", "--config", config)
    assert "(Connection refused): does it run?" in done.output


def test_the_installer_sets_up_a_house() -> None:
    done = subprocess.run(
        [ROOT / "systemd/install.sh", "--dry-run", "--house"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    for word in ("mosquitto", "openssl", "ludo-house.service", "house setup"):
        assert word in done.stdout, word


def test_every_key_of_the_house_is_documented() -> None:
    page = (ROOT / "docs/cafe.md").read_text(encoding="utf-8")
    for key in keys(HouseConfig):
        assert f"| `{key}` |" in page
    assert str(HOUSE) in page
    assert BrokerSection().port == 1883


def test_a_broker_that_cannot_be_told_of_a_table_is_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setting_up, "BROKER", tmp_path / "broker")
    setting_up.set_up(setting_up.House(tmp_path / "broker"))
    asked = tmp_path / "systemctl"
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    for code in (0, 1):
        asked.write_text(f"#!/bin/sh\nexit {code}\n")
        asked.chmod(0o755)
        said = companion("house", "add", "table-1").output
        assert ("sudo systemctl restart mosquitto" in said) == bool(code)

"""A table follows an invitation: a link from the house, confirmed at the table's page."""

import asyncio
import base64
import json
import zlib
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, CookieJar
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from companion import orders, privileged
from companion.cli import main
from companion.config import ASSUMED, WebSection, load, parse
from companion.config_file import with_house
from companion.daemon.house import Membership
from companion.daemon.serving import page_address
from companion.daemon.setup import NotWrittenError, Setup
from companion.invitation import Invitation, InvitationError, read
from companion.web.server import Page
from tests.cafe.houses import Mosquitto, until
from tests.cafe.test_table import Daemon
from tests.patience import PATIENCE

PEM = "-----BEGIN CERTIFICATE-----\nMIIB+/=\n-----END CERTIFICATE-----\n"
INVITED = Invitation("house.local", 8883, "table-3", "By the “window”", "secret-word", PEM)


def test_a_link_says_all_a_table_needs_and_only_behind_the_hash() -> None:
    link = INVITED.link("http://table-3.local:8080/")
    assert link.startswith("http://table-3.local:8080/join#")
    assert "secret" not in link
    assert read(link) == read(INVITED.line()) == INVITED


def test_a_configuration_keeps_everything_else() -> None:
    text = f'# ours\n{ASSUMED}\n[web]\npin = "123456" # do not tell\n'
    once = with_house(text, INVITED)
    twice = with_house(once, Invitation("10.0.0.7", 1883, "table-4", "", "other"))
    for found in (once, twice):
        assert "# ours" in found
        assert "# do not tell" in found
    assert parse(once, complete=False).cafe is not None
    section = parse(twice, complete=False).cafe
    assert section is not None
    assert (section.broker, section.name, section.certificate) == ("10.0.0.7", "table-4", None)


@given(st.text(max_size=300))
def test_what_is_no_invitation_is_a_sentence(text: str) -> None:
    with pytest.raises(InvitationError, match="no invitation"):
        read(text)


@pytest.mark.parametrize(
    "changed",
    [
        {"broker": "a b"},
        {"broker": 'x"\n[web]\naddress = "0.0.0.0'},
        {"port": 0},
        {"name": "House"},
        {"name": "house"},
        {"label": "two\nlines"},
        {"label": "x" * 61},
        {"certificate": "/etc/passwd"},
        {"certificate": PEM + '"""\n[web]\n'},
        {"more": 1},
    ],
)
def test_an_invitation_carries_nothing_else(changed: dict[str, Any]) -> None:
    told = {
        **json.loads(zlib.decompress(base64.urlsafe_b64decode(INVITED.line() + "=="))),
        **changed,
    }
    word = base64.urlsafe_b64encode(zlib.compress(json.dumps(told).encode())).decode()
    with pytest.raises(InvitationError):
        read(word.rstrip("="))


def test_a_word_that_unpacks_for_ever_is_none() -> None:
    word = base64.urlsafe_b64encode(zlib.compress(b" " * 4_000_000, 9)).decode().rstrip("=")
    assert len(word) < 6000
    with pytest.raises(InvitationError):
        read(word)


# -- the table's page -----------------------------------------------------------------------------


class Guest:
    """Somebody with a browser at the table's page."""

    def __init__(self, session: ClientSession, address: str) -> None:
        self.session, self.address = session, address

    async def post(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        async with self.session.post(f"{self.address}{path}", json=body) as answer:
            return answer.status, {} if answer.status == 204 else await answer.json()

    async def state(self, language: str = "en") -> dict[str, Any]:
        async with self.session.get(f"{self.address}join.json?lang={language}") as answer:
            return dict(await answer.json())


class Table:
    """A daemon with its page and its place in a house, as `companion run` puts them together."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / "companion.toml"
        self.path.write_text(f"# ours\n{ASSUMED}")
        daemon: Any = Daemon(folder / "games.db")
        daemon.devices = type("Devices", (), {"display": None, "sounder": None, "board": None})
        daemon.history, daemon.benches = (None, 0), False
        self.daemon = daemon
        self.house = Membership(None, folder, page=lambda: "http://t/")
        daemon.setup = Setup(self.path, self.again)

    def again(self) -> None:
        self.house.go_to(load(self.path, complete=False).cafe)

    async def __aenter__(self) -> Guest:
        page = Page(self.daemon, WebSection(port=0, pin="123456"), house=self.house)
        address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.tasks = [
            asyncio.create_task(page.run(address.set_result)),
            asyncio.create_task(self.house.run(self.daemon)),
        ]
        self.session = ClientSession(cookie_jar=CookieJar(unsafe=True))
        return Guest(self.session, await address)

    async def __aexit__(self, *why: object) -> None:
        await self.session.close()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.daemon.journal.close()


def invited(mosquitto: Mosquitto, **other: Any) -> Invitation:
    given = {"password": "password-of-table-1", "label": "Window", **other}
    return Invitation("127.0.0.1", mosquitto.port, "table-1", **given)


def join(invitation: Invitation) -> dict[str, Any]:
    return {"do": "join", "invitation": invitation.line()}


async def state_is(guest: Guest, state: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while (await guest.state())["state"] != state:
            await asyncio.sleep(0.05)


async def test_a_link_is_confirmed_at_the_table_with_its_pin(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    table, invitation = Table(tmp_path), invited(mosquitto)
    async with table as guest:
        assert (await guest.state())["state"] == "none"
        assert (await guest.post("join", {"invitation": invitation.line()}))[0] == 401
        assert (await guest.post("setup", join(invitation)))[0] == 401
        await guest.post("pin", {"pin": "123456"})
        status, told = await guest.post("join", {"invitation": invitation.line()})
        assert status == 200
        assert (told["name"], told["label"], told["tls"]) == ("table-1", "Window", False)
        assert "password" not in told
        assert load(table.path, complete=False).cafe is None, "nobody has confirmed it"
        assert (await guest.post("setup", join(invitation)))[0] == 204
        section = load(table.path, complete=False).cafe
        assert section is not None
        assert section.password == "password-of-table-1"
        assert "# ours" in table.path.read_text()
        await state_is(guest, "there")


async def test_why_it_is_not_let_in_is_said_there_in_the_readers_language(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async with Table(tmp_path) as guest:
        await guest.post("pin", {"pin": "123456"})
        await guest.post("setup", join(invited(mosquitto, password="old")))
        await state_is(guest, "wrong")
        assert "the password is wrong" in (await guest.state())["why"]
        assert "Passwort" in (await guest.state("de"))["why"]
        assert "wachtwoord" in (await guest.state("nl"))["why"]
        await guest.post("setup", join(invited(mosquitto)))  # another invitation mends it
        await state_is(guest, "there")
        assert (await guest.post("join", {"invitation": "nonsense"}))[0] == 422
        assert (await guest.post("setup", {"do": "join", "invitation": "nonsense"}))[0] == 409


async def test_a_service_has_root_write_it_and_says_so_only_then(
    mosquitto: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(folder))
    monkeypatch.setattr("companion.privileged.PATIENCE", 0.2)
    table, order = Table(tmp_path), orders.Join(invited(mosquitto).line())
    with pytest.raises(NotWrittenError, match="was not written"):
        await table.daemon.setup.carry_out(order)
    assert table.house.told("en") == {"service": True, "state": "none"}
    (folder / "order").unlink()
    monkeypatch.setattr("companion.privileged.PATIENCE", 20.0)
    joining = asyncio.create_task(table.daemon.setup.carry_out(order))
    await until(lambda: (folder / "order").exists())
    own = (folder / "order").stat().st_uid
    places: dict[str, Any] = {"house": tmp_path / "house.toml", "units": tmp_path / "units"}
    privileged.obey(own, None, folder=folder, config=table.path, **places)
    await joining
    assert table.house.told("en")["name"] == "table-1"
    table.daemon.journal.close()


def test_the_house_is_told_where_the_tables_page_is() -> None:
    assert page_address(WebSection()) == ""
    assert page_address(WebSection(enabled=False, address="192.0.2.1")) == ""
    assert page_address(WebSection(address="192.0.2.1", port=8081)) == "http://192.0.2.1:8081/"
    assert page_address(WebSection(address="0.0.0.0")).endswith(":8080/")


def test_a_link_can_be_followed_at_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_text(ASSUMED)
    words = ["join", INVITED.line(), "--config", str(path)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert "table-3 at house.local" in done.output
    section = load(path, complete=False).cafe
    assert section is not None
    assert section.certificate is not None
    assert section.certificate.strip() == PEM.strip()
    done = CliRunner().invoke(main, ["join", "nonsense", "--config", str(path)])
    assert done.exit_code == 1
    assert "is no invitation" in done.output

"""The web server: who may ask what, what is refused with which status, and who is dropped."""

import asyncio
import gc
import json
import logging
import re
import shutil
import socket
import weakref
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import pytest
from aiohttp import web_app
from multidict import CIMultiDict
from yarl import URL

from companion.events import Pressed
from companion.web.files import STATIC, edition, load
from companion.web.guard import (
    ALL_PERIOD,
    ALL_TRIES,
    BOX_COOKIE,
    EVENING,
    FREE_TRIES,
    HEADERS,
    Guard,
    RequestRefused,
)
from companion.web.server import _prepared
from companion.web.serving import let_go
from companion.web.stream import MOST, PLAYER, Reader
from tests.patience import PATIENCE
from tests.web.tables import AWAY, KEY, PIN, Table, table

NEW = {"do": "new_game", "sheet": "german", "seats": ["yellow", "red"]}


def at_a_table(tmp_path: Path, act: Callable[[Table], Awaitable[None]], **options: Any) -> None:
    """Do something at a table, and fail if it takes forever."""

    async def run() -> None:
        async with asyncio.timeout(PATIENCE), table(tmp_path / "games.db", **options) as one:
            await act(one)

    asyncio.run(run())


async def posted(one: Table, body: bytes = b"{}", path: str = "do", **headers: str) -> int:
    """The status of a raw POST."""
    sent = {
        "Content-Type": "application/json",
        **{k.replace("_", "-"): v for k, v in headers.items()},
    }
    async with one.client.post(one.address + path, data=body, headers=sent) as answer:
        text = await answer.text()
        assert answer.status == 204 or json.loads(text)["error"]
        return answer.status


async def untouched(one: Table, act: Awaitable[int]) -> int:
    """The status of something that must not change the game."""
    before, kept = one.view, one.daemon.kept
    status = await act
    assert one.daemon.kept == kept
    assert one.view == before
    return status


# -- what is refused -----------------------------------------------------------------------------

REFUSED: list[tuple[str, bytes, dict[str, str], int]] = [
    ("a page of another site", b'{"do":"roll"}', {"Origin": "http://evil.example"}, 403),
    ("another port of this machine", b'{"do":"roll"}', {"Origin": "http://127.0.0.1:1"}, 403),
    ("a hidden origin", b'{"do":"roll"}', {"Origin": "null"}, 403),
    ("a cross-site fetch", b'{"do":"roll"}', {"Sec_Fetch_Site": "cross-site"}, 403),
    ("a rebound name", b'{"do":"roll"}', {"Host": "evil.example:8080"}, 421),
    ("a name that begins like ours", b'{"do":"roll"}', {"Host": "localhost.evil.example"}, 421),
    ("a port that is no number", b'{"do":"roll"}', {"Host": "127.0.0.1:abc"}, 421),
    ("a name with a person in it", b'{"do":"roll"}', {"Host": "me@localhost"}, 421),
    ("a form", b"do=roll", {"Content_Type": "application/x-www-form-urlencoded"}, 415),
    ("plain text", b'{"do":"roll"}', {"Content_Type": "text/plain"}, 415),
    ("too much", b'{"do":"roll","x":"' + b"a" * 20_000 + b'"}', {}, 413),
    ("no JSON", b"{", {}, 400),
    ("nothing", b"", {}, 400),
    ("bytes that are no text", b"\xff\xfe{}", {}, 400),
    ("deep nesting", b"[" * 5000, {}, 400),
    ("deep nesting of objects", b'{"do":' * 1300, {}, 400),
    ("what is about setting up", b'{"do":"earlier_version"}', {}, 422),
    ("a list", b"[]", {}, 400),
    ("an unknown order", b'{"do":"fly"}', {}, 400),
    ("switching off without being asked", b'{"do":"shut_down"}', {}, 409),
    ("an unknown key", b'{"do":"roll","times":3}', {}, 400),
    ("a face the die has not", b'{"do":"roll","face":7}', {}, 400),
    ("an unknown sheet", b'{"do":"new_game","sheet":"chess"}', {}, 422),
    ("an unknown piece", b'{"do":"lift","piece":"pink1"}', {}, 422),
    ("a move that is not legal", b'{"do":"move","move":"yellow 6 1>7"}', {}, 409),
    ("a setting there is not", b'{"do":"set","name":"language","value":"xx"}', {}, 422),
]


@pytest.mark.parametrize(
    ("body", "headers", "status"), [one[1:] for one in REFUSED], ids=[one[0] for one in REFUSED]
)
def test_what_may_not_be_asked_is_refused_and_the_game_untouched(
    body: bytes, headers: dict[str, str], status: int, tmp_path: Path
) -> None:
    async def act(one: Table) -> None:
        assert await one.do(NEW) == 204
        await one.until(lambda view: view.phase == "opening")
        assert await untouched(one, posted(one, body, **headers)) == status

    at_a_table(tmp_path, act)


def test_a_foreign_host_sees_no_page_either(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        for path in ("", "kiosk", "events", "boards.json", "main.js"):
            async with one.client.get(
                one.address + path, headers={"Host": "rebound.example"}
            ) as answer:
                assert answer.status == 421, path

    at_a_table(tmp_path, act)


@pytest.mark.parametrize(
    "host", ["127.0.0.1:1", "localhost", "[::1]:80", "192.168.1.7:8080", "ludo.cafe"]
)
def test_own_names_and_addresses_are_taken(host: str, tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        async with one.client.get(one.address, headers={"Host": host}) as answer:
            assert answer.status == 200

    at_a_table(tmp_path, act, names=("ludo.cafe",))


def test_every_answer_carries_the_safety_headers(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        for path in ("", "kiosk", "phone", "main.js", "events", "nothing", "../pyproject.toml"):
            async with one.client.get(one.address + path) as answer:
                assert {name: answer.headers[name] for name in HEADERS} == HEADERS, path
        assert "'unsafe" not in HEADERS["Content-Security-Policy"]

    at_a_table(tmp_path, act)


def test_files_outside_the_page_are_not_served(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        host, port = one.address.split("/")[2].split(":")
        for path in ("/../server.py", "/..%2fserver.py", "/static/main.js", "//etc/passwd"):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(
                f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
            )
            assert (await reader.read()).startswith(b"HTTP/1.1 404"), path
            writer.close()

    at_a_table(tmp_path, act)


def test_what_the_page_before_left_behind_is_let_go(tmp_path: Path) -> None:
    """Bench and table take turns, as often as somebody likes."""

    class Ring:
        itself: Any

    ring = Ring()
    ring.itself = ring
    left = weakref.ref(ring)
    gc.disable()
    del ring
    try:

        async def act(one: Table) -> None:
            gc.collect()
            assert left() is None

        at_a_table(tmp_path, act)
    finally:
        gc.enable()


def test_a_page_that_is_over_is_let_go(tmp_path: Path) -> None:
    left: list[weakref.ref[Any]] = []

    async def act(one: Table) -> None:
        assert await one.do(NEW) == 204
        left.append(weakref.ref(one.page))

    at_a_table(tmp_path, act)
    gc.unfreeze()
    gc.collect()
    assert left[0]() is None


def test_a_page_ends_also_where_aiohttp_remembers_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Versions up to 3.10.5 do not, and what they remember it by is their own affair."""
    monkeypatch.delattr(web_app, "_cached_build_middleware")
    let_go()


# -- the PIN -------------------------------------------------------------------------------------


def test_watching_is_free_and_playing_needs_the_pin(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        assert await untouched(one, one.do(NEW, headers=AWAY)) == 401
        async with one.events(headers=AWAY) as events:
            assert (await events.next("state"))["control"] is False
        body = json.dumps({"pin": PIN}).encode()
        assert await posted(one, body, "pin", **AWAY) == 204
        own = f"companion-{URL(one.address).port}"
        cookie = one.client.cookie_jar.filter_cookies(URL(one.address))[own]
        assert cookie.value
        assert await one.do(NEW, headers=AWAY) == 204
        async with one.events(headers=AWAY) as events:
            assert (await events.next("state"))["control"] is True

    at_a_table(tmp_path, act, pin=PIN)


def test_without_a_pin_in_the_configuration_nobody_else_plays(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        assert await posted(one, b'{"pin":""}', "pin", **AWAY) == 403
        assert await untouched(one, one.do(NEW, headers=AWAY)) == 401

    at_a_table(tmp_path, act)


def test_a_thousand_wrong_pins_get_nowhere_and_even_the_right_one_has_to_wait(
    tmp_path: Path,
) -> None:
    async def act(one: Table) -> None:
        found = [
            await posted(one, json.dumps({"pin": f"{n:06}"}).encode(), "pin", **AWAY)
            for n in range(1000)
        ]
        assert found[:FREE_TRIES] == [401] * FREE_TRIES
        assert set(found[FREE_TRIES:]) == {429}
        right = json.dumps({"pin": PIN}).encode()
        assert await posted(one, right, "pin", **AWAY) == 429
        one.now += 31
        assert await posted(one, right, "pin", **AWAY) == 204

    at_a_table(tmp_path, act, pin=PIN)


def test_two_tables_of_one_machine_are_two_for_a_browser(tmp_path: Path) -> None:
    """Browsers keep a cookie for all the ports of a machine."""

    async def run() -> None:
        async with (
            asyncio.timeout(PATIENCE),
            table(tmp_path / "one/games.db", pin=PIN) as one,
            table(tmp_path / "two/games.db", pin=PIN) as two,
        ):
            two.client = one.client
            for each in (one, two):
                each.client.cookie_jar.clear()
                async with each.client.get(f"{each.address}P/{each.page.players.key('red')}"):
                    pass
            for each in (one, two):
                body = json.dumps({"pin": PIN}).encode()
                assert await posted(each, body, "pin", **AWAY) == 204
            for each in (one, two):
                assert await each.do({"do": "menu"}, headers=AWAY) == 204
                async with each.events(headers=AWAY) as events:
                    assert (await events.next("state"))["control"] is True
            kept = {cookie.key for cookie in one.client.cookie_jar}
            ports = [URL(each.address).port for each in (one, two)]
            assert {f"companion-{port}" for port in ports} <= kept
            assert f"companion-{ports[1]}-player" in kept

    asyncio.run(run())


def test_guessing_from_many_devices_is_stopped_and_locks_nobody_else_out() -> None:
    """However many take turns: soon each has one guess, and who has not guessed still has it."""
    now = 0.0
    guard = Guard([], PIN, lambda: now)

    def guess(address: str, pin: str) -> int:
        try:
            guard.show_pin(cast("Any", SimpleNamespace(remote=address)), pin)
        except RequestRefused as no:
            return no.status
        return 204

    found: Counter[int] = Counter()
    for number in range(5000):
        now += 0.1
        found[guess(f"10.0.0.{number % 250}", f"{number:06}")] += 1
    assert found[401] <= ALL_TRIES + 250
    assert guess("10.0.1.1", PIN) == 204
    assert guess("10.0.0.7", PIN) == 429
    now += ALL_PERIOD
    assert guess("10.0.0.7", PIN) == 204


def test_two_thousand_guessers_have_one_guess_each_while_they_wait() -> None:
    """More than were remembered once: the first were forgotten when their turn came again."""
    guard = Guard([], PIN, lambda: 0.0)
    found: Counter[int] = Counter()
    for number in range(6000):
        device: Any = SimpleNamespace(remote=f"10.0.{number % 2000 // 250}.{number % 250}")
        with pytest.raises(RequestRefused) as no:
            guard.show_pin(device, f"{number:06}")
        found[no.value.status] += 1
    assert found[401] <= 2000 + ALL_TRIES
    assert len(guard._all_wrong) <= ALL_TRIES, "every guess would be counted again at the next"
    assert guard.show_pin(cast("Any", SimpleNamespace(remote="10.0.9.1")), PIN)


def test_addresses_of_one_network_are_one_guesser() -> None:
    guard = Guard([], PIN, lambda: 0.0)
    found = []
    for number in range(20):
        device: Any = SimpleNamespace(remote=f"2001:db8:0:7::{number + 1:x}")
        with pytest.raises(RequestRefused) as no:
            guard.show_pin(device, f"{number:06}")
        found.append(no.value.status)
    assert found == [401] * FREE_TRIES + [429] * (20 - FREE_TRIES)


def test_what_stands_for_the_pin_ends_after_an_evening(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        body = json.dumps({"pin": PIN}).encode()
        assert await posted(one, body, "pin", **AWAY) == 204
        assert await one.do(NEW, headers=AWAY) == 204
        one.now += EVENING
        assert await one.do(NEW, headers=AWAY) == 401

    at_a_table(tmp_path, act, pin=PIN)


def test_wrong_pins_are_logged_without_the_pin(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def act(one: Table) -> None:
        for _ in range(50):
            await posted(one, b'{"pin":"999999"}', "pin", **AWAY)

    at_a_table(tmp_path, act, pin=PIN)
    said = [line for line in caplog.messages if "wrong PIN" in line]
    assert len(said) == FREE_TRIES
    assert "127.0.0.1" in said[0]
    assert "999999" not in caplog.text


# -- at the box ----------------------------------------------------------------------------------


def test_who_comes_from_this_machine_without_the_key_is_not_at_the_box(tmp_path: Path) -> None:
    """A proxy on it that says nothing of whom it asks for, for instance."""

    async def act(one: Table) -> None:
        one.client.cookie_jar.clear()
        assert await untouched(one, one.do(NEW)) == 401
        async with one.client.get(f"{one.address}?key=wrong") as answer:
            assert "key" not in str(answer.url)
        assert await untouched(one, one.do(NEW)) == 401
        async with one.client.get(f"{one.address}kiosk?key={KEY}") as answer:
            assert (answer.url.path, answer.url.query_string) == ("/kiosk", "")
        async with one.client.get(f"{one.address}games?number=3&key={KEY}&after=2") as answer:
            assert (answer.url.path, answer.url.query_string) == ("/games", "number=3&after=2")
        assert await one.do(NEW) == 204
        await one.until(lambda view: view.phase == "opening")
        assert await untouched(one, one.do(NEW, headers=AWAY)) == 401

    at_a_table(tmp_path, act)


def test_only_at_the_box_can_it_be_switched_off_and_only_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wishes: list[str] = []

    async def act(one: Table) -> None:
        monkeypatch.setattr(one.daemon, "_wish", lambda _, wish: wishes.append(wish))
        body = json.dumps({"pin": PIN}).encode()
        assert await posted(one, body, "pin", **AWAY) == 204
        press = {"do": "press", "button": "ok"}
        await one.do({**press, "held": True}, headers=AWAY)
        await one.until(lambda view: any(line.key == "shut_down" for line in view.lines))
        while one.view.lines[one.view.cursor].key != "shut_down":
            cursor = one.view.cursor
            await one.do({"do": "press", "button": "down"}, headers=AWAY)
            await one.until(lambda view: view.cursor != cursor)  # noqa: B023 - of this moment
        assert await one.do(press, headers=AWAY) == 403
        assert await one.do({**press, "sure": True}, headers=AWAY) == 403
        assert await one.do(press) == 409
        one.daemon.post(Pressed("ok", by="page"))  # the cursor was elsewhere when it was asked
        await one.until(lambda view: view.phase == "menu")
        assert wishes == []
        assert await one.do({**press, "sure": True}) == 204
        async with asyncio.timeout(PATIENCE):
            while not wishes:
                await asyncio.sleep(0)

    at_a_table(tmp_path, act, pin=PIN)
    assert wishes == ["shut_down"]


def test_the_pin_is_neither_in_a_page_nor_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def act(one: Table) -> None:
        await posted(one, b'{"pin":"999999"}', "pin", **AWAY)
        await posted(one, json.dumps({"pin": PIN}).encode(), "pin", **AWAY)
        said = ""
        for path in ("", "main.js", "phone.js", "boards.json", "words.json"):
            async with one.client.get(one.address + path) as answer:
                said += await answer.text()
        async with one.events("?full=1") as events:
            said += json.dumps(await events.next("state"))
        assert PIN not in said

    with caplog.at_level(logging.DEBUG):
        at_a_table(tmp_path, act, pin=PIN)
    assert PIN not in caplog.text
    assert "999999" not in caplog.text


# -- the stream ----------------------------------------------------------------------------------


def test_who_connects_gets_everything_and_who_reconnects_gets_it_again(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        await one.do(NEW)
        await one.do({"do": "auto", "on": True})
        await one.until(lambda view: view.last is not None and view.position.opening is None)  # type: ignore[union-attr]
        await one.do({"do": "auto", "on": False})
        async with one.events("?full=1&lang=de") as events:
            first = await events.next("state")
            told = await events.next("history")
            assert await events.next("oled")
        assert first["game"]["sheet"] == "german"
        assert first["sim"]["pieces"]
        assert told["from"] == 0
        async with one.events("?full=1&lang=de") as events:
            await events.next("state")
            again = await events.next("history")
        assert again["entries"][: len(told["entries"])] == told["entries"]

    at_a_table(tmp_path, act)


def test_who_connects_is_told_first_which_edition_of_the_page_belongs_to_it(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        told = []
        for _ in range(2):
            async with one.events() as events:
                told.append(await events.next("edition"))
                await events.next("state")  # told after it, to who understands it
        files, made = _prepared()
        assert told == [edition({**files, **made})] * 2
        assert "words-de" in made  # a sentence that was mended is another edition

    at_a_table(tmp_path, act)


def test_every_file_of_the_page_makes_its_edition(tmp_path: Path) -> None:
    found = [edition(load())]
    folder = tmp_path / "static"
    shutil.copytree(STATIC, folder)
    assert edition(load(folder)) == found[0]
    for path in sorted(folder.iterdir()):
        path.write_bytes(path.read_bytes() + b" ")
        found.append(edition(load(folder)))
    path.rename(folder / "renamed.js")
    found.append(edition(load(folder)))
    assert len(set(found)) == len(found) > 10


def test_the_history_is_told_from_where_it_changed(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        await one.do(NEW)
        await one.until(lambda view: view.phase == "opening")
        async with one.events() as events:
            await events.next("history")
            for number, face in enumerate((6, 1), 1):
                await one.do({"do": "roll", "face": face})
                told = await events.next("history")
                while not told["entries"]:
                    told = await events.next("history")
                assert told["from"] == number - 1
            await one.do({"do": "roll", "face": 3})
            await one.until(lambda view: view.phase == "move")
            await one.do({"do": "step"})
            told = await events.next("history")
            while not told["entries"]:
                told = await events.next("history")
            assert (told["from"], told["entries"][0]["text"]) == (2, "1→4")
            await one.do({"do": "take_back"})
            told = await events.next("history")
            assert (told["from"], told["entries"]) == (2, [])

    at_a_table(tmp_path, act)


def test_a_table_that_takes_over_a_game_tells_its_history_at_once(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        await one.do(NEW)
        await one.do({"do": "auto", "on": True})
        await one.until(lambda view: view.last is not None and view.position.opening is None)  # type: ignore[union-attr]
        await one.do({"do": "auto", "on": False})
        async with table(tmp_path / "games.db") as two:
            async with two.events() as events:
                assert (await events.next("history"))["entries"] == []
                one.daemon.stop()
                while not await two.daemon._on_disk(two.daemon.journal.flush):
                    await asyncio.sleep(0)
                two.daemon._tell_trouble()
                while not (told := await events.next("history"))["entries"]:
                    pass
            assert told["entries"]

    at_a_table(tmp_path, act)


def test_a_client_that_never_reads_is_dropped_and_the_others_hear_on(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        one.page.stream._stall = 0.2
        await one.do(NEW)
        await one.do({"do": "auto", "on": True})
        host, port = one.address.split("/")[2].split(":")
        deaf = []
        for _ in range(20):
            sock = socket.socket()
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            sock.connect((host, int(port)))
            sock.send(f"GET /events?full=1 HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            deaf.append(sock)
        async with one.events() as events:
            async with asyncio.timeout(PATIENCE):
                while one.page.stream.dropped < len(deaf):
                    assert await events.next("state")
        assert len(one.page.stream.readers) <= 1
        for sock in deaf:
            sock.close()

    at_a_table(tmp_path, act)


def test_a_client_that_goes_away_is_forgotten(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        async with one.events() as events:
            await events.next("state")
            assert len(one.page.stream.readers) == 1
        while one.page.stream.readers:
            await asyncio.sleep(0)

    at_a_table(tmp_path, act)


def test_who_asks_only_for_the_head_of_the_events_is_sent_none(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        async with one.client.head(f"{one.address}events") as answer:
            assert answer.status == 404
        assert not one.page.stream.readers

    at_a_table(tmp_path, act)


def test_one_reader_too_many_is_asked_to_come_back(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        one.page.stream.readers.update(
            Reader("en", False, PLAYER, f"10.0.{n // 250}.{n % 250}") for n in range(MOST)
        )
        async with one.client.get(f"{one.address}events", headers=AWAY) as answer:
            assert answer.status == 503
            assert answer.headers["Retry-After"]
        one.page.stream.readers.clear()

    at_a_table(tmp_path, act)


def test_a_page_that_stumbles_does_not_take_the_table_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def act(one: Table) -> None:
        def stumble(records: object, enough: object) -> int:
            raise ValueError("broken on purpose")

        monkeypatch.setattr(one.page.history, "catch_up", stumble)
        await one.do(NEW)
        await one.until(lambda view: view.phase == "opening")
        monkeypatch.undo()
        await one.do({"do": "roll", "face": 6})
        await one.until(lambda view: view.colour == "red")

    at_a_table(tmp_path, act)


# -- the rest ------------------------------------------------------------------------------------


def test_a_file_that_the_browser_has_is_not_sent_again(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        async with one.client.get(f"{one.address}main.js") as answer:
            tag = answer.headers["ETag"]
        headers = {"If-None-Match": tag}
        async with one.client.get(f"{one.address}main.js", headers=headers) as answer:
            assert answer.status == 304

    at_a_table(tmp_path, act)


def test_the_record_can_be_downloaded_and_replays(tmp_path: Path) -> None:
    from companion.rules.records import record

    async def act(one: Table) -> None:
        async with one.client.get(f"{one.address}record.txt") as answer:
            assert answer.status == 404
        await one.do({**NEW, "names": {"yellow": "  Anna   Lena "}})
        await one.until(lambda view: view.phase == "opening")
        for face in (6, 1, 4):
            await one.do({"do": "roll", "face": face})
        await one.until(lambda view: view.phase == "move")
        await one.do({"do": "step"})
        await one.until(lambda view: view.colour == "red")
        async with one.client.get(f"{one.address}record.txt") as answer:
            text = await answer.text()
        assert "yellow: Anna Lena" in text
        assert record(text).position == one.view.position

    at_a_table(tmp_path, act)


def test_a_real_table_is_not_moved_by_the_page(tmp_path: Path) -> None:
    """Beside real devices the page shows and commands; pieces, die and board are real."""
    from companion.config import Config, WebSection
    from companion.daemon import Daemon
    from companion.daemon.wiring import put_together
    from companion.web.server import Page

    async def run() -> None:
        started: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        async def serve(daemon: Daemon) -> None:
            await Page(daemon, WebSection(port=0), key=KEY).run(started.set_result)

        daemon = put_together(
            Config(sensing="choose"), tmp_path / "games.db", pretend=True, services=[serve]
        )
        running = asyncio.create_task(daemon.run())
        address = await started
        async with aiohttp.ClientSession(cookies={BOX_COOKIE: KEY}) as client:
            for wish in ({"do": "step"}, {"do": "roll"}, {"do": "lift", "piece": "red1"}):
                async with client.post(f"{address}do", json=wish) as answer:
                    assert answer.status == 409, wish
        daemon.stop()
        await running

    asyncio.run(run())


def test_phones_get_a_code_only_where_they_can_reach_the_page(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        async with one.client.get(f"{one.address}qr.svg") as answer:
            assert answer.status == 404
        one.page.address = "http://10.0.0.7:8080/phone"
        async with one.client.get(f"{one.address}qr.svg") as answer:
            assert answer.content_type == "image/svg+xml"
            assert (await answer.text()).startswith("<svg")

    at_a_table(tmp_path, act)


def test_a_port_in_use_is_a_sentence(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from companion.cli import main

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(
            main, ["play", "--port", port, "--journal", str(tmp_path / "g.db"), "--no-browser"]
        )
    assert result.exit_code == 1
    assert re.search(rf"cannot be served at 127.0.0.1:{port}", result.output)
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    "lines",
    [
        [("X-Forwarded-For", ""), ("X-Forwarded-For", "10.1.2.3")],
        [("Forwarded", "")],
        [("Via", "1.1 proxy")],
    ],
)
def test_who_comes_through_a_proxy_cannot_hide_it(tmp_path: Path, lines: Any) -> None:
    async def act(table: Table) -> None:
        assert await table.do({"do": "menu"}) == 204
        assert await table.do({"do": "menu"}, headers=CIMultiDict(lines)) == 401

    at_a_table(tmp_path, act)

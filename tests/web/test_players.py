"""Players' phones: what they may do, whose colours they have, and how they are put off."""

import asyncio
import base64
import io
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from yarl import URL

from companion.referee import Network, View
from companion.screens.care import shifted
from companion.screens.codes import SIZE, code_picture
from companion.screens.pictures import for_watchers, picture
from companion.screens.samples import samples
from companion.web.guard import BY_CODE, TABLE, cookie_name
from companion.web.mirror import MirrorDisplay
from companion.web.players import FILE, Players
from tests.patience import PATIENCE
from tests.web.tables import AWAY, PIN, Events, Table, table

NEW = {"do": "new_game", "sheet": "german", "seats": ["yellow", "red"]}


def at_a_table(
    tmp_path: Path, act: Callable[[Table], Awaitable[None]], pin: str | None = None
) -> None:
    async def run() -> None:
        async with asyncio.timeout(PATIENCE), table(tmp_path / "games.db", pin=pin) as one:
            one.page.address = "http://192.0.2.7:8080/phone"
            await act(one)

    asyncio.run(run())


async def yellow_to_roll(one: Table) -> None:
    assert await one.do(NEW) == 204
    await one.until(lambda view: view.phase == "opening")
    for face in (6, 1):
        assert await one.do({"do": "roll", "face": face}) == 204
    await one.until(lambda view: view.phase == "roll" and view.colour == "yellow")


async def by_phone(one: Table, key: str, order: dict[str, Any]) -> int:
    """What a phone elsewhere with this key is answered."""
    headers = {**AWAY, "Cookie": f"{cookie_name(TABLE, BY_CODE)}={key}"}
    return await one.do(order, headers=headers)


def test_a_phone_rolls_and_moves_in_its_own_turn_only(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        yellow, red = one.page.players.key("yellow"), one.page.players.key("red")
        await yellow_to_roll(one)
        assert await by_phone(one, red, {"do": "roll"}) == 403
        assert await by_phone(one, yellow, {"do": "roll", "face": 6}) == 403
        assert await by_phone(one, yellow, {"do": "roll"}) == 204
        await one.until(lambda view: view.face is not None or view.colour == "red")
        if one.view.face is not None:
            assert one.view.position is not None
            move = one.view.position.game.move_text(one.view.legal[0])
            assert await by_phone(one, red, {"do": "move", "move": move}) == 403
            assert await by_phone(one, yellow, {"do": "move", "move": move}) == 204
            await one.until(lambda view: view.face is None)

    at_a_table(tmp_path, act)


@pytest.mark.parametrize(
    "order",
    [
        NEW,
        {"do": "end_game"},
        {"do": "ruling"},
        {"do": "set", "name": "language", "value": "de"},
        {"do": "press", "button": "ok"},
        {"do": "shut_down", "sure": True},
        {"do": "delete_game", "number": "1"},
        {"do": "lift", "piece": "yellow1"},
        {"do": "auto", "on": True},
    ],
)
def test_a_phone_does_nothing_else(order: dict[str, Any], tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        await yellow_to_roll(one)
        before = one.view
        assert await by_phone(one, one.page.players.key("yellow"), order) == 403
        assert one.view == before

    at_a_table(tmp_path, act)


@pytest.mark.parametrize(
    ("cover", "covered"), [("menu", "menu"), ("pause", "paused")], ids=["menu", "pause"]
)
def test_while_the_menu_or_a_pause_covers_the_game_a_phone_plays_nothing(
    cover: str, covered: str, tmp_path: Path
) -> None:
    async def act(one: Table) -> None:
        yellow, red = one.page.players.key("yellow"), one.page.players.key("red")
        headers = {**AWAY, "Cookie": f"{cookie_name(TABLE, BY_CODE)}={yellow}"}
        await yellow_to_roll(one)
        assert await one.do({"do": "roll", "face": 4}) == 204
        await one.until(lambda view: view.phase == "move")
        assert await one.do({"do": "move", "move": "yellow 4 1>5"}) == 204
        await one.until(lambda view: view.phase == "roll" and view.colour == "red")
        assert await one.do({"do": cover}) == 204
        await one.until(lambda view: view.phase == covered)
        before = one.view
        take_back = {"do": "take_back"}
        async with one.client.post(f"{one.address}do", json=take_back, headers=headers) as answer:
            assert answer.status == 409
            said = (await answer.json())["error"]
            assert said == "take_back has to wait: the menu is open, or the game is paused"
        for order in ("roll", "advise", "go_on", "play_on"):
            assert await by_phone(one, red, {"do": order}) == 409
            assert await by_phone(one, yellow, {"do": order}) == 403
        assert one.view == before
        hand_over = {"do": "seat", "colour": "red", "level": "cat"}
        assert await by_phone(one, red, hand_over) == 204  # the phone offers that
        await one.until(lambda view: view.box == {"red": "cat"})
        assert one.view.phase == covered

    at_a_table(tmp_path, act)


def test_a_phone_that_claims_a_seat_it_was_not_given_only_watches(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        one.page.players.key("yellow")
        await yellow_to_roll(one)
        for key in ("", "yellow", "x" * 2000, "%00"):
            assert await by_phone(one, key, {"do": "roll"}) == 401

    at_a_table(tmp_path, act)


def test_a_lost_phone_is_put_off_and_a_given_one_survives_a_power_cut(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        code = f"{one.address}player.svg?colour=yellow"
        async with one.client.get(code, headers=AWAY) as answer:
            assert answer.status == 401
        async with one.client.get(code) as answer:
            assert (answer.status, answer.content_type) == (200, "image/svg+xml")
        key = one.page.players.key("yellow")
        address = f"{one.address}player.txt?colour=yellow"
        async with one.client.get(address, headers=AWAY) as answer:
            assert answer.status == 401
        async with one.client.get(address) as answer:
            assert (await answer.text()).endswith(f"/p/{key.lower()}")
        assert Players(tmp_path).key("yellow") == key
        assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
        await yellow_to_roll(one)
        async with one.client.get(f"{one.address}P/{key}", allow_redirects=False) as answer:
            assert answer.status == 303
            own = cookie_name(TABLE, BY_CODE, URL(one.address).port)
            assert answer.cookies[own].value == key
        one.client.cookie_jar.clear(lambda cookie: cookie.key == own)
        put_off = {"colour": "yellow"}
        async with one.client.post(f"{one.address}put-off", json=put_off, headers=AWAY) as answer:
            assert answer.status == 401
        async with one.client.post(f"{one.address}put-off", json=put_off) as answer:
            assert answer.status == 204
        assert await by_phone(one, key, {"do": "roll"}) == 401
        assert await by_phone(one, one.page.players.key("yellow"), {"do": "roll"}) == 204

    at_a_table(tmp_path, act)


def test_a_phone_that_is_off_for_now_only_is_said_to_be(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        (tmp_path / FILE).mkdir()
        key = one.page.players.key("yellow")
        put_off = {"colour": "yellow"}
        async with one.client.post(f"{one.address}put-off", json=put_off) as answer:
            assert answer.status == 507
            assert "works again" in (await answer.json())["error"]
        assert await by_phone(one, key, {"do": "roll"}) == 401

    at_a_table(tmp_path, act)


def test_a_player_hands_over_to_the_box_and_back(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        await yellow_to_roll(one)
        red = one.page.players.key("red")
        assert await by_phone(one, red, {"do": "seat", "colour": "red", "level": "fox"}) == 204
        await one.until(lambda view: view.box == {"red": "fox"})
        assert await by_phone(one, red, {"do": "seat", "colour": "yellow"}) == 403
        assert await by_phone(one, red, {"do": "seat", "colour": "red"}) == 204
        await one.until(lambda view: view.box == {})

    at_a_table(tmp_path, act)


@pytest.mark.parametrize("kept", ["", "[]", "{", '{"red": 1, "blue": "short"}', "[" * 100_000])
def test_keys_that_cannot_be_trusted_are_made_anew(kept: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(kept)
    (tmp_path / FILE).chmod(0o600)
    players = Players(tmp_path)
    assert players.colour_of("short") is None
    assert players.colour_of(players.key("blue")) == "blue"


def test_which_codes_were_opened_is_known_after_a_restart_too(tmp_path: Path) -> None:
    players = Players(tmp_path)
    red, blue = players.key("red"), players.key("blue")
    assert (players.take(red), players.take("none's")) == ("red", None)
    again = Players(tmp_path)
    assert (again.key("blue"), again.taken) == (blue, frozenset({"red"}))
    again.put_off("red")
    assert again.taken == set()


def test_a_code_of_a_version_before_may_have_been_opened(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"red": "ABCDEFGHIJKLMNOP"}')
    (tmp_path / FILE).chmod(0o600)
    assert Players(tmp_path).taken == {"red"}


def test_only_who_may_put_phones_off_is_told_which_there_are(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        key = one.page.players.key("yellow")
        async with one.events() as events, one.events(headers=AWAY) as watching:
            assert (await events.next("state"))["phones"] == []
            async with one.client.get(f"{one.address}P/{key}", allow_redirects=False) as answer:
                assert answer.status == 303
            assert (await events.next("state"))["phones"] == ["yellow"]
            assert (await watching.next("state"))["phones"] == []
            assert (await watching.next("state"))["phones"] == []

    at_a_table(tmp_path, act)


def test_the_boxs_menu_shows_a_code_and_puts_a_lost_phone_off(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        one.daemon.offer_phones(one.page)
        await yellow_to_roll(one)
        key = one.page.players.key("yellow")
        assert await one.do({"do": "menu"}) == 204
        await one.until(lambda view: view.phase == "menu")
        await choose(one, "codes")
        await choose(one, "phone:yellow")
        assert one.daemon.phone_code == f"HTTP://192.0.2.7:8080/P/{key}"
        await choose(one, "put_off:yellow")
        await one.until(lambda view: view.notice is not None)
        assert one.daemon.phone_code == f"HTTP://192.0.2.7:8080/P/{one.page.players.key('yellow')}"
        assert one.page.players.colour_of(key) is None
        await choose(one, "back")
        await one.until(lambda view: view.title == "codes")

    at_a_table(tmp_path, act)


async def until_seen(events: Events, holds: Callable[[Image.Image], bool]) -> None:
    """Read pictures of the box's screen until one is as wanted."""
    while not holds(unpacked(await events.next("oled"))):
        pass


def unpacked(bits: str) -> Image.Image:
    return Image.frombytes("1", (128, SIZE), base64.b64decode(bits))


def test_whoever_only_watches_is_served_no_code_anywhere(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        one.daemon.offer_phones(one.page)
        await yellow_to_roll(one)
        red = {**AWAY, "Cookie": f"{cookie_name(TABLE, BY_CODE)}={one.page.players.key('red')}"}
        key = one.page.players.key("yellow")
        async with (
            one.events("?full=1") as own,
            one.events("?full=1", headers=AWAY) as watching,
            one.events("?full=1", headers=red) as playing,
        ):
            assert await one.do({"do": "menu"}) == 204
            await one.until(lambda view: view.phase == "menu")
            await choose(one, "codes")
            await choose(one, "phone:yellow")
            code = code_picture(one.daemon.phone_code or "")
            assert code is not None
            square = (0, 0, SIZE, SIZE)

            def has_code(image: Image.Image) -> bool:
                return image.crop(square).tobytes() == code.tobytes()

            await until_seen(own, has_code)  # it is on the box's screen now
            display = one.daemon.devices.display
            assert isinstance(display, MirrorDisplay)
            assert has_code(unpacked(display.bits))
            assert not has_code(unpacked(display.watched))
            now = (display.bits, display.watched)
            for events in (watching, playing):
                shown = await read_until(events, lambda line: any(bits in line for bits in now))
                assert not any(has_code(image) for image in pictures(shown))
                assert not tells(shown, key)
            assert has_code(unpacked(display.bits))  # all the while
            await choose(one, "back")
            await choose(one, "back")
            assert await one.do({"do": "back"}) == 204
            await one.until(lambda view: view.phase == "roll")
            assert await one.do({"do": "set", "name": "rotation", "value": 180}) == 204
            await one.until(lambda view: view.settings["rotation"] == 180)
            for events in (watching, playing):
                shown = await read_until(events, lambda line: '"rotation":180' in line)
                assert not any(has_code(image) for image in pictures(shown))
                assert not tells(shown, key)
        await nothing_else_tells(one, key)

    at_a_table(tmp_path, act, pin=PIN)


async def read_until(events: Events, holds: Callable[[str], bool]) -> list[str]:
    """The lines of a stream up to one that is as wanted."""
    shown = []
    async with asyncio.timeout(PATIENCE):
        async for line in events._answer.content:
            shown.append(line.decode())
            if holds(shown[-1]):
                return shown
    raise EOFError("the stream ended")


def pictures(lines: list[str]) -> list[Image.Image]:
    """The pictures of the box's screen in a stream: each is text alone, and long."""
    found = [line for line in lines if line.startswith('data: "') and len(line) > 1000]
    return [unpacked(line[6:].strip()[1:-1]) for line in found]


def tells(lines: list[str], key: str) -> bool:
    """Whether a player's code or the PIN stands in any of these."""
    said = "".join(lines).lower()
    return key.lower() in said or PIN in said


async def nothing_else_tells(one: Table, key: str) -> None:
    """Every address that answers to a GET, asked by somebody elsewhere."""
    paths = {
        route.resource.canonical
        for route in one.page.app().router.routes()
        if route.method == "GET" and route.resource is not None
    }
    assert {"/player.svg", "/player.txt", "/qr.svg", "/record.txt", "/setup.json"} <= paths
    streams = {"/events", "/what-if/events"}
    for path in sorted(paths - streams):
        address = one.address + path.removeprefix("/") + "?colour=yellow"
        async with one.client.get(address, headers=AWAY, allow_redirects=False) as answer:
            body = await answer.read()
            assert not tells([body.decode(errors="replace")], key), path
            if path.startswith("/player"):
                assert answer.status == 401


@pytest.mark.parametrize("shift", [(0, 0), (1, 2)])
@pytest.mark.parametrize("turned", [0, 180])
@pytest.mark.parametrize("name", ["phone", "menu-phones"])
def test_a_picture_with_a_code_or_the_pin_has_another_for_who_only_watches(
    name: str, turned: int, shift: tuple[int, int]
) -> None:
    view = samples("german")[name]
    image = shifted(picture(view, 0.0, "HTTP://X/P/ABC").rotate(turned), shift)
    assert "watched" in image.info
    assert image.info["watched"].tobytes() != picture(view, 0.0, "HTTP://X/P/ABC").tobytes()
    assert "watched" not in picture(samples("german")["roll"]).info


def test_who_only_watches_does_not_read_the_pin_from_the_boxs_menu() -> None:
    way_in = Network(True, "ludo.local:8080", PIN)

    def shown(network: Network) -> View:
        return replace(samples("german")["menu-phones"], network=network)

    hidden = for_watchers(shown(way_in))
    assert hidden is not None
    other = for_watchers(shown(way_in._replace(pin="111111")))
    assert other is not None
    assert hidden.tobytes() == other.tobytes()
    assert picture(shown(way_in)).tobytes() != hidden.tobytes()


async def choose(one: Table, key: str) -> None:
    """Go to a line of the menu with the box's buttons, and press OK."""
    keys = [line.key for line in one.view.lines]
    for _ in range((keys.index(key) - one.view.cursor) % len(keys)):
        await press(one, "down")
    await press(one, "ok")


async def press(one: Table, button: str) -> None:
    before = one.view
    assert await one.do({"do": "press", "button": button}) == 204
    await one.until(lambda view: view != before)


def test_a_code_that_is_not_known_lets_a_phone_watch_and_says_so(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        for key, there in ((one.page.players.key("red"), "/phone"), ("NONSENSE", "?code=old")):
            address = f"{one.address}P/{key}"
            async with one.client.get(address, headers=AWAY, allow_redirects=False) as answer:
                assert (answer.status, answer.headers["Location"].endswith(there)) == (303, True)
        for size in (180, 192, 512):
            async with one.client.get(f"{one.address}icon-{size}.png") as answer:
                assert answer.status == 200
                assert Image.open(io.BytesIO(await answer.read())).size == (size, size)

    at_a_table(tmp_path, act)

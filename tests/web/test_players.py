"""Players' phones: what they may do, whose colours they have, and how they are put off."""

import asyncio
import io
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from yarl import URL

from companion.web.guard import BY_CODE, TABLE, cookie_name
from companion.web.players import FILE, Players
from tests.patience import PATIENCE
from tests.web.tables import AWAY, Table, table

NEW = {"do": "new_game", "sheet": "german", "seats": ["yellow", "red"]}


def at_a_table(tmp_path: Path, act: Callable[[Table], Awaitable[None]]) -> None:
    async def run() -> None:
        async with asyncio.timeout(PATIENCE), table(tmp_path / "games.db") as one:
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

"""The bench's page: what it tells, who may use it, and the way from the game there and back."""

import asyncio
import json
import logging
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import patch

import aiohttp
import pytest

from companion import privileged
from companion.config import WebSection, load, places
from companion.daemon.bench import Workbench
from companion.daemon.bench_wiring import load_board, page, workbench
from companion.daemon.setup import Setup
from companion.rules.boards import MAT
from companion.table.pico import SimulatedBoard
from companion.updates import UPLOAD
from companion.web import serving
from companion.web import setup as web_setup
from companion.web.door import EACH, PATIENCE, Door
from companion.web.guard import BOX_COOKIE
from companion.web.key import kept_key
from tests.picos import until
from tests.web.tables import AWAY, PIN

ROOT = Path(__file__).parents[2]
COMPANION = [sys.executable, "-c", "from companion.cli import main; main()"]
RAW = re.compile(r"event: (\w+)\ndata: (.*)\n\n")


class Visitor:
    """A page that listens to a bench, or to a game, and posts wishes."""

    def __init__(self, client: aiohttp.ClientSession, address: str) -> None:
        self.client, self.address = client, address

    async def told(self, *wanted: str, language: str = "en") -> dict[str, Any]:
        """The first of these events that a new listener is told."""
        text, wait = "", aiohttp.ClientTimeout(total=60)
        async with self.client.get(f"{self.address}events?lang={language}", timeout=wait) as one:
            while True:
                text += (await one.content.readany()).decode()
                for name, data in RAW.findall(text):
                    if name in wanted:
                        return {"event": name, **json.loads(data)}

    async def post(self, body: dict[str, Any], path: str = "do", **headers: str) -> int:
        sent = {"Content-Type": "application/json", **headers}
        async with self.client.post(
            self.address + path, data=json.dumps(body), headers=sent
        ) as answer:
            return answer.status


def own_jar() -> aiohttp.CookieJar:
    return aiohttp.CookieJar(unsafe=True)  # else it takes none from an address


@asynccontextmanager
async def visited(
    board: str = "40", config: Path | None = None, **web: Any
) -> AsyncIterator[tuple[Workbench, Visitor]]:
    started: list[str] = []
    section = WebSection(port=0, **web)
    folder = Path(tempfile.mkdtemp())
    one = workbench(load_board(board), None, services=[page(section, folder, started.append)])
    if config is not None:  # as if it were a real box, which would start again
        one.setup = Setup(config, lambda: None)
    running = asyncio.create_task(one.run())
    await until(lambda: bool(started) and one._begun)
    async with aiohttp.ClientSession(cookie_jar=own_jar()) as client:
        await client.get(started[0])  # the box's own screen shows its key
        yield one, Visitor(client, started[0].partition("bench")[0])
    shutil.rmtree(folder)
    one.stop()
    await running


def at_the_bench(
    act: Callable[[Workbench, Visitor], Awaitable[None]], board: str = "40", **web: Any
) -> None:
    async def run() -> None:
        async with asyncio.timeout(60), visited(board, **web) as (one, visitor):
            await act(one, visitor)

    asyncio.run(run())


def test_the_page_is_told_the_scene_in_its_own_language() -> None:
    async def act(one: Workbench, visitor: Visitor) -> None:
        assert await visitor.post({"do": "again"}) == 204
        told = await visitor.told("bench", language="de")
        assert told["question"] == "Stell eine Figur auf Feld 1 und heb sie ab."
        assert (told["asked"], told["mode"], told["sim"]) == ("1", "learn", True)
        for on in (True, False):
            assert await visitor.post({"do": "touch", "place": "1", "on": on}) == 204
        told = await visitor.told("bench")
        assert told["sentences"] == ["square 1 is row 1, column 1."]
        assert (told["asked"], told["done"], told["map"]) == ("2", ["1"], ["1"])

    at_the_bench(act)


def test_a_wish_that_makes_no_sense_is_refused_with_a_sentence() -> None:
    async def act(one: Workbench, visitor: Visitor) -> None:
        before = one.scene
        for body in ({"do": "fly"}, {"do": "touch", "place": "99", "on": True}, {"do": 7}, {}):
            assert await visitor.post(body) == 400
        assert await visitor.post({"do": "end"}, Origin="http://elsewhere.example") == 403
        assert await visitor.post({"do": "end"}, Host="rebound.example") == 421
        assert one.scene == before

    at_the_bench(act)


def test_who_is_not_at_the_box_watches_until_the_pin_is_shown() -> None:
    async def act(one: Workbench, visitor: Visitor) -> None:
        before = one.scene
        assert await visitor.post({"do": "again"}, **AWAY) == 401
        assert one.scene == before
        assert await visitor.post({"pin": "0000"}, "pin", **AWAY) == 401
        assert await visitor.post({"pin": PIN}, "pin", **AWAY) == 204
        assert await visitor.post({"do": "again"}, **AWAY) == 204
        assert one.scene.mode == "learn"

    at_the_bench(act, pin=PIN)


@pytest.mark.parametrize("path", ["", "bench", "kiosk", "phone"])
def test_every_view_is_the_bench_while_a_board_is_on_it(path: str) -> None:
    async def act(one: Workbench, visitor: Visitor) -> None:
        async with visitor.client.get(visitor.address + path) as answer:
            assert "bench.js" in await answer.text()
            assert answer.headers["X-Frame-Options"] == "DENY"
        async with visitor.client.get(visitor.address + "nothing.js") as answer:
            assert answer.status == 404

    at_the_bench(act)


# From the game to the bench and back, in processes of their own


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def running(*arguments: str, port: int, folder: Path) -> AsyncIterator[Visitor]:
    environment = {**os.environ, "HOME": str(folder)}
    process = subprocess.Popen([*COMPANION, *arguments], cwd=folder, env=environment)
    known = {BOX_COOKIE: kept_key(folder)}  # as the box's own screen
    try:
        async with aiohttp.ClientSession(cookies=known, cookie_jar=own_jar()) as client:
            yield Visitor(client, f"http://127.0.0.1:{port}/")
        process.send_signal(signal.SIGTERM)
        await until(lambda: process.poll() is not None)
        assert process.returncode == 0
    finally:
        process.kill()
        process.wait()


async def comes(visitor: Visitor, event: str) -> dict[str, Any]:
    """Wait until the page tells this, over however many restarts of its server."""
    while True:
        try:
            told = await visitor.told("bench", "state")
            if told["event"] == event:
                return told
        except aiohttp.ClientError:
            pass
        await asyncio.sleep(0.05)


def test_a_simulated_game_goes_to_the_bench_and_is_the_same_when_it_comes_back(
    tmp_path: Path,
) -> None:
    async def play() -> None:
        port = free_port()
        arguments = ("play", "--no-browser", "--port", str(port), "--journal", "games.db")
        async with running(*arguments, port=port, folder=tmp_path) as visitor:
            await comes(visitor, "state")
            new = {"do": "new_game", "sheet": "dutch", "seats": ["yellow", "red"]}
            assert await visitor.post(new) == 204
            while (await visitor.told("state"))["game"] is None:
                await asyncio.sleep(0.02)
            assert await visitor.post({}, "bench") == 204
            assert (await comes(visitor, "bench"))["board"] == "52-mirrored"
            assert await visitor.post({"do": "end"}) == 204
            assert (await comes(visitor, "state"))["game"]["sheet"] == "dutch"

    async def timed() -> None:
        async with asyncio.timeout(120):
            await play()

    asyncio.run(timed())


async def choose(visitor: Visitor, key: str) -> None:
    """Open the box's menu with its three buttons and take a line of it."""

    async def press(button: str) -> dict[str, Any]:
        before = await visitor.told("state")
        assert await visitor.post({"do": "press", "button": button}) == 204
        while (told := await visitor.told("state"))["cursor"] == before["cursor"]:
            await asyncio.sleep(0.02)
        return told

    told = await press("ok")
    while told["lines"][told["cursor"]]["key"] != key:
        told = await press("down")
    assert await visitor.post({"do": "press", "button": "ok"}) == 204


CONFIG = """\
board = "mat"
sensing = "touch"
[matrix]
via = "serial"
map = []
[serial]
ports = ["{folder}/tty*"]
[web]
port = {port}
"""


def test_a_box_whose_map_is_empty_starts_on_the_bench_and_plays_when_it_is_mapped(
    tmp_path: Path,
) -> None:
    async def play() -> None:
        port = free_port()
        path = tmp_path / "companion.toml"
        path.write_text(CONFIG.format(folder=tmp_path, port=port))
        pico = SimulatedBoard(tmp_path / "ttyACM0", rows=4, columns=4)
        pico.plug()
        arguments = ("run", "--config", str(path), "--journal", "games.db")
        async with running(*arguments, port=port, folder=tmp_path) as visitor:
            told = await comes(visitor, "bench")
            assert told["kept"] == "written"
            for n, place in enumerate(MAT.places):
                while (await visitor.told("bench"))["asked"] != place.name:
                    await asyncio.sleep(0.02)
                pico.press(*divmod(n, 4))
                pico.release(*divmod(n, 4))
            while (await visitor.told("bench"))["asked"] is not None:
                await asyncio.sleep(0.02)
            assert await visitor.post({"do": "touch", "place": "R.1", "on": True}) == 409
            assert await visitor.post({"do": "end"}) == 204
            assert (await comes(visitor, "state"))["sensing"] == "touch"
            await choose(visitor, "bench")
            assert (await comes(visitor, "bench"))["mode"] == "watch"
        pico.unplug()
        assert len(places(load(path))) == 16

    async def timed() -> None:
        async with asyncio.timeout(120):
            await play()

    asyncio.run(timed())


def test_the_box_is_set_up_from_its_page(tmp_path: Path) -> None:
    """With the PIN what was built can be said; who may come in is said at the box itself."""
    path = tmp_path / "companion.toml"
    build = {"do": "configure", "build": "build-b-52"}

    async def act(one: Workbench, visitor: Visitor) -> None:
        async def told(**headers: str) -> Any:
            url = f"{visitor.address}setup.json"
            async with visitor.client.get(url, headers=headers) as answer:
                return await answer.json()

        assert (await told())["written"] is False
        assert await visitor.post(build, "setup", **AWAY) == 401
        assert await visitor.post({"do": "end_game"}, "setup") == 422
        assert await visitor.post({"do": "configure", "build": "../../etc/passwd"}, "setup") == 400
        assert not path.exists()
        assert await visitor.post({"pin": PIN}, "pin", **AWAY) == 204
        assert await visitor.post({"do": "open_page"}, "setup", **AWAY) == 403
        assert await visitor.post({"do": "open_page", "pin": "12345"}, "setup") == 400
        assert await visitor.post({"do": "open_page", "pin": "471100"}, "setup") == 204
        assert (await told())["own_pin"] == "471100"
        assert "471100" not in str(await told(**AWAY))
        assert await visitor.post(build, "setup", **AWAY) == 204
        assert load(path).board == "52"

    at_the_bench(act, config=path, pin=PIN)


def test_a_configuration_that_is_half_written_meanwhile_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"

    async def act(one: Workbench, visitor: Visitor) -> None:
        assert one.setup is not None
        found = one.setup.told()

        def told() -> dict[str, Any]:
            path.write_text("[web", encoding="utf-8")
            return found

        with patch.object(one.setup, "told", told):
            async with visitor.client.get(f"{visitor.address}setup.json") as answer:
                assert answer.status == 409

    at_the_bench(act, config=path)


def test_a_crowd_of_the_silent_does_not_fill_the_bench() -> None:
    async def act(one: Workbench, visitor: Visitor) -> None:
        port = int(visitor.address.rstrip("/").rpartition(":")[2])
        wires = [await asyncio.open_connection("127.0.0.1", port) for _ in range(EACH + 20)]
        silent = [reader for reader, _ in wires[:20]]
        assert await asyncio.gather(*(reader.read() for reader in silent)) == [b""] * 20
        assert (await visitor.told("bench"))["mode"] == one.scene.mode
        for _, writer in wires:
            writer.close()

    at_the_bench(act)


def test_nonsense_at_the_bench_is_refused_in_a_word(caplog: pytest.LogCaptureFixture) -> None:
    async def act(one: Workbench, visitor: Visitor) -> None:
        port = int(visitor.address.rstrip("/").rpartition(":")[2])
        for sent in (b"hello\r\n\r\n", b"GET / HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(sent)
            answer = await reader.read()
            assert b" 4" in answer[8:10]
            assert b"aiohttp" not in answer
            assert b"Python" not in answer
            writer.close()

    at_the_bench(act)
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING] == []


def swept(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Sends everybody away who stands in the door, as after a long time."""
    doors: list[Door] = []

    class Known(Door):
        def __init__(self, *made: Any) -> None:
            super().__init__(*made)
            doors.append(self)

    def sweep() -> None:
        doors[0].patience = -1.0
        doors[0].sweep()
        doors[0].patience = PATIENCE

    monkeypatch.setattr(serving, "Door", Known)
    return sweep


def test_root_may_take_longer_than_a_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    sweep, asked, go_on = swept(monkeypatch), Event(), Event()

    def wait(*_: object) -> bool:
        asked.set()
        go_on.wait(20)
        return False

    monkeypatch.setattr(privileged, "ask_and_wait", wait)

    async def act(one: Workbench, visitor: Visitor) -> None:
        wish = {"do": "configure", "build": "build-a-40"}
        waiting = asyncio.create_task(visitor.post(wish, "setup"))
        await until(asked.is_set)
        sweep()
        go_on.set()
        assert await waiting == 409

    at_the_bench(act, config=tmp_path / "etc/companion.toml")


def test_a_package_may_take_longer_than_a_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through a slow network it takes minutes; who sends next to nothing is late all the same."""
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    sweep = swept(monkeypatch)

    async def act(one: Workbench, visitor: Visitor) -> None:
        url = f"{visitor.address}update"

        async def slowly() -> AsyncIterator[bytes]:
            yield bytes(1000)
            await until((tmp_path / f"{UPLOAD}.new").exists)
            sweep()
            async with visitor.client.put(url, data=b"x") as answer:
                assert answer.status == 503
                assert "somebody else is sending" in (await answer.json())["error"]
            yield bytes(1000)

        async def drops() -> AsyncIterator[bytes]:
            while True:
                yield b"x"
                await asyncio.sleep(0.01)

        async with visitor.client.put(url, data=slowly()) as answer:
            assert answer.status == 204
        assert (tmp_path / UPLOAD).stat().st_size == 2000
        monkeypatch.setattr(web_setup, "PIECE", 0.2)
        async with visitor.client.put(url, data=drops()) as answer:
            assert answer.status == 408

    at_the_bench(act, config=tmp_path / "etc/companion.toml")


@pytest.mark.parametrize("name", [UPLOAD, f"{UPLOAD}.new"])
def test_what_lies_in_a_packages_place_is_not_called_a_full_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    (tmp_path / name / "something").mkdir(parents=True)

    async def act(one: Workbench, visitor: Visitor) -> None:
        async with visitor.client.put(f"{visitor.address}update", data=b"x") as answer:
            assert (answer.status, await answer.json()) == (507, {"error": "not_kept"})

    at_the_bench(act, config=tmp_path / "etc/companion.toml")


def test_a_package_is_taken_in_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "run"))
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    (tmp_path / "run").mkdir()
    monkeypatch.setattr(web_setup, "LARGEST", 100_000)
    there = tmp_path / UPLOAD

    async def act(one: Workbench, visitor: Visitor) -> None:
        async def put(data: Any, **headers: str) -> int:
            url = f"{visitor.address}update"
            async with visitor.client.put(url, data=data, headers=headers) as answer:
                return answer.status

        async def pieces(count: int) -> AsyncIterator[bytes]:
            for _ in range(count):
                yield bytes(1000)

        assert await put(b"!<arch>", **AWAY) == 401
        assert await put(b"!<arch>", Origin="http://elsewhere.example") == 403
        assert await put(bytes(100_001)) == 413
        assert await put(pieces(101)) == 413
        assert not there.exists()
        assert await put(pieces(50)) == 204
        assert there.read_bytes() == bytes(50_000)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["run", UPLOAD]
        wish = {"do": "look_for_update", "where": "file"}
        assert await visitor.post(wish, "setup", **AWAY) == 401
        assert await visitor.post({**wish, "where": "/etc"}, "setup") == 400
        assert await visitor.post(wish, "setup") == 204
        assert (tmp_path / "run/update").read_text() == "look file"

    at_the_bench(act, config=tmp_path / "etc/companion.toml")

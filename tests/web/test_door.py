"""The door of the page: visitors who say nothing, too little, or nonsense, and those they crowd."""

import asyncio
import contextlib
import gc
import gzip
import logging
import os
import resource
import socket
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.daemon.notify import Notifier
from companion.web import answering
from companion.web.door import ASKED, ASKED_AT_ONCE, EACH, WAITING, Door, Visitor
from companion.web.guard import network
from companion.web.stream import BOX, MOST, PLAYER, WATCHER, Reader, Stream
from companion.web.stream import EACH as EACH_STREAM
from tests.patience import PATIENCE
from tests.web.tables import AWAY, KEY, Table, table
from tests.web.test_server import NEW, at_a_table

# -- systemd ---------------------------------------------------------------------------------------


@pytest.fixture
def few_descriptors() -> Iterator[None]:
    """A process that may have no more descriptors than it has."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = max(map(int, os.listdir("/proc/self/fd")))
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + 1, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_sign_of_life_needs_no_free_descriptor(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
        wire.bind(str(tmp_path / "notify"))
        notify = Notifier({"NOTIFY_SOCKET": str(tmp_path / "notify")})
        request.getfixturevalue("few_descriptors")
        with contextlib.ExitStack() as taken, contextlib.suppress(OSError):
            while True:
                taken.enter_context(open(os.devnull, "rb"))
        assert notify("WATCHDOG=1")
        assert wire.recv(100) == b"WATCHDOG=1"
        notify.close()


# -- who stands in the door --------------------------------------------------------------------


class Wire(asyncio.Transport):
    """A connection from somewhere."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 1)})
        self.aborted = False

    def abort(self) -> None:
        self.aborted = True


def crowd(door: Door, *addresses: str) -> list[Wire]:
    wires = [Wire(address) for address in addresses]
    for wire in wires:
        Visitor(door).connection_made(wire)
    return wires


def door(**options: float) -> Door:
    return Door(lambda: pytest.fail("nobody asked anything"), pytest.fail, **options)  # type: ignore[arg-type]


def test_of_one_network_only_so_many_stand_in_the_door_the_latest_of_them() -> None:
    async def go() -> None:
        one = door()
        wires = crowd(one, "10.0.0.9", *["10.0.0.1"] * (EACH + 30))
        assert [wire.aborted for wire in wires] == [False] + [True] * 30 + [False] * EACH

    asyncio.run(go())


def test_when_the_door_is_full_one_of_the_network_with_most_has_to_go() -> None:
    async def go() -> None:
        one = door()
        honest = crowd(one, "192.168.1.7", "192.168.1.8")
        crowd(one, *(f"10.0.0.{n % 100}" for n in range(2000)))
        assert not any(wire.aborted for wire in honest)
        assert len(one.waiting) <= WAITING

    asyncio.run(go())


def test_who_is_gone_no_longer_stands_in_the_door() -> None:
    async def go() -> None:
        one = door()
        visitor = Visitor(one)
        visitor.connection_made(Wire("10.0.0.1"))
        visitor.connection_lost(None)
        one.enter(visitor)  # its last request is through only now
        assert not one.waiting

    asyncio.run(go())


def test_who_says_nothing_is_sent_away_and_who_is_answered_may_stay() -> None:
    async def go() -> None:
        now = [0.0]
        one = door(patience=10.0)
        one._clock = lambda: now[0]
        silent, answered = crowd(one, "10.0.0.1", "10.0.0.2")
        now[0] = 9.0
        one.enter(next(visitor for visitor in one.waiting if visitor.network == "10.0.0.2"))
        now[0] = 11.0
        one.sweep()
        assert (silent.aborted, answered.aborted) == (True, False)

    asyncio.run(go())


def test_who_asks_all_the_time_waits_for_its_turn() -> None:
    async def go() -> None:
        now = [0.0]
        one = door()
        one._clock = lambda: now[0]
        waits = [one.delay() for _ in range(int(ASKED_AT_ONCE) + 50)]
        assert waits[: int(ASKED_AT_ONCE)] == [0.0] * int(ASKED_AT_ONCE)
        assert waits[-1] == pytest.approx(50 / ASKED)
        now[0] = 10.0
        assert one.delay() == 0.0

    asyncio.run(go())


def test_whoever_goes_before_its_turn_keeps_nobody_waiting() -> None:
    async def go() -> None:
        one = door()
        one._clock = lambda: 0.0
        crowd = [asyncio.create_task(one.turn()) for _ in range(int(ASKED_AT_ONCE) + 500)]
        await asyncio.sleep(0)
        assert one._room < -400
        for task in crowd:
            task.cancel()
        await asyncio.wait(crowd)
        assert one.delay() == 0.0

    asyncio.run(go())


def test_what_is_loaded_when_the_page_is_there_is_not_looked_through_again(tmp_path: Path) -> None:
    """Python's garbage collector would hold the table up for as long as dozens of events."""
    gc.unfreeze()

    async def act(one: Table) -> None:
        assert gc.get_freeze_count() > len(gc.get_objects())

    at_a_table(tmp_path, act)


def test_whoever_may_play_does_not_wait_behind_those_who_only_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def act(one: Table) -> None:
        monkeypatch.setattr(Door, "delay", lambda self: 3600.0)
        asking = asyncio.create_task(said(one, KINDS["keep-alive"]))
        assert await one.do(NEW) == 204
        assert not asking.done()
        asking.cancel()

    at_a_table(tmp_path, act)


@pytest.mark.parametrize(
    ("peer", "known"),
    [
        (("10.0.0.1", 80), "10.0.0.1"),
        (("::ffff:10.0.0.1", 80, 0, 0), "10.0.0.1"),
        (("2001:db8:0:7:1:2:3:4", 80, 0, 0), "2001:db8:0:7::/64"),
        (("fe80::1%eth0", 80, 0, 2), "fe80::/64"),
        (None, ""),
    ],
)
def test_a_network_is_known_by_its_address(peer: object, known: str) -> None:
    assert network(peer) == known


# -- who listens -----------------------------------------------------------------------------------


def readers(stream: Stream, number: int, rank: int, *networks: str) -> None:
    for n in range(number):
        reader = Reader("en", False, rank, networks[n % len(networks)])
        assert stream.make_room(reader)


def test_the_boxs_own_screen_then_phones_then_watchers() -> None:
    async def go() -> None:
        stream = Stream(lambda reader: [])
        many = [f"10.0.{n}.1" for n in range(MOST)]
        readers(stream, MOST, WATCHER, *many)
        assert not stream.make_room(Reader("en", False, WATCHER, "10.1.0.1"))
        readers(stream, MOST, PLAYER, *many)
        assert {reader.rank for reader in stream.readers} == {PLAYER}
        assert not stream.make_room(Reader("en", False, PLAYER, "10.1.0.1"))
        readers(stream, 1, BOX, "127.0.0.1")

    asyncio.run(go())


def test_a_network_that_has_most_makes_room_for_others() -> None:
    async def go() -> None:
        stream = Stream(lambda reader: [])
        readers(stream, MOST, WATCHER, "10.0.0.1", "10.0.0.2", "10.0.0.3")
        readers(stream, 50, WATCHER, "10.0.0.4")
        assert len(stream.readers) == MOST
        assert not stream.make_room(Reader("en", False, WATCHER, "10.0.0.1"))

    asyncio.run(go())


def test_one_network_does_not_fill_the_stream() -> None:
    async def go() -> None:
        stream = Stream(lambda reader: [])
        readers(stream, EACH_STREAM, WATCHER, "10.0.0.1")
        assert not stream.make_room(Reader("en", False, WATCHER, "10.0.0.1"))
        assert stream.make_room(Reader("en", False, PLAYER, "10.0.0.1"))

    asyncio.run(go())


# -- crowds at a table -----------------------------------------------------------------------------

KINDS = {
    "nothing": b"",
    "half a line": b"GET /eve",
    "endless headers": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X-More: and more\r\n" * 50,
    "keep-alive": b"GET /phone HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "streams": b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "a body that never comes": b"POST /pin HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b"Content-Type: application/json\r\nContent-Length: 20\r\n\r\n",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_crowd_keeps_nobody_from_playing(
    kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def act(one: Table) -> None:
        port = int(one.address.rstrip("/").rpartition(":")[2])
        wires = []
        loop = asyncio.get_running_loop()
        for number in range(400):
            wire = socket.socket()
            wire.bind((f"127.0.0.{2 + number % 20}", 0))
            wire.setblocking(False)
            await loop.sock_connect(wire, ("127.0.0.1", port))
            with contextlib.suppress(OSError):
                await loop.sock_sendall(wire, KINDS[kind])
            wires.append(wire)
        assert await one.do(NEW) == 204
        async with one.events() as events:
            while (await events.next("state"))["phase"] != "opening":
                pass
        held = len(os.listdir("/proc/self/fd")) - len(wires)
        assert held < WAITING + MOST + 60
        for wire in wires:
            wire.close()

    at_a_table(tmp_path, act)
    assert [r for r in caplog.records if r.levelno >= logging.WARNING] == []


def test_a_body_that_never_comes_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "BODY", 0.05)

    async def act(one: Table) -> None:
        assert (await said(one, KINDS["a body that never comes"])).startswith(b"HTTP/1.1 408")

    at_a_table(tmp_path, act)


# -- nonsense --------------------------------------------------------------------------------------


async def said(one: Table, request: bytes, end: bool = False) -> bytes:
    """What is answered to some bytes; nothing if the connection just ends."""
    port = int(one.address.rstrip("/").rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    with contextlib.suppress(ConnectionError):
        await writer.drain()
    if end:
        with contextlib.suppress(OSError):
            writer.write_eof()
    try:
        async with asyncio.timeout(PATIENCE):
            return await reader.read(4000)
    except ConnectionError:
        return b""
    finally:
        writer.close()


POST = b"POST /do HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
NONSENSE = {
    "no HTTP": b"hello\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)) + b"\r\n\r\n",
    "an unknown version": b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    "no version": b"GET /\r\n\r\n",
    "a bad address": b"GET http://[::1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "another site's address": b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "a method of its own": b"FROB / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "connect": b"CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "a zero in a header": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: \x00\r\n\r\n",
    "no name of a header": b"GET / HTTP/1.1\r\n: x\r\n\r\n",
    "two lengths": POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "a length and chunks": POST + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
    "a length below zero": POST + b"Content-Length: -2\r\n\r\n{}",
    "a length beyond all": POST + b"Content-Length: 99999999999999999999\r\n\r\n{}",
    "bad chunks": POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n",
    "bad gzip": POST + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x00\x00",
    "a gzip bomb": POST
    + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(gzip.compress(bytes(1 << 20)))
    + gzip.compress(bytes(1 << 20)),
    "bad deflate": POST + b"Content-Encoding: deflate\r\nContent-Length: 2\r\n\r\nxx",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n",
    "half an address": b"GET / HTTP/1.1\r\nHost: [::1\r\n\r\n",
    "a port that is no number": b"GET / HTTP/1.1\r\nHost: 127.0.0.1:abc\r\n\r\n",
    "a host with a name in it": b"GET / HTTP/1.1\r\nHost: me@127.0.0.1\r\n\r\n",
    "a host that is no text": b"GET / HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n",
    "a key that is no text": b"GET /kiosk HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b"Cookie: companion-box=\xff\xfe\r\n\r\n",
    "a stream with a key that is no text": b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b"Cookie: companion-box=\xff\xfe; companion=\xff\r\n\r\n",
    "a PIN that is no text": b"POST /pin HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b'Content-Type: application/json\r\nContent-Length: 16\r\n\r\n{"pin":"\\ud8001"}',
    "odd cookies": b"GET /main.js HTTP/1.1\r\nHost: 1.2.3.4\r\nCookie: companion=\xff;=;;a\r\n\r\n",
    "an odd type": b"POST /do HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ;;=\xff\r\n\r\n",
    "an odd question": b"GET /kiosk?key=%ff&key=&%%% HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "a long line": b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "a head without end": b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 9000,
    "too many headers": b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 500 + b"\r\n",
    "an upgrade": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
    b"Upgrade: websocket\r\n\r\n\x81\x00",
    "an expectation that is no text": POST + b"Expect: \xff\r\nContent-Length: 2\r\n\r\n{}",
    "an expectation": POST + b"Expect: a miracle\r\nContent-Length: 2\r\n\r\n{}",
}


def test_nonsense_is_refused_in_a_word(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "BODY", 0.1)

    async def act(one: Table) -> None:
        for kind, request in NONSENSE.items():
            answer = await said(one, request)
            assert answer[8:10] in (b"", b" 2", b" 3", b" 4"), (kind, answer)
            for telling in (b"Python", b"aiohttp", b"Traceback"):
                assert telling not in answer, (kind, answer)
        assert await one.do(NEW) == 204

    at_a_table(tmp_path, act)
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING] == []


def test_bytes_of_any_kind_bring_about_no_fault_of_ours(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rng = Random("bytes")

    def spoilt(request: bytes) -> bytes:
        data = bytearray(request)
        for _ in range(rng.randint(1, 6)):
            place = rng.randrange(len(data))
            data[place : place + rng.randrange(3)] = rng.randbytes(rng.randrange(4))
        return bytes(data) + b"\r\n\r\n"

    async def act(one: Table) -> None:
        for _ in range(300):
            answer = await said(one, spoilt(rng.choice(list(NONSENSE.values()))[:400]), end=True)
            assert answer[8:10] != b" 5", answer
        assert await one.do(NEW) == 204

    at_a_table(tmp_path, act)
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING] == []


def test_the_key_is_not_taken_from_elsewhere(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        async with one.client.get(f"{one.address}?key={KEY}", headers=AWAY):
            pass
        assert await one.do(NEW, headers=AWAY) == 401

    async def go() -> None:
        async with table(tmp_path / "games.db") as one:
            await act(one)

    asyncio.run(go())

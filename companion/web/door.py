"""The door of the page: who comes in, and who has to go when too many stand in it.

A visitor who has not yet said what it wants costs next to nothing, and only so many may stand in
the door, from each network and in all: the one who has stood there longest goes first, and first
one of the network that has most. A browser says at once what it wants, so it is not in the way.
"""

import asyncio
import socket
from collections import Counter
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from companion.web.guard import HEADERS, network

WAITING = 192
"""Visitors who may stand in the door, waiting or being answered; streams are counted apart."""
EACH = 40
"""The same, of one network."""
PATIENCE = 10.0  # seconds a visitor has for a whole request, and to read the answer
LARGEST_HEAD = 16 * 1024  # bytes of a request before its body
BACKLOG = 4096  # visitors whom the system keeps for us, which costs the table nothing
RATE = 200.0  # visitors let in a second, for a longer time
BURST = 60.0  # and at once: a browser comes with six or seven connections
ASKED = 200.0  # requests answered a second, of those who only watch
ASKED_AT_ONCE = 100.0  # and at once: a page is twenty of them
_ESTABLISHED = 1  # the state of a connection, by Linux
END = b"\r\n\r\n"


class Visit(RequestHandler):
    """Reads requests; anything else is refused with a sentence that says nothing about us."""

    visitor: "Visitor"

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """What cannot be read is the sender's affair: no traceback, and the connection ends."""
        if request.writer.output_size > 0:
            raise ConnectionError("the answer has begun")
        if isinstance(exc, UnicodeError):
            status = 400  # some header is no text, and aiohttp wanted to quote it
        if exc is not None and status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            self.visitor.door.stumbled(exc)
        response = web.json_response(
            {"error": HTTPStatus(status).phrase.lower()},
            status=status,
            headers={**HEADERS, "Server": ""},
        )
        response.force_close()
        return response

    def log_exception(self, *args: Any, **kw: Any) -> None:
        """Whoever sends nonsense must not fill the log."""


class Visitor(asyncio.Protocol):
    """One connection; a reader of requests is made for it when a whole head has come."""

    def __init__(self, door: "Door") -> None:
        self.door = door
        self.network = ""
        self.since = 0.0
        self.gone = False
        self._transport: asyncio.Transport | None = None
        self._inner: Visit | None = None
        self._head = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self.network = network(transport.get_extra_info("peername"))
        self.door.enter(self)

    def data_received(self, data: bytes) -> None:
        if self._inner is not None:
            self._inner.data_received(data)
            return
        self._head += data
        if END in self._head:
            self._begin()
        elif len(self._head) > LARGEST_HEAD:
            self.go()

    def _begin(self) -> None:
        assert self._transport is not None
        self._inner, head, self._head = self.door.make(), self._head, b""
        self._inner.visitor = self
        self._inner.connection_made(self._transport)
        self._inner.data_received(head)

    def eof_received(self) -> None:
        if self._inner is not None:
            self._inner.eof_received()

    def pause_writing(self) -> None:
        if self._inner is not None:
            self._inner.pause_writing()

    def resume_writing(self) -> None:
        if self._inner is not None:
            self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self.gone = True
        self.door.leave(self)
        if self._inner is not None:
            self._inner.connection_lost(exc)

    def go(self) -> None:
        """End the connection at once."""
        self.gone = True
        self.door.leave(self)
        if self._transport is not None:
            self._transport.abort()


def _is_there(wire: socket.socket) -> bool:
    """Whether the other side has not hung up yet."""
    return wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == _ESTABLISHED


async def listen(address: str, port: int) -> list[socket.socket]:
    """Sockets at every address of this name, all at one port. Raises OSError."""
    found: list[socket.socket] = []
    infos = await asyncio.get_running_loop().getaddrinfo(
        address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    try:
        for family, *_, place in dict.fromkeys(infos):
            one = socket.socket(family, socket.SOCK_STREAM)
            found.append(one)
            one.setblocking(False)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            one.bind((place[0], port, *place[2:]))
            one.listen(BACKLOG)
            port = one.getsockname()[1]
    except OSError:
        for one in found:
            one.close()
        raise
    return found


class Door:
    """All visitors who wait, the longest first."""

    def __init__(
        self,
        make: Callable[[], Visit],
        stumbled: Callable[[BaseException], None],
        *,
        waiting: int = WAITING,
        each: int = EACH,
        patience: float = PATIENCE,
    ) -> None:
        self.make = make
        self.stumbled = stumbled
        """Told of a fault of ours."""
        self.most = waiting
        self.each = each
        self.patience = patience
        self.waiting: dict[Visitor, None] = {}
        self._room = ASKED_AT_ONCE
        self._asked = 0.0
        self._counts: Counter[str] = Counter()
        self._clock = asyncio.get_running_loop().time

    def enter(self, visitor: Visitor) -> None:
        """Somebody is at the door, or again; somebody else may have to go for it."""
        self.leave(visitor)
        if visitor.gone:
            return
        visitor.since = self._clock()
        self.waiting[visitor] = None
        self._counts[visitor.network] += 1
        if self._counts[visitor.network] > self.each:
            self._send_away(visitor.network)
        elif len(self.waiting) > self.most:
            self._send_away(self._counts.most_common(1)[0][0])

    def delay(self) -> float:
        """Seconds that one more request has to wait: requests come one after the other on a
        connection without end, and those who ask all the time must not have all of the time."""
        now = self._clock()
        self._room = min(ASKED_AT_ONCE, self._room + (now - self._asked) * ASKED) - 1
        self._asked = now
        return max(0.0, -self._room / ASKED)

    async def turn(self) -> None:
        """Wait until one more request is answered; who goes before that keeps nobody waiting."""
        try:
            await asyncio.sleep(self.delay())
        except asyncio.CancelledError:
            self._room += 1
            raise

    def leave(self, visitor: Visitor) -> None:
        """Somebody no longer stands in the door: it listens to a stream, or is gone."""
        if visitor in self.waiting:
            del self.waiting[visitor]
            self._counts[visitor.network] -= 1
            if not self._counts[visitor.network]:
                del self._counts[visitor.network]

    def _send_away(self, network: str) -> None:
        next(one for one in self.waiting if one.network == network).go()

    async def watch(self, every: float = 1.0) -> None:
        """Send away who has stood there too long, until cancelled."""
        while True:
            await asyncio.sleep(every)
            self.sweep()

    def sweep(self) -> None:
        """Send away who has stood there too long."""
        late = self._clock() - self.patience
        for visitor in [one for one in self.waiting if one.since < late]:
            visitor.go()

    async def accept(self, listening: socket.socket) -> None:
        """Let visitors in, one at a time and not too many a second, until cancelled.

        Whoever has to wait does so in the system's queue; who went meanwhile is not counted.
        """
        loop = asyncio.get_running_loop()
        room, before = BURST, self._clock()
        while True:
            try:
                wire, _ = await loop.sock_accept(listening)
                if not _is_there(wire):
                    wire.close()
                    continue
                await loop.connect_accepted_socket(lambda: Visitor(self), wire)
            except OSError:  # it went again, or there is no descriptor for it
                await asyncio.sleep(1 / RATE)
            now = self._clock()
            room, before = min(BURST, room + (now - before) * RATE) - 1, now
            await asyncio.sleep(0 if room >= 1 else (1 - room) / RATE)

    def close(self) -> None:
        """Send everybody away."""
        for visitor in list(self.waiting):
            visitor.go()

"""Server-sent events to many readers: each gets the latest, and who does not read is dropped."""

import asyncio
import contextlib
import socket
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from aiohttp import web

MOST = 300
"""Readers at once; one more is asked to come back later, or takes the place of a lesser one."""
EACH = 100
"""The same, of one network."""
WATCHER, PLAYER, BOX = range(3)
"""Who comes before whom: the box's own screen, players' phones, then who only watches."""
STALL = 5.0  # seconds a reader may leave its socket full
SILENT = 30.0  # seconds after which a reader that acknowledges nothing is gone
PULSE = 15.0  # seconds between two signs of life on a quiet stream
BUFFER = 64 * 1024  # bytes the system may hold for one reader
AT_ONCE = 8  # readers woken before the table gets its turn again

Messages = Callable[["Reader"], Iterable[bytes]]


class Reader:
    """One page that listens; `seen` is what it has been sent so far."""

    def __init__(self, language: str, full: bool, rank: int = WATCHER, network: str = "") -> None:
        self.rank = rank
        self.network = network
        self.transport: asyncio.Transport | None = None
        self.language = language
        self.full = full
        """Whether it also wants the OLED and the sounds."""
        self.control = rank > WATCHER
        self.seat: str | None = None
        """The colour that a player's phone plays."""
        self.put_off = False
        """Whether it had the code of a colour, which is worthless by now."""
        self.seen: dict[str, Any] = {}
        self.sounds: list[Any] = []
        self.wake = asyncio.Event()


class Stream:
    """All readers. `messages` makes what a reader has not been sent yet."""

    def __init__(self, messages: Messages, stall: float = STALL, pulse: float = PULSE) -> None:
        self.readers: set[Reader] = set()
        self.dropped = 0
        self._messages = messages
        self._stall = stall
        self._pulse = pulse
        self._news = asyncio.Event()

    def tell(self) -> None:
        """There is something new."""
        self._news.set()

    async def run(self) -> None:
        """Wake the readers, a few at a time, so that the table never waits for all of them."""
        while True:
            await self._news.wait()
            self._news.clear()
            for number, reader in enumerate(tuple(self.readers), 1):
                reader.wake.set()
                if number % AT_ONCE == 0:
                    await asyncio.sleep(0)

    def make_room(self, reader: Reader) -> bool:
        """Whether this one may listen too; a lesser one, or one of a greedy network, may go.

        From then on it is counted, and `serve` is called for it.
        """
        if not self._has_room(reader):
            return False
        self.readers.add(reader)
        return True

    def _has_room(self, reader: Reader) -> bool:
        if reader.rank == BOX:
            return True
        counts = Counter(one.network for one in self.readers if one.rank <= reader.rank)
        if counts[reader.network] >= EACH:
            return self._drop(lambda one: one.network == reader.network, below=reader.rank)
        if len(self.readers) < MOST or self._drop(lambda one: True, below=reader.rank):
            return True
        greedy, most = counts.most_common(1)[0] if counts else ("", 0)
        fair = most > counts[reader.network] + 1
        return fair and self._drop(lambda one: one.network == greedy, below=reader.rank + 1)

    def _drop(self, which: Callable[[Reader], bool], below: int) -> bool:
        """Send one of these away; whether there is one of a rank below."""
        found = [one for one in self.readers if one.rank < below and which(one)]
        if not found:
            return False
        one = min(found, key=lambda one: one.rank)
        self.readers.discard(one)
        self.dropped += 1
        if one.transport is not None:
            one.transport.abort()
        return True

    async def serve(self, request: web.Request, reader: Reader) -> web.StreamResponse:
        """Send events to a reader that there is room for, until it goes or stops reading."""
        response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"}
        )
        reader.transport = request.transport
        try:
            await response.prepare(request)
            _narrow(request)
            await self._send(response, b"retry: 1000\n\n")
            while True:
                reader.wake.clear()
                for message in self._messages(reader):
                    await self._send(response, message)
                    await asyncio.sleep(0)  # the next one may take long to make
                try:
                    async with asyncio.timeout(self._pulse):
                        await reader.wake.wait()
                except TimeoutError:
                    await self._send(response, b": still here\n\n")
        except (TimeoutError, ConnectionError):
            self.dropped += 1
            if request.transport is not None:
                request.transport.abort()
        finally:
            self.readers.discard(reader)
        return response

    async def _send(self, response: web.StreamResponse, message: bytes) -> None:
        async with asyncio.timeout(self._stall):
            await response.write(message)


def _narrow(request: web.Request) -> None:
    """Let neither the system nor the loop pile up much for a reader that does not read."""
    transport = request.transport
    if transport is None:
        return
    transport.set_write_buffer_limits(high=BUFFER)
    found = transport.get_extra_info("socket")
    if found is not None:
        with contextlib.suppress(OSError):
            found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
            # Whoever went without a word is known by what it does not acknowledge.
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(SILENT * 1000))


def event(name: str, data: bytes) -> bytes:
    """One server-sent event; the data is JSON on one line."""
    return b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"

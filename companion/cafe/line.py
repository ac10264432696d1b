"""The line to the broker: it keeps itself up, and says in a sentence why it is down.

Nobody waits for it. What is said while it is down is not queued up for later: of a retained topic
the latest counts, and of what is said once a few are held. Both sides use it.
"""

import asyncio
import contextlib
import logging
import socket
import ssl
import time
from collections import deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import aiomqtt
import paho.mqtt.client as paho
from aiomqtt.exceptions import MqttConnectError

from companion.cafe.certificates import CertificateError, day, trusting, valid_between
from companion.cafe.topics import HOUSE
from companion.screens.house import line as speak
from companion.screens.languages import words as words_of

KEEPALIVE = 5  # seconds of silence after which broker and client look whether the other is there
CONNECT = 3.0  # seconds for a connection to come about
HUNG_UP = 0.2  # seconds between two looks whether somebody is still there
REPLY = 6.0  # seconds for the broker to answer
FIRST, LONGEST = 0.5, 4.0  # seconds between two attempts
HELD = 256  # messages that are held while the broker is slow
INCOMING = 20_000  # messages that may wait to be taken in

_LOG = logging.getLogger("companion.cafe")
# paho tells every hiccup twice; what matters is in `Line.trouble`.
_QUIET = logging.getLogger("companion.cafe.paho")
_QUIET.setLevel(logging.CRITICAL)


class Broker(Protocol):
    """Where the broker is, and how it is spoken to: the section `cafe` of the configuration."""

    @property
    def broker(self) -> str: ...
    @property
    def port(self) -> int: ...
    @property
    def password(self) -> str | None: ...
    @property
    def certificate(self) -> str | None: ...


class Said(NamedTuple):
    """One message to send."""

    topic: str
    payload: bytes
    retain: bool
    qos: int


class Trouble(NamedTuple):
    """Why there is no line, by a key that phrases speak; `wrong` if somebody has to mend it, and
    waiting is of no use."""

    key: str
    gaps: Mapping[str, str] = MappingProxyType({})
    wrong: bool = False

    @property
    def said(self) -> str:
        """In English, for the log and the doctor."""
        return speak(self.key, self.gaps)

    def in_language(self, language: str) -> str:
        """For a page."""
        return speak(self.key, self.gaps, words_of(language))


Take = Callable[[str, bytes, bool], None]
"""Takes a message in: its topic, what it carries, and whether it was retained."""


class Line:
    """A connection that is made again whenever it breaks. All calls are made in the loop."""

    def __init__(
        self,
        broker: Broker,
        *,
        user: str,
        identifier: str,
        hears: Sequence[tuple[str, int]],
        take: Take,
        birth: Callable[[], Said],
        born: Callable[[], None],
        changed: Callable[[], None] = lambda: None,
        patience: float = LONGEST,
    ) -> None:
        """`birth` begins another stay and returns its last will; `born` is told when it is up."""
        self.up = False
        self.trouble: Trouble | None = Trouble("not_yet")
        self.stays = 0
        """How often the line came up."""
        self._broker, self._user, self._identifier = broker, user, identifier
        self._hears, self._take = hears, take
        self._birth, self._born, self._changed = birth, born, changed
        self._patience = patience
        self._latest: dict[str, Said] = {}
        self._once: deque[Said] = deque(maxlen=HELD)
        self._news = asyncio.Event()

    def say(self, said: Said) -> None:
        """Send this as soon as possible; while the line is down it is not held."""
        if not self.up:
            return
        if said.retain:
            self._latest[said.topic] = said
        else:
            self._once.append(said)
        self._news.set()

    async def run(self, farewell: Callable[[], Sequence[Said]] = tuple) -> None:
        """Keep the line up until cancelled; then say `farewell`, if somebody still hears it."""
        wait = FIRST
        while True:
            began = time.monotonic()
            try:
                await self._stay(farewell)
            except asyncio.CancelledError:
                if _is_to_end():
                    raise
                self._down(Trouble("making"))
            except Exception as fault:  # a library may fail in any way: we try again
                if not isinstance(fault, aiomqtt.MqttError | OSError | ValueError):
                    _LOG.exception("the line broke in a way that was not expected")
                self._down(in_words(fault, self._broker, self._user))
            if time.monotonic() - began > self._patience:
                wait = FIRST
            await asyncio.sleep(wait)
            wait = min(wait * 2, self._patience)

    async def _stay(self, farewell: Callable[[], Sequence[Said]]) -> None:
        client = await self._client()
        try:
            await self._talk(client, farewell)
        finally:
            client._client._sock_close()  # where it never came up nobody else does
            if client._disconnected.done():
                client._disconnected.exception()  # it is known already

    async def _talk(self, client: aiomqtt.Client, farewell: Callable[[], Sequence[Said]]) -> None:
        await self._answered(client)
        async with _Opened(client):
            await client.subscribe(list(self._hears))
            self._up()
            working = [
                asyncio.create_task(self._listen(client)),
                asyncio.create_task(self._send(client)),
            ]
            try:
                done, _ = await asyncio.wait(working, return_when=asyncio.FIRST_COMPLETED)
                for one in done:
                    one.result()
            except asyncio.CancelledError:
                await end(working)  # nothing is said after the farewell
                with contextlib.suppress(aiomqtt.MqttError, TimeoutError):
                    async with asyncio.timeout(1.0):
                        for said in farewell():
                            await client.publish(*said[:2], qos=said.qos, retain=said.retain)
                raise
            finally:
                await end(working)

    async def _answered(self, client: aiomqtt.Client) -> None:
        """Wait for the broker's answer, but not for one who has hung up."""
        opening = asyncio.create_task(client.__aenter__())
        try:
            while not opening.done():
                await asyncio.wait([opening], timeout=HUNG_UP)
                began = client._misc_task is not None  # there was a connection
                if began and client._client.socket() is None and not opening.done():
                    raise ConnectionResetError("hung up before it answered")
            opening.result()
        finally:
            if not opening.done():
                opening.cancel()
                await asyncio.gather(opening, return_exceptions=True)

    async def _client(self) -> aiomqtt.Client:
        broker, will = self._broker, self._birth()
        tls = None
        if broker.certificate is not None:
            tls = await asyncio.to_thread(trusting, broker.certificate)
        client = aiomqtt.Client(
            broker.broker,
            broker.port,
            username=self._user,
            password=broker.password,
            identifier=self._identifier,
            will=aiomqtt.Will(will.topic, will.payload, will.qos, will.retain),
            keepalive=KEEPALIVE,
            timeout=REPLY,
            tls_context=tls,
            logger=_QUIET,
            max_queued_incoming_messages=INCOMING,
        )
        client._client.connect_timeout = CONNECT
        _count_from_the_connection(client._client)
        return client

    async def _listen(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            payload = message.payload
            if isinstance(payload, bytes | bytearray):
                self._take(message.topic.value, bytes(payload), message.retain)

    async def _send(self, client: aiomqtt.Client) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            while self._latest or self._once:
                if self._latest:
                    said = self._latest.pop(next(iter(self._latest)))
                else:
                    said = self._once.popleft()
                await client.publish(*said[:2], qos=said.qos, retain=said.retain)

    def _up(self) -> None:
        self.up, self.trouble = True, None
        self.stays += 1
        self._latest.clear()
        self._once.clear()
        _LOG.info("the broker at %s:%d is there", self._broker.broker, self._broker.port)
        self._born()
        self._changed()

    def _down(self, why: Trouble) -> None:
        if self.up or why != self.trouble:
            _LOG.warning("no line to the broker: %s", why.said)
        self.up, self.trouble = False, why
        self._changed()


def _is_to_end() -> bool:
    """Whether somebody cancelled us; a future that a library gave up looks the same."""
    task = asyncio.current_task()
    return task is None or task.cancelling() > 0


async def together(*work: Coroutine[Any, Any, None]) -> None:
    """Run several things until one fails or we are cancelled; then all of them end."""
    tasks = [asyncio.create_task(one) for one in work]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for one in done:
            one.result()
    finally:
        await end(tasks)


async def end(tasks: "Sequence[asyncio.Task[None]]", patience: float = 2.0) -> None:
    """Cancel tasks and wait for them: a line has to say farewell.

    One that was just being answered may not have noticed (`asyncio.wait_for` of Python 3.11 is
    such a one), and is told again.
    """
    while pending := [task for task in tasks if not task.done()]:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=patience)
    await asyncio.gather(*tasks, return_exceptions=True)


def _count_from_the_connection(client: paho.Client) -> None:
    """Silence begins when there is a connection: paho counts it from before it looks up the name,
    and where no DNS answers, a name in `.local` takes longer than the silence that it allows."""
    opened = client.on_socket_open

    def begin(one: paho.Client, data: Any, connection: Any) -> None:
        client._last_bytes_received = client._last_msg_out = paho.time_func()
        if opened is not None:
            opened(one, data, connection)

    client.on_socket_open = begin


class _Opened:
    """A client that has been opened; leaving it closes it."""

    def __init__(self, client: aiomqtt.Client) -> None:
        self._client = client

    async def __aenter__(self) -> None:
        return

    async def __aexit__(self, *why: Any) -> None:
        await self._client.__aexit__(*why)


def in_words(fault: BaseException, broker: Broker, user: str) -> Trouble:
    """Why there is no line, and what to do about it."""
    causes = list(_causes(fault))
    where = {"where": f"{broker.broker}:{broker.port}"}
    for one in causes:
        if isinstance(one, CertificateError):
            return Trouble("unreadable", {"file": one.args[0], "fault": one.args[1]}, True)
        if isinstance(one, ssl.SSLCertVerificationError):
            return _about_certificate(one, where, broker.certificate)
        if isinstance(one, ssl.SSLError):
            return Trouble("no_tls", where, True)
        if isinstance(one, socket.gaierror):
            return Trouble("no_name", {"broker": broker.broker})
        if isinstance(one, ConnectionRefusedError):
            return Trouble("nobody", where)
        if isinstance(one, MqttConnectError):
            return _about_refusal(one, where, user)
    text = " ".join(str(one) for one in causes)
    if any(isinstance(one, TimeoutError) for one in causes) or "timed out" in text:
        return Trouble("silent", where)
    if "unreachable" in text or "No route" in text:
        return Trouble("no_way", where)
    return Trouble("broke", {**where, "fault": str(fault)})


def _causes(fault: BaseException | None) -> "list[BaseException]":
    found: list[BaseException] = []
    while fault is not None and fault not in found:
        found.append(fault)
        fault = fault.__cause__ or fault.__context__
    return found


def _about_certificate(
    fault: ssl.SSLCertVerificationError, where: dict[str, str], certificate: str | None
) -> Trouble:
    if fault.verify_code in (9, 10) and certificate is not None:  # not yet valid, no longer valid
        valid = valid_between(certificate)
        if valid is not None:
            days = {"first": day(valid[0]), "last": day(valid[1]), "today": day(time.time())}
            return Trouble("dates", {**where, **days}, True)
    said = fault.verify_message or str(fault)
    return Trouble("certificate", {**where, "fault": said}, True)


def _about_refusal(fault: MqttConnectError, where: dict[str, str], user: str) -> Trouble:
    code = getattr(fault.rc, "value", fault.rc)
    if code in (4, 5, 134, 135):
        key = "house_password" if user == HOUSE else "password"
        return Trouble(key, {**where, "user": user}, True)
    return Trouble("refuses", {**where, "fault": str(fault)}, True)

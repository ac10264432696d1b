"""Why a table cannot join, looked at from outside: one connection, for both sides' doctors."""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.cafe import messages, topics
from companion.cafe.line import Broker, Line, Said, Take, Trouble, end
from companion.cafe.refusals import Refusals
from companion.cafe.room import Room
from companion.cafe.table import CLOCK, Section
from companion.screens.house import span

PATIENCE = 8.0  # seconds for an answer of the broker
LISTEN = 1.0  # seconds for what the broker holds, and for our own word
PULSES = 5.0  # seconds in which a table that lives is heard


class Heard(NamedTuple):
    """What the broker let through to somebody who looked."""

    trouble: Trouble | None
    here: list[messages.Here]
    house: messages.Here | None
    own_word: bool


async def why_not(section: Section, box: str, wall: Callable[[], float] = time.time) -> str | None:
    """A sentence that says why this table cannot join its house; None if it can."""
    heard = await _look(section)
    trouble = heard.trouble or _said_by(heard, section, box, wall())
    return None if trouble is None else trouble.said


def _said_by(heard: Heard, section: Section, box: str, now: float) -> Trouble | None:
    if not heard.own_word:
        return Trouble("access", {"user": section.name})
    others = {one.box for one in heard.here if one.here and one.box and one.box != box}
    if others:
        return Trouble("twin", {"other": min(others)[:8], "user": section.name})
    house = heard.house
    if (
        house is not None
        and house.here
        and house.at
        and abs(now - house.at) > CLOCK + 2 * messages.TIME
    ):
        return Trouble("clock", {"span": span(now - house.at)})
    return None


async def _look(section: Section) -> Heard:
    """Come in as the table does, say something, and hear what comes back."""
    word, here = secrets.token_hex(6), list[messages.Here]()
    house: list[messages.Here] = []
    back: list[bool] = []

    def take(topic: str, payload: bytes, retained: bool) -> None:
        try:
            which, _ = topics.parse(topic)
            message = messages.decode(payload, which.carries)
        except (topics.NoTopicError, messages.MalformedError, messages.LaterVersionError):
            return
        if isinstance(message, messages.Probe):
            back.append(message.word == word)
        elif isinstance(message, messages.Here):
            (house if which is topics.HOUSE_HERE else here).append(message)

    own = [one.of(section.name) for one in (topics.HERE, topics.PROBE)]
    said = messages.encode(messages.Probe(word=word))
    trouble = await _visit(
        section,
        section.user or section.name,
        [*own, topics.HOUSE_HERE.name],
        take,
        [Said(topics.PROBE.of(section.name), said, False, topics.PROBE.qos)],
        LISTEN,
    )
    return Heard(trouble, here, house[-1] if house else None, any(back))


async def look_around(section: Broker) -> tuple[Trouble | None, Room, Refusals]:
    """Come in as the house does, and listen as long as every table that lives is heard."""
    room, refusals = Room(), Refusals()
    room.line(True, time.monotonic())

    def take(topic: str, payload: bytes, retained: bool) -> None:
        if topic.startswith("$SYS"):
            refusals.take(payload, time.monotonic())
        else:
            room.take(topic, payload, retained, time.monotonic(), time.time())

    hears = [*topics.heard_by_house(), topics.LOG]
    trouble = await _visit(section, topics.HOUSE, hears, take, [], PULSES)
    for table in room.tables.values():  # who was not heard in this time is not there
        if table.heard is None and not table.gone:
            table.gone = "lost"
    room.look(time.monotonic())
    return trouble, room, refusals


async def _visit(
    section: Broker,
    user: str,
    hears: Sequence[str],
    take: Take,
    says: Sequence[Said],
    seconds: float,
) -> Trouble | None:
    """Come in, say this, and listen for a while; why that could not be."""

    def born() -> None:
        for said in says:
            line.say(said)

    line = Line(
        section,
        user=user,
        identifier=f"{user}-doctor-{secrets.token_hex(3)}",
        hears=[(topic, 1) for topic in hears],
        take=take,
        birth=lambda: Said(f"{topics.PREFIX}/doctor", b"", False, 0),
        born=born,
    )
    task = asyncio.create_task(line.run())
    try:
        begun = asyncio.get_running_loop().time()
        while not line.up and asyncio.get_running_loop().time() - begun < PATIENCE:
            if line.trouble is not None and line.trouble.wrong:
                break
            await asyncio.sleep(0.05)
        if not line.up:
            return line.trouble
        await asyncio.sleep(seconds)
        return None
    finally:
        await end([task])

"""The queue into the referee: in order, bounded, and honest about what it forgot."""

import asyncio

from companion.daemon.inbox import Inbox
from companion.events import Event, Pressed, Reading, Rolled, Snapshot, Tick


async def drained(inbox: Inbox) -> list[Event]:
    found: list[Event] = []
    while True:
        event = (await inbox.get(0.0)).event
        if isinstance(event, Tick):
            return found
        found.append(event)


def test_events_come_out_in_order_with_their_times() -> None:
    async def go() -> None:
        inbox = Inbox()
        inbox.put(Pressed("up"), 1.0)
        inbox.put(Rolled(1, 6), 2.0)
        assert [tuple(await inbox.get(None)) for _ in range(2)] == [
            (Pressed("up"), 1.0),
            (Rolled(1, 6), 2.0),
        ]

    asyncio.run(go())


def test_a_deadline_gives_a_tick_and_an_event_comes_before_it() -> None:
    async def go() -> None:
        inbox, loop = Inbox(), asyncio.get_running_loop()
        deadline = loop.time() + 0.01
        posted = await inbox.get(deadline)
        assert posted.event == Tick()
        assert posted.at >= deadline
        loop.call_soon(inbox.put, Pressed("ok"), 5.0)
        assert (await inbox.get(loop.time() + 60)).event == Pressed("ok")

    asyncio.run(go())


def test_a_flood_of_readings_ends_in_one_true_snapshot() -> None:
    async def go() -> None:
        inbox = Inbox(limit=10)
        inbox.put(Snapshot(frozenset({"7"})), 0.0)
        for number in range(1000):
            inbox.put(Reading(str(number % 40), number % 3 == 0), 0.0)
        assert len(inbox) == 10
        *_, last = await drained(inbox)
        on = {"7"}
        for number in range(1000):
            (on.add if number % 3 == 0 else on.discard)(str(number % 40))
        assert last == Snapshot(frozenset(on))

    asyncio.run(go())


def test_a_roll_finds_room_among_readings() -> None:
    async def go() -> None:
        inbox = Inbox(limit=10)
        for number in range(10):
            inbox.put(Reading(str(number), True), 0.0)
        assert inbox.put(Rolled(1, 6), 0.0)
        events = await drained(inbox)
        assert Rolled(1, 6) in events
        assert events[-1] == Snapshot(frozenset(map(str, range(10))))

    asyncio.run(go())


def test_a_queue_full_of_other_things_refuses_more() -> None:
    inbox = Inbox(limit=3)
    assert [inbox.put(Pressed("up"), 0.0) for _ in range(4)] == [True, True, True, False]
    assert inbox.forgotten == 1

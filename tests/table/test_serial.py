"""The serial die and board, over real pyserial: with Picos in Python and on MicroPython."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.events import (
    Command,
    Event,
    Found,
    Fumbled,
    Lost,
    Reading,
    Rolled,
    Rolling,
    Snapshot,
)
from companion.referee import Keep, Referee
from companion.table import BoardDevice, DieDevice
from companion.table.serial_devices import SerialBoard, SerialDevice, SerialDie
from companion.table.serial_ports import SerialPorts, ports_like
from tests.picos import (
    BoardPico,
    DiePico,
    Events,
    MicroPythonBoard,
    MicroPythonDie,
    PythonBoard,
    PythonDie,
    until,
)

PLACES = {str(n + 1): divmod(n, 16) for n in range(120)}


@dataclass
class Table:
    """A table with two Picos on it, and the adapters under test."""

    ports: SerialPorts
    board: SerialBoard
    die: SerialDie
    pico_board: BoardPico
    pico_die: DiePico
    events: Events
    dev: Path

    async def begin(self) -> None:
        """Plug both in and wait until both are found."""
        await self.pico_board.plug()
        await self.pico_die.plug()
        self.start()
        await self.events.kind(Found, 2)
        await self.events.kind(Snapshot)

    def start(self) -> None:
        self.board.start(self.events.append)
        self.die.start(self.events.append)

    def occupied(self) -> set[str]:
        """The places that are on, for somebody who believes every event."""
        on: set[str] = set()
        for event in self.events:
            if isinstance(event, Snapshot):
                on = set(event.on)
            elif isinstance(event, Reading):
                (on.add if event.on else on.discard)(event.place)
        return on

    def faces(self) -> list[int]:
        return [event.face for event in self.events if isinstance(event, Rolled)]

    def numbers(self) -> list[int]:
        return [event.number for event in self.events if isinstance(event, Rolled)]


Kind = tuple[Callable[[Path], BoardPico], Callable[[Path], DiePico]]
KINDS: dict[str, Kind] = {
    "python": (PythonBoard, PythonDie),
    "micropython": (MicroPythonBoard, MicroPythonDie),
}


@asynccontextmanager
async def laid(kind: Kind, tmp_path: Path, confirm: bool = False) -> AsyncIterator[Table]:
    dev = tmp_path / "dev"
    dev.mkdir()
    ports = SerialPorts(ports_like([f"{dev}/*"]), look_every=0.05)
    board = SerialBoard(ports, PLACES)
    table = Table(
        ports,
        board,
        SerialDie(ports, confirm=confirm),
        kind[0](dev / "port1"),
        kind[1](dev / "port2"),
        Events(),
        dev,
    )
    try:
        yield table
    finally:
        table.board.close()
        table.die.close()
        await table.pico_board.unplug()
        await table.pico_die.unplug()


async def heard_all(device: SerialDevice) -> None:
    """Wait until the device has answered a ping that was sent after all we have said."""
    assert device.wire is not None
    link = device.wire.link
    for _ in range(2):
        link.round_trip = None
        await until(lambda: link.round_trip is not None)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


def test_presses_and_releases_come_as_readings_of_places(kind: Kind, tmp_path: Path) -> None:
    async def play() -> None:
        async with laid(kind, tmp_path) as table:
            await table.begin()
            assert table.events.count(Snapshot(frozenset())) == 1
            for place in ("1", "17", "120"):
                table.pico_board.press(*PLACES[place])
                await table.events.have(Reading(place, True))
            table.pico_board.release(*PLACES["17"])
            await table.events.have(Reading("17", False))
            assert table.events.number(Reading) == 4
            assert table.board.cells == {PLACES["1"], PLACES["120"]}

    asyncio.run(play())


def test_a_bouncing_switch_is_one_reading(kind: Kind, tmp_path: Path) -> None:
    async def play() -> None:
        async with laid(kind, tmp_path) as table:
            await table.begin()
            table.pico_board.bounce(*PLACES["40"], on=True)
            await table.events.have(Reading("40", True))
            table.pico_board.bounce(*PLACES["41"], on=False)  # ends open: no press at all
            table.pico_board.press(*PLACES["42"])
            await table.events.have(Reading("42", True))
            readings = [event for event in table.events if isinstance(event, Reading)]
            assert readings == [Reading("40", True), Reading("42", True)]

    asyncio.run(play())


def test_three_corners_of_a_rectangle_do_not_ghost_the_fourth(kind: Kind, tmp_path: Path) -> None:
    async def play() -> None:
        async with laid(kind, tmp_path) as table:
            await table.begin()
            for cell in ((1, 1), (1, 2), (2, 1)):
                table.pico_board.press(*cell)
            await table.events.kind(Reading, 3)
            assert table.board.cells == {(1, 1), (1, 2), (2, 1)}

    asyncio.run(play())


def test_pieces_that_stand_before_the_box_starts_are_known(kind: Kind, tmp_path: Path) -> None:
    async def play() -> None:
        async with laid(kind, tmp_path) as table:
            await table.pico_board.plug()
            table.pico_board.press(*PLACES["5"])
            table.pico_board.press(*PLACES["99"])
            table.board.start(table.events.append)
            await until(lambda: table.occupied() == {"5", "99"})

    asyncio.run(play())


def test_rolls_arrive_once_each_and_in_order(kind: Kind, tmp_path: Path) -> None:
    async def play() -> None:
        async with laid(kind, tmp_path) as table:
            await table.begin()
            for count, face in enumerate((6, 1, 4), 1):
                table.pico_die.throw(face)
                await table.events.kind(Rolled, count)
            assert table.faces() == [6, 1, 4]
            first = table.numbers()[0]
            assert table.numbers() == [first, first + 1, first + 2]
            assert table.events.number(Rolling) == 3

    asyncio.run(play())


def test_a_roll_says_which_die_it_came_from_and_is_kept_so(kind: Kind, tmp_path: Path) -> None:
    async def play() -> None:
        async with laid(kind, tmp_path) as table:
            await table.begin()
            table.pico_die.throw(4)
            await table.events.kind(Rolled)
            (roll,) = [event for event in table.events if isinstance(event, Rolled)]
            assert table.die.hello is not None
            assert roll.source == f"die:{table.die.hello.unit}"
            referee = Referee(sensing="choose")
            events: list[Event] = [Command("start"), Command("go_on"), roll]
            effects = [told for n, event in enumerate(events) for told in referee.feed(event, n)]
            kept = [one.record for one in effects if isinstance(one, Keep) and "face" in one.record]
            assert kept[0]["source"] == roll.source

    asyncio.run(play())


def test_a_touch_is_a_fumble_and_a_shake_is_a_roll(kind: Kind, tmp_path: Path) -> None:
    async def play() -> None:
        async with laid(kind, tmp_path) as table:
            await table.begin()
            table.pico_die.shake(2)
            await table.events.have(Fumbled())
            assert table.faces() == []
            table.pico_die.shake(8)
            await table.events.kind(Rolled)

    asyncio.run(play())


def test_the_die_shows_what_it_rolled_and_what_it_is_told(kind: Kind, tmp_path: Path) -> None:
    async def play() -> None:
        async with laid(kind, tmp_path) as table:
            await table.begin()
            table.pico_die.throw(4)
            await table.events.kind(Rolled)
            await table.pico_die.shows(0b1100011)
            table.die.show(1)
            await table.pico_die.shows(0b0001000)
            table.die.faces(("1", "2", "star", "4", "globe", "6"))
            table.die.show(5)
            await table.pico_die.shows(0b1111111)
            table.die.show(3)
            for spoke in (0b0011100, 0b1001001, 0b0101010):
                await table.pico_die.shows(spoke)
            table.die.show(None)
            await table.pico_die.shows(0)
            table.pico_die.throw(2)
            await table.pico_die.shows(0b1000001)
            await table.events.kind(Rolled, 2)

    asyncio.run(play())


def test_a_roll_that_does_not_count_gives_way_to_the_one_that_does(
    kind: Kind, tmp_path: Path
) -> None:
    one, six = 0b0001000, 0b1110111

    async def play() -> None:
        async with laid(kind, tmp_path, confirm=True) as table:
            await table.begin()
            table.pico_die.throw(6)
            await table.events.kind(Rolled)
            table.die.show(6)
            table.die.confirm(table.numbers()[0])
            table.pico_die.throw(1)
            await table.events.kind(Rolled, 2)
            table.die.show(6)  # too early: the die does not know yet that its roll was heard
            await heard_all(table.die)
            await table.pico_die.shows(one)
            table.die.confirm(table.numbers()[1])
            await table.pico_die.shows(six)
            await table.pico_die.unplug()
            await table.events.kind(Lost)
            await table.pico_die.plug()
            await table.pico_die.shows(six)

    asyncio.run(play())


def test_a_die_that_comes_back_shows_its_last_roll(kind: Kind, tmp_path: Path) -> None:
    async def play() -> None:
        async with laid(kind, tmp_path) as table:
            await table.begin()
            table.pico_die.throw(2)
            await table.events.kind(Rolled)
            await table.pico_die.reboot()
            await table.events.kind(Lost)
            await table.pico_die.shows(0b1000001)

    asyncio.run(play())


def test_lights_are_lit_and_relit_after_a_reboot(kind: Kind, tmp_path: Path) -> None:
    async def play() -> None:
        async with laid(kind, tmp_path) as table:
            await table.begin()
            table.board.light({"1": "on", "3": "on"})
            await table.pico_board.lit(0b101)
            table.board.light({"2": "fast"})
            await table.pico_board.lit(0b010)
            await table.pico_board.lit(0)
            await table.pico_board.reboot()
            await table.pico_board.lit(0b010)

    asyncio.run(play())


def test_lights_put_out_while_the_board_is_away_stay_out(kind: Kind, tmp_path: Path) -> None:
    async def play() -> None:
        async with laid(kind, tmp_path) as table:
            await table.begin()
            table.board.light({"1": "on"})
            await table.pico_board.lit(0b1)
            await table.pico_board.unplug()
            await table.events.kind(Lost)
            table.board.light({})
            await table.pico_board.plug()
            await table.events.kind(Found, 3)
            await heard_all(table.board)
            await table.pico_board.lit(0)

    asyncio.run(play())


def test_a_device_is_lost_once_and_found_once_on_another_port(kind: Kind, tmp_path: Path) -> None:
    async def play() -> None:
        async with laid(kind, tmp_path) as table:
            await table.begin()
            table.pico_board.press(*PLACES["8"])
            await table.events.have(Reading("8", True))
            await table.pico_board.unplug()
            await table.events.kind(Lost)
            table.pico_board.path = table.dev / "port7"
            await table.pico_board.plug()
            await table.events.kind(Found, 3)
            table.pico_board.press(*PLACES["9"])
            await until(lambda: PLACES["9"] in table.board.cells)
            losses = [event for event in table.events if isinstance(event, Lost)]
            assert [event.device for event in losses] == ["board"]
            assert "unplugged" in losses[0].why
            assert table.events.number(Found) == 3

    asyncio.run(play())


def test_ports_may_be_swapped(kind: Kind, tmp_path: Path) -> None:
    async def play() -> None:
        async with laid(kind, tmp_path) as table:
            board, die = table.pico_board, table.pico_die
            board.path, die.path = die.path, board.path
            await table.begin()
            table.pico_die.throw(3)
            table.pico_board.press(*PLACES["2"])
            await table.events.kind(Rolled)
            await table.events.have(Reading("2", True))

    asyncio.run(play())


def test_a_reboot_is_noticed_and_rolls_go_on(kind: Kind, tmp_path: Path) -> None:
    async def play() -> None:
        async with laid(kind, tmp_path) as table:
            await table.begin()
            table.pico_die.throw(5)
            await table.events.kind(Rolled)
            before = table.die.hello
            await table.pico_die.reboot()
            await table.events.kind(Found, 3)
            assert before is not None
            assert table.die.hello is not None
            assert table.die.hello.boot != before.boot
            assert table.die.hello.unit == before.unit
            table.pico_die.throw(5)
            await table.events.kind(Rolled, 2)
            assert table.faces() == [5, 5]
            assert len(set(table.numbers())) == 2

    asyncio.run(play())


def test_noise_on_the_line_changes_nothing(kind: Kind, tmp_path: Path) -> None:
    async def play() -> None:
        async with laid(kind, tmp_path) as table:
            await table.begin()
            for place in range(1, 20):
                table.pico_board.noise(os.urandom(37))
                table.pico_board.press(*PLACES[str(place)])
                await until(lambda place=place: PLACES[str(place)] in table.board.cells)  # type: ignore[misc]
            assert table.board.wire is not None
            assert table.board.wire.link.counters.bad > 0
            assert table.board.cells == {PLACES[str(place)] for place in range(1, 20)}
            assert table.events.number(Lost) == 0

    asyncio.run(play())


def test_a_silent_device_is_lost_and_found_when_it_wakes(kind: Kind, tmp_path: Path) -> None:
    async def play() -> None:
        async with laid(kind, tmp_path) as table:
            await table.begin()
            await table.pico_die.stall()
            await table.events.kind(Lost)
            loss = next(event for event in table.events if isinstance(event, Lost))
            assert loss.device == "die"
            assert "said nothing" in loss.why
            await table.pico_die.go_on()
            await table.events.kind(Found, 3)
            table.pico_die.throw(6)
            await table.events.kind(Rolled)

    asyncio.run(play())


def test_a_roll_waits_in_the_die_until_it_is_confirmed(kind: Kind, tmp_path: Path) -> None:
    async def play() -> None:
        async with laid(kind, tmp_path, confirm=True) as table:
            await table.begin()
            table.pico_die.throw(2)
            await table.events.kind(Rolled)
            assert table.die.wire is not None
            counters = table.die.wire.link.counters
            await until(lambda: counters.resent >= 2)
            assert table.faces() == [2]
            table.die.confirm(table.numbers()[0])
            table.pico_die.throw(3)  # the die tells of it only when the first is acknowledged
            await table.events.kind(Rolled, 2)
            assert table.faces() == [2, 3]

    asyncio.run(play())


def test_a_roll_thrown_while_the_box_is_away_comes_later(kind: Kind, tmp_path: Path) -> None:
    async def play() -> None:
        async with laid(kind, tmp_path) as table:
            await table.pico_die.plug()
            table.pico_die.throw(4)
            table.die.start(table.events.append)
            await table.events.kind(Rolled)
            number = table.numbers()[0]
            table.die.close()

            again = Events()
            ports = SerialPorts(ports_like([f"{table.dev}/*"]), look_every=0.05)
            die = SerialDie(ports, after=number)
            die.start(again.append)
            await again.kind(Found)
            table.pico_die.throw(1)
            await again.kind(Rolled)
            die.close()
            assert [e.face for e in again if isinstance(e, Rolled)] == [1]

    asyncio.run(play())


def test_the_adapters_keep_the_tables_interface() -> None:
    ports = SerialPorts(ports_like([]))
    board: BoardDevice = SerialBoard(ports, PLACES)
    die: DieDevice = SerialDie(ports)
    assert (board.name, die.name) == ("board", "die")
    board.close()
    die.close()
    die.close()

"""Finding devices on ports: missing, refused, doubled, deaf and wrongly wired ones."""

import asyncio
import errno
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from serial.tools import list_ports

from companion.events import Found, Lost, Reading, Rolled, Snapshot
from companion.table.pico import PtyConsole, SimulatedBoard, SimulatedDie
from companion.table.serial_devices import SerialBoard, SerialDie
from companion.table.serial_ports import (
    HELD_BACK,
    RASPBERRY_PI,
    PicoPorts,
    PortReport,
    SerialPorts,
    ports_like,
)
from firmware import VERSION
from firmware.line import PROTOCOL, encode, mask_text
from tests.picos import Events, until

PLACES = {str(n + 1): divmod(n, 16) for n in range(100)}
Play = Callable[[SerialPorts, Path, Events], Awaitable[None]]


def play(tmp_path: Path, game: Play) -> None:
    """Run a game on ports that appear in a folder: no callback fails, and nothing stays open."""
    before = len(os.listdir("/proc/self/fd"))
    faults: list[dict[str, Any]] = []

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
        await game(SerialPorts(ports_like([f"{tmp_path}/*"]), look_every=0.02), tmp_path, Events())

    asyncio.run(run())
    assert faults == []
    assert len(os.listdir("/proc/self/fd")) == before


def report_of(ports: SerialPorts, path: Path) -> PortReport:
    (found,) = [one for one in ports.report() if one.path == os.path.realpath(path)]
    return found


def test_a_missing_device_is_reported_once_and_taken_when_it_appears(tmp_path: Path) -> None:
    async def game(ports: SerialPorts, dev: Path, events: Events) -> None:
        die = SerialDie(ports, grace=0.05)
        die.start(events.append)
        await events.kind(Lost)
        pico = SimulatedDie(dev / "a")
        pico.plug()
        await events.kind(Found)
        pico.throw(3)
        await events.kind(Rolled)
        assert events[0] == Lost("die", "No die was found: plug it in.")
        assert [type(event) for event in events].count(Lost) == 1
        die.close()
        die.close()
        pico.unplug()

    play(tmp_path, game)


def test_a_device_that_is_there_is_never_reported_missing(tmp_path: Path) -> None:
    async def game(ports: SerialPorts, dev: Path, events: Events) -> None:
        pico = SimulatedBoard(dev / "a")
        pico.plug()
        board = SerialBoard(ports, PLACES, grace=0.5)
        board.start(events.append)
        await events.kind(Snapshot)
        pico.run(1000)
        assert events == [
            Found("board", f"board 5b0a7d, firmware {VERSION}, on {os.path.realpath(dev / 'a')}"),
            Snapshot(frozenset()),
        ]
        board.close()
        pico.unplug()

    play(tmp_path, game)


def test_a_device_of_another_protocol_is_reported_with_what_to_flash(tmp_path: Path) -> None:
    async def game(ports: SerialPorts, dev: Path, events: Events) -> None:
        console = PtyConsole()
        (dev / "old").symlink_to(os.ttyname(console.host))
        die = SerialDie(ports)
        die.start(events.append)
        await until(lambda: b"hello" in console.read())
        for seq in (1, 2, 3):
            console.write(encode(seq, "hello", "die", "0.1.0", PROTOCOL - 1))
        await events.kind(Lost)
        await until(lambda: report_of(ports, dev / "old").counters.good == 3)
        (lost,) = events
        assert isinstance(lost, Lost)
        assert "companion flash die" in lost.why
        report = report_of(ports, dev / "old")
        assert (report.state, report.note) == ("refused", lost.why)
        die.close()
        console.close()

    play(tmp_path, game)


def test_a_second_die_waits_and_takes_over(tmp_path: Path) -> None:
    async def game(ports: SerialPorts, dev: Path, events: Events) -> None:
        first, second = SimulatedDie(dev / "a", unit="aa"), SimulatedDie(dev / "b", unit="bb")
        first.plug()
        die = SerialDie(ports)
        die.start(events.append)
        await events.kind(Found)
        second.plug()
        await until(lambda: any(one.state == "spare" for one in ports.report()))
        assert report_of(ports, dev / "b").note == (
            "A second die: it waits until the first is unplugged."
        )
        second.throw(6)
        first.throw(2)
        await events.kind(Rolled)
        first.unplug()
        await events.kind(Rolled, 2)
        kinds = [type(event) for event in events if isinstance(event, Rolled | Lost | Found)]
        assert kinds == [Found, Rolled, Lost, Found, Rolled]
        assert die.hello is not None
        assert die.hello.unit == "bb"
        die.close()
        second.unplug()

    play(tmp_path, game)


def test_a_device_may_be_chosen_by_its_unit(tmp_path: Path) -> None:
    async def game(ports: SerialPorts, dev: Path, events: Events) -> None:
        picos = [SimulatedDie(dev / unit, unit=unit) for unit in ("aa", "bb", "cc")]
        for pico in picos:
            pico.plug()
        die = SerialDie(ports, unit="bb")
        die.start(events.append)
        await events.kind(Found)
        await until(lambda: sum(one.state == "unused" for one in ports.report()) == 2)
        assert die.hello is not None
        assert die.hello.unit == "bb"
        assert not any(one.note for one in ports.report())
        die.close()
        for pico in picos:
            pico.unplug()

    play(tmp_path, game)


def test_a_unit_that_was_not_asked_for_is_told_by_both_names(tmp_path: Path) -> None:
    async def game(ports: SerialPorts, dev: Path, events: Events) -> None:
        pico = SimulatedDie(dev / "a", unit="aa")
        pico.plug()
        die = SerialDie(ports, unit="ab", grace=60)
        die.start(events.append)
        await until(lambda: any(one.hello is not None for one in ports.report()))
        report = report_of(ports, dev / "a")
        assert (report.state, report.note) == ("spare", "Its unit is aa, but die.unit says ab.")
        die.close()
        pico.unplug()

    play(tmp_path, game)


def test_a_device_that_nobody_looks_for_is_unused_not_second(tmp_path: Path) -> None:
    async def game(ports: SerialPorts, dev: Path, events: Events) -> None:
        pico = SimulatedBoard(dev / "a")
        pico.plug()
        die = SerialDie(ports, grace=60)
        die.start(events.append)
        await until(lambda: any(one.hello is not None for one in ports.report()))
        report = report_of(ports, dev / "a")
        assert (report.state, report.note) == ("unused", "")
        die.close()
        pico.unplug()

    play(tmp_path, game)


def test_a_unit_that_greets_from_a_new_port_has_moved(tmp_path: Path) -> None:
    async def game(ports: SerialPorts, dev: Path, events: Events) -> None:
        ghost, pico = SimulatedDie(dev / "a", unit="aa"), SimulatedDie(dev / "b", unit="aa")
        ghost.plug()
        die = SerialDie(ports)
        die.start(events.append)
        await events.kind(Found)
        ghost.stall()  # its port stays open, as after a bad replug
        pico.plug()
        await events.kind(Found, 2)
        pico.throw(5)
        await events.kind(Rolled)
        assert events.number(Lost) == 1
        die.close()
        ghost.unplug()
        pico.unplug()

    play(tmp_path, game)


def test_of_two_that_say_the_same_unit_one_waits(tmp_path: Path) -> None:
    async def game(ports: SerialPorts, dev: Path, events: Events) -> None:
        one, other = SimulatedDie(dev / "a", unit="aa"), SimulatedDie(dev / "b", unit="aa")
        one.plug()
        die = SerialDie(ports)
        die.start(events.append)
        await events.kind(Found)
        other.plug()
        await events.kind(Found, 2)
        await until(lambda: "spare" in [report.state for report in ports.report()])
        assert events.number(Lost) == 1
        other.unplug()
        await events.kind(Found, 3)
        one.throw(5)
        await events.kind(Rolled)
        die.close()
        one.unplug()

    play(tmp_path, game)


def test_a_device_that_does_not_read_never_stops_the_box(tmp_path: Path) -> None:
    async def game(ports: SerialPorts, dev: Path, events: Events) -> None:
        pico = SimulatedBoard(dev / "a")
        pico.plug()
        board = SerialBoard(ports, PLACES)
        board.start(events.append)
        await events.kind(Snapshot)
        pico.stall()
        wire = board.wire
        assert wire is not None
        for turn in range(2000):
            board.light({str(turn % 100 + 1): "on"})
        assert wire.dropped > 0
        assert len(wire.held) <= HELD_BACK
        pico.go_on()
        await until(lambda: pico.lit == 1 << 99)  # the last wish, repeated with a ping
        pico.press(0, 5)
        await until(lambda: (0, 5) in board.cells)
        board.close()
        pico.unplug()

    play(tmp_path, game)


def test_cells_without_a_place_are_counted_and_shown_to_learn(tmp_path: Path) -> None:
    async def game(ports: SerialPorts, dev: Path, events: Events) -> None:
        raw: list[tuple[int, int, bool]] = []
        pico = SimulatedBoard(dev / "a", rows=4, columns=8)
        pico.plug()
        board = SerialBoard(
            ports,
            {"1": (0, 0), "2": (0, 7), "3": (4, 0)},
            on_cell=lambda row, column, on: raw.append((row, column, on)),
        )
        board.start(events.append)
        await events.kind(Snapshot)
        pico.press(2, 3)
        pico.press(0, 7)
        pico.release(2, 3)
        await until(lambda: len(raw) == 3)
        assert raw == [(2, 3, True), (0, 7, True), (2, 3, False)]
        assert [event for event in events if isinstance(event, Reading)] == [Reading("2", True)]
        assert board.unnamed == {(2, 3): 1}
        assert board.unreachable == {"3": (4, 0)}
        board.close()
        pico.unplug()

    play(tmp_path, game)


def test_a_key_told_before_the_first_snapshot_is_no_reading(tmp_path: Path) -> None:
    async def game(ports: SerialPorts, dev: Path, events: Events) -> None:
        console = PtyConsole()
        (dev / "a").symlink_to(os.ttyname(console.host))
        board = SerialBoard(ports, PLACES)
        board.start(events.append)
        await until(lambda: b"hello" in console.read())
        console.write(encode(5001, "hello", "board", "1.0.0", PROTOCOL, 5, "e6", "8x16"))
        console.write(encode(5002, "press", 0, 0))
        await until(lambda: (0, 0) in board.cells)
        assert [type(event) for event in events] == [Found]
        console.write(encode(5003, "snap", mask_text(1, 128)))
        console.write(encode(5004, "release", 0, 0))
        await events.kind(Reading)
        assert events[1:] == [Snapshot(frozenset({"1"})), Reading("1", False)]
        board.close()
        console.close()

    play(tmp_path, game)


def test_snapshots_are_events_when_they_confirm_a_change_or_repair(tmp_path: Path) -> None:
    async def game(ports: SerialPorts, dev: Path, events: Events) -> None:
        pico = SimulatedBoard(dev / "a")
        pico.plug()
        board = SerialBoard(ports, PLACES)
        board.start(events.append)
        await events.kind(Snapshot)
        pico.press(0, 0)
        await events.have(Reading("1", True))
        pico.run(9000)
        wire = board.wire
        assert wire is not None
        await until(lambda: wire.link.counters.good > 6)
        assert events[1:] == [Snapshot(frozenset()), Reading("1", True), Snapshot(frozenset({"1"}))]
        pico.noise(b"spoilt")  # merges with the next line, which is lost
        pico.press(0, 1)
        await events.have(Snapshot(frozenset({"1", "2"})))
        board.close()
        pico.unplug()

    play(tmp_path, game)


def test_a_port_that_fails_while_it_is_opened_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    failures: list[bytes] = []

    def fail_once(fd: int, data: bytes) -> int:
        if not failures and b"hello box" in data:
            failures.append(data)
            raise OSError(errno.EIO, "Input/output error")
        return write(fd, data)

    async def game(ports: SerialPorts, dev: Path, events: Events) -> None:
        pico = SimulatedDie(dev / "a")
        pico.plug()
        monkeypatch.setattr(os, "write", fail_once)
        die = SerialDie(ports)
        die.start(events.append)
        await events.kind(Found)
        pico.throw(3)
        await events.kind(Rolled)
        assert failures
        assert events.number(Lost) == 0
        die.close()
        pico.unplug()

    play(tmp_path, game)


@pytest.mark.parametrize("way", ["held", "no serial port"])
def test_a_port_that_cannot_be_opened_is_named_with_the_reason(tmp_path: Path, way: str) -> None:
    async def game(ports: SerialPorts, dev: Path, events: Events) -> None:
        other = SerialPorts(ports_like([f"{dev}/*"]), look_every=0.02)
        holder = SerialDie(other)
        pico = SimulatedDie(dev / "a")
        if way == "held":
            pico.plug()
            holder.start(Events().append)
        else:
            (dev / "a").write_text("not a device")
        die = SerialDie(ports, grace=0.05)
        die.start(events.append)
        await events.kind(Lost)
        lost = events[0]
        report = report_of(ports, dev / "a")
        assert isinstance(lost, Lost)
        assert report.state == "closed"
        assert report.note in lost.why
        assert ("Another program holds" if way == "held" else "cannot be opened") in report.note
        holder.close()
        if way == "held":
            await events.kind(Found)
        die.close()
        pico.unplug()

    play(tmp_path, game)


def test_picos_are_found_by_their_usb_vendor() -> None:
    picos = [port.device for port in list_ports.comports() if port.vid == RASPBERRY_PI]
    assert PicoPorts()() == picos

"""The board's firmware: scan, tell, snapshot, light; and a box that does not listen."""

import pytest

from firmware import VERSION
from firmware.board.board import SNAP_EVERY, Board
from firmware.board.lights import BLINK, FAST, Lights
from firmware.board.matrix import Matrix
from firmware.line import decode, encode
from firmware.port import AT_ONCE, SILENCE, WAITING, Port
from firmware.ticks import PERIOD


class Wires:
    """A matrix of switches, each with a diode towards its row, or without."""

    def __init__(self, rows: int, columns: int, diodes: bool = True) -> None:
        self.rows, self.columns, self.diodes = rows, columns, diodes
        self.closed: set[tuple[int, int]] = set()
        self.low: set[int] = set()
        self.reads = 0

    def pull(self, row: int, low: bool) -> None:
        (self.low.add if low else self.low.discard)(row)

    def levels(self) -> int:
        self.reads += 1
        rows = set(self.low)
        columns: set[int] = set()
        while True:
            pulled = {column for row, column in self.closed if row in rows}
            if pulled == columns:
                break
            columns = pulled
            if not self.diodes:  # current finds its way back through other switches
                rows |= {row for row, column in self.closed if column in columns}
        return ~sum(1 << column for column in columns) & 0xFFFFFFFF

    def matrix(self) -> Matrix:
        return Matrix(self.rows, self.columns, self.pull, self.levels, lambda: None)


def test_a_scan_reads_each_row_once_and_leaves_all_rows_alone() -> None:
    wires = Wires(8, 16)
    wires.closed = {(0, 0), (0, 15), (7, 3)}
    assert wires.matrix().scan() == [0x8001, 0, 0, 0, 0, 0, 0, 0x0008]
    assert wires.reads == 8
    assert wires.low == set()


def test_diodes_keep_three_switches_from_ghosting_a_fourth() -> None:
    corners = {(1, 1), (1, 2), (2, 1)}
    good, bad = Wires(3, 3), Wires(3, 3, diodes=False)
    good.closed = bad.closed = corners
    assert good.matrix().scan() == [0, 0b110, 0b010]
    assert bad.matrix().scan() == [0, 0b110, 0b110]


class Bench:
    """A board of 2x4 on a test bench."""

    def __init__(self) -> None:
        self.now = PERIOD - 500
        self.masks = [0, 0]
        self.inbox = b""
        self.outbox = b""
        self.room: int | None = None  # bytes that still fit; any number
        self.lit: list[int] = []
        self.port = Port(self, "board", 5, "e6", 2, 4)
        self.board = Board(self.port, lambda: self.masks, 2, 4, Lights(self.lit.append))

    def read(self) -> bytes:
        data, self.inbox = self.inbox, b""
        return data

    def write(self, data: bytes) -> int:
        taken = data if self.room is None else data[: self.room]
        if self.room is not None:
            self.room -= len(taken)
        self.outbox += taken
        return len(taken)

    def run(self, milliseconds: int) -> list[str]:
        for _ in range(milliseconds):
            self.now = (self.now + 1) % PERIOD
            self.board.step(self.now)
        data, self.outbox = self.outbox, b""
        lines = [decode(line) for line in data.splitlines()]
        return [" ".join([message[1], *message[2]]) for message in lines if message]

    def tell(self, word: str, *args: object) -> list[str]:
        self.inbox += encode(1, word, *args)
        return self.run(1)


def test_it_says_hello_and_what_stands_on_it_once_that_is_certain() -> None:
    bench = Bench()
    bench.masks = [0b0001, 0b1000]
    said = bench.run(100)
    assert said[0] == f"hello board {VERSION} 1 5 e6 2x4"
    assert said[1:] == ["press 0 0", "press 1 3", "snap 81"]


def test_presses_releases_and_a_snapshot_now_and_then() -> None:
    bench = Bench()
    bench.run(100)
    bench.masks = [0b0010, 0]
    assert bench.run(30) == ["press 0 1"]
    bench.masks = [0, 0]
    assert bench.run(30) == ["release 0 1"]
    assert bench.run(3 * SNAP_EVERY).count("snap 00") == 3


def test_the_box_gets_a_snapshot_when_it_greets_or_asks() -> None:
    bench = Bench()
    bench.run(100)
    assert bench.tell("hello", "box", 1, 1) == [f"hello board {VERSION} 1 5 e6 2x4", "snap 00"]
    assert bench.tell("snap") == ["snap 00"]
    assert bench.tell("ping", 7) == ["pong 7 3 0"]


def test_bad_lines_are_counted_in_the_pong() -> None:
    bench = Bench()
    bench.run(100)
    bench.inbox += b"1 snap #00000000\n" + encode(1, "roll", 1, 1)
    assert bench.tell("ping", 1) == ["pong 1 1 2"]


def unread() -> Bench:
    """A board that has said more than its box cares to read."""
    bench = Bench()
    bench.run(100)
    bench.room = 0
    for turn in range(2 * WAITING):
        bench.masks = [turn % 2, 0]
        bench.run(25)
    return bench


def test_a_box_that_does_not_read_gets_the_whole_matrix_later() -> None:
    bench = unread()
    bench.masks = [0b1000, 0b0001]
    bench.run(25)
    assert len(bench.port.waiting) <= WAITING
    bench.room = None
    assert bench.run(60)[-1] == "snap 18"


def test_a_line_that_was_begun_is_ended_before_another_whatever_is_given_up_meanwhile() -> None:
    bench = Bench()
    bench.run(100)
    bench.room = 7
    for turn in range(4 * WAITING):
        bench.masks = [1 - turn // 2 % 2, 0]
        bench.board.step(bench.now)
        bench.now = (bench.now + 25) % PERIOD
    assert len(bench.outbox) == 7
    bench.room = None
    said = bench.run(100)
    assert said[0] == "press 0 0"  # the first one, though the next ones fell out
    assert len(said) == WAITING + 2
    assert said[-1] == "snap 00"


def test_scanning_goes_on_while_every_key_is_told() -> None:
    bench = Bench()
    bench.run(100)
    bench.masks = [0b1111, 0b1111]
    bench.run(20)
    told = [len(bench.run(1)) for _ in range(2)]
    assert told == [AT_ONCE, AT_ONCE]


def test_a_box_that_never_reads_is_not_told_the_matrix_all_the_time() -> None:
    bench = unread()
    counted = bench.port.seq
    bench.run(5 * SNAP_EVERY)
    assert bench.port.seq == counted
    bench.room = None
    said = bench.run(60)
    assert [line for line in said if line.startswith("snap")] == ["snap 01"]
    assert said[-1] == "snap 01"
    assert bench.run(SNAP_EVERY) == ["snap 01"]


def test_lights_blink_and_go_out_when_the_box_is_gone() -> None:
    bench = Bench()
    bench.run(100)
    bench.tell("light", "01", "02", "00")
    bench.run(BLINK)
    assert bench.lit[-2:] == [0b11, 0b01]
    bench.tell("light", "00", "00", "80")
    bench.run(FAST)
    assert bench.lit[-2:] == [0x80, 0]
    bench.tell("light", "01", "00", "00")
    bench.run(SILENCE + 2)
    assert bench.lit[-1] == 0


@pytest.mark.parametrize("args", [("01",), ("01", "02", "003"), ("zz", "00", "00"), ()])
def test_lights_that_make_no_sense_are_ignored(args: tuple[str, ...]) -> None:
    bench = Bench()
    bench.run(100)
    bench.tell("light", "01", "00", "00")
    bench.tell("light", *args)
    assert bench.lit[-1] == 1

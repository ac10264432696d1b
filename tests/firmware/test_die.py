"""The die's firmware: what is a throw, what it draws, shows and tells."""

from collections import Counter

import pytest

from firmware import VERSION
from firmware.die.die import AGAIN, UNHEARD, Die, draw
from firmware.die.pips import PICTURES
from firmware.die.throw import ENDLESS, STILL, Throw
from firmware.line import decode, encode
from firmware.port import Port
from firmware.ticks import PERIOD

# Button (ms down, ms up) and shake edges (moments), and what the throw comes to.
THROWS: list[tuple[str, list[tuple[int, int]], list[int], list[str]]] = [
    ("nothing", [], [], []),
    ("a tap of the button", [(10, 60)], [], ["rolling", "rolled"]),
    ("a button held for two seconds", [(10, 2000)], [], ["rolling", "rolled"]),
    ("a spike on the button", [(10, 20)], [], []),
    ("a good shake", [], [10, 80, 150, 220, 300], ["rolling", "rolled"]),
    ("a single knock", [], [10], ["rolling", "fumbled"]),
    ("too few movements", [], [10, 150, 300], ["rolling", "fumbled"]),
    ("too short a rattle", [], [10, 20, 30, 40, 50, 60], ["rolling", "fumbled"]),
    ("a shake with a rest just too short", [], [10, 80, 479, 800], ["rolling", "rolled"]),
    ("two knocks far apart", [], [10, 600], ["rolling", "fumbled"] * 2),
    ("a knock and the button", [(100, 200)], [10], ["rolling", "rolled"]),
    ("somebody leans on the button", [(10, ENDLESS + 900)], [], ["rolling", "fumbled"]),
    ("a switch that never rests", [], list(range(10, ENDLESS + 900, 100)), ["rolling", "fumbled"]),
]


@pytest.mark.parametrize("start", [0, PERIOD - 100, PERIOD - 5000])
@pytest.mark.parametrize(("button", "edges", "ends"), [case[1:] for case in THROWS])
def test_a_throw_ends_as_it_should(
    button: list[tuple[int, int]], edges: list[int], ends: list[str], start: int
) -> None:
    throw = Throw()
    found = []
    for now in range(ENDLESS + 2500):
        down = any(first <= now < last for first, last in button)
        happened = throw.step(down, edges.count(now), (start + now) % PERIOD)
        if happened:
            found.append(happened)
    assert found == ends
    assert not throw.rolling


def test_a_stalled_loop_does_not_end_a_throw_that_goes_on() -> None:
    throw = Throw()
    assert throw.step(False, 1, 0) == "rolling"
    assert throw.step(False, 7, 600) is None  # edges were counted during the stall
    assert throw.step(False, 0, 600 + STILL) == "rolled"


def test_every_byte_gives_a_face_or_is_thrown_away() -> None:
    faces = Counter()  # type: Counter[int]
    for byte in range(256):
        source = iter([byte, 0])
        face = draw(lambda count, source=source: bytes([next(source)]))  # type: ignore[misc]
        if next(source, None) is not None:
            faces[face] += 1
        else:
            assert byte >= 252
    assert faces == dict.fromkeys(range(1, 7), 42)


class Bench:
    """A die on a test bench: its wires are plain attributes."""

    def __init__(self, boot: int = 9) -> None:
        self.now = PERIOD - 700
        self.button = False
        self.inbox = b""
        self.outbox = b""
        self.shown: list[int] = []
        self.faces = [1]
        self.die = Die(
            Port(self, "die", boot, "e7"),
            boot,
            lambda: self.button,
            lambda: 0,
            lambda count: bytes([self.faces.pop(0) - 1]),
            self.shown.append,
        )

    def read(self) -> bytes:
        data, self.inbox = self.inbox, b""
        return data

    def write(self, data: bytes) -> int:
        self.outbox += data
        return len(data)

    def run(self, milliseconds: int) -> list[str]:
        """Let time pass; returns what the die says."""
        for _ in range(0, milliseconds, 5):
            self.now = (self.now + 5) % PERIOD
            self.die.step(self.now)
        data, self.outbox = self.outbox, b""
        lines = [decode(line) for line in data.splitlines()]
        return [" ".join([message[1], *message[2]]) for message in lines if message]

    def tell(self, word: str, *args: object) -> list[str]:
        self.inbox += encode(1, word, *args)
        return self.run(5)

    def throw(self, face: int) -> list[str]:
        self.faces = [face]
        self.button = True
        said = self.run(50)
        self.button = False
        return said + self.run(STILL + 30)


def linked(boot: int = 9) -> Bench:
    bench = Bench(boot)
    bench.run(5)
    assert bench.tell("hello", "box", 1, 1) == [f"hello die {VERSION} 1 {boot} e7 0x0"]
    return bench


def test_a_roll_is_told_again_and_again_until_it_is_heard() -> None:
    bench = linked()
    assert bench.throw(4) == ["rolling", "roll 9001 4"]
    assert bench.run(4 * AGAIN) == ["roll 9001 4"] * 4
    assert bench.tell("ack", 9000) == []
    assert bench.run(AGAIN) == ["roll 9001 4"]
    bench.tell("ack", 9001)
    assert bench.run(4 * AGAIN) == []


def test_rolls_are_told_one_after_the_other() -> None:
    bench = linked()
    bench.throw(4)
    assert set(bench.throw(5)) == {"roll 9001 4"}
    assert bench.tell("ack", 9001) == ["roll 9002 5"]


def test_rolls_wait_for_a_box_that_is_away() -> None:
    bench = Bench()
    assert bench.throw(6) == [f"hello die {VERSION} 1 9 e7 0x0", "rolling"]
    assert bench.run(3 * AGAIN) == []
    assert bench.tell("hello", "box", 1, 1)[-1] == "roll 9001 6"


def test_a_die_that_is_not_heard_stays_still_at_last() -> None:
    bench = linked()
    for _ in range(UNHEARD + 3):
        bench.throw(2)
    assert [args[0] for _, args in bench.die.unheard] == list(range(9001, 9001 + UNHEARD))


def test_the_face_stays_over_a_reconnect_and_winks_while_unheard() -> None:
    bench = linked()
    bench.throw(6)
    bench.shown.clear()
    bench.run(2000)
    assert set(bench.shown) == {0, PICTURES["6"][0]}
    bench.tell("ack", 9001)
    bench.run(20)
    bench.shown.clear()
    bench.tell("hello", "box", 1, 2)
    bench.run(6000)  # long enough for the box to count as gone
    bench.tell("hello", "box", 1, 3)
    bench.run(50)
    assert bench.shown == []
    assert bench.die.face == 6


def test_an_old_wish_does_not_hide_a_new_roll() -> None:
    bench = linked()
    bench.tell("show", 2)
    assert bench.shown[-1] == PICTURES["2"][0]
    bench.throw(5)
    bench.tell("show", 2)
    assert bench.shown[-1] == PICTURES["5"][0]
    bench.tell("ack", 9001)
    bench.tell("show", 2)
    assert bench.shown[-1] == PICTURES["2"][0]


def test_a_wish_does_not_touch_a_die_that_rolls() -> None:
    bench = linked()
    bench.tell("show", 2)
    bench.faces = [5]
    bench.button = True
    bench.run(50)
    bench.tell("show", 3)
    assert bench.die.face == 2
    bench.button = False
    for _ in range(STILL // 10):
        bench.tell("show", 3)
    bench.run(STILL)
    assert bench.shown[-1] == PICTURES["5"][0]


def test_the_pips_tumble_while_the_die_rolls() -> None:
    bench = linked()
    bench.button = True
    bench.run(600)
    assert {PICTURES[str(face)][0] for face in range(1, 7)} <= set(bench.shown)


@pytest.mark.parametrize("names", [["1", "2"], ["1", "2", "3", "4", "5", "moon"], []])
def test_faces_without_a_picture_change_nothing(names: list[str]) -> None:
    bench = linked()
    bench.tell("faces", *names)
    bench.tell("show", 3)
    assert bench.shown[-1] == PICTURES["3"][0]


def test_every_face_looks_different() -> None:
    stills = [pictures[0] for pictures in PICTURES.values()]
    assert len(set(stills)) == len(PICTURES)
    assert bin(PICTURES["6"][0]).count("1") == 6
    for face in range(1, 7):
        assert bin(PICTURES[str(face)][0]).count("1") == face


@pytest.mark.parametrize("args", [(), (7,), ("x",), (1, 2)])
def test_a_wish_that_makes_no_sense_is_ignored(args: tuple[object, ...]) -> None:
    bench = linked()
    bench.tell("show", 4)
    bench.tell("show", *args)
    assert bench.shown[-1] == PICTURES["4"][0]

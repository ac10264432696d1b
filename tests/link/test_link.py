"""The box's end of a link: greeting, versions, order, silence, acknowledgements."""

import pytest

from companion.link import (
    Down,
    Fumble,
    Hello,
    Incompatible,
    Key,
    Keys,
    Link,
    News,
    Roll,
    RollBegun,
    Taken,
    Up,
)
from firmware.line import PROTOCOL, decode, encode

BOARD = ("hello", "board", "1.0.0", PROTOCOL, 5, "e6", "2x3")
DIE = ("hello", "die", "1.0.0", PROTOCOL, 9, "e7", "0x0")


class Box:
    """A link under test, at a time that only moves when told."""

    def __init__(self, taken: Taken | None = None) -> None:
        self.link = Link(1, taken)
        self.now = 0.0

    def hear(self, seq: int, *message: object) -> list[News]:
        word, *args = message
        return self.link.receive(encode(seq, str(word), *args), self.now)

    def wait(self, seconds: float) -> list[News]:
        news: list[News] = []
        for _ in range(round(seconds * 4)):
            self.now += 0.25
            news += self.link.tick(self.now)
        return news

    def said(self) -> list[str]:
        lines = [decode(line) for line in self.link.outgoing().splitlines()]
        return [" ".join([message[1], *message[2]]) for message in lines if message]


def greeted(hello: tuple[object, ...] = BOARD, taken: Taken | None = None) -> Box:
    box = Box(taken)
    box.link.tick(0.0)
    assert [type(news) for news in box.hear(5000 if hello == BOARD else 9000, *hello)] == [Up]
    box.said()
    return box


def test_it_greets_until_somebody_answers() -> None:
    box = Box()
    box.wait(3)
    assert box.said() == ["hello box 1 1"] * 3
    assert box.hear(5001, *BOARD) == [Up(Hello("board", "1.0.0", PROTOCOL, 5, "e6", 2, 3))]
    box.said()
    box.wait(2)
    assert [line.split()[0] for line in box.said()] == ["ping", "ping"]


def test_nothing_counts_before_the_hello() -> None:
    box = Box()
    assert box.hear(5001, "press", 0, 1) == []
    assert box.hear(9001, "roll", 9001, 6) == []
    assert box.said() == []


def test_an_older_device_is_refused_with_what_to_flash() -> None:
    box = Box()
    (refused,) = box.hear(1, "hello", "die", "0.9.0", PROTOCOL - 1, "what", "ever", "it", "says")
    assert isinstance(refused, Incompatible)
    assert refused.role == "die"
    assert "firmware 0.9.0" in refused.why
    assert "Run `companion flash die`." in refused.why
    assert box.hear(2, "hello", "die", "0.9.0", PROTOCOL - 1, "x", "y", "z") == []
    assert box.hear(3, "roll", 1, 6) == []


def test_a_newer_device_is_refused_with_what_to_update() -> None:
    box = Box()
    (refused,) = box.hear(1, "hello", "board", "7.0.0", PROTOCOL + 1)
    assert isinstance(refused, Incompatible)
    assert "Update the companion" in refused.why


def test_a_refused_device_is_taken_once_it_is_flashed() -> None:
    box = Box()
    box.hear(1, "hello", "board", "0.1.0", PROTOCOL - 1)
    assert [type(news) for news in box.hear(5001, *BOARD)] == [Up]
    assert box.link.refused is None


def test_lines_count_once_and_only_forwards() -> None:
    box = greeted()
    assert box.hear(5001, "press", 0, 1) == [Key(0, 1, True)]
    assert box.hear(5001, "press", 0, 1) == []
    assert box.hear(5003, "release", 0, 1) == [Key(0, 1, False)]
    assert box.hear(5002, "press", 1, 2) == []
    assert (box.link.counters.late, box.link.counters.gaps) == (2, 1)


def test_a_gap_or_a_bad_line_asks_for_the_whole_matrix_at_once() -> None:
    box = greeted()
    box.now = 1.0
    box.hear(5003, "press", 0, 1)
    assert box.said() == ["snap"]
    assert box.hear(5004, "snap", "22") == [Keys(frozenset({(0, 1), (1, 2)}))]
    box.now = 2.0
    box.link.receive(b"5005 press 0 0 #00000000\n", box.now)
    assert box.said() == ["snap"]
    assert box.link.counters.bad == 1


def test_it_does_not_ask_for_snapshots_all_the_time() -> None:
    box = greeted()
    box.now = 1.0
    for seq in range(5002, 5100, 2):
        box.hear(seq, "press", 0, 1)
    assert box.said() == ["snap"]


def test_a_new_boot_starts_afresh_and_the_old_one_is_forgotten() -> None:
    box = greeted()
    later = (*BOARD[:4], 77, *BOARD[5:])
    assert box.hear(77001, *later) == [
        Down("It has restarted."),
        Up(Hello("board", "1.0.0", PROTOCOL, 77, "e6", 2, 3)),
    ]
    assert box.hear(5001, "press", 0, 1) == []
    assert box.hear(5002, *BOARD) == []
    assert box.hear(77002, "press", 0, 1) == [Key(0, 1, True)]


def test_lines_of_an_unknown_boot_make_it_ask_who_is_there() -> None:
    box = greeted()
    for seq in range(77001, 77004):
        assert box.hear(seq, "press", 0, 1) == []
    assert box.said() == ["hello box 1 1"]


def test_silence_is_noticed_once_and_ends_with_a_hello() -> None:
    box = greeted()
    assert box.wait(3.5) == []
    assert box.wait(10) == [Down("It has said nothing for 3.5 seconds: check its cable.")]
    assert box.hear(5001, "press", 0, 1) == []
    assert [type(news) for news in box.hear(5002, *BOARD)] == [Up]
    assert box.hear(5003, "press", 0, 1) == [Key(0, 1, True)]


def test_any_valid_line_breaks_the_silence() -> None:
    box = greeted()
    for seq in range(5001, 5010):
        assert box.wait(3) == []
        box.hear(seq, "pong", 1, 1, 0)
    assert box.link.up


def test_a_boot_number_drawn_twice_heals_after_the_silence() -> None:
    box = greeted()
    box.hear(5800, "press", 0, 1)
    assert box.hear(5001, *BOARD) == []  # looks like an old line
    box.wait(4)
    assert [type(news) for news in box.hear(5002, *BOARD)] == [Up]


def test_a_roll_is_news_once_and_acknowledged_when_told() -> None:
    box = greeted(DIE)
    assert box.hear(9001, "rolling") == [RollBegun()]
    assert box.hear(9002, "roll", 9001, 4) == [Roll(9001, 4)]
    assert box.hear(9003, "roll", 9001, 4) == []
    assert box.said() == []
    box.link.acknowledge(9001)
    assert box.said() == ["ack 9001"]
    assert box.hear(9004, "roll", 9001, 4) == []
    assert box.said() == ["ack 9001"]
    assert box.hear(9005, "fumble", 9002) == [Fumble(9002)]
    assert box.link.counters.resent == 2


def test_a_roll_that_an_earlier_link_took_is_not_a_second_one() -> None:
    taken = Taken()
    box = greeted(DIE, taken)
    box.hear(9002, "roll", 9001, 4)
    box.link.acknowledge(9001)
    box = greeted(DIE, taken)
    assert box.hear(9003, "roll", 9001, 4) == []
    assert box.said() == ["ack 9001"]
    assert box.hear(9004, "roll", 9002, 4) == [Roll(9002, 4)]


def test_a_roll_that_an_earlier_run_kept_is_not_a_second_one() -> None:
    taken = Taken()
    taken.after = 9001
    box = greeted(DIE, taken)
    assert box.hear(9003, "roll", 9001, 4) == []
    assert box.said() == ["ack 9001"]


def test_a_die_that_always_restarts_does_not_fill_the_memory() -> None:
    taken = Taken()
    for boot in range(10_000):
        assert taken.take(boot, boot * 1000)
    assert not taken.take(boot, boot * 1000)
    assert not taken.safe(boot * 1000)
    assert len(taken._last) + len(taken._unsafe) < 200


def test_a_roll_that_nobody_wants_waits_in_the_die() -> None:
    box = greeted(DIE)
    box.link.wanted = False
    assert box.hear(9001, "roll", 9001, 4) == []
    assert box.said() == []
    box.link.wanted = True
    assert box.hear(9002, "roll", 9001, 4) == [Roll(9001, 4)]


def test_what_is_kept_is_said_again_with_every_ping() -> None:
    box = greeted(DIE)
    box.link.keep("show", 3)
    box.link.keep("show", 3)
    assert box.said() == ["show 3"]
    box.wait(1)
    assert box.said() == ["ping 2", "show 3"]


def test_a_pong_tells_the_round_trip_and_what_the_device_dropped() -> None:
    box = greeted()
    box.wait(1)
    box.now += 0.125
    box.hear(5001, "pong", 2, 17, 4)
    assert box.link.round_trip == 0.125
    assert box.link.counters.unheard == 4


@pytest.mark.parametrize(
    "message",
    [
        ("press", 2, 0),
        ("press", 0, 3),
        ("press", 0),
        ("press", "a", 1),
        ("snap",),
        ("snap", "40"),
        ("snap", "2"),
        ("snap", "XY"),
        ("roll", 1, 3),
        ("rolling",),
        ("pong", 1),
        ("hello", "kettle", 1, 1),
        ("hello", "board", "1.0.0", PROTOCOL, 6, "e6", "9x16"),
        ("hello", "board", "1.0.0", PROTOCOL, 6, "e6", "x"),
        ("hello", "board", "1.0.0", PROTOCOL, "boot", "e6", "8x16"),
    ],
)
def test_nonsense_with_a_right_checksum_is_counted_and_dropped(message: tuple[object, ...]) -> None:
    box = greeted()
    assert box.hear(5001, *message) == []
    assert box.link.counters.malformed == 1


@pytest.mark.parametrize("message", [("roll", 9001, 0), ("roll", 9001, 7), ("press", 0, 0)])
def test_a_die_has_six_faces_and_no_switches(message: tuple[object, ...]) -> None:
    box = greeted(DIE)
    assert box.hear(9001, *message) == []
    assert box.link.counters.malformed == 1


def test_our_own_echo_is_not_a_device() -> None:
    box = Box()
    box.link.tick(0.0)
    assert box.link.receive(box.link.outgoing(), 0.0) == []
    assert box.link.hello is None
    assert box.link.counters.strange == 1

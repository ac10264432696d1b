"""A hundred thousand lines over a bad line: nothing wrong comes through, no roll is lost."""

from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest

from companion.link import Down, Fumble, Key, Keys, Link, News, Roll, RollBegun, Taken, Up
from firmware.board.board import Board
from firmware.die.die import Die
from firmware.line import BOOTS, mask_of
from firmware.port import Port
from firmware.ticks import PERIOD
from tests.link.channel import Channel

TURN = 30  # ms
ROWS, COLUMNS = 8, 16


class Talk:
    """A device and the box's link to it, with a bad line both ways."""

    def __init__(self, role: str, seed: int, trouble: float) -> None:
        self.random = Random(seed)
        self.role = role
        self.turns = 0
        self.there = Channel(self.random, trouble)
        self.back = Channel(self.random, trouble)
        self.link = Link(7, Taken())
        self.said: list[News] = []
        self.heard: list[News] = []
        self.inbox = b""
        self.outbox = b""
        self.deaf = 0
        self.masks = [0] * ROWS
        self.button = False
        self.throws: list[News] = []
        self.forgotten: set[int] = set()
        self.die: Die | None = None
        self.reboot()

    # The console the firmware talks through

    def read(self) -> bytes:
        data, self.inbox = self.inbox, b""
        return data

    def write(self, data: bytes) -> int:
        taken = data if self.deaf == 0 else data[: self.random.choice((0, 0, 3))]
        self.outbox += taken
        return len(taken)

    def reboot(self) -> None:
        boot = self.random.randrange(BOOTS)
        size = (ROWS, COLUMNS) if self.role == "board" else (0, 0)
        self.port = Port(self, self.role, boot, "unit", *size)
        self.port.say = self._noting(self.port.say)  # type: ignore[method-assign]
        self.step: Callable[[int], None]
        if self.role == "board":
            self.board = Board(self.port, lambda: self.masks, ROWS, COLUMNS)
            self.step = self.board.step
        else:
            if self.die is not None:
                self.forgotten |= {args[0] for _, args in self.die.unheard}
            self.die = Die(
                self.port,
                boot,
                lambda: self.button,
                lambda: 0,
                self.random.randbytes,
                lambda mask: None,
            )
            self.step = self.die.step

    def _noting(self, say: Callable[..., None]) -> Callable[..., None]:
        """Write down what the firmware says, as the news that the box should hear."""

        def note(word: str, *args: object) -> None:
            say(word, *args)
            numbers = [arg for arg in args if isinstance(arg, int)]
            if word in ("press", "release"):
                self.said.append(Key(numbers[0], numbers[1], word == "press"))
            elif word == "snap":
                mask = mask_of(str(args[0]), ROWS * COLUMNS) or 0
                bits = [bit for bit in range(ROWS * COLUMNS) if mask >> bit & 1]
                self.said.append(Keys(frozenset(divmod(bit, COLUMNS) for bit in bits)))
            elif word == "rolling":
                self.said.append(RollBegun())
            elif word in ("roll", "fumble"):
                throw: News = Roll(*numbers) if word == "roll" else Fumble(*numbers)
                if throw not in self.throws:
                    self.throws.append(throw)

        return note

    def turn(self) -> None:
        """Thirty milliseconds of everything."""
        self.turns += 1
        now = self.turns * TURN / 1000
        if self.deaf:
            self.deaf -= 1
        elif self.random.random() < self.there.trouble / 100:
            self.deaf = self.random.randrange(40)
        self.step((self.turns * TURN + PERIOD - 100_000) % PERIOD)
        data, self.outbox = self.outbox, b""
        news = []
        for chunk in self._chunks(self.there.carry(data)):
            news += self.link.receive(chunk, now)
        news += self.link.tick(now)
        for one in news:
            if isinstance(one, Roll | Fumble):
                self.link.acknowledge(one.number)
        self.heard += news
        if self.random.random() < 0.02:
            self.link.say("hello", "box", 1, 7)  # more hellos, for the line to repeat later
        self.inbox += self.back.carry(self.link.outgoing())

    def _chunks(self, data: bytes) -> Iterator[bytes]:
        while data:
            size = self.random.randrange(1, 100)
            yield data[:size]
            data = data[size:]

    def calm(self) -> None:
        """Let the line be good again for a while."""
        self.there.trouble = self.back.trouble = 0.0
        for _ in range(300):
            self.turn()

    def lines(self) -> int:
        return self.there.lines + self.back.lines


def is_part_in_order(part: Sequence[News], whole: Sequence[News]) -> bool:
    rest = iter(whole)
    return all(any(one == other for other in rest) for one in part)


@pytest.mark.parametrize(("reboots", "seed"), [(0.0, 1), (0.002, 2)])
def test_no_wrong_reading_gets_through_and_snapshots_repair(reboots: float, seed: int) -> None:
    talk = Talk("board", seed, trouble=0.3)
    occupied: frozenset[tuple[int, int]] = frozenset()
    while talk.lines() < 35_000:
        cell = talk.random.randrange(ROWS * COLUMNS)
        talk.masks[cell // COLUMNS] ^= 1 << cell % COLUMNS
        if talk.random.random() < reboots:
            talk.reboot()
        talk.turn()
    talk.calm()
    keys = [news for news in talk.heard if isinstance(news, Key | Keys)]
    assert is_part_in_order(keys, talk.said)
    assert len(keys) > 10_000
    for news in keys:
        if isinstance(news, Keys):
            occupied = news.on
        else:
            where = {(news.row, news.column)}
            occupied = occupied | where if news.on else occupied - where
    truth = talk.board.keys.settled
    assert occupied == {
        (row, column)
        for row in range(ROWS)
        for column in range(COLUMNS)
        if truth[row] >> column & 1
    }
    counters = talk.link.counters
    assert min(counters.bad, counters.gaps, counters.late) > 1000
    assert counters.malformed == 0
    assert sum(isinstance(news, Up) for news in talk.heard) >= (1 if not reboots else 10)


@pytest.mark.parametrize(("reboots", "seed"), [(0.0, 3), (0.002, 4)])
def test_every_roll_arrives_exactly_once(reboots: float, seed: int) -> None:
    talk = Talk("die", seed, trouble=0.3)
    while talk.lines() < 20_000:
        talk.button = talk.turns % 16 < 2
        if talk.random.random() < reboots:
            talk.reboot()
        talk.turn()
    talk.button = False
    talk.calm()
    rolls = [news for news in talk.heard if isinstance(news, Roll | Fumble)]
    assert len(rolls) > 400
    assert is_part_in_order(rolls, talk.throws)
    lost = set(talk.throws) - set(rolls)
    assert {throw.number for throw in lost if isinstance(throw, Roll | Fumble)} <= talk.forgotten
    if not reboots:
        assert rolls == talk.throws
        assert talk.die is not None
        assert talk.die.unheard == []
        assert not any(isinstance(news, Down) for news in talk.heard)
    assert talk.link.counters.resent > 50


def test_a_snapshot_repairs_a_lost_press() -> None:
    talk = Talk("board", 5, trouble=0.0)
    for _ in range(10):
        talk.turn()
    talk.there.broken = True
    talk.masks[3] |= 1 << 9
    for _ in range(3):
        talk.turn()
    talk.there.broken = False
    assert Key(3, 9, True) in talk.said
    for _ in range(2000 // TURN + 1):
        talk.turn()
    assert Keys(frozenset({(3, 9)})) in talk.heard
    assert Key(3, 9, True) not in talk.heard

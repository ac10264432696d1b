"""The box's end of a link: bytes and time in, news and bytes out; it does no I/O itself.

A device counts its lines, beginning at a number drawn at boot. A line counts only when it is
a little ahead of the last one: repeated, late and foreign lines fall out. What is lost
that way repairs itself: rolls are resent until acknowledged, the matrix comes whole every
two seconds and whenever a gap is seen, what the box wants shown is repeated with every ping.
"""

from dataclasses import dataclass

from companion.link.news import (
    Down,
    Fumble,
    Hello,
    Incompatible,
    Key,
    Keys,
    MalformedError,
    News,
    Roll,
    Up,
    read_hello,
    read_news,
)
from firmware.line import BLOCK, FROM_DEVICE, PROTOCOL, Splitter, decode, encode, number

PING_EVERY = 1.0  # seconds
SILENCE = 3.5
ASK_EVERY = 0.1  # at most so often do we ask for a hello or the whole matrix out of turn
AHEAD = 1000  # lines that may be lost in a row
STRANGERS = 3  # foreign lines after which we ask who is there
OLD_BOOTS = 16
THROWS = 64  # boots whose last throw we know, and throws that are not safe yet

SILENT = f"It has said nothing for {SILENCE:g} seconds: check its cable."
RESTARTED = "It has restarted."


@dataclass
class Counters:
    """What came over a line since it was opened."""

    good: int = 0
    bad: int = 0  # wrong checksum, cut or overlong
    gaps: int = 0  # lines that had not come when a later one did
    late: int = 0  # repeated, or overtaken by a later line
    strange: int = 0  # of another boot, or before any hello
    malformed: int = 0  # right checksum, wrong contents: a fault in the firmware
    resent: int = 0  # rolls that came again
    unheard: int = 0  # lines of ours that the device dropped


class Taken:
    """The throws we have: by boot, so that a resent one is not a second one.

    It outlives links, since a die keeps resending after a reconnect. `after` is the last
    throw kept by an earlier run of the box.
    """

    def __init__(self) -> None:
        self.after: int | None = None
        self._last: dict[int, int] = {}
        self._unsafe: dict[int, None] = {}

    def take(self, boot: int, throw: int) -> bool:
        """Whether this throw is new; from now on it is not."""
        if throw == self.after or throw <= self._last.get(boot, -1):
            return False
        self._last[boot] = throw
        self._unsafe[throw] = None
        for known in (self._last, self._unsafe):  # a die that always restarts has no end of them
            if len(known) > THROWS:
                known.pop(next(iter(known)))
        return True

    def keep(self, throw: int) -> None:
        """This throw is safe: from now on it may be acknowledged."""
        self._unsafe.pop(throw, None)

    def safe(self, throw: int) -> bool:
        """Whether a throw that came again may be acknowledged."""
        return throw not in self._unsafe


def _printable(line: bytes) -> str:
    """What a person could read of a line."""
    return "".join(chr(byte) for byte in line if 0x20 <= byte <= 0x7E).strip()


def checked(line: bytes, args: int) -> bytes:
    """A line, if a device would read it with so many arguments; else raises ValueError."""
    message = decode(line[:-1])
    if message is None or len(message[2]) != args:
        raise ValueError(f"this cannot be sent as a line: {line!r}")
    return line


class Link:
    """One port's link; `session` is a number drawn for it."""

    def __init__(self, session: int, taken: Taken | None = None) -> None:
        self.counters = Counters()
        self.hello: Hello | None = None
        self.up = False
        self.wanted = True  # whether somebody takes the throws; else they wait in the die
        self.refused: Incompatible | None = None
        self.prose = ""
        """The last that came in no line of ours: a program that fails says why in its last."""
        self.round_trip: float | None = None
        self._session = session
        self._taken = taken or Taken()
        self._seq = session * BLOCK
        self._out: list[bytes] = []
        self._kept: dict[str, tuple[object, ...]] = {}
        self._splitter = Splitter()
        self._old_boots: list[int] = []
        self._last = 0
        self._strangers = 0
        self._incomplete = False
        self._heard: float | None = None
        self._pinged: float | None = None
        self._asked: float | None = None
        self._pings = 0

    # What goes out

    def say(self, word: str, *args: object) -> None:
        """Queue a line for the device."""
        self._seq += 1
        self._out.append(checked(encode(self._seq, word, *args), len(args)))

    def keep(self, word: str, *args: object) -> None:
        """Say this now and again with every ping: a lost line then heals."""
        if self._kept.get(word) != args:
            self._kept[word] = args
            if self.up:
                self.say(word, *args)

    def acknowledge(self, throw: int) -> None:
        """Tell the die that this roll or fumble is safe with us."""
        self._taken.keep(throw)
        self.say("ack", throw)

    def outgoing(self) -> bytes:
        """The bytes to write now; they are handed out once."""
        data = b"".join(self._out)
        self._out.clear()
        return data

    def tick(self, now: float) -> list[News]:
        """Let time pass: ping, greet, notice silence. Call it a few times a second."""
        news: list[News] = []
        if self._heard is None:
            self._heard = now
        if self.up and now - self._heard > SILENCE:
            self.up = False
            self.hello = None  # whoever speaks next must say who it is
            news.append(Down(SILENT))
        if self._pinged is None or now - self._pinged >= PING_EVERY:
            self._pinged = now
            if self.up:
                self._ping()
            else:
                self._greet()
        self._repair(now)
        return news

    def _greet(self) -> None:
        self.say("hello", "box", PROTOCOL, self._session)

    def _ping(self) -> None:
        self._pings += 1
        self.say("ping", self._pings)
        for word, args in self._kept.items():
            self.say(word, *args)

    def _doubt(self) -> None:
        """A line was lost: what we know of a matrix may be wrong."""
        self._incomplete = self.up and self.hello is not None and self.hello.role == "board"

    def _repair(self, now: float) -> None:
        """Ask who is there, or for the whole matrix, as soon as we are in doubt."""
        foreign = self._strangers >= STRANGERS
        if not foreign and not self._incomplete:
            return
        if self._asked is not None and now - self._asked < ASK_EVERY:
            return
        self._asked = now
        if foreign:
            self._strangers = 0
            self._greet()
        else:
            self._incomplete = False
            self.say("snap")

    # What comes in

    def receive(self, data: bytes, now: float) -> list[News]:
        """Take bytes as they come; any bytes at all."""
        news: list[News] = []
        for line in self._splitter.feed(data):
            message = decode(line)
            if message is None:
                self.counters.bad += 1
                self.prose = _printable(line) or self.prose
                self._doubt()
                continue
            self.counters.good += 1
            try:
                news += self._take(*message, now)
            except MalformedError:
                self.counters.malformed += 1
        self.counters.bad += self._splitter.dropped
        self._splitter.dropped = 0
        self._repair(now)
        return news

    def _take(self, seq: int, word: str, args: list[str], now: float) -> list[News]:
        if word not in FROM_DEVICE or args[:1] == ["box"]:
            self.counters.strange += 1  # our own echo, or a word of a later firmware
            return []
        if word == "hello":
            return self._meet(seq, args, now)
        if self.hello is None or not self._follows(seq):
            return []
        self._heard = now
        if word == "pong":
            self._pong(args, now)
            return []
        news = read_news(word, args, self.hello)
        if isinstance(news, Key | Keys):
            self._incomplete = self._incomplete and isinstance(news, Key)
        elif isinstance(news, Roll | Fumble):
            return self._throw(news, self.hello.boot)
        return [] if news is None else [news]

    def _follows(self, seq: int) -> bool:
        """Whether a line is newer than what we have, of the boot we know; counts the rest."""
        ahead = seq - self._last
        if 0 < ahead <= AHEAD:
            if ahead > 1:
                self.counters.gaps += ahead - 1
                self._doubt()
            self._last = seq
            self._strangers = 0
            return True
        if -AHEAD <= ahead <= 0:
            self.counters.late += 1
        else:
            self.counters.strange += 1
            self._strangers += 1
        return False

    def _meet(self, seq: int, args: list[str], now: float) -> list[News]:
        hello = read_hello(args)
        if isinstance(hello, Incompatible):
            return self._refuse(hello)
        if hello.boot in self._old_boots:
            self.counters.strange += 1
            return []
        known = self.hello is not None and self.hello.boot == hello.boot
        if known and seq <= self._last:
            self.counters.late += 1
            return []
        self._last = seq
        self._heard = now
        self._strangers = 0
        if known:
            return []
        news: list[News] = []
        if self.hello is not None:
            self._old_boots = [*self._old_boots, self.hello.boot][-OLD_BOOTS:]
            news.append(Down(RESTARTED))
        self.hello, self.up, self.refused = hello, True, None
        self._pinged = now
        self._ping()  # the device begins to tell its rolls when it has heard us
        return [*news, Up(hello)]

    def _refuse(self, refused: Incompatible) -> list[News]:
        if self.refused == refused:
            return []
        self.hello, self.up, self.refused = None, False, refused
        return [refused]

    def _pong(self, args: list[str], now: float) -> None:
        if len(args) != 3:
            raise MalformedError(f"a pong of three numbers was expected: {args}")
        ping, unheard = number(args[0]), number(args[2])
        if ping == self._pings and self._pinged is not None:
            self.round_trip = now - self._pinged
        if unheard is not None:
            self.counters.unheard = unheard

    def _throw(self, news: Roll | Fumble, boot: int) -> list[News]:
        if not self.wanted:
            return []
        if self._taken.take(boot, news.number):
            return [news]
        self.counters.resent += 1
        if self._taken.safe(news.number):
            self.say("ack", news.number)
        return []

"""The device's end of the link: says lines, hears lines, answers greetings and pings.

The console is passed in: `read()` returns what has come, `write(data)` writes what fits and
returns how many bytes that were. It never waits: a box that does not read must not stop us.
"""

from firmware import VERSION
from firmware.line import BLOCK, FROM_BOX, PROTOCOL, Splitter, decode, encode
from firmware.ticks import elapsed

SILENCE = 5000  # ms without a valid line after which the box counts as gone
WAITING = 160  # lines held while the box does not read: every key of a matrix, and some more
AT_ONCE = 4  # lines encoded and sent in one turn, so that scanning goes on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Console(Protocol):
        """What the port talks through."""

        def read(self) -> bytes: ...
        def write(self, data: bytes) -> int: ...


class Port:
    """One device's end: its sequence numbers, its hello, and what waits to be written."""

    def __init__(
        self, console: "Console", role: str, boot: int, unit: str, rows: int = 0, columns: int = 0
    ) -> None:
        self.console = console
        self.introduction = (role, VERSION, PROTOCOL, boot, unit, f"{rows}x{columns}")
        self.seq = boot * BLOCK
        self.splitter = Splitter()
        self.waiting: list[tuple[int, str, tuple[object, ...]]] = []
        self.begun = b""
        self.heard = 0
        self.linked = False
        self.good = 0
        self.bad = 0
        self.lost = False
        self.say("hello", *self.introduction)

    def say(self, word: str, *args: object) -> None:
        """Queue a line; when the box does not read, the oldest is given up.

        It has its number now and is encoded when it is sent: one that falls out leaves a gap
        that the box sees, and costs no work.
        """
        self.seq += 1
        self.waiting.append((self.seq, word, args))
        if len(self.waiting) > WAITING:
            self.waiting.pop(0)
            self.lost = True

    def hear(self, now: int) -> "list[tuple[str, list[str]]]":
        """What the box said; greetings and pings are answered here and handed on too."""
        said = []
        for line in self.splitter.feed(self.console.read()):
            message = decode(line)
            if message is None or message[1] not in FROM_BOX:
                self.bad += 1
                continue
            self.good += 1
            self.heard = now
            self.linked = True
            word, args = message[1], message[2]
            if word == "hello":
                self.say("hello", *self.introduction)
            elif word == "ping":
                self.say("pong", *args[:1], self.good, self.bad)
            said.append((word, args))
        if self.linked and elapsed(now, self.heard) > SILENCE:
            self.linked = False
        return said

    @property
    def unread(self) -> bool:
        """Whether something has yet to be written."""
        return bool(self.begun or self.waiting)

    def flush(self) -> None:
        """Write some of what waits, as far as it fits; a line that was begun is ended first."""
        for _ in range(AT_ONCE):
            if not self.begun:
                if not self.waiting:
                    return
                seq, word, args = self.waiting.pop(0)
                self.begun = encode(seq, word, *args)
            self.begun = self.begun[self.console.write(self.begun) :]
            if self.begun:
                return

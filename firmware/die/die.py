"""The die's logic: one face a throw, told to the box again and again until it is heard.

The end of every throw, roll or fumble, has a number. Only the oldest unheard one is sent, so
the box gets them in order, and it can drop a number it already has.
"""

from firmware.die.pips import Pips
from firmware.die.throw import Throw
from firmware.line import BLOCK, number
from firmware.port import Port
from firmware.ticks import elapsed

AGAIN = 250  # ms between two sendings of the same roll
UNHEARD = 8  # rolls kept for a box that is away; then the die stays still
PATIENCE = 1000  # ms until an unheard roll winks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def draw(entropy: "Callable[[int], bytes]") -> int:
    """A face from 1 to 6, each as likely as the other: bytes from 252 on are thrown away."""
    while True:
        byte = entropy(1)[0]
        if byte < 252:
            return byte % 6 + 1


class Die:
    """One die; `button()` says whether it is down, `edges()` counts shakes since last asked."""

    def __init__(
        self,
        port: Port,
        boot: int,
        button: "Callable[[], bool]",
        edges: "Callable[[], int]",
        entropy: "Callable[[int], bytes]",
        show: "Callable[[int], None]",
    ) -> None:
        self.port = port
        self.button = button
        self.edges = edges
        self.entropy = entropy
        self.throw = Throw()
        self.pips = Pips(show)
        self.number = boot * BLOCK
        self.unheard: list[tuple[str, tuple[int, ...]]] = []
        self.face: int | None = None
        self.since = 0
        self.sent: int | None = None

    def step(self, now: int) -> None:
        """One turn of the loop."""
        self._watch(now)
        for word, args in self.port.hear(now):
            self._obey(word, args, now)
        self._tell(now)
        if self.throw.rolling:
            self.pips.tumble(elapsed(now, self.throw.began))
        else:
            late = bool(self.unheard) and elapsed(now, self.since) >= PATIENCE
            self.pips.still(self.face, self.since, now, late)
        self.port.flush()

    def _watch(self, now: int) -> None:
        button, edges = self.button(), self.edges()
        if len(self.unheard) >= UNHEARD:
            return
        happened = self.throw.step(button, edges, now)
        if happened == "rolling":
            if not self.unheard:  # else it would overtake the end of the last throw
                self.port.say("rolling")
        elif happened is not None:
            self.number += 1
            self.since = now
            if happened == "rolled":
                self.face = draw(self.entropy)
                self.unheard.append(("roll", (self.number, self.face)))
            else:
                self.unheard.append(("fumble", (self.number,)))

    def _obey(self, word: str, args: "list[str]", now: int) -> None:
        if word == "hello":
            self.sent = None
        elif word == "ack" and len(args) == 1:
            if self.unheard and number(args[0]) == self.unheard[0][1][0]:
                self.unheard.pop(0)
                self.sent = None
        elif word == "faces":
            self.pips.dress(args)
        elif word == "show" and len(args) == 1:
            self._show(number(args[0]), now)

    def _show(self, face: "int | None", now: int) -> None:
        """What the box wants shown; a throw that it has not heard of yet is newer."""
        if face is None or face > 6 or self.throw.rolling or self.unheard:
            return
        wanted = face or None
        if wanted != self.face:
            self.face = wanted
            self.since = now

    def _tell(self, now: int) -> None:
        if not self.unheard or not self.port.linked:
            return
        if self.sent is None or elapsed(now, self.sent) >= AGAIN:
            word, args = self.unheard[0]
            self.port.say(word, *args)
            self.sent = now

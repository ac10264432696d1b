"""What the table should show: a second referee that is told the same, and its pictures."""

from collections.abc import Iterable
from typing import Any

from PIL import Image

from companion.bench import Bench
from companion.config import Config
from companion.daemon.wiring import network_of, referees
from companion.events import Event, Tick
from companion.orders import Phones, command
from companion.referee import Keep, Match, View
from companion.screens.bench import picture as bench_picture
from companion.screens.pictures import picture

BEATS = 120  # pictures of a view that blinks or turns pages: one a beat, for a minute
BEAT = 0.5


class Mirror:
    """The referee of a box with this configuration, with a clock of its own.

    `records` are what its journal would hold.
    """

    def __init__(self, config: Config, records: Iterable[dict[str, Any]] = ()) -> None:
        self.config = config
        network, benches = network_of(config.web), config.matrix is not None
        self.referee = referees(config, network=network, benches=benches)()
        self.records = list(records)
        self.now = 0.0
        self._keep(self.referee.resume(self.records, self.now))
        if network.open:
            self.tell(command(Phones(here=True)), wait=0.0)

    @property
    def view(self) -> View:
        return self.referee.view

    @property
    def match(self) -> Match:
        match = self.referee.match
        assert match is not None
        return match

    def tell(self, *events: Event, wait: float = 10.0) -> None:
        """These events, a little apart, and then quiet."""
        for event in events:
            self._pass(0.05)
            self._keep(self.referee.feed(event, self.now))
        self._pass(wait)

    def restarted(self) -> "Mirror":
        """The referee of a daemon that starts on the same journal."""
        return Mirror(self.config, self.records)

    def pictures(self) -> set[bytes]:
        """Every picture that may be on the glass now."""
        return {picture(self.view, beat * BEAT).tobytes() for beat in range(BEATS)}

    def _pass(self, seconds: float) -> None:
        end = self.now + seconds
        while (deadline := self.referee.next_deadline()) is not None and deadline <= end:
            self.now = max(self.now, deadline)
            self._keep(self.referee.feed(Tick(), self.now))
        self.now = end

    def _keep(self, effects: Iterable[object]) -> None:
        self.records += [effect.record for effect in effects if isinstance(effect, Keep)]


def bench_pictures(bench: Bench) -> set[bytes]:
    """Every picture that a bench may show now."""
    scene = bench.scene
    return {bench_picture(scene, beat * BEAT).tobytes() for beat in range(BEATS)}


def as_text(image: Image.Image) -> str:
    """A picture in a terminal, two rows of pixels in each line."""
    signs = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
    rows = [
        [int(bool(image.getpixel((x, y)))) for x in range(image.width)] for y in range(image.height)
    ]
    lines = [
        "".join(signs[pair] for pair in zip(rows[y], rows[y + 1], strict=True))
        for y in range(0, image.height, 2)
    ]
    edge = "+" + "-" * image.width + "+"
    return "\n".join([edge, *(f"|{line}|" for line in lines), edge])

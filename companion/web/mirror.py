"""A screen and a sounder that a page can follow: each passes on what it is told."""

import asyncio
import base64
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.table.sim import SimDisplay, SimSounder

if TYPE_CHECKING:
    from PIL.Image import Image

Pattern = tuple[tuple[float, float], ...]


class MirrorDisplay(SimDisplay):
    """Keeps the picture as text, eight pixels a byte, and tells when it is another one; `watched`
    is the same for those who only watch, without what they may not see.

    Pictures come from the display's thread; who listens is called in the loop's.
    """

    def __init__(self) -> None:
        super().__init__()
        self.bits = self.watched = ""
        self.on_picture: Callable[[], None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def listen(self, on_picture: Callable[[], None]) -> None:
        """Call this in the running loop's thread after every new picture."""
        self._loop, self.on_picture = asyncio.get_running_loop(), on_picture

    def show(self, image: "Image") -> None:
        from companion.screens.pictures import WATCHED

        super().show(image)
        self._keep(_packed(image), _packed(image.info.get(WATCHED, image)))

    def contrast(self, level: int) -> None:
        super().contrast(level)
        if level == 0:
            self._keep("", "")

    def _keep(self, bits: str, watched: str) -> None:
        if (bits, watched) == (self.bits, self.watched):
            return
        self.bits, self.watched = bits, watched
        if self._loop is not None and self.on_picture is not None:
            self._loop.call_soon_threadsafe(self.on_picture)


def _packed(image: "Image") -> str:
    return base64.b64encode(image.tobytes()).decode()


class MirrorSounder(SimSounder):
    """Tells of every pattern played, for a page to play."""

    def __init__(self) -> None:
        super().__init__()
        self.on_sound: Callable[[Pattern], None] | None = None

    def play(self, pattern: Pattern) -> None:
        self.played.clear()
        super().play(pattern)
        if self.on_sound is not None:
            self.on_sound(pattern)

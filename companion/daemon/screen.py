"""The display's own task: it always shows the latest view, and nothing waits for it.

A panel's wire is slow and may be pulled off. Pictures are therefore sent from a thread, views
that were overtaken are never drawn, and a panel that fails is tried again.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from companion.events import Event, Found, Lost
from companion.screens.care import Care, Glow, shifted
from companion.screens.pictures import next_beat
from companion.table import Display

if TYPE_CHECKING:
    from PIL.Image import Image

View = Any
"""What is shown: the referee's view or the bench's scene; all that is asked of it is its
`setting`s."""
Picture = Callable[[View, float], "Image"]
"""Draws a view, so many seconds after it was first shown."""

RETRY = 2.0  # seconds until a panel that failed is tried again
RENEW = 15.0  # seconds after which a panel is set up again: it may have lost its power

_LOG = logging.getLogger("companion.daemon.screen")


class Screen:
    """Shows views on a display; `post` is told when the display is lost and found."""

    def __init__(
        self,
        display: Display,
        picture: Picture,
        post: Callable[[Event], object],
        *,
        blinks: Callable[[View], bool] = lambda view: False,
        care: Care | None = None,
        retry: float = RETRY,
        renew: float = RENEW,
    ) -> None:
        self.shown = asyncio.Event()
        """Set once a picture was shown, or could not be."""
        self.pictures = 0
        self._display = display
        self._picture = picture
        self._post = post
        self._blinks = blinks
        self._care = care or Care()
        self._retry = retry
        self._renew = renew
        self._renewed = 0.0
        self._view: View | None = None
        self._since = 0.0
        self._drawn = 0.0
        self._changes = False
        self._looked_at: View | None = None
        self._level: int | None = None
        self._active = 0.0
        self._lost = False
        self._wake = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="screen")

    def show(self, view: View) -> None:
        """Show this view, and not what came before it."""
        self._view = view
        self._since = asyncio.get_running_loop().time()
        self._wake.set()

    def stir(self, at: float) -> None:
        """Something happened on the table: a panel that rests wakes."""
        resting = at - self._active >= self._care.dim_after
        self._active = at
        if resting:
            self._wake.set()

    async def run(self) -> None:
        """Show views until cancelled."""
        loop = asyncio.get_running_loop()
        self._active = self._renewed = loop.time()
        while True:
            await self._wait(loop)
            self._wake.clear()
            view = self._view
            if view is None:
                continue
            self._drawn = loop.time()
            try:
                await loop.run_in_executor(self._thread, self._draw, view, self._drawn)
            except OSError as fault:
                self._fail(fault)
                self.shown.set()
                await asyncio.sleep(self._retry)
                self._wake.set()
            except Exception:
                _LOG.exception("a view could not be drawn; the next one may be")
                self._changes = False
                self._renewed = self._drawn
                self.shown.set()
            else:
                self._succeed()
                self.shown.set()

    def close(self) -> None:
        """End the thread, then blank the display."""
        self._thread.shutdown(wait=True, cancel_futures=True)
        self._display.close()

    async def _wait(self, loop: asyncio.AbstractEventLoop) -> None:
        """Until there is a new view, or an old one has to be drawn again."""
        due = self._next_time()
        timer = None if due is None else loop.call_at(due, self._wake.set)
        try:
            await self._wake.wait()
        finally:
            if timer is not None:
                timer.cancel()

    def _next_time(self) -> float | None:
        """When the picture changes by itself or is sent again; a resting panel does not blink."""
        if self._view is None:
            return None
        idle = self._drawn - self._active
        change = self._care.next_change(idle)
        if change is None:
            return None
        rest = min(self._active + change, self._renewed + self._renew)
        if not self._changes or idle >= self._care.dim_after:
            return rest
        return min(rest, self._since + next_beat(self._drawn - self._since))

    def _draw(self, view: View, now: float) -> None:
        """In the display's thread: draw, send, and set the brightness that belongs to it."""
        glow = self._glow(view, now)
        if glow.level:
            image = self._picture(view, now - self._since).rotate(view.setting("rotation"))
            self._display.show(shifted(image, glow.shift))
            if now - self._renewed >= self._renew:
                self._display.renew()
                self._renewed = now
        if glow.level != self._level:
            self._display.contrast(glow.level)
            self._level = glow.level
        self.pictures += 1
        if view is not self._looked_at:
            self._looked_at = view
            self._changes = self._blinks(view)

    def _glow(self, view: View, now: float) -> Glow:
        return self._care.glow(now - self._active, int(view.setting("brightness")))

    def _fail(self, fault: OSError) -> None:
        self._level = None
        if not self._lost:
            self._lost = True
            self._post(Lost("oled", str(fault)))

    def _succeed(self) -> None:
        if self._lost:
            self._lost = False
            self._post(Found("oled", "it shows pictures again"))

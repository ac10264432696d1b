"""The display's task: only the latest view, never in the way, and kind to the panel."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any

import pytest
from PIL import Image

from companion.daemon.screen import RENEW, Screen
from companion.events import Event, Found, Lost
from companion.referee import View
from companion.screens.care import Care
from companion.table.sim import SimDisplay
from tests.picos import until


def numbered(number: int) -> View:
    return View(cursor=number)


def drawn(view: View, seconds: float) -> Image.Image:
    """A picture that tells which view it is of."""
    image = Image.new("1", (128, 64))
    image.putpixel((view.cursor, 0), 1)
    return image


def shown(display: SimDisplay) -> int | None:
    """Which view the display shows."""
    box = display.image.getbbox() if display.image is not None else None
    return None if box is None else box[0]


class SlowDisplay(SimDisplay):
    """A wire that stands still until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()
        self.seen: list[int | None] = []

    def show(self, image: Image.Image) -> None:
        self.go.wait()
        super().show(image)
        self.seen.append(shown(self))


@asynccontextmanager
async def showing(display: SimDisplay, told: list[Event], **options: Any) -> AsyncIterator[Screen]:
    screen = Screen(display, options.pop("picture", drawn), told.append, retry=0.01, **options)
    running = asyncio.create_task(screen.run())
    try:
        yield screen
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        screen.close()


def test_views_that_were_overtaken_are_never_drawn() -> None:
    async def go() -> None:
        display = SlowDisplay()
        async with showing(display, []) as screen:
            screen.show(numbered(1))
            await asyncio.sleep(0)
            for number in range(2, 50):
                screen.show(numbered(number))
                await asyncio.sleep(0)  # the loop goes on while the wire stands still
            display.go.set()
            await until(lambda: 49 in display.seen)
            assert len(display.seen) <= 2

    asyncio.run(go())


def test_a_view_that_blinks_is_drawn_again_and_one_that_does_not_is_not() -> None:
    async def go() -> None:
        display = SimDisplay()
        async with showing(display, [], blinks=lambda view: view.cursor == 2) as screen:
            screen.show(numbered(1))
            await until(lambda: screen.pictures == 1)
            assert screen._next_time() == screen._renewed + RENEW
            screen.show(numbered(2))
            await until(lambda: screen.pictures >= 3)

    asyncio.run(go())


def test_a_panel_is_dimmed_then_dark_and_any_event_wakes_it() -> None:
    async def go() -> None:
        display = SimDisplay()
        care = Care(dim_after=0.05, dark_after=0.1, shift_every=0.02)
        async with showing(display, [], care=care) as screen:
            screen.show(numbered(1))
            levels = []

            def dark() -> bool:
                levels.append(display.level)
                return display.level == 0

            await until(dark)
            assert max(levels) > 0
            screen.stir(asyncio.get_running_loop().time())
            await until(lambda: display.level > 100)
            assert shown(display) == 1

    asyncio.run(go())


def test_a_panel_that_fails_is_told_of_once_and_gets_the_latest_view_later() -> None:
    async def go() -> None:
        display, told = SimDisplay(), list[Event]()
        display.unplug()
        async with showing(display, told) as screen:
            screen.show(numbered(1))
            await screen.shown.wait()
            for number in range(2, 5):
                screen.show(numbered(number))
            display.plug()
            await until(lambda: shown(display) == 4)
        assert [type(event) for event in told] == [Lost, Found]

    asyncio.run(go())


def test_a_panel_that_lost_its_power_between_two_pictures_is_bright_again_soon() -> None:
    async def go() -> None:
        display, told = SimDisplay(), list[Event]()
        async with showing(display, told, renew=0.02) as screen:
            screen.show(numbered(1))
            await until(lambda: shown(display) == 1)
            display.unplug()
            display.plug()
            assert shown(display) is None
            await until(lambda: shown(display) == 1)

    asyncio.run(go())


def test_a_dark_panel_is_left_alone() -> None:
    async def go() -> None:
        display = SimDisplay()
        care = Care(dim_after=0.01, dark_after=0.02, shift_every=0.01)
        async with showing(display, [], care=care, renew=0.001) as screen:
            screen.show(numbered(1))
            await until(lambda: display.level == 0)
            await until(lambda: screen._next_time() is None)

    asyncio.run(go())


def test_a_view_that_cannot_be_drawn_does_not_stop_the_screen(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(view: View, seconds: float) -> Image.Image:
        if view.cursor == 1:
            raise ZeroDivisionError
        return drawn(view, seconds)

    async def go() -> None:
        display = SimDisplay()
        async with showing(display, [], picture=broken) as screen:
            screen.show(numbered(1))
            await screen.shown.wait()
            screen.show(numbered(2))
            await until(lambda: shown(display) == 2)

    asyncio.run(go())
    assert "could not be drawn" in caplog.text


def test_a_view_that_cannot_be_drawn_is_tried_once_in_a_while(
    caplog: pytest.LogCaptureFixture,
) -> None:
    tried = []

    def broken(view: View, seconds: float) -> Image.Image:
        tried.append(seconds)
        raise ZeroDivisionError

    async def go() -> None:
        async with showing(SimDisplay(), [], picture=broken, renew=0.05) as screen:
            screen.show(numbered(1))
            await until(lambda: len(tried) >= 4)

    asyncio.run(go())
    assert all(later - earlier >= 0.04 for earlier, later in pairwise(tried[:4]))

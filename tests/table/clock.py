"""An event loop whose time jumps: waiting costs nothing, and every timer still fires in order."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _JumpingSelector(selectors.DefaultSelector):
    """Instead of waiting for a timer, puts the clock forward to it; files are still looked at."""

    now = 1000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        if timeout is None:
            return super().select(None)
        self.now += timeout
        return []


class JumpingLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now


def run(test: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in jumping time."""
    loop = JumpingLoop()
    try:
        return loop.run_until_complete(test)
    finally:
        loop.close()


async def later(seconds: float) -> None:
    """Let virtual time pass."""
    await asyncio.sleep(seconds)


def loop_pace(step: Callable[[], float]) -> Callable[[], None]:
    """Pace steps by the loop's own, jumping time, in place of a thread."""
    loop = asyncio.get_running_loop()
    timer: list[asyncio.TimerHandle] = []

    def again() -> None:
        timer[:] = [loop.call_later(step(), again)]

    again()
    return lambda: timer[0].cancel()

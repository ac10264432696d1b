"""Serves a page until it is cancelled: opens its port with a door before it, and closes both."""

import asyncio
import contextlib
import gc
import logging
import socket
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Protocol

from aiohttp import web, web_app

from companion.web.answering import visit
from companion.web.door import Door, listen

Work = Callable[[], Coroutine[Any, Any, None]]

_LOG = logging.getLogger("companion.web")


class Place(Protocol):
    """Where a page is served."""

    @property
    def address(self) -> str: ...
    @property
    def port(self) -> int: ...


async def serve(
    app: web.Application,
    place: Place,
    setting: str,
    started: Callable[[int], None],
    *beside: Work,
) -> None:
    """Let visitors in until cancelled, with what has to run beside it.

    `started` is told the port. Raises OSError in words, which name the `setting` of the port.
    """
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5, handler_cancellation=True)
    await runner.setup()
    door = Door(partial(visit, runner), Stumbles())
    listening: list[socket.socket] = []
    try:
        listening = await _listen(place, setting)
        started(int(listening[0].getsockname()[1]))
        # All that is loaded now stays: no need to look through it again and again. But what the
        # page before this one left behind has to go.
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        async with asyncio.TaskGroup() as work:
            for one in listening:
                work.create_task(door.accept(one))
            for act in (door.watch, *beside):
                work.create_task(act())
    finally:
        for one in listening:
            one.close()
        door.close()
        await runner.cleanup()
        let_go()


def let_go() -> None:
    """Let go of a page that is over: aiohttp (since 3.10.6) remembers its last 1,024 answerers, and
    by them every page that there was."""
    with contextlib.suppress(AttributeError):
        web_app._cached_build_middleware.cache_clear()


async def _listen(place: Place, setting: str) -> list[socket.socket]:
    try:
        return await listen(place.address, place.port)
    except OSError as fault:
        raise OSError(
            f"the page cannot be served at {place.address}:{place.port} "
            f"({fault.strerror or fault}): choose another {setting}, or stop what uses it"
        ) from None


class Stumbles:
    """A fault of ours is worth a line, but not as often as somebody can bring it about."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def __call__(self, fault: BaseException) -> None:
        said = f"{type(fault).__name__} at {_where(fault)}"
        if said not in self._said:
            self._said.add(said)
            _LOG.error("a request could not be answered", exc_info=fault)


def _where(fault: BaseException) -> str:
    """The line that raised it: what it says may be what a visitor sent."""
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"

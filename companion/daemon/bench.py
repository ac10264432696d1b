"""The bench at work: a board's devices, the bench that judges them, screen, lights and page.

It takes the daemon's place while a board is built: no game is on, and nothing is kept but the map.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from companion.bench import Bench, Cue, Scene, Wish
from companion.config import Config
from companion.daemon.notify import Notifier, watchdog_period
from companion.daemon.screen import Screen
from companion.daemon.setup import Setup
from companion.devices import Devices, matrix_size
from companion.events import Event, Lost, Snapshot
from companion.screens.bench import blinks, picture
from companion.table import Display, Sounder
from companion.table.sim import SimBoard, SimButtons

GRACE = 4.0  # seconds the board has to tell what is closed on it
TONES: dict[Cue, tuple[tuple[float, float], ...]] = {
    "seen": ((1320.0, 0.03),),
    "learned": ((880.0, 0.08),),
    "wrong": ((220.0, 0.25),),
}

Save = Callable[[list[str]], None]
"""Writes a map, one line for each row; raises OSError."""
Service = Callable[["Workbench"], Awaitable[None]]

_LOG = logging.getLogger("companion")


class Workbench:
    """A board on the bench until the person is done; all in the event loop's thread."""

    def __init__(
        self,
        config: Config,
        devices: Devices,
        bench: Bench,
        *,
        save: Save | None = None,
        services: Iterable[Service] = (),
    ) -> None:
        self.config, self.devices, self.bench = config, devices, bench
        self.scene: Scene = bench.scene
        self.stopped = False
        """Whether it was told to stop, rather than that the person is done."""
        self.setup: Setup | None = None
        """How the box is set up."""
        self.changed_setup = False
        """Whether it ended because that was changed."""
        self._save = save
        self._saved = bench.wiring
        self._services = tuple(services)
        self._notify = Notifier()
        self._listeners: list[Callable[[Scene], None]] = []
        self._done = asyncio.Event()
        self._ready = asyncio.Event()
        self._settling = True
        self._begun = False
        self._screen = None if devices.display is None else self._screen_of(devices.display)

    @property
    def simulated(self) -> bool:
        """Whether the board can be pressed by the page."""
        return isinstance(self.devices.board, SimBoard)

    def _screen_of(self, display: Display) -> Screen:
        return Screen(display, picture, self._hear, blinks=blinks)

    # -- for pages -------------------------------------------------------------------------------

    def subscribe(self, listener: Callable[[Scene], None]) -> Callable[[], None]:
        """Call this with every new scene; returns how to end that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def ask(self, wish: Wish) -> None:
        """Do what a page asks for."""
        self.bench.ask(wish)
        self._changed()

    def touch(self, place: str, on: bool) -> bool:
        """Press a place of a simulated board, or let go of it; false if it is a real one."""
        board = self.devices.board
        if not isinstance(board, SimBoard):
            return False
        (board.put if on else board.take)(place)
        return True

    def button(self, name: Any, held: bool) -> bool:
        """Press a button of a simulated box; false if it is a real one."""
        buttons = self.devices.buttons
        if not isinstance(buttons, SimButtons):
            return False
        buttons.press(name, held)
        return True

    def lines(self) -> list[str]:
        """The map as it is known, as the configuration has it."""
        return self.bench.lines(*self._size())

    def _size(self) -> tuple[int, int]:
        return matrix_size(self.config, self.devices.board)

    def stop(self) -> None:
        """Stop, as a service is stopped."""
        self.stopped = True
        self._done.set()

    def begin_anew(self) -> None:
        """End, to begin with what was changed."""
        self.changed_setup = True
        self._done.set()

    # -- its life --------------------------------------------------------------------------------

    async def run(self) -> None:
        """Be the bench until the person is done, or until stopped."""
        tasks = [asyncio.create_task(self._settle())]
        if self._screen is not None:
            tasks.append(asyncio.create_task(self._screen.run()))
        if (period := watchdog_period()) is not None:
            tasks.append(asyncio.create_task(_feed(self._notify, period / 3)))
        tasks += [asyncio.create_task(self._serve(one)) for one in self._services]
        board: Any = self.devices.board
        board.on_cell = self._cell
        try:
            for source in self.devices.sources:
                source.start(self._hear)
            self._changed()
            self._notify("READY=1\nSTATUS=a board is on the bench")
            await self._done.wait()
        finally:
            board.on_cell = None
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if self._screen is not None:
                self._screen.close()
            self.devices.close()
            self._notify.close()

    async def _serve(self, service: Service) -> None:
        try:
            await service(self)
        except Exception:
            _LOG.exception("a service ended; the bench goes on without it")

    async def _settle(self) -> None:
        """Begin when the board has told what is closed; a board that never comes may come later."""
        try:
            async with asyncio.timeout(GRACE):
                await self._ready.wait()
        except TimeoutError:
            pass
        self._settling = False
        self._begin()

    def _begin(self) -> None:
        if not self._begun:
            self._begun = True
            board: Any = self.devices.board
            size = self._size()
            self.bench.begin(board.cells, _now(), size if all(size) else None)
            self._changed()

    def _cell(self, row: int, column: int, on: bool) -> None:
        if self._begun:
            self.bench.change((row, column), on, _now())
            self._changed()

    def _hear(self, event: Event) -> None:
        """An event; a board that comes back tells first how it stands, and is not touched yet."""
        if isinstance(event, Lost) and event.device == "board":
            self._begun = False
        self.bench.take(event)
        if isinstance(event, Snapshot):
            self._ready.set()
            if not self._settling:
                self._begin()
        self._changed()

    def _changed(self) -> None:
        """Keep, then show: what hands see is never ahead of what is written."""
        self._keep()
        bench, scene = self.bench, self.bench.scene
        if bench.over:
            self._done.set()
        self._glow()
        if scene == self.scene and self._begun:
            return
        self.scene = scene
        if self._screen is not None:
            self._screen.show(scene)
            self._screen.stir(_now())
        for listener in tuple(self._listeners):
            listener(scene)

    def _keep(self) -> None:
        wiring = self.bench.wiring
        if self._save is None or not wiring or wiring == self._saved:
            return
        try:
            self._save(self.lines())
        except OSError as fault:
            _LOG.error("the map cannot be written: %s", fault)
            self.bench.forbid()
            self._save = None
            return
        self._saved = wiring

    def _glow(self) -> None:
        board: Any = self.devices.board
        board.light_cells(self.bench.lit)
        sounder: Sounder | None = self.devices.sounder
        if sounder is None:
            return
        good, bad = self.bench.lamps
        sounder.lamp("good", good)
        sounder.lamp("bad", bad)
        if self.bench.cue is not None:
            sounder.play(TONES[self.bench.cue])
            self.bench.cue = None


def _now() -> float:
    return asyncio.get_running_loop().time()


async def _feed(notify: Notifier, period: float) -> None:
    while True:
        notify("WATCHDOG=1")
        await asyncio.sleep(period)

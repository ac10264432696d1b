"""The daemon: the only wiring between devices, referee, journal and screen.

One bounded queue goes into the referee and one loop comes out of it. What the referee wants
kept is on disk before anything of the same batch is shown, lit or sounded.
"""

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from typing import Any, Protocol

from companion import orders
from companion.box_players import BoxPlayers
from companion.daemon.inbox import Inbox, Posted
from companion.daemon.notify import Notifier, watchdog_period
from companion.daemon.reckoning import Reckoner
from companion.daemon.screen import Screen
from companion.daemon.setup import Setup
from companion.daemon.sparing import Sparing
from companion.devices import Devices
from companion.events import (
    Event,
    Found,
    Lost,
    Reading,
    Rolled,
    Snapshot,
    as_json,
)
from companion.journal import EVENTS, Journal
from companion.referee import (
    Ask,
    Draw,
    Effect,
    Keep,
    Light,
    Referee,
    Report,
    Show,
    Sound,
    SoundName,
    Think,
    View,
)
from companion.rules import Position
from companion.rules.history import History
from companion.screens.sounds import loudness
from companion.table.die import Entropy
from companion.thinking import Thinker

Listener = Callable[[View], None]
Service = Callable[["Daemon"], Awaitable[None]]
Wish = Callable[["Daemon", str], None]

TEND = 10.0  # seconds between two looks at the journal
LULL = 60.0  # seconds without anything to keep after which the journal is put to rest
STUCK = 30.0  # seconds an event may wait before the watchdog is no longer fed
LAST_WORDS = 3.0  # seconds for taking in what was said before a stop
SIGNPOST = EVENTS // 4  # events after which is noted where they can be fed again from
CALM = ("idle", "roll", "over")  # phases in which nothing is half done

_LOG = logging.getLogger("companion")


class Phones(Protocol):
    """A page that players' phones can reach."""

    def code(self, colour: str) -> str | None:
        """The address with which a phone takes a colour."""

    def put_off(self, colour: str) -> bool:
        """Whoever took it before plays it no longer; whether that lasts."""


class Daemon:
    """A table at work. Everything but `run` is called in the event loop's thread.

    A page attaches with `subscribe` (every view, once what led to it is kept), `post` (events)
    and `view`; it runs as one of the `services`, which start when the table is up.
    """

    def __init__(
        self,
        devices: Devices,
        referee: Callable[[], Referee],
        journal: Journal,
        *,
        screen: Callable[["Daemon"], Screen] | None = None,
        sounds: Callable[[SoundName, int], tuple[tuple[float, float], ...]] | None = None,
        services: Iterable[Service] = (),
        wish: Wish | None = None,
        wall: Callable[[], float] = time.time,
        tend: float = TEND,
        entropy: Entropy = os.urandom,
        thinker: Thinker | None = None,
    ) -> None:
        self.devices = devices
        self.journal = journal
        self.kept = 0
        """How many records were committed since the start; what was told of is among them."""
        self.setup: Setup | None = None
        """How the box is set up; the wish `again` begins with what was changed."""
        self.inbox = Inbox()
        self.referee = referee()
        self.screen = screen(self) if screen is not None else None
        self._view = self.referee.view
        self._history: tuple[History | None, int] = (None, 0)
        self.thinker = thinker or Thinker()
        """Answers questions about the odds, in a process of its own."""
        self._reckoner = Reckoner()
        self._box_players = BoxPlayers(self.thinker, entropy, self.post)
        self._new_referee = referee
        self._sounds = sounds
        self._services = tuple(services)
        self._wish = wish or (lambda daemon, _: daemon.stop())
        self._wall = wall
        self._notify = Notifier()
        self._sparing = Sparing(_LOG, wall)
        self._tend_every = tend
        self._listeners: list[Listener] = []
        self._phones: Phones | None = None
        self.phone_code: str | None = None
        """What the code that the menu shows leads to."""
        self._missing: dict[str, str] = {}
        self._sensing = ""
        self._told_trouble: str | None = None
        self._disk = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._stop = asyncio.Event()
        self._rested = 0.0
        self._unrested = False
        self._faces: tuple[str, ...] = ()
        self._built = _built(self.referee)
        self._unmarked = 0
        self._found = False
        self._rolled: int | None = None
        self._cause: Event | None = None

    # -- for pages and commands ----------------------------------------------------------------

    @property
    def benches(self) -> bool:
        """Whether the board can be put on the bench."""
        return self.referee.benches

    @property
    def view(self) -> View:
        """The table as it was told last: never ahead of what is kept."""
        return self._view

    @property
    def history(self) -> tuple[History | None, int]:
        """The game, and how many deeds of it were told: never more than is kept."""
        return self._history

    @property
    def chances(self) -> tuple[int, Mapping[Position, Mapping[str, float]]]:
        """The chances to win by position, as far as they are known, and a number that changes."""
        return self._reckoner.version, self._reckoner.known

    def post(self, event: Event) -> bool:
        """Put an event in the queue; false if there is no room, which hands never manage."""
        taken = self.inbox.put(event, asyncio.get_running_loop().time())
        if not taken:
            what = type(event).__name__
            self._sparing.say(logging.WARNING, what, f"too much is happening: {what} was not heard")
        return taken

    def _hear(self, event: Event) -> None:
        if not self.post(event) and isinstance(event, Rolled):
            self._confirm(event.number)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call this with every new view; returns how to end that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def forget_names(self, names: Collection[str]) -> bool:
        """Take names out of the journal; whether that is on disk."""
        return bool(await self._on_disk(partial(self.journal.forget, names)))

    async def delete_game(self, id: int) -> bool:
        """Delete a past game from the journal by its id; whether that is on disk.

        Raises UnderWayError.
        """
        return bool(await self._on_disk(partial(self.journal.delete, id)))

    def offer_phones(self, phones: Phones) -> None:
        """Players' phones can reach a page: the box's menu shows their codes from now on."""
        self._phones = phones
        self.post(orders.command(orders.Phones(here=True)))

    def stop(self) -> None:
        """Stop cleanly: what has happened is kept, the screen goes dark."""
        self._stop.set()

    def close_unused(self) -> None:
        """Close what is open, of a daemon that never ran."""
        self.devices.close()
        self.journal.close()
        self._disk.shutdown()

    # -- the life of a daemon --------------------------------------------------------------------

    async def run(self) -> None:
        """Be the companion until stopped. Raises what makes going on impossible."""
        tasks: list[asyncio.Task[Any]] = [asyncio.create_task(self._stop.wait(), name="stop")]
        try:
            await self._resume()
            if self.screen is not None:
                tasks.append(asyncio.create_task(self.screen.run(), name="screen"))
            for source in self.devices.sources:
                source.start(self._hear)
            tasks.append(asyncio.create_task(self._referee_loop(), name="referee"))
            if self.screen is not None:
                await self.screen.shown.wait()
            self._notify(f"READY=1\nSTATUS={self._status()}")
            tasks.append(asyncio.create_task(self._tend(), name="tend"))
            if (period := watchdog_period()) is not None:
                tasks.append(asyncio.create_task(self._feed_watchdog(period / 3), name="watchdog"))
            served = (*self._services, self._reckoner.run)
            services = [asyncio.create_task(self._serve(one)) for one in served]
            try:
                await self._until_stopped(tasks)
            finally:
                await _cancel(services)
        finally:
            await _cancel(tasks)
            await self._close()

    async def _until_stopped(self, tasks: list["asyncio.Task[Any]"]) -> None:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()

    async def _close(self) -> None:
        """Stop the devices, take in what they said, and close what is open.

        Systemd does not wait for ever, and a card may be slow: a die tells a roll that was not
        taken in again, and the board is looked at again.
        """
        for source in self.devices.sources:
            source.close()
        await self._box_players.forget()
        await self.thinker.close()
        end = asyncio.get_running_loop().time() + LAST_WORDS
        while len(self.inbox) and asyncio.get_running_loop().time() < end:
            await self._take(await self.inbox.get(None))
        if self.screen is not None:
            self.screen.close()
        self.devices.close()
        await self._on_disk(self.journal.close)
        self._disk.shutdown()
        self._notify.close()

    async def _serve(self, service: Service) -> None:
        """Run a page or bridge; its failure is its own, the table goes on."""
        try:
            await service(self)
        except Exception:
            _LOG.exception("a service ended; the table goes on without it")

    # -- the referee's loop ----------------------------------------------------------------------

    async def _referee_loop(self) -> None:
        while True:
            posted = await self.inbox.get(self.referee.next_deadline())
            await self._take(posted)

    async def _take(self, posted: Posted) -> None:
        event, at = posted
        self._log_device(event)
        self.journal.note({"at": round(at, 6), **as_json(event)}, self._wall())
        if self.screen is not None:
            self.screen.stir(at)
        self._cause = event
        try:
            effects = self.referee.feed(event, at)
        except Exception:
            _LOG.exception("the referee stumbled over %s; the game is resumed", event)
            await self._start_over(at)
        else:
            await self._carry_out(effects)
        if isinstance(event, Rolled):
            self._rolled = event.number
            self._confirm(event.number)
        self._found = self._found or (isinstance(event, Found) and event.device == "journal")
        if self._found:
            await self._find_game(at)
        self._unmarked += 1
        if self._unmarked >= SIGNPOST * (1 if self._view.phase in CALM else 2):
            self._note_stand(at, "goes_on")

    def _log_device(self, event: Event) -> None:
        """One line when a device vanishes, and one when it is there (again).

        The journal logs its troubles itself.
        """
        if isinstance(event, Lost):
            if self._missing.get(event.device) != event.why and event.device != "journal":
                self._sparing.say(
                    logging.WARNING, event.device, f"{event.device} lost: {event.why}"
                )
            self._missing[event.device] = event.why
        elif isinstance(event, Found):
            self._missing.pop(event.device, None)
            if event.device != "journal":
                self._sparing.say(logging.INFO, event.device, f"{event.device} found: {event.what}")

    def _confirm(self, number: int) -> None:
        """Only now, when it is safe or of no use, may a die forget its roll."""
        if self.devices.die is not None:
            self.devices.die.confirm(number)

    async def _resume(self) -> None:
        """Go on with the game that was under way; one that cannot be replayed is left alone."""
        now = asyncio.get_running_loop().time()
        self._note_stand(now, "began")
        effects = self._resumed(now)
        await self._carry_out([*effects, Show(self.referee.view)])
        self._tell_trouble()

    def _resumed(self, now: float) -> list[Effect]:
        """What the referee does with the game that was kept; whatever fails, people can play."""
        try:
            return self.referee.resume(self.journal.resumable(), now)
        except Exception:
            _LOG.exception("the last game cannot be resumed: it stays in the journal")
            self.referee = self._new_referee()
            return self.referee.resume(self.journal.lasting(), now)

    def _note_stand(self, now: float, event: str, **more: int | None) -> None:
        """Note what a referee has to know that is fed the following events again."""
        board, wall = self.inbox.board, self._wall()
        stand = {
            "wall": wall,
            **self._built,
            "missing": dict(self._missing),
            "board": None if board is None else sorted(board.on),
            **({"pieces": board.pieces} if board is not None and board.pieces else {}),
            "after": self.journal.last,
            **more,
        }
        self.journal.note({"at": round(now, 6), "event": event, **stand}, wall)
        self._unmarked = 0

    async def _start_over(self, now: float, **heard: int | None) -> None:
        """A referee is replaced by one that knows what was kept.

        It may know a roll that was `rolled` by another die, or by ours before it counted again.
        """
        self._note_stand(now, "began", **heard)
        await self._box_players.forget()
        self.referee = self._new_referee()
        effects = self._resumed(now)
        if heard:
            self.referee.forget_rolls_but(heard["rolled"])
        effects += self.referee.catch_up(self._missing, self.inbox.board, now)
        await self._carry_out([*effects, Show(self.referee.view)])

    async def _find_game(self, now: float) -> None:
        """A journal that could not be opened at the start may hold a game to go on with.

        Whoever is in a menu stays there; the game waits until the table is idle.
        """
        referee = self.referee
        if referee.match is None and referee.phase != "idle":
            return
        self._found = False
        kept = self.journal.resumable()
        if referee.match is None and any(one["kind"] == "start" for one in kept):
            await self._start_over(now, rolled=self._rolled)

    # -- effects ---------------------------------------------------------------------------------

    async def _carry_out(self, effects: list[Effect]) -> None:
        """First keep, then tell."""
        records = [effect.record for effect in effects if isinstance(effect, Keep)]
        if records:
            await self._on_disk(partial(self.journal.keep, records, self._wall()))
            self.kept += len(records)
            self._rested, self._unrested = asyncio.get_running_loop().time(), True
            self._tell_trouble()
        for effect in effects:
            self._do(effect)

    def _do(self, effect: Effect) -> None:
        if isinstance(effect, Show):
            self._show(effect.view)
        elif isinstance(effect, Light):
            self._light(effect)
        elif isinstance(effect, Sound):
            self._sound(effect.name)
        elif isinstance(effect, Report):
            self._report(effect.text)
        elif isinstance(effect, Ask):
            kind, _, colour = effect.wish.partition(":")
            if kind == "put_off" and self._phones is not None:
                self._phones.put_off(colour)
            else:
                self._wish(self, effect.wish)
        elif isinstance(effect, Draw | Think):
            self._box_players.answer(effect)

    def _report(self, text: str) -> None:
        """What the referee could make nothing of. While nobody plays no board lies there that it
        could speak of: what a sensor says then is nobody's fault."""
        sensed = isinstance(self._cause, Reading | Snapshot)
        if not sensed or self._view.position is not None:
            self._sparing.say(logging.INFO, "referee", text, once=True)

    def _show(self, view: View) -> None:
        self._view = view
        self._history = self._told_history()
        kind, _, colour = view.title.partition(":")
        known = kind == "phone" and self._phones is not None
        self.phone_code = self._phones.code(colour) if known and self._phones else None
        if self.screen is not None:
            self.screen.show(view)
        self._show_die(view)
        if view.sensing != self._sensing:
            self._sensing = view.sensing
            if (board := self.inbox.board) is not None:
                self.post(board)  # who did not watch the board has to look at it again
        for listener in tuple(self._listeners):
            try:
                listener(view)
            except Exception:
                _LOG.exception("somebody who follows the table failed on %s", view.phase)
        self._notify(f"STATUS={self._status()}")

    def _told_history(self) -> tuple[History | None, int]:
        match = self.referee.match
        return match, len(match.deeds) if match is not None else 0

    def _show_die(self, view: View) -> None:
        """The die shows the last roll that counted, in the pictures of the sheet in play.

        It is told with every view: a roll that was refused lies there without a new face.
        """
        die = self.devices.die
        if die is None or view.position is None:
            return
        names = view.position.game.die.faces
        if names != self._faces:
            self._faces = names
            die.faces(names)
        if view.face is not None:
            die.show(view.face)
        elif view.last is not None:
            die.show(view.last.face)

    def _light(self, light: Light) -> None:
        if self.devices.board is not None:
            with contextlib.suppress(ValueError):  # the sheet in play may be for another board
                self.devices.board.light(light.places)
        if self.devices.sounder is not None:
            self.devices.sounder.lamp("good", light.good)
            self.devices.sounder.lamp("bad", light.bad)

    def _sound(self, name: SoundName) -> None:
        volume = int(self._view.setting("volume"))
        if self.devices.sounder is not None and self._sounds is not None:
            self.devices.sounder.volume(loudness(volume))
            self.devices.sounder.play(self._sounds(name, volume))

    # -- what has to be seen to now and then -------------------------------------------------------

    async def _on_disk(self, act: Callable[[], Any]) -> Any:
        """Flushing a card may take long: the loop goes on reading meanwhile."""
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._disk, act))

    async def _tend(self) -> None:
        """See to the journal: that it is still where it was, and needs no log when all is quiet."""
        while True:
            await asyncio.sleep(self._tend_every)
            if self._is_quiet():
                self._rested, self._unrested = asyncio.get_running_loop().time(), False
                await self._on_disk(self.journal.rest)
            else:
                await self._on_disk(self.journal.flush)
            self._tell_trouble()

    def _is_quiet(self) -> bool:
        """Whether a game has ended, or nobody has moved for a while."""
        if self._unrested and self._view.phase in ("idle", "over"):
            return True
        return asyncio.get_running_loop().time() - self._rested >= LULL

    def _tell_trouble(self) -> None:
        """Players see that games are not kept, and when they are again."""
        trouble = self.journal.trouble
        if trouble == self._told_trouble:
            return
        self._told_trouble = trouble
        if trouble is not None:
            self.post(Lost("journal", trouble))
        else:
            self.post(Found("journal", f"games are kept in {self.journal.path}"))

    async def _feed_watchdog(self, period: float) -> None:
        """A sign of life, as long as events are taken as well."""
        loop = asyncio.get_running_loop()
        while True:
            oldest = self.inbox.oldest
            if oldest is None or loop.time() - oldest < STUCK:
                self._notify("WATCHDOG=1")
            await asyncio.sleep(period)

    def _status(self) -> str:
        """One line for `systemctl status`."""
        view = self._view
        said = view.phase if view.colour is None else f"{view.phase}: {view.colour}"
        return f"{said}; without {', '.join(view.missing)}" if view.missing else said


def _built(referee: Referee) -> dict[str, Any]:
    """How a new referee was made, as plain data."""
    return {
        "sensing": referee.sensing,
        "die": referee.die,
        "times": referee.times._asdict(),
        "choice": asdict(referee.choice),
    }


async def _cancel(tasks: Iterable["asyncio.Task[Any]"]) -> None:
    tasks = [task for task in tasks if not task.done()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)

"""A table in a house: tells what it shows and keeps, and does what the house may ask of it.

It is a service of the daemon, and listens to the same views as a page. The referee never waits for
it: what is told is worked out after the table has been served, and the latest counts.
"""

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, Protocol

from companion import __version__, orders
from companion.cafe import messages, topics
from companion.cafe.forgetting import (
    Mark,
    forget_imported,
    forgotten_in,
    is_forgotten,
    keep_mark,
    kept_marks,
)
from companion.cafe.homeassistant import discovery
from companion.cafe.journal_pieces import piece
from companion.cafe.line import Broker, Line, Said, Trouble, together
from companion.cafe.summary import Summary
from companion.events import Command, Event, Found, Lost
from companion.referee import SETTINGS, View
from companion.rules import SHEETS, BadInput, game
from companion.screens.house import span
from companion.small_files import read_small, write_small

PULSE = 2.0  # seconds between two signs of life
READ_BACK = 5.0  # seconds for our own word to come back from the broker
SHOWN = 120.0  # seconds that a line of the house stays on the screen
WAITING = 64  # orders that need the journal and may wait
DEVICE = "house"
"""What the referee calls it where somebody has to see to the line."""
_DEVICES = {
    **dict.fromkeys(("certificate", "dates", "unreadable", "no_tls"), f"{DEVICE}-certificate"),
    **{key: f"{DEVICE}-{key}" for key in ("password", "access", "twin", "clock")},
}
CLOCK = 120.0
"""Seconds by which the clocks of table and house may differ."""

_FromDisk = messages.Records | messages.Forget

_LOG = logging.getLogger("companion.cafe")


class Records(Protocol):
    """The journal, as far as the house is told of it."""

    path: Path
    trouble: str | None

    @property
    def id(self) -> str | None: ...
    @property
    def last(self) -> int: ...
    def since(self, number: int) -> "list[tuple[int, float, dict[str, Any]]]": ...


class Host(Protocol):
    """A daemon."""

    @property
    def view(self) -> View: ...
    @property
    def journal(self) -> Any: ...
    def post(self, event: Event) -> bool: ...
    async def forget_names(self, names: Collection[str]) -> bool: ...
    def subscribe(self, listener: Callable[[View], None]) -> Callable[[], None]: ...


class Section(Broker, Protocol):
    """How a table joins: the section `cafe` of the configuration."""

    @property
    def name(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def user(self) -> str | None: ...


class Table:
    """The table's end of the line."""

    def __init__(
        self,
        host: Host,
        section: Section,
        folder: Path,
        *,
        page: Callable[[], str] = str,
        board: str = "",
        wall: Callable[[], float] = time.time,
        pulse: float = PULSE,
    ) -> None:
        self.host, self.section = host, section
        self.box = kept_box(folder)
        self._folder = folder
        self.birth = ""
        self.heard = False
        """Whether the broker has given back what we say of ourselves: so others hear it too."""
        self.fault: Trouble | None = None
        """What somebody has to mend; it is shown at the table."""
        self._page, self._board = page, board
        self._wall, self._pulse_every = wall, pulse
        self._summary = Summary()
        self._told_kept = host.journal.last
        self._number = 0
        self._view: View | None = None
        self._news = asyncio.Event()
        self._asked: deque[str] = deque(maxlen=64)
        self._pieces: asyncio.Queue[tuple[str, _FromDisk]] = asyncio.Queue(WAITING)
        self._clear: asyncio.TimerHandle | None = None
        self._read_back: asyncio.TimerHandle | None = None
        self._rival = ""
        self._told_needs: tuple[str, list[messages.Need]] = ("", [])
        self._called: bool | None = None
        """Whether somebody calls, as was told last; None before anything was told."""
        self._house_here = False
        self.line = Line(
            section,
            user=section.user or section.name,
            identifier=f"{section.name}-{self.box[:8]}",
            hears=[(one.of(section.name), one.qos) for one in topics.heard_by_table()]
            + [(topics.BIRTH, 0)],
            take=self._take,
            birth=self._begin,
            born=self._born,
            changed=self._line_changed,
        )

    async def run(self) -> None:
        """Be part of the house until cancelled."""
        end = self.host.subscribe(self._follow)
        try:
            await together(
                self.line.run(self._farewell), self._tell(), self._beat(), self._read_pieces()
            )
        finally:
            end()

    # -- the line ----------------------------------------------------------------------------

    def _begin(self) -> Said:
        """Another stay; its last will belongs to it alone."""
        self.birth, self.heard, self._rival = secrets.token_hex(6), False, ""
        return self._said(topics.HERE, messages.Here(birth=self.birth, box=self.box, here=False))

    def _born(self) -> None:
        section = self.section
        about = messages.About(
            birth=self.birth,
            box=self.box,
            label=section.label,
            software=__version__,
            board=self._board,
            sheets=list(SHEETS)[:64],
            page=self._page()[: messages.PAGE],
            forgotten=[(mark.salt, mark.mark) for mark in kept_marks(self._folder)],
        )
        self._say(topics.HERE, messages.Here(birth=self.birth, box=self.box, here=True))
        self._say(topics.ABOUT, about)
        self._view = self.host.view
        self._told_kept = self.host.journal.last
        self._news.set()
        self._beat_once()
        loop = asyncio.get_running_loop()
        self._read_back = loop.call_later(READ_BACK, self._not_heard)
        self._announce()

    def _announce(self) -> None:
        """Let Home Assistant know of this table."""
        for said in discovery(self.section.name, self.section.label, self.box):
            self.line.say(said)

    def _farewell(self) -> list[Said]:
        """Switched off, not lost."""
        gone = messages.Here(birth=self.birth, box=self.box, here=False, off=True)
        return [self._said(topics.HERE, gone)]

    def _line_changed(self) -> None:
        if not self.line.up:
            self._house(False)
            if self._read_back is not None:
                self._read_back.cancel()
            trouble = self.line.trouble
            self._wrong(trouble if trouble is not None and trouble.wrong else self.fault)

    def _not_heard(self) -> None:
        """The broker says nothing of what it does not let through: our own word has to come back.

        The house hears of it on the topic of the user that we are.
        """
        if self.heard or not self.line.up:
            return
        name, user = self.section.name, self.section.user or self.section.name
        self._wrong(Trouble("access", {"user": name}, True))
        if user != name and topics.is_name(user):
            refused = messages.encode(messages.TurnedAway(box=self.box, name=name))
            self.line.say(Said(topics.REFUSED.of(user), refused, False, topics.REFUSED.qos))
        loop = asyncio.get_running_loop()
        self._read_back = loop.call_later(READ_BACK, self._not_heard)

    def _wrong(self, fault: Trouble | None) -> None:
        """Something that somebody has to mend is shown at the table; a line that is down is not."""
        before, self.fault = self.fault, fault
        if fault == before:
            return
        if before is not None:
            self.host.post(Found(_device(before), "the house hears this table"))
        if fault is not None:
            _LOG.error("%s", fault.said)
            self.host.post(Lost(_device(fault), fault.said))

    @property
    def state(self) -> str:
        """Whether the house's broker hears this table: `there`, `waiting`, or `wrong`."""
        if self.fault is not None:
            return "wrong"
        return "there" if self.line.up and self.heard else "waiting"

    def why(self, language: str) -> str:
        """Why it is not there, in a language."""
        trouble = self.fault or self.line.trouble
        return "" if trouble is None else trouble.in_language(language)

    def _house(self, here: bool) -> None:
        if here != self._house_here:
            self._house_here = here
            self.host.post(orders.command(orders.House(here=here), "staff"))

    # -- what is told ------------------------------------------------------------------------

    def _follow(self, view: View) -> None:
        self._view = view
        self._news.set()

    async def _tell(self) -> None:
        """Tell the latest, and every record that was kept, when the table has been served."""
        while True:
            await self._news.wait()
            self._news.clear()
            if self._view is not None and self.line.up:
                self._tell_view(self._view)
                self._tell_kept()
            await asyncio.sleep(0)

    def _tell_view(self, view: View) -> None:
        at = self._wall()
        self._say(topics.NOW, self._summary.now(view, self.birth, at))
        needs = self._summary.needs(view, at, self.host.journal.trouble)
        needs = [need for need in needs if need.detail.partition("-")[0] != DEVICE]
        if (self.birth, needs) != self._told_needs:
            self._told_needs = (self.birth, needs)
            self._say(topics.HELP, messages.Help(birth=self.birth, at=at, needs=needs))
        called = any(need.kind == "call" for need in needs)
        if called and self._called is False:
            self._say(topics.CALLS, messages.Called(birth=self.birth, at=at))
        self._called = called

    def _tell_kept(self) -> None:
        journal = self.host.journal
        if journal.id is None or journal.last <= self._told_kept:
            return
        for number, at, record in journal.since(self._told_kept):
            kept = messages.Kept(journal=journal.id, number=number, at=at, record=record)
            self._say(topics.EVENTS, kept)
        self._told_kept = journal.last

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._pulse_every)
            self._beat_once()

    def _beat_once(self) -> None:
        if not self.line.up:
            return
        self._number += 1
        journal, at = self.host.journal, self._wall()
        pulse = messages.Pulse(
            birth=self.birth,
            number=self._number,
            at=at,
            journal=journal.id or "",
            last=journal.last,
        )
        self._say(topics.PULSE, pulse)
        deadline = self._summary.deadline()
        if deadline is not None and at >= deadline and self._view is not None:
            self._news.set()

    def _say(self, topic: topics.Topic, message: messages.Message) -> None:
        self.line.say(self._said(topic, message))

    def _said(self, topic: topics.Topic, message: messages.Message) -> Said:
        payload = messages.encode(message)
        return Said(topic.of(self.section.name), payload, topic.retained, topic.qos)

    # -- what is asked -----------------------------------------------------------------------

    def _take(self, topic: str, payload: bytes, retained: bool) -> None:
        """Take in what the broker brings; nonsense is left alone."""
        if topic == topics.BIRTH:
            if payload == b"online":
                self._announce()
            return
        try:
            which, _ = topics.parse(topic)
            if which is topics.ASK and not retained:
                self._order(messages.decode(payload, messages.Ask))
            elif which is topics.HERE:
                self._own(messages.decode(payload, messages.Here))
            elif which is topics.HOUSE_HERE:
                self._hear_house(messages.decode(payload, messages.Here), retained)
        except messages.LaterVersionError as fault:
            _LOG.warning("the house asks for what this table does not know: %s", fault)
        except (messages.MalformedError, topics.NoTopicError) as fault:
            _LOG.info("not understood: %s", fault)

    def _own(self, here: messages.Here) -> None:
        """What the broker holds of us: our own word, or that of another box of this name."""
        if here.box == self.box:
            if here.birth == self.birth and here.here:
                self.heard = True
                if not self._rival and (self.fault is None or self.fault.key != "clock"):
                    self._wrong(None)
            elif self.line.up and self.birth:  # a death of an earlier stay came late
                self._say(topics.HERE, messages.Here(birth=self.birth, box=self.box, here=True))
        elif here.here and here.birth:
            self._rival = here.box
            gaps = {"other": here.box[:8], "user": self.section.name}
            self._wrong(Trouble("twin", gaps, True))
        elif self._rival == here.box and self.line.up:  # it has gone, and the name is ours
            self._rival = ""
            self._say(topics.HERE, messages.Here(birth=self.birth, box=self.box, here=True))

    def _hear_house(self, house: messages.Here, retained: bool) -> None:
        """The house is there, or not; what it says now tells by how much the clocks differ."""
        self._house(house.here)
        if not house.here or not house.at or retained:
            return
        differ = self._wall() - house.at
        if abs(differ) > CLOCK:
            if self.fault is None or self.fault.key == "clock":
                self._wrong(Trouble("clock", {"span": span(differ)}, True))
        elif self.fault is not None and self.fault.key == "clock":
            self._wrong(None)

    def _order(self, ask: messages.Ask) -> None:
        if ask.id in self._asked:  # it may come twice
            return
        self._asked.append(ask.id)
        order = ask.order
        if isinstance(order, messages.Records | messages.Forget):
            try:
                self._pieces.put_nowait((ask.id, order))
            except asyncio.QueueFull:
                self._answer(ask.id, "refused", "too much is asked at once")
            return
        try:
            self._answer(ask.id, self._do(order))
        except BadInput as fault:
            self._answer(ask.id, "refused", str(fault)[:300])

    def _do(self, order: messages.Order) -> str:
        """Do what is asked; returns what came of it. Raises BadInput."""
        if isinstance(order, messages.NewGame):
            game(order.sheet, order.options, tuple(order.seats) if order.seats else None)
            seats = tuple(order.seats) if order.seats else None
            offered = orders.OfferGame(order.sheet, dict(order.options), seats)
            free = self.host.view.free
            self._post(orders.command(offered, "staff"))
            return "done" if free else "asked"
        if isinstance(order, messages.Set):
            if order.value not in SETTINGS[order.name]:
                raise BadInput(f"{order.name} cannot be set to {order.value}")
            self._post(orders.command(orders.Set(order.name, order.value), "staff"))
        elif isinstance(order, messages.Say):
            self._post(orders.command(orders.House(text=order.text), "staff"))
            self._clear_later(order.text)
        elif isinstance(order, messages.AnswerCall):
            if not self.host.view.house.called:
                raise BadInput("nobody calls at this table any more")
            self._post(orders.command(orders.House(coming=True), "staff"))
            self._clear_later("coming")
        else:
            raise BadInput("this table cannot do that: update it")
        return "done"

    def _post(self, command: Command) -> None:
        if not self.host.post(command):
            raise BadInput("too much is happening at the table: try again")

    def _clear_later(self, text: str) -> None:
        """A line does not stay on the screen for ever."""
        if self._clear is not None:
            self._clear.cancel()
        if text:
            loop = asyncio.get_running_loop()
            clear = orders.command(orders.House(text=""), "staff")
            self._clear = loop.call_later(SHOWN, self.host.post, clear)

    def _answer(self, id: str, state: str, said: str = "") -> None:
        self._say(topics.ANSWERS, messages.Answer(id=id, state=state, said=said))

    async def _read_pieces(self) -> None:
        """Read the journal for the house, one piece at a time and off the table's loop."""
        while True:
            id, order = await self._pieces.get()
            try:
                if isinstance(order, messages.Forget):
                    await self._forget(id, Mark(order.salt, order.mark))
                else:
                    found = await asyncio.to_thread(piece, self.host.journal.path, id, order)
                    self._say(topics.PIECES, found)
            except Exception as fault:  # whatever a disk leads to: the table goes on
                self._answer(id, "refused", f"the journal cannot be read: {fault}"[:300])

    async def _forget(self, id: str, mark: Mark) -> None:
        """Forget a name in the journal and in the games that were brought here, on the screen and
        in what the broker holds of us."""
        shown = set(self.host.view.names.values())
        kept = await asyncio.to_thread(forgotten_in, self.host.journal.path, [mark])
        now = await asyncio.to_thread(lambda: {one for one in shown if is_forgotten(one, [mark])})
        names = kept | now
        await asyncio.to_thread(keep_mark, self._folder, mark)
        done = True
        if names:
            done = await self.host.forget_names(names)
            self._post(orders.command(orders.House(forget=tuple(names)), "staff"))
        if await asyncio.to_thread(forget_imported, self.host.journal.path.parent, mark) and done:
            self._answer(id, "done")
        else:
            self._answer(id, "refused", "the disk does not take it: it is asked again")


def _device(fault: Trouble) -> str:
    return _DEVICES.get(fault.key, DEVICE)


def kept_box(folder: Path) -> str:
    """The random id of this box; made once, and for this time where it cannot be kept."""
    path = folder / "box.id"
    try:
        found = read_small(path).decode("ascii").strip()
        if len(found) == 16 and found.isalnum():
            return found
    except (OSError, UnicodeDecodeError):
        pass
    made = secrets.token_hex(8)
    try:
        write_small(path, f"{made}\n")
    except OSError as fault:
        _LOG.warning("the id of this box cannot be kept: %s", fault)
    return made

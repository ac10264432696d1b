"""The house's page: every table on one page, who needs help first; wall, staff and statistics.

It is served as the tables' pages are: the same door, the same guard, the same stream of events.
Watching is free in the house; orders need the staff's PIN, or the house's own screen.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Protocol

import msgspec
from aiohttp import web
from msgspec import Meta, Struct

from companion.cafe import messages
from companion.cafe.house import House, NoAnswerError
from companion.cafe.room import TableState
from companion.languages import LANGUAGES
from companion.screens import house as said
from companion.screens.languages import words as words_of
from companion.web import files, requests
from companion.web.addresses import own_names, shown_address
from companion.web.answering import UNKEPT, application, asked_language, watched
from companion.web.guard import Guard, RequestRefused
from companion.web.serving import serve
from companion.web.state import boards, colours, sheets
from companion.web.stream import Reader, Stream, event

NAME = "house"
"""Of its cookies: a table may have its page on the same machine."""
STATIC = Path(__file__).parent / "static"
SHARED = ("dom.js", "icon.svg")
VIEWS = ("/", "/wall", "/staff", "/statistics")
SOON = 0.04  # seconds in which what tables say is gathered for the readers
AT_ONCE = 32  # tables that are told of with one write
BEAT = 2.0  # seconds between two signs of life to every page

_LOG = logging.getLogger("companion.cafe")
_encode = msgspec.json.Encoder().encode


class Section(Protocol):
    """How the page is served: the section `page` of the house's configuration."""

    @property
    def address(self) -> str: ...
    @property
    def port(self) -> int: ...
    @property
    def pin(self) -> str | None: ...
    @property
    def names(self) -> Sequence[str]: ...


class Order(Struct, forbid_unknown_fields=True):
    """What staff ask of a table."""

    table: Annotated[str, Meta(max_length=32)]
    order: messages.NewGame | messages.Set | messages.Say | messages.AnswerCall


class Remove(Struct, forbid_unknown_fields=True):
    """A table that belongs to the house no more."""

    table: Annotated[str, Meta(max_length=32)]


class Forget(Struct, forbid_unknown_fields=True):
    """A name to be forgotten."""

    name: Annotated[str, Meta(min_length=1, max_length=64)]


class Told(NamedTuple):
    """A table as pages are told of it, and by what one knows whether it has changed."""

    name: str
    key: Any
    event: bytes


class HousePage:
    """Everything behind the page."""

    def __init__(self, house: House, section: Section, key: str | None = None) -> None:
        self.house, self.section = house, section
        self.address = ""
        self.stream = Stream(self._messages)
        clock = asyncio.get_running_loop().time
        self.guard = Guard([*own_names(), *section.names], section.pin, clock, key, NAME)
        self._key = key
        self._files: dict[str, files.File] = {}
        self._edition = b""
        self._beats = 0
        self._telling: asyncio.TimerHandle | None = None
        self._told: dict[tuple[str, str], Told] = {}

    # -- what is told --------------------------------------------------------------------------

    def _messages(self, reader: Reader) -> Iterator[bytes]:
        """What a reader has not been sent yet: of each table the latest."""
        seen = reader.seen
        if not seen:
            yield self._edition
        house = self._house(reader)
        if seen.get("house") != house:
            seen["house"] = house
            yield event("house", house)
        known: dict[str, Any] = seen.setdefault("tables", {})
        tables = self.house.tables
        for first in range(0, len(tables), AT_ONCE):
            some = tables[first : first + AT_ONCE]
            told = [self._table(table, reader.language) for table in some]
            new = [one for one in told if known.get(one.name) != one.key]
            if new:
                known.update((one.name, one.key) for one in new)
                yield b"".join(one.event for one in new)
        for name in known.keys() - self.house.room.tables.keys():
            del known[name]
            yield event("gone", _encode(name))
        if seen.get("beat") != self._beats:
            seen["beat"] = self._beats
            yield event("beat", b"%d" % self._beats)

    def _house(self, reader: Reader) -> bytes:
        line, language = self.house.line, reader.language
        trouble = "" if line.trouble is None else line.trouble.in_language(language)
        refused = self.house.refusals.counts(self.house.now())
        told = {
            "hears": self.house.room.hears,
            "why": trouble,
            "refused": [said.refusal(*one, words_of(language)) for one in refused.items()],
            "control": reader.control,
            "pin": self.guard.has_pin,
            "empty": not self.house.room.tables,
        }
        return _encode(told)

    def _table(self, table: TableState, language: str) -> Told:
        """A table as it is told; seconds that pass by themselves are counted by the page."""
        troubles = table.troubles(self.house.now())
        key = (table.version, table.status, tuple(troubles))
        found = self._told.get((table.name, language))
        if found is None or found.key != key:
            told = event("table", _encode(told_of(table, troubles, self.house.now(), language)))
            found = self._told[table.name, language] = Told(table.name, key, told)
        return found

    # -- requests ------------------------------------------------------------------------------

    def app(self) -> web.Application:
        """The application; every answer carries the same safety headers."""
        routes = [
            *(web.get(view, self._get_page) for view in VIEWS),
            web.get("/events", self._get_events, allow_head=False),
            web.get("/boards.json", self._get_made),
            web.get("/words.json", self._get_made),
            web.get("/statistics.json", self._get_statistics),
            web.get("/games.csv", self._get_csv),
            web.post("/order", self._post_order),
            web.post("/forget", self._post_forget),
            web.post("/remove", self._post_remove),
        ]
        return application(self.guard, self._files, routes)

    async def _get_page(self, request: web.Request) -> web.StreamResponse:
        if "key" in request.query:
            return self.guard.let_in(request)
        return files.send(request, self._files["house.html"])

    async def _get_made(self, request: web.Request) -> web.Response:
        name = request.path.strip("/").removesuffix(".json")
        if name == "words":
            name = f"words-{asked_language(request)}"
        return files.send(request, self._files[name])

    async def _get_statistics(self, request: web.Request) -> web.Response:
        found = await self.house.statistics()
        return web.json_response(found, headers=UNKEPT)

    async def _get_csv(self, request: web.Request) -> web.Response:
        text = await self.house.games_csv()
        headers = {"Content-Disposition": 'attachment; filename="games.csv"', **UNKEPT}
        return web.Response(text=text, content_type="text/csv", headers=headers)

    async def _get_events(self, request: web.Request) -> web.StreamResponse:
        return await watched(self.guard, self.stream, request)

    async def _post_order(self, request: web.Request) -> web.Response:
        if not self.guard.may_control(request):
            raise RequestRefused(401, "watching is free, orders need the staff's PIN")
        wish: Order = requests.read(await request.read(), Order)
        try:
            answer = await self.house.order(wish.table, wish.order)
        except NoAnswerError as fault:
            raise RequestRefused(504, str(fault)) from None
        return web.json_response({"state": answer.state, "said": answer.said})

    async def _post_forget(self, request: web.Request) -> web.Response:
        """Forget a name everywhere: only at the house itself, since nobody can undo it."""
        if not self.guard.at_the_box(request):
            raise RequestRefused(
                403, "a name is forgotten at the house itself: companion house forget"
            )
        wish: Forget = requests.read(await request.read(), Forget)
        return web.json_response({"games": await self.house.forget(wish.name)})

    async def _post_remove(self, request: web.Request) -> web.Response:
        """Take a table off the page, and out of the broker and Home Assistant."""
        if not self.guard.at_the_box(request):
            raise RequestRefused(403, "a table is removed at the house itself")
        wish: Remove = requests.read(await request.read(), Remove)
        if wish.table not in self.house.room.tables:
            raise RequestRefused(404, "there is no such table")
        await self.house.remove(wish.table)
        return web.Response(status=204)

    # -- its life ------------------------------------------------------------------------------

    async def run(self, started: Callable[[str], None] | None = None) -> None:
        """Serve until cancelled. `started` is told the address to open. Raises OSError."""
        self._files = await asyncio.to_thread(_prepared)
        self._edition = event("edition", _encode(files.edition(self._files)))
        end = self.house.subscribe(self._tell_soon)
        try:
            opened = partial(self._open, started)
            await serve(self.app(), self.section, "page.port", opened, self.stream.run, self._beat)
        finally:
            end()

    def _open(self, started: Callable[[str], None] | None, port: int) -> None:
        """The port is open: say where."""
        self.address = f"http://{shown_address(self.section.address)}:{port}/"
        _LOG.info("the house's page is at %s", self.address)
        if started is not None:
            started(self.address + ("" if self._key is None else f"?key={self._key}"))

    def _tell_soon(self) -> None:
        """Many tables speak at once: readers are woken for all of them together."""
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(SOON, self._tell)

    def _tell(self) -> None:
        self._telling = None
        self.stream.tell()

    async def _beat(self) -> None:
        """A page that does not hear the house any more must not go on showing tables as there."""
        while True:
            await asyncio.sleep(BEAT)
            self._beats += 1
            self.stream.tell()


def told_of(
    table: TableState, troubles: Iterable[Any], now: float, language: str
) -> dict[str, Any]:
    """A table as plain data, with every sentence in the reader's language."""
    words, about, shows = words_of(language), table.about, table.now
    there = table.status == "there"
    told: dict[str, Any] = {
        "name": table.name,
        "label": (about.label if about is not None else "") or table.name,
        "page": about.page if about is not None else "",
        "status": table.status,
        "statusText": said.status(table.status, words),
        "away": round(now - table.since, 1),
        "needs": [
            {"kind": need.kind, "text": said.need(need.kind, need.detail, words)}
            for need in table.needs
        ],
        "troubles": [said.trouble(one.key, one.detail, words) for one in troubles],
        "sheets": list(about.sheets) if about is not None else [],
        "free": True,
        "playing": False,
    }
    if shows is not None:
        leader = max(shows.done, key=lambda colour: shows.done[colour], default="")
        told |= {
            "free": shows.free,
            "playing": there and not shows.free,
            "phase": shows.phase,
            "tone": shows.tone if there else "calm",
            "doing": said.phase(shows.phase, shows.free, words),
            "waited": table.waited(),
            "sheet": shows.sheet,
            "board": shows.board,
            "turn": shows.turn,
            "face": shows.face,
            "names": shows.names,
            "pieces": shows.pieces,
            "done": shows.done,
            "ranking": shows.ranking,
            "leader": leader if not shows.free and shows.done.get(leader) else "",
            "language": shows.language,
            "volume": shows.volume,
            "called": shows.called,
        }
    return told


def _prepared() -> dict[str, files.File]:
    """The page's files, and what never changes, packed."""
    shared = files.load()
    found = {**{name: shared[name] for name in SHARED}, **files.load(STATIC)}
    found["boards"] = files.ready(_encode(boards()), "application/json")
    for language in LANGUAGES:
        words = words_of(language)
        told = {
            "words": said.page_words(words),
            "units": said.units(words),
            "languages": LANGUAGES,
            "colours": colours(language),
            "sheets": [
                {key: one[key] for key in ("id", "title", "colours")} for one in sheets(language)
            ],
        }
        found[f"words-{language}"] = files.ready(_encode(told), "application/json")
    return found

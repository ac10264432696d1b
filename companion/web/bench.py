"""The bench's page: the board drawn, what is asked and seen, and what whoever looks at it asks for.

It is served in place of the game's pages while a board is on the bench, from the same port.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, Protocol

import msgspec
from aiohttp import web

from companion.bench import Scene, Wish
from companion.screens import bench as said
from companion.screens.languages import words
from companion.table import NOT_FOUND
from companion.web import files, requests
from companion.web.addresses import own_names, shown_address
from companion.web.answering import application, asked_language, watched
from companion.web.guard import Guard, RequestRefused
from companion.web.host import Section, Setup
from companion.web.mirror import MirrorDisplay, MirrorSounder, Pattern
from companion.web.serving import serve
from companion.web.setup import SetupPage
from companion.web.state import boards, words_in
from companion.web.stream import Reader, Stream, event

VIEWS = ("/", "/bench", "/kiosk", "/phone")
_LOG = logging.getLogger("companion.web")
_encode = msgspec.json.Encoder().encode


class Host(Protocol):
    """What the page needs of the bench that it shows."""

    scene: Scene
    setup: Setup | None

    @property
    def simulated(self) -> bool: ...
    @property
    def devices(self) -> Any: ...
    def subscribe(self, listener: Callable[[Scene], None]) -> Callable[[], None]: ...
    def ask(self, wish: Wish) -> None: ...
    def touch(self, place: str, on: bool) -> bool: ...
    def button(self, name: Any, held: bool) -> bool: ...
    def lines(self) -> list[str]: ...


class Act(msgspec.Struct, forbid_unknown_fields=True):
    """A request as the page sends it."""

    do: Literal["watch", "learn", "again", "skip", "back", "end", "touch", "button"]
    place: str = ""
    on: bool = False
    button: Literal["up", "down", "ok"] = "ok"
    held: bool = False


class BenchPage:
    """Everything behind the page."""

    def __init__(self, host: Host, section: Section, key: str | None = None) -> None:
        self.host, self.section = host, section
        self.stream = Stream(self._messages)
        clock = asyncio.get_running_loop().time
        self.guard = Guard([*own_names(), *section.names], section.pin, clock, key)
        self.setup = SetupPage(host.setup, self.guard)
        self._files = files.load()
        # Not the game's edition: so a page of the game loads itself again, and becomes this one.
        self._edition = event("edition", _encode(f"bench {files.edition(self._files)}"))
        self._version = 0

    # -- what is told ----------------------------------------------------------------------------

    def _changed(self, scene: Scene | None = None) -> None:
        self._version += 1
        self.stream.tell()

    def _sounded(self, pattern: Pattern) -> None:
        for reader in self.stream.readers:
            reader.sounds = [*reader.sounds[-3:], pattern]
        self.stream.tell()

    def _messages(self, reader: Reader) -> list[bytes]:
        found = [] if reader.seen else [self._edition]
        if reader.seen.get("bench") != self._version:
            reader.seen["bench"] = self._version
            found.append(event("bench", _encode(self._told(reader))))
        display = self.host.devices.display
        if isinstance(display, MirrorDisplay) and reader.seen.get("oled") != display.bits:
            reader.seen["oled"] = display.bits
            found.append(event("oled", _encode(display.bits)))
        found += [event("sound", _encode(pattern)) for pattern in reader.sounds]
        reader.sounds = []
        return found

    def _told(self, reader: Reader) -> dict[str, Any]:
        scene, speak = self.host.scene, words(reader.language)
        return {
            "mode": scene.mode,
            "board": scene.board,
            "title": speak.gettext(said.TITLES[scene.mode]),
            "question": "" if scene.away else said.question(scene, speak),
            "sentences": said.sentences(scene, speak),
            "wrong": scene.remark is not None and scene.remark.kind != "learned",
            "progress": said.progress(scene, speak),
            "last": [said.event(one, scene.board, speak) for one in reversed(scene.last)],
            "asked": scene.asked.name if scene.asked is not None and not scene.away else None,
            "on": sorted(scene.on),
            "done": sorted(scene.wired if scene.asked or scene.mode == "learn" else scene.seen),
            "bad": list(scene.missing if scene.mode == "learn" else scene.flickering),
            "away": bool(scene.away),
            "why": "" if scene.away == NOT_FOUND.format(role="board") else scene.away,
            "kept": scene.kept,
            "map": self.host.lines() if scene.wired else [],
            "lines": {key: speak.gettext(line) for key, line in said.LINES.items()},
            "control": reader.control,
            "pin": self.guard.has_pin,
            "sim": self.host.simulated,
        }

    # -- requests --------------------------------------------------------------------------------

    def app(self) -> web.Application:
        """The application; every answer carries the same safety headers."""
        routes = [
            *(web.get(view, self._get_page) for view in VIEWS),
            *self.setup.routes(),
            web.get("/events", self._get_events, allow_head=False),
            web.get("/boards.json", self._get_boards),
            web.get("/words.json", self._get_words),
            web.post("/do", self._post_do),
        ]
        return application(self.guard, self._files, routes)

    async def _get_page(self, request: web.Request) -> web.Response:
        if "key" in request.query:
            return self.guard.let_in(request)
        return files.send(request, self._files["bench.html"])

    async def _get_boards(self, request: web.Request) -> web.Response:
        return files.send(request, self._ready("boards", boards))

    async def _get_words(self, request: web.Request) -> web.Response:
        """What the bench says; it needs no sheets."""
        language = asked_language(request)
        return files.send(
            request,
            self._ready(f"words-{language}", lambda: words_in(language, behind=True)),
        )

    def _ready(self, name: str, make: Callable[[], Any]) -> files.File:
        if name not in self._files:
            self._files[name] = files.ready(_encode(make()), "application/json")
        return self._files[name]

    async def _get_events(self, request: web.Request) -> web.StreamResponse:
        return await watched(self.guard, self.stream, request)

    async def _post_do(self, request: web.Request) -> web.Response:
        if not self.guard.may_control(request):
            raise RequestRefused(401, "watching is free, the bench needs the PIN")
        act: Act = requests.read(await request.read(), Act)
        self._do(act)
        return web.Response(status=204)

    def _do(self, act: Act) -> None:
        if act.do == "touch":
            try:
                done = self.host.touch(act.place, act.on)
            except ValueError as fault:
                raise RequestRefused(400, str(fault)) from None
        elif act.do == "button":
            done = self.host.button(act.button, act.held)
        else:
            self.host.ask(Wish(act.do))
            done = True
        if not done:
            raise RequestRefused(409, "this board and these buttons are real: press them there")

    # -- its life --------------------------------------------------------------------------------

    async def run(self, started: Callable[[str], None] | None = None) -> None:
        """Serve until cancelled. `started` is told the address to open. Raises OSError."""
        display, sounder = self.host.devices.display, self.host.devices.sounder
        if isinstance(display, MirrorDisplay):
            display.listen(self.stream.tell)
        if isinstance(sounder, MirrorSounder):
            sounder.on_sound = self._sounded
        end = self.host.subscribe(self._changed)
        self._changed()
        try:
            opened = partial(self._open, started)
            await serve(self.app(), self.section, "web.port", opened, self.stream.run)
        finally:
            end()

    def _open(self, started: Callable[[str], None] | None, port: int) -> None:
        """The port is open: say where."""
        address = f"http://{shown_address(self.section.address)}:{port}/bench"
        _LOG.info("the bench's page is at %s", address)
        if started is not None:
            started(address)

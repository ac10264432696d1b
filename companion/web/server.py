"""The web server: the page's files, events out, requests in; one service of the daemon."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from datetime import date
from functools import partial
from typing import Any

import msgspec
from aiohttp import web

from companion import orders
from companion.events import Asker
from companion.languages import LANGUAGES
from companion.referee import Times, View
from companion.rules import Position
from companion.screens.phrases import COLOURS
from companion.web import files, requests
from companion.web.actions import Actions, simulation_of
from companion.web.addresses import own_names, phone_address, shown_address
from companion.web.answering import UNKEPT, application, asked_language, let_listen, rank_of
from companion.web.background import Background
from companion.web.codes import qr_picture
from companion.web.guard import BY_CODE, Guard, RequestRefused, network
from companion.web.hands import PACE
from companion.web.history import HistoryFeed
from companion.web.host import Host, House, Section
from companion.web.imported import LARGEST as LARGEST_RECORD
from companion.web.joining import JoinPage
from companion.web.mirror import MirrorDisplay, MirrorSounder, Pattern
from companion.web.own_pages import OwnPages
from companion.web.past_pages import PastPages
from companion.web.players import Players
from companion.web.serving import serve
from companion.web.setup import SetupPage
from companion.web.state import boards, clauses, state_of, words_in
from companion.web.stream import BOX, PLAYER, WATCHER, Reader, Stream, event
from companion.web.what_if import OtherTable

TURN = 0.001  # seconds of work after which the table has its turn
PAUSE = 0.002  # seconds for it
PORTION = 16 * 1024  # bytes of a game's history that are sent together
YEAR = 365 * 24 * 3600  # seconds for which a phone remembers whom it plays
SEAT = "/P"
"""Where a phone takes its seat; a capital, as everything in its code. Small letters do, too."""
SEAT_KEY = "[A-Za-z0-9_-]{1,40}"
VIEWS = ("/", "/kiosk", "/phone", "/games", "/house-rules")
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_LOG = logging.getLogger("companion.web")
_encode = msgspec.json.Encoder().encode


class Page:
    """Everything behind the page: what it is told, and what it may do."""

    def __init__(
        self,
        host: Host,
        section: Section,
        *,
        times: Times | None = None,
        pace: float = PACE,
        clock: Callable[[], float] | None = None,
        key: str | None = None,
        guard: Guard | None = None,
        house: House | None = None,
        left: Mapping[str, str] | None = None,
    ) -> None:
        """On a simulated table stands what was `left` there, if that are the game's pieces."""
        self.host = host
        self.section = section
        self.address: str | None = None
        """Where phones find the page; None while it is for this machine only."""
        self.stream = Stream(self._messages)
        self.guard = guard or Guard(
            [*own_names(), *section.names],
            section.pin,
            clock or asyncio.get_running_loop().time,
            key,
        )
        self._key = key
        self.setup = SetupPage(host.setup, self.guard)
        self.joining = JoinPage(house, self.guard)
        self.simulation = simulation_of(host, self._changed, times or Times(), pace, left)
        self.actions = Actions(host, self.simulation)
        self.history = HistoryFeed()
        self.background = Background()
        self.own = OwnPages(self, self._own_changed)
        self.past = PastPages(host, self.guard, section, self.background, self.own.rules.called)
        self._times, self._pace = times or Times(), pace
        self._other: Page | None = None
        self._other_work: asyncio.Task[None] | None = None
        self.what_if: dict[str, Any] | None = None
        """From where this table goes on with a past game; None at a table that counts."""
        self.players = Players(host.journal.path.parent)
        self._files: dict[str, files.File] = {}
        self._made: dict[str, files.File] = {}
        self._edition = b""
        self.view: View = host.view
        """The latest view that was told."""
        self._version = 0
        self._stands: list[int] = []
        self._told: dict[tuple[str, Any], bytes] = {}

    # -- what is told ----------------------------------------------------------------------------

    def follow(self, view: View) -> None:
        """A new view of the table."""
        self.view = view
        self.own.rules.follow(view)
        self.actions.follow(view)
        if self.simulation is not None:
            self.simulation.follow(view)
        busy = self.history.behind
        if self.history.follow(*self.host.history) and not busy:
            self._catch_up()
        self._changed()

    def _catch_up(self) -> None:
        """Take in what was kept; a long game in portions, between which the table has its turn."""
        self._stands.append(self.history.catch_up(_soon()))
        if self.history.behind:
            asyncio.get_running_loop().call_later(PAUSE, self._catch_up)
        else:
            self.stream.tell()

    def _hear(self, view: View) -> None:
        """A page that stumbles must not take the table with it."""
        try:
            self.follow(view)
        except Exception:
            _LOG.exception("the page cannot tell of %s; the table goes on", view.phase)

    def _changed(self) -> None:
        self._version += 1
        self._told = {key: told for key, told in self._told.items() if key[0] == "seed"}
        self.stream.tell()

    def _own_changed(self) -> None:
        """The family has other sheets of its own: pages know it, and the box's menu."""
        self.host.post(orders.command(self.own.rules.order()))
        self._changed()

    def _sounded(self, pattern: Pattern) -> None:
        for reader in self.stream.readers:
            if reader.full:
                reader.sounds = [*reader.sounds[-3:], pattern]
        self.stream.tell()

    def _messages(self, reader: Reader) -> Iterator[bytes]:
        """What a reader has not been sent yet: the latest state, never what it missed."""
        if not reader.seen:
            yield self._edition
        if reader.seen.get("state") != self._version:
            reader.seen["state"] = self._version
            yield self._state(reader)
        yield from self._history(reader)
        yield from self._chances(reader)
        if reader.full:
            yield from self._mirrored(reader)

    def _state(self, reader: Reader) -> bytes:
        key = ("state", (reader.language, reader.rank, reader.seat, reader.put_off))
        if key not in self._told:
            told = state_of(self.view, reader.language, self.simulation is not None)
            self.own.rules.tell(told, self.view, reader.language)
            told["control"] = reader.control
            if not reader.control:
                told["lines"], told["cursor"] = _own_lines(told["lines"]), -1
            told["player"] = self._colours(reader.seat)
            told["putOff"] = reader.put_off
            told["box"] = reader.rank == BOX
            told["pin"] = self.guard.has_pin
            told["phone"] = self.address
            told["phones"] = sorted(self.players.taken) if reader.control else []
            told["sim"] = self._simulated()
            told["whatIf"] = self.what_if
            told["weighing"] = told["weighing"] and self.what_if is None
            self._told[key] = event("state", _encode(told))
        return self._told[key]

    def _colours(self, seat: str | None) -> tuple[str, ...]:
        """The colours of the player with this one; somebody may have two."""
        position = self.view.position
        if seat is None or position is None:
            return ()
        colours = position.game.colours
        own = [[colours[one] for one in player] for player in position.game.players]
        return next((tuple(player) for player in own if seat in player), ())

    def _seat(self, request: web.Request) -> str | None:
        return self.players.colour_of(self.guard.shown(request, BY_CODE))

    def _simulated(self) -> dict[str, Any] | None:
        if self.simulation is None:
            return None
        return {
            "pieces": self.simulation.table.standing(),
            "auto": self.simulation.hands.auto,
        }

    def _history(self, reader: Reader) -> Iterator[bytes]:
        """What was played, from where it changed; a long game in portions."""
        while reader.seen.get("history") != len(self._stands) or self._more(reader):
            stands = min(
                self._stands[reader.seen.get("history", 0) :], default=len(self.history.deeds)
            )
            start = min(reader.seen.get("entries", 0), stands)
            told = self.history.entries(reader.language, start, _portion())
            reader.seen["history"], reader.seen["entries"] = len(self._stands), start + len(told)
            entries = b",".join(told)
            by = _encode(self.history.played_by(reader.language))
            parts = (start, entries, _encode(self.history.die()), by)
            yield event("history", b'{"from":%d,"entries":[%b],"die":%b,"playedBy":%b}' % parts)

    def _chances(self, reader: Reader) -> Iterator[bytes]:
        """The chances after each deed of the history, where they are known."""
        version, known = self.host.chances
        key = version, len(self.history.deeds)
        if known and reader.seen.get("chances") != key:
            reader.seen["chances"] = key
            told = [known.get(deed.after) or _decided(deed.after) for deed in self.history.deeds]
            rounded = [one and {c: round(value, 3) for c, value in one.items()} for one in told]
            yield event("chances", _encode(rounded))

    def _more(self, reader: Reader) -> bool:
        return int(reader.seen.get("entries", 0)) < len(self.history.deeds)

    def _mirrored(self, reader: Reader) -> Iterator[bytes]:
        display = self.host.devices.display
        if isinstance(display, MirrorDisplay):
            bits = display.bits if reader.control else display.watched
            if reader.seen.get("oled") != bits:
                reader.seen["oled"] = bits
                yield event("oled", _encode(bits))
        sounds, reader.sounds = reader.sounds, []
        yield from (event("sound", _encode(pattern)) for pattern in sounds)

    # -- requests --------------------------------------------------------------------------------

    def app(self) -> web.Application:
        """The application; every answer carries the same safety headers."""
        routes = [
            *(web.get(view, self._get_page) for view in VIEWS),
            *self.setup.routes(),
            *self.joining.routes(),
            web.get("/events", self._get_events, allow_head=False),
            web.get("/boards.json", self._get_boards),
            web.get("/words.json", self._get_words),
            web.get("/clauses.json", self._get_clauses),
            web.get("/record.txt", self._get_record),
            web.get("/qr.svg", self._get_qr),
            web.get("/player.svg", self._get_player),
            web.get("/player.txt", self._get_player_address),
            web.get(r"/icon-{size:180|192|512}.png", self._get_icon),
            *(web.get(f"{at}/{{key:{SEAT_KEY}}}", self._get_seat) for at in (SEAT, SEAT.lower())),
            web.post("/put-off", self._post_put_off),
            *self.past.routes(),
            *self.own.routes(),
            web.get("/what-if", self._get_what_if),
            web.post("/what-if", self._post_what_if),
            web.get("/what-if/events", self._of_other(lambda it: it._get_events), allow_head=False),
            web.post("/what-if/do", self._of_other(lambda it: it._post_do, reads=False)),
            web.get("/what-if/record.txt", self._of_other(lambda it: it._get_record)),
            web.get("/what-if/articles.json", self._of_other(lambda it: it.own.get_articles)),
            web.get("/what-if/why.json", self._of_other(lambda it: it.own.get_why)),
            web.get("/bench", self._get_bench),
            web.get("/join", self._get_join),
            web.post("/bench", self._post_bench),
            web.post("/do", self._post_do),
        ]
        return application(
            self.guard,
            self._files,
            routes,
            missing=self._files.get("missing.html"),
            sizes={"/import": LARGEST_RECORD},
        )

    async def _get_page(self, request: web.Request) -> web.StreamResponse:
        if "key" in request.query:
            return self.guard.let_in(request)
        return files.send(request, self._files["index.html"])

    async def _get_seat(self, request: web.Request) -> web.Response:
        """A player's phone has opened its code: from now on it is known by a cookie.

        A code that was put off, or was never given, lets it watch; the page says so.
        """
        key = request.match_info["key"]
        before = self.players.taken
        known = self.players.take(key) is not None
        if self.players.taken != before:
            self._changed()
        there = "/phone" if known else "/phone?code=old"
        response = web.Response(status=303, headers={"Location": there})
        if known:
            self.guard.give(request, response, BY_CODE, key, YEAR)
        return response

    async def _get_icon(self, request: web.Request) -> web.Response:
        """The icon for a phone's home screen, which takes no SVG."""
        name = f"icon-{request.match_info['size']}"
        if name not in self._made:
            draw = partial(icon_picture, int(request.match_info["size"]))
            self._made[name] = files.ready(await self._beside(request, draw), "image/png")
        return files.send(request, self._made[name])

    async def _get_boards(self, request: web.Request) -> web.Response:
        return files.send(request, self._made["boards"])

    async def _get_words(self, request: web.Request) -> web.Response:
        kind = next((one for one in ("behind", "rules") if one in request.query), "words")
        language = asked_language(request, self._box_language(request))
        return files.send(request, self._made[f"{kind}-{language}"])

    async def _get_clauses(self, request: web.Request) -> web.Response:
        return files.send(request, self._made[f"clauses-{asked_language(request)}"])

    def _box_language(self, request: web.Request) -> str:
        """The language of the box, for its own screen; a table never played at has none yet."""
        unused = self.simulation is not None and self.view.phase == "idle"
        own = self.guard.at_the_box(request) and not unused
        return str(self.view.settings.get("language", "")) if own else ""

    async def _get_record(self, request: web.Request) -> web.Response:
        text = self.history.text(date.today())
        if text is None:
            raise RequestRefused(404, "no game has been played yet")
        name = f"ludo-{date.today().isoformat()}.txt"
        return web.Response(
            text=text,
            headers={"Content-Disposition": f'attachment; filename="{name}"', **UNKEPT},
        )

    async def _get_player(self, request: web.Request) -> web.Response:
        """The code with which a phone takes a colour, as a picture."""
        picture = await self._beside(request, partial(qr_picture, self._code_for(request)))
        return web.Response(body=picture, content_type="image/svg+xml", headers=UNKEPT)

    async def _get_player_address(self, request: web.Request) -> web.Response:
        """The same to read, to copy and to send, where there is no camera: in small letters, as
        people write addresses."""
        code = self._code_for(request)
        text = code.lower() if code.isupper() else code  # keys of earlier versions are mixed
        return web.Response(text=text, headers=UNKEPT)

    def _code_for(self, request: web.Request) -> str:
        """The code of the colour that is asked for; for those who may give it away."""
        colour = request.query.get("colour", "")
        if not self.guard.may_control(request):
            raise RequestRefused(401, "watching is free, giving away a seat needs the PIN")
        if colour not in COLOURS:
            raise RequestRefused(404, "there is no such colour")
        code = self.code(colour)
        if code is None:
            raise RequestRefused(404, "phones cannot reach this page: it is for this machine only")
        return code

    async def _post_put_off(self, request: web.Request) -> web.Response:
        """A phone was lost: its colour's code is worthless from now on."""
        if not self.guard.may_control(request):
            raise RequestRefused(401, "watching is free, putting off a phone needs the PIN")
        colour = requests.read(await request.read(), requests.PutOff).colour
        if colour not in COLOURS:
            raise RequestRefused(422, "there is no such colour")
        if not self.put_off(colour):
            raise RequestRefused(507, "the old code works again after the box's next start")
        return web.Response(status=204)

    def code(self, colour: str) -> str | None:
        """The address with which a phone takes a colour; None where phones reach nothing.

        It is short and in capitals, so that its picture is coarse enough for the box's screen.
        """
        if self.address is None:
            return None
        return f"{self.address.removesuffix('/phone').upper()}{SEAT}/{self.players.key(colour)}"

    def put_off(self, colour: str) -> bool:
        """Whoever took a colour before plays it no longer, and is told at once; whether that
        lasts."""
        lasts = self.players.put_off(colour)
        for reader in tuple(self.stream.readers):
            if reader.seat == colour and reader.transport is not None:
                reader.transport.abort()  # it comes again, and only watches
        self._changed()
        return lasts

    async def _beside(self, request: web.Request, act: Callable[[], Any]) -> Any:
        """What takes long, in its turn; the table plays on."""
        return await self.background.do(network(request.remote), act)

    async def _get_qr(self, request: web.Request) -> web.Response:
        if self.address is None:
            raise RequestRefused(404, "phones cannot reach this page: it is for this machine only")
        if "qr" not in self._made:
            picture = await self._beside(request, partial(qr_picture, self.address))
            self._made["qr"] = files.ready(picture, "image/svg+xml")
        return files.send(request, self._made["qr"])

    async def _get_events(self, request: web.Request) -> web.StreamResponse:
        rank = rank_of(self.guard, request)
        full = request.query.get("full") == "1"
        seat = self._seat(request) if rank == WATCHER else None
        rank = PLAYER if seat is not None else rank
        reader = Reader(asked_language(request), full, rank, network(request.remote))
        if seat is not None:
            reader.seat, reader.control = seat, False
        reader.put_off = rank == WATCHER and bool(self.guard.shown(request, BY_CODE))
        return await let_listen(self.stream, request, reader)

    async def _post_do(self, request: web.Request) -> web.Response:
        order = requests.read_order(await request.read())
        if isinstance(order, orders.KeepRules | orders.DeleteRules | orders.DeleteGame):
            if self.what_if is not None:  # it does not know what is played at the table that counts
                raise RequestRefused(409, "this is kept and deleted at the table that counts")
            self.check_asker(request, orders.name_of(order))
            if isinstance(order, orders.DeleteGame):
                await self.past.delete(request, order.number)
            else:
                await self.own.do(order)
        elif self.guard.may_control(request):
            self.actions.do(order, self.guard.asker(request))
        elif (seat := self._seat(request)) is not None:
            self.actions.do(order, "player", self._colours(seat))
        else:
            raise RequestRefused(401, "watching is free, playing needs the PIN")
        return web.Response(status=204)

    def check_asker(self, request: web.Request, name: str) -> None:
        """Raise RequestRefused where whoever asks may not give an order of this name: who only
        watches, and a player's phone where nothing is its own."""
        by: Asker = "player"
        if self.guard.may_control(request):
            by = self.guard.asker(request)
        elif self._seat(request) is None:
            raise RequestRefused(401, "watching is free, this needs the PIN")
        try:
            orders.check_asker(name, by, own=False)
        except orders.NotAllowed as fault:
            raise RequestRefused(403, str(fault)) from None

    async def _get_join(self, request: web.Request) -> web.Response:
        return files.send(request, self._files["join.html"])

    async def _get_bench(self, request: web.Request) -> web.Response:
        return files.send(request, self._files["bench.html"])

    async def _post_bench(self, request: web.Request) -> web.Response:
        """Leave the game as it is, and put the board on the bench."""
        if not self.guard.may_control(request):
            raise RequestRefused(401, "watching is free, the bench needs the PIN")
        self.actions.do(orders.Bench(), self.guard.asker(request))
        return web.Response(status=204)

    # -- another table beside this one -----------------------------------------------------------

    async def _get_what_if(self, request: web.Request) -> web.StreamResponse:
        if self._other is None:
            return web.Response(status=303, headers={"Location": "/games"})
        return files.send(request, self._files["index.html"])

    async def _post_what_if(self, request: web.Request) -> web.Response:
        """Lay another table, on which a past game goes on; there is one at a time."""
        if not self.guard.may_control(request):
            raise RequestRefused(401, "watching is free, trying something else needs the PIN")
        wanted: requests.WhatIf = requests.read(await request.read(), requests.WhatIf)
        records = await self.past.until(request, wanted.game, wanted.move)
        host = OtherTable(records, self.host.journal, self._times, self.host.thinker)
        await self._beside(request, partial(host.resume, asyncio.get_running_loop().time()))
        other = Page(host, self.section, times=self._times, pace=self._pace, guard=self.guard)
        other.what_if = {"game": wanted.game, "move": wanted.move}
        other._edition, other.players = self._edition, self.players
        await other.own.rules.read()
        await self._clear_other()
        if self._other is not None:
            raise RequestRefused(409, "somebody else has just laid another table")
        self._other = other
        self._other_work = asyncio.create_task(other.play_beside(host))
        return web.Response(status=204)

    async def play_beside(self, host: OtherTable) -> None:
        """Be the page of a table beside another, which answers its requests."""
        end = self._follow_host()
        try:
            await asyncio.gather(host.run(), *(one() for one in self._works()))
        finally:
            end()
            for reader in tuple(self.stream.readers):
                if reader.transport is not None:
                    reader.transport.abort()  # it comes again, to the table that is laid then

    async def _clear_other(self) -> None:
        work, self._other, self._other_work = self._other_work, None, None
        if work is not None:
            work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await work

    def _of_other(self, answer: Callable[["Page"], Handler], *, reads: bool = True) -> Handler:
        """What the other table's page answers; `reads`: to whoever may see past games."""

        async def answered(request: web.Request) -> web.StreamResponse:
            if reads:
                self.past.check_reader(request)
            if self._other is None:
                raise RequestRefused(404, "no other table is laid: choose a move of a past game")
            return await answer(self._other)(request)

        return answered

    # -- its life --------------------------------------------------------------------------------

    async def run(self, started: Callable[[str], None] | None = None) -> None:
        """Serve until cancelled. `started` is told the address to open."""
        self._files, self._made = await asyncio.to_thread(_prepared)
        self._edition = event("edition", _encode(files.edition({**self._files, **self._made})))
        await self.own.rules.read()
        end = self._follow_host()
        opened = partial(self._open, started)
        try:
            await serve(self.app(), self.section, "web.port", opened, *self._works())
        finally:
            await self._clear_other()
            end()
            self.own.rules.close()
            self.background.close()

    def _follow_host(self) -> Callable[[], None]:
        """Hear and see what the table does from now on; returns how to end that."""
        display, sounder = self.host.devices.display, self.host.devices.sounder
        if isinstance(display, MirrorDisplay):
            display.listen(self.stream.tell)
        if isinstance(sounder, MirrorSounder):
            sounder.on_sound = self._sounded
        end = self.host.subscribe(self._hear)
        self.follow(self.host.view)
        return end

    def _works(self) -> "list[Callable[[], Coroutine[Any, Any, None]]]":
        """What runs beside the answering of requests."""
        hands = [] if self.simulation is None else [self.simulation.hands.run]
        return [self.stream.run, *hands]

    def _open(self, started: Callable[[str], None] | None, port: int) -> None:
        """The port is open: say where."""
        self.address = phone_address(self.section.address, port)
        if self.address is not None:
            self.host.offer_phones(self)
        address = f"http://{shown_address(self.section.address)}:{port}/"
        _LOG.info("the page is at %s", address)
        if started is not None:
            started(address)

    @property
    def own_address(self) -> str:
        """What is behind the address to open at the box itself: its key."""
        return "" if self._key is None else f"?key={self._key}"


def _own_lines(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The answers that a player's phone may give; the box's menus are not for it."""
    own = {name for name, by in orders.PERMISSIONS.items() if by["player"] == "own"}
    return [one for one in lines if "move" in one or one["key"] in own]


def _decided(position: Position) -> dict[str, float] | None:
    """The chances where somebody has won: nobody needs to reckon them."""
    if position.winner is None:
        return None
    colours = (position.game.colours[seat] for seat in position.game.seats)
    return {colour: float(colour == position.winner) for colour in colours}


def _prepared() -> tuple[dict[str, files.File], dict[str, files.File]]:
    """The page's files, and what never changes, packed; it takes too long for the loop."""
    made = {"boards": files.ready(_encode(boards()), "application/json")}
    for language in LANGUAGES:
        for kind in ("words", "rules", "behind"):
            told = _encode(words_in(language, behind=kind == "behind", rules=kind == "rules"))
            made[f"{kind}-{language}"] = files.ready(told, "application/json")
        made[f"clauses-{language}"] = files.ready(_encode(clauses(language)), "application/json")
    return files.load(), made


def _soon() -> Callable[[], bool]:
    """Whether it is time to let the table have its turn."""
    end = time.perf_counter() + TURN
    return lambda: time.perf_counter() >= end


def _portion() -> Callable[[int], bool]:
    """Whether so many bytes are enough: they wait for each reader, and take time to make."""
    soon = _soon()
    return lambda size: size >= PORTION or soon()


def icon_picture(size: int) -> bytes:
    """The icon as PNG: the five of a red die, as `icon.svg` has it."""
    import io

    from PIL import Image, ImageDraw

    fine = 4 * size  # drawn large and made small, its edges are smooth
    image = Image.new("RGB", (fine, fine), "#d6352b")
    draw = ImageDraw.Draw(image)
    radius = fine * 3.2 / 32
    for x, y in ((10, 10), (22, 10), (16, 16), (10, 22), (22, 22)):
        middle_x, middle_y = fine * x / 32, fine * y / 32
        box = (middle_x - radius, middle_y - radius, middle_x + radius, middle_y + radius)
        draw.ellipse(box, fill="#ffffff")
    out = io.BytesIO()
    image.resize((size, size), Image.Resampling.LANCZOS).save(out, "PNG", optimize=True)
    return out.getvalue()

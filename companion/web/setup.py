"""How an owner sets the box up from a page: the game's page and the bench's both answer this."""

import asyncio
import errno
from pathlib import Path

import msgspec
from aiohttp import ClientPayloadError, web

from companion import orders
from companion.rules import BadInput
from companion.signatures import LARGEST
from companion.web import files, requests
from companion.web.answering import json_sent, leave_door
from companion.web.guard import Guard, RequestRefused
from companion.web.host import Setup

PIECE = 10.0  # seconds for the next piece of a package
SLOWEST = 50_000  # bytes a second: whoever sends less keeps others from sending theirs
_NOT_KEPT = {errno.ENOSPC: "no_room", errno.EDQUOT: "no_room", errno.EROFS: "read_only"}
_encode = msgspec.json.Encoder().encode


class SetupPage:
    """The answers to everything below `/setup`."""

    def __init__(self, setup: Setup | None, guard: Guard) -> None:
        self._setup, self._guard = setup, guard
        self._file: files.File | None = None
        self._sending = False

    def routes(self) -> list[web.RouteDef]:
        """Where they are asked for."""
        return [
            web.get("/setup", self._get_page),
            web.get("/setup.json", self._get_told),
            web.post("/setup", self._post),
            web.put("/update", self._put_update),
        ]

    async def _get_page(self, request: web.Request) -> web.Response:
        if "key" in request.query:
            return self._guard.let_in(request)
        if self._file is None:
            self._file = await asyncio.to_thread(lambda: files.load()["setup.html"])
        return files.send(request, self._file)

    async def _get_told(self, request: web.Request) -> web.Response:
        """How the box is set up; everybody may know, but for the PIN."""
        at_the_box = self._guard.at_the_box(request)
        try:
            told = {} if self._setup is None else self._setup.told()
            if self._setup is not None and at_the_box:
                told["own_pin"] = self._setup.pin()
        except BadInput as fault:  # somebody is at work on the file, by hand
            own = self._guard.may_control(request)
            said = str(fault) if own else "the configuration cannot be used: look at the box"
            raise RequestRefused(409, said) from None
        told["real"] = self._setup is not None
        told["control"] = self._guard.may_control(request)
        told["box"] = at_the_box
        return json_sent(_encode(told))

    async def _post(self, request: web.Request) -> web.Response:
        """Change how the box is set up: one of the orders that are for that."""
        if not self._guard.may_control(request):
            raise RequestRefused(401, "watching is free, setting the box up needs the PIN")
        if self._setup is None:
            raise RequestRefused(409, "this table is simulated: there is nothing to set up")
        order = requests.read_order(await request.read())
        if not isinstance(order, orders.SET_UP):
            raise RequestRefused(422, f"{orders.name_of(order)} is not about setting up")
        try:
            orders.check_asker(orders.name_of(order), self._guard.asker(request), own=False)
            leave_door(request)  # root takes its time
            await self._setup.carry_out(order)
        except orders.NotAllowed as fault:
            raise RequestRefused(403, str(fault)) from None
        except BadInput as fault:
            raise RequestRefused(409, str(fault)) from None
        return web.Response(status=204)

    async def _put_update(self, request: web.Request) -> web.Response:
        """Take a package in, a piece at a time, to be looked at; whoever stops half way is late."""
        if not self._guard.may_control(request):
            raise RequestRefused(401, "watching is free, an update needs the PIN")
        place = None if self._setup is None else self._setup.upload
        if place is None:
            raise RequestRefused(409, "updates are for a box whose service is installed")
        if self._sending:
            raise RequestRefused(503, "somebody else is sending an update: try again later", 10)
        if (request.content_length or 0) > LARGEST:
            raise RequestRefused(413, "too_large")
        self._sending = True
        leave_door(request)
        try:
            await self._take(request, place)
        except (TimeoutError, ClientPayloadError):
            raise RequestRefused(408, "no_file") from None
        except OSError as fault:
            raise RequestRefused(507, _NOT_KEPT.get(fault.errno or 0, "not_kept")) from None
        finally:
            self._sending = False
        return web.Response(status=204)

    async def _take(self, request: web.Request, place: Path) -> None:
        draft = place.with_name(f"{place.name}.new")
        draft.unlink(missing_ok=True)
        clock = asyncio.get_running_loop().time
        began, taken = clock(), 0
        try:
            with draft.open("xb") as file:
                while True:
                    end = min(clock(), began + taken / SLOWEST) + PIECE
                    async with asyncio.timeout_at(end):
                        piece = await request.content.readany()
                    if not piece:
                        break
                    taken += len(piece)
                    if taken > LARGEST:
                        raise RequestRefused(413, "too_large")
                    await asyncio.to_thread(file.write, piece)
            draft.replace(place)
        finally:
            draft.unlink(missing_ok=True)

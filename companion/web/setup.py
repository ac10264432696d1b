"""How an owner sets the box up from a page: the game's page and the bench's both answer this."""

import asyncio
from typing import Any, Protocol

import msgspec
from aiohttp import web

from companion import orders
from companion.rules import BadInput
from companion.web import files, requests
from companion.web.guard import Guard, RequestRefused

_encode = msgspec.json.Encoder().encode


class Setup(Protocol):
    """How a box is set up, and who changes it."""

    def told(self) -> dict[str, Any]:
        """How it is set up, without anything secret."""

    def pin(self) -> str | None:
        """The PIN; for the box's own screen."""

    async def carry_out(self, order: orders.Order) -> None:
        """Do what is asked for. Raises BadInput with a sentence."""


class SetupPage:
    """The answers to everything below `/setup`."""

    def __init__(self, setup: Setup | None, guard: Guard) -> None:
        self._setup, self._guard = setup, guard
        self._file: files.File | None = None

    def routes(self) -> list[web.RouteDef]:
        """Where they are asked for."""
        return [
            web.get("/setup", self._get_page),
            web.get("/setup.json", self._get_told),
            web.post("/setup", self._post),
        ]

    async def _get_page(self, request: web.Request) -> web.Response:
        if "key" in request.query:
            return self._guard.let_in(request)
        if self._file is None:
            self._file = await asyncio.to_thread(lambda: files.load()["setup.html"])
        return files.send(request, self._file)

    async def _get_told(self, request: web.Request) -> web.Response:
        """How the box is set up; everybody may know, but for the PIN."""
        told = {} if self._setup is None else self._setup.told()
        told["real"] = self._setup is not None
        told["control"] = self._guard.may_control(request)
        told["box"] = self._guard.at_the_box(request)
        if self._setup is not None and told["box"]:
            told["own_pin"] = self._setup.pin()
        body = _encode(told)
        headers = {"Cache-Control": "no-store"}
        return web.Response(body=body, content_type="application/json", headers=headers)

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
            await self._setup.carry_out(order)
        except orders.NotAllowed as fault:
            raise RequestRefused(403, str(fault)) from None
        except BadInput as fault:
            raise RequestRefused(409, str(fault)) from None
        return web.Response(status=204)

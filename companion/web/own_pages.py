"""What the page is answered about the family's own sheets, and who may make or delete one."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from aiohttp import web

from companion import orders
from companion.referee import View
from companion.rules import BadInput
from companion.web import requests, state
from companion.web.answering import UNKEPT, asked_language, json_answer
from companion.web.codes import qr_picture
from companion.web.guard import Guard, RequestRefused
from companion.web.host import Host
from companion.web.own_rules import OwnRules

FILE = "[a-z0-9-]{1,80}"


class Table(Protocol):
    """The page that these belong to."""

    host: Host
    guard: Guard
    view: View
    address: str | None

    def check_asker(self, request: web.Request, name: str) -> None:
        """Raise RequestRefused where whoever asks may not give an order of this name."""


class OwnPages:
    """The addresses of house rules."""

    def __init__(self, page: Table, changed: Callable[[], None]) -> None:
        journal = page.host.journal.path
        self.rules = OwnRules(journal.parent, journal, changed)
        self._page = page

    def routes(self) -> list[web.RouteDef]:
        """Where they are."""
        return [
            web.get("/house-rules.json", self._get_all),
            web.get("/house-rules/look.json", self._get_look),
            web.get("/house-rules/line.json", self._get_line),
            web.get("/house-rules/trial.json", self._get_trial),
            web.post("/house-rules/trial", self._post_trial),
            web.get(rf"/house-rules/{{file:{FILE}}}.html", self._get_fridge),
            web.get(rf"/house-rules/{{file:{FILE}}}.svg", self._get_code),
            web.get("/articles.json", self.get_articles),
            web.get("/why.json", self.get_why),
        ]

    async def do(self, order: orders.KeepRules | orders.DeleteRules) -> None:
        """Keep or delete a sheet."""
        await self.rules.do(order, self._page.view)

    async def _get_all(self, request: web.Request) -> web.Response:
        return json_answer(await self.rules.listed(self._page.view, asked_language(request)))

    async def _get_look(self, request: web.Request) -> web.Response:
        base, asked = request.query.get("base", "")[:40], request.query.get("rules", "")[:1000]
        rules = [rule for rule in asked.split(",") if rule]
        return json_answer(await self.rules.looked_at(base, rules, asked_language(request)))

    async def _get_line(self, request: web.Request) -> web.Response:
        line = request.query.get("line", "")[:2000]
        return json_answer(self.rules.read_line(line, asked_language(request)))

    async def _get_trial(self, request: web.Request) -> web.Response:
        return json_answer(self.rules.progress())

    async def _post_trial(self, request: web.Request) -> web.Response:
        asked = requests.read(await request.read(), requests.Rules)
        self._page.check_asker(request, "keep_rules")
        told = {"rules": self.rules.try_out(asked.base, asked.rules)}
        return web.json_response(told, status=202)

    async def _get_fridge(self, request: web.Request) -> web.Response:
        page = self.rules.page(request.match_info["file"], asked_language(request))
        return web.Response(text=page, content_type="text/html", headers=UNKEPT)

    async def _get_code(self, request: web.Request) -> web.Response:
        told = self.rules.shared(request.match_info["file"], self._page.address)
        picture = await asyncio.to_thread(qr_picture, told)
        return web.Response(body=picture, content_type="image/svg+xml", headers=UNKEPT)

    async def get_articles(self, request: web.Request) -> web.Response:
        """Every clause in force in the game that is played, the family's own among them."""
        position = self._page.view.position
        if position is None:
            raise RequestRefused(404, "no game has been played yet")
        return json_answer(state.articles(position.game, asked_language(request)))

    async def get_why(self, request: web.Request) -> web.Response:
        """Which of them are broken by going from one place to another."""
        view, language = self._page.view, asked_language(request)
        origin, target = (request.query.get(end, "")[:20] for end in ("from", "to"))
        try:
            return json_answer(state.why_not(view, origin, target, language))
        except BadInput as fault:
            raise RequestRefused(422, str(fault)) from None

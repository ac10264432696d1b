"""What the page is answered about past games: lists, replays, figures, records in and out."""

import re
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from aiohttp import web

from companion.archive import MARK
from companion.events import RecordData
from companion.journal import UnderWayError
from companion.web import requests
from companion.web.answering import UNKEPT, asked_language, json_answer, json_sent
from companion.web.background import Background
from companion.web.guard import Guard, RequestRefused, network
from companion.web.host import Host, Section
from companion.web.imported import ImportedGames
from companion.web.past import PAGE, Called, PastGames

PORTION = 0.05  # seconds of counting in one answer: the table plays on meanwhile
NUMBER = rf"{MARK}?\d{{1,15}}"
_NUMBER = re.compile(NUMBER, re.ASCII)


class PastPages:
    """The addresses of past games: of those played here, and of those brought from elsewhere."""

    def __init__(
        self,
        host: Host,
        guard: Guard,
        section: Section,
        background: Background,
        called: Called,
    ) -> None:
        journal = host.journal.path
        self.played = PastGames(journal, background.pace, called=called)
        self.imported = ImportedGames(journal.parent, background.pace, called)
        self._host = host
        self._background = background
        self._guard = guard
        self._section = section

    def routes(self) -> list[web.RouteDef]:
        """Where they are."""
        return [
            web.get("/games.json", self._get_games),
            web.get("/results.json", self._get_results),
            web.get("/statistics.json", self._get_statistics),
            web.get(rf"/games/{{number:{NUMBER}}}.json", self._get_game),
            web.get(rf"/games/{{number:{NUMBER}}}.txt", self._get_record),
            web.post("/import", self._post_import),
        ]

    def check_reader(self, request: web.Request) -> None:
        """Names are for those who may play, unless the owner has opened them."""
        if not (self._section.past_games or self._guard.may_control(request)):
            raise RequestRefused(401, "watching is free, past games need the PIN")

    async def _do(self, request: web.Request, act: Callable[[], Any]) -> Any:
        """What takes long, in its turn; the table plays on."""
        return await self._background.do(network(request.remote), act)

    async def until(self, request: web.Request, number: str, moves: int) -> list[RecordData]:
        """What leads to one of the games after so many moves."""
        if not _NUMBER.fullmatch(number):
            raise RequestRefused(422, "there is no such game")
        games, place = self._games(number)
        found: list[RecordData] = await self._do(request, partial(games.until, place, moves))
        return found

    async def delete(self, request: web.Request, number: str) -> None:
        """Delete a game for good; the one on the table stays. Raises RequestRefused."""
        games, place = self._games(number)
        id = await self._do(request, partial(games.id, place))
        if id is None:
            raise RequestRefused(404, f"there is no game {number} here")
        try:
            if games is self.played:
                done = await self._host.delete_game(id)
            else:
                done = await self._do(request, partial(self.imported.delete, id))
        except UnderWayError:
            raise RequestRefused(
                409, "this game is on the table: it can be deleted once another has begun"
            ) from None
        if not done:
            raise RequestRefused(507, "the disk does not take it: try again")

    def _games(self, number: str) -> tuple[PastGames, int]:
        if number.startswith(MARK):
            return self.imported.past, int(number.removeprefix(MARK))
        return self.played, int(number)

    async def _get_games(self, request: web.Request) -> web.Response:
        """The games played here, latest first, and after them those from elsewhere."""
        self.check_reader(request)
        before = request.query.get("before", "")
        query, language = request.query.get("q", "")[:80], asked_language(request)
        return json_answer(await self._do(request, partial(self._listed, query, before, language)))

    def _listed(self, query: str, before: str, language: str) -> dict[str, Any]:
        asked = before if _NUMBER.fullmatch(before) else ""
        games, place = self._games(asked) if asked else (self.played, None)
        told = games.listed(query, place, language)
        if games is self.played and not told["more"]:
            rest = self.imported.past.listed(query, None, language)
            room = PAGE - len(told["games"])
            more = rest["more"] or len(rest["games"]) > room
            told = {"games": told["games"] + rest["games"][:room], "more": more}
            if room == 0 and rest["games"]:  # nothing of them stands in this answer yet
                told["then"] = f"{MARK}{'9' * 15}"
        return {**told, "latest": self.played.latest()}

    async def _get_results(self, request: web.Request) -> web.Response:
        self.check_reader(request)
        asked = request.query.get("numbers", "")[:400].split(",")
        language = asked_language(request)
        found = [self._games(one) for one in asked if _NUMBER.fullmatch(one)]

        def both() -> dict[str, Any]:
            return {
                number: told
                for games in (self.played, self.imported.past)
                for number, told in games.results(
                    [place for of, place in found if of is games], language
                ).items()
            }

        return json_answer(await self._do(request, both))

    async def _get_statistics(self, request: web.Request) -> web.Response:
        """What is counted of the games played here, a portion at a time.

        At the end it is told how many from elsewhere are not.
        """
        self.check_reader(request)
        after = request.query.get("after", "0")
        start = int(after) if _NUMBER.fullmatch(after) and after.isdigit() else 0

        def figures() -> dict[str, Any]:
            told = self.played.figures(start, _worked(PORTION))
            if told["next"] is None:
                told["elsewhere"] = self.imported.past.count()
            return told

        return json_answer(await self._do(request, figures))

    async def _get_game(self, request: web.Request) -> web.Response:
        self.check_reader(request)
        games, place = self._games(request.match_info["number"])
        old = "old" in request.query
        replayed = partial(games.replayed, place, asked_language(request), old=old)
        return json_sent(await self._do(request, replayed))

    async def _get_record(self, request: web.Request) -> web.Response:
        self.check_reader(request)
        number = request.match_info["number"]
        games, place = self._games(number)
        text = await self._do(request, partial(games.text, place))
        name = f'attachment; filename="ludo-game-{number}.txt"'
        headers = {"Content-Disposition": name, **UNKEPT}
        return web.Response(text=text, headers=headers)

    async def _post_import(self, request: web.Request) -> web.Response:
        if not self._guard.may_control(request):
            raise RequestRefused(401, "watching is free, bringing games needs the PIN")
        brought: requests.Brought = requests.read(await request.read(), requests.Brought)
        taken = await self._do(
            request, partial(self.imported.take, brought.text, self.played.number_of)
        )
        return json_answer({"number": taken.number, **({"cut": True} if taken.cut else {})})


def _worked(seconds: float) -> Callable[[], bool]:
    """Whether somebody has worked so long since now."""
    end = time.perf_counter() + seconds
    return lambda: time.perf_counter() >= end

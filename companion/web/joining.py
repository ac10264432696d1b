"""How a table joins a house from its page: how that stands, and what an invitation says.

The order to follow one is about setting up (`web/setup.py`): root writes it down.
"""

from typing import Any

import msgspec
from aiohttp import web

from companion import invitation
from companion.web import requests
from companion.web.answering import asked_language, json_sent
from companion.web.guard import Guard, RequestRefused
from companion.web.host import House

_encode = msgspec.json.Encoder().encode


class JoinPage:
    """The answers to what `join.js` asks."""

    def __init__(self, house: House | None, guard: Guard) -> None:
        self._house, self._guard = house, guard

    def routes(self) -> list[web.RouteDef]:
        """Where they are asked for."""
        return [
            web.get("/join.json", self._get_house),
            web.post("/join", self._post_invitation),
        ]

    async def _get_house(self, request: web.Request) -> web.Response:
        """The house that this table belongs to, for whoever has been invited to one."""
        language, house = asked_language(request), self._house
        told: dict[str, Any] = {"state": "never"} if house is None else house.told(language)
        told["pin"] = self._guard.has_pin
        told["control"] = self._guard.may_control(request)
        return _answer(told)

    async def _post_invitation(self, request: web.Request) -> web.Response:
        """Say what an invitation says, but for the password, to whoever may follow it."""
        wish: requests.Invited = requests.read(await request.read(), requests.Invited)
        if not self._guard.may_control(request):
            raise RequestRefused(401, "watching is free, joining a house needs the PIN")
        try:
            found = invitation.read(wish.invitation)
        except invitation.InvitationError as fault:
            raise RequestRefused(422, str(fault)) from None
        where, tls = f"{found.broker}:{found.port}", bool(found.certificate)
        return _answer({"broker": where, "name": found.name, "label": found.label, "tls": tls})


def _answer(told: dict[str, Any]) -> web.Response:
    return json_sent(_encode(told))

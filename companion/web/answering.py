"""What every page of ours does with a request: check it, read it, answer it, and stay safe."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

import msgspec
from aiohttp import ClientPayloadError, web
from aiohttp.http_exceptions import HttpProcessingError

from companion.web import files, requests
from companion.web.door import LARGEST_HEAD, PATIENCE, Visit
from companion.web.guard import BY_PIN, HEADERS, Guard, RequestRefused, network
from companion.web.state import language_of
from companion.web.stream import BOX, PLAYER, WATCHER, Reader, Stream

LARGEST = 8 * 1024
"""Bytes that may come with a request."""
BODY = 5.0  # seconds for them to come
UNKEPT = {"Cache-Control": "no-store"}
"""What a browser asks for again each time."""

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


def application(
    guard: Guard,
    known: Mapping[str, files.File],
    routes: Iterable[web.AbstractRouteDef],
    *,
    missing: files.File | None = None,
    sizes: Mapping[str, int] | None = None,
) -> web.Application:
    """A page's application: every request is checked, every answer has the same safety headers.

    What all pages have stands here: their `known` files, and the PIN. `sizes` are the bytes that
    may come to some addresses from those who may control, where these are more than `LARGEST`.
    """

    @web.middleware
    async def checked(request: web.Request, handler: Answer) -> web.StreamResponse:
        if sizes and request.path in sizes and guard.may_control(request):
            request = request.clone(client_max_size=sizes[request.path])
        return await answered(guard, request, handler, missing)

    async def show_pin(request: web.Request) -> web.Response:
        return await let_in_by_pin(guard, request)

    async def send_file(request: web.Request) -> web.Response:
        return send_named(request, known)

    app = web.Application(middlewares=[checked], client_max_size=LARGEST)
    app.add_routes([*routes, web.post("/pin", show_pin), web.get("/{name}", send_file)])
    app.on_response_prepare.append(add_safety_headers)
    return app


async def answered(
    guard: Guard, request: web.Request, handler: Answer, missing: files.File | None = None
) -> web.StreamResponse:
    """The answer to a request; what is refused is a sentence with its status.

    Whoever typed an address that there is not gets the page that is for it.
    """
    try:
        guard.check(request)
        if isinstance(request.protocol, Visit) and not guard.may_control(request):
            await request.protocol.visitor.door.turn()
        if request.method == "POST":
            await take_body(request)
        return await handler(request)
    except (RequestRefused, web.HTTPNotFound) as no:
        if no.status == 404 and missing is not None and _reads_pages(request):
            return files.send(request, missing, 404)
        if not isinstance(no, RequestRefused):
            return web.json_response({"error": no.reason}, status=404)
        response = web.json_response({"error": str(no), **no.told}, status=no.status)
        if no.wait:
            response.headers["Retry-After"] = str(int(no.wait) + 1)
        return response
    except web.HTTPRequestEntityTooLarge:
        return web.json_response({"error": f"at most {request.client_max_size} bytes"}, status=413)
    except web.HTTPException as no:
        return web.json_response({"error": no.reason}, status=no.status, headers=allowed_ways(no))
    finally:
        came = request.protocol
        if isinstance(came, Visit):  # it has been answered, and may ask again
            came.visitor.door.enter(came.visitor)


def visit(runner: web.AppRunner) -> Visit:
    """Somebody has something to ask."""
    assert runner.server is not None
    return Visit(
        runner.server,
        loop=asyncio.get_running_loop(),
        access_log=None,  # type: ignore[arg-type]
        keepalive_timeout=PATIENCE,
        lingering_time=1.0,
        max_line_size=LARGEST_HEAD // 2,
        auto_decompress=False,
    )


async def take_body(request: web.Request) -> None:
    """Take in what comes with a request; it is small, and comes soon or not at all."""
    try:
        async with asyncio.timeout(BODY):
            await request.read()
    except TimeoutError:
        raise RequestRefused(408, "the rest of the request did not come") from None
    except (web.RequestPayloadError, ClientPayloadError, HttpProcessingError):
        raise RequestRefused(400, "this cannot be understood") from None


async def watched(guard: Guard, stream: Stream, request: web.Request) -> web.StreamResponse:
    """Send events to whoever asks for them, in the language asked for."""
    rank = rank_of(guard, request)
    reader = Reader(asked_language(request), True, rank, network(request.remote))
    return await let_listen(stream, request, reader)


def rank_of(guard: Guard, request: web.Request) -> int:
    """Whether somebody listens at the box's own screen, may play, or only watches."""
    if not guard.may_control(request):
        return WATCHER
    return BOX if guard.at_the_box(request) else PLAYER


async def let_listen(stream: Stream, request: web.Request, reader: Reader) -> web.StreamResponse:
    """Send events to a reader, if there is room; it no longer stands in the door then."""
    if not stream.make_room(reader):
        raise RequestRefused(503, "too many are watching: try again later", 10)
    leave_door(request)
    return await stream.serve(request, reader)


def leave_door(request: web.Request) -> None:
    """What somebody has asked for takes us longer than they may stand in the door."""
    if isinstance(request.protocol, Visit):
        request.protocol.visitor.door.leave(request.protocol.visitor)


def send_named(request: web.Request, known: Mapping[str, files.File]) -> web.Response:
    """The file that an address names."""
    file = known.get(request.match_info["name"])
    if file is None:
        raise RequestRefused(404, "there is no such page")
    return files.send(request, file)


async def let_in_by_pin(guard: Guard, request: web.Request) -> web.Response:
    """Whoever knows the PIN is known by a cookie from now on."""
    given: requests.Pin = requests.read(await request.read(), requests.Pin)
    token = guard.show_pin(request, given.pin)
    response = web.Response(status=204)
    guard.give(request, response, BY_PIN, token, None)
    return response


async def add_safety_headers(request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)
    response.headers.pop("Server", None)


def _reads_pages(request: web.Request) -> bool:
    """Whether somebody typed an address: a page answers, not a program's sentence."""
    return request.method == "GET" and "text/html" in request.headers.get("Accept", "")


def allowed_ways(no: web.HTTPException) -> dict[str, str]:
    return {"Allow": no.headers["Allow"]} if "Allow" in no.headers else {}


def json_answer(told: Any) -> web.Response:
    """Plain data; it may be another the next time somebody asks."""
    return json_sent(msgspec.json.encode(told))


def json_sent(told: bytes) -> web.Response:
    """The same, written as JSON already."""
    return web.Response(
        body=told,
        content_type="application/json",
        headers=UNKEPT,
    )


def asked_language(request: web.Request, box: str = "") -> str:
    """The language in which somebody asks, or one that we know; `box` is the box's own."""
    return language_of(request.query.get("lang", ""), box)

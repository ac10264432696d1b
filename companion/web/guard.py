"""Who may ask what: own host names only, no other site's pages, and the PIN for control."""

import hmac
import ipaddress
import logging
import re
import secrets
from collections import deque
from collections.abc import Callable, Iterable

from aiohttp import web

from companion.events import Asker

TABLE = "companion"
"""What the names of a table's cookies begin with."""
BY_PIN, BY_KEY, BY_CODE = "", "-box", "-player"
"""What they end with, by how somebody is known: the PIN, the box's key, a player's code."""
FREE_TRIES = 5
LOCK = 30.0  # seconds after too many wrong PINs; doubles with every further one
LONGEST_LOCK = 3600.0
ALL_TRIES = 60  # wrong PINs of everybody together, per `ALL_PERIOD`
ALL_PERIOD = 600.0
PEERS = 10_000  # networks remembered
EVENING = 12 * 3600.0  # seconds for which a PIN that was shown is believed
TOKENS = 200  # devices that may have shown it

_HOST = re.compile(r"(\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[^\s:@/\[\]]+))(:[0-9]{1,5})?")
_BY_PROXIES = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")
_LOG = logging.getLogger("companion.web")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class RequestRefused(Exception):  # noqa: N818 - an answer, not a fault
    """A request that is turned away, with its status and a sentence; `told` is for programs."""

    def __init__(self, status: int, sentence: str, wait: float = 0, **told: str | int) -> None:
        super().__init__(sentence)
        self.status = status
        self.wait = wait
        self.told = told


def cookie_name(name: str, kind: str, port: int | None = None) -> str:
    """The name of a cookie. Browsers keep one of a name for all the ports of a machine, so it has
    the page's port in it; earlier versions had none, and theirs are still taken."""
    return f"{name}{kind}" if port is None else f"{name}-{port}{kind}"


BOX_COOKIE = cookie_name(TABLE, BY_KEY)


class Guard:
    """Checks every request; remembers who has shown the PIN, and who has guessed.

    `key` is what the box's own screen shows: whoever only seems to come from this machine,
    through a proxy on it for instance, has none. `name` is what its cookies' names begin with.
    """

    def __init__(
        self,
        names: Iterable[str],
        pin: str | None,
        clock: Callable[[], float],
        key: str | None = None,
        name: str = TABLE,
    ) -> None:
        self._name = name
        self._names = {"localhost", *(name.lower() for name in names)}
        self._pin = pin
        self._clock = clock
        self._key = key
        self._tokens: dict[str, float] = {}
        self._wrong: dict[str, tuple[int, float]] = {}
        self._all_wrong: deque[float] = deque(maxlen=ALL_TRIES)

    @property
    def has_pin(self) -> bool:
        """Whether control from other devices is possible at all."""
        return self._pin is not None

    # -- every request -------------------------------------------------------------------------

    def check(self, request: web.Request) -> None:
        """Turn away what another site's page, or a name that is not ours, makes a browser ask."""
        host = request.headers.get("Host", "")
        if not self._own(host):
            raise RequestRefused(
                421, f"this is not {host or 'a named host'}: open the page by its address"
            )
        origin = request.headers.get("Origin")
        if origin is not None and origin != f"http://{host}":
            raise RequestRefused(403, "a page of another site may not ask this")
        visiting = request.method == "GET" and request.headers.get("Sec-Fetch-Mode") == "navigate"
        site = request.headers.get("Sec-Fetch-Site", "none")
        if site not in ("same-origin", "none") and not visiting:
            raise RequestRefused(403, "a page of another site may not ask this")
        if request.method == "POST" and request.content_type != "application/json":
            raise RequestRefused(415, "send application/json")
        if request.headers.get("Content-Encoding", "identity") != "identity":
            raise RequestRefused(415, "send it as it is, not packed")

    def _own(self, host: str) -> bool:
        """Whether a Host header is one of ours; an address cannot be rebound, only a name can."""
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        name = found["address"] or found["name"]
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name.lower() in self._names
        return True

    # -- cookies -------------------------------------------------------------------------------

    def shown(self, request: web.Request, kind: str) -> str:
        """What a cookie of ours says; nothing, if there is none."""
        known = request.cookies
        return known.get(self._cookie(request, kind), known.get(cookie_name(self._name, kind), ""))

    def give(
        self, request: web.Request, response: web.Response, kind: str, said: str, age: int | None
    ) -> None:
        """Have a browser know this from now on, for so many seconds; else until it is closed."""
        name = self._cookie(request, kind)
        response.set_cookie(name, said, httponly=True, samesite="Strict", path="/", max_age=age)

    def _cookie(self, request: web.Request, kind: str) -> str:
        place = None if request.transport is None else request.transport.get_extra_info("sockname")
        return cookie_name(self._name, kind, place[1] if isinstance(place, tuple) else 0)

    # -- control -------------------------------------------------------------------------------

    def may_control(self, request: web.Request) -> bool:
        """Whoever sits at the box itself may, and whoever has shown the PIN."""
        return self.at_the_box(request) or self._has_token(request)

    def at_the_box(self, request: web.Request) -> bool:
        """Whether a request comes from the box's own screen."""
        return _is_local(request) and self.fits(self.shown(request, BY_KEY))

    def asker(self, request: web.Request) -> Asker:
        """Who asks, of those who may control."""
        return "screen" if self.at_the_box(request) else "page"

    def let_in(self, request: web.Request) -> web.Response:
        """The box's own screen has shown its key: from now on it is known by a cookie."""
        key = request.query["key"]
        asked = [one for one in request.query.items() if one[0] != "key"]  # a game to show, say
        url = request.rel_url.with_query(asked)
        response = web.Response(status=303, headers={"Location": str(url)})
        if self.fits(key):
            self.give(request, response, BY_KEY, key, None)
        return response

    def fits(self, key: str) -> bool:
        """Whether this is the key of the box's own screen."""
        return self._key is not None and _same(key, self._key)

    def _has_token(self, request: web.Request) -> bool:
        until = self._tokens.get(self.shown(request, BY_PIN))
        return until is not None and self._clock() < until

    def show_pin(self, request: web.Request, given: str) -> str:
        """Check a PIN; returns the token that stands for it. Raises RequestRefused."""
        if self._pin is None:
            raise RequestRefused(403, "control from other devices is off: set web.pin at the box")
        now, peer = self._clock(), network(request.remote)
        tries, until = self._wrong.get(peer, (0, 0.0))
        if now < until:
            raise RequestRefused(429, "too many wrong PINs: wait a while", until - now)
        if not _same(given, self._pin):
            self._remember(peer, tries + 1, now)
            raise RequestRefused(401, "that is not the PIN")
        self._wrong.pop(peer, None)
        return self._token(now)

    def _token(self, now: float) -> str:
        token = secrets.token_urlsafe(24)
        self._tokens = {one: until for one, until in self._tokens.items() if now < until}
        if len(self._tokens) >= TOKENS:
            self._tokens.pop(next(iter(self._tokens)))
        self._tokens[token] = now + EVENING
        return token

    def _remember(self, peer: str, tries: int, now: float) -> None:
        """Somebody has guessed. Where many do, one guess each is all they have: but that one
        nobody else can take from them."""
        last = self._all_wrong
        many = len(last) == ALL_TRIES and now - last[0] < ALL_PERIOD
        free = 1 if many else FREE_TRIES
        lock = LOCK * 2.0 ** min(max(tries - FREE_TRIES, 0), 12) if tries >= free else 0.0
        if many:
            lock = max(lock, ALL_PERIOD)
        self._wrong.pop(peer, None)  # the one whose last guess is longest ago is forgotten first
        if len(self._wrong) >= PEERS:
            self._wrong.pop(next(iter(self._wrong)))
        self._wrong[peer] = (tries, now + min(lock, LONGEST_LOCK))
        last.append(now)
        if not many:
            _LOG.warning("a wrong PIN from %s, %d in a row", peer or "somebody", tries)


def _same(given: str, known: str) -> bool:
    """Compare without telling by the time how much of it is right; what is given may be no text."""
    return hmac.compare_digest(given.encode(errors="replace"), known.encode())


def network(peer: object) -> str:
    """Where somebody comes from; in IPv6 every home has a whole network of addresses."""
    address = str(peer[0] if isinstance(peer, tuple) and peer else peer or "")
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    mapped = getattr(found, "ipv4_mapped", None)
    if mapped is not None or found.version == 4:
        return str(mapped or found)
    return str(ipaddress.ip_network((int(found) >> 64 << 64, 64)))


def _is_local(request: web.Request) -> bool:
    """Whether a request comes from this very machine, and not through a proxy on it.

    A visitor may send an empty line itself, and the proxy add another.
    """
    if any(name in request.headers for name in _BY_PROXIES):
        return False
    try:
        return ipaddress.ip_address(request.remote or "").is_loopback
    except ValueError:
        return False

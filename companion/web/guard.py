"""Who may ask what: own host names only, no other site's pages, and the PIN for control."""

import hmac
import ipaddress
import logging
import re
import secrets
from collections.abc import Callable, Iterable

from aiohttp import web

from companion.events import Asker

COOKIE = "companion"
BOX_COOKIE = "companion-box"
FREE_TRIES = 5
LOCK = 30.0  # seconds after too many wrong PINs; doubles with every further one
LONGEST_LOCK = 3600.0
ALL_TRIES = 60  # wrong PINs of everybody together, per `ALL_PERIOD`
ALL_PERIOD = 600.0
PEERS = 1000  # networks remembered
EVENING = 12 * 3600.0  # seconds for which a PIN that was shown is believed
TOKENS = 200  # devices that may have shown it

_HOST = re.compile(r"(\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[^\s:@/\[\]]+))(:[0-9]{1,5})?")
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
    """A request that is turned away, with its status and a sentence."""

    def __init__(self, status: int, sentence: str, wait: float = 0) -> None:
        super().__init__(sentence)
        self.status = status
        self.wait = wait


class Guard:
    """Checks every request; remembers who has shown the PIN, and who has guessed.

    `key` is what the box's own screen shows: whoever only seems to come from this machine,
    through a proxy on it for instance, has none.
    """

    def __init__(
        self,
        names: Iterable[str],
        pin: str | None,
        clock: Callable[[], float],
        key: str | None = None,
    ) -> None:
        self._names = {"localhost", *(name.lower() for name in names)}
        self._pin = pin
        self._clock = clock
        self._key = key
        self._tokens: dict[str, float] = {}
        self._wrong: dict[str, tuple[int, float]] = {}
        self._all_wrong: list[float] = []

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

    # -- control -------------------------------------------------------------------------------

    def may_control(self, request: web.Request) -> bool:
        """Whoever sits at the box itself may, and whoever has shown the PIN."""
        return self.at_the_box(request) or self._has_token(request)

    def at_the_box(self, request: web.Request) -> bool:
        """Whether a request comes from the box's own screen."""
        return _is_local(request) and self.fits(request.cookies.get(BOX_COOKIE, ""))

    def asker(self, request: web.Request) -> Asker:
        """Who asks, of those who may control."""
        return "screen" if self.at_the_box(request) else "page"

    def let_in(self, request: web.Request) -> web.Response:
        """The box's own screen has shown its key: from now on it is known by a cookie."""
        key = request.query["key"]
        response = web.Response(status=303, headers={"Location": request.path})
        if self.fits(key):
            response.set_cookie(BOX_COOKIE, key, httponly=True, samesite="Strict", path="/")
        return response

    def fits(self, key: str) -> bool:
        """Whether this is the key of the box's own screen."""
        return self._key is not None and _same(key, self._key)

    def _has_token(self, request: web.Request) -> bool:
        until = self._tokens.get(request.cookies.get(COOKIE, ""))
        return until is not None and self._clock() < until

    def show_pin(self, request: web.Request, given: str) -> str:
        """Check a PIN; returns the token that stands for it. Raises RequestRefused."""
        if self._pin is None:
            raise RequestRefused(403, "control from other devices is off: set web.pin at the box")
        now, peer = self._clock(), network(request.remote)
        self._all_wrong = [at for at in self._all_wrong if now - at < ALL_PERIOD]
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
        free = FREE_TRIES if len(self._all_wrong) < ALL_TRIES else 1
        lock = LOCK * 2.0 ** min(max(tries - FREE_TRIES, 0), 12) if tries >= free else 0.0
        if len(self._all_wrong) >= ALL_TRIES:
            lock = max(lock, ALL_PERIOD)
        if len(self._wrong) >= PEERS:
            self._wrong.pop(next(iter(self._wrong)))
        self._wrong[peer] = (tries, now + min(lock, LONGEST_LOCK))
        self._all_wrong.append(now)
        if len(self._all_wrong) <= ALL_TRIES:
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
    """Whether a request comes from this very machine, and not through a proxy on it."""
    if request.headers.get("Forwarded") or request.headers.get("X-Forwarded-For"):
        return False
    try:
        return ipaddress.ip_address(request.remote or "").is_loopback
    except ValueError:
        return False

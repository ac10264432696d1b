"""Who may ask what: own host names only, no other site's pages, and the PIN for control."""

import hmac
import ipaddress
import secrets
from collections.abc import Callable, Iterable

from aiohttp import web

COOKIE = "companion"
FREE_TRIES = 5
LOCK = 30.0  # seconds after too many wrong PINs; doubles with every further one
LONGEST_LOCK = 3600.0
ALL_TRIES = 60  # wrong PINs of everybody together, per `ALL_PERIOD`
ALL_PERIOD = 600.0
PEERS = 1000  # addresses remembered

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


class Refused(Exception):  # noqa: N818 - an answer, not a fault
    """A request that is turned away, with its status and a sentence."""

    def __init__(self, status: int, sentence: str, wait: float = 0) -> None:
        super().__init__(sentence)
        self.status = status
        self.wait = wait


class Guard:
    """Checks every request; remembers who has shown the PIN, and who has guessed."""

    def __init__(self, names: Iterable[str], pin: str | None, clock: Callable[[], float]) -> None:
        self._names = {"localhost", *(name.lower() for name in names)}
        self._pin = pin
        self._clock = clock
        self._tokens: set[str] = set()
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
            raise Refused(
                421, f"this is not {host or 'a named host'}: open the page by its address"
            )
        origin = request.headers.get("Origin")
        if origin is not None and origin != f"http://{host}":
            raise Refused(403, "a page of another site may not ask this")
        visiting = request.method == "GET" and request.headers.get("Sec-Fetch-Mode") == "navigate"
        site = request.headers.get("Sec-Fetch-Site", "none")
        if site not in ("same-origin", "none") and not visiting:
            raise Refused(403, "a page of another site may not ask this")
        if request.method == "POST" and request.content_type != "application/json":
            raise Refused(415, "send application/json")

    def _own(self, host: str) -> bool:
        """Whether a Host header is one of ours; an address cannot be rebound, only a name can."""
        name = host.rpartition("]")[0].lstrip("[") or host.partition(":")[0]
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name.lower() in self._names
        return True

    # -- control -------------------------------------------------------------------------------

    def may_control(self, request: web.Request) -> bool:
        """Whoever sits at the box itself may, and whoever has shown the PIN."""
        return at_the_box(request) or request.cookies.get(COOKIE, "") in self._tokens

    def show_pin(self, request: web.Request, given: str) -> str:
        """Check a PIN; returns the token that stands for it. Raises Refused."""
        if self._pin is None:
            raise Refused(403, "control from other devices is off: set web.pin at the box")
        now, peer = self._clock(), request.remote or ""
        self._all_wrong = [at for at in self._all_wrong if now - at < ALL_PERIOD]
        tries, until = self._wrong.get(peer, (0, 0.0))
        if now < until:
            raise Refused(429, "too many wrong PINs: wait a while", until - now)
        if len(self._all_wrong) >= ALL_TRIES:
            raise Refused(429, "too many wrong PINs: wait a while", ALL_PERIOD)
        if not hmac.compare_digest(given.encode(), self._pin.encode()):
            self._remember(peer, tries + 1, now)
            raise Refused(401, "that is not the PIN")
        self._wrong.pop(peer, None)
        token = secrets.token_urlsafe(24)
        self._tokens.add(token)
        return token

    def _remember(self, peer: str, tries: int, now: float) -> None:
        lock = LOCK * 2.0 ** min(tries - FREE_TRIES, 12) if tries >= FREE_TRIES else 0.0
        if len(self._wrong) >= PEERS:
            self._wrong.pop(next(iter(self._wrong)))
        self._wrong[peer] = (tries, now + min(lock, LONGEST_LOCK))
        self._all_wrong.append(now)


def at_the_box(request: web.Request) -> bool:
    """Whether a request comes from this very machine, and not through a proxy on it."""
    if request.headers.get("Forwarded") or request.headers.get("X-Forwarded-For"):
        return False
    try:
        return ipaddress.ip_address(request.remote or "").is_loopback
    except ValueError:
        return False

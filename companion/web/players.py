"""Players' phones: a key for every colour, shown as a QR code, that lets a phone play that colour.

Keys are kept beside the games, where only the box can read them, so that phones still play after
a power cut. A phone that was lost is put off by making a new key for its colour.
"""

import hmac
import json
import logging
import secrets
from base64 import b32encode
from pathlib import Path

from companion.small_files import read_small, write_small

FILE = "players.json"
TAKEN = "taken"
"""Beside the keys in the file; earlier versions, whose files lack it, leave it alone."""

_LOG = logging.getLogger("companion.web")


class Players:
    """The keys of one table."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._keys, self.taken = _read(self._path)
        """The colours whose code a phone has opened: some phone may play them."""

    def key(self, colour: str) -> str:
        """The key of a colour; made when it is first asked for."""
        if colour not in self._keys:
            self.put_off(colour)
        return self._keys[colour]

    def put_off(self, colour: str) -> bool:
        """Whoever had this colour's key plays it no longer; says whether that lasts."""
        self._keys = {**self._keys, colour: b32encode(secrets.token_bytes(10)).decode()}
        self.taken -= {colour}
        return self._write()

    def take(self, key: str) -> str | None:
        """A phone has opened a code: the colour that it plays from now on; None if it is none's."""
        colour = self.colour_of(key)
        if colour is not None and colour not in self.taken:
            self.taken |= {colour}
            self._write()
        return colour

    def _write(self) -> bool:
        try:
            told = {**self._keys, TAKEN: sorted(self.taken)}
            write_small(self._path, json.dumps(told), 0o600)
        except OSError as fault:
            _LOG.warning("the keys of players' phones cannot be kept: %s", fault)
            return False
        return True

    def colour_of(self, key: str) -> str | None:
        """Whose key this is, in capitals or small letters; None if it is nobody's."""
        for given in (key.encode(errors="replace"), key.upper().encode(errors="replace")):
            found = [c for c, own in self._keys.items() if hmac.compare_digest(given, own.encode())]
            if found:
                return found[0]
        return None


def _read(path: Path) -> tuple[dict[str, str], frozenset[str]]:
    """What was kept; nothing if that cannot be trusted. Every code may have been opened where
    nobody wrote down which were."""
    try:
        if path.stat().st_mode & 0o077:
            return {}, frozenset()
        kept = json.loads(read_small(path).decode("ascii"))
    except (OSError, ValueError, RecursionError):
        return {}, frozenset()
    if not isinstance(kept, dict):
        return {}, frozenset()
    keys = {c: key for c, key in kept.items() if isinstance(key, str) and len(key) >= 12}
    taken = kept.get(TAKEN)
    return keys, frozenset(c for c in keys if not isinstance(taken, list) or c in taken)

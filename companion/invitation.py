"""A house's invitation to a table: one link, which is opened at the table's page and confirmed.

What it says stands behind the `#` of the link, which browsers keep to themselves: neither a proxy
nor a log on the way has the password.
"""

import base64
import binascii
import json
import re
import zlib
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

PATH = "join"
LARGEST = 6000
"""Letters of a link; with a certificate one has about a thousand."""
NAME = r"^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?\Z"
"""What a table may be called: it is part of topics, a user of the broker and a file's name."""
_UNPACKED = 16 << 10
_HOST = r"^[A-Za-z0-9](?:[A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?\Z"
_PEM = r"^(-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)?\Z"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


class InvitationError(Exception):
    """What was given is no invitation; the message says what to do."""


class Invitation(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table needs to know to join a house."""

    broker: Annotated[str, Meta(pattern=_HOST)]
    port: Annotated[int, Meta(ge=1, le=65535)]
    name: Annotated[str, Meta(pattern=NAME)]
    label: Annotated[str, Meta(max_length=60)]
    password: Annotated[str, Meta(max_length=200)]
    certificate: Annotated[str, Meta(pattern=_PEM, max_length=_UNPACKED)] = ""
    """The house's certificate itself, in PEM; empty without TLS."""

    def line(self) -> str:
        """All of it in one word."""
        packed = zlib.compress(msgspec.json.encode(self), 9)
        return base64.urlsafe_b64encode(packed).decode().rstrip("=")

    def link(self, page: str) -> str:
        """The link to a table's page, which asks there whether to join."""
        return f"{page.rstrip('/')}/{PATH}#{self.line()}"

    def toml(self) -> str:
        """The section of the table's configuration that joins it."""
        lines = [
            "[cafe]",
            f"broker = {json.dumps(self.broker)}",
            f"port = {self.port}",
            f"name = {json.dumps(self.name)}",
        ]
        if self.label:
            lines.append(f"label = {json.dumps(self.label, ensure_ascii=False)}")
        lines.append(f"password = {json.dumps(self.password)}")
        if self.certificate:
            lines.append(f'certificate = """\n{self.certificate.strip()}\n"""')
        return "\n".join([*lines, ""])


def read(text: str) -> Invitation:
    """Read a link, or the word behind its `#`. Raises InvitationError."""
    word = text.strip().rpartition("#")[2]
    try:
        if not word or len(word) > LARGEST:
            raise ValueError
        packed = base64.b64decode(word + "=" * (-len(word) % 4), altchars="-_", validate=True)
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(packed, _UNPACKED)
        if unpacking.unconsumed_tail or not unpacking.eof:
            raise ValueError
        found = msgspec.json.decode(data, type=Invitation)
    except (ValueError, binascii.Error, zlib.error, msgspec.DecodeError):
        raise InvitationError(
            "this is no invitation of a house, or a part of it is missing: "
            "run `companion house add` there once more"
        ) from None
    if found.name == "house" or _CONTROL.search(found.label):
        raise InvitationError("no table is called so: run `companion house add` once more")
    return found

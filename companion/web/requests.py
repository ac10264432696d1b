"""What comes with a request, read from JSON: an order, or something else of a fixed shape."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion import invitation, orders
from companion.rules import BadInput
from companion.web.guard import RequestRefused


class PutOff(Struct, frozen=True, forbid_unknown_fields=True):
    """A colour that its phone may no longer play."""

    colour: Annotated[str, Meta(max_length=40)]


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """House rules to try out."""

    base: Annotated[str, Meta(max_length=40)]
    rules: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=40)] = ()


class Brought(Struct, frozen=True, forbid_unknown_fields=True):
    """The text record of a game from elsewhere."""

    text: str


class WhatIf(Struct, frozen=True, forbid_unknown_fields=True):
    """A past game, and after how many of its moves another way is tried."""

    game: Annotated[str, Meta(max_length=20)]
    move: Annotated[int, Meta(ge=0, le=100_000)]


class Pin(Struct, frozen=True, forbid_unknown_fields=True):
    """A PIN, typed on another device."""

    pin: Annotated[str, Meta(max_length=16)]


class Invited(Struct, frozen=True, forbid_unknown_fields=True):
    """An invitation to a house."""

    invitation: Annotated[str, Meta(max_length=invitation.LARGEST)]


def read_order(body: bytes) -> orders.AnyOrder:
    """Read an order. Raises RequestRefused with what is wrong with it."""
    try:
        return orders.read(body)
    except BadInput as fault:
        raise RequestRefused(400, str(fault)) from None


def read(body: bytes, kind: Any) -> Any:
    """Read what has this shape. Raises RequestRefused with what is wrong with it."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise RequestRefused(400, f"this cannot be understood: {fault}") from None

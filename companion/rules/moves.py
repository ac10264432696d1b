"""Moves and attempts as values: what the rules let a player do, and what hands really did.

Text forms: a move reads `yellow 6 Y.B>1`, `red 4 12>14 pair`, `blue 5 add 1 1 3`, or
`green 3 -` for a pass; `Game.move` parses it back. An attempt reads `12>18`, `18` (one place
pressed), `12>14 12>14` (two pieces) or `-`.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from companion.rules.errors import BadInput


@dataclass(slots=True, frozen=True)
class Move:
    """A piece (or a Pair, size 2) of one colour goes from one progress to another."""

    seat: int
    face: int
    origin: int
    target: int
    size: int = 1


@dataclass(slots=True, frozen=True)
class Lay:
    """Cards go on new stacks: the first card of one (`first`), or cards added to some."""

    seat: int
    face: int
    stacks: tuple[int, ...]
    first: bool


@dataclass(slots=True, frozen=True)
class Pass:
    """A roll that moves nothing: none can move, none need, or it was for the start."""

    seat: int
    face: int


AnyMove = Move | Lay | Pass


class Hop(NamedTuple):
    """One piece lifted and put down, by place name; None where nobody saw it."""

    origin: str | None
    target: str | None


class Attempt(NamedTuple):
    """What hands did: the hops seen, or the places pressed. No hop at all is a pass."""

    hops: tuple[Hop, ...]

    def __str__(self) -> str:
        if not self.hops:
            return "-"
        return " ".join(
            f"{hop.origin or ''}>{hop.target or ''}" if hop.origin else str(hop.target)
            for hop in self.hops
        )


_HOP = re.compile(r"(?:([A-Za-z0-9.]+)>)?([A-Za-z0-9.]+)?")


def attempt(text: str) -> Attempt:
    """Read an attempt such as `12>18`, `12>` (lifted only), `18`, `R.1 R.1 R.3` or `-`."""
    hops = []
    for word in text.split():
        if word == "-":
            continue
        match = _HOP.fullmatch(word)
        if match is None:
            raise BadInput(f"cannot read {word!r} as a hop: write FROM>TO, for instance 12>18")
        hops.append(Hop(match[1], match[2]))
    if not hops and "-" not in text:
        raise BadInput(f"cannot read {text!r} as an attempt: write FROM>TO, or - for a pass")
    return Attempt(tuple(hops))

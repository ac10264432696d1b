"""Moves and attempts as values: what the rules let a player do, and what hands really did.

Text forms: a move reads `yellow 6 Y.B>1`, `red 4 12>14 pair`, `blue 5 add 1 1 3`, or
`green 3 -` for a pass; `Game.move` parses it back, and `rules.move` reads it behind its game. An
attempt reads `12>18`, `18` (one place pressed), `12>14 12>14` (two pieces) or `-`.
"""

import re
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, NamedTuple, Optional

from companion.rules.errors import BadInput

if TYPE_CHECKING:
    from companion.rules.game import Game


class _Sayable:
    """A move says itself with the game that made it; one made by hand has none and says numbers.

    The game is no part of the value: a move equals the same move of any game.
    """

    __slots__ = ()
    game: Optional["Game"]

    def __str__(self) -> str:
        return repr(self) if self.game is None else self.game.move_text(self)  # type: ignore[arg-type]

    def __repr__(self) -> str:
        if self.game is not None:
            return f"move({f'{self.game} | {self}'!r})"
        told = [(one.name, getattr(self, one.name)) for one in fields(self) if one.compare]  # type: ignore[arg-type]
        values = ", ".join(f"{name}={value!r}" for name, value in told)
        return f"{type(self).__name__}({values})"


@dataclass(slots=True, frozen=True, repr=False)
class Move(_Sayable):
    """A piece (or a Pair, size 2) of one colour goes from one progress to another."""

    seat: int
    face: int
    origin: int
    target: int
    size: int = 1
    game: Optional["Game"] = field(default=None, compare=False)


@dataclass(slots=True, frozen=True, repr=False)
class Lay(_Sayable):
    """Cards go on new stacks: the first card of one (`first`), or cards added to some."""

    seat: int
    face: int
    stacks: tuple[int, ...]
    first: bool
    game: Optional["Game"] = field(default=None, compare=False)


@dataclass(slots=True, frozen=True, repr=False)
class Pass(_Sayable):
    """A roll that moves nothing: none can move, none need, or it was for the start."""

    seat: int
    face: int
    game: Optional["Game"] = field(default=None, compare=False)


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

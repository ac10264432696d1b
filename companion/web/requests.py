"""What a page may ask for, as data: one kind of request for each, checked before it counts."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from companion.events import Button
from companion.web.guard import Refused

Name = Annotated[str, Meta(max_length=40)]


class _Request(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """A request; the key `do` says which."""


class Roll(_Request, frozen=True, tag="roll"):
    """Throw the die; a face may be chosen where the die is simulated or entered by hand."""

    face: Annotated[int, Meta(ge=1, le=6)] | None = None


class Lift(_Request, frozen=True, tag="lift"):
    """Take a piece of the simulated table into the hand."""

    piece: Name


class Put(_Request, frozen=True, tag="put"):
    """Put it on a place."""

    piece: Name
    place: Name


class Slide(_Request, frozen=True, tag="slide"):
    """Push it over places on the way."""

    piece: Name
    places: Annotated[tuple[Name, ...], Meta(max_length=40)]


class Touch(_Request, frozen=True, tag="touch"):
    """Press the button at a place."""

    place: Name


class Press(_Request, frozen=True, tag="press"):
    """Press or hold a button of the box."""

    button: Button
    held: bool = False
    sure: bool = False
    """Somebody at the box's own screen was asked whether to switch it off."""


class Move(_Request, frozen=True, tag="move"):
    """Make this legal move, named as in the game record."""

    move: Annotated[str, Meta(max_length=80)]


class Step(_Request, frozen=True, tag="step"):
    """Let simulated hands do the next thing."""


class Alone(_Request, frozen=True, tag="alone"):
    """These colours play by themselves from now on."""

    colours: Annotated[tuple[Name, ...], Meta(max_length=4)]
    pace: Annotated[float, Meta(ge=0, le=10)] | None = None


class Auto(_Request, frozen=True, tag="auto"):
    """Let the whole table play by itself, or no longer."""

    on: bool


class NewGame(_Request, frozen=True, tag="new_game"):
    """Start a game."""

    sheet: Name
    options: dict[Name, bool | int] = {}
    seats: Annotated[tuple[Name, ...], Meta(max_length=4)] | None = None
    names: dict[Name, Name] = {}
    sensing: Literal["presence", "touch", "choose"] | None = None
    alone: Annotated[tuple[Name, ...], Meta(max_length=4)] = ()


class Order(_Request, frozen=True, tag="order"):
    """One of the referee's commands that need nothing more."""

    name: Literal[
        "take_back", "ruling", "pause", "resume", "end_game", "play_on", "back", "go_on", "menu"
    ]


class Set(_Request, frozen=True, tag="set"):
    """Change a setting."""

    name: Name
    value: str | int


class Sensor(_Request, frozen=True, tag="sensor"):
    """Set a sensor aside, or use it again."""

    place: Name
    aside: bool


Request = (
    Roll
    | Lift
    | Put
    | Slide
    | Touch
    | Press
    | Move
    | Step
    | Alone
    | Auto
    | NewGame
    | Order
    | Set
    | Sensor
)


class Pin(Struct, frozen=True, forbid_unknown_fields=True):
    """A PIN, typed on another device."""

    pin: Annotated[str, Meta(max_length=16)]


def read(body: bytes, kind: Any = Request) -> Any:
    """Read a request from JSON. Raises Refused with what is wrong with it."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise Refused(400, f"this cannot be understood: {fault}") from None

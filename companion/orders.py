"""Orders: everything that a menu, a page, a phone, a button, the house or a command may ask for.

An order is a value with a name. `order` and `read` are the only ways from plain data to one, so
that what the referee or the simulated table carries out has been checked; whether a legal move or
a known sheet was named, they say themselves. `PERMISSIONS` is the only place that says who may ask
for what.

To add an order: its class here, its line in `PERMISSIONS`, and what it does in `Referee` (or in
`web/actions.py`, if it is about the simulated table, in `web/own_rules.py`, if it is about the
family's sheets, in `web/past_pages.py`, if it is about past games, or in `daemon/setup.py`, if root
has to write something down for it). Tests fail until all three are there.
"""

from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from companion.events import Asker, Button, Command
from companion.rules import BadInput
from companion.rules.names import LONGEST_NAME

Name = Annotated[str, Meta(max_length=40)]
"""A colour, a sheet or a place; in `seats` and the like there are at most four."""
PlayerName = Annotated[str, Meta(max_length=LONGEST_NAME)]
Colours = Annotated[tuple[Name, ...], Meta(max_length=4)]
Levels = Annotated[dict[Name, Name], Meta(max_length=4)]
"""By colour, the level of the box's player there."""
Sensing = Literal["presence", "touch", "choose"]
Build = Literal[
    "found", "build-0", "build-a-40", "build-b-52", "build-c-68", "card-keypad", "card-mat"
]
"""What an owner has built: one of hardware/configs, or whatever greets on USB."""
ScreenKind = Literal["ssd1306", "sh1106", "none"]


class Order(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"):
    """What is asked for. In plain data the key `do` says which order it is."""


# -- the game ------------------------------------------------------------------------------------


class NewGame(Order, frozen=True, tag="new_game"):
    """Begin a game with everything chosen at once; the box plays some colours, so well each."""

    sheet: Name
    options: dict[Name, bool | int] | None = None
    seats: Colours | None = None
    names: dict[Name, PlayerName] | None = None
    sensing: Sensing | None = None
    box: Levels = {}


class Start(Order, frozen=True, tag="start"):
    """Begin the game that is chosen in the menu."""


class Roll(Order, frozen=True, tag="roll"):
    """A roll of a real die, or of the simulated one, which draws where no face is given.

    `by` is the colour of who threw it, where that is known; `chosen` says that no die has shown it.
    """

    face: Annotated[int, Meta(ge=1, le=6)] | None = None
    by: Name | None = None
    chosen: bool = False


class Move(Order, frozen=True, tag="move"):
    """Make this legal move, named as in the game record."""

    move: Annotated[str, Meta(max_length=80)]


class Seat(Order, frozen=True, tag="seat"):
    """From now on a player of the box has this colour's seat, or (without a level) a person."""

    colour: Name
    level: Name | None = None


class Advise(Order, frozen=True, tag="advise"):
    """Say which move is the best, and by how much."""


class GoOn(Order, frozen=True, tag="go_on"):
    """The pieces are set, moved or put right, say the players."""


class PlayOn(Order, frozen=True, tag="play_on"):
    """Somebody has won; the others play for their places."""


class TakeBack(Order, frozen=True, tag="take_back"):
    """Undo the last move, or a roll that was entered wrongly."""


class Ruling(Order, frozen=True, tag="ruling"):
    """Let stand what was refused."""


class Pause(Order, frozen=True, tag="pause"):
    """The game waits."""


class Resume(Order, frozen=True, tag="resume"):
    """Go on after a pause."""


class EndGame(Order, frozen=True, tag="end_game"):
    """Stop before the game is over."""


# -- the box -------------------------------------------------------------------------------------


class OpenMenu(Order, frozen=True, tag="menu"):
    """Open the menu."""


class Back(Order, frozen=True, tag="back"):
    """Leave the menu."""


class Set(Order, frozen=True, tag="set"):
    """Change a setting."""

    name: Name
    value: bool | int | str


class SenseBy(Order, frozen=True, tag="sense_by"):
    """Sense moves in another way."""

    sensing: Sensing


class SetAside(Order, frozen=True, tag="set_aside"):
    """Do without the sensor of a place."""

    place: Name


class UseAgain(Order, frozen=True, tag="use_again"):
    """The sensor of a place is mended."""

    place: Name


class ShutDown(Order, frozen=True, tag="shut_down"):
    """Switch the box off; on a page somebody was asked, and is sure."""

    sure: bool = False


class Bench(Order, frozen=True, tag="bench"):
    """Leave the game as it is, and test the board."""


class Press(Order, frozen=True, tag="press"):
    """Press or hold a button of the box from elsewhere."""

    button: Button
    held: bool = False
    sure: bool = False
    """Somebody at the box's own screen was asked whether to switch it off."""


class Phones(Order, frozen=True, tag="phones"):
    """Whether players' phones can reach the page: the menu then shows their codes."""

    here: bool


# -- the family's own sheets, and past games -----------------------------------------------------


class OwnSheet(Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet of the family's own: a name, a printed sheet, and what is changed in it."""

    name: Name
    base: Name
    rules: Annotated[tuple[Name, ...], Meta(max_length=40)] = ()


class KeepRules(Order, frozen=True, tag="keep_rules"):
    """Keep house rules that were tried out, in the place of others if these are named."""

    name: Annotated[str, Meta(max_length=600)]
    base: Name
    rules: Annotated[tuple[Name, ...], Meta(max_length=40)] = ()
    instead_of: Name = ""


class DeleteRules(Order, frozen=True, tag="delete_rules"):
    """Delete house rules that nobody is playing by."""

    name: Name


class OwnSheets(Order, frozen=True, tag="own_sheets"):
    """Which sheets of the family's own there are now, for the menu."""

    sheets: Annotated[tuple[OwnSheet, ...], Meta(max_length=40)]


class DeleteGame(Order, frozen=True, tag="delete_game"):
    """Delete a past game for good; one that was brought from elsewhere has a number like `i3`."""

    number: Annotated[str, Meta(pattern=r"^i?[0-9]{1,15}\Z")]


# -- how the box is set up: what root writes down for it -----------------------------------------


class OpenPage(Order, frozen=True, tag="open_page"):
    """Open the page to the house's network, or to this machine only.

    Where no PIN is given the one that is set serves again; if there is none, or if the page is
    open already, a new one is drawn.
    """

    on: bool = True
    pin: Annotated[str, Meta(pattern=r"^([0-9]{6,12})?\Z")] = ""


class Configure(Order, frozen=True, tag="configure"):
    """Write down what was built; `screen` is what its configuration says, if it is not given."""

    build: Build
    screen: ScreenKind | None = None
    upside_down: bool = False


class Join(Order, frozen=True, tag="join"):
    """Follow an invitation of a house: the link that it printed, or the word behind its `#`."""

    invitation: Annotated[str, Meta(max_length=6000)]


class LookForUpdate(Order, frozen=True, tag="look_for_update"):
    """Look at the package that was sent to the box, or at the newest one on a stick."""

    where: Literal["file", "stick"]


class InstallUpdate(Order, frozen=True, tag="install_update"):
    """Install the package that was looked at last; the digest says that it is that one."""

    digest: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]


class EarlierVersion(Order, frozen=True, tag="earlier_version"):
    """Go back to the version before."""


# -- the house around the table ------------------------------------------------------------------


class OfferGame(Order, frozen=True, tag="offer_game"):
    """Begin a game for the guests; over one that is played they are asked first."""

    sheet: Name
    options: dict[Name, bool | int] | None = None
    seats: Colours | None = None
    box: Levels = {}


class Call(Order, frozen=True, tag="call"):
    """Call the house for help."""


class House(Order, frozen=True, tag="house"):
    """What the house lets the table know: that it is there, that somebody comes, a line.

    Names to `forget` go from the game that is played, and from the next.
    """

    here: bool | None = None
    coming: bool = False
    text: Annotated[str, Meta(max_length=400)] | None = None
    forget: Annotated[tuple[str, ...], Meta(max_length=64)] = ()


# -- the simulated table -------------------------------------------------------------------------


class Lift(Order, frozen=True, tag="lift"):
    """Take a piece of the simulated table into the hand."""

    piece: Name


class Put(Order, frozen=True, tag="put"):
    """Put it on a place."""

    piece: Name
    place: Name


class Slide(Order, frozen=True, tag="slide"):
    """Push it over places on the way."""

    piece: Name
    places: Annotated[tuple[Name, ...], Meta(max_length=40)]


class Touch(Order, frozen=True, tag="touch"):
    """Press the button at a place."""

    place: Name


class Step(Order, frozen=True, tag="step"):
    """Let simulated hands do the next thing."""


class Auto(Order, frozen=True, tag="auto"):
    """Let the whole table play by itself, or no longer; who plays whom stays as it is.

    `pace` is in seconds between two things that hands do.
    """

    on: bool
    pace: Annotated[float, Meta(ge=0, le=10)] | None = None


AnyOrder = (
    NewGame
    | Start
    | Roll
    | Move
    | Seat
    | Advise
    | GoOn
    | PlayOn
    | TakeBack
    | Ruling
    | Pause
    | Resume
    | EndGame
    | OpenMenu
    | Back
    | Set
    | SenseBy
    | SetAside
    | UseAgain
    | ShutDown
    | Bench
    | Press
    | Phones
    | KeepRules
    | DeleteRules
    | OwnSheets
    | DeleteGame
    | OpenPage
    | Configure
    | Join
    | LookForUpdate
    | InstallUpdate
    | EarlierVersion
    | OfferGame
    | Call
    | House
    | Lift
    | Put
    | Slide
    | Touch
    | Step
    | Auto
)

# -- who may ask for what ------------------------------------------------------------------------

When = Literal["always", "own", "never"]
"""When somebody may: always; about own pieces, in the own turn; never."""
_YES: When = "always"
_OWN: When = "own"
_NO: When = "never"

SET_UP = (OpenPage, Configure, Join, LookForUpdate, InstallUpdate, EarlierVersion)
"""The orders that change how the box is set up; `daemon/setup.py` carries them out."""

ASKERS: tuple[Asker, ...] = get_args(Asker)

_TABLE: dict[str, tuple[When, When, When, When, When]] = {
    #             box   screen page  player staff
    "new_game": (_YES, _YES, _YES, _NO, _NO),
    "start": (_YES, _YES, _YES, _NO, _NO),
    "roll": (_YES, _YES, _YES, _OWN, _NO),
    "move": (_YES, _YES, _YES, _OWN, _NO),
    "seat": (_YES, _YES, _YES, _OWN, _NO),
    "advise": (_YES, _YES, _YES, _OWN, _NO),
    "go_on": (_YES, _YES, _YES, _OWN, _NO),
    "play_on": (_YES, _YES, _YES, _OWN, _NO),
    "take_back": (_YES, _YES, _YES, _OWN, _NO),
    "ruling": (_YES, _YES, _YES, _NO, _NO),
    "pause": (_YES, _YES, _YES, _NO, _NO),
    "resume": (_YES, _YES, _YES, _NO, _NO),
    "end_game": (_YES, _YES, _YES, _NO, _NO),
    "menu": (_YES, _YES, _YES, _NO, _NO),
    "back": (_YES, _YES, _YES, _NO, _NO),
    "set": (_YES, _YES, _YES, _NO, _YES),
    "sense_by": (_YES, _YES, _YES, _NO, _NO),
    "set_aside": (_YES, _YES, _YES, _NO, _NO),
    "use_again": (_YES, _YES, _YES, _NO, _NO),
    "shut_down": (_YES, _YES, _NO, _NO, _NO),
    "bench": (_YES, _YES, _YES, _NO, _NO),
    "press": (_YES, _YES, _YES, _NO, _NO),
    "phones": (_YES, _NO, _NO, _NO, _NO),
    "keep_rules": (_YES, _YES, _YES, _NO, _NO),
    "delete_rules": (_YES, _YES, _YES, _NO, _NO),
    "own_sheets": (_YES, _NO, _NO, _NO, _NO),
    "delete_game": (_YES, _YES, _YES, _NO, _NO),
    "open_page": (_YES, _YES, _NO, _NO, _NO),
    "configure": (_YES, _YES, _YES, _NO, _NO),
    "join": (_YES, _YES, _YES, _NO, _NO),
    "look_for_update": (_YES, _YES, _YES, _NO, _NO),
    "install_update": (_YES, _YES, _YES, _NO, _NO),
    "earlier_version": (_YES, _YES, _YES, _NO, _NO),
    "offer_game": (_NO, _NO, _NO, _NO, _YES),
    "call": (_YES, _YES, _YES, _YES, _NO),
    "house": (_NO, _NO, _NO, _NO, _YES),
    "lift": (_YES, _YES, _YES, _NO, _NO),
    "put": (_YES, _YES, _YES, _NO, _NO),
    "slide": (_YES, _YES, _YES, _NO, _NO),
    "touch": (_YES, _YES, _YES, _NO, _NO),
    "step": (_YES, _YES, _YES, _NO, _NO),
    "auto": (_YES, _YES, _YES, _NO, _NO),
}

PERMISSIONS: Mapping[str, Mapping[Asker, When]] = {
    name: dict(zip(ASKERS, row, strict=True)) for name, row in _TABLE.items()
}
"""By the name of an order and who asks, when that one may.

`box`: its buttons, and commands typed there; `screen`: its own screen; `page`: another device that
has shown the PIN; `player`: a player's phone, for that player's colours; `staff`: the house.
"""

ANY_TIME = frozenset(
    {
        *("new_game", "start", "set", "sense_by", "menu", "back", "shut_down", "bench", "roll"),
        *("phones", "open_page", "offer_game", "call", "house", "own_sheets"),
    }
)
"""The orders to the referee that make sense while there is no game."""


_FROM: Mapping[Asker, str] = {
    "box": "at the box",
    "screen": "at the box's screen",
    "page": "from a page elsewhere",
    "player": "from a player's phone",
    "staff": "from the house",
}


class NotAllowed(BadInput):
    """Whoever asks for this may not."""


class NotNow(BadInput):
    """Whoever asks for this may, but not yet."""


def check_asker(name: str, by: Asker, *, own: bool, covered: bool = False) -> None:
    """Raise NotAllowed if this one may not ask for an order, NotNow if only not yet.

    `own`: whether it is about the pieces, or the turn, of a colour that is the asker's.
    `covered`: whether a menu or a pause covers the game. Players wait then; a seat can be given
    away all the same.
    """
    when = PERMISSIONS[name][by]
    if when == "never":
        raise NotAllowed(f"{name} cannot be asked for {_FROM[by]}")
    if when == "own" and not own:
        raise NotAllowed(f"{name} is for the player whose turn it is")
    if when == "own" and covered and name != "seat":
        raise NotNow(f"{name} has to wait: the menu is open, or the game is paused")


# -- from plain data and back --------------------------------------------------------------------


_BY_NAME: Mapping[str, Any] = {str(kind.__struct_config__.tag): kind for kind in get_args(AnyOrder)}
_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(AnyOrder)
"""Made once: finding out what 29 orders look like takes longer than reading one."""


def name_of(order: Order) -> str:
    """The name of an order."""
    return str(type(order).__struct_config__.tag)


def order(name: str, args: Mapping[str, Any]) -> AnyOrder:
    """The order of this name; raises BadInput that says what is wrong with it."""
    if name not in PERMISSIONS:
        raise BadInput(f"unknown command {name!r}: there are {', '.join(PERMISSIONS)}")
    try:
        found: AnyOrder = msgspec.convert(dict(args), _BY_NAME[name])
    except (msgspec.ValidationError, TypeError) as fault:
        raise BadInput(f"command {name!r} does not take {dict(args)}: {fault}") from None
    return found


def read(body: bytes) -> AnyOrder:
    """Read an order from JSON; raises BadInput that says what is wrong with it."""
    try:
        found: AnyOrder = _DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadInput(_what_is_wrong(body)) from None
    return found


def _what_is_wrong(body: bytes) -> str:
    """Why this is no order, in a sentence; how it was read is nobody's concern."""
    try:
        name = msgspec.json.decode(body, type=dict[str, Any]).get("do")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return 'this is no order: send an object with "do" in it, as JSON'
    if not isinstance(name, str) or name not in PERMISSIONS:
        return "there is no such order: docs/web.md lists those there are"
    return f"{name} is not asked for like that: something lacks, is too much, or is of another kind"


def command(order: Order, by: Asker = "box", colours: Collection[str] = ()) -> Command:
    """An order as the event that brings it to the referee."""
    args = msgspec.to_builtins(order)
    return Command(args.pop("do"), args, by, tuple(colours))

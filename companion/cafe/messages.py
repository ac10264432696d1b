"""What goes over the line: typed, versioned and bounded; a later version is said, not guessed.

Each message is JSON with its version in `v`. A version is raised only when a reader of the one
before would get it wrong; fields that are merely new may be added, and who does not know them
leaves them out.
"""

from typing import Annotated, Any, ClassVar, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

LARGEST = 64 << 10
"""Bytes that a message may have."""
PIECE = 32 << 10
"""Bytes of records in one piece of a journal, about."""
TEXT = 80
"""Letters of a line that is sent to a screen."""
TIME = 30.0
"""Seconds between two words of the house about the time."""

Word = Annotated[str, Meta(max_length=64)]
PAGE = 300
"""Letters of the address of a table's page."""
Line = Annotated[str, Meta(max_length=300)]
Page = Annotated[str, Meta(max_length=PAGE, pattern=r"^(https?://[!-~]+)?\Z")]
Salt = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}\Z")]
Mark = Annotated[str, Meta(pattern=r"^[0-9a-f]{40}\Z")]
"""What stays of a forgotten name, as `forgetting.py` makes it."""
Colour = Annotated[str, Meta(max_length=16)]
Places = Annotated[list[Word | int], Meta(max_length=8)]
Number = Annotated[int, Meta(ge=0, lt=2**62)]
Seconds = Annotated[float, Meta(gt=-1e12, lt=1e12)]


class MalformedError(Exception):
    """A message that cannot be read."""


class LaterVersionError(Exception):
    """A message of a later version than this one knows."""


class Message(Struct, frozen=True, kw_only=True, omit_defaults=False):
    """One message; `v` is its version."""

    VERSION: ClassVar[int] = 1
    v: int = 1


class About(Message, frozen=True, kw_only=True):
    """What a table is: said once, when it joins."""

    birth: Word
    """A random word of this stay: what belongs to another stay is out of date."""
    box: Word
    """The random id of the box, which two boxes of one name do not share."""
    label: Line = ""
    """What people call the table."""
    software: Word = ""
    board: Word = ""
    sheets: Annotated[list[Word], Meta(max_length=64)] = []
    page: Page = ""
    """The address of the table's own page; empty if it is for the table only."""
    forgotten: Annotated[list[tuple[Salt, Mark]], Meta(max_length=500)] = []
    """The marks of forgotten names that it was told, each with its salt: a house from a backup
    has to hear of them."""


class Here(Message, frozen=True, kw_only=True):
    """Whether somebody is there; a death names the birth that it belongs to."""

    birth: Word
    box: Word = ""
    here: bool
    off: bool = False
    """Whether it was switched off; a last will does not say so."""
    at: Seconds = 0.0
    """The house's clock, which it says again every half a minute; tables compare it with theirs."""


class Pulse(Message, frozen=True, kw_only=True):
    """A sign of life. What the house compares with its archive comes along."""

    birth: Word
    number: Number
    at: Seconds
    """The table's own clock, in seconds since 1970; it may be wrong."""
    journal: Word = ""
    last: Number = 0
    """The number of the last record in that journal."""


class TurnedAway(Message, frozen=True, kw_only=True):
    """A table found that the broker does not let it speak under the name that it has."""

    box: Word
    name: Word
    """The name that it tried."""


class Probe(Message, frozen=True, kw_only=True):
    """A word of the doctor, which comes back if the broker lets the table speak."""

    word: Word


class Now(Message, frozen=True, kw_only=True):
    """What a table shows, in short: enough for a small board and one line."""

    birth: Word
    at: Seconds
    phase: Word
    tone: Word = "calm"
    since: Seconds = 0.0
    """When the turn, or the waiting, began, by the table's clock."""
    free: bool = True
    sheet: Word = ""
    board: Word = ""
    turn: Colour = ""
    face: Annotated[int, Meta(ge=0, le=99)] = 0
    """The roll that lies, or the squares that a reward gives, such as 20."""
    names: Annotated[dict[Colour, Word], Meta(max_length=8)] = {}
    pieces: Annotated[dict[Colour, Places], Meta(max_length=8)] = {}
    done: Annotated[dict[Colour, Annotated[float, Meta(ge=0, le=1)]], Meta(max_length=8)] = {}
    """How much of its way each colour has gone."""
    ranking: Annotated[list[Colour], Meta(max_length=8)] = []
    """Who has got home, best first."""
    language: Word = "en"
    volume: Annotated[int, Meta(ge=0, le=9)] = 0
    called: bool = False


class Need(Struct, frozen=True, kw_only=True):
    """One thing that needs a person."""

    kind: Word
    since: Seconds
    detail: Line = ""
    """Which sensor, device or fault."""


class Help(Message, frozen=True, kw_only=True):
    """All that needs a person at a table; nothing if it is empty."""

    birth: Word
    at: Seconds
    needs: Annotated[list[Need], Meta(max_length=16)] = []


class Called(Message, frozen=True, kw_only=True):
    """Somebody at a table has just called a person: said once for each call."""

    birth: Word
    at: Seconds


class Kept(Message, frozen=True, kw_only=True):
    """A record that was kept, by its number in its journal."""

    journal: Word
    number: Number
    at: Seconds
    record: dict[str, Any]


class _Order(Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True):
    """Something that the house asks of a table."""


class NewGame(_Order, frozen=True, kw_only=True, tag="new_game"):
    """Begin a game for new guests; over one that is played the table asks its guests first."""

    sheet: Word
    seats: Annotated[list[Colour], Meta(max_length=8)] | None = None
    options: Annotated[dict[Word, bool | int], Meta(max_length=16)] = {}


class Set(_Order, frozen=True, kw_only=True, tag="set"):
    """Change a setting: the language or the volume."""

    name: Literal["language", "volume"]
    value: str | int


class Say(_Order, frozen=True, kw_only=True, tag="say"):
    """Show a line on the table's screen for a while; an empty one takes it away."""

    text: Annotated[str, Meta(max_length=TEXT)]


class AnswerCall(_Order, frozen=True, kw_only=True, tag="answer_call"):
    """Somebody is on the way to the table."""


class Records(_Order, frozen=True, kw_only=True, tag="records"):
    """Send the records of a journal that come after a number, as many as make one piece.

    Without a journal only what there is comes back.
    """

    journal: Word = ""
    after: Number = 0


class Forget(_Order, frozen=True, kw_only=True, tag="forget"):
    """Forget a name, wherever the table has it; it comes as a mark, not as the name."""

    salt: Salt
    mark: Mark


Order = NewGame | Set | Say | AnswerCall | Records | Forget


class Ask(Message, frozen=True, kw_only=True):
    """An order, with an id by which its answer is known."""

    id: Word
    order: Order


class Answer(Message, frozen=True, kw_only=True):
    """What came of an order: `done`, `asked` (the guests), `refused` or `unknown`."""

    id: Word
    state: Word
    said: Line = ""


class Span(Struct, frozen=True, kw_only=True):
    """The records that a table's file holds under one id."""

    journal: Word
    first: Number
    last: Number


class PieceRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One record of a journal, by its number there; None where damage has left nothing of it."""

    number: Number
    at: Seconds
    record: dict[str, Any] | None
    first: tuple[Word, Number] | None = None
    """What it was called in the file in which it was written first, if that was another."""
    game: tuple[Word, Number] | None = None
    """The first name of the start of its game."""


class Piece(Message, frozen=True, kw_only=True):
    """Records of a journal, in their order, after a number; and which ones the file holds."""

    id: Word
    journal: Word = ""
    after: Number = 0
    records: Annotated[list[PieceRecord], Meta(max_length=1000)] = []
    spans: Annotated[list[Span], Meta(max_length=256)] = []


M = TypeVar("M", bound=Message)
_encode = msgspec.json.Encoder().encode
_DECODERS: dict[type, Any] = {}


class _Version(Struct):
    v: int = 1


class _Birth(Struct):
    birth: str = ""


_version = msgspec.json.Decoder(_Version)
_birth = msgspec.json.Decoder(_Birth)


def encode(message: Message) -> bytes:
    """A message as it is sent."""
    return _encode(message)


def decode(payload: bytes | bytearray, kind: type[M]) -> M:
    """Read a message. Raises MalformedError, and LaterVersionError if it is of a later version."""
    if len(payload) > LARGEST:
        raise MalformedError(f"{len(payload)} bytes are too many for {kind.__name__}")
    try:
        version = _version.decode(payload).v
        if version > kind.VERSION:
            raise LaterVersionError(
                f"{kind.__name__} of version {version} (this one knows {kind.VERSION}): update it"
            )
        found: M = _decoder(kind).decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise MalformedError(f"this is no {kind.__name__}: {fault}") from None
    return found


def birth_of(payload: bytes) -> str:
    """The stay that a message names; empty if it names none."""
    try:
        return _birth.decode(payload).birth
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""


def _decoder(kind: type[M]) -> Any:
    if kind not in _DECODERS:
        _DECODERS[kind] = msgspec.json.Decoder(kind)
    return _DECODERS[kind]

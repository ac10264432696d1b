"""The history of one game: what happened, entry by entry, and what came of each.

Whoever tells of a game tells of this: the referee's match adds to it, journals keep its entries as
plain data (`kept` and `entry` are the only ways between the two), page, export and replay read it.
Nothing in it is ever changed: what is taken back stays, and is followed by the entry that says so.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from companion.rules.errors import BadInput
from companion.rules.game import Game
from companion.rules.levels import LEVELS, check_seat
from companion.rules.moves import AnyMove, Lay, Move, Pass
from companion.rules.positions import Position
from companion.rules.sheets import recall_game, recall_position
from companion.rules.verdicts import Happening, Refusal

SOURCES = ("hand", "box", "page", "chosen", "unknown")
"""Where a roll came from, besides a die (`die:` and its unit id): somebody entered at the box what
a real die shows, or on a page (where some were chosen, before those were told apart), the box drew
it, somebody chose what the simulated die shows, or nobody knows."""


@dataclass(slots=True, frozen=True)
class Start:
    """The game was begun, by these players."""

    game: Game
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True, frozen=True)
class Roll:
    """The die lies still. `number` counts the rolls of a die that counts them."""

    face: int
    number: int | None = None
    source: str = "unknown"

    @property
    def entered(self) -> bool:
        """Whether somebody entered it; before sources were kept, a roll without a number was."""
        told = self.source in ("hand", "page", "chosen")
        return told or (self.source == "unknown" and self.number is None)

    @property
    def chosen(self) -> bool:
        """Whether no die has shown it: it says nothing about any."""
        return self.source == "chosen"


@dataclass(slots=True, frozen=True)
class Unroll:
    """The roll that lay was entered wrongly."""


@dataclass(slots=True, frozen=True)
class TakeBack:
    """The last move or ruling that still stands does so no longer."""


@dataclass(slots=True, frozen=True)
class Ruling:
    """The house has ruled that the game goes on from this position."""

    position: Position


@dataclass(slots=True, frozen=True)
class End:
    """The game was ended early; nothing follows."""


@dataclass(slots=True, frozen=True)
class Seat:
    """From now on a player of the box has a colour's seat (`level`), or a person has (None)."""

    colour: str
    level: str | None


Entry = Roll | Unroll | AnyMove | TakeBack | Ruling | End | Seat


class Deed(NamedTuple):
    """An entry, with the position and the roll it found, and what came of it.

    `chosen` says whether no die had shown that roll; `box` which seats the box had.
    """

    entry: Entry
    position: Position
    face: int | None
    after: Position
    happenings: tuple[Happening, ...] = ()
    chosen: bool = False
    box: Mapping[str, str] = MappingProxyType({})

    @property
    def move(self) -> AnyMove | None:
        """The move that was made, a pass included; None if it is something else."""
        return self.entry if isinstance(self.entry, Move | Lay | Pass) else None


class History:
    """A game as it went. `deeds` only ever grows; `past` are those of them that stand."""

    def __init__(self, game: Game, names: Mapping[str, str] | None = None) -> None:
        self.game = game
        self.names = dict(names or {})
        self.deeds: list[Deed] = []
        self.past: list[Deed] = []
        self.position = game.start()
        self.face: int | None = None
        self.chosen = False
        """Whether somebody chose the roll that lies."""
        self.happenings: tuple[Happening, ...] = ()
        self.ended = False
        self.box: dict[str, str] = {}
        """By the colour of a seat that the box has taken, how well it plays there."""
        self.roll_number: int | None = None
        self.undone: AnyMove | None = None
        """The move taken back last, if nothing was played since."""

    @property
    def seats(self) -> tuple[str, ...]:
        """The colours of the seats that are taken."""
        return tuple(self.game.colours[seat] for seat in self.game.seats)

    def level_at(self, seat: int) -> str | None:
        """How well the box plays at a seat, or at its player's other one; None: a person plays."""
        return _level(self.game, self.box, seat)

    def add(self, entry: Entry) -> Deed:
        """Follow an entry that somebody else wrote down. Raises BadInput if it cannot be so."""
        if isinstance(entry, TakeBack) and not self.past:
            raise BadInput("there is nothing to take back")
        if isinstance(entry, Seat):
            check_seat(entry.colour, entry.level, self.seats)
        if isinstance(entry, Move | Lay | Pass):
            if self.face is None:  # rolls may have been left out: they are in the moves
                self.face = entry.face
            if entry not in self.game.legal_moves(self.position, self.face):
                raise BadInput(f"the move {self.game.move_text(entry)!r} is not legal there")
        return self.follow(entry)

    def follow(self, entry: Entry) -> Deed:
        """Take in an entry that is known to fit."""
        here, face, chosen = self.position, self.face, self.chosen
        happenings: tuple[Happening, ...] = ()
        if isinstance(entry, Roll):
            self.face, self.roll_number = self.game.face(entry.face), entry.number
            self.chosen = entry.chosen
        elif isinstance(entry, Unroll):
            self.face, self.chosen = None, False
        elif isinstance(entry, TakeBack):
            last = self.past.pop()
            self.position, self.face, self.happenings = last.position, last.face, ()
            self.chosen, self.undone = last.chosen, last.move
        elif isinstance(entry, Ruling):
            self.position, self.face, self.happenings = entry.position, entry.position.due, ()
            self.chosen = False
        elif isinstance(entry, End):
            self.ended = True
        elif isinstance(entry, Seat):
            others = {colour: level for colour, level in self.box.items() if colour != entry.colour}
            self.box = others if entry.level is None else {**others, entry.colour: entry.level}
        else:
            self.position, happenings = self.game.outcome(here, entry)
            self.face, self.happenings, self.undone = self.position.due, happenings, None
            self.chosen = False
        deed = Deed(entry, here, face, self.position, happenings, chosen, self.box)
        self.deeds.append(deed)
        if isinstance(entry, Move | Lay | Pass | Ruling):
            self.past.append(deed)
        return deed


def _player(game: Game, seat: int) -> tuple[int, ...]:
    """The seats that one player has."""
    return next((one for one in game.players if seat in one), (seat,))


def _level(game: Game, box: Mapping[str, str], seat: int) -> str | None:
    if not box:
        return None
    colours = (game.colours[one] for one in _player(game, seat))
    return next((box[colour] for colour in colours if colour in box), None)


def player_of(game: Game, deed: Deed) -> tuple[str, str | None]:
    """Whose turn it was: the colour of the seat, and the player of the box who had it, or None."""
    seat = deed.position.seat
    colour = game.colours[next((s for s in _player(game, seat) if s in game.seats), seat)]
    return colour, _level(game, deed.box, seat)


def holders(game: Game, past: Iterable[Deed]) -> dict[str, tuple[str | None, ...]]:
    """By the colour of a seat, who played there one after the other: a player of the box, or a
    person (None). Who comes back is told again."""
    found: dict[str, tuple[str | None, ...]] = {}
    for deed in past:
        if deed.move is None:
            continue
        colour, level = player_of(game, deed)
        if colour not in found or found[colour][-1] != level:
            found[colour] = (*found.get(colour, ()), level)
    return found


def replay(kept: Iterable[Mapping[str, Any]], begin: Callable[[Start], History]) -> History | None:
    """The latest game in kept records, played again from its start; None if there is none.

    Raises BadInput that quotes the record which cannot be followed.
    """
    history: History | None = None
    for one in kept:
        try:
            if one.get("kind") == "start":
                history = begin(start(one))
            elif history is not None:
                told = entry(history.game, one)
                if told is not None and (history.past or not isinstance(told, TakeBack)):
                    history.add(told)
        except (KeyError, TypeError, ValueError, AttributeError) as fault:
            why = fault if isinstance(fault, BadInput) else repr(fault)
            raise BadInput(f"the record {one!r} cannot be followed: {why}") from None
    return history


# -- as plain data ---------------------------------------------------------------------------


def started(game: Game, names: Mapping[str, str]) -> dict[str, Any]:
    """The beginning of a game as it is kept."""
    return {"kind": "start", "game": str(game), "names": dict(names)}


def kept(game: Game, entry: Entry) -> dict[str, Any]:
    """An entry as it is kept; the opposite of `entry`. What was kept once is read for ever."""
    if isinstance(entry, Roll):
        told = {"kind": "roll", "face": entry.face, "number": entry.number}
        return told if entry.source == "unknown" else {**told, "source": entry.source}
    if isinstance(entry, Ruling):
        return {"kind": "ruling", "position": str(entry.position)}
    if isinstance(entry, Move | Lay | Pass):
        return {"kind": "move", "move": game.move_text(entry)}
    if isinstance(entry, Seat):
        return {"kind": "seat", "colour": entry.colour, "level": entry.level}
    return {"kind": _KINDS[type(entry)]}


_KINDS = {Unroll: "unroll", TakeBack: "take_back", End: "end"}


def refused(refusals: Iterable[Refusal], face: int | None) -> dict[str, Any]:
    """What was not allowed, as it is kept. No entry: the game goes on as if it had not been."""
    told = [[one.clause, one.slip, list(one.places), one.counted] for one in refusals]
    return {"kind": "refused", "face": face, "refusals": told}


def refusals_in(kept: Mapping[str, Any]) -> tuple[Refusal, ...]:
    """What was not allowed, from a record of that kind; the opposite of `refused`.

    Nothing where damage left something else: a game is whole without it.
    """
    if kept["kind"] != "refused" or not _are_refusals(kept.get("refusals"), kept.get("face")):
        return ()
    return tuple(
        Refusal(clause, slip, tuple(places), counted)
        for clause, slip, places, counted in kept["refusals"]
    )


def is_whole(kept: Mapping[str, Any]) -> bool:
    """Whether a record holds what its kind has to; damage may have left something else."""
    return _WHOLE.get(kept["kind"], bool)(kept)


def start(kept: Mapping[str, Any]) -> Start:
    """The beginning of a game from what was kept of it. Raises BadInput."""
    if not is_whole(kept):
        raise BadInput("it does not hold what a start has to")
    return Start(recall_game(kept["game"]), kept.get("names") or {})


def entry(game: Game, kept: Mapping[str, Any]) -> Entry | None:
    """The entry that a record of this game keeps; None if it is about something else.

    Raises BadInput.
    """
    kind = kept["kind"]
    if not is_whole(kept):
        raise BadInput(f"it does not hold what a {kind} has to")
    if kind == "roll":
        return roll(kept)
    if kind == "move":
        return game.move(kept["move"])
    if kind == "ruling":
        return Ruling(recall_position(kept["position"]))
    if kind == "seat":
        return Seat(kept["colour"], kept["level"])
    return _BARE.get(kind)


def roll(kept: Mapping[str, Any]) -> Roll:
    """A roll from what was kept of it."""
    number = kept.get("number")
    return _roll(kept["face"], number if type(number) is int else None, _source(kept.get("source")))


@lru_cache(64)
def _roll(face: int, number: int | None, source: str) -> Roll:
    """One for all that are alike: most rolls of a die without numbers."""
    return Roll(face, number, source)


_HOLDERS = (None, *LEVELS)


_BARE: Mapping[str, Entry] = {"unroll": Unroll(), "take_back": TakeBack(), "end": End()}

_WHOLE: Mapping[str, Callable[[Mapping[str, Any]], bool]] = {
    "start": lambda start: isinstance(start.get("game"), str) and _are_names(start.get("names")),
    "move": lambda move: isinstance(move.get("move"), str),
    "roll": lambda roll: roll.get("face") in range(1, 7),
    "ruling": lambda ruling: isinstance(ruling.get("position"), str),
    "seat": lambda seat: isinstance(seat.get("colour"), str) and seat.get("level") in _HOLDERS,
}


def _are_refusals(refusals: Any, face: Any) -> bool:
    """Whether these are refusals as `refused` keeps them, with the roll that lay."""
    return (
        (face is None or type(face) is int)
        and isinstance(refusals, list)
        and all(isinstance(one, list) and len(one) == 4 and _is_refusal(*one) for one in refusals)
    )


def _is_refusal(clause: Any, slip: Any, places: Any, counted: Any) -> bool:
    return (
        isinstance(clause, str)
        and isinstance(slip, str)
        and isinstance(places, list)
        and all(isinstance(place, str) for place in places)
        and (counted is None or type(counted) is int)
    )


def _are_names(names: Any) -> bool:
    """Whether these are names by colour; a game may have none."""
    if names is None:
        return True
    return isinstance(names, dict) and all(isinstance(name, str) for name in names.values())


def _source(told: Any) -> str:
    """Where a roll came from; what a later version may say of it is unknown here."""
    known = isinstance(told, str) and (told in SOURCES or told.startswith("die:"))
    return told if known else "unknown"

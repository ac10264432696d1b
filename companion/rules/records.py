"""The text record of a game: a header, then one readable line per event.

    Ludo game record 1
    sheet: german
    options: barriers
    date: 2025-11-16
    yellow: Anna
    red: Ben

    yellow 5 -
    red 2 - ; begins yellow (G3)
    yellow 6 Y.B>1 ; again (G13)
    red 4 21>25 ; chosen
    take back
    ruling yellow Y.B Y.B Y.B 1 | red R.B R.B R.B 21 | turn red
    seat red fox
    seat red person
    end

Rolls for the start are passes. A seat goes to a player of the box, or to a person. What follows a
`;` explains and is not read, nor is a line that begins with one; but for the word `chosen`: no die
has shown that roll. (It stands there so that versions which know nothing of it read the rest.) A
header may also say who `begins`, where nobody rolled for it.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date as Date  # noqa: N812 - `date` is a field below

from companion.rules.checking import play
from companion.rules.errors import BadHeader, BadInput, BadLine
from companion.rules.game import Game
from companion.rules.history import Deed, End, History, Roll, Ruling, Seat, TakeBack, Unroll
from companion.rules.levels import LEVELS, check_seat
from companion.rules.moves import AnyMove
from companion.rules.names import plain_name
from companion.rules.positions import Position
from companion.rules.sheets import all_options, recall_game, sheet
from companion.rules.verdicts import Happening

TITLE = "Ludo game record 1"
LONGEST_LINE = 2000
"""Letters: what cannot be read is quoted, and no line of ours is nearly as long."""
PERSON = "person"
CHOSEN = "chosen"


Event = AnyMove | TakeBack | Ruling | End | Seat


@dataclass(frozen=True)
class Record:
    """A game as it went: every event is checked as it is added, so a record always replays.

    `players` are the names of those who sit at the game's seats, in their order; `chosen` are the
    numbers of the events, from 0 on, whose roll no die has shown.
    """

    game: Game
    date: Date
    players: tuple[str, ...] = ()
    begins: str | None = None
    events: tuple[Event, ...] = ()
    chosen: frozenset[int] = frozenset()
    _standing: tuple[Position, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        if self._standing:
            return
        names = tuple(plain_name(name) for name in self.players)
        seats = len(self.game.seats)
        if len(names) not in (0, seats):
            raise BadInput(f"{self.game} has {seats} seats, but {len(names)} players are named")
        standing = [self.game.start(self.begins)]
        ended = False
        for event in self.events:
            _add(standing, event, ended)
            ended = isinstance(event, End)
        object.__setattr__(self, "players", names or ("",) * seats)
        object.__setattr__(self, "_standing", tuple(standing))

    @property
    def position(self) -> Position:
        """Where the game stands after the last event."""
        return self._standing[-1]

    @property
    def ended(self) -> bool:
        """Whether the game was ended early."""
        return self.events[-1:] == (End(),)

    def then(self, event: Event) -> "Record":
        """The record with one more event; raises BadInput if it cannot follow."""
        standing = list(self._standing)
        _add(standing, event, self.ended)
        return replace(self, events=(*self.events, event), _standing=tuple(standing))

    def __str__(self) -> str:
        return "\n".join([*self.header(), "", *self._lines(), ""])

    def unmarked(self) -> str:
        """The same without what was chosen: earlier versions did not tell it."""
        return str(replace(self, chosen=frozenset()))

    def header(self) -> Iterator[str]:
        """The lines above the first event."""
        table = self.game
        yield TITLE
        yield f"sheet: {table.sheet.id}"
        chosen = table.rules_text.split("+")[1:]
        if chosen:
            yield f"options: {', '.join(chosen)}"
        yield f"date: {self.date.isoformat()}"
        for seat, name in zip(table.seats, self.players, strict=True):
            yield f"{table.colours[seat]}: {name}".rstrip()
        if self.begins is not None:
            yield f"begins: {self.begins}"

    def _lines(self) -> Iterator[str]:
        standing = [self.game.start(self.begins)]
        for number, event in enumerate(self.events):
            yield event_text(standing[-1], event, chosen=number in self.chosen)
            _add(standing, event, ended=False)


def _add(standing: list[Position], event: Event, ended: bool) -> None:
    """An event follows the positions that stand, the last of them the one to go on from.

    Raises BadInput if it cannot; nothing has changed then.
    """
    here = standing[-1]
    if ended:
        raise BadInput("nothing can follow the end of the game")
    if isinstance(event, Seat):
        check_seat(event.colour, event.level, [here.game.colours[s] for s in here.game.seats])
    if isinstance(event, End | Seat):
        return
    if isinstance(event, TakeBack):
        if len(standing) == 1:
            raise BadInput("there is nothing to take back")
        standing.pop()
    elif isinstance(event, Ruling):
        if event.position.game is not here.game:
            raise BadInput(f"a ruling for {event.position.game} cannot be made in {here.game}")
        standing.append(event.position)
    else:
        standing.append(play(here, event))


# -- from a history --------------------------------------------------------------------------


def from_history(history: History, date: Date) -> Record:
    """The record of a game as it went; nothing is played again.

    A record tells moves and what was decided; the rolls are in the moves.
    """
    table = history.game
    players = tuple(plain_name(history.names.get(table.colours[seat], "")) for seat in table.seats)
    entries = (deed.entry for deed in history.deeds)
    events = tuple(one for one in entries if not isinstance(one, Roll | Unroll))
    told = (deed for deed in history.deeds if not isinstance(deed.entry, Roll | Unroll))
    chosen = frozenset(n for n, deed in enumerate(told) if deed.chosen and deed.move is not None)
    standing = (table.start(), *(deed.after for deed in history.past))
    return Record(table, date, players, events=events, chosen=chosen, _standing=standing)


# -- writing -------------------------------------------------------------------------------


def event_text(here: Position, event: Event, *, chosen: bool = False) -> str:
    """One line for an event that happens in a position, with what it brings about."""
    if isinstance(event, End | TakeBack | Ruling | Seat):
        return _decision(event)
    return _move_line(here, event, here.game.outcome(here, event).happenings, chosen)


def deed_text(deed: Deed) -> str | None:
    """The same line for what a history holds, without playing it again; a roll has none."""
    entry = deed.entry
    if isinstance(entry, Roll | Unroll):
        return None
    if isinstance(entry, End | TakeBack | Ruling | Seat):
        return _decision(entry)
    return _move_line(deed.position, entry, deed.happenings, deed.chosen)


def _decision(event: End | TakeBack | Ruling | Seat) -> str:
    if isinstance(event, Seat):
        return f"seat {event.colour} {event.level or PERSON}"
    if isinstance(event, Ruling):
        return f"ruling {str(event.position).partition(' | ')[2]}"
    return "end" if isinstance(event, End) else "take back"


def _move_line(here: Position, move: AnyMove, told: Iterable[Happening], chosen: bool) -> str:
    remarks = [*([CHOSEN] if chosen else []), *(_remark(here, one) for one in told)]
    return here.game.move_text(move) + (f" ; {', '.join(remarks)}" if remarks else "")


def _remark(here: Position, told: Happening) -> str:
    words = [told.what.replace("_", " ")]
    if told.seat != here.seat or told.what in ("begins", "tied"):
        words.append(here.game.colours[told.seat])
    return " ".join([*words, *told.places, f"({told.clause})"])


# -- reading -------------------------------------------------------------------------------


def record(text: str) -> Record:
    """Read a record; the opposite of `str(record)`. Raises BadInput, which names the line."""
    header: dict[str, str] = {}
    lines: dict[str, int] = {}
    found: Record | None = None
    events: list[Event] = []
    chosen: set[int] = set()
    standing: list[Position] = []
    titled = False
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        try:
            if len(line) > LONGEST_LINE:
                raise BadInput(f"{line[:40]!r}... is too long: {LONGEST_LINE} letters at most")
            if not line.strip() or line.lstrip().startswith(";"):
                continue
            if not titled:
                titled = _read_title(line)
            elif ":" in line.partition(";")[0]:
                lines[_read_header(line, header, begun=found is not None)] = number
            else:
                if found is None:
                    found = _at_its_line(header, lines)
                    standing = list(found._standing)
                told, _, remarks = line.partition(";")
                event = read_event(found.game, told)
                _add(standing, event, ended=events[-1:] == [End()])
                if isinstance(event, AnyMove) and CHOSEN in map(str.strip, remarks.split(",")):
                    chosen.add(len(events))
                events.append(event)
        except (BadHeader, BadLine):
            raise
        except BadInput as error:
            raise BadLine(number, error) from None
    if not titled:
        raise BadInput(f"there is no record: it begins with the line {TITLE!r}")
    if found is None:
        return _at_its_line(header, lines)
    return replace(found, events=tuple(events), chosen=frozenset(chosen), _standing=tuple(standing))


def _read_title(line: str) -> bool:
    if line.strip() != TITLE:
        raise BadInput(f"cannot read {line.strip()!r}: a record begins with {TITLE!r}")
    return True


def _read_header(line: str, header: dict[str, str], begun: bool) -> str:
    """Read a line of the header; its key."""
    key, value = (part.strip() for part in line.split(":", 1))
    if begun:
        raise BadInput(f"{line.strip()!r} belongs above the first event")
    if key in header:
        raise BadInput(f"{key!r} stands twice in the header")
    if "sheet" not in header and key != "sheet":
        raise BadInput(f"cannot read {line.strip()!r}: the header begins with 'sheet: NAME'")
    chosen = sheet(header.get("sheet", value))
    keys = ["sheet", "options", "date", *chosen.board.colours, "begins"]
    if key not in keys:
        raise BadInput(f"unknown header {key!r}: choose from {', '.join(keys)}")
    header[key] = value
    return key


def _at_its_line(header: Mapping[str, str], lines: Mapping[str, int]) -> Record:
    """What a header says; what is wrong in it is wrong in its line, if that is there."""
    try:
        return _from_header(header)
    except BadHeader as error:
        if error.key not in lines:
            raise
        raise BadLine(lines[error.key], error) from None


def _from_header(header: Mapping[str, str]) -> Record:
    if "sheet" not in header:
        why = BadInput("the header has no sheet: write, for instance, 'sheet: german'")
        raise BadHeader("sheet", why)
    chosen = sheet(header["sheet"])
    options = [word.strip() for word in header.get("options", "").split(",") if word.strip()]
    colours = [colour for colour in chosen.board.colours if colour in header]
    lacking = ", ".join(colour for colour in chosen.board.colours if colour not in header)
    with _wrong_in("options"):
        all_options(chosen, options)
    with _wrong_in(lacking):
        table = recall_game(" ".join(["+".join([chosen.id, *options]), ",".join(colours)]))
    names = tuple(header.get(table.colours[seat], "") for seat in table.seats)
    with _wrong_in("date"):
        date = _read_date(header.get("date", ""))
    with _wrong_in("begins"):
        return Record(table, date, names, header.get("begins"))


@contextmanager
def _wrong_in(key: str) -> Iterator[None]:
    """What is wrong meanwhile is wrong in this part of the header, or that is lacking."""
    try:
        yield
    except BadInput as error:
        raise BadHeader(key, error) from None


def _read_date(text: str) -> Date:
    try:
        return Date.fromisoformat(text)
    except ValueError:
        raise BadInput(f"{text!r} is not a date: write, for instance, 2025-11-16") from None


def read_event(table: Game, text: str) -> Event:
    """Read one event's line; raises BadInput."""
    word, _, rest = text.strip().partition(" ")
    if text.split() == ["take", "back"]:
        return TakeBack()
    if text.split() == ["end"]:
        return End()
    if word == "ruling":
        return Ruling(table.position(rest, kept=True))
    if word == "seat":
        return _read_seat(text)
    if word not in table.colours:
        raise BadInput(
            f"cannot read {text.strip()!r}: a line is a move such as "
            f"'{table.colours[table.seats[0]]} 4 -', or 'take back', 'ruling POSITION', "
            "'seat COLOUR PLAYER', 'end'"
        )
    return table.move(text)


def _read_seat(text: str) -> Seat:
    _, *told = text.split()
    if len(told) != 2 or told[1] not in (PERSON, *LEVELS):
        players = ", ".join((PERSON, *LEVELS))
        raise BadInput(f"cannot read {text.strip()!r}: a seat has a colour and one of {players}")
    return Seat(told[0], None if told[1] == PERSON else told[1])

"""The box's menus: what is chosen before a game, and what can be done during one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.referee.effects import Line, Notice
from companion.rules import SHEETS, BadInput, Game, game
from companion.rules.family import HouseRules
from companion.rules.levels import LEVELS, check_seat

PERSON = "person"

MENUS = ("settings", "statistics", "new_game", "players", "phones", "codes", "phone", "sensors")
"""Lines that open another menu."""


@dataclass(frozen=True)
class Choice:
    """What the next game will be; the last choice is the default."""

    sheet: str = "german"
    options: dict[str, bool | int] = field(default_factory=dict)
    playing: tuple[str, ...] | None = None
    names: dict[str, str] = field(default_factory=dict)
    box: dict[str, str] = field(default_factory=dict)
    """By colour, the level at which the box plays there."""
    own: tuple[HouseRules, ...] = ()
    """The family's own sheets, which stand beside the printed ones."""

    def __post_init__(self) -> None:
        """A journal's note has the family's sheets as lists."""
        own = tuple(HouseRules(n, base, tuple(rules)) for n, base, rules, *_ in self.own)
        object.__setattr__(self, "own", own)

    def game(self) -> Game:
        """The game chosen; raises BadInput if it cannot be played like that."""
        return game(self.sheet, self.options, self.playing)

    def check_box(self) -> None:
        """Raises BadInput if this cannot be played so, or the box cannot take these seats."""
        game = self.game()
        seats = [game.colours[seat] for seat in game.seats]
        for colour, level in self.box.items():
            check_seat(colour, level, seats)

    @property
    def taken(self) -> dict[str, str]:
        """The seats of this game that the box takes."""
        return {c: level for c, level in self.box.items() if c in (self.playing or self.colours)}

    def fault(self) -> Notice | None:
        """What to say about why this cannot be played; None if it can."""
        if self.playing is not None and len(self.playing) < 2:
            return Notice("too_few_players")
        try:
            self.game()
        except BadInput:
            return Notice("cannot_play_so")
        return None

    @property
    def colours(self) -> tuple[str, ...]:
        return SHEETS[self.sheet].board.colours

    def with_sheet(self, sheet: str) -> "Choice":
        """Another sheet, with its own options and as many of the colours as it has."""
        colours = SHEETS[sheet].board.colours
        taken = self.playing if self.playing and len(self.playing) < len(self.colours) else colours
        playing = tuple(colour for colour in colours if colour in taken)
        seats = playing if len(playing) >= 2 else colours
        return Choice(sheet, {}, seats, self.names, self.box, self.own)

    @property
    def called(self) -> HouseRules | None:
        """The family's own sheet that is chosen; None if it is a printed one."""
        chosen = {name: value for name, value in self.options.items() if self._differs(name, value)}
        return next(
            (one for one in self.own if one.base == self.sheet and one.options == chosen), None
        )

    def _differs(self, name: str, value: bool | int) -> bool:
        """Whether an option is not as the printed sheet has it."""
        options = SHEETS[self.sheet].options
        return value != next((one.default for one in options if one.name == name), False)

    def with_own_sheets(self, own: tuple[HouseRules, ...]) -> "Choice":
        """Other sheets of the family's own; one that is gone is not chosen any more."""
        gone = self.called is not None and self.called not in own
        return replace(self.with_sheet(self.sheet) if gone else self, own=own)

    def next_sheet(self) -> "Choice":
        """The sheet after this one: the printed ones, then the family's own."""
        every = (*SHEETS, *self.own)
        found = following(every, self.called or self.sheet)
        if not isinstance(found, HouseRules):
            return self.with_sheet(found)
        chosen = replace(self.with_sheet(found.base), options=found.options)
        return chosen if found.seats is None else replace(chosen, playing=tuple(found.seats))

    def lines(self) -> list[Line]:
        """The menu's lines for sheet, options and colours; a family's sheet has no options."""
        called = self.called
        found = [Line("own_sheet", called.name) if called else Line("sheet", self.sheet)]
        for option in () if called else SHEETS[self.sheet].options:
            value = self.options.get(option.name, option.default)
            found.append(Line(f"option:{option.name}", text_of(value)))
        found += [Line(f"seat:{colour}", self._sits(colour)) for colour in self.colours]
        return found

    def _sits(self, colour: str) -> str:
        """Who plays a colour: a person (on), nobody (off), or a player of the box."""
        if colour not in (self.playing or self.colours):
            return "off"
        return self.box.get(colour, "on")

    def turned(self, key: str) -> "Choice":
        """The choice after OK on one of its lines: the next value."""
        kind, _, name = key.partition(":")
        if kind in ("sheet", "own_sheet"):
            return self.next_sheet()
        if kind == "option":
            option = next(o for o in SHEETS[self.sheet].options if o.name == name)
            value = self.options.get(name, option.default)
            return replace(self, options={**self.options, name: following(option.allowed, value)})
        taken, sits = set(self.playing or self.colours), self._sits(name)
        after = following(("on", "off", *LEVELS), sits)
        taken = taken - {name} if after == "off" else taken | {name}
        box = {colour: level for colour, level in self.box.items() if colour != name}
        if after in LEVELS:
            box[name] = after
        return replace(self, playing=tuple(c for c in self.colours if c in taken), box=box)


def lines_between_games(
    choice: Choice,
    language: Line,
    *,
    played: bool,
    undo: bool,
    call: bool = False,
    bench: bool = False,
) -> tuple[Line, ...]:
    """The menu while nobody plays: the next game, what can be said of the last, and for whoever
    builds or mends the table its bench."""
    found = [Line("start"), *choice.lines(), language, Line("settings")]
    if played:
        found.append(Line("statistics"))
    if undo:
        found.append(Line("take_back"))
    if call:
        found.append(Line("call"))
    if bench:
        found.append(Line("bench"))
    return (*found, Line("shut_down"), Line("back"))


def lines_in_game(
    *,
    undo: bool,
    rule: bool,
    advise: bool,
    sensors: bool,
    call: bool = False,
    phones: bool = False,
    paused: bool = False,
) -> tuple[Line, ...]:
    """The menu during a game; one that is paused goes on where others are paused."""
    found = [Line("back")]
    if rule:
        found.append(Line("ruling"))
    if undo:
        found.append(Line("take_back"))
    if advise:
        found.append(Line("advise"))
    if sensors:
        found.append(Line("sensors"))
    if call:
        found.append(Line("call"))
    if phones:
        found.append(Line("codes"))
    found += [Line("players"), Line("statistics"), Line("settings")]
    found.append(Line("resume") if paused else Line("pause"))
    return (*found, Line("new_game"), Line("end_game"), Line("shut_down"))


def lines_of_sensors(doubtful: Iterable[str], aside: Iterable[str]) -> tuple[Line, ...]:
    """Those that are `doubtful` may be set aside, those that are can be used again."""
    found = [Line(f"set_aside:{place}", place) for place in doubtful]
    return (*found, *(Line(f"use_again:{place}", place) for place in aside), Line("back"))


def lines_of_players(seats: Iterable[str], box: Mapping[str, str]) -> tuple[Line, ...]:
    """Who plays at each seat of the game under way."""
    return (*(Line(f"player:{one}", box.get(one, PERSON)) for one in seats), Line("back"))


def following(values: tuple[Any, ...], value: Any) -> Any:
    """The value after this one, round and round."""
    return values[(values.index(value) + 1) % len(values)]


def text_of(value: object) -> str:
    """A value as a menu shows it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)

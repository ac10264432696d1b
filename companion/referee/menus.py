"""The box's menus: what is chosen before a game, and what can be done during one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.referee.effects import Line, Notice
from companion.rules import SHEETS, BadInput, Game, game
from companion.rules.levels import LEVELS, check_seat

PERSON = "person"

MENUS = ("settings", "statistics", "new_game", "players", "phones", "codes", "phone")
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
        seated = playing if len(playing) >= 2 else colours
        return Choice(sheet, {}, seated, self.names, self.box)

    def lines(self) -> list[Line]:
        """The menu's lines for sheet, options and colours."""
        found = [Line("sheet", self.sheet)]
        for option in SHEETS[self.sheet].options:
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
        if kind == "sheet":
            return self.with_sheet(following(tuple(SHEETS), self.sheet))
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
    doubtful: Iterable[str],
    aside: Iterable[str],
    call: bool = False,
    phones: bool = False,
) -> tuple[Line, ...]:
    """The menu during a game; `doubtful` sensors may be set aside, those `aside` used again."""
    found = [Line("back")]
    if rule:
        found.append(Line("ruling"))
    if advise:
        found.append(Line("advise"))
    if undo:
        found.append(Line("take_back"))
    found += [Line(f"set_aside:{place}", place) for place in doubtful]
    found += [Line(f"use_again:{place}", place) for place in aside]
    if call:
        found.append(Line("call"))
    if phones:
        found.append(Line("codes"))
    found += [Line("players"), Line("statistics"), Line("settings"), Line("pause")]
    return (*found, Line("new_game"), Line("end_game"), Line("shut_down"))


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

"""The sheets by name, and the way to a game: sheet, options, colours."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any
from weakref import WeakValueDictionary

from companion.rules import british, cards, dutch, german, indian, pairs, parchis
from companion.rules.articles import Option, Sheet
from companion.rules.errors import BadInput, known
from companion.rules.game import Game
from companion.rules.house import (
    SWITCHES,
    contradictions,
    sentence,
    switches_in,
    with_switches,
)
from companion.rules.moves import AnyMove
from companion.rules.positions import Position

SHEETS: dict[str, Sheet] = {
    module.SHEET.id: module.SHEET
    for module in (german, cards, british, dutch, pairs, indian, parchis)
}


def sheet(name: str) -> Sheet:
    """A sheet by its id; raises BadInput with the ids there are."""
    return SHEETS[known("sheet", name, SHEETS)]


def game(
    name: str,
    options: Mapping[str, bool | int] | Iterable[str] = (),
    colours: Iterable[str] | None = None,
) -> Game:
    """The game for a sheet, its options (a mapping, or `["barriers", "pieces=2"]`) and colours.

    Raises BadInput for what cannot be begun today; `recall_game` also reads older games.
    """
    return _game(*_checked(name, options, colours))


def rule_words(
    name: str, options: Iterable[str] = (), colours: Iterable[str] | None = None
) -> tuple[str, ...]:
    """What a game has that its sheet alone has not, as words in one order: `("pieces=2",)`.

    No game is made for it. Raises BadInput as `game` does.
    """
    chosen, (_, values, _) = sheet(name), _checked(name, options, colours)
    default = {option.name: option.default for option in chosen.options}
    return tuple(
        word if value is True else f"{word}={_text(value)}"
        for word, value in values
        if value != default.get(word)
    )


def all_options(chosen: Sheet, given: Iterable[str]) -> dict[str, bool | int]:
    """Every option of a sheet with its value, and the switches; contradictions are not looked at.

    Raises BadInput for what is no option.
    """
    return dict(_options(chosen, given))


def _checked(
    name: str, options: Mapping[str, bool | int] | Iterable[str], colours: Iterable[str] | None
) -> "_Key":
    chosen = sheet(name)
    key = name, _options(chosen, options), _colours(chosen, colours)
    found = contradictions(chosen, dict(key[1]))
    if found:
        raise BadInput(f"{name} cannot be played like that: {sentence(found)}")
    if chosen.check_colours is not None:
        chosen.check_colours(dict(key[1]), key[2])
    return key


_Key = tuple[str, tuple[tuple[str, bool | int], ...], tuple[str, ...]]
_GAMES: WeakValueDictionary[_Key, Game] = WeakValueDictionary()
"""Every game that somebody still plays: there is only one of each, and it goes when they go."""


@lru_cache(2)  # what is played, and what is asked about besides; another is soon made
def _game(name: str, options: tuple[tuple[str, bool | int], ...], colours: tuple[str, ...]) -> Game:
    key = name, options, colours
    found = _GAMES.get(key)
    if found is None:
        chosen = SHEETS[name]
        switches = switches_in(dict(options), chosen)
        if switches:
            chosen = with_switches(chosen, switches)
        found = _GAMES[key] = chosen.build(chosen, dict(options), colours)
    return found


def _options(
    chosen: Sheet, given: Mapping[str, Any] | Iterable[str]
) -> tuple[tuple[str, bool | int], ...]:
    if isinstance(given, str):
        raise BadInput(f"options are a list: write {given.split('+')!r}, not {given!r}")
    if not isinstance(given, Mapping):
        given = {name: value for name, _, value in (word.partition("=") for word in given)}
    values: dict[str, bool | int] = {option.name: option.default for option in chosen.options}
    switches: dict[str, bool | int] = {}
    for name, value in given.items():
        if name in values:
            option = next(one for one in chosen.options if one.name == name)
            values[name] = _value(option, value)
        elif name in SWITCHES:
            switches[name] = _value(SWITCHES[name].option, value)
        elif not chosen.options:
            own = f"the sheet {chosen.id} has no options; switches are {', '.join(SWITCHES)}"
            raise BadInput(f"unknown option {name!r}: {own}")
        else:
            known(f"option of {chosen.id}", name, dict.fromkeys([*values, *SWITCHES]))
    # In one order, and without what changes nothing, so that there is one game of each kind.
    return (
        *values.items(),
        *(
            (name, switches[name])
            for name, switch in SWITCHES.items()
            if switches.get(name, switch.option.default) != switch.option.default
        ),
    )


def _value(option: Option, given: Any) -> bool | int:
    """An option's value, from Python or from text."""
    texts = {_text(value): value for value in option.allowed}
    text = _text(given) if not isinstance(given, str) else given or "on"
    if text not in texts:
        choices = ", ".join(texts)
        raise BadInput(f"option {option.name} cannot be {given!r}: choose from {choices}")
    return texts[text]


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _colours(chosen: Sheet, given: Iterable[str] | None) -> tuple[str, ...]:
    there = chosen.board.colours
    if isinstance(given, str):
        raise BadInput(f"colours are a list: write {given.split(',')!r}, not {given!r}")
    colours = list(there if given is None else given)
    for colour in colours:
        known("colour", colour, there)
        if colours.count(colour) > 1:
            raise BadInput(f"{colour} has two players: every colour has one")
    if not 2 <= len(colours) <= 4:
        raise BadInput(f"{len(colours)} players cannot play {chosen.id}: it takes 2 to 4")
    return tuple(colour for colour in there if colour in colours)


def game_from_text(text: str) -> Game:
    """Read `german+barriers yellow,red`, the first part of a position's text."""
    return game(*_read_game(text))


def recall_game(text: str) -> Game:
    """Read the game of an old journal or record, also one that could not be begun today."""
    name, options, colours = _read_game(text)
    chosen = sheet(name)
    return _game(name, _options(chosen, options), _colours(chosen, colours))


def _read_game(text: str) -> tuple[str, list[str], list[str] | None]:
    words = text.split()
    if not words or len(words) > 2:
        raise BadInput(f"cannot read {text!r} as a game: write SHEET+OPTION+... COLOUR,COLOUR")
    name, *options = words[0].split("+")
    return name, options, words[1].split(",") if len(words) == 2 else None


def position(text: str) -> Position:
    """Read a position's text form; the opposite of `str(position)`. Raises BadInput."""
    header, _, rest = text.partition("|")
    return game_from_text(header).position(rest)


def recall_position(text: str) -> Position:
    """Read a position that was kept, also one that only a house ruling led to."""
    header, _, rest = text.partition("|")
    return recall_game(header).position(rest, kept=True)


def move(text: str) -> AnyMove:
    """Read a move behind its game: `german yellow,red | yellow 4 1>5`; the opposite of `repr`."""
    header, bar, rest = text.partition("|")
    if not bar:
        raise BadInput(f"cannot read {text!r} as a move: write SHEET COLOUR,COLOUR | COLOUR ...")
    return recall_game(header).move(rest)

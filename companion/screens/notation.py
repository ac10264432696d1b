"""Moves in short notation that matches what is printed on the board: `12→18`, `enter`, `↯`."""

from collections.abc import Mapping
from gettext import NullTranslations

from companion.referee import Step, View
from companion.rules import AnyMove, Game, Lay, Move, Position, outcome
from companion.rules.boards import BASE
from companion.rules.places import is_apart, is_base, is_of, part_of
from companion.screens import phrases
from companion.screens.labels import WORDS, capital, names_of, word
from companion.screens.phrases import ENGLISH
from companion.screens.shapes import sign, sign_of

ARROW = "→"
CAPTURE = "↯"
"""No cross: that is the sign of a colour."""


def move(position: Position, played: AnyMove, words: NullTranslations = ENGLISH) -> str:
    """A move in a few letters; `↯` marks a capture, `!` one that costs an own piece."""
    return f"{_moved(position, played, words)}{_mark(position, played)}"


def _moved(position: Position, played: AnyMove, words: NullTranslations) -> str:
    if isinstance(played, Lay):
        if played.first:
            return word("new_stack", words, stack=played.stacks[0])
        return _sum(played)
    game = position.game
    if not isinstance(played, Move):
        return word("pass", words)
    whose = "" if played.seat == position.seat else f"{sign(game.colours[played.seat])} "
    return f"{whose}{_way(game, played, words)}"


def _way(game: Game, played: Move, words: NullTranslations) -> str:
    if played.origin == BASE:
        return word("enter", words)
    origin, target = (own_spot(name, words) for name in game.stops(played))
    return f"{'2× ' if played.size == 2 else ''}{origin}{ARROW}{target}"


def _sum(lay: Lay) -> str:
    """Cards added: `1+1+3`, or `+2` for a single one."""
    return "+".join(map(str, lay.stacks)) if len(lay.stacks) > 1 else f"+{lay.stacks[0]}"


def played(
    game: Game,
    done: AnyMove,
    words: NullTranslations = ENGLISH,
    names: Mapping[str, str] | None = None,
) -> str:
    """A move that was made, with who made it by name or colour: `Red 12→18`."""
    return f"{_who(game, done, words, names)} {_done(game, done, words)}"


def _who(
    game: Game, done: AnyMove, words: NullTranslations, names: Mapping[str, str] | None
) -> str:
    colour = game.colours[done.seat]
    return (names or {}).get(colour) or capital(phrases.colour(colour, words))


def _done(game: Game, done: AnyMove, words: NullTranslations) -> str:
    if isinstance(done, Lay):
        return _sum(done)
    return _way(game, done, words) if isinstance(done, Move) else word("pass", words)


def otherwise(view: View, words: NullTranslations = ENGLISH) -> str:
    """What no means to a question with a single answer; empty where there are others."""
    game = view.position.game if view.position is not None else None
    if view.title == "have_moved":
        return words.gettext(phrases.of(game, WORDS["or_no"]))
    if view.title != "let_it_stand" or view.wish is None or game is None:
        return ""
    name = _who(game, view.wish, words, names_of(view, words))
    return word("instead", words, name=name, move=_done(game, view.wish, words))


def _mark(position: Position, played: AnyMove) -> str:
    told = {happening.what for happening in outcome(position, played).happenings}
    if told & {"sent_back", "penalty"}:
        return " !"
    return f" {CAPTURE}" if told & {"captured", "beaten"} else ""


def own_spot(name: str, words: NullTranslations = ENGLISH) -> str:
    """A place where it is clear whose it is: `12`, `b`, `■3`, `home`."""
    if is_apart(name):
        return word("base" if is_base(name) else "home", words)
    spot = part_of(name)
    return f"{sign_of(name)}{spot}" if spot.isdecimal() else spot  # a bare 3 would be square 3


def spot(name: str, words: NullTranslations = ENGLISH) -> str:
    """A place with the sign of its owner: `12`, `✚b`, `■ base`."""
    own = own_spot(name, words)
    if own.startswith(sign_of(name)):
        return own
    return f"{sign_of(name)} {own}" if is_apart(name) else f"{sign_of(name)}{own}"


def step(todo: Step, words: NullTranslations = ENGLISH) -> str:
    """What a hand has to do, with the sign of the colour: `■ 18→12`, `■ base→9`, `7 off`."""
    done = hop(todo, words)
    return done if todo.colour is None else f"{sign(todo.colour)} {done}"


def hop(todo: Step, words: NullTranslations = ENGLISH) -> str:
    """The same beside the name of its colour: `18→12`, `base→9`, `14 on` or `7 off`."""
    origin, target = ends(todo, words)
    if todo.origin is None:
        return word("put", words, spot=target)
    if todo.target is None:
        return word("off", words, spot=origin)
    return f"{origin}{ARROW}{target}"


def ends(todo: Step, words: NullTranslations = ENGLISH) -> tuple[str, str]:
    """Where a step begins and where it ends; empty is off the board."""
    origin, target, colour = todo
    return _of_colour(origin, colour, words), _of_colour(target, colour, words)


def _of_colour(name: str | None, colour: str | None, words: NullTranslations) -> str:
    """A place beside a colour: only another's has a sign."""
    if name is None:
        return ""
    if colour is None:
        return spot(name, words)
    return own_spot(name, words) if is_of(name, colour) else spot(name, words)

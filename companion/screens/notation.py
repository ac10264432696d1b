"""Moves in short notation that matches what is printed on the board: `12>18`, `enter`, `x`."""

from gettext import NullTranslations

from companion.referee import Step
from companion.rules import AnyMove, Game, Lay, Move, Position, outcome
from companion.rules.boardgame import BoardGame
from companion.rules.boards import BASE, letter
from companion.screens.labels import word
from companion.screens.phrases import ENGLISH


def move(position: Position, played: AnyMove, words: NullTranslations = ENGLISH) -> str:
    """A move in a few letters; `x` marks a capture, `!` one that costs an own piece."""
    return f"{_moved(position, played, words)}{_mark(position, played)}"


def _moved(position: Position, played: AnyMove, words: NullTranslations) -> str:
    if isinstance(played, Lay):
        if played.first:
            return word("new_stack", words, stack=played.stacks[0])
        return _sum(played)
    game = position.game
    if not isinstance(played, Move) or not isinstance(game, BoardGame):
        return word("pass", words)
    whose = "" if played.seat == position.seat else f"{letter(game.colours[played.seat])} "
    if played.origin == BASE:
        return f"{whose}{word('enter', words)}"
    origin, target = (own_spot(name, words) for name in game.stops(played))
    return f"{whose}{'2× ' if played.size == 2 else ''}{origin}>{target}"


def _sum(lay: Lay) -> str:
    """Cards added: `1+1+3`, or `+2` for a single one."""
    return "+".join(map(str, lay.stacks)) if len(lay.stacks) > 1 else f"+{lay.stacks[0]}"


def played(game: Game, done: AnyMove, words: NullTranslations = ENGLISH) -> str:
    """A move that was made, with the letter of the seat that made it: `R 12>18`."""
    whose = letter(game.colours[done.seat])
    if isinstance(done, Lay):
        return f"{whose} {_sum(done)}"
    if not isinstance(done, Move) or not isinstance(game, BoardGame):
        return f"{whose} {word('pass', words)}"
    origin, target = (own_spot(name, words) for name in game.stops(done))
    if done.origin == BASE:
        return f"{whose} {word('enter', words)}"
    return f"{whose} {'2× ' if done.size == 2 else ''}{origin}>{target}"


def _mark(position: Position, played: AnyMove) -> str:
    told = {happening.what for happening in outcome(position, played).happenings}
    if told & {"sent_back", "penalty"}:
        return " !"
    return " x" if told & {"captured", "beaten"} else ""


def own_spot(name: str, words: NullTranslations = ENGLISH) -> str:
    """A place where it is clear whose it is: `12`, `b`, `R.3`, `home`."""
    spot = name.partition(".")[2] or name
    if spot[0] in "BH":
        return word("base" if spot[0] == "B" else "home", words)
    return name if spot.isdecimal() else spot  # a bare 3 would be square 3


def spot(name: str, words: NullTranslations = ENGLISH) -> str:
    """A place with the letter of its owner: `12`, `Y.b`, `R base`."""
    return f"{name[0]} {own_spot(name, words)}" if _is_apart(name) else name


def step(todo: Step, words: NullTranslations = ENGLISH) -> str:
    """What a hand has to do: `18>12`, `14 on` or `7 off`."""
    if todo.origin is None:
        return word("put", words, spot=spot(todo.target or "", words))
    if todo.target is None:
        return word("off", words, spot=spot(todo.origin, words))
    if _is_apart(todo.origin) and _is_apart(todo.target):  # in words that would be too long
        return f"{todo.origin}>{todo.target}"
    return f"{spot(todo.origin, words)}>{spot(todo.target, words)}"


def _is_apart(name: str) -> bool:
    """Whether a place is a base or a home."""
    return name.partition(".")[2][:1] in ("B", "H")

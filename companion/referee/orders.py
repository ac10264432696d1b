"""Orders: what a menu, a page or the command line asks of the referee by name, checked."""

from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from typing import Any

from companion.rules import BadInput

ANY_TIME = (
    *("new_game", "start", "set", "sense_by", "menu", "back", "shut_down", "roll"),
    *("offer_game", "call", "house"),
)
"""The orders that make sense while there is no game."""


def check(name: str, act: Callable[..., None], args: Mapping[str, Any]) -> None:
    """Whether an order takes these arguments; the words among them have to be words."""
    wanted = signature(act)
    try:
        given = wanted.bind(**args).arguments
    except TypeError as error:
        raise BadInput(f"command {name!r} does not take {dict(args)}: {error}") from None
    for key, value in given.items():
        kind = wanted.parameters[key].annotation
        if kind in (str, str | None) and not isinstance(value, kind):
            raise BadInput(f"command {name!r} wants a word for {key}, not {value!r}")


def names_and_values(what: str, given: object) -> dict[str, Any]:
    """A mapping from words; None is an empty one. Raises BadInput."""
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise BadInput(f"{what} are names and values, not {given!r}")
    return dict(given)


def words(what: str, given: object) -> tuple[str, ...]:
    """A list of words; raises BadInput."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise BadInput(f"{what} are a list of words, not {given!r}")
    found = tuple(given)
    if not all(isinstance(word, str) for word in found):
        raise BadInput(f"{what} are words, not {found!r}")
    return found

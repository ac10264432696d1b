"""The options that several commands share: which sheet, which of its options, who sits where."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from companion.rules import Game, game

F = TypeVar("F", bound=Callable[..., Any])


def table_options(command: F) -> F:
    """Add `--option` and `--seats` to a command."""
    command = click.option(
        "--option",
        "options",
        multiple=True,
        metavar="NAME[=VALUE]",
        help="Switch on an option of the sheet; may be given again.",
    )(command)
    return click.option(
        "--seats", metavar="COLOUR,COLOUR", help="Who plays; everybody if not given."
    )(command)


def chosen_game(name: str, options: Sequence[str], seats: str | None) -> Game:
    """The game that the command line asks for; raises BadInput."""
    taken = None if seats is None else [word.strip() for word in seats.split(",")]
    return game(name, options, taken)

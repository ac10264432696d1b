"""The option that commands on past games share: which journal they read."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

if TYPE_CHECKING:
    import sqlite3

F = TypeVar("F", bound=Callable[..., Any])


def journal_option(command: F) -> F:
    """Add `--journal` to a command."""
    return click.option(
        "--journal", type=click.Path(path_type=Path), help="The file in which games are kept."
    )(command)


def journal_file(given: Path | None) -> Path:
    """The journal that was named, or the table's own."""
    from companion.journal import existing_journal

    return given or existing_journal()


def game_option(command: F) -> F:
    """Add the number of a game to a command; one from elsewhere has an `i` before it."""
    return click.argument("number", required=False, callback=_checked)(command)


def _checked(_context: object, _parameter: object, number: str | None) -> str | None:
    if number is not None and not is_game_number(number):
        raise click.BadParameter(f"{number!r} is no number of a game: `companion games` lists them")
    return number


def is_game_number(text: str) -> bool:
    """Whether a game can be called like this: `12`, or `i3` for one from elsewhere.

    Nobody has played more games than a hundred digits count.
    """
    return bool(re.fullmatch("i?[0-9]{1,100}", text))


class Asked(NamedTuple):
    """The journal in which the game that was asked for is, and what it is called there.

    Without a number it is the latest; a game from elsewhere has a mark before its number.
    """

    file: Path | None
    number: int | None = None
    mark: str = ""


def where(number: str | None, given: Path | None) -> Asked:
    """Where to look for the game that was asked for."""
    from companion.archive import IMPORTED, MARK, no_game

    if number is None:
        return Asked(given)
    if not number.startswith(MARK):
        return Asked(given, int(number))
    asked = int(number.removeprefix(MARK))
    file = journal_file(given).with_name(IMPORTED)
    try:
        there = file.exists()
    except OSError:
        there = True  # who opens it says what is wrong
    if not there:
        raise click.ClickException(str(no_game(asked, MARK)))
    return Asked(file, asked, MARK)


def mention_damage(given: Path | None) -> None:
    """Say where games may be that lay in a damaged file, or in one that another replaced."""
    from companion.archive import set_aside

    for file in set_aside(journal_file(given)):
        click.echo(f"{file} was set aside; games from before may be in it (see --journal).")


@contextmanager
def opened(given: Path | None) -> "Iterator[sqlite3.Connection]":
    """The journal for reading; what is wrong with it is one sentence."""
    from companion.archive import NoGamesError, reading

    try:
        with reading(journal_file(given)) as connection:
            yield connection
    except NoGamesError as fault:
        raise click.ClickException(str(fault)) from None

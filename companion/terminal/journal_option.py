"""The option that commands on past games share: which journal they read."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

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

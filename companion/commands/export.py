"""`companion export`: a past game as a text record that people read and programs replay."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.terminal.journal_option import journal_option, opened
from companion.terminal.printable import why

if TYPE_CHECKING:
    from companion.archive import KeptGame


@click.command()
@click.argument("number", type=click.IntRange(1), required=False)
@journal_option
@click.option("--all", "folder", type=click.Path(path_type=Path), help="Write every game there.")
def export(number: int | None, journal: Path | None, folder: Path | None) -> None:
    """Print the record of game NUMBER (the latest, if not given), or write every game."""
    from companion.archive import BrokenGameError, kept_game, nth, numbers
    from companion.rules import BadInput

    with opened(journal) as connection:
        found = numbers(connection)
        if not found:
            raise click.ClickException("no game has been played yet")
        if folder is None:
            one = found[-1] if number is None else nth(connection, number)
            click.echo(str(kept_game(connection, one).record), nl=False)
            return
        wanted = found if number is None else [nth(connection, number)]
        left_out: dict[int, Exception] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for one in wanted:
                try:
                    write(kept_game(connection, one), folder, found.index(one) + 1)
                except (BrokenGameError, BadInput) as fault:
                    left_out[found.index(one) + 1] = fault
        except OSError as fault:
            raise click.ClickException(f"{folder} cannot be written to: {why(fault)}") from None
    written = len(wanted) - len(left_out)
    click.echo(f"{written} {'game' if written == 1 else 'games'} written to {folder}.")
    for one, broken in left_out.items():
        click.echo(f"Game {one} was left out: {broken}")


def write(game: "KeptGame", folder: Path, place: int) -> None:
    """One file a game; its name sorts by date."""
    name = f"{game.began:%Y-%m-%d}-{place:06}-{game.game.sheet.id}.txt"
    (folder / name).write_text(str(game.record), encoding="utf-8")

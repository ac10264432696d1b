"""`companion export`: a past game as a text record that people read and programs replay."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.terminal.journal_option import game_option, journal_option, opened, where
from companion.terminal.printable import why

if TYPE_CHECKING:
    from companion.archive import KeptGame


@click.command()
@game_option
@journal_option
@click.option("--all", "folder", type=click.Path(path_type=Path), help="Write every game there.")
def export(number: str | None, journal: Path | None, folder: Path | None) -> None:
    """Print the record of game NUMBER (the latest, if not given), or write every game."""
    from companion.archive import BrokenGameError, called, id_of, kept_game, latest_game, numbers
    from companion.rules import BadInput

    file, asked, mark = where(number, journal)
    with opened(file) as connection:
        if folder is None:
            one = latest_game(connection) if asked is None else called(connection, asked, mark)
            click.echo(str(one.record), nl=False)
            return
        found = numbers(connection) if asked is None else {asked: id_of(connection, asked, mark)}
        if not found:
            raise click.ClickException("no game has been played yet")
        left_out: dict[int, Exception] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for each, id in found.items():
                try:
                    write(kept_game(connection, id, each, mark=mark), folder)
                except (BrokenGameError, BadInput) as fault:
                    left_out[each] = fault
        except OSError as fault:
            raise click.ClickException(f"{folder} cannot be written to: {why(fault)}") from None
    written = len(found) - len(left_out)
    click.echo(f"{written} {'game' if written == 1 else 'games'} written to {folder}.")
    for each, broken in left_out.items():
        click.echo(f"Game {mark}{each} was left out: {broken}")


def write(game: "KeptGame", folder: Path) -> None:
    """One file a game; its name sorts by date, and none has that of a game from elsewhere."""
    name = f"{game.began:%Y-%m-%d}-{game.mark}{game.number:06}-{game.game.sheet.id}.txt"
    (folder / name).write_text(str(game.record), encoding="utf-8")

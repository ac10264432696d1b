"""`companion games`: the games that were played, latest first."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.terminal.journal_option import journal_option, mention_damage, opened

if TYPE_CHECKING:
    from companion.archive import KeptGame


@click.command()
@journal_option
@click.option("--all", "everything", is_flag=True, help="Every game, not only the latest 20.")
def games(journal: Path | None, everything: bool) -> None:
    """List the games that were played, latest first."""
    from companion.archive import BrokenGameError, kept_game, numbers

    with opened(journal) as connection:
        found = list(enumerate(numbers(connection), 1))[::-1]
        shown = found if everything else found[:20]
        for place, number in shown:
            try:
                click.echo(line(kept_game(connection, number), place))
            except BrokenGameError as fault:
                click.echo(f"{place:>6}  {fault}")
    if not found:
        click.echo("No game has been played yet.")
    elif len(shown) < len(found):
        click.echo(f"... and {len(found) - len(shown)} more: --all lists them.")
    mention_damage(journal)


def line(game: "KeptGame", place: int) -> str:
    """One game in one line, by its place among all of them."""
    from companion.rules import BadInput

    try:
        names = [
            name if name == colour else f"{name} ({colour})"
            for colour, name in game.players.items()
        ]
    except BadInput as fault:
        return f"{place:>6}  {game.began:%Y-%m-%d %H:%M}  cannot be replayed ({fault})"
    moves = "?"
    try:
        moves, winner = str(game.moves), game.winner
        result = {
            "won": f"{game.players.get(winner or '', winner)} won",
            "ended": "ended early",
            "open": "not finished",
        }[game.state]
    except BadInput as fault:
        result = f"cannot be replayed ({fault})"
    minutes = round(game.seconds / 60)
    return (
        f"{place:>6}  {game.began:%Y-%m-%d %H:%M}  {minutes:>4} min  {moves:>4} moves  "
        f"{str(game.game).partition(' ')[0]:<8}  {', '.join(names)}: {result}"
    )

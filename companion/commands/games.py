"""`companion games`: the games that were played, latest first."""

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.terminal.journal_option import journal_option, mention_damage, opened

if TYPE_CHECKING:
    from companion.archive import KeptGame

LATEST = 20
"""Games that are listed unless all are asked for."""


@click.command()
@journal_option
@click.option(
    "--all", "everything", is_flag=True, help=f"Every game, not only the latest {LATEST}."
)
def games(journal: Path | None, everything: bool) -> None:
    """List the games that were played, latest first."""
    from companion.archive import BrokenGameError, kept_game, latest_games

    with opened(journal) as connection:
        found = list(islice(latest_games(connection), None if everything else LATEST + 1))
        shown = found if everything else found[:LATEST]
        for number, id in shown:
            try:
                click.echo(line(kept_game(connection, id, number)))
            except BrokenGameError as fault:
                click.echo(f"{number:>6}  {fault}")
    if not found:
        click.echo("No game has been played yet.")
    elif len(shown) < len(found):
        click.echo("... and earlier ones: --all lists them.")
    mention_damage(journal)


def line(game: "KeptGame") -> str:
    """One game in one line."""
    from companion.rules import BadInput

    begun = f"{game.number:>6}  {game.began:%Y-%m-%d %H:%M}"
    try:
        players = game.players
    except BadInput as fault:
        return f"{begun}  cannot be replayed ({fault})"
    moves = "?"
    try:
        players |= {colour: name for colour, name in played_by(game).items() if name}
        moves, winner = str(game.moves), game.winner
        result = {
            "won": f"{players.get(winner or '', winner)} won",
            "ended": "ended early",
            "open": "not finished",
        }[game.state]
    except BadInput as fault:
        result = f"cannot be replayed ({fault})"
    names = [
        name if name == one or name.endswith(f"({one})") else f"{name} ({one})"
        for one, name in players.items()
    ]
    minutes = round(game.seconds / 60)
    return (
        f"{begun}  {minutes:>4} min  {moves:>4} moves  "
        f"{str(game.game).partition(' ')[0]:<8}  {', '.join(names)}: {result}"
    )


def played_by(game: "KeptGame") -> dict[str, str]:
    """By colour, who played there, as the page says it. Raises BadInput."""
    from companion.rules.history import holders
    from companion.screens import labels

    given = {colour: name for colour, name in game.players.items() if name != colour}
    return labels.played_by(holders(game.game, game.history.past), given)

"""`companion analyse`: who was lucky in a past game, and who gave chances away."""

from pathlib import Path

import click

from companion.commands.replay import found
from companion.terminal.journal_option import journal_option
from companion.terminal.luck import analysed, told


@click.command()
@click.argument("what", required=False)
@journal_option
@click.option(
    "--games",
    type=click.IntRange(24, 1_000_000),
    default=None,
    help="Play-outs of each position; more of them make smaller errors.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Other dice, other play-outs.")
def analyse(what: str | None, journal: Path | None, games: int | None, seed: int) -> None:
    """Tell luck from play in WHAT: the number of a game, a record file, or a bug report.

    Without WHAT it is the latest game.
    """
    record = found(what, journal)
    try:
        click.echo("\n".join(told(record, analysed(record, games, seed))))
    except KeyboardInterrupt:
        raise SystemExit(1) from None

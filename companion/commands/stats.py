"""`companion stats`: who won how often, how fair the die has been, how long games took."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import click

from companion.charts import Bars, png, svg
from companion.fairness import ENOUGH, fairness, is_loaded
from companion.terminal.journal_option import journal_option, mention_damage, opened
from companion.terminal.printable import why

if TYPE_CHECKING:
    import sqlite3

    from companion.archive import KeptGame

LONGEST = 12  # bars in the chart of game lengths


@dataclass
class GameFigures:
    """What is counted over all games."""

    games: int = 0
    broken: int = 0
    finished: list[int] = field(default_factory=list)
    minutes: list[float] = field(default_factory=list)
    faces: Counter[int] = field(default_factory=Counter)
    played: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)

    def add(self, game: "KeptGame") -> None:
        """Count one game."""
        from companion.rules import BadInput

        self.games += 1
        self.faces.update(game.faces)
        try:
            winner = game.winner
            over = game.state == "won"
        except BadInput:
            self.broken += 1
            return
        if over:
            self.finished.append(game.moves)
            self.minutes.append(game.seconds / 60)
        if winner is not None:
            self.played.update(game.players.values())
            self.won[game.players.get(winner, winner)] += 1

    @property
    def counts(self) -> list[int]:
        """How often each face came."""
        return [self.faces[face] for face in range(1, 7)]


def counted(connection: "sqlite3.Connection") -> GameFigures:
    """Every game of a journal counted."""
    from companion.archive import BrokenGameError, kept_game, numbers

    figures = GameFigures()
    for number in numbers(connection):
        try:
            figures.add(kept_game(connection, number))
        except BrokenGameError:
            figures.games += 1
            figures.broken += 1
    return figures


@click.command()
@journal_option
@click.option(
    "--plot",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw it as well: a file that ends in .svg or .png.",
)
def stats(journal: Path | None, plot: Path | None) -> None:
    """Tell who won how often, how fair the die has been, and how long games took."""
    if plot is not None and plot.suffix not in (".svg", ".png"):
        raise click.BadParameter(f"{plot} should end in .svg or .png", param_hint="--plot")
    with opened(journal) as connection:
        figures = counted(connection)
    for line in lines(figures):
        click.echo(line)
    if plot is not None:
        try:
            write(plot, charts(figures))
        except OSError as fault:
            raise click.ClickException(f"{plot} cannot be written: {why(fault)}") from None
        click.echo(f"Drawn in {plot}.")
    mention_damage(journal)


def write(path: Path, drawn: list[Bars]) -> None:
    """As SVG or PNG, by the name's end."""
    if path.suffix == ".svg":
        path.write_text(svg(drawn), encoding="utf-8")
    else:
        png(drawn, path)


def lines(figures: GameFigures) -> list[str]:
    """The figures in words."""
    if not figures.games:
        return ["No game has been played yet."]
    games = "1 game" if figures.games == 1 else f"{figures.games} games"
    said = [f"{games}, {len(figures.finished)} played to the end."]
    if figures.finished:
        said.append(
            f"A game takes {median(figures.finished):g} moves and {median(figures.minutes):.0f} "
            f"minutes (median); the longest took {max(figures.finished)} moves."
        )
    if figures.broken:
        said.append(f"{figures.broken} of {games} cannot be replayed: nobody won them.")
    for name, played in figures.played.most_common():
        share = 100 * figures.won[name] / played
        said.append(f"  {name}: {figures.won[name]} of {played} won ({share:.0f} %)")
    return [*said, die_line(figures)]


def die_line(figures: GameFigures) -> str:
    """How fair the die has been, and what that means."""
    rolls = sum(figures.counts)
    told = ", ".join(f"{face}: {count}" for face, count in enumerate(figures.counts, 1))
    if rolls < ENOUGH:
        return f"The die: {rolls} rolls ({told}), too few to judge; {ENOUGH} are enough."
    found = fairness(figures.counts)
    verdict = (
        "a fair die hardly ever looks like this"
        if is_loaded(figures.counts)
        else "nothing that a fair die would not do"
    )
    return (
        f"The die: {rolls} rolls ({told}); chi-square {found.statistic:.1f}, "
        f"p = {found.p:.3f}: {verdict}."
    )


def charts(figures: GameFigures) -> list[Bars]:
    """The same as pictures."""
    rolls = sum(figures.counts)
    names = [name for name, _ in figures.won.most_common(12)]
    lengths = length_groups(figures.finished)
    drawn = [Bars(f"{rolls} rolls by face", list("123456"), figures.counts, rolls / 6)]
    if lengths:
        drawn.append(Bars("Games by their number of moves", list(lengths), list(lengths.values())))
    if names:
        drawn.append(Bars("Games won", names, [figures.won[name] for name in names]))
    return drawn


def length_groups(lengths: list[int]) -> dict[str, int]:
    """How many games took about so many moves."""
    if not lengths:
        return {}
    size = max(1, -(-(max(lengths) + 1) // LONGEST))
    counted = Counter(length // size for length in lengths)
    last = max(counted)
    return {
        f"{group * size}-{group * size + size - 1}" if size > 1 else str(group): counted[group]
        for group in range(min(counted), last + 1)
    }

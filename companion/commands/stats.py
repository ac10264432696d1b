"""`companion stats`: who won how often, how fair the die has been, how long games took."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import click

from companion.charts import Bars, png, svg
from companion.fairness import ENOUGH, fairness
from companion.terminal.journal_option import journal_option, mention_damage, opened

if TYPE_CHECKING:
    import sqlite3

    from companion.archive import KeptGame

LONGEST = 12  # bars in the chart of game lengths


@dataclass
class Tally:
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


def tallied(connection: "sqlite3.Connection") -> Tally:
    """Every game of a journal counted."""
    from companion.archive import BrokenGameError, kept_game, numbers

    tally = Tally()
    for number in numbers(connection):
        try:
            tally.add(kept_game(connection, number))
        except BrokenGameError:
            tally.games += 1
            tally.broken += 1
    return tally


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
        tally = tallied(connection)
    for line in lines(tally):
        click.echo(line)
    if plot is not None:
        try:
            write(plot, charts(tally))
        except OSError as fault:
            raise click.ClickException(f"{plot} cannot be written: {fault}") from None
        click.echo(f"Drawn in {plot}.")
    mention_damage(journal)


def write(path: Path, drawn: list[Bars]) -> None:
    """As SVG or PNG, by the name's end."""
    if path.suffix == ".svg":
        path.write_text(svg(drawn), encoding="utf-8")
    else:
        png(drawn, path)


def lines(tally: Tally) -> list[str]:
    """The figures in words."""
    if not tally.games:
        return ["No game has been played yet."]
    games = "1 game" if tally.games == 1 else f"{tally.games} games"
    said = [f"{games}, {len(tally.finished)} played to the end."]
    if tally.finished:
        said.append(
            f"A game takes {median(tally.finished):g} moves and {median(tally.minutes):.0f} "
            f"minutes (median); the longest took {max(tally.finished)} moves."
        )
    if tally.broken:
        said.append(f"{tally.broken} of {games} cannot be replayed: nobody won them.")
    for name, played in tally.played.most_common():
        share = 100 * tally.won[name] / played
        said.append(f"  {name}: {tally.won[name]} of {played} won ({share:.0f} %)")
    return [*said, die_line(tally)]


def die_line(tally: Tally) -> str:
    """How fair the die has been, and what that means."""
    rolls = sum(tally.counts)
    told = ", ".join(f"{face}: {count}" for face, count in enumerate(tally.counts, 1))
    if rolls < ENOUGH:
        return f"The die: {rolls} rolls ({told}), too few to judge; {ENOUGH} are enough."
    found = fairness(tally.counts)
    verdict = (
        "a fair die hardly ever looks like this"
        if found.suspicious
        else "nothing that a fair die would not do"
    )
    return (
        f"The die: {rolls} rolls ({told}); chi-square {found.statistic:.1f}, "
        f"p = {found.p:.3f}: {verdict}."
    )


def charts(tally: Tally) -> list[Bars]:
    """The same as pictures."""
    rolls = sum(tally.counts)
    names = [name for name, _ in tally.won.most_common(12)]
    lengths = length_groups(tally.finished)
    drawn = [Bars(f"{rolls} rolls by face", list("123456"), tally.counts, rolls / 6)]
    if lengths:
        drawn.append(Bars("Games by their number of moves", list(lengths), list(lengths.values())))
    if names:
        drawn.append(Bars("Games won", names, [tally.won[name] for name in names]))
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

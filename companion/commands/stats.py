"""`companion stats`: who won how often, how fair the die has been, how long games took."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from statistics import mean, median, stdev
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
    rolls: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    """By where they came from, how often each face came."""
    played: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)

    def add(self, game: "KeptGame") -> None:
        """Count one game."""
        from companion.rules import BadInput

        self.games += 1
        for roll in game.rolls:
            by_hand = "chosen" if roll.chosen else "hand"
            self.rolls[by_hand if roll.entered else roll.source][roll.face] += 1
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
    def dice(self) -> dict[str, list[int]]:
        """By die, how often each face came; what was entered by hand if there is no die."""
        thrown = sorted(self._thrown, key=lambda one: (":" not in one, one))
        return {
            die_name(source, len(thrown)): [self.rolls[source][face] for face in range(1, 7)]
            for source in thrown or ["hand"]
        }

    @property
    def entered(self) -> int:
        """How many rolls were entered by hand beside those of a die."""
        return sum(self.rolls["hand"].values()) if self._thrown else 0

    @property
    def chosen(self) -> int:
        """How many rolls were chosen for practice: no die has shown them."""
        return sum(self.rolls["chosen"].values())

    @property
    def _thrown(self) -> set[str]:
        return set(self.rolls) - {"hand", "chosen"}


def die_name(source: str, dice: int) -> str:
    """What the rolls from somewhere are called, beside those of so many dice in all."""
    if source == "hand":
        return "Rolls entered by hand"
    if dice == 1:
        return "The die"
    others = {"box": "Drawn by the box", "unknown": "Earlier rolls"}
    return others.get(source, f"The die {source.removeprefix('die:')}")


def counted(connection: "sqlite3.Connection") -> GameFigures:
    """Every game of a journal counted."""
    from companion.archive import BrokenGameError, kept_game, numbers

    figures = GameFigures()
    for number, id in numbers(connection).items():
        try:
            figures.add(kept_game(connection, id, number))
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
@click.option("--luck", is_flag=True, help="Say who was lucky, over all games; it takes a while.")
@click.option(
    "--games",
    type=click.IntRange(6, 1_000_000),
    default=300,
    show_default=True,
    help="Play-outs of each position, for luck.",
)
def stats(journal: Path | None, plot: Path | None, luck: bool, games: int) -> None:
    """Tell who won how often, how fair the die has been, and how long games took."""
    if plot is not None and plot.suffix not in (".svg", ".png"):
        raise click.BadParameter(f"{plot} should end in .svg or .png", param_hint="--plot")
    with opened(journal) as connection:
        figures = counted(connection)
        fortunes = fortunes_of(connection, games) if luck else {}
    for line in (*lines(figures), *luck_lines(fortunes)):
        click.echo(line)
    if plot is not None:
        try:
            write(plot, charts(figures))
        except OSError as fault:
            raise click.ClickException(f"{plot} cannot be written: {why(fault)}") from None
        click.echo(f"Drawn in {plot}.")
    mention_damage(journal)


Fortune = tuple[list[float], list[float]]
"""Of each game somebody played: own luck, and what was given away, in chances to win."""


def fortunes_of(connection: "sqlite3.Connection", games: int) -> dict[str, Fortune]:
    """The luck of everybody, game by game, credited to who held the seat."""
    from companion.archive import BrokenGameError, kept_game, numbers
    from companion.odds.luck import what_stands
    from companion.rules import BadInput
    from companion.terminal.luck import analysed

    found: dict[str, Fortune] = {}
    for number, id in numbers(connection).items():
        try:
            kept = kept_game(connection, id, number)
            record, players = kept.record, kept.players
        except (BrokenGameError, BadInput):
            continue
        if not what_stands(record):
            continue
        for (colour, level), one in analysed(record, games, number).credits.items():
            name = players.get(colour, colour) if level is None else f"the box ({level})"
            luck, gave = found.setdefault(name, ([], []))
            luck.append(one.luck.value)
            gave.append(one.given_away.value)
    return found


def luck_lines(fortunes: dict[str, Fortune]) -> list[str]:
    """Luck and play over many games: means with one standard error, from how the games differ."""
    said = ["Luck, in points of a hundred a game (one standard error):"] if fortunes else []
    for name, (luck, gave) in fortunes.items():
        if len(luck) < 2:
            said.append(f"  {name}: one game, too few to say")
        else:
            said.append(
                f"  {name}: own luck {_points(luck)}, gave away {_points(gave)} ({len(luck)} games)"
            )
    return said


def _points(values: list[float]) -> str:
    return f"{100 * mean(values):+.1f} ±{100 * stdev(values) / sqrt(len(values)):.1f}"


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
    said += [die_line(name, counts) for name, counts in figures.dice.items()]
    if figures.entered:
        said.append(f"{figures.entered} more were entered by hand and are not counted.")
    if figures.chosen:
        said.append(f"{figures.chosen} more were chosen for practice and are not counted.")
    return said


def die_line(name: str, counts: list[int]) -> str:
    """How fair a die has been, and what that means."""
    rolls = sum(counts)
    told = ", ".join(f"{face}: {count}" for face, count in enumerate(counts, 1))
    if rolls < ENOUGH:
        return f"{name}: {rolls} rolls ({told}), too few to judge; {ENOUGH} are enough."
    found = fairness(counts)
    verdict = (
        "a fair die hardly ever looks like this"
        if is_loaded(counts)
        else "nothing that a fair die would not do"
    )
    return (
        f"{name}: {rolls} rolls ({told}); chi-square {found.statistic:.1f}, "
        f"p = {found.p:.3f}: {verdict}."
    )


def charts(figures: GameFigures) -> list[Bars]:
    """The same as pictures."""
    names = [name for name, _ in figures.won.most_common(12)]
    lengths = length_groups(figures.finished)
    drawn = [
        Bars(f"{name}: {sum(counts)} rolls by face", list("123456"), counts, sum(counts) / 6)
        for name, counts in figures.dice.items()
    ]
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

"""Luck and play of a game as a page of text: what `analyse`, `replay` and `stats` say of it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from companion.odds.chances import Estimate
    from companion.odds.luck import Account, Analysis, Moment
    from companion.rules.records import Record

HEADINGS = ("began", "own luck", "others' luck", "gave away", "was given", "rulings", "ended")


def analysed(record: "Record", games: int | None = None, seed: int = 1) -> "Analysis":
    """A game taken apart, with a progress bar on a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    from companion.odds.ends import known_ends
    from companion.odds.luck import GAMES, Analyst, what_stands

    stands = what_stands(record)
    if not stands:
        raise click.ClickException("nobody has rolled yet in this game")
    ends = known_ends(one.after for one in stands)
    analyst = Analyst(record, seed, games or GAMES, ends=ends)
    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(str(record.game))
        return analyst.analysis(lambda done, of: progress.update(task, completed=done, total=of))


def told(record: "Record", analysis: "Analysis") -> Iterator[str]:
    """An analysis as a page of text; chances in points of a hundred, with one standard error."""
    names = called(record)
    yield f"{record.game}, {record.date}: {analysis.games} play-outs of each position"
    if analysis.why_slow:
        yield f"Played out slowly, so the errors are large: {analysis.why_slow}."
    yield ""
    yield from table("chances to win, in points of a hundred", analysis.accounts, names, 100)
    if analysis.ranks:
        yield ""
        yield from table("after the first winner: mean ranks", analysis.ranks, names, 1)
    yield ""
    best = analysis.best_roll
    if best is not None and best.change.value > 2 * best.change.error:
        yield f"the roll of the evening: {moment(best, names)}"
    worst = analysis.worst_move
    if worst is not None and worst.change.value > 2 * worst.change.error:
        yield f"the move that cost most: {moment(worst, names)}, instead of {worst.instead}"
    yield from credited(analysis, names)
    if analysis.luckiest is not None:
        yield f"luckiest: {names[analysis.luckiest]}"
    else:
        yield "luckiest: nobody by more than the error"


def credited(analysis: "Analysis", names: dict[str, str]) -> Iterator[str]:
    """Who held a seat that changed hands, or was the box's, and what came of it."""
    seats = [colour for colour, _ in analysis.credits]
    for (colour, level), one in analysis.credits.items():
        if level is None and seats.count(colour) == 1:
            continue
        who = "a person" if level is None else f"the box ({level})"
        luck, gave = _signed(one.luck, 100), _signed(one.given_away, 100)
        yield f"{names[colour]} while {who} played: own luck {luck}, gave away {gave}"


def called(record: "Record") -> dict[str, str]:
    """What each colour's player is called."""
    colours = [record.game.colours[seat] for seat in record.game.seats]
    pairs = zip(colours, record.players, strict=True)
    return {colour: f"{name} ({colour})" if name else colour for colour, name in pairs}


def table(
    title: str, accounts: dict[str, "Account"], names: dict[str, str], scale: int
) -> Iterator[str]:
    """One line a player; the columns add up from where it began to where it ended."""
    wide = max(len(title), *(len(names[colour]) for colour in accounts))
    yield f"{title:{wide}}" + "".join(f"{heading:>15}" for heading in HEADINGS)
    for colour, one in accounts.items():
        gave = type(one.given_away)(-one.given_away.value, one.given_away.error)
        ruled = type(one.rulings)(
            one.rulings.value + one.penalties.value, max(one.rulings.error, one.penalties.error)
        )
        parts = [one.own_luck, one.others_luck, gave, one.others_gave, ruled]
        row = [f"{scale * one.first:.1f}", *(_signed(part, scale) for part in parts)]
        row.append(f"{scale * one.last:.1f}")
        yield f"{names[colour]:{wide}}" + "".join(f"{cell:>15}" for cell in row)


def _signed(part: "Estimate", scale: int) -> str:
    if not part.value and not part.error:
        return "-"
    return f"{scale * part.value:+.1f} ±{scale * part.error:.1f}"


def moment(one: "Moment", names: dict[str, str]) -> str:
    """A roll or a move that changed much."""
    change = f"{100 * one.change.value:.0f} points (±{100 * one.change.error:.0f})"
    return f"{names[one.colour]}, event {one.number}: {one.move}, {change}"

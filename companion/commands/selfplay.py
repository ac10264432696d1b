"""`companion selfplay`: random games of a sheet, and how they went."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any

import click

from companion.rules import Accepted, Attempt, Game, Hop, Position, Refused, judge, outcome
from companion.terminal.table_options import chosen_game, table_options

CAPTURES = ("captured", "beaten", "sent_back", "penalty")


@dataclass
class SelfplayFigures:
    """What was counted over some games."""

    lengths: list[int] = field(default_factory=list)
    wins: Counter[str] = field(default_factory=Counter)
    happened: Counter[str] = field(default_factory=Counter)
    attempts: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)

    def report(self, table: Game, seed: int) -> dict[str, Any]:
        """The figures, ready to print or to write as JSON."""
        games = len(self.lengths)
        return {
            "game": str(table),
            "seed": seed,
            "games": games,
            "rolls": {
                "mean": round(mean(self.lengths), 1),
                "median": median(self.lengths),
                "shortest": min(self.lengths),
                "longest": max(self.lengths),
            },
            "wins": {
                table.colours[seat]: round(self.wins[table.colours[seat]] / games, 4)
                for seat in table.seats
            },
            "per_game": {
                what: round(self.happened[what] / games, 2)
                for what in CAPTURES
                if self.happened[what]
            },
            "attempts": {
                "judged": self.attempts,
                **{said: self.verdicts[said] for said in ("accepted", "refused", "unclear")},
            },
            "refused_by": {
                clause: round(count / max(1, self.verdicts["refused"]), 4)
                for clause, count in self.refused.most_common()
            },
        }


def play_games(
    table: Game, games: int, rng: random.Random, figures: SelfplayFigures
) -> Iterator[None]:
    """Play random games and count what happens; yields after each."""
    for _ in range(games):
        here, rolls = table.start(), 0
        while not here.over:
            face = here.due or table.die.roll(rng.random)
            try_something(here, face, rng, figures)
            moves = table.legal_moves(here, face)
            after = outcome(here, rng.choice(moves))
            figures.happened.update(told.what for told in after.happenings)
            here, rolls = after.position, rolls + 1
        figures.wins[here.winner or ""] += 1
        figures.lengths.append(rolls)
        yield


def try_something(here: Position, face: int, rng: random.Random, figures: SelfplayFigures) -> None:
    """Judge something that a careless hand could do, and count what the judge says."""
    if here.opening is not None:
        return
    verdict = judge(here, face, careless_attempt(here, rng))
    figures.attempts += 1
    if isinstance(verdict, Refused):
        figures.verdicts["refused"] += 1
        figures.refused.update({refusal.clause for refusal in verdict.refusals})
    else:
        figures.verdicts["accepted" if isinstance(verdict, Accepted) else "unclear"] += 1


def careless_attempt(here: Position, rng: random.Random) -> Attempt:
    """Any piece on the table goes some squares on; or a few cards go anywhere."""
    board = here.game.board.walked
    if board is None:
        own = [place.name for place in here.game.board.places if place.colour == here.colour]
        return Attempt(tuple(Hop(None, rng.choice(own)) for _ in range(rng.randint(1, 3))))
    seat = here.seat if rng.random() < 0.8 else rng.choice(here.game.seats)
    origin = rng.choice(here.pieces[seat])
    target = min(board.last, max(0, origin + rng.randint(-6, 12)))
    return Attempt((Hop(board.spot(seat, origin), board.spot(seat, target)),))


@click.command()
@click.argument("sheet")
@click.option("--games", default=100, show_default=True, type=click.IntRange(1), help="How many.")
@table_options
@click.option("--seed", type=int, help="Play the same games again.")
@click.option("--json", "as_json", is_flag=True, help="Report as JSON.")
def selfplay(
    sheet: str,
    games: int,
    options: tuple[str, ...],
    seats: str | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Play random games of SHEET, and report how they went.

    At every roll something careless is tried as well: the report says how often each clause
    refused it.
    """
    from rich.console import Console
    from rich.progress import track

    table = chosen_game(sheet, options, seats)
    seed = random.randrange(10**9) if seed is None else seed
    figures = SelfplayFigures()
    played = play_games(table, games, random.Random(seed), figures)
    progress = Console(stderr=True)
    try:
        for _ in track(played, f"{table}", total=games, console=progress):
            pass
    except KeyboardInterrupt:
        progress.print(f"Stopped after {len(figures.lengths)} games.")
    if not figures.lengths:
        raise SystemExit(1)
    report = figures.report(table, seed)
    click.echo(json.dumps(report, indent=2) if as_json else "\n".join(readable(report)))


def readable(report: dict[str, Any]) -> Iterator[str]:
    """The report as a page of text."""
    rolls, attempts = report["rolls"], report["attempts"]
    yield f"{report['game']}: {report['games']} random games (seed {report['seed']})"
    yield (
        f"rolls a game   {rolls['mean']:.0f} on average, median {rolls['median']:.0f}, "
        f"{rolls['shortest']} to {rolls['longest']}"
    )
    yield "won by         " + ", ".join(f"{c} {share:.1%}" for c, share in report["wins"].items())
    for what, count in report["per_game"].items():
        yield f"{what.replace('_', ' '):14} {count:.1f} a game"
    yield (
        f"tried          {attempts['judged']} careless moves: {attempts['refused']} refused, "
        f"{attempts['accepted']} accepted, {attempts['unclear']} unclear"
    )
    if report["refused_by"]:
        yield "refused by     each clause's share of the refused; several can object to one"
    for clause, share in report["refused_by"].items():
        yield f"  {clause:4} {share:6.1%} {'█' * round(40 * share)}"

"""Odds: each player's chance to win and mean rank in a position, and how far they may be off.

All play as the strongest level does. In every six play-outs each roll shows each face once: how
much that saves is in docs/odds.md. Endings that are known exactly are not played out. An error is
one standard error; it is never said to be nothing only because all play-outs ended alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from companion.odds.ends import Ends
from companion.odds.playouts import Counted, PlayOuts, play_outs, ranks_twice
from companion.rules import Position
from companion.rules.levels import STRONGEST

GAMES = 3_000
"""Play-outs that give a chance to within one per cent; without the fast part there are fewer."""


@dataclass(frozen=True)
class Estimate:
    """A number and its standard error."""

    value: float
    error: float = 0.0


@dataclass(frozen=True)
class Odds:
    """The chances of each player, by the colour of the seat that was taken.

    They belong to `position`, before its roll, or after it if there is a `face`.
    """

    position: Position
    face: int | None
    win: dict[str, Estimate]
    rank: dict[str, Estimate]
    games: int
    why_slow: str = ""

    @property
    def error(self) -> float:
        """The largest error of a chance to win."""
        return max(one.error for one in self.win.values())


def odds(
    position: Position,
    seed: int,
    games: int = GAMES,
    face: int | None = None,
    played: PlayOuts | None = None,
    ends: Ends | None = None,
    level: str = STRONGEST,
) -> Odds:
    """The chances in a position; with a face, after that roll."""
    if position.over:
        return _known(position, face, [(twice == 2, twice / 2) for twice in ranks_twice(position)])
    if ends is not None and ends.covers(position):
        return _exactly(position, face, ends)
    played = played or play_outs(position.game)
    counted = played.run(position, level, seed, played.affordable(games), face)
    return _estimated(position, face, counted, played.why_slow)


def colours_of(position: Position) -> list[str]:
    """The colour by which each player is called: that of the seat that was taken."""
    game = position.game
    return [
        game.colours[next(seat for seat in player if seat in game.seats)] for player in game.players
    ]


def _known(position: Position, face: int | None, told: Sequence[tuple[float, float]]) -> Odds:
    colours = colours_of(position)
    win = {one: Estimate(float(chance)) for one, (chance, _) in zip(colours, told, strict=True)}
    rank = {one: Estimate(mean) for one, (_, mean) in zip(colours, told, strict=True)}
    return Odds(position, face, win, rank, 0)


def _exactly(position: Position, face: int | None, ends: Ends) -> Odds:
    """Of two players, one of whom wins."""
    value = ends.value(position)
    if face is not None:
        _, value, _ = ends.best(position, position.game.legal_moves(position, face))
    chances = [value if position.seat in p else 1 - value for p in position.game.players]
    return _known(position, face, [(chance, 2 - chance) for chance in chances])


def _estimated(position: Position, face: int | None, counted: Counted, why_slow: str) -> Odds:
    colours = colours_of(position)
    win = {one: share_won(counted.wins[n], counted) for n, one in enumerate(colours)}
    rank = {one: mean_rank(counted.ranks[n], counted) for n, one in enumerate(colours)}
    return Odds(position, face, win, rank, counted.games, why_slow)


def share_won(sixes: Sequence[int], counted: Counted) -> Estimate:
    """The share of games that were won, with the error of as many free games.

    Sharing the rolls evenly makes it smaller, but how much cannot be told well from one position,
    least of all near 0 and 1: that gain is not counted upon. Two more games are thought of as won
    and two as lost (Agresti and Coull), so that an error is never nothing.
    """
    likely = (sum(sixes) + 2) / (counted.finished + 4)
    error = sqrt(likely * (1 - likely) / max(1, counted.finished))
    return Estimate(sum(sixes) / max(1, counted.finished), error)


def mean_rank(sixes: Sequence[int], counted: Counted) -> Estimate:
    """The mean rank over games, of which twice the sum is counted by sixes.

    Its error comes from how the sixes differ. A few tell that badly, so it is taken a little larger
    (as Student's is); where all are alike, one more game that is not is thought of.
    """
    if not counted.finished:
        return Estimate(0.0, 1.0)
    many = len(sixes)
    middle = sum(sixes) / many
    spread = sum((one - middle) ** 2 for one in sixes) / max(1, many - 3)
    error = sqrt(max(spread, 1 / many) / many) / 6 / 2
    return Estimate(sum(sixes) / counted.finished / 2, error)

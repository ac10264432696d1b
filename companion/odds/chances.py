"""Odds: each player's chance to win and mean place in a position, and how far they may be off.

All play as the strongest level does. Before a roll the play-outs are shared out evenly over the six
faces, which takes the luck of the next roll out of the error (how much that saves is in
docs/odds.md). Endings that are known exactly are not played out. An error is one standard error; it
is never said to be nothing only because all play-outs ended alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from companion.odds.chance import mixed
from companion.odds.ends import Ends
from companion.odds.players import STRONGEST
from companion.odds.playouts import PlayOuts, Tallied, places_twice, play_outs
from companion.rules import Position
from companion.rules.game import FACES

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
    place: dict[str, Estimate]
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
        return _known(position, face, [(twice == 2, twice / 2) for twice in places_twice(position)])
    if ends is not None and ends.covers(position):
        return _exactly(position, face, ends)
    played = played or play_outs(position.game)
    budget = played.affordable(games)
    if face is not None or position.due or position.opening is not None:
        parts = [played.run(position, level, seed, budget, face)]
    else:
        each = -(-budget // len(FACES))
        parts = [played.run(position, level, mixed(seed, one), each, one) for one in FACES]
    return _estimated(position, face, parts, played.why_slow)


def colours_of(position: Position) -> list[str]:
    """The colour by which each player is called: that of the seat that was taken."""
    game = position.game
    return [
        game.colours[next(seat for seat in player if seat in game.seats)] for player in game.players
    ]


def _known(position: Position, face: int | None, told: Sequence[tuple[float, float]]) -> Odds:
    colours = colours_of(position)
    win = {one: Estimate(float(chance)) for one, (chance, _) in zip(colours, told, strict=True)}
    place = {one: Estimate(mean) for one, (_, mean) in zip(colours, told, strict=True)}
    return Odds(position, face, win, place, 0)


def _exactly(position: Position, face: int | None, ends: Ends) -> Odds:
    """Of two players, one of whom wins."""
    value = ends.value(position)
    if face is not None:
        _, value, _ = ends.best(position, position.game.legal_moves(position, face))
    chances = [value if position.seat in p else 1 - value for p in position.game.players]
    return _known(position, face, [(chance, 2 - chance) for chance in chances])


def _estimated(
    position: Position, face: int | None, parts: Sequence[Tallied], why_slow: str
) -> Odds:
    """Means over parts that count alike."""
    win, place = {}, {}
    players = len(position.game.players)
    for number, colour in enumerate(colours_of(position)):
        shares = [_share(part.wins[number], part.finished, players) for part in parts]
        means = [_mean(part, number) for part in parts]
        win[colour], place[colour] = _together(shares), _together(means)
    return Odds(position, face, win, place, sum(part.games for part in parts), why_slow)


def _share(won: int, games: int, players: int) -> Estimate:
    if not games:
        return Estimate(1 / players, 0.5)
    likely = (won + 0.5) / (games + 1)  # nobody is sure to win because some games say so
    return Estimate(won / games, sqrt(likely * (1 - likely) / games))


def _mean(part: Tallied, number: int) -> Estimate:
    games = part.finished
    if not games:
        return Estimate(0.0, 1.0)
    mean = part.places[number] / games
    spread = max(part.squares[number] / games - mean * mean, 1 / games)
    return Estimate(mean / 2, sqrt(spread / games) / 2)


def _together(parts: Sequence[Estimate]) -> Estimate:
    value = sum(part.value for part in parts) / len(parts)
    return Estimate(value, sqrt(sum(part.error**2 for part in parts)) / len(parts))

"""How strong the levels are: one of a level against three of another, on a sheet, with its error.

`make odds` writes the tables of docs/odds.md from it.
"""

from dataclasses import dataclass
from math import sqrt

from companion.odds.playouts import play_outs
from companion.rules import Game


@dataclass(frozen=True)
class Strength:
    """How often one player won, among how many games; `fair` is what chance alone gives."""

    won: int
    games: int
    fair: float

    @property
    def share(self) -> float:
        return self.won / self.games

    @property
    def error(self) -> float:
        """The standard error of the share."""
        return sqrt(self.share * (1 - self.share) / self.games)


def one_against(game: Game, one: str, others: str, games: int, seed: int) -> Strength:
    """One player of a level against all others of another, at each seat in turn."""
    played, won, finished = play_outs(game), 0, 0
    players = game.players
    each = -(-games // len(players))
    for number, player in enumerate(players):
        levels = {seat: one if seat in player else others for seat in game.order}
        counted = played.run(game.start(), levels, seed + number, each)
        won += counted.won(number)
        finished += counted.finished
    return Strength(won, finished, 1 / len(players))

"""What the box's players do and advise: a level's move, and a hint with how much it is worth.

A player of the strongest level looks an ending up where it is known exactly. A hint compares the
strongest player's choice with every other move by play-outs that share their chance, and says
nothing where the difference is within its error.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from companion.odds.chance import Chance, mixed
from companion.odds.chances import Estimate, colours_of, odds
from companion.odds.ends import Ends
from companion.odds.players import chooser
from companion.odds.playouts import PlayOuts
from companion.rules import AnyMove, Position
from companion.rules.levels import STRONGEST, known_level

HINT_GAMES = 12_000
SURE = 2.0
"""Standard errors by which a move has to be better before it is said to be."""


def chosen_move(
    position: Position,
    face: int,
    level: str,
    seed: int,
    ends: Ends | None = None,
) -> AnyMove:
    """The move that a level makes; the same seed, the same move."""
    known_level(level)
    moves = position.game.legal_moves(position, face)
    if level == STRONGEST and ends is not None and ends.covers(position):
        move, _, _ = ends.best(position, moves)
        return move
    move, _ = chooser(position.game, level).choose(position, moves, Chance(seed, 0))
    return move


@dataclass(frozen=True)
class Hint:
    """The best move, and how much better than the next, in chances to win or in places.

    There is none (`move` is None) where moves cannot be told apart: `margin` is within its error.
    """

    move: AnyMove | None
    margin: Estimate
    values: tuple[tuple[AnyMove, Estimate], ...]
    places: bool = False
    """Whether it counts places: somebody has won, and the others play on."""


def hint(
    position: Position,
    face: int,
    seed: int,
    games: int = HINT_GAMES,
    played: PlayOuts | None = None,
    ends: Ends | None = None,
) -> Hint:
    """The best move of a roll, if one is."""
    moves = position.game.legal_moves(position, face)
    places = bool(position.ranking) and not position.game.first_wins
    if len(moves) == 1:
        return Hint(moves[0], Estimate(0.0), ((moves[0], Estimate(0.0)),), places)
    values = _values(position, moves, seed, games, played, ends, places)
    ranked = sorted(values, key=lambda one: -one[1].value)
    (best, first), (_, second) = ranked[0], ranked[1]
    # The two best were picked for being so: they are played again before they are compared.
    if first.error or second.error:
        two = [best, ranked[1][0]]
        again = _values(position, two, mixed(seed, 1), games, played, ends, places)
        first, second = again[0][1], again[1][1]
    margin = Estimate(first.value - second.value, sqrt(first.error**2 + second.error**2))
    told = margin.value > SURE * margin.error and margin.value > 0
    return Hint(best if told else None, margin, tuple(ranked), places)


def _values(
    position: Position,
    moves: Sequence[AnyMove],
    seed: int,
    games: int,
    played: PlayOuts | None,
    ends: Ends | None,
    places: bool,
) -> list[tuple[AnyMove, Estimate]]:
    """What each move leaves the player whose turn it is: a chance to win, or once somebody has won
    the mean rank, counted downwards so that more is better."""
    game = position.game
    colour = next(
        one
        for one, player in zip(colours_of(position), game.players, strict=True)
        if position.seat in player
    )
    found = []
    for move in moves:
        after = odds(game.play(position, move), seed, games, None, played, ends)
        rank = after.rank[colour]
        found.append((move, Estimate(-rank.value, rank.error) if places else after.win[colour]))
    return found

"""Play-outs against exact values: by how many of its errors each is off."""

from random import Random

from companion.odds.chances import odds
from companion.odds.ends import Ends
from companion.odds.playouts import PlayOuts
from companion.rules import Position
from companion.rules.boardgame import BoardGame
from companion.rules.boards import BASE


def random_ending(ends: Ends, random: Random) -> Position:
    """An ending with two pieces each on their way."""
    table = ends.game
    assert isinstance(table, BoardGame)
    home = table.numbers.pieces - 2
    deepest = tuple(range(table.last + 1 - home, table.last + 1))
    while True:
        pieces = [
            () if n not in table.order else _two(table, random, home) + deepest for n in range(4)
        ]
        found = Position(table, tuple(pieces), random.choice(table.order))
        squares = [table.square[s][p] for s in table.order for p in found.pieces[s] if p != BASE]
        on_track = [square for square in squares if square >= 0]
        if len(set(on_track)) == len(on_track) and ends.covers(found):
            return found


def _two(table: BoardGame, random: Random, home: int) -> tuple[int, ...]:
    spots = [BASE, *range(table.last + 1 - home)]
    low, high = sorted(random.choice(spots) for _ in range(2))
    return (low, high) if low == BASE or low < high else (BASE, high)


def errors_off(ends: Ends, level: str, positions: int, games: int, seed: int) -> list[float]:
    """By how many standard errors the play-outs of random endings are off."""
    random, played = Random(seed), PlayOuts(ends.game)
    found = []
    for number in range(positions):
        here = random_ending(ends, random)
        told = odds(here, seed + number, games, None, played, None, level)
        chance = told.win[str(here.colour)]
        found.append((chance.value - ends.value(here)) / chance.error)
    return found

"""What takes too long for `make test`: drift of luck, length of games, and strength on every sheet.

`python -m tests.odds.soak GAMES` plays so many games of each sheet for luck (1,000 in `make soak`).
"""

import sys
from math import sqrt
from random import Random
from statistics import mean, stdev

from companion.odds.luck import analyse
from companion.odds.playouts import PlayOuts
from companion.odds.strength import one_against
from companion.rules import SHEETS, Game, game
from companion.rules.levels import LEVELS, STRONGEST
from tests.odds.test_luck import closes, played

PLAYOUTS = 6
STRENGTH_GAMES = 4_000


def luck(table: Game, games: int) -> bool:
    """Whether luck has no drift at any seat, and all sums close."""
    lucks: dict[str, list[float]] = {}
    fine = True
    for number in range(games):
        analysis = analyse(played(table, Random(number)), number, PLAYOUTS)
        fine = fine and closes(analysis)
        for colour, account in analysis.accounts.items():
            lucks.setdefault(colour, []).append(account.own_luck.value)
    off = {colour: mean(own) / (stdev(own) / sqrt(games)) for colour, own in lucks.items()}
    told = ", ".join(f"{colour} {mean(lucks[colour]):+.3f} ({z:+.1f})" for colour, z in off.items())
    print(f"  mean luck (in its errors): {told}; sums close: {fine}", flush=True)
    return fine and all(abs(z) < 3 for z in off.values())


def length(table: Game, games: int) -> bool:
    """Whether random games are as long by play-outs as by the rules."""
    slow = [float(len(played(table, Random(f"length {n}")).events)) for n in range(games)]
    fast = PlayOuts(table).run(table.start(), "butterfly", 1, 20 * games)
    error, middle = stdev(slow) / sqrt(games), fast.rolls / fast.games
    off = (middle - mean(slow)) / (error * sqrt(1 + 1 / 20))
    print(f"  rolls a game: {middle:.1f}, by the rules {mean(slow):.1f} ± {error:.1f} ({off:+.1f})")
    return abs(off) < 3 and not fast.unfinished


def strength(table: Game) -> bool:
    """Whether no level beats the strongest."""
    fine = True
    for other in LEVELS[:-1]:
        one = one_against(table, STRONGEST, other, STRENGTH_GAMES, 11)
        against = one_against(table, other, STRONGEST, STRENGTH_GAMES, 12)
        fine = fine and one.share > 0.25 > against.share
        print(
            f"  one {STRONGEST} against the {other} {one.share:.1%}, "
            f"one {other} against the {STRONGEST} {against.share:.1%} (fair 25 %)",
            flush=True,
        )
    return fine


def main(games: int) -> int:
    """All of it, on every sheet."""
    missed = []
    for sheet in SHEETS:
        print(f"{sheet}:")
        table = game(sheet)
        if not all([length(table, min(games, 300)), strength(table), luck(table, games)]):
            missed.append(sheet)
    print(f"missed: {', '.join(missed)}" if missed else "no target missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))

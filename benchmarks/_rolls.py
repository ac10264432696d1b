"""Worker of the rules benchmark: plays random games with one engine when told to.

Runs by itself (`python _rolls.py ENGINE`), also where the companion is not installed. For every
line `SECONDS` it reads, it plays that much CPU time and answers `ROLLS SECONDS`. Both engines
play four players until the first of them has won.
"""

import random
import sys
import time
from collections.abc import Callable

PlayGame = Callable[[], int]
WARM_UP = 1.5


def with_ludopy() -> PlayGame:
    """ludopy's public API: an observation is a roll, and is answered with a piece."""
    import ludopy  # type: ignore[import-not-found]

    draw = random.Random(1).random

    def play_game() -> int:
        rolls, won, game = 0, False, ludopy.Game()
        get_observation, answer_observation = game.get_observation, game.answer_observation
        while not won:
            (_, pieces, _, _, _, _), _ = get_observation()
            piece = pieces[int(draw() * len(pieces))] if len(pieces) else -1
            won = answer_observation(piece)[5]
            rolls += 1
        return rolls

    return play_game


def with_companion(sheet: str) -> PlayGame:
    """Our public API: roll, legal_moves, choose, play."""
    from companion.rules import game

    table = game(sheet)
    draw = random.Random(1).random
    roll, legal_moves, play = table.die.roll, table.legal_moves, table.play

    def play_game() -> int:
        rolls, position = 0, table.start()
        while not position.home:
            moves = legal_moves(position, roll(draw))
            position = play(position, moves[int(draw() * len(moves))])
            rolls += 1
        return rolls

    return play_game


def main(engine: str) -> None:
    """Warm up, then play whenever asked."""
    play_game = with_ludopy() if engine == "ludopy" else with_companion(engine)
    play_for(WARM_UP, play_game)
    for line in sys.stdin:
        print(*play_for(float(line), play_game), flush=True)


def play_for(seconds: float, play_game: PlayGame) -> tuple[int, float]:
    """Whole games for about so much CPU time: the rolls made, and the time they really took."""
    rolls, begun = 0, time.process_time()
    while time.process_time() < begun + seconds:
        rolls += play_game()
    return rolls, time.process_time() - begun


if __name__ == "__main__":
    main(sys.argv[1])

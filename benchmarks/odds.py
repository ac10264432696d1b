"""Play-outs against the rules' own rolls a second, and how long a chance to one per cent takes."""

import time
from random import Random
from statistics import median

from companion.odds.chances import odds
from companion.odds.playouts import PlayOuts
from companion.rules import Game, Position, game

SHEETS = ("german", "british", "dutch", "pairs")
ROUNDS, GAMES, FASTER = 5, 1_200, 20
SECONDS, CARD_SECONDS, ERROR = 1.0, 2.0, 0.01


def rate_of_rules(table: Game, random: Random) -> float:
    """Rolls a second of random games by the rules."""
    begun, rolls = time.process_time(), 0
    while rolls < 8_000:
        here = table.start()
        while not here.over:
            moves = table.legal_moves(here, here.due or random.randint(1, 6))
            here = table.play(here, random.choice(moves))
            rolls += 1
    return rolls / (time.process_time() - begun)


def rate_of_play_outs(played: PlayOuts, seed: int) -> float:
    """Rolls a second of random games in the fast form."""
    begun = time.process_time()
    rolls = played.run(played.game.start(), "butterfly", seed, GAMES).rolls
    return rolls / (time.process_time() - begun)


def middle(table: Game) -> Position:
    """A position in the middle of a game."""
    random, here = Random(3), table.start()
    for _ in range(150 if table.sheet.id != "cards" else 60):
        moves = table.legal_moves(here, here.due or random.randint(1, 6))
        here = table.play(here, random.choice(moves))
    return here


def speed(sheet: str) -> bool:
    """The fast form and the rules in turn; the median of the ratios counts."""
    table, ratios, rates = game(sheet), [], []
    played = PlayOuts(table)
    for number in range(ROUNDS):
        fast = rate_of_play_outs(played, number)
        ratios.append(fast / rate_of_rules(table, Random(number)))
        rates.append(fast)
    print(
        f"  {sheet:8} {median(rates) / 1e6:5.1f} million rolls a second, "
        f"{median(ratios):.0f} times the rules (at least {FASTER})"
    )
    return median(ratios) >= FASTER


def one_per_cent(sheet: str) -> bool:
    """The chances of a position in the middle of a game, with every error at most one per cent."""
    here, limit = middle(game(sheet)), CARD_SECONDS if sheet == "cards" else SECONDS
    played, spent = PlayOuts(here.game), []
    for seed in range(ROUNDS):
        begun = time.process_time()
        told = odds(here, seed, played=played)
        spent.append(time.process_time() - begun)
    print(
        f"  {sheet:8} chances to {told.error:.2%} (at most 1 %) in {median(spent):.2f} s of CPU "
        f"(at most {limit:.0f})"
    )
    return told.error <= ERROR and median(spent) <= limit


def run() -> bool:
    """Whether all targets are met."""
    results = [speed(sheet) for sheet in SHEETS]
    results += [one_per_cent(sheet) for sheet in (*SHEETS, "cards")]
    return all(results)

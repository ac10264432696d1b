"""Random mixes of house rules: each is refused by name, or its games end and replay.

python -m tests.house_soak --mixes 2000 --games 100
"""

import argparse
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from datetime import date
from functools import cache

from companion.languages import LANGUAGES
from companion.rules import SHEETS, BadInput, Game, legal_moves
from companion.rules.family import HouseRules, from_toml, house_rules, trial
from companion.rules.house import SWITCHES, contradictions
from companion.rules.records import Record, record
from companion.rules.sheets import all_options
from companion.screens import phrases
from companion.screens.fridge import fridge_page
from companion.screens.house_rules import contradiction
from companion.screens.languages import words


def mix(rng: random.Random) -> tuple[str, list[str]]:
    """A sheet with some of its options and some switches."""
    base = rng.choice(list(SHEETS))
    names = [option.name for option in SHEETS[base].options if option.allowed == (False, True)]
    names += [name for name in SWITCHES if name != "pieces" and name not in names]
    chosen = rng.sample(names, rng.randint(1, min(6, len(names))))
    if rng.random() < 0.3:
        chosen.append(f"pieces={rng.choice((2, 3))}")
    return base, chosen


@cache
def mixes(count: int) -> list[str]:
    """So many mixes that can be played, by any number of players: `british+bounce+pieces=3`."""
    found: list[str] = []
    rng = random.Random(16)
    while len(found) < count:
        base, chosen = mix(rng)
        with suppress(BadInput):
            rules = house_rules("mix", base, chosen)
            if rules.seats is None:
                found.append("+".join((rules.base, *rules.rules)))
    return found


def one(task: tuple[int, int]) -> tuple[str, str]:
    """One mix from a seed: what it was, and what came of it (`!` before a fault)."""
    seed, games = task
    rng = random.Random(seed)
    base, chosen = mix(rng)
    told = f"seed {seed} {base} {' '.join(chosen)}"
    try:
        rules = house_rules(f"mix {seed}", base, chosen)
    except BadInput as error:
        named = contradictions(SHEETS[base], all_options(SHEETS[base], chosen))
        said = [contradiction(one, words(language)) for one in named for language in LANGUAGES]
        if all(one.way_out in str(error) for one in named) and ": " in str(error) and all(said):
            return told, "refused"
        return told, f"! refused without a way out: {error}"
    try:
        return told, _played(rng, rules, games)
    except Exception as fault:  # it ends this mix, not the soak
        return told, f"! {fault!r}"


def _played(rng: random.Random, rules: HouseRules, games: int) -> str:
    done = trial(rules.playable(), games, rng.random)
    if done.ended < done.games:
        return f"! {done.games - done.ended} of {done.games} games did not end"
    assert from_toml(rules.toml()) == rules
    check_a_game(rules.playable(), rng)
    check_the_page(rules)
    return f"ends, {done.rolls:.0f} rolls"


def check_a_game(table: Game, rng: random.Random) -> None:
    """A game to its end: what cannot be played is said in every language, and it replays."""
    told = Record(table, date(2026, 1, 1))
    while not told.position.over:
        here = told.position
        face = here.due or table.die.roll(rng.random)
        told = told.then(rng.choice(legal_moves(here, face)))
        if here.opening is None:
            for why in table.why_pass(here, face):
                for language in LANGUAGES:
                    assert phrases.refusal(table, why, face, words(language))
    assert record(str(told)) == told


def check_the_page(rules: HouseRules) -> None:
    """The page for the fridge names every clause in force, in every language."""
    for language in LANGUAGES:
        page = fridge_page(rules, language, words(language))
        assert all(f"<b>{article.id}</b>" in page for article in rules.articles)


def main(arguments: list[str]) -> int:
    """Run the mixes; 1 if any of them has a fault."""
    parser = argparse.ArgumentParser(description="Try random mixes of house rules.")
    parser.add_argument("--mixes", type=int, default=2000)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args(arguments)
    faults = refused = 0
    with ProcessPoolExecutor(asked.workers) as pool:
        tasks = [(seed, asked.games) for seed in range(asked.mixes)]
        for told, came in pool.map(one, tasks, chunksize=4):
            refused += came == "refused"
            if came.startswith("!"):
                faults += 1
                sys.stdout.write(f"{told}: {came}\n")
    sys.stdout.write(f"{asked.mixes} mixes: {refused} refused by name, {faults} faults\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Random walks through a game in which the fast form and `rules` are compared at every step.

A walk plays random moves, and now and then lifts some pieces and puts them down elsewhere, so that
crowded boards and late endings come up as often as openings. `python -m tests.odds.walking N` walks
over N positions of every sheet with random options.
"""

import sys
from collections.abc import Iterator
from itertools import count
from random import Random
from typing import NamedTuple

from companion.odds.forms import MOVE, POSITION, packed, read_moves
from companion.odds.kernel import FastGame, library
from companion.odds.playouts import ranks_twice
from companion.rules import SHEETS, BadInput, Game, Position, game
from companion.rules.boardgame import BoardGame
from companion.rules.boards import BASE
from companion.rules.cards import FULL
from companion.rules.house import SWITCHES

SHEETS_ON_BOARDS = tuple(name for name in SHEETS if name != "cards")
MOVED_BY_HAND = 0.04
NEW_GAME = 0.004


class Difference(NamedTuple):
    """Where the fast form says something else than the rules."""

    position: Position
    face: int
    rules: object
    fast: object


def random_game(sheet: str, random: Random, switches: bool = True) -> Game:
    """A game with random seats, and random options and switches that go together."""
    chosen = SHEETS[sheet]
    while True:
        options: dict[str, bool | int] = {
            option.name: random.choice(option.allowed)
            for option in chosen.options
            if random.random() < 0.35
        }
        if switches and sheet != "cards":
            for switch in SWITCHES.values():
                if random.random() < 0.15 and switch.name not in options:
                    options[switch.name] = random.choice(switch.option.allowed)
        colours = chosen.board.colours
        seats = random.sample(colours, random.choice((2, 3, 4, 4)))
        try:
            return game(sheet, options, seats)
        except BadInput:
            continue


def moved_by_hand(here: Position, random: Random) -> Position:
    """Some pieces elsewhere, if a game can come there."""
    table = here.game
    if here.over or here.opening is not None:
        return here
    pieces = list(here.pieces)
    if isinstance(table, BoardGame) and random.random() < 0.3:  # nearly all are home
        end = table.last - (0 if table.board.home else table.numbers.pieces - 1)
        deepest = [max(end, table.last - n) for n in reversed(range(table.numbers.pieces))]
        pieces = [tuple(deepest) if own else () for own in pieces]
        for seat, home in enumerate(pieces):
            if home:
                pieces[seat] = tuple(sorted((random.randint(BASE, end - 1), *home[1:])))
    for _ in range(random.randint(0, 5)):
        seat = random.choice([n for n, own in enumerate(pieces) if own])
        own = list(pieces[seat])
        if isinstance(table, BoardGame):
            near = random.choice([*own, *(p for other in pieces for p in other)])
            end = random.randint(table.board.track_end - 3, table.last)
            own[random.randrange(len(own))] = random.choice(
                [BASE, end, near, random.randint(0, table.last)]
            )
            own.sort()
        else:
            own[random.randrange(4)] = random.choice([random.randint(0, FULL), FULL])
        pieces[seat] = tuple(own)
    found = Position(table, tuple(pieces), here.seat, 1, 0, here.home)
    try:
        table.check_turn(found)
        table.check(found)
    except BadInput:
        return here
    return found


def walk(table: Game, random: Random) -> Iterator[tuple[Position, int]]:
    """Positions of one game, each with a roll, for ever."""
    here = table.start()
    while True:
        if here.over or random.random() < NEW_GAME:
            here = table.start()
        elif random.random() < MOVED_BY_HAND:
            here = moved_by_hand(here, random)
        face = here.due or random.choice((1, 2, 3, 4, 5, 6, 6))
        yield here, face
        moves = table.legal_moves(here, face)
        here = table.play(here, random.choice(moves))


def difference(fast: FastGame, here: Position, face: int) -> Difference | None:
    """What the fast form says otherwise about a position and a roll."""
    table = here.game
    moves = table.legal_moves(here, face)
    nexts = [table.play(here, move) for move in moves]
    fast_moves, fast_nexts = fast.expand_packed(packed(here), face)
    if len(fast_moves) != len(moves) * MOVE.size or read_moves(table, fast_moves) != list(moves):
        return Difference(here, face, moves, read_moves(table, fast_moves))
    for n, after in enumerate(nexts):
        told = fast_nexts[n * POSITION.size : (n + 1) * POSITION.size]
        if told != packed(after):
            return Difference(here, face, (moves[n], after), told)
        if after.over and fast.twice_ranks(after) != ranks_twice(after):
            return Difference(here, face, ranks_twice(after), fast.twice_ranks(after))
    return None


def compare(
    table: Game, positions: int, random: Random, fast: FastGame | None = None
) -> Difference | None:
    """Walk over so many positions of a game; the first difference ends it."""
    fast = fast or FastGame(table, library())
    for number, (here, face) in enumerate(walk(table, random)):
        if number == positions:
            return None
        found = difference(fast, here, face)
        if found is not None:
            return found
    return None


def main(positions: int, a_game: int = 5_000) -> int:
    """Compare every sheet over so many positions, with other options every few thousand."""
    for sheet in SHEETS:
        random, walked = Random(f"soak {sheet}"), 0
        for number in count():
            if walked >= positions:
                break
            table = random_game(sheet, random)
            found = compare(table, a_game, Random(f"{sheet} {number}"))
            if found is not None:
                print(f"{sheet}: {found}")
                return 1
            walked += a_game
        print(f"{sheet}: {walked} positions, no difference", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))

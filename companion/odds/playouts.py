"""Play-outs: many games from one position to their ends, and who won them.

They are counted, never timed: the same seed and the same number of games give the same answer, on
any machine, with the fast part or without. Without it they are played by `rules`, and a caller asks
for fewer (`affordable`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from companion.odds.chance import NOTHING_ROLLED, Chance
from companion.odds.forms import NoFastFormError
from companion.odds.kernel import FastGame, Level, MissingError, library
from companion.odds.players import Chooser, Weights, chooser, weights
from companion.rules import Game, Position
from companion.rules.positions import NOBODY

MOST_ROLLS = 20_000
"""A game that is longer than this counts as unfinished."""
SEATS = 4


@dataclass(frozen=True)
class Counted:
    """What came of some play-outs, six by six; by player, in the order of `Game.players`.

    `wins` has for each player how many games of each six it won, `ranks` the sum of twice its
    ranks in them (twice, so that players who share what is left have whole numbers too).
    """

    games: int
    unfinished: int
    rolls: int
    wins: tuple[bytes, ...]
    ranks: tuple[bytes, ...]

    @property
    def finished(self) -> int:
        return self.games - self.unfinished

    def won(self, player: int) -> int:
        """How many games a player won."""
        return sum(self.wins[player])


class PlayOuts:
    """Plays a game out, fast where it can. `why_slow` says why it cannot, else it is empty."""

    def __init__(self, game: Game, fast: bool = True) -> None:
        self.game, self.fast, self.why_slow = game, None, "it was asked for"
        self._levels: dict[str, Level] = {}
        if fast:
            try:
                self.fast, self.why_slow = FastGame(game, library()), ""
            except (MissingError, NoFastFormError) as why:
                self.why_slow = str(why)

    fast: FastGame | None

    def affordable(self, games: int) -> int:
        """How many games to play where the fast part would play so many."""
        return games if self.fast else max(6, games // 100)

    def run(
        self,
        position: Position,
        levels: Mapping[int, str] | str,
        seed: int,
        games: int,
        face: int | None = None,
        rolled: Sequence[int] = NOTHING_ROLLED,
    ) -> Counted:
        """Play a position out so many times (up to the next six).

        `levels` says who plays at each seat, or for all. With a `face` the roll has been made.
        `rolled` says how often each seat has rolled before: see `chance.py`.
        """
        sixes = -(-games // 6)
        by_seat = {s: levels if isinstance(levels, str) else levels[s] for s in self.game.order}
        if self.fast is not None:
            try:
                return self._fast(position, by_seat, seed, sixes, face, rolled)
            except NoFastFormError:
                pass  # this position is too odd for it
        return self._slow(position, by_seat, seed, sixes, face, rolled)

    def _fast(
        self,
        position: Position,
        levels: Mapping[int, str],
        seed: int,
        sixes: int,
        face: int | None,
        rolled: Sequence[int],
    ) -> Counted:
        assert self.fast is not None
        names = tuple(dict.fromkeys(levels.values()))
        array = (Level * len(names))(*(self._level(name) for name in names))
        seats = bytes(names.index(levels.get(seat, names[0])) for seat in range(SEATS))
        counted, wins, ranks = self.fast.play_outs(
            position, face or 0, array, seats, seed, rolled, sixes, MOST_ROLLS
        )
        players = range(len(self.game.players))
        return Counted(
            counted.games,
            counted.unfinished,
            counted.rolls,
            tuple(wins[player::SEATS] for player in players),
            tuple(ranks[player::SEATS] for player in players),
        )

    def _level(self, name: str) -> Level:
        if name not in self._levels:
            self._levels[name] = as_numbers(weights(self.game, name))
        return self._levels[name]

    def _slow(
        self,
        position: Position,
        levels: Mapping[int, str],
        seed: int,
        sixes: int,
        face: int | None,
        rolled: Sequence[int],
    ) -> Counted:
        choosers = {seat: chooser(self.game, name) for seat, name in levels.items()}
        unfinished = rolls = 0
        players = len(self.game.players)
        wins, ranks = ([bytearray(sixes) for _ in range(players)] for _ in range(2))
        for number in range(6 * sixes):
            end, made = play_out(position, choosers, Chance(seed, number, rolled), face)
            rolls += made
            unfinished += end is None
            for player, twice in enumerate(ranks_twice(end) if end else ()):
                wins[player][number // 6] += twice == 2
                ranks[player][number // 6] += twice
        return Counted(
            6 * sixes, unfinished, rolls, tuple(map(bytes, wins)), tuple(map(bytes, ranks))
        )


def as_numbers(weights: Weights) -> Level:
    """A level as the kernel reads it."""
    made = Level(danger=weights.danger, chase=weights.chase, random=weights.random)
    made.own[: len(weights.own)] = weights.own
    made.theirs[: len(weights.theirs)] = weights.theirs
    return made


def play_out(
    position: Position, choosers: Mapping[int, Chooser], chance: Chance, face: int | None = None
) -> tuple[Position | None, int]:
    """One game from here to its end, and how many rolls it took; None if it came to none."""
    here, made = position, 0
    game = position.game
    while here.seat != NOBODY:
        if made == MOST_ROLLS:
            return None, made
        thrown = here.due or chance.roll(here.seat)
        thrown = thrown if here.due else face or thrown  # a roll that was made is one of the dice
        _, here = choosers[here.seat].choose(here, game.legal_moves(here, thrown), chance)
        face, made = None, made + 1
    return here, made


def ranks_twice(position: Position) -> tuple[int, ...]:
    """Twice the rank of each player at the end; who has none shares what is left."""
    table = position.game
    ranked = table.ranking(position)
    left = len(ranked) + 1 + len(table.players)
    found = []
    for player in table.players:
        own = [ranked.index(seat) for seat in player if seat in ranked]
        found.append(2 * (own[0] + 1) if own else left)
    return tuple(found)


@lru_cache(4)
def play_outs(game: Game) -> PlayOuts:
    """The play-outs of a game, whose tables are made once."""
    return PlayOuts(game)

"""Play-outs: many games from one position to their ends, and who won them.

They are counted, never timed: the same seed and the same number of games give the same answer, on
any machine, with the fast part or without. Without it they are played by `rules`, and a caller asks
for fewer (`affordable`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache

from companion.odds.chance import Stream
from companion.odds.forms import NoFastFormError
from companion.odds.kernel import FastGame, Level, MissingError, Tally, library
from companion.odds.players import Chooser, weights
from companion.rules import Game, Position
from companion.rules.positions import NOBODY

MOST_ROLLS = 20_000
"""A game that is longer than this counts as unfinished."""
SEATS = 4


@dataclass(frozen=True)
class Tallied:
    """What came of some play-outs; by player, in the order of `Game.players`.

    Places are counted twice, so that players who share what is left have whole numbers too.
    """

    games: int = 0
    unfinished: int = 0
    rolls: int = 0
    wins: tuple[int, ...] = (0,) * SEATS
    places: tuple[int, ...] = (0,) * SEATS
    squares: tuple[int, ...] = (0,) * SEATS

    @property
    def finished(self) -> int:
        return self.games - self.unfinished


class PlayOuts:
    """Plays a game out, fast where it can. `why_slow` says why it cannot, else it is empty."""

    def __init__(self, game: Game, fast: bool = True) -> None:
        self.game, self.fast, self.why_slow = game, None, "it was asked for"
        self._levels: dict[str, Level] = {}
        self._choosers: dict[str, Chooser] = {}
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
        first: int = 0,
    ) -> Tallied:
        """Play games `first` to `first + games - 1` of a seed from a position.

        `levels` says who plays at each seat, or for all. With a `face` the roll has been made.
        """
        by_seat = {s: levels if isinstance(levels, str) else levels[s] for s in self.game.order}
        if self.fast is not None:
            try:
                return self._fast(position, by_seat, seed, games, face, first)
            except NoFastFormError:
                pass  # this position is too odd for it
        return self._slow(position, by_seat, seed, games, face, first)

    def _fast(
        self,
        position: Position,
        levels: Mapping[int, str],
        seed: int,
        games: int,
        face: int | None,
        first: int,
    ) -> Tallied:
        assert self.fast is not None
        names = tuple(dict.fromkeys(levels.values()))
        array = (Level * len(names))(*(self._level(name) for name in names))
        seats = bytes(names.index(levels.get(seat, names[0])) for seat in range(SEATS))
        tally = Tally()
        self.fast.play_outs(
            position, face or 0, array, seats, seed, first, games, MOST_ROLLS, tally
        )
        found = {
            field.name: value
            if isinstance(value := getattr(tally, field.name), int)
            else tuple(value)
            for field in fields(Tallied)
        }
        return Tallied(**found)  # type: ignore[arg-type]

    def _level(self, name: str) -> Level:
        if name not in self._levels:
            numbers = weights(self.game, name)
            made = Level(danger=numbers.danger, chase=numbers.chase, random=numbers.random)
            made.own[: len(numbers.own)] = numbers.own
            made.theirs[: len(numbers.theirs)] = numbers.theirs
            self._levels[name] = made
        return self._levels[name]

    def chooser(self, name: str) -> Chooser:
        """How a level chooses in this game."""
        if name not in self._choosers:
            self._choosers[name] = Chooser(self.game, name)
        return self._choosers[name]

    def _slow(
        self,
        position: Position,
        levels: Mapping[int, str],
        seed: int,
        games: int,
        face: int | None,
        first: int,
    ) -> Tallied:
        choosers = {seat: self.chooser(name) for seat, name in levels.items()}
        unfinished = rolls = 0
        wins, places, squares = [0] * SEATS, [0] * SEATS, [0] * SEATS
        for number in range(first, first + games):
            end, made = play_out(position, choosers, Stream(seed, number), face)
            rolls += made
            if end is None:
                unfinished += 1
                continue
            for player, twice in enumerate(places_twice(end)):
                wins[player] += twice == 2
                places[player] += twice
                squares[player] += twice * twice
        return Tallied(games, unfinished, rolls, tuple(wins), tuple(places), tuple(squares))


def play_out(
    position: Position, choosers: Mapping[int, Chooser], chance: Stream, face: int | None = None
) -> tuple[Position | None, int]:
    """One game from here to its end, and how many rolls it took; None if it came to none."""
    here, made = position, 0
    game = position.game
    while here.seat != NOBODY:
        if made == MOST_ROLLS:
            return None, made
        rolled = here.due or face or chance.draw(6) + 1
        _, here = choosers[here.seat].choose(here, game.legal_moves(here, rolled), chance)
        face, made = None, made + 1
    return here, made


def places_twice(position: Position) -> tuple[int, ...]:
    """Twice the place of each player at the end; who has none shares what is left."""
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

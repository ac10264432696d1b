"""Who was lucky, and who gave chances away: a game taken apart so that the sums close.

Every position of the game is valued once, by play-outs in which all play as the fox does (exactly,
where its ending is known). A roll changes the chances from those of the position to those after the
fox's move with that roll: that is luck. The move that was really made may leave other chances than
the fox's: what is missing was given away (what is more was found beyond the fox, and counts
against it). The position after the move is the one before the next roll, with the same value, so
luck and play add up from the first chances to the last ones, whatever the errors of the values are.

Luck has no drift: the value of a position is the mean over its rolls, by what a play-out is. And no
best of several noisy values is ever taken, which would make everybody seem to give something away:
the fox's move is chosen by its own weights, before anything is valued. Who plays as the fox does
gives away nothing at all.

All positions are played out with the same dice, seat by seat and roll by roll (see `chance.py`). So
what their values have in common cancels out in a sum of differences, and the error of a sum is
reckoned from the sum of every six play-outs, not from the errors of its parts.

Rulings and penalties are accounts of their own. After the first winner there is nothing left to
win: from there on ranks are counted, in the same way. A game that was ended early counts what it
was worth then. What was taken back did not happen.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot, sqrt
from typing import NamedTuple
from zlib import crc32

from companion.odds.chance import NOTHING_ROLLED, Chance, mixed
from companion.odds.chances import Estimate, colours_of, odds
from companion.odds.ends import Ends
from companion.odds.players import chooser
from companion.odds.playouts import PlayOuts, play_outs
from companion.rules import AnyMove, Game, Position
from companion.rules.history import End, Ruling, Seat, TakeBack
from companion.rules.levels import STRONGEST
from companion.rules.records import Record

GAMES = 1_000
FEWEST = 24
"""Play-outs of a position below which nobody can say how far off a sum of their values is."""
ACCOUNTS = ("own_luck", "others_luck", "given_away", "others_gave", "rulings", "penalties")


class Happened(NamedTuple):
    """One thing of a game that stands: where, what (a move or a ruling), and where it led."""

    number: int
    before: Position
    event: AnyMove | Ruling
    after: Position
    box: Mapping[str, str] = {}
    """The seats that players of the box held then, with their levels."""


def what_stands(record: Record) -> list[Happened]:
    """The moves and rulings of a record that were not taken back."""
    here = record.game.start(record.begins)
    found: list[Happened] = []
    box: dict[str, str] = {}
    for number, event in enumerate(record.events, 1):
        if isinstance(event, TakeBack):
            here = found.pop().before
        elif isinstance(event, Seat):
            box = {colour: level for colour, level in box.items() if colour != event.colour}
            box |= {event.colour: event.level} if event.level is not None else {}
        elif not isinstance(event, End):
            after = event.position if isinstance(event, Ruling) else here.game.play(here, event)
            found.append(Happened(number, here, event, after, box))
            here = after
    return found


# -- accounts ------------------------------------------------------------------------------


Valued = tuple[tuple[float, ...], ...]
"""A position's value for each player, in every six play-outs."""


class Sum:
    """A sum of differences of values, kept for every six play-outs."""

    def __init__(self) -> None:
        self._sixes: list[float] = []

    def add(self, plus: Valued, minus: Valued, player: int) -> None:
        """Add the difference of two values."""
        pairs = zip(plus[player], minus[player], strict=True)
        changes = [more - less for more, less in pairs]
        before = self._sixes or [0.0] * len(changes)
        self._sixes = [one + change for one, change in zip(before, changes, strict=True)]

    @property
    def estimate(self) -> Estimate:
        return mean(self._sixes) if self._sixes else Estimate(0.0)


def mean(sixes: Sequence[float]) -> Estimate:
    """The mean of what was found in every six play-outs, and its standard error.

    A few tell that badly, so it is taken a little larger (as Student's is).
    """
    many = len(sixes)
    middle = sum(sixes) / many
    spread = sum((one - middle) ** 2 for one in sixes) / max(1, many - 3)
    return Estimate(middle, sqrt(spread / many))


@dataclass(frozen=True)
class Account:
    """Where one player's chances went: first + luck - given away and so on = last."""

    first: float
    last: float
    own_luck: Estimate
    others_luck: Estimate
    given_away: Estimate
    others_gave: Estimate
    rulings: Estimate
    penalties: Estimate

    @property
    def unexplained(self) -> float:
        """What the sums leave over; nothing, but for rounding."""
        told = self.own_luck.value + self.others_luck.value - self.given_away.value
        told += self.others_gave.value + self.rulings.value + self.penalties.value
        return self.last - self.first - told


Holder = tuple[str, str | None]
"""A colour, and the level of the box's player who held its seat; None: a person did."""


class Credit(NamedTuple):
    """What came of somebody's own rolls and moves while holding a seat."""

    luck: Estimate
    given_away: Estimate


@dataclass(frozen=True)
class Moment:
    """A roll or a move that changed much: whose, at which event, by how much of the own chances."""

    number: int
    move: AnyMove
    colour: str
    change: Estimate
    instead: AnyMove | None = None


@dataclass(frozen=True)
class Analysis:
    """What a game was made of, by the colour of each player's seat.

    `chances` has each player's chance after every event that stands, the first before any.
    """

    game: Game
    accounts: dict[str, Account]
    ranks: dict[str, Account]
    best_roll: Moment | None
    worst_move: Moment | None
    chances: tuple[tuple[int, dict[str, float]], ...]
    games: int
    why_slow: str
    credits: dict[Holder, Credit]

    @property
    def luckiest(self) -> str | None:
        """Whose own rolls gave most; None if that is within twice the error of what the next one's
        gave."""
        told = {colour: account.own_luck for colour, account in self.accounts.items()}
        best, *others = sorted(told, key=lambda colour: -told[colour].value)
        clear = all(_is_more(told[best], told[colour]) for colour in others)
        return best if clear else None


def _is_more(one: Estimate, other: Estimate) -> bool:
    """Whether a value is larger than another by more than twice the error of the difference."""
    return one.value - other.value > 2 * hypot(one.error, other.error)


@dataclass
class _Books:
    """The accounts while they are kept, one of each kind for every player."""

    players: int
    sums: list[dict[str, Sum]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sums = [{name: Sum() for name in ACCOUNTS} for _ in range(self.players)]

    def enter(self, names: Callable[[int], str], plus: Valued, minus: Valued) -> None:
        """Enter a change for everybody, each under the name that it has for that player."""
        for player in range(self.players):
            name = names(player)
            if name == "given_away":  # what is missing counts there
                self.sums[player][name].add(minus, plus, player)
            else:
                self.sums[player][name].add(plus, minus, player)

    def closed(self, colours: list[str], first: Valued, last: Valued) -> dict[str, Account]:
        return {
            colour: Account(
                mean(first[player]).value,
                mean(last[player]).value,
                **{name: one.estimate for name, one in self.sums[player].items()},
            )
            for player, colour in enumerate(colours)
        }


# -- the analysis --------------------------------------------------------------------------


class Analyst:
    """Takes one record apart; `told` hears how many of how many events are done."""

    def __init__(
        self,
        record: Record,
        seed: int,
        games: int = GAMES,
        played: PlayOuts | None = None,
        ends: Ends | None = None,
    ) -> None:
        # Every game has dice of its own: what is off in one start is not off in all of them.
        self.record, self.ends = record, ends
        stands = " ".join(str(one.event) for one in what_stands(record))
        self.seed = mixed(seed, crc32(stands.encode()))
        self.played = played or play_outs(record.game)
        self.games = max(FEWEST, self.played.affordable(games))
        self._fox = chooser(record.game, STRONGEST)
        self._known: dict[Position, tuple[Valued, Valued]] = {}
        self._rolled: dict[Position, tuple[int, ...]] = {}
        self._credits: dict[Holder, tuple[Sum, Sum]] = {}
        self._best: Moment | None = None
        self._worst: Moment | None = None

    def analysis(self, told: Callable[[int, int], None] = lambda done, of: None) -> Analysis:
        """The whole game."""
        events = what_stands(self.record)
        game, start = self.record.game, self.record.game.start(self.record.begins)
        self._colours = colours_of(start)
        winning, ranking = _Books(len(game.players)), _Books(len(game.players))
        chances = [(0, self._chances(start))]
        split: Position | None = None
        last = start
        rolled = list(NOTHING_ROLLED)
        for done, one in enumerate(events, 1):
            if not isinstance(one.event, Ruling) and not one.before.due:
                rolled[one.before.seat] += 1
            self._rolled.setdefault(one.after, tuple(rolled))
            decided = bool(one.before.ranking) and not game.first_wins
            split = one.before if decided and split is None else split
            self._enter(ranking if decided else winning, one, decided)
            chances.append((one.number, self._chances(one.after)))
            last = one.after
            told(done, len(events))
        end = last if split is None else split
        ranks = {}
        if split is not None:
            ranks = ranking.closed(
                self._colours, self._valued(split, True), self._valued(last, True)
            )
        return Analysis(
            game,
            winning.closed(self._colours, self._valued(start), self._valued(end)),
            ranks,
            self._best,
            self._worst,
            tuple(chances),
            self.games,
            self.played.why_slow,
            {
                holder: Credit(luck.estimate, gave.estimate)
                for holder, (luck, gave) in self._credits.items()
            },
        )

    def _chances(self, position: Position) -> dict[str, float]:
        values = self._valued(position)
        return {colour: mean(one).value for colour, one in zip(self._colours, values, strict=True)}

    def _valued(self, position: Position, ranks: bool = False) -> Valued:
        """The value of a position, reckoned once; the mean rank, or the chance to win."""
        if position not in self._known:
            self._known[position] = self._reckoned(position)
        return self._known[position][ranks]

    def _reckoned(self, position: Position) -> tuple[Valued, Valued]:
        """Chances to win and mean ranks."""
        exact = position.over or (self.ends is not None and self.ends.covers(position))
        if exact:
            told, many = odds(position, 0, ends=self.ends), -(-self.games // 6)
            win, rank = ([[one.value] * many for one in t.values()] for t in (told.win, told.rank))
        else:
            rolled, seed = self._rolled.get(position, NOTHING_ROLLED), self.seed
            counted = self.played.run(position, STRONGEST, seed, self.games, None, rolled)
            win = [[six / 6 for six in sixes] for sixes in counted.wins]
            rank = [[six / 12 for six in sixes] for sixes in counted.ranks]
        return tuple(map(tuple, win)), tuple(map(tuple, rank))

    def _enter(self, books: _Books, one: Happened, ranks: bool) -> None:
        before, after = self._valued(one.before, ranks), self._valued(one.after, ranks)
        mover = self._player(one.before.seat)
        if isinstance(one.event, Ruling):
            books.enter(lambda player: "rulings", after, before)
            return
        foxy = self._foxs(one.before, one.event)
        led = one.after if foxy == one.event else one.before.game.play(one.before, foxy)
        self._rolled.setdefault(led, self._rolled[one.after])
        rolled = self._valued(led, ranks)
        books.enter(lambda p: "own_luck" if p == mover else "others_luck", rolled, before)
        luck, gave = self._credits.setdefault(self._holder(one), (Sum(), Sum()))
        if not ranks:
            luck.add(rolled, before, mover)
            self._best = _larger(self._best, self._moment(one, rolled, before))
        if foxy == one.event:
            return
        if self._is_penalty(one):
            books.enter(lambda player: "penalties", after, rolled)
            return
        books.enter(lambda p: "given_away" if p == mover else "others_gave", after, rolled)
        if not ranks:
            gave.add(rolled, after, mover)
            self._worst = _larger(self._worst, self._moment(one, rolled, after, foxy))

    def _holder(self, one: Happened) -> Holder:
        """Whose roll and move it was: play is credited to who held the seat."""
        player = self._player(one.before.seat)
        colours = [self.record.game.colours[seat] for seat in self.record.game.players[player]]
        level = next((one.box[colour] for colour in colours if colour in one.box), None)
        return self._colours[player], level

    def _player(self, seat: int) -> int:
        return next(n for n, player in enumerate(self.record.game.players) if seat in player)

    def _foxs(self, before: Position, made: AnyMove) -> AnyMove:
        """The fox's move with that roll; the move made, if the fox likes it as well."""
        moves = before.game.legal_moves(before, made.face)
        if len(moves) == 1:
            return moves[0]
        if self.ends is not None and self.ends.covers(before):
            best, value, _ = self.ends.best(before, moves)
            _, own, _ = self.ends.best(before, [made])
            return made if own == value else best
        play = before.game.play
        worths = {move: self._fox.worth(play(before, move), before.seat) for move in moves}
        if worths[made] == max(worths.values()):
            return made
        move, _ = self._fox.choose(before, moves, Chance(self.seed, 0))
        return move

    @staticmethod
    def _is_penalty(one: Happened) -> bool:
        assert not isinstance(one.event, Ruling)
        told = one.before.game.outcome(one.before, one.event).happenings
        return any(happening.what == "penalty" for happening in told)

    def _moment(
        self, one: Happened, plus: Valued, minus: Valued, instead: AnyMove | None = None
    ) -> Moment:
        """What a roll or a move changed for the player who made it."""
        player = self._player(one.before.seat)
        change = Sum()
        change.add(plus, minus, player)
        assert not isinstance(one.event, Ruling)
        return Moment(one.number, one.event, self._colours[player], change.estimate, instead)


def _larger(one: Moment | None, other: Moment) -> Moment:
    return other if one is None or other.change.value > one.change.value else one


def analyse(
    record: Record,
    seed: int,
    games: int = GAMES,
    ends: Ends | None = None,
    told: Callable[[int, int], None] = lambda done, of: None,
) -> Analysis:
    """Take a game apart."""
    return Analyst(record, seed, games, ends=ends).analysis(told)

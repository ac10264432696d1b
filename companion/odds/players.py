"""The box's players: four levels, named after animals so that a child knows what to expect.

The butterfly flutters: any legal move. The hare runs with its front piece. The cat captures
whenever it can, and runs else. The fox weighs: how far its pieces have come, what it takes from the
others, and how likely each of its pieces is to be captured before its next turn.

A level is nothing but numbers: what a piece is worth by its progress, to its owner and to the
others, and how much danger and prey count. `worth` says what a position is worth after a move, and
a player makes the move that is worth most; equal ones are drawn from. `kernel.c` does the same with
the same whole numbers, so a play-out is the same game in both.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from companion.odds.chance import Chance
from companion.odds.dangers import exposed, slot, threats, two_are_safe
from companion.rules import AnyMove, Game, Position
from companion.rules.boards import BASE
from companion.rules.cards import FULL, STACKS
from companion.rules.levels import known_level

SCALE = 64


@dataclass(frozen=True)
class Weights:
    """What pieces are worth to a player: `own` and `theirs` by slot; danger and prey."""

    own: tuple[int, ...]
    theirs: tuple[int, ...]
    danger: int = 0
    chase: int = 0
    random: bool = False


def weights(game: Game, level: str) -> Weights:
    """The numbers of a level in a game."""
    known_level(level)
    if level == "butterfly":
        nothing = _by_slot(game, lambda gone, home: 0)
        return Weights(nothing, nothing, random=True)
    if game.walked is None:
        return _with_cards(game, level)
    run = _by_slot(game, lambda gone, home: gone * gone)
    if level == "hare":
        return Weights(run, _by_slot(game, lambda gone, home: 0))
    if level == "cat":
        return Weights(run, _by_slot(game, lambda gone, home: 100_000 + gone * gone if gone else 0))
    return Weights(_by_slot(game, _own), _by_slot(game, _theirs), danger=6, chase=2)


# The fox's numbers were found by play: each was varied in turn, some thousand games of `german` or
# `cards` against three butterflies at a time, and kept where it won more. See docs/odds.md.


def _own(gone: int, home: bool) -> int:
    return 100 * gone + 3 * gone * gone + 6_000 * home + 500 if gone else 0


def _theirs(gone: int, home: bool) -> int:
    return 100 * gone + 10 * gone * gone + 500 if gone else 0


STACK_WORTH = (3, 5, 20, 80)
"""What a card is worth by its number: few rolls let a four be laid, and any roll lets a one."""


def _with_cards(game: Game, level: str) -> Weights:
    """Laying cards nobody runs: the hare lays high numbers, and the cat builds low stacks first."""
    nothing = _by_slot(game, lambda gone, home: 0)
    if level == "hare":
        return Weights(_stacks(STACKS, lambda height: height), nothing)
    if level == "cat":
        beats = _by_slot(game, lambda gone, home: 100_000 + gone if gone else 0)
        return Weights(_stacks(STACKS, _low_first), beats)
    return Weights(_stacks(STACK_WORTH, _low_first), nothing, danger=2)


def _low_first(height: int) -> int:
    return height * (12 - height)


def _stacks(worths: Sequence[int], value: Callable[[int], int]) -> tuple[int, ...]:
    return tuple(worth * value(height) for worth in worths for height in range(FULL + 1))


def _by_slot(game: Game, value: Callable[[int, bool], int]) -> tuple[int, ...]:
    """A number for each slot, from how far a piece has gone (0 waits) and whether that is home."""
    walked = game.walked
    if walked is None:
        return tuple(value(height, height == FULL) for _ in STACKS for height in range(FULL + 1))
    return tuple(value(at + 1, at >= walked.arrived) for at in range(BASE, walked.last + 1))


@lru_cache(8)
def chooser(game: Game, level: str) -> "Chooser":
    """How a level chooses in a game; what it looks at is asked of the game once."""
    return Chooser(game, level)


class Chooser:
    """How one level chooses in one game, in Python."""

    def __init__(self, game: Game, level: str) -> None:
        self.game, self.weights = game, weights(game, level)
        self._threats = threats(game)
        self._together = two_are_safe(game)
        self._player = {seat: n for n, player in enumerate(game.players) for seat in player}

    def choose(
        self, here: Position, moves: Sequence[AnyMove], chance: Chance
    ) -> tuple[AnyMove, Position]:
        """The move that is worth most, and where it leads."""
        game = self.game
        if len(moves) == 1 or self.weights.random:
            move = moves[chance.draw(len(moves)) if len(moves) > 1 else 0]
            return move, game.play(here, move)
        led = [(move, game.play(here, move)) for move in moves]
        scores = [self.worth(after, here.seat) for _, after in led]
        best = [pair for pair, score in zip(led, scores, strict=True) if score == max(scores)]
        return best[chance.draw(len(best)) if len(best) > 1 else 0]

    def worth(self, position: Position, seat: int) -> int:
        """What a position is worth to the player of a seat who has just moved."""
        mine, found = self._player[seat], 0
        for colour, player in self._player.items():
            own = player == mine
            values = self.weights.own if own else self.weights.theirs
            count = -self.weights.danger if own else self.weights.chase
            pieces = position.pieces[colour]
            for number in range(len(pieces)):
                piece = values[slot(self.game, pieces, number)]
                found += SCALE * piece if own else -SCALE * piece
                if count and exposed(self.game, position, colour, number, self._together):
                    lost = piece - values[self._lowest(number)]
                    hunters = [
                        seat
                        for seat, theirs in enumerate(position.pieces)
                        if theirs and (self._player.get(seat) == mine) != own
                    ]
                    faces = sum(self._faces(position, colour, number, one) for one in hunters)
                    found += count * lost * faces
        return found

    def _lowest(self, number: int) -> int:
        return (FULL + 1) * number if self.game.walked is None else 0

    def _faces(self, position: Position, hunted: int, number: int, hunter: int) -> int:
        """How many faces of one colour's roll capture a piece, with any of its pieces."""
        at = slot(self.game, position.pieces[hunted], number)
        theirs, bits = position.pieces[hunter], 0
        numbers = (number,) if self.game.walked is None else range(len(theirs))
        for other in numbers:
            bits |= self._threats.get((hunted, at, hunter, slot(self.game, theirs, other)), 0)
        return bits.bit_count()

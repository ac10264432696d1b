"""Illegal acts at the card game: which cards are laid against the rules, and which clauses fit.

Every kind is drawn evenly from those that the position lets somebody do.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

from companion.rules import (
    Attempt,
    Hop,
    Lay,
    Position,
    Refused,
    Verdict,
    judge,
    legal_moves,
    play,
)
from companion.rules.cards import STACKS

Framing = tuple[Position, int | None, list[str]]
"""An attempt as `judge` may be asked about it: the position, the roll, the stacks pressed."""


@dataclass
class Wrong:
    """One illegal act: cards laid one after the other, each on the stack that is pressed."""

    kind: str
    cards: list[str] = field(default_factory=list)
    legal_first: Lay | None = None
    """Cards laid before that are legal, where it is the next one that is too much."""
    rolls: bool = False
    """Whether it is the roll after the cards that is wrong."""


def wrongs(position: Position, face: int | None, rng: Random) -> Wrong | None:
    """An illegal act that can be done now, of a kind drawn evenly; None if nothing can be."""
    makers = LAYING if face is not None else WAITING
    for maker in rng.sample(makers, len(makers)):
        found = list(maker(position, face or 0))
        if found:
            return rng.choice(found)
    return None


def verdict(position: Position, face: int | None, cards: Iterable[str]) -> Verdict:
    """What the rules say to cards on these stacks."""
    return judge(position, face, Attempt(tuple(Hop(None, card) for card in cards)))


def lays(position: Position, face: int) -> list[Lay]:
    """What may be laid with a roll."""
    return [one for one in legal_moves(position, face) if isinstance(one, Lay)]


def own_stacks(position: Position) -> list[str]:
    """The four stacks whose turn it is."""
    return [position.game.spot(position.seat, stack) for stack in STACKS]


def other_stacks(position: Position) -> list[str]:
    """Everybody else's stacks."""
    game = position.game
    return [game.spot(s, stack) for s in game.seats if s != position.seat for stack in STACKS]


# -- kinds ---------------------------------------------------------------------------------


def wrong_stack(position: Position, face: int) -> Iterator[Wrong]:
    """One card, on an own stack that takes none with this roll."""
    for card in own_stacks(position):
        if isinstance(verdict(position, face, [card]), Refused):
            yield Wrong("wrong stack", [card])


def foreign_stack(position: Position, face: int) -> Iterator[Wrong]:
    """A card on somebody else's stack."""
    return (Wrong("another player's stack", [card]) for card in other_stacks(position))


def too_many(position: Position, face: int) -> Iterator[Wrong]:
    """Some cards of a legal lay, and then one that does not belong to it."""
    for begun in parts(position, face):
        for card in own_stacks(position):
            if isinstance(verdict(position, face, [*begun, card]), Refused):
                empty = any(not height_of(position, one) for one in (*begun, card))
                yield Wrong("lays out and adds" if empty else "too many", [*begun, card])


def too_few(position: Position, face: int) -> Iterator[Wrong]:
    """Some cards of a legal lay, and then the next player rolls."""
    return (Wrong("too few", begun, rolls=True) for begun in parts(position, face))


def one_more(position: Position, face: int) -> Iterator[Wrong]:
    """A legal lay, and then one card more."""
    for lay in lays(position, face):
        if not play(position, lay).over:
            yield from (
                Wrong("one card more", [card], legal_first=lay) for card in own_stacks(position)
            )


def before_the_roll(position: Position, face: int) -> Iterator[Wrong]:
    """Whose turn it is lays a card without having rolled."""
    return (Wrong("before rolling", [card]) for card in own_stacks(position))


def out_of_turn(position: Position, face: int) -> Iterator[Wrong]:
    """Somebody else lays a card."""
    return (Wrong("out of turn", [card]) for card in other_stacks(position))


Maker = Callable[[Position, int], Iterator[Wrong]]
LAYING: list[Maker] = [wrong_stack, foreign_stack, too_many, too_few, one_more]
WAITING: list[Maker] = [before_the_roll, out_of_turn]


def parts(position: Position, face: int) -> list[list[str]]:
    """Every part of a legal lay that is not the whole of it."""
    stops = [position.game.stops(lay) for lay in lays(position, face)]
    begun = {part for all_ in stops for n in range(1, len(all_)) for part in combinations(all_, n)}
    return [list(part) for part in sorted(begun)]


def height_of(position: Position, card: str) -> int:
    """How high a stack is that is begun by name: `R.3`."""
    game = position.game
    seat, stack = next(
        (seat, stack) for seat in game.seats for stack in STACKS if game.spot(seat, stack) == card
    )
    return position.pieces[seat][stack - 1]


# -- judging -------------------------------------------------------------------------------


def clauses(framings: Iterable[Framing]) -> set[str]:
    """Every clause that `judge` gives for the cards, all of them, the first ones, or each alone.

    Whose stack it is may be the one who lays there.
    """
    found: set[str] = set()
    for position, face, cards in framings:
        firsts = [cards[:count] for count in range(1, len(cards) + 1)]
        for some in (*firsts, *([card] for card in cards)):
            attempt = Attempt(tuple(Hop(None, card) for card in some))
            for by in (None, owner(position, some[-1])):
                said = judge(position, face, attempt, by)
                if isinstance(said, Refused):
                    found |= {refusal.clause for refusal in said.refusals}
    return found


def owner(position: Position, card: str) -> str:
    """Whose stack it is."""
    place = position.game.board.by_name[card]
    assert place.colour is not None
    return place.colour

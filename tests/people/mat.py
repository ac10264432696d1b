"""The mat of the card game as it really is: how many cards lie on each new stack."""

from collections import Counter
from collections.abc import Callable

from companion.rules import Position
from companion.rules.cards import STACKS

Cards = Counter[str]
"""How many cards lie on each new stack, by its name."""


def cards_in(position: Position) -> Cards:
    """How high a position has each stack."""
    game = position.game
    return +Counter(
        {
            game.spot(seat, stack): height
            for seat in game.seats
            for stack, height in zip(STACKS, position.pieces[seat], strict=True)
        }
    )


class Mat:
    """The new stacks as they really lie, apart from what the box believes."""

    def __init__(self) -> None:
        self.heights: Cards = Counter()
        self.beaten: set[str] = set()
        """Beaten stacks whose cards nobody has taken away yet; everybody knows of them."""
        self.sense: Callable[[str, bool], None] = lambda place, on: None

    def on(self) -> frozenset[str]:
        return frozenset()

    def lying(self) -> Cards:
        """What counts, without what is beaten."""
        return +Counter({s: n for s, n in self.heights.items() if s not in self.beaten})

    def is_like(self, position: Position) -> bool:
        return self.lying() == cards_in(position)

    def extra(self, position: Position) -> Cards:
        """The cards that lie where a position has none."""
        return self.lying() - cards_in(position)

    def missing(self, position: Position) -> Cards:
        """The cards that a position has, and that do not lie there."""
        return cards_in(position) - self.lying()

    def astray(self, position: Position) -> str:
        return f"too much {dict(self.extra(position))} missing {dict(self.missing(position))}"

    def set_up(self, position: Position) -> None:
        self.heights, self.beaten = cards_in(position), set()

    def lay(self, stack: str) -> None:
        """One card more; beaten ones are taken away before."""
        self.clear(stack)
        self.heights[stack] += 1

    def clear(self, stack: str) -> None:
        """The cards of a beaten stack go back to its player."""
        if stack in self.beaten:
            self.beaten.remove(stack)
            self.heights[stack] = 0

"""Which game an evening plays: pieces on a board, or cards."""

from random import Random

from companion.rules import SHEETS
from tests.people.cards import CardEvening
from tests.people.evening import Evening
from tests.people.figures import Figures
from tests.people.plans import Rates
from tests.people.sitting import Save


def an_evening(
    seed: str,
    rates: Rates,
    figures: Figures,
    sensing: str = "presence",
    save: Save = lambda section, kind, script: None,
    sheet: str | None = None,
    seats: int | None = None,
    box: int = 0,
) -> Evening | CardEvening:
    """An evening with this sheet, or with any."""
    if sheet is None and is_for_cards(seed, sensing):
        sheet = "cards"
    kind: type[Evening | CardEvening] = CardEvening if sheet == "cards" else Evening
    return kind(seed, rates, figures, sensing, save, sheet, seats, box)


def is_for_cards(seed: str, sensing: str) -> bool:
    """Whether cards are drawn from all sheets; no sensor feels how high a stack is.

    It is drawn apart: whoever does not play cards plays what the seed has always given.
    """
    return sensing != "presence" and Random(f"{seed} cards").randrange(len(SHEETS)) == 0

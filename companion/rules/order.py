"""The order at the table, which every sheet takes for granted: articles O1 to O8.

The card game has no pieces, and says the same of cards.
"""

from companion.rules.articles import Article, Count

_READ = "The sheets take this for granted."


def card_order_articles() -> tuple[Article, ...]:
    """The eight articles where cards are laid instead of pieces moved."""
    return (
        Article("O1", "Only the player whose turn it is rolls and lays cards.", _READ),
        Article("O2", "A roll is made once the last one is played and the cards lie right.", _READ),
        Article("O3", "No card is laid before the roll.", _READ),
        Article("O4", "You lay your own cards only.", _READ),
        Article("O5", "A card comes from the stack with its number.", _READ),
        Article(
            "O6",
            "If you can lay cards, you must. If you cannot, the turn goes on, unless the roll "
            "gives another one.",
            _READ,
        ),
        Article("O7", "One roll, one action: afterwards no more cards are laid.", _READ),
        Article(
            "O8", "The cards laid count exactly as much as the roll, unless the sheet gives more."
        ),
    )


def order_articles(*counts: Count) -> tuple[Article, ...]:
    """The eight articles; `counts` are the sheet's way to count a move (O8)."""
    return (
        Article("O1", "Only the player whose turn it is rolls and moves.", _READ),
        Article(
            "O2", "A roll is made once the last one is played and the pieces stand right.", _READ
        ),
        Article("O3", "No piece moves before the roll.", _READ),
        Article(
            "O4",
            "You move your own pieces only (and the neutral ones, where there are any).",
            _READ,
        ),
        Article("O5", "A move starts where such a piece stands.", _READ),
        Article(
            "O6",
            "If you can move, you must. If nothing can move, nothing is moved and the turn "
            "goes on, unless the roll gives another one.",
            _READ,
        ),
        Article(
            "O7",
            "One roll, one move: a second piece stays where it is, unless the sheet gives more.",
            _READ,
        ),
        Article(
            "O8",
            "A move goes exactly as far as the roll says, unless the sheet gives more; occupied "
            "squares are counted too.",
            counts=counts,
        ),
    )

"""The order at the table, which every sheet takes for granted: articles O1 to O8."""

from companion.rules.articles import Article, Count

_READ = "The sheets take this for granted."


def order_articles(*counts: Count) -> tuple[Article, ...]:
    """The eight articles; `counts` are the sheet's way to count a move (O8)."""
    return (
        Article("O1", "Only the player whose turn it is rolls and moves.", _READ),
        Article("O2", "A roll is played before the next one is made.", _READ),
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

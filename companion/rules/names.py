"""Names that people give, themselves or a sheet: on one line, and short enough to be shown."""

from unicodedata import category

LONGEST_NAME = 20
"""Letters of a player's name, wherever one is asked for; the page's form is told."""


def plain_name(name: str) -> str:
    """A name on one line, without what steers a terminal or breaks a picture (ESC, for one)."""
    return " ".join("".join(filter(_is_shown, name)).split())


def _is_shown(one: str) -> bool:
    if one.isspace() or one in "\u200c\u200d":  # joiners within a word or an emoji
        return True
    return category(one) not in ("Cc", "Cf", "Cs") and ord(one) & 0xFFFE != 0xFFFE

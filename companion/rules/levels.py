"""The players of the box by their names; how well each plays is in `odds/players.py`."""

from collections.abc import Collection

from companion.rules.errors import BadInput

LEVELS = ("butterfly", "hare", "cat", "fox")
"""From any legal move to weighing what each one is worth."""
STRONGEST = LEVELS[-1]


def known_level(name: str) -> str:
    """The name of a level; raises BadInput with those there are."""
    if name not in LEVELS:
        raise BadInput(f"there is no player {name!r}: choose from {', '.join(LEVELS)}")
    return name


def check_seat(colour: str, level: str | None, seats: Collection[str]) -> None:
    """Raises BadInput if nobody sits there, or there is no such player."""
    if colour not in seats:
        raise BadInput(f"nobody sits at {colour!r}: there are {', '.join(seats)}")
    if level is not None:
        known_level(level)

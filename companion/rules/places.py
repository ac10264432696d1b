"""What the name of a place says: `12` on the track, `R.B` and `R.B2` in a base, `R.b` on a finish.

The four places of a base or a home are one *spot*, `R.B`: pieces there are interchangeable.
"""

from companion.rules.boards import letter


def part_of(name: str) -> str:
    """A place without whose it is: `B2` of `R.B2`, `b` of `R.b`, and `12` of `12`."""
    return name.partition(".")[2] or name


def is_base(name: str) -> bool:
    """Whether this is a base, or a place in one."""
    return name.partition(".")[2][:1] == "B"


def is_home(name: str) -> bool:
    """Whether this is a home, or a place in one."""
    return name.partition(".")[2][:1] == "H"


def is_apart(name: str) -> bool:
    """Whether this is a base or a home: no place on which a single piece stands."""
    return is_base(name) or is_home(name)


def whose(name: str) -> str:
    """The letter of the colour that a place belongs to; empty on the track."""
    owner, dot, _ = name.partition(".")
    return owner if dot else ""


def is_of(name: str, colour: str) -> bool:
    """Whether a place is on the track, or belongs to this colour."""
    return whose(name) in ("", letter(colour))


def number_in(name: str) -> str:
    """Which of the places of a base or home this is: `2` of `R.B2`; others are as `part_of`."""
    return part_of(name)[1:] if is_apart(name) else part_of(name)


def spot_of(name: str) -> str:
    """The spot that a place belongs to: `R.B` of `R.B2`."""
    return f"{whose(name)}.{part_of(name)[0]}" if is_apart(name) else name


def base_of(colour: str) -> str:
    """The spot of a colour's base."""
    return f"{letter(colour)}.B"

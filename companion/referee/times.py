"""How long the referee waits: all its patience in one place, in seconds."""

from typing import NamedTuple

from companion.flicker import BOUNCE, CHANGES, WITHIN


class Times(NamedTuple):
    """Waiting times. They are arguments, so that tests and families can choose others."""

    settle: float = 0.5
    """The board has to be quiet this long before it is looked at."""
    passing: float = 1.4
    """A piece that stands on its way may still be sliding on."""
    patience: float = 4.0
    """After this the players are told what is missing."""
    snapshot: float = 2.1
    """By then the board has told once more all that stands on it: it does so every two seconds."""
    push: float = 0.25
    """Who is on the next square within this time was pushed there, not carried."""
    knock: float = 0.05
    """Several pieces that lose contact within this time were not lifted: the table was knocked."""
    carry: float = 1.0
    """Who took longer than this to the next square was carried there, not pushed."""
    hidden: float = 10.0
    """After this a piece that belongs onto another, unseen, is assumed to be there; before that
    nobody is asked, since it may well be in a thinking hand."""
    again: float = 60.0
    """After this a hint is said once more, and then never again."""
    draw: float = 1.5
    """The board has to be quiet this long before a player of the box rolls."""
    capture: float = 2.5
    """Whoever presses a piece that may be captured, to send it home, presses its base by then."""
    press: float = 0.25
    """A second press of the same button within this time is bounce."""
    flicker: float = WITHIN
    """A sensor that changes `flickers` times within this time is set aside."""
    flickers: int = CHANGES
    bounce: float = BOUNCE
    """Changes closer together than this are one contact bouncing."""

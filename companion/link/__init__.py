"""The serial line between the box and its microcontrollers: codec and link state, no I/O.

The codec itself is `firmware/line.py`: the one file that both ends run.
"""

from companion.link.link import Counters, Link, Taken
from companion.link.news import (
    Down,
    Fumble,
    Hello,
    Incompatible,
    Key,
    Keys,
    News,
    Roll,
    RollBegun,
    Up,
)

__all__ = [
    "Counters",
    "Down",
    "Fumble",
    "Hello",
    "Incompatible",
    "Key",
    "Keys",
    "Link",
    "News",
    "Roll",
    "RollBegun",
    "Taken",
    "Up",
]

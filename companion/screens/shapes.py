"""The shape of every colour, by which screens and page tell colours apart, and its sign in a text.

Letters would not do: the K of black and the Y of yellow are English, and stay on boards and in
records, which are the same in every language.
"""

from companion.rules.boards import letter
from companion.rules.places import whose

SHAPE_OF = {"red": 0, "green": 1, "yellow": 2, "blue": 3, "black": 3}
"""A colour's shape, a number in `SIGNS`: block, frame, plus, cross. The same on every board, for
the printed pawns have them too; no board has both blue and black."""
SIGNS = "■□✚✕"
"""The shapes in a line of text; the small screen draws them in `letters.py`."""


def sign(colour: str) -> str:
    """The sign of a colour."""
    return SIGNS[SHAPE_OF[colour]]


def sign_of(place: str) -> str:
    """The sign of the colour to which a place belongs; empty on the track."""
    owner = whose(place)
    return next((sign(colour) for colour in SHAPE_OF if letter(colour) == owner), "")

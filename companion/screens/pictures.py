"""From a view to a picture: a pure function, and what it needs to know about time."""

from collections.abc import Callable

from PIL import Image

from companion.referee import View
from companion.screens import play, rest, trouble
from companion.screens.drawing import BEAT, Drawing

_SCREENS: dict[str, Callable[[Drawing], None]] = {
    "idle": rest.idle,
    "menu": rest.menu,
    "setting": trouble.set_up,
    "opening": play.roll,
    "roll": play.roll,
    "move": play.move,
    "ask": play.ask,
    "illegal": trouble.illegal,
    "restore": trouble.put_right,
    "penalty": trouble.put_right,
    "paused": rest.paused,
    "over": rest.over,
}


def drawn(view: View, seconds: float = 0.0, code: str | None = None) -> Drawing:
    """The drawing of a view, with the marks that tests look at."""
    drawing = Drawing(view, seconds, code)
    _SCREENS[view.phase](drawing)
    return drawing


def picture(view: View, seconds: float = 0.0, code: str | None = None) -> Image.Image:
    """The 128x64 picture of a view, so many seconds after it was first shown.

    A view of a player's phone shows the `code` with which it takes its seat.
    """
    return drawn(view, seconds, code).canvas.image


def blinks(view: View) -> bool:
    """Whether the picture of a view changes by itself, at every `BEAT` at most."""
    return drawn(view).changes


def next_beat(seconds: float) -> float:
    """When the next picture of a view that blinks is due."""
    return (int(seconds / BEAT) + 1) * BEAT

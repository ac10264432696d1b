"""From a view to a picture: a pure function, and what it needs to know about time."""

from collections.abc import Callable

from PIL import Image

from companion.referee import View
from companion.screens import play, rest, trouble
from companion.screens.drawing import BEAT, Drawing

WATCHED = "watched"
"""Where a picture has the one for those who only watch along."""

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

    A view of a player's phone shows the `code` with which it takes its seat. What not everybody
    may see has the picture `for_watchers` along, which stays with it when it is turned.
    """
    image = drawn(view, seconds, code).canvas.image
    other = for_watchers(view, seconds)
    if other is not None:
        image.info[WATCHED] = other
    return image


def for_watchers(view: View, seconds: float = 0.0) -> Image.Image | None:
    """The picture for those who only watch, where it is another one: without code and PIN."""
    if view.phase != "menu" or view.title.partition(":")[0] not in ("phone", "phones"):
        return None
    drawing = Drawing(view, seconds, watched=True)
    rest.menu(drawing)
    return drawing.canvas.image


def blinks(view: View) -> bool:
    """Whether the picture of a view changes by itself, at every `BEAT` at most."""
    return drawn(view).changes


def next_beat(seconds: float) -> float:
    """When the next picture of a view that blinks is due."""
    return (int(seconds / BEAT) + 1) * BEAT

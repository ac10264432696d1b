"""The simulated table: board, die, buttons, screen and sounder, moved by code instead of hands.

They follow the same protocols as the real ones and run under the same contract tests, so
everything above cannot tell them apart. All are used in the event loop's thread.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.events import (
    Button,
    Cell,
    Event,
    Found,
    Lost,
    Pressed,
    Reading,
    Rolled,
    Rolling,
    Snapshot,
)
from companion.table import Emit, check_lights
from companion.table.die import Entropy, draw

if TYPE_CHECKING:
    from PIL.Image import Image


class _Simulated:
    """What every simulated source has: it can be plugged, unplugged, started and closed."""

    def __init__(self, name: str, what: str) -> None:
        self.name = name
        self._what = what
        self._emit: Emit | None = None
        self._plugged = True

    def start(self, emit: Emit) -> None:
        """Begin to report."""
        self._emit = emit
        if self._plugged:
            self._found()
        else:
            emit(Lost(self.name, "it is not plugged in"))

    def close(self) -> None:
        """Stop reporting; may be called twice."""
        self._emit = None

    def unplug(self) -> None:
        """Pull the plug: reported once, and nothing more until it is plugged in again."""
        if self._plugged:
            self._tell(Lost(self.name, "it was unplugged"))
            self._plugged = False

    def plug(self) -> None:
        """Plug it in (again)."""
        if not self._plugged:
            self._plugged = True
            self._found()

    def _found(self) -> None:
        self._tell(Found(self.name, self._what))

    def _tell(self, event: Event) -> None:
        if self._emit is not None and self._plugged:
            self._emit(event)


class SimBoard(_Simulated):
    """A board of places on which pieces (or fingers) can be put; keeps what is lit.

    Like a real one it has a matrix, in which the places are wired in their order.
    """

    def __init__(
        self,
        places: Iterable[str],
        on: Iterable[str] = (),
        name: str = "board",
        columns: int = 16,
    ) -> None:
        self.places = tuple(places)
        super().__init__(name, f"{len(self.places)} simulated places")
        self.wiring = {place: divmod(n, columns) for n, place in enumerate(self.places)}
        self.on_cell: Callable[[int, int, bool], None] | None = None
        self.on = {self._known(place) for place in on}
        self.lit: dict[str, str] = {}
        self.noise: dict[str, int] = {}

    def put(self, place: str) -> None:
        """A piece is put down, or a button pressed. On an occupied place nothing is sensed."""
        if self._known(place) not in self.on:
            self.on.add(place)
            self._sense(place, True)

    def take(self, place: str) -> None:
        """The last piece is lifted off, or the button let go."""
        if self._known(place) in self.on:
            self.on.remove(place)
            self._sense(place, False)

    @property
    def size(self) -> tuple[int, int]:
        """It has as many rows and columns as somebody needs."""
        return 0, 0

    @property
    def unreachable(self) -> dict[str, Cell]:
        """Everything is in reach."""
        return {}

    @property
    def cells(self) -> frozenset[Cell]:
        """Every closed cell of the matrix."""
        return frozenset(self.wiring[place] for place in self.on)

    def _sense(self, place: str, on: bool) -> None:
        if self.on_cell is not None and self._emit is not None and self._plugged:
            self.on_cell(*self.wiring[place], on)
        self._tell(Reading(place, on))

    def light(self, places: Mapping[str, str]) -> None:
        """Light these places; all others go dark."""
        check_lights(places)
        self.lit = {self._known(place): how for place, how in places.items()}

    def light_cells(self, cells: Mapping[Cell, str]) -> None:
        """Light these cells of the matrix."""
        at = {cell: place for place, cell in self.wiring.items()}
        self.light({at[cell]: how for cell, how in cells.items() if cell in at})

    def _found(self) -> None:
        super()._found()
        self._tell(Snapshot(frozenset(self.on)))

    def _known(self, place: str) -> str:
        if place not in self.places:
            raise ValueError(f"there is no place {place!r} on this board")
        return place


class SimDie(_Simulated):
    """A die that is thrown by code, with a chosen face or a drawn one; keeps what it shows."""

    def __init__(self, entropy: Entropy, number: int = 0, name: str = "die") -> None:
        super().__init__(name, "a simulated die")
        self._entropy = entropy
        self._number = number
        self._face: int | None = None

    @property
    def shown(self) -> int | None:
        """The face it shows; unplugged it is dark."""
        return self._face if self._plugged else None

    def throw(self, face: int | None = None) -> int:
        """Throw it; a face may be given. Returns the face."""
        source = "box" if face is None else "page"
        if face is None:
            face = draw(self._entropy)
        elif not 1 <= face <= 6:
            raise ValueError(f"a die has the faces 1 to 6, not {face}")
        self._number += 1
        self._face = face
        self._tell(Rolling())
        self._tell(Rolled(self._number, face, source))
        return face

    @property
    def down(self) -> frozenset[str]:
        """It has no button that could be held."""
        return frozenset()

    def faces(self, names: Sequence[str]) -> None:
        """It shows no pictures."""

    def confirm(self, number: int) -> None:
        """It tells a roll once: nothing is to be forgotten."""

    def show(self, face: int | None) -> None:
        """Show a face, or nothing, until the next throw."""
        self._face = face


class SimButtons(_Simulated):
    """The three buttons of the box."""

    down: frozenset[Button] = frozenset()

    def __init__(self, name: str = "buttons") -> None:
        super().__init__(name, "simulated buttons")

    def read(self) -> frozenset[Button]:
        """Which are down, before it was started."""
        return self.down

    def press(self, button: Button, held: bool = False) -> None:
        """Press a button, or hold it."""
        self._tell(Pressed(button, held))


class SimDisplay:
    """Keeps the last picture; unplugged, it fails as a real panel does."""

    def __init__(self) -> None:
        self.image: Image | None = None
        self.level = 255
        self._given: Image | None = None
        self._plugged = True
        self._forgot = False  # without anybody having noticed

    def show(self, image: "Image") -> None:
        """Show a 128x64 one-bit picture. Raises OSError while unplugged."""
        if image.size != (128, 64) or image.mode != "1":
            raise ValueError(f"the OLED shows 128x64 pictures of mode '1', not {image}")
        self._check()
        self._given = image.copy()
        if not self._forgot:
            self.image = self._given

    def contrast(self, level: int) -> None:
        """Brightness from 0 to 255; 0 switches it off. Raises OSError while unplugged."""
        if not 0 <= level <= 255:
            raise ValueError(f"the OLED's brightness goes from 0 to 255, not {level}")
        self._check()
        self.level = level

    def renew(self) -> None:
        """Show the same again. Raises OSError while unplugged."""
        self._check()
        self._forgot = False
        self.image = self._given

    def close(self) -> None:
        """Blank the screen; may be called twice."""
        self.image = None

    def unplug(self) -> None:
        """Pull the wires off: it is dark, and will not know how it was set up."""
        self._plugged, self._forgot = False, True
        self.image = None

    def plug(self) -> None:
        """Put the wires on."""
        self._plugged = True

    def _check(self) -> None:
        if not self._plugged:
            self._forgot = False  # now it is known, and will be set up again
            raise OSError("the simulated OLED is unplugged")


class SimSounder:
    """Keeps what was played and which lamps are on."""

    def __init__(self) -> None:
        self.played: list[tuple[tuple[float, float], ...]] = []
        self.lamps = {"good": False, "bad": False}
        self.share = 1.0

    def volume(self, share: float) -> None:
        """Remember how loud tones are from now on, from 0 to 1."""
        if not 0 <= share <= 1:
            raise ValueError(f"the volume goes from 0 to 1, not {share}")
        self.share = share

    def play(self, pattern: tuple[tuple[float, float], ...]) -> None:
        """Remember a pattern of (hertz, seconds)."""
        self.played.append(tuple(pattern))

    def lamp(self, name: str, on: bool) -> None:
        """Switch a status light."""
        if name not in self.lamps:
            raise ValueError(f"there is no lamp {name!r}, only good and bad")
        self.lamps[name] = on

    def close(self) -> None:
        """Be silent and dark; may be called twice."""
        self.lamps = dict.fromkeys(self.lamps, False)

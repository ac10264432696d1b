"""A board on the bench: what hands do to it, told to whoever shows it."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from companion.bench.health import Health
from companion.bench.lesson import Lesson, Remark
from companion.bench.wires import Line, dead_lines, whole_lines
from companion.defaults import DEFAULTS
from companion.events import Cell, Event, Found, Fumbled, Lost, Pressed, Reading, Rolled, Snapshot
from companion.languages import LANGUAGES
from companion.rules.boards import BOARDS, Place

Mode = Literal["watch", "learn", "menu"]
Kept = Literal["written", "later", "forbidden", "simulated"]
Cue = Literal["seen", "learned", "wrong"]

MENU = ("watch", "learn", "again", "language", "end")
LAST = 4
"""Things that happened last, as many as a screen has room for."""


class Wish(NamedTuple):
    """What a page may ask for, as a person at the box may with its buttons."""

    do: Literal["watch", "learn", "again", "skip", "back", "end", "language"]
    value: str = ""


class Scene(NamedTuple):
    """Everything there is to be seen now; equal scenes look alike."""

    mode: Mode
    board: str
    sensing: str
    on: frozenset[str] = frozenset()
    seen: frozenset[str] = frozenset()
    wired: frozenset[str] = frozenset()
    missing: tuple[str, ...] = ()
    flickering: tuple[str, ...] = ()
    unmoved: tuple[str, ...] = ()
    """Places that have been on since the test began."""
    lines: tuple[Line, ...] = ()
    """Rows and columns in which nothing answers."""
    strange: tuple[Cell, ...] = ()
    """Closed cells at which no place is mapped."""
    stuck: tuple[Cell, ...] = ()
    """Cells that were closed when the lesson began, and still are."""
    asked: Place | None = None
    number: int = 0
    remark: Remark | None = None
    last: tuple[Event, ...] = ()
    away: str = ""
    """Why the board is not there; empty if it is."""
    kept: Kept = "written"
    cursor: int = 0
    settings: Mapping[str, Any] = {}

    def setting(self, name: str) -> Any:
        """What is set, or what holds until somebody sets it."""
        return self.settings.get(name, DEFAULTS[name])

    @property
    def total(self) -> int:
        """How many places the board has."""
        return len(BOARDS[self.board].places)


class Bench:
    """Maps and tests one board; `wiring` is what is known of it so far.

    `all_used` says that no row or column of its matrix is left over, so that a silent one is
    broken.

    Every method takes what happened and leaves the new `scene`; `cue` is the sound that
    belongs to it, and `over` says that the person is done.
    """

    def __init__(
        self,
        board: str,
        wiring: Mapping[str, Cell],
        *,
        sensing: str = "touch",
        kept: Kept = "written",
        all_used: bool = False,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.places = BOARDS[board].places
        self.over = False
        self.cue: Cue | None = None
        self._board, self._sensing, self._kept = board, sensing, kept
        self._settings = {**DEFAULTS, **(settings or {})}
        self._wiring = self._before_it = dict(wiring)
        self._all_used = all_used
        self._size = (0, 0)
        self._closed: set[Cell] = set()
        self._away = ""
        self._lost: set[str] = set()
        self._cursor = 0
        self._last: list[Event] = []
        self._remark: Remark | None = None
        self._mode: Mode = "watch"
        self._before: Mode = "watch"
        self._health = Health([place.name for place in self.places])
        self._lesson = Lesson(self.places, self._wiring)
        if self._lesson.asked is not None:
            self._mode = self._before = "learn"

    # -- what is known ---------------------------------------------------------------------------

    @property
    def wiring(self) -> dict[str, Cell]:
        """Which cell each place is wired to, as far as it is known."""
        return dict(self._wiring)

    def forbid(self) -> None:
        """The map cannot be written after all."""
        self._kept = "forbidden"

    def lines(self, rows: int, columns: int) -> list[str]:
        """The map, as the configuration has it."""
        return Lesson(self.places, self._wiring).lines(rows, columns)

    @property
    def lit(self) -> dict[Cell, str]:
        """Which cells are to be lit, and how: what is closed, what flickers, what is asked for."""
        found = dict.fromkeys(self._closed, "on")
        for name in self._health.flickering:
            if name in self._wiring:
                found[self._wiring[name]] = "fast"
        return found

    @property
    def lamps(self) -> tuple[bool, bool]:
        """The green and the red lamp of the box."""
        if self._away:
            return False, True
        if self._mode == "learn":
            kind = self._remark.kind if self._remark is not None else ""
            return kind == "learned", kind in ("known", "double")
        bad = bool(self._health.flickering or self._strange())
        return not self._health.unseen and not self._health.unmoved and not bad, bad

    @property
    def scene(self) -> Scene:
        """What is to be seen now."""
        lesson, health = self._lesson, self._health
        asked = lesson.asked if self._mode == "learn" else None
        return Scene(
            mode=self._mode,
            board=self._board,
            sensing=self._sensing,
            on=frozenset(health.on),
            seen=frozenset(health.seen),
            wired=frozenset(self._wiring),
            missing=tuple(lesson.missing),
            flickering=tuple(health.flickering),
            unmoved=tuple(health.unmoved),
            lines=self._dead(),
            strange=self._strange(),
            stuck=tuple(sorted(lesson.stuck)),
            asked=asked,
            number=len(self._wiring) + len(lesson.missing) + 1,
            remark=self._remark,
            last=tuple(self._last),
            away=self._away,
            kept=self._kept,
            cursor=self._cursor,
            settings=self._settings,
        )

    @property
    def kept(self) -> Kept:
        """What becomes of the map."""
        return self._kept

    def _dead(self) -> tuple[Line, ...]:
        """Whole lines that do not answer, once most of the board has."""
        lesson = self._lesson
        if self._mode == "watch":
            unseen = self._health.unseen
            many = len(unseen) > len(self.places) // 3
            return () if many else tuple(whole_lines(unseen, self._wiring)[0])
        if lesson.asked is not None:
            return ()
        found = dead_lines(
            lesson.missing, self._before_it, lesson.wired, self._size, all_used=self._all_used
        )
        return tuple(found)

    def _strange(self) -> tuple[Cell, ...]:
        known = set(self._wiring.values())
        return tuple(sorted(cell for cell in self._closed if cell not in known))

    # -- what happens ----------------------------------------------------------------------------

    def begin(
        self, closed: Iterable[Cell], now: float, size: tuple[int, int] | None = None
    ) -> None:
        """The board is there: these cells are closed, and nobody has touched it yet.

        Places mapped to cells that a matrix of this size does not have are asked for again.
        """
        if size is not None:
            self._wiring = {
                name: cell
                for name, cell in self._wiring.items()
                if cell[0] < size[0] and cell[1] < size[1]
            }
            if len(self._wiring) < len(self.places) and self._mode == "watch":
                self._go("learn")
            self._size = size
        closed = set(closed)
        for cell in sorted(closed ^ self._closed):
            self._close(cell, cell in closed, now)
        self.cue = None
        self._last = [event for event in self._last if not isinstance(event, Reading)]
        self._health.settle()
        before = self._lesson
        self._lesson = Lesson(self.places, self._wiring, self._closed)
        self._lesson.follow(before)

    def change(self, cell: Cell, on: bool, now: float) -> None:
        """A cell closed or opened."""
        self.cue = None
        self._close(cell, on, now)
        if self._mode != "learn":
            return
        remark = self._lesson.change(cell, on)
        if remark is not None:
            self._remark = remark
            self.cue = "learned" if remark.kind == "learned" else "wrong"
            self._take_map()

    def _close(self, cell: Cell, on: bool, now: float) -> None:
        (self._closed.add if on else self._closed.discard)(cell)
        name = next((name for name, at in self._wiring.items() if at == cell), None)
        if name is None:
            return
        if on and name not in self._health.seen and self._mode == "watch":
            self.cue = "seen"
        self._tell(Reading(name, on))
        self._health.take(Reading(name, on), now)

    def take(self, event: Event) -> None:
        """An event of any device; cells come by `change`."""
        self.cue = None
        if isinstance(event, Pressed):
            self._press(event)
        elif isinstance(event, Lost) and event.device == "board":
            self._away = event.why or "?"
        elif isinstance(event, Found) and event.device == "board":
            self._away = ""
        if isinstance(event, Lost):
            self._lost.add(event.device)
        again = isinstance(event, Found) and event.device in self._lost
        if again or isinstance(event, Pressed | Rolled | Fumbled | Lost):
            self._tell(event)

    def _tell(self, event: Event) -> None:
        self._last = [*self._last[-LAST + 1 :], event]

    def _press(self, pressed: Pressed) -> None:
        """The box's buttons: in the menu they choose, in a lesson they answer."""
        if pressed.held:
            if self._mode == "menu":
                self._mode = self._before
            else:
                self._before, self._mode, self._cursor = self._mode, "menu", 0
        elif self._mode == "menu":
            if pressed.button == "ok":
                self._choose(MENU[self._cursor])
            else:
                step = 1 if pressed.button == "down" else -1
                self._cursor = (self._cursor + step) % len(MENU)
        elif self._mode == "learn" and self._lesson.asked is None:
            self._choose("watch")
        elif self._mode == "learn" and pressed.button in ("ok", "up"):
            self.ask(Wish("skip" if pressed.button == "ok" else "back"))

    def _choose(self, line: str) -> None:
        if line == "language":
            codes = list(LANGUAGES)
            now = codes.index(self._settings["language"])
            self.ask(Wish("language", codes[(now + 1) % len(codes)]))
        else:
            self.ask(Wish(line))  # type: ignore[arg-type]

    def ask(self, wish: Wish) -> None:
        """Do what a person wants."""
        self.cue = None
        if wish.do == "end":
            self.over = True
        elif wish.do == "language":
            self._settings = {**self._settings, "language": wish.value}
        elif wish.do == "watch":
            self._go("watch")
            self._health = Health([place.name for place in self.places])
            on = [name for name, cell in self._wiring.items() if cell in self._closed]
            self._health.take(Snapshot(frozenset(on)), 0.0)
            self._last = []
        elif wish.do in ("learn", "again"):
            if wish.do == "again":
                self._wiring = {}
            self._go("learn")
            self._lesson = Lesson(self.places, self._wiring, self._closed)
        elif self._mode == "learn" and not self._away:
            (self._lesson.skip if wish.do == "skip" else self._lesson.back)()
            self._take_map()

    def _go(self, mode: Mode) -> None:
        self._mode = self._before = mode
        self._remark = None

    def _take_map(self) -> None:
        self._wiring = dict(self._lesson.wired)

"""The serial die and the serial board: what their links say, as events of the table."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from companion.events import Cell, Event, Found, Fumbled, Lost, Reading, Rolled, Rolling, Snapshot
from companion.link import Fumble, Hello, Key, Keys, News, Roll, RollBegun
from companion.table import LIGHTS, NOT_FOUND, Emit, check_lights
from companion.table.serial_ports import SerialPorts, Wire
from firmware.line import mask_text

GRACE = 2.0  # seconds a device has to greet us before it is reported missing


class SerialDevice:
    """A device on some serial port; told once that it is lost and once that it is found."""

    def __init__(
        self, role: str, ports: SerialPorts, unit: str | None = None, grace: float = GRACE
    ) -> None:
        self.name = role
        self.role = role
        self.unit = unit
        self.wire: Wire | None = None
        self._ports = ports
        self._grace = grace
        self._emit: Emit | None = None
        self._missing: asyncio.TimerHandle | None = None
        self._said: str | None = None
        self._kept: dict[str, tuple[object, ...]] = {}

    @property
    def hello(self) -> Hello | None:
        """Who the device is, while it is there."""
        return self.wire.link.hello if self.wire is not None else None

    def start(self, emit: Emit) -> None:
        """Begin to report; a device that is not there is reported after a moment's grace."""
        self._emit = emit
        loop = asyncio.get_running_loop()
        self._missing = loop.call_later(self._grace, self._never_came)
        self._ports.attach(self)

    def close(self) -> None:
        """Stop reporting; the ports close with their last device."""
        self._emit = None
        if self._missing is not None:
            self._missing.cancel()
        self._ports.detach(self)

    def bound(self, wire: Wire, hello: Hello) -> None:
        """Called by the ports: the device greeted us over this port."""
        if self._missing is not None:
            self._missing.cancel()
            self._missing = None
        self._said = None
        for word, args in self._kept.items():
            wire.link.keep(word, *args)
        self.emit(Found(self.name, f"{hello}, on {wire.path}"))

    def unbound(self, why: str) -> None:
        """Called by the ports: the device is gone."""
        self._lose(why)

    def refused(self, why: str) -> None:
        """Called by the ports: a device of this role is there, but of no use."""
        self._lose(why)

    def heard(self, news: News) -> None:
        """Called by the ports: the device says something."""
        raise NotImplementedError

    def emit(self, event: Event) -> None:
        """Report an event, unless closed."""
        if self._emit is not None:
            self._emit(event)

    def _never_came(self) -> None:
        self._missing = None
        if self._said is None:
            notes = [report.note for report in self._ports.report() if report.note]
            found = " ".join([f"No {self.role} was found.", *notes])
            self._lose(found if notes else NOT_FOUND.format(role=self.role))

    def _lose(self, why: str) -> None:
        """Report a loss once; a different reason is news again only when it is a refusal."""
        if self._said != why:
            self._said = why
            self.emit(Lost(self.name, why))

    def _keep(self, word: str, *args: object) -> None:
        """Have the device show this, now and whenever it comes back."""
        self._kept[word] = args
        if self.wire is not None:
            self.wire.link.keep(word, *args)
            self.wire.flush()


class SerialDie(SerialDevice):
    """A die on a Pico. With `confirm`, a roll is acknowledged only by `confirm(number)`:
    call it once the roll is safe, and a crash in between loses nothing. `after` is the
    number of the last roll that an earlier run kept."""

    def __init__(
        self,
        ports: SerialPorts,
        *,
        unit: str | None = None,
        confirm: bool = False,
        after: int | None = None,
        grace: float = GRACE,
    ) -> None:
        super().__init__("die", ports, unit, grace)
        self._confirm = confirm
        ports.taken.after = after

    def show(self, face: int | None) -> None:
        """Show a face (1-6), or nothing, until the next roll."""
        self._keep("show", face or 0)

    def faces(self, names: Sequence[str]) -> None:
        """What faces 1 to 6 look like: `1` to `6`, `globe` or `star`."""
        self._keep("faces", *names)

    @property
    def down(self) -> frozenset[str]:
        """A button on the Pico that is held is told by the die itself: it keeps rolling."""
        return frozenset()

    def confirm(self, number: int) -> None:
        """This roll is safe: the die may stop resending it."""
        self._ports.taken.keep(number)
        if self.wire is not None:
            self.wire.link.acknowledge(number)
            self.wire.flush()

    def heard(self, news: News) -> None:
        """Called by the ports: the die says something."""
        if isinstance(news, RollBegun):
            self.emit(Rolling())
        elif isinstance(news, Fumble):
            self.emit(Fumbled())
            self.confirm(news.number)
        elif isinstance(news, Roll):
            self._keep("show", news.face)  # else the next ping would show an older face
            source = f"die:{self.hello.unit}" if self.hello is not None else "unknown"
            self.emit(Rolled(news.number, news.face, source))
            if not self._confirm:
                self.confirm(news.number)


class SerialBoard(SerialDevice):
    """A board on a Pico; `places` says at which cell (row, column) each place is wired."""

    def __init__(
        self,
        ports: SerialPorts,
        places: Mapping[str, Cell],
        *,
        unit: str | None = None,
        on_cell: Callable[[int, int, bool], None] | None = None,
        grace: float = GRACE,
    ) -> None:
        super().__init__("board", ports, unit, grace)
        self.on_cell = on_cell
        self.cells: frozenset[Cell] = frozenset()
        self.unnamed: Counter[Cell] = Counter()
        self._cell_of = dict(places)
        self._place_at = {cell: place for place, cell in places.items()}
        self._lights: dict[Cell, str] = {}
        self._told: frozenset[str] | None = None
        self._confirmed = False
        """Whether a snapshot came since the last reading."""

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns, as the Pico says; (0, 0) while there is none."""
        return (self.hello.rows, self.hello.columns) if self.hello is not None else (0, 0)

    @property
    def noise(self) -> dict[str, int]:
        """The Pico debounces, and does not count."""
        return {}

    @property
    def unreachable(self) -> dict[str, Cell]:
        """Places wired to cells that the connected board does not have."""
        if self.hello is None:
            return {}
        rows, columns = self.size
        return {p: c for p, c in self._cell_of.items() if c[0] >= rows or c[1] >= columns}

    def light(self, places: Mapping[str, str]) -> None:
        """Light these places: `on`, `blink` or `fast`; all others go dark."""
        check_lights(places)
        wired = self._cell_of
        self.light_cells({wired[place]: how for place, how in places.items() if place in wired})

    def light_cells(self, cells: Mapping[Cell, str]) -> None:
        """Light these cells of the matrix, whether they are places or not."""
        self._lights = dict(cells)
        self._send_lights()

    def bound(self, wire: Wire, hello: Hello) -> None:
        """Called by the ports: the board greeted us; its first snapshot is due."""
        self._kept.clear()  # the lights may have changed meanwhile, and the matrix too
        super().bound(wire, hello)
        self._told = None
        wire.link.say("snap")
        self._send_lights()

    def heard(self, news: News) -> None:
        """Called by the ports: the board says something."""
        if isinstance(news, Key):
            self._key((news.row, news.column), news.on)
        elif isinstance(news, Keys):
            self._snapshot(news.on)

    def _key(self, cell: Cell, on: bool) -> None:
        self.cells = self.cells | {cell} if on else self.cells - {cell}
        if self.on_cell is not None:
            self.on_cell(*cell, on)
        place = self._place_at.get(cell)
        if place is None:
            self.unnamed[cell] += on
        elif self._told is not None:  # before the first snapshot there is nothing to change
            self._told = self._told | {place} if on else self._told - {place}
            self._confirmed = False
            self.emit(Reading(place, on))

    def _snapshot(self, cells: frozenset[Cell]) -> None:
        """Take the whole matrix; it is an event if it differs from what was told, and once after
        each change: then whoever waited for a lost reading knows that none is missing."""
        for cell in sorted(cells ^ self.cells):
            if cell in cells and cell not in self._place_at:
                self.unnamed[cell] += 1
            if self.on_cell is not None:
                self.on_cell(*cell, cell in cells)
        self.cells = cells
        on = frozenset(self._place_at[cell] for cell in cells if cell in self._place_at)
        if on != self._told or not self._confirmed:
            self._told, self._confirmed = on, True
            self.emit(Snapshot(on))

    def _send_lights(self) -> None:
        if self.hello is None:
            return
        rows, columns = self.hello.rows, self.hello.columns
        masks = dict.fromkeys(LIGHTS, 0)
        for (row, column), way in self._lights.items():
            if row < rows and column < columns:
                masks[way] |= 1 << row * columns + column
        self._keep("light", *(mask_text(mask, rows * columns) for mask in masks.values()))

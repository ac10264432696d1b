"""The matrix on the Pi's pins: driven through gpiozero's mock pins with a circuit behind them."""

import asyncio
import threading
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.events import Cell, Event, Found, Lost, Reading, Snapshot
from companion.table.debounce import Debounce, bits
from companion.table.matrix import GpioBoard, Matrix
from tests.table.circuit import Circuit
from tests.table.clock import later, loop_pace, run

ROWS = (4, 5, 6, 7, 8, 9, 10, 11)
COLUMNS = (12, 13, 14, 15, 16, 17, 18, 19, 20)
CELLS = list(product(range(len(ROWS)), range(len(COLUMNS))))


def named(cell: Cell) -> str:
    return f"{cell[0]}.{cell[1]}"


PLACES = {named(cell): cell for cell in CELLS}


def read(circuit: Circuit) -> set[Cell]:
    matrix = Matrix(circuit.factory, ROWS, COLUMNS, circuit.settle)
    found = {divmod(key, len(COLUMNS)) for key in bits(matrix.scan())}
    matrix.close()
    return found


@settings(max_examples=40, deadline=None)
@given(st.sets(st.sampled_from(CELLS), max_size=72))
def test_any_keys_at_once_are_read_exactly(closed: set[Cell]) -> None:
    circuit = Circuit(ROWS, COLUMNS)
    circuit.press(*closed)
    assert read(circuit) == closed


def test_three_corners_do_not_make_a_fourth_with_diodes_but_do_without() -> None:
    corners = {(0, 0), (0, 5), (3, 0)}
    with_diodes = Circuit(ROWS, COLUMNS)
    with_diodes.press(*corners)
    assert read(with_diodes) == corners
    without = Circuit(ROWS, COLUMNS, diodes=False)
    without.press(*corners)
    assert read(without) == corners | {(3, 5)}, "the circuit must be able to show a ghost"


def test_a_missing_diode_never_shorts_two_driven_pins() -> None:
    circuit = Circuit(ROWS, COLUMNS, diodes=False)
    circuit.press(*((row, 0) for row in range(8)))
    read(circuit)
    assert circuit.shorts == 0


def test_columns_that_rise_slowly_do_not_show_the_next_rows_keys() -> None:
    circuit = Circuit(ROWS, COLUMNS, slow=True)
    circuit.press((2, 3), (5, 8))
    assert read(circuit) == {(2, 3), (5, 8)}
    matrix = Matrix(circuit.factory, ROWS, COLUMNS, lambda: None)
    assert (3, 3) in {divmod(key, 9) for key in bits(matrix.scan())}, "the circuit must mislead"
    matrix.close()


def watch(
    circuit: Circuit, script: Callable[[list[Event], GpioBoard], object], places: dict[str, Cell]
) -> list[Event]:
    """Run a board over a script and return everything it reported."""
    events: list[Event] = []

    async def table() -> None:
        board = GpioBoard(
            Matrix(circuit.factory, ROWS, COLUMNS, circuit.settle), places, pace=loop_pace
        )
        board.start(events.append)
        await later(0.1)
        await script(events, board)  # type: ignore[misc]
        board.close()
        board.close()

    run(table())
    return events


def test_a_bouncing_key_is_one_press_and_one_release() -> None:
    circuit = Circuit(ROWS, COLUMNS)

    async def script(_events: list[Event], _board: GpioBoard) -> None:
        for down in (True, False, True, False, True):  # closing
            (circuit.press if down else circuit.release)((3, 4))
            await later(0.011)
        await later(0.1)
        for down in (False, True, False, True, False):  # opening
            (circuit.press if down else circuit.release)((3, 4))
            await later(0.011)
        await later(0.1)

    events = watch(circuit, script, PLACES)
    assert events[2:] == [Reading("3.4", True), Reading("3.4", False)]


def test_a_glitch_shorter_than_the_debounce_time_is_nothing_but_is_counted() -> None:
    circuit = Circuit(ROWS, COLUMNS)

    async def script(_events: list[Event], board: GpioBoard) -> None:
        for _ in range(20):
            circuit.press((0, 0))
            await later(0.015)
            circuit.release((0, 0))
            await later(0.05)
        assert 10 < board.noise["0.0"] <= 20

    assert watch(circuit, script, PLACES)[2:] == []


def test_keys_that_are_no_place_are_ignored() -> None:
    circuit = Circuit(ROWS, COLUMNS)
    circuit.press((7, 8))

    async def script(_events: list[Event], _board: GpioBoard) -> None:
        circuit.press((0, 0), (1, 1))
        await later(0.1)

    events = watch(circuit, script, {"17": (1, 1)})
    assert events[1:] == [Snapshot(frozenset()), Reading("17", True)]


def test_cells_are_told_whether_they_are_a_place_or_not() -> None:
    circuit = Circuit(ROWS, COLUMNS)
    told: list[tuple[int, int, bool]] = []

    async def script(_events: list[Event], board: GpioBoard) -> None:
        board.on_cell = lambda row, column, on: told.append((row, column, on))
        circuit.press((0, 0), (1, 1))
        await later(0.1)
        assert board.cells == {(0, 0), (1, 1)}
        circuit.release((0, 0))
        await later(0.1)

    watch(circuit, script, {"17": (1, 1)})
    assert told == [(0, 0, True), (1, 1, True), (0, 0, False)]


def test_pins_that_cannot_be_read_are_reported_once_and_taken_up_again() -> None:
    circuit = Circuit(ROWS, COLUMNS)
    circuit.press((2, 2))

    async def script(events: list[Event], _board: GpioBoard) -> None:
        circuit.broken = True
        await later(5)
        assert [event for event in events if isinstance(event, Lost)] == [
            Lost("board", "the matrix pins cannot be read (no such line)")
        ]
        circuit.broken = False
        await later(2)

    events = watch(circuit, script, PLACES)
    assert [type(event) for event in events[-2:]] == [Found, Snapshot]
    assert events[-1] == Snapshot(frozenset({"2.2"}))


def test_two_functions_on_one_pin_are_refused_by_gpiozero_and_nothing_stays_reserved() -> None:
    circuit = Circuit(ROWS, COLUMNS)
    with pytest.raises(Exception, match="GPIO4 is already in use"):
        Matrix(circuit.factory, ROWS, (*COLUMNS[:-1], 4))
    assert read(circuit) == set()


def test_what_is_still_on_its_way_when_the_board_is_closed_is_not_delivered() -> None:
    circuit = Circuit(ROWS, COLUMNS)

    async def table() -> None:
        steps: list[Callable[[], float]] = []

        def by_hand(step: Callable[[], float]) -> Callable[[], None]:
            steps.append(step)
            return lambda: None

        events: list[Event] = []
        matrix = Matrix(circuit.factory, ROWS, COLUMNS, circuit.settle)
        board = GpioBoard(matrix, PLACES, pace=by_hand)
        board.start(events.append)
        for _ in range(6):
            await later(steps[0]())
        assert len(events) == 2
        circuit.press((0, 0))
        await later(steps[0]())
        steps[0]()
        board.close()
        await later(0.1)
        assert len(events) == 2

    run(table())


def test_the_scanning_thread_reports_in_the_loops_thread_and_ends_when_closed() -> None:
    """The real pace: a thread of its own; the test waits for its events, not for time."""
    circuit = Circuit(ROWS, COLUMNS)

    async def table() -> None:
        arrived: asyncio.Queue[tuple[Event, int]] = asyncio.Queue()
        board = GpioBoard(Matrix(circuit.factory, ROWS, COLUMNS, circuit.settle), PLACES)
        board.start(lambda event: arrived.put_nowait((event, threading.get_ident())))
        assert isinstance((await arrived.get())[0], Found)
        assert (await arrived.get())[0] == Snapshot(frozenset())
        circuit.press((6, 2))
        assert await arrived.get() == (Reading("6.2", True), threading.get_ident())
        circuit.release((6, 2))
        assert (await arrived.get())[0] == Reading("6.2", False)
        board.close()
        assert not [thread for thread in threading.enumerate() if thread.name == "matrix"]

    asyncio.run(table())


@given(
    edges=st.lists(st.tuples(st.integers(0, 3), st.floats(0.001, 0.2)), max_size=40),
    step=st.floats(0.001, 0.5),
)
def test_debounce_reports_what_is_stable_in_smooth_and_in_jumping_time(
    edges: list[tuple[int, float]], step: float
) -> None:
    """Whatever the edges and however coarse the time, the end is right and changes alternate."""
    debounce = Debounce(0.02)
    now, raw = 0.0, 0
    state = [False] * 4
    for key, wait in edges:
        raw ^= 1 << key
        end = now + wait
        while now < end:
            for changed in bits(debounce.update(raw, now)):
                state[changed] = not state[changed]
            now += step
    for _ in range(3):
        now += 0.03
        for changed in bits(debounce.update(raw, now)):
            state[changed] = not state[changed]
    assert sum(on << key for key, on in enumerate(state)) == raw == debounce.stable


def test_debounce_waits_for_the_whole_delay() -> None:
    debounce = Debounce(0.02)
    assert debounce.update(1, 10.0) == 0
    assert debounce.update(1, 10.019) == 0
    assert debounce.update(1, 10.0201) == 1
    assert debounce.update(0, 10.03) == 0
    assert debounce.update(1, 10.04) == 0
    assert debounce.update(0, 10.05) == 0
    assert debounce.update(0, 10.0701) == 1

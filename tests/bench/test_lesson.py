"""The lesson: which cell answers for which place, and every muddle a wire can make."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.bench.lesson import Lesson, Remark, describe
from companion.config import parse, places
from companion.events import Cell
from companion.rules.boards import BOARDS, MAT


def press(lesson: Lesson, *cells: Cell) -> Remark | None:
    """Press cells together and let go of all."""
    remarks = [lesson.change(cell, True) for cell in cells]
    remarks += [lesson.change(cell, False) for cell in cells]
    assert remarks[:-1] == [None] * (len(remarks) - 1), "a press is judged when it is over"
    return remarks[-1]


def asked(lesson: Lesson) -> str | None:
    return lesson.asked.name if lesson.asked is not None else None


def test_places_are_asked_for_in_order_and_noted() -> None:
    lesson = Lesson(MAT.places, {})
    assert asked(lesson) == "R.1"
    remark = press(lesson, (3, 2))
    assert remark is not None
    assert (remark.kind, remark.text) == ("learned", "red's stack 1 is row 4, column 3")
    assert asked(lesson) == "R.2"
    assert lesson.wired == {"R.1": (3, 2)}


def test_it_goes_on_where_it_was_left() -> None:
    lesson = Lesson(MAT.places, {"R.1": (0, 0), "R.3": (0, 2)})
    assert asked(lesson) == "R.2"
    press(lesson, (0, 1))
    assert asked(lesson) == "R.4"


def test_a_cell_that_is_taken_is_a_double_wire_or_the_wrong_place() -> None:
    lesson = Lesson(MAT.places, {"R.1": (0, 0)})
    remark = press(lesson, (0, 0))
    assert remark is not None
    assert remark.kind == "known"
    assert "this is red's stack 1 (row 1, column 1)" in remark.text
    assert "wired to the same row and column" in remark.text
    assert asked(lesson) == "R.2"


def test_two_cells_at_once_are_touching_wires() -> None:
    lesson = Lesson(MAT.places, {})
    remark = press(lesson, (0, 0), (0, 1))
    assert remark is not None
    assert remark.kind == "double"
    assert "2 cells answered at once (row 1, column 1; row 1, column 2)" in remark.text
    assert lesson.wired == {}


def test_a_place_without_an_answer_is_skipped_and_listed() -> None:
    lesson = Lesson(MAT.places, {})
    lesson.skip()
    assert lesson.missing == ["R.1"]
    assert asked(lesson) == "R.2"


def test_back_asks_again_for_the_last_one_learned_or_skipped() -> None:
    lesson = Lesson(MAT.places, {})
    press(lesson, (0, 0))
    lesson.skip()
    lesson.back()
    assert (asked(lesson), lesson.missing) == ("R.2", [])
    lesson.back()
    assert (asked(lesson), lesson.wired) == ("R.1", {})
    lesson.back()
    assert asked(lesson) == "R.1"


def test_cells_closed_from_the_start_are_left_out_until_they_open() -> None:
    lesson = Lesson(MAT.places, {}, closed=[(5, 5)])
    assert press(lesson, (0, 0)) is not None
    assert lesson.stuck == {(5, 5)}
    assert lesson.change((5, 5), False) is None
    assert lesson.stuck == set()
    press(lesson, (5, 5))
    assert lesson.wired["R.2"] == (5, 5)


def test_after_the_last_place_presses_mean_nothing() -> None:
    wired = {place.name: (0, n) for n, place in enumerate(MAT.places)}
    lesson = Lesson(MAT.places, wired)
    assert asked(lesson) is None
    assert press(lesson, (7, 7)) is None


@given(st.permutations([(row, column) for row in range(4) for column in range(4)]))
def test_any_wiring_is_learned_and_read_back_by_the_configuration(cells: list[Cell]) -> None:
    lesson = Lesson(MAT.places, {})
    for cell in cells:
        press(lesson, cell)
    lines = lesson.lines(4, 4)
    config = parse(
        "board = 'mat'\nsensing = 'touch'\n[box]\nup = 5\ndown = 6\nok = 13\n"
        f"[matrix]\nvia = 'serial'\nmap = {lines}\n"
    )
    assert places(config) == lesson.wired
    assert list(lesson.wired.values()) == cells


@pytest.mark.parametrize(
    ("board", "name", "said"),
    [
        ("40", "17", "square 17"),
        ("40", "Y.a", "yellow's finish square a"),
        ("40", "K.B3", "black's base spot 3"),
        ("52", "B.H2", "blue's home spot 2"),
        ("68", "G.7", "green's finish square 7"),
    ],
)
def test_places_are_said_as_people_say_them(board: str, name: str, said: str) -> None:
    assert describe(BOARDS[board].by_name[name]) == said

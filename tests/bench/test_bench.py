"""The bench: a board mapped and tested with its own places and the box's three buttons."""

from companion.bench import Bench, Wish
from companion.events import Cell, Found, Lost, Pressed, Reading, Rolled
from companion.rules.boards import MAT

WHOLE = {place.name: divmod(n, 4) for n, place in enumerate(MAT.places)}
NAMES = [place.name for place in MAT.places]


def bench(wiring: dict[str, Cell] | None = None, closed: tuple[Cell, ...] = ()) -> Bench:
    one = Bench("mat", WHOLE if wiring is None else wiring)
    one.begin(closed, 0.0)
    return one


def press(one: Bench, *cells: Cell, now: float = 1.0) -> None:
    for cell in cells:
        one.change(cell, True, now)
    for cell in cells:
        one.change(cell, False, now + 0.5)


def asked(one: Bench) -> str | None:
    return one.scene.asked.name if one.scene.asked is not None else None


def test_a_board_that_is_mapped_is_tested_and_one_that_is_not_is_mapped() -> None:
    assert bench().scene.mode == "watch"
    assert bench({}).scene.mode == "learn"
    assert asked(bench({"R.1": (0, 0)})) == "R.2"


def test_mapping_goes_from_place_to_place_with_a_tone_and_a_lamp_for_each() -> None:
    one = bench({})
    for n, name in enumerate(NAMES):
        assert (asked(one), one.scene.number) == (name, n + 1)
        press(one, divmod(n, 4))
        assert one.cue == "learned"
        assert one.lamps == (True, False)
    assert one.wiring == WHOLE
    assert asked(one) is None
    assert one.lines(4, 4)[0] == "R.1 R.2 R.3 R.4"


def test_a_cell_that_is_known_and_two_at_once_are_wrong() -> None:
    one = bench({})
    press(one, (0, 0))
    press(one, (0, 0))
    assert one.scene.remark is not None
    assert (one.scene.remark.kind, one.cue, one.lamps) == ("known", "wrong", (False, True))
    press(one, (1, 0), (1, 1))
    assert one.scene.remark.kind == "double"
    assert asked(one) == "R.2"


def test_ok_says_that_nothing_answers_and_up_goes_back() -> None:
    one = bench({})
    one.take(Pressed("ok"))
    assert (asked(one), one.scene.missing) == ("R.2", ("R.1",))
    one.take(Pressed("up"))
    assert (asked(one), one.scene.missing) == ("R.1", ())
    press(one, (3, 3))
    one.take(Pressed("up"))
    assert (asked(one), one.wiring) == ("R.1", {})


def test_the_menu_is_reached_and_left_with_the_boxs_own_buttons() -> None:
    one = bench()
    modes = []
    for _ in range(2):
        one.take(Pressed("ok", held=True))
        modes.append(one.scene.mode)
    assert modes == ["menu", "watch"]
    one.take(Pressed("ok", held=True))
    for _ in range(2):
        one.take(Pressed("down"))
    one.take(Pressed("ok"))  # map it again
    assert (one.scene.mode, asked(one), one.wiring) == ("learn", "R.1", {})
    one.take(Pressed("ok", held=True))
    one.take(Pressed("up"))
    one.take(Pressed("up"))
    one.take(Pressed("ok"))  # the language
    assert one.scene.settings["language"] == "de"
    one.take(Pressed("down"))
    one.take(Pressed("ok"))
    assert one.over


def test_testing_counts_what_was_seen_and_tells_what_happens() -> None:
    one = bench()
    one.change((0, 0), True, 1.0)
    assert one.cue == "seen"
    assert one.lit == {(0, 0): "on"}
    one.change((0, 0), False, 2.0)
    one.change((0, 0), True, 3.0)
    assert one.cue is None  # only the first time
    one.take(Pressed("down"))
    one.take(Rolled(1, 4))
    assert one.scene.last[-3:] == (Reading("R.1", True), Pressed("down"), Rolled(1, 4))
    assert one.scene.seen == {"R.1"}
    assert one.lamps == (False, False)
    for cell in list(WHOLE.values())[1:]:
        press(one, cell)
    assert one.lamps == (True, False)


def test_a_place_that_flickers_blinks_fast_and_lights_the_red_lamp() -> None:
    one = bench()
    for n in range(12):
        one.change((1, 2), n % 2 == 0, 1 + n / 10)
    assert one.scene.flickering == ("G.3",)
    assert one.lit[1, 2] == "fast"
    assert one.lamps == (False, True)


def test_a_closed_cell_without_a_place_is_told() -> None:
    one = bench()
    one.change((7, 7), True, 1.0)
    assert one.scene.strange == ((7, 7),)


def test_cells_closed_from_the_start_wait_until_they_open() -> None:
    one = bench({}, closed=((2, 2),))
    assert list(one.scene.stuck) == [(2, 2)]
    press(one, (0, 0))
    assert one.wiring == {"R.1": (0, 0)}
    one.change((2, 2), False, 5.0)
    assert list(one.scene.stuck) == []


def test_a_board_that_is_unplugged_is_told_and_nothing_is_noted_meanwhile() -> None:
    one = bench({})
    one.take(Lost("board", "It was unplugged."))
    assert one.scene.away == "It was unplugged."
    one.take(Pressed("ok"))
    assert list(one.scene.missing) == []
    one.take(Found("board", "again"))
    assert one.scene.away == ""
    one.take(Pressed("ok"))
    assert list(one.scene.missing) == ["R.1"]


def test_places_outside_the_matrix_are_asked_for_again() -> None:
    one = Bench("mat", WHOLE)
    one.begin((), 0.0, (4, 3))
    assert one.scene.mode == "learn"
    assert asked(one) == "R.4"


def test_a_page_asks_for_the_same_as_the_buttons() -> None:
    one = bench()
    one.ask(Wish("again"))
    one.ask(Wish("skip"))
    assert asked(one) == "R.2"
    one.ask(Wish("back"))
    assert asked(one) == "R.1"
    one.ask(Wish("watch"))
    assert one.scene.mode == "watch"
    one.ask(Wish("end"))
    assert one.over


def test_when_all_is_mapped_any_button_goes_on_to_the_test() -> None:
    one = bench({name: cell for name, cell in WHOLE.items() if name != "B.4"})
    press(one, WHOLE["B.4"])
    assert (one.scene.mode, asked(one)) == ("learn", None)
    one.take(Pressed("down"))
    assert one.scene.mode == "watch"


def test_a_place_that_is_on_from_the_start_is_not_well_though_it_is_seen() -> None:
    one = bench(closed=((0, 0),))
    for cell in list(WHOLE.values())[1:]:
        press(one, cell)
    assert one.scene.unmoved == ("R.1",)
    assert one.lamps == (False, False)
    one.change((0, 0), False, 9.0)
    assert one.lamps == (True, False)


def test_a_whole_row_that_does_not_answer_is_named_when_testing_and_when_mapping() -> None:
    one = bench()
    for cell in WHOLE.values():
        if cell[0] != 2:
            press(one, cell)
    assert [str(line) for line in one.scene.lines] == ["row 3"]
    one.ask(Wish("again"))
    for cell in WHOLE.values():
        if cell[0] != 2:
            press(one, cell)
        else:
            one.ask(Wish("skip"))
    assert [str(line) for line in one.scene.lines] == ["row 3"]
    assert bench().scene.lines == ()  # before anything was touched


def test_a_board_that_comes_back_is_not_touched_by_what_stands_on_it() -> None:
    one = bench({})
    one.take(Pressed("ok"))
    one.take(Lost("board", "gone"))
    one.take(Found("board", "again"))
    one.begin(((1, 1),), 9.0, (4, 4))
    assert (asked(one), one.scene.stuck, one.scene.missing) == ("R.2", ((1, 1),), ("R.1",))
    one.change((1, 1), False, 10.0)
    assert one.wiring == {}

"""The simulated table: what hands do to pieces, and how little of it the sensors know."""

from collections.abc import Callable

import pytest

from companion.events import Event, Reading, Snapshot
from companion.referee import View
from companion.rules import BadInput, legal_moves, position
from companion.web.tabletop import AnyBoard, Tabletop

GERMAN = position("german yellow,red | yellow Y.B Y.B Y.B 1 | red R.B R.B R.B 21 | turn yellow")
BRITISH = position("british red,yellow | red R.B R.B 6 6 | yellow Y.B Y.B Y.B Y.B | turn red")


@pytest.fixture
def felt() -> list[Event]:
    return []


@pytest.fixture
def laid(felt: list[Event]) -> Callable[[View], Tabletop]:
    """A table with the board and pieces of a view; what is felt from then on is kept."""

    def lay(view: View) -> Tabletop:
        sensors = AnyBoard()
        sensors.start(felt.append)
        table = Tabletop(sensors)
        table.follow(view)
        return table

    return lay


Laid = Callable[[View], Tabletop]


def test_a_board_is_laid_with_its_pieces_and_seen_as_a_whole(laid: Laid, felt: list[Event]) -> None:
    table = laid(View(phase="setting", position=GERMAN))
    assert felt[-1] == Snapshot(
        frozenset(["Y.B1", "Y.B2", "Y.B3", "1", "R.B1", "R.B2", "R.B3", "21"])
    )
    assert [one["id"] for one in table.standing()] == [
        f"{colour}{number}" for colour in ("yellow", "red") for number in (1, 2, 3, 4)
    ]


def test_a_piece_that_is_lifted_slid_and_put_is_felt(laid: Laid, felt: list[Event]) -> None:
    table = laid(View(phase="roll", position=GERMAN))
    felt.clear()
    table.lift("yellow4")
    table.slide("yellow4", "3")
    table.slide("yellow4", "21")
    table.put("yellow4", "5")
    assert felt == [
        Reading("1", False),
        Reading("3", True),
        Reading("3", False),
        Reading("5", True),
    ]


def test_two_pieces_on_one_square_look_like_one(laid: Laid, felt: list[Event]) -> None:
    table = laid(View(phase="roll", position=BRITISH))
    felt.clear()
    table.lift("red3")
    assert felt == []
    table.lift("red4")
    assert felt == [Reading("6", False)]


def test_buttons_are_pressed_instead_where_the_board_has_buttons(
    laid: Laid, felt: list[Event]
) -> None:
    table = laid(View(phase="roll", position=GERMAN, sensing="touch"))
    felt.clear()
    table.lift("yellow4")
    table.put("yellow4", "5")
    assert felt == [
        Reading("1", True),
        Reading("1", False),
        Reading("5", True),
        Reading("5", False),
    ]


def test_what_cannot_be_done_with_a_piece_is_a_sentence(laid: Laid) -> None:
    table = laid(View(phase="roll", position=GERMAN))
    with pytest.raises(BadInput, match="no piece 'blue1'"):
        table.lift("blue1")
    with pytest.raises(BadInput, match="lift it first"):
        table.put("yellow4", "5")
    table.lift("yellow4")
    with pytest.raises(BadInput, match="no place '99'"):
        table.put("yellow4", "99")
    with pytest.raises(BadInput, match="is taken"):
        table.put("yellow4", "Y.B1")
    assert table.at["yellow4"] is None


def test_only_what_is_wrong_is_carried(laid: Laid) -> None:
    table = laid(View(phase="roll", position=GERMAN))
    table.lift("yellow4")
    table.put("yellow4", "21")
    assert table.carries(GERMAN) == [("yellow4", "1")]
    captured = position(
        "german yellow,red | yellow Y.B Y.B Y.B 21 | red R.B R.B R.B R.B | turn red"
    )
    table = laid(View(phase="roll", position=GERMAN))
    assert sorted(table.carries(captured)) == [("red4", "R.B4"), ("yellow4", "21")]


def test_who_goes_home_by_a_move_is_the_one_that_the_rules_send(laid: Laid) -> None:
    """One piece is captured; a pair of them sends home who comes."""
    for pair, place, sent in (("25", "25", ["red4"]), ("30", "25", ["yellow4"])):
        here = position(
            f"dutch red,yellow | red R.B R.B R.B 23 | yellow Y.B Y.B 25 {pair} | turn red"
        )
        view = View("move", here, face=2, legal=tuple(legal_moves(here, 2)))
        table = laid(view)
        table.lift("red4")
        assert table.sent_home(view, "red4", place) == sent


def test_without_sensors_pieces_follow_the_game(laid: Laid) -> None:
    table = laid(View(phase="roll", position=GERMAN, sensing="choose"))
    moved = position("german yellow,red | yellow Y.B Y.B Y.B 5 | red R.B R.B R.B 21 | turn red")
    table.follow(View(phase="roll", position=moved, sensing="choose"))
    assert table.at["yellow4"] == "5"


def test_another_sheet_lays_another_board(laid: Laid, felt: list[Event]) -> None:
    table = laid(View(phase="roll", position=GERMAN))
    table.follow(View(phase="setting", position=BRITISH))
    assert table.board is BRITISH.game.board
    assert felt[-1] == Snapshot(frozenset(["R.B1", "R.B2", "6", "Y.B1", "Y.B2", "Y.B3", "Y.B4"]))


def test_who_is_in_a_hand_does_not_stand_unseen_among_its_own(laid: Laid) -> None:
    three = position("british red,yellow | red R.B 6 6 6 | yellow Y.B Y.B Y.B Y.B | turn red")
    table = laid(View(phase="illegal", position=three))
    table.lift("red4")
    assert not table.stands_unseen("red", "6")
    table.put("red4", "6")
    assert table.stands_unseen("red", "6")

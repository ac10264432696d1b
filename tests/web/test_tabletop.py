"""The simulated table: what hands do to pieces, and how little of it the sensors know."""

from collections.abc import Callable
from typing import Any

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


def readings(felt: list[Event]) -> list[Event]:
    """What sensors say; who stands where, which they do not know, is left out."""
    return [event for event in felt if isinstance(event, Reading)]


def standing(table: Tabletop) -> Snapshot:
    """The whole board, with who stands where."""
    pieces = [(one["place"], one["colour"]) for one in table.standing() if one["place"]]
    return Snapshot(frozenset(place for place, _ in pieces), tuple(sorted(pieces)))


def test_a_board_is_laid_with_its_pieces_and_seen_as_a_whole(laid: Laid, felt: list[Event]) -> None:
    table = laid(View(phase="setting", position=GERMAN))
    assert felt[-1] == standing(table)
    assert felt[-1].on == {"Y.B1", "Y.B2", "Y.B3", "1", "R.B1", "R.B2", "R.B3", "21"}
    assert dict(felt[-1].pieces)["21"] == "red"
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
    assert readings(felt) == [
        Reading("1", False),
        Reading("3", True),
        Reading("3", False),
        Reading("5", True),
    ]
    assert felt[-1] == standing(table)


def test_two_pieces_on_one_square_look_like_one(laid: Laid, felt: list[Event]) -> None:
    table = laid(View(phase="roll", position=BRITISH))
    felt.clear()
    table.lift("red3")
    assert readings(felt) == []
    assert felt == [standing(table)]  # as the page knows
    table.lift("red4")
    assert readings(felt) == [Reading("6", False)]


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
    for pair, place, sent in (("25", "25", "red4"), ("30", "25", "yellow4")):
        here = position(
            f"dutch red,yellow | red R.B R.B R.B 23 | yellow Y.B Y.B 25 {pair} | turn red"
        )
        view = View("move", here, face=2, legal=tuple(legal_moves(here, 2)))
        table = laid(view)
        table.lift("red4")
        assert list(table.making_way(view, "red4", place)) == [sent]


def test_without_sensors_pieces_follow_the_game(laid: Laid) -> None:
    table = laid(View(phase="roll", position=GERMAN, sensing="choose"))
    moved = position("german yellow,red | yellow Y.B Y.B Y.B 5 | red R.B R.B R.B 21 | turn red")
    table.follow(View(phase="roll", position=moved, sensing="choose"))
    assert table.at["yellow4"] == "5"


def test_another_sheet_lays_another_board(laid: Laid, felt: list[Event]) -> None:
    table = laid(View(phase="roll", position=GERMAN))
    table.follow(View(phase="setting", position=BRITISH))
    assert table.board is BRITISH.game.board
    assert felt[-1] == standing(table)


def test_pieces_that_were_kept_are_laid_as_hands_left_them(laid: Laid, felt: list[Event]) -> None:
    table = laid(View(phase="roll", position=GERMAN))
    table.lift("yellow4")
    table.put("yellow4", "9")
    table.lift("red4")  # whoever holds it lets go of it where it was
    left = table.left()
    assert (left["yellow4"], left["red4"]) == ("9", "21")
    again = Tabletop(AnyBoard(), left)
    again.sensors.start(felt.append)
    again.follow(View(phase="roll", position=GERMAN))
    assert again.at == left
    assert felt[-1] == standing(again)


def test_who_is_held_is_left_beside_another_that_stands_where_it_was(laid: Laid) -> None:
    table = laid(View(phase="roll", position=GERMAN))
    table.lift("yellow1")
    held = table._origins["yellow1"]
    table.lift("yellow4")
    table.put("yellow4", held)
    left = table.left()
    assert left["yellow4"] == held
    assert left["yellow1"].startswith("Y.B")
    assert left["yellow1"] not in {place for name, place in left.items() if name != "yellow1"}


@pytest.mark.parametrize(
    ("change", "phase", "sensing"),
    [
        ({}, "setting", "touch"),
        ({}, "roll", "choose"),
        ({"yellow4": "99"}, "roll", "presence"),
        ({"yellow4": "Y.B1"}, "roll", "presence"),
        ({"green1": "3"}, "roll", "presence"),
    ],
)
def test_pieces_that_do_not_fit_the_game_are_laid_as_it_has_them(
    change: dict[str, str], phase: Any, sensing: Any, laid: Laid
) -> None:
    left = {**laid(View(phase="roll", position=GERMAN)).left(), "red4": "30", **change}
    table = Tabletop(AnyBoard(), left)
    table.follow(View(phase=phase, position=GERMAN, sensing=sensing))
    assert table.carries(GERMAN) == []


def test_sensors_that_come_after_buttons_see_the_board_that_lies_there(
    laid: Laid, felt: list[Event]
) -> None:
    """They had never seen one: the next game waited for that, and nothing was shown to set."""
    table = laid(View(phase="roll", position=GERMAN, sensing="touch"))
    start = position(
        "german yellow,red | yellow Y.B Y.B Y.B Y.B | red R.B R.B R.B R.B | turn yellow"
    )
    table.follow(View(phase="setting", position=start))
    assert felt[-1:] == [standing(table)]

"""A piece set on another one, on the page's table, which knows who stands where."""

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from companion.orders import NewGame, command
from companion.web.state import why_not
from companion.web.tabletop import UNPLAYED
from tests.web.hands_at_table import AtTable

GERMAN = "german yellow,red | yellow Y.B Y.B Y.B 6 | red R.B R.B R.B 1 | turn red"
BLOCK = "british red,yellow | red R.B R.B R.B 16 | yellow Y.B Y.B 21 21 | turn red"
FROM_A_STACK = "british red,yellow | red R.B R.B 16 16 | yellow Y.B Y.B Y.B 21 | turn red"
PAIR = "dutch red,yellow | red R.B R.B R.B 23 | yellow Y.B Y.B 25 25 | turn red"
SAFE = "indian red,yellow | red R.B R.B R.B 7 | yellow Y.B Y.B Y.B 9 | turn red"

WRONG = [
    (GERMAN, 4, "6", ["wrong_count"]),
    (GERMAN, None, "6", ["before_the_roll"]),
    (BLOCK, 5, "21", ["block"]),
    (BLOCK, 3, "21", ["wrong_count", "block"]),
    (FROM_A_STACK, 3, "21", ["wrong_count"]),
    (PAIR, 4, "25", ["wrong_count"]),
]


@pytest.mark.parametrize(("position", "face", "place", "said"), WRONG)
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_wrong_capture_is_explained_and_its_steps_lead_back_in_any_order(
    position: str, face: int | None, place: str, said: list[str], order: tuple[int, ...]
) -> None:
    at = AtTable(position, face)
    before = at.view.position
    at.drag("red4", place)
    assert (at.view.phase, at.said) == ("illegal", said)
    assert at.table.at["red4"] == place
    assert list(at.table.at.values()).count(place) == 1, "nobody lies beneath"
    for first in order:
        if at.steps:
            at.follow_step(at.steps[first % len(at.steps)])
        assert (not at.steps) == (not at.table.carries(before))  # type: ignore[arg-type]
        assert at.said == (said if at.steps else [])
    assert at.view.phase in ("move", "roll")
    assert at.view.notice is not None
    assert at.view.notice.key == "put_back"


def test_with_buttons_the_wrong_captor_alone_goes_back() -> None:
    at = AtTable(GERMAN, 4, sensing="touch")
    at.drag("red4", "6")
    assert (at.said, at.steps) == (["wrong_count"], [("red", "6", "1")])
    at.drag("red4", "1")
    assert (at.view.phase, at.table.at["yellow4"]) == ("move", "6")


def test_with_buttons_who_is_sent_home_before_its_capture_stays_there() -> None:
    at = AtTable(GERMAN, 5, sensing="touch")
    at.drag("yellow4", "Y.B4")
    assert (at.view.phase, at.table.at["yellow4"]) == ("move", "Y.B4")
    at.drag("red4", "6")
    assert (at.view.phase, at.view.colour, at.table.at["yellow4"]) == ("roll", "yellow", "Y.B4")


def test_with_buttons_who_was_not_captured_after_all_goes_back_as_told() -> None:
    at = AtTable(GERMAN.replace("R.B 1", "10 2"), 4, sensing="touch")
    at.drag("yellow4", "Y.B4")
    at.drag(at.at("red", "10"), "14")
    assert (at.view.phase, at.steps) == ("restore", [("yellow", "Y.B", "6")])
    at.drag("yellow4", "6")
    assert (at.view.phase, at.view.colour, at.table.at["yellow4"]) == ("roll", "yellow", "6")


def test_a_legal_capture_is_a_move() -> None:
    at = AtTable(GERMAN, 5)
    at.drag("red4", "6")
    assert (at.view.phase, at.view.colour) == ("roll", "yellow")


def test_where_colours_stand_side_by_side_nobody_makes_way() -> None:
    for face, phase in ((2, "roll"), (3, "illegal")):
        at = AtTable(SAFE, face)
        at.drag("red4", "9")
        assert at.table.at["yellow4"] == "9"
        assert at.view.phase == phase


def test_who_puts_a_piece_back_captures_nobody() -> None:
    at = AtTable(SAFE.replace("7", "9"), 3)
    at.drag("red4", "9")
    assert at.table.at["yellow4"] == "9"
    assert at.view.phase == "move"


def test_while_pieces_are_set_up_or_cleared_away_nobody_captures() -> None:
    at = AtTable(GERMAN, 4)
    at.table.lift("red4")
    assert at.table.making_way(at.view, "red4", "6") == {"yellow4": "Y.B"}
    phase: Any
    for phase in UNPLAYED:
        assert at.table.making_way(replace(at.view, phase=phase), "red4", "6") == {}


def test_a_chain_of_pieces_goes_on_where_each_has_to() -> None:
    """One step done first takes along all who have yet to leave."""
    at = AtTable(
        "german yellow,red,green | yellow Y.B Y.B Y.B 6 | red R.B R.B R.B 1 "
        "| green G.B G.B G.B 30 | turn red",
        4,
    )
    before = at.view.position
    for piece, place in (("red4", "31"), ("yellow4", "1"), ("green4", "6")):
        at.drag(piece, place)
    assert len(at.steps) == 3
    at.follow_step(("red", "31", "1"))
    assert at.table.carries(before) == []  # type: ignore[arg-type]
    assert (at.view.phase, at.steps) == ("move", [])


OWN = "german yellow,red | yellow Y.B Y.B 1 6 | red R.B R.B R.B 21 | turn yellow"


THREE = "british red,yellow | red R.B R.B R.B 16 | yellow Y.B 29 29 30 | turn red"
TWO_STACKS = "british red,yellow | red 16 16 18 18 | yellow Y.B Y.B Y.B 22 | turn red"
STAR = "dutch red,yellow | red R.B R.B 23 23 | yellow Y.B Y.B 25 25 | turn red"

UNFELT = [
    (SAFE, 3, "red", ("7", "9"), "wrong_count"),
    (OWN, 5, "yellow", ("1", "6"), "own_piece"),
    (OWN, 4, "yellow", ("Y.B", "1"), "needs_entry_roll"),
    (TWO_STACKS, 2, "red", ("16", "22"), "wrong_count"),  # which looks like a capture from 18
    (TWO_STACKS, 6, "red", ("16", "18"), "wrong_count"),  # from a stack onto another
    (THREE, 2, "yellow", ("29", "30"), "not_your_piece"),
    (BLOCK.replace("R.B 16", "16 16"), 6, "red", ("16", "22"), "block"),
    (STAR, 2, "red", ("23", "24"), "wrong_count"),
]


@pytest.mark.parametrize(("position", "face", "man", "way", "said"), UNFELT)
def test_what_sensors_would_not_feel_is_told_with_its_rule_and_its_step(
    position: str, face: int, man: str, way: tuple[str, str], said: str
) -> None:
    at = AtTable(position, face)
    before = at.view.position
    origin, target = way
    at.drag(at.at(man, origin), target)
    assert said in at.said
    assert (man, target, origin) in at.steps
    while at.steps:
        at.follow_step(at.steps[0])
    assert at.view.phase == "move"
    assert at.table.carries(before) == []  # type: ignore[arg-type]
    assert at.view.notice is not None
    assert at.view.notice.key == "put_back"


def test_a_roll_does_not_hide_that_a_piece_lies_on_an_own_one() -> None:
    at = AtTable(OWN, 4)
    at.drag("yellow3", "6")
    at.script.run("roll 2")
    at.wait()
    assert (at.view.phase, at.steps) == ("illegal", [("yellow", "6", "1")])


def test_a_move_from_stack_to_stack_counts_without_a_word() -> None:
    at = AtTable(TWO_STACKS, 2)
    at.drag(at.at("red", "16"), "18")
    assert (at.view.phase, at.view.colour) == ("roll", "yellow")


def test_one_of_a_pair_is_followed_by_the_other() -> None:
    at = AtTable("pairs red,yellow | red R.B R.B 16 16 | yellow Y.B Y.B Y.B 18 | turn red", 4)
    at.drag("red3", "18")
    assert (at.view.phase, at.steps) == ("move", [("red", "16", "18")])
    at.follow_step(at.steps[0])
    assert (at.view.phase, at.view.colour) == ("roll", "yellow")


def test_a_piece_that_pays_for_a_capture_let_be_goes_home_and_no_other() -> None:
    at = AtTable(
        "german+compulsory_capture yellow,red | yellow Y.B Y.B Y.B 6 | red R.B R.B 1 27 | turn red",
        5,
    )
    at.drag(at.at("red", "27"), "32")
    assert (at.view.phase, at.steps) == ("penalty", [("red", "1", "R.B")])
    at.follow_step(at.steps[0])
    assert (at.view.phase, at.view.colour) == ("roll", "yellow")


@pytest.mark.parametrize("origin", ["R.B", "27"])
def test_with_buttons_a_piece_stays_where_it_was_set_until_that_is_judged(origin: str) -> None:
    """On 6 yellow may be captured: a press there may begin its way home."""
    at = AtTable(GERMAN.replace("R.B 1", "27 1"), 5, sensing="touch")
    at.drag(at.at("red", origin), "6")
    assert at.view.phase == "illegal"
    assert at.steps == [("red", "6", origin)]
    at.follow_step(at.steps[0])
    assert (at.view.phase, at.steps) == ("move", [])


def test_who_was_just_put_where_a_move_leads_is_not_sent_back() -> None:
    """The sensors are looked at a moment later."""
    at = AtTable(SAFE, 2)
    at.table.lift("red4")
    at.wait()
    at.table.put("red4", "9")
    assert at.steps == []


def test_nobody_checks_colours_of_which_the_page_knows_that_they_are_right() -> None:
    at = AtTable(GERMAN, 5)
    at.drag("yellow4", "1")  # out of turn, on who is to move
    while at.steps:
        at.follow_step(at.steps[0])
    assert (at.told["hint"], at.told["notice"]) == ("", "Thank you, now the board is right.")


NEAR = "german yellow,red | yellow 1 5 25 29 | red R.B R.B R.B 22 | turn yellow"


@pytest.mark.parametrize(
    ("face", "piece", "stood", "place", "said"),
    [
        (3, "yellow2", "5", "6", ["wrong_count"]),
        (3, "yellow2", "5", "4", ["backwards"]),
        (3, "red4", "22", "23", ["not_your_piece"]),
        (None, "yellow2", "5", "6", ["before_the_roll"]),
    ],
)
def test_a_piece_moved_by_one_square_is_judged_like_any_other(
    face: int | None, piece: str, stood: str, place: str, said: list[str]
) -> None:
    """Nobody's sleeve pushes pieces about on a screen."""
    at = AtTable(NEAR, face)
    at.drag(piece, place)
    assert (at.view.phase, at.said) == ("illegal", said)
    assert at.steps == [(piece[:-1], place, stood)]
    at.drag(piece, stood)
    assert at.view.phase == ("roll" if face is None else "move")
    assert not at.steps


def test_the_next_game_begins_on_another_board_with_the_same_pieces() -> None:
    at = AtTable(NEAR)
    for sheet in ("british", "pairs"):
        at.post(command(NewGame(sheet, seats=("yellow", "red"))))
        at.wait()
        assert (at.view.phase, at.steps) == ("opening", [])


def test_of_a_piece_that_is_somebody_elses_nothing_but_that_is_said() -> None:
    at = AtTable(GERMAN, 5, sensing="choose")
    assert [one["clause"] for one in why_not(at.view, "6", "12", "en")] == ["O4"]
    assert "O8" in [one["clause"] for one in why_not(at.view, "1", "5", "en")]


@pytest.mark.parametrize("place", ["3", "7", "9"])
@pytest.mark.parametrize(("face", "said"), [(4, ["wrong_count"]), (None, ["before_the_roll"])])
def test_who_runs_on_after_a_wrong_capture_has_moved_one_piece(
    face: int | None, said: list[str], place: str
) -> None:
    """Who was captured on the way is not a second piece that was moved."""
    at = AtTable(GERMAN, face)
    before = at.view.position
    at.drag("red4", "6")
    at.drag("red4", place)
    assert (at.view.phase, at.said) == ("illegal", said)
    assert sorted(at.steps) == [("red", place, "1"), ("yellow", "Y.B", "6")]
    while at.steps:
        at.follow_step(at.steps[0])
    assert at.table.carries(before) == []  # type: ignore[arg-type]


@pytest.mark.parametrize("sensing", ["presence", "touch"])
@pytest.mark.parametrize("place", ["4", "20"])
def test_a_piece_that_is_somebody_elses_stops_with_that_alone(sensing: str, place: str) -> None:
    at = AtTable(GERMAN, 6, sensing=sensing)
    at.drag("yellow4", place)
    assert (at.view.phase, at.said) == ("illegal", ["not_your_piece"])


def test_a_step_with_the_piece_in_the_hand_is_a_sentence() -> None:
    at = AtTable(GERMAN, 4)
    at.drag("red4", "8")
    assert [one["text"] for one in at.told["remedy"]] == ["Red: 8→1"]
    at.table.lift("red4")
    at.wait()
    assert [one["text"] for one in at.told["remedy"]] == ["Put Red on 1."]

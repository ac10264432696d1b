"""The Ludo card game, clause by clause: C1 to C11.

A position lists the heights of a player's new stacks 1, 2, 3 and 4.
"""

import pytest

from companion.rules import BadInput, game
from tests.rules.asking import (
    accepted,
    at,
    happened,
    legal,
    places,
    played,
    refused,
    stand,
    turn,
    turns,
    unclear,
)

ELSE = "green 0 0 0 0"


def test_c1_holds_four_new_stacks_start_empty() -> None:
    start = game("cards").start(begins="red")
    assert stand(start, "red") == "0 0 0 0"
    assert stand(start, "blue") == "0 0 0 0"


@pytest.mark.parametrize("heights", ["0 0 0", "0 0 0 0 0", "7 0 0 0"])
def test_c1_refuses_other_stacks(heights: str) -> None:
    with pytest.raises(BadInput, match=heights):
        at(f"cards | red {heights} | {ELSE}")


def test_c2_holds_the_highest_roll_begins_and_ties_roll_again() -> None:
    start = game("cards").start()
    assert turn(played(start, "1 -", "6 -", "3 -", "2 -")) == "green"
    tied = played(start, "1 -", "4 -", "3 -", "4 -")
    assert turn(tied) == "green"
    assert turn(played(tied, "1 -", "2 -")) == "blue"


def test_c2_holds_turns_go_clockwise() -> None:
    start = game("cards").start(begins="yellow")
    assert turns(start, *["5 -"] * 4) == "yellow blue red green yellow"


@pytest.mark.parametrize("roll", [1, 2, 3, 4])
def test_c3_holds_a_roll_lays_the_first_card_of_its_stack(roll: int) -> None:
    assert legal(f"cards | red 0 0 0 0 | {ELSE}", roll) == {f"lay {roll}"}


def test_c3_holds_the_sheets_example() -> None:
    after = played(f"cards | red 0 0 0 0 | {ELSE}", "3 lay 3")
    assert stand(after, "red") == "0 0 1 0"
    assert turn(after) == "green"


def test_c3_refuses_the_first_card_of_another_stack() -> None:
    broken = refused(f"cards | red 0 0 0 0 | {ELSE}", 3, "R.2")
    assert broken == {"C3": "first_card_needs_number R.2 =2"}


def test_c3_refuses_a_first_card_with_a_five() -> None:
    assert legal(f"cards | red 0 0 0 0 | {ELSE}", 5) == {"-"}
    assert refused(f"cards | red 0 0 0 0 | {ELSE}", 5, "R.4").keys() == {"C3"}


def test_c3_holds_only_while_the_new_stack_is_empty() -> None:
    # With 1 begun, a roll of 1 adds a card: it is no laying out.
    assert legal(f"cards | red 1 0 0 0 | {ELSE}", 1) == {"add 1"}


def test_c4_holds_a_six_lays_any_first_card_and_rolls_again() -> None:
    where = f"cards | red 0 0 0 0 | {ELSE}"
    assert legal(where, 6) == {"lay 1", "lay 2", "lay 3", "lay 4"}
    assert turn(played(where, "6 lay 4")).split()[0] == "red"


def test_c4_holds_only_stacks_that_are_still_empty() -> None:
    assert legal(f"cards | red 0 1 0 1 | {ELSE}", 6) == {
        "lay 1",
        "lay 3",
        "add 2 4",
        "add 2 2 2",
    }


def test_c4_refuses_one_card_on_a_begun_stack_with_a_six() -> None:
    assert refused(f"cards | red 6 6 6 1 | {ELSE}", 6, "R.4")


def test_c5_holds_the_sheets_example() -> None:
    # 1, 2 and 3 begun, a five: 2+3 or 1+1+3 (and what else adds up).
    where = f"cards | red 1 1 1 0 | {ELSE}"
    assert legal(where, 5) == {
        "add 2 3",
        "add 1 1 3",
        "add 1 2 2",
        "add 1 1 1 2",
        "add 1 1 1 1 1",
    }
    assert stand(played(where, "5 add 1 1 3"), "red") == "3 1 2 0"


def test_c5_holds_any_number_on_any_begun_stack() -> None:
    where = f"cards | red 0 1 1 1 | {ELSE}"
    assert legal(where, 6) == {"lay 1", "add 3 3", "add 2 4", "add 2 2 2"}
    assert accepted(where, 6, "R.4 R.2") == "red 6 add 2 4"


def test_c5_refuses_cards_that_do_not_add_up() -> None:
    where = f"cards | red 1 1 1 0 | {ELSE}"
    assert refused(where, 5, "R.3 R.3") == {"C5": "cards_do_not_add_up R.3 =6"}


def test_c6_holds_laying_out_or_adding_may_be_chosen() -> None:
    assert legal(f"cards | red 1 1 0 0 | {ELSE}", 3) == {"lay 3", "add 1 2", "add 1 1 1"}


def test_c6_refuses_laying_out_and_adding() -> None:
    where = f"cards | red 1 0 0 0 | {ELSE}"
    assert refused(where, 3, "R.1 R.2") == {"C6": "lay_out_and_add R.1 R.2"}


def test_c6_refuses_laying_out_two_cards() -> None:
    where = f"cards | red 0 0 0 0 | {ELSE}"
    assert "C6" in refused(where, 6, "R.2 R.4")
    assert "C6" in refused(where, 2, "R.2 R.2")


def test_c7_holds_a_roll_with_no_use_ends_the_turn() -> None:
    assert legal(f"cards | red 0 0 0 0 | {ELSE}", 5) == {"-"}
    assert turn(played(f"cards | red 0 0 0 0 | {ELSE}", "5 -")) == "green"


@pytest.mark.parametrize("roll", [1, 3, 5])
def test_c7_holds_the_sheets_example(roll: int) -> None:
    # 1, 3 and 4 are full, two cards are missing on 2.
    where = f"cards | red 6 4 6 6 | {ELSE}"
    assert legal(where, roll) == {"-"}
    assert turn(played(where, f"{roll} -")) == "green"


def test_c7_holds_the_sheets_example_with_a_six() -> None:
    where = f"cards | red 6 4 6 6 | {ELSE}"
    assert legal(where, 6) == {"-"}
    assert turn(played(where, "6 -")).split()[0] == "red"


def test_c7_holds_the_sheets_example_with_a_two_or_four() -> None:
    where = f"cards | red 6 4 6 6 | {ELSE}"
    assert legal(where, 2) == {"add 2"}
    assert legal(where, 4) == {"add 2 2"}


def test_c7_refuses_leaving_a_roll_that_can_be_used() -> None:
    where = f"cards | red 1 0 0 0 | {ELSE}"
    assert refused(where, 3, "-") == {"C7": "must_move R.1 R.3"}


def test_c8_holds_a_stack_of_the_same_number_and_height_is_beaten() -> None:
    where = "cards | red 1 0 0 0 | green 2 3 0 0"
    after = played(where, "1 add 1")
    assert stand(after, "red") == "2 0 0 0"
    assert stand(after, "green") == "0 3 0 0"
    assert happened(where, "1 add 1") == {"C8 beaten green G.1"}


def test_c8_holds_laying_out_beats_too() -> None:
    after = played("cards | red 0 0 0 0 | green 0 0 1 0", "3 lay 3")
    assert stand(after, "green") == "0 0 0 0"


def test_c8_holds_several_stacks_of_several_players_at_once() -> None:
    where = "cards | red 1 1 1 1 | green 0 2 2 0 | yellow 5 0 2 2 | blue 0 2 1 1"
    after = played(where, "5 add 2 3")
    assert stand(after, "green") == "0 0 0 0"
    assert stand(after, "yellow") == "5 0 0 2"
    assert stand(after, "blue") == "0 0 1 1"
    assert happened(where, "5 add 2 3") == {
        "C8 beaten green G.2 G.3",
        "C8 beaten yellow Y.3",
        "C8 beaten blue B.2",
    }


def test_c8_holds_only_final_heights_count() -> None:
    after = played("cards | red 1 0 0 0 | green 2 0 0 0", "2 add 1 1")
    assert stand(after, "red") == "3 0 0 0"
    assert stand(after, "green") == "2 0 0 0"


def test_c8_holds_stacks_that_did_not_change_beat_nothing() -> None:
    # Red's 2 and green's 2 are level already: red changes only stack 1.
    after = played("cards | red 1 3 0 0 | green 0 3 0 0", "1 add 1")
    assert stand(after, "green") == "0 3 0 0"


def test_c8_holds_another_number_is_not_beaten() -> None:
    after = played("cards | red 1 0 0 0 | green 0 2 2 2", "1 add 1")
    assert stand(after, "green") == "0 2 2 2"


def test_c8_holds_a_beaten_stack_must_be_begun_anew() -> None:
    after = played("cards | red 1 0 0 0 | green 2 3 0 0", "1 add 1")
    assert legal(after, 3) == {"lay 3"}
    assert legal(after, 1) == {"lay 1"}
    assert legal(after, 4) == {"lay 4", "add 2 2"}


def test_c9_holds_a_full_stack_is_safe() -> None:
    after = played("cards | red 5 0 0 0 | green 6 0 0 0", "1 add 1")
    assert stand(after, "red") == "6 0 0 0"
    assert stand(after, "green") == "6 0 0 0"


def test_c9_holds_up_to_the_sixth_card() -> None:
    assert legal(f"cards | red 4 0 0 6 | {ELSE}", 2) == {"lay 2", "add 1 1"}


def test_c9_refuses_a_seventh_card() -> None:
    where = f"cards | red 5 1 6 6 | {ELSE}"
    assert legal(where, 3) == {"add 1 2"}
    assert "C9" in refused(where, 3, "R.1 R.1 R.1")
    assert refused(where, 3, "R.3") == {"C9": "stack_full R.3"}


def test_c10_holds_first_with_four_full_stacks_wins_and_it_ends() -> None:
    where = "cards | red 6 6 6 5 | green 6 6 6 5 | blue 0 0 0 0"
    after = played(where, "4 add 4")
    assert after.over
    assert places(after) == ["red"]
    assert legal(after, 4) == set()


def test_c10_holds_no_more_rolls_after_the_end() -> None:
    after = played(f"cards | red 6 3 6 6 | {ELSE}", "6 add 2 2 2")
    assert after.over


def test_c10_refuses_playing_on() -> None:
    over = played("cards | red 6 6 6 5 | green 6 6 6 5", "4 add 4")
    assert "O1" in refused(over, 4, "G.4")


@pytest.mark.parametrize("roll", [1, 3])
def test_c11_holds_with_2_and_4_begun_a_1_or_3_still_lays_out(roll: int) -> None:
    assert legal(f"cards | red 0 1 0 1 | {ELSE}", roll) == {f"lay {roll}"}


def test_c11_holds_the_turn_is_over_when_1_and_3_are_begun_no_more() -> None:
    # With 1 and 3 full instead of empty the sheet's example is right: nothing can be added.
    assert legal(f"cards | red 6 1 6 1 | {ELSE}", 1) == {"-"}
    assert legal(f"cards | red 6 1 6 1 | {ELSE}", 3) == {"-"}


def test_c5_holds_presses_on_the_way_are_unclear() -> None:
    where = f"cards | red 1 1 1 0 | {ELSE}"
    assert unclear(where, 5, "R.1") == {
        "add 1 1 3",
        "add 1 2 2",
        "add 1 1 1 2",
        "add 1 1 1 1 1",
    }
    assert unclear(where, 5, "R.3") == {"add 2 3", "add 1 1 3"}
    assert accepted(where, 5, "R.3 R.2") == "red 5 add 2 3"
    assert accepted(where, 5, "R.1 R.3 R.1") == "red 5 add 1 1 3"


def test_c5_refuses_a_press_that_cannot_be_part_of_any_action() -> None:
    where = f"cards | red 0 1 1 1 | {ELSE}"
    assert legal(where, 5) == {"add 2 3"}
    assert refused(where, 5, "R.4")

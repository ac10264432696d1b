"""Traditional British Ludo, clause by clause: B1 to B10.

On the board of 68 the start squares are 1 (red), 18 (green), 35 (yellow) and 52 (blue), so red's
progress is the square's number less one; red turns off behind square 67.
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
)


def test_b1_holds_four_pieces_start_in_the_circle() -> None:
    start = game("british").start(begins="red")
    assert start.game.colours == ("red", "green", "yellow", "blue")
    for colour in start.game.colours:
        assert set(stand(start, colour).split()) == {f"{colour[0].upper()}.B"}
        assert len(stand(start, colour).split()) == 4


def test_b1_refuses_a_fifth_piece() -> None:
    with pytest.raises(BadInput, match="5"):
        at("british | red 1 2 3 4 5 | green 30")


def test_b2_holds_the_highest_throw_starts_and_ties_roll_again() -> None:
    start = game("british", (), ["red", "yellow", "blue"]).start()
    assert turn(played(start, "3 -", "5 -", "1 -")) == "yellow"
    tied = played(start, "3 -", "6 -", "6 -")
    assert turn(tied) == "yellow"
    assert turn(played(tied, "2 -", "3 -")) == "blue"


def test_b2_holds_turns_and_pieces_go_clockwise() -> None:
    start = game("british").start(begins="yellow")
    assert turns(start, *["1 -"] * 4) == "yellow blue red green yellow"
    assert legal("british | green 65 | red 30", 5) == {"65>2"}


def test_b2_refuses_going_backwards() -> None:
    assert refused("british | red 30 | green 50", 3, "30>27")["B2"] == "backwards 30 27"


def test_b3_holds_the_player_chooses_among_entering_and_moving() -> None:
    assert legal("british | red 10 30 | green 50", 6) == {"R.B>6", "10>16", "30>36"}
    assert legal("british | red 1 30 | green 50", 3) == {"1>4", "30>33"}


def test_b3_holds_play_passes_when_none_can_move() -> None:
    assert legal("british | red | green 50", 5) == {"-"}
    assert turn(played("british | red | green 50", "5 -")) == "green"


def test_b3_refuses_passing_when_a_piece_can_move() -> None:
    assert refused("british | red 10 | green 50", 3, "-") == {"O6": "must_move 10"}


def test_b4_holds_a_six_gives_another_turn_without_limit() -> None:
    where = at("british | red 1 | green 50")
    for origin in range(1, 31, 6):
        where = played(where, f"6 {origin}>{origin + 6}")
        assert turn(where).split()[0] == "red"
    assert turn(played(where, "1 31>32")) == "green"


def test_b4_holds_an_unused_six_gives_another_turn() -> None:
    where = "british | red R.3 R.H R.H R.H | green 50"
    assert legal(where, 6) == {"-"}
    assert turn(played(where, "6 -")).split()[0] == "red"


def test_b4_holds_who_is_home_rolls_no_more() -> None:
    where = "british | red R.2 R.H R.H R.H | green 50 | blue 60"
    assert turn(played(where, "6 R.2>R.H")) == "green"


def test_b5_holds_a_six_enters_onto_the_sixth_square() -> None:
    assert legal("british | red | green 50", 6) == {"R.B>6"}
    assert legal("british | green | red 50", 6) == {"G.B>23"}
    assert turn(played("british | red | green 50", "6 R.B>6")).split()[0] == "red"


@pytest.mark.parametrize("roll", [1, 2, 3, 4, 5])
def test_b5_refuses_entering_with_anything_else(roll: int) -> None:
    where = "british | red 10 | green 50"
    assert legal(where, roll) == {f"10>{10 + roll}"}
    assert "B5" in refused(where, roll, "R.B>6")


def test_b5_refuses_entering_onto_the_start_square() -> None:
    assert refused("british | red 10 | green 50", 6, "R.B>1") == {"B5": "enters_elsewhere 6"}


def test_b6_holds_landing_on_another_colour_sends_it_back() -> None:
    where = "british | red 10 | green 13 50"
    after = played(where, "3 10>13")
    assert stand(after, "green") == "G.B G.B G.B 50"
    assert happened(where, "3 10>13") == {"B6 captured green 13"}


def test_b6_holds_entering_captures_where_it_lands_only() -> None:
    after = played("british | red | green 6 4", "6 R.B>6")
    assert stand(after, "green") == "G.B G.B G.B 4"


def test_b6_holds_jumping_a_single_piece_captures_nothing() -> None:
    after = played("british | red 10 | green 12", "3 10>13")
    assert stand(after, "green") == "G.B G.B G.B 12"


def test_b7_holds_landing_on_an_own_piece_forms_a_block() -> None:
    where = at("british | red 10 13 | green 8")
    after = played(where, "3 10>13")
    assert stand(after, "red") == "R.B R.B 13 13"
    assert legal(after, 6) == {"G.B>23"}
    assert legal(after, 5) == {"-"}
    assert legal(after, 4) == {"8>12"}


def test_b7_holds_own_pieces_pass_and_join_a_block() -> None:
    where = "british | red 10 13 13 | green 50"
    assert legal(where, 4) == {"10>14", "13>17"}
    assert stand(played(where, "3 10>13"), "red") == "R.B 13 13 13"


def test_b7_holds_a_block_ends_when_one_leaves() -> None:
    where = at("british | red 13 13 | green 10")
    assert legal(played(where, "2 13>15"), 3) == {"10>13"}
    assert legal(played(where, "2 13>15"), 4) == {"10>14"}


def test_b7_holds_three_stay_a_block_when_one_leaves() -> None:
    where = at("british | red 13 13 13 | green 10")
    assert legal(played(where, "2 13>15"), 3) == {"-"}


def test_b7_holds_two_colours_are_no_block() -> None:
    assert legal("british | red 10 | green 12 | yellow 13", 5) == {"10>15"}


def test_b7_refuses_landing_on_a_block() -> None:
    assert refused("british | red 10 | green 13 13", 3, "10>13") == {"B7": "block 13"}


def test_b7_refuses_passing_a_block() -> None:
    assert refused("british | red 10 | green 13 13", 5, "10>15") == {"B7": "block 13"}
    assert legal("british | red 10 | green 13 13", 5) == {"-"}


@pytest.mark.parametrize("square", [1, 2, 3, 4, 5, 6])
def test_b7_refuses_entering_past_a_block(square: int) -> None:
    where = f"british | red 30 | green {square} {square}"
    assert legal(where, 6) == {"30>36"}
    assert refused(where, 6, "R.B>6") == {"B7": f"block {square}"}


def test_b7_holds_a_block_behind_the_entry_bars_nothing() -> None:
    assert legal("british | red | green 7 7 68 68", 6) == {"R.B>6"}


def test_b7_refuses_turning_off_past_a_block() -> None:
    where = "british | red 66 | green 67 67"
    assert refused(where, 3, "66>R.2") == {"B7": "block 67"}


def test_b7_holds_a_block_beyond_the_turn_off_bars_nothing() -> None:
    assert legal("british | red 66 | green 68 68", 3) == {"66>R.2"}


def test_b8_holds_up_the_home_column_after_the_circuit() -> None:
    assert legal("british | red 67 | green 50", 1) == {"67>R.1"}
    assert legal("british | red 65 | green 50", 5) == {"65>R.3"}
    assert legal("british | green 15 | red 50", 2) == {"15>G.1"}


def test_b8_holds_home_by_the_exact_throw() -> None:
    where = "british | red R.5 | green 50"
    assert legal(where, 3) == {"R.5>R.H"}
    assert stand(played(where, "3 R.5>R.H"), "red") == "R.B R.B R.B R.H"


def test_b8_holds_own_pieces_share_the_column() -> None:
    assert legal("british | red R.2 R.4 | green 50", 2) == {"R.2>R.4", "R.4>R.6"}


def test_b8_refuses_a_larger_throw() -> None:
    where = "british | red R.5 10 | green 50"
    assert legal(where, 4) == {"10>14"}
    assert refused(where, 4, "R.5>R.H") == {"B8": "past_the_end R.5 =3"}


def test_b9_holds_other_arms_are_walked_round() -> None:
    # Square 16 is where green turns off; red goes straight on.
    assert legal("british | red 16 | green 50", 2) == {"16>18"}


def test_b9_refuses_another_colours_column() -> None:
    assert refused("british | red 16 | green 50", 1, "16>G.1") == {"B9": "not_your_finish G.1"}


def test_b9_refuses_another_colours_home() -> None:
    assert refused("british | red 16 | green 50", 1, "16>G.H").keys() == {"B9"}


def test_b10_holds_first_with_four_home_wins_and_others_play_on() -> None:
    where = "british | red R.7 R.H R.H R.H | green 50 | blue 60"
    after = played(where, "1 R.7>R.H")
    assert places(after) == ["red"]
    assert not after.over
    assert turn(played(after, "1 50>51", "1 60>61")) == "green"


def test_b10_holds_it_is_over_when_all_but_one_are_placed() -> None:
    where = "british | red R.H R.H R.H R.H | green G.7 G.H G.H G.H | blue 60 | turn green home red"
    after = played(where, "1 G.7>G.H")
    assert after.over
    assert places(after) == ["red", "green", "blue"]


def test_b10_refuses_moving_when_it_is_over() -> None:
    over = played("british | red R.7 R.H R.H R.H | green 50", "1 R.7>R.H")
    assert "O1" in refused(over, 1, "50>51")


def test_b3_holds_accepts_what_hands_did() -> None:
    assert accepted("british | red 10 | green 13", 3, "10>13") == "red 3 10>13"
    assert accepted("british | red 10 | green 13", 6, "R.B2>6") == "red 6 R.B>6"

"""Rules of Ludo with Pairs, blockades and the rule of six: P1 to P16.

On the board of 52 the Entries are 1 (red), 14 (green), 27 (yellow) and 40 (blue); safe squares
are these and 9, 22, 35, 48. Red turns off behind square 51.
"""

import pytest

from companion.rules import game
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

SAFE = [1, 9, 14, 22, 27, 35, 40, 48]


# -- P1: set-up ----------------------------------------------------------------------------


def test_p1_holds_four_pawns_in_base_and_the_highest_roll_begins() -> None:
    start = game("pairs").start()
    assert start.game.colours == ("red", "green", "yellow", "blue")
    assert stand(start, "blue") == "B.B B.B B.B B.B"
    assert turn(played(start, "1 -", "3 -", "6 -", "2 -")) == "yellow"
    assert turn(played(start, "5 -", "3 -", "5 -", "2 -", "1 -", "2 -")) == "yellow"


def test_p1_holds_turns_and_pawns_go_clockwise() -> None:
    start = game("pairs").start(begins="yellow")
    assert turns(start, *["1 -"] * 4) == "yellow blue red green yellow"
    assert legal("pairs | blue 51 | red 30", 3) == {"51>2"}


def test_p1_refuses_going_backwards() -> None:
    assert refused("pairs | red 20 | yellow 40", 3, "20>17")["P1"] == "backwards 20 17"


# -- P2 to P4: what is forwardable ---------------------------------------------------------


def test_p2_holds_a_roll_up_to_the_squares_left() -> None:
    assert legal("pairs | red R.3 | yellow 40", 3) == {"R.3>R.H"}
    assert legal("pairs | red R.3 | yellow 40", 2) == {"R.3>R.5"}


def test_p2_refuses_more_than_the_squares_left() -> None:
    where = "pairs | red R.3 20 | yellow 40"
    assert legal(where, 4) == {"20>24"}
    assert refused(where, 4, "R.3>R.H") == {"P2": "past_the_end R.3 =3"}


def test_p3_holds_a_pair_moves_by_half_of_an_even_roll() -> None:
    where = "pairs | red 20 20 | yellow 40"
    assert legal(where, 2) == {"20>21 pair"}
    assert legal(where, 4) == {"20>22 pair"}
    assert stand(played(where, "4 20>22 pair"), "red") == "R.B R.B 22 22"


def test_p3_holds_a_pair_up_to_the_squares_left() -> None:
    assert legal("pairs | red R.4 R.4 | yellow 40", 4) == {"R.4>R.H pair"}


def test_p3_refuses_a_pair_with_an_odd_roll() -> None:
    assert refused("pairs | red 20 20 | yellow 40", 3, "20>23 20>23").keys() == {"P3"}


def test_p3_refuses_a_pair_by_the_whole_roll() -> None:
    broken = refused("pairs | red 20 20 | yellow 40", 4, "20>24 20>24")
    assert broken == {"P3": "pair_goes_half 20 24 =4"}


def test_p3_refuses_half_a_roll_that_is_too_much() -> None:
    where = "pairs | red R.5 R.5 20 | yellow 40"
    assert legal(where, 4) == {"20>24"}
    assert refused(where, 4, "R.5>R.H R.5>R.H") == {"P3": "past_the_end R.5 =1"}


def test_p4_holds_up_to_the_square_before_a_blockade() -> None:
    assert legal("pairs | red 20 | yellow 24 24", 3) == {"20>23"}
    assert legal("pairs | red 20 20 | yellow 23 23", 4) == {"20>22 pair"}


@pytest.mark.parametrize("roll", [4, 5])
def test_p4_refuses_a_pawn_onto_or_past_a_blockade(roll: int) -> None:
    where = "pairs | red 20 30 | yellow 24 24"
    assert legal(where, roll) == {f"30>{30 + roll}"}
    assert refused(where, roll, f"20>{20 + roll}") == {"P4": "block 24"}


def test_p4_refuses_a_pair_onto_or_past_a_blockade() -> None:
    where = "pairs | red 20 20 30 | yellow 22 22"
    assert legal(where, 4) == {"30>34"}
    assert refused(where, 4, "20>22 20>22") == {"P4": "block 22"}
    where = "pairs | red 20 20 30 | yellow 21 21"
    assert refused(where, 4, "20>22 20>22") == {"P4": "block 21"}


def test_p4_holds_a_blockade_past_the_turn_off_stops_nobody() -> None:
    assert legal("pairs | red 50 | yellow 52 52", 3) == {"50>R.2"}


# -- P5 to P7: the rule of six -------------------------------------------------------------


def test_p5_holds_a_six_offers_entering_six_squares_or_a_pair_by_three() -> None:
    where = "pairs | red 20 20 30 | yellow 45"
    assert legal(where, 6) == {"R.B>1", "20>26", "20>23 pair", "30>36"}


@pytest.mark.parametrize("sixes", [0, 1, 2])
def test_p5_holds_the_first_three_sixes_roll_again(sixes: int) -> None:
    where = at(f"pairs | red 20 | yellow 45 | turn red sixes {sixes}")
    assert legal(where, 6) == {"R.B>1", "20>26"}
    assert turn(played(where, "6 20>26")) == f"red sixes {sixes + 1}"


@pytest.mark.parametrize("sixes", [0, 1, 2])
def test_p5_holds_with_nothing_forwardable_just_roll_again(sixes: int) -> None:
    # The sheet's example: base empty, fewer than six left for pawns and than three for Pairs.
    where = at(f"pairs | red R.1 R.2 R.4 R.4 | yellow 45 | turn red sixes {sixes}")
    assert legal(where, 6) == {"-"}
    assert turn(played(where, "6 -")) == f"red sixes {sixes + 1}"


def test_p5_holds_other_rolls_end_the_turn() -> None:
    where = at("pairs | red 20 | yellow 45 | turn red sixes 2")
    assert turn(played(where, "5 20>25")) == "yellow"


def test_p5_holds_who_is_home_rolls_no_more() -> None:
    where = "pairs | red 51 R.H R.H R.H | yellow 45 | blue 5"
    assert turn(played(where, "6 51>R.H")) == "yellow"
    where = "pairs | red R.3 R.3 R.H R.H | yellow 45 | blue 5"
    assert turn(played(where, "6 R.3>R.H pair")) == "yellow"


def test_p5_refuses_a_pair_by_six() -> None:
    assert "P3" in refused("pairs | red 20 20 | yellow 45", 6, "20>26 20>26")


def test_p6_holds_the_fourth_six_ends_the_turn_without_a_move() -> None:
    where = at("pairs | red 20 | yellow 45 | turn red sixes 3")
    assert legal(where, 6) == {"-"}
    after = played(where, "6 -")
    assert turn(after) == "yellow"
    assert after.pieces == where.pieces
    assert happened(where, "6 -") == {"P6 too_many_sixes red"}


def test_p6_holds_four_sixes_from_the_start() -> None:
    where = at("pairs | red | yellow 45")
    after = played(where, "6 R.B>1", "6 R.B>1", "6 R.B>1", "6 -")
    assert turn(after) == "yellow"
    assert stand(after, "red") == "R.B 1 1 1"


def test_p6_holds_the_count_begins_anew_each_turn() -> None:
    where = at("pairs | red 20 | yellow 45 | turn red sixes 2")
    after = played(where, "2 20>22", "2 45>47", "6 22>28")
    assert turn(after) == "red sixes 1"


def test_p6_refuses_moving_with_the_fourth_six() -> None:
    assert refused("pairs | red 20 | yellow 45 | turn red sixes 3", 6, "20>26").keys() == {"P6"}


def test_p7_holds_a_six_enters_onto_the_entry() -> None:
    assert legal("pairs | red | yellow 45", 6) == {"R.B>1"}
    assert legal("pairs | blue | yellow 45", 6) == {"B.B>40"}


@pytest.mark.parametrize("roll", [1, 2, 3, 4, 5])
def test_p7_refuses_entering_with_anything_else(roll: int) -> None:
    where = "pairs | red 20 | yellow 45"
    assert legal(where, roll) == {f"20>{20 + roll}"}
    assert "P7" in refused(where, roll, "R.B>1")


def test_p7_refuses_entering_onto_an_opponents_blockade() -> None:
    where = at("pairs | red | yellow 1 1")
    assert legal(where, 6) == {"-"}
    assert refused(where, 6, "R.B>1").keys() & {"P4", "P7"}
    assert turn(played(where, "6 -")) == "red sixes 1"


def test_p7_holds_an_own_pair_on_the_entry_bars_nothing() -> None:
    assert stand(played("pairs | red 1 1 | yellow 45", "6 R.B>1"), "red") == "R.B 1 1 1"


# -- P8 to P11: Pairs and splits -----------------------------------------------------------


def test_p8_holds_two_own_pawns_on_one_square_are_a_pair() -> None:
    where = at("pairs | red 20 24 | yellow 22")
    after = played(where, "4 20>24")
    assert legal(after, 2) == {"-"}
    assert legal(after, 1) == {"22>23"}


def test_p8_holds_it_is_never_a_blockade_to_its_owner() -> None:
    where = "pairs | red 20 22 22 | yellow 45"
    assert legal(where, 4) == {"20>24", "22>24 pair"}
    assert "20>22" in legal(where, 2)


def test_p8_holds_of_three_the_third_is_a_single_pawn_for_any_roll() -> None:
    where = "pairs | red 20 20 20 | yellow 45"
    assert legal(where, 2) == {"20>22", "20>21 pair"}
    assert legal(where, 4) == {"20>24", "20>22 pair"}
    assert legal(where, 3) == {"20>23"}
    assert legal(where, 6) == {"R.B>1", "20>26", "20>23 pair"}


def test_p8_holds_moving_the_third_is_no_split_so_it_must_be_made() -> None:
    where = "pairs | red 20 20 20 | yellow 45"
    assert refused(where, 3, "-").keys() == {"P11"}


def test_p8_holds_the_two_left_are_still_a_pair() -> None:
    after = played("pairs | red 20 20 20 | yellow 18", "4 20>24")
    assert stand(after, "red") == "R.B 20 20 24"
    assert legal(after, 2) == {"-"}


def test_p8_holds_four_are_two_pairs() -> None:
    where = "pairs | red 20 20 20 20 | yellow 45"
    assert legal(where, 2) == {"20>21 pair"}
    assert legal(where, 4) == {"20>22 pair"}
    assert legal(where, 3) == {"20>23"}
    assert legal(where, 6) == {"20>26", "20>23 pair"}
    assert stand(played(where, "2 20>21 pair"), "red") == "20 20 21 21"


def test_p8_refuses_a_pair_where_only_one_stands() -> None:
    assert refused("pairs | red 20 30 | yellow 45", 2, "20>21 20>21").keys() & {"P8", "O5"}


def test_p9_holds_an_odd_roll_may_split_a_pair() -> None:
    where = at("pairs | red 20 20 30 | yellow 18")
    assert legal(where, 3) == {"20>23", "30>33"}
    after = played(where, "3 20>23")
    assert stand(after, "red") == "R.B 20 23 30"
    assert legal(after, 4) == {"18>22"}


def test_p9_holds_a_six_may_split_a_pair() -> None:
    assert stand(played("pairs | red 20 20 | yellow 45", "6 20>26"), "red") == "R.B R.B 20 26"


@pytest.mark.parametrize("roll", [2, 4])
def test_p9_refuses_splitting_what_moves_whole(roll: int) -> None:
    where = "pairs | red 20 20 30 | yellow 45"
    assert legal(where, roll) == {f"20>{20 + roll // 2} pair", f"30>{30 + roll}"}
    assert refused(where, roll, f"20>{20 + roll}") == {"P9": f"pair_moves_whole 20 {20 + roll}"}


def test_p9_holds_what_stops_half_a_roll_stops_all_of_it() -> None:
    # A blockade two squares ahead stops the Pair's two and the pawn's four alike.
    assert legal("pairs | red 20 20 | yellow 22 22", 4) == {"-"}
    assert legal("pairs | red R.4 R.4 20 30 | yellow 45", 6) == {"20>26", "30>36"}
    assert legal("pairs | red R.5 R.5 R.H R.H | yellow 45", 4) == {"-"}


def test_p4_refuses_a_pawn_of_a_pair_that_is_blocked_itself() -> None:
    # The Pair cannot go either, so it is not P9 that keeps its pawn.
    assert refused("pairs | red 20 20 | yellow 22 22", 4, "20>24") == {"P4": "block 22"}
    assert refused("pairs | red R.5 R.5 | yellow 45", 4, "R.5>R.H").keys() == {"P2"}


def test_p10_holds_with_base_empty_and_no_other_option_the_split_must_be_made() -> None:
    where = "pairs | red 20 20 R.H R.H | yellow 45"
    assert legal(where, 3) == {"20>23"}
    where = "pairs | red 20 20 R.5 R.5 | yellow 45"
    assert legal(where, 3) == {"20>23"}
    assert legal(where, 1) == {"20>21", "R.5>R.H"}


def test_p10_refuses_passing_over_a_forced_split() -> None:
    broken = refused("pairs | red 20 20 R.H R.H | yellow 45", 3, "-")
    assert broken.keys() == {"P10"}


def test_p11_holds_with_pawns_in_base_and_only_splits_the_player_may_pass() -> None:
    where = at("pairs | red 20 20 | yellow 45")
    assert legal(where, 3) == {"20>23", "-"}
    after = played(where, "3 -")
    assert turn(after) == "yellow"
    assert after.pieces == where.pieces
    assert accepted(where, 3, "-") == "red 3 -"
    assert accepted(where, 3, "20>23") == "red 3 20>23"


def test_p11_holds_with_one_pawn_home_and_one_waiting_too() -> None:
    assert legal("pairs | red 20 20 R.H | yellow 45", 5) == {"20>25", "-"}


def test_p11_holds_a_pass_beside_a_pawn_that_cannot_go() -> None:
    assert legal("pairs | red 20 20 R.5 | yellow 45", 3) == {"20>23", "-"}


def test_p11_refuses_passing_when_another_pawn_can_go() -> None:
    where = "pairs | red 20 20 30 | yellow 45"
    assert legal(where, 3) == {"20>23", "30>33"}
    assert refused(where, 3, "-").keys() == {"P11"}


@pytest.mark.parametrize("roll", [2, 4])
def test_p11_refuses_passing_when_the_pair_can_go_whole(roll: int) -> None:
    assert refused("pairs | red 20 20 | yellow 45", roll, "-").keys() == {"P11"}


def test_p11_refuses_passing_a_six() -> None:
    assert refused("pairs | red 20 20 | yellow 45", 6, "-").keys() == {"P11"}
    # Also with the Entry barred: the Pair by three is no split.
    where = "pairs | red 20 20 | yellow 1 1"
    assert legal(where, 6) == {"20>26", "20>23 pair"}


def test_p12_holds_nothing_forwardable_and_no_entry_ends_the_turn() -> None:
    assert turn(played("pairs | red | yellow 45", "5 -")) == "yellow"
    assert turn(played("pairs | red R.5 R.H R.H R.H | yellow 45", "2 -")) == "yellow"
    assert turn(played("pairs | red 20 R.H R.H R.H | yellow 22 22", "5 -")) == "yellow"


def test_p12_refuses_ending_the_turn_while_something_can_go() -> None:
    assert refused("pairs | red 20 | yellow 45", 5, "-") == {"P11": "must_move 20"}


# -- P13 to P16: captures, safe squares, the end -------------------------------------------


def test_p13_holds_landing_on_a_single_pawn_sends_it_to_base() -> None:
    where = "pairs | red 20 | yellow 24 45"
    after = played(where, "4 20>24")
    assert stand(after, "yellow") == "Y.B Y.B Y.B 45"
    assert happened(where, "4 20>24") == {"P13 captured yellow 24"}


def test_p13_holds_a_pair_captures_too() -> None:
    after = played("pairs | red 23 23 | yellow 25 45", "4 23>25 pair")
    assert stand(after, "red") == "R.B R.B 25 25"
    assert stand(after, "yellow") == "Y.B Y.B Y.B 45"


def test_p13_holds_passing_captures_nothing() -> None:
    after = played("pairs | red 20 | yellow 24", "5 20>25")
    assert stand(after, "yellow") == "Y.B Y.B Y.B 24"


@pytest.mark.parametrize("square", SAFE[1:])
def test_p14_holds_nobody_is_captured_on_a_safe_square(square: int) -> None:
    other = "green" if square in (27, 35) else "yellow"
    where = f"pairs | red {square - 1} | {other} {square}"
    after = played(where, f"1 {square - 1}>{square}")
    assert stand(after, other).endswith(f" {square}")
    assert stand(after, "red").endswith(f" {square}")


def test_p14_holds_entering_captures_nobody() -> None:
    after = played("pairs | red | yellow 1", "6 R.B>1")
    assert stand(after, "yellow") == "Y.B Y.B Y.B 1"
    assert stand(after, "red") == "R.B R.B R.B 1"


def test_p14_holds_three_colours_side_by_side_are_no_blockade() -> None:
    where = "pairs | red 7 | green 9 | yellow 9 | blue 9"
    assert legal(where, 2) == {"7>9"}
    assert legal(where, 3) == {"7>10"}
    assert legal("pairs | red | green 1 | yellow 1 | blue 1", 6) == {"R.B>1"}


def test_p14_holds_a_pair_moves_beside_a_single_pawn() -> None:
    after = played("pairs | red 8 8 | yellow 9", "2 8>9 pair")
    assert stand(after, "yellow") == "Y.B Y.B Y.B 9"
    assert stand(after, "red") == "R.B R.B 9 9"


def test_p14_refuses_an_opponents_pair_on_a_safe_square() -> None:
    where = "pairs | red 7 30 | yellow 9 9"
    assert refused(where, 2, "7>9") == {"P4": "block 9"}
    assert refused(where, 3, "7>10") == {"P4": "block 9"}


def test_p14_refuses_joining_an_own_pawn_beside_an_opponents_pair() -> None:
    where = "pairs | red 7 9 | yellow 9 9"
    assert legal(where, 2) == {"9>11"}
    assert refused(where, 2, "7>9") == {"P4": "block 9"}


def test_p14_holds_a_blockade_on_the_square_a_pawn_leaves_does_not_stop_it() -> None:
    assert legal("pairs | red 9 | yellow 9 9", 3) == {"9>12"}


def test_p14_refuses_the_entry_where_an_opponents_pair_stands_beside_an_own_pawn() -> None:
    where = "pairs | red 1 | yellow 1 1"
    assert legal(where, 6) == {"1>7"}
    assert refused(where, 6, "R.B>1").keys() & {"P4", "P7"}


def test_p14_holds_other_squares_are_not_safe() -> None:
    # Yellow never stands on 26, the square behind its own Entry.
    unsafe = [square for square in range(2, 52) if square not in SAFE and square != 26]
    for square in unsafe:
        where = f"pairs | red {square - 1} | yellow {square}"
        after = played(where, f"1 {square - 1}>{square}")
        assert stand(after, "yellow") == "Y.B Y.B Y.B Y.B"


def test_p15_holds_the_destination_by_exact_count() -> None:
    assert legal("pairs | red R.5 | yellow 45", 1) == {"R.5>R.H"}
    assert legal("pairs | red 51 | yellow 45", 6) == {"R.B>1", "51>R.H"}


def test_p15_holds_a_pair_by_exact_half() -> None:
    where = "pairs | red R.3 R.3 | yellow 45"
    assert "R.3>R.H pair" in legal(where, 6)
    assert legal("pairs | red R.5 R.5 | yellow 45", 2) == {"R.5>R.H pair"}
    after = played("pairs | red R.5 R.5 | yellow 45", "2 R.5>R.H pair")
    assert stand(after, "red") == "R.B R.B R.H R.H"


def test_p15_holds_a_pawn_at_the_destination_stays_and_is_no_pair() -> None:
    assert legal("pairs | red R.H R.H | yellow 45", 2) == {"-"}


def test_p15_refuses_moving_a_pawn_from_the_destination() -> None:
    assert refused("pairs | red R.H 20 | yellow 45", 2, "R.H>R.5")


def test_p15_refuses_another_colours_home_column() -> None:
    broken = refused("pairs | red 12 | green 45", 1, "12>G.1")
    assert "not_your_finish G.1" in broken.values()


def test_p16_holds_first_with_four_at_the_destination_wins_and_others_play_on() -> None:
    where = "pairs | red R.5 R.H R.H R.H | yellow 45 | blue 5"
    after = played(where, "1 R.5>R.H")
    assert places(after) == ["red"]
    assert not after.over
    assert turn(played(after, "1 45>46", "1 5>6")) == "yellow"


def test_p16_holds_it_is_over_when_all_but_one_are_placed() -> None:
    where = "pairs | red R.H R.H R.H R.H | yellow Y.5 Y.5 Y.H Y.H | blue 5 | turn yellow home red"
    after = played(where, "2 Y.5>Y.H pair")
    assert after.over
    assert places(after) == ["red", "yellow", "blue"]


def test_p16_refuses_moving_when_it_is_over() -> None:
    over = played("pairs | red R.5 R.H R.H R.H | yellow 45", "1 R.5>R.H")
    assert "O1" in refused(over, 1, "45>46")

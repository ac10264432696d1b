"""The German sheet, clause by clause: G1 to G17.

On the board of 40 the A squares are 1 (yellow), 11 (green), 21 (red) and 31 (black), so
yellow's progress is the square's number less one.
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

# -- G1 to G4: equipment, set-up, who begins, turns ----------------------------------------


def test_g1_holds_four_pieces_of_four_colours_and_an_ordinary_die() -> None:
    table = game("german")
    assert table.colours == ("yellow", "green", "red", "black")
    assert [len(pieces) for pieces in table.start().pieces] == [4, 4, 4, 4]
    assert [table.die.show(face) for face in range(1, 7)] == ["1", "2", "3", "4", "5", "6"]


def test_g1_refuses_a_fifth_piece() -> None:
    with pytest.raises(BadInput, match="5"):
        at("german | yellow 1 2 3 4 5 | red 21")


def test_g2_holds_one_piece_on_a_and_three_in_base() -> None:
    start = game("german").start(begins="yellow")
    assert stand(start, "yellow") == "Y.B Y.B Y.B 1"
    assert stand(start, "green") == "G.B G.B G.B 11"
    assert stand(start, "red") == "R.B R.B R.B 21"
    assert stand(start, "black") == "K.B K.B K.B 31"


def test_g2_holds_for_the_seats_that_are_taken() -> None:
    start = game("german", (), ["green", "black"]).start(begins="green")
    assert [stand(start, colour) for colour in ("yellow", "red")] == ["", ""]


def test_g3_holds_the_highest_roll_begins() -> None:
    start = game("german").start()
    assert turn(played(start, "2 -", "5 -", "3 -", "4 -")) == "green"


def test_g3_holds_tied_highest_rollers_roll_again_among_themselves() -> None:
    tied = played(game("german").start(), "5 -", "2 -", "5 -", "1 -")
    assert turn(tied) == "yellow"
    assert happened(game("german").start(), "5 -", "2 -", "5 -", "1 -") == {
        "G3 tied yellow",
        "G3 tied red",
    }
    assert turn(played(tied, "1 -")) == "red"
    assert turn(played(tied, "1 -", "2 -")) == "red"
    assert turn(played(tied, "6 -", "2 -")) == "yellow"
    again = played(tied, "4 -", "4 -")
    assert again.opening == tied.opening


def test_g4_holds_turns_go_clockwise() -> None:
    start = game("german").start(begins="red")
    assert turns(start, "1 21>22", "1 31>32", "1 1>2", "1 11>12") == "red black yellow green red"


def test_g4_holds_empty_seats_are_left_out() -> None:
    where = game("german", (), ["yellow", "green", "black"]).start(begins="green")
    assert turn(played(where, "1 11>12")) == "black"
    assert turn(played(where, "1 11>12", "1 31>32")) == "yellow"


def test_g4_refuses_a_move_out_of_turn() -> None:
    assert refused("german | yellow 5 | red 25", 3, "25>28", by="red").keys() >= {"O1"}


# -- G5 to G8: moving, capturing -----------------------------------------------------------


def test_g5_holds_forward_by_the_number_rolled() -> None:
    assert legal("german | yellow 5 | red 25", 3) == {"5>8"}


def test_g5_holds_own_and_other_pieces_are_counted_and_jumped() -> None:
    assert legal("german | yellow 5 6 | red 7", 4) == {"5>9", "6>10"}


def test_g5_holds_round_the_end_of_the_numbers() -> None:
    assert legal("german | red 38 | yellow 10", 4) == {"38>2"}


def test_g5_refuses_going_backwards() -> None:
    assert refused("german | yellow 9 | red 25", 3, "9>6")["G5"] == "backwards 9 6"


def test_g5_refuses_going_backwards_onto_an_opponent() -> None:
    assert refused("german | yellow 9 | red 6", 3, "9>6")["G5"] == "backwards 9 6"


def test_g6_holds_any_own_piece_that_can_move() -> None:
    assert legal("german | yellow 5 9 Y.a | red 25", 2) == {"5>7", "9>11", "Y.a>Y.c"}


def test_g7_holds_landing_on_an_opponent_captures_it() -> None:
    after = played("german | yellow 5 | red 8 30", "3 5>8")
    assert stand(after, "yellow") == "Y.B Y.B Y.B 8"
    assert stand(after, "red") == "R.B R.B R.B 30"
    assert happened("german | yellow 5 | red 8 30", "3 5>8") == {"G7 captured red 8"}


def test_g7_holds_jumping_captures_nothing() -> None:
    after = played("german | yellow 5 | red 8", "4 5>9")
    assert stand(after, "red") == "R.B R.B R.B 8"


def test_g7_holds_no_duty_to_capture() -> None:
    where = "german | yellow 5 15 | red 8"
    assert legal(where, 3) == {"5>8", "15>18"}
    assert happened(where, "3 15>18") == set()


def test_g8_holds_another_piece_must_move() -> None:
    assert legal("german | yellow 5 8 | red 25", 3) == {"8>11"}


def test_g8_refuses_landing_on_your_own_piece() -> None:
    assert refused("german | yellow 5 8 | red 25", 3, "5>8") == {"G8": "own_piece 8"}


def test_g8_refuses_an_occupied_finish_square() -> None:
    assert refused("german | yellow 39 Y.b | red 25", 3, "39>Y.b") == {"G8": "own_piece Y.b"}


# -- G9 to G14: the A square and the six ---------------------------------------------------


def test_g9_holds_the_piece_on_a_must_move_while_others_wait() -> None:
    assert legal("german | yellow 1 9 | red 25", 3) == {"1>4"}


def test_g9_holds_no_duty_when_none_waits() -> None:
    assert legal("german | yellow 1 9 15 Y.d | red 25", 3) == {"1>4", "9>12", "15>18"}


def test_g9_holds_any_other_move_is_free_when_the_piece_on_a_cannot() -> None:
    assert legal("german | yellow 1 4 15 | red 25", 3) == {"4>7", "15>18"}


def test_g9_holds_another_colour_on_your_a_square_is_no_duty() -> None:
    assert legal("german | yellow 9 15 | red 1", 3) == {"9>12", "15>18"}


def test_g9_holds_clearing_comes_before_capturing() -> None:
    assert legal("german | yellow 1 9 | red 12", 3) == {"1>4"}


def test_g9_refuses_another_piece_while_a_can_be_cleared() -> None:
    assert refused("german | yellow 1 9 | red 25", 3, "9>12") == {"G9": "must_clear_start 1"}


def test_g10_holds_a_six_brings_a_piece_onto_a() -> None:
    assert legal("german | yellow | red 25", 6) == {"Y.B>1"}


@pytest.mark.parametrize("roll", [1, 2, 3, 4, 5])
def test_g10_refuses_entering_with_anything_else(roll: int) -> None:
    where = "german | yellow 9 | red 25"
    assert refused(where, roll, "Y.B>1") == {"G10": "needs_entry_roll Y.B 1"}
    assert legal("german | yellow | red 25", roll) == {"-"}


def test_g10_refuses_entering_onto_another_square() -> None:
    assert refused("german | yellow | red 25", 6, "Y.B>6") == {"G10": "enters_elsewhere 1"}


def test_g11_holds_a_six_must_bring_in_a_waiting_piece() -> None:
    assert legal("german | yellow 9 15 | red 25", 6) == {"Y.B>1"}


def test_g11_holds_the_own_piece_on_a_goes_on_six_instead() -> None:
    assert legal("german | yellow 1 15 | red 25", 6) == {"1>7"}


def test_g11_holds_any_piece_may_use_the_six_when_the_one_on_a_cannot() -> None:
    assert legal("german | yellow 1 7 20 | red 25", 6) == {"7>13", "20>26"}


def test_g11_holds_example_a() -> None:
    # Yellow on A and on progress 6 and 12, one in base, rolls 6: only 12 to 18 is left.
    assert legal("german | yellow 1 7 13 | red 25", 6) == {"13>19"}


def test_g11_holds_with_nobody_waiting_any_piece_may_go_six() -> None:
    assert legal("german | yellow 5 15 20 Y.d | red 25", 6) == {"5>11", "15>21", "20>26"}


def test_g11_refuses_another_move_while_one_waits() -> None:
    assert refused("german | yellow 9 15 | red 25", 6, "9>15").keys() == {"G8", "G11"}
    assert refused("german | yellow 9 | red 25", 6, "9>15") == {"G11": "must_enter Y.B"}


def test_g11_refuses_entering_while_an_own_piece_stands_on_a() -> None:
    broken = refused("german | yellow 1 15 | red 25", 6, "Y.B>1")
    assert broken["G8"] == "own_piece 1"


def test_g11_refuses_another_piece_while_the_one_on_a_can_go_six() -> None:
    broken = refused("german | yellow 1 15 | red 25", 6, "15>21")
    assert broken.keys() <= {"G9", "G11"}
    assert set(broken.values()) == {"must_clear_start 1"}


def test_g12_holds_an_opponent_on_a_is_captured_by_the_entering_piece() -> None:
    after = played("german | yellow | red 1", "6 Y.B>1")
    assert stand(after, "yellow") == "Y.B Y.B Y.B 1"
    assert stand(after, "red") == "R.B R.B R.B R.B"
    told = happened("german | yellow | red 1", "6 Y.B>1")
    assert told == {"G12 captured red 1", "G13 again yellow"}


def test_g13_holds_a_six_gives_another_roll_without_limit() -> None:
    where = at("german | yellow 5 15 20 Y.d | red 25")
    for origin in (5, 11, 17, 23, 29):
        where = played(where, f"6 {origin}>{origin + 6}")
        assert turn(where).split()[0] == "yellow"
    assert turn(played(where, "1 35>36")) == "red"


def test_g13_holds_a_six_that_moves_nothing_gives_another_roll_too() -> None:
    where = "german | yellow 36 Y.b Y.c Y.d | red 25"
    assert legal(where, 6) == {"-"}
    assert turn(played(where, "6 -")).split()[0] == "yellow"


def test_g13_holds_other_rolls_give_none() -> None:
    assert turn(played("german | yellow 5 | red 25", "5 5>10")) == "red"


def test_g14_holds_a_six_that_brings_the_last_piece_home_rolls_no_more() -> None:
    where = "german | yellow 35 Y.b Y.c Y.d | green 15 | red 25"
    after = played(where, "6 35>Y.a")
    assert turn(after) == "green"
    assert "G14 no_more_rolls yellow" in happened(where, "6 35>Y.a")


def test_g14_holds_a_six_that_brings_an_earlier_piece_home_rolls_again() -> None:
    after = played("german | yellow 20 35 Y.c Y.d | green 15 | red 25", "6 35>Y.a")
    assert turn(after).split()[0] == "yellow"


# -- G15 to G17: the finish, the end -------------------------------------------------------


@pytest.mark.parametrize(("roll", "square"), [(1, "a"), (2, "b"), (3, "c"), (4, "d")])
def test_g15_holds_the_finish_is_counted_square_by_square(roll: int, square: str) -> None:
    # The sheet's example: a piece right in front of its finish.
    assert legal("german | yellow 40 | red 25", roll) == {f"40>Y.{square}"}


def test_g15_holds_pieces_in_the_finish_may_be_jumped() -> None:
    assert legal("german | yellow 40 Y.a Y.b | red 25", 3) == {"40>Y.c", "Y.a>Y.d"}


def test_g15_holds_example_b() -> None:
    # Pieces on b and d, roll 1: b goes to c, d cannot move.
    assert legal("german | yellow Y.b Y.d | red 25", 1) == {"Y.b>Y.c"}


def test_g15_refuses_a_roll_past_the_end() -> None:
    assert legal("german | yellow 40 | red 25", 5) == {"-"}
    assert refused("german | yellow 40 9 | red 25", 5, "40>Y.d") == {"G15": "past_the_end 40 =4"}


def test_g15_refuses_example_b_the_piece_on_d() -> None:
    assert refused("german | yellow Y.b Y.d | red 25", 1, "Y.d>").keys() == {"G15"}


def test_g15_refuses_going_back_in_the_finish() -> None:
    assert refused("german | yellow 9 Y.c | red 25", 1, "Y.c>Y.b").keys() >= {"G5"}


def test_g16_holds_other_finishes_are_walked_past() -> None:
    assert legal("german | yellow 9 | green 25", 3) == {"9>12"}
    assert legal("german | yellow 10 | red 25", 1) == {"10>11"}


def test_g16_refuses_another_colours_finish() -> None:
    assert refused("german | yellow 10 | green 25", 1, "10>G.a") == {"G16": "not_your_finish G.a"}


def test_g16_refuses_a_second_round() -> None:
    # Behind its last track square a colour turns off: it never comes onto its A square again.
    assert refused("german | yellow 40 9 | red 25", 1, "40>1").keys() >= {"G5"}


def test_g17_holds_first_with_four_in_the_finish_wins() -> None:
    where = "german | yellow 40 Y.b Y.c Y.d | green 15 | red 25"
    after = played(where, "1 40>Y.a")
    assert places(after) == ["yellow"]
    assert not after.over
    assert turn(after) == "green"


def test_g17_holds_the_others_play_on_for_the_places() -> None:
    where = at(
        "german | yellow Y.a Y.b Y.c Y.d | green 10 G.b G.c G.d | red 20 R.b R.c R.d | "
        "turn red home yellow"
    )
    assert turn(played(where, "2 -")) == "green"
    after = played(where, "1 20>R.a")
    assert after.over
    assert places(after) == ["yellow", "red", "green"]


def test_g17_holds_two_players_are_done_with_the_first() -> None:
    after = played("german | yellow 40 Y.b Y.c Y.d | red 25", "1 40>Y.a")
    assert after.over
    assert turn(after) == "-"
    assert places(after) == ["yellow", "red"]


def test_g17_holds_four_players_are_done_when_three_are_placed() -> None:
    where = at(
        "german | yellow Y.a Y.b Y.c Y.d | green 10 G.b G.c G.d | red 20 R.b R.c R.d | black 35 | "
        "turn green home yellow"
    )
    after = played(where, "1 10>G.a")
    assert not after.over
    after = played(after, "1 20>R.a")
    assert after.over
    assert places(after) == ["yellow", "green", "red", "black"]


def test_g17_refuses_any_move_when_it_is_over() -> None:
    over = played("german | yellow 40 Y.b Y.c Y.d | red 25", "1 40>Y.a")
    assert refused(over, 3, "25>28").keys() == {"O1"}
    assert legal(over, 3) == set()


def test_g9_g11_holds_accepts_what_the_duties_ask_for() -> None:
    assert accepted("german | yellow 1 9 | red 25", 3, "1>4") == "yellow 3 1>4"
    assert accepted("german | yellow 9 | red 25", 6, "Y.B>1") == "yellow 6 Y.B>1"

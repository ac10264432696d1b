"""The German sheet's seven variants, alone and together: GV1 to GV7."""

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

# -- GV1: two players, all four colours ----------------------------------------------------

TWO = "german+two_colours_each yellow,green"


def test_gv1_holds_all_four_colours_are_set_up_and_take_turns() -> None:
    start = game("german", ["two_colours_each"], ["yellow", "green"]).start(begins="yellow")
    assert turns(start, "1 1>2", "1 11>12", "1 21>22", "1 31>32") == "yellow green red black yellow"


def test_gv1_holds_each_person_rolls_once_and_begins_with_the_first_own_colour() -> None:
    start = game("german", ["two_colours_each"], ["yellow", "green"]).start()
    assert start.opening is not None
    assert len(start.opening) == 2
    assert turn(played(start, "2 -", "5 -")) == "green"
    assert turn(played(start, "5 -", "2 -")) == "yellow"
    tied = played(start, "4 -", "4 -")
    assert tied.opening == start.opening


def test_gv1_holds_each_colour_counts_its_own_rolls() -> None:
    where = at(f"{TWO} | yellow 5 | green 15 | red 25 | black 35")
    assert legal(where, 3) == {"5>8"}
    assert turn(played(where, "3 5>8")) == "green"


def test_gv1_holds_the_two_colours_of_a_player_capture_each_other() -> None:
    after = played(f"{TWO} | yellow 5 | green 15 | red 8 | black 35", "3 5>8")
    assert stand(after, "red") == "R.B R.B R.B R.B"


def test_gv1_holds_a_finished_colour_is_skipped_and_has_not_won_alone() -> None:
    where = at(f"{TWO} | yellow 40 Y.b Y.c Y.d | green 15 | red 25 | black 35")
    after = played(where, "1 40>Y.a")
    assert not after.over
    assert turn(played(after, "1 15>16", "1 25>26", "1 35>36")) == "green"


def test_gv1_holds_a_player_wins_with_both_colours_home_and_that_ends_it() -> None:
    where = at(
        f"{TWO} | yellow Y.a Y.b Y.c Y.d | green 15 | red 20 R.b R.c R.d | black 35 | "
        "turn red home yellow"
    )
    after = played(where, "1 20>R.a")
    assert after.over
    assert places(after) == ["yellow"]


def test_gv1_holds_one_colour_of_each_player_home_is_no_end() -> None:
    where = at(
        f"{TWO} | yellow Y.a Y.b Y.c Y.d | green 10 G.b G.c G.d | red 20 | black 35 | "
        "turn green home yellow"
    )
    after = played(where, "1 10>G.a")
    assert not after.over
    assert turn(after) == "red"


def test_gv1_g14_holds_the_last_piece_of_that_colour_rolls_no_more() -> None:
    where = at(f"{TWO} | yellow 35 Y.b Y.c Y.d | green 15 | red 25 | black 38")
    assert turn(played(where, "6 35>Y.a")) == "green"


def test_gv1_refuses_the_players_other_colour() -> None:
    where = at(f"{TWO} | yellow 5 | green 15 | red 25 | black 35")
    assert refused(where, 3, "25>28").keys() == {"O4"}


def test_gv1_refuses_two_seats_of_one_player() -> None:
    with pytest.raises(BadInput, match="yellow and red"):
        game("german", ["two_colours_each"], ["yellow", "red"])


def test_gv1_gv4_holds_three_rolls_are_looked_at_for_each_colour() -> None:
    where = at("german+two_colours_each+three_rolls yellow,green | yellow 5 | green | red | black")
    assert turn(played(where, "1 5>6")) == "green rolls 3"


def test_gv1_gv7_holds_the_own_second_colour_is_a_duty() -> None:
    where = at(
        "german+two_colours_each+compulsory_capture yellow,green | "
        "yellow 5 15 | green 25 | red 8 | black 35"
    )
    after = played(where, "3 15>18")
    assert stand(after, "yellow") == "Y.B Y.B Y.B 18"


# -- GV2: three players and a neutral colour -----------------------------------------------

NEUTRAL = "german+neutral_colour yellow,green,red"


def test_gv2_holds_the_neutral_colour_is_set_up_and_takes_no_turns() -> None:
    where = game("german", ["neutral_colour"], ["yellow", "green", "red"]).start(begins="red")
    assert stand(where, "black") == "K.B K.B K.B 31"
    assert turn(played(where, "1 21>22")) == "yellow"


def test_gv2_holds_an_own_or_a_neutral_piece_may_move() -> None:
    where = at(f"{NEUTRAL} | yellow 5 | green 15 | red 25 | black 35")
    assert legal(where, 3) == {"5>8", "black 35>38"}
    assert accepted(where, 3, "35>38") == "black 3 35>38"


def test_gv2_holds_each_colours_own_duties_bind_it() -> None:
    where = at(f"{NEUTRAL} | yellow 5 9 | green 15 | red 25 | black 31 35")
    assert legal(where, 6) == {"Y.B>1", "black 31>37"}
    assert legal(where, 3) == {"5>8", "9>12", "black 31>34"}


def test_gv2_holds_any_seat_may_be_the_neutral_one() -> None:
    where = at(
        "german+neutral_colour green,red,black | yellow 5 | green 15 | red 25 | black 35 | "
        "turn green"
    )
    assert legal(where, 3) == {"15>18", "yellow 5>8"}


def test_gv2_holds_neutral_pieces_capture_and_are_captured() -> None:
    where = at(f"{NEUTRAL} | yellow 5 | green 38 | red 25 | black 35 8")
    assert stand(played(where, "3 black 35>38"), "green") == "G.B G.B G.B G.B"
    assert stand(played(where, "3 5>8"), "black") == "K.B K.B K.B 35"


def test_gv2_holds_a_neutral_piece_may_hit_the_movers_own() -> None:
    where = at(f"{NEUTRAL} | yellow 5 38 | green 15 | red 25 | black 35")
    assert stand(played(where, "3 black 35>38"), "yellow") == "Y.B Y.B Y.B 5"


def test_gv2_holds_if_only_a_neutral_piece_can_move_it_must_be_moved() -> None:
    where = at(f"{NEUTRAL} | yellow | green 15 | red 25 | black 35")
    assert legal(where, 3) == {"black 35>38"}
    assert refused(where, 3, "-").keys() == {"O6"}


def test_gv2_refuses_what_the_neutral_colours_duties_forbid() -> None:
    where = at(f"{NEUTRAL} | yellow 5 | green 15 | red 25 | black 31 35")
    assert refused(where, 3, "35>38") == {"G9": "must_clear_start 31"}
    where = at(f"{NEUTRAL} | yellow 5 | green 15 | red 25 | black 35")
    assert refused(where, 6, "35>K.a").keys() == {"O8", "G11"}
    assert refused(where, 6, "35>1") == {"G11": "must_enter K.B"}


def test_gv2_refuses_another_players_piece() -> None:
    where = at(f"{NEUTRAL} | yellow 5 | green 15 | red 25 | black 35")
    assert refused(where, 3, "15>18") == {"O4": "not_your_piece 15"}


def test_gv2_refuses_a_neutral_piece_in_another_finish() -> None:
    where = at(f"{NEUTRAL} | yellow 5 | green 15 | red 25 | black 38")
    assert refused(where, 3, "38>Y.a") == {"G16": "not_your_finish Y.a"}


HOME = {
    "yellow": "yellow Y.a Y.b Y.c Y.d",
    "green": "green G.a G.b G.c G.d",
    "red": "red R.a R.b R.c R.d",
}


def test_gv2_holds_nobody_has_won_before_the_neutral_pieces_are_home() -> None:
    where = at(f"{NEUTRAL} | yellow 40 Y.b Y.c Y.d | green 15 | red 25 | black 35")
    after = played(where, "1 40>Y.a")
    assert places(after) == []
    assert not after.over


def test_gv2_holds_a_player_who_is_home_goes_on_with_neutral_pieces() -> None:
    where = at(
        f"{NEUTRAL} | {HOME['yellow']} | green 15 | red 25 | black 35 | turn red home yellow"
    )
    where = played(where, "1 25>26")
    assert turn(where) == "yellow"
    assert legal(where, 3) == {"black 35>38"}
    assert legal(where, 6) == {"black K.B>31"}


def test_gv2_holds_the_only_player_home_wins_when_the_neutral_colour_is() -> None:
    where = at(
        f"{NEUTRAL} | {HOME['yellow']} | green 15 | red 25 | black 30 K.b K.c K.d | "
        "turn green home yellow"
    )
    after = played(where, "1 black 30>K.a")
    assert places(after) == ["yellow"]
    assert not after.over
    assert turn(after) == "red"
    assert turn(played(after, "1 25>26")) == "green"


def test_gv2_holds_of_several_the_one_who_brought_the_last_neutral_piece_home_wins() -> None:
    where = at(
        f"{NEUTRAL} | {HOME['yellow']} | {HOME['green']} | red 25 | black 30 K.b K.c K.d | "
        "turn green home yellow green"
    )
    after = played(where, "1 black 30>K.a")
    assert places(after) == ["green", "yellow", "red"]
    assert after.over


def test_gv2_holds_if_that_one_is_not_home_the_first_who_got_home_wins() -> None:
    where = at(
        f"{NEUTRAL} | {HOME['yellow']} | {HOME['green']} | red 25 | black 30 K.b K.c K.d | "
        "turn red home green yellow"
    )
    after = played(where, "1 black 30>K.a")
    assert places(after) == ["green", "yellow", "red"]
    assert after.over


def test_gv2_holds_with_all_three_home_the_last_neutral_piece_decides() -> None:
    where = at(
        f"{NEUTRAL} | {HOME['yellow']} | {HOME['green']} | {HOME['red']} | black 30 K.b K.c K.d | "
        "turn red home green yellow red"
    )
    after = played(where, "1 black 30>K.a")
    assert places(after)[:2] == ["red", "green"]
    assert after.over


def test_gv2_holds_if_none_is_home_the_first_afterwards_wins() -> None:
    where = at(
        f"{NEUTRAL} | yellow 39 Y.b Y.c Y.d | green 9 G.b G.c G.d | red 25 | black 30 K.b K.c K.d"
    )
    after = played(where, "1 black 30>K.a")
    assert places(after) == []
    assert not after.over
    after = played(after, "2 9>G.a")
    assert places(after) == ["green"]
    assert turn(played(after, "1 25>26")) == "yellow"
    assert turn(played(after, "1 25>26", "1 39>40")) == "red"


def test_gv2_g14_holds_the_last_own_piece_home_rolls_no_more() -> None:
    where = at(f"{NEUTRAL} | yellow 35 Y.b Y.c Y.d | green 15 | red 25 | black 38")
    assert turn(played(where, "6 35>Y.a")) == "green"


def test_gv2_g14_holds_the_last_neutral_piece_home_rolls_on_if_the_player_can() -> None:
    where = at(f"{NEUTRAL} | yellow 5 | green 15 | red 22 | black 25 K.b K.c K.d")
    assert turn(played(where, "6 black 25>K.a")).split()[0] == "yellow"


def test_gv2_g14_holds_the_last_neutral_piece_home_ends_the_roll_of_a_player_who_is_home() -> None:
    where = at(
        f"{NEUTRAL} | {HOME['yellow']} | green 15 | red 22 | black 25 K.b K.c K.d | "
        "turn yellow home yellow"
    )
    after = played(where, "6 black 25>K.a")
    assert turn(after) == "green"
    assert places(after) == ["yellow"]


def test_gv2_g13_holds_a_player_who_is_home_rolls_again_after_a_neutral_six() -> None:
    where = at(
        f"{NEUTRAL} | {HOME['yellow']} | green 15 | red 25 | black 2 31 | turn yellow home yellow"
    )
    after = played(where, "6 black 31>37")
    assert turn(after).split()[0] == "yellow"


# -- GV3: capturing backwards --------------------------------------------------------------


def test_gv3_holds_example_d() -> None:
    # Own piece at progress 7, an opponent six behind it, roll 6.
    where = "german+capture_backwards | yellow 8 20 30 Y.d | red 2"
    assert legal(where, 6) == {"8>14", "8>2", "20>26", "30>36"}
    after = played(where, "6 8>2")
    assert stand(after, "yellow") == "2 20 30 Y.d"
    assert stand(after, "red") == "R.B R.B R.B R.B"


def test_gv3_holds_across_square_40() -> None:
    where = "german+capture_backwards | red 2 | yellow 39"
    assert legal(where, 3) == {"2>5", "2>39"}


def test_gv3_holds_forward_stays_free() -> None:
    assert accepted("german+capture_backwards | yellow 8 | red 5", 3, "8>11") == "yellow 3 8>11"


def test_gv3_refuses_example_d_an_opponent_on_the_own_a_square() -> None:
    where = "german+capture_backwards | yellow 7 20 30 Y.d | red 1"
    assert legal(where, 6) == {"7>13", "20>26", "30>36"}
    assert refused(where, 6, "7>1").keys() == {"GV3"}


def test_gv3_refuses_past_the_own_a_square() -> None:
    where = "german+capture_backwards | yellow 3 20 | red 39"
    assert legal(where, 4) == {"3>7", "20>24"}
    why = refused(where, 4, "3>39")
    assert next(iter(why.items())) == ("GV3", "too_far_back 3 39"), "this first"


def test_gv3_refuses_going_back_without_a_capture() -> None:
    where = "german+capture_backwards | yellow 8 | red 25"
    assert legal(where, 3) == {"8>11"}
    assert refused(where, 3, "8>5") == {"GV3": "nothing_to_capture 8 5"}


def test_gv3_refuses_a_piece_in_the_finish() -> None:
    where = "german+capture_backwards | yellow 20 Y.a | red 38"
    assert legal(where, 3) == {"20>23", "Y.a>Y.d"}
    assert refused(where, 3, "Y.a>38").keys() == {"GV3"}


def test_gv3_refuses_an_own_piece_behind() -> None:
    where = "german+capture_backwards | yellow 8 5 | red 25"
    assert legal(where, 3) == {"8>11"}
    assert refused(where, 3, "8>5").keys() >= {"G8"}


def test_gv3_refuses_the_wrong_count_backwards() -> None:
    where = "german+capture_backwards | yellow 8 | red 5"
    assert refused(where, 4, "8>5").keys() <= {"GV3", "O8"}


def test_gv3_g9_refuses_capturing_back_before_the_start_is_cleared() -> None:
    where = "german+capture_backwards | yellow 1 8 | red 5"
    assert legal(where, 3) == {"1>4"}
    assert refused(where, 3, "8>5") == {"G9": "must_clear_start 1"}


# -- GV4: three rolls ----------------------------------------------------------------------


def begins(yellow: str, options: str = "") -> str:
    """How yellow's turn begins, after red's."""
    where = at(f"german+three_rolls{options} | yellow {yellow} | red 25 | turn red")
    return turn(played(where, "1 25>26"))


def test_gv4_holds_three_rolls_with_nothing_on_the_track() -> None:
    assert begins("") == "yellow rolls 3"


@pytest.mark.parametrize("finish", ["Y.d", "Y.c Y.d", "Y.b Y.c Y.d"])
def test_gv4_holds_three_rolls_when_nothing_in_the_finish_can_advance(finish: str) -> None:
    # Example (c): one on d, three in base.
    assert begins(finish) == "yellow rolls 3"


@pytest.mark.parametrize("finish", ["Y.c", "Y.a Y.d", "Y.b Y.d", "Y.a Y.c Y.d", "Y.a Y.b Y.c"])
def test_gv4_holds_one_roll_when_a_piece_in_the_finish_could_advance(finish: str) -> None:
    # Example (c), and the sheet's: one on c with d free.
    assert begins(finish) == "yellow"
    assert begins(finish, "+no_jumping_in_finish") == "yellow"


def test_gv4_holds_one_roll_with_a_piece_on_the_track() -> None:
    assert begins("40 Y.b Y.c Y.d") == "yellow"
    assert begins("1") == "yellow"


def test_gv4_holds_up_to_three_rolls_until_a_six() -> None:
    where = at("german+three_rolls | yellow | red 25 | turn yellow rolls 3")
    assert turn(played(where, "5 -")) == "yellow rolls 2"
    assert turn(played(where, "5 -", "4 -")) == "yellow"
    assert turn(played(where, "5 -", "4 -", "3 -")) == "red"


def test_gv4_holds_a_six_ends_the_three_and_gives_one_more() -> None:
    where = at("german+three_rolls | yellow | red 25 | turn yellow rolls 3")
    after = played(where, "6 Y.B>1")
    assert turn(after).split()[0] == "yellow"
    assert after.rolls == 1
    assert turn(played(after, "2 1>3")) == "red"
    second = played(where, "1 -", "6 Y.B>1")
    assert (second.colour, second.rolls) == ("yellow", 1)


def test_gv4_holds_it_is_looked_at_once_when_the_turn_begins() -> None:
    # A piece captured in its own turn by a penalty does not bring three rolls in the same turn.
    where = at("german+three_rolls+compulsory_capture+capture_backwards | yellow 8 | red 2 25")
    where = at(str(where).replace("yellow Y.B Y.B Y.B 8", "yellow 8 Y.b Y.c Y.d"))
    after = played(where, "6 8>14")
    assert stand(after, "yellow") == "Y.B Y.b Y.c Y.d"
    assert (after.colour, after.rolls) == ("yellow", 1)


def test_gv4_gv6_holds_a_six_that_cannot_enter_gives_one_more() -> None:
    where = at("german+three_rolls+barriers | yellow | red 1 1 | turn yellow rolls 3")
    assert legal(where, 6) == {"-"}
    after = played(where, "6 -")
    assert (after.colour, after.rolls) == ("yellow", 1)


def test_gv4_holds_without_the_option_there_is_one_roll() -> None:
    assert turn(played("german | red 25 | yellow", "1 25>26")) == "yellow"


def test_gv4_holds_the_game_begins_with_one_roll() -> None:
    start = game("german", ["three_rolls"], ["yellow", "red"]).start()
    assert turn(played(start, "4 -", "2 -")) == "yellow"


def test_gv4_gv2_holds_neutral_pieces_count_as_the_players_own() -> None:
    three = "german+neutral_colour+three_rolls yellow,green,red | green | red 25 | "
    before = "turn red"
    move = "1 25>26"
    assert turn(played(f"{three}yellow | black 35 | {before}", move)) == "yellow"
    assert turn(played(f"{three}yellow | black K.c | {before}", move)) == "yellow"
    assert turn(played(f"{three}yellow | black K.d | {before}", move)) == "yellow rolls 3"
    assert turn(played(f"{three}yellow Y.c | black | {before}", move)) == "yellow"


def test_gv4_gv2_holds_for_a_player_who_is_home() -> None:
    where = at(
        f"german+neutral_colour+three_rolls yellow,green,red | {HOME['yellow']} | green | red 25 | "
        "black K.d | turn red home yellow"
    )
    assert turn(played(where, "1 25>26")) == "yellow rolls 3"


def test_gv4_refuses_a_pass_when_the_six_came() -> None:
    where = "german+three_rolls | yellow | red 25 | turn yellow rolls 3"
    assert refused(where, 6, "-") == {"O6": "must_move Y.B"}


# -- GV5: no jumping in the finish ---------------------------------------------------------


def test_gv5_holds_moving_up_behind_another() -> None:
    where = "german+no_jumping_in_finish | yellow 40 Y.c | red 25"
    assert legal(where, 2) == {"40>Y.b"}
    assert legal(where, 1) == {"40>Y.a", "Y.c>Y.d"}


def test_gv5_holds_jumping_on_the_track_stays_free() -> None:
    where = "german+no_jumping_in_finish | yellow 38 39 | red 40"
    assert legal(where, 3) == {"38>Y.a", "39>Y.b"}


def test_gv5_holds_the_last_piece_enters_on_a() -> None:
    where = "german+no_jumping_in_finish | yellow 38 Y.b Y.c Y.d | red 25"
    assert legal(where, 3) == {"38>Y.a"}


def test_gv5_refuses_passing_a_piece_from_the_track() -> None:
    where = "german+no_jumping_in_finish | yellow 40 Y.a 20 | red 25"
    assert legal(where, 2) == {"Y.a>Y.c", "20>22"}
    assert refused(where, 2, "40>Y.b") == {"GV5": "jump_in_finish Y.a"}


def test_gv5_refuses_passing_a_piece_inside() -> None:
    where = "german+no_jumping_in_finish | yellow Y.a Y.b 20 | red 25"
    assert legal(where, 3) == {"20>23"}
    assert refused(where, 3, "Y.a>Y.d") == {"GV5": "jump_in_finish Y.b"}


# -- GV6: barriers -------------------------------------------------------------------------


def test_gv6_holds_two_own_pieces_may_share_a_track_square() -> None:
    where = "german+barriers | yellow 5 8 | red 25"
    assert legal(where, 3) == {"5>8", "8>11"}
    assert stand(played(where, "3 5>8"), "yellow") == "Y.B Y.B 8 8"


def test_gv6_holds_a_barrier_ends_when_one_leaves() -> None:
    where = at("german+barriers | yellow 8 8 | red 5")
    assert legal(where, 3) == {"8>11"}
    after = played(where, "3 8>11")
    assert legal(after, 4) == {"5>9"}
    assert legal(after, 3) == {"5>8"}


def test_gv6_holds_a_single_piece_may_be_jumped_and_captured() -> None:
    where = "german+barriers | yellow 8 9 | red 5 | turn red"
    assert legal(where, 5) == {"5>10"}
    assert stand(played(where, "3 5>8"), "yellow") == "Y.B Y.B Y.B 9"


def test_gv6_refuses_landing_on_a_barrier() -> None:
    where = "german+barriers | yellow 8 8 | red 5 30 | turn red"
    assert legal(where, 3) == {"30>33"}
    assert refused(where, 3, "5>8") == {"GV6": "block 8"}


def test_gv6_refuses_jumping_a_barrier() -> None:
    where = "german+barriers | yellow 8 8 | red 5 30 | turn red"
    assert legal(where, 4) == {"30>34"}
    assert refused(where, 4, "5>9") == {"GV6": "block 8"}


def test_gv6_refuses_the_owner_too() -> None:
    where = "german+barriers | yellow 8 8 5 | red 25"
    assert legal(where, 4) == {"8>12"}
    assert refused(where, 4, "5>9") == {"GV6": "block 8"}


def test_gv6_refuses_a_third_piece() -> None:
    where = "german+barriers | yellow 8 8 5 | red 25"
    assert legal(where, 3) == {"8>11"}
    assert refused(where, 3, "5>8").keys() == {"GV6"}


def test_gv6_refuses_turning_off_into_the_finish_past_a_barrier() -> None:
    where = "german+barriers | yellow 38 20 | red 40 40"
    assert legal(where, 3) == {"20>23"}
    assert refused(where, 3, "38>Y.a") == {"GV6": "block 40"}


def test_gv6_refuses_two_on_a_finish_square() -> None:
    where = "german+barriers | yellow 40 Y.b 20 | red 25"
    assert legal(where, 2) == {"20>22", "Y.b>Y.d"}
    assert refused(where, 2, "40>Y.b") == {"G8": "own_piece Y.b"}


def test_gv6_refuses_two_on_the_own_a_square() -> None:
    where = "german+barriers | yellow 1 20 | red 25"
    assert legal(where, 6) == {"1>7"}
    assert refused(where, 6, "Y.B>1").keys() == {"G8", "G9", "G11"}
    # Not even when the piece on A cannot go on: any other piece uses the six.
    where = "german+barriers | yellow 1 20 | red 5 5"
    assert legal(where, 6) == {"20>26"}


def test_gv6_refuses_entering_onto_a_barrier() -> None:
    where = "german+barriers | yellow 20 | red 1 1"
    assert legal(where, 6) == {"20>26"}
    assert refused(where, 6, "Y.B>1") == {"GV6": "block 1"}


def test_gv6_g9_holds_a_barrier_ahead_frees_the_other_pieces() -> None:
    where = "german+barriers | yellow 1 20 | red 3 3"
    assert legal(where, 4) == {"20>24"}
    assert legal(where, 1) == {"1>2"}


def test_gv6_g9_holds_the_piece_on_a_may_make_a_barrier() -> None:
    where = "german+barriers | yellow 1 4 20 | red 25"
    assert legal(where, 3) == {"1>4"}
    assert refused(where, 3, "20>23") == {"G9": "must_clear_start 1"}


def test_gv6_g11_holds_the_six_from_a_onto_an_own_piece() -> None:
    assert legal("german+barriers | yellow 1 7 13 | red 25", 6) == {"1>7"}


def test_gv6_gv3_refuses_jumping_back_over_a_barrier() -> None:
    where = "german+barriers+capture_backwards | yellow 12 | red 8 10 10"
    assert legal(where, 4) == {"12>16"}
    assert refused(where, 4, "12>8") == {"GV6": "block 10"}


def test_gv6_gv3_refuses_capturing_a_barrier_backwards() -> None:
    where = "german+barriers+capture_backwards | yellow 12 | red 8 8"
    assert legal(where, 4) == {"12>16"}
    assert refused(where, 4, "12>8").keys() >= {"GV6"}


def test_gv6_gv3_holds_capturing_back_from_a_barrier() -> None:
    where = "german+barriers+capture_backwards | yellow 12 12 | red 8"
    assert legal(where, 4) == {"12>16", "12>8"}


def test_gv6_gv2_refuses_two_colours_in_one_barrier() -> None:
    # A neutral piece is a stranger: it is hit, it does not join.
    where = at("german+barriers+neutral_colour yellow,green,red | yellow 5 | green | red | black 8")
    after = played(where, "3 5>8")
    assert stand(after, "black") == "K.B K.B K.B K.B"


# -- GV7: compulsory capture ---------------------------------------------------------------

MUST = "german+compulsory_capture"


def test_gv7_holds_the_capture_is_made_without_penalty() -> None:
    where = f"{MUST} | yellow 5 15 | red 8"
    assert happened(where, "3 5>8") == {"G7 captured red 8"}


def test_gv7_holds_any_of_several_captures_fulfils_it() -> None:
    where = f"{MUST} | yellow 5 15 | red 8 18"
    assert stand(played(where, "3 5>8"), "yellow") == "Y.B Y.B 8 15"
    assert stand(played(where, "3 15>18"), "yellow") == "Y.B Y.B 5 18"


def test_gv7_holds_another_move_is_accepted_and_penalised() -> None:
    where = f"{MUST} | yellow 5 15 | red 8"
    assert legal(where, 3) == {"5>8", "15>18"}
    assert accepted(where, 3, "15>18") == "yellow 3 15>18"
    after = played(where, "3 15>18")
    assert stand(after, "yellow") == "Y.B Y.B Y.B 18"
    assert stand(after, "red") == "R.B R.B R.B 8"
    assert turn(after) == "red"
    assert happened(where, "3 15>18") == {"GV7 penalty yellow 5"}


def test_gv7_holds_of_several_the_one_furthest_along_goes() -> None:
    where = f"{MUST} | yellow 5 15 25 | red 8 18"
    assert stand(played(where, "3 25>28"), "yellow") == "Y.B Y.B 5 28"


def test_gv7_gv3_holds_the_moved_piece_goes_if_it_could_have_captured() -> None:
    where = f"{MUST}+capture_backwards | yellow 8 25 | red 5 28"
    assert stand(played(where, "3 8>11"), "yellow") == "Y.B Y.B Y.B 25"
    assert stand(played(where, "3 8>5"), "yellow") == "Y.B Y.B 5 25"


def test_gv7_gv3_holds_a_capture_backwards_is_a_duty() -> None:
    where = f"{MUST}+capture_backwards | yellow 8 25 | red 5"
    assert stand(played(where, "3 25>28"), "yellow") == "Y.B Y.B Y.B 28"


def test_gv7_g9_holds_what_the_duty_to_clear_forbids_is_no_missed_capture() -> None:
    where = f"{MUST} | yellow 1 9 | red 12"
    assert legal(where, 3) == {"1>4"}
    assert happened(where, "3 1>4") == set()


def test_gv7_g11_holds_what_the_duty_to_enter_forbids_is_no_missed_capture() -> None:
    where = f"{MUST} | yellow 9 | red 15"
    assert legal(where, 6) == {"Y.B>1"}
    assert stand(played(where, "6 Y.B>1"), "yellow") == "Y.B Y.B 1 9"


def test_gv7_gv6_holds_only_one_of_a_barrier_goes() -> None:
    where = f"{MUST}+barriers | yellow 5 5 15 | red 8"
    assert stand(played(where, "3 15>18"), "yellow") == "Y.B Y.B 5 18"


def test_gv7_gv6_holds_the_piece_joined_is_penalised_and_the_other_stays() -> None:
    where = f"{MUST}+barriers | yellow 5 8 | red 11"
    assert stand(played(where, "3 5>8"), "yellow") == "Y.B Y.B Y.B 8"


def test_gv7_gv6_holds_a_barrier_is_no_missed_capture() -> None:
    where = f"{MUST}+barriers | yellow 5 15 | red 8 8"
    assert happened(where, "3 15>18") == set()


def test_gv7_g17_holds_the_penalty_comes_before_the_end() -> None:
    where = f"{MUST}+capture_backwards | yellow 38 Y.b Y.c Y.d | red 35"
    after = played(where, "3 38>Y.a")
    assert stand(after, "yellow") == "Y.B Y.b Y.c Y.d"
    assert not after.over
    assert places(after) == []
    assert turn(after) == "red"


def test_gv7_g14_holds_a_penalised_last_piece_with_a_six_rolls_again() -> None:
    where = f"{MUST}+capture_backwards | yellow 35 Y.b Y.c Y.d | red 29"
    after = played(where, "6 35>Y.a")
    assert stand(after, "yellow") == "Y.B Y.b Y.c Y.d"
    assert turn(after).split()[0] == "yellow"


MUST_NEUTRAL = "german+neutral_colour+compulsory_capture yellow,green,red"


def test_gv7_gv2_holds_a_neutral_capture_of_an_opponent_fulfils_and_is_a_duty() -> None:
    where = at(f"{MUST_NEUTRAL} | yellow 5 | green 38 | red 25 | black 35")
    assert stand(played(where, "3 black 35>38"), "green") == "G.B G.B G.B G.B"
    after = played(where, "3 5>8")
    assert stand(after, "black") == "K.B K.B K.B K.B"
    assert stand(after, "yellow") == "Y.B Y.B Y.B 8"


def test_gv7_gv2_holds_a_neutral_hit_on_the_movers_own_piece_is_no_duty() -> None:
    where = at(f"{MUST_NEUTRAL} | yellow 5 38 | green 15 | red 25 | black 35")
    assert happened(where, "3 5>8") == set()


def test_gv7_gv2_holds_a_neutral_hit_on_the_movers_own_piece_fulfils_no_duty() -> None:
    where = at(f"{MUST_NEUTRAL} | yellow 5 38 | green 8 | red 25 | black 35")
    after = played(where, "3 black 35>38")
    # 38 was hit by the neutral piece, and 5 should have captured on 8.
    assert stand(after, "yellow") == "Y.B Y.B Y.B Y.B"


def test_gv7_gv2_holds_a_penalised_piece_that_was_just_hit_stays_in_base() -> None:
    where = at(f"{MUST_NEUTRAL} | yellow 38 | green 1 | red 25 | black 35")
    assert legal(where, 3) == {"38>Y.a", "black 35>38"}
    where = at(f"{MUST_NEUTRAL} | yellow 37 | green 40 | red 25 | black 34")
    after = played(where, "3 black 34>37")
    assert stand(after, "yellow") == "Y.B Y.B Y.B Y.B"
    assert stand(after, "black") == "K.B K.B K.B 37"


def test_gv7_gv2_holds_a_waiting_piece_that_should_have_captured_stays_in_base() -> None:
    where = at(f"{MUST_NEUTRAL} | yellow | green 1 | red 25 | black 31")
    assert legal(where, 6) == {"Y.B>1", "black 31>37"}
    after = played(where, "6 black 31>37")
    assert stand(after, "yellow") == "Y.B Y.B Y.B Y.B"
    assert stand(after, "black") == "K.B K.B K.B 37"
    assert turn(after).split()[0] == "yellow"


def test_gv7_gv2_gv3_holds_the_penalty_comes_before_the_neutral_colour_is_home() -> None:
    where = at(
        "german+neutral_colour+capture_backwards+compulsory_capture yellow,green,red | "
        f"{HOME['yellow']} | green 25 | red 15 | black 28 K.b K.c K.d | turn yellow home yellow"
    )
    after = played(where, "3 black 28>K.a")
    assert stand(after, "black") == "K.B K.b K.c K.d"
    assert places(after) == []
    assert not after.over


def test_gv7_gv2_holds_on_a_tie_the_own_piece_goes() -> None:
    # Yellow's 5 and black's 35 have both gone four squares, and both could have captured.
    where = at(f"{MUST_NEUTRAL} | yellow 5 20 | green 8 38 | red 25 | black 35")
    after = played(where, "3 20>23")
    assert stand(after, "yellow") == "Y.B Y.B Y.B 23"
    assert stand(after, "black") == "K.B K.B K.B 35"


def test_gv7_gv2_holds_the_furthest_along_may_be_neutral() -> None:
    where = at(f"{MUST_NEUTRAL} | yellow 5 20 | green 8 39 | red 25 | black 36")
    after = played(where, "3 20>23")
    assert stand(after, "yellow") == "Y.B Y.B 5 23"
    assert stand(after, "black") == "K.B K.B K.B K.B"


def test_gv7_gv2_holds_an_own_hit_on_a_neutral_piece_is_a_duty() -> None:
    where = at(f"{MUST_NEUTRAL} | yellow 5 20 | green 15 | red 25 | black 8")
    assert stand(played(where, "3 20>23"), "yellow") == "Y.B Y.B Y.B 23"


def test_gv7_holds_every_variant_at_once() -> None:
    where = game(
        "german",
        [
            "neutral_colour",
            "capture_backwards",
            "three_rolls",
            "no_jumping_in_finish",
            "barriers",
            "compulsory_capture",
        ],
        ["yellow", "green", "red"],
    ).start(begins="yellow")
    after = played(where, "6 1>7", "6 Y.B>1", "2 1>3")
    assert stand(after, "yellow") == "Y.B Y.B 3 7"
    assert turn(after) == "green"

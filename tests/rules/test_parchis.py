"""Spain's parchís, clause by clause. Verdicts of public descriptions are in readings/."""

import pytest

from companion.rules import BadInput, attempt, game, judge, judge_roll, legal_moves
from companion.rules.verdicts import Accepted
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
    typed,
)


def test_s1_holds_four_pieces_in_base_and_the_highest_roll_begins() -> None:
    start = game("parchis", (), ["red", "yellow"]).start()
    assert stand(start, "red") == "R.B R.B R.B R.B"
    assert turn(played(start, "3 -", "5 -")) == "yellow"


def test_s2_holds_turns_and_pieces_go_anticlockwise() -> None:
    # Seen from above red sits top left, and blue below it comes next.
    assert game("parchis").board.colours == ("red", "blue", "yellow", "green")
    assert stand(played("parchis | red 10 | blue 45", "4 10>14"), "red") == "R.B R.B R.B 14"


def test_s2_refuses_going_backwards() -> None:
    assert refused("parchis | red 10 | yellow 45", 3, "10>7").keys() >= {"S2"}


def test_s3_holds_a_five_brings_a_piece_in_and_has_to() -> None:
    assert legal("parchis | red 10 | yellow 45", 5) == {"R.B>1"}
    assert legal("parchis | red 1 1 10 | yellow 45", 5) == {"1>6", "10>15"}


def test_s3_refuses_another_move_and_another_roll() -> None:
    assert refused("parchis | red 10 | yellow 45", 5, "10>15") == {"S3": "must_enter R.B"}
    assert refused("parchis | red 10 | yellow 45", 6, "R.B>1") == {"S3": "needs_entry_roll R.B 1"}


def test_s4_holds_the_start_makes_room() -> None:
    where = "parchis | red 1 | yellow 1"
    assert happened(where, "5 R.B>1") == {"S4 captured yellow 1", "S12 bonus red"}
    assert stand(played(where, "5 R.B>1"), "red") == "R.B R.B 1 1"
    # Of two other colours the one that has gone further: green is 18 on, blue 52.
    assert "S4 captured blue 1" in happened("parchis | red | blue 1 | green 1", "5 R.B>1")


def test_s4_holds_a_single_piece_on_the_start_stays() -> None:
    assert happened("parchis | red | yellow 1", "5 R.B>1") == set()


def test_s5_holds_a_six_rolls_again() -> None:
    assert happened("parchis | red 10 | yellow 45", "6 10>16") == {"S5 again red"}
    assert happened("parchis | red | yellow 45", "6 -") == {"S5 again red"}


def test_s5_holds_with_nobody_waiting_a_six_counts_seven() -> None:
    assert legal("parchis | red 10 20 R.H R.H | yellow 50", 6) == {"10>17", "20>27"}
    assert accepted("parchis | red 10 20 R.H R.H | yellow 50", 6, "10>17") == "red 6 10>17"
    assert legal("parchis | red R.1 R.H R.H R.H | yellow 50", 6) == {"R.1>R.H"}


def test_s5_refuses_six_squares_then() -> None:
    broken = refused("parchis | red 10 20 R.H R.H | yellow 50", 6, "10>16")
    assert broken == {"S5": "counts_otherwise 10 16 =6"}


def test_s6_holds_the_third_six_sends_the_piece_moved_last_back() -> None:
    where = played("parchis | red 10 30 | yellow 45", "6 10>16", "6 30>36")
    assert turn(where) == "red sixes 2 moved 36"
    assert legal(where, 6) == {"36>R.B"}
    assert accepted(where, 6, "36>R.B") == "red 6 36>R.B"
    assert happened(where, "6 36>R.B") == {"S6 too_many_sixes red"}
    assert turn(played(where, "6 36>R.B")) == "yellow"
    assert legal(where, 4) == {"16>20", "36>40"}


def test_s6_holds_a_bonus_counts_as_moved() -> None:
    where = played("parchis | red 10 30 | yellow 16", "6 10>16", "+20 30>50", "6 16>22")
    assert turn(where) == "red sixes 2 moved 22"
    where = played("parchis | red 10 30 | yellow 16 | turn red sixes 1", "6 10>16", "+20 30>50")
    assert legal(where, 6) == {"50>R.B"}


def test_s6_holds_a_piece_in_its_column_stays() -> None:
    where = played("parchis | red 60 | yellow 45 | turn red sixes 1", "6 60>R.2")
    assert legal(where, 6) == {"-"}


def test_s6_refuses_any_other_move() -> None:
    where = "parchis | red 16 22 | yellow 45 | turn red sixes 2 moved 22"
    assert refused(where, 6, "16>22") == {"S6": "must_go_back 22"}
    assert refused(where, 6, "-").keys() == {"S15"}
    where = "parchis | red 16 | yellow 45 | turn red sixes 2"
    assert refused(where, 6, "16>22") == {"S6": "too_many_sixes 16 22"}


def test_s7_holds_up_to_the_square_before_a_barrier() -> None:
    assert legal("parchis | red 10 | yellow 13 13", 2) == {"10>12"}


def test_s7_refuses_landing_on_and_passing_also_an_own_one() -> None:
    assert refused("parchis | red 10 | yellow 13 13", 4, "10>14") == {"S7": "block 13"}
    assert refused("parchis | red 10 13 13 | yellow 45", 4, "10>14") == {"S7": "block 13"}
    assert refused("parchis | red 20 | yellow 1 1", 5, "R.B>1") == {"S7": "block 1"}


def test_s8_holds_two_colours_on_a_safe_square_are_passed() -> None:
    assert legal("parchis | red 10 | yellow 13 | green 13", 4) == {"10>14"}


def test_s8_refuses_a_third_piece() -> None:
    where = "parchis | red 10 | yellow 13 | green 13"
    assert refused(where, 3, "10>13") == {"S8": "square_full 13"}
    where = "parchis | red R.1 R.3 R.3 | yellow 45"
    assert refused(where, 2, "R.1>R.3") == {"S8": "square_full R.3"}


def test_s9_holds_a_six_opens_a_barrier() -> None:
    assert legal("parchis | red 10 13 13 | yellow 45", 6) == {"13>19"}
    assert legal("parchis | red 10 20 20 | yellow 24 24", 6) == {"10>16"}
    assert legal("parchis | red 10 R.2 R.2 | yellow 45", 6) == {"10>16", "R.2>R.H"}


def test_s9_refuses_another_piece() -> None:
    assert refused("parchis | red 10 13 13 | yellow 45", 6, "10>16") == {
        "S7": "block 13",
        "S9": "must_open 13",
    }
    assert refused("parchis | red 20 13 13 | yellow 45", 6, "20>26") == {"S9": "must_open 13"}


def test_s10_holds_landing_captures() -> None:
    told = happened("parchis | red 10 | yellow 14", "4 10>14")
    assert told == {"S10 captured yellow 14", "S12 bonus red"}


def test_s11_holds_twelve_squares_are_safe() -> None:
    safe = {1, 8, 13, 18, 25, 30, 35, 42, 47, 52, 59, 64}
    for square in range(5, 64):
        where = f"parchis | red {square - 2} | blue {square}"
        if square in (14, 15, 16, 17):
            continue  # blue turns off there
        told = happened(where, f"2 {square - 2}>{square}")
        assert (told == set()) == (square in safe), square


def test_s12_holds_twenty_squares_are_played_at_once() -> None:
    where = played("parchis | red 10 20 | yellow 14", "4 10>14")
    assert where.due == 20
    assert legal(where, "+20") == {"14>34", "20>40"}
    assert turn(played(where, "+20 20>40")) == "yellow"
    # Whoever judges need not be told that there is no roll.
    verdict = judge(where, None, attempt("14>34"))
    assert isinstance(verdict, Accepted)
    assert str(verdict.move) == "red +20 14>34"


def test_s12_holds_nobody_rolls_before_they_are_played() -> None:
    where = played("parchis | red 10 20 | yellow 14", "4 10>14")
    assert [one.slip for one in judge_roll(where)] == ["bonus_not_played"]
    with pytest.raises(BadInput, match="20 squares are owed first"):
        legal_moves(where, 3)


def test_s12_refuses_another_count_and_passing() -> None:
    where = "parchis | red 14 20 | yellow 45 | turn red rolls 0 owed 20"
    assert refused(where, "+20", "14>30") == {"O8": "wrong_count 14 30 =16"}
    assert refused(where, "+20", "-") == {"S15": "must_move 14 20"}
    assert refused(where, "+20", "R.B>1") == {"S3": "needs_entry_roll R.B 1"}


def test_s12_holds_no_duty_binds_a_bonus() -> None:
    where = "parchis | red 10 20 20 | yellow 45 | turn red rolls 0 owed 10"
    assert legal(where, "+10") == {"20>30"}
    where = "parchis | red 30 20 20 | yellow 45 | turn red rolls 0 owed 10"
    assert legal(where, "+10") == {"20>30", "30>40"}


def test_s12_holds_what_a_bonus_captures_earns_again() -> None:
    where = played("parchis | red 10 | yellow 14 | green 34", "4 10>14", "+20 14>34")
    assert turn(where) == "red rolls 0 owed 20"
    assert turn(played(where, "+20 34>54")) == "yellow"


def test_s12_holds_a_six_is_still_due_after_the_bonus() -> None:
    where = played("parchis | red 10 | yellow 16", "6 10>16", "+20 16>36")
    assert turn(where) == "red sixes 1 moved 36"


def test_s13_holds_getting_home_earns_ten() -> None:
    where = "parchis | red R.5 20 | yellow 45"
    assert happened(where, "3 R.5>R.H") == {"S13 bonus red"}
    assert turn(played(where, "3 R.5>R.H", "+10 20>30")) == "yellow"


def test_s13_refuses_more_than_is_left_and_other_columns() -> None:
    assert refused("parchis | red R.5 | yellow 45", 4, "R.5>R.H") == {"S13": "past_the_end R.5 =3"}
    assert refused("parchis | red 28 | yellow 20", 3, "28>Y.1") == {"S13": "not_your_finish Y.1"}


def test_s14_holds_the_last_piece_wins_and_nothing_is_owed() -> None:
    where = "parchis | red R.5 R.H R.H R.H | yellow 45 | green 60"
    there = played(where, "3 R.5>R.H")
    assert (places(there), turn(there), there.owed) == (["red"], "yellow", ())
    there = played("parchis | red R.5 R.H R.H R.H | yellow 45", "3 R.5>R.H")
    assert there.over
    assert places(there) == ["red", "yellow"]


def test_s15_holds_any_piece_may_be_chosen() -> None:
    assert legal("parchis | red 10 20 | yellow 45", 3) == {"10>13", "20>23"}


def test_s15_refuses_passing_when_something_can_go() -> None:
    assert refused("parchis | red 10 | yellow 45", 3, "-") == {"S15": "must_move 10"}


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("parchis | red 14 | yellow 45 | turn red rolls 0", "0 rolls"),
        ("parchis | red 14 | yellow 45 | turn red rolls 0 owed 15", "15"),
        ("parchis | red 14 | yellow 45 | turn red rolls 0 owed", "0 rolls"),
        ("parchis | red 14 | yellow 45 | turn red moved 14", "sixes"),
        ("parchis | red 14 | yellow 45 | turn red sixes 1 moved 15", "15"),
        ("pairs | red 20 | yellow 45 | turn red owed 20", "pairs"),
        ("pairs | red 20 | yellow 45 | turn red sixes 1 moved 20", "pairs"),
    ],
)
def test_a_position_that_owes_what_it_cannot(text: str, word: str) -> None:
    with pytest.raises(BadInput, match=word):
        at(text)


def test_three_pieces_on_a_safe_square_are_only_kept() -> None:
    where = "parchis | red 8 | yellow 8 | green 8"
    assert at(where)
    with pytest.raises(BadInput, match="8 cannot hold 3"):
        typed(where)

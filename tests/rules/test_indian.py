"""The modern Indian game, clause by clause. Verdicts of public descriptions are in readings/."""

from companion.rules import game
from tests.rules.asking import at, happened, legal, places, played, refused, stand, turn


def test_m1_holds_four_pieces_in_base_and_the_highest_roll_begins() -> None:
    start = game("indian", (), ["red", "yellow"]).start()
    assert stand(start, "red") == "R.B R.B R.B R.B"
    assert turn(played(start, "3 -", "5 -")) == "yellow"


def test_m1_refuses_going_backwards() -> None:
    assert refused("indian | red 10 | yellow 45", 3, "10>7").keys() >= {"M1"}


def test_m2_holds_a_six_brings_a_piece_in() -> None:
    assert stand(played("indian | red | yellow 45", "6 R.B>1"), "red") == "R.B R.B R.B 1"


def test_m2_refuses_any_other_roll() -> None:
    assert refused("indian | red | yellow 45", 5, "R.B>1") == {"M2": "needs_entry_roll R.B 1"}


def test_m3_holds_a_six_rolls_again_used_or_not() -> None:
    assert happened("indian | red R.4 | yellow 45", "6 R.B>1") == {"M3 again red"}
    where = "indian | red R.4 R.H R.H R.H | yellow 45"
    assert happened(where, "6 -") == {"M3 again red"}


def test_m4_holds_the_third_six_is_void() -> None:
    where = "indian | red 10 | yellow 45 | turn red sixes 2"
    assert legal(where, 6) == {"-"}
    assert happened(where, "6 -") == {"M4 too_many_sixes red"}
    assert legal(where, 5) == {"10>15"}


def test_m5_holds_any_piece_may_be_chosen() -> None:
    assert legal("indian | red 10 20 | yellow 45", 3) == {"10>13", "20>23"}


def test_m6_holds_landing_captures() -> None:
    told = happened("indian | red 10 | yellow 15", "5 10>15")
    assert told == {"M6 captured yellow 15", "M9 again red"}


def test_m7_holds_on_safe_squares_nobody_is_captured() -> None:
    for square in (1, 9, 14, 22, 27, 35, 40, 48):
        before = square - 2 if square > 2 else 51
        where = f"indian | red {before} | yellow {square}"
        if before == 51:
            continue  # red turns off before its own start
        assert happened(where, f"2 {before}>{square}") == set()


def test_m8_holds_two_of_a_colour_are_passed() -> None:
    assert legal("indian | red 10 | yellow 13 13", 4) == {"10>14"}
    assert legal("indian | red 7 | yellow 9 9", 2) == {"7>9"}


def test_m8_refuses_ending_on_two_of_another_colour() -> None:
    where = "indian | red 10 | yellow 13 13"
    assert refused(where, 3, "10>13") == {"M8": "two_stand_there 13"}


def test_m9_holds_a_capture_rolls_again() -> None:
    assert turn(played("indian | red 10 | yellow 15", "5 10>15")) == "red"


def test_m10_holds_getting_home_rolls_again() -> None:
    where = "indian | red R.4 20 | yellow 45"
    assert happened(where, "2 R.4>R.H") == {"M10 again red"}
    assert turn(played(where, "2 R.4>R.H")) == "red"


def test_m10_holds_several_reasons_give_one_roll() -> None:
    there = played("indian | red 10 | yellow 16", "6 10>16")
    assert turn(there) == "red sixes 1"
    assert there.rolls == 1


def test_m11_holds_home_by_the_exact_roll() -> None:
    assert legal("indian | red R.2 | yellow 45", 4) == {"R.2>R.H"}


def test_m11_refuses_more_than_is_left_and_other_columns() -> None:
    assert refused("indian | red R.4 | yellow 45", 3, "R.4>R.H") == {"M11": "past_the_end R.4 =2"}
    assert refused("indian | red 48 | yellow 20", 3, "48>Y.1") == {"M11": "not_your_finish Y.1"}


def test_m12_holds_the_last_piece_wins_and_gives_no_roll() -> None:
    there = played("indian | red R.5 R.H R.H R.H | green 20 | yellow 45", "1 R.5>R.H")
    assert places(there) == ["red"]
    assert turn(there) == "green"
    assert places(played(at("indian | red R.5 R.H R.H R.H | yellow 45"), "1 R.5>R.H")) == [
        "red",
        "yellow",
    ]

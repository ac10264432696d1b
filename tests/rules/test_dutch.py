"""The Dutch sheet, globe-and-star die and plain die: D1 to D15.

Along the way of the pieces the start squares are 1 (red), 14 (blue), 27 (yellow), 40 (green).
Globes lie on 1 9 14 22 27 35 40 48, stars on 6 12 19 25 32 38 45 51; red's last star is 51.
"""

from itertools import pairwise

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

GLOBES = [1, 9, 14, 22, 27, 35, 40, 48]
STARS = [6, 12, 19, 25, 32, 38, 45, 51]


def test_d1_holds_four_pieces_by_default_all_in_the_circles() -> None:
    start = game("dutch").start(begins="red")
    assert stand(start, "red") == "R.B R.B R.B R.B"
    assert stand(start, "green") == "G.B G.B G.B G.B"


@pytest.mark.parametrize("pieces", [1, 2, 3, 4])
def test_d1_holds_one_to_four_pieces_may_be_chosen(pieces: int) -> None:
    start = game("dutch", {"pieces": pieces}, ["red", "yellow"]).start(begins="red")
    assert len(stand(start, "red").split()) == pieces


@pytest.mark.parametrize("pieces", [0, 5])
def test_d1_refuses_other_numbers_of_pieces(pieces: int) -> None:
    with pytest.raises(BadInput, match="1, 2, 3, 4"):
        game("dutch", {"pieces": pieces}, ["red", "yellow"])


def test_d1_refuses_more_pieces_than_chosen() -> None:
    with pytest.raises(BadInput, match="3"):
        at("dutch+pieces=2 | red 1 2 3 | yellow 30")


def test_d2_holds_the_faces_of_the_special_die() -> None:
    die = game("dutch").die
    assert [die.show(face) for face in range(1, 7)] == ["1", "2", "star", "4", "globe", "6"]


@pytest.mark.parametrize("face", ["3", "5"])
def test_d2_refuses_faces_it_does_not_have(face: str) -> None:
    with pytest.raises(BadInput, match="globe"):
        game("dutch").read_face(face)


def test_d3_holds_globe_ranks_above_star_above_the_numbers() -> None:
    start = game("dutch").start()
    assert turn(played(start, "6 -", "star -", "4 -", "globe -")) == "green"
    assert turn(played(start, "6 -", "star -", "4 -", "2 -")) == "blue"
    assert turn(played(start, "4 -", "2 -", "6 -", "1 -")) == "yellow"


def test_d3_holds_ties_throw_again() -> None:
    start = game("dutch").start()
    tied = played(start, "globe -", "star -", "globe -", "6 -")
    assert turn(tied) == "red"
    assert turn(played(tied, "6 -", "star -")) == "yellow"


def test_d3_holds_the_game_goes_anticlockwise() -> None:
    start = game("dutch").start(begins="red")
    assert turns(start, *["1 -"] * 4) == "red blue yellow green red"


def test_d3_refuses_going_back_the_other_way() -> None:
    assert refused("dutch | red 20 | yellow 30", 4, "20>16")["D3"] == "backwards 20 16"


def test_d4_holds_a_globe_brings_a_piece_onto_the_start_square() -> None:
    assert legal("dutch | red | yellow 30", "globe") == {"R.B>1"}
    assert legal("dutch | green | yellow 30", "globe") == {"G.B>40"}


@pytest.mark.parametrize("roll", [1, 2, 4, 6, "star"])
def test_d4_refuses_entering_with_anything_else(roll: int | str) -> None:
    where = "dutch | red | yellow 30"
    assert legal(where, roll) == {"-"}
    assert "D4" in refused(where, roll, "R.B>1")


def test_d5_holds_a_globe_gives_an_extra_throw() -> None:
    assert turn(played("dutch | red | yellow 30", "globe R.B>1")).split()[0] == "red"
    where = at("dutch | red 3 | yellow 30")
    for move in ("globe 3>9", "globe 9>14", "globe 14>22", "globe 22>27"):
        where = played(where, move)
        assert turn(where).split()[0] == "red"


def test_d5_holds_an_unused_globe_gives_an_extra_throw() -> None:
    where = "dutch+pieces=2 | red 49 R.H | yellow 30"
    assert legal(where, "globe") == {"-"}
    assert turn(played(where, "globe -")).split()[0] == "red"


def test_d5_holds_a_six_gives_none() -> None:
    assert turn(played("dutch | red 3 | yellow 30", "6 3>9")) == "yellow"
    assert turn(played("dutch | red | yellow 30", "6 -")) == "yellow"


def test_d5_holds_a_star_gives_none() -> None:
    assert turn(played("dutch | red 3 | yellow 30", "star 3>6")) == "yellow"


def test_d5_holds_no_extra_throw_after_the_last_piece_is_home() -> None:
    where = "dutch+pieces=1 | red 51 | yellow 30 | green 20"
    assert turn(played(where, "globe 51>R.H")) == "yellow"


def test_d6_holds_a_globe_enters_or_moves_to_the_next_globe() -> None:
    assert legal("dutch | red 3 23 | yellow 30", "globe") == {"R.B>1", "3>9", "23>27"}


@pytest.mark.parametrize(("here", "there"), list(pairwise(GLOBES)))
def test_d6_holds_from_globe_to_globe_past_the_stars(here: int, there: int) -> None:
    assert legal(f"dutch+pieces=1 | red {here} | green 41", "globe") == {f"{here}>{there}"}


@pytest.mark.parametrize("square", [48, 49, 50])
def test_d6_refuses_where_no_globe_is_ahead(square: int) -> None:
    where = f"dutch+pieces=2 | red {square} 20 | yellow 30"
    assert legal(where, "globe") == {"20>22"}
    assert "D6" in refused(where, "globe", f"{square}>51")


def test_d6_refuses_another_globe_than_the_next() -> None:
    assert refused("dutch | red 3 | yellow 30", "globe", "3>14") == {"D6": "not_the_next_globe 9"}


def test_d6_refuses_a_square_that_is_no_globe() -> None:
    assert refused("dutch | red 3 | yellow 30", "globe", "3>8") == {"D6": "not_the_next_globe 9"}


@pytest.mark.parametrize(
    ("here", "there"),
    [(1, 6), (3, 6), (5, 6), (9, 12), (11, 12), (14, 19), (22, 25), (35, 38), (48, 51), (50, 51)],
)
def test_d7_holds_a_star_moves_to_the_next_star(here: int, there: int) -> None:
    assert legal(f"dutch+pieces=1 | red {here} | yellow 28", "star") == {f"{here}>{there}"}


@pytest.mark.parametrize("here", [6, 7, 8, 12, 13, 19, 21, 25, 26, 45, 47])
def test_d7_refuses_when_the_next_globe_comes_first(here: int) -> None:
    where = f"dutch+pieces=2 | red {here} 1 | yellow 28"
    star = next(square for square in STARS if square > here)
    globe = next(square for square in GLOBES if square > here)
    assert legal(where, "star") == {"1>6"}
    assert refused(where, "star", f"{here}>{star}") == {"D7": f"globe_in_the_way {globe}"}


def test_d7_refuses_a_square_that_is_not_the_next_star() -> None:
    assert refused("dutch | red 3 | yellow 28", "star", "3>5") == {"D7": "not_the_next_star 6"}


def test_d7_refuses_on_the_last_star() -> None:
    assert legal("dutch+pieces=1 | red 51 | yellow 28", "star") == {"-"}
    assert refused("dutch+pieces=2 | red 51 1 | yellow 28", "star", "51>R.H").keys() & {
        "D7",
        "D11",
    }


@pytest.mark.parametrize("roll", [1, 2, 4, 6])
def test_d8_holds_a_number_moves_that_many_squares(roll: int) -> None:
    assert legal("dutch | red 20 | yellow 40", roll) == {f"20>{20 + roll}"}


def test_d8_holds_numbers_pass_globes_and_stars() -> None:
    assert legal("dutch | red 5 | yellow 40", 6) == {"5>11"}


def test_d8_refuses_another_count() -> None:
    assert refused("dutch | red 20 | yellow 40", 4, "20>25") == {"O8": "wrong_count 20 25 =5"}


def test_d9_holds_landing_on_a_single_piece_sends_it_back() -> None:
    where = "dutch | red 20 | yellow 24 30"
    after = played(where, "4 20>24")
    assert stand(after, "yellow") == "Y.B Y.B Y.B 30"
    assert stand(after, "red") == "R.B R.B R.B 24"
    assert happened(where, "4 20>24") == {"D9 captured yellow 24"}


@pytest.mark.parametrize("there", ["24 24", "24 24 24"])
def test_d9_holds_landing_on_two_or_more_sends_the_moving_piece_back(there: str) -> None:
    where = f"dutch | red 20 | yellow {there}"
    assert legal(where, 4) == {"20>24"}
    after = played(where, "4 20>24")
    assert stand(after, "red") == "R.B R.B R.B R.B"
    assert stand(after, "yellow").endswith(there)
    assert turn(after) == "yellow"


def test_d9_holds_on_globes_and_by_globe_too() -> None:
    after = played("dutch | red 20 | yellow 22", "globe 20>22")
    assert stand(after, "yellow") == "Y.B Y.B Y.B Y.B"
    after = played("dutch | red 20 | yellow 22 22", "globe 20>22")
    assert stand(after, "red") == "R.B R.B R.B R.B"
    assert turn(after).split()[0] == "red"


def test_d9_holds_by_star_too() -> None:
    after = played("dutch | red 23 | yellow 25", "star 23>25")
    assert stand(after, "yellow") == "Y.B Y.B Y.B Y.B"
    after = played("dutch | red 23 | blue 25 25", "star 23>25")
    assert stand(after, "red") == "R.B R.B R.B R.B"


def test_d9_holds_passing_two_pieces_is_free() -> None:
    assert stand(played("dutch | red 20 | yellow 22 22", "4 20>24"), "red") == "R.B R.B R.B 24"


def test_d9_holds_entering_onto_a_single_piece_sends_it_back() -> None:
    after = played("dutch | red | yellow 1", "globe R.B>1")
    assert stand(after, "red") == "R.B R.B R.B 1"
    assert stand(after, "yellow") == "Y.B Y.B Y.B Y.B"


def test_d9_holds_entering_onto_two_sends_the_newcomer_straight_back() -> None:
    where = at("dutch | red | yellow 1 1")
    assert legal(where, "globe") == {"R.B>1"}
    after = played(where, "globe R.B>1")
    assert after.pieces == where.pieces
    assert turn(after).split()[0] == "red"
    assert accepted(where, "globe", "R.B>1") == "red globe R.B>1"


def test_d10_holds_own_pieces_share_a_square() -> None:
    where = "dutch | red 20 24 24 | yellow 40"
    assert legal(where, 4) == {"20>24", "24>28"}
    assert stand(played(where, "4 20>24"), "red") == "R.B 24 24 24"


def test_d10_holds_entering_beside_an_own_piece() -> None:
    after = played("dutch | red 1 | yellow 40", "globe R.B>1")
    assert stand(after, "red") == "R.B R.B 1 1"


def test_d11_holds_home_from_the_last_star_with_a_globe() -> None:
    where = "dutch+pieces=1 | red 51 | yellow 30"
    assert legal(where, "globe") == {"51>R.H"}
    assert stand(played(where, "globe 51>R.H"), "red") == "R.H"


def test_d11_holds_each_colour_has_its_own_last_star() -> None:
    # Blue's way ends on 12, yellow's on 25, green's on 38.
    for colour, star in (("blue", 12), ("yellow", 25), ("green", 38)):
        where = f"dutch+pieces=1 | {colour} {star} | red 30"
        assert legal(where, "globe") == {f"{star}>{colour[0].upper()}.H"}


def test_d11_holds_exactly_onto_the_star() -> None:
    assert legal("dutch+pieces=1 | red 49 | yellow 30", 2) == {"49>51"}
    assert legal("dutch+pieces=1 | red 47 | yellow 30", 4) == {"47>51"}


@pytest.mark.parametrize(("square", "roll"), [(50, 2), (49, 4), (46, 6), (48, 4)])
def test_d11_refuses_numbers_past_the_star(square: int, roll: int) -> None:
    where = f"dutch+pieces=2 | red {square} 20 | yellow 40"
    assert legal(where, roll) == {f"20>{20 + roll}"}
    assert "D11" in refused(where, roll, f"{square}>R.1")


def test_d11_refuses_going_home_without_a_globe() -> None:
    where = "dutch+pieces=2 | red 51 20 | yellow 40"
    assert "D11" in refused(where, 6, "51>R.H")


def test_d11_refuses_going_home_from_elsewhere() -> None:
    where = "dutch+pieces=2 | red 49 20 | yellow 40"
    assert refused(where, "globe", "49>R.H").keys() & {"D6", "D11"}


def test_d11_refuses_another_colours_home() -> None:
    where = "dutch+pieces=2 | red 12 20 | blue 40"
    assert refused(where, "globe", "12>B.H").keys()
    assert legal(where, "globe") == {"12>14", "20>22"}


def test_d12_holds_a_waiting_piece_lets_others_use_the_throw() -> None:
    assert legal("dutch+pieces=2 | red 51 20 | yellow 40", 4) == {"20>24"}


@pytest.mark.parametrize("roll", [1, 2, 4, 6, "star"])
def test_d12_holds_the_turn_is_lost_when_nothing_else_can_move(roll: int | str) -> None:
    where = "dutch | red 51 | yellow 40"
    assert legal(where, roll) == {"-"}
    assert turn(played(where, f"{roll} -")) == "yellow"


def test_d12_refuses_the_waiting_piece_going_on() -> None:
    assert "D11" in refused("dutch+pieces=2 | red 51 20 | yellow 40", 1, "51>R.1")


def test_d13_holds_a_move_that_hurts_is_the_only_one() -> None:
    where = "dutch | red 20 | yellow 24 24"
    assert legal(where, 4) == {"20>24"}


def test_d13_refuses_passing_over_a_move_that_hurts() -> None:
    broken = refused("dutch | red 20 | yellow 24 24", 4, "-")
    assert broken.keys() == {"D13"}
    assert "must_move 20" in broken.values()


PLAIN = "dutch+plain_die"


def test_d14_holds_the_die_is_ordinary() -> None:
    table = game("dutch", ["plain_die"], ["red", "yellow"])
    assert [table.die.show(face) for face in range(1, 7)] == ["1", "2", "3", "4", "5", "6"]
    assert turn(played(table.start(), "5 -", "6 -")) == "yellow"
    assert turn(played(table.start(), "5 -", "3 -")) == "red"


def test_d14_holds_a_six_enters_or_moves_and_throws_again() -> None:
    where = f"{PLAIN} | red 20 | yellow 40"
    assert legal(where, 6) == {"R.B>1", "20>26"}
    assert turn(played(where, "6 R.B>1")).split()[0] == "red"
    assert turn(played(where, "6 20>26")).split()[0] == "red"


def test_d14_holds_an_unused_six_throws_again() -> None:
    where = f"{PLAIN}+pieces=1 | red R.3 | yellow 40"
    assert legal(where, 6) == {"-"}
    assert turn(played(where, "6 -")).split()[0] == "red"


def test_d14_holds_a_five_is_a_number_and_throws_no_more() -> None:
    where = f"{PLAIN} | red 20 | yellow 40"
    assert legal(where, 5) == {"20>25"}
    assert legal(where, 3) == {"20>23"}
    assert turn(played(where, "5 20>25")) == "yellow"


def test_d14_holds_the_home_column_is_walked() -> None:
    assert legal(f"{PLAIN} | red 50 | yellow 40", 3) == {"50>R.2"}
    assert legal(f"{PLAIN} | red R.2 | yellow 40", 4) == {"R.2>R.H"}
    assert legal(f"{PLAIN} | red 51 | yellow 40", 6) == {"R.B>1", "51>R.H"}


def test_d14_holds_no_more_throws_after_the_last_piece_is_home() -> None:
    where = f"{PLAIN}+pieces=1 | red 51 | yellow 40 | green 10"
    assert turn(played(where, "6 51>R.H")) == "yellow"


def test_d14_holds_two_pieces_still_send_the_mover_back() -> None:
    where = f"{PLAIN} | red 20 | yellow 23 23"
    assert legal(where, 3) == {"20>23"}
    assert stand(played(where, "3 20>23"), "red") == "R.B R.B R.B R.B"
    after = played(f"{PLAIN} | red | yellow 1 1", "6 R.B>1")
    assert stand(after, "red") == "R.B R.B R.B R.B"


def test_d14_refuses_entering_without_a_six() -> None:
    assert refused(f"{PLAIN} | red 20 | yellow 40", 5, "R.B>1").keys() == {"D14"}


def test_d14_refuses_a_throw_past_home() -> None:
    where = f"{PLAIN} | red R.4 20 | yellow 40"
    assert legal(where, 3) == {"20>23"}
    assert refused(where, 3, "R.4>R.H") == {"D14": "past_the_end R.4 =2"}


def test_d14_refuses_another_colours_column() -> None:
    where = f"{PLAIN} | red 12 | blue 40"
    broken = refused(where, 1, "12>B.1")
    assert "not_your_finish B.1" in broken.values()


def test_d15_holds_first_with_all_pieces_home_wins_and_others_play_on() -> None:
    where = "dutch+pieces=2 | red 51 R.H | blue 20 | yellow 30"
    after = played(where, "globe 51>R.H")
    assert places(after) == ["red"]
    assert not after.over
    after = played(after, "1 20>21", "1 30>31")
    assert turn(after) == "blue"


def test_d15_holds_two_players_are_done_with_the_first() -> None:
    after = played("dutch+pieces=1 | red 51 | yellow 30", "globe 51>R.H")
    assert after.over
    assert places(after) == ["red", "yellow"]


def test_d15_refuses_moving_when_it_is_over() -> None:
    over = played("dutch+pieces=1 | red 51 | yellow 30", "globe 51>R.H")
    assert "O1" in refused(over, 1, "30>31")

"""The order at the table, which holds for every sheet: O1 to O8, and the roll for the start."""

import pytest

from companion.rules import (
    SHEETS,
    BadInput,
    Refusal,
    attempt,
    game,
    judge,
    judge_roll,
    legal_moves,
    play,
)
from tests.rules.asking import accepted, at, happened, legal, played, refused, turn

# One position a sheet with a roll that leaves exactly one move, and that move.
PLAIN = {
    "german": ("german | yellow 5 | red 25", 3, "5>8", "red"),
    "cards": ("cards | red 0 0 0 0 | green 0 0 0 0", 3, "R.3", "green"),
    "british": ("british | red 5 | yellow 45", 3, "5>8", "yellow"),
    "dutch": ("dutch | red 5 | yellow 45", 2, "5>7", "yellow"),
    "pairs": ("pairs | red 5 | yellow 45", 3, "5>8", "yellow"),
}
every_sheet = pytest.mark.parametrize("sheet", PLAIN)


@every_sheet
def test_o1_holds_whose_turn_it_is_moves(sheet: str) -> None:
    where, roll, tried, _ = PLAIN[sheet]
    colour = at(where).colour
    assert accepted(where, roll, tried, by=colour).split()[0] == colour


@every_sheet
def test_o1_refuses_whose_turn_it_is_not(sheet: str) -> None:
    where, roll, tried, other = PLAIN[sheet]
    broken = refused(where, roll, tried, by=other)
    assert broken.keys() == {"O1"}
    assert broken["O1"].startswith("not_your_turn")


@every_sheet
def test_o1_refuses_a_pass_by_another(sheet: str) -> None:
    where, roll, _, other = PLAIN[sheet]
    assert "O1" in refused(where, roll, "-", by=other)


def test_o1_refuses_rolling_for_another_at_the_start() -> None:
    start = game("german").start()
    assert "O1" in refused(start, 4, "-", by="green")


@every_sheet
def test_o2_holds_a_roll_that_is_played_makes_room_for_the_next(sheet: str) -> None:
    where, roll, tried, other = PLAIN[sheet]
    position = at(where)
    colour, shown, move = accepted(where, roll, tried).split(" ", 2)
    assert played(position, f"{shown} {move}").colour == other != colour


@every_sheet
def test_o2_refuses_a_second_roll_before_the_first_is_played(sheet: str) -> None:
    where, _, _, _ = PLAIN[sheet]
    assert judge_roll(at(where)) == ()
    assert judge_roll(at(where), unplayed=3) == (Refusal("O2", "roll_not_played"),)


@every_sheet
def test_o1_refuses_a_roll_out_of_turn(sheet: str) -> None:
    where, _, _, other = PLAIN[sheet]
    position = at(where)
    assert judge_roll(position, by=position.colour) == ()
    assert [r.slip for r in judge_roll(position, by=other)] == ["not_your_turn"]


@every_sheet
def test_o3_holds_a_move_after_the_roll(sheet: str) -> None:
    where, roll, tried, _ = PLAIN[sheet]
    assert accepted(where, roll, tried)


@every_sheet
def test_o3_refuses_a_move_before_the_roll(sheet: str) -> None:
    where, _, tried, _ = PLAIN[sheet]
    broken = refused(where, None, tried)
    assert broken.keys() == {"O3"}
    assert broken["O3"].startswith("before_the_roll")


@every_sheet
def test_o3_refuses_a_move_while_the_start_is_rolled_for(sheet: str) -> None:
    start = game(sheet).start()
    first = {"german": "1>4", "cards": "R.3"}.get(sheet, "R.B>1")
    assert "O3" in refused(start, 3 if sheet != "dutch" else "star", first)


def test_o4_holds_own_pieces() -> None:
    assert accepted("german | yellow 5 | red 25", 3, "5>8") == "yellow 3 5>8"


def test_o4_holds_the_neutral_colours_too() -> None:
    where = at("german+neutral_colour yellow,green,red | yellow 5 | green 15 | red 25 | black 35")
    assert accepted(where, 3, "35>38") == "black 3 35>38"


@pytest.mark.parametrize("sheet", ["german", "british", "dutch", "pairs"])
def test_o4_refuses_another_colours_piece(sheet: str) -> None:
    colour, other = at(PLAIN[sheet][0]).game.colours[0], "red" if sheet == "german" else "yellow"
    where = f"{sheet} | {colour} 5 | {other} 30"
    assert refused(where, 2, "30>32") == {"O4": "not_your_piece 30"}
    assert refused(where, 2, "30>") == {"O4": "not_your_piece 30"}


def test_o4_refuses_another_players_stack() -> None:
    where = "cards | red 0 0 0 0 | green 0 0 0 0"
    assert refused(where, 3, "G.3") == {"O4": "not_your_stack G.3"}


def test_o4_refuses_the_fourth_colour_when_it_is_not_neutral() -> None:
    where = "german | yellow 5 | green 15 | red 25 | black 35"
    assert refused(where, 3, "35>38") == {"O4": "not_your_piece 35"}


def test_o4_holds_of_two_colours_side_by_side_the_own_one_is_meant() -> None:
    assert accepted("pairs | red 9 | yellow 9", 3, "9>12") == "red 3 9>12"


@pytest.mark.parametrize("sheet", ["german", "british", "dutch", "pairs"])
def test_o5_refuses_a_move_from_where_nothing_stands(sheet: str) -> None:
    where, roll, _, _ = PLAIN[sheet]
    assert refused(where, roll, "7>9") == {"O5": "no_piece_there 7"}
    assert refused(where, roll, "7>") == {"O5": "no_piece_there 7"}


def test_o5_refuses_entering_from_an_empty_base() -> None:
    where = "german | yellow 5 6 7 8 | red 25"
    assert refused(where, 6, "Y.B>1").keys() == {"O5"}


def test_o5_holds_a_move_from_where_a_piece_stands() -> None:
    assert accepted("german | yellow 5 6 7 8 | red 25", 6, "7>13") == "yellow 6 7>13"


@every_sheet
def test_o6_refuses_passing_when_a_move_exists(sheet: str) -> None:
    where, roll, _, _ = PLAIN[sheet]
    broken = refused(where, roll, "-")
    # Where the sheet says it itself, its own clause is named.
    clause = {"cards": "C7", "dutch": "D13", "pairs": "P11"}.get(sheet, "O6")
    assert broken[clause].startswith("must_move ")
    assert len(broken) == 1


@pytest.mark.parametrize(
    "where",
    [
        "german | yellow | red 25",
        "cards | red 0 0 0 0 | green 0 0 0 0",
        "british | red | green 25",
        "dutch+plain_die | red | yellow 25",
        "pairs | red | yellow 25",
    ],
)
def test_o6_holds_when_no_move_exists_the_turn_passes(where: str) -> None:
    position = at(where)
    assert legal(position, 5) == {"-"}
    assert accepted(position, 5, "-").endswith(" 5 -")
    after = played(position, "5 -")
    assert after.colour != position.colour
    assert after.pieces == position.pieces


@pytest.mark.parametrize(
    ("where", "roll", "clause"),
    [
        ("german | yellow 36 Y.b Y.c Y.d | red 25", 6, "G13"),
        ("british | red R.3 R.H R.H R.H | green 50", 6, "B4"),
        ("dutch+pieces=1 | red 49 | yellow 30", "globe", "D5"),
        ("dutch+plain_die+pieces=1 | red R.3 | yellow 30", 6, "D14"),
        ("pairs | red R.1 R.H R.H R.H | yellow 30", 6, "P5"),
        ("cards | red 6 4 6 6 | green 0 0 0 0", 6, "C7"),
    ],
)
def test_o6_holds_some_rolls_go_again_even_so(where: str, roll: int | str, clause: str) -> None:
    assert legal(where, roll) == {"-"}
    assert turn(played(where, f"{roll} -")).split()[0] == at(where).colour
    (told,) = happened(where, f"{roll} -")
    assert told == f"{clause} again {at(where).colour}"


def test_o6_refuses_moving_anything_when_nothing_can() -> None:
    assert refused("german | yellow | red 25", 5, "Y.B>1").keys() == {"G10"}


@pytest.mark.parametrize("sheet", ["german", "british", "dutch", "pairs"])
def test_o7_refuses_a_second_piece(sheet: str) -> None:
    colour, other = ("yellow", "red") if sheet == "german" else ("red", "yellow")
    where = f"{sheet} | {colour} 5 15 | {other} 35"
    assert refused(where, 2, "5>7 15>17") == {"O7": "two_pieces 5 7 15 17"}


@pytest.mark.parametrize(
    "where",
    [
        "german+barriers | yellow 5 5 | red 25",
        "british | red 5 5 | yellow 25",
        "dutch | red 5 5 | yellow 25",
    ],
)
def test_o7_refuses_two_pieces_from_one_square_together(where: str) -> None:
    # Only the sheet `pairs` lets two pieces go together.
    broken = refused(where, 2, "5>7 5>7")
    assert broken.keys() == {"O7"}
    assert broken["O7"].startswith("two_pieces 5 7")


def test_o7_refuses_two_hops_of_the_same_piece() -> None:
    assert "O7" in refused("german | yellow 5 | red 25", 4, "5>7 7>9")


def test_o7_holds_one_piece_or_one_pair() -> None:
    assert accepted("pairs | red 20 20 | yellow 45", 4, "20>22 20>22") == "red 4 20>22 pair"
    assert accepted("pairs | red 20 20 | yellow 45", 4, "20>22") == "red 4 20>22 pair"


def test_o8_holds_exactly_as_far_as_the_roll_says() -> None:
    for roll in range(1, 6):
        assert accepted("german | yellow 5 | red 25", roll, f"5>{5 + roll}")


@pytest.mark.parametrize("sheet", ["german", "british", "dutch", "pairs"])
@pytest.mark.parametrize(("target", "counted"), [(8, 3), (10, 5), (17, 12)])
def test_o8_refuses_a_wrong_count_with_both_numbers(sheet: str, target: int, counted: int) -> None:
    colour, other = ("yellow", "red") if sheet == "german" else ("red", "yellow")
    where = f"{sheet} | {colour} 5 | {other} 35"
    assert refused(where, 4, f"5>{target}") == {"O8": f"wrong_count 5 {target} ={counted}"}


def test_o8_refuses_the_squares_a_colour_never_uses() -> None:
    assert refused("british | red 66 | green 25", 2, "66>68") == {"O8": "not_on_your_way 68"}
    assert refused("pairs | red 50 | green 25", 2, "50>52") == {"O8": "not_on_your_way 52"}


# -- rolling for the start -----------------------------------------------------------------


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_o1_holds_two_to_four_roll_for_the_start(sheet: str, players: int) -> None:
    colours = game(sheet).colours[:players]
    where = game(sheet, (), colours).start()
    assert where.opening is not None
    assert len(where.opening) == players
    for colour in colours[:-1]:
        assert where.colour == colour
        where = played(where, "1 -")
    assert where.opening is not None
    where = played(where, "2 -")
    assert where.opening is None
    assert where.colour == colours[-1]


@pytest.mark.parametrize("sheet", SHEETS)
def test_o1_holds_all_may_tie_again_and_again(sheet: str) -> None:
    start = where = game(sheet).start()
    for _ in range(3):
        where = played(where, "4 -", "4 -", "4 -", "4 -")
        assert where == start


@pytest.mark.parametrize("sheet", SHEETS)
def test_o1_holds_a_tie_below_the_highest_decides_nothing(sheet: str) -> None:
    where = game(sheet).start()
    assert played(where, "2 -", "2 -", "2 -", "4 -").colour == where.game.colours[3]


@pytest.mark.parametrize("sheet", SHEETS)
def test_o1_holds_ties_shrink_round_by_round(sheet: str) -> None:
    where = game(sheet).start()
    colours = where.game.colours
    where = played(where, "4 -", "4 -", "1 -", "4 -")
    where = played(where, "2 -", "4 -", "4 -")
    assert where.colour == colours[1]
    assert played(where, "1 -", "2 -").colour == colours[3]


@pytest.mark.parametrize("sheet", SHEETS)
def test_o1_holds_seats_may_be_left_empty_anywhere(sheet: str) -> None:
    colours = game(sheet).colours
    where = game(sheet, (), [colours[1], colours[3]]).start()
    assert played(where, "1 -", "2 -").colour == colours[3]
    after = played(where, "2 -", "1 -")
    assert after.colour == colours[1]
    move = legal_moves(after, 1)[0]
    assert play(after, move).colour == colours[3]


@pytest.mark.parametrize("sheet", SHEETS)
def test_o1_refuses_a_seat_that_is_empty_to_begin(sheet: str) -> None:
    colours = game(sheet).colours
    with pytest.raises(BadInput, match=colours[0]):
        game(sheet, (), [colours[1], colours[3]]).start(begins=colours[0])


def test_o1_holds_the_seats_may_be_named_in_any_order() -> None:
    assert game("german", (), ["red", "yellow"]) is game("german", (), ["yellow", "red"])


def test_o6_holds_a_refused_attempt_changes_nothing() -> None:
    where = at("german | yellow 5 | red 25")
    judge(where, 3, attempt("5>9"))
    assert where == at("german | yellow 5 | red 25")

"""What the judge says: every common slip has its own refusal, with proof and with the way out."""

import pytest

from companion.rules import Refused, attempt, judge, legal_moves
from tests.rules.asking import Roll, accepted, at, face_of, legal, refused, unclear

# slip: position, roll (None: not rolled yet), what hands did, by whom, clause, places, count.
Slip = tuple[str, Roll | None, str, str | None, str, tuple[str, ...], int | None]

SLIPS: dict[str, Slip] = {
    "wrong_count": ("german | yellow 5 | red 25", 4, "5>10", None, "O8", ("5", "10"), 5),
    "not_your_piece": ("german | yellow 5 | red 25", 4, "25>29", None, "O4", ("25",), None),
    "not_your_turn": ("german | yellow 5 | red 25", 4, "5>9", "red", "O1", ("5", "9"), None),
    "before_the_roll": ("german | yellow 5 | red 25", None, "5>9", None, "O3", ("5", "9"), None),
    "no_piece_there": ("german | yellow 5 | red 25", 4, "7>11", None, "O5", ("7",), None),
    "two_pieces": (
        "german | yellow 5 15 | red 25",
        4,
        "5>9 15>19",
        None,
        "O7",
        ("5", "9", "15", "19"),
        None,
    ),
    "must_move": ("german | yellow 5 15 | red 25", 4, "-", None, "O6", ("5", "15"), None),
    "backwards": ("german | yellow 9 | red 25", 4, "9>5", None, "G5", ("9", "5"), None),
    "own_piece": ("german | yellow 5 9 | red 25", 4, "5>9", None, "G8", ("9",), None),
    "must_clear_start": ("german | yellow 1 9 | red 25", 4, "9>13", None, "G9", ("1",), None),
    "must_enter": ("german | yellow 9 | red 25", 6, "9>15", None, "G11", ("Y.B",), None),
    "needs_entry_roll": (
        "german | yellow 9 | red 25",
        4,
        "Y.B>1",
        None,
        "G10",
        ("Y.B", "1"),
        None,
    ),
    "enters_elsewhere": ("british | red | green 25", 6, "R.B>1", None, "B5", ("6",), None),
    "past_the_end": ("german | yellow 40 | red 25", 5, "40>Y.d", None, "G15", ("40",), 4),
    "not_your_finish": ("german | yellow 10 | red 25", 1, "10>G.a", None, "G16", ("G.a",), None),
    "not_on_your_way": ("british | red 67 | green 25", 1, "67>68", None, "O8", ("68",), None),
    "jump_in_finish": (
        "german+no_jumping_in_finish | yellow 40 Y.a | red 25",
        2,
        "40>Y.b",
        None,
        "GV5",
        ("Y.a",),
        None,
    ),
    "nothing_to_capture": (
        "german+capture_backwards | yellow 9 | red 25",
        4,
        "9>5",
        None,
        "GV3",
        ("9", "5"),
        None,
    ),
    "block": ("british | red 10 | green 13 13", 5, "10>15", None, "B7", ("13",), None),
    "globe_in_the_way": ("dutch | red 6 | yellow 45", "star", "6>12", None, "D7", ("9",), None),
    "not_the_next_globe": ("dutch | red 6 | yellow 45", "globe", "6>14", None, "D6", ("9",), None),
    "not_the_next_star": ("dutch | red 3 | yellow 45", "star", "3>5", None, "D7", ("6",), None),
    "waits_for_a_globe": ("dutch | red 51 | yellow 45", 1, "51>R.1", None, "D11", ("51",), None),
    "pair_moves_whole": (
        "pairs | red 20 20 | yellow 45",
        4,
        "20>24",
        None,
        "P9",
        ("20", "24"),
        None,
    ),
    "pair_needs_even": (
        "pairs | red 20 20 | yellow 45",
        3,
        "20>23 20>23",
        None,
        "P3",
        ("20", "23"),
        None,
    ),
    "pair_goes_half": (
        "pairs | red 20 20 | yellow 45",
        4,
        "20>24 20>24",
        None,
        "P3",
        ("20", "24"),
        4,
    ),
    "too_many_sixes": (
        "pairs | red 20 | yellow 45 | turn red sixes 3",
        6,
        "20>26",
        None,
        "P6",
        ("20", "26"),
        None,
    ),
    "not_your_stack": (
        "cards | red 0 0 0 0 | green 0 0 0 0",
        3,
        "G.3",
        None,
        "O4",
        ("G.3",),
        None,
    ),
    "first_card_needs_number": (
        "cards | red 0 0 0 0 | green 0 0 0 0",
        3,
        "R.2",
        None,
        "C3",
        ("R.2",),
        2,
    ),
    "cards_do_not_add_up": (
        "cards | red 1 1 1 0 | green 0 0 0 0",
        5,
        "R.3 R.3",
        None,
        "C5",
        ("R.3",),
        6,
    ),
    "lay_out_and_add": (
        "cards | red 1 0 0 0 | green 0 0 0 0",
        3,
        "R.1 R.2",
        None,
        "C6",
        ("R.1", "R.2"),
        None,
    ),
    "stack_full": (
        "cards | red 6 0 0 0 | green 0 0 0 0",
        1,
        "R.1",
        None,
        "C9",
        ("R.1",),
        None,
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_each_slip_has_its_own_refusal_with_proof(slip: str) -> None:
    text, roll, tried, by, clause, places, counted = SLIPS[slip]
    where = at(text)
    verdict = judge(where, None if roll is None else face_of(where, roll), attempt(tried), by)
    assert isinstance(verdict, Refused)
    (refusal,) = verdict.refusals
    assert (refusal.clause, refusal.slip) == (clause, slip)
    assert refusal.places == places
    assert refusal.counted == counted


@pytest.mark.parametrize("slip", SLIPS)
def test_each_refusal_lists_the_legal_moves_instead(slip: str) -> None:
    text, roll, tried, by, *_ = SLIPS[slip]
    where = at(text)
    face = None if roll is None else face_of(where, roll)
    verdict = judge(where, face, attempt(tried), by)
    assert isinstance(verdict, Refused)
    assert list(verdict.instead) == ([] if face is None else list(legal_moves(where, face)))
    assert verdict.instead or face is None


# -- every clause that is broken -----------------------------------------------------------


def test_every_broken_clause_is_named() -> None:
    where = "german | yellow 5 15 | red 25"
    assert refused(where, 6, "5>15").keys() == {"O8", "G8", "G11"}
    assert refused(where, None, "5>9", by="red").keys() == {"O1", "O3"}
    where = "german+barriers | yellow 1 15 | red 17 17"
    assert refused(where, 3, "15>18").keys() == {"G9", "GV6"}


def test_a_duty_that_cannot_be_done_is_not_held_against_anybody() -> None:
    assert refused("german | yellow 1 4 15 | red 25", 3, "15>17").keys() == {"O8"}


def test_a_wrong_count_past_the_end_is_past_the_end() -> None:
    assert refused("german | yellow 40 | red 25", 5, "40>Y.b").keys() == {"G15"}


def test_the_wrong_count_onto_an_opponent_is_a_wrong_count() -> None:
    assert refused("german | yellow 5 | red 10", 4, "5>10") == {"O8": "wrong_count 5 10 =5"}


def test_putting_a_piece_back_where_it_was_is_no_clash_with_itself() -> None:
    assert refused("german | yellow 5 | red 25", 4, "5>5") == {"O8": "wrong_count 5 5 =0"}


def test_taking_a_piece_off_the_board_is_no_clash_with_those_in_base() -> None:
    assert refused("german | yellow 5 | red 25", 4, "5>Y.B").keys() == {"G5"}


def test_another_colours_base_is_off_the_way() -> None:
    assert refused("german | yellow 5 | red 25", 4, "5>R.B") == {"O8": "not_on_your_way R.B"}


# -- partly seen ---------------------------------------------------------------------------


def test_a_lifted_piece_with_one_way_to_go_is_clear() -> None:
    assert accepted("german | yellow 5 15 | red 25", 4, "5>") == "yellow 4 5>9"
    assert accepted("german | yellow 5 15 | red 25", 4, "9") == "yellow 4 5>9"
    assert accepted("german | yellow 5 15 | red 25", 4, "5") == "yellow 4 5>9"


def test_a_press_that_fits_two_moves_is_unclear() -> None:
    assert unclear("german+capture_backwards | yellow 9 | red 5", 4, "9>") == {"9>13", "9>5"}
    assert unclear("pairs | red 20 20 | yellow 45", 6, "20>") == {"20>26", "20>23 pair"}
    assert unclear("german+barriers | yellow 5 9 | red 25", 4, "9") == {"5>9", "9>13"}
    assert unclear("dutch | red 3 5 | yellow 45", "star", "6") == {"3>6", "5>6"}


def test_the_spots_of_base_and_home_are_one_place() -> None:
    where = "british | red R.7 | green 25"
    assert accepted(where, 1, "R.7>R.H3") == "red 1 R.7>R.H"
    assert accepted(where, 6, "R.B2>6") == "red 6 R.B>6"


def test_a_square_that_nothing_goes_to_is_refused() -> None:
    assert refused("german | yellow 5 | red 25", 4, "11").keys() == {"O8"}


@pytest.mark.parametrize(
    ("text", "roll", "lifted", "broken"),
    [
        ("german | yellow 40 9 | red 25", 5, "40>", {"G15": "past_the_end 40 =4"}),
        ("german | yellow 5 9 | red 25", 4, "5>", {"G8": "own_piece 9"}),
        ("german | yellow 1 9 | red 25", 4, "9>", {"G9": "must_clear_start 1"}),
        ("german | yellow 9 | red 25", 6, "9>", {"G11": "must_enter Y.B"}),
        ("german | yellow 9 | red 25", 4, "Y.B>", {"G10": "needs_entry_roll Y.B 1"}),
        ("german+barriers | yellow 5 20 | red 7 7", 3, "5>", {"GV6": "block 7"}),
        ("british | red 10 30 | green 13 13", 5, "10>", {"B7": "block 13"}),
        ("british | red R.5 30 | green 13", 5, "R.5>", {"B8": "past_the_end R.5 =3"}),
        ("dutch | red 6 30 | yellow 45", "star", "6>", {"D7": "globe_in_the_way 9"}),
        ("pairs | red 20 30 | yellow 22 22", 5, "20>", {"P4": "block 22"}),
        ("pairs | red R.5 30 | yellow 45", 5, "R.5>", {"P2": "past_the_end R.5 =1"}),
    ],
)
def test_a_lifted_piece_that_cannot_go_hears_why(
    text: str, roll: Roll, lifted: str, broken: dict[str, str]
) -> None:
    assert refused(text, roll, lifted) == broken


@pytest.mark.parametrize(
    ("text", "roll", "clauses"),
    [
        ("german | yellow 40 | red 25", 5, {"G10", "G15"}),
        ("german | yellow Y.d Y.c Y.b 40 | red 25", 5, {"G15"}),
        ("german+barriers | yellow 5 | red 7 7", 3, {"G10", "GV6"}),
        ("british | red 10 | green 13 13", 5, {"B5", "B7"}),
        ("dutch | red 6 | yellow 45", "star", {"D4", "D7"}),
        ("pairs | red 20 | yellow 22 22", 5, {"P7", "P4"}),
    ],
)
def test_a_roll_that_moves_nothing_says_why(text: str, roll: Roll, clauses: set[str]) -> None:
    where = at(text)
    assert legal(where, roll) == {"-"}
    found = where.game.why_pass(where, face_of(where, roll))
    assert {refusal.clause for refusal in found} == clauses
    assert all(refusal.places for refusal in found)


def test_cards_say_why_a_roll_moves_nothing() -> None:
    where = at("cards | red 6 4 6 6 | green 0 0 0 0")
    assert {refusal.clause for refusal in where.game.why_pass(where, 5)} >= {"C5"}

"""Input that cannot be meant: the error quotes it and says what is allowed."""

import pytest

from companion.rules import BadInput, attempt, game, judge, legal_moves, position, sheet
from tests.rules.asking import at


def says(error: pytest.ExceptionInfo[BadInput], *words: str) -> None:
    for word in words:
        assert word in str(error.value), f"{word!r} is not in {error.value}"


def test_an_unknown_sheet() -> None:
    with pytest.raises(BadInput) as error:
        sheet("uckers")
    says(error, "uckers", "german", "cards", "british", "dutch", "pairs")
    with pytest.raises(BadInput):
        game("")


def test_an_unknown_option() -> None:
    with pytest.raises(BadInput) as error:
        game("german", ["teleport"])
    says(error, "teleport", "german", "barriers", "three_rolls")


def test_an_option_of_another_sheet() -> None:
    with pytest.raises(BadInput) as error:
        game("dutch", ["three_rolls"])
    says(error, "three_rolls", "plain_die", "pieces")


def test_an_option_where_there_are_none() -> None:
    with pytest.raises(BadInput) as error:
        game("british", ["barriers"])
    says(error, "barriers", "british")


@pytest.mark.parametrize("value", ["7", "many", "-1"])
def test_a_value_an_option_cannot_take(value: str) -> None:
    with pytest.raises(BadInput) as error:
        game("dutch", [f"pieces={value}"])
    says(error, "pieces", value, "1, 2, 3, 4")


def test_a_switch_that_is_neither_on_nor_off() -> None:
    with pytest.raises(BadInput) as error:
        game("german", ["barriers=maybe"])
    says(error, "barriers", "maybe", "on", "off")


def test_an_unknown_colour() -> None:
    with pytest.raises(BadInput) as error:
        game("german", (), ["yellow", "blue"])
    says(error, "blue", "yellow", "green", "red", "black")


@pytest.mark.parametrize("seats", [[], ["yellow"]])
def test_too_few_players(seats: list[str]) -> None:
    with pytest.raises(BadInput) as error:
        game("german", (), seats)
    says(error, str(len(seats)), "2 to 4")


def test_five_players() -> None:
    with pytest.raises(BadInput):
        game("german", (), ["yellow", "green", "red", "black", "blue"])


def test_a_seat_twice() -> None:
    with pytest.raises(BadInput) as error:
        game("german", (), ["yellow", "red", "yellow"])
    says(error, "yellow")


@pytest.mark.parametrize("face", [0, 7, -1, 100])
@pytest.mark.parametrize("name", ["german", "cards", "british", "dutch", "pairs"])
def test_a_face_the_die_does_not_have(name: str, face: int) -> None:
    start = game(name).start(begins="red")
    with pytest.raises(BadInput) as error:
        legal_moves(start, face)
    says(error, str(face), "1 to 6")
    with pytest.raises(BadInput):
        judge(start, face, attempt("-"))
    opening = game(name).start()
    with pytest.raises(BadInput):
        legal_moves(opening, face)


def test_a_face_by_a_name_the_die_does_not_have() -> None:
    with pytest.raises(BadInput) as error:
        game("dutch").move("red 5 5>10")
    says(error, "5", "globe", "star")
    with pytest.raises(BadInput) as error:
        game("german").move("red globe 5>10")
    says(error, "globe", "1, 2, 3, 4, 5, 6")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("german yellow,red | yellow 1 2 3 4 5 | red 21 22 23 24 | turn yellow", ["yellow", "5"]),
        ("german yellow,red | yellow 1 2 3 | red 21 22 23 24 | turn yellow", ["yellow", "3"]),
        ("german yellow,red | yellow 1 2 3 4 | turn yellow", ["red", "0"]),
        (
            "german yellow,red | yellow 1 2 3 4 | red 21 22 23 24 | green 11 12 13 14 | turn red",
            ["green", "4"],
        ),
    ],
)
def test_the_wrong_number_of_pieces(text: str, words: list[str]) -> None:
    with pytest.raises(BadInput) as error:
        position(text)
    says(error, *words)


def test_two_colours_on_a_square() -> None:
    for text in (
        "german | yellow 5 | red 5",
        "british | red 5 | green 5",
        "dutch | red 5 | yellow 5",
        "pairs | red 5 | yellow 5",
    ):
        with pytest.raises(BadInput) as error:
            at(text)
        says(error, "5", "two colours")


def test_two_colours_on_a_safe_square_are_fine() -> None:
    assert at("pairs | red 9 | yellow 9")


def test_two_pieces_on_a_square_without_barriers() -> None:
    with pytest.raises(BadInput) as error:
        at("german | yellow 5 5 | red 25")
    says(error, "5", "yellow")


def test_three_pieces_on_a_barrier() -> None:
    assert at("german+barriers | yellow 5 5 | red 25")
    with pytest.raises(BadInput) as error:
        at("german+barriers | yellow 5 5 5 | red 25")
    says(error, "5", "3", "yellow")


def test_a_barrier_on_the_own_a_square() -> None:
    # G9 and G11 keep it single, so no game comes there; another's A square is a square like any.
    assert at("german+barriers | yellow 21 21 | red 25")
    with pytest.raises(BadInput) as error:
        at("german+barriers | yellow 1 1 | red 25")
    says(error, "1", "yellow")


def test_two_pieces_on_a_finish_square() -> None:
    for options in ("", "+barriers"):
        with pytest.raises(BadInput) as error:
            at(f"german{options} | yellow Y.a Y.a | red 25")
        says(error, "Y.a")


@pytest.mark.parametrize(
    ("text", "spot"),
    [
        ("german | yellow G.a | red 25", "G.a"),
        ("german | yellow R.B | red 25", "R.B"),
        ("british | red 68 | green 25", "68"),
        ("pairs | red 52 | green 25", "52"),
        ("dutch | red G.H | green 25", "G.H"),
    ],
)
def test_a_spot_that_is_not_on_the_way(text: str, spot: str) -> None:
    with pytest.raises(BadInput) as error:
        at(text)
    says(error, spot)


@pytest.mark.parametrize(
    ("text", "spot"),
    [
        ("german | yellow 41 | red 25", "41"),
        ("german | yellow 0 | red 25", "0"),
        ("german | yellow Y.e | red 25", "Y.e"),
        ("german | yellow Y.H | red 25", "Y.H"),
        ("pairs | red 53 | green 25", "53"),
        ("pairs | red R.6 | green 25", "R.6"),
        ("british | red x | green 25", "x"),
    ],
)
def test_a_spot_that_does_not_exist(text: str, spot: str) -> None:
    with pytest.raises(BadInput) as error:
        at(text)
    says(error, spot)


def test_pieces_in_the_column_that_the_special_die_never_walks() -> None:
    # D11: home is reached from the star by a globe, so nobody ever stands in the home column.
    assert at("dutch+plain_die | red R.2 | green 25")
    with pytest.raises(BadInput) as error:
        at("dutch | red R.2 | green 25")
    says(error, "R.2")


@pytest.mark.parametrize(
    "text",
    [
        "german | yellow Y.a Y.b Y.c Y.d | green 15 | red 25 | turn green",
        "german | yellow 5 | green 15 | red 25 | turn green home yellow",
        "german | yellow Y.a Y.b Y.c Y.d | green 15 | red 25 | turn green home green",
        "german | yellow Y.a Y.b Y.c Y.d | green 15 | red 25 | turn green home yellow yellow",
        "german | yellow Y.a Y.b Y.c Y.d | red 25 | turn red home yellow",
        "german | yellow 5 | red 25 | turn -",
        "cards | red 6 6 6 6 | green 0 0 0 0",
        "cards | red 6 6 6 6 | green 0 0 0 0 | turn green home red",
        "cards | red 0 0 0 0 | green 0 0 0 0 | turn -",
    ],
)
def test_the_wrong_home(text: str) -> None:
    with pytest.raises(BadInput):
        at(text)


def test_the_turn_of_a_player_who_is_done() -> None:
    with pytest.raises(BadInput) as error:
        at("german | yellow Y.a Y.b Y.c Y.d | green 15 | red 25 | turn yellow home yellow")
    says(error, "yellow")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("german | yellow 5 | red 25 | turn green", "green"),
        ("german | yellow 5 | red 25 | turn purple", "purple"),
        ("german | yellow 5 | red 25 | turn yellow rolls 4", "4"),
        ("german | yellow 5 | red 25 | turn yellow rolls x", "x"),
        ("german | yellow 5 | red 25 | turn yellow rolls 0", "0"),
        ("german | yellow 5 | red 25 | turn yellow sixes x", "x"),
        ("german | yellow 5 | red 25 | turn yellow luck 4", "luck"),
        (
            "german+neutral_colour yellow,green,red | yellow | green | red | black | turn black",
            "black",
        ),
    ],
)
def test_the_wrong_turn(text: str, word: str) -> None:
    with pytest.raises(BadInput) as error:
        at(text)
    says(error, word)


def test_three_rolls_without_the_variant() -> None:
    with pytest.raises(BadInput) as error:
        at("german | yellow | red 25 | turn yellow rolls 3")
    says(error, "3")


def test_more_sixes_than_a_turn_can_have() -> None:
    assert at("pairs | red 20 | yellow 45 | turn red sixes 3")
    with pytest.raises(BadInput) as error:
        at("pairs | red 20 | yellow 45 | turn red sixes 4")
    says(error, "4")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "|",
        "german",
        "german yellow,red",
        "german yellow,red |",
        "german yellow,red | turn yellow",
        "german yellow red | yellow 1",
        "german yellow,red | yellow 1 2 3 4 | red 21 22 23 24",
        "german yellow,red | yellow 1 2 3 4 | yellow 5 6 7 8 | red 21 22 23 24 | turn yellow",
        "german yellow,red | yellow 1 2 3 4 | red 5 6 7 8 | opening yellow=? | turn yellow",
        "german yellow,red | yellow 1 2 3 4 | red 5 6 7 8 | opening yellow=9 red=? | turn red",
        "german yellow,red | yellow 1 2 3 4 | red 5 6 7 8 | opening yellow=3 red=? | turn yellow",
        "german yellow,red | yellow 1 2 3 4 | red 21 22 23 24 | turn",
        "nonsense | | |",
    ],
)
def test_a_text_that_is_no_position(text: str) -> None:
    with pytest.raises(BadInput):
        position(text)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "''"),
        ("yellow", "yellow"),
        ("yellow 6", "yellow 6"),
        ("yellow 7 1>8", "7"),
        ("blue 6 1>7", "blue"),
        ("yellow 6 1", "1"),
        ("yellow 6 1>99", "99"),
        ("yellow 6 1>G.a", "G.a"),
        ("yellow 6 1>7 trio", "trio"),
    ],
)
def test_a_text_that_is_no_move(text: str, word: str) -> None:
    with pytest.raises(BadInput) as error:
        game("german").move(text)
    says(error, word)


@pytest.mark.parametrize("text", ["red 3 lay", "red 3 lay 5", "red 3 throw 3", "red 3 add x"])
def test_a_text_that_is_no_action_with_cards(text: str) -> None:
    with pytest.raises(BadInput) as error:
        game("cards").move(text)
    says(error, text.partition("3 ")[2])


@pytest.mark.parametrize("text", ["", "1>>2", "1-2", "1>2>3", "a b ?"])
def test_a_text_that_is_no_attempt(text: str) -> None:
    with pytest.raises(BadInput):
        attempt(text)


@pytest.mark.parametrize("tried", ["99>3", "1>99", "Q.B>1", "R.5>1", "99"])
def test_an_attempt_at_a_place_that_does_not_exist(tried: str) -> None:
    with pytest.raises(BadInput) as error:
        judge(game("german").start(begins="yellow"), 3, attempt(tried))
    assert any(word in str(error.value) for word in tried.split(">"))


def test_an_attempt_by_a_colour_that_does_not_exist() -> None:
    with pytest.raises(BadInput) as error:
        judge(game("german").start(begins="yellow"), 3, attempt("1>4"), by="purple")
    says(error, "purple", "yellow")


def test_a_stack_that_does_not_exist() -> None:
    with pytest.raises(BadInput) as error:
        judge(game("cards").start(begins="red"), 3, attempt("R.5"))
    says(error, "R.5")


def test_who_begins_must_play() -> None:
    with pytest.raises(BadInput) as error:
        game("german", (), ["yellow", "red"]).start(begins="green")
    says(error, "green", "yellow", "red")


def test_a_clause_the_sheet_does_not_have() -> None:
    assert sheet("german").article("G8").id == "G8"
    with pytest.raises(BadInput) as error:
        sheet("german").article("G99")
    says(error, "G99", "german", "G1", "O8")


def test_options_or_seats_as_one_string() -> None:
    with pytest.raises(BadInput) as error:
        game("german", "barriers")
    says(error, "'barriers'", "['barriers']")
    with pytest.raises(BadInput) as error:
        game("german", (), "yellow,red")
    says(error, "'yellow,red'", "['yellow', 'red']")

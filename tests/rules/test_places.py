"""Who has won, and who came next: places belong to players, and the last one has a place too."""

import pytest

from companion.rules import position
from tests.rules.asking import at, places, played

BOTH_HOME = (
    "german+two_colours_each yellow,green | yellow Y.a Y.b Y.c Y.d | green G.a G.b G.c G.d | "
    "red 20 R.b R.c R.d | black K.B K.B K.B 31 | turn red home green yellow"
)


def test_with_two_colours_each_the_player_whose_both_colours_are_home_has_won() -> None:
    there = played(at(BOTH_HOME), "1 20>R.a")
    assert there.over
    assert places(there) == ["yellow"]
    assert there.winner == "yellow"


def test_with_two_colours_each_one_colour_home_is_no_place() -> None:
    assert places(at(BOTH_HOME)) == []
    assert at(BOTH_HOME).winner is None


def test_a_player_of_two_colours_is_named_by_the_seat_taken() -> None:
    here = position(
        "german+two_colours_each green,red | yellow 40 Y.b Y.c Y.d | green G.a G.b G.c G.d | "
        "red R.a R.b R.c R.d | black K.B K.B K.B 31 | turn yellow home green red"
    )
    assert places(played(here, "1 40>Y.a")) == ["red"]


def test_the_last_has_a_place_too() -> None:
    here = at("german | yellow 40 Y.b Y.c Y.d | red 25 | turn yellow")
    assert places(here) == []
    there = played(here, "1 40>Y.a")
    assert places(there) == ["yellow", "red"]
    assert there.winner == "yellow"


def test_of_three_the_first_has_won_while_the_others_play_on() -> None:
    here = at("british | red R.7 R.H R.H R.H | green 40 | yellow 50 | turn red")
    there = played(here, "1 R.7>R.H")
    assert not there.over
    assert places(there) == ["red"]


@pytest.mark.parametrize(
    ("text", "move", "won"),
    [
        ("cards | red 6 6 5 6 | green 0 0 0 0", "3 add 3", ["red"]),
        (BOTH_HOME, "1 20>R.a", ["yellow"]),
    ],
)
def test_where_the_first_winner_ends_it_nobody_comes_next(
    text: str, move: str, won: list[str]
) -> None:
    assert places(played(at(text), move)) == won

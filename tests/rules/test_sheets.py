"""There is one of each game while anybody plays it, and none of it afterwards."""

import gc
from itertools import combinations, product
from weakref import ref

from companion.rules import SHEETS, game, position


def make_many_others() -> int:
    """Ask for more different games than are kept at hand."""
    names = [option.name for option in SHEETS["german"].options if option.allowed == (False, True)]
    made = 0
    for chosen in product((False, True), repeat=3):
        options = dict(zip(names[-3:], chosen, strict=True))
        for seats in combinations(SHEETS["german"].board.colours, 3):
            game("german", options, seats)
            made += 1
    return made


def test_a_game_in_play_stays_the_same_whatever_else_is_made() -> None:
    here = position("british red,yellow | red 10 10 14 14 | yellow 50 60 45 48 | turn red")
    assert make_many_others() == 32
    assert position(str(here)).game is here.game


def test_a_game_that_nobody_plays_is_let_go() -> None:
    gone = ref(game("pairs", (), ["red", "green"]))
    make_many_others()
    gc.collect()
    assert gone() is None

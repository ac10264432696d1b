"""The rules as a Python programmer uses them: its page runs, and its values are values."""

import copy
import doctest
import pickle
import re
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

import companion.rules
from companion import rules
from companion.rules import Move, Pass, Position
from tests.rules.asking import at

PAGE = Path(__file__).parents[2] / "docs" / "library.md"


def test_the_page_of_the_library_is_true() -> None:
    done = doctest.testfile(str(PAGE), module_relative=False)
    assert done.attempted > 15
    assert done.failed == 0


def test_the_docstring_of_the_rules_is_true() -> None:
    done = doctest.testmod(companion.rules)
    assert done.attempted > 5
    assert done.failed == 0


def test_the_page_names_every_name_once() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("## Every name")[2]
    named = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert sorted(named) == sorted(rules.__all__)


SAMPLES = (
    "german+barriers | yellow 5 5 | red 25",
    "cards | red 3 0 0 0 | green 0 0 0 0",
    "pairs | red 20 20 | yellow 45",
)


@pytest.mark.parametrize("text", SAMPLES)
def test_a_position_never_changes(text: str) -> None:
    here = at(text)
    with pytest.raises(FrozenInstanceError):
        here.seat = 2
    with pytest.raises(FrozenInstanceError):
        here.anything = 2  # type: ignore[attr-defined]
    with pytest.raises(FrozenInstanceError):
        del here.pieces
    assert here == at(text)


@pytest.mark.parametrize("text", SAMPLES)
def test_positions_games_and_moves_copy_and_pickle(text: str) -> None:
    here = at(text)
    assert copy.copy(here) == here == copy.deepcopy(here)
    again = pickle.loads(pickle.dumps(here))
    assert again == here
    assert hash(again) == hash(here)
    assert again.game is here.game
    assert copy.deepcopy(here.game) is here.game is pickle.loads(pickle.dumps(here.game))
    for move in rules.legal_moves(here, 3):
        assert pickle.loads(pickle.dumps(move)) == move == copy.deepcopy(move)


def test_a_changed_copy_is_another_position() -> None:
    here = at(SAMPLES[0])
    other = replace(here, sixes=1)
    assert isinstance(other, Position)
    assert (here.sixes, other.sixes) == (0, 1)
    assert type(other) is type(here)
    with pytest.raises(FrozenInstanceError):
        other.sixes = 2


@pytest.mark.parametrize("text", SAMPLES)
def test_a_move_says_itself_and_its_repr_rebuilds_it(text: str) -> None:
    here = at(text)
    for move in rules.legal_moves(here, 3):
        assert str(move) == here.game.move_text(move)
        again = eval(repr(move), {"move": rules.move})
        assert again == move
        assert str(again) == str(move)


def test_a_move_made_by_hand_has_no_game_and_says_its_numbers() -> None:
    assert repr(Move(0, 4, 0, 4)) == "Move(seat=0, face=4, origin=0, target=4, size=1)"
    assert str(Pass(0, 4)) == "Pass(seat=0, face=4)"
    assert Move(0, 4, 0, 4) == rules.legal_moves(rules.game("german").start("yellow"), 4)[0]


def test_a_move_without_its_game_cannot_be_read() -> None:
    with pytest.raises(rules.BadInput, match="yellow 4 1>5"):
        rules.move("yellow 4 1>5")


def test_play_refuses_what_is_not_legal_with_its_reason() -> None:
    here = at("german | yellow 1 7 | red 25")
    with pytest.raises(rules.IllegalMove) as error:
        rules.play(here, here.game.move("yellow 4 7>11"))
    assert [refusal.clause for refusal in error.value.refusals] == ["G9"]
    with pytest.raises(rules.IllegalMove, match="O6"):
        rules.play(here, here.game.move("yellow 4 -"))
    over = at("german | yellow Y.a Y.b Y.c Y.d | red 25 | turn - home yellow")
    with pytest.raises(rules.IllegalMove, match="over"):
        rules.play(over, here.game.move("yellow 4 7>11"))

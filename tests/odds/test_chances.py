"""Chances are judged by exact endings; players, hints and their words."""

from functools import cache
from itertools import pairwise
from math import sqrt
from random import Random

import pytest

from companion.odds.asking import answer
from companion.odds.chances import odds
from companion.odds.ends import Ends, NoEndTableError, ends, known_ends
from companion.odds.playouts import PlayOuts
from companion.odds.strength import one_against
from companion.odds.thinking import chosen_move, hint
from companion.rules import BadInput, Game, game, legal_moves, play
from companion.rules.game import FACES
from companion.rules.levels import LEVELS
from tests.odds.judging import errors_off, random_ending
from tests.odds.walking import walk


@cache
def two_pieces() -> Game:
    return game("german", ["pieces=2"], ["yellow", "red"])


@cache
def exact(level: str | None = None) -> Ends:
    """Endings of best play, which the box looks up too; or of a level's."""
    made = ends(two_pieces()) if level is None else Ends(two_pieces(), level)
    assert made is not None
    return made


def test_an_exact_ending_is_the_mean_of_its_best_moves() -> None:
    """Looked up with the rules' own moves, which the table was not made with."""
    random, known = Random(3), exact()
    for _ in range(150):
        here = random_ending(known, random)
        best = [
            max(known.chance(play(here, move), here.seat) for move in legal_moves(here, face))
            for face in FACES
        ]
        assert known.value(here) == pytest.approx(sum(best) / 6, abs=1e-5)


def test_play_outs_agree_with_exact_values() -> None:
    """Of 1,000 endings 95 % lie within two standard errors, and none beyond five."""
    off = errors_off(exact("fox"), "fox", 1_000, 300, seed=5)
    assert sum(abs(one) <= 2 for one in off) >= 950
    assert max(abs(one) for one in off) < 5
    assert 0.8 < sqrt(sum(one**2 for one in off) / len(off)) < 1  # nor are they told too large


def test_the_fox_plays_known_endings_best() -> None:
    """Asked as the box asks it; the first question makes the table."""
    random, known = Random(8), exact()
    for _ in range(300):
        here, face = random_ending(known, random), random.choice(FACES)
        told = answer({"ask": "move", "position": str(here), "face": face, "level": "fox"})
        values = {
            move: known.chance(play(here, move), here.seat) for move in legal_moves(here, face)
        }
        assert values[here.game.move(told["move"])] == max(values.values())


def test_an_ending_that_is_known_has_no_error_and_no_other_makes_a_table() -> None:
    known = exact()
    here = random_ending(known, Random(9))
    told = answer({"ask": "chances", "position": str(here)})
    assert told["win"][str(here.colour)] == [round(known.value(here), 5), 0]
    whole = game("german", (), ["yellow", "red"])
    assert known_ends([whole.start(begins="red")]) is None


def test_a_game_that_remembers_more_has_no_exact_endings() -> None:
    with pytest.raises(NoEndTableError, match="remembers more"):
        Ends(game("pairs", (), ["red", "yellow"]))
    with pytest.raises(NoEndTableError, match="two players"):
        Ends(game("german"))


def test_chances_add_up_and_belong_to_their_position() -> None:
    table = game("british", (), ["red", "green", "yellow"])
    here = table.start(begins="green")
    told = odds(here, 1, 600)
    assert sum(one.value for one in told.win.values()) == pytest.approx(1)
    assert sum(one.value for one in told.rank.values()) == pytest.approx(6)
    assert told.position is here
    assert told.face is None
    assert 0.01 < told.error < 0.03
    assert odds(here, 1, 600) == told
    assert odds(here, 2, 600) != told


def test_chances_after_the_roll_average_to_those_before_it() -> None:
    table = game("german", (), ["yellow", "red"])
    here = table.position("yellow Y.B 1 20 Y.d | red R.B R.B 21 30 | turn yellow")
    before = odds(here, 1, 6_000).win["yellow"]
    after = [odds(here, 2, 6_000, face).win["yellow"] for face in FACES]
    mean = sum(one.value for one in after) / 6
    assert abs(mean - before.value) < 4 * before.error


def test_a_game_that_is_over_has_no_chances_left() -> None:
    table = game("german", (), ["yellow", "red"])
    end = table.position("yellow Y.a Y.b Y.c Y.d | red R.B R.B R.B 21 | turn - home yellow")
    told = odds(end, 1)
    assert (told.win["yellow"].value, told.win["red"].value, told.error) == (1, 0, 0)


def test_an_error_is_never_nothing() -> None:
    """One square from home against four pieces in the base: all play-outs end alike."""
    table = game("british", (), ["red", "yellow"])
    here = table.position("red R.7 R.H R.H R.H | yellow Y.B Y.B Y.B Y.B | turn red")
    chance = odds(here, 1, 60).win["red"]
    assert chance.value == 1
    assert chance.error > 0.01


def test_without_the_fast_part_there_are_fewer_play_outs_and_a_larger_error() -> None:
    table = game("german", (), ["yellow", "red"])
    here = table.start(begins="yellow")
    slow = odds(here, 1, 3_000, played=PlayOuts(table, fast=False))
    fast = odds(here, 1, 3_000, played=PlayOuts(table))
    assert slow.games == 30
    assert slow.error > 5 * fast.error
    assert slow.why_slow


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_makes_legal_moves_and_the_same_ones_again(level: str) -> None:
    for sheet in ("german", "cards", "parchis"):
        table = game(sheet, (), game(sheet).colours[:2])
        for number, (here, face) in enumerate(walk(table, Random(sheet))):
            if number == 40:
                break
            if not here.over:
                chosen = chosen_move(here, face, level, seed=number)
                assert chosen in legal_moves(here, face)
                assert chosen_move(here, face, level, seed=number) == chosen


def test_a_level_that_does_not_exist_is_refused_with_those_there_are() -> None:
    here = two_pieces().start(begins="yellow")
    with pytest.raises(BadInput, match="there is no player 'lion': choose from butterfly, hare"):
        chosen_move(here, 3, "lion", 1)


def test_the_fox_is_the_strongest() -> None:
    """One against three random players, 4,000 games; fair would be a quarter."""
    table = game("german")
    shares = {level: one_against(table, level, "butterfly", 4_000, seed=1) for level in LEVELS[1:]}
    fox = shares.pop("fox")
    assert fox.share - 2 * fox.error > 0.585
    for other in shares.values():
        assert fox.share - other.share > 2 * (fox.error**2 + other.error**2) ** 0.5


def test_every_level_wins_more_than_the_one_before_with_cards_too() -> None:
    shares = [one_against(game("cards"), level, "butterfly", 2_000, seed=1) for level in LEVELS]
    for weaker, stronger in pairwise(shares):
        assert stronger.share - weaker.share > 2 * (weaker.error**2 + stronger.error**2) ** 0.5


def test_a_hint_names_the_best_move_and_by_how_much() -> None:
    table = game("german", (), ["yellow", "red"])
    here = table.position("yellow Y.B 5 20 Y.d | red R.B R.B 8 22 | turn yellow")
    told = hint(here, 3, seed=1)
    assert str(told.move) == "yellow 3 5>8"
    assert told.margin.value > 2 * told.margin.error


def test_after_the_first_winner_a_hint_is_about_places() -> None:
    table = game("german", (), ["yellow", "green", "red"])
    won = "green G.a G.b G.c G.d | red R.B R.B 8 22 | turn yellow home green"
    here = table.position(f"yellow Y.B 5 20 Y.d | {won}")
    told = hint(here, 3, seed=1, games=3_000)
    assert told.places
    assert str(told.move) == "yellow 3 5>8"
    assert told.margin.value > 2 * told.margin.error


def test_there_is_no_hint_where_moves_cannot_be_told_apart() -> None:
    table = game("cards", (), ["red", "yellow"])
    here = table.start(begins="red")
    told = hint(here, 6, seed=1, games=60)
    assert told.move is None
    assert told.margin.value <= 2 * told.margin.error

"""House rules: every switch on every sheet is refused with its reason, or it can be played."""

import random
from dataclasses import replace
from datetime import date

import pytest

from companion.languages import LANGUAGES
from companion.rules import (
    NOBODY,
    SHEETS,
    BadInput,
    Game,
    Pass,
    Position,
    game,
    judge,
    legal_moves,
    play,
    position,
    recall_game,
)
from companion.rules.checking import attempt_of
from companion.rules.family import HouseRules, from_line, from_toml, house_rules, trial
from companion.rules.house import SWITCHES, contradictions
from companion.rules.records import Record, record
from companion.rules.verdicts import Accepted, Refused
from companion.screens import phrases
from companion.screens.fridge import fridge_page
from companion.screens.languages import words
from tests.house_soak import check_a_game, check_the_page
from tests.rules.asking import happened, legal, played, refused, turn
from tests.rules.test_bad_input import says

EACH = [(sheet, switch) for sheet in SHEETS for switch in SWITCHES]


def chosen(switch: str) -> str:
    return "pieces=2" if switch == "pieces" else switch


def walk(table: Game, rng: random.Random, most: int) -> list[Position]:
    """Positions of a random game."""
    here = table.start()
    found: list[Position] = []
    while not here.over and len(found) < most:
        found.append(here)
        moves = legal_moves(here, here.due or table.die.roll(rng.random))
        here = play(here, rng.choice(moves))
    return found


@pytest.mark.parametrize(("sheet", "switch"), EACH)
def test_a_switch_is_refused_with_the_way_out_or_its_games_end(sheet: str, switch: str) -> None:
    found = contradictions(SHEETS[sheet], {switch: True})
    if found:
        with pytest.raises(BadInput) as error:
            game(sheet, [chosen(switch)])
        says(error, *(one.why for one in found), *(one.way_out for one in found))
        return
    table = game(sheet, [chosen(switch)])
    assert recall_game(str(table)) is table
    clause = SWITCHES[switch].article.id
    own = {option.name for option in SHEETS[sheet].options}
    assert switch in own or clause in [article.id for article in table.articles]
    done = trial(table, 1, random.Random(3).random)
    assert done.ended == 1
    check_a_game(table, random.Random(4))
    rules = house_rules("Mine", sheet, [chosen(switch)])
    assert from_toml(rules.toml()) == rules == from_line(str(rules))
    check_the_page(rules)


@pytest.mark.parametrize(("sheet", "switch"), EACH)
def test_what_a_switch_refuses_has_a_sentence_in_three_languages(sheet: str, switch: str) -> None:
    try:
        table = game(sheet, [chosen(switch)])
    except BadInput:
        return
    rng = random.Random(5)
    for here in walk(table, rng, 120)[::3]:
        face = here.due or rng.randint(1, 6)
        if here.opening is not None:
            continue
        moves = legal_moves(here, face)
        for move in moves:
            verdict = judge(here, face, attempt_of(table, move))
            assert isinstance(verdict, Accepted), (str(here), str(move), verdict)
            assert verdict.move == move
        assert position(str(here)) == here
        reasons = table.why_pass(here, face)
        if all(isinstance(move, Pass) for move in moves):
            assert reasons
        for why in reasons:
            assert table.sheet.article(why.clause).text
            said = [phrases.refusal(table, why, face, words(one)) for one in LANGUAGES]
            assert all(said)


def test_a_record_of_a_house_game_replays() -> None:
    table = game("british", ["capture_rolls", "bounce", "twenty_for_a_capture"], ["red", "green"])
    rng, told = random.Random(2), Record(table, date(2026, 1, 2))
    while not told.position.over:
        here = told.position
        moves = legal_moves(here, here.due or rng.randint(1, 6))
        told = told.then(rng.choice(moves))
    assert "options: capture_rolls, bounce, twenty_for_a_capture" in str(told)
    assert record(str(told)) == told


# -- switch by switch ----------------------------------------------------------------------------


def test_h1_three_tries_with_nobody_out() -> None:
    where = "british+three_tries | red | green 50 | turn red rolls 3"
    assert turn(played(where, "4 -")) == "red rolls 2"
    assert turn(played(where, "4 -", "5 -", "1 -")) == "green"
    assert turn(played(where, "6 R.B>6")) == "red sixes 1"


def test_h2_on_safe_stars_nobody_is_captured() -> None:
    assert happened("german+safe_stars | yellow 4 | red 6", "2 4>6") == set()
    assert happened("german+safe_stars | yellow 4 | red 7", "3 4>7") == {"G7 captured red 7"}


def test_h3_h4_a_roll_for_a_capture_and_for_getting_home() -> None:
    assert turn(played("german+capture_rolls | yellow 5 | red 8", "3 5>8")) == "yellow"
    assert "H4 again yellow" in happened("german+home_rolls | yellow 39 | red 8", "3 39>Y.b")


def test_h5_exact_or_bounce() -> None:
    where = "british+bounce | red R.6 | green 50"
    assert legal(where, 5) == {"R.6>R.5"}
    assert legal(where, 2) == {"R.6>R.H"}
    assert refused(where, 5, "R.6>R.7") == {"H5": "bounces R.5"}
    assert refused(where, 2, "R.6>R.7") == {"H5": "wrong_count R.6 R.7 =1"}
    assert legal("british+bounce | red R.H | green 50", 5) == {"-"}


def test_h5_a_bounce_to_where_a_piece_stands_is_no_move() -> None:
    where = "british+bounce | red R.6 | green 50"
    assert legal(where, 4) == {"-"}
    assert legal(where, 3) == {"R.6>R.7"}
    assert refused(where, 4, "R.6>R.7") == {"H5": "bounces R.6"}


def test_h6_nobody_passes_two_of_another_colour() -> None:
    where = "indian+barriers | red 10 | yellow 13 13"
    assert legal(where, 4) == {"-"}
    assert refused(where, 4, "10>14") == {"H6": "block 13"}


def test_h7_a_one_or_a_six_brings_in() -> None:
    assert legal("british+one_or_six | red | green 50", 1) == {"R.B>1"}
    assert legal("british+one_or_six | red | green 50", 6) == {"R.B>6"}
    assert refused("british+one_or_six | red | green 50", 3, "R.B>1").keys() == {"H7"}


def test_h8_fewer_pieces() -> None:
    table = game("pairs", ["pieces=3"])
    assert {len(pieces) for pieces in table.start().pieces} == {3}


def test_h9_h10_the_third_six() -> None:
    assert legal("german+third_six_void | yellow 5 | red 25 | turn yellow sixes 2", 6) == {"-"}
    where = "german+third_six_back | yellow 5 | red 25 | turn yellow sixes 2 moved 5"
    assert legal(where, 6) == {"5>Y.B"}
    assert refused(where, 6, "5>11") == {"H10": "must_go_back 5"}


def test_h11_h12_bonus_squares() -> None:
    where = "british+twenty_for_a_capture+ten_for_home | red 10 R.7 | green 14"
    assert turn(played(where, "4 10>14")) == "red rolls 0 owed 20"
    assert turn(played(where, "1 R.7>R.H")) == "red rolls 0 owed 10"


# -- kept and shared -----------------------------------------------------------------------------


def test_a_family_sheet_is_kept_and_shared() -> None:
    mine = house_rules("Sunday rules", "british", ["bounce", "capture_rolls", "pieces=3"])
    assert str(mine) == "Sunday rules: british+capture_rolls+bounce+pieces=3"
    assert from_line(str(mine)) == mine == from_toml(mine.toml())
    assert [article.id for article in mine.articles][-3:] == ["H3", "H5", "H8"]
    assert str(mine.game(["red", "green"])) == "british+capture_rolls+bounce+pieces=3 red,green"


def test_names_with_letters_of_any_language_are_kept() -> None:
    mine = house_rules("  Oma & Opa's Regeln für Ähm 2  ", "german", ["two_colours_each"])
    assert mine.name == "Oma & Opa's Regeln für Ähm 2"
    assert "<h1>Oma &amp; Opa" in fridge_page(mine, "de", words("de"))
    assert from_toml(mine.toml()) == mine


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("name = 'x'\nbase = 'german'\nrules = ['teleport']", "teleport"),
        ("name = 'x'\nbase = 'uckers'", "uckers"),
        ("name = 'x'\nbase = 'german'\nrules = ['third_six_void', 'third_six_back']", "both"),
        ("name = 'x'\nbase = 'german'\nrules = ['bounce', 'bounce']", "twice"),
        (f"name = '{'x' * 500}'\nbase = 'german'", "500"),
        ("name = '<b>x</b>'\nbase = 'german'", "signs"),
        ("name = ''\nbase = 'german'", "name"),
        ("base = 'german'", "name"),
        ("name = 'x'", "base"),
        ("name = 'x'\nbase = 'german'\nrules = 'bounce'", "list"),
        ("name = 'x'\nbase = 'german'\nrules = [1]", "list"),
        ("name = 'x'\nbase = 'german'\ncolour = 'pink'", "colour"),
        (f"name = 'x'\nbase = 'german'\nrules = {['bounce'] * 10_000}", "10000"),
        ("name = ", "TOML"),
        ("name = 'x'\nbase = 'german'\nrules = ['pieces=9']", "pieces"),
    ],
)
def test_a_bad_file_is_refused_with_a_sentence(text: str, word: str) -> None:
    with pytest.raises(BadInput) as error:
        from_toml(text)
    says(error, word)


def test_a_line_that_is_none_is_refused() -> None:
    for text in ("", "german", "x: uckers+bounce", "x" * 9000, "x: german+bounce+bounce"):
        with pytest.raises(BadInput):
            from_line(text)


def test_a_trial_says_how_long_a_game_takes() -> None:
    done = trial(game("german", ["pieces=2"], ["yellow", "red"]), 20, random.Random(1).random)
    assert done.ended == done.games == 20
    assert done.minutes() == pytest.approx(done.rolls / 5)
    assert done.minutes(6.0) == pytest.approx(done.minutes() / 2)


def test_a_game_that_never_ends_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.rules.family.MOST_ROLLS", 10)
    assert trial(game("german"), 3, random.Random(1).random).ended == 0


def test_switches_do_not_change_the_sheet_itself() -> None:
    before = SHEETS["british"]
    game("british", ["bounce"])
    assert SHEETS["british"] is before
    assert replace(before) == before
    assert isinstance(house_rules("x", "british", []), HouseRules)
    assert refused("british | red R.6 | green 50", 5, "R.6>R.5").keys() == {"B2"}


def test_a_verdict_of_a_house_game_names_the_family_rule() -> None:
    here = position("british+bounce red,green | red 10 20 30 40 | green 50 51 52 60 | turn red")
    verdict = judge(here, 4, attempt_of(here.game, here.game.move("red 4 10>15")))
    assert isinstance(verdict, Refused)
    assert verdict.refusals[0].clause == "H5"


def test_h11_a_bonus_on_the_dutch_sheet_is_counted_like_a_number() -> None:
    here = position(
        "dutch+plain_die+twenty_for_a_capture red,blue | red R.B R.B R.B 3 | "
        "blue B.B B.B B.B B.B | turn red owed 20"
    )
    assert [str(move) for move in legal_moves(here, 20)] == ["red +20 3>23"]


def test_h10_a_piece_that_was_sent_back_at_once_is_not_the_one_that_moved_last() -> None:
    here = position(
        "dutch+third_six_back red,blue | red R.B R.B R.B R.B | blue B.B B.B 1 1 | turn red"
    )
    globe = 5
    for _ in range(2):
        (move,) = legal_moves(here, globe)
        here = play(here, move)
        assert here.moved == NOBODY
    (last,) = legal_moves(here, globe)
    assert isinstance(last, Pass)
    assert play(here, last).colour == "blue"


def test_a_contradiction_is_named_before_a_number_of_players() -> None:
    """Seating one more would not help: the rules still go against each other."""
    with pytest.raises(BadInput, match="third_six_back"):
        game("german", ["neutral_colour", "two_colours_each", "third_six_back"], ["yellow", "red"])

"""The fast form is the rules: the same moves, positions, ends and ranks; every clause counts."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from companion.odds.forms import NoFastFormError, tables
from companion.odds.kernel import FastGame, library
from companion.odds.playouts import PlayOuts, ranks_twice
from companion.rules import SHEETS, Game, game, recall_game
from companion.rules.articles import Article, Reckoning
from companion.rules.boardgame import BoardGame
from companion.rules.boards import BASE
from companion.rules.cards import CardGame
from companion.rules.clauses import SquaresFor
from companion.rules.house import SWITCHES
from companion.rules.levels import LEVELS
from companion.rules.moves import Move
from companion.rules.verdicts import Evidence
from tests.odds.walking import compare, random_game, walk

POSITIONS, GAMES_EACH = 20_000, 3


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_fast_form_is_the_rules(sheet: str) -> None:
    """Random options and house rules, random seats; the plain sheet comes first."""
    random = Random(f"test {sheet}")
    for number in range(GAMES_EACH):
        table = random_game(sheet, random) if number else game(sheet)
        assert compare(table, -(-POSITIONS // GAMES_EACH), Random(f"{sheet} {number}")) is None


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_play_out_is_the_same_game_in_both(sheet: str) -> None:
    """Same seed, same answer, whoever plays at which seat, with the fast part or without."""
    random = Random(sheet)
    for number in range(1, 3):
        table = random_game(sheet, random)
        levels = {seat: random.choice(LEVELS) for seat in table.order}
        here, face = next(pair for n, pair in enumerate(walk(table, random)) if n > 60 * number)
        fast, slow = PlayOuts(table), PlayOuts(table, fast=False)
        assert not fast.why_slow
        assert fast.run(here, levels, 7, 2, face) == slow.run(here, levels, 7, 2, face)


def test_ranks_are_those_of_the_rules() -> None:
    table = game("german", (), ["yellow", "red", "black"])
    end = table.position(
        "yellow Y.a Y.b Y.c Y.d | red R.a R.b R.c R.d | black 31 K.B K.B K.B | "
        "turn - home red yellow"
    )
    assert ranks_twice(end) == (4, 2, 6)
    assert FastGame(table, library()).twice_ranks(end) == (4, 2, 6)


# -- a change to each clause ------------------------------------------------------------------

GAMES = (
    "german yellow,red",
    "german+capture_backwards+no_jumping_in_finish yellow,red",
    "german+barriers yellow,red",
    "german+compulsory_capture+three_rolls yellow,red",
    "german+neutral_colour yellow,green,red",
    "german+three_tries+capture_rolls+home_rolls+one_or_six yellow,red",
    "british+bounce+ten_for_home+twenty_for_a_capture red,yellow",
    "british red,yellow",
    "dutch red,yellow",
    "dutch+plain_die+barriers red,yellow",
    "pairs red,yellow",
    "indian red,yellow",
    "parchis red,yellow",
    "cards red,yellow",
)
SEVERAL = ("counts", "forbids", "compels", "captures", "captures_entering", "after")
SINGLE = ("may_pass", "turn_rolls", "earns_roll", "earns_squares", "reckons", "settles")


def clauses_of(article: Article) -> Iterator[tuple[str, Any]]:
    """Every clause of an article that changes a game, with the field it stands in."""
    for field in SEVERAL:
        for clause in getattr(article, field):
            yield field, clause
    for field in SINGLE:
        if getattr(article, field) is not None:
            yield field, getattr(article, field)


def held(table: Game) -> tuple[Article, ...]:
    return tuple(table.held) if isinstance(table, BoardGame) else table.articles


CASES = [
    pytest.param(text, article.id, field, clause, id=f"{text.split()[0]}-{article.id}-{field}-{n}")
    for text in GAMES
    for article in held(recall_game(text))
    for n, (field, clause) in enumerate(clauses_of(article))
]


def changed(field: str, clause: Any) -> Any:
    """The same clause with a fault in it, such as a slip of the pen makes."""
    if field == "reckons":
        return replace(clause, when=lambda own: own.count(BASE) < 2)
    if field == "earns_squares":
        return SquaresFor(lambda *asked: False, clause.squares)
    if field in ("may_pass", "earns_roll"):
        return lambda *asked: False
    if field == "turn_rolls":
        return lambda *asked: max(1, clause(*asked) - 1)
    if field == "settles":
        return lambda position, home: home
    if field in ("forbids", "compels"):
        return lambda *asked: list(clause(*asked))[:-1]
    return lambda *asked: ()  # what follows a move


def with_clause(table: Game, clause: str, field: str, old: Any, new: Any) -> Game:
    """The same game, with another clause in one article."""
    articles = tuple(
        _exchanged(one, field, old, new) if one.id == clause else one for one in held(table)
    )
    plain = [replace(a, option=None, amends=(), replaces=()) for a in articles]
    sheet = replace(table.sheet, articles=tuple(plain))
    seats = tuple(table.colours[seat] for seat in table.seats)
    if isinstance(table, CardGame):
        return CardGame(sheet, table.options, seats)
    assert isinstance(table, BoardGame)
    players = table.players if table.first_wins else None
    return type(table)(sheet, table.options, seats, table.numbers, table.neutral, players)


def _exchanged(article: Article, field: str, old: Any, new: Any) -> Article:
    given = getattr(article, field)
    value: Any = tuple(new if one == old else one for one in given) if field in SEVERAL else new
    exchanged: dict[str, Any] = {field: value}
    return replace(article, **exchanged)


def _function(field: str, clause: Any) -> Any:
    """The function of a clause that forms.py knows."""
    if isinstance(clause, Reckoning):
        return clause.when
    return clause.earned if field == "earns_squares" else clause


@pytest.mark.parametrize(
    ("text", "article", "field", "clause"),
    [case for case in CASES if case.values[2] != "counts" and not str(case.id).startswith("cards")],
)
def test_a_change_to_a_clause_is_noticed(text: str, article: str, field: str, clause: Any) -> None:
    """The fast form stays as it is, the clause beside it is changed: the comparison fails."""
    table = recall_game(text)
    other = with_clause(table, article, field, clause, changed(field, clause))
    assert compare(other, 60_000, Random(article), fast_form(text)) is not None


@cache
def fast_form(text: str) -> FastGame:
    return FastGame(recall_game(text), library())


@pytest.mark.parametrize("text", [text for text in GAMES if not text.startswith("cards")])
def test_a_change_to_a_counting_clause_is_followed(text: str) -> None:
    """Each clause forgets another step of one square; the tables that are asked of them miss it."""
    table = recall_game(text)
    clauses = [case.values for case in CASES if case.values[0] == text]
    counting = [(article, clause) for _, article, field, clause in clauses if field == "counts"]
    other = table
    for number, (article, clause) in enumerate(counting):
        other = with_clause(other, str(article), "counts", clause, forgetting(clause, 10 + number))
    steps = tables(other).steps[table.seats[0]][0][0]
    before = fast_form(text).tables.steps[table.seats[0]][0][0]
    for number in range(len(counting)):
        origin = 10 + number
        assert origin + 1 in list(before[origin + 1])[1:]
        assert origin + 1 not in list(steps[origin + 1])[1:]
    assert compare(other, 200, Random(1)) is None


def forgetting(clause: Any, origin: int) -> Callable[..., Evidence | None]:
    """The same clause, which also objects to one square from here."""

    def forgets(table: Any, move: Move) -> Evidence | None:
        step = move.face, move.origin, move.target
        return Evidence("wrong_count") if step == (1, origin, origin + 1) else clause(table, move)

    return forgets


def test_a_change_to_a_clause_of_the_card_game_is_followed() -> None:
    text = "cards red,yellow"
    clauses = [case.values for case in CASES if case.values[0] == text]
    unchanged = bytes(fast_form(text).tables)
    assert len(clauses) == 4
    for _, article, field, clause in clauses:
        other = with_clause(
            recall_game(text), str(article), str(field), clause, changed(str(field), clause)
        )
        try:
            fast = FastGame(other, library())
        except NoFastFormError:
            continue  # stacks of seven cards: only the rules can play that
        assert bytes(fast.tables) != unchanged
        assert compare(other, 200, Random(1), fast) is None


def test_a_clause_without_a_form_is_played_by_the_rules() -> None:
    table = recall_game("british+pieces=2 red,yellow")
    old = dict(clauses_of(table.sheet.article("B7")))["forbids"]
    other = with_clause(table, "B7", "forbids", old, lambda *asked: ())
    played = PlayOuts(other)
    assert "has no fast form" in played.why_slow
    assert played.run(other.start(), "butterfly", 1, 1).games == 6


def test_every_clause_that_can_be_switched_on_is_tried() -> None:
    tried = {(case.values[2], _function(str(case.values[2]), case.values[3])) for case in CASES}
    names = {(field, getattr(one, "__qualname__", type(one).__name__)) for field, one in tried}
    everything = [article for sheet in SHEETS.values() for article in sheet.articles]
    everything += [switch.article for switch in SWITCHES.values()]
    everything += [amended for article in everything for amended in article.amends]
    missing = {
        (field, getattr(function, "__qualname__", type(function).__name__))
        for article in everything
        for field, clause in clauses_of(article)
        for function in [_function(field, clause)]
    } - names
    assert missing == set()

"""Simulated people at the card game: their stacks, what they do wrong, and how it ends."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from companion.rules import Refused, legal_moves, play, position
from tests.people.card_wrongs import clauses, verdict, wrongs
from tests.people.cards import CardEvening
from tests.people.figures import NEVER, Figures
from tests.people.mat import Mat, cards_in
from tests.people.plans import all_rates
from tests.people.sitting import any_game

CARDS = "cards red,green | red 1 1 1 0 | green 0 2 0 0 | turn red"


def test_a_beaten_stack_may_lie_there_for_a_while() -> None:
    here, mat = position(CARDS), Mat()
    mat.set_up(here)
    for card in ("R.2", "R.3"):
        mat.lay(card)
    after = play(here, here.game.move("red 5 add 2 3"))
    assert mat.extra(after) == Counter({"G.2": 2})
    mat.beaten.add("G.2")
    assert mat.is_like(after)
    mat.lay("G.2")
    assert mat.heights["G.2"] == 1, "the beaten cards are taken away first"


def test_every_illegal_act_has_a_clause_of_judge() -> None:
    rng, kinds = Random("cards"), Counter[str]()
    for number in range(400):
        here = any_game(rng, "cards").start()
        for _ in range(rng.randint(20, 120)):
            if not here.over:
                here = play(here, rng.choice(legal_moves(here, rng.randint(1, 6))))
        face = rng.randint(1, 6) if number % 2 else None
        wrong = None if here.over else wrongs(here, face, rng)
        if wrong is not None:
            kinds[wrong.kind] += 1
            if wrong.legal_first is None and not wrong.rolls:
                assert isinstance(verdict(here, face, wrong.cards), Refused)
                assert clauses([(here, face, wrong.cards)])
    assert len(kinds) == 8, kinds


@pytest.mark.parametrize("sensing", ["touch", "choose"])
def test_every_stack_ends_as_high_as_the_game_has_it(sensing: str) -> None:
    figures = Figures()
    often = {"cable": 0.05, "power": 0.05, "cut_in_wrong": 0.2, "take_back": 0.05}
    rates = {**all_rates()["clumsy"], **often}
    for seed in range(4):
        evening = CardEvening(f"cards {seed}", rates, figures, sensing, sheet="cards")
        evening.play()
        assert evening.truth.over
    assert figures.count["honest"] > 200
    assert all(figures.count[name] for name in ("remedies", "halves", "cuts"))
    assert not any(figures.count[name] for name in NEVER), figures.kinds
    assert figures.count["undeserved"] == 0, figures.kinds
    assert figures.count["flagged"] == figures.count["visible"] > 10


def test_a_box_that_has_a_card_too_many_taken_off_is_told_on() -> None:
    evening = CardEvening("too many", all_rates()["clumsy"], Figures(), "touch", sheet="cards")
    room, evening.truth = evening.room, position(CARDS)
    room.stand(evening.truth)
    room.roll(5, 0.5)
    evening.table.lay("G.2")
    evening.press("G.2")
    room.view = replace(room.view, remedy=(*room.view.remedy, *room.view.remedy))
    assert [step.origin for step in evening.steps()] == ["G.2", "G.2"]
    assert evening.cope([evening.truth], evening.plan) is None
    assert evening.table.lying() != cards_in(evening.truth)
    assert evening.figures.count["wrong_remedy"] == 1

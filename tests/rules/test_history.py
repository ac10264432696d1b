"""The history of a game: typed entries, the same in the match, in journals, on the page."""

import json
from collections.abc import Callable
from datetime import date
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from companion.referee import Match
from companion.rules import BadInput, Refusal, game, outcome
from companion.rules.history import (
    End,
    Entry,
    History,
    Roll,
    Ruling,
    TakeBack,
    Unroll,
    entry,
    is_whole,
    kept,
    refusals_in,
    refused,
    replay,
)
from companion.rules.records import deed_text, from_history, record

DAY = date(2026, 11, 17)
SHEETS = ("german", "dutch", "parchis", "pairs", "cards")


def played(sheet: str, turns: int = 60) -> Match:
    """A game with everything in it that a history can hold."""
    rng, match = Random(sheet), Match(game(sheet), {"red": "Bo"})
    for turn in range(turns):
        if match.face is None:
            match.roll(rng.randint(1, 6), turn, rng.choice(["die:d1ed1e", "hand", "unknown"]))
        if turn % 9 == 4 and match.position.due is None:
            match.unroll()
            match.roll(rng.randint(1, 6), turn)
        match.play(rng.choice(match.legal))
        if turn % 7 == 3:
            match.undo_move()
        if turn % 20 == 10:
            match.rule(match.position)
    match.end()
    return match


def again(match: Match) -> History:
    """The same game from what would be kept of it."""
    records = [match.started(), *(kept(match.game, deed.entry) for deed in match.deeds)]
    found = replay(records, lambda start: History(start.game, start.names))
    assert found is not None
    return found


@pytest.mark.parametrize("sheet", SHEETS)
def test_what_is_kept_is_the_history_again(sheet: str) -> None:
    match = played(sheet)
    found = again(match)
    assert found.deeds == match.deeds
    assert (found.past, found.position, found.face) == (match.past, match.position, match.face)
    assert (found.names, found.ended) == ({"red": "Bo"}, True)


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_deed_knows_what_came_of_it(sheet: str) -> None:
    for deed in played(sheet).deeds:
        if deed.move is not None:
            assert (deed.after, deed.happenings) == outcome(deed.position, deed.move)
            assert deed.move.face == deed.face


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_text_of_a_history_reads_back(sheet: str) -> None:
    match = played(sheet)
    told = from_history(match, DAY)
    text = str(told)
    assert record(text) == told
    assert record(text).position == match.position
    lines = [line for deed in match.deeds if (line := deed_text(deed)) is not None]
    assert text.endswith("\n".join(["", *lines, ""]))


def test_the_deeds_only_ever_grow() -> None:
    match = Match(game("german", colours=("yellow", "red")))
    acts: list[Callable[[], object]] = [
        lambda: match.roll(6),
        lambda: match.play(match.legal[0]),
        match.take_back,
        match.unroll,
        match.end,
    ]
    seen: list[list[Any]] = []
    for act in acts:
        act()
        seen.append(list(match.deeds))
    for before, after in pairwise(seen):
        assert after[: len(before)] == before
        assert len(after) == len(before) + 1
    assert match.past == []


@pytest.mark.parametrize(
    "told",
    [
        Roll(4, 17, "die:d1ed1e"),
        Roll(4, None, "hand"),
        Roll(4, None, "chosen"),
        Roll(1),
        Unroll(),
        TakeBack(),
        End(),
        Ruling(game("german").start()),
        game("german").move("yellow 6 Y.B>1"),
        game("german").move("red 2 -"),
    ],
    ids=lambda told: type(told).__name__,
)
def test_every_kind_of_entry_is_kept_and_read(told: Entry) -> None:
    table = game("german")
    assert entry(table, kept(table, told)) == told


@pytest.mark.parametrize("source", ["", "moon", 5, None, ["hand"]])
def test_a_source_that_is_not_known_here_is_unknown(source: object) -> None:
    told = {"kind": "roll", "face": 3, "number": 1, "source": source}
    assert entry(game("german"), told) == Roll(3, 1, "unknown")


@pytest.mark.parametrize(
    "damaged",
    [
        {"kind": "roll"},
        {"kind": "roll", "face": 7},
        {"kind": "roll", "face": "4"},
        {"kind": "move", "move": 4},
        {"kind": "ruling"},
    ],
)
def test_a_record_without_what_it_needs_is_refused_in_one_place(damaged: dict[str, Any]) -> None:
    assert not is_whole(damaged)
    with pytest.raises(BadInput):
        entry(game("german"), damaged)


def test_what_is_not_of_a_game_is_no_entry() -> None:
    for kind in ("settings", "aside", "something of a later version"):
        assert entry(game("german"), {"kind": kind}) is None


def test_an_entry_that_does_not_fit_is_refused() -> None:
    history = History(game("german", colours=("yellow", "red")))
    with pytest.raises(BadInput, match="nothing to take back"):
        history.add(TakeBack())
    with pytest.raises(BadInput, match="not legal"):
        history.add(history.game.move("yellow 4 1>5"))
    assert history.deeds == []


def test_what_was_refused_reads_back_and_changes_nothing() -> None:
    told = (Refusal("O8", "wrong_count", ("12", "17"), 5), Refusal("G5", "must_enter"))
    kept = json.loads(json.dumps(refused(told, 4)))
    assert refusals_in(kept) == told
    start = {"kind": "start", "game": "german yellow,red"}
    history = replay([start, kept], lambda one: History(one.game, one.names))
    assert history is not None
    assert history.deeds == []


@pytest.mark.parametrize(
    "damage",
    [{}, {"refusals": "x"}, {"refusals": [["O8"]]}, {"refusals": [["O8", "slip", "12", None]]}],
)
def test_of_what_was_refused_damage_leaves_nothing(damage: dict[str, Any]) -> None:
    assert refusals_in({"kind": "refused", "face": 4, **damage}) == ()

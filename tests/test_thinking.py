"""Thinking goes on in a process of its own: it answers, dies and comes again, and says so."""

import asyncio
from typing import Any

import pytest

from companion.odds.asking import answer
from companion.rules import game, legal_moves, position
from companion.thinking import Thinker, ThinkingError

HERE = "german yellow,red | yellow Y.B 5 20 Y.d | red R.B R.B 8 22 | turn yellow"


def asked(**question: Any) -> dict[str, Any]:
    return answer({"position": HERE, **question})


def test_chances_come_with_their_position_and_errors() -> None:
    told = asked(ask="chances", games=600)
    assert told["position"] == HERE
    assert sum(value for value, _ in told["win"].values()) == pytest.approx(1, abs=1e-4)
    assert all(0 < error < 0.05 for _, error in told["win"].values())
    after = asked(ask="chances", games=600, face=3)
    assert after["face"] == 3
    assert after["win"]["yellow"][0] > told["win"]["yellow"][0]


def test_a_move_and_a_hint_are_legal_moves_as_text() -> None:
    table = position(HERE).game
    for level in ("butterfly", "fox"):
        told = asked(ask="move", face=3, level=level)
        assert table.move(told["move"]) in legal_moves(position(HERE), 3)
    assert asked(ask="hint", face=3)["move"] == "yellow 3 5>8"


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ({"ask": "wisdom"}, "cannot ask for 'wisdom'"),
        ({"ask": "move", "face": 3, "level": "lion"}, "there is no player 'lion'"),
        ({"ask": "move", "face": 3}, "asked of a level"),
        ({"ask": "move", "level": "fox"}, "a roll is a number"),
        ({"ask": "hint", "face": 9}, "9 cannot be played there"),
        ({"ask": "hint", "face": 0}, "no face 0"),
        ({"ask": "chances", "games": 10**9}, "are the most"),
        ({"ask": "chances", "games": "many"}, "games is a number"),
        ({"ask": "chances", "position": "nonsense"}, "nonsense"),
        ({"ask": "chances", "position": None}, "needs a position"),
        ({"ask": "luck"}, "needs a record"),
        ({"ask": "luck", "record": "nonsense"}, "a record begins with"),
    ],
)
def test_what_cannot_be_meant_is_a_sentence(question: dict[str, Any], word: str) -> None:
    assert word in answer({"position": HERE, **question})["error"]


def test_another_process_answers_the_same() -> None:
    async def ask() -> None:
        thinker = Thinker()
        try:
            question = {"ask": "chances", "position": HERE, "games": 60}
            assert await thinker.ask(question) == answer(question)
            with pytest.raises(ThinkingError, match="there is no player 'lion'"):
                await thinker.ask({"ask": "move", "position": HERE, "face": 3, "level": "lion"})
            assert await thinker.ask(question) == answer(question)
        finally:
            await thinker.close()

    asyncio.run(ask())


def test_a_process_that_dies_is_told_and_another_is_started() -> None:
    async def ask() -> None:
        thinker = Thinker()
        question = {"ask": "move", "position": HERE, "face": 3, "level": "hare"}
        try:
            first = await thinker.ask(question)
            assert thinker._process is not None
            thinker._process.kill()
            with pytest.raises(ThinkingError, match="has ended"):
                await thinker.ask(question)
            assert await thinker.ask(question) == first
        finally:
            await thinker.close()

    asyncio.run(ask())


def test_who_no_longer_waits_does_not_leave_an_answer_for_the_next() -> None:
    async def ask() -> None:
        thinker = Thinker()
        start = str(game("german").start())
        long = {"ask": "chances", "position": start, "games": 100_000}
        try:
            await thinker.ask({"ask": "move", "position": HERE, "face": 3, "level": "fox"})
            waiting = asyncio.create_task(thinker.ask(long))
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.wait([waiting])
            told = await thinker.ask({"ask": "chances", "position": HERE, "games": 60})
            assert told["position"] == HERE
        finally:
            await thinker.close()

    asyncio.run(ask())


def test_a_program_that_cannot_be_started_is_a_sentence() -> None:
    async def ask() -> None:
        with pytest.raises(ThinkingError, match="has ended"):
            await Thinker(("/nonexistent/python",)).ask({"ask": "chances"})

    asyncio.run(ask())

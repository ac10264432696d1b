"""Trying out house rules in a process of its own: it passes, never ends, or is ended."""

import asyncio
import sys

import pytest

from companion.trying import Progress, TrialError, Tryout
from tests.patience import PATIENCE

LINE = "x: german+pieces=2"


def saying(code: str) -> tuple[str, ...]:
    """A process that says something else."""
    return (sys.executable, "-u", "-c", code)


def test_games_that_end_pass_and_say_how_long_they_are() -> None:
    found = asyncio.run(Tryout(games=25).run(LINE))
    assert found.passed
    assert found.games == found.of == found.ended == 25
    assert 20 < found.rolls <= found.longest


def test_a_game_that_does_not_end_does_not_pass() -> None:
    said = saying("print('[7, 1000, 6, 900.0, 20000]')")
    found = asyncio.run(Tryout(said).run(LINE))
    assert not found.passed
    assert found == Progress(7, 1000, 6, 900.0, 20000)


def test_rules_that_cannot_be_played_are_said_and_not_passed() -> None:
    with pytest.raises(TrialError):
        asyncio.run(Tryout().run("x: uckers"))


@pytest.mark.parametrize("said", ["print('nonsense')", "raise SystemExit(1)", ""])
def test_a_process_that_dies_or_talks_nonsense_is_no_pass(said: str) -> None:
    with pytest.raises(TrialError):
        asyncio.run(Tryout(saying(said)).run(LINE))


def test_whoever_begins_to_play_ends_it() -> None:
    async def run() -> None:
        said = saying("print('[20, 1000, 20, 9.0, 9]'); import time; time.sleep(600)")
        tryout = Tryout(said)
        trying = asyncio.create_task(tryout.run(LINE))
        while not tryout.progress.games:
            await asyncio.sleep(0)
        tryout.end()
        with pytest.raises(TrialError, match="ended"):
            await trying
        assert tryout.running == ""

    asyncio.run(asyncio.wait_for(run(), PATIENCE))

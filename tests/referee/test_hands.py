"""Clumsy hands on every board: nothing legal is refused, nothing wrong is accepted."""

from pathlib import Path

import pytest

from companion.referee import Referee
from tests.evening import BOARD_SHEETS, Evening, save_trace
from tests.people.evening import Evening as People
from tests.people.figures import NEVER, Figures
from tests.people.plans import all_rates
from tests.people.recording import recorded, with_ticks
from tests.people.sitting import BOARD_SHEETS as PEOPLE_PLAY
from tests.scripts import script

MOVES = 2600
"""Legal moves per case: eight cases make more than 20,000 in all."""


def play_evenings(sheet: str, sensing: str, moves: int, traces: Path) -> int:
    """Play games until so many moves are made; a fault is written down as a script."""
    made = seed = 0
    while made < moves:
        evening = Evening(seed, sheet, sensing)
        counts = evening.play(most_moves=moves - made)
        if counts.faults:
            trace = traces / f"{sheet}-{sensing}-{seed}.txt"
            save_trace(trace, evening)
            pytest.fail(f"{counts.faults[0]}\n(trace: {trace})")
        made, seed = made + counts.moves, seed + 1
    return made


@pytest.mark.parametrize("sensing", ["presence", "touch"])
@pytest.mark.parametrize("sheet", BOARD_SHEETS)
def test_clumsy_hands_are_understood(sheet: str, sensing: str, tmp_path: Path) -> None:
    assert play_evenings(sheet, sensing, MOVES, tmp_path) >= MOVES


UNDESERVED = {"careful": 0, "ordinary": 2}
"""STOPs that nobody deserved, in two games; `make soak` holds that it is under one a game."""


@pytest.mark.parametrize("kind", ["careful", "ordinary"])
@pytest.mark.parametrize("sheet", PEOPLE_PLAY)
def test_people_are_understood_and_what_is_wrong_is_flagged(sheet: str, kind: str) -> None:
    """Whole evenings with all their odd and illegal acts; remedies are followed literally."""
    figures = Figures()
    for seed in range(2):
        evening = People(f"kitchen {sheet} {seed}", all_rates()[kind], figures, sheet=sheet)
        evening.play(most=400)
    assert figures.count["honest"] > 60
    assert figures.count["crashes"] == figures.count["hanging"] == figures.count["mistaken"] == 0
    assert not any(figures.count[name] for name in NEVER), figures.kinds
    assert figures.count["undeserved"] <= UNDESERVED[kind], figures.kinds


def test_a_trace_of_an_evening_replays(tmp_path: Path) -> None:
    evening = Evening(1, "german", "presence")
    evening.play(most_moves=60)
    save_trace(tmp_path / "evening.txt", evening)
    replayed = script(tmp_path / "evening.txt")
    assert replayed.view.position == evening.view.position
    assert replayed.view.phase == evening.view.phase


def test_the_same_events_give_the_same_effects() -> None:
    events = recorded("the same", "pairs", 80)
    outputs = []
    for _ in range(2):
        again = Referee()
        told = [again.feed(event, at) for at, event in with_ticks(again, events)]
        outputs.append(repr(told))
    assert len(events) > 300
    assert outputs[0] == outputs[1]

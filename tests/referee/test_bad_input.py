"""Nonsense from the table is reported; it never raises and never changes the game."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.events import (
    Command,
    Found,
    Fumbled,
    Lost,
    Pressed,
    Reading,
    Rolled,
    Rolling,
    Snapshot,
    Tick,
)
from companion.referee import Referee, Report
from companion.rules import BOARDS
from tests.scripts import Script

STAND = """
position german yellow,red | yellow Y.B Y.B 5 15 | red R.B R.B R.B 25 | turn yellow
set
wait 1
"""

NONSENSE = [
    Reading("99", True),
    Reading("", False),
    Snapshot(frozenset({"1", "elephant"})),
    Rolled(7, 0),
    Rolled(8, 7),
    Rolled(9, True),
    Pressed("left"),  # type: ignore[arg-type]
    Command("fly"),
    Command("new_game", {"sheet": "chess"}),
    Command("new_game", {"sheet": "german", "seats": ["yellow"]}),
    Command("new_game", {"colour": "red"}),
    Command("set", {"name": "volume", "value": 11}),
    Command("new_game", {"sheet": "german", "options": "all"}),
    Command("new_game", {"sheet": "german", "names": "ab"}),
    Command("move", {"move": "yellow 4 5>banana"}),
    Command("move", {"move": 5}),
    Command("roll", {"face": 3.0}),
    Command("set", {"name": ["volume"], "value": 1}),
    Command("new_game", {"sheet": ["german"]}),
    Command("new_game", {"sheet": "german", "seats": "yellow"}),
    Command("new_game", {"sheet": "german", "seats": [["yellow"], "red"]}),
    Command("new_game", {"sheet": "german", "names": {"yellow": 5}}),
    Command("new_game", {"sheet": "german", "options": {"barriers": []}}),
    Command("set_aside", {"place": 4}),
    Command("roll", {"face": 3, "by": ["yellow"]}),
    Command("set", ["volume"]),  # type: ignore[arg-type]
    Command(["set"]),  # type: ignore[arg-type]
    Reading(["1"], True),  # type: ignore[arg-type]
    Snapshot(None),  # type: ignore[arg-type]
    Snapshot(frozenset({"1"}), (("1",),)),  # type: ignore[arg-type]
    Snapshot(frozenset({"1"}), (("elephant", "red"),)),
    Snapshot(frozenset({"1"}), None),  # type: ignore[arg-type]
    Lost(["board"]),  # type: ignore[arg-type]
    "not an event",
]


@pytest.mark.parametrize("event", NONSENSE, ids=lambda event: type(event).__name__)
def test_nonsense_is_reported_and_changes_nothing(event: Any) -> None:
    script = Script().run(STAND + "roll 4\n")
    before = script.view.position, script.view.face
    effects = script.referee.feed(event, script.now + 1)
    assert (script.view.position, script.view.face) == before
    assert any(isinstance(effect, Report) for effect in effects) or script.view.notice


MOVED_TWICE = STAND + "roll 4\nlift 5\nput 9\nwait 1\nlift 25\nput 30\nwait 1\n"
TOO_SOON = "new german yellow,red\nset\nwait 1\nlift 1\nput 9\nwait 1\n"


@pytest.mark.parametrize("stand", [MOVED_TWICE, TOO_SOON], ids=["after a move", "at the start"])
def test_a_move_named_without_a_roll_is_not_made(stand: str) -> None:
    script = Script().run(stand + "expect phase illegal\n")
    before = script.view.position, script.view.face
    script.referee.feed(Command("move", {"move": "red 5 25>30"}), script.now + 1)
    assert (script.view.position, script.view.face) == before


def test_back_outside_a_menu_leaves_the_game_alone() -> None:
    Script().run(STAND + "roll 4\ndo back\nexpect phase move\nexpect face 4")


def test_time_going_backwards_is_reported_and_the_later_time_counts() -> None:
    script = Script().run(STAND)
    effects = script.referee.feed(Tick(), script.now - 5)
    assert "time went back" in next(e.text for e in effects if isinstance(e, Report))
    script.run("roll 4\nlift 5\nput 9\nwait 1\nexpect phase roll")


def test_duplicate_readings_change_nothing() -> None:
    script = Script().run(STAND + "roll 4\nlift 5\nlift 5\nput 9\nput 9\nwait 1\n")
    script.run("expect phase roll\nexpect pieces yellow Y.B Y.B 9 15")


PLACES = [place.name for place in BOARDS["40"].places]

events = st.one_of(
    st.builds(Reading, st.sampled_from(PLACES), st.booleans()),
    st.builds(Snapshot, st.frozensets(st.sampled_from(PLACES), max_size=20)),
    st.lists(
        st.tuples(st.sampled_from(PLACES), st.sampled_from(["yellow", "red"])), max_size=8
    ).map(lambda told: Snapshot(frozenset(place for place, _ in told), tuple(told))),
    st.just(Rolling()),
    st.builds(Rolled, st.integers(1, 99), st.integers(0, 7)),
    st.just(Fumbled()),
    st.builds(Pressed, st.sampled_from(["up", "down", "ok"]), st.booleans()),
    st.builds(Lost, st.sampled_from(["board", "die", "buttons"])),
    st.builds(Found, st.sampled_from(["board", "die", "buttons"])),
    st.sampled_from(
        [
            Command(name)
            for name in (
                "start",
                "take_back",
                "ruling",
                "pause",
                "resume",
                "end_game",
                "play_on",
                "back",
                "go_on",
                "menu",
            )
        ]
    ),
    st.just(Tick()),
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    st.sampled_from(["presence", "touch", "choose"]),
    st.lists(st.tuples(events, st.floats(0, 6)), max_size=80),
)
def test_any_events_in_any_order_never_raise(sensing: str, stream: list[tuple[Any, float]]) -> None:
    """And at every moment the position is one the rules allow."""
    referee = Referee(sensing=sensing, choice={"sheet": "german"})
    now = 0.0
    referee.feed(Command("start"), now)
    for event, delay in stream:
        end = now + delay
        for _ in range(20):
            deadline = referee.next_deadline()
            if deadline is None or deadline > end:
                break
            now = max(now, deadline)
            referee.feed(Tick(), now)
        now = end
        referee.feed(event, now)
        here = referee.view.position
        if here is not None and not here.over:
            here.game.check_turn(here)
            here.game.check(here)

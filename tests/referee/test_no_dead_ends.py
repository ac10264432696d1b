"""From every phase that can be reached, box buttons and pieces alone lead to a finished game."""

from collections import Counter

import pytest

from companion.events import Pressed, Rolled, Snapshot, Tick
from companion.referee import Referee
from tests.people.evening import Evening as People
from tests.people.figures import Figures
from tests.people.plans import all_rates
from tests.people.recording import Timed, recorded, with_ticks
from tests.scripts import Script


def buttons_to_the_end(referee: Referee, now: float) -> bool:
    """Use only the box: open the menu, go to `end_game` (or start and end a game)."""
    for _ in range(6):
        view = referee.view
        if view.phase == "over":
            return True
        if view.phase == "paused":
            referee.feed(Pressed("ok"), now := now + 1)
        if referee.view.phase != "menu":
            referee.feed(Pressed("ok", held=True), now := now + 1)
        for _ in range(30):
            view = referee.view
            if view.phase != "menu" or view.lines[view.cursor].key in ("end_game", "start"):
                break
            referee.feed(Pressed("down"), now := now + 1)
        referee.feed(Pressed("ok"), now := now + 1)
    return referee.view.phase == "over"


PHASES = """
idle:
menu: ok
setting: new german yellow,red
opening: new german yellow,red; set; wait 1
roll: STAND
move: STAND; roll 4
illegal: STAND; roll 4; lift 5; put 10; wait 1
unplayed: STAND; roll 4; roll 5
restore: STAND; roll 4; lift 5; put 9; wait 1; roll 2; do take_back
penalty: PENALTY; roll 3; lift 15; put 18; wait 1
ask: WON; roll 1; lift 40; put Y.a; wait 1
which: HIDDEN; roll 4; ok
paused: STAND; do pause
game menu: STAND; hold
no board: STAND; lose board; roll 4
no die: STAND; lose die
over: STAND; do end_game
"""
STANDS = {
    "STAND": "german yellow,red | yellow Y.B Y.B 5 15 | red R.B R.B R.B 25 | turn yellow",
    "PENALTY": "german+compulsory_capture yellow,red | yellow 5 15 Y.c Y.d "
    "| red 8 R.B R.B R.B | turn yellow",
    "WON": "german yellow,green,red | yellow 40 Y.b Y.c Y.d | green G.B G.B G.B 15 "
    "| red R.B R.B R.B 25 | turn yellow",
    "HIDDEN": "british red,yellow | red 10 10 14 14 | yellow 50 60 35 38 | turn red",
}


def at_phase(steps: str) -> Script:
    script = Script()
    for step in filter(None, (part.strip() for part in steps.split(";"))):
        stand = f"position {STANDS[step]}\nset\nwait 1" if step in STANDS else step
        script.run(stand)
    return script


@pytest.mark.parametrize("line", PHASES.strip().splitlines(), ids=lambda line: line.split(":")[0])
def test_the_box_alone_leads_out(line: str) -> None:
    script = at_phase(line.partition(":")[2])
    assert buttons_to_the_end(script.referee, script.now)


@pytest.mark.parametrize("sensing", ["presence", "touch"])
def test_the_box_leads_out_of_every_state_of_random_evenings(sensing: str) -> None:
    """Whatever phase an evening full of mistakes is in, the game can be ended from there."""
    seen: Counter[str] = Counter()
    for sheet in ("german", "pairs"):
        log = recorded(f"out of {sheet}", sheet, 60, sensing)
        for stop in (*range(30), *range(30, len(log), 23)):
            referee = replayed(sensing, log[: stop + 1])
            seen[referee.view.phase] += 1
            assert buttons_to_the_end(referee, log[stop][0]), referee.view.phase
    assert {"opening", "roll", "move", "illegal"} <= set(seen), seen


def replayed(sensing: str, events: list[Timed]) -> Referee:
    referee = Referee(sensing=sensing)
    for at, event in with_ticks(referee, events):
        referee.feed(event, at)
    return referee


@pytest.mark.parametrize("sensing", ["presence", "touch"])
def test_people_finish_a_game_after_any_mistake(sensing: str) -> None:
    """A whole game with everything that goes wrong at a table comes to its end."""
    figures = Figures()
    evening = People("no dead ends", all_rates()["clumsy"], figures, sensing, sheet="german")
    evening.play()
    assert evening.truth.over
    assert evening.room.view.phase == "over"
    assert figures.count["hanging"] == figures.count["crashes"] == 0


def test_a_board_that_never_settles_does_not_stop_the_game() -> None:
    """A sensor that changes for ever is set aside, and the game goes on."""
    script = at_phase("STAND")
    for number in range(40):
        script.run(f"{'put' if number % 2 == 0 else 'lift'} 30")
    script.run("roll 4\nexpect phase move\nlift 5\nput 9\nwait 1\nexpect phase roll")


def test_ticks_without_anything_to_wait_for_do_nothing() -> None:
    script = at_phase("STAND")
    assert script.referee.next_deadline() is None
    assert script.referee.feed(Tick(), script.now + 100) == []
    assert script.referee.feed(Snapshot(script.standing()), script.now + 101) == []
    assert [type(e).__name__ for e in script.referee.feed(Rolled(50, 4), script.now + 102)]

"""A journal cut off anywhere resumes: the same game, and a journal that goes on from there."""

import pytest

from companion.events import Command, RecordData, Snapshot
from companion.referee import Effect, Keep, Match, Referee, Report
from tests.evening import BOARD_SHEETS, Evening
from tests.scripts import Script


def records(effects: list[Effect]) -> list[RecordData]:
    return [effect.record for effect in effects if isinstance(effect, Keep)]


@pytest.mark.parametrize("sheet", BOARD_SHEETS)
def test_every_beginning_of_a_journal_resumes(sheet: str) -> None:
    evening = Evening(4, sheet, "presence")
    evening.play(most_moves=60)
    again = Referee()
    kept = [record for event, at in evening.trace for record in records(again.feed(event, at))]
    assert {"start", "roll", "move"} <= {record["kind"] for record in kept}
    for cut in range(1, len(kept) + 1):
        referee = Referee()
        told = kept[:cut] + records(referee.resume(kept[:cut], 0.0))
        match = Match.replay(told)
        assert match is not None
        assert (match.position, match.face) == (referee.view.position, referee.view.face)
        begun = any(record["kind"] == "roll" for record in kept[:cut])
        assert referee.view.phase in (
            ("opening", "roll", "move", "over") if begun else ("setting",)
        )
    assert referee.view.position == evening.match.position


START = {"kind": "start", "game": "german yellow,red"}
STAND = "german yellow,red | yellow Y.B Y.B 5 15 | red R.B R.B R.B R.d | turn yellow"


def resumed(*more: RecordData) -> Script:
    script = Script()
    script.effects = script.referee.resume([START, {"kind": "ruling", "position": STAND}, *more], 0)
    return script


def test_a_roll_that_could_only_pass_is_passed_and_kept() -> None:
    moved = {"kind": "move", "move": "yellow 4 5>9"}
    script = resumed({"kind": "roll", "face": 4}, moved, {"kind": "roll", "face": 2, "number": 8})
    script.run("expect kept move\nexpect phase roll\nexpect turn yellow\nexpect notice no_move")


def test_a_roll_resent_after_a_restart_is_not_a_second_roll() -> None:
    script = resumed({"kind": "roll", "face": 4, "number": 1})
    script.run("expect phase move\nroll 4\nexpect phase move\nexpect face 4")


def test_a_move_taken_back_is_asked_about_if_it_lies_there() -> None:
    """It may lie there still, or have been made once more while nobody watched."""
    moved = {"kind": "move", "move": "yellow 4 5>9"}
    script = resumed({"kind": "roll", "face": 4}, moved, {"kind": "take_back"})
    on = "9 15 Y.B1 Y.B2 R.B1 R.B2 R.B3 R.d"
    script.run(f"board {on}\nwait 1\nexpect phase ask\nexpect title have_moved\nexpect face 4")
    script.run("lift 9\nput 5\nwait 1\nexpect phase move\nexpect face 4")


def test_a_move_made_while_nobody_watched_is_taken() -> None:
    script = resumed({"kind": "roll", "face": 4})
    on = "9 15 Y.B1 Y.B2 R.B1 R.B2 R.B3 R.d"
    script.run(f"board {on}\nwait 1\nexpect phase roll\nexpect pieces yellow Y.B Y.B 9 15")


@pytest.mark.parametrize("sensing", ["touch", "choose"])
def test_a_penalty_that_nobody_sees_paid_is_asked_for_again(sensing: str) -> None:
    stand = "german+compulsory_capture yellow,red | yellow 5 15 Y.c Y.d | red 8 R.B R.B R.B"
    script = Script(sensing)
    script.effects = script.referee.resume(
        [
            {"kind": "start", "game": "german+compulsory_capture yellow,red"},
            {"kind": "ruling", "position": f"{stand} | turn yellow"},
            {"kind": "roll", "face": 3},
            {"kind": "move", "move": "yellow 3 15>18"},
        ],
        0,
    )
    script.run("expect phase penalty\nexpect remedy 5>Y.B\nok\nexpect phase roll\nexpect turn red")


def test_a_penalty_is_not_asked_for_when_the_game_has_ended() -> None:
    stand = "german+compulsory_capture yellow,red | yellow 5 15 Y.c Y.d | red 8 R.B R.B R.B"
    script = Script("touch")
    script.effects = script.referee.resume(
        [
            {"kind": "start", "game": "german+compulsory_capture yellow,red"},
            {"kind": "ruling", "position": f"{stand} | turn yellow"},
            {"kind": "roll", "face": 3},
            {"kind": "move", "move": "yellow 3 15>18"},
            {"kind": "end"},
        ],
        0,
    )
    script.run("expect phase over\nexpect remedy")


@pytest.mark.parametrize(
    ("wish", "phase"),
    [(Command("go_on"), "move"), (Command("move", {"move": "yellow 4 15>19"}), "roll")],
)
@pytest.mark.parametrize("sensing", ["touch", "choose"])
def test_a_page_goes_on_without_an_ok(sensing: str, wish: Command, phase: str) -> None:
    script = resumed({"kind": "roll", "face": 4}, {"kind": "move", "move": "yellow 4 5>9"})
    script.referee.feed(Command("sense_by", {"sensing": sensing}), script.now)
    script.run("do take_back\nexpect phase restore")
    script.feed(wish)
    script.run(f"expect phase {phase}")


@pytest.mark.parametrize("sensing", ["presence", "touch", "choose"])
def test_a_set_up_that_was_interrupted_goes_on(sensing: str) -> None:
    script = Script(sensing)
    script.effects = script.referee.resume([START], 0)
    script.run("expect phase setting")
    if sensing == "presence":
        script.run("board Y.B1 Y.B2 Y.B3\nwait 1\nexpect phase setting")
        script.run("set\nwait 1\nexpect phase opening")
    else:
        script.run("ok\nexpect phase opening")


def test_an_ended_game_stays_ended() -> None:
    resumed({"kind": "end"}).run("expect phase over")


def test_sensors_set_aside_stay_aside_until_they_are_used_again() -> None:
    aside = {"kind": "aside", "place": "17", "aside": True}
    resumed(aside).run("expect aside 17")
    script = resumed(aside, aside | {"aside": False})
    assert script.view.aside == ()


def test_settings_are_resumed() -> None:
    script = resumed({"kind": "settings", "volume": 0, "language": "nl"})
    assert (script.view.settings["volume"], script.view.settings["language"]) == (0, "nl")


def test_a_resumed_board_that_is_right_goes_on_at_once() -> None:
    script = resumed()
    script.referee.feed(Snapshot(script.standing()), 1.0)
    script.now = 1.0
    script.run("wait 1\nexpect phase roll\nroll 4\nexpect phase move")


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"kind": "start"},
        {"kind": "start", "game": "chess white,black"},
        {"kind": "start", "game": 7},
        {"kind": "roll", "face": "six"},
        {"kind": "move", "move": "yellow 6 12>18"},
        {"kind": "move"},
        {"kind": "ruling", "position": "german yellow,red | yellow 5"},
        {"kind": "ruling"},
    ],
    ids=str,
)
def test_a_damaged_journal_is_reported_and_nobody_plays(broken: RecordData) -> None:
    referee = Referee()
    effects = referee.resume([START, broken], 0.0)
    assert any(isinstance(e, Report) and "cannot be resumed" in e.text for e in effects)
    nobody = referee.view
    assert nobody.phase == "idle"
    referee.feed(Command("new_game", {"sheet": "german"}), 1.0)
    begun = referee.view
    assert begun.phase == "setting"


def test_a_game_that_cannot_be_resumed_takes_no_settings_with_it() -> None:
    referee = Referee()
    spoken = {"kind": "settings", "language": "de", "volume": 0}
    aside = {"kind": "aside", "place": "17", "aside": True}
    referee.resume([spoken, aside, START, {"kind": "move", "move": "yellow 6 12>18"}], 0.0)
    assert (referee.view.settings["language"], referee.view.settings["volume"]) == ("de", 0)
    assert referee.view.aside == ("17",)


def test_the_chosen_way_of_sensing_is_resumed() -> None:
    before = Referee()
    chosen = {"sheet": "german", "seats": ["yellow", "red"], "sensing": "touch"}
    kept = records(before.feed(Command("new_game", chosen), 0.0))
    again = Referee()
    again.resume(kept, 0.0)
    assert again.view.sensing == "touch"


def test_a_board_that_was_built_anew_is_sensed_as_it_is_built() -> None:
    before = Referee(sensing="presence")
    kept = records(before.feed(Command("new_game", {"sheet": "german", "sensing": "choose"}), 0.0))
    again = Referee(sensing="touch")
    again.resume(kept, 0.0)
    assert again.view.sensing == "touch"

"""Past games: how long they were played, and how they ended, whatever was set afterwards."""

from companion.archive import KeptGame, Timed

START = {"kind": "start", "game": "german yellow,red", "names": {}}
ROLL = {"kind": "roll", "face": 3, "number": 1}
SETTINGS = {"kind": "settings", "chances": True}
END = {"kind": "end"}


def test_what_is_set_after_the_last_act_makes_no_game_longer() -> None:
    assert KeptGame(1, [Timed(0, START), Timed(60, ROLL)]).seconds == 60
    later = [Timed(0, START), Timed(60, ROLL), Timed(90, END), Timed(300, SETTINGS)]
    assert KeptGame(1, later).seconds == 60


def test_what_is_set_during_a_game_is_no_break_in_it() -> None:
    kept = [Timed(0, START), Timed(200, SETTINGS), Timed(400, ROLL)]
    assert KeptGame(1, kept).seconds == 400


def test_a_game_that_was_ended_stays_so_whatever_is_set_later() -> None:
    assert KeptGame(1, [Timed(0, START), Timed(9, END), Timed(99, SETTINGS)]).state == "ended"
    assert KeptGame(1, [Timed(0, START), Timed(99, SETTINGS)]).state == "open"

"""Take back: the last move of a person goes, and with it what the box has answered."""

import pytest

from companion.events import Command
from companion.referee import Match, Referee
from companion.rules import Pass, game, legal_moves


def against_the_box() -> Match:
    """Yellow and red stand on their first squares; yellow begins, and the fox has red."""
    match = Match(game("german", colours=["yellow", "red"]), {"yellow": "Anna"})
    match.seat("red", "fox")
    for face in (6, 1):
        turn(match, face)
    return match


def turn(match: Match, face: int) -> None:
    """Roll and make the first move there is."""
    match.roll(face)
    match.play(legal_moves(match.position, face)[0])


def test_against_the_box_the_own_last_move_is_taken_back_with_the_answer() -> None:
    match = against_the_box()
    turn(match, 4)
    before = match.position
    turn(match, 3)  # the fox
    assert match.last_mover == "yellow"
    assert len(match.undo_move()) == 2
    assert (match.position.colour, match.face) == ("yellow", 4)
    assert before not in [deed.after for deed in match.past]


def test_where_only_the_box_has_moved_its_move_is_taken_back() -> None:
    match = Match(game("german", colours=["yellow", "red"]))
    match.seat("red", "fox")
    for face in (1, 6, 4):
        turn(match, face)
    assert match.last_mover == "red"
    match.undo_move()
    assert (match.position.colour, match.face) == ("red", 4)


def test_a_turn_in_which_nothing_moved_is_not_gone_back_beyond() -> None:
    """Else a move of long ago would go, and everything the box has done since."""
    match = against_the_box()
    turn(match, 4)
    turn(match, 3)
    stuck = "yellow Y.B Y.B Y.B Y.B | red R.B R.B R.B 24 | turn red"
    match.rule(match.game.position(stuck))
    for face in (5, 1, 1, 1):
        turn(match, face)
    assert isinstance(match.past[-1].move, Pass)
    turn(match, 5)
    assert match.last_mover == "red"
    match.undo_move()
    assert (match.position.colour, match.face) == ("red", 5)


def test_a_pass_in_the_same_turn_goes_with_the_move() -> None:
    match = against_the_box()
    stand = "yellow 34 Y.b Y.c Y.d | red R.B R.B R.B 24 | turn yellow"
    match.rule(match.game.position(stand))
    for face in (6, 3, 5):  # after the six yellow has no 3, and the fox has a 5
        turn(match, face)
    assert isinstance(match.past[-2].move, Pass)
    match.undo_move()
    assert (match.position.colour, match.face) == ("yellow", 6)


def test_what_people_let_stand_is_no_answer_of_the_box() -> None:
    match = against_the_box()
    turn(match, 4)
    match.rule(match.game.position("yellow Y.B Y.B Y.B 5 | red R.B R.B R.B 29 | turn yellow"))
    before = match.past[-2].after
    assert len(match.undo_move()) == 1
    assert match.position == before


def test_a_seat_that_the_box_has_taken_over_is_the_boxs() -> None:
    """Nobody wants all moves back that were made since somebody left."""
    match = against_the_box()
    for face in (4, 3):
        turn(match, face)
    match.seat("yellow", "cat")
    for face in (4, 3):
        turn(match, face)
    match.undo_move()
    assert (match.position.colour, match.face) == ("red", 3)


@pytest.mark.parametrize(("seat", "notice"), [("fox", "taken_back_both"), (None, "taken_back")])
def test_the_referee_says_what_was_taken_back(seat: str | None, notice: str) -> None:
    match = against_the_box()
    records = [match.started(), match.seat("red", seat)]
    for face in (6, 1, 4, 3):
        records += [{"kind": "roll", "face": face}]
    moves = ("yellow 6 -", "red 1 -", "yellow 4 1>5", "red 3 21>24")
    kept = [one for pair in zip(records[2:], moves, strict=True) for one in pair]
    told = [one if isinstance(one, dict) else {"kind": "move", "move": one} for one in kept]
    referee = Referee(sensing="choose")
    referee.resume([*records[:2], *told], 0.0)
    assert referee.view.takes_back == ("red" if seat is None else "yellow")
    referee.feed(Command("take_back"), 1.0)
    assert referee.view.notice is not None
    assert referee.view.notice.key == notice

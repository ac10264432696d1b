"""One six too many takes a piece back to its base: every screen says so, and by which clause."""

import pytest

from companion.defaults import DEFAULTS
from companion.referee import Line, View
from companion.rules import legal_moves, recall_position
from companion.screens.spoken import spoken
from companion.web.state import state_of
from tests.screens.looking import texts

PARCHIS = (
    "parchis | red 27 10 40 R.B | blue B.B B.B B.B B.B | yellow Y.B Y.B Y.B Y.B "
    "| green G.B G.B G.B G.B | turn red sixes 2 moved 27"
)
GERMAN = (
    "german+third_six_back | yellow 7 Y.B Y.B Y.B | green G.B G.B G.B G.B "
    "| red R.B R.B R.B R.B | black K.B K.B K.B K.B | turn yellow sixes 2 moved 7"
)


def third_six(text: str, language: str) -> View:
    """The third six lies there, and its one legal move is not made yet."""
    here = recall_position(text)
    moves = tuple(legal_moves(here, 6))
    lines = tuple(Line("move", move=move) for move in moves)
    settings = {**DEFAULTS, "language": language, "speech": True}
    return View("move", here, face=6, legal=moves, lines=lines, cursor=-1, settings=settings)


@pytest.mark.parametrize(
    ("language", "words", "why"),
    [
        ("en", "27 back to its base", "That was one six too many: the piece on square 27"),
        ("de", "Von 27 zurück ins Starthaus", "Das war eine Sechs zu viel: Die Figur auf Feld 27"),
        ("nl", "Van 27 terug naar de basis", "Dat was één zes te veel: de pion op veld 27"),
    ],
)
def test_a_third_six_says_which_piece_goes_back_and_by_which_rule(
    language: str, words: str, why: str
) -> None:
    view = third_six(PARCHIS, language)
    told = state_of(view, language)
    assert [move["words"] for move in told["legal"]] == [words]
    (reason,) = told["happenings"]
    assert reason["clause"] == "S6"
    assert reason["text"].startswith(why)
    assert why.partition(":")[0] in spoken(view)
    shown = texts(view)
    assert "§S6" in shown
    assert "27→" in shown


def test_the_same_by_a_house_rule() -> None:
    view = third_six(GERMAN, "en")
    told = state_of(view, "en")
    assert [move["words"] for move in told["legal"]] == ["7 back to its base"]
    assert [one["clause"] for one in told["happenings"]] == ["H10"]


def test_other_moves_go_home_as_before_and_have_no_such_reason() -> None:
    view = third_six(PARCHIS.replace(" sixes 2 moved 27", ""), "en")
    told = state_of(view, "en")
    assert told["happenings"] == []
    assert not any("base" in move["words"] for move in told["legal"])

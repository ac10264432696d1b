"""Where the pieces of a simulated table were left, beside its games."""

from pathlib import Path

import pytest

from companion.daemon.simulated import LEFT, _Astray, _leave, _take_left
from companion.journal import Journal
from companion.referee import View
from companion.rules import position
from companion.web.tabletop import AnyBoard, Tabletop

GAME = "german yellow,red | yellow Y.B Y.B Y.B {} | red R.B R.B R.B 21 | turn red"
HERE, LATER = (View(phase="roll", position=position(GAME.format(at))) for at in (5, 9))


@pytest.mark.parametrize("name", ["games.db", "games.left", "family.sqlite"])
def test_pieces_are_left_in_a_file_of_their_own_and_taken_once(tmp_path: Path, name: str) -> None:
    journal = Journal(tmp_path / name)
    _leave(journal, HERE, {"yellow4": "7"})
    assert (tmp_path / (name + LEFT)).exists()
    assert _take_left(journal, HERE) == {"yellow4": "7"}
    assert _take_left(journal, HERE) == {}
    journal.close()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"position": 1, "pieces": 2}', "[" * 9999])
def test_what_is_no_list_of_pieces_leaves_none(tmp_path: Path, text: str) -> None:
    journal = Journal(tmp_path / "games.db")
    (tmp_path / ("games.db" + LEFT)).write_text(text)
    assert _take_left(journal, HERE) == {}
    journal.close()


def test_pieces_that_were_left_before_the_game_went_on_are_not_taken(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "games.db")
    _leave(journal, HERE, {"yellow4": "7"})
    assert _take_left(journal, LATER) == {}
    journal.close()


def test_pieces_astray_are_written_down_at_once_and_no_longer_when_they_stand_right(
    tmp_path: Path,
) -> None:
    journal, table = Journal(tmp_path / "games.db"), Tabletop(AnyBoard())
    file = tmp_path / ("games.db" + LEFT)
    table.follow(HERE)
    astray = _Astray(journal, table)
    astray.follow(HERE)
    assert not file.exists()
    for place, written in (("9", True), ("5", False)):
        table.lift("yellow4")
        table.put("yellow4", place)
        astray.follow(HERE)
        assert file.exists() == written
    table.lift("yellow4")
    table.put("yellow4", "9")
    astray.follow(HERE)
    assert _take_left(journal, HERE)["yellow4"] == "9"
    journal.close()

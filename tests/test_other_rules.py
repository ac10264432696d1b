"""Games by rules that this box does not know: a sentence, and nothing is lost.

A record or a journal may come from a box with other sheets or switches, or from one of later days.
"""

import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.archive import called, reading
from companion.cli import main
from companion.journal import Journal
from companion.referee import Referee, Report
from companion.rules import BadInput
from companion.rules.records import record

RECORD = """Ludo game record 1
sheet: {sheet}
{options}date: 2026-11-17
yellow: Anna
red: Ben

yellow 5 -
"""
STRANGE = [
    ("uckers", "", "uckers"),
    ("german", "options: teleport\n", "teleport"),
    ("german", "options: pieces=9\n", "pieces"),
]


@pytest.mark.parametrize(("sheet", "options", "word"), STRANGE)
def test_a_record_is_refused_with_what_is_unknown(sheet: str, options: str, word: str) -> None:
    with pytest.raises(BadInput, match=word) as error:
        record(RECORD.format(sheet=sheet, options=options))
    assert "line" in str(error.value)


@pytest.mark.parametrize(("sheet", "options", "word"), STRANGE)
def test_a_command_says_it_in_one_sentence(
    tmp_path: Path, sheet: str, options: str, word: str
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(RECORD.format(sheet=sheet, options=options), encoding="utf-8")
    done = CliRunner().invoke(main, ["replay", str(file)])
    assert done.exit_code != 0
    assert word in done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize("game", ["uckers yellow,red", "german+teleport yellow,red"])
def test_a_kept_game_is_not_resumed_and_stays(tmp_path: Path, game: str) -> None:
    path = tmp_path / "games.db"
    journal = Journal(path)
    journal.keep([{"kind": "start", "game": game, "names": {}}], 1.0)
    referee = Referee()
    effects = referee.resume(list(journal.resumable()), 1.0)
    assert any(isinstance(one, Report) and "stays in the journal" in one.text for one in effects)
    assert referee.match is None
    journal.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM records").fetchone() == (1,)
    connection.close()
    with reading(path) as connection, pytest.raises(BadInput, match=game.split()[0][-6:]):
        _ = called(connection, 1).game

"""Journals and records of versions before and of this one: each reads what the other wrote.

`before.db` and `before.txt` were written by the last version without typed histories, `after.db` by
the first one with them; in both a game is under way. `both.db` holds one game that a version with
them began, the one without went on with, and the one with them again.
"""

import json
import shutil
import sqlite3
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from companion.archive import called, numbers, reading
from companion.events import Command
from companion.journal import VERSION, Journal
from companion.referee import Keep, Match, Referee
from companion.rules.history import Roll
from companion.rules.records import record

KEPT = Path(__file__).parent / "journals"
STANDS = "british red,blue | red R.B 29 30 34 | blue B.B B.B 58 14 | turn red"


@pytest.fixture(params=["before", "after"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A journal of each kind, to write to."""
    return Path(shutil.copy(KEPT / f"{request.param}.db", tmp_path / "games.db"))


def records(path: Path) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT record FROM records ORDER BY id").fetchall()
    return [json.loads(text) for (text,) in rows]


def go_on(path: Path) -> Referee:
    """Resume from a journal and play a turn, which is kept."""
    journal = Journal(path)
    assert journal.trouble is None
    referee = Referee(sensing="choose", die="hand")
    referee.resume(list(journal.resumable()), 1.0)
    match = referee.match
    assert match is not None
    effects = referee.feed(Command("move", {"move": match.game.move_text(match.legal[0])}), 2.0)
    effects += referee.feed(Command("roll", {"face": 2}), 3.0)
    assert journal.keep([one.record for one in effects if isinstance(one, Keep)], 1.8e9)
    journal.close()
    return referee


def test_the_game_under_way_goes_on(path: Path) -> None:
    journal = Journal(path)
    referee = Referee(sensing="presence")
    referee.resume(list(journal.resumable()), 1.0)
    journal.close()
    view = referee.view
    assert (str(view.position), view.face) == (STANDS, 4)
    assert view.names["blue"] == "Çelik"
    assert view.settings["language"] == "de"
    assert view.aside == ("7",)


def test_past_games_are_read_and_replay_to_their_records(path: Path) -> None:
    with reading(path) as connection:
        games = [called(connection, number) for number in numbers(connection)]
        assert [game.state for game in games] == ["open", "won", "open"]
        for game in games:
            assert record(str(game.record)).position == game.last
        assert str(games[1].record) == (KEPT / "before.txt").read_text(encoding="utf-8")


def test_a_record_of_before_reads_back_as_it_was() -> None:
    text = (KEPT / "before.txt").read_text(encoding="utf-8")
    assert str(record(text)) == text


def test_rolls_say_where_they_came_from_as_far_as_that_is_known(tmp_path: Path) -> None:
    told = {}
    for name in ("before", "after"):
        with reading(Path(shutil.copy(KEPT / f"{name}.db", tmp_path))) as connection:
            deeds = called(connection, max(numbers(connection))).history.deeds
        told[name] = {deed.entry.source for deed in deeds if isinstance(deed.entry, Roll)}
    assert told["before"] == {"unknown"}
    assert told["after"] == {"unknown", "hand", "box", "page", "die:d1ed1e"}


def test_a_game_that_both_versions_have_played_goes_on(tmp_path: Path) -> None:
    path = Path(shutil.copy(KEPT / "both.db", tmp_path / "games.db"))
    sources = [one.get("source", "unknown") for one in records(path) if one["kind"] == "roll"]
    changes = [one for one, next_one in pairwise(sources) if one != next_one]
    assert [*changes, sources[-1]] == ["die:d1ed1e", "unknown", "die:d1ed1e"]
    journal = Journal(path)
    referee = Referee(sensing="choose", settings={"rotation": 180})
    referee.resume(list(journal.resumable()), 1.0)
    journal.close()
    stands = "german+barriers yellow,red | yellow 7 8 9 Y.a | red 30 30 31 R.d | turn yellow"
    assert str(referee.view.position) == stands
    assert referee.view.setting("rotation") == 0  # upright, though it is built in upside down
    assert read_as_before(path) == f"{stands} None"


# -- the way back ------------------------------------------------------------------------------


def read_as_before(path: Path) -> str:
    """The position to which the version before this one would resume, as it read journals then.

    It knew the layout 2, two tables by their columns, and of each record only these keys; whatever
    else there is it passed over.
    """
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
        assert VERSION == 2
        for table, columns in (
            ("records", ["id", "game", "at", "kind", "record"]),
            ("events", ["id", "at", "event"]),
        ):
            found = connection.execute(f"PRAGMA table_info({table})")
            assert [name for _, name, *_ in found] == columns
    known = {
        "start": ("kind", "game", "names"),
        "roll": ("kind", "face", "number"),
        "move": ("kind", "move"),
        "ruling": ("kind", "position"),
    }
    plain = [
        {key: one[key] for key in known.get(one["kind"], ("kind",))}
        for one in records(path)
        if one["kind"] not in ("settings", "aside")
    ]
    match = Match.replay(plain)
    assert match is not None
    return f"{match.position} {match.face}"


def test_the_version_before_reads_what_this_one_wrote(path: Path) -> None:
    referee = go_on(path)
    assert referee.match is not None
    assert any("source" in one for one in records(path))
    assert read_as_before(path) == f"{referee.match.position} {referee.match.face}"


def test_the_journals_are_what_they_were() -> None:
    tables = {}
    for name in ("before", "after"):
        with closing(sqlite3.connect(f"file:{KEPT / name}.db?immutable=1", uri=True)) as one:
            found = one.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            tables[name] = {name for (name,) in found}
    assert tables["before"] == {"records", "events"}
    assert tables["after"] > tables["before"]

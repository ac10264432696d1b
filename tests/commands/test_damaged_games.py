"""Journals with one field changed, as a failing card leaves them: commands say so and go on."""

import json
import math
import shutil
import sqlite3
import struct
import zipfile
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.journal import Journal
from companion.referee import Match
from companion.rules import game, legal_moves

GAMES = 3
OTHER: list[Any] = [
    None, True, 0, -1, 7, 10**30, 1e300, -1e300, math.inf,
    "", "x", "\x1b[2J", "\ud800", [], [1], {}, {"x": 1}, {"yellow": "\x1b"}, {"yellow": "\ud800"},
]  # fmt: skip


class Damage(NamedTuple):
    """One field of one row, and what is there now."""

    table: str
    row: int
    column: str
    value: Any


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three short games with a ruling in each, and some events."""
    path = tmp_path_factory.mktemp("whole") / "games.db"
    journal = Journal(path)
    rng = Random(1)
    for number in range(GAMES):
        match = Match(game("german", colours=["yellow", "red"]), {"yellow": "Ada", "red": "Ben"})
        at = 1_700_000_000.0 + 86_400 * number
        journal.keep([match.started()], at)
        for roll in range(6):
            face = rng.randint(1, 6)
            move = rng.choice(legal_moves(match.position, face))
            journal.note({"at": float(roll), "event": "Rolled", "number": roll, "face": face}, at)
            journal.keep([match.roll(face, roll), match.play(move)], at + roll)
        journal.keep([match.rule(match.position)], at + 10)
    journal.close()
    return path


def companion(*words: object) -> Result:
    done = CliRunner().invoke(main, [str(word) for word in words])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def damaged(path: Path, rng: Random) -> Damage:
    """Change one field of a journal."""
    table = rng.choice(["records", "records", "records", "events"])
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute(f"SELECT * FROM {table}")
        columns = [one[0] for one in found.description]
        row = rng.choice(found.fetchall())
        number = rng.randrange(1, len(columns))
        value = changed(row[number], rng)
        damage = Damage(table, row[0], columns[number], value)
        what = "CAST(? AS TEXT)" if isinstance(value, bytes) and rng.random() < 0.8 else "?"
        statement = f"UPDATE OR IGNORE {table} SET {damage.column} = {what} WHERE id = ?"
        connection.execute(statement, (value, damage.row))
        connection.commit()
    return damage


def changed(value: Any, rng: Random) -> Any:
    """Another value: some bits flipped, or another type; in a record also one of its fields."""
    if isinstance(value, str) and value.startswith("{") and rng.random() < 0.6:
        record = json.loads(value)
        record[rng.choice(list(record))] = rng.choice(OTHER)
        return json.dumps(record)
    if rng.random() < 0.3:
        return rng.choice([None, "", "x", b"\xff\x00", 0, -1, 2**62, 1e300, -1e300, math.inf])
    if isinstance(value, float):
        return struct.unpack("<d", flipped(struct.pack("<d", value), rng))[0]
    if isinstance(value, int):
        return struct.unpack("<q", flipped(struct.pack("<q", value), rng))[0]
    return flipped(value.encode(), rng)


def flipped(data: bytes, rng: Random) -> bytes:
    place, bit = rng.randrange(len(data)), 1 << rng.randrange(8)
    return data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :]


@pytest.mark.parametrize("seed", range(150))
def test_a_damaged_field_is_a_sentence_and_hides_no_other_game(
    seed: int, whole: Path, tmp_path: Path
) -> None:
    path, packed, out = tmp_path / "games.db", tmp_path / "report.zip", tmp_path / "out"
    shutil.copy(whole, path)
    damage = damaged(path, Random(seed))
    listed = companion("games", "--journal", path)
    assert listed.exit_code == 0
    counted = companion("stats", "--journal", path, "--plot", tmp_path / "plot.svg")
    assert counted.exit_code == 0
    ElementTree.parse(tmp_path / "plot.svg")
    assert "\x1b" not in listed.output + counted.output
    everything = companion("export", "--all", out, "--journal", path)
    assert everything.exit_code == 0
    for number in (1, 15, 29):
        for command in ("export", "replay"):
            assert "\x1b" not in companion(command, number, "--journal", path).output
    assert companion("report", "--journal", path, "-o", packed).exit_code == 0
    companion("replay", packed)
    with zipfile.ZipFile(packed) as file:
        assert {"records.jsonl", "events.jsonl"} <= set(file.namelist())
    if damage.column != "game":
        assert listed.output.count("Ada (yellow), Ben (red): not finished") >= GAMES - 1
        assert len(list(out.iterdir())) >= GAMES - 1
    journal = Journal(path)
    assert journal.keep([match.started() for match in [Match(game("german"))]], 0.0)
    journal.close()


@pytest.mark.parametrize("bit", [0x04, 0x80])
def test_a_damaged_layout_is_a_sentence(bit: int, whole: Path, tmp_path: Path) -> None:
    """What SQLite says of it may be no text."""
    path, packed = tmp_path / "games.db", tmp_path / "report.zip"
    data = bytearray(whole.read_bytes())
    data[data.index(b"NULL")] ^= bit
    path.write_bytes(data)
    for words in (["games"], ["stats"], ["export", 1], ["replay", 1]):
        done = companion(*words, "--journal", path)
        assert done.exit_code == 1
        assert "games.db cannot be read: malformed database schema" in done.output
    assert companion("report", "--journal", path, "-o", packed).exit_code == 0
    with zipfile.ZipFile(packed) as file:
        assert b"malformed" in file.read("games.txt")


@pytest.mark.parametrize("after", [10**24, -(10**24), 2**63, True, "x", 1.5, None])
@pytest.mark.parametrize("number", [1, "x"])
def test_a_report_is_packed_whatever_its_events_and_games_are_numbered(
    after: Any, number: Any, whole: Path, tmp_path: Path
) -> None:
    path, packed = tmp_path / "games.db", tmp_path / "report.zip"
    shutil.copy(whole, path)
    journal = Journal(path)
    for at in (after, 20):
        journal.note({"at": 1.0, "event": "began", "after": at}, 1.0)
    journal.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE records SET game = ? WHERE id = 1", (number,))
        connection.commit()
    assert companion("report", "--journal", path, "-o", packed).exit_code == 0
    with zipfile.ZipFile(packed) as file:
        games = {json.loads(line)["game"] for line in file.read("records.jsonl").splitlines()}
    assert {1, 15, 29} <= games

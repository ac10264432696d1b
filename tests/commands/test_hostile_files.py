"""Files that somebody else made: each that is not what it should be is one sentence."""

import os
import struct
import zipfile
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.commands.doctor import read
from companion.commands.report import report
from companion.config import ConfigError, load, parse
from companion.journal import Journal, read_record

RECORD = """Ludo game record 1
sheet: german
date: 2025-11-16
yellow: Anna
red: Ben

yellow 5 -
red 2 -
"""
ESC = "\x1b]0,owned\x07\x1b[2J"


def run(*arguments: object) -> Result:
    """A command; whatever it is given, it ends by itself and steers no terminal."""
    result = CliRunner().invoke(main, [str(one) for one in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    assert "\x1b" not in result.output
    return result


def refused(*arguments: object) -> str:
    result = run(*arguments)
    assert result.exit_code in (1, 2)
    return result.output


GAME, RECORDS, EVENTS = "game-000001.txt", "records.jsonl", "events.jsonl"


def report_with(path: Path, parts: dict[str, str] | dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return path


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path) -> None:
    bomb = report_with(tmp_path / "bomb.zip", {GAME: bytes(64 << 20)})
    assert bomb.stat().st_size < 100_000
    assert "too large" in refused("replay", bomb)
    bomb = report_with(tmp_path / "bomb.zip", {RECORDS: b"", EVENTS: bytes(64 << 20)})
    assert "no report" in refused("replay", "--events", bomb)


def test_a_bomb_that_lies_about_its_size_is_not_unpacked(tmp_path: Path) -> None:
    bomb = report_with(tmp_path / "bomb.zip", {GAME: bytes(64 << 20)})
    data = bomb.read_bytes().replace(struct.pack("<I", 64 << 20), struct.pack("<I", 100))
    bomb.write_bytes(data)
    refused("replay", bomb)


def test_an_encrypted_or_odd_zip_is_a_sentence(tmp_path: Path) -> None:
    for at, value in ((6, 1), (8, 99)):  # flags, and the way it is packed
        path = report_with(tmp_path / "odd.zip", {GAME: RECORD})
        data = bytearray(path.read_bytes())
        local, central = data.index(b"PK\3\4"), data.index(b"PK\1\2")
        data[local + at] = value
        data[central + at + 2] = value
        path.write_bytes(data)
        assert "no report" in refused("replay", path)


def test_zips_damaged_anywhere_end_in_a_sentence_or_a_game(tmp_path: Path) -> None:
    rng = Random("zip")
    whole = report_with(tmp_path / "whole.zip", {GAME: RECORD, RECORDS: "{}"}).read_bytes()
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path = tmp_path / "damaged.zip"
        path.write_bytes(data)
        run("replay", path)


@pytest.mark.parametrize("number", ["9" * 5000, "\u0663", "1000"])
def test_numbers_of_any_length_are_a_sentence(tmp_path: Path, number: str) -> None:
    path = tmp_path / "record.txt"
    ruling = "ruling yellow Y.B Y.B Y.B 1 | red R.B R.B R.B 21 | turn red"
    path.write_text(f"{RECORD}{ruling} rolls {number}\n")
    assert len(refused("replay", path)) < 500
    refused("replay", "9" * 5000)


def test_escape_sequences_are_shown_not_sent(tmp_path: Path) -> None:
    path = tmp_path / "record.txt"
    for text in (
        f"{RECORD}{ESC}\n",
        RECORD.replace("german", f"german{ESC}"),
        RECORD.replace("2025-11-16", ESC),
        RECORD.replace("yellow 5 -", f"yellow {ESC} -"),
        f"{ESC}\n{RECORD}",
    ):
        path.write_text(text)
        assert "owned" in refused("replay", path)
    events = '{"at": 1, "event": "Lost", "device": "die", "why": "\\u001b[2Jowned"}\n'
    began = (
        '{"at": 0, "event": "began", "sensing": "choose", "die": "hand", "times": {}, '
        '"choice": null, "missing": {}, "board": null, "after": 0}\n'
    )
    path = report_with(tmp_path / "r.zip", {RECORDS: "", EVENTS: began + events})
    assert "owned" in run("replay", "--events", path).output


def test_events_of_any_kind_are_fed_or_left_out(tmp_path: Path) -> None:
    rng = Random("events")
    began = (
        '{"at": 0, "event": "began", "sensing": "choose", "die": "hand", "times": {}, '
        '"choice": null, "missing": {}, "board": null, "after": 0}'
    )
    odd = ["[", "{}", "1e999", "null", '"x"', '{"a": [1]}', "true", "-1", "9" * 5000, "[[[]]]"]
    lines = ["[" * 100_000]
    for _ in range(300):
        keys = ("at", "event", "sensing", "die", "times", "choice", "missing", "board", "after")
        fields = {key: rng.choice(odd) for key in rng.sample(keys, rng.randint(1, len(keys)))}
        fields["event"] = rng.choice(['"began"', '"goes_on"', '"Rolled"', '"Snapshot"'])
        lines.append("{" + ", ".join(f'"{key}": {value}' for key, value in fields.items()) + "}")
        lines.append(began)
    path = report_with(tmp_path / "r.zip", {RECORDS: "[" * 100_000, EVENTS: "\n".join(lines)})
    assert "began" in run("replay", "--events", path).output


def test_what_is_no_file_is_a_sentence(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/zero"), tmp_path / "nothing"):
        refused("replay", path)


def test_nobody_waits_for_a_pipe_in_the_place_of_the_games(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "games.db")
    assert "not a file" in refused("games", "--journal", tmp_path / "games.db")
    Journal(tmp_path / "other.db").close()
    for end in ("-wal", "-shm", "-journal"):
        place = tmp_path / f"other.db{end}"
        os.mkfifo(place)
        assert "not a file" in refused("games", "--journal", tmp_path / "other.db")
        place.unlink()


def test_a_record_nested_deep_is_damaged() -> None:
    assert read_record("[" * 100_000) is None
    assert read_record('{"kind":' + "[" * 100_000) is None


# -- reports ---------------------------------------------------------------------------------------


def test_a_report_is_for_whoever_made_it(tmp_path: Path) -> None:
    Journal(tmp_path / "games.db").close()
    target = tmp_path / "report.zip"
    target.write_text("readable by all")
    target.chmod(0o644)
    run("report", "--journal", tmp_path / "games.db", "-o", target)
    assert target.stat().st_mode & 0o777 == 0o600
    assert zipfile.is_zipfile(target)


def test_a_report_is_not_written_through_a_link(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("keep me")
    link = tmp_path / "report.zip"
    link.symlink_to(precious)
    assert "is a link" in refused("report", "--journal", tmp_path / "games.db", "-o", link)
    assert precious.read_text() == "keep me"
    assert report.name == "report"


# -- configurations --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 100_000,
        "[web]\nport = " + "9" * 5000,
        "a." * 2_000 + "b = 1",
        "[web]\npin = '" + "9" * 5000 + "'",
        '[web]\n"\\u001b[2J" = 1',
    ],
    ids=["nested", "a long number", "a long key", "a long pin", "an escape sequence"],
)
def test_a_configuration_of_any_kind_is_a_sentence(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError):
        parse(text)
    path = tmp_path / "companion.toml"
    path.write_text(text)
    refused("run", "--config", path)
    run("report", "--config", path, "--journal", tmp_path / "no.db", "-o", tmp_path / "r.zip")


def test_an_endless_configuration_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is not a file"):
        load(Path("/dev/zero"))
    with (tmp_path / "companion.toml").open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(ConfigError, match="too large"):
        load(tmp_path / "companion.toml")


@pytest.mark.parametrize(
    ("pin", "mode", "said"),
    [
        ("1234", 0o640, ["web.pin has 4 digits"]),
        ("123456", 0o644, ["everybody on this machine can read"]),
        ("123456", 0o640, []),
    ],
)
def test_the_doctor_looks_at_the_pin(tmp_path: Path, pin: str, mode: int, said: list[str]) -> None:
    path = tmp_path / "companion.toml"
    path.write_text(f'sensing = "choose"\n[box]\nup = 5\ndown = 6\nok = 13\n[web]\npin = "{pin}"\n')
    path.chmod(mode)
    findings, config = read(path, pretend=True)
    assert config is not None
    assert config.web.pin == pin
    found = [finding.what for finding in findings if finding.device == "pin"]
    assert len(found) == len(said)
    assert all(part in what for part, what in zip(said, found, strict=True))

"""`companion analyse`: what it tells of a record, and its sentences for what it cannot read."""

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.commands.stats import luck_lines
from companion.rules import game
from tests.odds.test_luck import played


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    text = str(played(game("german", ["pieces=2"], ["yellow", "red"]), Random(5)))
    path.write_text(text.replace("yellow:", "yellow: Anna").replace("red:", "red: Ben"))
    return path


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["analyse", *words])
    return result.exit_code, result.output


def test_it_tells_luck_from_play(record: Path) -> None:
    code, told = run(str(record), "--games", "60")
    assert code == 0
    assert "60 play-outs of each position" in told
    assert "Anna (yellow)" in told
    assert "own luck" in told
    assert "the roll of the evening" in told
    assert run(str(record), "--games", "60") == (code, told)
    assert run(str(record), "--games", "60", "--seed", "2") != (code, told)


def test_a_row_adds_up(record: Path) -> None:
    _, told = run(str(record), "--games", "60")
    (row,) = [line for line in told.splitlines() if line.startswith("Anna (yellow) ")]
    cells = row.removeprefix("Anna (yellow) ").replace("±", " ±").split()
    numbers = [float(cell) for cell in cells if not cell.startswith("±") and cell != "-"]
    assert sum(numbers[:-1]) == pytest.approx(numbers[-1], abs=0.4)  # each is rounded


def test_a_damaged_record_is_a_sentence(record: Path) -> None:
    lines = record.read_text().splitlines()
    lines[9] = "yellow 9 1>2"
    record.write_text("\n".join(lines))
    code, told = run(str(record))
    assert code == 2
    assert told.count("\n") <= 4
    assert "line 10" in told
    record.write_bytes(b"\x84\x00")
    assert run(str(record)) == (1, f"Error: {record} cannot be read: it is not text\n")


def test_a_game_without_a_roll_is_a_sentence(record: Path) -> None:
    record.write_text("\n".join(record.read_text().splitlines()[:6]))
    code, told = run(str(record))
    assert code == 1
    assert "nobody has rolled yet" in told


def test_replay_says_who_was_lucky_if_it_is_asked(record: Path) -> None:
    plain = CliRunner().invoke(main, ["replay", str(record)])
    assert "own luck" not in plain.output
    told = CliRunner().invoke(main, ["replay", str(record), "--luck"])
    assert told.exit_code == 0
    assert told.output.startswith(plain.output)
    assert "the roll of the evening" in told.output


def test_luck_over_many_games_has_honest_errors() -> None:
    told = luck_lines({"Anna": ([0.1, -0.1, 0.3], [0.0, 0.02, 0.01]), "Ben": ([0.5], [0.0])})
    assert told[1] == "  Anna: own luck +10.0 ±11.5, gave away +1.0 ±0.6 (3 games)"
    assert told[2] == "  Ben: one game, too few to say"
    assert luck_lines({}) == []

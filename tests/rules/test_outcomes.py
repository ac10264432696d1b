"""Outcome tables: how many different positions a game can come to, roll by roll.

Each file in `outcomes/` holds named positions of a sheet and, below each, how many distinct
positions can follow after 1, 2, 3 ... rolls. A rule that changes changes a number. With
OUTCOMES=write in the environment the numbers are written again, and the test fails while it is.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.rules import Position, legal_moves, play_unchecked, recall_position

FOLDER = Path(__file__).parent / "outcomes"
TABLES = sorted(FOLDER.glob("*.txt"))
FACES = range(1, 7)


def counts(start: Position, depth: int) -> Iterator[int]:
    """The number of distinct positions after each roll, up to a depth."""
    reached = {start}
    for _ in range(depth):
        reached = {
            play_unchecked(here, move)
            for here in reached
            for face in ((here.due,) if here.due else FACES)
            for move in legal_moves(here, face)
        }
        yield len(reached)


def recounted(table: Path) -> str:
    """A table with its numbers worked out again; names, remarks and depths stay."""
    lines = table.read_text(encoding="utf-8").splitlines()
    for at, line in enumerate(lines):
        if line.startswith("outcomes "):
            start = recall_position(lines[at - 1])
            depth = len(line.split()) - 1
            lines[at] = " ".join(["outcomes", *map(str, counts(start, depth))])
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_outcomes_are_those_of_the_table(table: Path) -> None:
    found = recounted(table)
    if os.environ.get("OUTCOMES") == "write":
        table.write_text(found, encoding="utf-8")
        pytest.fail(f"{table.name} was written: look at the difference, and unset OUTCOMES")
    assert found == table.read_text(encoding="utf-8")


def test_every_sheet_has_a_table_with_several_positions() -> None:
    from companion.rules import SHEETS

    assert {table.stem for table in TABLES} == set(SHEETS)
    for table in TABLES:
        text = table.read_text(encoding="utf-8")
        assert text.count("\noutcomes ") >= 4
        for option in SHEETS[table.stem].options:
            assert f"+{option.name}" in text, f"{table.name} has no position with {option.name}"


def test_a_table_that_is_wrong_is_noticed(tmp_path: Path) -> None:
    table = tmp_path / "some.txt"
    lines = "# start\ngerman yellow,red | yellow Y.B Y.B Y.B 1 | red R.B R.B R.B 21 | turn yellow\n"
    table.write_text(f"{lines}outcomes 1 1\n", encoding="utf-8")
    assert recounted(table) == f"{lines}outcomes 6 36\n"

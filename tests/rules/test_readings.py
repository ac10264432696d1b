"""Two games that no printed sheet settles, held against verdicts written before their sheets.

A file in `readings/` has positions (`at ...`) and below each what is said of it: `ROLL: MOVES`
are all the legal moves, `ROLL MOVE -> TURN` is a move and whose turn it leaves, `ROLL TRIED x
CLAUSE` is an attempt and a clause that refuses it.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.rules import SHEETS
from tests.rules.asking import legal, played, refused, turn

FOLDER = Path(__file__).parent / "readings"


def verdicts() -> Iterator[tuple[str, str]]:
    """Every position with each thing that is said of it."""
    for path in sorted(FOLDER.glob("*.txt")):
        where = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("at "):
                where = line[3:]
            elif line.strip() and not line.startswith("#"):
                yield where, line


@pytest.mark.parametrize(("where", "said"), verdicts())
def test_the_sheet_says_what_the_readers_wrote(where: str, said: str) -> None:
    if " -> " in said:
        move, _, wanted = said.partition(" -> ")
        assert turn(played(where, move)) == wanted
    elif " x " in said:
        tried, _, clause = said.partition(" x ")
        roll, _, hop = tried.partition(" ")
        assert clause in refused(where, roll, hop)
    else:
        roll, _, moves = said.partition(": ")
        assert legal(where, roll) == set(moves.split(", "))


def test_both_games_have_a_file_of_verdicts() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {"indian", "parchis"} <= set(SHEETS)
    assert len(list(verdicts())) > 80

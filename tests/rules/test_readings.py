"""Two games that no printed sheet settles, held against verdicts written before their sheets.

`indian.txt` and `parchis.txt` were written by who wrote the sheets, the other files each by a
reader who had seen neither sheet nor code. A file has positions (`at ...`) and below each what is
said of it: `ROLL: MOVES` are all the legal moves, `ROLL MOVE -> TURN` is a move (or several, with
commas) and whose turn it leaves, `ROLL MOVE captures COLOUR SQUARE` (or `nothing`) is what it
sends back, `ROLL TRIED x CLAUSE` is an attempt and a clause that refuses it. `[S4]` after a remark
is the clause whose reading says what others do there.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.rules import SHEETS, sheet
from tests.rules.asking import happened, legal, played, refused, turn

FOLDER = Path(__file__).parent / "readings"
READERS = ("first-reader", "second-reader")


def positions() -> Iterator[tuple[str, str, list[str]]]:
    """Every file's positions with what is said of each."""
    for path in sorted(FOLDER.glob("*.txt")):
        for part in path.read_text(encoding="utf-8").split("\nat ")[1:]:
            where, *said = part.splitlines()
            yield path.stem, where, [line for line in said if line and not line.startswith("#")]


@pytest.mark.parametrize(("reader", "where", "said"), list(positions()))
def test_the_sheet_says_what_the_readers_wrote(reader: str, where: str, said: list[str]) -> None:
    assert said
    for line in said:
        if " -> " in line:
            moves, _, wanted = line.partition(" -> ")
            assert turn(played(where, *moves.split(", "))) == wanted, line
        elif " captures " in line:
            move, _, wanted = line.partition(" captures ")
            caught = [told.partition(" captured ")[2] for told in happened(where, move)]
            assert (" ".join(filter(None, caught)) or "nothing") == wanted, line
        elif " x " in line:
            tried, _, clause = line.partition(" x ")
            roll, _, hop = tried.partition(" ")
            assert clause in refused(where, roll, hop), line
        else:
            roll, _, moves = line.partition(": ")
            assert legal(where, roll) == set(moves.split(", ")), line


def test_both_games_have_a_file_and_two_readers_wrote_of_both() -> None:
    names = [path.stem for path in sorted(FOLDER.glob("*.txt"))]
    assert names == ["first-reader", "indian", "parchis", "second-reader"]
    for reader in READERS:
        for game in ("indian", "parchis"):
            of_it = [where for name, where, _ in positions() if name == reader]
            assert sum(where.startswith(game) for where in of_it) > 40


@pytest.mark.parametrize("reader", READERS)
def test_where_others_play_otherwise_the_reading_says_so(reader: str) -> None:
    text = (FOLDER / f"{reader}.txt").read_text(encoding="utf-8")
    found = re.findall(r"\[([MS]\d+)\]", text)
    assert len(found) > 20
    for clause in sorted(set(found)):
        read = sheet("indian" if clause[0] == "M" else "parchis").article(clause).reading
        assert re.search(r"\b(some|many|may)\b", read, re.IGNORECASE), f"{clause}: {read}"


def test_every_sheet_of_a_verdict_is_one_of_ours() -> None:
    assert {re.split(r"[ +]", where)[0] for _, where, _ in positions()} <= set(SHEETS)

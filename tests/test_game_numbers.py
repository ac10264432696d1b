"""The numbers of games: one for each, for good, whatever is deleted."""

import sqlite3
from pathlib import Path
from random import Random

import pytest

from companion.archive import reading
from companion.game_numbers import KnownNumbers, Numbering, numbering
from companion.journal import Journal

START = {"kind": "start", "game": "german yellow,red", "names": {}}
ROLL = {"kind": "roll", "face": 6}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Five games of three records each."""
    journal = Journal(tmp_path / "games.db")
    for at in range(5):
        assert journal.keep([START, ROLL, ROLL], float(at))
    journal.close()
    return tmp_path / "games.db"


def known(path: Path) -> dict[int, int]:
    with reading(path) as connection:
        return dict(numbering(connection))


def test_games_are_counted_from_one() -> None:
    assert list(Numbering([4, 355, 358])) == [(1, 4), (2, 355), (3, 358)]
    found = Numbering([4, 355, 358], deleted=[2, 3])
    assert list(found) == [(1, 4), (4, 355), (5, 358)]
    assert [found.id(number) for number in range(7)] == [None, 4, None, None, 355, 358, None]
    assert [found.number(id) for id in (4, 5, 355, 358, 359)] == [1, None, 4, 5, None]


def test_a_number_leads_to_its_game_and_back_whatever_was_deleted() -> None:
    rng = Random(1)
    for _ in range(300):
        numbers = range(1, rng.randint(2, 20))
        deleted = {number for number in numbers if rng.random() < rng.random()}
        left = [number for number in numbers if number not in deleted]
        ids = [10 * number for number in left]
        found = Numbering(ids, deleted)
        assert list(found) == list(zip(left, ids, strict=True))
        assert list(reversed(found)) == list(found)[::-1]
        assert [found.number(id) for id in ids] == left
        expected = [10 * number if number in left else None for number in numbers]
        assert [found.id(number) for number in numbers] == expected


def test_many_deleted_games_make_nothing_slow() -> None:
    looked: list[int] = []

    class Deleted(int):
        def __gt__(self, other: int) -> bool:
            looked.append(self)
            return int(self) > other

        def __lt__(self, other: int) -> bool:
            looked.append(self)
            return int(self) < other

    games = 500
    found = Numbering(range(games), deleted=[Deleted(number + 1) for number in range(games)])
    looked.clear()
    assert [number for number, _ in found] == list(range(games + 1, 2 * games + 1))
    assert len(looked) <= 10 * games  # not each game at each of them


def test_a_deletion_is_followed_without_reading_all_games_again(path: Path) -> None:
    numbers = KnownNumbers()
    with reading(path) as connection:
        assert len(numbers.of(connection)) == 5
    journal = Journal(path)
    journal.keep([START, ROLL], 9.0)
    assert journal.delete(4)
    journal.close()
    asked: list[str] = []
    with reading(path) as connection:
        connection.set_trace_callback(asked.append)
        assert dict(numbers.of(connection)) == {1: 1, 3: 7, 4: 10, 5: 13, 6: 16}
    (games,) = [statement for statement in asked if "RECURSIVE" in statement]
    assert "game > 13 " in games


def test_a_deleted_game_takes_its_number_along(path: Path) -> None:
    journal = Journal(path)
    assert journal.delete(4)  # the second game: its first record is the fourth
    assert known(path) == {1: 1, 3: 7, 4: 10, 5: 13}
    assert journal.delete(13, latest=True)
    assert journal.delete(10, latest=True)
    assert journal.keep([START, ROLL], 9.0)  # records get these numbers again, games do not
    assert known(path) == {1: 1, 3: 7, 6: 10}
    journal.close()
    assert Journal(path).delete(99)  # nothing
    assert known(path) == {1: 1, 3: 7, 6: 10}


def test_in_a_file_of_an_earlier_version_numbers_are_kept_from_the_first_deletion_on(
    path: Path,
) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE deleted_games")
    connection.close()
    assert list(known(path)) == [1, 2, 3, 4, 5]
    journal = Journal(path)
    assert journal.delete(1)
    journal.close()
    assert list(known(path)) == [2, 3, 4, 5]


def test_what_is_remembered_of_a_file_is_what_is_in_it(path: Path) -> None:
    numbers = KnownNumbers()

    def found() -> list[tuple[int, int]]:
        with reading(path) as connection:
            assert list(numbers.of(connection)) == list(numbering(connection))
            return list(numbers.of(connection))

    assert len(found()) == 5
    journal = Journal(path)
    journal.keep([START, ROLL], 9.0)
    assert found()[-1] == (6, 16)
    journal.delete(1)
    assert found()[0] == (2, 4)
    journal.delete(16, latest=True)
    journal.keep([START, ROLL], 9.0)  # a record gets this number again
    assert found()[-1] == (7, 16)
    journal.keep([START, ROLL], 9.0)
    journal.keep([START, ROLL], 9.0)
    journal.delete(18)  # before anybody looked
    assert found()[-1] == (9, 20)
    journal.close()
    path.unlink()
    journal = Journal(path)
    journal.keep([START], 1.0)
    assert found() == [(1, 1)]
    journal.close()

"""The archive: a copy of every journal, nothing lost and nothing doubled, whatever happens."""

import random
import shutil
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.cafe.archive import FEW, Archive, Copying, Place, taken
from companion.cafe.forgetting import Mark, is_forgotten, mark_of, without_names
from companion.cafe.journal_pieces import piece
from companion.cafe.messages import Piece, Records, Span, decode
from companion.cafe.statistics import games_csv, statistics
from companion.journal import Journal
from companion.kept_records import journal_spans, kept_records

GAME = "german yellow,red"


def game(number: int, names: dict[str, str] | None = None) -> list[dict[str, Any]]:
    """The records of a short game."""
    start = {"kind": "start", "game": GAME, "names": names or {}}
    rolls = [{"kind": "roll", "face": 1 + (number + n) % 6, "number": n} for n in range(5)]
    return [start, *rolls, {"kind": "end"}]


class House:
    """An archive that asks journals for what it lacks, as the house does."""

    def __init__(self, path: Path) -> None:
        self.archive = Archive(path)
        self.copying = Copying(self.archive.copied())
        self.asked: list[Records] = []

    def visit(self, table: str, journal: Journal, birth: str = "b", lost: int = 0) -> None:
        """Ask until there is nothing more to ask for; the first `lost` answers never come."""
        for number in range(10_000):
            now = number * 100.0
            order = self.copying.next(
                table, birth, journal.id or "", journal.last, now, f"{birth}{number}"
            )
            if order is None:
                return
            self.asked.append(order)
            if lost:
                lost -= 1
                continue
            found = piece(journal.path, f"{birth}{number}", order)
            assert self.copying.answered(table, birth, found)
            back = self.copying.went_back(found)
            last = taken(self.archive, table, found, back) if found.journal else 0
            self.copying.stored(table, found, last)
        raise AssertionError("it asks for ever")


def everything(path: Path) -> list[tuple[Any, ...]]:
    """Every record of a journal's file, by its first name."""
    found = []
    for span in journal_spans(path):
        after = 0
        while records := kept_records(path, span.journal, after):
            found += [(*one.first_name, one.at, one.record) for one in records]
            after = records[-1].name.number
    return sorted(found, key=lambda one: one[:2])


def archived(archive: Archive) -> list[tuple[Any, ...]]:
    journals = sorted({one[0] for one in archive._db.execute("SELECT journal FROM records")})
    return [(name, *one) for name in journals for one in archive.records(name)]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    found = Journal(tmp_path / "games.db")
    yield found
    found.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    found = House(tmp_path / "house.db")
    yield found
    found.archive.close()


def test_the_archive_is_the_journal_record_for_record(journal: Journal, house: House) -> None:
    for number in range(60):
        journal.keep(game(number), 1000.0 + number)
    house.visit("t", journal)
    assert archived(house.archive) == everything(journal.path)
    assert len(house.asked) > 2, "it comes in pieces"
    asked = len(house.asked)
    house.visit("t", journal)
    assert len(house.asked) == asked, "what is there is not asked for again"


def test_answers_that_never_come_are_asked_for_again(journal: Journal, house: House) -> None:
    journal.keep(game(1), 1000.0)
    house.visit("t", journal, lost=3)
    assert archived(house.archive) == everything(journal.path)


def test_an_answer_that_nobody_asked_for_is_left_alone(journal: Journal, house: House) -> None:
    assert not house.copying.answered("t", "b", Piece(id="guessed", journal="j"))


def test_a_house_restored_from_last_month_catches_up(
    journal: Journal, house: House, tmp_path: Path
) -> None:
    journal.keep(game(1), 1000.0)
    house.visit("t", journal)
    backup = tmp_path / "backup.db"
    house.archive._db.execute("VACUUM INTO ?", (str(backup),))
    journal.keep(game(2), 2000.0)
    house.visit("t", journal)
    old = House(backup)
    journal.keep(game(3), 3000.0)
    old.visit("t", journal, "other")
    assert archived(old.archive) == everything(journal.path)
    old.archive.close()


def test_a_new_card_is_a_new_journal_of_the_same_table(house: House, tmp_path: Path) -> None:
    journals = []
    for number in (1, 2):
        journals.append(Journal(tmp_path / f"{number}.db"))
        journals[-1].keep(game(number), 1000.0)
        house.visit("t", journals[-1], f"stay{number}")
    want = sorted(one for found in journals for one in everything(found.path))
    assert archived(house.archive) == want
    assert house.archive.size() == (2, 14)
    for one in journals:
        one.close()


def test_an_earlier_copy_of_a_card_doubles_nothing_and_loses_nothing(
    house: House, tmp_path: Path
) -> None:
    path = tmp_path / "games.db"
    first = Journal(path)
    first.keep(game(1), 1000.0)
    first.close()
    shutil.copy(path, tmp_path / "copy.db")
    again = Journal(path)
    again.keep(game(2), 2000.0)
    house.visit("t", again, "one")
    before = archived(house.archive)
    again.close()
    shutil.copy(tmp_path / "copy.db", path)
    restored = Journal(path)
    restored.keep(game(3), 3000.0)
    house.visit("t", restored, "two")
    found = archived(house.archive)
    assert [one for one in found if one in before] == before
    new = [one for one in found if one not in before]
    assert [(one[1], one[3]) for one in new] == list(zip(range(8, 15), game(3), strict=True))
    assert {one[0] for one in new} == {f"{before[0][0]}.2"}
    house.visit("t", restored, "three")
    assert archived(house.archive) == found
    restored.keep(game(4), 4000.0)
    house.visit("t", restored, "three")
    assert [one[3] for one in archived(house.archive)][-7:] == game(4)
    assert [one.moves for one in house.archive.games()] == [0] * 4
    restored.close()


def test_a_card_that_went_back_and_on_again_is_seen_by_its_last_record(
    house: House, tmp_path: Path
) -> None:
    path = tmp_path / "games.db"
    first = Journal(path)
    first.keep(game(1), 1000.0)
    first.close()
    shutil.copy(path, tmp_path / "copy.db")
    again = Journal(path)
    again.keep(game(2), 2000.0)
    house.visit("t", again, "one")
    again.close()
    shutil.copy(tmp_path / "copy.db", path)
    restored = Journal(path)
    restored.keep([*game(3), *game(4)], 3000.0)
    house.visit("t", restored, "two")
    assert house.archive.size() == (4, 28)
    restored.close()


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_lost_on_the_way_it_comes_to_the_same(
    seed: int, house: House, tmp_path: Path
) -> None:
    chance = random.Random(seed)
    journals = {name: Journal(tmp_path / f"{name}.db") for name in "abc"}
    for step in range(30):
        name = chance.choice("abc")
        journals[name].keep(game(step), 1000.0 + step)
        if chance.random() < 0.5:
            house.visit(name, journals[name], f"stay{chance.randint(0, 3)}", chance.randint(0, 2))
    for name, one in journals.items():
        house.visit(name, one, "last")
        one.close()
    want = sorted(
        (r for one in journals.values() for r in everything(one.path)), key=lambda r: r[:2]
    )
    assert archived(house.archive) == want


# -- forgetting a name ----------------------------------------------------------------------------


def test_a_mark_is_not_the_name_and_knows_it_however_it_is_written() -> None:
    mark = mark_of("Ann-Marie")
    assert "ann" not in repr(mark).lower()
    assert is_forgotten(" ann-marie ", [mark])
    assert not is_forgotten("Anne", [mark])
    assert mark_of("Ann-Marie").mark != mark.mark, "two houses do not have the same mark"


def test_a_forgotten_name_goes_and_no_backup_brings_it_back(
    journal: Journal, house: House, tmp_path: Path
) -> None:
    journal.keep(game(1, {"yellow": "Ann", "red": "Ben"}), 1000.0)
    house.visit("t", journal)
    assert house.archive.forget(mark_of("ANN"), 5.0) == 1
    (start, *_) = [one[3] for one in archived(house.archive)]
    assert start["names"] == {"red": "Ben"}
    journal.keep(game(2, {"yellow": "ann"}), 2000.0)
    house.visit("t", journal)
    names = [one[3].get("names") for one in archived(house.archive) if one[3]["kind"] == "start"]
    assert names == [{"red": "Ben"}, {}]
    assert b"Ann" not in (tmp_path / "house.db").read_bytes()
    assert without_names({"kind": "start"}, house.archive.marks()) == {"kind": "start"}


# -- numbers --------------------------------------------------------------------------------------


def names_of(archive: Archive) -> list[str]:
    """The names in the archived games of both tables, in their order."""
    rows = archived(archive)
    return [name for row in rows for name in (row[-1] or {}).get("names", {}).values()]


def test_one_tables_word_takes_no_name_from_the_others(house: House, tmp_path: Path) -> None:
    journals = [Journal(tmp_path / f"{name}.db") for name in "ab"]
    for journal, table in zip(journals, ("one", "two"), strict=True):
        house.archive.known(Place(table, "", f"box of {table}"))
        journal.keep(game(1, {"red": "Ann", "yellow": f"Guest of {table}"}), 1.0)
        house.visit(table, journal)
    mark = mark_of("Ann")
    house.archive.hear("two", [mark], 2.0)
    assert sorted(names_of(house.archive)) == ["Ann", "Guest of one", "Guest of two"]
    assert house.archive.marks() == []  # nobody else is told of it
    journals[1].keep(game(2, {"red": "Ann"}), 3.0)
    house.visit("two", journals[1], "c")
    assert names_of(house.archive).count("Ann") == 1
    house.archive.hear("two", [mark], 4.0)
    assert names_of(house.archive).count("Ann") == 1
    house.archive.known(Place("three", "", "box of two"))  # the same box under another name
    house.archive.hear("three", [mark], 5.0)
    house.archive.drop_place("two")
    house.archive.known(Place("four", "", "box of four"))
    house.archive.drop_place("three")
    house.archive.hear("four", [mark], 5.0)
    assert names_of(house.archive).count("Ann") == 1  # who was taken away tells no more
    house.archive.hear("one", [mark], 5.0)
    assert "Ann" not in names_of(house.archive)
    assert house.archive.marks() == [mark]
    for journal in journals:
        journal.close()


def test_a_table_cannot_make_the_house_compare_names_for_ever(house: House) -> None:
    many = [Mark(f"{number:016x}", "0" * 40) for number in range(500)]
    same = [Mark("0" * 16, f"{number:040x}") for number in range(5000)]
    for told in (many, same, many[::-1]):
        house.archive.hear("two", told, 1.0)
    kept = house.archive.told_marks("two")
    assert len({mark.salt for mark in kept}) <= 4
    assert len(kept) <= 500


def test_the_house_in_numbers(journal: Journal, house: House) -> None:
    at = datetime(2026, 5, 2, 20, 30, tzinfo=UTC).timestamp()
    for number in range(10):
        for second, record in enumerate(game(number)):
            journal.keep([record], at + number * 2 * 86400 + second * 60)
    journal.keep(game(10)[:-1], at + 18 * 86400 + 3600)  # it is still played
    house.visit("t", journal)
    found = statistics(house.archive, lambda at: datetime.fromtimestamp(at, UTC))
    assert (found["games"], found["records"]) == (11, 76)
    assert found["days"][:3] == [["2026-05-02", 1], ["2026-05-03", 0], ["2026-05-04", 1]]
    assert (len(found["days"]), found["days"][-1]) == (19, ["2026-05-20", 2])
    assert found["hours"][20:22] == [10, 1]
    assert found["sheets"] == [
        {"sheet": "german", "games": 10, "shortest": 6.0, "half": 6.0, "longest": 6.0}
    ]
    (die,) = found["dice"]
    assert (die["table"], sum(die["faces"]), die["judged"]) == ("t", 55, "nothing_odd")
    lines = games_csv(house.archive).splitlines()
    assert len(lines) == 12
    assert lines[1].startswith("t,german,")


def test_a_file_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    found = Archive(tmp_path / "house.db")
    found._db.execute("PRAGMA user_version=99")
    found.close()
    with pytest.raises(OSError, match="later companion"):
        Archive(tmp_path / "house.db")


def test_a_few_records_of_a_game_wait_and_many_do_not() -> None:
    """A table is asked now and then, not after every roll: to read its journal costs it more."""
    copying = Copying({}, calm=10.0)

    def asks(last: int, now: float) -> Records | None:
        order = copying.next("t", "b", "j", last, now, f"{now}")
        if order is not None:
            spans = [Span(journal="j", first=1, last=last)]
            piece = Piece(id=f"{now}", journal=order.journal, after=order.after, spans=spans)
            assert copying.answered("t", "b", piece)
            copying.stored("t", piece, last if order.journal else 0)
        return order

    assert asks(3, 0.0) == Records(), "it has just come"
    assert asks(3, 1.0) == Records(journal="j", after=0)
    assert asks(4, 10.0) is None
    assert asks(3 + FEW, 10.5) == Records(journal="j", after=3)
    assert asks(4 + FEW, 20.0) is None
    assert asks(4 + FEW, 20.5) == Records(journal="j", after=3 + FEW)


LATER = 1e12 - 1


def sent(at: float, record: str) -> Piece:
    """A record as a table sends it that says whatever it likes."""
    game = f'"game":["{"a" * 28}",1]'
    one = f'{{"number":1,"at":{at},"record":{record},{game}}}'
    return decode(
        f'{{"id":"x","journal":"{"a" * 28}","after":0,"records":[{one}]}}'.encode(), Piece
    )


@pytest.mark.parametrize(
    ("at", "record"),
    [
        (1.0, '{"kind":"start","game":5}'),
        (1.0, '{"kind":"start","game":true}'),
        (1.0, '{"kind":"start","game":"=HYPERLINK(\\"http://x\\")"}'),
        (1.0, '{"kind":"roll","face":3.0}'),
        (LATER, '{"kind":"start","game":"german red"}'),
        (-LATER, '{"kind":"start","game":"german red"}'),
    ],
)
def test_no_record_of_one_table_keeps_the_house_from_its_numbers(
    journal: Journal, house: House, at: float, record: str
) -> None:
    journal.keep(game(1, {"red": "Ann"}), 1_700_000_000.0)
    house.visit("one", journal)
    house.archive.take("two", sent(at, record))
    assert statistics(house.archive)["games"] >= 1
    assert "HYPERLINK" not in games_csv(house.archive)
    assert house.archive.forget(mark_of("Ann"), 0.0) == 1


def test_a_record_that_cannot_be_written_down_is_none(house: House) -> None:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    found = sent(1.0, "{}")
    record = msgspec.structs.replace(found.records[0], record={"kind": "start", "names": deep})
    assert house.archive.take("two", msgspec.structs.replace(found, records=[record])) == 1
    assert house.archive.records("a" * 28) == [(1, 1.0, None)]
    assert house.archive.forget(mark_of("Ann"), 0.0) == 0


def test_a_journals_name_is_no_formula(house: House) -> None:
    found = sent(1.0, '{"kind":"start","game":"german red"}')
    record = msgspec.structs.replace(found.records[0], game=("=1+1", 1))
    house.archive.take("two", msgspec.structs.replace(found, records=[record]))
    assert ",'=1+1," in games_csv(house.archive)


def test_a_table_whose_clock_is_ahead_hides_no_days(journal: Journal, house: House) -> None:
    played = datetime(2026, 11, 14, 20, tzinfo=UTC)
    for at in (played, datetime(2100, 1, 1, tzinfo=UTC), datetime(1970, 1, 1, 1, tzinfo=UTC)):
        journal.keep(game(1), at.timestamp())
    house.visit("one", journal)
    today = date(2026, 11, 15)
    found = statistics(house.archive, lambda at: datetime.fromtimestamp(at, UTC), lambda: today)
    assert found["days"][-1] == ["2026-11-14", 1]
    before = date(1969, 12, 31)  # the house's own clock is not set yet
    found = statistics(house.archive, lambda at: datetime.fromtimestamp(at, UTC), lambda: before)
    assert found["days"][-1] == ["2100-01-01", 1]

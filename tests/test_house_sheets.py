"""The family's own sheets as files: kept, changed, deleted, and what is wrong with one said."""

import os
from pathlib import Path

import pytest

from companion.house_sheets import FOLDER, LARGEST, MOST_SHEETS, HouseSheets
from companion.rules import BadInput
from companion.rules.family import HouseRules, from_line

SUNDAY = from_line("Sunday rules: british+bounce+pieces=3")._replace(rolls=212.5)


def with_files(folder: Path, **files: str) -> HouseSheets:
    (folder / FOLDER).mkdir()
    for name, text in files.items():
        (folder / FOLDER / f"{name}.toml").write_text(text, encoding="utf-8")
    return HouseSheets(folder)


def test_a_sheet_is_kept_as_a_file_that_people_can_read(tmp_path: Path) -> None:
    sheets = HouseSheets(tmp_path)
    assert sheets.read() == ({}, {})
    sheets.keep(SUNDAY)
    text = (tmp_path / FOLDER / "sunday-rules.toml").read_text(encoding="utf-8")
    assert text == (
        'name = "Sunday rules"\nbase = "british"\nrules = ["bounce", "pieces=3"]\nrolls = 212.5\n'
    )
    assert sheets.read().offered == (SUNDAY,)


def test_a_changed_sheet_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    sheets = HouseSheets(tmp_path)
    sheets.keep(SUNDAY)
    changed = SUNDAY._replace(name="Monday rules")
    sheets.keep(changed, "Sunday rules")
    assert sheets.read().offered == (changed,)


def test_no_two_sheets_have_one_name(tmp_path: Path) -> None:
    sheets = HouseSheets(tmp_path)
    sheets.keep(SUNDAY)
    with pytest.raises(BadInput, match="already"):
        sheets.keep(SUNDAY._replace(name="SUNDAY rules"))
    sheets.keep(SUNDAY._replace(name="Other"))
    with pytest.raises(BadInput, match="already"):
        sheets.keep(SUNDAY, "Other")
    with pytest.raises(BadInput, match="Nobody"):
        sheets.keep(SUNDAY._replace(name="New"), "Nobody")
    assert len(sheets.read().sheets) == 2


def test_names_that_make_one_file_name_have_two_files(tmp_path: Path) -> None:
    sheets = HouseSheets(tmp_path)
    for name in ("Übung", "Ubung!", "規則", "规则"):
        sheets.keep(SUNDAY._replace(name=name))
    assert sorted(sheets.read().sheets) == ["rules", "rules-2", "ubung", "ubung-2"]


def test_a_deleted_sheet_is_gone(tmp_path: Path) -> None:
    sheets = HouseSheets(tmp_path)
    sheets.keep(SUNDAY)
    sheets.delete("Sunday rules")
    assert sheets.read() == ({}, {})
    with pytest.raises(BadInput, match="Sunday"):
        sheets.delete("Sunday rules")


def test_only_so_many_sheets_are_kept(tmp_path: Path) -> None:
    line = 'base = "german"\nrolls = 9\n'
    files = {f"s{n}": f'name = "n{n}"\n{line}' for n in range(MOST_SHEETS + 3)}
    sheets = with_files(tmp_path, **files)
    kept = sheets.read()
    assert len(kept.sheets) == MOST_SHEETS
    assert len(kept.faults) == 3
    with pytest.raises(BadInput, match=str(MOST_SHEETS)):
        sheets.keep(SUNDAY)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('name = "x"\nbase = "german"\nrules = ["teleport"]', ("teleport",)),
        ('name = "x"\nbase = "uckers"', ("uckers",)),
        ('name = "x"\nbase = "british"\nrules = ["barriers"]', ("already", "leave barriers off")),
        (
            'name = "x"\nbase = "british"\nrules = ["third_six_void", "third_six_back"]',
            ("third_six_void and third_six_back cannot both hold", "leave one of them off"),
        ),
        (f'name = "x"\nbase = "german"\nrules = [{"1," * 10_000}]', (str(LARGEST),)),
        ('name = "x"\nbase = "german"\nrules = [' + '"a",' * 100 + "]", ("100", "40")),
        (f'name = "{"x" * 500}"\nbase = "german"', ("500", "40")),
        ('name = "<script>x</script>"\nbase = "german"', ("letters",)),
        ('name = "x"\nbase = "german"\nrolls = -1', ("rolls",)),
        ('name = "x"\nbase = "german"\nrolls = true', ("rolls",)),
        ('name = "x"\nbase = "german"\nplayers = 3', ("players",)),
        ("not toml at all", ("TOML",)),
        ("", ("name",)),
    ],
)
def test_what_is_wrong_with_a_file_is_said_and_nothing_is_lost(
    tmp_path: Path, text: str, words: tuple[str, ...]
) -> None:
    sheets = with_files(tmp_path, good=SUNDAY.toml(), bad=text)
    kept = sheets.read()
    assert kept.offered == (SUNDAY,)
    assert list(kept.faults) == ["bad.toml"]
    for word in words:
        assert word in kept.faults["bad.toml"]
    assert (tmp_path / FOLDER / "bad.toml").read_text(encoding="utf-8") == text


def test_a_file_that_is_no_text_or_no_file_is_said(tmp_path: Path) -> None:
    sheets = with_files(tmp_path)
    (sheets.folder / "binary.toml").write_bytes(b"\xff\xfe\x00")
    (sheets.folder / "folder.toml").mkdir()
    os.symlink("nowhere", sheets.folder / "link.toml")
    assert set(sheets.read().faults) == {"binary.toml", "folder.toml", "link.toml"}


def test_nobody_waits_for_a_pipe(tmp_path: Path) -> None:
    sheets = with_files(tmp_path)
    os.mkfifo(sheets.folder / "pipe.toml")
    assert "not a file" in sheets.read().faults["pipe.toml"]


def test_two_files_with_one_name_are_said(tmp_path: Path) -> None:
    sheets = with_files(tmp_path, a=SUNDAY.toml(), b=SUNDAY.toml())
    assert "Sunday rules" in sheets.read().faults["b.toml"]


def test_a_sheet_that_nobody_has_tried_out_is_not_offered(tmp_path: Path) -> None:
    untried: HouseRules = SUNDAY._replace(rolls=None)
    sheets = with_files(tmp_path, mine=untried.toml())
    assert sheets.read().sheets == {"mine": untried}
    assert sheets.read().offered == ()

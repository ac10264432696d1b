"""The rules pages: every clause with its id, readings marked, and docs/ up to date."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from companion.pages.__main__ import main
from companion.pages.rules import rules_pages
from companion.rules import SHEETS
from companion.rules.articles import Sheet
from companion.rules.boards import BOARDS, Board, Mark, Mat
from companion.screens.svg import board_svg

DOCS = Path(__file__).parents[2] / "docs"
PAGES = rules_pages()
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", PAGES)
def test_the_page_in_docs_is_up_to_date(name: str) -> None:
    path = DOCS / name
    assert path.exists(), f"{path} is missing: run make docs"
    assert path.read_text(encoding="utf-8") == PAGES[name], f"{path} is old: run make docs"


def test_docs_have_no_rules_page_that_nobody_writes() -> None:
    found = {str(path.relative_to(DOCS)) for path in (DOCS / "rules").rglob("*") if path.is_file()}
    assert found == set(PAGES)


@pytest.mark.parametrize("sheet", SHEETS.values(), ids=lambda sheet: sheet.id)
def test_a_page_has_every_clause_reading_and_option(sheet: Sheet) -> None:
    page = PAGES[f"rules/{sheet.id}.md"]
    for article in sheet.articles:
        assert page.count(f"**{article.id}**") == 1
        assert article.text in page
        assert not article.reading or f"*Our reading: {article.reading}*" in page
    for option in sheet.options:
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{option.name}`")]
        assert row.split("|")[4].strip() in {article.id for article in sheet.articles}


@pytest.mark.parametrize("board", BOARDS.values(), ids=lambda board: board.name)
def test_a_picture_shows_every_place_where_the_board_has_it(board: Board | Mat) -> None:
    marks: tuple[Mark, ...] = ("globe", "star") if isinstance(board, Board) else ()
    root = ET.fromstring(board_svg(board, marks, title="x", step=10, unit="mm"))
    drawn = {shape.get("data-place"): shape for shape in root if shape.get("data-place")}
    assert set(drawn) == {place.name for place in board.places}
    for place in board.places:
        shape = drawn[place.name]
        if shape.tag == f"{SVG}circle":
            x, y = float(shape.get("cx", "")), float(shape.get("cy", ""))
        else:
            x = float(shape.get("x", "")) + float(shape.get("width", "")) / 2
            y = float(shape.get("y", "")) + float(shape.get("height", "")) / 2
        assert (x, y) == pytest.approx((place.x, place.y))
    assert root.get("width") == f"{(board.grid + 1) * 10}mm"


def test_a_picture_shows_the_marks_that_the_sheet_uses() -> None:
    assert SHEETS["dutch"].marks == ("globe", "star")
    plain = board_svg(SHEETS["pairs"].board, (), title="x")
    marked = board_svg(SHEETS["pairs"].board, SHEETS["pairs"].marks, title="x")
    assert marked.count("<circle") == plain.count("<circle") + 8
    assert PAGES["rules/pictures/dutch.svg"].count("<ellipse") == 8


def test_pages_are_written_into_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 0
    assert (tmp_path / "rules/german.md").read_text(encoding="utf-8") == PAGES["rules/german.md"]
    assert main([str(tmp_path / "nowhere")]) == 2
    assert "which folder" in capsys.readouterr().err

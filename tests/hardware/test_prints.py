"""Prints are true to scale: measured in the PDF itself, sheet by sheet."""

import hashlib
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from hardware import making
from hardware.builds import BUILDS, ROOT
from hardware.overlay import overlay
from hardware.prints import BAR, BLEED, PAPERS, pdf, tiling
from hardware.shapes import Drawing, Rect, Style, line
from hardware.templates import drill, underside
from tests.hardware.paper import Page, Stroke, pages

BOARDS = [name for one in BUILDS for name in one.boards]
SHEETS = [
    *(overlay(name) for name in BOARDS),
    *(drill(one.boards[0]) for one in BUILDS),
    *(underside(one.boards[0]) for one in BUILDS),
]


def bars(page: Page) -> list[Stroke]:
    """The long level lines at the foot of the page; a bar is the only one there."""
    return [
        stroke
        for stroke in page.strokes
        if abs(stroke.y1 - stroke.y2) < 1e-6 and stroke.y1 < 10 and abs(stroke.x2 - stroke.x1) > 20
    ]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("drawing", SHEETS, ids=lambda drawing: drawing.title)
def test_every_sheet_has_a_bar_of_100_mm_inside_the_printable_area(
    drawing: Drawing, paper: str
) -> None:
    sheets = pages(pdf(drawing, paper))
    tiles = tiling(drawing, paper)
    assert len(sheets) == tiles.columns * tiles.rows
    for sheet in sheets:
        assert sorted((sheet.width, sheet.height)) == pytest.approx(sorted(PAPERS[paper]), abs=0.01)
        [bar] = bars(sheet)
        assert bar.x2 - bar.x1 == pytest.approx(100, abs=0.01)
        assert min(bar.x1, bar.y1) >= 5
        assert "must measure 100 mm" in sheet.words


def test_ten_ticks_divide_the_bar() -> None:
    sheet = pages(pdf(overlay("40"), "A3"))[0]
    ticks = sorted(
        stroke.x1
        for stroke in sheet.strokes
        if stroke.x1 == stroke.x2 and 5 < stroke.y1 < 7 and 1 < abs(stroke.y2 - stroke.y1) < 3
    )
    steps = [after - before for before, after in pairwise(ticks)]
    assert steps == [pytest.approx(BAR / 10, abs=0.01)] * 10


def test_a_line_across_a_seam_is_drawn_to_scale_on_both_sheets() -> None:
    """A ruler of 300 mm over two sheets: cut at the marks, the parts make 300 mm again."""
    pen = Style(stroke="#000000", width=0.2)
    drawing = Drawing("ruler", 376, 100, (line((38, 50), (338, 50), pen),))
    tiles = tiling(drawing, "A4")
    assert (tiles.columns, tiles.rows) == (2, 1)
    left, right = pages(pdf(drawing, "A4"))
    rulers = [
        next(s for s in sheet.strokes if abs(abs(s.x2 - s.x1) - 300) < 0.01)
        for sheet in (left, right)
    ]
    edge = (tiles.paper[0] - tiles.width) / 2
    on_left = edge + tiles.width - rulers[0].x1
    on_right = rulers[1].x2 - edge
    assert on_left + on_right == pytest.approx(300, abs=0.01)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("drawing", SHEETS, ids=lambda drawing: drawing.title)
def test_the_sheets_cover_the_whole_drawing_and_their_bleed_stays_on_the_paper(
    drawing: Drawing, paper: str
) -> None:
    tiles = tiling(drawing, paper)
    assert tiles.columns * tiles.width == pytest.approx(drawing.width)
    assert tiles.rows * tiles.height == pytest.approx(drawing.height)
    assert tiles.width + 2 * BLEED <= tiles.paper[0] - 2 * 4
    assert tiles.height + 2 * BLEED <= tiles.paper[1] - 4 - 10


def test_a_board_of_40_is_one_sheet_of_a3_and_the_others_two() -> None:
    sheets = {name: len(pages(pdf(overlay(name), "A3"))) for name in BOARDS}
    assert sheets == {"40": 1, "52": 2, "52-mirrored": 2, "68": 2, "mat": 2}


def test_prints_are_the_same_bytes_in_another_process() -> None:
    program = (
        "import hashlib, hardware.making as m; h = hashlib.sha256()\n"
        "for name, make in m.prints().items(): h.update(name.encode() + make())\n"
        "print(h.hexdigest())"
    )
    there = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    here = hashlib.sha256()
    for name, make in making.prints().items():
        here.update(name.encode() + make())
    assert there.stdout.strip() == here.hexdigest()


def test_a_pdf_holds_no_date_and_no_path(tmp_path: Path) -> None:
    data = pdf(Drawing("plain", 50, 50, (Rect(0, 0, 50, 50, Style(fill="#ffffff")),)), "A4")
    assert b"/home" not in data
    assert str(ROOT).encode() not in data
    assert b"20000101" in data

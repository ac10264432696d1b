"""Prints are true to scale: measured in the PDF itself, sheet by sheet."""

import os
import re
import subprocess
import sys
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import pytest

from hardware import fonts
from hardware.builds import BUILDS, ROOT
from hardware.overlay import overlay
from hardware.prints import BAR, BLEED, MAP, PAPERS, cuts, pdf, tiling
from hardware.shapes import Drawing, Ellipse, Rect, Style, Text, line
from hardware.templates import columns, drill, underside
from tests.hardware.paper import Page, Stroke, pages, streams

BOARDS = [name for one in BUILDS for name in one.boards]
SHEETS = [
    *(overlay(name) for name in BOARDS),
    *(drill(one.boards[0]) for one in BUILDS),
    *(underside(one.boards[0]) for one in BUILDS),
    *(columns(one.boards[0]) for one in BUILDS),
]


@lru_cache
def printed(drawing: Drawing, paper: str) -> list[Page]:
    """The pages of a print; made once for all tests."""
    return pages(pdf(drawing, paper))


def bars(page: Page) -> list[Stroke]:
    """The long level lines at the foot of the page; a bar is the only one there."""
    return [
        stroke
        for stroke in page.strokes
        if abs(stroke.y1 - stroke.y2) < 1e-6 and stroke.y1 < 10 and abs(stroke.x2 - stroke.x1) > 20
    ]


@pytest.mark.parametrize(
    ("drawing", "paper"),
    [
        *((sheet, paper) for sheet in SHEETS for paper in ("A4", "A2")),
        *((overlay("68"), paper) for paper in ("A3", "Letter", "Tabloid")),
    ],
    ids=lambda value: value if isinstance(value, str) else value.title,
)
def test_every_sheet_has_a_bar_of_100_mm_inside_the_printable_area(
    drawing: Drawing, paper: str
) -> None:
    sheets = printed(drawing, paper)
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
    seam = tiles.xs[1]
    on_left = (tiles.paper[0] + seam) / 2 - rulers[0].x1
    on_right = rulers[1].x2 - (tiles.paper[0] - (376 - seam)) / 2
    assert on_left + on_right == pytest.approx(300, abs=0.01)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("drawing", SHEETS, ids=lambda drawing: drawing.title)
def test_the_sheets_cover_the_whole_drawing_and_their_bleed_stays_on_the_paper(
    drawing: Drawing, paper: str
) -> None:
    tiles = tiling(drawing, paper)
    for ends, length in ((tiles.xs, drawing.width), (tiles.ys, drawing.height)):
        assert (ends[0], ends[-1]) == (0, length)
        assert list(ends) == sorted(set(ends))
    for before, after in pairwise(tiles.xs):
        assert after - before + 2 * BLEED <= tiles.paper[0] - 2 * 4
    for before, after in pairwise(tiles.ys):
        assert after - before + 2 * BLEED <= tiles.paper[1] - 4 - 10


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("drawing", SHEETS, ids=lambda drawing: drawing.title)
def test_no_seam_runs_through_a_hole(drawing: Drawing, paper: str) -> None:
    """Two sheets that meet in the middle of a hole cannot be drilled by."""
    tiles = tiling(drawing, paper)
    holes = [
        (shape.x, shape.y)
        for shape in drawing.shapes
        if isinstance(shape, Ellipse) and shape.tag.startswith(("drill", "hole", "cell"))
    ]
    assert holes
    for x, y in holes:
        assert all(abs(x - seam) >= 5 for seam in tiles.xs[1:-1])
        assert all(abs(y - seam) >= 5 for seam in tiles.ys[1:-1])


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("drawing", SHEETS, ids=lambda drawing: drawing.title)
def test_no_seam_runs_through_a_sentence(drawing: Drawing, paper: str) -> None:
    tiles = tiling(drawing, paper)
    for shape in drawing.shapes:
        if isinstance(shape, Text) and " " in shape.text:
            left, upper, right, lower = fonts.box(shape)
            assert not any(left < seam < right for seam in tiles.xs[1:-1]), shape.text
            assert not any(upper < seam < lower for seam in tiles.ys[1:-1]), shape.text


@pytest.mark.parametrize("drawing", SHEETS, ids=lambda drawing: drawing.title)
def test_every_sheet_is_one_page_of_a2_for_the_copy_shop(drawing: Drawing) -> None:
    assert len(printed(drawing, "A2")) == 1


def test_fonts_are_embedded() -> None:
    data = pdf(overlay("40"), "A4")
    assert b"/FontFile2" in data
    assert b"Vera" in data
    used = set(re.findall(rb"/(F\d+(?:\+\d+)?) [\d.]+ Tf", b"".join(streams(data))))
    embedded = set(re.findall(rb"/(F\d+\+\d+) \d+ 0 R", data))
    assert used, "words are written"
    assert used <= embedded


def test_a_little_map_shows_which_part_a_sheet_is() -> None:
    """As many frames as sheets at the foot; another one is filled on each."""
    sheets = [streams_of(n) for n in range(4)]
    filled = []
    for text in sheets:
        frames = re.findall(r"n ([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re (S|B)\b", text)
        small = [frame for frame in frames if float(frame[3]) < MAP]
        assert len(small) == 4
        [own] = [frame[:2] for frame in small if frame[4] == "B"]
        filled.append(own)
    assert len(set(filled)) == 4


def streams_of(page: int) -> str:
    return streams(pdf(drill("52"), "A4"))[page].decode("latin-1")


def test_a_ribbon_of_holes_is_cut_between_them_and_as_evenly_as_can_be() -> None:
    assert cuts(280, 187, [20 + 24 * n for n in range(11)]) == (0, 128, 280)
    assert cuts(100, 187, [50]) == (0, 100)
    assert cuts(300, 110, []) == (0, 100, 200, 300)


def test_a_board_of_40_is_one_sheet_of_a3_and_the_others_two() -> None:
    sheets = {name: len(pages(pdf(overlay(name), "A3"))) for name in BOARDS}
    assert sheets == {"40": 1, "52": 2, "52-mirrored": 2, "68": 2, "68-parchis": 2, "mat": 2}


def test_prints_are_the_same_bytes_in_another_process() -> None:
    """The sheets of one build on two papers, and all that a laser cuts."""
    program = (
        "import hashlib, hardware.making as m; h = hashlib.sha256()\n"
        "for name, make in m.prints().items():\n"
        "    if 'laser' in name or ('-40' in name and ('A4' in name or 'A2' in name)):\n"
        "        h.update(name.encode() + make())\n"
        "print(h.hexdigest())"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("7", "8")
    ]
    assert told[0] == told[1]
    assert len(told[0].strip()) == 64


def test_a_pdf_holds_no_date_and_no_path(tmp_path: Path) -> None:
    data = pdf(Drawing("plain", 50, 50, (Rect(0, 0, 50, 50, Style(fill="#ffffff")),)), "A4")
    assert b"/home" not in data
    assert str(ROOT).encode() not in data
    assert b"20000101" in data

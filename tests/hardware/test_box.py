"""The printed parts: everything fits in every variant, nothing hangs in the air, all is closed."""

import math
import re
from itertools import pairwise
from pathlib import Path

import pytest

from companion.rules.boards import BOARDS, Board
from companion.screens import maps
from hardware import fits, solids
from hardware.builds import ROOT, build
from hardware.magnets import magnet

TEXT = (ROOT / fits.KEPT).read_text(encoding="utf-8")
BOXES = fits.read(TEXT)
EACH = pytest.mark.parametrize("name", BOXES)


def test_the_kept_answers_are_of_the_present_sources_and_of_every_variant() -> None:
    assert TEXT.splitlines()[0] == f"made from {fits.digest()}", "run `make hardware`"
    assert list(BOXES) == [variant.name for variant in fits.VARIANTS]
    assert len(BOXES) == 12


# Collisions


@EACH
def test_no_two_parts_need_the_same_room(name: str) -> None:
    assert fits.clashes(BOXES[name]) == []


def test_a_collision_would_be_found() -> None:
    """The board of a large screen under a nut, a deep button on the Pi, holes in the wall."""
    box = BOXES["zero 0.96 with roll button"]
    board = fits.Part("screen board", "box", (8.0, 25.0, -3.4), (72.0, 43.0, 1.6))
    assert "screen board and nut" in told(box, board)
    deep = fits.Part("roll button", "tube", (70.0, 60.0, -45.0), (28.0, 45.0))
    assert "roll button and Pi" in told(box, deep)
    outside = fits.Part("clip", "box", (0.5, 40.0, -3.0), (9.0, 6.0, 2.0))
    assert "clip and the walls" in told(box, outside)


def told(box: fits.Box, new: fits.Part) -> list[str]:
    """What is found when a part lies elsewhere."""
    rest = [part for part in box.lid if part.name != new.name]
    return fits.clashes(box._replace(lid=[new, *rest]))


@EACH
def test_wires_find_room_below_everything_in_the_lid(name: str) -> None:
    assert min(room for _, room in fits.spare(BOXES[name])) >= 1.0


# Screens


@EACH
def test_the_window_shows_the_whole_picture(name: str) -> None:
    [(x, y, wide, high)] = BOXES[name].told["WINDOW"]
    [(px, py, pwide, phigh)] = BOXES[name].told["PICTURE"]
    edges = (px - x, py - y, x + wide - px - pwide, y + high - py - phigh)
    assert min(edges) >= 1.0


@EACH
def test_the_glass_is_larger_than_the_window_and_screws_keep_off_it(name: str) -> None:
    box = BOXES[name]
    [glass] = [part for part in box.lid if part.name == "screen glass"]
    [(x, y, wide, high)] = box.told["WINDOW"]
    assert glass.low[0] < x
    assert glass.high[0] > x + wide
    assert glass.low[1] < y + 0.5
    assert glass.high[1] > y + high - 0.5
    for sx, sy, _ in box.told["SCREW"]:
        dx = max(glass.low[0] - sx, sx - glass.high[0], 0)
        dy = max(glass.low[1] - sy, sy - glass.high[1], 0)
        assert math.hypot(dx, dy) >= 1.5, "the thread and a wall round it"


def test_the_small_screen_s_picture_lies_where_the_modules_have_it() -> None:
    """1.75 to 1.8 mm above the middle of the board; with 0.7 mm the window cut its top rows."""
    box = BOXES["zero 0.96 without roll button"]
    [board] = [part for part in box.lid if part.name == "screen board"]
    [(_, y, _, high)] = box.told["PICTURE"]
    assert y + high / 2 - (board.low[1] + board.high[1]) / 2 == pytest.approx(1.75, abs=0.06)


# The box itself


def test_webs_between_openings_are_thick_enough_to_print() -> None:
    for name, box in BOXES.items():
        ports = sorted(box.told["PORT"])
        webs = [b - a - (wa + wb) / 2 for (a, wa), (b, wb) in pairwise(ports)]
        assert min(webs) >= 1.5, name


def test_sound_holes_lie_inside_the_buzzer_s_ring() -> None:
    for box in BOXES.values():
        [(outermost, ring)] = box.told["GRILLE"]
        assert outermost < ring


def test_the_guide_and_the_list_tell_how_deep_the_big_button_may_be() -> None:
    box = BOXES["zero 1.3 with roll button"]
    [button] = [part for part in box.lid if part.name == "roll button"]
    for text in (
        (ROOT / "docs/build/build-a.md").read_text(),
        (ROOT / "docs/build/build-b.md").read_text(),
    ):
        [deep] = re.findall(r"tabs end at most (\d+) mm below", text)
        assert float(deep) == button.size[1]
    die = (ROOT / "hardware/enclosure/die.scad").read_text()
    [height] = re.findall(r"^height = ([\d.]+);", die, re.M)
    assert float(height) - 2 * box.wall >= button.size[1] + 6


# What is printed


def lines() -> dict[str, list[str]]:
    rows = (ROOT / solids.MEASURED).read_text(encoding="utf-8").splitlines()[1:]
    return {row.split()[0]: row.split()[1:] for row in rows}


def test_every_solid_was_measured_as_it_is_now_and_no_bridge_is_long() -> None:
    found = lines()
    assert list(found) == [solid.name for solid in solids.SOLIDS]
    for solid in solids.SOLIDS:
        digest, x, _, y, _, z, bridge, grams = found[solid.name]
        assert digest == solids.origin(solid), "run `make hardware`"
        assert max(float(x), float(y), float(z)) <= solids.BED
        assert float(bridge) <= solids.BRIDGE
        assert 0.1 < float(grams) < 250


def test_there_is_a_lid_for_every_screen_and_every_box() -> None:
    names = {solid.name for solid in solids.SOLIDS}
    for variant in fits.VARIANTS:
        assert f"box-{variant.pi}-lid-{variant.oled}{'-roll' if variant.roll else ''}" in names


def plank(path: Path, span: float, both: bool = True) -> Path:
    """A table of two legs, or of one, whose plate hangs at 10 mm; closed."""
    blocks: list[tuple[tuple[float, ...], tuple[float, ...]]] = [
        ((0, 0, 0), (5, 20, 10)),
        ((0, 0, 10), (span + 10, 20, 12)),
    ]
    if both:
        blocks.append(((span + 5, 0, 0), (span + 10, 20, 10)))
    path.write_text("".join(facet for low, high in blocks for facet in block(low, high)))
    return path


def block(low: tuple[float, ...], high: tuple[float, ...]) -> list[str]:
    """The twelve triangles of a block, seen from outside anticlockwise."""
    ends = (low, high)
    corners = [(ends[n & 1][0], ends[n >> 1 & 1][1], ends[n >> 2][2]) for n in range(8)]
    faces = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
    found = []
    for a, b, c, d in faces:
        for face in ((a, b, c), (a, c, d)):
            rows = "".join(f"vertex {' '.join(map(str, corners[n]))}\n" for n in face)
            found.append(rows)
    return found


def test_long_bridges_and_loose_ends_are_found(tmp_path: Path) -> None:
    assert solids.longest_bridge(plank(tmp_path / "a.stl", 15)) == pytest.approx(15, abs=1)
    assert solids.longest_bridge(plank(tmp_path / "b.stl", 60)) == pytest.approx(60, abs=1)
    assert solids.longest_bridge(plank(tmp_path / "c.stl", 15, both=False)) == math.inf
    assert solids.faults(plank(tmp_path / "d.stl", 60)) == [
        "d.stl: a bridge of 60 mm without support"
    ]


# Pawns


def test_pawns_have_the_shapes_of_the_screen_and_the_pocket_of_their_magnet() -> None:
    for one in (build("b"), build("c")):
        which = magnet(one)
        for seat, shape in enumerate(solids.SHAPES):
            name = f"pawn-{one.pawn:g}-{shape}"
            [solid] = [solid for solid in solids.SOLIDS if solid.name == name]
            rows = ast_rows(solid.settings[0])
            drawn = maps.shape(seat, 5)
            assert rows == [
                "".join("#" if drawn.getpixel((x, y)) else "." for x in range(5)) for y in range(5)
            ]
            assert f"magnet=[{which.diameter:g}, {which.thickness:g}]" in solid.settings
            assert which.diameter + 0.2 + 2 * 1.5 <= one.pawn


def ast_rows(setting: str) -> list[str]:
    return re.findall(r'"([#.]{5})"', setting)


def test_no_two_shapes_are_alike() -> None:
    assert len({solids.shape_rows(seat) for seat in range(4)}) == 4


def test_the_page_tells_which_colour_has_which_shape_on_every_board() -> None:
    page = (ROOT / "docs/build/printed-parts.md").read_text(encoding="utf-8")
    for name, board in BOARDS.items():
        if not isinstance(board, Board):
            continue
        [row] = re.findall(rf"^\| {name} \| (.*) \|$", page, re.M)
        cells = [cell.strip() for cell in row.split("|")]
        assert cells == [str(colour) for colour in board.colours], name

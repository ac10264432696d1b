"""The printed parts: everything fits in every variant, nothing hangs in the air, all is closed."""

import math
import re
from itertools import pairwise
from pathlib import Path

import pytest

from companion.rules.boards import BOARDS, Board
from companion.screens import maps, shapes
from hardware import fits, solids
from hardware import stand as card
from hardware.builds import ROOT, build
from hardware.magnets import magnet
from hardware.shapes import Rect

TEXT = (ROOT / fits.KEPT).read_text(encoding="utf-8")
ALL = fits.read(TEXT)
BOXES = {variant.name: ALL[variant.name] for variant in fits.VARIANTS}
STANDS = {name: found for name, found in ALL.items() if name.startswith("stand")}
EACH = pytest.mark.parametrize("name", ALL)
WITH_SCREEN = pytest.mark.parametrize("name", [*BOXES, *STANDS])
OF_STANDS = pytest.mark.parametrize("name", STANDS)


def test_the_kept_answers_are_of_the_present_sources_and_of_every_variant() -> None:
    assert TEXT.splitlines()[0] == f"made from {fits.digest()}", "run `make hardware`"
    assert list(ALL) == [variant.name for variant in fits.EVERY]
    assert len(BOXES) == 12
    assert len(STANDS) == 2


def test_a_source_counts_with_all_that_it_includes() -> None:
    screens = (fits.SOURCES / "screens.scad").read_bytes()
    assert screens in fits.scad("box")
    assert screens in fits.scad("stand")
    assert (fits.SOURCES / "common.scad").read_bytes() in fits.scad("die")


# Collisions


@EACH
def test_no_two_parts_need_the_same_room(name: str) -> None:
    assert fits.clashes(ALL[name]) == []


def test_a_collision_would_be_found() -> None:
    """The board of a large screen under a nut, a deep button on the Pi, holes in the wall."""
    box = BOXES["zero 0.96 with roll button"]
    board = fits.Part("screen board", "box", (8.0, 25.0, -3.4), (72.0, 43.0, 1.6))
    assert "screen board and nut" in told(box, board)
    deep = fits.Part("roll button", "tube", (70.0, 60.0, -45.0), (28.0, 45.0))
    assert "roll button and Pi" in told(box, deep)
    outside = fits.Part("clip", "box", (0.5, 40.0, -3.0), (9.0, 6.0, 2.0))
    assert "clip and the walls" in told(box, outside)


def test_the_first_stand_would_not_have_held_its_plugs() -> None:
    """Its screen was higher, so that the jumpers met the back; and the back had no opening."""
    stand = STANDS["stand 1.3"]
    [plugs] = [part for part in stand.lid if part.name == "screen plugs"]
    x, y, z = plugs.at
    assert "screen plugs and the walls" in told(stand, plugs._replace(at=(x, y + 9, z)))
    closed = stand._replace(told={**stand.told, "OPEN": []})
    assert fits.clashes(closed) == ["plug and the walls", "plug and the walls"]


def told(box: fits.Box, new: fits.Part) -> list[str]:
    """What is found when a part lies elsewhere."""
    rest = [part for part in box.lid if part.name != new.name]
    return fits.clashes(box._replace(lid=[new, *rest]))


@EACH
def test_wires_find_room_below_everything_in_the_lid(name: str) -> None:
    assert min(room for _, room in fits.spare(ALL[name])) >= 1.0


# Screens


@WITH_SCREEN
def test_the_window_shows_the_whole_picture(name: str) -> None:
    [(x, y, wide, high)] = ALL[name].told["WINDOW"]
    [(px, py, pwide, phigh)] = ALL[name].told["PICTURE"]
    edges = (px - x, py - y, x + wide - px - pwide, y + high - py - phigh)
    assert min(edges) >= 1.0


@WITH_SCREEN
def test_the_glass_is_larger_than_the_window_and_screws_keep_off_it(name: str) -> None:
    box = ALL[name]
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


# The stand


@OF_STANDS
def test_the_keypad_s_socket_goes_through_the_slot_of_the_stand(name: str) -> None:
    """Level, for the floor is near: through a wall that leans it needs a higher slot."""
    stand = STANDS[name]
    [(long, high, _)] = stand.told["SLOT"]
    lean = math.radians(90 - stand.tilt)
    assert long >= 5 * 2.54 + 1
    assert high >= SOCKET / math.cos(lean) + stand.wall * math.tan(lean)


SOCKET = 2.6
"""mm: how thick a socket of jumper wires is."""


@OF_STANDS
def test_the_plugs_of_the_pi_go_in_through_the_stand_s_back(name: str) -> None:
    stand = STANDS[name]
    plugs = [part for part in stand.inside if part.name == "plug"]
    [pi] = [part for part in stand.inside if part.name == "Pi"]
    ends = sorted(pi.high[0] - (part.low[0] + part.high[0]) / 2 for part in plugs)
    assert ends == pytest.approx([41.4, 54.0]), "USB and PWR, from the end with the card"
    for part in plugs:
        assert part.low[1] - pi.high[1] <= 2, "its grip begins at the board's edge"
        assert part.high[1] > stand.depth, "and is held from outside"


def test_the_folded_stand_has_room_for_plugs_too() -> None:
    """Front, back and floor make a triangle; the screen's jumpers need 23 mm behind its card."""
    f, b, k = card.FRONT, card.BASE, card.BACK
    turn = math.acos((f * f + b * b - k * k) / (2 * f * b))
    ridge = f * math.cos(turn), f * math.sin(turn)
    rear = (b - ridge[0]) / ridge[1]
    for long in (27.8, 33.7):
        up, deep = card.SCREEN_UP + long / 2, 1.8 + 1.2 + 20
        x = up * math.cos(turn) + deep * math.sin(turn)
        z = up * math.sin(turn) - deep * math.cos(turn)
        assert x <= b - rear * z - 3, "and 3 mm for the bend of the wires"
    [hole] = [s for s in card.card().shapes if isinstance(s, Rect) and s.tag == "plugs"]
    for from_card_end in (41.4, 54.0):
        middle = card.PI_AT[0] + card.PI[0] - from_card_end
        assert hole.x <= middle - 10.6 / 2
        assert middle + 10.6 / 2 <= hole.x + hole.width
    assert hole.y == card.FLAP + card.BASE
    assert hole.height >= 8.5 + 1
    assert b - card.PI_AT[1] - card.PI[1] <= 6, "the plug's grip begins near the back"


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
        for shape in solids.SHAPES:
            name = f"pawn-{one.pawn:g}-{shape}"
            [solid] = [solid for solid in solids.SOLIDS if solid.name == name]
            rows = re.findall(r'"([#.]{5})"', solid.settings[0])
            for colour in solids.colours_of(shape):
                drawn = maps.shape(colour, 5)
                dots = [[drawn.getpixel((x, y)) for x in range(5)] for y in range(5)]
                assert rows == ["".join("#" if dot else "." for dot in row) for row in dots]
            assert f"magnet=[{which.diameter:g}, {which.thickness:g}]" in solid.settings
            assert which.diameter + 0.2 + 2 * 1.5 <= one.pawn


def test_no_two_shapes_are_alike() -> None:
    assert len({solids.shape_rows(shape) for shape in solids.SHAPES}) == 4


def test_the_page_in_the_browser_gives_every_colour_the_same_shape() -> None:
    script = (ROOT / "companion/web/static/board.js").read_text(encoding="utf-8")
    [table] = re.findall(r"const SHAPE_OF = \{(.*?)\};", script)
    told = {colour: int(number) for colour, number in re.findall(r"(\w+): (\d)", table)}
    assert told == shapes.SHAPE_OF
    [drawn] = re.findall(r"const body = \[(.*?)\]\[shape\]", script)
    assert drawn == "square(0.34, 0.1), square(0.34, 0.04), plus(0), plus(Math.PI / 4)"
    assert solids.SHAPES == ("block", "frame", "plus", "cross"), "in this order"


def test_the_page_tells_which_colour_has_which_shape() -> None:
    page = (ROOT / "docs/build/printed-parts.md").read_text(encoding="utf-8")
    for name, board in BOARDS.items():
        if not isinstance(board, Board):
            continue
        for colour in board.colours:
            shape = solids.SHAPES[shapes.SHAPE_OF[colour]]
            [boards] = re.findall(rf"^\| {shape} \| {colour} \| (.*) \|$", page, re.M)
            assert name in boards.split(", ")

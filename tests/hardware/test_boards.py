"""The drawn boards: every place where the engine says, nothing overlaps, marks on their squares."""

import itertools
import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import NamedTuple

import pytest

from companion.rules.boards import BOARDS, Board, Mat
from hardware import fonts, svg
from hardware.builds import BATTEN, BUILDS, FRAME, HOLES, OPTIONS, Build
from hardware.overlay import build_of, overlay
from hardware.shapes import Drawing, Point, Poly, Rect, Text
from hardware.templates import CRADLE, columns, drill, laser, underside

NAMES = [name for one in BUILDS for name in one.boards]


class Drawn(NamedTuple):
    """A tagged shape of an SVG file: its middle and how far it reaches, in mm."""

    x: float
    y: float
    half: float
    square: bool


def drawn(drawing: Drawing, what: str) -> dict[str, Drawn]:
    """The shapes tagged with a word, by what follows it, as they stand in the SVG file."""
    root = ET.fromstring(svg.text_of(drawing))
    assert root.attrib["width"] == f"{drawing.width:g}mm"
    assert root.attrib["viewBox"] == f"0 0 {drawing.width:g} {drawing.height:g}"
    found: dict[str, Drawn] = {}
    for element in root:
        tag = element.attrib.get("data-tag", "")
        if not tag.startswith(what + " "):
            continue
        name = tag.removeprefix(what + " ")
        assert name not in found, f"{tag} is drawn twice"
        get = {key: float(element.attrib[key]) for key in element.attrib if _number(element, key)}
        if element.tag.endswith("ellipse"):
            found[name] = Drawn(get["cx"], get["cy"], get["rx"], False)
        else:
            half = get["width"] / 2
            found[name] = Drawn(get["x"] + half, get["y"] + half, half, True)
    return found


def _number(element: ET.Element, key: str) -> bool:
    return re.fullmatch(r"-?[\d.]+", element.attrib[key]) is not None


def expected(one: Build, x: float, y: float) -> tuple[float, float]:
    """Half a step inside the frame begins the grid; written out here once more, on purpose."""
    return FRAME + one.pitch / 2 + x * one.pitch, FRAME + one.pitch / 2 + y * one.pitch


@pytest.mark.parametrize("name", NAMES)
def test_every_place_and_drill_mark_lies_where_the_engine_says(name: str) -> None:
    one, board = build_of(name), BOARDS[name]
    places = drawn(overlay(name), "place")
    marks = drawn(overlay(name), "drill")
    assert places.keys() == marks.keys() == board.by_name.keys()
    for place in board.places:
        where = pytest.approx(expected(one, place.x, place.y), abs=0.001)
        assert places[place.name][:2] == where
        assert marks[place.name][:2] == where


def gap(a: Drawn, b: Drawn) -> float:
    """How much paper lies between two places; below 0 they overlap."""
    if a.square and b.square:
        return max(abs(a.x - b.x), abs(a.y - b.y)) - a.half - b.half
    if not a.square and not b.square:
        return math.dist(a[:2], b[:2]) - a.half - b.half
    box, ball = (a, b) if a.square else (b, a)
    dx = max(abs(ball.x - box.x) - box.half, 0)
    dy = max(abs(ball.y - box.y) - box.half, 0)
    return math.hypot(dx, dy) - ball.half


@pytest.mark.parametrize("name", NAMES)
def test_no_two_places_overlap_and_all_lie_on_the_sheet(name: str) -> None:
    places = drawn(overlay(name), "place")
    for (first, a), (second, b) in itertools.combinations(places.items(), 2):
        assert gap(a, b) > 0.3, f"{first} and {second}"
    size = build_of(name).size
    for one, place in places.items():
        assert place.half >= 5.5, f"{one} is too small for a pawn"
        assert min(place.x, place.y) - place.half > FRAME - 3
        assert max(place.x, place.y) + place.half < size - FRAME + 3


@pytest.mark.parametrize("name", NAMES)
def test_every_place_shows_its_name(name: str) -> None:
    root = ET.fromstring(svg.text_of(overlay(name)))
    texts = {element.text for element in root if element.tag.endswith("text")}
    assert BOARDS[name].by_name.keys() <= texts


@pytest.mark.parametrize("name", ["52", "52-mirrored"])
def test_globes_and_stars_stand_on_the_squares_that_carry_them(name: str) -> None:
    board, one = BOARDS[name], build_of(name)
    assert isinstance(board, Board)
    root = ET.fromstring(svg.text_of(overlay(name)))
    globes, stars = set(), set()
    for element in root:
        if element.tag.endswith("ellipse") and element.attrib["rx"] != element.attrib["ry"]:
            globes.add((float(element.attrib["cx"]), float(element.attrib["cy"])))
        if element.tag.endswith("polygon") and element.attrib["fill"] == "#e9c46a":
            points = [
                tuple(map(float, pair.split(","))) for pair in element.attrib["points"].split()
            ]
            stars.add(
                tuple(round(sum(axis) / len(points), 1) for axis in zip(*points, strict=True))
            )
    for mark, seen in (("globe", globes), ("star", stars)):
        explained = {point for point in seen if point[1] < FRAME}
        assert len(explained) == 1, f"the frame tells once what a {mark} is"
        seen -= explained
        squares = [board.places[index] for index in board.marked(mark)]  # type: ignore[arg-type]
        wanted = [expected(one, place.x, place.y) for place in squares]
        assert sorted(seen) == [pytest.approx(point, abs=0.1) for point in sorted(wanted)]


def test_both_prints_of_build_b_fit_the_same_holes() -> None:
    plain = {mark[:2] for mark in drawn(overlay("52"), "drill").values()}
    mirrored = {mark[:2] for mark in drawn(overlay("52-mirrored"), "drill").values()}
    assert plain == mirrored
    assert len(plain) == 104


@pytest.mark.parametrize("one", BUILDS, ids=lambda one: one.key)
def test_templates_drill_where_the_board_is_printed(one: Build) -> None:
    name = one.boards[0]
    middles = {place: mark[:2] for place, mark in drawn(overlay(name), "drill").items()}
    for option in one.options:
        holes = drawn(laser(name, option), f"hole {option}")
        assert {place: hole[:2] for place, hole in holes.items()} == middles
        assert {hole.half for hole in holes.values()} == {HOLES[option] / 2}
        on_paper = drawn(drill(name), f"hole {option}")
        assert {place: hole[:2] for place, hole in on_paper.items()} == middles
    for side in (underside, columns):
        below = drawn(side(name), "cell")
        assert {place: (one.size - cell.x, cell.y) for place, cell in below.items()} == {
            place: pytest.approx(middle, abs=0.001) for place, middle in middles.items()
        }


@pytest.mark.parametrize("one", BUILDS, ids=lambda one: one.key)
def test_holes_leave_wood_between_them_and_the_plate_fits_its_panel(one: Build) -> None:
    spots = [mark[:2] for mark in drawn(overlay(one.boards[0]), "drill").values()]
    nearest = min(math.dist(a, b) for a, b in itertools.combinations(spots, 2))
    widest = max(HOLES[option] for option in OPTIONS)
    assert nearest - widest >= 5
    assert one.size <= one.panel
    # Under the edge runs the frame; a switch's case (6 mm) or a blob of glue lies beside its hole.
    edge = min(min(x, y, one.size - x, one.size - y) for x, y in spots)
    assert edge - widest / 2 >= BATTEN + 4


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_a_place_lies_inside_it(name: str) -> None:
    drawing = overlay(name)
    places = drawn(drawing, "place")
    texts = {s.text: s for s in drawing.shapes if isinstance(s, Text) and s.text in places}
    assert texts.keys() == places.keys()
    for which, place in places.items():
        left, upper, right, lower = fonts.box(texts[which])
        for x, y in ((left, upper), (right, upper), (left, lower), (right, lower)):
            if place.square:
                inside = max(abs(x - place.x), abs(y - place.y)) < place.half
            else:
                inside = math.dist((x, y), place[:2]) < place.half
            assert inside, f"{which} sticks out"


@pytest.mark.parametrize("name", NAMES)
def test_words_in_the_frame_fit_between_the_screws_and_touch_nothing(name: str) -> None:
    one = build_of(name)
    for drawing in (overlay(name), drill(one.boards[0])):
        boxes = [fonts.box(shape) for shape in drawing.shapes if isinstance(shape, Text)]
        edge = [box for box in boxes if box[1] < FRAME or box[3] > one.size - FRAME]
        assert edge
        for box in edge:
            assert box[0] >= FRAME
            assert box[2] <= one.size - FRAME
            assert box[1] > 0.5
            assert box[3] < one.size - 0.5
        for a, b in itertools.combinations(edge, 2):
            assert a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]


SIDES = pytest.mark.parametrize("side", [underside, columns], ids=["rows", "columns"])
EACH = pytest.mark.parametrize("one", BUILDS, ids=lambda one: one.key)


@SIDES
@EACH
def test_no_wire_on_the_wiring_side_runs_over_a_place_of_another_wire(
    one: Build, side: Callable[[str], Drawing]
) -> None:
    drawing = side(one.boards[0])
    cells = drawn(drawing, "cell")
    what, which = ("row", 0) if side is underside else ("column", 1)
    own = {name: f"{what} {cell[which] + 1}" for name, cell in one.cells.items()}
    wires = [s for s in drawing.shapes if isinstance(s, Poly) and s.tag.startswith(f"{what} ")]
    assert {wire.tag for wire in wires} == set(own.values())
    for wire in wires:
        for name, cell in cells.items():
            if own[name] != wire.tag:
                pieces = itertools.pairwise(wire.points)
                assert min(apart(cell[:2], *piece) for piece in pieces) > 1.5, f"{wire.tag}, {name}"


@SIDES
@EACH
def test_the_wires_of_a_row_or_column_join_all_its_places(
    one: Build, side: Callable[[str], Drawing]
) -> None:
    drawing = side(one.boards[0])
    what, which = ("row", 0) if side is underside else ("column", 1)
    cells = drawn(drawing, "cell")
    wires = [s for s in drawing.shapes if isinstance(s, Poly) and s.tag.startswith(f"{what} ")]
    for number in range(one.shape[which]):
        waiting = {cells[n][:2] for n, cell in one.cells.items() if cell[which] == number}
        ends = [
            (wire.points[0], wire.points[-1])
            for wire in wires
            if wire.tag == f"{what} {number + 1}"
        ]
        reached = {waiting.pop()}
        while more := {
            there
            for a, b in ends
            for here, there in ((a, b), (b, a))
            if near(here, reached) and not near(there, reached)
        }:
            reached |= more
        assert all(near(place, reached) for place in waiting)


def near(point: Point, points: set[Point]) -> bool:
    return any(math.dist(point, other) < 0.01 for other in points)


@SIDES
@EACH
def test_nothing_on_the_wiring_side_lies_under_the_battens_or_on_something_else(
    one: Build, side: Callable[[str], Drawing]
) -> None:
    drawing = side(one.boards[0])
    cells = drawn(drawing, "cell")
    legend = [s for s in drawing.shapes if isinstance(s, Text) and s.tag == "legend"]
    what, pins = ("row", one.row_pins) if side is underside else ("column", one.column_pins)
    named = [words for s in legend if (words := re.match(rf"{what} \d+: ", s.text))]
    assert len(named) == len(pins)
    for shape in drawing.shapes:
        if isinstance(shape, Text):
            edges = fonts.box(shape)
            assert min(edges) > BATTEN, shape.text
            assert max(edges) < one.size - BATTEN, shape.text
        if isinstance(shape, Poly):
            assert min(min(point) for point in shape.points) > BATTEN
            assert max(max(point) for point in shape.points) < one.size - BATTEN
    boxes = [fonts.box(text) for text in legend]
    wires = [s for s in drawing.shapes if isinstance(s, Poly) and s.tag.startswith(f"{what} ")]
    for left, upper, right, lower in boxes:
        spots = [(left + (right - left) * n / 8, (upper + lower) / 2) for n in range(9)]
        for wire in wires:
            for piece in itertools.pairwise(wire.points):
                assert min(apart(spot, *piece) for spot in spots) > 0.8, wire.tag
    for a, b in itertools.combinations(boxes, 2):
        assert a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]
    for left, upper, right, lower in boxes:
        for cell in cells.values():
            dx = max(left - cell.x, cell.x - right, 0)
            dy = max(upper - cell.y, cell.y - lower, 0)
            assert math.hypot(dx, dy) > cell.half


@SIDES
@pytest.mark.parametrize("one", [one for one in BUILDS if one.pico], ids=lambda one: one.key)
def test_the_pico_s_cradle_has_a_place_of_its_own_and_its_plug_has_room(
    one: Build, side: Callable[[str], Drawing]
) -> None:
    drawing = side(one.boards[0])
    [cradle] = [s for s in drawing.shapes if isinstance(s, Rect) and s.tag == "cradle"]
    assert (cradle.width, cradle.height) == CRADLE == (66, 21)
    assert cradle.x - BATTEN >= 35, "a plug, and its cable bent down to the notch"
    assert cradle.y + cradle.height < one.size - BATTEN
    spots = [
        (cradle.x + cradle.width - along, cradle.y + down)
        for along in range(0, int(cradle.x + cradle.width - BATTEN), 3)
        for down in range(0, 22, 3)
    ]
    for cell in drawn(drawing, "cell").values():
        assert min(math.dist(spot, (cell.x, cell.y)) for spot in spots) > cell.half + 4
    wires = [s for s in drawing.shapes if isinstance(s, Poly) and s.tag]
    for wire in wires:
        for piece in itertools.pairwise(wire.points):
            assert min(apart(spot, *piece) for spot in spots) > 2, wire.tag
    for text in (s for s in drawing.shapes if isinstance(s, Text) and s.tag == "legend"):
        left, upper, right, lower = fonts.box(text)
        assert not any(left < x < right and upper < y < lower for x, y in spots), text.text


def apart(point: tuple[float, float], start: Point, end: Point) -> float:
    """How far a point is from a straight line between two others."""
    line = complex(end[0] - start[0], end[1] - start[1])
    seen = complex(point[0] - start[0], point[1] - start[1]) / line  # the line is now 0 to 1
    along = min(1.0, max(0.0, seen.real))
    return abs((seen - along) * line)


def test_there_is_a_build_for_every_board() -> None:
    assert sorted(NAMES) == sorted(BOARDS)
    assert isinstance(BOARDS["mat"], Mat)

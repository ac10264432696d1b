"""The drawn boards: every place where the engine says, nothing overlaps, marks on their squares."""

import itertools
import math
import re
import xml.etree.ElementTree as ET
from typing import NamedTuple

import pytest

from companion.rules.boards import BOARDS, Board, Mat
from hardware import svg
from hardware.builds import BUILDS, FRAME, HOLES, OPTIONS, Build
from hardware.overlay import build_of, overlay
from hardware.shapes import Drawing
from hardware.templates import drill, laser, underside

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
    below = drawn(underside(name), "cell")
    assert {place: (one.size - cell.x, cell.y) for place, cell in below.items()} == {
        place: pytest.approx(middle, abs=0.001) for place, middle in middles.items()
    }


@pytest.mark.parametrize("one", BUILDS, ids=lambda one: one.key)
def test_holes_leave_wood_between_them_and_the_plate_fits_its_panel(one: Build) -> None:
    spots = [mark[:2] for mark in drawn(overlay(one.boards[0]), "drill").values()]
    nearest = min(math.dist(a, b) for a, b in itertools.combinations(spots, 2))
    assert nearest - HOLES[max(OPTIONS, key=lambda option: HOLES[option])] >= 5
    assert one.size <= one.panel


def test_there_is_a_build_for_every_board() -> None:
    assert sorted(NAMES) == sorted(BOARDS)
    assert isinstance(BOARDS["mat"], Mat)

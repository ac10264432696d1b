"""Magnets close their own reed from anywhere on the square, and no other; if their poles agree."""

import itertools
import math
import re

import pytest

from hardware import magnets
from hardware.builds import ROOT, build
from hardware.magnets import BEST, CLOSES, SILENT, STANDING, WORST, Magnet

EACH = pytest.mark.parametrize("key", ["a", "b", "c"])
PLATES = pytest.mark.parametrize("plate", [4.5, 5.0, 5.5])
"""mm: what is sold as 5 mm."""


@EACH
@PLATES
def test_one_pawn_anywhere_on_its_square_and_two_side_by_side_close_the_worst_reed(
    key: str, plate: float
) -> None:
    one = build(key)
    assert len(list(magnets.alone(one))) == 81
    assert magnets.closes(one, plate=plate) >= CLOSES * WORST


@EACH
@PLATES
def test_pawns_on_the_next_square_do_not_reach_the_best_reed(key: str, plate: float) -> None:
    assert magnets.reaches(build(key), plate) <= SILENT * BEST


@EACH
def test_one_turned_magnet_blinds_a_square_with_two_pawns(key: str) -> None:
    one = build(key)
    for poles in ((1, -1), (-1, 1)):
        assert magnets.beside(one, poles) < 0.1
        assert magnets.closes(one, poles) < BEST
    for poles in ((1, 1), (-1, -1)):
        assert magnets.beside(one, poles) >= CLOSES * WORST


@EACH
def test_full_neighbours_neither_close_an_empty_place_nor_hide_a_pawn(key: str) -> None:
    one = build(key)
    assert magnets.crowd(one, 8) < BEST
    assert magnets.closes(one) - magnets.crowd(one, 8) > WORST


@EACH
def test_round_places_keep_a_pawn_as_near_its_cross_as_squares_do(key: str) -> None:
    one = build(key)
    assert magnets.stray(one) <= magnets.slack(one) * math.sqrt(2)


@EACH
def test_the_lightest_printed_pawn_is_as_heavy_as_we_count_with(key: str) -> None:
    one = build(key)
    lines = (ROOT / "hardware/enclosure/solids.txt").read_text().splitlines()
    shapes = [line.split() for line in lines if line.startswith(f"pawn-{one.pawn:g}-")]
    grams = [float(words[-1]) for words in shapes if not words[0].endswith("-jig")]
    assert len(grams) == 4
    assert min(grams) >= magnets.GRAMS[one.pawn]


@EACH
def test_two_pawns_stay_within_reach_though_their_magnets_push(key: str) -> None:
    """At rest they still close their reed (`pairs` counts that), and stand inside the pitch."""
    one = build(key)
    assert one.pawn <= magnets.apart(one) <= one.pitch - one.pawn / 2
    gaps = {round(math.dist(*pair), 6) for pair in magnets.pairs(one)}
    assert max(gaps) == pytest.approx(magnets.apart(one))


def test_the_size_of_before_was_blind_at_a_corner() -> None:
    """4 x 2 mm, which the lists named once."""
    one, small = build("b"), Magnet(4, 2)
    corner = (magnets.slack(one), magnets.slack(one))
    assert magnets.together(small, [corner]) < WORST


@EACH
def test_papers_name_the_same_magnet_and_the_same_pole(key: str) -> None:
    one = build(key)
    page = (ROOT / f"docs/build/{one.stem}.md").read_text()
    assert f"Magnet disc {magnets.magnet(one)}, N35" in page
    assert "same pole down" in page
    for name in ("guide", "electrics", "troubleshooting"):
        text = re.sub(r"\s+", " ", (ROOT / f"docs/build/{name}.md").read_text())
        assert "pole" in text
        assert not re.search(r"[Ww]hich(ever)? pole (is )?down does not matter", text)
        assert "4 x 2 mm" not in text
        assert "whichever pole is down" not in text


def test_the_page_s_table_has_the_margins() -> None:
    one = build("b")
    page = (ROOT / "docs/build/build-b.md").read_text().partition("## Magnets")[2]
    cells = dict(re.findall(r"^\| (.*?) \| ([\d.]+) \|", page, re.M))
    assert float(cells["two side by side, at worst"]) >= CLOSES * WORST
    assert float(cells["pawns on the next square, at most"]) <= SILENT * BEST
    alone = float(cells["one pawn anywhere on its square, at worst"])
    assert alone == pytest.approx(magnets.closes(one), abs=0.06)


# The calculation itself


def test_straight_below_it_agrees_with_the_field_added_up_along_the_reed() -> None:
    """On the axis the field of a disc is known exactly; its sum along the iron is the pull."""
    disc, steps = Magnet(5, 3), 4000
    length = (STANDING.lower - STANDING.upper) / steps

    def field(z: float) -> float:
        """A/mm straight below."""
        far, radius = z + disc.thickness, disc.diameter / 2
        part = far / math.hypot(far, radius) - z / math.hypot(z, radius)
        return magnets.REMANENCE / magnets.MU0 / 2 * part * 1e-3

    total = sum(field(STANDING.upper + (n + 0.5) * length) * length for n in range(steps))
    assert magnets.pull(disc, 0.0) == pytest.approx(total, rel=0.01)


def test_far_away_it_agrees_with_a_dipole() -> None:
    disc, aside = Magnet(4, 3), 60.0

    def potential(depth: float) -> float:
        middle = depth + disc.thickness / 2
        return disc.moment * middle / (4 * math.pi * math.hypot(aside, middle) ** 3) * 1e6

    wanted = potential(STANDING.upper) - potential(STANDING.lower)
    assert magnets.pull(disc, aside) == pytest.approx(wanted, rel=0.01)


def test_turning_every_magnet_changes_nothing() -> None:
    one = build("c")
    for pawns in itertools.islice(magnets.pairs(one), 20):
        there = magnets.together(magnets.magnet(one), pawns, (1, 1))
        back = magnets.together(magnets.magnet(one), pawns, (-1, -1))
        assert there == pytest.approx(-back)

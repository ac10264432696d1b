"""The guide tells what builders ask: which legs, which way up, with what, and what if not."""

import re

import pytest

from hardware import bom, first
from hardware.builds import BUILDS, ROOT
from hardware.figures import cell
from hardware.shapes import Text


def text(name: str) -> str:
    """A page as one line, so that line breaks do not matter."""
    page = (ROOT / "docs" / "build" / f"{name}.md").read_text(encoding="utf-8")
    return re.sub(r"\s+", " ", page)


def test_it_tells_which_legs_of_a_tact_switch() -> None:
    words = " ".join(shape.text for shape in cell().shapes if isinstance(shape, Text))
    assert "Take two that are diagonal" in words
    assert "**diagonal**" in text("guide")
    assert "diagonal legs" in text("troubleshooting")


def test_it_shows_how_a_jumper_meets_a_lug_a_tab_and_a_leg() -> None:
    assert "pictures/joints.svg" in text("guide")
    picture = (ROOT / "docs/build/pictures/joints.svg").read_text(encoding="utf-8")
    for what in ("on a pin", "on a lug", "on a tab", "on a leg"):
        assert what in picture


@pytest.mark.parametrize("one", BUILDS, ids=lambda one: one.key)
def test_every_build_shows_header_parts_and_both_wiring_sides(one: object) -> None:
    stem, name = one.stem, one.boards[0]  # type: ignore[attr-defined]
    page = (ROOT / f"docs/build/{stem}.md").read_text(encoding="utf-8")
    for picture in (f"pins-{stem}-board", f"underside-{name}", f"columns-{name}"):
        assert f"pictures/{picture}.svg" in page
    assert re.search(r"pictures/parts-build-\w-box\.svg", page)


def test_it_says_which_side_of_a_pico_is_up() -> None:
    guide = text("guide")
    assert "**chip up**" in guide, "in the die"
    assert "**chip down, pins towards you**" in guide, "under the board"
    assert "print side up" not in guide


def test_it_names_no_address_that_is_none() -> None:
    for name in ("guide", "build-0"):
        assert "ADDRESS" not in text(name)
        assert "git clone" not in text(name)
        assert "USER@ludo.local:" in text(name)
    assert "scp ludo-companion_*_arm64.deb USER@ludo.local:" in text("build-0")


def test_dim_green_lights_and_turned_diodes_have_their_symptom() -> None:
    trouble = text("troubleshooting")
    assert "| the green light is dim |" in trouble
    assert "| a turned diode |" in trouble
    assert "**a turned diode**" in text("guide")
    assert "much dimmer" in text("guide")


def test_four_players_are_told_to_buy_a_larger_screen() -> None:
    assert '**For four players 1.3" or larger.**' in text("README")
    assert 'Four at a table? Take the 1.3" screen' in text("build-0")
    for stem in ("build-a", "build-b", "build-c"):
        assert 'OLED screen 128x64, I2C, 1.3"' in text(stem)


@pytest.mark.parametrize("one", BUILDS, ids=lambda one: one.key)
def test_lists_have_consumables_and_a_cover_and_pages_name_the_tools(one: object) -> None:
    page = text(one.stem)  # type: ignore[attr-defined]
    assert "Solder 1 mm, heat-shrink" in page
    assert "cover under the wires" in page
    for tool in ("soldering iron", "wire stripper", "multimeter", "hot glue gun", "fine saw"):
        assert tool in page


def test_hall_sensors_are_not_offered_and_it_says_so() -> None:
    assert "Hall sensors are not offered" in text("electrics")
    for one in BUILDS:
        assert "hall" not in text(one.stem).lower()
        assert "hall" not in (ROOT / f"hardware/bom/{one.stem}.csv").read_text().lower()


def test_what_build_0_says_is_used_again_is_in_the_larger_lists() -> None:
    """Keypad, stand and its wires are not; `everything` was promised once."""
    again = "Pi, card, supply and screen are used again"
    assert again in text("build-0")
    assert again in text("README")
    used = [line.part for line in first.lines()][:4]
    assert [words.split()[0] for words in used] == ["Raspberry", "microSD", "Power", "OLED"]
    for one in BUILDS:
        if one.key != "mat":
            assert set(used) <= {line.part for line in bom.lines(one)}, one.key


def test_build_0_needs_no_file_that_must_be_made_first() -> None:
    page = (ROOT / "docs/build/build-0.md").read_text(encoding="utf-8")
    for paper in ("A4", "Letter"):
        assert f"(sheets/stand-{paper}.pdf)" in page


def test_it_tells_how_the_firmware_s_file_comes_onto_the_pi() -> None:
    assert "scp RPI_PICO.uf2 USER@ludo.local:" in text("guide")
    assert "companion flash die --uf2 RPI_PICO.uf2" in text("guide")

"""Care for the panel: it dims, moves its picture, goes dark, and wakes."""

import pytest

from companion.defaults import SETTINGS
from companion.screens.care import LEVELS, Care, Glow, shifted
from companion.screens.pictures import picture
from companion.screens.samples import samples

CARE = Care(dim_after=10, dark_after=100, shift_every=20)


def test_a_panel_in_use_glows_as_the_menu_says() -> None:
    assert [CARE.glow(0, level) for level in (1, 4)] == [Glow(LEVELS[1]), Glow(LEVELS[4])]
    assert set(LEVELS) == set(SETTINGS["brightness"])
    assert sorted(LEVELS.values()) == list(LEVELS.values())


def test_after_a_while_it_is_dim_and_later_dark() -> None:
    assert CARE.glow(9.9).level == LEVELS[3]
    assert 0 < CARE.glow(10).level < LEVELS[1] + 10
    assert CARE.glow(10, 1).level > 0
    assert CARE.glow(99.9).level > 0
    assert CARE.glow(100) == Glow(0)


def test_any_event_wakes_it() -> None:
    assert CARE.glow(5000).level == 0
    assert CARE.glow(0).level == LEVELS[3]


def test_while_it_rests_no_pixel_glows_in_one_place_for_long() -> None:
    shifts = [CARE.glow(idle).shift for idle in (10, 30, 50, 70)]
    assert len(set(shifts)) == 4
    assert CARE.glow(0).shift == (0, 0)


@pytest.mark.parametrize("care", [CARE, Care()])
def test_it_says_when_it_changes_next(care: Care) -> None:
    idle, glows = 0.0, [care.glow(0)]
    while (later := care.next_change(idle)) is not None:
        assert later > idle
        assert care.glow((idle + later) / 2) == glows[-1]
        idle = later
        glows.append(care.glow(idle))
    assert idle == care.dark_after
    assert glows[-1].level == 0


def test_a_moved_picture_is_the_same_one_pixel_on() -> None:
    image = picture(samples("german")["roll"])
    assert shifted(image, (0, 0)) is image
    moved = shifted(image, (1, 1))
    assert moved.crop((1, 1, 128, 64)).tobytes() == image.crop((0, 0, 127, 63)).tobytes()
    assert moved.crop((0, 0, 1, 64)).getbbox() is None
    assert moved.crop((0, 0, 128, 1)).getbbox() is None

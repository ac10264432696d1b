"""The tones: each occasion has its own, and none is heard when the volume is off."""

from itertools import pairwise
from typing import get_args

from companion.defaults import SETTINGS
from companion.referee import SoundName
from companion.screens.sounds import PATTERNS, loudness, pattern


def test_every_occasion_has_tones_of_its_own() -> None:
    assert set(PATTERNS) == set(get_args(SoundName))
    assert len(set(PATTERNS.values())) == len(PATTERNS)


def test_occasions_differ_by_more_than_a_little() -> None:
    """Roll and notice are single tones of different height; all others differ in their course."""
    courses = {tone: tuple(hertz for hertz, _ in tones) for tone, tones in PATTERNS.items()}
    assert len(set(courses.values())) == len(courses)
    assert max(courses["illegal"]) < 400 < min(courses["accepted"])


def test_a_buzzer_can_play_them_and_nobody_waits_long() -> None:
    for tones in PATTERNS.values():
        assert all(hertz == 0 or 100 <= hertz <= 4000 for hertz, _ in tones)
        assert all(seconds > 0.04 for _, seconds in tones)
        assert sum(seconds for _, seconds in tones) < 1


def test_volume_off_is_silent() -> None:
    assert pattern("win", 0) == ()
    assert pattern("win", 1) == PATTERNS["win"]


def test_every_volume_of_the_menu_is_louder_than_the_one_before() -> None:
    shares = [loudness(volume) for volume in SETTINGS["volume"]]
    assert shares[0] == 0
    assert shares[-1] == 1
    assert all(quiet < loud for quiet, loud in pairwise(shares))

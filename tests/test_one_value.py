"""One value for one thing: what two parts say of the same thing cannot diverge."""

import inspect
import re
from pathlib import Path

import pytest

from companion import web
from companion.bench.health import Health
from companion.config import Config
from companion.daemon import voice
from companion.events import Reading, Snapshot
from companion.referee import DEFAULTS, SETTINGS, Referee, Times, View
from companion.referee.sensors import Sensors
from companion.screens import sounds
from companion.table import buttons, debounce, die, matrix, sounder, speech
from firmware import keys
from firmware.die import die as firmware_die


def flickers_in_a_game(gap: float, changes: int) -> bool:
    sensors = Sensors(Times())
    for n in range(changes):
        sensors.set("1", n % 2 == 0, n * gap)
    return sensors.flickers("1", (changes - 1) * gap)


def flickers_on_the_bench(gap: float, changes: int) -> bool:
    health = Health(["1"])
    health.take(Snapshot(frozenset()), 0.0)
    for n in range(changes):
        health.take(Reading("1", n % 2 == 0), n * gap)
    return health.flickering == ["1"]


@pytest.mark.parametrize("gap", [0.01, 0.04, 0.06, 0.3, 0.5, 0.545, 0.546, 0.7])
@pytest.mark.parametrize("changes", [2, 11, 12, 13, 40])
def test_the_doctor_calls_flicker_what_the_game_sets_aside(gap: float, changes: int) -> None:
    assert flickers_on_the_bench(gap, changes) == flickers_in_a_game(gap, changes)


def test_a_flickering_sensor_is_found_before_it_keeps_a_board_from_settling() -> None:
    times = Times()
    assert times.flickers * times.settle <= times.flicker


def test_what_nobody_has_set_is_what_the_referee_begins_with() -> None:
    view = Referee(sensing="choose").view
    assert set(DEFAULTS) == set(SETTINGS)
    for name, value in DEFAULTS.items():
        assert value in SETTINGS[name]
        assert View(phase="idle").setting(name) == view.setting(name) == value


@pytest.mark.parametrize(
    "heard",
    [sounds.pattern, sounds.loudness, sounder.GpioSounder, speech.Voice.say, voice.Speaks.say],
)
def test_nobody_who_makes_a_sound_has_a_volume_of_its_own(heard: object) -> None:
    """It is the menu's, of what the configuration lets the buzzer be at most."""
    volume = inspect.signature(heard).parameters["volume"]  # type: ignore[arg-type]
    assert volume.default is inspect.Parameter.empty
    assert 0 < Config().sounds.volume <= 1


def test_a_switch_comes_to_rest_at_the_pi_as_on_a_pico() -> None:
    assert inspect.signature(buttons.Key).parameters["debounce"].default * 1000 == keys.QUIET
    assert debounce.DEBOUNCE * 1000 == keys.QUIET
    assert matrix.EARLY * debounce.DEBOUNCE < matrix.INTERVAL <= debounce.DEBOUNCE


def test_the_form_asks_for_names_as_long_as_it_is_told() -> None:
    form = (Path(web.__file__).parent / "static" / "form.js").read_text(encoding="utf-8")
    assert re.findall(r"name:\$\{colour\}`, maxlength: (\w+)", form) == ["longestName"]


def test_the_pi_draws_as_the_die_does() -> None:
    assert die.draw is firmware_die.draw

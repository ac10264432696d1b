"""Stuck and flickering sensors are told from hands."""

from companion.bench.health import Health
from companion.events import Pressed, Reading, Snapshot


def test_a_place_that_changes_faster_than_a_hand_flickers() -> None:
    health = Health(["1", "2"])
    health.take(Snapshot(frozenset()), 0.0)
    for n in range(12):
        health.take(Reading("1", n % 2 == 0), 1 + n * 0.1)
    for n in range(12):
        health.take(Reading("2", n % 2 == 0), 10 + n * 0.6)
    assert health.flickering == ["1"]


def test_a_place_that_is_always_on_is_unmoved_until_it_has_been_off() -> None:
    health = Health(["1", "2", "3"])
    health.take(Snapshot(frozenset({"1", "2"})), 0.0)
    health.take(Reading("2", False), 1.0)
    health.take(Pressed("ok"), 2.0)
    assert health.unmoved == ["1"]
    assert health.unseen == ["3"]
    health.take(Reading("1", False), 3.0)
    health.take(Reading("1", True), 4.0)
    assert health.unmoved == []


def test_a_repeated_reading_is_no_change() -> None:
    health = Health(["1"])
    for n in range(50):
        health.take(Reading("1", True), n / 100)
        health.take(Snapshot(frozenset({"1"})), n / 100)
    assert health.flickering == []

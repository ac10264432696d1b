"""The power budget of a build: what each part draws from the 5 V supply, and from the pins.

Typical figures of data sheets and of the Pi's documentation, rounded up; nothing here was
measured on a built table.
"""

from typing import NamedTuple

from hardware.builds import Build
from hardware.wiring import BUZZER_OHMS, LED_OHMS

VOLTS = 3.3
PULL_UP = 50_000  # ohm, inside Pi and Pico
RED, GREEN = 2.0, 2.1  # V across a lit LED
PIN_LIMIT = 12.0  # mA from one pin, kept by the Pi's and the Pico's default drive strength
PINS_LIMIT = 50.0  # mA from all pins together
SUPPLY = 2500.0  # mA at 5 V: what the supply in the list of parts gives


class Draw(NamedTuple):
    """What one thing draws, in mA: ordinarily, at most, and the most from a single pin."""

    what: str
    typical: float
    peak: float
    pin: float = 0.0


def led(volts: float) -> float:
    """The current of an LED behind its resistor, in mA."""
    return (VOLTS - volts) / LED_OHMS * 1000


def draws(one: Build) -> list[Draw]:
    """Everything that draws current, the largest first."""
    found = [Draw("Raspberry Pi Zero 2 W", 180, 600), Draw("screen", 12, 25)]
    if one.pico:
        found.append(Draw("Pico under the board", 25, 60))
        found.append(Draw("USB hub", 30, 60))
    if one.serial_die:
        found.append(Draw("Pico in the die", 25, 60))
        found.append(Draw("seven pips", 3 * led(RED), 7 * led(RED), led(RED)))
    found += [
        Draw("green light", led(GREEN) / 4, led(GREEN), led(GREEN)),
        Draw("red light", led(RED) / 4, led(RED), led(RED)),
        Draw("buzzer", 0.5, 5, VOLTS / (BUZZER_OHMS + 300) * 1000),
        matrix(one),
    ]
    return found


def matrix(one: Build) -> Draw:
    """The matrix: pull-ups of one row at a time; the row's pin sinks them all."""
    pull_ups = one.shape[1] * VOLTS / PULL_UP * 1000
    return Draw("matrix", pull_ups / 2, pull_ups, pull_ups)


def lights(one: Build) -> Draw:
    """The optional chain of WS2812 lights: 1 mA each when dark, 2 mA more when lit green."""
    count = one.shape[0] * 16
    return Draw(f"{count} WS2812 lights (not in the list of parts)", count * 1.2, count * 3)


def total(found: list[Draw]) -> tuple[float, float]:
    """Typical and peak current from the 5 V supply."""
    return sum(draw.typical for draw in found), sum(draw.peak for draw in found)

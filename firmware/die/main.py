"""The die's pins and loop; goes onto the Pico as `main.py`."""

import os
import time

from machine import Pin

from firmware.die.die import Die
from firmware.pico import Console, boot, run, unit
from firmware.port import Port

BUTTON = 14  # big button to ground
SHAKE = 15  # shake or tilt switch to ground; leave it open if there is none
PIPS = (2, 3, 4, 5, 6, 7, 8)  # LEDs: two above, three across the middle, two below


class Shakes:
    """Counts the shake switch's edges in its interrupt: they are too short to be polled."""

    def __init__(self, pin):
        self.count = 0
        self.taken = 0
        pin.irq(self._edge, Pin.IRQ_FALLING | Pin.IRQ_RISING)

    def _edge(self, pin):
        self.count = (self.count + 1) & 0xFFFF

    def take(self):
        """Edges since last asked."""
        count = self.count
        fresh = (count - self.taken) & 0xFFFF
        self.taken = count
        return fresh


def build():
    """Wire it up; returns what is done in every turn."""
    button = Pin(BUTTON, Pin.IN, Pin.PULL_UP)
    shakes = Shakes(Pin(SHAKE, Pin.IN, Pin.PULL_UP))
    leds = [Pin(number, Pin.OUT, value=0) for number in PIPS]

    def show(mask):
        for place, led in enumerate(leds):
            led.value(mask >> place & 1)

    number = boot()
    port = Port(Console(), "die", number, unit())
    return Die(port, number, lambda: button.value() == 0, shakes.take, os.urandom, show).step


run(build, time.ticks_ms, time.sleep_ms)

"""The matrix's voltages and times: why a switch behind a diode is read as closed, and in time.

Worst cases of the data sheets of Pi and Pico, and the usual model of a 1N4148; calculated.
"""

import math

from hardware.bom import metres
from hardware.builds import Build
from hardware.power import PULL_UP, VOLTS

PULL_UPS = (PULL_UP, 80_000)  # ohm, strongest and weakest, inside Pi and Pico
LOW = 0.8  # V: what a Pico surely takes for low; a Pi takes 0.9 V
HIGH = 2.0  # V: what both surely take for high
PIN_OHMS = 60.0  # a pin that pulls low: 0.5 V at 8 mA at most
SATURATION, EMISSION = 2.5e-9, 1.75  # A, and the slope of a 1N4148
THERMAL = 0.0252  # V at 20 degrees
COLD = 0.04  # V more across the diode at 0 degrees
PICOFARADS = 80.0  # of one metre of wire beside others
RIBBON = 0.6  # m of ribbon cable between board and reader
PIN_PICOFARADS = 10.0


def low(one: Build) -> float:
    """The highest voltage of a column whose switch is closed, all others of its row closed too."""
    volts = 0.5
    for _ in range(20):  # the diode's drop and its current depend on each other
        current = (VOLTS - volts) / PULL_UPS[0]
        diode = EMISSION * THERMAL * math.log(current / SATURATION + 1) + COLD
        volts = diode + one.shape[1] * current * PIN_OHMS
    return volts


def rise(one: Build) -> float:
    """Microseconds until an opened column, pulled up weakly, is high again."""
    wire = metres(one, "column") / one.shape[1] + RIBBON
    farads = (wire * PICOFARADS + PIN_PICOFARADS) * 1e-12
    return PULL_UPS[1] * farads * math.log(VOLTS / (VOLTS - HIGH)) * 1e6

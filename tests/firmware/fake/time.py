"""MicroPython's clock in the tests; it can begin shortly before its wrap."""

import rig

PERIOD = 1 << 30
_began = rig.now()


def ticks_ms():
    return (rig.now() - _began + PERIOD - 3000) % PERIOD


def sleep_ms(milliseconds):
    rig.sleep(milliseconds)


def sleep_us(microseconds):
    pass

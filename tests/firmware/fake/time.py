"""MicroPython's clock in the tests; it begins shortly before its wrap.

It never leaps: a busy machine looks like a slow Pico, not like one that missed a tap.
"""

import rig

PERIOD = 1 << 30
STEP = 3  # ms at most from one look at the clock to the next

_seen = rig.now()
_ticks = PERIOD - 3000


def ticks_ms():
    global _seen, _ticks
    now = rig.now()
    _ticks = (_ticks + min(now - _seen, STEP)) % PERIOD
    _seen = now
    return _ticks


def sleep_ms(milliseconds):
    rig.sleep(milliseconds)
    if rig.interrupted():
        raise KeyboardInterrupt


def sleep_us(microseconds):
    pass

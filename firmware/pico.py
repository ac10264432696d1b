"""The Pico itself: USB console, watchdog, who it is. Only this and the `main` files need one."""

import os
import select
import sys

import machine

from firmware.line import BOOTS

# The watchdog's control register; MicroPython can start the watchdog but not stop it.
_RP2350 = "RP2350" in sys.implementation._machine
_CLEAR = (0x400D8000 if _RP2350 else 0x40058000) + 0x3000
_ENABLE = 1 << 30

PAUSE = 5000  # ms from a fault to the next start


def boot():
    """A number for this boot, drawn each time."""
    drawn = os.urandom(4)
    return int.from_bytes(drawn, "big") % BOOTS


def unit():
    """This chip's own number."""
    return "".join(f"{byte:02x}" for byte in machine.unique_id())


class Console:
    """The USB serial line, read and written without waiting."""

    def __init__(self):
        self.incoming = select.poll()
        self.incoming.register(sys.stdin, select.POLLIN)
        self.outgoing = select.poll()
        self.outgoing.register(sys.stdout, select.POLLOUT)

    def read(self):
        """What has come; at most a few lines at a time, so that scanning goes on."""
        data = b""
        while len(data) < 256 and self.incoming.poll(0):
            byte = sys.stdin.buffer.read(1)
            if not byte:
                break
            data += byte
        return data

    def write(self, data):
        """Write what fits and say how much: the rest would be waited for, then cut off.

        The Pico only tells whether there is any room, so every byte is asked for; `print`
        would add carriage returns.
        """
        room, send = self.outgoing.poll, sys.stdout.buffer.write
        for count in range(len(data)):
            if not room(0):
                return count
            send(data, count, 1)
        return len(data)


def run(build, ticks, rest):
    """Call `build()`, and then the `step(now)` it returns, for ever.

    The watchdog restarts a Pico that hangs. An interrupt from `mpremote` ends all. A fault,
    also one of building, is printed, and the Pico starts again after a pause in which it can
    be interrupted too: the box reads what was printed. Whatever ends the loop stops the
    watchdog, or it would restart the Pico in the middle of being flashed.
    """
    try:
        try:
            _loop(build(), ticks, rest)
        except Exception as fault:
            sys.print_exception(fault)
            rest(PAUSE)
            machine.reset()
    except KeyboardInterrupt:
        pass


def _loop(step, ticks, rest):
    watchdog = machine.WDT(timeout=8000)
    try:
        while True:
            step(ticks())
            watchdog.feed()
            rest(1)
    finally:
        machine.mem32[_CLEAR] = _ENABLE

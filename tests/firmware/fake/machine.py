"""A Pico's pins in the tests, with the electrics of a diode matrix behind them."""

import os
import time

import rig

UNUSABLE = (23, 24, 25)
LEVELS = 0xD0000004
WATCHDOG_CLEAR = 0x40058000 + 0x3000

pins = {}
closed = set()  # switches, as (row pin, column pin)
plans = []  # (when, command) in the future


def unique_id():
    return b"\xe6\x61\x64\x08\x43\x2b\x11\x2a"


def reset():
    rig.tell("reset")
    if rig.reset():
        raise SystemExit


class Pin:
    IN, OUT, OPEN_DRAIN, PULL_UP = 0, 1, 2, 1
    IRQ_FALLING, IRQ_RISING = 4, 8

    def __init__(self, number, mode, pull=None, value=None):
        if number > 28 or number in UNUSABLE or number in pins:
            raise ValueError(f"pin {number} is taken, or no pin of a Pico")
        pins[number] = self
        self.number = number
        self.mode = mode
        self.pull = pull
        self.level = 1 if value is None else value
        self.edge = None

    def value(self, level=None):
        if level is None:
            return self.level
        if self.mode == Pin.IN:
            raise ValueError(f"pin {self.number} is an input")
        if self.level != level:
            self.level = level
            if self.mode == Pin.OUT:
                rig.tell(f"pin {self.number} {level}")
        return None

    def irq(self, edge, trigger):
        self.edge = edge

    def drive(self, level):
        """What hands and switches do to an input."""
        if self.mode != Pin.IN or self.pull != Pin.PULL_UP:
            raise ValueError(f"pin {self.number} is no input with a pull-up")
        if level != self.level:
            self.level = level
            if self.edge is not None:
                self.edge(self)


class Memory:
    def __getitem__(self, address):
        if address != LEVELS:
            raise ValueError(f"no register is known at {address:x}")
        levels = 0
        for number, pin in pins.items():
            if pin.mode == Pin.IN and self._high(number, pin):
                levels |= 1 << number
        return levels

    def _high(self, column, pin):
        pulled = [
            row
            for row, at in closed
            if at == column and pins[row].mode == Pin.OPEN_DRAIN and pins[row].level == 0
        ]
        return not pulled and (pin.pull == Pin.PULL_UP and pin.level)

    def __setitem__(self, address, value):
        if address != WATCHDOG_CLEAR or value != 1 << 30:
            raise ValueError(f"no register is known at {address:x}")
        rig.tell("watchdog off")


mem32 = Memory()


class WDT:
    """Fed once a turn: the place where the tests' commands come in."""

    def __init__(self, timeout):
        if timeout > 8388:
            raise ValueError("the RP2040's watchdog waits 8388 ms at most")
        rig.tell("ready")

    def feed(self):
        text = rig.command()
        while text:
            obey(text)
            text = rig.command()
        now = time.ticks_ms()
        # One in a turn: of a switch that bounced twice between two scans nobody would know.
        if plans and (now - plans[0][0]) % time.PERIOD < time.PERIOD // 2:
            obey(plans.pop(0)[1])


def plan(delay, text):
    plans.append(((time.ticks_ms() + delay) % time.PERIOD, text))


def obey(text):
    word, *args = text.split(" ")
    if word == "later":
        plan(int(args[0]), " ".join(args[1:]))
        return
    numbers = [int(arg) for arg in args]
    if word == "close":
        closed.add(tuple(numbers))
    elif word == "open":
        closed.discard(tuple(numbers))
    elif word == "bounce":
        row, column, times, last = numbers
        for turn in range(times):
            plan(3 * turn, f"{('close', 'open')[turn % 2]} {row} {column}")
        plan(3 * times, f"{('open', 'close')[last]} {row} {column}")
    elif word == "level":
        pins[numbers[0]].drive(numbers[1])
    elif word == "tap":
        pins[numbers[0]].drive(0)
        plan(numbers[1], f"level {numbers[0]} 1")
    elif word == "shake":
        for turn in range(numbers[1]):
            plan(60 * turn, f"level {numbers[0]} {turn % 2}")
    elif word == "face":
        os.faces.append(numbers[0])
    elif word == "told":
        rig.tell(text)
    elif word == "deaf":
        rig.deaf(numbers[0])
    elif word == "stall":
        rig.sleep(numbers[0])
    else:
        raise ValueError(text)

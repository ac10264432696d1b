"""The board's pins and loop; goes onto the Pico as `main.py`.

Each switch joins a row to a column through its own diode, cathode to the row.
"""

import time

from machine import Pin, mem32

from firmware.board.board import Board
from firmware.board.lights import Lights
from firmware.board.matrix import Matrix
from firmware.pico import Console, boot, run, unit
from firmware.port import Port

ROWS = (16, 17, 18, 19, 20, 21, 22, 26)
FIRST_COLUMN = 0  # columns lie side by side, so that one register read gets them all
COLUMNS = 16
LIGHTS = None  # pin of a WS2812 chain, for instance 27; light n sits at cell n
COLOUR = (0, 40, 0)

LEVELS = 0xD0000004  # the register that holds every pin's level
SETTLE = 30  # us


def chain(pin, cells):
    """A function that draws a mask of lit cells on a WS2812 chain."""
    from neopixel import NeoPixel

    pixels = NeoPixel(Pin(pin, Pin.OUT), cells)

    def show(mask):
        for cell in range(cells):
            pixels[cell] = COLOUR if mask >> cell & 1 else (0, 0, 0)
        pixels.write()

    return show


def build():
    """Wire it up; returns what is done in every turn."""
    rows = [Pin(number, Pin.OPEN_DRAIN, value=1) for number in ROWS]
    for column in range(COLUMNS):
        Pin(FIRST_COLUMN + column, Pin.IN, Pin.PULL_UP)

    matrix = Matrix(
        len(ROWS),
        COLUMNS,
        lambda row, low: rows[row].value(0 if low else 1),
        lambda: mem32[LEVELS] >> FIRST_COLUMN,
        lambda: time.sleep_us(SETTLE),
    )
    cells = len(ROWS) * COLUMNS
    lights = None if LIGHTS is None else Lights(chain(LIGHTS, cells))
    port = Port(Console(), "board", boot(), unit(), len(ROWS), COLUMNS)
    return Board(port, matrix.scan, len(ROWS), COLUMNS, lights).step


run(build, time.ticks_ms, time.sleep_ms)

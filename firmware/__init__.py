"""MicroPython firmware for the die and the board; `line` is also the box's own codec."""

VERSION = "1.1.0-2db932"

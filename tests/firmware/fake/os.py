"""The chip's entropy in the tests; a command can fix the next faces."""

import rig
from uos import *  # noqa: F403  # what MicroPython has of it

faces = []


def urandom(count):
    if count == 1 and faces:
        return bytes([faces.pop(0) - 1])
    return bytes([rig.random() for _ in range(count)])

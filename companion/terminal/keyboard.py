"""Single key presses from the terminal, read inside the event loop."""

import asyncio
import os
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def keyboard(pressed: Callable[[str], None]) -> Iterator[bool]:
    """Call `pressed` with each key while inside; false where there is no terminal."""
    if not sys.stdin.isatty():
        yield False
        return
    loop = asyncio.get_running_loop()
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor)
    loop.add_reader(descriptor, lambda: pressed(os.read(descriptor, 64).decode(errors="replace")))
    try:
        yield True
    finally:
        loop.remove_reader(descriptor)
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)

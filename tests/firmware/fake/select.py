"""Asking the USB line in the tests: like a Pico's, it tells only whether there is any room."""

import rig

POLLIN, POLLOUT = 1, 4


class poll:  # noqa: N801  # its name on a Pico
    def __init__(self):
        self.asked = None

    def register(self, stream, event):
        self.asked = (stream, event)

    def poll(self, timeout):
        stream, event = self.asked
        if event == POLLOUT and rig.room() == 0:
            return []
        return [(stream, event)]

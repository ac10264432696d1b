"""Telling systemd how we do: ready, alive, and a line of status."""

import os
import socket
from collections.abc import Mapping


class Notifier:
    """The wire to systemd. It is opened once: a sign of life must not need a free descriptor."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._wire: socket.socket | None = None
        if address:
            self._wire = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            self._wire.setblocking(False)

    def __call__(self, message: str) -> bool:
        """Send a message such as `READY=1`; false when nobody listens."""
        if self._wire is None:
            return False
        try:
            self._wire.sendto(message.encode(), self._address)
        except OSError:
            return False  # a full or closed socket must not stop a game
        return True

    def close(self) -> None:
        """Nothing more is told; may be called twice."""
        wire, self._wire = self._wire, None
        if wire is not None:
            wire.close()


def watchdog_period(environment: Mapping[str, str] = os.environ) -> float | None:
    """Seconds within which systemd wants a sign of life; None if it does not watch."""
    microseconds = environment.get("WATCHDOG_USEC", "")
    mine = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(microseconds) / 1e6 if microseconds.isdigit() and mine else None

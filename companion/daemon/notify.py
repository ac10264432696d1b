"""Telling systemd how we do: ready, alive, and a line of status."""

import os
import socket
from collections.abc import Mapping


def notify(message: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Send a message such as `READY=1`; false when nobody listens."""
    address = environment.get("NOTIFY_SOCKET")
    if not address:
        return False
    if address.startswith("@"):
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as wire:
            wire.setblocking(False)
            wire.sendto(message.encode(), address)
    except OSError:
        return False  # a full or closed socket must not stop a game
    return True


def watchdog_period(environment: Mapping[str, str] = os.environ) -> float | None:
    """Seconds within which systemd wants a sign of life; None if it does not watch."""
    microseconds = environment.get("WATCHDOG_USEC", "")
    mine = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(microseconds) / 1e6 if microseconds.isdigit() and mine else None

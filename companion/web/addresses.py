"""Where a page is found: at this machine, and from others in the same network."""

import contextlib
import socket


def shown_address(address: str) -> str:
    """The address to open on this machine."""
    if address in ("0.0.0.0", "::"):
        return "127.0.0.1" if address == "0.0.0.0" else "[::1]"
    return f"[{address}]" if ":" in address else address


def own_names() -> list[str]:
    """The names under which this machine is known around the house."""
    name = socket.gethostname().partition(".")[0]
    return [name, f"{name}.local"]


def phone_address(address: str, port: int) -> str | None:
    """Where a phone in the same network finds the page; None if it listens here only."""
    if address in ("127.0.0.1", "::1", "localhost"):
        return None
    if address in ("0.0.0.0", "::"):
        address = _network_address() or f"{own_names()[1]}"
    return f"http://{f'[{address}]' if ':' in address else address}:{port}/phone"


def _network_address() -> str | None:
    """This machine's address towards the network; nothing is sent to find it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return None

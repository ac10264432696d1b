"""The browser of whoever starts a table at a terminal: its port, and opening its page."""

import os
import socket

PORT = 8080


def usual_port(address: str) -> int:
    """The port of the page, or any free one where that is taken."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, PORT))
        except OSError:
            return 0
    return PORT


def open_browser(address: str) -> None:
    """Open the page where there is a screen to open it on."""
    import webbrowser

    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(address)

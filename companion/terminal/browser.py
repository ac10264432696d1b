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


def for_phones(address: str) -> str:
    """Where phones in the same network find the page, in words and as a QR code."""
    import io
    from urllib.parse import urlsplit

    import segno

    from companion.web.addresses import phone_address

    phone = phone_address("0.0.0.0", urlsplit(address).port or PORT)
    assert phone is not None
    picture = io.StringIO()
    segno.make(phone, micro=False).terminal(picture, compact=True)
    return f"Phones in the same network: {phone}\n{picture.getvalue()}"


def open_browser(address: str) -> None:
    """Open the page where there is a screen to open it on."""
    import webbrowser

    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(address)

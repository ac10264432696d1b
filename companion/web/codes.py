"""QR codes, for phones to read from a screen."""


def qr_picture(address: str) -> bytes:
    """A QR code as SVG, dark on light with its quiet zone."""
    import io

    import segno

    out = io.BytesIO()
    segno.make(address, micro=False).save(
        out, kind="svg", scale=8, border=4, dark="#111", light="#fff", xmldecl=False, omitsize=True
    )
    return out.getvalue()

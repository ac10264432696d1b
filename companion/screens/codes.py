"""QR codes for the box's own screen: 64 pixels are enough if the address is short."""

from PIL import Image

SIZE = 64
"""The screen's height."""
SMALLEST = 2
"""Pixels of a module below which no phone reads it on a screen this small."""


def code_picture(text: str) -> Image.Image | None:
    """A code as a lit square with dark modules; None if it would be too fine to read.

    Capitals, digits and `:/.-` take two thirds of the room of other letters.
    """
    import segno

    modules = [
        list(row) for row in segno.make(text, micro=False, error="l", boost_error=False).matrix
    ]
    scale = SIZE // len(modules)
    if scale < SMALLEST:
        return None
    image = Image.new("1", (SIZE, SIZE), 1)
    margin = (SIZE - scale * len(modules)) // 2
    for y, row in enumerate(modules):
        for x, dark in enumerate(row):
            if dark:
                left, top = margin + x * scale, margin + y * scale
                image.paste(0, (left, top, left + scale, top + scale))
    return image

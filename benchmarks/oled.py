"""The OLED against luma's own `display`: CPU time per frame and bytes on the wire, interleaved."""

import time
import warnings
from collections.abc import Callable

from PIL import Image, ImageDraw, ImageFont

from companion.table.oled import Oled, Wire

ROUNDS = 25
CPU_TARGET, BYTES_TARGET = 5, 20


class CountingWire:
    """Counts what I2C would carry: address and control byte of each message, and the rest."""

    def __init__(self) -> None:
        self.sent = 0

    def command(self, *values: int) -> None:
        self.sent += 2 + len(values)

    def data(self, values: list[int]) -> None:
        self.sent += 2 + len(values)

    def cleanup(self) -> None: ...


def frame(number: int) -> Image.Image:
    """A screen as in play: a board of dots, some words, and a roll that changes."""
    image = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(image)
    draw.font = ImageFont.load_default_imagefont()
    for x in range(11):
        for y in range(11):
            draw.rectangle((x * 5, y * 5, x * 5 + 2, y * 5 + 2), fill=(x * y) % 3 == 0)
    draw.text((66, 2), "YELLOW", fill=1)
    draw.text((66, 40), "12 -> 18", fill=1)
    draw.text((66, 20), str(number), fill=1)
    return image


def cpu(show: Callable[[Image.Image], None], images: list[Image.Image]) -> float:
    """The CPU time for some frames; several at a time, for reading the clock costs as well."""
    begun = time.process_time()
    for image in images:
        show(image)
    return time.process_time() - begun


def luma_device(chip: str, wire: Wire) -> Callable[[Image.Image], None]:
    from luma.oled import device

    panel = {"ssd1306": device.ssd1306, "sh1106": device.sh1106}[chip](wire)
    show: Callable[[Image.Image], None] = panel.display
    return show


def compare(chip: str) -> tuple[float, float]:
    """How many times less CPU and how many times fewer bytes than luma's own class."""
    digits = [frame(number) for number in range(10)]
    wires = CountingWire(), CountingWire()
    theirs = luma_device(chip, wires[0])
    ours = Oled(lambda: wires[1], chip).show  # type: ignore[arg-type]
    theirs(digits[0])
    ours(digits[0])
    for wire in wires:
        wire.sent = 0
    spent = [0.0, 0.0]
    for _ in range(ROUNDS):
        spent[0] += cpu(theirs, digits)
        spent[1] += cpu(ours, digits)
    frames = ROUNDS * len(digits)
    each = [1e6 * total / frames for total in spent]
    size = [wire.sent / frames for wire in wires]
    print(f"  {chip}  luma {each[0]:6.0f} us {size[0]:6.0f} bytes a frame, one digit changing")
    print(f"  {chip}  ours {each[1]:6.0f} us {size[1]:6.0f} bytes")
    return spent[0] / spent[1], wires[0].sent / wires[1].sent


def run() -> bool:
    """Print the figures; true if the targets are met."""
    warnings.simplefilter("ignore", DeprecationWarning)  # luma's display uses an old Pillow call
    good = True
    for chip in ("ssd1306", "sh1106"):
        times, bytes_ = compare(chip)
        met = times >= CPU_TARGET and bytes_ >= BYTES_TARGET
        good &= met
        print(
            f"  {chip}  {times:.1f} times less CPU (target {CPU_TARGET}), "
            f"{bytes_:.1f} times fewer bytes (target {BYTES_TARGET}): {'met' if met else 'MISSED'}"
        )
    return good

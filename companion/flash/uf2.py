"""MicroPython itself, onto a blank Pico: the drive it shows while BOOTSEL is held, and the file."""

import os
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.flash.pico import FlashError

FIRST, SECOND, LAST = 0x0A324655, 0x9E5D5157, 0x0AB16F30
BLOCK = 512
FAMILIES = {0xE48BFF56: "RP2040", 0xE48BFF59: "RP2350", 0xE48BFF5A: "RP2350"}
"""Which chip a UF2 is for."""
ABOUT = "INFO_UF2.TXT"
LABELS = ("RPI-RP2", "RP2350")
LARGEST = 16 << 20  # bytes; MicroPython's has about 1.4 million
BY_LABEL = Path("/dev/disk/by-label")
PATIENCE = 30.0  # seconds for a Pico to come back with MicroPython on it


def chip_of_uf2(path: Path) -> str:
    """For which chip a file of MicroPython is. Raises FlashError for any other file."""
    try:
        if path.stat().st_size > LARGEST:
            raise FlashError(f"{path} is far too large to be MicroPython for a Pico")
        data = path.read_bytes()
    except OSError as fault:
        raise FlashError(f"{path} cannot be read: {fault.strerror}") from None
    if len(data) < BLOCK or len(data) % BLOCK or not _is_block(data[:BLOCK]):
        raise FlashError(f"{path} is no UF2 file: take the one for your Pico from micropython.org")
    if not all(_is_block(data[at : at + BLOCK]) for at in range(0, len(data), BLOCK)):
        raise FlashError(f"{path} is damaged: download it again")
    family = struct.unpack_from("<I", data, 28)[0]
    text = b"".join(data[at + 32 : at + 32 + 256] for at in range(0, len(data), BLOCK))
    if b"MicroPython" not in text:
        raise FlashError(f"{path} is a UF2, but not of MicroPython: take it from micropython.org")
    if family not in FAMILIES:
        raise FlashError(f"{path} is for another chip than a Pico's")
    return FAMILIES[family]


def _is_block(block: bytes) -> bool:
    first, second = struct.unpack_from("<II", block)
    last = struct.unpack_from("<I", block, BLOCK - 4)[0]
    return (first, second, last) == (FIRST, SECOND, LAST)


def chip_of_drive(drive: Path) -> str | None:
    """Which chip shows this drive; None if it is no Pico's."""
    try:
        text = (drive / ABOUT).read_text(errors="replace")
    except OSError:
        return None
    return "RP2350" if "RP2350" in text else "RP2040" if "RPI-RP2" in text else None


def mounted_drives(mounts: Path = Path("/proc/mounts")) -> list[Path]:
    """The drives of Picos that wait for a file, where somebody has mounted them."""
    places = (line.split(" ")[1] for line in mounts.read_text().splitlines() if "vfat" in line)
    paths = [Path(place.replace("\\040", " ")) for place in places]
    return [path for path in paths if chip_of_drive(path) is not None]


@contextmanager
def boot_drive(mounted: Callable[[], list[Path]] = mounted_drives) -> Iterator[Path]:
    """The drive of the one Pico that waits for a file; mounted by us where nobody did."""
    found = mounted()
    if len(found) > 1:
        raise FlashError("several Picos wait for a file: plug in one at a time")
    if found:
        yield found[0]
        return
    device = next((BY_LABEL / one for one in LABELS if (BY_LABEL / one).exists()), None)
    if device is None:
        raise FlashError(
            "no Pico waits for a file: unplug it, hold its BOOTSEL button, and plug it in again"
        )
    if os.getuid() != 0:
        raise FlashError("the Pico's drive is not mounted: use sudo")
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(["mount", "-o", "sync", device, place], check=True)
        try:
            yield Path(place)
        finally:
            # by then the Pico has restarted, and the drive is gone
            subprocess.run(["umount", "--lazy", place], check=False, capture_output=True)


def copy(uf2: Path, drive: Path) -> None:
    """Put MicroPython onto the Pico that shows this drive; it restarts by itself."""
    wanted, there = chip_of_uf2(uf2), chip_of_drive(drive)
    if wanted != there:
        raise FlashError(f"{uf2} is for the {wanted}, but this Pico has an {there}")
    try:
        with (drive / uf2.name).open("wb") as file:
            file.write(uf2.read_bytes())
            file.flush()
            os.fsync(file.fileno())
    except OSError as fault:
        if chip_of_drive(drive) is None:
            return  # it restarted as soon as it had everything
        raise FlashError(f"{uf2.name} could not be copied: {fault.strerror}") from None


def wait_for_port(
    ports: Callable[[], list[str]],
    before: set[str],
    patience: float = PATIENCE,
    clock: Callable[[], float] = time.monotonic,
) -> str:
    """The port of the Pico that has come since. Raises FlashError if none does."""
    end = clock() + patience
    while clock() < end:
        fresh = [path for path in ports() if path not in before]
        if fresh:
            return fresh[0]
        time.sleep(0.1)
    raise FlashError("the Pico did not come back with MicroPython on it: unplug it, and try again")

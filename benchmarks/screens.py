"""The screens: CPU time for a picture on the longest board, and for blinking on and on.

Kinds of screens alternate in one run, and each is drawn at changing beats, as in play. What a
steady blinking costs is a picture and its way to the panel, once a beat.
"""

import time
import warnings

from benchmarks.oled import CountingWire
from companion.referee import View
from companion.screens.drawing import BEAT
from companion.screens.pictures import blinks, picture
from companion.screens.samples import samples
from companion.table.oled import Oled

ROUNDS, BEATS = 12, 10
PICTURE_TARGET, BLINK_TARGET = 0.002, 0.01
BLINKING = ("move-6", "illegal-0", "setting-pieces", "rolling", "no-move")


def cpu(view: View, panel: Oled | None, first: int) -> float:
    """CPU seconds a picture, with or without sending it, over some beats."""
    begun = time.process_time()
    for beat in range(first, first + BEATS):
        image = picture(view, beat * BEAT)
        if panel is not None:
            panel.show(image)
    return (time.process_time() - begun) / BEATS


def run() -> bool:
    """Print the figures; true if the targets are met."""
    warnings.simplefilter("ignore", DeprecationWarning)
    views = samples("british")
    panel = Oled(CountingWire, "ssd1306")
    drawing: dict[str, list[float]] = {name: [] for name in views}
    showing: dict[str, list[float]] = {name: [] for name in BLINKING}
    for round_number in range(ROUNDS):
        for name, view in views.items():
            drawing[name].append(cpu(view, None, round_number * BEATS))
        for name in BLINKING:
            assert blinks(views[name])
            showing[name].append(cpu(views[name], panel, round_number * BEATS))
    best = {name: min(times) for name, times in drawing.items()}
    slowest = max(best, key=lambda name: best[name])
    worst = max(max(times) for times in drawing.values())
    mean = sum(best.values()) / len(best)
    drawn = best[slowest] < PICTURE_TARGET
    print(
        f"  a picture on the 68 board: {1e3 * mean:.2f} ms on the mean of {len(best)} screens, "
        f"{1e3 * best[slowest]:.2f} ms for the slowest ({slowest}; {1e3 * worst:.2f} ms at worst) "
        f"(target: below {1e3 * PICTURE_TARGET:.0f} ms): {'met' if drawn else 'MISSED'}"
    )
    shares = {name: min(times) / BEAT for name, times in showing.items()}
    most = max(shares, key=lambda name: shares[name])
    steady = shares[most] < BLINK_TARGET
    print(
        f"  blinking, drawn and sent every {BEAT} s: {100 * min(shares.values()):.2f} to "
        f"{100 * shares[most]:.2f} % of a core ({most}) (target: below "
        f"{100 * BLINK_TARGET:.0f} %): {'met' if steady else 'MISSED'}"
    )
    return drawn and steady

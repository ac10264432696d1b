"""Time on a Pico: milliseconds that wrap after twelve days, as `time.ticks_ms` counts them."""

PERIOD = 1 << 30


def elapsed(now: int, then: int) -> int:
    """Milliseconds from `then` to `now`, right across the wrap."""
    return (now - then) & (PERIOD - 1)

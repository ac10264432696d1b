"""`make` fetches what it draws with, and waits while another package manager is at work."""

import os
import shutil
import subprocess
from pathlib import Path

from hardware.builds import ROOT

BUSY = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (apt-get)"


def fetch(tmp_path: Path, apt: str) -> subprocess.CompletedProcess[str]:
    """Run `make drawing-packages` as if we were root, with our own apt-get and no real waiting."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, text in {
        "id": "echo 0",
        "sleep": f'echo "$1" >> {tmp_path}/waits',
        "apt-get": f'echo "$@" >> {tmp_path}/calls\n{apt}',
    }.items():
        (tools / name).write_text(f"#!/bin/sh\n{text}\n")
        (tools / name).chmod(0o755)
    make = shutil.which("make")
    assert make is not None
    return subprocess.run(
        [make, "drawing-packages"],
        cwd=ROOT,
        env={"PATH": f"{tools}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_lock_is_waited_for(tmp_path: Path) -> None:
    busy = f'[ $(wc -l < {tmp_path}/calls) -ge 3 ] || {{ echo "{BUSY}" >&2; exit 100; }}'
    done = fetch(tmp_path, busy)
    assert done.returncode == 0, done.stderr
    assert len((tmp_path / "waits").read_text().split()) == 2
    assert done.stderr.count("waiting for another package manager") == 1
    assert "install" in (tmp_path / "calls").read_text().splitlines()[-1]


def test_another_fault_is_told_at_once(tmp_path: Path) -> None:
    done = fetch(tmp_path, 'echo "E: Unable to locate package openscad" >&2; exit 100')
    assert done.returncode != 0
    assert "Unable to locate package openscad" in done.stderr
    assert not (tmp_path / "waits").exists()

"""The fast part may be missing, old or broken: then the rules play, and a sentence says why."""

import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from companion.build import compile_kernel
from companion.odds import kernel
from companion.odds.kernel import SOURCE, MissingError, library, library_path, load
from companion.odds.playouts import PlayOuts
from companion.rules import game


def test_a_library_from_another_source_is_not_used(tmp_path: Path) -> None:
    other = tmp_path / "kernel.c"
    other.write_text(SOURCE.read_text() + "\n/* changed since */\n")
    made = compile_kernel(other, tmp_path)
    assert made is not None
    with pytest.raises(MissingError, match="built from another"):
        load(made)


def test_a_library_that_is_damaged_is_not_used(tmp_path: Path) -> None:
    torn = tmp_path / "kernel.so"
    whole = library_path().read_bytes()
    for damaged in (
        whole[:1000],
        b"",
        whole[:500] + bytes([whole[500] ^ 1]) + whole[501:],
        whole[:-1],
    ):
        torn.write_bytes(damaged)
        with pytest.raises(MissingError, match="is damaged"):
            load(torn)


def test_a_library_of_another_machine_is_not_used(tmp_path: Path) -> None:
    foreign = b"\x7fELF of another machine" + sha256(SOURCE.read_bytes()).digest()
    path = tmp_path / "kernel.so"
    path.write_bytes(foreign + sha256(foreign).digest())
    with pytest.raises(MissingError, match="cannot be used"):
        load(path)


def test_without_the_fast_part_the_rules_play_and_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "FOLDER", tmp_path)
    library.cache_clear()
    try:
        played = PlayOuts(game("german", (), ["yellow", "red"]))
    finally:
        monkeypatch.undo()
        library.cache_clear()
    assert "there is no fast part for this machine" in played.why_slow
    assert played.affordable(6_000) == 60
    here = played.game.start(begins="red")
    with_it = PlayOuts(played.game)
    assert not with_it.why_slow
    assert played.run(here, "cat", 5, 2) == with_it.run(here, "cat", 5, 2)


def test_a_library_is_named_by_its_machine() -> None:
    assert library_path("linux-aarch64").name == "kernel_linux_aarch64.so"


def test_where_there_is_no_compiler_nothing_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert compile_kernel(SOURCE, tmp_path) is None


def test_a_box_that_asks_for_no_odds_loads_none() -> None:
    """Start, import and memory stay what they were."""
    asked = "import sys, companion.daemon.shell, companion.web.server, companion.commands.run;"
    asked += "sys.exit(any(name.startswith('companion.odds') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0

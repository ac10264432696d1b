"""`companion page`: the box's own page, for who sits at the box."""

import contextlib
import grp
import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import config, journal
from companion.cli import main
from companion.web import key


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(journal, "SYSTEM", tmp_path / "games.db")
    monkeypatch.setattr(config, "DEFAULT", tmp_path / "companion.toml")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    return tmp_path


def test_a_new_box_begins_with_setting_up_and_another_with_its_table(box: Path) -> None:
    known = key.kept_key(box)
    assert f"http://127.0.0.1:8080/setup?key={known}\n" in CliRunner().invoke(main, ["page"]).output
    (box / "companion.toml").write_text(config.ASSUMED + "[web]\nport = 8099\n")
    assert f"http://127.0.0.1:8099/?key={known}\n" in CliRunner().invoke(main, ["page"]).output


def test_where_no_box_has_run_it_says_so(box: Path) -> None:
    done = CliRunner().invoke(main, ["page"])
    assert done.exit_code == 1
    assert "no service of a box has run" in done.output


def test_who_may_use_the_pins_may_read_the_key_and_nobody_else(
    box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, file = os.getgid(), box / key.FILE
    monkeypatch.setattr(key, "PINS", grp.getgrgid(mine).gr_name)
    monkeypatch.setattr(os, "getgroups", lambda: [mine])
    known = key.kept_key(box)
    assert file.stat().st_mode & 0o777 == 0o600  # only the installer gives it to them
    file.chmod(0o640)
    assert key.kept_key(box) == known == key.read_key(box)
    monkeypatch.setattr(key, "PINS", "no such group")
    assert key.kept_key(box) != known  # others could read it: it is worth nothing
    file.chmod(0o604)
    again = key.read_key(box)
    assert key.kept_key(box) != again


def test_the_installer_hears_whether_the_key_was_given_to_them(box: Path) -> None:
    command = [sys.executable, "-I", "-m", key.__name__, str(box / "state")]
    assert subprocess.run(command).returncode == 1  # there is no such user on this machine


def test_the_installer_gives_the_key_to_the_pins_and_follows_nothing_else(
    box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service may not do so itself: its sandbox lets it give files to nobody."""
    folder, other = box / "state", box / "secret"
    other.write_text("root's own")
    other.chmod(0o600)
    assert not key.share_key(folder)  # there is no such user on this machine
    assert not folder.exists()
    monkeypatch.setattr(key, "SERVICE", pwd.getpwuid(os.getuid()).pw_name)
    monkeypatch.setattr(key, "PINS", grp.getgrgid(os.getgid()).gr_name)
    monkeypatch.setattr(os, "getgroups", lambda: [])
    assert key.share_key(folder)
    file = folder / key.FILE
    known = key.read_key(folder)
    assert file.stat().st_mode & 0o777 == 0o640
    assert key.kept_key(folder) == known
    for put in (file.symlink_to, file.hardlink_to):
        file.unlink()
        put(other)
        monkeypatch.setattr(key, "kept_key", lambda _: known)
        with contextlib.suppress(OSError):
            assert not key.share_key(folder)
        assert other.stat().st_mode & 0o777 == 0o600

"""`companion doctor --self`: what would keep a version from working is found before it counts."""

import base64
import hashlib
import importlib
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.doctor import installation
from companion.doctor.finding import Finding
from companion.doctor.installation import game, modules, odds, packages, page, words
from companion.odds.kernel import MissingError
from companion.odds.players import weights

PLAYOUTS = "companion.odds.playouts"


def test_this_very_installation_is_well() -> None:
    done = CliRunner().invoke(main, ["doctor", "--self"])
    assert done.exit_code == 0, done.output
    assert "All is well." in done.output
    assert "12 moves were played, kept and read back" in done.output
    assert "the fast part plays as the rules do" in done.output


def installed(prefix: Path) -> Path:
    """An environment of one package, as the installer leaves it."""
    site = prefix / "lib/python3.11/site-packages"
    record = site / "some_thing-1.0.dist-info/RECORD"
    record.parent.mkdir(parents=True)
    (site / "some.py").write_text("ONE = 1\n")
    (record.parent / "METADATA").write_text("Name: Some.Thing\nVersion: 1.0\n")
    digest = base64.urlsafe_b64encode(hashlib.sha256(b"ONE = 1\n").digest()).rstrip(b"=").decode()
    own = "some_thing-1.0.dist-info/RECORD"
    record.write_text(f"some.py,sha256={digest},8\nsome-1.data/scripts/x,sha256=0,1\n{own},,\n")
    listed = f"{'0' * 64}  some_thing-1.0-py3-none-any.whl\n"
    (prefix / installation.LIST).write_text(listed)
    return site


def test_an_environment_is_compared_with_what_was_tested(tmp_path: Path) -> None:
    installed(tmp_path)
    found = list(packages(tmp_path))
    assert found == [Finding("good", "packages", "1, each file as it was tested")]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("torn", "damaged: some.py"),
        ("gone", "damaged: some.py"),
        ("missing", "missing: some-thing 1.0"),
        ("other", "other versions: some-thing 2.0 instead of 1.0"),
    ],
)
def test_whatever_is_not_as_tested_is_named(fault: str, said: str, tmp_path: Path) -> None:
    site = installed(tmp_path)
    about = site / "some_thing-1.0.dist-info"
    if fault == "torn":
        (site / "some.py").write_text("ONE = 2\n")
    elif fault == "gone":
        (site / "some.py").unlink()
    elif fault == "missing":
        for file in about.iterdir():
            file.unlink()
    else:
        (about / "METADATA").write_text("Name: some-thing\nVersion: 2.0\n")
    assert [finding.what for finding in packages(tmp_path) if finding.state == "bad"] == [said]


def test_a_module_that_cannot_be_imported_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.import_module

    def broken(name: str) -> object:
        if name == "gpiozero":
            raise ImportError("no such thing")
        return real(name)

    monkeypatch.setattr(importlib, "import_module", broken)
    [finding] = modules()
    assert (finding.state, finding.what) == ("bad", "cannot be imported: gpiozero (no such thing)")


def test_a_game_that_is_not_read_back_as_it_was_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "kept_and_read", lambda records, path: records[:-1])
    assert [finding.state for finding in game()] == ["bad"]


def test_a_fast_part_that_plays_otherwise_is_a_fault_and_none_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(f"{PLAYOUTS}.weights", lambda game, level: weights(game, "hare"))
    assert [finding.state for finding in odds()] == ["bad"]

    def missing() -> None:
        raise MissingError("there is no fast part for this machine")

    monkeypatch.setattr(f"{PLAYOUTS}.library", missing)
    [finding] = odds()
    assert finding.state == "note"
    assert finding.what == "reckoned slowly: there is no fast part for this machine"


def test_sentences_and_page_have_to_be_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Empty:
        __path__ = (str(tmp_path),)

    monkeypatch.setattr(importlib, "import_module", lambda name: Empty)
    assert [finding.state for finding in (*words(), *page())] == ["bad", "bad"]

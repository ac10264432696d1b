"""What a newcomer meets at the terminal: guesses, colours, a taken port, and phones."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.terminal.browser import for_phones

ROOT = Path(__file__).parents[2]
COMPANION = (sys.executable, "-c", "from companion.cli import main; main()")


def said(*words: str, **options: str) -> str:
    result = CliRunner().invoke(main, list(words), env=options)
    assert result.exit_code == 2, result.output
    return result.output


@pytest.mark.parametrize(
    ("words", "guess"),
    [
        (("rules", "germn"), "did you mean german? Choose from german, cards"),
        (("selfplay", "duch"), "did you mean dutch?"),
        (("rules", "GERMAN"), "did you mean german?"),
        (("play", "--port", "80x"), "'80x' is not a whole number."),
        (("pla",), "There is no command 'pla'. Did you mean play?"),
    ],
)
def test_what_was_probably_meant_is_asked(words: tuple[str, ...], guess: str) -> None:
    assert guess in said(*words)


@pytest.mark.parametrize("words", [("nosuch",), ("play", "--port", "x"), ("rules", "a", "b", "c")])
def test_what_cannot_be_meant_is_one_line(words: tuple[str, ...]) -> None:
    output = said(*words)
    assert output.startswith("Error: ")
    assert output.count("\n") == 1
    assert "--help` says more" in output


@pytest.mark.parametrize(("variable", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_no_color_means_none(variable: dict[str, str], coloured: bool) -> None:
    result = CliRunner().invoke(main, ["rules", "german"], env=variable, color=True)
    assert ("\x1b" in result.output) is coloured


@pytest.mark.parametrize("words", [("house", "doctor"), ("house", "demo", "--no-browser")])
def test_a_package_that_is_not_there_is_named_in_a_sentence(words: tuple[str, ...]) -> None:
    without = "import sys; sys.modules['aiomqtt'] = None; from companion.cli import main; main()"
    asked = [sys.executable, "-c", without, *words]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "aiomqtt is not installed here: `make cafe`" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_that_is_taken_names_the_option(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        words = ("play", "--port", port, "--journal", str(tmp_path / "games.db"), "--no-browser")
        done = subprocess.run([*COMPANION, *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "choose another with --port" in done.stderr


def test_phones_are_told_where_to_go_in_words_and_as_a_picture() -> None:
    lines = for_phones("http://127.0.0.1:8123/?key=secret").splitlines()
    assert lines[0].endswith(":8123/phone")
    assert "secret" not in lines[0]
    assert len(lines) > 15
    assert len({len(line) for line in lines[1:] if line}) == 1


def test_a_simulated_board_is_learned_without_a_configuration(tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path)}
    with subprocess.Popen(
        [*COMPANION, "learn", "--simulated"],
        cwd=tmp_path,
        env={**environment, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        first = process.stdout.read(40)
        process.terminate()
    assert "no configuration" not in first
    assert "·" in first


def test_a_file_that_is_not_there_is_said_in_words() -> None:
    output = said("family", "/nowhere/rules.toml")
    assert "/nowhere/rules.toml: it cannot be read: No such file or directory" in output
    assert "Errno" not in output


READING = [
    ("analyse", "{}"),
    ("replay", "{}"),
    ("family", "{}"),
    ("games", "--journal", "{}"),
    ("export", "--journal", "{}"),
    ("stats", "--journal", "{}"),
    ("doctor", "--config", "{}"),
    ("learn", "--simulated", "--config", "{}"),
    ("run", "--config", "{}"),
    ("bench", "--config", "{}"),
    ("report", "--journal", "{}", "--config", "{}"),
    ("house", "doctor", "--config", "{}"),
]


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_no_file_of_any_kind_brings_numbers_of_the_system(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "noise").write_bytes(bytes(range(128, 256)))
    for name in ("missing", "folder", "loop", "noise", "no/folder", "noise/below", "n" * 300):
        result = CliRunner().invoke(main, [word.format(name) for word in words])
        assert not re.search("Errno|Usage:|Traceback", result.output), name
        assert isinstance(result.exception, SystemExit | None), name

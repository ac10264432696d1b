"""The voice: the right command, one sentence at a time; with the real espeak-ng where it is."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from companion.table.speech import PROGRAM, Voice, arguments


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program that writes down how it was called."""
    return script(tmp_path, f'printf "%s\\n" "$@" > "{tmp_path}/called"')


def script(folder: Path, text: str) -> Path:
    path = folder / "voice"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_the_sentence_goes_to_the_program_in_its_language(program: Path, tmp_path: Path) -> None:
    voice = Voice(str(program))
    voice.say("Rot würfelt.", "de", 0.5)
    assert voice.wait() == 0
    called = (tmp_path / "called").read_text().splitlines()
    assert called == ["-v", "de", "-s", "150", "-a", "50", "--", "Rot würfelt."]


def test_a_sentence_that_looks_like_an_option_is_only_spoken(program: Path, tmp_path: Path) -> None:
    voice = Voice(str(program))
    voice.say("--help", "en", 1.0)
    assert voice.wait() == 0
    assert (tmp_path / "called").read_text().splitlines()[-2:] == ["--", "--help"]


def test_a_new_sentence_cuts_the_old_one_off(tmp_path: Path) -> None:
    """The program tells its number through a pipe, then talks for ten minutes."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    voice = Voice(str(script(tmp_path, f'echo $$ > "{pipe}"; exec sleep 600')))
    voice.say("first", "en", 1.0)
    first = int(pipe.read_text())
    voice.say("second", "en", 1.0)
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)
    second = int(pipe.read_text())
    os.kill(second, 0)
    voice.close()
    voice.close()
    with pytest.raises(ProcessLookupError):
        os.kill(second, 0)


def test_without_the_program_nothing_is_said_and_nothing_fails() -> None:
    voice = Voice(find=lambda _: None)
    assert not voice.available
    voice.say("Roll!", "en", 1.0)
    assert voice.wait() is None
    voice.close()


def test_silence_is_not_spoken(program: Path) -> None:
    voice = Voice(str(program))
    voice.say("", "en", 1.0)
    voice.say("Roll!", "en", 0)
    assert voice.wait() is None


REAL = shutil.which(PROGRAM)


@pytest.mark.parametrize("language", ["en", "de", "nl"])
def test_the_options_are_what_the_real_program_takes(language: str) -> None:
    """Where espeak-ng is installed it makes sound of them; elsewhere their form is checked."""
    options = arguments(language, 0.5)
    assert options == ["-v", language, "-s", "150", "-a", "50"]
    if REAL is not None:
        command = [REAL, *options, "--stdout", "--", "1, 2, 3"]
        done = subprocess.run(command, capture_output=True, check=True)
        assert done.stdout.startswith(b"RIFF")
        assert len(done.stdout) > 10_000
        assert done.stderr == b""

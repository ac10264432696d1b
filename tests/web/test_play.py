"""`companion play` as a person starts it: it says where the table is, and stops when told to."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from companion.config import Config, WebSection
from companion.daemon.serving import page_service
from companion.daemon.wiring import put_together
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
COMPANION = (sys.executable, "-c", "from companion.cli import main; main()")


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_serves_a_table_without_a_screen_and_stops_cleanly(
    stop: signal.Signals, tmp_path: Path
) -> None:
    journal = tmp_path / "games.db"
    bare = {name: value for name, value in os.environ.items() if "DISPLAY" not in name}
    with subprocess.Popen(
        [*COMPANION, "play", "--port", "0", "--journal", str(journal)],
        cwd=ROOT,
        env=bare,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(stop, signal.SIG_DFL),  # also where nohup runs the tests
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        said = process.stdout.readline()
        address = said.partition("open ")[2].partition(" ")[0]
        with urllib.request.urlopen(address) as answer:
            assert b"Ludo companion" in answer.read()
        assert (tmp_path / "key.env").stat().st_mode & 0o777 == 0o600
        assert address.endswith((tmp_path / "key.env").read_text().strip().partition("=")[2])
        process.send_signal(stop)
        assert process.wait(PATIENCE) == 0
        assert process.stderr.read() == ""
    assert journal.exists()


def _said(*options: str) -> str:
    """What a table that cannot be laid says; it ends by itself."""
    command = [*COMPANION, "play", "--no-browser", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr


@pytest.mark.parametrize("same_port", [True, False])
def test_a_second_table_with_the_same_games_is_one_sentence_whatever_its_port(
    same_port: bool, tmp_path: Path
) -> None:
    games = ("--journal", str(tmp_path / "games.db"))
    with subprocess.Popen(
        [*COMPANION, "play", "--no-browser", "--port", "0", *games],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as first:
        assert first.stdout is not None
        port = first.stdout.readline().partition("127.0.0.1:")[2].partition("/")[0]
        try:
            said = _said(*games, "--port", port if same_port else "0")
        finally:
            first.terminate()
    assert said == (
        f"Error: another companion keeps its games in {games[1]}: go on at its page, or end it "
        "first; --journal FILE lays a table with other games\n"
    )


def test_a_port_that_is_taken_is_one_sentence_that_names_the_option(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        said = _said("--port", port, "--journal", str(tmp_path / "games.db"))
    assert said.startswith(f"Error: the page cannot be served at 127.0.0.1:{port} ")
    assert said.endswith(": choose another with --port, or stop what uses it\n")
    assert said.count("\n") == 1


def test_a_pin_that_is_none_is_a_sentence(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from companion.cli import main

    result = CliRunner().invoke(main, ["play", "--pin", "12x"])
    assert result.exit_code == 2
    assert "a PIN has 6 to 12 digits" in result.output


def test_beside_a_real_table_a_page_that_cannot_be_served_is_one_line_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            section = WebSection(port=taken.getsockname()[1])
            config = Config(sensing="choose")
            daemon = put_together(config, tmp_path / "games.db", pretend=True)
            await page_service(section, tmp_path)(daemon)

    asyncio.run(run())
    (line,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert "choose another web.port" in line.getMessage()
    assert line.exc_info is None

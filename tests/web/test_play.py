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


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
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

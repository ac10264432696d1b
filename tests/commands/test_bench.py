"""`companion bench` says in a sentence what stands in its way."""

import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main

GPIO = """\
board = "mat"
sensing = "touch"
[matrix]
via = "gpio"
rows = [14, 15, 16, 17]
columns = [18, 19, 20, 21]
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "there is no configuration: copy one of hardware/configs/"),
        ("[box]\nup = 5\ndown = 6\nok = 13\n", "has no [matrix] section"),
        ("bord = 1", "bord: there is no such key"),
        (GPIO, "not a Raspberry Pi"),
    ],
)
def test_what_stands_in_the_way_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, expected: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if text:
        (tmp_path / "companion.toml").write_text(text)
    result = CliRunner().invoke(main, ["bench", "--no-browser"])
    assert result.exit_code == 1
    assert expected in result.output
    assert "Traceback" not in result.output


def test_a_port_that_is_taken_ends_it_with_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        arguments = ["bench", "--simulated", "--no-browser", "--port", port]
        result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 1
    assert f"the page cannot be served at 127.0.0.1:{port}" in result.output

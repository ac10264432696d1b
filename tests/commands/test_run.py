"""`companion run`: when the board goes to the bench before the game, and what follows."""

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.commands import run
from companion.config import Config
from companion.daemon import serving, wiring
from companion.daemon.notify import Notifier
from companion.daemon.shell import Daemon
from companion.devices import Devices, simulated
from companion.events import Button
from companion.table.buttons import BoxButtons
from companion.table.pins import PinError, open_pins
from companion.table.sim import SimButtons

CONFIG = """\
board = "mat"
sensing = "touch"
pin_factory = "mock"
{box}
[die]
source = "serial"
[matrix]
via = "serial"
map = [{map}]
[web]
enabled = false
"""
NO_BOARD = """\
pin_factory = "mock"
box = {up = 5, down = 6, ok = 13}
die.source = "hand"
web.enabled = false
"""
WHOLE = ", ".join(f'"{side}.1 {side}.2 {side}.3 {side}.4"' for side in "RGYB")
BOX = "[box]\nup = 5\ndown = 6\nok = 13"


class Held(SimButtons):
    """Buttons of which one is down while the box starts."""

    def read(self) -> frozenset[Button]:
        return frozenset({"up"})


def started(
    folder: Path, monkeypatch: pytest.MonkeyPatch, cells: str, box: str = BOX, held: bool = False
) -> tuple[list[str], Any]:
    """What `companion run` does, one thing after the other, until a signal ends it."""
    path = folder / "companion.toml"
    path.write_text(CONFIG.format(map=cells, box=box) if cells else NO_BOARD)
    done: list[str] = []

    def bench(
        config: Config, journal: Path | None, place: Path | None, settings: dict[str, Any]
    ) -> run.End:
        done.append(f"bench {place == path}")
        return "done" if len(done) < 3 else "stopped"

    async def game(daemon: Any, told: Any) -> None:
        done.append(f"game {daemon.referee.view.sensing}")
        daemon.close_unused()

    def open_table(config: Config, entropy: Any, **more: Any) -> Devices:
        devices = simulated(config, entropy)
        devices.buttons = Held() if held else SimButtons()
        return devices

    monkeypatch.setattr(run, "_bench", bench)
    monkeypatch.setattr(serving, "until_signalled", game)
    monkeypatch.setattr(wiring, "open_devices", open_table)
    arguments = ["run", "--config", str(path), "--journal", str(folder / "games.db")]
    return done, CliRunner().invoke(main, arguments)


def test_a_board_that_is_mapped_is_played_on_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, result = started(tmp_path, monkeypatch, WHOLE)
    assert (done, result.exit_code) == (["game touch"], 0), result.output


def test_up_held_at_the_start_puts_the_board_on_the_bench_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, result = started(tmp_path, monkeypatch, WHOLE, held=True)
    assert (done, result.exit_code) == (["bench True", "game touch"], 0), result.output


def test_without_a_board_to_test_up_means_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, result = started(tmp_path, monkeypatch, "", held=True)
    assert (done, result.exit_code) == (["game choose"], 0), result.output


def test_who_leaves_places_unmapped_plays_with_the_buttons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, result = started(tmp_path, monkeypatch, '"R.1 R.2"')
    assert (done, result.exit_code) == (["bench True", "game choose"], 0), result.output


def test_without_buttons_a_board_stays_on_the_bench_until_it_is_mapped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    done, result = started(tmp_path, monkeypatch, '"R.1 R.2"', box="")
    assert (done, result.exit_code) == (["bench True"] * 3, 0)
    assert "without a sensor: R.3, R.4" in caplog.text


def test_buttons_can_be_read_before_they_report() -> None:
    pins = open_pins("mock")
    buttons = BoxButtons(pins, {"up": 5, "down": 6, "ok": 13})
    assert buttons.read() == frozenset()
    pins.pin(5).drive_low()
    assert buttons.read() == {"up"}
    buttons.close()


def test_a_box_without_a_configuration_starts_with_what_greets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The board is put on the bench, to be mapped; other places that are named have to be there."""
    place = tmp_path / "none.toml"
    monkeypatch.setattr("companion.config.DEFAULT", place)
    seen: list[Config] = []

    def bench(config: Config, journal: Any, given: Path | None, settings: Any) -> run.End:
        assert given == place
        seen.append(config)
        return "stopped"

    monkeypatch.setattr(run, "_bench", bench)
    result = CliRunner().invoke(main, ["run", "--config", str(place)])
    assert result.exit_code == 0, result.output
    assert "looking for a board and a die on USB, and a screen on I2C" in caplog.text
    [config] = seen
    assert config.matrix is not None
    assert (config.matrix.via, config.die.source) == ("serial", "serial")
    assert config.oled is not None
    other = CliRunner().invoke(main, ["run", "--config", str(tmp_path / "other.toml")])
    assert (other.exit_code, len(seen)) == (1, 1)


def run_with(folder: Path, monkeypatch: pytest.MonkeyPatch, game: Any) -> Result:
    """`companion run` with a simulated table, which is served in this way."""
    path = folder / "companion.toml"
    path.write_text(NO_BOARD)
    monkeypatch.setattr(Daemon, "run", game)
    monkeypatch.setattr(wiring, "open_devices", lambda *given, **_: simulated(*given))
    words = ["run", "--config", str(path), "--journal", str(folder / "games.db")]
    return CliRunner().invoke(main, words)


def test_a_signal_that_comes_while_it_begins_again_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root writes what the page asked for, and restarts the service: both at once."""
    stops: list[Daemon] = []

    async def game(daemon: Daemon) -> None:
        daemon.close_unused()
        before = len(stops)
        if not before and daemon.setup is not None:
            daemon.setup.again()
            before += 1
        os.kill(os.getpid(), signal.SIGTERM)
        while len(stops) == before:
            await asyncio.sleep(0)

    monkeypatch.setattr(Daemon, "stop", lambda daemon: stops.append(daemon))
    result = run_with(tmp_path, monkeypatch, game)
    assert result.exit_code == 0, result.output
    assert len(stops) == 2


def test_who_begins_again_does_not_tell_systemd_that_it_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who says that it stops is killed if it is still there ten seconds later."""
    told: list[str] = []
    serve = Daemon.run

    async def game(daemon: Daemon) -> None:
        def tell(_: Notifier, message: str) -> bool:
            told.append(message.partition("=")[0])
            if told[-1] == "READY" and told.count("READY") == 1 and daemon.setup is not None:
                daemon.setup.again()
            elif told[-1] == "READY":
                os.kill(os.getpid(), signal.SIGTERM)
            return True

        monkeypatch.setattr(Notifier, "__call__", tell)
        await serve(daemon)

    result = run_with(tmp_path, monkeypatch, game)
    assert result.exit_code == 0, result.output
    assert set(told) <= {"READY", "STATUS"}


def test_a_changed_configuration_is_begun_with_and_one_without_pins_keeps_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever wrote a configuration that this machine cannot serve can write another one."""
    path = tmp_path / "companion.toml"
    path.write_text(NO_BOARD)
    seen: list[Config] = []

    def game(config: Config, *_: Any, **more: Any) -> tuple[run.End, dict[str, Any]]:
        seen.append(config)
        if len(seen) == 1:
            path.write_text(NO_BOARD.replace("ok = 13", "ok = 14"))
            return "again", {}
        if config.box.ok is not None:
            raise PinError("this is not a Raspberry Pi", "take another")
        return "stopped", {}

    monkeypatch.setattr(run, "_game", game)
    result = CliRunner().invoke(main, ["run", "--config", str(path)])
    assert result.exit_code == 0, result.output
    assert [config.box.ok for config in seen] == [13, 14, None]
    assert "the table goes on without its pins" in caplog.text

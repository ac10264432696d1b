"""A board on the bench, with real adapters: screen, lights, lamps, tones, and the map on disk."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from companion.bench import Wish
from companion.config import Config, load, places
from companion.daemon.bench import Workbench
from companion.daemon.bench_wiring import workbench
from companion.events import Cell
from companion.rules.boards import MAT
from companion.screens.bench import picture
from companion.table.pico import SimulatedBoard
from companion.table.sim import SimButtons, SimDisplay, SimSounder
from tests.picos import until

CONFIG = """\
# mine
board = "mat"
sensing = "touch"
[die]
source = "serial"
[matrix]
via = "serial"
map = [{map}]
[serial]
ports = ["{folder}/tty*"]
"""
WIRING = {place.name: ((3 * n) % 4, n // 4) for n, place in enumerate(MAT.places)}
Play = Callable[[Workbench, SimulatedBoard], Awaitable[None]]


def on_the_bench(folder: Path, play: Play, cells: str = "") -> Path:
    """Play with a board of 4 x 4 behind a serial line; returns its configuration."""
    path = folder / "companion.toml"
    path.write_text(CONFIG.format(folder=folder, map=cells))

    async def table() -> None:
        pico = SimulatedBoard(folder / "ttyACM0", rows=4, columns=4)
        pico.plug()
        one = workbench(load(path, complete=False), path)
        one.devices.sounder, one.devices.buttons = SimSounder(), SimButtons()
        running = asyncio.create_task(one.run())
        try:
            await until(lambda: one._begun)
            await play(one, pico)
            one.stop()
            await running
        finally:
            pico.unplug()

    asyncio.run(table())
    return path


async def press(one: Workbench, pico: SimulatedBoard, cell: Cell) -> None:
    before = one.scene
    pico.press(*cell)
    await until(lambda: cell in one.bench._closed)
    pico.release(*cell)
    await until(lambda: cell not in one.bench._closed and one.scene != before)


def test_a_board_is_mapped_over_the_serial_line_and_each_answer_is_on_disk_at_once(
    tmp_path: Path,
) -> None:
    async def play(one: Workbench, pico: SimulatedBoard) -> None:
        path = tmp_path / "companion.toml"
        for n, place in enumerate(MAT.places):
            assert one.scene.asked == place
            await press(one, pico, WIRING[place.name])
            assert len(places(load(path, complete=False))) == n + 1
        sounder = one.devices.sounder
        assert isinstance(sounder, SimSounder)
        assert sounder.lamps == {"good": True, "bad": False}
        assert len(sounder.played) == 16

    path = on_the_bench(tmp_path, play)
    assert places(load(path)) == WIRING
    assert path.read_text().startswith("# mine")


def test_the_light_at_a_cell_burns_while_it_is_closed(tmp_path: Path) -> None:
    async def play(one: Workbench, pico: SimulatedBoard) -> None:
        pico.press(2, 1)
        await until(lambda: pico.lit == 1 << 2 * 4 + 1)
        pico.release(2, 1)
        await until(lambda: pico.lit == 0)

    on_the_bench(tmp_path, play)


def test_the_boxs_buttons_skip_and_a_board_that_is_unplugged_is_told(tmp_path: Path) -> None:
    async def play(one: Workbench, pico: SimulatedBoard) -> None:
        buttons = one.devices.buttons
        assert isinstance(buttons, SimButtons)
        buttons.press("ok")
        assert one.scene.missing == ("R.1",)
        pico.unplug()
        await until(lambda: bool(one.scene.away))
        pico.plug()
        await until(lambda: not one.scene.away)
        assert one.scene.missing == ("R.1",)
        await press(one, pico, (0, 0))
        assert one.bench.wiring == {"R.2": (0, 0)}

    on_the_bench(tmp_path, play)


def test_beginning_anew_keeps_the_old_map_on_disk_until_the_first_answer(tmp_path: Path) -> None:
    whole = ", ".join(f'"{side}.1 {side}.2 {side}.3 {side}.4"' for side in "RGYB")

    async def play(one: Workbench, pico: SimulatedBoard) -> None:
        path = tmp_path / "companion.toml"
        before = path.read_text()
        assert one.scene.mode == "watch"
        one.ask(Wish("again"))
        assert path.read_text() == before
        await press(one, pico, (3, 3))
        assert places(load(path, complete=False)) == {"R.1": (3, 3)}

    on_the_bench(tmp_path, play, whole)


def test_a_configuration_that_cannot_be_written_is_said_and_the_map_is_kept_to_be_copied(
    tmp_path: Path,
) -> None:
    path = tmp_path / "companion.toml"
    path.with_name("companion.toml.new").mkdir()  # where its draft would be

    async def play(one: Workbench, pico: SimulatedBoard) -> None:
        assert one.scene.kept == "forbidden"
        await press(one, pico, (1, 2))
        assert one.lines()[1].split() == ["-", "-", "R.1", "-"]

    assert places(load(on_the_bench(tmp_path, play), complete=False)) == {}


def test_a_disk_that_fills_up_meanwhile_is_said_too(tmp_path: Path) -> None:
    async def play(one: Workbench, pico: SimulatedBoard) -> None:
        def full(lines: list[str]) -> None:
            raise OSError(28, "No space left on device")

        one._save = full
        await press(one, pico, (1, 2))
        assert one.scene.kept == "forbidden"

    on_the_bench(tmp_path, play)


def test_the_screen_shows_the_scene_and_hands_at_a_simulated_board_move_it() -> None:
    async def table() -> None:
        one = workbench(Config(board="40", sensing="presence"), None)
        running = asyncio.create_task(one.run())
        await until(lambda: one._begun)
        display = one.devices.display
        assert isinstance(display, SimDisplay)
        assert one.touch("7", True)
        assert one.scene.on == {"7"}
        await until(lambda: display.image == picture(one.scene))
        assert one.button("ok", True)
        assert one.scene.mode == "menu"
        one.ask(Wish("end"))
        await running
        assert not one.stopped

    asyncio.run(table())


def test_a_real_board_is_not_pressed_by_a_page(tmp_path: Path) -> None:
    async def play(one: Workbench, pico: SimulatedBoard) -> None:
        assert not one.simulated
        assert not one.touch("R.1", True)
        one.devices.buttons = None
        assert not one.button("ok", False)

    on_the_bench(tmp_path, play)


def test_a_service_that_fails_does_not_stop_the_bench(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(_: Workbench) -> None:
        raise RuntimeError("no page today")

    async def table() -> None:
        one = workbench(Config(board="mat"), None, services=[broken])
        running = asyncio.create_task(one.run())
        await until(lambda: "no page today" in caplog.text)
        one.stop()
        await running

    asyncio.run(table())

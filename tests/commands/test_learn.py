"""`companion learn` on boards wired to pins and to Picos: the map it writes is the wiring."""

import asyncio
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click
import msgspec
import pytest
from click.testing import CliRunner

from companion.bench.lesson import Lesson
from companion.cli import main
from companion.commands.learn import Session, summary, teach
from companion.config import Config, load, places
from companion.config_file import write_map
from companion.devices import Devices, open_devices
from companion.doctor.checks import Patient
from companion.events import Cell
from companion.rules.boards import BOARDS, MAT
from companion.table.matrix import GpioBoard, Matrix
from companion.table.pico import SimulatedBoard
from companion.table.sim import SimSounder
from tests.picos import until
from tests.table.circuit import Circuit

ROOT = Path(__file__).parents[2]

MAT_CONFIG = """\
# my own words stay
board = "mat"
sensing = "touch"

[box]
up = 5
down = 6
ok = 13

[die]
source = "hand"

[matrix]
via = {via}
# and these as well
map = []

[oled]
chip = "sh1106"
"""
GPIO = '"gpio"\nrows = [14, 15, 16, 17]\ncolumns = [18, 19, 20, 21]'
WIRING = {place.name: ((3 * n) % 4, n // 4) for n, place in enumerate(MAT.places)}
"""Which cell each stack is really wired to: in no order that could be guessed."""


def wire(text: str, path: Path) -> Path:
    path.write_text(text)
    return path


RUN = "from companion.cli import main; main()"
Finger = Callable[[Cell, bool], None]


async def press_all(session: Session, finger: Finger, order: dict[str, Cell]) -> None:
    """A person who presses what is asked for."""
    while session.lesson.asked is not None:
        name = session.lesson.asked.name
        finger(order[name], True)
        await until(lambda: bool(session.lesson._press))
        finger(order[name], False)
        await until(lambda name=name: name in session.lesson.wired)  # type: ignore[misc]


async def started(config: Config, devices: Devices) -> Patient:
    patient = Patient(config, devices)
    patient.start()
    await patient.settle()
    return patient


def test_a_board_on_the_pis_pins_is_learned(tmp_path: Path) -> None:
    path = wire(MAT_CONFIG.format(via=GPIO), tmp_path / "companion.toml")
    config = load(path, complete=False)
    circuit = Circuit((14, 15, 16, 17), (18, 19, 20, 21))

    def finger(cell: Cell, on: bool) -> None:
        (circuit.press if on else circuit.release)(cell)

    async def table() -> None:
        matrix = Matrix(circuit.factory, (14, 15, 16, 17), (18, 19, 20, 21), circuit.settle)
        board = GpioBoard(matrix, {})
        sounder = SimSounder()
        patient = await started(config, Devices(board=board, sounder=sounder))
        lesson = Lesson(MAT.places, {}, board.cells)
        session = Session(patient, board, lesson, path)
        await asyncio.gather(session.run(), press_all(session, finger, WIRING))
        assert list(summary(lesson)) == ["All 16 places are wired and written down."]
        assert sounder.lamps == {"good": True, "bad": False}
        board.close()

    asyncio.run(table())
    assert places(load(path)) == WIRING
    text = path.read_text()
    assert "# my own words stay" in text
    assert "# and these as well" in text
    assert 'chip = "sh1106"' in text
    assert not list(tmp_path.glob("*.new"))


def test_a_board_with_a_pico_is_learned_over_the_serial_line(tmp_path: Path) -> None:
    """The real adapters, pyserial and a pseudo-terminal, with the firmware's own logic behind."""
    text = MAT_CONFIG.format(via='"serial"') + f'[serial]\nports = ["{tmp_path}/tty*"]\n'
    path = wire(text, tmp_path / "companion.toml")
    config = msgspec.structs.replace(load(path, complete=False), pin_factory="mock", oled=None)

    async def table() -> bool:
        pico = SimulatedBoard(tmp_path / "ttyACM0", rows=4, columns=4)
        pico.plug()
        devices = open_devices(config, os.urandom, wiring={})

        async def person() -> None:
            board = devices.board
            await until(lambda: getattr(board, "on_cell", None) is not None)
            session: Session = board.on_cell.__self__  # type: ignore[union-attr]
            await press_all(session, lambda c, on: (pico.press if on else pico.release)(*c), WIRING)

        try:
            complete, _ = await asyncio.gather(teach(config, devices, path), person())
        finally:
            devices.close()
            pico.unplug()
        return complete

    assert asyncio.run(table())
    assert places(load(path)) == WIRING


def test_a_board_that_is_not_there_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = MAT_CONFIG.format(via='"serial"') + f'[serial]\nports = ["{tmp_path}/tty*"]\n'
    path = wire(text, tmp_path / "companion.toml")
    config = msgspec.structs.replace(load(path, complete=False), pin_factory="mock", oled=None)

    async def table() -> bool:
        devices = open_devices(config, os.urandom, wiring={})
        complete = await teach(config, devices, path)
        devices.close()
        return complete

    assert not asyncio.run(table())
    said = capsys.readouterr().out
    assert "The board is not there: No board was found" in said
    assert "→ plug the board's Pico into USB" in said
    assert "doctor" not in said
    assert path.read_text() == text


def test_double_and_missing_wires_are_told_and_the_rest_is_kept(tmp_path: Path) -> None:
    path = wire(MAT_CONFIG.format(via=GPIO), tmp_path / "companion.toml")
    config = load(path, complete=False)
    circuit = Circuit((14, 15, 16, 17), (18, 19, 20, 21))

    async def table() -> list[str]:
        matrix = Matrix(circuit.factory, (14, 15, 16, 17), (18, 19, 20, 21), circuit.settle)
        board = GpioBoard(matrix, {})
        patient = await started(config, Devices(board=board))
        lesson = Lesson(MAT.places, {}, board.cells)
        session = Session(patient, board, lesson, path)
        running = asyncio.create_task(session.run())
        await until(lambda: board.on_cell is not None)
        for cells, expected in (
            ([(0, 0)], "red's stack 1 is row 1, column 1"),
            ([(0, 0)], "this is red's stack 1"),
            ([(1, 1), (1, 2)], "2 cells answered at once"),
        ):
            circuit.press(*cells)
            await until(lambda cells=cells: set(cells) <= board.cells)  # type: ignore[misc]
            circuit.release(*cells)
            await until(lambda expected=expected: expected in session.said)  # type: ignore[misc]
        session.typed("\n")
        assert "red's stack 2 is noted as missing" in session.said
        session.typed("q")
        await running
        board.close()
        return list(summary(lesson))

    told = asyncio.run(table())
    assert "No wire answered for: R.2." in told[0]
    assert told[-1] == "Stopped; `companion learn` goes on from here."
    assert places(load(path, complete=False)) == {"R.1": (0, 0)}


def test_the_map_of_the_board_that_lies_there_replaces_that_of_its_mirror_image(
    tmp_path: Path,
) -> None:
    example = (ROOT / "hardware/configs/build-b-52.toml").read_text()
    path = wire(example.replace('board = "52"', 'board = "52-mirrored"', 1), tmp_path / "c.toml")
    wired = places(load(path))
    lesson = Lesson(BOARDS["52-mirrored"].places, wired)
    write_map(path, "52-mirrored", lesson.lines(8, 13))
    again = load(path)
    assert again.matrix is not None
    assert again.matrix.board == "52-mirrored"
    assert places(again) == wired


@pytest.mark.parametrize("cells", ["", '"R.2 R.1"'])
def test_a_simulated_board_is_learned_from_the_beginning_and_nothing_is_written(
    tmp_path: Path, cells: str
) -> None:
    text = MAT_CONFIG.format(via='"serial"').replace("map = []", f"map = [{cells}]")
    path = wire(text, tmp_path / "companion.toml")
    result = CliRunner().invoke(main, ["learn", "--simulated", "--config", str(path)])
    assert result.exit_code == 0, result.output
    assert "1 of 16: press" in result.output
    assert "All 16 places are wired. Nothing was written: the board is simulated." in result.output
    assert path.read_text() == text
    assert [one.name for one in tmp_path.iterdir()] == ["companion.toml"]


def test_a_file_with_a_byte_order_mark_can_be_written_to(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_text(MAT_CONFIG.format(via=GPIO), encoding="utf-8-sig")
    write_map(path, "mat", Lesson(MAT.places, WIRING).lines(4, 4))
    assert places(load(path)) == WIRING


def test_the_file_keeps_its_mode_its_owner_and_the_links_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As root writes the service's file, under whatever umask."""
    owners: list[tuple[str, int, int]] = []
    monkeypatch.setattr(
        os,
        "fchown",
        lambda file, *owner: owners.append((Path(f"/proc/self/fd/{file}").readlink().name, *owner)),
    )
    (tmp_path / "etc").mkdir()
    (tmp_path / "real").mkdir()
    path = wire(MAT_CONFIG.format(via=GPIO), tmp_path / "real" / "my.conf")
    path.chmod(0o640)
    link = tmp_path / "etc" / "companion.toml"
    link.symlink_to(path)
    before = os.umask(0o077)
    try:
        write_map(link, "mat", Lesson(MAT.places, WIRING).lines(4, 4))
    finally:
        os.umask(before)
    assert link.is_symlink()
    assert places(load(path)) == WIRING
    assert path.stat().st_mode & 0o777 == 0o640
    there = path.stat()
    assert owners == [("my.conf.new", there.st_uid, there.st_gid)]
    assert [one.name for one in (tmp_path / "real").iterdir()] == ["my.conf"]


@pytest.mark.parametrize(
    ("arguments", "text", "expected"),
    [
        (["--config", "none.toml"], "", "there is no none.toml: copy one of hardware/configs/"),
        ([], "", "there is no configuration to write to"),
        (["--config", "c.toml"], "[box]\nup = 5\ndown = 6\nok = 13\n", "has no [matrix] section"),
        (["--config", "c.toml"], "bord = 1", "bord: there is no such key"),
        (["--config", "c.toml"], MAT_CONFIG.format(via=GPIO), "not a Raspberry Pi"),
    ],
)
def test_what_stands_in_the_way_is_said_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], text: str, expected: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("companion.commands.learn.DEFAULT", tmp_path / "no box" / "companion.toml")
    if text:
        wire(text, tmp_path / "c.toml")
    result = CliRunner().invoke(main, ["learn", *arguments])
    assert result.exit_code == 1
    assert expected in result.output
    assert "Traceback" not in result.output


def test_a_configuration_that_cannot_be_written_is_said_before_anything_is_asked(
    tmp_path: Path,
) -> None:
    path = wire(MAT_CONFIG.format(via='"serial"'), tmp_path / "c.toml")
    path.with_suffix(".toml.new").mkdir()
    result = CliRunner().invoke(main, ["learn", "--config", str(path)])
    assert result.exit_code == 1
    assert "cannot be written (Is a directory): run it with sudo" in result.output
    assert "Traceback" not in result.output


class Terminal:
    """`companion learn` in a pseudo-terminal, with a Pico of 4 x 4 behind another one."""

    def __init__(self, folder: Path, before: str = "", cells: str = "", *more: str) -> None:
        text = MAT_CONFIG.format(via='"serial"').replace('[oled]\nchip = "sh1106"\n', "")
        text = text.replace("[box]\nup = 5\ndown = 6\nok = 13\n", "")
        text = text.replace('"hand"', '"serial"').replace("map = []", f"map = [{cells}]")
        text += f'[serial]\nports = ["{folder}/tty*"]\n'
        self.path = wire(text, folder / "companion.toml")
        self.pico = SimulatedBoard(folder / "ttyACM0", rows=4, columns=4)
        self.pico.plug()
        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", before + RUN, "learn", "--config", self.path, *more],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=ROOT,
        )
        os.close(theirs)
        os.set_blocking(self._ours, False)
        self.seen = ""

    def read(self) -> str:
        with suppress(OSError):
            self.seen += click.unstyle(os.read(self._ours, 65536).decode(errors="replace"))
        return self.seen

    async def shows(self, text: str) -> None:
        """Wait until it says so, and forget what it said before."""
        await until(lambda: text in self.read())
        self.seen = self.seen[self.seen.index(text) :]

    def type(self, keys: bytes) -> None:
        os.write(self._ours, keys)

    def touch(self, row: int, column: int) -> None:
        self.pico.press(row, column)
        self.pico.release(row, column)

    async def end(self) -> tuple[int, str]:
        await until(lambda: self.process.poll() is not None)
        return self.process.returncode, self.read()

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *fault: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)
        self.pico.unplug()


def test_keys_at_a_real_terminal_skip_and_stop(tmp_path: Path) -> None:
    async def table() -> tuple[int, str]:
        with Terminal(tmp_path) as terminal:
            await terminal.shows("1 of 16: press")
            terminal.type(b"\n")
            await terminal.shows("2 of 16: press")
            terminal.type(b"q")
            return await terminal.end()

    code, seen = asyncio.run(table())
    assert code == 1
    assert "No wire answered for: R.1." in seen
    assert "goes on from here" in seen


def test_ctrl_c_stops_and_all_is_kept(tmp_path: Path) -> None:
    async def table() -> tuple[int, str]:
        with Terminal(tmp_path) as terminal:
            await terminal.shows("1 of 16: press")
            terminal.touch(2, 3)
            await terminal.shows("2 of 16: press")
            terminal.process.send_signal(signal.SIGINT)
            return await terminal.end()

    code, seen = asyncio.run(table())
    assert code == 1
    assert "Stopped; `companion learn` goes on from here." in seen
    assert places(load(tmp_path / "companion.toml", complete=False)) == {"R.1": (2, 3)}


FULL = "import resource as r; r.setrlimit(r.RLIMIT_FSIZE, (100, 100)); "
"""Begins a process that can write no file longer than 100 bytes, as on a card that is full."""


def test_a_full_card_ends_it_in_a_sentence_and_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    async def table() -> tuple[int, str]:
        with Terminal(tmp_path, FULL) as terminal:
            before = terminal.path.read_text()
            await terminal.shows("1 of 16: press")
            terminal.touch(0, 0)
            told = await terminal.end()
            assert terminal.path.read_text() == before
            return told

    code, seen = asyncio.run(table())
    assert code == 1
    assert "companion.toml cannot be written (File too large)" in seen
    assert "written down" not in seen
    assert "goes on from here" not in seen
    assert "Traceback" not in seen
    assert not list(tmp_path.glob("*.new"))


def test_a_board_that_is_unplugged_is_told_and_enter_notes_nothing_meanwhile(
    tmp_path: Path,
) -> None:
    async def table() -> tuple[int, str]:
        with Terminal(tmp_path) as terminal:
            await terminal.shows("1 of 16: press")
            terminal.pico.unplug()
            await terminal.shows("The board is not there: It was unplugged from")
            assert "1 of 16: press" not in terminal.seen
            terminal.type(b"\n")
            await terminal.shows("Nothing is asked")  # drawn again after the key
            terminal.pico.plug()
            await terminal.shows("1 of 16: press")
            terminal.touch(0, 0)
            await terminal.shows("2 of 16: press")
            terminal.type(b"q")
            return await terminal.end()

    _, seen = asyncio.run(table())
    assert "No wire answered" not in seen
    assert places(load(tmp_path / "companion.toml", complete=False)) == {"R.1": (0, 0)}


def test_places_outside_the_picos_matrix_are_asked_for_again(tmp_path: Path) -> None:
    wide = ", ".join(f'"{side}.1 {side}.2 {side}.3 - {side}.4"' for side in "RGYB")

    async def table() -> tuple[int, str]:
        with Terminal(tmp_path, cells=wide) as terminal:
            await terminal.shows("the Pico's matrix has no such cells: R.4, G.4, Y.4, B.4")
            for row in range(4):
                await terminal.shows(f"{13 + row} of 16: press")
                terminal.touch(row, 3)
            return await terminal.end()

    code, seen = asyncio.run(table())
    assert code == 0
    assert "All 16 places are wired and written down." in seen
    learned = places(load(tmp_path / "companion.toml"))
    assert learned == {place.name: divmod(n, 4) for n, place in enumerate(MAT.places)}


WHOLE = ", ".join(f'"{side}.1 {side}.2 {side}.3 {side}.4"' for side in "RGYB")


def test_learning_again_that_stops_before_its_first_answer_leaves_the_map_and_says_so(
    tmp_path: Path,
) -> None:
    async def table() -> tuple[int, str]:
        with Terminal(tmp_path, "", WHOLE, "--again") as terminal:
            before = terminal.path.read_text()
            await terminal.shows("1 of 16: press")
            terminal.type(b"\nq")
            told = await terminal.end()
            assert terminal.path.read_text() == before
            return told

    code, seen = asyncio.run(table())
    assert code == 1
    assert "Nothing was written: the map is as it was." in seen
    assert "goes on from here" not in seen


def test_a_whole_row_that_does_not_answer_is_named(tmp_path: Path) -> None:
    async def table(cells: str) -> tuple[int, str]:
        with Terminal(tmp_path, "", cells, "--again") as terminal:
            for number in range(16):
                await terminal.shows(f"{number + 1} of 16: press")
                row, column = divmod(number, 4)
                if row == 1:
                    terminal.type(b"\n")
                else:
                    terminal.touch(row, column)
            return await terminal.end()

    for cells in (WHOLE, ""):  # with the map that was, and without one
        _, seen = asyncio.run(table(cells))
        assert "No wire answered for: G.1, G.2, G.3, G.4." in seen
        assert "Nothing at all answered in row 2: follow the wire" in seen

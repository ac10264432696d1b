"""Why Picos are not there: each cause is told once, with what to do about it."""

import asyncio
import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import serial

from companion.commands.doctor import visit
from companion.config import Config, DieSection, MatrixSection, SerialSection
from companion.devices import open_devices
from companion.doctor.finding import Finding
from companion.table import serial_ports
from companion.table.pico import PtyConsole, SimulatedBoard, SimulatedDie
from firmware import VERSION
from firmware.line import PROTOCOL, encode


class Stranger:
    """A port on which something says these bytes, whatever it hears."""

    def __init__(self, path: Path, says: bytes) -> None:
        self.path, self.says = path, says

    def plug(self) -> None:
        self.console = PtyConsole()
        self.path.symlink_to(os.ttyname(self.console.host))
        asyncio.get_running_loop().add_reader(self.console.fd, self._answer)

    def _answer(self) -> None:
        self.console.read()
        self.console.write(self.says)

    def unplug(self) -> None:
        asyncio.get_running_loop().remove_reader(self.console.fd)
        self.path.unlink()
        self.console.close()


@pytest.fixture(autouse=True)
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial_ports, "MUTE", 0.3)


Pico = Stranger | SimulatedBoard | SimulatedDie


@contextmanager
def plugged(picos: tuple[Pico, ...]) -> Iterator[None]:
    for pico in picos:
        pico.plug()
    try:
        yield
    finally:
        for pico in picos:
            pico.unplug()


def faults(folder: Path, *picos: Pico, die: DieSection | None = None) -> list[Finding]:
    """What the doctor finds fault with at a table that needs both Picos."""
    config = Config(
        board="mat",
        sensing="touch",
        die=die or DieSection(),
        matrix=MatrixSection(via="serial"),
        serial=SerialSection(ports=(f"{folder}/tty*",)),
    )

    async def table() -> list[Finding]:
        with plugged(picos):
            devices = open_devices(config, os.urandom)
            for source in devices.sources:
                source._grace = 0.5  # type: ignore[attr-defined]
            try:
                return await visit(config, devices, observe=0.5)
            finally:
                devices.close()

    return [one for one in asyncio.run(table()) if one.state == "bad"]


def test_a_user_outside_dialout_is_one_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(path: str, *rest: object, **more: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(serial, "Serial", forbidden)
    board, die = SimulatedBoard(tmp_path / "ttyACM0"), SimulatedDie(tmp_path / "ttyACM1")
    (fault,) = faults(tmp_path, board, die)
    assert fault.device == "ports"
    assert fault.what.startswith("You may not open /dev/pts/")
    assert fault.what.endswith(": no board or die is seen")
    assert "usermod -aG dialout" in fault.cure


def test_a_program_that_holds_the_ports_is_one_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def held(path: str, *rest: object, **more: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "held", path)

    monkeypatch.setattr(serial, "Serial", held)
    (fault,) = faults(tmp_path, SimulatedBoard(tmp_path / "ttyACM0"))
    assert fault.what.startswith("Another program holds /dev/pts/")
    assert "systemctl stop ludo-companion" in fault.cure


@pytest.mark.parametrize(
    ("protocol", "cure"),
    [(PROTOCOL - 1, "run `companion flash die`"), (PROTOCOL + 1, "update the")],
)
def test_a_wrong_protocol_is_not_also_a_missing_plug(
    tmp_path: Path, protocol: int, cure: str
) -> None:
    old = Stranger(tmp_path / "ttyACM1", encode(7, "hello", "die", "0.1.0", protocol))
    (fault,) = faults(tmp_path, SimulatedBoard(tmp_path / "ttyACM0"), old)
    assert fault.device == "die"
    assert f"firmware 0.1.0, which speaks protocol {protocol}" in fault.what
    assert fault.cure.startswith(cure)
    assert "plug" not in fault.what + fault.cure


def test_two_boards_and_no_die_is_one_pico_flashed_as_what_it_is_not(tmp_path: Path) -> None:
    first = SimulatedBoard(tmp_path / "ttyACM0", unit="aa")
    second = SimulatedBoard(tmp_path / "ttyACM1", unit="bb")
    (fault,) = faults(tmp_path, first, second)
    assert fault.device == "die"
    assert "is flashed as a board, but needed as a die" in fault.what
    assert "`companion flash die --replace --port " in fault.cure


def test_another_unit_than_the_configuration_names_is_told_once(tmp_path: Path) -> None:
    board, die = SimulatedBoard(tmp_path / "ttyACM0"), SimulatedDie(tmp_path / "ttyACM1")
    (fault,) = faults(tmp_path, board, die, die=DieSection(unit="d1ed1f"))
    assert fault.device == "die"
    assert fault.what.startswith(f"die d1ed1e, firmware {VERSION}, is on /dev/pts/")
    assert fault.what.endswith("but die.unit says d1ed1f")
    assert fault.cure == 'set die.unit = "d1ed1e", or plug in the one that it names'


@pytest.mark.parametrize(
    ("says", "told"),
    [
        (b"", "says nothing we know"),
        (b"SyntaxError: invalid syntax\r\n>>> ", "is at MicroPython's prompt"),
        (
            b"Traceback (most recent call last):\r\nValueError: invalid pin\r\n",
            "says why its program fails: ValueError: invalid pin",
        ),
    ],
)
def test_a_pico_that_does_not_speak_our_language_is_told_with_what_it_says(
    tmp_path: Path, says: bytes, told: str
) -> None:
    mute = Stranger(tmp_path / "ttyACM1", says)
    (fault,) = faults(tmp_path, SimulatedBoard(tmp_path / "ttyACM0"), mute)
    assert fault.device == "die"
    assert told in fault.what
    assert fault.cure.startswith("`companion flash die --port ")


def test_of_what_is_not_there_at_all_each_is_told(tmp_path: Path) -> None:
    board, die = faults(tmp_path)
    assert (board.what, die.what) == ("No board was found", "No die was found")
    assert die.cure == "plug the die's Pico into USB, with a cable that carries data"

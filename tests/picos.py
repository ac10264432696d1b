"""Picos for tests of the real adapters: simulated in Python, or MicroPython under node.

Both have the same calls, so that one suite runs over both.
"""

import asyncio
import os
import subprocess
import sys
import termios
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from companion.events import Event
from companion.table.pico import SimulatedBoard, SimulatedDie, SimulatedPico
from tests.patience import PATIENCE

ROOT = Path(__file__).parent.parent
RUNNER = ROOT / "tests" / "firmware" / "micropython.mjs"
FAKE = ROOT / "tests" / "firmware" / "fake"
ROWS = (16, 17, 18, 19, 20, 21, 22, 26)  # as in firmware/board/main.py
BUTTON, SHAKE, PIPS = 14, 15, (2, 3, 4, 5, 6, 7, 8)  # as in firmware/die/main.py


class Pico(Protocol):
    """What a test does with a Pico."""

    path: Path

    async def plug(self) -> None: ...
    async def unplug(self) -> None: ...
    async def reboot(self) -> None: ...
    async def stall(self) -> None: ...
    async def go_on(self) -> None: ...
    def noise(self, data: bytes) -> None: ...


class BoardPico(Pico, Protocol):
    """What a test does with a board; rows and columns are those of the matrix."""

    def press(self, row: int, column: int) -> None: ...
    def release(self, row: int, column: int) -> None: ...
    def bounce(self, row: int, column: int, on: bool) -> None: ...
    async def lit(self, mask: int) -> None: ...


class DiePico(Pico, Protocol):
    """What a test does with a die."""

    def throw(self, face: int) -> None: ...
    def shake(self, edges: int) -> None: ...
    async def shows(self, mask: int) -> None: ...


def node_command(script: Path) -> list[str]:
    """How to run a script on MicroPython, with our firmware and the fake pins at hand."""
    return ["node", str(RUNNER), f"{ROOT}/firmware=/firmware", f"{FAKE}=", "--", str(script)]


async def until(true: Callable[[], bool]) -> None:
    """Wait for a condition while the loop runs."""
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.005)


class Events(list[Event]):
    """What adapters emitted, and a way to wait for more."""

    async def have(self, event: Event, count: int = 1) -> None:
        """Wait until this event has come so often."""
        await until(lambda: self.count(event) >= count)

    async def kind(self, kind: type, count: int = 1) -> None:
        """Wait until so many events of this kind have come."""
        await until(lambda: self.number(kind) >= count)

    def number(self, kind: type) -> int:
        """How many of this kind have come."""
        return sum(isinstance(event, kind) for event in self)


class _Python:
    """The simulated Picos behind the tests' calls."""

    pico: SimulatedPico

    @property
    def path(self) -> Path:
        return self.pico.path

    @path.setter
    def path(self, path: Path) -> None:
        self.pico.path = path

    async def plug(self) -> None:
        self.pico.plug()

    async def unplug(self) -> None:
        self.pico.unplug()

    async def reboot(self) -> None:
        self.pico.reboot()

    async def stall(self) -> None:
        self.pico.stall()

    async def go_on(self) -> None:
        self.pico.go_on()

    def noise(self, data: bytes) -> None:
        self.pico.noise(data)


class PythonBoard(_Python):
    """A board whose firmware logic runs in this process."""

    def __init__(self, path: Path) -> None:
        self.pico: SimulatedBoard = SimulatedBoard(path)
        self.press = self.pico.press
        self.release = self.pico.release

    def bounce(self, row: int, column: int, on: bool) -> None:
        for turn in range(9):
            (self.pico.open_switch if turn % 2 else self.pico.close_switch)(row, column)
            self.pico.run(5)
        (self.pico.press if on else self.pico.release)(row, column)

    async def lit(self, mask: int) -> None:
        await until(lambda: self.pico.lit == mask)


class PythonDie(_Python):
    """A die whose firmware logic runs in this process."""

    def __init__(self, path: Path) -> None:
        self.pico: SimulatedDie = SimulatedDie(path)
        self.throw = self.pico.throw
        self.shake = self.pico.shake

    async def shows(self, mask: int) -> None:
        await until(lambda: self.pico.pips == mask)


class _MicroPython:
    """A Pico whose whole firmware, `main.py` included, runs on MicroPython under node."""

    def __init__(self, path: Path, device: str, change: tuple[str, str] = ("", "")) -> None:
        self.path = path
        self.device = device
        self.change = change
        self.told: list[str] = []
        self._line: tuple[int, int] | None = None
        self._node: subprocess.Popen[bytes] | None = None
        self._commands = -1

    async def plug(self) -> None:
        self._line = os.openpty()
        tty.setraw(self._line[0], termios.TCSANOW)
        os.set_blocking(self._line[0], False)
        await self._boot()
        self.path.symlink_to(os.ttyname(self._line[1]))

    async def unplug(self) -> None:
        self._halt()
        if self._line is not None:
            self.path.unlink()
            for fd in self._line:
                os.close(fd)
            self._line = None

    async def reboot(self) -> None:
        self._halt()
        await self._boot()

    async def stall(self) -> None:
        self.command("stall 5000")

    async def go_on(self) -> None:
        pass  # it wakes by itself

    def noise(self, data: bytes) -> None:
        if self._line is not None:
            os.write(self._line[0], data)

    def command(self, text: str) -> None:
        """Do something to the fake pins."""
        os.write(self._commands, f"{text}\n".encode())

    async def _boot(self) -> None:
        assert self._line is not None
        source = (ROOT / "firmware" / self.device / "main.py").read_text()
        assert self.change[0] in source
        main = self.path.parent.parent / f"{self.device}-main.py"
        main.write_text(source.replace(*self.change) if self.change[0] else source)
        theirs, self._commands = os.pipe()
        os.set_blocking(theirs, False)
        self.told.clear()
        self._node = subprocess.Popen(
            [sys.executable, "-c", _EXEC, str(self._line[0]), str(theirs), *node_command(main)],
            cwd=ROOT,
            env={**os.environ, "LINE": "yes"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            pass_fds=(self._line[0], theirs),
        )
        os.close(theirs)
        assert self._node.stdout is not None
        told = self._node.stdout.fileno()
        os.set_blocking(told, False)
        asyncio.get_running_loop().add_reader(told, self._listen, told)
        await until(lambda: "ready" in self.told)

    def _listen(self, told: int) -> None:
        data = os.read(told, 65536)
        if data:
            self.told += data.decode().splitlines()
        else:
            asyncio.get_running_loop().remove_reader(told)

    def _halt(self) -> None:
        if self._node is not None:
            assert self._node.stdout is not None
            asyncio.get_running_loop().remove_reader(self._node.stdout.fileno())
            self._node.kill()
            self._node.wait()
            self._node.stdout.close()
            os.close(self._commands)
            self._node = None


# Puts the serial line at descriptor 3 and the commands at 4, then becomes node.
_EXEC = """
import os, sys
line, commands = int(sys.argv[1]), int(sys.argv[2])
line, commands = os.dup2(line, 98), os.dup2(commands, 99)
os.dup2(line, 3), os.dup2(commands, 4)
os.closerange(5, 100)
os.execvp(sys.argv[3], sys.argv[3:])
"""


class MicroPythonBoard(_MicroPython):
    """A board on MicroPython, with a chain of lights."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "board", ("LIGHTS = None", "LIGHTS = 27"))

    def press(self, row: int, column: int) -> None:
        self.command(f"close {ROWS[row]} {column}")

    def release(self, row: int, column: int) -> None:
        self.command(f"open {ROWS[row]} {column}")

    def bounce(self, row: int, column: int, on: bool) -> None:
        self.command(f"bounce {ROWS[row]} {column} 9 {int(on)}")

    async def lit(self, mask: int) -> None:
        def shown() -> str:
            return next((t for t in reversed(self.told) if t.startswith("lights")), "lights 0")

        await until(lambda: shown() == f"lights {mask}")


class MicroPythonDie(_MicroPython):
    """A die on MicroPython."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "die")

    def throw(self, face: int) -> None:
        self.command(f"face {face}")
        self.command(f"tap {BUTTON} 60")

    def shake(self, edges: int) -> None:
        self.command(f"shake {SHAKE} {edges}")

    async def shows(self, mask: int) -> None:
        await until(lambda: self._mask() == mask)

    def _mask(self) -> int:
        levels = dict.fromkeys(PIPS, 0)
        for text in self.told:
            if text.startswith("pin "):
                levels[int(text.split()[1])] = int(text.split()[2])
        return sum(level << place for place, level in enumerate(levels.values()))


class WholePico:
    """A Pico with MicroPython and a disk of its own, which survives unplugging; for blocking code.

    `disk` is the folder that holds its files, `prelude` Python that runs before everything else.
    """

    def __init__(self, folder: Path, prelude: str = "") -> None:
        self.path = folder / "ttyACM0"
        self.disk = folder / "disk"
        self.disk.mkdir(parents=True)
        self.prelude = prelude
        self._line: tuple[int, int] | None = None
        self._node: subprocess.Popen[bytes] | None = None
        self._commands = -1

    def plug(self) -> None:
        """Plug it in, and wait until it runs."""
        self._line = os.openpty()
        for fd in self._line:
            tty.setraw(fd, termios.TCSANOW)
        os.set_blocking(self._line[0], False)
        theirs, self._commands = os.pipe()
        os.set_blocking(theirs, False)
        command = ["node", str(RUNNER), f"{FAKE}=/fake", "--", ""]
        self._node = subprocess.Popen(
            [sys.executable, "-c", _EXEC, str(self._line[0]), str(theirs), *command],
            cwd=ROOT,
            env={
                **os.environ,
                "LINE": "yes",
                "FLASH": str(self.disk),
                "PRELUDE": self.prelude,
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            pass_fds=(self._line[0], theirs),
        )
        os.close(theirs)
        assert self._node.stdout is not None
        assert b"booted" in self._node.stdout.readline()
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(self._line[1]))

    def unplug(self) -> None:
        """Pull it out from one moment to the next; may be called twice."""
        if self._node is not None:
            self._node.kill()
            self._node.wait()
            assert self._node.stdout is not None
            self._node.stdout.close()
            os.close(self._commands)
            self._node = None
        if self._line is not None:
            self.path.unlink(missing_ok=True)
            for fd in self._line:
                os.close(fd)
            self._line = None

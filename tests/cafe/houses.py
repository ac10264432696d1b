"""A real Mosquitto on a free port of this machine, with passwords and access rules."""

import asyncio
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from companion.cafe import broker
from companion.cafe.topics import HOUSE
from tests.patience import PATIENCE

PASSWORD = "password-of-{}"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Section(NamedTuple):
    """How somebody comes to the broker, as the configuration says it."""

    broker: str
    port: int
    name: str
    password: str | None
    label: str = ""
    user: str | None = None
    certificate: str | None = None


class Mosquitto:
    """The broker, which can be killed and started again on the same port."""

    def __init__(
        self, folder: Path, tables: Iterable[str], certificate: broker.Certificate | None = None
    ) -> None:
        self.folder, self.port = folder, free_port()
        self.certificate = certificate
        for user in (HOUSE, *tables):
            broker.let_in(folder, user, PASSWORD.format(user))
        broker.write_access(folder)
        program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        assert Path(program).exists(), "`make test` installs mosquitto when it is run as root"
        self._program = program
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Mosquitto":
        text = broker.configuration(
            self.folder, port=self.port, certificate=self.certificate, user="root"
        )
        place = broker.write_configuration(self.folder, text)
        log = (self.folder / "log").open("ab")
        self._process = subprocess.Popen(
            [self._program, "-c", str(place)], stdout=log, stderr=log, stdin=subprocess.DEVNULL
        )
        end = time.monotonic() + 20
        while time.monotonic() < end:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.01)
        raise AssertionError((self.folder / "log").read_text())

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def reload(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGHUP)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def section(self, name: str, **other: object) -> Section:
        given = {"password": PASSWORD.format(name), **other}
        return Section("127.0.0.1", self.port, name, **given)  # type: ignore[arg-type]


async def until(true: Callable[[], object]) -> None:
    """Wait until something is so; only a fault lets this take long."""
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.01)

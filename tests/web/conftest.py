"""A browser for the page's tests, and tables in processes of their own for it to look at."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Page

from companion.web.files import STATIC
from companion.web.guard import BOX_COOKIE
from companion.web.key import kept_key
from tests.patience import PATIENCE
from tests.web.tables import PIN

ROOT = Path(__file__).parents[2]


class Door(NamedTuple):
    """Where a page is found, and the games beside which its key is kept."""

    address: str
    journal: Path


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class Process:
    """A table that serves its page in a process of its own, and can be killed."""

    def __init__(self, journal: Path, phone: str = "", real: bool = False) -> None:
        self.journal, self.phone = journal, phone
        self.port = _free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.real = Door(f"http://127.0.0.1:{_free_port()}", journal) if real else None
        """Another page, which sees this table as if it were a real one."""
        self.start()

    def start(self, static: Path = STATIC) -> None:
        """Start it, with the page's files of this folder."""
        command = [sys.executable, "-m", "tests.web.tables", str(self.journal), str(self.port), PIN]
        environment = {**os.environ, "SEEDED": "1", "STATIC": str(static), "PHONE": self.phone}
        if self.real is not None:
            environment["REAL"] = self.real.address.rpartition(":")[2]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment
        )
        assert self._process.stdout is not None
        for _ in (self, self.real) if self.real else (self,):
            assert self._process.stdout.readline().startswith("http")

    def speak(self, language: str) -> None:
        """Let the box speak this language, as its own screen may ask for it."""
        told = json.dumps({"do": "set", "name": "language", "value": language}).encode()
        headers = {
            "Content-Type": "application/json",
            "Cookie": f"{BOX_COOKIE}={kept_key(self.journal.parent)}",
        }
        with urlopen(Request(f"{self.address}/do", told, headers)) as answer:
            assert answer.status == 204

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            assert self._process.wait(PATIENCE) == 0


@pytest.fixture(scope="session")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A table that tests share: each begins a game of its own."""
    one = Process(tmp_path_factory.mktemp("table") / "games.db")
    yield one
    one.stop()


@pytest.fixture
def unused(tmp_path: Path) -> Iterator[Process]:
    """A table on which nothing has been played, and which may be killed."""
    one = Process(tmp_path / "games.db")
    yield one
    one.stop()


Open = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, process: Process) -> Iterator[Open]:
    """Open a view of the table; what goes wrong in a page fails the test."""
    process.speak("en")  # whatever the test before has left
    faults: list[str] = []
    contexts = []

    def open_view(path: str = "/", at: Process | Door = process, **options: Any) -> Page:
        options.setdefault("viewport", {"width": 1280, "height": 800})
        options.setdefault("locale", "en-GB")
        context = browser.new_context(reduced_motion="reduce", **options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE * 1000)
        box = {"name": BOX_COOKIE, "value": kept_key(at.journal.parent), "url": at.address}
        context.add_cookies([box])  # type: ignore[list-item]  # the box's own screen
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "console",
            lambda said: (
                faults.append(said.text)
                if said.type == "error" and "Failed to load resource" not in said.text
                else None
            ),
        )
        page.goto(at.address + path)
        return page

    yield open_view
    for context in contexts:
        context.close()
    assert [fault for fault in faults if "ERR_CONNECTION" not in fault] == []

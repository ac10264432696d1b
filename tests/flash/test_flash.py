"""`companion flash` against a real MicroPython on a pty, with everything that can go wrong."""

import asyncio
import fcntl
import os
import struct
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.commands import flash as command
from companion.events import Found, Lost
from companion.flash import uf2
from companion.flash.files import files, folders, settings, with_settings, work
from companion.flash.pico import FlashError, flash, greeting, look
from companion.table import port_claims, serial_ports
from companion.table.raw_repl import PicoError, PicoGoneError, RawRepl
from companion.table.serial_devices import SerialDie
from companion.table.serial_ports import SerialPorts, ports_like
from firmware import VERSION
from tests.picos import Events, WholePico

ROOT = Path(__file__).parents[2]
FIRMWARE = ROOT / "firmware"
FOREIGN = "while True:\n    pass\n"


@pytest.fixture
def pico(tmp_path: Path) -> Iterator[WholePico]:
    one = WholePico(tmp_path / "pico")
    yield one
    one.unplug()


@pytest.fixture(autouse=True)
def claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Claims in a folder of the test, and no wish to wait for other programs."""
    folder = tmp_path / "claims"
    folder.mkdir()
    place = port_claims.claim_file
    monkeypatch.setattr(port_claims, "claim_file", lambda path, _=None: place(path, folder))
    monkeypatch.setattr(command, "LET_GO", 0.5)
    monkeypatch.setattr(command.opened, "__defaults__", (0.5,))
    return folder


def flashed(*words: object) -> Result:
    return CliRunner().invoke(main, ["flash", *map(str, words)])


def paths_on(pico: WholePico) -> set[str]:
    return {
        path.relative_to(pico.disk).as_posix() for path in pico.disk.rglob("*") if path.is_file()
    }


# -- what belongs on a Pico --------------------------------------------------------------------


def test_a_pico_gets_the_files_of_its_own_role() -> None:
    die, board = files("die", FIRMWARE), files("board", FIRMWARE)
    assert die["main.py"] == (FIRMWARE / "die/main.py").read_bytes()
    assert "firmware/die/throw.py" in die
    assert not [path for path in die if "board" in path]
    assert die.keys() & board.keys() == {
        "main.py",
        *(f"firmware/{path.name}" for path in FIRMWARE.glob("*.py")),
    }


def test_what_a_builder_set_stays() -> None:
    text = (FIRMWARE / "board/main.py").read_text()
    mine = text.replace("LIGHTS = None", "LIGHTS = 27").replace("COLUMNS = 16", "COLUMNS = 14")
    assert settings("board", mine)["LIGHTS"] == "27"
    assert with_settings(text, settings("board", mine)) == mine
    assert with_settings(text, {"ROWS": r"(\1,)"}).count(r"ROWS = (\1,)") == 1


def test_only_what_changed_is_written_and_what_is_old_is_removed() -> None:
    todo = work(
        {"main.py": b"one", "firmware/a.py": b"two"}, {"firmware/old.py": "0", "mine.py": "0"}
    )
    assert (list(todo.write), todo.remove, todo.size) == (
        ["main.py", "firmware/a.py"],
        ("firmware/old.py",),
        6,
    )
    assert folders(["main.py", "firmware/die/a.py"]) == ["firmware", "firmware/die"]


# -- one command -------------------------------------------------------------------------------


def test_a_blank_pico_becomes_a_die_in_one_command(pico: WholePico) -> None:
    pico.plug()
    done = flashed("die", "--port", pico.path)
    assert done.exit_code == 0, done.output
    assert "100 %  firmware/ticks.py" in done.output
    assert f"firmware {VERSION}" in done.output.splitlines()[-1]
    assert paths_on(pico) == set(files("die", FIRMWARE))
    again = flashed("die", "--port", pico.path)
    assert again.exit_code == 0, again.output
    assert "Everything was there already." in again.output


def test_the_next_flash_touches_only_what_changed(pico: WholePico) -> None:
    pico.plug()
    flashed("board", "--port", pico.path, "--set", "LIGHTS=27", "--set", "COLUMNS=14")
    (pico.disk / "firmware/old.py").write_text("")
    (pico.disk / "firmware/keys.py").write_text("# older\n")
    pico.unplug()
    pico.plug()
    done = flashed("board", "--port", pico.path)
    assert done.exit_code == 0, done.output
    assert "1 files written" in done.output
    assert paths_on(pico) == set(files("board", FIRMWARE))
    kept = settings("board", (pico.disk / "main.py").read_text())
    assert (kept["LIGHTS"], kept["COLUMNS"]) == ("27", "14")


def test_a_version_of_ones_own_is_told_as_such(pico: WholePico, tmp_path: Path) -> None:
    """Whoever changes a file has a Pico that says so, though nobody thought of a number."""
    pico.plug()
    with RawRepl(str(pico.path)) as line:
        flash(line, "die", FIRMWARE, "9.9.9-abcdef")
    hello = greeting(str(pico.path))
    assert hello is not None
    assert hello.firmware == "9.9.9-abcdef"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("LIGHT=27", "a board has ROWS, FIRST_COLUMN, COLUMNS, LIGHTS, COLOUR"),
        ("LIGHTS=27;import os", "the value is a number"),
        ("LIGHTS=", "the value is a number"),
        ("ROWS=(1, 2", "the value is a number"),
    ],
)
def test_only_numbers_can_be_set(given: str, said: str) -> None:
    done = flashed("board", "--set", given, "--port", "/dev/null")
    assert done.exit_code == 2
    assert said in done.output


# -- what goes wrong ---------------------------------------------------------------------------


class Pulled(RawRepl):
    """A line on which the plug is pulled before some order."""

    def __init__(self, pico: WholePico, at: int) -> None:
        super().__init__(str(pico.path))
        self.pico, self.at, self.orders = pico, at, 0

    def run(self, source: str) -> str:
        self.orders += 1
        if self.orders == self.at:
            self.pico.unplug()
        return super().run(source)


def test_unplugged_in_the_middle_it_runs_the_old_or_waits_and_the_next_try_works(
    pico: WholePico, tmp_path: Path
) -> None:
    older = tmp_path / "older"
    (older / "die").mkdir(parents=True)
    for path in (*FIRMWARE.glob("*.py"), *(FIRMWARE / "die").glob("*.py")):
        text = path.read_text() + "# older\n"
        (older / path.relative_to(FIRMWARE)).write_text(text)
    pico.plug()
    counting = Pulled(pico, 0)
    with counting:
        flash(counting, "die", older, "1.0.0-older")
    whole = counting.orders
    moments = [Random(4).randrange(20, whole - 16), whole - 12]
    for at in moments:
        with RawRepl(str(pico.path)) as line:
            flash(line, "die", older, "1.0.0-older")
        with Pulled(pico, at) as line, pytest.raises(PicoGoneError, match="was unplugged"):
            flash(line, "die", FIRMWARE, VERSION)
        pico.plug()
        if (pico.disk / "main.py").exists():
            hello = greeting(str(pico.path))
            assert hello is not None
            assert hello.firmware == "1.0.0-older"
        else:
            assert at >= whole - 16
        with RawRepl(str(pico.path)) as line:
            flash(line, "die", FIRMWARE, VERSION)
        hello = greeting(str(pico.path))
        assert hello is not None
        assert hello.firmware == VERSION
        assert paths_on(pico) == set(files("die", FIRMWARE))


STATVFS = "import os\nos.statvfs = lambda path: (4096, 4096, 8, 3)\n"
FULL = """
import builtins, os
opened = builtins.open
room = [9000]
class Limited:
    def __init__(self, file): self.file = file
    def write(self, data):
        room[0] -= len(data)
        if room[0] < 0: raise OSError(28)
        return self.file.write(data)
    def close(self): self.file.close()
def limited(path, mode="r"):
    return Limited(opened(path, mode)) if "w" in mode else opened(path, mode)
builtins.open = limited
"""


@pytest.mark.parametrize("prelude", [STATVFS, FULL], ids=["beforehand", "in the middle"])
def test_a_full_pico_is_told_of_and_keeps_what_it_had(tmp_path: Path, prelude: str) -> None:
    pico = WholePico(tmp_path / "full", prelude)
    (pico.disk / "notes.txt").write_text("x" * 5000)
    pico.plug()
    try:
        done = flashed("die", "--port", pico.path)
        assert done.exit_code == 1
        assert "The Pico is full" in done.output
        assert "notes.txt (5 kB)" in done.output
        assert not (pico.disk / "main.py").exists()
        pico.unplug()
        pico.prelude = ""
        pico.plug()
        assert flashed("die", "--port", pico.path).exit_code == 0
        assert (pico.disk / "notes.txt").exists()
    finally:
        pico.unplug()


def test_another_program_is_replaced_only_if_that_is_said(pico: WholePico) -> None:
    (pico.disk / "main.py").write_text("import time\nwhile True:\n    time.sleep_ms(5)\n")
    (pico.disk / "data.txt").write_text("")
    pico.plug()
    done = flashed("die", "--port", pico.path)
    assert done.exit_code == 1
    assert "Another program is on this Pico (main.py, 45 bytes)" in done.output
    assert (pico.disk / "data.txt").exists()
    done = flashed("die", "--port", pico.path, "--replace")
    assert done.exit_code == 0, done.output
    assert paths_on(pico) == set(files("die", FIRMWARE))
    done = flashed("board", "--port", pico.path)
    assert "This Pico is a die: plug in the board's, or say --replace" in done.output


class Answers:
    """A Pico that says this of itself."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)

    def run(self, source: str) -> str:
        return self.answers.pop(0)


@pytest.mark.parametrize(
    ("who", "said"),
    [
        ("circuitpython\n9 2\nPico", "circuitpython runs on this Pico"),
        ("micropython\n1 22\nPico", "MicroPython 1.22 is too old for a fair die"),
    ],
)
def test_another_or_an_older_python_is_told_of(who: str, said: str) -> None:
    with pytest.raises(FlashError, match=said):
        look(Answers(who))  # type: ignore[arg-type]


def test_a_port_that_answers_nothing_is_no_pico(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.table.raw_repl.PATIENCE", 0.1)
    theirs, ours = os.openpty()
    try:
        with RawRepl(os.ttyname(ours)) as line, pytest.raises(PicoError, match="does not come to"):
            line.enter()
    finally:
        os.close(theirs)
        os.close(ours)


def test_a_port_that_another_program_holds_is_told_of(pico: WholePico) -> None:
    pico.plug()
    held = os.open(pico.path, os.O_RDWR | os.O_NOCTTY)
    fcntl.flock(held, fcntl.LOCK_EX)
    try:
        done = flashed("die", "--port", pico.path)
        assert done.exit_code == 1
        assert f"Another program holds {pico.path}" in done.output
    finally:
        os.close(held)
    assert flashed("die", "--port", pico.path).exit_code == 0


def test_the_daemon_lets_go_of_the_port_and_takes_it_again(
    pico: WholePico, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command.opened, "__defaults__", (30.0,))
    pico.plug()
    assert flashed("die", "--port", pico.path).exit_code == 0

    async def table() -> Events:
        events = Events()
        ports = SerialPorts(ports_like([str(pico.path)]), look_every=0.05)
        die = SerialDie(ports)
        die.start(events.append)
        await events.kind(Found)
        done = await asyncio.to_thread(flashed, "die", "--port", pico.path)
        assert done.exit_code == 0, done.output
        await events.kind(Found, 2)
        die.close()
        return events

    events = asyncio.run(table())
    [lost] = [event for event in events if isinstance(event, Lost)]
    assert "is being flashed" in lost.why


def test_a_claim_that_nobody_holds_keeps_nobody_away(claims: Path) -> None:
    assert not port_claims.is_claimed("/dev/ttyACM9")
    with port_claims.claim("/dev/ttyACM9") as ours:
        assert ours
        assert port_claims.is_claimed("/dev/ttyACM9")
        with port_claims.claim("/dev/ttyACM9") as second:
            assert not second
    assert not port_claims.is_claimed("/dev/ttyACM9")
    (claims / "ludo-companion.ttyACM9").touch()
    assert not port_claims.is_claimed("/dev/ttyACM9")


# -- which Pico --------------------------------------------------------------------------------


def test_no_pico_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial_ports.PicoPorts, "__call__", lambda self: [])
    done = flashed("die")
    assert done.exit_code == 1
    assert "No Pico is plugged in; a blank one needs --uf2 FILE" in done.output


def test_of_two_picos_the_one_of_that_role_is_taken(tmp_path: Path) -> None:
    picos = [WholePico(tmp_path / name) for name in ("one", "two")]
    try:
        for one, role in zip(picos, ("die", "board"), strict=True):
            one.plug()
            assert flashed(role, "--port", one.path).exit_code == 0
        paths = [str(one.path) for one in picos]
        assert command.the_pico("die", paths) == paths[0]
        assert command.the_pico("board", paths) == paths[1]
        with pytest.raises(FlashError, match="several Picos could be the die"):
            command.the_pico("die", [paths[1], paths[1]])
    finally:
        for one in picos:
            one.unplug()


# -- MicroPython itself ------------------------------------------------------------------------


def uf2_file(path: Path, family: int = 0xE48BFF56, text: bytes = b"MicroPython v1.28") -> Path:
    """A small UF2 of two blocks."""
    blocks = []
    for number in range(2):
        head = (uf2.FIRST, uf2.SECOND, 0x2000, 0x10000000, 256, number, 2, family)
        data = text.ljust(476, b"\0")
        blocks.append(struct.pack("<8I", *head) + data + struct.pack("<I", uf2.LAST))
    path.write_bytes(b"".join(blocks))
    return path


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda path: path.write_bytes(b"%PDF-1.4" * 100), "is no UF2 file"),
        (lambda path: path.write_bytes(path.read_bytes()[:700]), "is no UF2 file"),
        (lambda path: path.write_bytes(path.read_bytes()[:512] + bytes(512)), "is damaged"),
        (lambda path: uf2_file(path, family=0x12345678), "is for another chip"),
        (lambda path: uf2_file(path, text=b"CircuitPython"), "not of MicroPython"),
        (lambda path: path.unlink(), "cannot be read"),
    ],
)
def test_a_wrong_file_is_refused_before_anything_happens(
    tmp_path: Path, change: Callable[[Path], object], said: str
) -> None:
    path = uf2_file(tmp_path / "some.uf2")
    assert uf2.chip_of_uf2(path) == "RP2040"
    change(path)
    done = flashed("die", "--uf2", path)
    assert done.exit_code == 1
    assert said in done.output


def test_a_blank_pico_gets_micropython_and_then_our_program(
    pico: WholePico, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive = tmp_path / "drive"
    drive.mkdir()
    (drive / uf2.ABOUT).write_text(
        "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"
    )
    given = uf2_file(tmp_path / "micropython.uf2")

    def restart() -> None:
        """What the chip does: with the last block it restarts, and its drive is gone."""
        while not (drive / given.name).exists() or (drive / given.name).stat().st_size < 1024:
            threading.Event().wait(0.01)
        (drive / uf2.ABOUT).unlink()
        pico.plug()

    monkeypatch.setattr(uf2.boot_drive.__wrapped__, "__defaults__", (lambda: [drive],))  # type: ignore[attr-defined]
    there = lambda self: [str(pico.path)] if pico.path.exists() else []  # noqa: E731
    monkeypatch.setattr(serial_ports.PicoPorts, "__call__", there)
    chip = threading.Thread(target=restart)
    chip.start()
    done = flashed("die", "--uf2", given)
    chip.join()
    assert done.exit_code == 0, done.output
    assert "MicroPython runs on" in done.output
    assert f"firmware {VERSION}" in done.output


def test_a_file_for_the_other_chip_is_refused(tmp_path: Path) -> None:
    (tmp_path / uf2.ABOUT).write_text("Board-ID: RP2350\n")
    with pytest.raises(FlashError, match="for the RP2040, but this Pico has an RP2350"):
        uf2.copy(uf2_file(tmp_path / "some.uf2"), tmp_path)


def test_without_a_pico_that_waits_the_button_is_named() -> None:
    with pytest.raises(FlashError, match="hold its BOOTSEL button"), uf2.boot_drive(lambda: []):
        pass

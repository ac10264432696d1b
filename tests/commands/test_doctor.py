"""`companion doctor`: all green when all is well, and each fault named with what to do."""

import asyncio
import os
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest
import smbus2
from click.testing import CliRunner

from companion import journal
from companion.bench.wires import silent, whole_lines
from companion.cli import main
from companion.commands.doctor import (
    frame,
    judged,
    live,
    read,
    throws,
    visit,
    watched,
)
from companion.config import Config, DieSection, OledSection, SerialSection, load, parse
from companion.daemon import mounts
from companion.devices import Devices, open_devices, simulated, without_pins
from companion.doctor import checks
from companion.doctor.checks import Patient
from companion.doctor.finding import Finding, told
from companion.events import Lost, Pressed, Reading, Rolled, Snapshot
from companion.rules.boards import BOARDS
from companion.table.matrix import GpioBoard
from companion.table.pico import PtyConsole, SimulatedBoard, SimulatedDie
from companion.table.sim import SimBoard
from firmware import VERSION
from tests.picos import until
from tests.table.clock import run
from tests.table.panel import FakeBus, PanelModel

ROOT = Path(__file__).parents[2]
BOARD, DIE = f"board 5b0a7d, firmware {VERSION}", f"die d1ed1e, firmware {VERSION}"


def bad(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.state == "bad"]


def all_gpio() -> Config:
    """The 40-square build on mock pins, without its screen."""
    text = (ROOT / "hardware/configs/build-a-40.toml").read_text()
    return msgspec.structs.replace(
        parse(text.replace('"lgpio"', '"mock"').replace('"presence"', '"touch"')), oled=None
    )


def visited(
    config: Config, devices: Devices, meanwhile: Callable[[], None] = lambda: None
) -> list[Finding]:
    async def table() -> list[Finding]:
        try:
            meanwhile()
            return await visit(on_real_pins(config), devices, observe=0.1)
        finally:
            devices.close()

    return asyncio.run(table())


def on_real_pins(config: Config) -> Config:
    """For an examination in which mock pins stand for real ones."""
    return msgspec.structs.replace(config, pin_factory="lgpio")


# From the command line


def test_without_any_hardware_it_says_so_in_a_few_lines_and_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["doctor"])
    assert result.exit_code == 1
    assert len(result.output.splitlines()) < 16
    for said in ("not a Raspberry Pi", "No board was found", "No die was found", "no I2C bus 1"):
        assert said in result.output
    assert "4 faults" in result.output


def test_simulated_devices_are_all_green(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["doctor", "--simulated", "--watch", "--rolls", "60"])
    assert result.exit_code == 0, result.output
    assert "✘" not in result.output
    for said in ("board", "die", "buttons", "sensors", "screen"):
        assert f"✔ {said}" in result.output
    assert "all 72 places were seen on" in result.output
    assert "60 rolls, chi-square" in result.output
    assert "All is well." in result.output


@pytest.mark.parametrize("more", [[], ["--simulated"]])
def test_with_a_fault_in_the_configuration_no_other_table_is_looked_at(
    tmp_path: Path, more: list[str]
) -> None:
    text = (ROOT / "hardware/configs/build-a-40.toml").read_text()
    path = tmp_path / "c.toml"
    path.write_text(text.replace("board =", "bord =", 1))
    result = CliRunner().invoke(main, ["doctor", "--config", str(path), *more])
    assert result.exit_code == 1
    assert "bord: there is no such key; did you mean board?" in result.output
    assert "nothing else is looked at until it is mended" in result.output
    for device in ("board", "die", "buttons", "sensors", "screen"):
        assert f" {device}  " not in result.output


def test_with_a_map_half_learned_the_table_is_looked_at_as_far_as_it_is_mapped(
    tmp_path: Path,
) -> None:
    path = tmp_path / "c.toml"
    path.write_text(
        f"""
        board = "mat"
        sensing = "touch"
        pin_factory = "mock"
        box = {{up = 5, down = 6, ok = 13}}
        die.source = "hand"
        matrix = {{via = "gpio", rows = [16, 17], columns = [18, 19], map = ["R.1 -", "- R.2"]}}
        serial.ports = ["{tmp_path}/tty*"]
        """
    )
    result = CliRunner().invoke(main, ["doctor", "--config", str(path)])
    assert result.exit_code == 1
    assert "without a sensor: R.3, R.4" in result.output
    assert "the rest is checked with the places that are mapped" in result.output
    assert "2 places at rest, none on" in result.output
    assert "No board was found" not in result.output


def test_pins_that_cannot_be_opened_do_not_hide_the_rest() -> None:
    path = ROOT / "hardware/configs/build-a-40.toml"
    result = CliRunner().invoke(main, ["doctor", "--config", str(path)])
    assert result.exit_code == 1
    assert "✘ computer  this is not a Raspberry Pi" in result.output
    assert "– pins      what needs them is not looked at" in result.output
    assert "✘ screen" in result.output
    assert "none configured" not in result.output


# Where games are kept


def test_games_that_do_not_outlast_a_power_off_are_noted_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def games(mounted: str, path: Path = tmp_path / "games.db") -> list[Finding]:
        monkeypatch.setattr(journal, "SYSTEM", path)
        monkeypatch.setattr(mounts, "mounted", lambda: f"1 0 0:1 / / rw - {mounted} rw\n")
        findings, _ = read(None, False)
        return [finding for finding in findings if finding.device == "games"]

    monkeypatch.chdir(tmp_path)
    assert games("overlay overlayroot") == [
        Finding(
            "note",
            "games",
            f"{tmp_path} lies in memory (overlay): games are gone when the power is off",
            "docs/service.md tells how to keep them on a read-only system",
        )
    ]
    assert games("ext4 /dev/sda1") == [Finding("good", "games", f"kept in {tmp_path}")]
    assert games("ext4 /dev/sda1", tmp_path / "none/games.db") == []


# Devices on pins


def test_a_healthy_table_on_pins_is_green() -> None:
    config = all_gpio()
    findings = visited(config, open_devices(config, os.urandom))
    assert bad(findings) == []
    told = {finding.device: finding.what for finding in findings if finding.state == "good"}
    assert told["board"] == "72 places on the Pi's own pins"
    assert told["die"] == "a roll button on the Pi's own pins"
    assert told["sensors"] == "72 places at rest, none on"


def test_buttons_held_down_are_named() -> None:
    config = all_gpio()
    devices = open_devices(config, os.urandom)

    def press() -> None:
        devices.pins.pin(22).drive_low()
        devices.pins.pin(25).drive_low()

    found = bad(visited(config, devices, press))
    assert [(one.device, one.what) for one in found] == [
        ("die", "held down all the time: the roll button"),
        ("buttons", "held down all the time: ok"),
    ]


def test_stuck_places_are_named() -> None:
    config = all_gpio()
    devices = open_devices(config, os.urandom)
    found = bad(visited(config, devices, lambda: devices.pins.pin(26).drive_low()))
    assert [one.what for one in found] == [
        "stuck: the whole column 9 (9, Y.B4, 19, G.B4 and 4 more)"
    ]
    assert "touches another" in found[0].cure


def test_a_whole_column_that_is_closed_is_a_fault_of_a_presence_board_too() -> None:
    config = msgspec.structs.replace(all_gpio(), sensing="presence")
    devices = open_devices(config, os.urandom)
    (fault,) = bad(visited(config, devices, lambda: devices.pins.pin(26).drive_low()))
    assert fault.what == "all of column 9 is on: 9, Y.B4, 19, G.B4, 29, R.B4, 39, K.B4"
    assert "lift what stands there; if nothing does, the wire" in fault.cure


def test_pieces_on_a_presence_board_are_not_stuck() -> None:
    config = msgspec.structs.replace(all_gpio(), sensing="presence")
    devices = simulated(config, os.urandom)
    assert isinstance(devices.board, SimBoard)
    devices.board.on = {name for name in devices.board.places if ".B" in name} | {"9", "19"}
    findings = visited(config, devices)
    assert bad(findings) == []
    assert "72 places at rest, 18 of them on" in [one.what for one in findings]


def test_rows_and_columns_are_named_when_all_their_places_fail() -> None:
    wiring = {f"{row}{column}": (row, column) for row in range(3) for column in range(4)}
    assert told(["10", "11", "12", "13"], wiring) == "the whole row 2 (10, 11, 12, 13)"
    assert told(["01", "11", "21", "03"], wiring) == "the whole column 2 (01, 11, 21); 03"
    assert told(["01", "11"], wiring) == "01, 11"
    both = ["10", "11", "12", "13", "02", "22"]
    assert [str(line) for line in whole_lines(both, wiring)[0]] == ["row 2", "column 3"]
    small = {"a": (0, 0), "b": (0, 1)}
    assert told(["a", "b"], small) == "a, b"  # two may fail by chance
    gaps = silent([(0, 0), (2, 2)], 8, 16, all_used=False)
    assert [str(line) for line in gaps] == ["row 2", "column 2"]
    assert [str(line) for line in silent([(0, 0), (1, 1)], 3, 2, all_used=True)] == ["row 3"]


def test_loose_and_flickering_places_are_named() -> None:
    config = Config(board="40")
    devices = simulated(config, os.urandom)
    board = devices.board
    assert isinstance(board, SimBoard)
    board.noise = {"7": 5, "8": 1}

    async def table() -> list[Finding]:
        visiting = asyncio.create_task(visit(config, devices, observe=1))
        await asyncio.sleep(0.1)
        for _ in range(6):
            board.put("12")
            await asyncio.sleep(0.2)
            board.take("12")
            await asyncio.sleep(0.2)
        return await visiting

    told = [one.what for one in bad(run(table()))]
    assert told == ["flickering: 12", "loose: 7 closed for a moment 5 times at rest"]


def test_pins_that_are_only_pretended_are_not_well() -> None:
    config = all_gpio()
    devices = open_devices(config, os.urandom)

    async def table() -> list[Finding]:
        try:
            return await visit(config, devices, observe=0.1)
        finally:
            devices.close()

    findings = asyncio.run(table())
    (fault,) = bad(findings)
    assert (fault.device, fault.cure) == ("pins", 'set pin_factory = "lgpio"')
    assert fault.what == 'pin_factory = "mock": no pin is really read or moved'
    told = {one.device: (one.state, one.what) for one in findings}
    for device in ("board", "die", "buttons"):
        assert told[device] == ("note", "only pretended")


def test_a_matrix_on_pins_that_cannot_be_read_is_not_sought_on_usb() -> None:
    class Broken:
        width = 9

        def scan(self) -> int:
            raise OSError("GPIO not allocated")

        def close(self) -> None: ...

    config = all_gpio()
    board = GpioBoard(Broken(), {})  # type: ignore[arg-type]
    (fault,) = bad(visited(config, Devices(board=board)))
    assert "GPIO not allocated" in fault.what
    assert "USB" not in fault.cure
    assert "matrix.rows" in fault.cure


def test_two_programs_on_the_same_pins_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from companion import devices as module
    from companion.table.pins import PinError, open_pins

    pins = open_pins("mock")
    from gpiozero import LED

    other = LED(17, pin_factory=pins)
    monkeypatch.setattr(module, "open_pins", lambda choice: pins)
    with pytest.raises(PinError, match=r"pins of the buttons.*GPIO17.*systemctl stop"):
        open_devices(all_gpio(), os.urandom)
    other.close()


def test_without_pins_only_what_needs_none_is_left() -> None:
    rest = without_pins(load(ROOT / "hardware/configs/build-b-52.toml"))
    assert rest.box.up is None
    assert rest.matrix is not None
    assert rest.die.source == "serial"
    assert without_pins(all_gpio()).matrix is None


# Devices on Picos


def with_picos(tmp_path: Path) -> Config:
    text = (ROOT / "hardware/configs/build-b-52.toml").read_text()
    text = text.replace('# ports = ["/dev/ttyACM*"]', f'ports = ["{tmp_path}/tty*"]')
    config = parse(text.replace('"lgpio"', '"mock"'))
    return msgspec.structs.replace(config, oled=None)


async def visit_picos(folder: Path, opened: Config, judged: Config) -> list[Finding]:
    """A visit to a table with both Picos."""
    board = SimulatedBoard(folder / "ttyACM0", columns=13)
    die = SimulatedDie(folder / "ttyACM1")
    board.plug()
    die.plug()
    devices = open_devices(opened, os.urandom)
    try:
        return await visit(judged, devices, observe=0.1)
    finally:
        devices.close()
        board.unplug()
        die.unplug()


def test_picos_are_green_with_their_firmware_and_port(tmp_path: Path) -> None:
    config = with_picos(tmp_path)
    findings = asyncio.run(visit_picos(tmp_path, config, on_real_pins(config)))
    assert bad(findings) == []
    told = {finding.device: finding.what for finding in findings}
    assert told["board"].startswith(f"{BOARD}, on ")
    assert told["die"].startswith(f"{DIE}, on ")


def test_a_board_with_too_few_columns_and_closed_cells_without_a_place(tmp_path: Path) -> None:
    config = with_picos(tmp_path)
    assert config.matrix is not None
    lines = tuple(f"- {line}" for line in config.matrix.map)
    config = msgspec.structs.replace(
        config, matrix=msgspec.structs.replace(config.matrix, map=lines)
    )

    async def table() -> list[Finding]:
        board = SimulatedBoard(tmp_path / "ttyACM0", columns=13)
        board.plug()
        board.press(2, 0)
        devices = open_devices(config, os.urandom)
        try:
            return await visit(config, devices, observe=0.1)
        finally:
            devices.close()
            board.unplug()

    told = {one.what: one.cure for one in bad(asyncio.run(table()))}
    assert (
        "`companion learn --again`" in told["closed, but no place is mapped there: row 3 column 1"]
    )
    (outside,) = (what for what in told if what.startswith("outside the Pico's matrix: 13, "))
    assert "`companion learn`" in told[outside]
    assert any(what.startswith("No die was found") for what in told)


@pytest.mark.parametrize(
    ("change", "state", "what", "cure"),
    [
        (
            {"sensing": "choose"},
            "note",
            f"board 5b0a7d, firmware {VERSION}, is not used",
            "sensing",
        ),
        (
            {"die": DieSection(source="hand")},
            "note",
            f"die d1ed1e, firmware {VERSION}, is not used",
            "source",
        ),
    ],
)
def test_a_pico_that_the_table_has_no_use_for_is_told_with_why(
    tmp_path: Path, change: dict[str, Any], state: str, what: str, cure: str
) -> None:
    config = msgspec.structs.replace(with_picos(tmp_path), **change)
    findings = asyncio.run(visit_picos(tmp_path, config, config))
    (found,) = [one for one in findings if one.device.startswith("/dev/")]
    assert (found.state, found.what) == (state, what)
    assert cure in found.cure


def test_a_garbled_line_is_told(tmp_path: Path) -> None:
    config = with_picos(tmp_path)

    async def table() -> list[Finding]:
        board = SimulatedBoard(tmp_path / "ttyACM0", columns=13)
        board.plug()
        devices = open_devices(config, os.urandom)
        visiting = asyncio.create_task(visit(config, devices, observe=0.2))
        await until(lambda: getattr(devices.board, "wire", None) is not None)
        for _ in range(9):
            board.noise(b"12 press 3 4 #00000000\n")
        try:
            return await visiting
        finally:
            devices.close()
            board.unplug()

    found = [one for one in bad(asyncio.run(table())) if "garbled" in one.what]
    assert [one.what for one in found] == ["9 garbled lines"]
    assert "USB cable" in found[0].cure


def test_a_pico_without_our_firmware_is_not_taken_for_a_bad_cable(tmp_path: Path) -> None:
    """MicroPython's prompt echoes each line and calls it a syntax error."""
    config = with_picos(tmp_path)

    async def table() -> list[Finding]:
        console = PtyConsole()
        (tmp_path / "ttyACM0").symlink_to(os.ttyname(console.host))
        devices = open_devices(config, os.urandom)
        visiting = asyncio.create_task(visit(config, devices, observe=0.2))
        await until(lambda: b"hello" in console.read())
        for _ in range(9):
            console.write(b"SyntaxError: invalid syntax\r\n>>> ")
        await until(lambda: any(one.counters.bad > 3 for one in devices.ports.report()))  # type: ignore[union-attr]
        try:
            return await visiting
        finally:
            devices.close()
            console.close()

    assert not [one for one in asyncio.run(table()) if "garbled" in one.what]


def test_ports_that_are_named_but_not_there_are_told(tmp_path: Path) -> None:
    config = with_picos(tmp_path)
    names = ("/dev/ttyACM77", f"{tmp_path}/Piko*")
    config = msgspec.structs.replace(config, serial=SerialSection(ports=names))
    findings = visited(config, open_devices(config, os.urandom))
    (told,) = [one for one in findings if one.device == "ports"]
    assert told.what == f"serial.ports names what is not there: {', '.join(names)}"


# The screen


def screen_findings(config: Config) -> list[Finding]:
    devices = open_devices(config, os.urandom)
    findings = list(checks.screen(Patient(config, devices)))
    devices.close()
    return findings


SCREEN_ONLY = Config(die=msgspec.structs.replace(Config().die, source="hand"))


def test_a_screen_shows_the_trial_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    bus = FakeBus(PanelModel())
    monkeypatch.setattr(smbus2, "SMBus", lambda port: bus)
    config = msgspec.structs.replace(SCREEN_ONLY, oled=OledSection())
    devices = open_devices(config, os.urandom)
    (finding,) = checks.screen(Patient(config, devices))
    assert finding.state == "good"
    assert "ssd1306 at 0x3C on I2C 1" in finding.what
    assert bus.panel.seen().tobytes() == checks.trial_picture().tobytes()
    devices.close()


def test_a_screen_at_another_address_is_found_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smbus2, "SMBus", lambda port: FakeBus(PanelModel(), 0x3D))
    config = msgspec.structs.replace(SCREEN_ONLY, oled=OledSection())
    (finding,) = screen_findings(config)
    assert finding.state == "bad"
    assert "no OLED answers at 0x3C on I2C bus 1" in finding.what
    assert finding.cure == "one answers at 0x3D: set oled.address = 0x3D"


@pytest.mark.parametrize(
    ("oled", "what", "cure"),
    [
        (OledSection(port=7), "there is no I2C bus 7 (/dev/i2c-7)", "switch I2C on"),
        (
            OledSection(bus="spi", dc=24, reset=25, port=5),
            "the OLED is on SPI, but spidev is missing",
            "`pip install spidev`",
        ),
    ],
)
def test_every_fault_of_the_screen_has_an_arrow_of_its_own(
    monkeypatch: pytest.MonkeyPatch, oled: OledSection, what: str, cure: str
) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    config = msgspec.structs.replace(SCREEN_ONLY, oled=oled, pin_factory="mock")
    (finding,) = screen_findings(config)
    assert (finding.state, finding.what) == ("bad", what)
    assert finding.cure.startswith(cure)


def test_a_silent_screen_has_an_arrow_that_is_not_the_doctor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(smbus2, "SMBus", lambda port: FakeBus(PanelModel(), 0x20))
    (finding,) = screen_findings(msgspec.structs.replace(SCREEN_ONLY, oled=OledSection()))
    assert "no OLED answers at 0x3C" in finding.what
    assert finding.cure.startswith("check its wires (VCC pin 1, SDA pin 3")
    assert "doctor" not in finding.what + finding.cure


# The live view and the die test


def test_the_live_view_shows_what_is_pressed_and_what_flickers() -> None:
    async def table() -> None:
        patient = Patient(Config(board="40"), simulated(Config(board="40"), os.urandom))
        patient.take(Snapshot(frozenset()))
        for n in range(12):
            patient.take(Reading("7", n % 2 == 0))
            await asyncio.sleep(0.06)
        for event in (Reading("1", True), Pressed("ok", True), Rolled(1, 4), Lost("die", "gone")):
            patient.take(event)
        text = click.unstyle("\n".join(frame(patient)))
        assert text.splitlines()[4].startswith("●")
        assert "flickering: 7" in text
        assert "last: die lost   rolled 4   button ok held   1 on   7 off" in text
        assert [one.what for one in bad(list(watched(patient)))] == ["flickering: 7"]

    run(table())


def test_the_live_view_ends_by_itself_on_a_simulated_table_after_one_round() -> None:
    async def table() -> None:
        config = Config(board="68")
        patient = Patient(config, simulated(config, os.urandom))
        patient.start()
        await live(patient, asyncio.Event())
        assert patient.health.unseen == []
        assert [one.state for one in watched(patient)] == ["good"]

    run(table())


def test_what_stays_on_and_what_was_never_on_are_told_after_watching() -> None:
    async def table() -> list[Finding]:
        devices = simulated(Config(board="mat"), os.urandom)
        assert isinstance(devices.board, SimBoard)
        devices.board.on = {"R.1"}
        patient = Patient(Config(board="mat"), devices)
        patient.start()
        devices.board.put("R.2")
        devices.board.take("R.2")
        return list(watched(patient))

    stuck, unseen = run(table())
    assert (stuck.state, stuck.what) == ("bad", "on all the time: R.1")
    assert unseen.what.startswith("not seen on: R.3, R.4, G.1")
    assert "and 2 more" in unseen.what


@pytest.mark.parametrize(
    ("counts", "state", "said"),
    [
        ([], "note", "no rolls"),
        ([2, 1, 3, 1, 1, 2], "note", "too few to judge"),
        ([100, 95, 105, 98, 102, 100], "good", "fair: 600 rolls, chi-square 0.6, p = 0.989"),
        ([50, 100, 100, 100, 100, 150], "bad", "once in a thousand tests"),
    ],
)
def test_the_die_test_judges_by_chi_square(counts: list[int], state: str, said: str) -> None:
    (finding,) = judged(Counter(dict(enumerate(counts, 1))))
    assert finding.state == state
    assert said in f"{finding.what} {finding.cure}"


def test_the_die_test_counts_the_rolls_of_a_real_die(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = with_picos(tmp_path)

    async def table() -> Counter[int]:
        pico = SimulatedDie(tmp_path / "ttyACM1")
        pico.plug()
        devices = open_devices(config, os.urandom)
        patient = Patient(config, devices)
        patient.start()
        counts: Counter[int] = Counter()
        await until(lambda: getattr(devices.die, "wire", None) is not None)
        counting = asyncio.create_task(throws(patient, 4, counts, asyncio.Event()))
        await until(lambda: "0 of 4" in capsys.readouterr().out)  # earlier rolls do not count
        for number, face in enumerate((3, 6, 3, 1), 1):
            pico.throw(face)
            await until(lambda n=number: sum(isinstance(e, Rolled) for e in patient.events) >= n)  # type: ignore[misc]
        await until(counting.done)
        devices.close()
        pico.unplug()
        return counts

    assert asyncio.run(table()) == {3: 2, 6: 1, 1: 1}


def test_the_die_test_does_not_wait_for_a_die_that_is_not_there(tmp_path: Path) -> None:
    config = with_picos(tmp_path)

    async def table() -> Finding:
        devices = open_devices(config, os.urandom)
        visiting = asyncio.create_task(visit(config, devices, rolls=60, observe=0))
        await until(visiting.done)
        devices.close()
        return visiting.result()[-1]

    assert asyncio.run(table()).what == "not tested: there were no rolls"


def test_a_die_that_is_lost_ends_its_test_and_is_a_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = with_picos(tmp_path)

    async def table() -> list[Finding]:
        pico = SimulatedDie(tmp_path / "ttyACM1")
        pico.plug()
        devices = open_devices(config, os.urandom)
        visiting = asyncio.create_task(visit(config, devices, rolls=60, observe=0))
        await until(lambda: "0 of 60" in capsys.readouterr().out)
        pico.throw(4)
        await until(lambda: "1 of 60" in capsys.readouterr().out)
        pico.unplug()
        await until(visiting.done)
        devices.close()
        return visiting.result()

    *_, lost, so_far = asyncio.run(table())
    assert (lost.state, lost.device) == ("bad", "die")
    assert "It was unplugged from" in lost.what
    assert so_far.what.startswith("1 rolls")


def test_the_die_test_of_a_roll_button_draws_without_a_finger() -> None:
    async def table() -> Counter[int]:
        config = all_gpio()
        devices = open_devices(config, os.urandom)
        counts: Counter[int] = Counter()
        await throws(Patient(config, devices), 600, counts, asyncio.Event())
        devices.close()
        return counts

    counts = asyncio.run(table())
    assert sum(counts.values()) == 600
    assert set(counts) == set(range(1, 7))


def test_every_board_can_be_simulated() -> None:
    for name in BOARDS:
        config = Config(board=name)  # type: ignore[arg-type]
        assert bad(visited(config, simulated(config, os.urandom))) == []


@pytest.mark.parametrize("command", ["doctor", "learn"])
def test_every_option_is_documented(command: str) -> None:
    page = (ROOT / "docs/devices.md").read_text() + (ROOT / "docs/config.md").read_text()
    found = main.get_command(click.Context(main), command)
    assert found is not None
    for parameter in found.params:
        assert f"`{parameter.opts[0]}" in page, parameter.opts

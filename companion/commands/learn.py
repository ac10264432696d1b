"""`companion learn`: asks for each place in turn and writes the matrix map."""

import asyncio
import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import msgspec

from companion.bench.lesson import Lesson, Remark, describe, named
from companion.bench.wires import dead_lines
from companion.config import DEFAULT, Config, ConfigError, DieSection, find, load, parse, places
from companion.config_file import must_be_writable, text_of, write_map
from companion.daemon.bench_wiring import load_board
from companion.devices import Devices, matrix_size, open_devices, simulated
from companion.doctor.checks import Patient, missing_picos
from companion.doctor.finding import Finding, joined, listed
from companion.doctor.picos import picos
from companion.events import Found, Lost
from companion.rules.boards import BOARDS
from companion.table import BoardDevice
from companion.table.pins import PinError
from companion.table.sim import SimBoard
from companion.terminal.board import draw
from companion.terminal.keyboard import keyboard

GOOD, WRONG = ((880.0, 0.08),), ((220.0, 0.25),)
HELP = "Enter: nothing answers, go on   b: back   q: stop (all is kept)"
NOT_WRITTEN = "Nothing was written: the board is simulated."
AWAY = "Nothing is asked until it is back.   q: stop (all is kept)"


@click.command()
@click.option(
    "--config", "path", type=click.Path(path_type=Path), help="The configuration to write to."
)
@click.option("--again", is_flag=True, help="Forget the map and ask for every place.")
@click.option(
    "--simulated",
    "pretend",
    is_flag=True,
    help="Learn a simulated board from the beginning; nothing is written.",
)
def learn(path: Path | None, again: bool, pretend: bool) -> None:
    """Ask for each place in turn, and write to the configuration where it is wired.

    Every answer is written at once: stop whenever you like, and go on later.
    """
    place = find(path)
    if place is None and not pretend:
        if not DEFAULT.parent.is_dir():
            raise click.ClickException(
                "there is no configuration to write to: copy one of hardware/configs/ to "
                "companion.toml, or name one with --config"
            )
        place = DEFAULT  # on a box: the first answer makes one, of what greets there
    try:
        if place is None:
            config = load_board("40")
        elif place == DEFAULT:
            config = parse(text_of(place), str(place), complete=False)
        else:
            config = load(place, complete=False)
    except OSError as fault:
        raise click.ClickException(f"{place} cannot be read ({fault.strerror})") from fault
    except ConfigError as fault:
        raise click.ClickException(str(fault)) from fault
    if config.matrix is None:
        raise click.ClickException(f"{place} has no [matrix] section: say there how it is wired")
    if not pretend:
        assert place is not None
        _must_be_writable(place)
    try:
        devices = simulated(config, os.urandom) if pretend else open_for_learning(config)
    except PinError as fault:
        raise click.ClickException(str(fault)) from fault
    try:
        complete = asyncio.run(teach(config, devices, None if pretend else place, again))
    finally:
        devices.close()
    raise SystemExit(0 if complete else 1)


def _must_be_writable(path: Path) -> None:
    try:
        must_be_writable(path)
    except ConfigError as fault:
        raise click.ClickException(str(fault)) from fault


def open_for_learning(config: Config) -> Devices:
    """The board with no cell mapped, read even if moves are chosen, and the box's sounds."""
    bare = msgspec.structs.replace(
        config, sensing="touch", die=DieSection(source="hand"), oled=None
    )
    return open_devices(bare, os.urandom, wiring={})


async def teach(config: Config, devices: Devices, path: Path | None, again: bool = False) -> bool:
    """Ask until every place is wired or given up; true if none is missing.

    Without a path nothing is written, and what is written says nothing about this board.
    """
    patient = Patient(config, devices)
    patient.start()
    await patient.settle()
    board = devices.board
    assert board is not None
    away = absent(patient, board)
    if away:
        click.echo(away)
        for fault in why_absent(patient):
            click.echo(f"→ {fault.cure}" if fault.what in away else f"{fault.what}\n→ {fault.cure}")
        return False
    known = {} if again or path is None else places(config)
    rows, columns = matrix_size(config, board)
    beyond = [name for name, cell in known.items() if cell[0] >= rows or cell[1] >= columns]
    known = {name: cell for name, cell in known.items() if name not in beyond}
    lesson = Lesson(BOARDS[config.board].places, known, board.cells)
    session = Session(patient, board, lesson, path)
    if beyond:
        session.said = f"Asked again, the Pico's matrix has no such cells: {listed(beyond)}"
    await session.run()
    assert config.matrix is not None
    all_used = config.matrix.via == "gpio"
    size_now = (rows, columns)
    dead = dead_lines(lesson.missing, places(config), lesson.wired, size_now, all_used=all_used)
    for line in summary(
        lesson,
        written=path is not None,
        begun=session.wrote or not again,
        lines=[str(line) for line in dead],
    ):
        click.echo(line)
    return lesson.asked is None and not lesson.missing


def absent(patient: Patient, board: BoardDevice) -> str:
    """Why the board cannot be asked now; empty if it can."""
    told = patient.last(board.name)
    if isinstance(told, Found):
        return ""
    why = told.why if isinstance(told, Lost) else "it does not answer"
    return f"The board is not there: {why}"


def why_absent(patient: Patient) -> list[Finding]:
    """What keeps a board on a Pico away, as the doctor finds it."""
    ports = patient.devices.ports
    return [] if ports is None else picos(missing_picos(patient), ports.report())


class Session:
    """A lesson with a person at the terminal and a board on the table."""

    def __init__(
        self, patient: Patient, board: BoardDevice, lesson: Lesson, path: Path | None
    ) -> None:
        self.patient, self.board = patient, board
        self.lesson, self.path = lesson, path
        self.said = ""
        self.wrote = False
        self._written = dict(lesson.wired)
        self._stopped = False

    async def run(self) -> None:
        """Ask and listen until all is asked, or the person stops."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self.stop)
        self.board.on_cell = self.changed
        try:
            with keyboard(self.typed):
                while self.lesson.asked is not None and not self._stopped:
                    self.patient.news.clear()
                    self.show()
                    if isinstance(self.board, SimBoard):
                        await self._press_for(self.board)
                    else:
                        await self.patient.news.wait()
                    self.save()
        finally:
            self.board.on_cell = None
            loop.remove_signal_handler(signal.SIGINT)

    def stop(self) -> None:
        """Stop asking."""
        self._stopped = True
        self.patient.news.set()

    async def _press_for(self, board: SimBoard) -> None:
        """Nobody is there to press a simulated board: press what is asked."""
        assert self.lesson.asked is not None
        board.put(self.lesson.asked.name)
        await asyncio.sleep(0.02)
        board.take(self.lesson.asked.name)

    def changed(self, row: int, column: int, on: bool) -> None:
        """A cell of the board closed or opened."""
        remark = self.lesson.change((row, column), on)
        if remark is not None:
            self._answer(remark)
        self.patient.news.set()

    def typed(self, keys: str) -> None:
        """A key at the terminal."""
        for key in keys:
            if key in "qQ":
                self.stop()
            elif absent(self.patient, self.board):
                self.said = ""
            elif key in "\r\n":
                asked = self.lesson.asked
                self.lesson.skip()
                self.said = f"{describe(asked)} is noted as missing" if asked else ""
            elif key in "bB":
                self.lesson.back()
                self.said = "once more"
        self.patient.news.set()

    def _answer(self, remark: Remark) -> None:
        good = remark.kind == "learned"
        self.said = click.style(remark.text, fg="green" if good else "red")
        sounder = self.patient.devices.sounder
        if sounder is not None:
            sounder.play(GOOD if good else WRONG)
            sounder.lamp("good", good)
            sounder.lamp("bad", not good)

    def save(self) -> None:
        """Write what is known so far, if it is more or less than what is written."""
        if self.path is None or self.lesson.wired == self._written:
            return
        rows, columns = matrix_size(self.patient.config, self.board)
        try:
            write_map(self.path, self.patient.config.board, self.lesson.lines(rows, columns))
        except OSError as fault:
            raise click.ClickException(
                f"{self.path} cannot be written ({fault.strerror}): the last answer is lost, those "
                "before it are kept. See that the card is neither full nor read-only, then run "
                "`companion learn` again."
            ) from fault
        self._written = dict(self.lesson.wired)
        self.wrote = True

    def show(self) -> None:
        """Draw the board with the place that is asked for, or say that there is none to ask."""
        away = absent(self.patient, self.board)
        lines = [away, AWAY] if away else frame(self.patient.config, self.lesson, self.said)
        click.echo("\x1b[H\x1b[2J" + "\n".join(lines))


def frame(config: Config, lesson: Lesson, said: str) -> Iterator[str]:
    """What is shown while a place is asked for."""
    asked = lesson.asked
    assert asked is not None
    board = BOARDS[config.board]
    yield from draw(board, {asked.name}, lesson.wired, lesson.missing)
    done = len(lesson.wired) + len(lesson.missing)
    if said:
        yield said
    if lesson.stuck:
        closed = "; ".join(named(cell) for cell in sorted(lesson.stuck))
        yield click.style(f"closed from the start: {closed}. Clear the board.", fg="yellow")
    place = click.style(f"{describe(asked)} (●)", bold=True)
    do = f"put a piece on {place} and lift it" if config.sensing == "presence" else f"press {place}"
    yield f"{done + 1} of {len(board.places)}: {do}"
    yield HELP


def summary(
    lesson: Lesson, *, written: bool = True, begun: bool = True, lines: Sequence[str] = ()
) -> Iterator[str]:
    """How the lesson ended; `lines` are rows and columns in which nothing has answered.

    A lesson that was to forget the map has not `begun` before its first answer is written.
    """
    if lesson.stuck:
        closed = "; ".join(named(cell) for cell in sorted(lesson.stuck))
        yield f"Closed all the time: {closed}. Look for touching wires or a bent switch there."
    if lesson.missing:
        yield (
            f"No wire answered for: {listed(lesson.missing, 40)}. Check their wires and the "
            "direction of their diodes, then run `companion learn` again: it asks only for these."
        )
    if lines:
        yield (
            f"Nothing at all answered in {joined(lines)}: follow the wire from the pin, and "
            "reseat its plug; of a row all diodes may be turned."
        )
    if written and not begun:
        yield "Nothing was written: the map is as it was."
    elif lesson.asked is not None:
        yield "Stopped; `companion learn` goes on from here." if written else "Stopped."
    elif not lesson.missing:
        end = " and written down." if written else f". {NOT_WRITTEN}"
        yield f"All {len(lesson.wired)} places are wired{end}"

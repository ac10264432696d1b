"""`companion doctor`: what is connected, what is not, and what to do about each fault."""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path

import click

from companion.bench.wires import whole_lines
from companion.config import Config, ConfigError, find, load
from companion.devices import Devices, open_devices, simulated, without_pins
from companion.doctor.checks import (
    ASSUMED,
    Patient,
    examine,
    games,
    house,
    machine,
    secrets,
    wiring_of,
)
from companion.doctor.finding import Finding, listed, told
from companion.events import Cell, Event, Found, Fumbled, Lost, Pressed, Reading, Rolled
from companion.fairness import ENOUGH, fairness
from companion.flicker import WITHIN
from companion.journal import SYSTEM
from companion.rules.boards import BOARDS
from companion.table.buttons import RollButton
from companion.table.die import draw as draw_face
from companion.table.pins import PinError, pi_model
from companion.table.sim import SimBoard, SimButtons, SimDie
from companion.terminal.board import bars, draw
from companion.terminal.keyboard import keyboard
from companion.terminal.printable import printable

OBSERVE = WITHIN / 3  # seconds for which the sensors are watched at rest
TUNE = ((660.0, 0.12), (0.0, 0.05), (880.0, 0.12))
SIGNS = {"good": ("✔", "green"), "bad": ("✘", "red"), "note": ("–", "yellow")}


@click.command()
@click.option(
    "--config", "path", type=click.Path(path_type=Path), help="The configuration to check."
)
@click.option("--simulated", "pretend", is_flag=True, help="Look at a simulated table.")
@click.option("--watch", is_flag=True, help="Show places and buttons as they are pressed.")
@click.option("--rolls", type=click.IntRange(1), help="Test the die with so many rolls.")
@click.option("--self", "itself", is_flag=True, help="Look at the installation, not at the table.")
def doctor(path: Path | None, pretend: bool, watch: bool, rolls: int | None, itself: bool) -> None:
    """Look at every device of the table, and say what to do for each fault."""
    if itself:
        conclude(installation())
        return
    findings, config = read(path, pretend)
    report(findings)
    if config is not None:
        findings += look(config, pretend, watch, rolls)
    conclude(findings)


def installation() -> list[Finding]:
    """What there is to say of the installation itself."""
    from companion.doctor.installation import examine_self

    findings = []
    for finding in examine_self():
        report([finding])
        findings.append(finding)
    return findings


def conclude(findings: list[Finding]) -> None:
    """The last line; exits with 1 if there was a fault."""
    faults = [finding for finding in findings if finding.state == "bad"]
    if faults:
        count = f"{len(faults)} faults" if len(faults) > 1 else "One fault"
        click.secho(f"\n{count}: see what to do behind each arrow.", fg="red")
        raise SystemExit(1)
    click.secho("\nAll is well.", fg="green")


def read(path: Path | None, pretend: bool) -> tuple[list[Finding], Config | None]:
    """The configuration, if it says which table to look at; its faults are findings."""
    findings = [] if pretend else [machine(), *games()]
    place = find(path)
    if place is None:
        if not pretend:
            findings.append(
                Finding(
                    "note",
                    "config",
                    "none found: looking for Picos on USB and a screen on I2C",
                    "copy one of hardware/configs/ to companion.toml, or name one with --config",
                )
            )
        return findings, ASSUMED
    config = None
    try:
        config = load(place, complete=False)
        load(place)
    except ConfigError as fault:
        if config is None:
            cure = "docs/config.md tells each key; nothing else is looked at until it is mended"
        else:
            cure = "run `companion learn`; the rest is checked with the places that are mapped"
        findings.append(Finding("bad", "config", str(fault), cure))
    else:
        findings.append(Finding("good", "config", str(place)))
    if config is not None:
        findings += secrets(place, config)
        findings += house(config, SYSTEM.parent)
    return findings, config


def look(config: Config, pretend: bool, watch: bool, rolls: int | None) -> list[Finding]:
    """Open the devices and visit them; what cannot be opened is a finding too."""
    findings, config, devices = admit(config, pretend)
    report(findings)
    partly = bool(findings)
    try:
        findings += asyncio.run(visit(config, devices, watch, rolls, partly=partly))
    except KeyboardInterrupt:
        findings.append(Finding("bad", "doctor", "interrupted"))
    finally:
        devices.close()
    return findings


def admit(config: Config, pretend: bool) -> tuple[list[Finding], Config, Devices]:
    """Open the devices; without the pins, if these cannot be opened."""
    if pretend:
        return [], config, simulated(config, os.urandom)
    try:
        return [], config, open_devices(config, os.urandom)
    except PinError as fault:
        config = without_pins(config)
        if pi_model() is None:  # told already of the computer: one cause, one fault
            finding = Finding("note", "pins", "what needs them is not looked at")
        else:
            finding = Finding("bad", "pins", fault.what, fault.cure)
        return [finding], config, open_devices(config, os.urandom)


async def visit(
    config: Config,
    devices: Devices,
    watch: bool = False,
    rolls: int | None = None,
    *,
    partly: bool = False,
    observe: float = OBSERVE,
) -> list[Finding]:
    """Examine the table; then watch it and test its die, if asked to."""
    patient = Patient(config, devices, partly)
    if devices.sounder is not None:
        devices.sounder.play(TUNE)
        for lamp in ("good", "bad"):
            devices.sounder.lamp(lamp, True)
    findings = await examine(patient, observe)
    report(findings)
    if watch:
        click.echo()
        await until_stopped(lambda stop: live(patient, stop))
        more = list(watched(patient))
        report(more)
        findings += more
    if rolls is not None:
        click.echo()
        counts: Counter[int] = Counter()
        begun = len(patient.events)
        await until_stopped(lambda stop: throws(patient, rolls, counts, stop))
        more = [*lost_since(patient, begun), *judged(counts)]
        report(more)
        findings += more
    return findings


def report(findings: list[Finding]) -> None:
    """Print findings, each with its cure."""
    for state, device, what, cure in findings:
        sign, colour = SIGNS[state]
        first, *rest = printable(what).split("\n")
        click.echo(f"{click.style(sign, fg=colour)} {device:9} {first}")
        for line in rest:
            click.echo(f"{'':12}{line.strip()}")
        if cure:
            click.echo(f"{'':12}{click.style('→', fg=colour)} {cure}")


async def until_stopped(work: Callable[[asyncio.Event], Awaitable[None]]) -> None:
    """Run something until it ends, or until q, Enter or Ctrl-C is pressed."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, stop.set)
    try:
        with keyboard(lambda keys: stop.set() if set(keys) & set("qQ\n\r\x1b") else None):
            await work(stop)
    finally:
        loop.remove_signal_handler(signal.SIGINT)


# The live view


async def live(patient: Patient, stop: asyncio.Event) -> None:
    """Draw the board again whenever something happens."""
    demo = asyncio.create_task(demonstrate(patient.devices, stop))
    click.echo("\x1b[?25l\x1b[2J", nl=False)
    try:
        while not stop.is_set():
            patient.news.clear()
            click.echo("\x1b[H" + "".join(f"{line}\x1b[K\n" for line in frame(patient)) + "\x1b[J")
            await first_of(patient.news, stop)
            await asyncio.sleep(0.03)  # one drawing for a burst of events
    finally:
        click.echo("\x1b[?25h", nl=False)
        demo.cancel()
        with suppress(asyncio.CancelledError):
            await demo


async def first_of(*events: asyncio.Event) -> None:
    """Wait until one of these is set."""
    tasks = [asyncio.create_task(event.wait()) for event in events]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()


def frame(patient: Patient) -> Iterator[str]:
    """The live view: the board, what happened last, and what is wrong."""
    health = patient.health
    board = BOARDS[patient.config.board]
    yield from draw(board, health.on, health.seen, health.flickering)
    yield f"● on   ○ was on   · not yet ({len(health.unseen)} left)   q ends"
    said = [text for event in patient.events if (text := spoken(event))]
    yield f"last: {'   '.join(reversed(said[-5:]))}" if said else "last: nothing yet; press a place"
    if health.flickering:
        yield click.style(f"flickering: {listed(health.flickering)}", fg="red")


def spoken(event: Event) -> str:
    """An event in a few words."""
    if isinstance(event, Reading):
        return f"{event.place} {'on' if event.on else 'off'}"
    if isinstance(event, Pressed):
        return f"button {event.button}{' held' if event.held else ''}"
    if isinstance(event, Rolled):
        return f"rolled {event.face}"
    if isinstance(event, Fumbled):
        return "fumbled"
    if isinstance(event, Lost):
        return click.style(f"{event.device} lost", fg="red")
    return f"{event.device} found" if isinstance(event, Found) else ""


async def demonstrate(devices: Devices, stop: asyncio.Event) -> None:
    """On a simulated table nobody presses anything: go once round by itself."""
    if not isinstance(devices.board, SimBoard):
        return
    for place in devices.board.places:
        devices.board.put(place)
        await asyncio.sleep(0.04)
        devices.board.take(place)
    if isinstance(devices.buttons, SimButtons):
        devices.buttons.press("up")
        devices.buttons.press("down")
        devices.buttons.press("ok", held=True)
    if isinstance(devices.die, SimDie):
        devices.die.throw()
    await asyncio.sleep(0.5)
    stop.set()


def watched(patient: Patient) -> Iterator[Finding]:
    """What the live view has shown about the sensors."""
    health, wiring = patient.health, wiring_of(patient)
    if not health.places:
        return
    if health.flickering:
        yield Finding(
            "bad",
            "sensors",
            f"flickering: {listed(health.flickering)}",
            "check the solder joints of these places",
        )
    if health.unmoved:
        yield Finding(
            "bad",
            "sensors",
            f"on all the time: {told(health.unmoved, wiring)}",
            "lift what stands there; if nothing does, look for touching wires or a bent switch",
        )
    if health.unseen:
        yield Finding(
            "note",
            "sensors",
            f"not seen on: {told(health.unseen, wiring)}",
            unseen_cure(health.unseen, wiring),
        )
    else:
        yield Finding("good", "sensors", f"all {len(health.places)} places were seen on")


def unseen_cure(names: list[str], wiring: dict[str, Cell]) -> str:
    """What to do about places that were never seen on."""
    found, rest = whole_lines(names, wiring)
    cures = []
    if found:
        cures.append(
            "of a whole row or column follow its wire from the pin, and reseat its plug; of a "
            "row all diodes may be turned"
        )
    if rest:
        cures.append(
            "press them; those that stay dark have a broken wire or a diode the wrong way round"
        )
    return "; ".join(cures)


# The die test


async def throws(patient: Patient, wanted: int, counts: Counter[int], stop: asyncio.Event) -> None:
    """Count rolls until there are enough; a roll button is not pressed, the Pi just draws."""
    die = patient.devices.die
    if die is None:
        return
    if isinstance(die, RollButton):
        counts.update(draw_face(os.urandom) for _ in range(wanted))
        return
    if isinstance(die, SimDie):
        counts.update(die.throw() for _ in range(wanted))
        return
    begun = len(patient.events)
    click.echo(f"Roll the die {wanted} times (q ends).")
    while not stop.is_set() and isinstance(patient.last(die.name), Found):
        rolled = [event for event in patient.events[begun:] if isinstance(event, Rolled)]
        counts.clear()
        counts.update(event.face for event in rolled)
        click.echo(f"\r{len(rolled)} of {wanted} ", nl=False)
        if len(rolled) >= wanted:
            break
        patient.news.clear()
        await first_of(patient.news, stop)
    click.echo()


def lost_since(patient: Patient, begun: int) -> Iterator[Finding]:
    """A die that went away during its test."""
    for event in patient.events[begun:]:
        if isinstance(event, Lost) and event.device == "die":
            yield Finding("bad", "die", event.why, "plug it in again, and test it once more")


def judged(counts: Counter[int]) -> Iterator[Finding]:
    """How fair the rolls were, with their picture."""
    faces = [counts[face] for face in range(1, 7)]
    total = sum(faces)
    if total == 0:
        yield Finding("note", "die", "not tested: there were no rolls")
        return
    result = fairness(faces)
    numbers = f"{total} rolls, chi-square {result.statistic:.1f}, p = {result.p:.3f}"
    picture = "\n".join([numbers, *bars(faces)])
    if total < ENOUGH:
        yield Finding("note", "die", picture, f"too few to judge: roll at least {ENOUGH} times")
    elif result.suspicious:
        yield Finding(
            "bad",
            "die",
            picture,
            "a fair die looks like this less than once in a thousand tests: test it again, and if "
            "it stays so, run `companion flash die`",
        )
    else:
        yield Finding("good", "die", f"fair: {picture}")

"""`companion flash`: our program onto a Pico, in one command."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from companion.flash.pico import Flashed
    from companion.link import Hello
    from companion.link.news import Role
    from companion.table.raw_repl import RawRepl

LET_GO = 6.0  # seconds that the daemon has to let go of a port
ASK = 2.5  # seconds a Pico has to say who it is


@click.command()
@click.argument("role", type=click.Choice(["die", "board"]))
@click.option("--port", help="The Pico's port, where there are several.")
@click.option(
    "--uf2", type=click.Path(path_type=Path), help="A file of MicroPython, for a blank Pico."
)
@click.option("--replace", is_flag=True, help="Remove whatever else is on the Pico.")
@click.option(
    "--set", "given", multiple=True, metavar="NAME=VALUE", help="A value of main.py: LIGHTS=27."
)
def flash(
    role: "Role", port: str | None, uf2: Path | None, replace: bool, given: tuple[str, ...]
) -> None:
    """Put the program of a die or a board onto a Pico, as far as it is not there."""
    from companion.flash.pico import FlashError
    from companion.table.raw_repl import PicoError
    from companion.table.serial_ports import PicoPorts
    from companion.terminal.printable import refusal

    values = read_settings(role, given)
    ports = PicoPorts()
    try:
        if uf2 is not None:
            port = with_micropython(uf2, port, ports)
        path = port if port is not None else the_pico(role, ports())
        done, hello = put_on(path, role, values, replace)
    except (FlashError, PicoError) as fault:
        raise refusal(f"{fault}"[:1].upper() + f"{fault}"[1:]) from None
    conclude(done, hello, path)


def read_settings(role: "Role", given: tuple[str, ...]) -> dict[str, str]:
    """The values that the command line gives; only whole numbers and lists of them are any."""
    import re

    from companion.flash.files import SETTINGS
    from companion.rules.errors import BadInput

    values = {}
    for one in given:
        name, _, value = one.partition("=")
        if name not in SETTINGS[role]:
            known = ", ".join(SETTINGS[role])
            raise BadInput(f"--set {one}: a {role} has {known}")
        if not re.fullmatch(r"None|\d{1,3}|\((\d{1,3}, ?)*\d{1,3},?\)", value):
            raise BadInput(f"--set {one}: the value is a number like 27, or a list like (2, 3)")
        values[name] = value
    return values


def the_pico(role: "Role", paths: list[str]) -> str:
    """The port of the Pico that is meant. Raises FlashError if that cannot be told."""
    from companion.flash.pico import FlashError, greeting
    from companion.table.port_claims import claim

    if not paths:
        raise FlashError("no Pico is plugged in; a blank one needs --uf2 FILE")
    if len(paths) == 1:
        return paths[0]
    known: dict[str, Hello | None] = {}
    for path in paths:
        with claim(path) as ours:
            known[path] = greeting(path, LET_GO if ours else ASK)
    same = [path for path, hello in known.items() if hello is not None and hello.role == role]
    blank = [path for path, hello in known.items() if hello is None]
    for found in (same, blank):
        if len(found) == 1:
            return found[0]
    raise FlashError(
        f"several Picos could be the {role}: unplug the others, or name one with --port "
        f"({', '.join(paths)})"
    )


def with_micropython(uf2: Path, port: str | None, ports: Callable[[], list[str]]) -> str:
    """Put MicroPython onto a Pico that waits for it; returns the port on which it comes back."""
    from companion.flash.uf2 import boot_drive, chip_of_uf2, copy, wait_for_port

    chip_of_uf2(uf2)
    before = {path for path in ports() if path != port}
    with boot_drive() as drive:
        click.echo(f"Copying {uf2.name} to {drive}")
        copy(uf2, drive)
    found = wait_for_port(ports, before)
    click.echo(f"MicroPython runs on {found}")
    return found


def put_on(
    path: str, role: "Role", values: dict[str, str], replace: bool
) -> "tuple[Flashed, Hello | None]":
    """Flash the Pico on this port, while the daemon lets go of it."""
    import importlib

    from companion.flash.pico import FlashError, greeting
    from companion.flash.pico import flash as put
    from companion.pages.firmware import version
    from companion.table.port_claims import claim

    folder = Path(importlib.import_module("firmware").__path__[0])
    with ExitStack() as stack:
        if not stack.enter_context(claim(path)):
            raise FlashError(f"another `companion flash` is at work on {path}")
        with opened(path) as pico:
            done = put(
                pico,
                role,
                folder,
                version(folder),
                replace=replace,
                given=values,
                progress=lambda file, at, whole: click.echo(f"{100 * at // whole:3} %  {file}"),
            )
        return done, greeting(path)


def opened(path: str, patience: float = LET_GO) -> "RawRepl":
    """The port, as soon as nobody else holds it. Raises FlashError."""
    from companion.flash.pico import FlashError
    from companion.table.raw_repl import PortBusyError, RawRepl

    end = time.monotonic() + patience
    while True:
        try:
            return RawRepl(path)
        except PortBusyError:
            if time.monotonic() > end:
                raise FlashError(
                    f"another program holds {path}: stop it (perhaps mpremote or a terminal)"
                ) from None
            time.sleep(0.1)


def conclude(done: "Flashed", hello: "Hello | None", path: str) -> None:
    """Say what was done, and who greets now; a Pico that does not is a fault."""
    what = f"{len(done.written)} files written, {done.same} were there already."
    click.echo(what if done.written else "Everything was there already.")
    if hello is None:
        raise click.ClickException(
            f"The Pico on {path} does not greet: unplug it and plug it in again; "
            "`companion doctor` then tells what it says."
        )
    if hello.firmware != done.version:
        raise click.ClickException(
            f"The Pico on {path} greets as {hello}, not as {done.version}: try again."
        )
    click.secho(f"✔ {hello}, on {path}", fg="green")

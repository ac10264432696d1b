"""`companion house`: the bar's side of a café, with every table on one page."""

import asyncio
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.terminal.printable import told

if TYPE_CHECKING:
    from companion.config import HouseConfig
    from companion.daemon.notify import Notifier

_CONFIG = click.option(
    "--config", "path", type=click.Path(path_type=Path), help="The house's configuration."
)
_BROKER = click.option(
    "--broker", "folder", type=click.Path(path_type=Path), help="The folder of the broker's files."
)


@click.group(invoke_without_command=True)
@_CONFIG
@click.pass_context
def house(context: click.Context, path: Path | None) -> None:
    """Be the house: hear every table, show them on one page, and archive their games."""
    if context.invoked_subcommand is None:
        _run(_config(path))


def _config(path: Path | None) -> "HouseConfig":
    from companion.config import HOUSE, ConfigError, load_house
    from companion.terminal.printable import refusal

    try:
        return load_house(path or HOUSE)
    except ConfigError as fault:
        raise refusal(str(fault)) from None


def _run(config: "HouseConfig") -> None:
    from companion.cafe.archive import Archive
    from companion.cafe.house import House, serve
    from companion.cafe.page import HousePage
    from companion.daemon.notify import Notifier
    from companion.daemon.serving import log_to_stderr
    from companion.web.key import kept_key

    log_to_stderr()
    place = Path(config.archive)

    async def work() -> None:
        task = asyncio.current_task()
        assert task is not None
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, task.cancel)
        one = House(config.broker, Archive(place))
        page = HousePage(one, config.page, kept_key(place.parent))
        notify = Notifier()
        try:
            await serve(one, page, lambda _: _ready(notify))
        finally:
            notify("STOPPING=1")
            notify.close()

    try:
        asyncio.run(work())
    except OSError as fault:
        raise click.ClickException(told(fault)) from None


def _ready(notify: "Notifier") -> None:
    notify("READY=1")


@house.command()
@_BROKER
@_CONFIG
@click.option(
    "--lan/--no-lan", default=None, help="Listen beyond this machine, for tables in the network."
)
@click.option(
    "--tls/--no-tls", default=None, help="Encrypt the line, with a certificate of the house."
)
@click.option("--name", help="By which name or address tables find the house.")
@click.option("--port", type=click.IntRange(1, 65535), help="The broker's port.")
@click.option("--pin", metavar="DIGITS", help="The staff's PIN for orders.")
def setup(
    folder: Path | None,
    path: Path | None,
    lan: bool | None,
    tls: bool | None,
    name: str | None,
    port: int | None,
    pin: str | None,
) -> None:
    """Write the broker's files and the house's configuration; `systemd/install.sh --house` does.

    What is not given stays as it was set up before.
    """
    from companion.cafe import setting_up
    from companion.config import HOUSE

    if pin is not None and not (pin.isdecimal() and pin.isascii() and 6 <= len(pin) <= 12):
        raise click.BadParameter("a PIN has 6 to 12 digits", param_hint="--pin")
    try:
        found = setting_up.chosen(folder or setting_up.BROKER, lan, tls, name, port)
        password = setting_up.set_up(found)
        setting_up.write_config(path or HOUSE, found, password, pin=pin)
    except (OSError, setting_up.SetUpError) as fault:
        raise click.ClickException(told(fault)) from None
    click.echo(
        f"The house's broker is at {found.name}:{found.port}; its files are in {found.folder}."
    )
    click.echo(f"The house's configuration is {path or HOUSE}.")
    click.echo("Both are read again with: systemctl restart mosquitto ludo-house")


@house.command()
@click.argument("table")
@_BROKER
@click.option("--label", default="", help="What people call the table.")
@click.option("--at", help="Where the table's page is, if not at TABLE.local.")
def add(table: str, folder: Path | None, label: str, at: str | None) -> None:
    """Let TABLE in: prints a link, and a QR code of it, that is confirmed at the table."""
    from companion.cafe import setting_up

    try:
        found = setting_up.invite(folder or setting_up.BROKER, table, label)
    except (OSError, setting_up.SetUpError) as fault:
        raise click.ClickException(told(fault)) from None
    _reload(folder)
    link = found.link(_page_of(at or f"{table}.local"))
    click.echo(f"Open this at the table, or scan it; its page asks whether to join:\n\n{link}\n")
    _print_code(link)
    click.echo(
        "\nWhoever has the link can be this table. Where the table's page is for itself only:\n"
        f"  sudo companion join '{found.line()}'"
    )


def _page_of(at: str) -> str:
    """The address of a table's page, from what is known of it."""
    from companion.config import WebSection

    if "//" in at:
        return at
    return f"http://{at if ':' in at.rpartition(']')[2] else f'{at}:{WebSection().port}'}/"


def _print_code(link: str) -> None:
    """A QR code for whoever has a phone in the hand; on paper and in files it would be noise."""
    import sys

    import segno

    if sys.stdout.isatty():
        segno.make(link, micro=False, error="l").terminal(compact=True)


@house.command()
@click.argument("table")
@_BROKER
@_CONFIG
def remove(table: str, folder: Path | None, path: Path | None) -> None:
    """Let TABLE in no more, and take it off the page; its archived games stay."""
    from companion.cafe import broker, setting_up

    try:
        known = broker.keep_out(folder or setting_up.BROKER, table)
    except OSError as fault:
        raise click.ClickException(told(fault)) from None
    if not known:
        raise click.ClickException(f"there is no table {table} to remove")
    _reload(folder)
    click.echo(f"{table} may no longer come in.")
    try:
        _asked(_config(path), "remove", {"table": table})
    except click.ClickException as fault:
        click.echo(f"It stays on the house's page until the house is asked again: {fault}")


@house.command()
@_BROKER
def homeassistant(folder: Path | None) -> None:
    """Let Home Assistant in at the broker: prints its user and a new password.

    It hears every table, and writes nothing but its own topics.
    """
    from companion.cafe import broker, setting_up, topics

    password = broker.new_password()
    try:
        setting_up.known_house(folder or setting_up.BROKER)
        broker.let_in(folder or setting_up.BROKER, topics.DISCOVERY, password)
        broker.write_access(folder or setting_up.BROKER)
    except (OSError, setting_up.SetUpError) as fault:
        raise click.ClickException(told(fault)) from None
    _reload(folder)
    click.echo("In Home Assistant's MQTT integration:\n")
    click.echo(f"user:     {topics.DISCOVERY}\npassword: {password}")


@house.command()
@_BROKER
@_CONFIG
def doctor(folder: Path | None, path: Path | None) -> None:
    """Look at the broker, its files and every table, and say why one cannot join."""
    import time

    from companion.cafe import setting_up
    from companion.commands.doctor import conclude, report
    from companion.doctor.house import examine_house

    findings = []
    for finding in examine_house(_config(path), folder or setting_up.BROKER, time.time()):
        report([finding])
        findings.append(finding)
    conclude(findings)


@house.command()
@click.argument("name")
@_CONFIG
def forget(name: str, path: Path | None) -> None:
    """Forget NAME in the archive, in every table's journal and on every screen, for good.

    The house has to run: it asks every table, now or when it comes back.
    """
    games = _asked(_config(path), "forget", {"name": name})["games"]
    click.echo(f"Forgotten in {games} archived games; the tables are told, each when it is there.")


def _asked(config: "HouseConfig", what: str, wish: dict[str, str]) -> "dict[str, Any]":
    """Ask the house that runs here for something, as its own screen would."""
    import json
    import urllib.error
    import urllib.request

    from companion.cafe.page import NAME
    from companion.web.guard import BY_KEY, cookie_name
    from companion.web.key import read_key

    cookie = cookie_name(NAME, BY_KEY, config.page.port)
    try:
        key = read_key(Path(config.archive).parent)
        asked = urllib.request.Request(
            f"http://127.0.0.1:{config.page.port}/{what}",
            json.dumps(wish).encode(),
            {"Content-Type": "application/json", "Cookie": f"{cookie}={key}"},
        )
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return dict(json.loads(answer.read() or b"{}"))
    except urllib.error.HTTPError as no:
        raise click.ClickException(f"the house refuses: {json.load(no)['error']}") from None
    except OSError as fault:
        reason = getattr(fault, "reason", None)  # of one by urllib
        cause = reason if isinstance(reason, OSError) else fault
        said = f"the house does not do it ({told(cause)}): does it run?"
        raise click.ClickException(said) from None


@house.command()
@click.option("--tables", default=8, show_default=True, type=click.IntRange(1, 40))
@click.option("--port", type=click.IntRange(0, 65535), default=8090, help="The page's port.")
@click.option("--folder", type=click.Path(path_type=Path), help="Where it keeps everything.")
@click.option("--pace", default=0.6, show_default=True, help="Seconds between two things done.")
@click.option("--no-browser", is_flag=True, help="Open no browser.")
def demo(tables: int, port: int, folder: Path | None, pace: float, no_browser: bool) -> None:
    """A whole house on this machine: a broker, the page, and tables with simulated guests."""
    import tempfile

    from companion.daemon.house_demo import demonstrate
    from companion.terminal.browser import open_browser

    def started(address: str) -> None:
        click.echo(f"The house is open: {address}\n(Ctrl-C ends it; the staff's PIN is 471100.)")
        if folder is not None:
            click.echo(
                "Other commands of the house, such as remove, forget or doctor, are for it with\n"
                f"  --config {folder}/house.toml --broker {folder}/broker"
            )
        if not no_browser:
            open_browser(address)

    def died(said: str) -> None:
        click.secho(said, fg="red", err=True)

    try:
        if folder is not None:
            asyncio.run(demonstrate(folder, tables, port, pace, started, died))
        else:
            with tempfile.TemporaryDirectory(prefix="ludo-house-") as made:
                asyncio.run(demonstrate(Path(made), tables, port, pace, started, died))
    except OSError as fault:
        raise click.ClickException(told(fault)) from None


def _reload(folder: Path | None) -> None:
    """Let the system's broker read its passwords again, or say that it does not."""
    import shutil
    import subprocess

    from companion.cafe import setting_up

    if folder not in (None, setting_up.BROKER) or not shutil.which("systemctl"):
        return
    done = subprocess.run(["systemctl", "reload", "mosquitto"], check=False, capture_output=True)
    if done.returncode:
        said = "The broker does not know of it yet: sudo systemctl restart mosquitto"
        click.secho(said, fg="yellow", err=True)

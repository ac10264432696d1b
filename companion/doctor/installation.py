"""What `companion doctor --self` looks at: the installation itself, without any device.

The installer asks it of a new version before it takes the place of the old one, so it must find
whatever would keep the service from working: a file that is missing or torn, a package of another
version, a module that cannot be imported, a game that cannot be kept, odds of other rules.
"""

import base64
import gettext
import hashlib
import importlib
import pkgutil
import sys
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path, PurePosixPath
from random import Random

from companion.doctor.finding import Finding, listed
from companion.table.pins import pi_model

LIST = "wheels.sha256"
"""What the environment was made from; the installer leaves it there."""
AGAIN = "install it again"
NEEDED = ("PIL", "aiohttp", "gpiozero", "luma.oled.device", "msgspec", "segno", "serial", "tomlkit")
"""What every box imports sooner or later."""
OURS = ("companion", "firmware")
LANGUAGES = ("de", "nl")
MOVES = 12
SHORT_GAMES = (("german+pieces=2 yellow,red", "fox"), ("dutch+pieces=1 red,yellow", "cat"))
"""Games and players by which the fast part of the odds is tried."""


def examine_self() -> Iterator[Finding]:
    """Every part of the installation; what has gone wrong is told, and the rest is looked at."""
    yield Finding("good", "python", f"{sys.version.split()[0]} in {sys.prefix}")
    yield from packages(Path(sys.prefix))
    yield from modules()
    yield from words()
    yield from page()
    yield from firmware()
    yield from game()
    yield from odds()
    yield from pins()


def packages(prefix: Path) -> Iterator[Finding]:
    """Whether every package that was tested is there, to the last byte."""
    try:
        wanted = dict(_wheels((prefix / LIST).read_text()))
    except OSError:
        yield Finding("note", "packages", "made by hand, not by the installer: not compared")
        return
    site = next(prefix.glob("lib/python3*/site-packages"))
    found = metadata.distributions(path=[str(site)])
    there = {_plain(one.name): one for one in found if one.read_text("METADATA")}
    missing = [f"{name} {version}" for name, version in wanted.items() if name not in there]
    other = [
        f"{name} {there[name].version} instead of {version}"
        for name, version in wanted.items()
        if name in there and there[name].version != version
    ]
    torn = list(torn_files(site))
    for what, which in (("missing", missing), ("other versions", other), ("damaged", torn)):
        if which:
            yield Finding("bad", "packages", f"{what}: {listed(which, 4)}", AGAIN)
    if not (missing or other or torn):
        yield Finding("good", "packages", f"{len(wanted)}, each file as it was tested")


def _wheels(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        name, version, *_ = line.partition("  ")[2].split("-")
        yield _plain(name), version


def _plain(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


def torn_files(site: Path) -> Iterator[str]:
    """Files that are not as their packages wrote them down."""
    for record in sorted(site.glob("*.dist-info/RECORD")):
        for line in record.read_text(encoding="utf-8").splitlines():
            file, kept, _ = line.rsplit(",", 2)
            path = PurePosixPath(file.strip('"'))
            if kept and not path.parts[0].endswith(".data") and _digest(site / path) != kept:
                yield str(path)


def _digest(path: Path) -> str | None:
    try:
        digest = hashlib.sha256(path.read_bytes()).digest()
    except OSError:
        return None
    return f"sha256={base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"


def modules() -> Iterator[Finding]:
    """Whether everything can be imported, with what it needs."""
    ours = importlib.import_module("companion").__path__
    every = pkgutil.walk_packages(ours, "companion.")
    names = [one.name for one in every if "kernel_" not in one.name]  # libraries, not modules
    faults = [fault for name in (*names, *NEEDED) if (fault := _import_fault(name))]
    if faults:
        yield Finding("bad", "modules", f"cannot be imported: {listed(faults, 4)}", AGAIN)
    else:
        yield Finding("good", "modules", f"all {len(names)} can be imported")


def _import_fault(name: str) -> str | None:
    """Why a module cannot be imported; one that needs an extra which is not here is no fault."""
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as fault:
        missing = (fault.name or name).partition(".")[0]
        return f"{name} ({fault})" if missing in OURS or name in NEEDED else None
    except Exception as fault:
        return f"{name} ({fault})"
    return None


def words() -> Iterator[Finding]:
    """Whether the box speaks its languages."""
    folder = Path(importlib.import_module("companion.screens").__path__[0]) / "catalogues"
    mute = [one for one in LANGUAGES if gettext.find("companion", folder, [one]) is None]
    if mute:
        yield Finding("bad", "words", f"no compiled sentences for {listed(mute)}", AGAIN)
    else:
        yield Finding("good", "words", f"en, {', '.join(LANGUAGES)}")


def page() -> Iterator[Finding]:
    """Whether the files of the page are there."""
    folder = Path(importlib.import_module("companion.web").__path__[0]) / "static"
    files = [path for path in folder.glob("*") if path.suffix in (".html", ".js", ".css")]
    if any(path.suffix == ".html" for path in files):
        yield Finding("good", "page", f"{len(files)} files")
    else:
        yield Finding("bad", "page", f"its files are not in {folder}", AGAIN)


def firmware() -> Iterator[Finding]:
    """Whether the Picos' programs are there as they were tested."""
    from companion.pages.firmware import version
    from firmware import VERSION

    folder = Path(importlib.import_module("firmware").__path__[0])
    if version(folder) == VERSION:
        yield Finding("good", "firmware", VERSION)
    else:
        yield Finding("bad", "firmware", f"it says {VERSION}, but its files are others", AGAIN)


def game() -> Iterator[Finding]:
    """Whether a game can be played and kept: some moves, written to a file and read back."""
    try:
        played = list(some_moves())
        with tempfile.TemporaryDirectory() as folder:
            same = kept_and_read(played, Path(folder) / "games.db") == played
    except Exception as fault:
        yield Finding("bad", "game", f"it cannot be played and kept: {fault!r}", AGAIN)
        return
    if same:
        yield Finding("good", "game", f"{MOVES} moves were played, kept and read back")
    else:
        yield Finding("bad", "game", "what was kept is not what was read back", AGAIN)


def some_moves() -> Iterator[dict[str, str]]:
    """The start of a game and some moves, as records."""
    from companion.rules import game as table
    from companion.rules import legal_moves, play

    random = Random(1)
    here = table("german").start()
    yield {"kind": "start", "position": str(here)}
    for _ in range(MOVES):
        move = random.choice(legal_moves(here, random.randint(1, 6)))
        here = play(here, move)
        yield {"kind": "move", "move": str(move), "position": str(here)}


def kept_and_read(records: list[dict[str, str]], path: Path) -> list[dict[str, str]]:
    """What a second companion finds of records that a first one kept."""
    from companion.journal import Journal

    first = Journal(path)
    first.keep(records, 0.0)
    first.close()
    second = Journal(path)
    try:
        return list(second.resumable())
    finally:
        second.close()


def odds() -> Iterator[Finding]:
    """Whether the fast part of the odds is for this machine, and plays as the rules do."""
    from companion.odds.playouts import PlayOuts
    from companion.rules import recall_game

    for text, level in SHORT_GAMES:
        short = recall_game(text)
        fast, slow = PlayOuts(short), PlayOuts(short, fast=False)
        if fast.fast is None:
            yield Finding("note", "odds", f"reckoned slowly: {fast.why_slow}")
            return
        if fast.run(short.start(), level, 1, 6) != slow.run(short.start(), level, 1, 6):
            yield Finding("bad", "odds", "the fast part does not play by the rules", AGAIN)
            return
    yield Finding("good", "odds", "the fast part plays as the rules do")


def pins() -> Iterator[Finding]:
    """Whether the Pi's pins can be reached, where there are any."""
    try:
        importlib.import_module("lgpio")
    except ImportError:
        if pi_model() is None:
            yield Finding("note", "pins", "this is no Pi, and has none")
        else:
            yield Finding(
                "bad", "pins", "lgpio is not installed", "sudo apt-get install python3-lgpio"
            )
    else:
        yield Finding("good", "pins", "lgpio is there")

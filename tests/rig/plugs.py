"""The plug, pulled at random moments of an update: `python -m tests.rig.plugs 50`; a minute each.

A box is installed from the Debian package that `make chroots` built, and a game is begun. It is the
rig's "Pi", or, with `--container`, a Debian of this machine's own kind, which is much quicker. Its
page is asked to update it from a stick. Again and again meanwhile its disk is copied as it is:
just that a pulled plug would leave. The box is started from each copy: always one version runs,
whole, and the game is there; and from some of them the update is tried once more. At the end the
version before is sent to the page as a file, and comes back in the same way.
"""

import argparse
import json
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Protocol

from companion import __version__, signatures
from companion.config import DEFAULT
from tests.chroots import OLDER
from tests.rig import container
from tests.rig.__main__ import ASK, SERVICE, build_system, have_tools, say
from tests.rig.guest import Guest

CONFIG = """
board = "40"
sensing = "choose"
[box]
up = 17
down = 27
ok = 22
[die]
source = "hand"
"""
GAME = (
    '{"do": "new_game", "sheet": "german", "seats": ["yellow", "red"]}',
    '{"do": "go_on"}',
    *(f'{{"do": "roll", "face": {face}}}' for face in (6, 2, 6)),
)
"""The pieces are set, yellow throws more than red and begins; then a six, to enter with."""
MANY = 20
"""Of so many moments some are before the change of version, and some after it."""
TRY_AGAIN = 10
"""Of so many boxes whose plug was pulled one is updated once more."""


class Machine(Protocol):
    """What a box runs on."""

    def run(self, command: str) -> str: ...
    def run_with_stick(self, command: str) -> str: ...
    def copy_disk(self, target: Path) -> None: ...
    def pull_plug(self) -> None: ...


class Carried:
    """What a person brings along: the newer package, and the older in a folder, for a stick.

    They are signed, with a key of which the box is given the public half.
    """

    def __init__(self, packages: Path, folder: Path, machine: str) -> None:
        self.folder = folder / "carried"
        key = folder / "key.pem"
        words = ["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(key)]
        subprocess.run(words, check=True, stderr=subprocess.DEVNULL)
        self.key = signatures.public_key(key)
        for kind, place in (("old", self.folder / "before"), ("new", self.folder)):
            found = next((packages / kind).glob(f"ludo-companion_*_{machine}.deb"))
            place.mkdir(parents=True, exist_ok=True)
            signatures.sign(Path(shutil.copy(found, place)), key)

    def stick(self) -> Path:
        """A USB stick, as people have them, with all that on it."""
        file = self.folder.with_name("usb-stick")
        subprocess.run(["truncate", "-s", "100M", file], check=True)
        subprocess.run(["mkfs.vfat", file], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["mcopy", "-s", "-i", file, *self.folder.iterdir(), "::"], check=True)
        return file


class Box:
    """A machine that was just switched on."""

    def __init__(self, guest: Machine) -> None:
        self.guest = guest
        self.guest.run(f"cat >/run/ask.py <<'END'\n{ASK}END")

    def install_by_hand(self, carried: Carried) -> None:
        """The older package, and the key that the next ones are signed with."""
        self.guest.run_with_stick(
            "dpkg --install {stick}/before/*.deb >/run/said 2>&1 || { cat /run/said; false; }"
        )
        folder = DEFAULT.parent / "keys"
        self.guest.run(f"mkdir -p {folder} && cat >{folder}/rig.pub <<'END'\n{carried.key}END")

    def begin_a_game(self) -> str:
        """A game of which some deeds are kept; its record."""
        self.guest.run(f"cat >{DEFAULT} <<'END'\n{CONFIG}END\nsystemctl restart {SERVICE}")
        for body in GAME:
            ask = f"python3 /run/ask.py POST /do '{body}'"
            self.guest.run(f"until {ask} | grep -q ^204; do sleep 1; done")
        return self.game()

    def game(self) -> str:
        """The record of the game under way."""
        return self.guest.run("companion export")

    def ask(self, *words: str) -> tuple[str, str]:
        """Ask something of the page; status and answer."""
        said = self.guest.run(f"python3 /run/ask.py {' '.join(words)}")
        status, _, body = said.strip().partition(" ")
        return status, body

    def told(self) -> dict[str, Any]:
        """How the box is set up, as soon as it says so."""
        while (said := self.ask("GET", "/setup.json"))[0] != "200":
            time.sleep(1)
        found: dict[str, Any] = json.loads(said[1])
        return found

    def answer(self) -> dict[str, Any]:
        """What came of what was asked for last."""
        while not (found := self.told()["update"]) or found["state"] == "working":
            time.sleep(1)
        return dict(found)

    def find_update(self, where: str) -> str:
        """Have the box look at a package; how to ask for it to be installed."""
        self.told()  # it is there
        wish = f'\'{{"do": "look_for_update", "where": "{where}"}}\''
        assert self.ask("POST", "/setup", wish)[0] == "204"
        found = self.answer()
        assert found["state"] == "ready", found
        return f'\'{{"do": "install_update", "digest": "{found["digest"]}"}}\''

    def send_file(self) -> None:
        """Send the older package to the page, as a browser would."""
        said = self.guest.run_with_stick("python3 /run/ask.py PUT /update {stick}/before/*.deb")
        assert said.startswith("204"), said

    def install(self, wish: str) -> str:
        """Install what was found, and wait for it; its version."""
        self.ask("POST", "/setup", wish)
        return self.installed()

    def installed(self) -> str:
        """Wait for what is being installed; its version."""
        found = self.answer()
        assert found["state"] == "done", found
        return str(found["version"])

    def check(self, game: str) -> str:
        """One version, whole and running, with the game; which."""
        version = self.guest.run("companion --version").split()[-1]
        assert version in (OLDER, __version__), version
        assert "All is well." in self.guest.run("companion doctor --self")
        self.guest.run(f"until systemctl is-active -q {SERVICE}; do sleep 0.5; done")
        assert self.told()["version"] == version, "another version runs than the one in the path"
        assert self.game() == game
        return version


def cut(box: Box, wish: str, moments: Iterable[float], folder: Path) -> list[Path]:
    """Begin an update and copy the disk at these moments of it, in seconds."""
    box.ask("POST", "/setup", wish)
    began, disks = time.monotonic(), []
    for number, moment in enumerate(sorted(moments)):
        time.sleep(max(0.0, began + moment - time.monotonic()))
        disks.append(folder / f"cut-{number}")
        stood = time.monotonic()
        box.guest.copy_disk(disks[-1])
        began += time.monotonic() - stood
    return disks


class Plugs:
    """The course of the test; `on` switches a machine on with a disk."""

    def __init__(self, folder: Path, carried: Carried, switch_on: Callable[[Path], Machine]):
        self.folder, self.carried = folder, carried
        self.switch_on = switch_on
        self.disk = folder / "disk"

    def on(self, disk: Path) -> Box:
        return Box(self.switch_on(disk))

    def run(self, count: int, random: Random, together: int = 1) -> None:
        box = self.on(self.disk)
        try:
            began = time.monotonic()
            box.install_by_hand(self.carried)
            took = time.monotonic() - began
            say(f"installed from the package of the version before, in {took:.0f} s")
            game = box.begin_a_game()
            wish = box.find_update("stick")
            say("the page found the newer one on the stick")
            box.guest.run("sync")
            # By the page, which also checks the package, it takes nearly twice as long.
            moments = [random.uniform(0, 2 * took) for _ in range(count)]
            disks = cut(box, wish, moments, self.folder)
            assert box.installed() == box.check(game) == __version__
            say(f"its disk was copied {count} times while it was updated")
            box.send_file()
            assert box.install(box.find_update("file")) == box.check(game) == OLDER
            say("the version before, sent as a file, runs again; the game is there")
        finally:
            box.guest.pull_plug()
        began = time.monotonic()
        with ThreadPoolExecutor(together) as pool:
            seen = Counter(pool.map(partial(self.look_at, game), range(count), disks))
        assert count < MANY or seen.keys() == {OLDER, __version__}, f"it was always {seen}"
        say(
            f"plug pulled at {count} moments of an update: {dict(seen)}, and the game every time; "
            f"{(time.monotonic() - began) / count:.0f} s each"
        )

    def look_at(self, game: str, number: int, disk: Path) -> str:
        """Start from what a pulled plug left; the version that runs."""
        box = self.on(disk)
        try:
            version = box.check(game)
            state = box.guest.run(f"dpkg-query --show --showformat '${{Status}}' {SERVICE}")
            say(f"{number + 1}: {version} runs, the game too (dpkg: {state})")
            if number % TRY_AGAIN == 0:
                assert box.install(box.find_update("stick")) == box.check(game) == __version__
                say(f"{number + 1}: asked for again, the update is there")
        finally:
            box.guest.pull_plug()
            disk.unlink()
        return version


@contextmanager
def in_the_rig(system: Path, packages: Path) -> Iterator[Plugs]:
    """On the rig's "Pi"."""
    have_tools()
    build_system(system)
    with tempfile.TemporaryDirectory(dir=system) as place:
        folder = Path(place)
        carried = Carried(packages, folder, "arm64")
        stick = carried.stick()
        subprocess.run(["cp", "--sparse=always", system / "disk", folder / "disk"], check=True)

        def switch_on(disk: Path) -> Machine:
            guest = Guest(system, disk, stick)
            guest.run(f"date -s @{int(time.time())} >/dev/null")
            return guest

        yield Plugs(folder, carried, switch_on)


@contextmanager
def in_a_container(debian: Path, packages: Path) -> Iterator[Plugs]:
    """In a Debian of `make chroots`."""
    have_tools(container.TOOLS)
    with (
        tempfile.TemporaryDirectory(dir=packages) as place,
        container.store(Path(place)) as disks,
    ):
        carried = Carried(packages, Path(place), "amd64")
        container.make_disk(debian, disks / "disk")
        yield Plugs(disks, carried, lambda disk: container.Container(disk, carried.folder))


def main() -> None:
    words = argparse.ArgumentParser(prog="python -m tests.rig.plugs", description=__doc__)
    words.add_argument("moments", type=int, nargs="?", default=50)
    words.add_argument("--container", action="store_true", help="without emulation")
    words.add_argument("--suite", default="bookworm", help="which Debian is in the container")
    words.add_argument("--out", type=Path, default=Path("build/rig"))
    words.add_argument("--packages", type=Path, default=Path("build/chroots"))
    words.add_argument("--seed", type=int, default=20)
    words.add_argument("--together", type=int, default=1, help="boxes looked at at once")
    given = words.parse_args()
    where = (
        in_a_container(given.packages / f"{given.suite}-amd64", given.packages)
        if given.container
        else in_the_rig(given.out, given.packages)
    )
    with where as plugs:
        plugs.run(given.moments, Random(given.seed), given.together)


if __name__ == "__main__":
    main()

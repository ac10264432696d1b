"""The plug, pulled at random moments of an upgrade: `python -m tests.rig.plugs 50`; hours, if slow.

A "Pi" is installed from the Debian package that `make chroots` built, and a game is begun. Then one
package after the other is installed over it, the newer and the older in turn, and each time the
power fails somewhere in the middle. Always one version runs, whole, and the game is there.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from companion.config import DEFAULT
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


class Box:
    """A guest with a disk of its own, on which packages are installed."""

    def __init__(self, system: Path, packages: Path, folder: Path) -> None:
        self.image = folder
        for name in ("kernel", "initrd"):
            (folder / name).symlink_to((system / name).resolve())
        self.disk = folder / "disk"
        subprocess.run(["cp", "--sparse=always", system / "disk", self.disk], check=True)
        carried = folder / "carried"
        carried.mkdir()
        for kind in ("old", "new"):
            found = next((packages / kind).glob("ludo-companion_*_arm64.deb"))
            shutil.copy(found, carried / f"{kind}.deb")
        subprocess.run(["truncate", "-s", "100M", folder / "stick"], check=True)
        words = ["mke2fs", "-q", "-t", "ext4", "-E", "root_owner=0:0", "-d", str(carried)]
        subprocess.run([*words, str(folder / "stick")], check=True)
        self.guest = self._on()

    def _on(self) -> Guest:
        guest = Guest(self.image, self.disk)
        guest.run(f"date -s @{int(time.time())} >/dev/null")
        guest.run("until [ -e /opt/rig/new.deb ]; do sleep 0.5; done")
        return guest

    def again(self) -> None:
        """Power from one moment to the next gone, and back."""
        self.guest.pull_plug()
        self.guest = self._on()

    def install(self, kind: str) -> float:
        """Install a package and wait for it; how long it took."""
        began = time.monotonic()
        self.guest.run(f"{install(kind)} >/run/said 2>&1 || {{ cat /run/said; exit 1; }}")
        return time.monotonic() - began

    def begin_a_game(self) -> str:
        """A game of which some deeds are kept; its record."""
        self.guest.run(f"cat >{DEFAULT} <<'END'\n{CONFIG}END\nsystemctl restart {SERVICE}")
        self.guest.run(f"cat >/run/ask.py <<'END'\n{ASK}END")
        for body in GAME:
            ask = f"python3 /run/ask.py /do '{body}'"
            self.guest.run(f"until {ask} | grep -q 204; do sleep 1; done")
        return self.game()

    def game(self) -> str:
        """The record of the game under way."""
        return self.guest.run("companion export")

    def check(self, game: str) -> str:
        """One version, whole and running, with the game; which."""
        version = self.guest.run("companion --version").split()[-1]
        assert version in ("0.0.9", "0.1.0"), version
        assert "All is well." in self.guest.run("companion doctor --self")
        self.guest.run(f"until systemctl is-active -q {SERVICE}; do sleep 0.5; done")
        runs = self.guest.run(f"readlink /proc/$(systemctl show -P MainPID {SERVICE})/cwd")
        assert runs.strip() == f"/run/{SERVICE}", runs
        assert self.game() == game
        return version


def install(kind: str) -> str:
    # The guest was unpacked, not installed: its dpkg knows no other package.
    return f"dpkg --force-depends --install /opt/rig/{kind}.deb"


def main() -> None:
    words = argparse.ArgumentParser(prog="python -m tests.rig.plugs", description=__doc__)
    words.add_argument("moments", type=int, nargs="?", default=50)
    words.add_argument("--out", type=Path, default=Path("build/rig"))
    words.add_argument("--packages", type=Path, default=Path("build/chroots"))
    words.add_argument("--seed", type=int, default=20)
    given = words.parse_args()
    have_tools()
    build_system(given.out)
    random = Random(given.seed)
    with tempfile.TemporaryDirectory(dir=given.out) as folder:
        box = Box(given.out, given.packages, Path(folder))
        try:
            box.install("old")
            say("installed from the package of the version before")
            game = box.begin_a_game()
            took = box.install("new")
            say(f"an upgrade takes {took:.0f} s here: {box.check(game)} runs, the game is there")
            seen = {"0.0.9": 0, "0.1.0": 0}
            for number in range(given.moments):
                kind = ("old", "new")[number % 2]
                box.guest.run(f"nohup {install(kind)} >/run/said 2>&1 &")
                after = random.uniform(0, took * 1.1)
                time.sleep(after)
                box.again()
                version = box.check(game)
                seen[version] += 1
                say(f"{number + 1}: pulled {after:.0f} s into {kind}: {version} runs, the game too")
                box.guest.run("dpkg --force-depends --configure --pending >/dev/null 2>&1")
        finally:
            box.guest.pull_plug()
    sys.stdout.write(f"{given.moments} moments: {seen}\n")


if __name__ == "__main__":
    main()

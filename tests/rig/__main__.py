"""The rig: a game on a "Pi" that boots, with real systemd, gpiochip, I2C bus and serial lines.

`make rig` builds a Debian guest, installs the Debian package of a version before in it, and plays
through the real gpiozero, lgpio, pyserial and luma.oled. Every picture on the glass is
compared with what it should be. In the middle of the game it is updated, it joins the house of a
café, and the plug is pulled.
"""

import argparse
import asyncio
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random

from companion import __version__
from companion.bench import Bench
from companion.config import ASSUMED, DEFAULT, parse
from companion.events import Snapshot
from companion.journal import SYSTEM
from companion.rules.records import record
from companion.table.pico import SimulatedBoard, SimulatedDie
from companion.web.guard import BOX_COOKIE
from companion.web.key import FILE as KEY
from tests import chroots
from tests.rig import house
from tests.rig.adapter import Adapter
from tests.rig.guest import Guest
from tests.rig.mirror import Mirror, as_text, bench_pictures
from tests.rig.table import CONFIG, Table, plug, unplug
from tests.rig.usb_pico import UsbPico

HERE = Path(__file__).parent
BEGAN = time.monotonic()
TOOLS = {
    "qemu-system-aarch64": "qemu-system-arm",
    "mmdebstrap": "mmdebstrap",
    "fdtput": "device-tree-compiler",
    "modprobe": "kmod",
    "mke2fs": "e2fsprogs",
    "mkfs.vfat": "dosfstools",
    "mcopy": "mtools",
    "xz": "xz-utils",
    "cpio": "cpio",
    "zstd": "zstd",
}
MACHINE = "arm64"
SERVICE = "ludo-companion"
PACKAGES = "/opt/rig"
OLD = f"{PACKAGES}/before/{SERVICE}_*.deb"
NEW = f"{PACKAGES}/{SERVICE}_*.deb"
THINKING = "ludo-thinking"
PYTHON = "/opt/ludo-companion/current/bin/python"
EXPOSURE = {
    SERVICE: 1.3,
    f"{SERVICE}-shutdown": 1.1,
    f"{SERVICE}-settings": 1.4,
    f"{SERVICE}-update": 5.9,
    house.SERVICE: 0.9,
}
"""How exposed each unit may be, of 10."""
ASK = f"""
import sys, urllib.error, urllib.request
method, path, *body = sys.argv[1:]
body = body[0].encode() if body else None
kind = "application/json"
if method == "PUT":
    body, kind = open(body, "rb").read(), "application/octet-stream"
key = open("{SYSTEM.parent / KEY}").read().strip().partition("=")[2]
ask = urllib.request.Request("http://127.0.0.1:8080" + path, body, method=method)
ask.add_header("Content-Type", kind)
ask.add_header("Cookie", "{BOX_COOKIE}=" + key)
try:
    said = urllib.request.urlopen(ask, timeout=120)
    print(said.status, said.read().decode())
except urllib.error.HTTPError as no:
    print(no.status, no.read().decode())
except OSError:
    print("gone")
"""
"""Asks the page of the box as its own screen does: `ask.py POST /do BODY`, `PUT /update FILE`."""
RESTARTS = f"systemctl show -P NRestarts {SERVICE}"
FOUND_BOARDS = (
    f"journalctl _PID=$(systemctl show -P MainPID {SERVICE}) -o cat --no-pager "
    "| grep -c 'board found'"
)


def say(text: str) -> None:
    sys.stdout.write(f"{time.monotonic() - BEGAN:6.0f} s  {text}\n")
    sys.stdout.flush()


def have_tools(tools: Mapping[str, str] = TOOLS) -> None:
    """Install what the rig needs, when run as root."""
    missing = sorted(package for tool, package in tools.items() if shutil.which(tool) is None)
    if not missing:
        return
    if os.getuid() != 0:
        sys.exit(f"the rig needs {', '.join(missing)}: run `make rig` as root, or install them")
    say(f"installing {', '.join(missing)}")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "-y", "--no-install-recommends", *missing]):
        subprocess.run(["apt-get", "-qq", *words], check=True, env=quiet, stdout=subprocess.DEVNULL)


def build_system(out: Path) -> None:
    """Debian and its kernel: made once, and again when they would be made in another way.

    What building them said is in a log beside them.
    """
    recipe = sorted([HERE / "build.sh", *(HERE / "inside").iterdir()])
    print_of_recipe = hashlib.sha256(b"".join(p.read_bytes() for p in recipe if p.is_file()))
    stamp = out / "system.sha256"
    if stamp.exists() and stamp.read_text() == print_of_recipe.hexdigest():
        say("Debian is there from an earlier run")
        return
    stamp.unlink(missing_ok=True)
    out.mkdir(parents=True, exist_ok=True)
    log = out / "build.log"
    with log.open("w") as file:
        done = subprocess.run(
            [HERE / "build.sh", out], stdout=file, stderr=subprocess.STDOUT, check=False
        )
    if done.returncode:
        sys.exit(f"Debian cannot be built; {log} ends with\n{log.read_text()[-3000:]}")
    stamp.write_text(print_of_recipe.hexdigest())
    say("built Debian")


def build_stick(out: Path) -> None:
    """A second disk with the packages as they are now, and those of a version before."""
    stick = out / "stick"
    stick.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=out) as place:
        for version, folder in ((None, Path(place)), (chroots.OLDER, Path(place) / "before")):
            with chroots.sources(version) as source:
                chroots.build(source, folder, MACHINE)
        subprocess.run(["truncate", "-s", "150M", stick], check=True)
        words = ["mke2fs", "-q", "-t", "ext4", "-E", "root_owner=0:0", "-d", place]
        subprocess.run([*words, stick], check=True)
    say("built the packages that are tried")


class Rig:
    """The course of the test; every step says what it has shown."""

    def __init__(self, image: Path) -> None:
        self.image = image
        self.disk = image / "disk-in-use"
        subprocess.run(["cp", "--sparse=always", image / "disk", self.disk], check=True)
        self.table = Table(Mirror(parse(CONFIG)), Random("rig"))
        self.guest: Guest | None = None

    async def run(self) -> None:
        try:
            await self.power_on()
            await self.greet()
            await self.configure()
            await self.begin_a_game()
            await self.play(3)
            await self.update()
            await self.open_the_page()
            await self.think()
            await self.join_a_house()
            await self.play(2)
            await self.move_illegally()
            await self.play(1)
            await self.pull_the_plug()
            await self.play(3)
            await self.compare_records()
            await self.pull_off_the_screen()
            await self.pull_off_the_board()
            await self.play(2)
            await self.report()
            await self.freeze()
            await self.play(2)
            await self.switch_off()
            await self.power_on()
            await self.resumed("after switching it on again")
            await self.uninstall()
        except BaseException:
            await self.say_what_the_guest_says()
            raise
        finally:
            if self.guest is not None:
                self.table.disconnect()
                self.guest.pull_plug()

    async def power_on(self) -> None:
        began = time.monotonic()
        self.guest = await asyncio.to_thread(Guest, self.image, self.disk)
        self.table.connect(self.guest)
        await self.table.in_guest(f"date -s @{int(time.time())} >/dev/null")
        say(f"booted in {time.monotonic() - began:.0f} s")

    async def greet(self) -> None:
        """A box without a configuration works with what greets it; its page writes one down."""
        assert self.guest is not None
        await self.table.until_true(f"[ -e {OLD} ]")  # the stick is mounted while it boots
        said = await self.table.in_guest(f"dpkg --install {OLD} 2>&1")
        assert "no configuration yet" in said, said
        say(f"installed the package of {chroots.OLDER}")
        picos = {"board": SimulatedBoard("unused", columns=16), "die": SimulatedDie("unused")}
        cables = {role: UsbPico(self.guest.connect(role)) for role in picos}
        for role, pico in picos.items():
            plug(pico, cables[role].line)
        assumed = parse(ASSUMED, complete=False)
        bench = Bench("40", {}, sensing="presence", kept="later", settings=assumed.settings)
        bench.begin((), 0.0, (8, 16))
        await self.table.expect("the bench", wanted=bench_pictures(bench))
        while (said := await self.ask_page("GET", "/setup.json")).strip() == "gone":
            await asyncio.sleep(1)
        status, _, told = said.partition(" ")
        assert status == "200", said
        assert not json.loads(told)["written"]
        say("without a configuration the box asks for the map of its board")
        wish = '{"do": "configure", "build": "build-b-52", "screen": "ssd1306"}'
        said = await self.ask_page("POST", "/setup", wish)
        assert said.split()[0] in ("204", "gone"), said
        await self.table.until_true(f"[ -s {DEFAULT} ]")
        written = await self.table.in_guest(f"cat {DEFAULT}")
        self.table.mirror = Mirror(parse(written))
        self.table.mirror.tell(Snapshot(frozenset()))
        for role in picos:
            await self.table.log_has(f"{role} found")
        await self.table.expect("with the configuration that the page wrote")
        say("the page wrote build B down; board and die on USB are known by how they greet")
        for role, pico in picos.items():
            unplug(pico)
            cables[role].unplug()
        await self.table.in_guest(f"systemctl stop {SERVICE}; rm {DEFAULT}")
        self.table.mirror = Mirror(parse(CONFIG))

    async def configure(self) -> None:
        """With a configuration that somebody wrote by hand."""
        await self.table.in_guest(
            f"cat >{DEFAULT} <<'END'\n{CONFIG}END\n"
            f"chmod 640 {DEFAULT}; chgrp {SERVICE} {DEFAULT}; systemctl start {SERVICE}"
        )
        self.table.sense_anew()
        await self.table.expect("the first picture")
        state = await self.table.in_guest(
            f"systemctl show -p ActiveState,StatusText,User {SERVICE} | sort | tr '\\n' ' '"
        )
        assert state.startswith(f"ActiveState=active StatusText=idle User={SERVICE}"), state
        say(f"the service draws its first picture: {state}")
        for unit in EXPOSURE.keys() - {house.SERVICE}:
            await self.look_at(unit)
        await self.weigh(SERVICE)

    async def look_at(self, unit: str) -> None:
        """How exposed a unit is as it runs here."""
        said = await self.table.in_guest(
            f"systemd-analyze security --no-pager {unit}.service | tail -n 1"
        )
        level = re.search(r"exposure level for \S+: ([0-9.]+)", said)
        assert level is not None, said
        assert float(level[1]) <= EXPOSURE[unit], said
        say(f"{unit} is exposed {level[1]}")

    async def weigh(self, service: str) -> None:
        """What a service has of the memory, and all of it of the disk."""
        taken = await self.table.in_guest(
            f"grep VmRSS /proc/$(systemctl show -P MainPID {service})/status | tr -dc '0-9\\n'; "
            f"du -sm $(realpath /opt/{SERVICE}/current) /usr/lib/{SERVICE} | cut -f 1"
        )
        memory, version, package = map(int, taken.split())
        say(
            f"{service} has {memory / 1024:.1f} MiB of memory; on the disk the version takes "
            f"{version} MiB, and the package that brought it {package} MiB"
        )

    async def update(self) -> None:
        """In the middle of a game."""
        await self.table.in_guest(f"echo '# mine' >>{DEFAULT}")
        before = self.table.mirror.match.position
        said = await self.table.in_guest(f"dpkg --install {NEW} 2>&1")
        assert "companion.toml stays as it is" in said, said
        await self.table.in_guest(f"tail -n 1 {DEFAULT} | grep -qx '# mine'")
        await self.resumed(f"after an update from {chroots.OLDER} to {__version__}")
        assert self.table.mirror.match.position == before
        assert (await self.table.in_guest("companion --version")).split()[-1] == __version__
        await self.weigh(SERVICE)

    async def open_the_page(self) -> None:
        """The service leaves orders: nonsense changes nothing, a configuration is written."""
        leave = (
            f"chown {SERVICE} /run/order.new && mv /run/order.new /run/{SERVICE}/order && "
            f"until [ ! -e /run/{SERVICE}/order ]; do sleep 0.2; done"
        )
        before = await self.table.in_guest(f"cat {DEFAULT}")
        await self.table.in_guest(f"echo '[Service]' >/run/order.new && {leave}")
        log = f"journalctl -u {SERVICE}-settings -o cat --no-pager"
        await self.table.until_true(f"{log} | grep -q 'not obeyed'")
        assert await self.table.in_guest(f"cat {DEFAULT}") == before
        pins = "setpriv --reuid=65534 --regid=65534 --groups=$(getent group gpio | cut -d: -f3)"
        await self.table.in_guest(f"{pins} companion page | grep -q key=")
        await self.set_up({"do": "open_page", "pin": "123456"}, "0.0.0.0")
        await self.table.in_guest(f"systemctl show -P IPAddressAllow {SERVICE} | grep -q 192.168")
        await self.resumed("after opening the page to the house, on the page itself")

    async def set_up(self, order: dict[str, str], written: str) -> None:
        """Ask the page for something that root writes down; the service begins again with it.

        It does so by itself; where its network changes, root starts it again.
        """
        began = f"systemctl show -P MainPID {SERVICE}; {FOUND_BOARDS}"
        was = " ".join((await self.table.in_guest(began)).split())
        said = await self.ask_page("POST", "/setup", json.dumps(order))
        assert said.split()[0] in ("204", "gone"), said
        await self.table.until_true(f"grep -q {written} {DEFAULT}")
        await self.table.until_true(f'[ "$(echo $({began}))" != "{was}" ]')
        await self.table.in_guest(f"[ $(stat -c %a:%G {DEFAULT}) = 640:{SERVICE} ]")
        config = parse(await self.table.in_guest(f"cat {DEFAULT}"))
        self.table.mirror = Mirror(config, self.table.mirror.records)

    async def ask_page(self, method: str, path: str, body: str = "") -> str:
        """Ask something of the page as the box's own screen does; status and answer."""
        given = f" '{body}'" if body else ""
        return await self.table.in_guest(
            f"cat >/run/ask.py <<'END'\n{ASK}END\npython3 /run/ask.py {method} {path}{given}"
        )

    async def think(self) -> None:
        """What thinks for a player of the box does so in the sandbox of the unit, with its C."""
        its_own = (
            "^(Type|ExecStart|Restart|RestartSec|WatchdogSec|StateDirectory|RuntimeDirectory)="
        )
        files = f"/run/systemd/system/{THINKING}.service"
        await self.table.in_guest(
            f"systemctl cat {SERVICE} | grep -Ev '{its_own}' >{files} && mkdir -p {files}.d && "
            f"printf '%s\\n' '[Service]' Type=oneshot 'ExecStart={PYTHON} -m companion.thinking' "
            f"StandardInput=file:/run/question StandardOutput=file:/run/answer >{files}.d/own.conf"
        )
        question = {"ask": "chances", "position": str(self.table.mirror.match.position)}
        told = await self.table.in_guest(
            f"echo '{json.dumps(question | {'games': 600})}' >/run/question && "
            f"systemctl daemon-reload && systemctl start {THINKING} && cat /run/answer"
        )
        answer = json.loads(told)
        assert answer["slow"] == "", answer
        say(f"thought about the game in the sandbox of the unit: {answer['win']}")

    async def join_a_house(self) -> None:
        """The box is the house of a café as well, and its own table joins; then the house goes."""
        link = await house.open_house(self.table)
        await self.look_at(house.SERVICE)
        await self.set_up({"do": "join", "invitation": link}, house.TABLE)
        await self.resumed("after joining a house, on the page itself")
        say(f"the house shows the table: {await house.shown(self.table)}")
        await self.weigh(house.SERVICE)
        await self.weigh(SERVICE)
        await house.close_house(self.table)
        say("the house is removed; its table plays on")

    async def begin_a_game(self) -> None:
        await self.table.press("ok")
        await self.table.pick("start")
        await self.table.set_up(self.table.mirror.match.position)
        assert self.table.mirror.view.phase == "opening"
        say("chose a game with the buttons and set the pieces")

    async def play(self, moves: int) -> None:
        wanted = self.table.moves + moves
        while self.table.moves < wanted:
            await self.table.turn()
        say(
            f"played on to roll {self.table.rolls}, move {self.table.moves}: "
            f"{self.table.mirror.match.position}"
        )

    async def move_illegally(self) -> None:
        """A piece goes on although nobody has rolled: it is said, and put right."""
        match = self.table.mirror.match
        seat = match.position.seat
        place, pieces = next(
            (name, standing)
            for name, standing in self.table.pieces.standing.items()
            if seat in standing and name.isdecimal()
        )
        empty = next(n for n in map(str, range(1, 41)) if not self.table.pieces.standing[n])
        self.table.carry(place, empty, seat)
        self.table.mirror.tell()
        assert self.table.mirror.view.phase == "illegal", (place, pieces)
        seen = await self.table.expect("after an illegal move")
        seen.resize((512, 256)).save(self.image / "illegal.png")
        say(f"moved a piece from {place} to {empty} before rolling:\n{as_text(seen)}")
        self.table.carry(empty, place, seat)
        self.table.mirror.tell()
        await self.table.expect("after putting it back")

    async def pull_the_plug(self) -> None:
        """In the moment in which a move was shown as accepted."""
        assert self.guest is not None
        before = self.table.mirror.match.position
        self.guest.pull_plug()
        self.table.disconnect()
        say("pulled the plug, just when a move was shown as accepted")
        await self.power_on()
        await self.resumed("after the power cut")
        assert self.table.mirror.match.position == before

    async def resumed(self, when: str) -> None:
        """A daemon that restarted shows the same game."""
        self.table.mirror = self.table.mirror.restarted()
        for device in ("board", "die", "buttons"):
            await self.table.log_has(f"{device} found")
        self.table.sense_anew()
        seen = await self.table.expect(when)
        seen.resize((512, 256)).save(self.image / "resumed.png")
        say(f"{when} the game goes on by itself:\n{as_text(seen)}")

    async def compare_records(self) -> None:
        kept = record(await self.table.in_guest("companion export"))
        assert kept.position == self.table.mirror.match.position
        listed = (await self.table.in_guest("companion games")).strip()
        say(f"`companion export` gives the same game: {listed}")

    async def pull_off_the_screen(self) -> None:
        assert self.guest is not None
        self.table.adapter.unplug()
        await self.table.log_has("oled lost")
        self.table.panel.power_on_reset()
        self.table.adapter = Adapter(self.guest.connect("oled"), self.table.panel)
        await self.table.expect("after replugging the screen")
        await self.table.log_has("oled found")
        say("pulled the screen off and put it on again: it shows the game")

    async def pull_off_the_board(self) -> None:
        """It is said on the screen and in the log, and taken again when it is back."""
        before = int(await self.table.in_guest(FOUND_BOARDS))
        self.table.unplug_board()
        await self.table.log_has("board lost")
        await self.table.expect("without the board")
        self.table.plug_board()
        await self.table.until_true(f"[ $({FOUND_BOARDS}) -gt {before} ]")
        await self.table.expect("with the board again")
        say("pulled the board off and put it on again: the game goes on")

    async def report(self) -> None:
        """The report holds the log, and plays."""
        await self.table.in_guest(
            "cd /run && companion report -o report.zip && python3 -m zipfile -e report.zip report"
        )
        await self.table.in_guest("grep -q 'oled lost' /run/report/log.txt")
        await self.table.in_guest("grep -q '^model Raspberry Pi 3' /run/report/versions.txt")
        assert "# mine" not in await self.table.in_guest("cat /run/report/config.toml")
        played = await self.table.in_guest("companion replay --pace 0 /run/report.zip")
        exported = await self.table.in_guest("companion replay --pace 0")
        assert played == exported, played
        say("`companion report` packed the log and a game that plays")

    async def freeze(self) -> None:
        """A daemon that hangs is restarted by systemd's watchdog."""
        before = int(await self.table.in_guest(RESTARTS))
        assert before == 0, "it was restarted although nothing was wrong"
        await self.table.in_guest(f"kill -STOP $(systemctl show -P MainPID {SERVICE})")
        await self.table.until_true(f"[ $({RESTARTS}) -gt {before} ]")
        log = f"journalctl -u {SERVICE} -o cat --no-pager"
        await self.table.in_guest(f"{log} | grep -qi 'watchdog timeout'")
        await self.resumed("after the watchdog")

    async def switch_off(self) -> None:
        assert self.guest is not None
        await self.table.press("ok", held=True)
        await self.table.pick("shut_down", expect=False)
        await asyncio.to_thread(self.guest.wait_for_power_off)
        self.table.disconnect()
        say("switched the box off with its menu")

    async def uninstall(self) -> None:
        said = await self.table.in_guest(f"dpkg --remove {SERVICE} 2>&1")
        assert "games stay in" in said, said
        await self.table.in_guest(f"[ $(systemctl show -P LoadState {SERVICE}) = not-found ]")
        await self.table.in_guest("! command -v companion && ! [ -e /opt/ludo-companion ]")
        await self.table.in_guest(f"[ -s {SYSTEM} ] && grep -qx '# mine' {DEFAULT}")
        assert self.table.glass().getbbox() is None, "the screen was left on"
        said = await self.table.in_guest(f"dpkg --purge {SERVICE} 2>&1")
        assert "removing all games" in said, said
        await self.table.in_guest(f"! [ -e {SYSTEM.parent} ] && ! [ -e {DEFAULT.parent} ]")
        say("removed: the screen was dark, games and configuration still there; purged, they went")

    async def say_what_the_guest_says(self) -> None:
        if self.guest is None:
            return
        try:
            said = await asyncio.wait_for(
                self.table.in_guest(
                    f"systemctl status --no-pager {SERVICE}; "
                    f"journalctl -u {SERVICE} --no-pager -o cat | tail -n 40; "
                    f"systemd-analyze security --no-pager {SERVICE} | tail -n 1"
                ),
                60,
            )
        except Exception as fault:
            said = str(fault)
        say(f"the guest says:\n{said}")


def main() -> None:
    words = argparse.ArgumentParser(prog="python -m tests.rig", description=__doc__)
    words.add_argument(
        "--out", type=Path, default=Path("build/rig"), help="where the guest is built"
    )
    words.add_argument("--fresh", action="store_true", help="build Debian again as well")
    chosen = words.parse_args()
    have_tools()
    if chosen.fresh:
        shutil.rmtree(chosen.out, ignore_errors=True)
    build_system(chosen.out)
    build_stick(chosen.out)
    asyncio.run(Rig(chosen.out).run())
    say("the rig has passed")


if __name__ == "__main__":
    main()

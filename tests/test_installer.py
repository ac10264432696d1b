"""The installer: exactly the wheels of the list, a version beside the old one, and one rename."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import environment
import pytest
from environment import BadWheels, Target, chosen, fits, make_list, needs, wheel_of

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "systemd"
INSTALLER = FOLDER / "install.sh"
LISTED = environment.read_list(FOLDER / "wheels.sha256")
TARGETS = [Target(minor, machine) for minor in (11, 13) for machine in ("aarch64", "x86_64")]
SERVICE = "ludo-companion.service"
KILLS = int(os.environ.get("KILLS", "3"))
"""How many moments are tried for each kind of kill; `make soak` tries them all."""


# -- wheels ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "fitting"),
    [
        ("click-8.5.1-py3-none-any.whl", "all"),
        ("pyserial-3.5-py2.py3-none-any.whl", "all"),
        ("old-1.0-py2-none-any.whl", ""),
        ("pillow-13.0.0-cp311-cp311-manylinux_2_27_aarch64.whl", "3.11 aarch64"),
        ("pillow-13.0.0-cp313-cp313-manylinux_2_27_x86_64.whl", "3.13 x86_64"),
        ("free-1.0-cp313-cp313t-manylinux_2_27_x86_64.whl", ""),
        ("some-1.0-cp38-abi3-manylinux2014_aarch64.manylinux_2_17_aarch64.whl", "aarch64"),
        ("later-1.0-cp312-abi3-manylinux2014_x86_64.whl", "3.13 x86_64"),
        ("music-1.0-py3-none-musllinux_1_2_aarch64.whl", ""),
        ("mac-1.0-cp311-cp311-macosx_11_0_arm64.whl", ""),
    ],
)
def test_a_wheel_is_taken_where_it_fits(file: str, fitting: str) -> None:
    found = [target for target in TARGETS if fits(wheel_of(file), target)]
    wanted = {
        "all": TARGETS,
        "": [],
        "aarch64": [one for one in TARGETS if one.machine == "aarch64"],
    }
    names = [f"3.{target.minor} {target.machine}" for target in found]
    assert names == (
        [fitting]
        if fitting not in wanted
        else [f"3.{target.minor} {target.machine}" for target in wanted[fitting]]
    )


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_the_list_has_every_package_for_every_box_as_it_was_tested(target: Target) -> None:
    pins = dict(re.findall(r"(?m)^([\w.-]+)==(\S+)", (ROOT / "requirements.txt").read_text()))
    wheels = {wheel.project: wheel.version for wheel in chosen(LISTED, target)}
    assert wheels == {name: version for name, version in pins.items() if name in wheels}
    assert {"aiohttp", "gpiozero", "luma-oled", "msgspec", "pillow", "pyserial"} <= wheels.keys()
    assert ("lgpio" in wheels) == (target.minor == 11)  # for 3.13 there is none: apt has it


def test_our_own_wheel_is_built_with_what_was_tested() -> None:
    pins = set((ROOT / "requirements.txt").read_text().split())
    tools = environment.read_list(FOLDER / "builders.sha256")
    assert {f"{wheel.project}=={wheel.version}" for wheel in map(wheel_of, tools)} <= pins


def test_pip_is_told_every_hash() -> None:
    for line in needs(LISTED, TARGETS[0]):
        assert re.fullmatch(r"[\w.-]+==\S+ --hash=sha256:[0-9a-f]{64}", line)


def test_a_python_for_which_there_is_nothing_is_named() -> None:
    with pytest.raises(BadWheels, match=r"there is no aiohttp for Python 3\.12 on x86_64"):
        chosen(LISTED, Target(12, "x86_64"))


def test_a_wheel_that_is_another_than_the_one_tested_is_refused(tmp_path: Path) -> None:
    wheels = made(tmp_path / "wheels", "1.0")
    with (wheels / "some-2.0-py3-none-any.whl").open("ab") as file:
        file.write(b"\0")
    with pytest.raises(BadWheels, match=r"some-2\.0-py3-none-any\.whl is not the file that was"):
        environment.make(wheels, tmp_path / "made", Target.here())
    assert not (tmp_path / "made").exists()


def test_a_wheel_cannot_write_outside_its_folder(tmp_path: Path) -> None:
    wheel = tmp_path / "bad-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr("../../outside.py", "")
    with pytest.raises(BadWheels, match="outside its folder"):
        environment.unpack(wheel, tmp_path / "a/b/site")
    assert not (tmp_path / "a/outside.py").exists()


# -- a box of its own for each test ------------------------------------------------------------

# In place of the companion: it is whole if its parts are of one version.
CLI = """
import sys
from companion import one, two, three
import some

def main():
    versions = {one.VERSION, two.VERSION, three.VERSION}
    if len(versions) > 1 or some.VERSION != "2.0":
        sys.exit("a mixture: " + ", ".join(sorted(versions)))
    if sys.argv[1:] == ["doctor", "--self"] and SICK:
        sys.exit("I am not well")
    print(*versions)
"""


def made(folder: Path, version: str, *, sick: bool = False) -> Path:
    """A folder of wheels with a companion of this version in it."""
    folder.mkdir()
    parts = {f"companion/{name}.py": f'VERSION = "{version}"\n' for name in ("one", "two", "three")}
    parts["companion/__init__.py"] = ""
    parts["companion/cli.py"] = CLI.replace("SICK", str(sick))
    pack(folder / f"ludo_companion-{version}-py3-none-any.whl", parts)
    pack(folder / "some-2.0-py3-none-any.whl", {"some.py": 'VERSION = "2.0"\n'})
    make_list(folder, folder / environment.LIST)
    return folder


def pack(wheel: Path, parts: dict[str, str]) -> None:
    project, version, *_ = wheel.name.split("-")
    with zipfile.ZipFile(wheel, "w") as file:
        for name, text in parts.items():
            file.writestr(name, text)
        file.writestr(f"{project}-{version}.dist-info/METADATA", f"Name: {project}\n")


class Box:
    """A root of its own, with programs that only note what they are asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "root"
        self.opt = self.root / "opt/ludo-companion"
        self.units = self.root / "etc/systemd/system"
        (self.root / "run/systemd/system").mkdir(parents=True)
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.asked = folder / "asked"
        self.program("id", "echo 0")
        for name in ("systemctl", "udevadm", "systemd-sysusers", "apt-get", "chgrp"):
            self.program(name, f'echo "{name} $*" >>{self.asked}')
        self.program("sync", "exit 0")

    def program(self, name: str, script: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def run(self, *options: object, **more: str) -> subprocess.CompletedProcess[str]:
        self.asked.write_text("")
        return subprocess.run(
            [str(INSTALLER), *map(str, options)],
            capture_output=True,
            text=True,
            check=False,
            start_new_session=True,
            env={
                **os.environ,
                "PATH": f"{self.bin}:{os.environ['PATH']}",
                "ROOT": str(self.root),
                "PYTHON": sys.executable,
                "MACHINE": "aarch64",
                **more,
            },
        )

    def install(self, wheels: Path, *options: object, **more: str) -> str:
        done = self.run("--wheels", wheels, *options, **more)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def version(self) -> str:
        """What runs if the box starts now; every unit and link leads to it."""
        done = subprocess.run(
            [self.opt / "current/bin/companion"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        for part in self.units.glob("*.d/10-version.conf"):
            assert part.resolve().parent == (self.opt / "current/system").resolve()
            assert part.stat().st_size > 0
            assert "WantedBy" in (self.units / part.parent.name.removesuffix(".d")).read_text()
        return done.stdout.strip()

    def asked_for(self, word: str) -> list[str]:
        return [line for line in self.asked.read_text().splitlines() if word in line]


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return made(tmp_path / "old", "1.0")


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return made(tmp_path / "new", "2.0")


def test_a_first_install_is_linked_switched_on_and_started(box: Box, old: Path) -> None:
    box.install(old)
    assert box.version() == "1.0"
    wants = box.units / "multi-user.target.wants"
    helpers = {f"ludo-companion-{name}.path" for name in ("settings", "shutdown", "update")}
    assert {link.name for link in wants.iterdir()} == {SERVICE, *helpers}
    assert (wants / SERVICE).resolve() == box.units / SERVICE
    assert (box.root / "usr/local/bin/companion").resolve().exists()
    assert box.asked_for("systemctl restart") == [
        "systemctl restart ludo-companion-shutdown.path",
        "systemctl restart ludo-companion-settings.path",
        "systemctl restart ludo-companion-update.path",
        f"systemctl restart {SERVICE}",
    ]
    assert not box.asked_for("apt-get")


def test_udev_is_told_where_it_runs(box: Box, old: Path, new: Path) -> None:
    """In a container it does not, and the box starts all the same."""
    box.program("udevadm", f'echo "udevadm $*" >>{box.asked}; [ -e {box.root}/run/udev/control ]')
    box.install(old)
    assert box.asked_for("udevadm") == []
    (box.root / "run/udev").mkdir()
    (box.root / "run/udev/control").touch()
    box.install(new)
    assert [line.split()[1] for line in box.asked_for("udevadm")] == ["control", "trigger"]


def test_an_update_keeps_the_version_before_and_none_older(
    box: Box, old: Path, new: Path, tmp_path: Path
) -> None:
    third = made(tmp_path / "third", "3.0")
    for wheels in (old, new, third):
        box.install(wheels)
    assert box.version() == "3.0"
    names = sorted(path.name.partition("-")[0] for path in (box.opt / "versions").iterdir())
    assert names == ["2.0", "3.0"]


def test_the_way_back(box: Box, old: Path, new: Path) -> None:
    box.install(old)
    assert "there is no version before this one" in box.run("--back").stderr
    box.install(new)
    assert box.run("--back").returncode == 0
    assert box.version() == "1.0"
    assert box.run("--back").returncode == 0
    assert box.version() == "2.0"


def test_the_same_again_changes_nothing(box: Box, old: Path) -> None:
    box.install(old)
    before = (box.opt / "current").resolve().stat()
    assert "it is there already" in box.install(old)
    assert (box.opt / "current").resolve().stat() == before
    assert not (box.opt / "previous").exists()


def test_a_damaged_version_is_mended_beside_itself(box: Box, old: Path) -> None:
    box.install(old)
    next((box.opt / "current/").glob("lib/*/site-packages/companion/two.py")).unlink()
    box.install(old)
    assert box.version() == "1.0"
    assert (box.opt / "current").resolve().name.endswith(".again")


def test_a_version_that_fails_its_own_check_never_counts(
    box: Box, old: Path, tmp_path: Path
) -> None:
    box.install(old)
    done = box.run("--wheels", made(tmp_path / "sick", "2.0", sick=True))
    assert done.returncode == 1
    assert "the version before goes on" in done.stderr
    assert box.version() == "1.0"
    assert not box.asked_for("systemctl")


def test_a_version_that_does_not_start_is_taken_back(box: Box, old: Path, new: Path) -> None:
    box.install(old)
    inside = f"{box.opt}/current/lib/*/site-packages/companion/one.py"
    box.program("systemctl", f"! grep -q 2.0 {inside} || [ $1 != restart ]")
    done = box.run("--wheels", new)
    assert done.returncode == 1
    assert "the version before is in use again" in done.stderr
    assert box.version() == "1.0"


def test_a_unit_that_somebody_switched_off_stays_off(box: Box, old: Path, new: Path) -> None:
    box.install(old, "--kiosk")
    kiosk = "ludo-companion-kiosk.service"
    (box.units / "multi-user.target.wants" / kiosk).unlink()
    box.install(new)
    assert not (box.units / "multi-user.target.wants" / kiosk).exists()
    assert box.asked_for(kiosk) == [f"systemctl try-restart {kiosk}"]


def test_the_environment_of_old_gives_way_to_versions(box: Box, old: Path) -> None:
    """Before there were versions the folder was the environment, and units were files."""
    (box.opt / "bin").mkdir(parents=True)
    (box.opt / "pyvenv.cfg").touch()
    box.units.mkdir(parents=True)
    (box.units / SERVICE).write_text("[Service]\n")
    box.install(old)
    assert box.version() == "1.0"
    assert "current/system" in (box.units / SERVICE).read_text()
    assert {path.name for path in box.opt.iterdir()} == {"current", "versions"}


@pytest.mark.parametrize("option", ["--no-house", "--uninstall"])
def test_a_house_that_goes_is_gone_from_the_broker_that_runs(option: str, box: Box) -> None:
    part = box.root / "etc/mosquitto/conf.d/ludo.conf"
    part.parent.mkdir(parents=True)
    part.symlink_to("../ludo/mosquitto.conf")
    for wanted in (["systemctl try-restart mosquitto.service"], []):
        assert box.run(option).returncode == 0
        assert not part.is_symlink()
        assert box.asked_for("mosquitto") == wanted


def test_games_and_configuration_stay_until_they_are_purged(
    box: Box, old: Path, tmp_path: Path
) -> None:
    config = tmp_path / "mine.toml"
    config.write_text("# mine\n")
    kept = box.root / "etc/ludo-companion/companion.toml"
    box.install(old, "--config", config)
    assert kept.stat().st_mode & 0o777 == 0o640
    assert box.asked_for("chgrp") == [f"chgrp ludo-companion {kept}"]
    config.write_text("# other\n")
    box.install(old, "--config", config)
    assert kept.read_text() == "# mine\n"
    games = box.root / "var/lib/ludo-companion/games.db"
    games.parent.mkdir(parents=True)
    games.touch()
    assert "games stay in" in box.run("--uninstall").stdout
    assert not box.opt.exists()
    assert list(box.units.rglob("*ludo*")) == []
    assert kept.exists()
    assert games.exists()
    assert "removing games and configuration" in box.run("--uninstall", "--purge").stdout
    assert not kept.exists()
    assert not games.exists()


def test_two_installers_do_not_work_at_once(box: Box, old: Path) -> None:
    lock = box.root / "run/lock/ludo-companion-install"
    lock.parent.mkdir(parents=True)
    held = subprocess.Popen(
        ["flock", lock, "-c", "echo held; read end"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert held.stdout is not None
    held.stdout.readline()
    done = box.run("--wheels", old)
    held.communicate()
    assert done.returncode == 1
    assert "another installer is at work" in done.stderr


def test_systemd_reads_a_version_through_what_is_installed(box: Box, old: Path) -> None:
    """The units as they stand on the box, with what they are told by the version in use."""
    box.install(old, "--kiosk")
    for file in (box.opt / "current/system").glob("*.service"):
        file.write_text(re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", file.read_text()))
    units = [box.units / name for name in (SERVICE, "ludo-companion-kiosk.service")]
    done = subprocess.run(
        ["systemd-analyze", "verify", "--recursive-errors=no", *units],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{box.units}:"},
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("act", ["disable", "enable"])
def test_the_service_is_switched_on_and_off_as_any_other(box: Box, old: Path, act: str) -> None:
    box.install(old)
    inside = box.root / str(box.root)[1:]  # seen from the box, its root is the root
    inside.parent.mkdir(parents=True)
    inside.symlink_to("/")
    for one in (act, "disable", "enable"):
        subprocess.run(["systemctl", f"--root={box.root}", "--quiet", one, SERVICE], check=True)
    assert (box.units / SERVICE).is_file()
    assert (box.units / "multi-user.target.wants" / SERVICE).is_symlink()
    assert box.version() == "1.0"


# -- the plug pulled at any moment -------------------------------------------------------------

# Before each command of the shell: one more of them, and at the last one everything dies.
SHELL_KILL = """
COUNT=0
at() { COUNT=$((COUNT + 1)); echo "$COUNT" >"$COUNTED"; [ "$COUNT" != "$DIES" ] || kill -9 0; }
set -o functrace
trap at DEBUG
"""
# The same before each file that the unpacking opens to write, renames or removes.
PYTHON_KILL = """
import os, signal, sys
busy = False
def hook(event, args):
    global busy
    writes = event == "open" and (args[2] or 0) & 3
    if busy or not (writes or event in ("os.rename", "os.mkdir", "os.symlink")):
        return
    busy = True
    try:
        with open(os.environ["COUNTED"]) as file:
            count = int(file.read() or 0) + 1
    except FileNotFoundError:
        count = 1
    with open(os.environ["COUNTED"], "w") as file:
        file.write(str(count))
    if count == int(os.environ["DIES"]):
        os.killpg(0, signal.SIGKILL)
    busy = False
sys.addaudithook(hook)
"""


def moments(total: int, seed: str) -> Iterator[int]:
    """At which of so many steps to die: all of them, or some, the last ones always."""
    chosen_ones = Random(seed).sample(range(1, total + 1), min(KILLS, total))
    yield from sorted({*chosen_ones, total})


@pytest.mark.parametrize("kind", ["shell", "unpacking"])
def test_a_plug_pulled_at_any_moment_leaves_one_whole_version(
    kind: str, box: Box, old: Path, new: Path, tmp_path: Path
) -> None:
    counted = tmp_path / "counted"
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "shell").write_text(SHELL_KILL)
    (hooks / "sitecustomize.py").write_text(PYTHON_KILL)
    dying = {"BASH_ENV": str(hooks / "shell")} if kind == "shell" else {"PYTHONPATH": str(hooks)}
    dying["COUNTED"] = str(counted)
    box.install(old)
    saved = tmp_path / "saved"
    shutil.copytree(box.root, saved, symlinks=True)
    box.install(new, DIES="0", **dying)
    total = int(counted.read_text())
    assert total > 20
    seen = set()
    for step in moments(total, kind):
        shutil.rmtree(box.root)
        shutil.copytree(saved, box.root, symlinks=True)
        counted.unlink()
        box.run("--wheels", new, DIES=str(step), **dying)
        assert int(counted.read_text()) == step  # it died there
        seen.add(box.version())
        box.install(new)  # and the next try works
        assert box.version() == "2.0"
    assert "1.0" in seen
    assert kind == "unpacking" or "2.0" in seen


# -- what is said -----------------------------------------------------------------------------


def test_shellcheck_finds_nothing_wrong_with_the_scripts() -> None:
    program = shutil.which("shellcheck")
    assert program is not None, "shellcheck is missing: `make test` installs it when run as root"
    scripts = [INSTALLER, *sorted((ROOT / "tests/rig").glob("*.sh"))]
    done = subprocess.run([program, *scripts], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_a_dry_run_says_everything_and_does_nothing(box: Box) -> None:
    done = box.run("--dry-run", "--kiosk")
    assert done.returncode == 0, done.stderr
    for wanted in (
        "python3-lgpio",
        "cage chromium",
        "60-ludo-companion.rules",
        "sysusers",
        "wheels.py fetch",
        "environment.py make",
        "doctor --self",
    ):
        assert wanted in done.stdout
    for unit in (*FOLDER.glob("*.service"), *FOLDER.glob("*.path")):
        assert unit.name in done.stdout
    commands = [line for line in done.stdout.splitlines() if not line.startswith("==")]
    assert all(line.startswith(("would run: ", "would write: ")) for line in commands)
    assert not box.opt.exists()


def test_everything_is_on_the_disk_before_and_after_the_rename(box: Box) -> None:
    said = box.run("--dry-run").stdout.splitlines()
    commands = [line.removeprefix("would run: ") for line in said]
    swap = next(n for n, line in enumerate(commands) if line.endswith("ludo-companion/current"))
    made = next(n for n, line in enumerate(commands) if "environment.py make" in line)
    assert "sync" in commands[made:swap]
    assert commands[swap + 1] == "sync"
    assert not any("systemctl restart" in line for line in commands[:swap])
    started = next(n for n, line in enumerate(commands) if "systemctl restart" in line)
    assert "sync" in commands[swap + 2 : started]


def test_without_the_kiosk_nothing_of_it_is_installed(box: Box) -> None:
    said = box.run("--dry-run").stdout
    placed = [line for line in said.splitlines() if not line.startswith("would run: cp")]
    for other in ("ludo-kiosk", "kiosk.service", "chromium"):
        assert other not in "\n".join(placed)


@pytest.mark.parametrize(("state", "wanted"), [("installed", False), ("config-files", True)])
def test_the_drop_in_for_rpi_gpio_is_not_driven_out(state: str, wanted: bool, box: Box) -> None:
    """python3-rpi-lgpio is there in its place, and the two packages exclude each other."""
    box.program("dpkg-query", f"case \"$*\" in *' python3-rpi-lgpio') printf {state} ;; esac")
    said = box.run("--dry-run").stdout
    assert ("python3-rpi.gpio" in said) == wanted
    assert "python3-lgpio python3-spidev" in said


def test_where_the_package_is_a_clone_is_not_installed(box: Box) -> None:
    box.program("dpkg-query", "case \"$*\" in *' ludo-companion') printf installed ;; esac")
    done = box.run("--dry-run")
    assert done.returncode == 1
    assert "here as a Debian package" in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--dry-run", "--purge"], "--purge belongs to --uninstall"),
        (["--dry-run", "--config"], "--config needs a value"),
        (["--dry-run", "--config", "/none.toml"], "there is no file /none.toml"),
        (["--dry-run", "--wheels", "/none"], "there is no folder /none"),
        (["--upgrade"], "there is no option --upgrade"),
    ],
)
def test_a_wrong_option_is_refused_in_a_sentence(box: Box, options: list[str], said: str) -> None:
    done = box.run(*options)
    assert done.returncode == 1
    assert said in done.stderr


@pytest.mark.parametrize(
    ("machine", "said"),
    [
        ("armv7l", "this system has 32 bit"),
        ("armv6l", "put the 64-bit Raspberry Pi OS on the card"),
        ("riscv64", "there is nothing to install on riscv64"),
    ],
)
def test_what_cannot_be_had_is_said_before_it_begins(box: Box, machine: str, said: str) -> None:
    done = box.run(MACHINE=machine)
    assert done.returncode == 1
    assert said in done.stderr
    assert not box.opt.exists()
    assert box.asked.read_text() == ""


def test_another_python_is_refused(box: Box) -> None:
    box.program("python", "echo 3.12")
    done = box.run(PYTHON=str(box.bin / "python"))
    assert done.returncode == 1
    assert "here it is 3.12" in done.stderr


def test_the_hash_of_a_list_is_that_of_sha256sum(tmp_path: Path) -> None:
    wheels = made(tmp_path / "wheels", "1.0")
    for line in (wheels / environment.LIST).read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((wheels / name).read_bytes()).hexdigest() == digest

"""The service files and the installer, as far as they can be judged without a Pi."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from companion.commands import report
from companion.config import DEFAULT
from companion.daemon.serving import SHUT_DOWN
from companion.journal import SYSTEM
from companion.web.door import WAITING
from companion.web.key import FILE as KEY_FILE
from companion.web.stream import MOST

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "systemd"
INSTALLER = FOLDER / "install.sh"
UNITS = sorted([*FOLDER.glob("*.service"), *FOLDER.glob("*.path")])
SERVICE = (FOLDER / "ludo-companion.service").read_text()


def tool(name: str) -> str:
    found = shutil.which(name)
    assert found is not None, f"{name} is missing: `make test` installs it when it is run as root"
    return found


def called(*words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


# -- units ---------------------------------------------------------------------------------


def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    """Verified with programs that exist here in place of those that exist on the box."""
    for unit in UNITS:
        text = re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", unit.read_text())
        (tmp_path / unit.name).write_text(text)
    done = called(tool("systemd-analyze"), "verify", *sorted(tmp_path.iterdir()))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("unit", "most"),
    [("ludo-companion", 1.3), ("ludo-companion-shutdown", 1.1), ("ludo-companion-kiosk", 3.1)],
)
def test_the_services_are_little_exposed(unit: str, most: float) -> None:
    done = called(tool("systemd-analyze"), "security", "--offline=true", FOLDER / f"{unit}.service")
    level = re.search(r"Overall exposure level for \S+: ([0-9.]+)", done.stdout)
    assert level is not None, done.stderr
    assert float(level[1]) <= most


def test_the_service_may_have_more_descriptors_than_visitors() -> None:
    found = re.search(r"(?m)^LimitNOFILE=(\d+)$", SERVICE)
    assert found is not None
    assert int(found[1]) >= WAITING + MOST + 200


def test_the_kiosk_has_the_key_that_the_service_keeps() -> None:
    kiosk = (FOLDER / "ludo-companion-kiosk.service").read_text()
    assert f"EnvironmentFile=-{SYSTEM.parent / KEY_FILE}" in kiosk
    assert "?key=${LUDO_KEY}" in kiosk


def test_the_configuration_is_read_by_the_service_only(tmp_path: Path) -> None:
    config = tmp_path / "mine.toml"
    config.touch()
    said = pi(tmp_path, "--dry-run", "--config", str(config)).stdout
    assert "chmod 0640 /etc/ludo-companion/companion.toml" in said
    assert "chgrp ludo-companion /etc/ludo-companion/companion.toml" in said


def test_the_programs_use_the_names_that_the_service_has() -> None:
    assert (FOLDER / f"{report.SERVICE}.service").exists()
    assert f"--config {DEFAULT}" in SERVICE
    assert f"ConditionPathExists={DEFAULT}" in SERVICE
    assert f"StateDirectory={SYSTEM.parent.name}" in SERVICE
    shutdown = (FOLDER / "ludo-companion-shutdown.path").read_text()
    assert f"PathExists=/run/ludo-companion/{SHUT_DOWN}" in shutdown


@pytest.mark.parametrize(
    ("kind", "module"),
    [
        ("ttyACM", "cdc_acm"),
        ("ttyUSB", "usbserial"),
        ("i2c", "i2c_dev"),
        ("spi", "spidev"),
        ("alsa", "snd"),
    ],
)
def test_a_device_that_appears_later_is_allowed(kind: str, module: str) -> None:
    """DeviceAllow= is resolved when the unit starts: the kind of device must be known then."""
    assert f"DeviceAllow=char-{kind} rw" in SERVICE
    for order in ("Wants", "After"):
        found = re.search(rf"(?m)^{order}=(.*)$", SERVICE)
        assert found is not None
        assert f"modprobe@{module}.service" in found[1].split()


def test_the_kiosk_needs_no_x_server() -> None:
    """cage is a Wayland compositor, and the installer brings no X server for the browser."""
    kiosk = (FOLDER / "ludo-companion-kiosk.service").read_text()
    assert "--ozone-platform=wayland" in kiosk
    assert "systemd-logind.service" in kiosk


# -- installer -----------------------------------------------------------------------------


def pi(
    tmp_path: Path,
    *options: object,
    codename: str = "bookworm",
    machine: str = "aarch64",
    **environment: str,
) -> subprocess.CompletedProcess[str]:
    """Run the installer on a system that says it is a Pi's, with units in a folder of the test."""
    release = tmp_path / "os-release"
    release.write_text(f"ID=debian\nVERSION_CODENAME={codename}\n")
    units = tmp_path / "units"
    units.mkdir(exist_ok=True)
    return called(
        INSTALLER,
        *options,
        **{"OS_RELEASE": str(release), "MACHINE": machine, "UNITS": str(units), **environment},
    )


def programs(folder: Path, **scripts: str) -> str:
    """A PATH on which these programs stand before the system's."""
    folder.mkdir()
    for name, script in scripts.items():
        program = folder / name.replace("_", "-")
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def test_shellcheck_finds_nothing_wrong_with_the_installer() -> None:
    done = called(tool("shellcheck"), INSTALLER, *sorted((ROOT / "tests/rig").glob("*.sh")))
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("codename", ["bookworm", "trixie"])
def test_a_dry_run_says_everything_and_does_nothing(tmp_path: Path, codename: str) -> None:
    done = pi(tmp_path, "--dry-run", "--kiosk", codename=codename)
    assert done.returncode == 0, done.stderr
    for unit in UNITS:
        assert unit.name in done.stdout
    for wanted in ("python3-lgpio", "cage chromium", "60-ludo-companion.rules", "sysusers"):
        assert wanted in done.stdout
    commands = [line for line in done.stdout.splitlines() if not line.startswith("==")]
    assert all(line.startswith("would run: ") for line in commands)
    assert not Path("/opt/ludo-companion").exists()


def test_what_is_installed_is_on_the_disk_before_it_runs(tmp_path: Path) -> None:
    """Or a plug pulled right after an update leaves empty units, which systemd never starts."""
    said = pi(tmp_path, "--dry-run", "--kiosk").stdout.splitlines()
    commands = [line.removeprefix("would run: ") for line in said]
    for unit in (*(f"{tmp_path}/units/{unit.name}" for unit in UNITS), "/etc/udev/rules.d/60"):
        placed = [line for line in commands if line.split()[0] in ("install", "sync", "mv")]
        ways = [line.split()[0] for line in placed if unit in line]
        assert ways == ["install", "sync", "mv"]
    safe = commands.index("sync")
    assert not any(line.split()[:2] == ["systemctl", "restart"] for line in commands[:safe])
    after = [line for line in commands[safe + 1 :] if not line.startswith("==")]
    assert all(line.startswith("systemctl restart") for line in after)


def test_without_the_kiosk_nothing_of_it_is_installed(tmp_path: Path) -> None:
    done = pi(tmp_path, "--dry-run")
    for other in ("ludo-kiosk", "kiosk.service", "chromium"):
        assert other not in done.stdout


def test_an_update_brings_the_kiosk_that_is_installed_up_to_date(tmp_path: Path) -> None:
    """Whoever switched it off keeps it off: it is restarted only if it runs."""
    units = tmp_path / "units"
    units.mkdir()
    (units / "ludo-companion-kiosk.service").touch()
    said = pi(tmp_path, "--dry-run").stdout
    for wanted in ("cage chromium", "ludo-kiosk.conf", f"{units}/ludo-companion-kiosk.service"):
        assert wanted in said
    assert "would run: systemctl try-restart ludo-companion-kiosk.service" in said
    assert "enable --quiet ludo-companion-kiosk.service" not in said


def test_the_kiosk_that_is_asked_for_is_switched_on(tmp_path: Path) -> None:
    said = pi(tmp_path, "--dry-run", "--kiosk").stdout
    assert "would run: systemctl enable --quiet ludo-companion-kiosk.service" in said
    assert "would run: systemctl restart ludo-companion-kiosk.service" in said


@pytest.mark.parametrize(("state", "wanted"), [("installed", False), ("config-files", True)])
def test_the_drop_in_for_rpi_gpio_is_not_driven_out(
    state: str, wanted: bool, tmp_path: Path
) -> None:
    """python3-rpi-lgpio is there in its place, and the two packages exclude each other."""
    asked = f"""case "$*" in *' python3-rpi-lgpio') printf {state} ;; esac"""
    path = programs(tmp_path / "bin", dpkg_query=asked)
    said = pi(tmp_path, "--dry-run", PATH=path).stdout
    assert ("python3-rpi.gpio" in said) == wanted
    assert "python3-lgpio python3-spidev" in said


def test_where_there_is_no_drop_in_rpi_gpio_is_installed(tmp_path: Path) -> None:
    path = programs(tmp_path / "bin", dpkg_query="echo 'no packages found' >&2; exit 1")
    done = pi(tmp_path, "--dry-run", PATH=path)
    assert "python3-rpi.gpio" in done.stdout
    assert (done.returncode, done.stderr) == (0, "")


def installed(tmp_path: Path, source: Path) -> set[str]:
    """Run the installer on a clone without touching this machine; what is in its wheel."""
    wheels, rest = tmp_path / "wheels", tmp_path / "tmp"
    rest.mkdir(exist_ok=True)
    build = f"""case "$*" in *--force-reinstall*) ;; *) exit 0 ;; esac
        for what; do :; done
        exec {sys.executable} -m pip wheel --quiet --no-index --no-deps --no-build-isolation \\
            --wheel-dir {wheels} "$what" """
    path = programs(
        tmp_path / f"bin-{len(list(tmp_path.iterdir()))}",
        id="echo 0",
        python3=build,
        **dict.fromkeys(
            ("apt_get", "install", "ln", "mv", "sync", "systemctl", "udevadm"), "exit 0"
        ),
        systemd_sysusers="exit 0",
    )
    done = pi(tmp_path, "--source", source, PATH=path, TMPDIR=str(rest))
    assert done.returncode == 0, done.stderr
    assert list(rest.iterdir()) == []
    [wheel] = wheels.iterdir()
    with zipfile.ZipFile(wheel) as file:
        return set(file.namelist())


def test_an_update_is_built_from_the_clone_and_leaves_nothing_in_it(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    clone.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "Makefile"):
        shutil.copy(ROOT / name, clone)
    for name in ("companion", "firmware", "systemd"):
        made = shutil.ignore_patterns("__pycache__", "*.mo")
        shutil.copytree(ROOT / name, clone / name, ignore=made)
    (clone / "companion/gone.py").touch()
    before = sorted(clone.rglob("*"))
    first = installed(tmp_path, clone)
    assert sorted(clone.rglob("*")) == before
    assert {"companion/gone.py", "companion/cli.py", "firmware/line.py"} <= first
    assert "companion/web/static/main.js" in first
    assert "companion/screens/catalogues/de/LC_MESSAGES/companion.mo" in first
    (clone / "companion/gone.py").unlink()
    assert installed(tmp_path, clone) == first - {"companion/gone.py"}


def test_a_wheel_is_installed_as_it_is(tmp_path: Path) -> None:
    wheel = tmp_path / "some.whl"
    wheel.touch()
    said = pi(tmp_path, "--dry-run", "--source", wheel).stdout
    assert re.search(rf"would run: python3 -m pip .*--no-deps {wheel}\n", said)
    assert "would run: cp" not in said


def test_with_a_folder_of_wheels_nothing_is_built_or_downloaded(tmp_path: Path) -> None:
    said = pi(tmp_path, "--dry-run", "--wheels", tmp_path).stdout
    pips = re.findall(r"would run: python3 -m pip .* install (.*)", said)
    assert [pip.split()[-1] for pip in pips] == ["ludo-companion", "ludo-companion"]
    assert all(f"--no-index --find-links {tmp_path} " in pip for pip in pips)
    assert "--upgrade lgpio " in pips[0]
    assert "would run: cp" not in said
    assert "apt-get" not in said


def test_what_there_is_not_cannot_be_installed(tmp_path: Path) -> None:
    done = pi(tmp_path, "--dry-run", "--source", tmp_path / "nothing")
    assert done.returncode == 1
    assert f"there is nothing at {tmp_path}/nothing" in done.stderr


def test_a_given_configuration_is_installed(tmp_path: Path) -> None:
    done = pi(tmp_path, "--dry-run", "--config", ROOT / "hardware/configs/build-a-40.toml")
    assert re.search(rf"would run: install -D -m 0644 \S+build-a-40.toml {DEFAULT}", done.stdout)


def test_an_update_never_touches_games_or_configuration(tmp_path: Path) -> None:
    commands = pi(tmp_path, "--dry-run").stdout
    assert "/var/lib" not in commands
    assert not re.search(r"would run: .*companion\.toml", commands)


def test_what_is_installed_is_removed_again_but_the_games(tmp_path: Path) -> None:
    there = re.findall(r"mv -f \S+\.new (\S+)", pi(tmp_path, "--dry-run", "--kiosk").stdout)
    gone = pi(tmp_path, "--dry-run", "--uninstall").stdout
    assert len(there) >= 6
    for path in [*there, "/opt/ludo-companion", "/usr/local/bin/companion"]:
        assert path in gone
    assert "would run: rm -rf /var/lib/ludo-companion" not in gone
    purged = pi(tmp_path, "--dry-run", "--uninstall", "--purge").stdout
    assert "would run: rm -rf /var/lib/ludo-companion /etc/ludo-companion" in purged


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
def test_a_wrong_option_is_refused_in_a_sentence(
    tmp_path: Path, options: list[str], said: str
) -> None:
    done = pi(tmp_path, *options)
    assert done.returncode == 1
    assert said in done.stderr


@pytest.mark.parametrize(("codename", "machine"), [("bullseye", "aarch64"), ("trixie", "armv7l")])
def test_another_system_is_refused_unless_forced(
    tmp_path: Path, codename: str, machine: str
) -> None:
    done = pi(tmp_path, "--dry-run", codename=codename, machine=machine)
    assert done.returncode == 1
    assert "--force" in done.stderr
    forced = pi(tmp_path, "--dry-run", "--force", codename=codename, machine=machine)
    assert forced.returncode == 0

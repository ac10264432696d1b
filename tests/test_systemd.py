"""The service files, as far as they can be judged without a Pi."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion import SERVICE as NAME
from companion import privileged, updates
from companion.config import DEFAULT
from companion.daemon.serving import SHUT_DOWN
from companion.journal import SYSTEM
from companion.web.door import WAITING
from companion.web.key import FILE as KEY_FILE
from companion.web.stream import MOST

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "systemd"
UNITS = sorted([*FOLDER.glob("*.service"), *FOLDER.glob("*.path")])
SERVICE = (FOLDER / "ludo-companion.service").read_text()


def tool(name: str) -> str:
    found = shutil.which(name)
    assert found is not None, f"{name} is missing: `make test` installs it when it is run as root"
    return found


def called(*words: object) -> subprocess.CompletedProcess[str]:
    command = [str(word) for word in words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


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
    [
        ("ludo-companion", 1.3),
        ("ludo-companion-shutdown", 1.1),
        ("ludo-companion-settings", 1.4),
        ("ludo-companion-update", 5.9),
        ("ludo-companion-kiosk", 3.1),
        ("ludo-house", 0.9),
    ],
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


def test_the_programs_use_the_names_that_the_service_has() -> None:
    assert (FOLDER / f"{NAME}.service").exists()
    assert f"--config {DEFAULT}" in SERVICE
    settings = (FOLDER / "ludo-companion-settings.path").read_text()
    assert f"PathExists={privileged.FOLDER / privileged.ORDER}" in settings
    helper = (FOLDER / "ludo-companion-settings.service").read_text()
    for unit in privileged.followed():
        assert f"PathChanged={unit.config}" in settings
        assert str(unit.part(privileged.UNITS).parent) in helper
    update = (FOLDER / "ludo-companion-update.path").read_text()
    assert f"PathExists={updates.Places().orders / updates.ORDER}" in update
    helper = (FOLDER / "ludo-companion-update.service").read_text()
    assert f"RuntimeDirectory={updates.ANSWER.parent.name}\n" in helper
    assert f"CacheDirectory={updates.Places().kept.parent.name}\n" in helper
    assert f"StateDirectory={SYSTEM.parent.name}" in SERVICE
    shutdown = (FOLDER / "ludo-companion-shutdown.path").read_text()
    assert f"PathExists=/run/ludo-companion/{SHUT_DOWN}" in shutdown


def test_what_root_runs_of_ours_comes_from_nowhere_else() -> None:
    """Without -I Python takes modules from the folder in which somebody says sudo."""
    texts = [one.read_text() for one in (*UNITS, FOLDER / "install.sh")]
    ours = [line for text in texts for line in text.splitlines() if "-m companion." in line]
    assert len(ours) == 3
    assert all(" -I -m companion." in line for line in ours)


def test_who_installs_may_do_what_the_installer_does() -> None:
    """It tells udev of new rules, in /sys; and it looks at sticks, which ProtectClock= forbids."""
    helper = (FOLDER / "ludo-companion-update.service").read_text()
    assert "udevadm trigger" in (FOLDER / "install.sh").read_text()
    assert "ProtectKernelTunables" not in helper
    assert "DeviceAllow=block-sd r\n" in helper


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

"""Builds the Debian packages: `deb.py OUT [arm64 amd64]`. The same sources give the same bytes.

A package carries the wheels for Bookworm's and Trixie's Python and the installer, and lets that one
do the rest: so an update by package is as safe as any other, and needs neither internet nor
compiler. The kiosk and the house are packages apart, which bring hardly more than their needs.
"""

import argparse
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wheels
from environment import LIST, Target, make_list, read_list

from companion import signatures

NAME = "ludo-companion"
HERE, PROJECT = wheels.HERE, wheels.PROJECT
MACHINES = {"arm64": "aarch64", "amd64": "x86_64"}
INSIDE = f"usr/lib/{NAME}"
PARTS = {
    "kiosk": ("cage, chromium", "the page on the HDMI screen"),
    "house": ("mosquitto, openssl, avahi-daemon", "one page for all tables of a house"),
}
"""What stands beside the companion: what it needs, and in a few words what it is."""
MAINTAINER = "The Ludo companion's authors <authors@ludo-companion.org>"
ABOUT = """Referee that sits beside a real Ludo board
 It reads an electronic die and the squares of a board, knows the rules of
 several printed sheets, shows whose turn it is, and says at once, with the
 rule, when a move is not allowed.
"""
ABOUT_PART = """Ludo companion, {what}
 Switches on what the companion already carries.
"""

POSTINST = f"""#!/bin/sh
set -e
if [ "$1" = configure ]; then
    /{INSIDE}/install.sh --package
fi
"""
PRERM = f"""#!/bin/sh
set -e
if [ "$1" = remove ]; then
    /{INSIDE}/install.sh --package --uninstall
fi
"""
POSTRM = f"""#!/bin/sh
set -e
if [ "$1" = purge ]; then
    echo "removing all games in /var/lib/{NAME} and the configuration in /etc/{NAME}"
    rm -rf /var/lib/{NAME} /etc/{NAME} /var/lib/ludo-house /etc/mosquitto/ludo
fi
"""
POSTINST_PART = f"""#!/bin/sh
set -e
if [ "$1" = configure ]; then
    /{INSIDE}/install.sh --package --PART
fi
"""
PRERM_PART = f"""#!/bin/sh
set -e
if [ "$1" = remove ] && [ -x /{INSIDE}/install.sh ]; then
    /{INSIDE}/install.sh --package --no-PART
fi
"""
COMMAND = f"""#!/bin/sh
exec /opt/{NAME}/current/bin/companion "$@"
"""


def version() -> str:
    """The companion's own version."""
    found = re.search(r'__version__ = "(.*)"', (PROJECT / "companion/__init__.py").read_text())
    assert found is not None
    return found[1]


def build(out: Path, machines: Iterable[str], key: Path | None = None) -> list[Path]:
    """The packages for these machines, and those that are for all; signed, if there is a key."""
    out.mkdir(parents=True, exist_ok=True)
    made: list[Path] = []
    with tempfile.TemporaryDirectory() as place:
        own = Path(place) / "own"
        own.mkdir()
        wheels.build(own)
        made += [companion(out, Path(place) / one, one, own, key) for one in machines]
        made += [part_of(out, Path(place) / part, part) for part in PARTS]
    return made


def companion(out: Path, root: Path, machine: str, own: Path, key: Path | None) -> Path:
    """The companion for one kind of machine, with the wheels of each Python.

    A signed one brings the public key along, with which the next one is checked.
    """
    inside = root / INSIDE
    carried = inside / "wheels"
    carried.mkdir(parents=True)
    listed = read_list(HERE / LIST)
    for minor in sorted({target.minor for target in wheels.TARGETS}):
        target = Target(minor, MACHINES[machine])
        wheels.bring(listed, carried, target)
    for wheel in own.iterdir():
        shutil.copy(wheel, carried)
    make_list(carried, carried / LIST)
    for pattern in ("*.service", "*.path", "*.sysusers", "*.rules", "install.sh", "environment.py"):
        for file in HERE.glob(pattern):
            shutil.copy(file, inside)
    if key is not None:
        write(inside / "update.pub", signatures.public_key(key))
    write(root / "usr/bin/companion", COMMAND, 0o755)
    menu = (HERE / f"{NAME}.desktop").read_text()
    write(root / f"usr/share/applications/{NAME}.desktop", menu)
    icon = (PROJECT / "companion/web/static/icon.svg").read_text()
    write(root / f"usr/share/icons/hicolor/scalable/apps/{NAME}.svg", icon)
    control = {
        "Architecture": machine,
        "Depends": "python3 (>= 3.11), python3 (<< 3.14), openssl, systemd, udev",
        "Recommends": "python3-lgpio, python3-spidev, python3-rpi.gpio | python3-rpi-lgpio",
        "Suggests": "espeak-ng",
        "Description": ABOUT,
    }
    scripts = {"postinst": POSTINST, "prerm": PRERM, "postrm": POSTRM}
    package = packed(out, root, NAME, control, scripts)
    if key is not None:
        signatures.sign(package, key)
    return package


def part_of(out: Path, root: Path, part: str) -> Path:
    """A part that stands beside the companion; it is the same on every machine."""
    needs, what = PARTS[part]
    control = {
        "Architecture": "all",
        "Depends": f"{NAME} (>= {version()}), {needs}",
        "Description": ABOUT_PART.format(what=what),
    }
    scripts = {
        "postinst": POSTINST_PART.replace("PART", part),
        "prerm": PRERM_PART.replace("PART", part),
    }
    return packed(out, root, f"{NAME}-{part}", control, scripts)


def packed(
    out: Path, root: Path, name: str, control: dict[str, str], scripts: dict[str, str]
) -> Path:
    """Add what every package has, and pack it; all times are one."""
    papers = root / f"usr/share/doc/{name}"
    licence = (PROJECT / "LICENSE").read_text()
    write(papers / "copyright", f"{licence}\nEach wheel has its own licence inside it.\n")
    news = f"{name} ({version()}) stable; urgency=low\n\n  * See docs/ for what it does.\n\n"
    news += f" -- {MAINTAINER}  Wed, 01 Jan 2020 00:00:00 +0000\n"
    (papers / "changelog.gz").write_bytes(gzip.compress(news.encode(), 9, mtime=wheels.EPOCH))
    for script, text in scripts.items():
        write(root / "DEBIAN" / script, text, 0o755)
    size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file()) // 1024 + 1
    lines = {
        "Package": name,
        "Version": version(),
        "Maintainer": MAINTAINER,
        "Section": "misc",
        "Priority": "optional",
        "Installed-Size": str(size),
        **control,
    }
    text = "".join(f"{key}: {value.strip()}\n" for key, value in lines.items())
    write(root / "DEBIAN/control", text)
    for path in sorted(root.rglob("*"), reverse=True):
        if path.is_dir() or path.name == "install.sh":
            path.chmod(0o755)
        elif "DEBIAN" not in path.parts and path.parent.name != "bin":
            path.chmod(0o644)
        os.utime(path, (wheels.EPOCH, wheels.EPOCH))
    root.chmod(0o755)
    os.utime(root, (wheels.EPOCH, wheels.EPOCH))
    target = out / f"{name}_{version()}_{control['Architecture']}.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, target],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(wheels.EPOCH)},
    )
    return target


def write(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a file, with the folders it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def main() -> None:
    """Build what the command line asks for."""
    words = argparse.ArgumentParser(prog="deb.py", description=__doc__)
    words.add_argument("out", type=Path)
    words.add_argument("--key", type=Path, help="sign them with this Ed25519 key (a PEM file)")
    words.add_argument("machines", nargs="*", choices=[*MACHINES, []], default=[])
    given = words.parse_args()
    for path in build(given.out, given.machines or MACHINES, given.key):
        print(f"{path} ({path.stat().st_size / 1e6:.1f} MB)")  # noqa: T201


if __name__ == "__main__":
    main()

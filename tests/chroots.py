"""The Debian packages in clean Debians: `make chroots`, as root; it takes minutes.

For Bookworm and Trixie, on amd64 and (by qemu-user) on arm64: install, self check, update from a
version before, downgrade, the kiosk beside it, remove, purge. A game and a configuration are there
throughout, until they are purged.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
SUITES = ("bookworm", "trixie")
MACHINES = ("amd64", "arm64")
QEMU = {"arm64": "aarch64", "amd64": "x86_64"}
"""What qemu-user calls them."""
HOUSE_ON = "amd64"
"""The house is the same on every machine, and tried where that is quick."""
OLDER = "0.0.9"
GAMES = "/var/lib/ludo-companion/games.db"
CONFIG = "/etc/ludo-companion/companion.toml"
SOURCES = (
    *("companion", "firmware", "hardware/configs", "systemd"),
    *("pyproject.toml", "README.md", "LICENSE"),
)
BEGAN = time.monotonic()


def say(text: str) -> None:
    sys.stdout.write(f"{time.monotonic() - BEGAN:6.0f} s  {text}\n")
    sys.stdout.flush()


def mirror() -> str:
    """The mirror that this machine's own apt uses."""
    words = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]
    done = subprocess.run([*words, "Component: main"], check=True, capture_output=True, text=True)
    return done.stdout.split()[0]


def needs_of(new: Path, *packages: str) -> list[str]:
    """What these packages ask for besides the companion."""
    needs = set[str]()
    for pattern in packages:
        words = ["dpkg-deb", "--field", str(next(new.glob(pattern))), "Depends"]
        said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        needs |= {one.split()[0] for one in said.split(",")}
    return sorted(needs - {"ludo-companion"})


def debian(suite: str, machine: str, folder: Path, needs: list[str]) -> Path:
    """A clean Debian with these packages besides, made once."""
    root = folder / f"{suite}-{machine}"
    stamp = root / "made"
    if not stamp.exists() or stamp.read_text().split() != needs:
        shutil.rmtree(root, ignore_errors=True)
        words = ["mmdebstrap", "--quiet", f"--arch={machine}", "--variant=minbase"]
        words += [f"--include={','.join(needs)}", suite, str(root)]
        subprocess.run([*words, f"deb {mirror()} {suite} main"], check=True)
        stamp.write_text(" ".join(needs))
    return root


def can_run(machine: str) -> None:
    """Have the kernel run programs of this kind: where systemd is not first, nobody asked it to."""
    if subprocess.run(["arch-test", machine], check=False, capture_output=True).returncode == 0:
        return
    kinds = Path("/proc/sys/fs/binfmt_misc")
    if not (kinds / "register").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", kinds], check=True)
    subprocess.run(["update-binfmts", "--enable", f"qemu-{QEMU[machine]}"], check=True)


@contextmanager
def copy_of(root: Path) -> Iterator[Path]:
    """A Debian to be used up, with what a program expects of a system."""
    place = Path(tempfile.mkdtemp(dir=root.parent))
    subprocess.run(["cp", "-a", f"{root}/.", place], check=True)
    mounts = [("proc", "proc", place / "proc"), ("devtmpfs", "dev", place / "dev")]
    for kind, name, where in mounts:
        subprocess.run(["mount", "-t", kind, name, where], check=True)
    try:
        yield place
    finally:
        for _, _, where in mounts:
            subprocess.run(["umount", where], check=True)
        shutil.rmtree(place)


def inside(root: Path, *command: str) -> str:
    """Run a command in there; raises if it fails, with what it said."""
    done = subprocess.run(
        ["chroot", root, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        env={**os.environ, "LC_ALL": "C", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed in {root.name}:\n{done.stdout}")
    return done.stdout


@contextmanager
def sources(version: str | None = None) -> Iterator[Path]:
    """The sources as they are now, under another number if one is given."""
    with tempfile.TemporaryDirectory() as place:
        for name in SOURCES:
            made = shutil.ignore_patterns("__pycache__", "*.so", "*.mo")
            source, target = ROOT / name, Path(place) / name
            if source.is_dir():
                shutil.copytree(source, target, ignore=made)
            else:
                shutil.copy(source, target)
        if version is not None:
            file = Path(place) / "companion/__init__.py"
            text = re.sub(r'__version__ = ".*"', f'__version__ = "{version}"', file.read_text())
            file.write_text(text)
        yield Path(place)


def build(source: Path, out: Path, *machines: str) -> None:
    """The packages for these machines, or for all."""
    subprocess.run(
        [sys.executable, source / "systemd/deb.py", out, *machines],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "KEPT_WHEELS": str(ROOT / "build/wheels")},
    )


def life(root: Path, machine: str, new: Path, old: Path) -> None:
    """The whole life of the package in one Debian."""
    fresh, before = (one.glob(f"ludo-companion_*_{machine}.deb") for one in (new, old))
    for name, packages in (("new.deb", fresh), ("old.deb", before)):
        shutil.copy(next(packages), root / "root" / name)
    shutil.copy(next(new.glob("ludo-companion-kiosk_*.deb")), root / "root/kiosk.deb")
    inside(root, "dpkg", "-i", "/root/old.deb")
    assert "All is well." in inside(root, "companion", "doctor", "--self")
    assert inside(root, "companion", "--version").split()[-1] == OLDER
    for path in (GAMES, CONFIG):
        place = root / path[1:]
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("# mine\n")
    current = inside(root, "sh", "-c", "dpkg-deb -f /root/new.deb Version").strip()
    inside(root, "dpkg", "-i", "/root/new.deb")
    assert inside(root, "companion", "--version").split()[-1] == current
    inside(root, "dpkg", "-i", "/root/old.deb")
    assert inside(root, "companion", "--version").split()[-1] == OLDER
    inside(root, "dpkg", "-i", "/root/new.deb")
    assert "All is well." in inside(root, "companion", "doctor", "--self")
    inside(root, "dpkg", "-i", "--force-depends", "/root/kiosk.deb")
    kiosk = root / "etc/systemd/system/multi-user.target.wants/ludo-companion-kiosk.service"
    assert kiosk.is_symlink()
    inside(root, "dpkg", "-r", "ludo-companion-kiosk")
    assert not kiosk.is_symlink()
    if machine == HOUSE_ON:
        house_beside(root, next(new.glob("ludo-companion-house_*.deb")))
    inside(root, "dpkg", "-r", "ludo-companion")
    assert not (root / "opt/ludo-companion").exists()
    assert not list((root / "etc/systemd/system").rglob("*ludo*"))
    assert (root / GAMES[1:]).read_text() == (root / CONFIG[1:]).read_text() == "# mine\n"
    assert "removing all games" in inside(root, "dpkg", "-P", "ludo-companion")
    assert not (root / GAMES[1:]).parent.exists()
    assert not (root / CONFIG[1:]).parent.exists()


def house_beside(root: Path, package: Path) -> None:
    """The house of a café: its broker and its service are set up, and go again; its files stay."""
    shutil.copy(package, root / "root/house.deb")
    inside(root, "dpkg", "-i", "/root/house.deb")
    service = root / "etc/systemd/system/multi-user.target.wants/ludo-house.service"
    broker = root / "etc/mosquitto/conf.d/ludo.conf"
    assert service.is_symlink()
    assert broker.is_symlink()
    assert (root / "etc/ludo-companion/house.toml").exists()
    inside(root, "companion", "house", "add", "table-1")
    inside(root, "dpkg", "-r", "ludo-companion-house")
    assert not service.is_symlink()
    assert not broker.is_symlink()


def main() -> None:
    words = argparse.ArgumentParser(prog="python -m tests.chroots", description=__doc__)
    words.add_argument("which", nargs="*", help="such as bookworm-amd64; all, if none is named")
    words.add_argument("--out", type=Path, default=ROOT / "build/chroots")
    words.add_argument("--built", action="store_true", help="take the packages of the last run")
    given = words.parse_args()
    new, old, again = (given.out / name for name in ("new", "old", "again"))
    if not given.built:
        make_packages(new, old, again)
    for suite in SUITES:
        for machine in MACHINES:
            if given.which and f"{suite}-{machine}" not in given.which:
                continue
            can_run(machine)
            tried = [f"ludo-companion_*_{machine}.deb"]
            tried += ["ludo-companion-house_*.deb"] if machine == HOUSE_ON else []
            with copy_of(debian(suite, machine, given.out, needs_of(new, *tried))) as root:
                began = time.monotonic()
                life(root, machine, new, old)
            took = time.monotonic() - began
            say(
                f"{suite} {machine}: installed, updated, downgraded, removed, purged ({took:.0f} s)"
            )


def make_packages(new: Path, old: Path, again: Path) -> None:
    """The packages as they are now, twice, and of a version before."""
    for folder in (new, old, again):
        shutil.rmtree(folder, ignore_errors=True)
    with sources() as source:
        build(source, new)
        build(source, again)
    for package in sorted(new.iterdir()):
        assert package.read_bytes() == (again / package.name).read_bytes(), package.name
    say("built the packages twice, byte for byte the same")
    done = subprocess.run(
        ["lintian", "--fail-on", "error", *sorted(new.iterdir())],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    say("lintian finds no error")
    with sources(OLDER) as source:
        build(source, old)


if __name__ == "__main__":
    main()

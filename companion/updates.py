"""What the service asks of root about updates: to look at a package, install it, or go back.

The service leaves an order in its runtime folder; systemd then starts this module as root
(`ludo-companion-update.service`). An order is one short line, and what it can name is fixed: the
file that the service received, a stick, the package that was looked at last, the version before. A
package is copied to where only root writes before it is looked at, and only one that is ours, with
a signature that is right, is ever installed. What came of it stands in an answer that all may
read. Nothing is fetched: the unit has no network.
"""

import contextlib
import errno
import json
import os
import pwd
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion import SERVICE, signatures
from companion.signatures import LARGEST, NotGenuineError
from companion.small_files import read_small, write_small

ORDER = "update"
"""The file in the service's runtime folder that asks for something."""
UPLOAD = "update.deb"
"""The file in the service's own folder that it received."""
ANSWER = Path("/run/ludo-companion-update/answer.json")
_ORDERS = re.compile(r"look file|look stick|install [0-9a-f]{64}|back")
_NAMES = re.compile(r"ludo-companion_[0-9A-Za-z.~+-]{1,60}_[a-z0-9]{1,20}\.deb")
_VERSION = re.compile(r"[0-9][0-9A-Za-z.~+-]{0,59}")


@dataclass(frozen=True)
class Places:
    """Where everything is on a box."""

    orders: Path = Path("/run/ludo-companion")
    state: Path = Path("/var/lib/ludo-companion")
    kept: Path = Path("/var/cache/ludo-companion/update.deb")
    answer: Path = ANSWER
    current: Path = Path("/opt/ludo-companion/current")
    owners_keys: Path = Path("/etc/ludo-companion/keys")
    media: tuple[str, ...] = ("/media/*", "/media/*/*", "/run/media/*/*", "/mnt", "/mnt/*")

    @property
    def keys(self) -> list[Path]:
        """The owner's own keys, and the one that the installed package brought along."""
        return [*sorted(self.owners_keys.glob("*.pub")), self.current / "system" / "update.pub"]


# -- the service's side --------------------------------------------------------------------------


def ask(order: str, folder: Path) -> None:
    """Ask for something; the order is there whole, or not at all. Raises OSError."""
    assert _ORDERS.fullmatch(order)
    write_small(folder / ORDER, order)


def answer(place: Path | None = None) -> dict[str, Any] | None:
    """What came of the last order; None if there was none."""
    try:
        told = json.loads(read_small(place or ANSWER).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def answered() -> int:
    """When that was said, to tell a new answer from the one before; 0 if nothing was."""
    try:
        return ANSWER.stat().st_mtime_ns
    except OSError:
        return 0


# -- root's side ---------------------------------------------------------------------------------


class Update:
    """Carries out one order. Commands and sticks are arguments, for tests."""

    def __init__(
        self,
        places: Places,
        owner: int,
        run: Callable[[list[str]], str],
        sticks: Callable[[], Iterator[Path]],
    ) -> None:
        self._places, self._owner = places, owner
        self._run, self._sticks = run, sticks

    def obey(self) -> None:
        """Do what is asked for, if anything is, and say what came of it."""
        order = self._order()
        if order is None:
            return
        try:
            if _ORDERS.fullmatch(order) is None:
                raise NotGenuineError("fault")
            self._tell(state="working")
            self._do(order)
        except NotGenuineError as fault:
            self._tell(state="fault", fault=str(fault))
        except OSError as fault:
            full = fault.errno in (errno.ENOSPC, errno.EDQUOT)
            self._tell(state="fault", fault="no_room" if full else "fault")
            sys.stderr.write(f"{fault}\n")

    def _order(self) -> str | None:
        place = self._places.orders / ORDER
        try:
            with open_own(place, self._owner, 200) as file:
                data: bytes = file.read(200)
        except FileNotFoundError:
            return None
        except NotGenuineError:
            data = b""
        finally:
            with contextlib.suppress(OSError):
                place.unlink()
        return data.decode("ascii", errors="replace")

    def _do(self, order: str) -> None:
        if order == "back":
            self._back()
        elif order == "look file":
            self._take_received()
            self._look()
        elif order == "look stick":
            self._take_from_stick()
            self._look()
        else:
            self._install(order.removeprefix("install "))

    # -- looking ---------------------------------------------------------------------------------

    def _take_received(self) -> None:
        """Copy what the service received to where only root writes."""
        place = self._places.state / UPLOAD
        try:
            with open_own(place, self._owner, LARGEST) as file:
                self._keep(file)
        except FileNotFoundError:
            raise NotGenuineError("no_file") from None
        finally:
            with contextlib.suppress(OSError):
                place.unlink()

    def _take_from_stick(self) -> None:
        """Copy the newest package for this machine that a stick has."""
        end, fault = f"_{self._machine()}.deb", "no_stick"
        for folder in self._sticks():
            for one in newest(folder, end):
                try:
                    with open_own(one, None, LARGEST) as file:
                        self._keep(file)
                    return
                except FileNotFoundError:
                    continue
                except NotGenuineError as found:  # another may lie beside it
                    fault = str(found)
        raise NotGenuineError(fault)

    def _keep(self, file: Any) -> None:
        kept = self._places.kept
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.unlink(missing_ok=True)
        with kept.open("xb") as copy:
            shutil.copyfileobj(file, copy)
            copy.flush()
            os.fsync(copy.fileno())

    def _look(self) -> None:
        digest, version = self._checked()
        self._tell(state="ready", version=version, digest=digest)

    def _checked(self) -> tuple[str, str]:
        """Digest and version of the package that is kept, if it is genuine and ours."""
        kept = self._places.kept
        try:
            digest = signatures.check(kept, self._places.keys)
            fields = self._run(["dpkg-deb", "--field", str(kept), "Package"]).strip()
            version = self._run(["dpkg-deb", "--field", str(kept), "Version"]).strip()
            machine = self._run(["dpkg-deb", "--field", str(kept), "Architecture"]).strip()
        except FileNotFoundError:
            raise NotGenuineError("changed") from None
        except subprocess.CalledProcessError:
            raise NotGenuineError("not_a_package") from None
        if fields != SERVICE or _VERSION.fullmatch(version) is None:
            raise NotGenuineError("another_package")
        if machine != self._machine():
            raise NotGenuineError("another_machine")
        return digest, version

    def _machine(self) -> str:
        return self._run(["dpkg", "--print-architecture"]).strip()

    # -- changing --------------------------------------------------------------------------------

    def _install(self, digest: str) -> None:
        found, version = self._checked()
        if found != digest:
            raise NotGenuineError("changed")
        try:
            self._run(["dpkg", "--configure", "--pending"])  # what a pulled plug left half done
            self._run(["dpkg", "--install", str(self._places.kept)])
        except subprocess.CalledProcessError:
            raise NotGenuineError("not_installed") from None
        self._places.kept.unlink()
        self._tell(state="done", version=version)

    def _back(self) -> None:
        try:
            self._run([str(self._places.current / "system" / "install.sh"), "--back"])
        except subprocess.CalledProcessError:
            raise NotGenuineError("none_before") from None
        self._tell(state="done", version=running(self._places.current))

    def _tell(self, **told: str) -> None:
        write_small(self._places.answer, json.dumps(told))


@contextlib.contextmanager
def open_own(place: Path, owner: int | None, most: int) -> Iterator[Any]:
    """A regular file, not a link, of this owner and no larger than that. Raises NotGenuineError."""
    try:
        file = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise
    except OSError:
        raise NotGenuineError("no_file") from None
    about = os.fstat(file)
    fault = ""
    if not stat.S_ISREG(about.st_mode) or (
        owner is not None and (about.st_uid != owner or about.st_nlink > 1)
    ):
        fault = "no_file"
    elif about.st_size > most:
        fault = "too_large"
    if fault:
        os.close(file)
        raise NotGenuineError(fault)
    with open(file, "rb") as opened:
        yield opened


def newest(folder: Path, end: str) -> list[Path]:
    """The files in a folder that are named as packages are, with this end; the newest first."""
    found = []
    with contextlib.suppress(OSError):  # a stick that is pulled out has none
        for one in folder.iterdir():
            if _NAMES.fullmatch(one.name) and one.name.endswith(end):
                about = one.lstat()
                if stat.S_ISREG(about.st_mode):
                    found.append((about.st_mtime, one))
    return [one for _, one in sorted(found, reverse=True)]


def running(current: Path) -> str:
    """The version that a link of the installer names: `versions/0.1.0-1a2b3c4d`."""
    try:
        return current.readlink().name.rpartition("-")[0]
    except OSError:
        return ""


def folders_of_sticks(patterns: Iterable[str], stick: Path) -> Iterator[Path]:
    """What is mounted where sticks are; then what is plugged in and is not, mounted to look."""
    for pattern in patterns:
        yield from sorted(Path("/").glob(pattern.lstrip("/")))
    taken = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace")
    for disk in sorted(Path("/sys/block").glob("sd*")):
        if (disk / "removable").read_text().strip() != "1":
            continue
        for part in sorted(disk.glob(f"{disk.name}[0-9]*")) or [disk]:
            device = f"/dev/{part.name}"
            if f"{device} " in taken:
                continue
            stick.mkdir(parents=True, exist_ok=True)
            words = ["mount", "-o", "ro,nosuid,nodev,noexec", device, str(stick)]
            if subprocess.run(words, check=False, capture_output=True).returncode == 0:
                try:
                    yield stick
                finally:
                    subprocess.run(["umount", str(stick)], check=False)


def called(words: list[str]) -> str:
    """Run a command; what it says goes to the log too."""
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if words[0] != "dpkg-deb" and "--print-architecture" not in words:
        sys.stderr.write(done.stdout + done.stderr)
    done.check_returncode()
    return done.stdout


def main() -> None:
    """As systemd starts it, as root."""
    os.umask(0o022)
    places = Places()
    sticks = folders_of_sticks(places.media, places.answer.parent / "stick")
    Update(places, pwd.getpwnam(SERVICE).pw_uid, called, lambda: sticks).obey()


if __name__ == "__main__":
    main()

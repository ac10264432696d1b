"""A Debian in a container: real systemd on a disk of its own, without emulation, so it is quick.

The disk is a file with ext4 in it. What the kernel has not yet written to it is not in a copy of
it, just as with a pulled plug; and a copy is made in one moment, for it lies on XFS, which only
notes that two files share their blocks.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.rig.guest import GuestGoneError

TOOLS = {"systemd-nspawn": "systemd-container", "mkfs.xfs": "xfsprogs"}
STICK = "/media/stick"
PLACE = ("/usr/sbin", "/usr/bin", "/sbin", "/bin")


@contextmanager
def store(folder: Path) -> Iterator[Path]:
    """A folder on XFS."""
    file, place = folder / "store", folder / "disks"
    subprocess.run(["truncate", "-s", "40G", file], check=True)
    subprocess.run(["mkfs.xfs", "-q", "-m", "reflink=1", file], check=True)
    place.mkdir()
    subprocess.run(["mount", "-o", "loop", file, place], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


def make_disk(debian: Path, disk: Path) -> None:
    """A disk with a Debian of `make chroots` on it."""
    subprocess.run(["truncate", "-s", "1500M", disk], check=True)
    words = ["mke2fs", "-q", "-t", "ext4", "-E", "root_owner=0:0", "-d", str(debian)]
    subprocess.run([*words, str(disk)], check=True)


class Container:
    """One run of it, from power on to power off; the disk outlives it."""

    def __init__(self, disk: Path, stick: Path) -> None:
        self.disk = disk
        self._root = Path(tempfile.mkdtemp(prefix="rig-"))
        self._log = (self._root.parent / f"{self._root.name}.log").open("w+b")
        subprocess.run(["mount", "-o", "loop", disk, self._root], check=True)
        words = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network"]
        words += [f"--bind-ro={stick}:{STICK}", "--directory", str(self._root)]
        self._process = subprocess.Popen(
            [*words, "/lib/systemd/systemd"],
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )
        self._first = ""
        try:
            self._wait_for_systemd()
        except BaseException:
            self.pull_plug()
            raise

    def _wait_for_systemd(self) -> None:
        """The container's first process is a child of nspawn's, which has others before it."""
        up = ("running", "degraded")
        while self._inside("systemctl is-system-running --wait").stdout.strip() not in up:
            if self._process.poll() is not None:
                raise GuestGoneError(self.last_words())
            time.sleep(0.2)
            words = ["pgrep", "--parent", str(self._process.pid), "--exact", "systemd"]
            found = subprocess.run(words, capture_output=True, text=True, check=False)
            self._first = found.stdout.strip()

    def _inside(self, command: str) -> subprocess.CompletedProcess[str]:
        clean = ["env", "-i", f"PATH={':'.join(PLACE)}", "HOME=/root", "LANG=C.UTF-8"]
        enter = [
            "nsenter",
            "--target",
            self._first or "none",
            "--all",
            *clean,
            "bash",
            "-c",
            command,
        ]
        return subprocess.run(
            enter, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )

    def run(self, command: str) -> str:
        """Run a shell command as root; raises GuestGoneError if it fails."""
        done = self._inside(command)
        if done.returncode != 0:
            raise GuestGoneError(f"{command!r} failed in the container:\n{done.stdout}")
        return done.stdout

    def run_with_stick(self, command: str) -> str:
        """Run a command in which `{stick}` is where the stick is."""
        return self.run(command.replace("{stick}", STICK))

    def last_words(self) -> str:
        """What it said at last."""
        self._log.seek(0)
        return f"the container is gone:\n{self._log.read().decode(errors='replace')[-3000:]}"

    def copy_disk(self, target: Path) -> None:
        """The disk as it would be found, were the plug pulled in this moment; all goes on."""
        subprocess.run(["cp", "--reflink=always", self.disk, target], check=True)

    def pull_plug(self) -> None:
        """End it at once; may be called twice."""
        with suppress(ProcessLookupError):
            os.kill(self._process.pid if not self._first else int(self._first), signal.SIGKILL)
        self._process.wait()
        self._log.close()
        Path(self._log.name).unlink(missing_ok=True)
        if self._root.exists():
            subprocess.run(["umount", self._root], check=True)
            shutil.rmtree(self._root)

"""A "Pi" under QEMU: emulated without KVM, with a Pi's model in its device tree."""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

MEMORY = "512"
MACHINE = ("qemu-system-aarch64", "-M", "virt,gic-version=3,highmem=off", "-cpu", "cortex-a53")
SIZE = ("-smp", "2", "-m", MEMORY, "-nodefaults", "-display", "none")
REVISION, MODEL = "a020d3", "Raspberry Pi 3 Model B Plus Rev 1.3"
KERNEL_OPTIONS = (
    "console=hvc0 panic=-1 quiet mitigations=off nokaslr audit=0 random.trust_cpu=on "
    "systemd.show_status=false loglevel=4"
)
PATIENCE = 1800.0  # seconds; reached only when something is broken


class GuestGoneError(Exception):
    """The guest ended or cannot be spoken to."""


class Guest:
    """One run of the machine, from power on to power off; the disk outlives it.

    Sockets: `agent` (commands), `uart` (the header's serial line, /dev/ttyAMA0), `usb` (an FTDI
    adapter, /dev/ttyUSB0), and three free USB ports: `oled`, `die` and `board`. A USB stick, if one
    is given, is in from the start.
    """

    def __init__(self, image: Path, disk: Path, usb_stick: Path | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="rig-"))
        self.disk, self._usb_stick = disk, usb_stick
        self._log = (self.folder / "qemu.log").open("wb")
        self._process = subprocess.Popen(
            self._command(image),
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )
        try:
            self._wire = self.connect("agent")
            self._wire.settimeout(PATIENCE)
            self._lines = self._wire.makefile("rb")
            self._answer()  # ready
        except BaseException:
            self.pull_plug()
            raise

    def _command(self, image: Path) -> list[str]:
        return [
            *MACHINE,
            *SIZE,
            *("-accel", "tcg,thread=multi,tb-size=256", "-no-reboot"),
            *("-kernel", str(image / "kernel"), "-initrd", str(image / "initrd")),
            *("-append", KERNEL_OPTIONS, "-dtb", str(self._device_tree())),
            # What the guest holds in its memory and has not flushed is lost with the plug.
            *("-drive", f"file={self.disk},if=none,id=disk,format=raw,cache=writeback"),
            *("-device", "virtio-blk-pci,drive=disk"),
            *self._packages(image / "stick"),
            *("-device", "virtio-rng-pci"),
            *("-device", "virtio-serial-pci", "-device", "qemu-xhci,id=xhci"),
            *self._socket("agent"),
            *("-device", "virtserialport,chardev=agent,name=rig.agent"),
            *self._socket("uart"),
            *("-serial", "chardev:uart"),
            *self._socket("usb"),
            *("-device", "usb-serial,chardev=usb,bus=xhci.0"),
            *(word for name in ("oled", "die", "board") for word in self._usb_port(name)),
            *self._stick(),
            *("-chardev", f"file,id=console,path={self.folder}/console.log"),
            *("-device", "virtconsole,chardev=console"),
        ]

    def _socket(self, name: str) -> tuple[str, str]:
        return "-chardev", f"socket,id={name},path={self.folder}/{name}.sock,server=on,wait=off"

    def _usb_port(self, name: str) -> tuple[str, ...]:
        return *self._socket(name), "-device", f"usb-redir,chardev={name},bus=xhci.0"

    def _packages(self, stick: Path) -> tuple[str, ...]:
        """The disk with the packages that are tried, where they were built."""
        if not stick.exists():
            return ()
        drive = f"file={stick},if=none,id=stick,format=raw,read-only=on"
        return "-drive", drive, "-device", "virtio-blk-pci,drive=stick"

    def _stick(self) -> tuple[str, ...]:
        if self._usb_stick is None:
            return ()
        drive = f"file={self._usb_stick},if=none,id=usbstick,format=raw,read-only=on"
        return "-drive", drive, "-device", "usb-storage,drive=usbstick,bus=xhci.0,removable=on"

    def _device_tree(self) -> Path:
        """QEMU's own, with a Pi's revision and without a gpiochip, so that ours is the first."""
        path = self.folder / "pi.dtb"
        subprocess.run(
            [*MACHINE, "-machine", f"dumpdtb={path}", *SIZE], check=True, stderr=subprocess.DEVNULL
        )
        for change in (
            ("-r", str(path), "/gpio-keys"),
            ("-r", str(path), "/pl061@9030000"),
            ("-c", str(path), "/system"),
            ("-t", "x", str(path), "/system", "linux,revision", REVISION),
            ("-t", "s", str(path), "/", "model", MODEL),
        ):
            subprocess.run(["fdtput", *change], check=True)
        return path

    def connect(self, name: str) -> socket.socket:
        """The host's end of a line into the guest."""
        wire = socket.socket(socket.AF_UNIX)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                wire.connect(str(self.folder / f"{name}.sock"))
            except (FileNotFoundError, ConnectionRefusedError):
                if self._process.poll() is not None or time.monotonic() > end:
                    raise GuestGoneError(self.last_words()) from None
                time.sleep(0.02)
            else:
                return wire

    def run(self, command: str) -> str:
        """Run a shell command as root; raises GuestGoneError if it fails."""
        done = self.ask({"run": command})
        if done["code"] != 0:
            raise GuestGoneError(f"{command!r} failed in the guest:\n{done['output']}")
        return str(done["output"])

    def run_with_stick(self, command: str) -> str:
        """Run a command in which `{stick}` is where the USB stick is mounted for it."""
        place = "/run/stick"
        return self.run(
            f"mkdir -p {place} && until [ -e /dev/sda ]; do sleep 0.5; done && "
            f"mount -o ro /dev/sda {place} && {{ {command.replace('{stick}', place)}; }}; "
            f"code=$?; umount {place}; exit $code"
        )

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """One request to the agent, and its answer."""
        self._wire.sendall(json.dumps(request).encode() + b"\n")
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        line = self._lines.readline()
        if not line:
            raise GuestGoneError(self.last_words())
        found: dict[str, Any] = json.loads(line)
        return found

    def last_words(self) -> str:
        """What the console and QEMU said at last."""
        said = ""
        for name in ("console.log", "qemu.log"):
            path = self.folder / name
            said += path.read_text(errors="replace")[-3000:] if path.exists() else ""
        return f"the guest is gone:\n{said}"

    def wait_for_power_off(self) -> None:
        """The guest switches itself off."""
        self._process.wait(PATIENCE)
        self.pull_plug()

    def copy_disk(self, target: Path) -> None:
        """The disk as it would be found, were the plug pulled in this moment; the guest goes on."""
        os.kill(self._process.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, self._process.pid, os.WSTOPPED)
        try:
            subprocess.run(["cp", "--sparse=always", self.disk, target], check=True)
        finally:
            os.kill(self._process.pid, signal.SIGCONT)

    def pull_plug(self) -> None:
        """No power from one moment to the next; may be called twice."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

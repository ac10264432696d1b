"""Inside the guest: makes a gpiochip like a Pi's, then does what arrives on a virtio port.

Requests and answers are lines of JSON: `{"run": COMMAND}` answers with its output and exit code,
`{"pull": {"17": "down"}}` moves simulated pins as fingers on buttons would.
"""

import glob
import json
import os
import subprocess
import time

PORT = "rig.agent"
CHIP = "/sys/kernel/config/gpio-sim/pi"
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin", "HOME": "/root", "LANG": "C.UTF-8"}
LINES = 54  # as the BCM2837 has them; 28 are on the header


def write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def read(path: str) -> str:
    with open(path) as file:
        return file.read().strip()


def make_pins() -> None:
    """A kernel gpiochip whose label is that of a Pi; gpiozero and lgpio use it unmodified."""
    subprocess.run(["modprobe", "gpio-sim"], check=True)  # udev loads what is plugged in
    if not os.path.isdir("/sys/kernel/config/gpio-sim"):
        subprocess.run(["mount", "-t", "configfs", "none", "/sys/kernel/config"], check=True)
    if os.path.isdir(CHIP):
        return
    bank = f"{CHIP}/bank0"
    os.mkdir(CHIP)
    os.mkdir(bank)
    write(f"{bank}/num_lines", str(LINES))
    write(f"{bank}/label", "pinctrl-bcm2835")
    for number in range(28):
        os.mkdir(f"{bank}/line{number}")
        write(f"{bank}/line{number}/name", f"GPIO{number}")
    write(f"{CHIP}/live", "1")


def pin(number: str) -> str:
    """The folder of a simulated pin."""
    device, chip = read(f"{CHIP}/dev_name"), read(f"{CHIP}/bank0/chip_name")
    return f"/sys/devices/platform/{device}/{chip}/sim_gpio{number}"


def answer(request: dict) -> dict:  # type: ignore[type-arg]
    if "pull" in request:
        for number, way in request["pull"].items():
            write(f"{pin(number)}/pull", f"pull-{way}")
        return {"code": 0, "output": ""}
    done = subprocess.run(
        request["run"],
        shell=True,
        executable="/bin/bash",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=ENVIRONMENT,
    )
    return {"code": done.returncode, "output": done.stdout.decode(errors="replace")}


def port() -> str:
    """The device of the virtio port, once it is there."""
    while True:
        for name in glob.glob("/sys/class/virtio-ports/*/name"):
            if read(name) == PORT:
                return "/dev/" + name.split("/")[4]
        time.sleep(0.02)


def main() -> None:
    make_pins()
    with open(port(), "r+b", buffering=0) as wire:
        wire.write(b'{"ready": true}\n')
        held = b""
        while True:
            data = wire.read(65536)
            if not data:
                time.sleep(0.02)  # the host is not listening
                continue
            *lines, held = (held + data).split(b"\n")
            for line in lines:
                wire.write(json.dumps(answer(json.loads(line))).encode() + b"\n")


if __name__ == "__main__":
    main()

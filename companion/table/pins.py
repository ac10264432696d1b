"""The pin factory: which library moves the Pi's pins, and what to take when one does not work."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any, Literal

PinFactory = Literal["lgpio", "rpigpio", "mock"]

MODEL = Path("/proc/device-tree/model")
_NO_PI = ("this is not a Raspberry Pi, so there are no pins", "run it on a Pi, or with --simulated")


class PinError(Exception):
    """The pins cannot be used: `what` is wrong, and the `cure`; the message says both."""

    def __init__(self, what: str, cure: str) -> None:
        super().__init__(f"{what}: {cure}")
        self.what, self.cure = what, cure


def pi_model() -> str | None:
    """The name of this Raspberry Pi, or None on any other machine."""
    try:
        name = MODEL.read_bytes().rstrip(b"\0").decode()
    except OSError:
        return None
    return name if "Raspberry Pi" in name else None


def open_pins(choice: PinFactory, model: str | None = None) -> Any:
    """Open a gpiozero pin factory. Raises PinError, which says which one to take instead."""
    if choice == "mock":
        from gpiozero.pins.mock import MockFactory, MockPWMPin

        return MockFactory(pin_class=MockPWMPin)
    model = model or pi_model()
    return _open_lgpio(model) if choice == "lgpio" else _open_rpigpio(model)


def _open_lgpio(model: str | None) -> Any:
    from gpiozero.exc import PinUnknownPi

    try:
        module = _import_lgpio()
    except ImportError as fault:
        raise PinError(
            "pin_factory is lgpio, but lgpio is not installed",
            "`pip install lgpio` (Python below 3.13) or `apt install python3-lgpio`"
            + ("" if _is_pi_5(model) else '; on a Pi 4 or older pin_factory = "rpigpio" works too'),
        ) from fault
    try:
        return module.LGPIOFactory()
    except PinUnknownPi as fault:
        raise PinError(*_NO_PI) from fault
    except Exception as fault:  # lgpio.error comes straight from Exception
        raise PinError(
            f"lgpio cannot open the pins ({str(fault).strip(chr(39))})",
            "check that /dev/gpiochip0 exists and that the user is in the group gpio",
        ) from fault


def _import_lgpio() -> Any:
    """Import lgpio without the two things it does to the process on import.

    It makes a named pipe in LG_WD or the working directory (which may be read-only, or hold
    another user's pipe), and if LG_WD is set it changes the working directory to it.
    """
    here = Path.cwd()
    if "LG_WD" not in os.environ:
        private = tempfile.mkdtemp(prefix="companion-lgpio-")
        atexit.register(shutil.rmtree, private, ignore_errors=True)
        os.environ["LG_WD"] = private
    try:
        import gpiozero.pins.lgpio as module
    finally:
        os.chdir(here)
    return module


def _open_rpigpio(model: str | None) -> Any:
    if _is_pi_5(model) and not _drop_in_installed():
        raise PinError(
            f"RPi.GPIO does not work on a {model}",
            'set pin_factory = "lgpio" (or install rpi-lgpio in place of RPi.GPIO)',
        )
    try:
        from gpiozero.pins.rpigpio import RPiGPIOFactory

        return RPiGPIOFactory()
    except ImportError as fault:
        raise PinError(
            "pin_factory is rpigpio, but RPi.GPIO is not installed",
            '`pip install RPi.GPIO`, or set pin_factory = "lgpio"',
        ) from fault
    except Exception as fault:
        if model is None:
            raise PinError(*_NO_PI) from fault
        raise PinError(
            f"RPi.GPIO cannot open the pins ({fault})", 'set pin_factory = "lgpio"'
        ) from fault


def _is_pi_5(model: str | None) -> bool:
    """Whether this Pi has its pins on the RP1 chip, which RPi.GPIO does not know."""
    return any(name in (model or "") for name in ("Pi 5", "Pi Compute Module 5"))


def _drop_in_installed() -> bool:
    """Whether `RPi.GPIO` is really rpi-lgpio, which works on every Pi."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        distribution("rpi-lgpio")
    except PackageNotFoundError:
        return False
    return True

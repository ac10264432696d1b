"""The pin factory: a wrong choice says which to take; lgpio leaves the working directory alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.table import pins
from companion.table.pins import PinError, open_pins

PI_5 = "Raspberry Pi 5 Model B Rev 1.0"
PI_4 = "Raspberry Pi 4 Model B Rev 1.4"


def test_mock_pins_can_do_everything_the_devices_need() -> None:
    from gpiozero import PWMOutputDevice

    factory = open_pins("mock")
    with PWMOutputDevice(12, pin_factory=factory) as buzzer:
        buzzer.frequency = 440
        assert factory.pin(12).frequency == 440


def test_lgpio_off_a_pi_says_so() -> None:
    with pytest.raises(PinError, match=r"not a Raspberry Pi.*--simulated"):
        open_pins("lgpio")


def test_rpigpio_on_a_pi_5_names_lgpio() -> None:
    with pytest.raises(PinError, match=r'does not work on a Raspberry Pi 5.*"lgpio"'):
        open_pins("rpigpio", PI_5)


def test_the_drop_in_for_rpigpio_is_accepted_on_a_pi_5(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With rpi-lgpio installed the Pi 5 is no reason to refuse: the import is tried."""
    info = tmp_path / "rpi_lgpio-0.6.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: rpi-lgpio\nVersion: 0.6\n")
    package = tmp_path / "RPi"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "GPIO.py").write_text("raise RuntimeError('tried')")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("RPi", "RPi.GPIO", "gpiozero.pins.rpigpio"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(PinError, match=r"\(tried\)"):
        open_pins("rpigpio", PI_5)


def test_a_missing_rpigpio_says_how_to_get_it_or_what_to_take(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "RPi", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.rpigpio", raising=False)
    with pytest.raises(PinError, match=r'pip install RPi.GPIO.*pin_factory = "lgpio"'):
        open_pins("rpigpio", PI_4)


@pytest.mark.parametrize(("model", "offers"), [(PI_4, True), (PI_5, False)])
def test_a_missing_lgpio_offers_rpigpio_only_where_that_works(
    monkeypatch: pytest.MonkeyPatch, model: str, offers: bool
) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(PinError, match="apt install python3-lgpio") as caught:
        open_pins("lgpio", model)
    assert ('"rpigpio" works too' in str(caught.value)) is offers


def test_the_model_is_read_from_the_device_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = tmp_path / "model"
    monkeypatch.setattr(pins, "MODEL", tree)
    assert pins.pi_model() is None
    tree.write_bytes(b"Raspberry Pi Zero 2 W Rev 1.0\0")
    assert pins.pi_model() == "Raspberry Pi Zero 2 W Rev 1.0"
    tree.write_bytes(b"Some other board\0")
    assert pins.pi_model() is None


if sys.version_info < (3, 13):  # lgpio has no wheels from then on

    def test_importing_lgpio_neither_moves_the_process_nor_litters_its_directory(
        tmp_path: Path,
    ) -> None:
        """The real lgpio, in a process of its own, started in a directory it must not touch."""
        code = (
            "import os; from companion.table.pins import _import_lgpio; _import_lgpio();"
            "print(os.getcwd(), os.environ['LG_WD'])"
        )
        env = {name: value for name, value in os.environ.items() if name != "LG_WD"}
        env["PYTHONPATH"] = str(Path(__file__).parents[2])
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True
        )
        here, private = done.stdout.split()
        assert Path(here).resolve() == tmp_path.resolve()
        assert list(tmp_path.iterdir()) == []
        assert not Path(private).exists(), "its pipe is removed at the end"

"""The OLED: the bytes that luma's real classes send become the drawn picture on a model panel."""

import errno
from collections.abc import Iterator
from typing import Any, Literal

import pytest
import smbus2
from gpiozero.pins.mock import MockFactory
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw

from companion.table.oled import Chip, Oled, i2c_wire, pack, spi_wire, windows
from tests.table.panel import FakeBus, PanelModel


@pytest.fixture(params=["ssd1306", "sh1106"])
def chip(request: pytest.FixtureRequest) -> Chip:
    chip: Chip = request.param
    return chip


@pytest.fixture
def bus(chip: Chip, monkeypatch: pytest.MonkeyPatch) -> FakeBus:
    bus = FakeBus(PanelModel(chip))
    monkeypatch.setattr(smbus2, "SMBus", lambda port: bus)
    return bus


@pytest.fixture
def oled(bus: FakeBus, chip: Chip) -> Iterator[Oled]:
    oled = Oled(i2c_wire, chip)
    yield oled
    oled.close()


def picture(text: str = "17", at: tuple[int, int] = (40, 20)) -> Image.Image:
    image = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 127, 63), outline=1)
    draw.line((3, 5, 90, 60), fill=1)
    draw.text(at, text, fill=1)
    return image


def same(one: Image.Image, other: Image.Image) -> bool:
    return ImageChops.logical_xor(one, other).getbbox() is None


def test_the_bytes_on_the_wire_decode_to_the_drawn_picture(oled: Oled, bus: FakeBus) -> None:
    oled.show(picture())
    assert same(bus.panel.seen(), picture())


def test_noise_in_the_panels_memory_is_never_seen(oled: Oled, bus: FakeBus) -> None:
    bus.watch = True
    oled.show(picture())
    assert len(bus.seen) >= 5
    assert all(frame.getbbox() is None or same(frame, picture()) for frame in bus.seen)


def test_changing_one_digit_sends_few_bytes_and_the_same_picture_none(
    oled: Oled, bus: FakeBus
) -> None:
    oled.show(picture("17"))
    whole, bus.sent = bus.sent, 0
    oled.show(picture("17"))
    assert bus.sent == 0
    oled.show(picture("13"))
    assert same(bus.panel.seen(), picture("13"))
    assert 0 < bus.sent * 20 < whole


BOX = st.tuples(*(st.integers(0, n) for n in (127, 63, 30, 30, 1)))


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_any_change_arrives_whatever_was_shown_before(data: st.DataObject) -> None:
    chip: Chip = data.draw(st.sampled_from(["ssd1306", "sh1106"]))
    bus = FakeBus(PanelModel(chip))
    oled = Oled(lambda: i2c_wire(bus=bus), chip)
    image = Image.new("1", (128, 64))
    for _ in range(3):
        image = image.copy()
        for x, y, w, h, ink in data.draw(
            st.lists(
                st.tuples(*(st.integers(0, n) for n in (127, 63, 30, 30, 1))),
                min_size=1,
                max_size=6,
            )
        ):
            ImageDraw.Draw(image).rectangle((x, y, x + w, y + h), fill=ink)
        oled.show(image)
        assert same(bus.panel.seen(), image)
    oled.close()


def test_packing_is_byte_identical_to_lumas_own() -> None:
    class Recorder:
        frame = b""

        def command(self, *values: int) -> None: ...
        def cleanup(self) -> None: ...
        def data(self, values: list[int]) -> None:
            self.frame = bytes(values)

    from luma.oled.device import ssd1306

    image = Image.effect_noise((128, 64), 90).convert("1")
    recorder = Recorder()
    with pytest.warns(DeprecationWarning, match="getdata"):  # luma's display reads pixel by pixel
        ssd1306(recorder).display(image)
    assert b"".join(pack(image)) == recorder.frame


def test_contrast_sets_the_level_and_zero_switches_off(oled: Oled, bus: FakeBus) -> None:
    oled.show(picture())
    oled.contrast(9)
    assert (bus.panel.on, bus.panel.contrast) == (True, 9)
    oled.contrast(0)
    assert not bus.panel.on
    oled.contrast(200)
    assert (bus.panel.on, bus.panel.contrast) == (True, 200)
    assert same(bus.panel.seen(), picture())


def test_a_missing_panel_is_an_oserror_that_says_what_to_do(oled: Oled, bus: FakeBus) -> None:
    bus.plugged = False
    with pytest.raises(OSError, match=r"no OLED answers at 0x3C on I2C bus 1.*oled.address"):
        oled.show(picture())


def show_all(oled: Oled, pictures: list[Image.Image]) -> None:
    for image in pictures:
        oled.show(image)


@pytest.mark.parametrize("messages", range(6))
def test_after_a_replug_the_panel_is_set_up_again_and_shows_everything(
    oled: Oled, bus: FakeBus, messages: int
) -> None:
    """Wherever in a frame the plug is pulled, the next picture after plugging in is whole."""
    oled.show(picture("17"))
    oled.contrast(33)
    bus.fail_after = messages
    with pytest.raises(OSError, match="no OLED answers"):
        show_all(
            oled, [picture(text, at) for text in ("81", "64", "2") for at in ((20, 30), (60, 3))]
        )
    with pytest.raises(OSError, match="no OLED answers"):
        oled.show(picture("5"))
    bus.panel.power_on_reset()
    bus.fail_after, bus.plugged = None, True
    oled.show(picture("4"))
    assert same(bus.panel.seen(), picture("4"))
    assert bus.panel.contrast == 33


def test_renewing_a_panel_that_shines_is_not_seen(oled: Oled, bus: FakeBus) -> None:
    oled.show(picture())
    oled.contrast(33)
    bus.watch, bus.sent = True, 0
    oled.renew()
    assert bus.sent > 1024
    assert all(same(frame, picture()) for frame in bus.seen)
    assert bus.levels == {33}


@pytest.mark.parametrize("level", [None, 33, 0])
def test_renewing_a_panel_that_lost_its_power_shows_no_noise(
    oled: Oled, bus: FakeBus, level: int | None
) -> None:
    oled.show(picture())
    if level is not None:
        oled.contrast(level)
    bus.panel.power_on_reset()
    bus.watch = True
    oled.renew()
    assert all(frame.getbbox() is None or same(frame, picture()) for frame in bus.seen)
    assert bus.panel.on == (level != 0)
    assert level != 33 or bus.panel.contrast == 33


def test_an_interrupted_picture_is_sent_whole_the_next_time(oled: Oled, bus: FakeBus) -> None:
    """Whatever stops it half-way, what the panel holds is then unknown."""
    oled.show(picture("17"))
    take = bus.panel.data

    def interrupted(values: list[int]) -> None:
        take(values)
        raise KeyboardInterrupt

    bus.panel.data = interrupted  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        oled.show(picture("81"))
    bus.panel.data = take  # type: ignore[method-assign]
    oled.show(picture("17"))
    assert same(bus.panel.seen(), picture("17"))


def test_a_panel_that_appears_late_needs_no_new_display(oled: Oled, bus: FakeBus) -> None:
    bus.plugged = False
    for _ in range(3):
        with pytest.raises(OSError, match="no OLED"):
            oled.show(picture())
    bus.plugged = True
    oled.show(picture())
    assert same(bus.panel.seen(), picture())


def test_close_blanks_the_screen_and_frees_the_bus_once(oled: Oled, bus: FakeBus) -> None:
    oled.show(picture())
    oled.close()
    oled.close()
    assert (bus.panel.on, bus.closed) == (False, 1)
    assert all(not any(page[2:130]) for page in bus.panel.memory)


def test_a_bus_that_does_not_exist_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(port: int) -> None:
        raise FileNotFoundError(errno.ENOENT, "No such file", f"/dev/i2c-{port}")

    monkeypatch.setattr(smbus2, "SMBus", missing)
    with pytest.raises(OSError, match=r"no I2C bus 7 .*raspi-config"):
        Oled(lambda: i2c_wire(7)).show(picture())


def test_a_picture_of_another_size_or_mode_is_refused(oled: Oled) -> None:
    for wrong in (Image.new("1", (64, 128)), Image.new("L", (128, 64))):
        with pytest.raises(ValueError, match="128x64 pictures"):
            oled.show(wrong)


class FakeSpi:
    """spidev's few calls: bytes go to the model as commands or data, as the D/C pin says."""

    max_speed_hz = 0

    def __init__(self, panel: PanelModel, dc: Any) -> None:
        self.panel, self.dc = panel, dc
        self.opened: list[tuple[int, int]] = []

    def open(self, port: int, device: int) -> None:
        self.opened.append((port, device))

    def writebytes(self, values: list[int]) -> None:
        (self.panel.data if self.dc.state else self.panel.commands)(list(values))

    def close(self) -> None: ...


@pytest.mark.parametrize("chip", ["ssd1306", "sh1106"])
def test_spi_drives_the_data_and_reset_pins(chip: Literal["ssd1306", "sh1106"]) -> None:
    pins = MockFactory()
    spi = FakeSpi(PanelModel(chip), pins.pin(24))
    oled = Oled(lambda: spi_wire(pins, 0, 1, dc=24, reset=25, spi=spi), chip)
    oled.show(picture())
    assert same(spi.panel.seen(), picture())
    assert [state.state for state in pins.pin(25).states][-2:] == [False, True]  # reset pulse
    oled.show(picture("99"))
    assert same(spi.panel.seen(), picture("99"))
    oled.close()
    assert pins.pin(24).function == "input"
    assert spi.opened == [(0, 1)]


def test_windows_join_pages_only_where_that_is_cheaper() -> None:
    old = [bytes(128)] * 8
    digit = [bytes(40) + b"\xff" * 6 + bytes(82)] * 2 + [bytes(128)] * 6
    assert windows(digit, old, 10, tall=True) == [(0, 1, 40, 45)]
    assert windows(digit, old, 10, tall=False) == [(0, 0, 40, 45), (1, 1, 40, 45)]
    corners = [b"\xff" + bytes(127), bytes(127) + b"\xff"] + [bytes(128)] * 6
    assert windows(corners, old, 10, tall=True) == [(0, 0, 0, 0), (1, 1, 127, 127)]
    apart = [b"\xff" + bytes(127), bytes(128), b"\xff" + bytes(127)] + [bytes(128)] * 5
    assert windows(apart, old, 10, tall=True) == [(0, 2, 0, 0)]

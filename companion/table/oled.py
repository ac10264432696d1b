"""The OLED: luma.oled's ssd1306 or sh1106, packing a picture fast and sending only what changed.

luma builds the device and knows each chip's set-up commands; only its `display` is replaced,
because it loops over every pixel and sends the whole screen each time. The set-up commands
are kept, so that a panel that was unplugged and plugged in again is set up again.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, NamedTuple, Protocol

from PIL import Image, ImageChops

WIDTH, HEIGHT, PAGES = 128, 64, 8
DISPLAY_OFF, DISPLAY_ON = 0xAE, 0xAF
SET_CONTRAST = 0x81

Chip = Literal["ssd1306", "sh1106"]

# What one more window costs on the wire, in bytes: address and control byte of a command
# message and of a data message, and the commands themselves.
_SSD1306_WINDOW = 2 + 6 + 2
_SH1106_WINDOW = 2 + 3 + 2


class ScreenError(OSError):
    """The screen cannot be used: `what` is wrong, and the `cure`; the message says both."""

    def __init__(self, what: str, cure: str, errno: int | None = None) -> None:
        super().__init__(f"{what}: {cure}")
        self.what, self.cure = what, cure
        self.errno = errno


class Wire(Protocol):
    """A way to the panel: one of luma's serial interfaces (`i2c`, `spi`)."""

    def command(self, *values: int) -> None: ...
    def data(self, values: Any) -> None: ...
    def cleanup(self) -> None: ...


def pack(image: Image.Image) -> list[bytes]:
    """A picture as the panel's pages: one byte a column, the top pixel of eight in bit 0.

    Turning it by a quarter makes each column one row of eight bytes, last page first.
    """
    pages = image.height // 8
    columns = image.transpose(Image.Transpose.ROTATE_270).tobytes()
    return [columns[pages - 1 - page :: pages] for page in range(pages)]


def changed_box(new: Image.Image, old: Image.Image) -> tuple[int, int, int, int] | None:
    """The box in which two pictures differ, grown to whole pages; None if they are the same."""
    box = ImageChops.logical_xor(new, old).getbbox()
    if box is None:
        return None
    left, top, right, bottom = box
    return left, top & ~7, right, (bottom + 7) & ~7


class Window(NamedTuple):
    """A rectangle to send: pages and columns, the ends included."""

    page: int
    last_page: int
    column: int
    last_column: int

    @property
    def size(self) -> int:
        return (self.last_page - self.page + 1) * (self.last_column - self.column + 1)

    def joined(self, other: "Window") -> "Window":
        return Window(
            min(self.page, other.page),
            max(self.last_page, other.last_page),
            min(self.column, other.column),
            max(self.last_column, other.last_column),
        )


def changed_runs(new: bytes, old: bytes, gap: int) -> Iterator[tuple[int, int]]:
    """The first and last column of each stretch that differs; short gaps are bridged."""
    if new == old:
        return
    differs = (int.from_bytes(new, "big") ^ int.from_bytes(old, "big")).to_bytes(len(new), "big")
    first = last = -1
    for column, bits in enumerate(differs):
        if not bits:
            continue
        if first < 0:
            first = column
        elif column - last > gap:
            yield first, last
            first = column
        last = column
    yield first, last


def windows(new: list[bytes], old: list[bytes], cost: int, tall: bool) -> list[Window]:
    """The rectangles to send, joined where one window is cheaper than two.

    `cost` is what a window costs besides its data; `tall` says whether it may span pages.
    """
    width = len(new[0])
    if len(new) * width <= cost and (tall or len(new) == 1):
        return [Window(0, len(new) - 1, 0, width - 1)]  # no second window could pay
    found: list[Window] = []
    for page in range(len(new)):
        for first, last in changed_runs(new[page], old[page], cost):
            window = Window(page, page, first, last)
            other = _joinable(found, window, cost) if tall else None
            if other is None:
                found.append(window)
            else:
                found[other] = found[other].joined(window)
    return found


def _joinable(found: list[Window], window: Window, cost: int) -> int | None:
    """Which window is cheaper to send together with this one than apart."""
    for index in range(len(found) - 1, -1, -1):
        if found[index].joined(window).size <= found[index].size + window.size + cost:
            return index
    return None


class _Relay:
    """The wire given to luma: keeps the set-up commands, and passes all on once it is open."""

    def __init__(self) -> None:
        self.setup: list[tuple[int, ...]] = []
        self.wire: Wire | None = None

    def command(self, *values: int) -> None:
        if self.wire is not None:
            self.wire.command(*values)
        elif values != (DISPLAY_ON,):  # that comes last, when there is a picture to show
            self.setup.append(values[1:] if values[0] == DISPLAY_OFF else values)

    def data(self, values: Any) -> None:
        if self.wire is not None:
            self.wire.data(values)

    def cleanup(self) -> None:
        wire, self.wire = self.wire, None
        if wire is not None:
            wire.cleanup()


def _panel(chip: Chip, relay: _Relay) -> Any:
    """A device of luma's class whose `display` sends only what changed."""
    from luma.oled import device

    base: Any = {"ssd1306": device.ssd1306, "sh1106": device.sh1106}[chip]

    tall = chip == "ssd1306"  # the SH1106 cannot be given a window of several pages
    cost = _SSD1306_WINDOW if tall else _SH1106_WINDOW

    class Panel(base):  # type: ignore[misc]  # luma has no types
        pages: list[bytes] | None = None  # what the panel holds; None while that is unknown
        picture: Image.Image

        def display(self, image: Image.Image) -> None:
            if relay.wire is None:
                return  # luma clears the screen while it records the set-up
            held, self.pages = self.pages, None  # unknown until everything has gone out
            if held is None:
                held = pack(image)
                for page in range(0, PAGES, PAGES if tall else 1):
                    whole = Window(page, PAGES - 1 if tall else page, 0, WIDTH - 1)
                    self._send(whole, held[page : whole.last_page + 1])
            else:
                box = changed_box(image, self.picture)
                if box is not None:
                    held = self._update(image, box, held)
            self.pages, self.picture = held, image

        def _update(
            self, image: Image.Image, box: tuple[int, int, int, int], held: list[bytes]
        ) -> list[bytes]:
            """Send what differs inside the box; returns what the panel holds then."""
            new = pack(image.crop(box))
            left, top, right, bottom = box
            first = top // 8
            old = [page[left:right] for page in held[first : bottom // 8]]
            for window in windows(new, old, cost, tall):
                page, last_page, column, last_column = window
                data = [run[column : last_column + 1] for run in new[page : last_page + 1]]
                self._send(
                    Window(first + page, first + last_page, left + column, left + last_column), data
                )
            after = held.copy()
            for page, run in enumerate(new, first):
                after[page] = held[page][:left] + run + held[page][right:]
            return after

        def _send(self, window: Window, data: list[bytes]) -> None:
            page, last_page, column, last_column = window
            if chip == "ssd1306":
                self.command(
                    *(self._const.COLUMNADDR, self._colstart + column),
                    *(self._colstart + last_column, self._const.PAGEADDR, page, last_page),
                )
            else:
                column += self._page_address_offset
                self.command(0xB0 | page, column & 0x0F, 0x10 | column >> 4)
            self.data(list(b"".join(data)))  # a list, because luma and spidev take lists

    return Panel(relay)


class Oled:
    """A `Display` on a real panel.

    `open_wire` opens luma's interface; it is called at the first picture and again at the
    first picture after a failure. Every failure of the wire is raised as OSError from `show`
    and `contrast`, with a sentence that says what to do; just call `show` again later: the
    panel is then set up from the beginning and gets the whole picture.
    """

    def __init__(self, open_wire: Callable[[], Wire], chip: Chip = "ssd1306") -> None:
        from luma.core.error import Error

        self._faults = (OSError, Error)
        self._open_wire = open_wire
        self._relay = _Relay()
        self._level: int | None = None
        self._image = Image.new("1", (WIDTH, HEIGHT))
        self._panel = _panel(chip, self._relay)
        self._closed = False

    def show(self, image: Image.Image) -> None:
        """Show a 128x64 one-bit picture; sends only what changed. Raises OSError."""
        if image.size != (WIDTH, HEIGHT) or image.mode != "1":
            raise ValueError(
                f"the OLED shows {WIDTH}x{HEIGHT} pictures of mode '1', "
                f"not {image.width}x{image.height} of mode {image.mode!r}"
            )
        self._image = image.copy()
        self._attempt(lambda: self._panel.display(self._image))

    def contrast(self, level: int) -> None:
        """Brightness from 0 to 255; 0 switches the panel off. Raises OSError."""
        if not 0 <= level <= 255:
            raise ValueError(f"the OLED's brightness goes from 0 to 255, not {level}")
        self._level = level
        self._attempt(self._apply_level)

    def renew(self) -> None:
        """Set the panel up again, without a flicker, and send the whole picture. Raises OSError.

        A panel that lost its power for a moment answers again but is dark: nothing tells us.
        """
        if self._relay.wire is None:
            self._attempt(lambda: None)  # opening does all of it
        else:
            self._attempt(self._set_up)

    def close(self) -> None:
        """Blank the screen and free the bus; may be called twice."""
        self._closed = True
        if self._relay.wire is not None:
            try:
                self._panel.cleanup()
            except Exception:
                self._drop()  # it is gone already: nothing left to blank

    def _attempt(self, action: Callable[[], None]) -> None:
        if self._closed:
            raise ValueError("the OLED is closed")
        try:
            if self._relay.wire is None:
                self._open()
            action()
        except self._faults as fault:
            self._drop()
            if isinstance(fault, OSError):
                raise
            raise OSError(str(fault)) from fault  # luma has its own kinds of error

    def _open(self) -> None:
        self._relay.wire = self._open_wire()
        self._panel.command(DISPLAY_OFF)
        self._set_up()

    def _set_up(self) -> None:
        """Set the panel up, give it the picture, and only then let it shine: no noise is seen.

        To one that is shining already nothing happens.
        """
        self._panel.pages = None
        for values in self._relay.setup:
            if self._level is None or values[0] != SET_CONTRAST:
                self._panel.command(*values)
        self._panel.display(self._image)
        self._apply_level()

    def _apply_level(self) -> None:
        if self._level == 0:
            self._panel.hide()
            return
        if self._level is not None:
            self._panel.contrast(self._level)
        self._panel.show()

    def _drop(self) -> None:
        self._panel.pages = None
        wire, self._relay.wire = self._relay.wire, None
        if wire is not None:
            try:
                wire.cleanup()
            except Exception:
                return  # the bus went away with the panel


def i2c_wire(port: int = 1, address: int = 0x3C, bus: Any = None) -> Wire:
    """Open an I2C bus; OSError says which bus or address and what to do. Raises OSError."""
    from luma.core.error import DeviceNotFoundError, DevicePermissionError
    from luma.core.interface.serial import i2c

    try:
        wire: Wire = _Spoken(i2c(bus=bus, port=port, address=address), port, address)
    except DeviceNotFoundError as fault:
        raise ScreenError(
            f"there is no I2C bus {port} (/dev/i2c-{port})",
            "switch I2C on with raspi-config, or set oled.port to the bus the OLED is on",
        ) from fault
    except DevicePermissionError as fault:
        raise ScreenError(
            f"/dev/i2c-{port} may not be opened",
            "add yourself to the group i2c (`sudo usermod -aG i2c $USER`) and log in again",
        ) from fault
    return wire


class _Spoken:
    """luma's I2C interface with failures in words: which address on which bus is silent."""

    def __init__(self, wire: Any, port: int, address: int) -> None:
        self._wire = wire
        self._where = f"0x{address:02X} on I2C bus {port}"

    def command(self, *values: int) -> None:
        self._say(lambda: self._wire.command(*values))

    def data(self, values: Any) -> None:
        self._say(lambda: self._wire.data(values))

    def cleanup(self) -> None:
        self._wire.cleanup()

    def _say(self, send: Callable[[], None]) -> None:
        from luma.core.error import Error

        try:
            send()
        except (OSError, Error) as fault:
            raise ScreenError(
                f"no OLED answers at {self._where} ({fault})",
                "check its wires (VCC pin 1, SDA pin 3, SCL pin 5, GND pin 6) and oled.address",
                getattr(fault, "errno", None),
            ) from fault


class _PinsForLuma:
    """The few RPi.GPIO calls that luma's SPI makes, on gpiozero pins of any factory."""

    OUT, LOW, HIGH = 0, 0, 1

    def __init__(self, factory: Any) -> None:
        self._factory = factory
        self._pins: dict[int, Any] = {}

    def setup(self, pin: int, _direction: int) -> None:
        from gpiozero import OutputDevice

        if pin not in self._pins:
            self._pins[pin] = OutputDevice(pin, pin_factory=self._factory)

    def output(self, pin: int, value: int) -> None:
        self._pins[pin].value = value

    def cleanup(self, pins: Iterable[int]) -> None:
        for pin in pins:
            if pin in self._pins:
                self._pins.pop(pin).close()


class _OwnPins:
    """luma's SPI interface that also gives its two pins back, which luma leaves to us."""

    def __init__(self, wire: Any, pins: _PinsForLuma, numbers: list[int]) -> None:
        self.command = wire.command
        self.data = wire.data
        self._wire, self._pins, self._numbers = wire, pins, numbers

    def cleanup(self) -> None:
        self._wire.cleanup()
        self._pins.cleanup(self._numbers)


def spi_wire(
    factory: Any, port: int = 0, device: int = 0, dc: int = 24, reset: int = 25, spi: Any = None
) -> Wire:
    """Open an SPI device with its data/command and reset pins. Raises OSError."""
    from luma.core.error import DeviceNotFoundError
    from luma.core.interface.serial import spi as luma_spi

    pins = _PinsForLuma(factory)
    try:
        wire = luma_spi(spi, pins, port, device, gpio_DC=dc, gpio_RST=reset)
    except ImportError as fault:
        pins.cleanup([dc, reset])
        raise ScreenError(
            "the OLED is on SPI, but spidev is missing", "`pip install spidev`"
        ) from fault
    except (DeviceNotFoundError, OSError) as fault:
        pins.cleanup([dc, reset])
        raise ScreenError(
            f"there is no SPI device {port}.{device} (/dev/spidev{port}.{device})",
            "switch SPI on with raspi-config, or set oled.port and oled.device to the one it is on",
        ) from fault
    return _OwnPins(wire, pins, [dc, reset])

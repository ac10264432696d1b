"""The configuration: examples load, every fault is named with its cure, the page is complete."""

import re
from pathlib import Path

import pytest

from companion import config
from companion.config import Config, ConfigError, load, parse, places
from companion.rules.boards import BOARDS

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "hardware" / "configs").glob("*.toml"))

BUTTONS = "[box]\nup = 5\ndown = 6\nok = 13\n"


def faults(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        parse(text, "table.toml")
    first, *rest = str(caught.value).split("\n")
    assert first.startswith("table.toml")
    return [line.strip() for line in rest] or [first]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_of_every_reference_build_loads_and_wires_every_place(path: Path) -> None:
    example = load(path)
    if example.sensing == "choose":
        assert example.matrix is None
        return
    assert places(example).keys() == BOARDS[example.board].by_name.keys()
    assert len(set(places(example).values())) == len(places(example))


def test_there_is_an_example_for_every_reference_build() -> None:
    builds = [load(path) for path in EXAMPLES]
    assert [(build.board, build.matrix and build.matrix.via) for build in builds] == [
        ("40", None),
        ("40", "gpio"),
        ("52", "serial"),
        ("68", "serial"),
        ("mat", "gpio"),
        ("mat", "gpio"),
    ]


def test_the_40_square_build_takes_every_pin_of_the_header_once() -> None:
    example = load(ROOT / "hardware/configs/build-a-40.toml")
    uses = [*config._pins_set(example), *config._pins_taken(example)]
    assert sorted(use.pin for use in uses) == list(range(2, 28))


def test_a_map_of_the_52_board_serves_its_mirror_image_by_spot() -> None:
    text = (ROOT / "hardware/configs/build-b-52.toml").read_text()
    plain = places(parse(text))
    mirrored = places(parse(text.replace('\nboard = "52"\n', '\nboard = "52-mirrored"\n', 1)))
    spots = {
        name: {(place.x, place.y): place.name for place in BOARDS[name].places}
        for name in ("52", "52-mirrored")
    }
    assert len(mirrored) == 104
    for spot, name in spots["52"].items():
        assert plain[name] == mirrored[spots["52-mirrored"][spot]]
    assert plain != mirrored


def test_a_map_of_another_board_is_refused() -> None:
    text = (ROOT / "hardware/configs/build-b-52.toml").read_text()
    assert faults(text.replace('board = "52"', 'board = "40"', 1)) == [
        "matrix.board: a map of board 52 cannot serve board 40"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bord = '40'", "bord: there is no such key; did you mean board?"),
        ("[box]\nupp = 5", "box.upp: there is no such key; did you mean up?"),
        ("[sounds]\nxyz = 5", "sounds.xyz: there is no such key; there are: enabled, volume"),
        ("sensing = 'presense'", "sensing: 'presense' is not one of presence, touch, choose"),
        ("[oled]\nrotation = 90", "oled.rotation: '90' is not one of 0, 180"),
        ("pin_factory = 'pigpio'", "pin_factory: 'pigpio' is not one of lgpio, rpigpio, mock"),
        (
            "matrix = {via='gpio', board='5'}",
            "matrix.board: '5' is not one of 40, 52, 52-mirrored, 68, 68-parchis, mat",
        ),
        ("[box]\nup = 'five'", "box.up: expected a whole number, got a text in quotes"),
        ("[box]\nhold_seconds = 9", "box.hold_seconds: expected a number <= 5.0"),
        ("box = 5", "box: expected a section, got a whole number"),
        ("[matrix]\nrows = [4]", "matrix: the key via is missing"),
        ("[serial]\nports = [1]", "serial.ports[0]: expected a text in quotes, got a whole number"),
        *(
            (f"[web]\npin = {pin}", "web.pin: expected 6 to 12 digits in quotes")
            for pin in (1234, "'12'", "'abcd'")
        ),
        (
            "[oled]\naddress = 0x78",
            "oled.address: expected a number from 0x08 to 0x77; "
            "a module's label 0x78 is 0x3C here, 0x7A is 0x3D",
        ),
        ("=", "table.toml is not TOML: Invalid statement (at line 1, column 1)"),
    ],
)
def test_a_wrong_key_or_value_is_named(text: str, expected: str) -> None:
    assert faults(text) == [expected]


def test_every_wrong_key_and_value_is_named_at_once() -> None:
    text = "bord = 1\nsensing = 'no'\n[box]\nup = 'a'\nok = 1.5\n[oled]\naddress = 1\n[matrix]\n"
    assert [line.partition(":")[0] for line in faults(text)] == [
        "bord",
        "sensing",
        "box.up",
        "box.ok",
        "matrix",
        "oled.address",
    ]


def test_a_file_saved_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_text(f"board = '68'\n{BUTTONS}", encoding="utf-8-sig")
    assert load(path).board == "68"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "[box]\nup = 5\ndown = 5\nok = 13",
            "GPIO 5 has 2 functions: box.up and box.down; give each its own pin",
        ),
        (
            f"{BUTTONS}good = 2\n[oled]\n",
            "GPIO 2 has 2 functions: the OLED's I2C bus (SDA) and box.good; give each its own pin",
        ),
        (
            f"{BUTTONS}good = 8\n[oled]\nbus = 'spi'\ndc = 24\nreset = 25",
            "GPIO 8 has 2 functions: the OLED's SPI bus and box.good; give each its own pin",
        ),
        *(
            (
                f"{BUTTONS}good = {pin}\n[oled]\nbus = 'spi'\nport = 1\n{more}dc = 24\nreset = 25",
                f"GPIO {pin} has 2 functions: the OLED's SPI bus and box.good; "
                "give each its own pin",
            )
            for pin, more in ((19, ""), (20, ""), (21, ""), (18, ""), (17, "device = 1\n"))
        ),
        *(
            (
                f"{BUTTONS}good = {pin}\n[oled]\nbus = 'spi'\nport = {port}\ndc = 22\nreset = 23",
                f"GPIO {pin} has 2 functions: the OLED's SPI bus and box.good; "
                "give each its own pin",
            )
            for port, pin in ((2, 3), (4, 7), (6, 20))
        ),
        *(
            (
                f"{BUTTONS}good = 14\n[serial]\nports = ['{ports}']",
                "GPIO 14 has 2 functions: the serial port (TX) and box.good; give each its own pin",
            )
            for ports in ("/dev/ttyAMA*", "/dev/tty[AS]*", "/dev/serial?")
        ),
        (
            f"{BUTTONS}good = 14\n[serial]\nports = ['/dev/ttyAMA0']",
            "GPIO 14 has 2 functions: the serial port (TX) and box.good; give each its own pin",
        ),
        (
            f"{BUTTONS}bad = 35",
            "box.bad: a Pi's header has no GPIO 35, only 2 to 27 "
            "(BCM numbers, not positions on the header)",
        ),
        (
            f"{BUTTONS}bad = 1",
            "box.bad: GPIO 1 is reserved for the ID chip of add-on boards; take 2 to 27",
        ),
        (
            f"{BUTTONS}[matrix]\nvia = 'gpio'\nrows = [3]\ncolumns = [4]",
            "matrix.rows[0]: GPIO 3 has a fixed pull-up and cannot be a row; take another pin",
        ),
    ],
)
def test_a_wrong_pin_is_named_with_its_function(text: str, expected: str) -> None:
    assert expected in faults(text)


def test_pins_of_a_bus_that_is_not_used_are_free() -> None:
    assert parse(f"{BUTTONS}buzzer = 2\ngood = 8\nbad = 14").box.buzzer == 2
    usb = "[serial]\nports = ['/dev/serial/by-id/*', '/dev/ttyACM*']"
    assert parse(f"{BUTTONS}good = 14\n{usb}").box.good == 14
    third = "[oled]\nbus = 'spi'\nport = 3\ndc = 24\nreset = 25"
    assert parse(f"{BUTTONS}good = 2\n{third}").box.good == 2  # nobody knows where bus 3 is
    spi = "[oled]\nbus = 'spi'\nport = 1\ndc = 24\nreset = 25"
    assert parse(f"{BUTTONS}good = 9\nbad = 17\n{spi}").box.good == 9


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[box]\nup = 5", "box: the buttons belong together, and down, ok has no pin"),
        ("", 'sensing = "choose" needs the box\'s buttons: set box.up, box.down and box.ok'),
        (
            f"{BUTTONS}[die]\nsource = 'gpio'",
            'die.source = "gpio" needs die.pin, the pin of the roll button',
        ),
        (
            f"{BUTTONS}[die]\nsource = 'hand'\npin = 7",
            'die.pin is for die.source = "gpio", but it is "hand"',
        ),
        (
            f"sensing = 'touch'\n{BUTTONS}",
            'sensing = "touch" needs a [matrix]; without sensors take "choose"',
        ),
        (f"{BUTTONS}[oled]\nbus = 'spi'\ndc = 24", 'oled.bus = "spi" needs oled.reset, a pin'),
        (f"{BUTTONS}[oled]\ndc = 24", 'oled.dc is for oled.bus = "spi", but it is "i2c"'),
        (
            f"{BUTTONS}[matrix]\nvia = 'serial'\nrows = [4]",
            'matrix.rows is for matrix.via = "gpio": a Pico has its own pins',
        ),
        (
            f"{BUTTONS}[matrix]\nvia = 'gpio'",
            'matrix.via = "gpio" needs matrix.rows and matrix.columns, lists of pins',
        ),
    ],
)
def test_keys_that_belong_together_are_asked_for(text: str, expected: str) -> None:
    assert faults(text) == [expected]


def mapped(lines: list[str]) -> str:
    return (
        f"board = 'mat'\nsensing = 'touch'\n{BUTTONS}"
        f"[matrix]\nvia = 'serial'\nmap = {lines}\n[die]\nsource = 'hand'\n"
    )


GOOD_MAP = [f"{letter}.1 {letter}.2 {letter}.3 {letter}.4" for letter in "RGYB"]


def test_a_map_may_have_holes_and_any_order() -> None:
    holey = ["- R.1 R.2 R.3 R.4", *(f"{line} -" for line in GOOD_MAP[:0:-1])]
    wired = places(parse(mapped(holey)))
    assert wired["R.1"] == (0, 1)
    assert wired["B.4"] == (1, 3)


def test_faults_of_the_map_name_place_and_cell() -> None:
    wrong = ["R.1 R.2 R.3 R.4", "G.1 G.2 R.3 G.4", "Y.1 Y.2 Y.3 Y.44", "B.1 B.2 B.3 B.4"]
    assert faults(mapped(wrong)) == [
        "matrix.map row 2, column 3: R.3 stands already at row 1, column 3",
        "matrix.map row 3, column 4: board mat has no place 'Y.44'; did you mean Y.4?",
        "matrix.map: without a sensor: G.3, Y.4; run `companion learn` to fill the map in",
    ]


def test_a_map_of_the_wrong_size_is_named() -> None:
    assert faults(mapped([*GOOD_MAP[:3], "B.1 B.2 B.3"]))[0] == (
        "matrix.map must have at most 8 lines, of the same number of names, at most 16"
    )
    gpio = mapped(GOOD_MAP).replace("'serial'", "'gpio'\nrows = [4, 7]\ncolumns = [8]", 1)
    assert faults(gpio)[0].startswith("matrix.map must have 2 lines of 1 names")


def test_an_unfinished_map_can_be_loaded_to_go_on_learning() -> None:
    text = mapped(["R.1 - - -", "- - - -"])
    with pytest.raises(ConfigError):
        parse(text)
    assert places(parse(text, complete=False)) == {"R.1": (0, 0)}


def test_a_missing_file_says_where_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"there is no .*copy one of hardware/configs/"):
        load(tmp_path / "companion.toml")
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path)


def test_every_key_is_documented_and_every_documented_key_exists() -> None:
    page = (ROOT / "docs/config.md").read_text()
    documented = re.findall(r"^\| `([a-z_.]+)` \|", page, re.MULTILINE)
    assert sorted(documented) == sorted(config.keys())


def test_the_documented_defaults_are_the_real_ones() -> None:
    page = (ROOT / "docs/config.md").read_text()
    defaults = Config()
    assert re.search(rf'^\| `sensing` .*\| `"{defaults.sensing}"` \|', page, re.MULTILINE)
    assert re.search(rf"^\| `sounds.volume` .*\| {defaults.sounds.volume} \|", page, re.MULTILINE)
    assert re.search(r"^\| `oled.address` .*\| 0x3C \|", page, re.MULTILINE)

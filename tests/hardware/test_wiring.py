"""Wiring, matrix tables, configurations and firmware agree; pins exist and are used once."""

import csv
import io
import itertools
import math
import re
from collections import Counter
from typing import Any

import pytest
import yaml
from gpiozero import pi_info
from gpiozero.pins.mock import MockFactory

from companion.bench.lesson import named
from companion.config import load
from companion.table import matrix as gpio_matrix
from companion.table.matrix import Matrix
from hardware import bom, first, fits, hookup, levels, making, power
from hardware.builds import BUILDS, PLATE, ROOT, Build, build, firmware_pins
from hardware.figures import cell
from hardware.overlay import spot
from hardware.pins import (
    PI_GROUND,
    PI_I2C,
    PI_ID,
    PI_PIN,
    PI_POWER,
    PI_UART,
    PICO_GROUND,
    PICO_PIN,
    PICO_POWER,
)
from hardware.shapes import Point, Poly, Rect, Text
from hardware.templates import columns, underside
from hardware.wiring import box, diagrams, main_diagrams, matrix_table

SOURCES = sorted((ROOT / "hardware" / "wiring").glob("*.yml"))
EACH = pytest.mark.parametrize("one", BUILDS, ids=lambda one: one.key)


def wires(name: str) -> tuple[str, list[tuple[int, str, str]]]:
    """The controller of a committed WireViz file, and its wires: pin, part, terminal."""
    data: dict[str, Any] = yaml.safe_load((ROOT / f"hardware/wiring/{name}.yml").read_text())
    controller = "PI" if "PI" in data["connectors"] else "PICO"
    found = []
    for near, _, far in data["connections"]:
        [(start, pins)], [(part, numbers)] = near.items(), far.items()
        if start == controller:
            labels = data["connectors"][part]["pinlabels"]
            found += [(pin, part, labels[n - 1]) for pin, n in zip(pins, numbers, strict=True)]
    assert sorted(pin for pin, _, _ in found) == data["connectors"][controller]["pins"]
    return controller, found


# Pins


@pytest.mark.parametrize("revision", ["902120", "a020d3", "c03112", "c04170"])
def test_the_header_is_that_of_a_real_pi(revision: str) -> None:
    """Zero 2 W, 3 B+, 4 B and 5, as gpiozero knows them."""
    header = pi_info(revision).headers["J8"]
    for bcm, pin in PI_PIN.items():
        assert header.pins[pin].name == f"GPIO{bcm}"
    for pin in PI_GROUND:
        assert header.pins[pin].name == "GND"
    for pin, name in PI_POWER.items():
        assert header.pins[pin].name == name
    assert len(PI_PIN) + len(PI_GROUND) + len(PI_POWER) == 40


def test_the_pico_has_forty_places_each_with_one_meaning() -> None:
    places = [*PICO_PIN.values(), *PICO_GROUND, *PICO_POWER]
    assert len(set(places)) == len(places)
    assert set(range(1, 41)) - set(places) == {30, 33, 35, 37}  # RUN, AGND, ADC_VREF, 3V3_EN
    assert sorted(PICO_PIN) == [*range(23), 26, 27, 28]


@EACH
def test_no_pin_of_a_table_is_used_twice_or_taken_from_a_bus(one: Build) -> None:
    on_the_pi: list[tuple[int, str, str]] = []
    for diagram in main_diagrams(one.key):
        controller, found = wires(diagram.name)
        pins = [pin for pin, _, _ in found]
        assert len(set(pins)) == len(pins), diagram.name
        known = {*PI_PIN.values(), *PI_GROUND, *PI_POWER} if controller == "PI" else {
            *PICO_PIN.values(), *PICO_GROUND, *PICO_POWER,
        }  # fmt: skip
        assert set(pins) <= known
        if controller == "PI":
            on_the_pi += found
    pins = [pin for pin, _, _ in on_the_pi]
    assert [pin for pin, count in Counter(pins).items() if count > 1] == []
    parts = {pin: (part, terminal) for pin, part, terminal in on_the_pi}
    assert not {PI_PIN[bcm] for bcm in PI_ID} & parts.keys()
    for bcm, line in PI_I2C.items():
        assert parts[PI_PIN[bcm]] == ("OLED", line)
    # The UART's pins are only taken where the configuration says to switch the console off.
    if {PI_PIN[bcm] for bcm in PI_UART} & parts.keys():
        assert not one.pico, "a Pi that does not read the matrix has other pins to spare"
        a = (ROOT / "hardware/configs/build-a-40.toml").read_text()
        guide = (ROOT / "docs/build/guide.md").read_text()
        assert "serial console" in re.sub(r"\n#\s*", " ", a)
        assert "serial console" in guide
        for what in ("do_serial_cons 1", "do_serial_hw 1", "do_spi 1", "do_onewire 1"):
            assert f"sudo raspi-config nonint {what}\n" in guide
        assert not one.config.serial.ports
    else:
        assert one.pico


def test_every_part_goes_to_ground_or_is_driven_and_no_pin_feeds_five_volts() -> None:
    for diagram in diagrams():
        controller, found = wires(diagram.name)
        fed = PI_POWER if controller == "PI" else PICO_POWER
        for pin, part, terminal in found:
            if pin in fed:
                assert (fed[pin], part, terminal) == ("3V3", "OLED", "VCC")


# Agreement


def test_there_is_a_source_for_every_diagram_and_no_other() -> None:
    assert [path.stem for path in SOURCES] == sorted(one.name for one in making.diagrams())


@EACH
def test_the_drawn_box_has_the_pins_of_its_configuration(one: Build) -> None:
    config = load(ROOT / "hardware" / "configs" / one.config_file)
    _, found = wires(main_diagrams(one.key)[0].name)
    signal = {part: pin for pin, part, _ in found if pin not in PI_GROUND}
    box = config.box
    wanted = {
        "UP": box.up, "DOWN": box.down, "OK": box.ok, "BUZZER": box.buzzer,
        "GOOD": box.good, "BAD": box.bad, "ROLL": config.die.pin,
    }  # fmt: skip
    drawn = {part: pin for part, pin in signal.items() if part != "OLED"}
    assert drawn == {part: PI_PIN[bcm] for part, bcm in wanted.items() if bcm is not None}
    grounded = [part for pin, part, _ in found if pin in PI_GROUND]
    assert sorted(grounded) == sorted([*drawn, "OLED"])


@EACH
def test_the_drawn_board_has_the_pins_that_are_scanned(one: Build) -> None:
    config = load(ROOT / "hardware" / "configs" / one.config_file)
    assert config.matrix is not None
    controller, found = wires(main_diagrams(one.key)[1].name)
    if config.matrix.via == "gpio":
        place, rows, columns = PI_PIN, config.matrix.rows, config.matrix.columns
    else:
        pins = firmware_pins("board")
        first = pins["FIRST_COLUMN"]
        place, rows = PICO_PIN, pins["ROWS"]
        columns = tuple(range(first, first + len(config.matrix.map[0].split())))
    assert controller == ("PI" if config.matrix.via == "gpio" else "PICO")
    wanted = [(place[pin], "ROWS", f"row {n}") for n, pin in enumerate(rows, 1)]
    wanted += [(place[pin], "COLUMNS", f"column {n}") for n, pin in enumerate(columns, 1)]
    assert sorted(found) == sorted(wanted)


def test_the_drawn_die_has_the_pins_of_its_firmware() -> None:
    _, found = wires("die")
    pins = firmware_pins("die")
    signal = [(pin, part) for pin, part, _ in found if pin not in PICO_GROUND]
    assert sorted(signal) == sorted([
        (PICO_PIN[pins["BUTTON"]], "BUTTON"),
        (PICO_PIN[pins["SHAKE"]], "SHAKE"),
        *((PICO_PIN[pin], "PIPS") for pin in pins["PIPS"]),
    ])  # fmt: skip
    order = [pin for pin, part, _ in found if part == "PIPS" and pin not in PICO_GROUND]
    assert order == [PICO_PIN[pin] for pin in pins["PIPS"]]


@EACH
def test_every_place_has_exactly_one_cell_and_the_table_names_its_pins(one: Build) -> None:
    page = (ROOT / f"docs/build/{one.stem}.md").read_text().partition("| place | row |")[2]
    lines = re.findall(r"^\| (\S+) \| (\d+) \| (\d+) \| (\S.*?) \| (\S.*?) \|$", page, re.M)
    table = {name: (int(row) - 1, int(column) - 1) for name, row, column, _, _ in lines}
    assert len(lines) == len(table) == len(one.board.places)
    assert table.keys() == one.board.by_name.keys()
    assert len(set(table.values())) == len(table)
    assert table == one.cells
    _, found = wires(main_diagrams(one.key)[1].name)
    pin_of = {terminal: pin for pin, _, terminal in found}
    for _, row, column, row_pin, column_pin in lines:
        assert row_pin.endswith(f"(pin {pin_of[f'row {row}']})")
        assert column_pin.endswith(f"(pin {pin_of[f'column {column}']})")
    assert [tuple(map(str, cell)) for cell in matrix_table(one)] == lines


def test_papers_and_commands_count_rows_and_columns_alike() -> None:
    """`learn` names a cell; the drawing, the table and the wiring side must mean the same wire."""
    one = build("a")
    place, (row, column) = "R.a", one.cells["R.a"]
    assert named((row, column)) == "row 6, column 2"
    [line] = [cell for cell in matrix_table(one) if cell.place == place]
    assert (line.row, line.column) == (6, 2)
    _, found = wires("build-a-board")
    pin_of = {terminal: pin for pin, _, terminal in found}
    assert pin_of["row 6"] == PI_PIN[one.row_pins[row]]
    assert pin_of["column 2"] == PI_PIN[one.column_pins[column]]
    shapes = (*underside("40").shapes, *columns("40").shapes)
    texts = [shape.text for shape in shapes if isinstance(shape, Text)]
    assert f"row 6: GPIO {one.row_pins[row]}, pin {pin_of['row 6']}" in texts
    assert f"column 2: GPIO {one.column_pins[column]}, pin {pin_of['column 2']}" in texts


# Which way round a diode goes


def test_both_readers_pull_rows_low_and_columns_up() -> None:
    """The cathode is at the row because current flows from a column into a row."""
    factory = MockFactory()
    matrix = Matrix(factory, (4, 5), (12, 13), settle=lambda: None)
    assert [factory.pin(n).pull for n in (12, 13)] == ["up", "up"]
    columns, during = factory.pin(12), []

    class Spy:
        @property
        def state(self) -> float:
            during.append([(factory.pin(n).function, factory.pin(n).state) for n in (4, 5)])
            return float(columns.state)

    matrix._columns = [Spy()]
    matrix.scan()
    assert during[0][0] == ("output", 0)
    assert during[0][1][0] == "input"
    assert during[1][0][0] == "input"
    assert during[1][1] == ("output", 0)
    matrix.close()
    main = (ROOT / "firmware" / "board" / "main.py").read_text()
    assert "Pin(number, Pin.OPEN_DRAIN, value=1) for number in ROWS" in main
    assert "Pin(FIRST_COLUMN + column, Pin.IN, Pin.PULL_UP)" in main


def test_every_paper_puts_the_ring_of_a_diode_at_the_row() -> None:
    for one in BUILDS:
        data = yaml.safe_load((ROOT / f"hardware/wiring/{one.stem}-board.yml").read_text())
        assert data["connectors"]["ROWS"]["notes"] == "the ringed end (cathode) of every diode"
        assert data["connectors"]["COLUMNS"]["notes"] == "one leg of every switch"
        assert "ring towards the row" in (ROOT / f"docs/build/{one.stem}.md").read_text()
    guide = re.sub(r"\s+", " ", (ROOT / "docs/build/guide.md").read_text())
    assert "ring towards the row" in guide
    assert "ring away from the switch" in guide
    assert "red probe on a column, black on a row" in guide
    shapes = cell().shapes
    [row] = [s for s in shapes if isinstance(s, Text) and s.text == "row (pulled low)"]
    [triangle] = [s for s in shapes if isinstance(s, Poly) and s.closed and len(s.points) == 3]
    (base, _), (tip, _) = Counter(y for _, y in triangle.points).most_common()
    assert base < tip < row.y, "the arrow of the symbol points down to the row"
    [ring] = [s for s in shapes if isinstance(s, Rect) and s.style.fill == "#1c1c1c"]
    [start] = [s for s in shapes if isinstance(s, Text) and s.text == "from the switch"]
    [end] = [s for s in shapes if isinstance(s, Text) and s.text == "to the row"]
    assert start.x < end.x
    assert abs(ring.x - end.x) < abs(ring.x - start.x)


@EACH
def test_a_closed_switch_reads_low_and_an_open_one_is_high_again_in_time(
    one: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert levels.low(one) < levels.LOW - 0.15
    page = (ROOT / "docs/build/electrics.md").read_text()
    [(least, most)] = re.findall(r"a closed switch reads ([\d.]+) to ([\d.]+) V", page)
    assert float(least) - 0.01 < levels.low(one) < float(most)
    slept: list[float] = []
    monkeypatch.setattr("companion.table.matrix.time.sleep", slept.append)
    gpio_matrix._settle()
    for waits in (slept[0] * 1e6, firmware_pins("board")["SETTLE"]):
        assert levels.rise(one) < waits / 2


# Build 0


def test_build_0_is_wired_as_its_configuration_says() -> None:
    found = {(part, terminal): pin for pin, part, terminal in wires("build-0")[1]}
    config = first.config(first.CONFIG)
    assert config.sensing == "choose"
    assert config.matrix is None
    wanted = {
        ("KEYS", "up"): config.box.up,
        ("KEYS", "down"): config.box.down,
        ("KEYS", "OK"): config.box.ok,
        ("KEYS", "roll"): config.die.pin,
        ("OLED", "SDA"): 2,
        ("OLED", "SCL"): 3,
    }
    for place, bcm in wanted.items():
        assert bcm is not None
        assert found.pop(place) == PI_PIN[bcm]
    assert found.pop(("OLED", "VCC")) == 1
    assert set(found) == {("OLED", "GND"), ("KEYS", "common")}
    assert set(found.values()) == first.grounds()


def test_the_card_keypad_takes_no_pin_of_build_0_and_has_its_keys() -> None:
    config, before = first.config(first.CARD_CONFIG), first.config(first.CONFIG)
    assert (config.box, config.die, config.oled) == (before.box, before.die, before.oled)
    assert config.sensing == "touch"
    assert config.matrix is not None
    taken = {pin for pin, _, _ in wires("build-0")[1]}
    added = [pin for pin, _, _ in wires("card-keypad")[1]]
    assert not taken & set(added)
    assert added == [PI_PIN[pin] for pin in (*config.matrix.rows, *config.matrix.columns)]
    uart = {PI_PIN[bcm] for bcm in PI_UART}
    assert not uart & {*taken, *added}, "the serial console may stay on"


def test_pictures_of_parts_lead_every_wire_to_its_pin_and_cross_none() -> None:
    for diagram in making.diagrams():
        for what, drawing in hookup.pictures(diagram):
            texts = [shape.text for shape in drawing.shapes if isinstance(shape, Text)]
            shown = [w for w in diagram.wires if what == "pins" or w.part in hookup._LOOKS]
            assert Counter(texts) >= Counter(str(wire.pin) for wire in shown)
            ways = [
                (shape.points[0], shape.points[-1])
                for shape in drawing.shapes
                if isinstance(shape, Poly) and not shape.closed and shape.style.width == 1.1
            ]
            assert len(ways) == len(shown)
            for a, b in itertools.combinations(ways, 2):
                assert not crossed(a, b), diagram.name


def test_the_board_s_pico_is_drawn_as_it_is_seen_under_the_plate() -> None:
    """From behind: who reads a picture from the front puts rows where columns go."""
    for diagram in making.diagrams():
        if diagram.controller != "PICO":
            continue
        seen = {pin: hookup.place(pin, False, diagram.behind)[0] for pin in (1, 40)}
        assert (seen[1] > seen[40]) == diagram.name.endswith("-board")
        words = [s.text for s in hookup.pins(diagram).shapes if isinstance(s, Text)]
        assert any("its back and its pins towards you" in text for text in words) == diagram.behind


def test_a_keypad_is_drawn_with_its_tail_below_as_the_stand_has_its_slot() -> None:
    for diagram in (first.table(), first.cards()):
        own = [wire for wire in diagram.wires if wire.part in ("KEYS", "MAT")]
        looks = hookup._LOOKS[own[0].part](own)
        keys = [shape.y for shape in looks.shapes if isinstance(shape, Text)]
        assert looks.down
        assert min(y for _, y in looks.ends.values()) > max(keys)


def crossed(a: tuple[Point, Point], b: tuple[Point, Point]) -> bool:
    """Whether two level or upright lines touch: so do the boxes round them."""
    return all(
        max(a[0][n], a[1][n]) >= min(b[0][n], b[1][n])
        and max(b[0][n], b[1][n]) >= min(a[0][n], a[1][n])
        for n in (0, 1)
    )


def test_every_light_and_the_buzzer_have_their_resistor_in_the_picture() -> None:
    drawing = hookup.parts(box(build("a")))
    texts = [shape.text for shape in drawing.shapes if isinstance(shape, Text)]
    assert texts.count("330 ohm") == 2
    assert texts.count("100 ohm") == 1


def test_the_mat_plugs_into_the_box_of_build_a() -> None:
    a, mat = build("a"), build("mat")
    assert mat.config.box == a.config.box
    assert mat.config.die == a.config.die
    assert mat.config.oled == a.config.oled
    assert mat.row_pins == a.row_pins[:4]
    assert mat.column_pins == a.column_pins[:4]
    assert mat.config.sensing == "touch"


# Parts


def listed(one: Build, option: str) -> dict[str, int]:
    """The parts of a committed list for one option."""
    text = (ROOT / f"hardware/bom/{one.stem}.csv").read_text()
    rows = csv.DictReader(io.StringIO(text))
    return {
        row["part"]: int(row["quantity"])
        for row in rows
        if row["option"] in ("all", option) and row["part"] != "TOTAL"
    }


@EACH
def test_the_list_has_a_switch_and_a_diode_for_every_place(one: Build) -> None:
    places = len(one.board.places)
    for option, switch in (("reed", "Reed switch"), ("touch", "Tact switch")):
        if option in one.options:
            parts = listed(one, option)
            assert parts["Diode 1N4148"] == places
            assert [n for part, n in parts.items() if part.startswith(switch)] == [places]


@EACH
def test_the_list_has_a_resistor_for_every_led(one: Build) -> None:
    parts = listed(one, one.options[0])
    leds = sum(count for part, count in parts.items() if part.startswith("LED"))
    assert parts.get("Resistor 330 ohm, 1/4 W", 0) == leds
    lit = 0
    for diagram in main_diagrams(one.key) if one.key != "mat" else ():
        controller, found = wires(diagram.name)
        ground = PI_GROUND if controller == "PI" else PICO_GROUND
        lit += sum(part in ("GOOD", "BAD", "PIPS") and pin not in ground for pin, part, _ in found)
    assert leds == lit


@EACH
def test_the_list_has_what_joins_the_ribbons_to_their_reader(one: Build) -> None:
    parts = listed(one, one.options[0])
    _, found = wires(main_diagrams(one.key)[1].name)
    if one.pico:
        assert parts["Socket strip 2.54 mm, 20 ways"] == 2
        sides = {
            part: {(pin - 1) // 20 for pin, to, _ in found if to == part} for _, part, _ in found
        }
        assert sides == {"COLUMNS": {0}, "ROWS": {1}}, "each strip goes onto one side of the Pico"
        assert parts["Raspberry Pi Pico H (header soldered)"] == 1
        assert parts["Raspberry Pi Pico, without header"] == 1
        return
    assert parts["Pin strip 2.54 mm, pins"] == len(found)
    if one.key != "mat":
        assert parts["Socket strip 2.54 mm, ways"] == len(found)
        _, box = wires(main_diagrams(one.key)[0].name)
        assert parts["Jumper wires, female to female, 20 cm"] == len(box) + len(found)


def scad(name: str) -> dict[str, float]:
    """The plain numbers at the top of an enclosure's source and of what it includes."""
    text = fits.scad(name).decode()
    return {key: float(n) for key, n in re.findall(r"^(\w+) = ([\d.]+);", text, re.M)}


@pytest.mark.parametrize("key", ["a", "b", "c"])
def test_screws_are_listed_and_end_before_their_holes_do(key: str) -> None:
    parts, box, die_ = listed(build(key), "reed"), scad("box"), scad("die")
    with_die = build(key).serial_die
    assert parts["Screw M2 x 4 mm"] == (12 if with_die else 4)
    assert box["oled_glass"] + box["wall"] / 2 >= 4 - 1.2, "through the screen's board"
    assert die_["pico_up"] >= 4 - 1.0, "through the Pico"
    assert parts["Screw M2.5 x 6 mm"] == 4
    assert box["pi_up"] + 0.1 >= 6 - 1.4, "through the Pi"
    assert parts["Screw M3 x 10 mm, pan head"] == 4
    assert 10 - box["wall"] < 14
    assert parts.get("Screw M3 x 10 mm, countersunk", 0) == (4 if with_die else 0)


@pytest.mark.parametrize("key", ["b", "c"])
def test_the_cradle_s_screws_hold_and_do_not_come_out_of_the_board(key: str) -> None:
    """Two of the cover's screws: with a flat cradle they ended 4.6 mm above the squares."""
    [(long, count)] = [
        (float(match[1]), count)
        for part, count in listed(build(key), "reed").items()
        if (match := re.match(r"Screw 3 x ([\d.]+) mm, brass", part)) and float(match[1]) < 20
    ]
    assert count == 8 + 2, "eight for the cover"
    in_the_wood = long - scad("tools")["ear"]
    assert 3.5 <= in_the_wood <= PLATE - 0.5


@EACH
def test_a_tact_switch_stands_a_little_above_the_plate(one: Build) -> None:
    [height] = [
        float(match[1])
        for part in listed(one, "touch")
        if (match := re.match(r"Tact switch .*, ([\d.]+) mm high", part))
    ]
    stem = height - bom.TACT_BODY
    assert 0.3 <= stem - PLATE <= 0.8, "travel is 0.25 mm, and a pawn must not rest on the wood"


@EACH
def test_the_totals_add_up(one: Build) -> None:
    rows = list(csv.DictReader(io.StringIO((ROOT / f"hardware/bom/{one.stem}.csv").read_text())))
    for option in one.options:
        lines = [row for row in rows if row["option"] in ("all", option) and row["part"] != "TOTAL"]
        total = sum(int(row["quantity"]) * float(row["price each (EUR)"]) for row in lines)
        [told] = [row for row in rows if row["part"] == "TOTAL" and row["option"] == option]
        assert float(told["sum (EUR)"]) == pytest.approx(total, abs=0.005)
        assert bom.cost(one, option) == pytest.approx(total, abs=0.005)


# Power and pawns


@EACH
def test_the_supply_and_every_pin_have_something_to_spare(one: Build) -> None:
    draws = power.draws(one)
    assert power.total(draws)[1] < power.SUPPLY / 2
    assert all(draw.pin <= power.PIN_LIMIT for draw in draws)
    assert 7 * power.led(power.RED) + 2 < power.PINS_LIMIT
    if one.pico:
        lit = power.total([*draws, power.lights(one)])[1]
        assert lit < power.SUPPLY


@pytest.mark.parametrize("key", ["a", "b", "c"])
def test_two_pawns_fit_on_a_square_and_every_pawn_beside_its_neighbour(key: str) -> None:
    one = build(key)
    [width] = [
        float(match[1])
        for part in listed(one, "reed")
        if (match := re.match(r"Wooden pawn, base ([\d.]+) mm", part))
    ]
    assert width == one.pawn
    assert 2 * width <= one.pitch
    spots = [spot(one, place) for place in one.board.places]
    assert min(math.dist(a, b) for a, b in itertools.combinations(spots, 2)) > width

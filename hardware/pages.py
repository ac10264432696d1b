"""The pages of the builds: parts, pins, matrix, power, files; written by `make hardware`."""

from collections.abc import Iterable, Iterator

from hardware import bom, hookup, levels, magnets, power
from hardware.builds import HOLES, OPTION_TITLES, Build, firmware_pins
from hardware.pins import pi_label, pico_label
from hardware.wiring import COLOUR_NAMES, Diagram, main_diagrams, matrix_table

SCREENS = ("0.96", "1.3", "2.42")
WRITTEN = "<!-- Written by `make hardware` from hardware/; change it there. -->"
OTHER_PRINT = {"52-mirrored": "mirrored one", "68-parchis": "one for parchís"}


def page(one: Build) -> str:
    """The page of one build."""
    return "\n".join(_lines(one)) + "\n"


def _lines(one: Build) -> Iterator[str]:
    yield WRITTEN
    yield f"# {one.name}: {one.title}"
    yield ""
    yield from _summary(one)
    yield from _step(one)
    yield from _parts(one)
    yield from _wiring(one)
    yield from _matrix(one)
    yield from _power(one)
    yield from _files(one)


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """A Markdown table."""
    names = list(head)
    yield "| " + " | ".join(names) + " |"
    yield "|" + "---|" * len(names)
    for row in rows:
        yield "| " + " | ".join(str(cell) for cell in row) + " |"
    yield ""


def _summary(one: Build) -> Iterator[str]:
    rows, columns = one.shape
    for name in one.boards:
        yield f"![Board {name}](pictures/board-{name}.svg)"
    yield ""
    reader = "a Pico under the board" if one.pico else "the Pi's own pins"
    yield (
        f"{len(one.board.places)} places, {one.pitch:g} mm from middle to middle, "
        f"{one.size:g} x {one.size:g} mm. A matrix of {rows} rows and {columns} columns, read by "
        f"{reader}. Configuration: [{one.config_file}](../../hardware/configs/{one.config_file})."
    )
    if one.key == "mat":
        yield ""
        yield (
            "The mat uses the box of [build A](build-a.md) and the plugs that carry its board: "
            "unplug the board, plug in the mat. New stacks lie outside the mat, each at its "
            "button; cards up to 44 mm wide lie side by side. Its sixteen buttons are read as "
            "`touch`: a press says on which stack a card was laid. On builds B and C a mat takes "
            "the place of the board on a Pico, on rows 1 to 4 and columns 1 to 4; the "
            "configuration says what to change."
        )
        yield from _mat_steps()
    if len(one.boards) > 1:
        yield ""
        yield (
            f"Both prints lie on the same holes. On the {OTHER_PRINT[one.boards[1]]} play goes "
            f'round the other way: lay it on the plate and write `board = "{one.boards[1]}"` in '
            "the configuration."
        )
    yield ""


STEPS = {
    "a": ("0", "a board that sees its pieces, lights, sounds and a box", "two weekends"),
    "b": ("A", "globes and stars, a second board print, a die with pips", "two to three weekends"),
    "c": ("B", "the long game of 68 squares", "three weekends"),
    "mat": ("A", "the card game on a mat of its own", "a weekend"),
}
"""For each build: the step before it on the ladder, what it adds, and how long it takes."""


def _step(one: Build) -> Iterator[str]:
    """What this step of the ladder adds, costs and takes."""
    before, adds, takes = STEPS[one.key]
    costs = sorted(bom.cost(one, option) for option in one.options)
    spread = " to ".join(dict.fromkeys(f"{cost:.0f}" for cost in costs))
    more = " more" if one.key == "mat" else ""
    yield (
        f"**Adds** to build {before}: {adds}. **Costs** {spread} euros{more}. "
        f"**Takes** {takes}, with a soldering iron."
    )
    if one.key == "a":
        yield (
            "Pi, card, supply and screen of [build 0](build-0.md) are used again; its keypad gives "
            "way to buttons in a box."
        )
    yield ""


def _parts(one: Build) -> Iterator[str]:
    yield "## Parts"
    yield ""
    yield from table(
        ("sensing", "drill", "all parts together"),
        (
            (
                OPTION_TITLES[option],
                f"{HOLES[option]:g} mm",
                f"about {bom.cost(one, option):.0f} euros",
            )
            for option in one.options
        ),
    )
    yield (
        "Typical prices of European hobby shops, with tax, without postage; they move. A line "
        f"that names a sensing is only for that one. As a file: "
        f"[{one.stem}.csv](../../hardware/bom/{one.stem}.csv)."
    )
    yield ""
    yield from table(
        ("part", "number", "each", "for", "only for", "instead"),
        (
            (
                line.part,
                line.quantity,
                f"{line.price:.2f}",
                line.use,
                "" if line.option == bom.ALL else line.option,
                line.alternatives,
            )
            for line in bom.lines(one)
        ),
    )
    yield (
        "Tools: soldering iron, side cutter, wire stripper, pliers, drill with 1.5 mm, 3.2 mm "
        "and the "
        "diameter above, "
        + ("" if one.key == "mat" else "a drill as wide as the magnet for wooden pawns, ")
        + "awl, fine saw, steel ruler, hot glue gun, multimeter, screwdrivers for M2 to M3; a 3D "
        "printer, or a shop that prints. Consumables are in the list: solder, heat-shrink, glue, "
        "tape."
    )
    yield ""


def _wiring(one: Build) -> Iterator[str]:
    yield "## Wiring"
    yield ""
    for diagram in main_diagrams(one.key):
        yield f"### {diagram.title}"
        yield ""
        for what, drawing in hookup.pictures(diagram):
            yield f"![{drawing.title}](pictures/{what}-{diagram.name}.svg)"
            yield ""
        yield from pins_table(diagram)


def pins_table(diagram: Diagram) -> Iterator[str]:
    """Every wire of a diagram by its pin."""
    label = pi_label if diagram.controller == "PI" else pico_label
    yield from table(
        ("pin", "is", "goes to", "wire"),
        (
            (wire.pin, label(wire.pin), f"{wire.part}: {wire.terminal}", COLOUR_NAMES[wire.colour])
            for wire in sorted(diagram.wires)
        ),
    )


def _matrix(one: Build) -> Iterator[str]:
    yield "## Matrix"
    yield ""
    yield (
        "Each place joins its column to its row through a switch and a diode, the diode's ring "
        "towards the row. Any other order works as well: `companion learn` asks."
    )
    yield ""
    yield f"![The wiring side, rows](pictures/underside-{one.boards[0]}.svg)"
    yield ""
    yield f"![The wiring side, columns](pictures/columns-{one.boards[0]}.svg)"
    yield ""
    yield (
        f"A closed switch pulls its column down to {levels.low(one):.2f} V at most (its diode, and "
        f"the row's pin), and {levels.LOW:g} V still count as low. When it opens, the column is "
        f"high again after {levels.rise(one):.0f} microseconds; the reader waits "
        f"{firmware_pins('board')['SETTLE']}. Calculated; [the electrics](electrics.md) tell more."
    )
    yield ""
    rows, columns = one.shape
    names = {cell: place for place, cell in one.cells.items()}
    yield from table(
        ("", *(f"c{column + 1}" for column in range(columns))),
        (
            (f"**r{row + 1}**", *(names.get((row, column), "-") for column in range(columns)))
            for row in range(rows)
        ),
    )
    yield from table(
        ("place", "row", "column", "row's pin", "column's pin"),
        (tuple(cell) for cell in matrix_table(one)),
    )


def _power(one: Build) -> Iterator[str]:
    yield "## Power"
    yield ""
    found = power.draws(one)
    typical, peak = power.total(found)
    rows: list[tuple[str, str, str, str]] = [
        (
            draw.what,
            f"{draw.typical:.1f}",
            f"{draw.peak:.1f}",
            f"{draw.pin:.1f}" if draw.pin else "",
        )
        for draw in found
    ]
    rows.append(("**together**", f"**{typical:.0f}**", f"**{peak:.0f}**", ""))
    yield from table(("mA", "ordinarily", "at most", "most from one pin"), rows)
    yield (
        f"The supply gives {power.SUPPLY:.0f} mA. No pin gives more than {power.PIN_LIMIT:g} mA. "
        "From data sheets, not measured."
    )
    if one.pico:
        lights = power.lights(one)
        yield (
            f"{lights.what}, fed from the Pico's VBUS (pin 40), would add {lights.typical:.0f} mA, "
            f"at most {lights.peak:.0f} mA. They want data of 3.5 V, the Pico gives 3.3 V: put a "
            "74AHCT125, fed with 5 V, between GP27 and the first light."
        )
    yield ""
    if one.key != "mat":
        yield from _magnets(one)


def _magnets(one: Build) -> Iterator[str]:
    which = magnets.magnet(one)
    least, most = magnets.CLOSES * magnets.WORST, magnets.SILENT * magnets.BEST
    alone = min(magnets.together(which, pawns) for pawns in magnets.alone(one))
    yield "## Magnets"
    yield ""
    yield (
        f"Discs of {which}, N35, **all with the same pole down**, over reeds of the class "
        f"{magnets.BEST:g}-{magnets.WORST:g} AT whose glass begins where the wood ends. "
        "Ampere-turns at the reed, calculated by [magnets.py](../../hardware/magnets.py); such "
        "figures may be off by a factor of two, so try a coupon before you drill all."
    )
    yield ""
    yield from table(
        ("ampere-turns", "calculated", "wanted"),
        (
            ("one pawn on the cross", f"{magnets.pull(which, 0.0):.0f}", ""),
            (
                "one pawn anywhere on its square, at worst",
                f"{alone:.1f}",
                f"{least:g} or more: {magnets.CLOSES:g} times the worst reed",
            ),
            ("two side by side, at worst", f"{magnets.beside(one):.1f}", f"{least:g} or more"),
            (
                "two side by side, **one magnet turned**",
                f"{magnets.beside(one, (1, -1)):.1f}",
                "not seen: so mark the poles",
            ),
            (
                "pawns on the next square, at most",
                f"{magnets.reaches(one):.1f}",
                f"{most:g} or less: half of the best reed",
            ),
            (
                "the eight nearest places all full, at an empty one",
                f"{magnets.crowd(one, 8):.1f}",
                f"less than {magnets.BEST:g}, the best reed",
            ),
            (
                "all fifteen other pawns round an empty place",
                f"{magnets.crowd(one, 15):.1f}",
                "does not happen in play",
            ),
        ),
    )
    yield (
        "Like poles push: two pawns on one square come to rest about "
        f"{magnets.apart(one):.0f} mm apart, middle to middle, if they have anti-slip feet "
        f"({magnets.FOOT:g} mm). Stronger magnets would push each other off the square."
    )
    yield ""


def _mat_steps() -> Iterator[str]:
    yield ""
    yield "## How to make it"
    yield ""
    yield from (
        "1. Build [the box of build A](build-a.md) first: steps 4 and 5 of the [guide](guide.md).",
        "2. Steps 1 to 3 of the guide with the mat's files, as `touch`: print, drill 4 mm, a tact "
        "switch and a diode under each of the sixteen places. **Check** as there.",
        "3. The mat's ribbons end in two plugs of four pins. They go into the first four ways of "
        "the box's sockets, row 1 and column 1 first; mark these ends with paint. Plugged in "
        "wrongly nothing breaks, and nothing answers.",
        "4. The box keeps one configuration; give it the mat's, and keep the board's aside:",
        "",
        "        sudo systemctl stop ludo-companion",
        "        cd /etc/ludo-companion",
        "        sudo cp companion.toml board.toml",
        "        sudo cp ~/ludo-companion/hardware/configs/card-mat.toml companion.toml",
        "",
        "5. **Check.** `companion doctor --watch`: press all sixteen, each answers under its own "
        "name. Then `sudo systemctl start ludo-companion`: the screen offers the card game.",
        "",
        "**If not.** Four in a row silent: the row's wire. One in every row: the column's wire. "
        "All silent: the plugs are swapped. More in [troubleshooting](troubleshooting.md).",
    )


def _files(one: Build) -> Iterator[str]:
    yield "## To print and cut"
    yield ""
    yield (
        "`make hardware` writes to `build/hardware/`. Each sheet is there for A4, A3, A2 (in one "
        "piece, for a copy shop), Letter and Tabloid, its fonts embedded."
    )
    yield ""
    name = one.boards[0]
    rows = [
        *((_both(f"board-{name}"), f"board {name} to play on") for name in one.boards),
        (_both(f"drill-{name}"), "drilling template"),
        (_both(f"underside-{name}"), "rows: to glue under the plate and solder by"),
        (_both(f"columns-{name}"), "columns: to have beside you"),
        (f"`boards/cover-{name}.svg`", "the cover under the wires"),
        *(
            (
                f"`boards/laser-{name}-{option}.svg`",
                f"for a laser cutter, {option}: red cuts, blue engraves",
            )
            for option in one.options
        ),
    ]
    if one.key != "mat":
        end = "" if one.serial_die else "-roll"
        lids = ", ".join(f"`enclosure/box-zero-lid-{oled}{end}.stl`" for oled in SCREENS)
        rows.append(("`enclosure/box-zero-body.stl`", "the box"))
        rows.append((lids, 'its lid, for a screen of 0.96", 1.3" or 2.42"'))
    if one.serial_die:
        rows.append(("`enclosure/die-shell.stl`, `enclosure/die-bottom.stl`", "the die"))
    yield from table(("file", "what"), rows)


def _both(stem: str) -> str:
    return f"`boards/{stem}-A4.pdf`, `boards/{stem}-A2.pdf` ..."

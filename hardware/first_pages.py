"""The pages of the first hour, of the card game on a keypad, and of the printed parts."""

from collections.abc import Iterator

from companion.rules.boards import BOARDS, Board
from hardware import first, solids
from hardware.bom import Line
from hardware.builds import build
from hardware.magnets import magnet
from hardware.pages import WRITTEN, pins_table, table
from hardware.solids import SHAPES


def _page(lines: Iterator[str]) -> str:
    return "\n".join([WRITTEN, *lines]) + "\n"


def _list(found: list[Line], stem: str) -> Iterator[str]:
    yield from table(
        ("part", "number", "each", "for", "instead"),
        (
            (line.part, line.quantity, f"{line.price:.2f}", line.use, line.alternatives)
            for line in found
        ),
    )
    yield (
        f"Together **{first.cost(found):.2f} euros**: typical prices of European hobby shops, with "
        f"tax, without postage. As a file: [{stem}.csv](../../hardware/bom/{stem}.csv)."
    )
    yield ""


def table_page() -> str:
    """Build 0."""
    return _page(_table_lines())


def _table_lines() -> Iterator[str]:
    diagram = first.table()
    yield "# Build 0: one hour, no solder"
    yield ""
    yield "![The stand with screen and keypad](pictures/stand.png)"
    yield ""
    yield (
        "A screen and four keys on a Pi, and any Ludo board from the attic. You roll with a key "
        "(or "
        "with your own die), the screen shows what may be played, you choose with the keys and "
        "move "
        "the pawn by hand. It knows whose turn it is and all the rules; it cannot see the board. "
        f"**About {first.cost(first.lines()):.0f} euros, one hour, no tools but a pair of "
        "scissors.** "
        "Pi, card, supply and screen are used again in the larger builds."
    )
    yield ""
    yield "## Parts"
    yield ""
    yield from _list(first.lines(), "build-0")
    yield (
        'Four at a table? Take the 1.3" screen: on the 0.96" one a line of text is 1.4 mm high. '
        "Buy screen and Pi **with their pins soldered** (the Pi is then called WH)."
    )
    yield ""
    yield "## 1. Write the card (20 minutes, mostly waiting)"
    yield ""
    yield from _card_steps()
    yield "## 2. Nine wires (10 minutes)"
    yield ""
    yield "**Unplug the Pi.** Then, one wire after the other:"
    yield ""
    yield f"![Pins](pictures/pins-{diagram.name}.svg)"
    yield ""
    yield f"![Parts](pictures/parts-{diagram.name}.svg)"
    yield ""
    yield from pins_table(diagram)
    yield (
        "- Lay the Pi as in the picture: pins towards you, card at the top. Pin 1 is at the top "
        "left, "
        "2 to its right, 3 below 1, and so on in pairs.\n"
        "- The screen: read what is printed at its pins and follow the words, not the order.\n"
        "- The keypad's ribbon ends in a socket of five; the male ends of the jumpers go in there. "
        "The common wire is at one end of the five: the one beside the key `1`, mostly. **Never "
        "push "
        "this socket straight onto the header**: pins 1, 2, 4 and 17 carry power."
    )
    yield ""
    yield "## 3. Install (20 minutes, mostly waiting)"
    yield ""
    yield from _install_steps()
    yield (
        "**Check.** The screen shows *Ludo companion*, whole to all four sides. The third key, OK, "
        "takes you on; the first two go up and down, and in a game the fourth rolls. In a terminal "
        "`companion doctor` and `companion doctor --watch` tell more."
    )
    yield ""
    yield from table(
        ("if not", "then"),
        (
            ("the screen stays dark", "VCC and GND swapped (is it warm? unplug), or SDA and SCL"),
            (
                "its edge is missing, or it is all snow",
                "the other chip: choose the other screen under *Set up*",
            ),
            ("two keys are swapped", "swap their jumpers at the header; makers differ"),
            ("one key answers, three do not", "the common wire is at the other end of the five"),
            ("no key answers", "the same; or the socket is turned round"),
        ),
    )
    yield (
        "Any board will do: choose the rules that are printed for it, with 40, 52 or 68 squares on "
        "the way round (count them)."
    )
    yield ""
    yield "## 4. The stand (10 minutes)"
    yield ""
    yield (
        "**Folded**, in ten minutes: print [stand-A4.pdf](sheets/stand-A4.pdf) (or "
        "[stand-Letter.pdf](sheets/stand-Letter.pdf)) at 100 % on stiff card. Cut the black lines, "
        "fold the red ones, all backwards so that the words stay outside, and tape the flap under "
        "the front's lower edge. Screen and Pi hold with tape: the screen behind its window, pins "
        "up; the Pi on the floor, pins towards the front, its sockets at the opening in the back."
    )
    yield ""
    yield (
        "**Printed**: `make hardware` writes `enclosure/stand-1.3.stl` and "
        "`enclosure/stand-0.96.stl` to `build/hardware/`. Print it standing on one end, as the "
        "file lies, without support. The screen goes behind its window, pins towards the ridge, "
        "with four M2 x 4 mm screws; the Pi onto its posts, pins towards the front, with M2.5 x "
        "6 mm."
    )
    yield ""
    yield "![The stand from behind: the plugs go in here](pictures/stand-back.png)"
    yield ""
    yield (
        "Pull the keypad's five jumpers off the header, push its socket through the slot from "
        "the front, plug them in again, peel the keypad and stick it below the window. The "
        "supply's plug goes in through the back. (A Pi 3, 4 or 5 is too large for the stand: it "
        "lies behind it.)"
    )
    yield ""
    yield "## 5. Play"
    yield ""
    yield (
        "Up and down choose, OK takes: language, rules, who plays. Then the fourth key rolls, the "
        "screen lists the moves, up and down walk through them, OK plays the one you make on the "
        "board. Hold OK for the menu: take back, a ruling of the house, switch off. "
        "[For players](../players.md) tells the rest."
    )
    yield ""
    yield (
        "Next step: [a keypad for the card game](card-keypad.md), or [a board that sees its "
        "pieces](README.md)."
    )


def _card_steps() -> Iterator[str]:
    yield (
        "As in the [first steps](../start.md#1-the-card): *Raspberry Pi OS (64-bit)*, the name "
        "`ludo`, a user and a password, your Wi-Fi. Put the card into the Pi and go on with the "
        "wires."
    )
    yield ""


def _install_steps() -> Iterator[str]:
    yield (
        "Connect screen, mouse and keyboard (a Zero needs adapters for its small sockets), plug "
        "the supply into the socket marked PWR, and go on with the [first steps]"
        "(../start.md#2-one-package): one package, one page, and there choose *Build 0*."
    )
    yield ""
    yield (
        "If you have none of these for the Pi, and know your way in a terminal: write the "
        "*Lite (64-bit)* system to the card and *enable SSH* in Imager's settings. Then, where the "
        "package lies on your computer (USER is the user you set):"
    )
    yield ""
    yield "    scp ludo-companion_*_arm64.deb USER@ludo.local:"
    yield "    ssh -L 8080:127.0.0.1:8080 USER@ludo.local"
    yield "    sudo apt install ./ludo-companion_*_arm64.deb"
    yield "    companion page"
    yield ""
    yield (
        "The last command prints an address: open it in the browser of your computer, while this "
        "terminal stays open, and choose *Build 0*."
    )
    yield ""


def cards_page() -> str:
    """The card game on a keypad."""
    return _page(_cards_lines())


def _cards_lines() -> Iterator[str]:
    diagram = first.cards()
    yield "# The card game on a keypad of sixteen keys"
    yield ""
    yield (
        "**Adds** the card game to [build 0](build-0.md). **Costs** "
        f"{first.cost(first.card_lines()):.2f}"
        " euros, **takes** fifteen minutes, no solder. A row of keys for each player, a key for "
        "each of "
        "the four stacks: press the key of the stack on which you lay a card. (A [mat to lay cards "
        "round](card-mat.md) is the larger thing.)"
    )
    yield ""
    yield from _list(first.card_lines(), "card-keypad")
    yield "## Eight more wires"
    yield ""
    yield f"![Pins](pictures/pins-{diagram.name}.svg)"
    yield ""
    yield f"![Parts](pictures/parts-{diagram.name}.svg)"
    yield ""
    yield from pins_table(diagram)
    yield (
        "Unplug first. The keypad's socket has eight ways: four rows, then four columns, counted "
        "with the keys towards you. Write the players' colours beside the rows with a felt pen. "
        "Then choose *The card game on a keypad* under *Set up* on the page; with *Build 0* there "
        "the board is back."
    )
    yield ""
    yield (
        "**Check.** *Test and map the board* on that page, or `companion doctor --watch` in a "
        "terminal with the service stopped: press all sixteen keys, each answers under its own "
        "name. Then the screen offers the card game."
    )
    yield ""
    yield (
        "**If not.** Everything answers, but under other names: map them again there, one key "
        "after another. Rows and columns swapped: turn the socket round. The keypad "
        "has "
        "no diodes: with three keys held at once a fourth may seem pressed; one at a time is right."
    )


def parts_page() -> str:
    """Pawns, jigs, cradle, coupon."""
    return _page(_parts_lines())


def _boards() -> dict[str, tuple[str, ...]]:
    """The colours of every board that pawns walk on."""
    return {name: board.colours for name, board in BOARDS.items() if isinstance(board, Board)}


def _parts_lines() -> Iterator[str]:
    yield "# Printed parts"
    yield ""
    yield (
        "All as they lie in the files, 0.2 mm layers, **no support**. `make hardware` writes "
        "them to "
        "`build/hardware/`, checks that every surface is closed and that no bridge is longer than "
        f"{solids.BRIDGE:g} mm, and notes sizes and weights in "
        "[solids.txt](../../hardware/enclosure/solids.txt)."
    )
    yield ""
    yield "## Pawns"
    yield ""
    yield "![The four shapes](pictures/pawns.png)"
    yield ""
    yield (
        "Their shapes are those of the pieces on the box's screen, so that fingers and eyes that "
        "see "
        "no colours tell them apart; a colour has the same shape on every board. Fill them whole "
        "(100 %): light pawns slide. Print four in each colour of your board:"
    )
    yield ""
    yield from table(
        ("shape", "colour", "on the boards"),
        (
            (shape, colour, ", ".join(name for name in _boards() if colour in _boards()[name]))
            for shape in SHAPES
            for colour in solids.colours_of(shape)
        ),
    )
    yield from table(
        ("file", "for", "magnet"),
        (
            (
                ", ".join(f"`enclosure/pawn-{one.pawn:g}-{shape}.stl`" for shape in SHAPES),
                f"{builds}, foot {one.pawn:g} mm",
                f"{magnet(one)}",
            )
            for builds, one in (("builds A and B", build("b")), ("build C", build("c")))
        ),
    )
    yield (
        "The magnet goes into the pocket from below, dot down, with a drop of two-part glue; "
        "then the "
        "anti-slip foot. Any two finished pawns held base to base push each other away."
    )
    yield ""
    yield "## Tools"
    yield ""
    yield "![Jigs, cradle, coupon](pictures/tools.png)"
    yield ""
    yield from table(
        ("file", "what it does"),
        (
            (
                "`enclosure/coupon.stl`",
                "three places, 24 and 20 mm apart, on legs: try reed, magnet and print on it "
                "before "
                "you drill a hundred",
            ),
            (
                "`enclosure/drilling-jig-24.stl`, `enclosure/drilling-jig-20.stl`",
                "five holes of 3.5 mm in a row (24 mm: builds A and B; 20 mm: C): a drill's shank "
                "through one of them into a finished hole, and the others are in place and upright",
            ),
            (
                "`enclosure/pawn-12-jig.stl`, `enclosure/pawn-10-jig.stl`",
                "a cap for the foot of a wooden pawn that leads the drill into its middle; the "
                "pocket "
                "with the ring keeps one magnet, dot up: every finished pawn must be pushed away "
                "by it",
            ),
            (
                "`enclosure/pico-cradle.stl`",
                "holds the board's Pico under the plate, chip down, pins towards you, USB outwards",
            ),
            ("`enclosure/box-screen-clips.stl`", 'four clips that hold a 2.42" screen'),
        ),
    )
    yield "## Stand, box and die"
    yield ""
    yield (
        "The stand is on the page of [build 0](build-0.md); the box and its lids on those of the "
        "[builds](README.md)."
    )

"""Orders: one place names and checks them, and one table says who may ask for what."""

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from companion import orders
from companion.daemon.setup import Setup
from companion.events import Asker, Command, Pressed
from companion.orders import ASKERS, PERMISSIONS, AnyOrder, NotAllowed, check_asker, command, order
from companion.referee import Ask, Referee, Report
from companion.rules import BadInput
from tests.scripts import Script

KINDS = get_args(AnyOrder)
STAND = """
position german yellow,red | yellow Y.B Y.B 5 15 | red R.B R.B R.B 25 | turn yellow
set
wait 1
"""


def test_every_order_has_its_line_in_the_table() -> None:
    assert [kind.__struct_config__.tag for kind in KINDS] == list(PERMISSIONS)


@pytest.mark.parametrize(
    "data",
    [
        {"do": "install_update", "digest": f"{'a' * 64}\n"},
        {"do": "open_page", "on": True, "pin": "471100\n"},
    ],
)
def test_a_line_ends_where_its_pattern_does(data: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(data, AnyOrder)


def test_every_order_is_carried_out_by_somebody() -> None:
    """By the referee, on the simulated table, or by who keeps rules or games, or sets up."""
    referee = Referee()._orders
    pieces = {orders.Press, orders.Lift, orders.Put, orders.Slide, orders.Touch}
    assert set(KINDS) - set(referee) == {
        *pieces,
        orders.Step,
        orders.Auto,
        orders.KeepRules,
        orders.DeleteRules,
        orders.DeleteGame,
        orders.Configure,
        orders.Join,
        orders.LookForUpdate,
        orders.InstallUpdate,
        orders.EarlierVersion,
    }
    setup = Setup(Path("unused.toml"), lambda: None)
    assert set(orders.SET_UP) == {*setup.changes, *setup.updates}


def test_the_docs_show_the_table() -> None:
    page = (Path(__file__).parents[1] / "docs" / "web.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|(.*)\|$", page, re.MULTILINE)
    found = {name: [cell.strip() for cell in cells.split("|")] for name, cells in rows}
    words = {"always": "yes", "own": "own", "never": "no"}
    wanted = {name: [words[when] for when in row.values()] for name, row in PERMISSIONS.items()}
    assert {name: found.get(name) for name in wanted} == wanted


@pytest.mark.parametrize(
    "made",
    [
        orders.NewGame("german", {"barriers": True}, ("yellow", "red"), {"red": "Ben"}),
        orders.Roll(4, "red"),
        orders.Set("speech", True),
        orders.TakeBack(),
    ],
)
def test_an_order_goes_to_plain_data_and_back(made: orders.Order) -> None:
    sent = command(made, "screen")
    assert order(sent.name, sent.args) == made
    assert sent.by == "screen"


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("fly", {}),
        ("new_game", {}),
        ("new_game", {"sheet": "x" * 41}),
        ("new_game", {"sheet": "german", "seats": ["a", "b", "c", "d", "e"]}),
        ("new_game", {"sheet": "german", "colour": "red"}),
        ("roll", {"face": 7}),
        ("roll", {"face": "4"}),
        ("sense_by", {"sensing": "smell"}),
        ("take_back", {"moves": 2}),
        ("take_back", {1: 2}),
    ],
)
def test_what_is_no_order_is_said_in_a_sentence(name: str, args: dict[Any, Any]) -> None:
    with pytest.raises(BadInput, match=f"command {name!r}"):
        order(name, args)


def test_only_a_yes_in_the_table_lets_somebody_ask() -> None:
    allowed = set()
    for name, row in PERMISSIONS.items():
        for by in row:
            try:
                check_asker(name, by, own=False)
                allowed.add((name, by))
            except NotAllowed:
                pass
    assert allowed == {
        (name, by) for name, row in PERMISSIONS.items() for by in row if row[by] == "always"
    }
    assert ("shut_down", "page") not in allowed
    assert {name for name, by in allowed if by == "player"} == {"call"}


@pytest.mark.parametrize(("colours", "face"), [(("yellow",), 4), (("red",), None), ((), None)])
def test_a_players_phone_rolls_for_its_own_colours_only(
    colours: tuple[str, ...], face: int | None
) -> None:
    script = Script().run(STAND)
    script.referee.feed(Command("roll", {"face": 4}, "player", colours), script.now + 1)
    assert script.view.face == face


@pytest.mark.parametrize(("colours", "back"), [(("yellow",), True), (("red",), False)])
def test_a_players_phone_takes_back_its_own_move_only(colours: tuple[str, ...], back: bool) -> None:
    script = Script().run(STAND + "roll 4\nlift 5\nput 9\nwait 1\nexpect turn red\n")
    script.referee.feed(Command("take_back", {}, "player", colours), script.now + 1)
    assert (script.view.position is not None and script.view.position.colour == "yellow") == back


@pytest.mark.parametrize("cover", ["menu", "pause"])
@pytest.mark.parametrize(
    ("name", "args"), [("take_back", {}), ("roll", {"face": 4}), ("advise", {}), ("go_on", {})]
)
def test_a_players_phone_waits_while_the_game_is_covered(
    name: str, args: dict[str, Any], cover: str
) -> None:
    script = Script().run(STAND + f"roll 4\nlift 5\nput 9\nwait 1\nexpect turn red\ndo {cover}\n")
    before = script.view
    colours = ("yellow", "red")
    effects = script.referee.feed(Command(name, args, "player", colours), script.now + 1)
    assert script.view == before
    assert any(isinstance(one, Report) and "has to wait" in one.text for one in effects)


@pytest.mark.parametrize(("colours", "back"), [(("yellow",), True), (("red",), False)])
def test_a_players_phone_takes_back_the_roll_it_entered_though_that_was_passed(
    colours: tuple[str, ...], back: bool
) -> None:
    script = Script(die="hand").run(
        "position german yellow,red | yellow Y.B Y.B Y.B Y.B | red R.B R.B R.B 25 | turn red\n"
        "set\nwait 1\nroll 4\nlift 25\nput 29\nwait 1\nroll 4\nexpect turn red\n"
    )
    script.referee.feed(Command("take_back", {}, "player", colours), script.now + 1)
    assert (script.view.position is not None and script.view.position.colour == "yellow") == back


@pytest.mark.parametrize("name", ["ruling", "end_game", "pause", "menu", "start"])
def test_a_players_phone_cannot_decide_for_all(name: str) -> None:
    script = Script().run(STAND)
    before = script.view
    colours = ("yellow", "red")
    effects = script.referee.feed(Command(name, {}, "player", colours), script.now + 1)
    assert script.view == before
    assert any(isinstance(one, Report) and "phone" in one.text for one in effects)


@pytest.mark.parametrize("by", ASKERS)
def test_only_the_box_and_its_screen_switch_it_off(by: Asker) -> None:
    effects = Referee().feed(Command("shut_down", {}, by), 1.0)
    assert (Ask("shut_down") in effects) == (by in ("box", "screen"))


def test_a_button_pressed_from_elsewhere_does_not_switch_it_off_either() -> None:
    for by, off in (("page", False), ("screen", True)):
        referee = Referee()
        referee.feed(Pressed("ok", held=True), 1.0)
        while referee.view.lines[referee.view.cursor].key != "shut_down":
            referee.feed(Pressed("down"), 2.0)
        assert (Ask("shut_down") in referee.feed(Pressed("ok", by=by), 3.0)) == off  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["new_game", "offer_game"])
def test_the_house_never_ends_a_game_that_is_played(name: str) -> None:
    script = Script().run(STAND)
    script.referee.feed(Command(name, {"sheet": "british"}, "staff"), script.now + 1)
    assert script.view.position is not None
    assert script.view.position.game.sheet.id == "german"


@pytest.mark.parametrize("by", ["page", "player"])
def test_only_the_house_speaks_for_the_house(by: Asker) -> None:
    referee = Referee()
    referee.feed(Command("house", {"text": "Free drinks"}, by), 1.0)
    assert referee.view.house.text == ""


def test_names_are_plain_whoever_asks() -> None:
    referee = Referee()
    names = {"yellow": "Ada\x1b[2J", "red": "\x07"}
    referee.feed(Command("new_game", {"sheet": "german", "names": names}), 1.0)
    assert referee.view.names == {"yellow": "Ada[2J"}

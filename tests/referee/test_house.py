"""A table in a house: a call for help, a line on the screen, and a game that is offered."""

from companion.events import Asker, Command, Pressed
from companion.referee import Referee, View
from companion.screens import labels


class Table:
    """A referee that is fed, and what it shows."""

    def __init__(self) -> None:
        self.referee = Referee(sensing="choose", die="hand")
        self.now = 0.0

    def order(self, name: str, **args: object) -> View:
        self.now += 1
        by: Asker = "staff" if name in ("house", "offer_game") else "box"
        self.referee.feed(Command(name, args, by), self.now)
        return self.referee.view

    def hold(self) -> View:
        self.now += 1
        self.referee.feed(Pressed("ok", held=True), self.now)
        return self.referee.view

    def press(self, *buttons: str) -> View:
        for button in buttons:
            self.now += 1
            self.referee.feed(Pressed(button), self.now)  # type: ignore[arg-type]
        return self.referee.view


def lines(view: View) -> list[str]:
    return [line.key for line in view.lines]


def test_without_a_house_there_is_nobody_to_call() -> None:
    table = Table()
    assert "call" not in lines(table.hold())
    assert table.order("call").notice is not None
    assert not table.referee.view.house.called


def test_a_call_is_in_the_menu_where_somebody_hears_it_and_ends_when_it_is_answered() -> None:
    table = Table()
    table.order("house", here=True)
    menu = table.hold()
    assert "call" in lines(menu)
    table.press(*["down"] * lines(menu).index("call"), "ok")
    view = table.referee.view
    assert (view.phase, view.house.called) == ("idle", True)
    assert "call" not in lines(table.hold())
    table.hold()
    view = table.order("house", coming=True)
    assert (view.house.called, view.house.coming) == (False, True)
    assert labels.house(view) == ["Somebody is coming."]


def test_a_line_of_the_house_has_no_control_characters_and_goes_again() -> None:
    table = Table()
    view = table.order("house", text="Last\x1b[2J orders\n\u202eplease" + "!" * 200)
    assert view.house.text.startswith("Last[2J orders please!!!")
    assert len(view.house.text) == 80
    assert labels.house(view) == [view.house.text]
    assert table.order("house", text="").house.text == ""


def test_a_game_is_begun_at_once_where_nobody_plays() -> None:
    assert Table().order("offer_game", sheet="german").phase == "setting"


def test_over_a_game_that_is_played_the_guests_are_asked_and_no_comes_first() -> None:
    table = Table()
    table.order("new_game", sheet="german", seats=["yellow", "red"])
    before = table.order("go_on")
    asked = table.order("offer_game", sheet="british")
    assert (asked.phase, asked.title, lines(asked)) == ("menu", "offer_game", ["back", "start"])
    assert asked.cursor == 0
    assert asked.position == before.position
    no = table.press("ok")
    assert (no.phase, no.position) == (before.phase, before.position)
    table.order("offer_game", sheet="british")
    yes = table.press("down", "ok")
    assert yes.phase == "setting"
    assert yes.position is not None
    assert yes.position.game.sheet.id == "british"

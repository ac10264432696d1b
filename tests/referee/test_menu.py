"""The menu with three buttons: everything is reached, nothing is a dead end."""

from typing import Any

import pytest

from companion.defaults import DEFAULTS, SETTINGS
from companion.events import Command, Event, Pressed, Reading, Snapshot
from companion.referee import Ask, Effect, Keep, Line, Referee, Sound, View
from companion.referee.settings import SENSING
from companion.rules import SHEETS, legal_moves

UP, DOWN, OK, HOLD = Pressed("up"), Pressed("down"), Pressed("ok"), Pressed("ok", held=True)


class Box:
    """A referee and its three buttons."""

    def __init__(self, sensing: str = "choose", **more: object) -> None:
        self.referee = Referee(sensing=sensing, die="hand", **more)  # type: ignore[arg-type]
        self.now = 0.0
        self.effects: list[Effect] = []

    def feed(self, *events: Event) -> list[Effect]:
        self.effects = []
        for event in events:
            self.now += 1.0
            self.effects += self.referee.feed(event, self.now)
        return self.effects

    @property
    def view(self) -> View:
        return self.referee.view

    @property
    def keys(self) -> list[str]:
        return [line.key for line in self.view.lines]

    def line(self, key: str) -> Line:
        return next(line for line in self.view.lines if line.key == key)

    def choose(self, *keys: str) -> list[Effect]:
        """Go down to a line and press OK, one key after another."""
        for key in keys:
            assert key in self.keys, f"{key} is not in {self.keys}"
            for _ in self.keys:
                if self.view.lines[self.view.cursor].key != key:
                    self.feed(DOWN)
            self.feed(OK)
        return self.effects

    def play(self, moves: int = 4) -> None:
        """A game of four, with some moves made: after four it is yellow's turn again."""
        self.feed(Command("new_game", {"sheet": "german"}), OK)
        for face in (6, 1, 1, 1):
            self.feed(Command("roll", {"face": face}))
        for _ in range(moves):
            self.feed(Command("roll", {"face": 4}), Command("move", {"move": self.first(4)}))
        assert self.view.phase == "roll"

    def first(self, face: int) -> str:
        """The first legal move with a roll, in words."""
        here = self.view.position
        assert here is not None
        return here.game.move_text(legal_moves(here, face)[0])


@pytest.mark.parametrize("phase", ["idle", "setting", "opening", "roll", "move", "over", "paused"])
def test_holding_ok_opens_the_menu_from_everywhere_and_closes_it_again(phase: str) -> None:
    box = Box()
    if phase == "setting":
        box.feed(Command("new_game", {"sheet": "german"}))
    elif phase == "opening":
        box.feed(Command("new_game", {"sheet": "german"}), OK)
    elif phase != "idle":
        box.play()
    if phase == "move":
        box.feed(Command("roll", {"face": 4}))
    elif phase in ("over", "paused"):
        box.feed(Command("end_game" if phase == "over" else "pause"))
    assert box.view.phase == phase
    box.feed(HOLD)
    assert (box.view.phase, box.view.title) == ("menu", "menu")
    box.feed(HOLD)
    assert box.view.phase == phase


def test_the_menu_of_a_paused_game_offers_to_go_on_and_not_to_pause() -> None:
    box = Box()
    box.play()
    box.feed(HOLD)
    assert "resume" not in box.keys
    where = box.keys.index("pause")
    box.choose("pause")
    assert box.view.phase == "paused"
    box.feed(HOLD)
    assert "pause" not in box.keys
    assert box.keys.index("resume") == where
    box.choose("resume")
    assert (box.view.phase, box.view.paused) == ("roll", False)


def test_holding_ok_on_an_illegal_move_offers_to_let_it_stand() -> None:
    box = Box("touch")
    box.play()
    box.feed(Command("roll", {"face": 4}))
    own = box.view.position
    assert own is not None
    box.feed(Reading("5", True), Reading("5", False))
    box.feed(Reading("14", True), Reading("14", False))
    assert box.view.phase == "illegal"
    box.feed(HOLD)
    box.choose("ruling")
    assert box.view.notice is not None
    assert box.view.notice.key == "ruled"


def test_between_games_everything_can_be_chosen_and_started() -> None:
    box = Box()
    box.feed(OK)
    assert box.keys[:2] == ["start", "sheet"]
    assert {"language", "settings", "shut_down", "back"} <= set(box.keys)
    for sheet in (*list(SHEETS)[1:], next(iter(SHEETS))):
        box.choose("sheet")
        assert box.line("sheet").value == sheet
        names = [f"option:{option.name}" for option in SHEETS[sheet].options]
        seats = [f"seat:{colour}" for colour in SHEETS[sheet].board.colours]
        assert box.keys[2 : 2 + len(names) + len(seats)] == names + seats
    box.choose("option:barriers", "seat:green", "start")
    assert box.view.phase == "setting"
    assert box.view.position is not None
    assert str(box.view.position.game) == "german+barriers yellow,red,black"


def test_the_number_of_pieces_is_chosen_on_the_dutch_sheet() -> None:
    box = Box(choice={"sheet": "dutch"})
    box.feed(OK)
    seen = []
    for _ in range(4):
        box.choose("option:pieces")
        seen.append(box.line("option:pieces").value)
    assert seen == ["1", "2", "3", "4"]


def test_a_choice_that_cannot_be_played_is_said_and_the_menu_stays() -> None:
    box = Box()
    box.feed(OK)
    box.choose("seat:green", "seat:red", "seat:black", "start")
    assert box.view.phase == "menu"
    assert box.view.notice is not None
    assert box.view.notice.key == "too_few_players"
    box.feed(DOWN)
    assert box.view.notice is None
    box.choose("seat:red", "start")
    assert box.view.phase == "setting"


@pytest.mark.parametrize("in_game", [False, True])
def test_every_setting_goes_round_all_its_values_and_is_kept(in_game: bool) -> None:
    box = Box()
    if in_game:
        box.play()
        box.feed(HOLD)
    else:
        box.feed(OK)
    box.choose("settings")
    assert box.view.title == "settings"
    assert set(box.keys) == {*SETTINGS, "sensing", "back"}
    for key, values in SETTINGS.items():
        for _ in values:
            effects = box.choose(key)
            assert any(isinstance(e, Keep) and e.record["kind"] == "settings" for e in effects)
        assert box.view.settings[key] == DEFAULTS[key]
    seen = set()
    for _ in SENSING:
        box.choose("sensing")
        seen.add(box.line("sensing").value)
    assert seen == set(SENSING)


def test_the_language_is_chosen_at_once_and_is_still_there_after_a_restart() -> None:
    box = Box()
    box.feed(OK)
    effects = box.choose("language")
    assert box.view.settings["language"] == "de"
    records = [effect.record for effect in effects if isinstance(effect, Keep)]
    again = Box()
    again.referee.resume(records, 0.0)
    assert again.view.settings["language"] == "de"


def test_back_leads_out_of_every_menu_to_the_line_one_came_from() -> None:
    box = Box()
    box.play()
    box.feed(HOLD)
    for inner in ("settings", "statistics", "new_game"):
        box.choose(inner)
        assert box.view.title == inner
        box.choose("back")
        assert box.view.title == "menu"
        assert box.view.lines[box.view.cursor].key == inner
    box.choose("back")
    assert box.view.phase == "roll"


def test_up_from_the_first_line_goes_to_the_last() -> None:
    box = Box()
    box.feed(OK, UP)
    assert box.view.cursor == len(box.view.lines) - 1
    box.feed(DOWN)
    assert box.view.cursor == 0


def test_a_new_game_can_be_begun_in_the_middle_of_one() -> None:
    box = Box()
    box.play()
    box.feed(HOLD)
    effects = box.choose("new_game", "sheet", "start")
    kinds = [effect.record["kind"] for effect in effects if isinstance(effect, Keep)]
    assert kinds == ["end", "start"]
    assert box.view.phase == "setting"


def test_take_back_end_and_shut_down_are_in_the_menu_of_a_game() -> None:
    box = Box()
    box.play()
    box.feed(HOLD)
    effects = box.choose("shut_down")
    assert Ask("shut_down") in effects
    box.choose("take_back")
    assert box.view.notice is not None
    assert box.view.notice.key == "taken_back"
    box.feed(HOLD)
    box.choose("end_game")
    assert box.view.phase == "over"


def test_statistics_count_the_rolls_of_every_colour() -> None:
    box = Box()
    box.play(moves=5)
    box.feed(Command("roll", {"face": 6}))
    box.feed(HOLD)
    box.choose("statistics")
    tallies = {tally.colour: tally for tally in box.view.tallies}
    assert list(tallies) == ["yellow", "green", "red", "black"]
    assert (tallies["yellow"].rolls, tallies["yellow"].total) == (2, 8)
    assert (tallies["green"].rolls, tallies["green"].total, tallies["green"].sixes) == (2, 10, 1)
    assert (tallies["red"].rolls, tallies["red"].sixes) == (1, 0)


def test_a_capture_counts_for_one_and_against_the_other() -> None:
    box = Box()
    text = "german yellow,green | yellow Y.B Y.B Y.B 5 | green G.B G.B G.B 9 | turn yellow"
    records: list[dict[str, Any]] = [
        {"kind": "start", "game": "german yellow,green", "names": {}},
        {"kind": "ruling", "position": text},
        {"kind": "roll", "face": 4, "number": None},
        {"kind": "move", "move": "yellow 4 5>9"},
    ]
    box.referee.resume(records, 0.0)
    box.feed(HOLD)
    box.choose("statistics")
    yellow, green = box.view.tallies
    assert (yellow.captures, yellow.lost) == (1, 0)
    assert (green.captures, green.lost) == (0, 1)


def test_statistics_are_only_reckoned_while_they_are_looked_at() -> None:
    box = Box()
    box.play()
    assert box.view.tallies == ()


def test_up_and_down_turn_the_pages_of_an_illegal_move() -> None:
    box = Box("touch")
    box.play()
    box.feed(Command("roll", {"face": 4}))
    box.feed(Reading("5", True), Reading("5", False))
    box.feed(Reading("14", True), Reading("14", False))
    assert box.view.phase == "illegal"
    assert box.view.page is None
    box.feed(DOWN)
    assert box.view.page == 1
    box.feed(UP, UP)
    assert box.view.page == -1


@pytest.mark.parametrize(("strictness", "sound"), [("strict", "illegal"), ("gentle", "notice")])
def test_a_gentle_referee_raises_no_alarm(strictness: str, sound: str) -> None:
    box = Box("touch", settings={"strictness": strictness})
    box.play()
    box.feed(Command("roll", {"face": 4}))
    box.feed(Reading("5", True), Reading("5", False))
    effects = box.feed(Reading("14", True), Reading("14", False))
    assert box.view.phase == "illegal"
    assert [effect.name for effect in effects if isinstance(effect, Sound)] == [sound]


def test_a_sensor_is_set_aside_and_used_again_from_the_menu() -> None:
    box = Box("presence")
    box.feed(Command("new_game", {"sheet": "german", "seats": ["yellow", "green"]}))
    start = box.view.position
    assert start is not None
    on = {"1", "11", *(f"{one}.B{n}" for one in "YG" for n in (1, 2, 3))}
    box.feed(Snapshot(frozenset(on)), Command("menu"), HOLD)
    assert box.view.phase == "opening"
    box.feed(Reading("20", True), HOLD)
    box.choose("sensors", "set_aside:20")
    assert box.view.aside == ("20",)
    box.feed(HOLD)
    box.choose("sensors", "use_again:20")
    assert not box.view.aside


def test_however_many_sensors_are_in_doubt_they_are_one_line_of_the_menu() -> None:
    """A piece missing from a base puts all its places in doubt."""
    box = Box("presence")
    box.feed(Command("new_game", {"sheet": "german", "seats": ["yellow", "green"]}))
    on = {"1", "11", *(f"{one}.B{n}" for one in "YG" for n in (1, 2, 3))}
    box.feed(Snapshot(frozenset(on)), HOLD)
    calm = box.keys
    assert "sensors" not in calm
    box.feed(HOLD, Reading("Y.B1", False), Reading("20", True), HOLD)
    assert [key for key in box.keys if key not in calm] == ["sensors"]
    box.choose("sensors")
    assert {"set_aside:Y.B1", "set_aside:Y.B2", "set_aside:20"} <= set(box.keys)
    assert box.keys[-1] == "back"
    box.choose("back")
    assert box.view.lines[box.view.cursor].key == "sensors"


# The bench


def test_whoever_builds_the_table_finds_its_bench_in_the_menu() -> None:
    box = Box(benches=True)
    box.feed(OK)
    assert box.keys[-3:] == ["bench", "shut_down", "back"]
    assert Ask("bench") in box.choose("bench")


def test_the_bench_is_not_offered_in_a_game_nor_where_there_is_no_board_to_test() -> None:
    box = Box(benches=True)
    box.play()
    box.feed(HOLD)
    assert "bench" not in box.keys
    other = Box()
    other.feed(OK)
    assert "bench" not in other.keys

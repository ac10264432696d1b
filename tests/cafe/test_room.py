"""What the house knows of every table: who is there, who is lost, and what one cannot spoil."""

import os
import random

import pytest

from companion.cafe import messages, topics
from companion.cafe.room import BURST, LOST, Room, TableState
from companion.cafe.summary import UNANSWERED, Summary
from companion.events import Command, Lost, Pressed
from companion.referee import Referee, View
from companion.rules import SHEETS, game
from companion.rules.history import History, Roll

WALL = 1_700_000_000.0


class Hearing:
    """A room that hears tables, with a clock of its own."""

    def __init__(self) -> None:
        self.room, self.now, self.numbers = Room(), 100.0, 0
        self.room.line(True, self.now)

    def say(
        self,
        topic: topics.Topic,
        message: messages.Message,
        table: str = "a",
        retained: bool = False,
    ) -> TableState:
        payload = messages.encode(message)
        self.room.take(topic.of(table), payload, retained, self.now, WALL + self.now)
        return self.room.tables[table]

    def pulse(self, birth: str = "b1", table: str = "a", off: float = 0.0) -> TableState:
        self.numbers += 1
        at = WALL + self.now + off
        return self.say(
            topics.PULSE, messages.Pulse(birth=birth, number=self.numbers, at=at), table
        )

    def here(self, here: bool, birth: str, box: str = "x", table: str = "a") -> TableState:
        return self.say(topics.HERE, messages.Here(birth=birth, box=box, here=here), table)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.room.look(self.now)

    def status(self, table: str = "a") -> str:
        return self.room.tables[table].status


def test_only_a_pulse_shows_that_a_table_lives() -> None:
    heard = Hearing()
    heard.say(topics.HERE, messages.Here(birth="b1", here=True), retained=True)
    heard.say(topics.NOW, messages.Now(birth="b1", at=WALL, phase="roll"), retained=True)
    assert heard.status() == "waiting"
    heard.pulse()
    assert heard.status() == "there"


def test_a_pulse_that_was_retained_shows_nothing() -> None:
    heard = Hearing()
    heard.say(topics.PULSE, messages.Pulse(birth="b1", number=1, at=WALL), retained=True)
    assert heard.status() == "waiting"


def test_who_is_not_heard_for_six_seconds_is_lost_and_comes_back_with_a_pulse() -> None:
    heard = Hearing()
    heard.pulse()
    heard.wait(LOST - 0.1)
    assert heard.status() == "there"
    heard.wait(0.1)
    assert heard.status() == "lost"
    heard.pulse()
    assert heard.status() == "there"


def test_who_was_never_heard_is_lost_too() -> None:
    heard = Hearing()
    heard.here(True, "b1")
    heard.wait(LOST)
    assert heard.status() == "lost"


@pytest.mark.parametrize("says_so", [True, False])
def test_a_table_is_there_again_when_another_of_its_name_has_gone(says_so: bool) -> None:
    heard = Hearing()
    heard.here(True, "b1", "x")
    heard.pulse("b1")
    heard.here(True, "b2", "y")
    heard.pulse("b2")
    heard.pulse("b1")
    assert heard.room.tables["a"].birth == "b2"  # the latest who came is the table
    if says_so:
        heard.here(False, "b2", "y")
    else:
        heard.wait(LOST)
    assert heard.status() == "lost"
    heard.pulse("b1")
    assert heard.status() == "there"


def test_a_death_ends_its_own_stay_and_no_later_one() -> None:
    heard = Hearing()
    heard.here(True, "b1")
    heard.pulse("b1")
    heard.here(True, "b2")
    heard.pulse("b2")
    heard.here(False, "b1")
    assert heard.status() == "there"
    heard.here(False, "b2")
    assert heard.status() == "lost"
    heard.pulse("b1")  # a word of a stay that is long over
    assert heard.status() == "lost"


def test_switched_off_is_not_lost() -> None:
    heard = Hearing()
    heard.pulse("b1")
    heard.say(topics.HERE, messages.Here(birth="b1", here=False, off=True))
    assert heard.status() == "off"
    heard.pulse("b1")  # it was said before, and comes late
    heard.wait(100)
    assert heard.status() == "off"
    heard.pulse("b2")
    assert heard.status() == "there"


def test_a_house_that_hears_nothing_knows_of_no_table_how_it_is() -> None:
    heard = Hearing()
    heard.pulse()
    heard.room.line(False, heard.now)
    assert heard.status() == "waiting"
    heard.wait(60)
    assert heard.status() == "waiting"
    heard.room.line(True, heard.now)
    heard.wait(LOST)
    assert heard.status() == "lost"


def test_two_boxes_of_one_name_and_a_wrong_clock_are_told() -> None:
    heard = Hearing()
    table = heard.pulse(off=366 * 86400.0)
    heard.here(True, "b1", "x")
    heard.here(True, "b2", "y")
    heard.pulse("b2", off=366 * 86400.0)
    found = {one.key: one.detail for one in table.troubles(heard.now)}
    assert found["twins"] == "a"
    assert int(found["clock"]) == 366 * 86400


def test_how_long_a_turn_lasts_is_told_by_the_tables_own_clock() -> None:
    heard, off = Hearing(), -366 * 86400.0
    table = heard.pulse(off=off)
    at = WALL + heard.now + off
    heard.say(topics.NOW, messages.Now(birth="b1", at=at, phase="roll", since=at - 30))
    assert table.waited() == pytest.approx(30)
    heard.now += 4
    heard.pulse(off=off)
    assert table.waited() == pytest.approx(34)


def test_a_later_version_is_said_once_and_the_table_stays() -> None:
    heard = Hearing()
    table = heard.pulse()
    heard.room.take(topics.NOW.of("a"), b'{"v":7}', False, heard.now, WALL)
    assert [one.key for one in table.troubles(heard.now)] == ["later"]
    assert heard.status() == "there"


def test_a_hundred_thousand_bad_payloads_of_one_change_nothing_for_the_others() -> None:
    """So many in `make soak`; fewer here."""
    heard = Hearing()
    heard.pulse(table="good")
    heard.say(topics.NOW, messages.Now(birth="b1", at=WALL, phase="roll"), "good")
    before = (heard.room.tables["good"].version, heard.room.tables["good"].now)
    chance = random.Random(1)
    payload = messages.encode(messages.Now(birth="b", at=1.0, phase="move"))
    names = [topic.of("bad") for topic in topics.TOPICS] + ["ludo/tables/bad/x/y", "ludo/#", ""]
    for number in range(int(os.environ.get("PAYLOADS", "5000"))):
        heard.now += 0.0001
        broken = bytearray(payload)
        for _ in range(4):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        body = bytes(broken) * (1 if number % 50 else 2000)
        heard.room.take(chance.choice(names), body, bool(number % 2), heard.now, WALL)
    assert (heard.room.tables["good"].version, heard.room.tables["good"].now) == before
    assert heard.status("good") == "there"
    assert list(heard.room.tables) == ["good", "bad"]
    assert "floods" in {one.key for one in heard.room.tables["bad"].troubles(heard.now)}


def test_a_table_that_sends_too_much_is_heard_again_when_it_is_quiet() -> None:
    heard = Hearing()
    for _ in range(int(BURST) + 10):
        heard.pulse()
    number = heard.numbers
    assert heard.room.tables["a"].pulse is not None
    assert heard.room.tables["a"].pulse.number < number
    heard.now += 1
    assert heard.pulse().pulse.number == heard.numbers  # type: ignore[union-attr]


# -- what a table says of itself ------------------------------------------------------------------


def test_a_question_that_nobody_answers_needs_a_person_after_two_minutes() -> None:
    referee, summary = Referee(sensing="choose", die="hand"), Summary()
    referee.feed(Command("new_game", {"sheet": "german"}), 1.0)
    referee.feed(Command("go_on"), 2.0)
    from dataclasses import replace

    view = replace(referee.view, phase="ask", title="which_move")
    summary.now(view, "b", 1000.0)
    assert summary.needs(view, 1000.0) == []
    assert summary.deadline() == 1000.0 + UNANSWERED
    (need,) = summary.needs(view, 1000.0 + UNANSWERED)
    assert (need.kind, need.since) == ("question", 1000.0)
    summary.now(referee.view, "b", 1200.0)
    assert summary.needs(referee.view, 1200.0) == []


def test_devices_disks_and_sensors_are_told_apart_and_keep_their_time() -> None:
    referee, summary = Referee(sensing="choose", die="hand"), Summary()
    referee.feed(Lost("die", "unplugged"), 1.0)
    referee.feed(Lost("journal", "full"), 1.0)
    first = summary.needs(referee.view, 10.0, "the disk is full")
    again = summary.needs(referee.view, 50.0, "the disk is full")
    assert first == again
    assert {(one.kind, one.detail) for one in first} == {
        ("device", "die"),
        ("disk", "the disk is full"),
    }


@pytest.mark.parametrize("sheet", sorted(SHEETS))
def test_whatever_a_game_comes_to_the_house_can_read_it(sheet: str) -> None:
    history, chance, summary = History(game(sheet)), random.Random(19), Summary()
    while not history.position.over and len(history.deeds) < 2000:
        if history.face is None:
            history.add(Roll(chance.randint(1, 6)))
        else:
            legal = history.game.legal_moves(history.position, history.face)
            history.add(chance.choice(list(legal)))
        view = View(phase="move", position=history.position, face=history.face)
        told = summary.now(view, "b", 1.0)
        assert messages.decode(messages.encode(told), messages.Now) == told


def test_the_turns_time_begins_with_the_turn() -> None:
    referee, summary = Referee(sensing="choose", die="hand"), Summary()
    referee.feed(Command("new_game", {"sheet": "german", "seats": ["yellow", "red"]}), 1.0)
    referee.feed(Command("go_on"), 2.0)
    first = summary.now(referee.view, "b", 10.0)
    assert summary.now(referee.view, "b", 15.0).since == first.since == 10.0
    referee.feed(Command("roll", {"face": 3}), 16.0)
    assert summary.now(referee.view, "b", 16.0).since == 16.0


def test_a_table_stays_free_while_a_menu_covers_a_game_that_is_over() -> None:
    referee, summary = Referee(sensing="choose", die="hand"), Summary()
    referee.feed(Command("new_game", {"sheet": "german", "seats": ["yellow", "red"]}), 1.0)
    referee.feed(Command("go_on"), 2.0)
    referee.feed(Pressed("ok", held=True), 3.0)
    assert (referee.view.phase, summary.now(referee.view, "b", 3.0).free) == ("menu", False)
    referee.feed(Command("end_game"), 4.0)
    referee.feed(Pressed("ok", held=True), 5.0)
    assert (referee.view.phase, summary.now(referee.view, "b", 5.0).free) == ("menu", True)

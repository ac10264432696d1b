"""What was played, as pages are told: packed where it is old, cut where moves are taken back."""

import json
from random import Random

import pytest

from companion.archive import KeptGame, Timed
from companion.commands.games import line
from companion.events import Command
from companion.referee import Match, Referee, View
from companion.rules import game, legal_moves, recall_position
from companion.rules.history import (
    History,
    Roll,
    Seat,
    TakeBack,
    holders,
    kept,
    replay,
    started,
)
from companion.screens import labels
from companion.screens.languages import words
from companion.screens.samples import samples
from companion.web import state
from companion.web.history import TOGETHER, Entries, HistoryFeed
from companion.web.what_if import records_until


def test_packed_entries_are_those_that_were_added() -> None:
    rng = Random("entries")
    entries, plain = Entries(), list[bytes]()
    for number in range(3000):
        if rng.random() < 0.004:
            length = rng.randint(max(0, len(plain) - 5 * TOGETHER), len(plain))
            entries.cut(length)
            del plain[length:]
        text = b'{"move":%d}' % number
        entries.append(text)
        plain.append(text)
        assert len(entries) == len(plain)
        start = rng.randint(0, len(plain))
        assert list(entries.since(start)) == plain[start:]
    assert entries._packed


def test_a_game_is_told_the_same_from_anywhere_and_in_any_portions() -> None:
    rng, match = Random("told"), Match(game("german"))
    match.started()
    for number in range(600):
        face = rng.randint(1, 6)
        match.roll(face, number)
        match.play(rng.choice(legal_moves(match.position, face)))
        if match.over or rng.random() < 0.05:
            match.take_back()
    feed = HistoryFeed()
    feed.follow(match, len(match.deeds))
    feed.catch_up()
    whole = feed.entries("en")
    assert len(whole) == len(feed.deeds) > 3 * TOGETHER
    portions: list[bytes] = []
    while len(portions) < len(whole):
        portions += feed.entries("de", len(portions), lambda size: size > 2000)
    again = [feed.entries("de", start) for start in (0, 1, TOGETHER, len(whole) - 1, len(whole))]
    assert again == [portions[s:] for s in (0, 1, TOGETHER, len(whole) - 1, len(whole))]


def fox_begins() -> History:
    """A game in which the box's fox has red, and begins."""
    history = History(game("german", {}, ("yellow", "red")), {"yellow": "Anna"})
    history.add(Seat("red", "fox"))
    for face in (1, 6):
        history.add(Roll(face))
        history.add(history.game.legal_moves(history.position, face)[0])
    return history


def records_of(history: History) -> list[dict[str, object]]:
    """The game as a journal keeps it."""
    events = [kept(history.game, deed.entry) for deed in history.deeds]
    return [started(history.game, history.names), *events]


def test_the_boxs_player_is_called_by_its_name() -> None:
    history = fox_begins()
    feed = HistoryFeed()
    feed.follow(history, len(history.deeds))
    feed.catch_up()
    for language, said in (("en", "Fox begins."), ("de", "Fuchs beginnt.")):
        told = json.loads(feed.entries(language)[-1])
        assert [one["text"] for one in told["told"]] == [said]
    referee = Referee()
    referee.resume(records_of(history), 0.0)
    told = state.state_of(referee.view, "en")["happenings"]
    assert [one["text"] for one in told] == ["Fox begins."]


def test_the_boxs_player_plays_on_in_what_might_have_been() -> None:
    history = fox_begins()
    history.add(Roll(4))
    history.add(history.game.legal_moves(history.position, 4)[0])
    history.add(Seat("red", None))  # somebody has come later
    for moves, box in ((1, {"red": "fox"}), (2, {"red": "fox"}), (3, {})):
        told = replay(records_until(history, moves), lambda one: History(one.game, one.names))
        assert told is not None
        assert told.box == box


def test_whoever_played_a_seat_is_known_also_after_it_changed_hands() -> None:
    history = fox_begins()
    assert holders(history.game, history.past) == {"yellow": (None,), "red": ("fox",)}

    def turn(face: int) -> None:
        history.add(Roll(face))
        history.add(history.game.legal_moves(history.position, face)[0])

    turn(4)  # the fox, for red
    history.add(Seat("yellow", "cat"))
    turn(4)
    assert holders(history.game, history.past)["yellow"] == (None, "cat")
    history.add(TakeBack())
    assert holders(history.game, history.past)["yellow"] == (None,)  # only what stands
    history.add(history.game.legal_moves(history.position, 4)[0])
    turn(4)
    history.add(Seat("yellow", None))
    turn(4)
    assert holders(history.game, history.past)["yellow"] == (None, "cat", None)


@pytest.mark.parametrize(
    ("held", "language", "said"),
    [
        ((None, "cat"), "en", "Anna (then Cat)"),
        ((None, "cat"), "de", "Anna (dann Katze)"),
        ((None, "cat", "fox"), "nl", "Anna (daarna Kat, Vos)"),
        (("cat", None), "en", "Cat (then Anna)"),
        ((None, "cat", None, "cat"), "en", "Anna (at times Cat)"),
        (("cat",), "en", "Cat"),
        ((None,), "en", "Anna"),
    ],
)
def test_a_seat_that_changed_hands_is_called_by_all_who_played_there(
    held: tuple[str | None, ...], language: str, said: str
) -> None:
    told = labels.played_by({"yellow": held, "red": (None,)}, {"yellow": "Anna"}, words(language))
    assert told == {"yellow": said, "red": ""}  # a colour is all that red has


def test_two_players_of_one_kind_are_told_apart_by_their_colour() -> None:
    told = labels.played_by({"yellow": ("cat",), "red": ("cat",)}, {}, words("en"))
    assert told == {"yellow": "Cat (yellow)", "red": "Cat (red)"}
    history = History(game("german", {}, ("yellow", "red")))
    history.add(Seat("yellow", "cat"))
    history.add(Seat("red", "cat"))
    for face in (6, 1, 1, 1):
        history.add(Roll(face))
        history.add(history.game.legal_moves(history.position, face)[0])
    timed = [Timed(float(at), record) for at, record in enumerate(records_of(history))]
    assert "Cat (yellow), Cat (red): not finished" in line(KeptGame(1, timed))


def test_who_played_is_not_called_by_who_sits_there_at_the_end() -> None:
    """Red was played by a person without a name; then the box took the seat, and did not move."""
    history = History(game("german", {}, ("yellow", "red")))
    for face in (1, 6, 1):
        history.add(Roll(face))
        history.add(history.game.legal_moves(history.position, face)[0])
    history.add(Seat("red", "fox"))
    feed = HistoryFeed()
    feed.follow(history, len(history.deeds))
    feed.catch_up()
    assert feed.played_by("en")["red"] == ""


def test_moves_are_counted_as_a_replay_shows_them() -> None:
    """Rolls for who begins are none, and what was taken back is no more."""
    history = fox_begins()
    for _ in range(2):
        if history.face is None:
            history.add(Roll(4))
        history.add(history.game.legal_moves(history.position, 4)[0])
        history.add(TakeBack())
    history.add(history.game.legal_moves(history.position, 4)[0])
    timed = [Timed(float(at), record) for at, record in enumerate(records_of(history))]
    assert KeptGame(1, timed).moves == 1


def test_a_square_is_called_as_it_is_on_the_board() -> None:
    """A move in the finish begins with its small letter; a sentence with a large one."""
    stand = "yellow Y.B Y.B 5 Y.c | red R.B R.B R.B 21 | turn yellow"
    here = recall_position(f"german yellow,red | {stand}")
    said = {state._move(here, one, words("en"))["words"] for one in legal_moves(here, 1)}
    assert "c to d" in said


@pytest.mark.parametrize(
    ("sheet", "face", "language", "said"),
    [
        ("german", 4, "en", "Yellow rolled 4"),
        ("dutch", 5, "en", "Yellow rolled a globe"),
        ("dutch", 5, "de", "Gelb würfelt einen Globus"),
        ("parchis", 20, "en", ""),  # a bonus: nobody has rolled it
    ],
)
def test_who_rolled_what_is_told_as_a_sentence(
    sheet: str, face: int, language: str, said: str
) -> None:
    here = samples(sheet)["roll-yellow-named"].position
    assert here is not None
    told = state.state_of(View("move", here, face=face), language)
    assert told["rolled"] == {"face": face, "text": said}


def test_putting_cards_right_is_a_sentence() -> None:
    told = state.state_of(samples("cards")["illegal-0"], "en")
    assert [one["text"] for one in told["remedy"]] == ["Red: take a card off stack 1."]


def test_only_a_simulated_table_speaks_of_no_box() -> None:
    referee = Referee(sensing="choose")
    referee.feed(Command("go_on", {}), 1.0)
    assert "Press OK" in state.state_of(referee.view, "en")["notice"]
    assert "start a new one" in state.state_of(referee.view, "en", simulated=True)["notice"]
    referee.feed(Command("menu", {}), 2.0)
    real = {line["key"]: line for line in state.state_of(referee.view, "en")["lines"]}
    played = {line["key"]: line for line in state.state_of(referee.view, "de", True)["lines"]}
    assert real["shut_down"]["text"] == "Shut down"
    assert played["shut_down"]["text"] == "Programm beenden"
    assert list(real) == list(played)  # each line is found by its place

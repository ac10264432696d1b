"""Records of games: they replay to the identical position, and say what is wrong with a line."""

import random
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.referee import Match
from companion.rules import BadInput, game, legal_moves, position
from companion.rules.checking import broken_clauses
from companion.rules.errors import BadHeader
from companion.rules.game import Game
from companion.rules.history import End, Ruling, TakeBack
from companion.rules.names import plain_name
from companion.rules.records import (
    TITLE,
    Event,
    Record,
    deed_text,
    event_text,
    from_history,
    read_event,
    record,
)
from tests.rules.asking import at
from tests.rules.test_properties import games, slow, steps

DAY = date(2025, 11, 16)


def story(table: Game, seed: int, most: int) -> Record:
    """A random game in which moves are taken back and the house rules now and then."""
    rng = random.Random(seed)
    told = Record(table, DAY, begins=rng.choice([None, table.colours[table.order[0]]]))
    for _ in range(most):
        told = told.then(_next_event(told, rng))
        if told.position.over and rng.random() < 0.5:
            break
    return told.then(End()) if rng.random() < 0.3 else told


def _next_event(told: Record, rng: random.Random) -> Event:
    here, chance = told.position, rng.random()
    if chance < 0.1 and told.events and told._standing[1:]:
        return TakeBack()
    if chance < 0.15 or here.over:
        elsewhere = list(steps(told.game, rng.randrange(10**6), rng.randrange(1, 60)))
        return Ruling(elsewhere[-1][0])
    return rng.choice(legal_moves(here, here.due or told.game.die.roll(rng.random)))


@slow
@given(games(), st.integers(0, 10**6), st.integers(0, 250))
def test_records_of_random_games_replay_exactly(table: Game, seed: int, most: int) -> None:
    told = story(table, seed, most)
    again = record(str(told))
    assert again == told
    assert again.position == told.position
    assert again.ended == told.ended
    assert str(again) == str(told)
    assert Record(table, DAY, begins=told.begins, events=told.events).position == told.position


@slow
@given(games(), st.integers(0, 10**6))
def test_a_whole_game_replays_to_its_end(table: Game, seed: int) -> None:
    told = Record(table, DAY)
    for _, move in steps(table, seed):
        told = told.then(move)
    assert told.position.over
    assert record(str(told)).position == told.position


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.text(max_size=20), min_size=2, max_size=2))
def test_any_name_can_be_kept(names: list[str]) -> None:
    told = Record(game("german", (), ["yellow", "red"]), DAY, tuple(names))
    assert record(str(told)) == told
    assert told.players == tuple(plain_name(name) for name in names)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        (" Ada\t of  \n Kent ", "Ada of Kent"),
        ("A\x1b[2Jda", "A[2Jda"),
        ("a \x07 b", "a b"),
        ("\u202eadA\ud800\ufffe", "adA"),
        ("Zoë 李 👩\u200d👧", "Zoë 李 👩\u200d👧"),
    ],
)
def test_a_name_is_one_line_of_what_can_be_seen(typed: str, shown: str) -> None:
    assert plain_name(typed) == shown


def test_a_take_back_undoes_the_last_that_stands() -> None:
    told = record(WRITTEN)
    begun = told.position
    for text in ("yellow 4 1>5", "red 3 21>24"):
        told = told.then(read_event(told.game, text))
    told = told.then(TakeBack()).then(TakeBack())
    assert told.position == begun
    assert told.events[-2:] == (TakeBack(), TakeBack())


def test_a_ruling_can_be_taken_back_too() -> None:
    told = record(WRITTEN)
    other = position("german yellow,red | yellow Y.B 3 5 7 | red 21 22 23 24 | turn red")
    ruled = told.then(Ruling(other))
    assert ruled.position == other
    assert ruled.then(TakeBack()).position == told.position


def test_a_refused_event_changes_nothing() -> None:
    told = record(WRITTEN)
    before = str(told)
    with pytest.raises(BadInput):
        told.then(read_event(told.game, "yellow 4 1>6"))
    assert str(told) == before


WRITTEN = """\
Ludo game record 1
sheet: german
date: 2025-11-16
yellow: Anna; with Ben: both
red:

yellow 5 -
red 2 - ; begins yellow (G3)
"""


def test_the_text_is_what_a_person_would_write() -> None:
    told = record(WRITTEN)
    assert str(told) == WRITTEN
    assert told.players == ("Anna; with Ben: both", "")
    assert told.position.colour == "yellow"
    assert told.position.opening is None


def test_moves_say_what_they_brought_about() -> None:
    here = position(
        "german+compulsory_capture yellow,red | yellow Y.B 1 5 9 | red R.B R.B R.B 15 | turn yellow"
    )
    line = event_text(here, here.game.move("yellow 6 1>7"))
    assert line == "yellow 6 1>7 ; again (G13)"
    here = position("german yellow,red | yellow 1 5 8 9 | red R.B R.B R.B 15 | turn yellow")
    line = event_text(here, here.game.move("yellow 6 9>15"))
    assert line == "yellow 6 9>15 ; captured red 15 (G7), again (G13)"


def test_comments_blank_lines_and_other_line_ends_do_not_matter() -> None:
    changed = "\ufeff; a game\r\n\r\n" + WRITTEN.replace("\n", "\r\n") + "; the end\r\n"
    assert record(changed) == record(WRITTEN)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Ludo game record 1", "Ludo game record 9", ["line 1", "'Ludo game record 9'"]),
        ("sheet: german", "sheet: french", ["line 2", "'french'", "british"]),
        ("sheet: german\n", "", ["line 2", "sheet: NAME"]),
        ("sheet: german", "sheet: german\nsheet: dutch", ["line 3", "'sheet'", "twice"]),
        ("sheet: german", "sheet: german\noptions: walls", ["line 3", "'walls'", "barriers"]),
        ("sheet: german", "sheet: german\nplace: home", ["line 3", "'place'", "date"]),
        ("date: 2025-11-16", "date: yesterday", ["line 3", "'yesterday'", "2025-11-16"]),
        ("date: 2025-11-16\n", "", ["header", "date"]),
        ("red:\n", "", ["header", "1 players", "2 to 4"]),
        ("red:\n", "begins: red\n", ["header", "1 players", "2 to 4"]),
        ("red:", "red:\nbegins: pink", ["line 6", "'pink'", "red"]),
        ("red:", "pink:", ["line 5", "'pink'", "red"]),
        ("yellow 5 -", "yellow 7 -", ["line 7", "'7'", "1, 2, 3, 4, 5, 6"]),
        ("yellow 5 -", "yellow 5 1>6", ["line 7", "O3", "allowed is yellow 5 -"]),
        ("yellow 5 -", "red 5 -", ["line 7", "O1", "allowed is yellow 5 -"]),
        ("yellow 5 -", "green 5 -", ["line 7", "O1", "allowed is yellow 5 -"]),
        ("yellow 5 -", "hello", ["line 7", "'hello'", "take back"]),
        ("yellow 5 -", "take back", ["line 7", "nothing to take back"]),
        ("yellow 5 -", "ruling everything", ["line 7", "'everything'", "yellow"]),
        ("yellow 5 -", "end", ["line 8", "end"]),
        ("red 2 -", "red 2 -\nname: Anna", ["line 9", "above the first event"]),
    ],
)
def test_a_bad_line_is_named_with_what_is_allowed(old: str, new: str, words: list[str]) -> None:
    assert old in WRITTEN
    with pytest.raises(BadInput) as error:
        record(WRITTEN.replace(old, new))
    for word in words:
        assert word in str(error.value)


@pytest.mark.parametrize("options", ["", "options: barriers\n"])
def test_too_few_players_are_no_fault_of_an_option(options: str) -> None:
    with pytest.raises(BadHeader, match="1 players") as error:
        record(f"{TITLE}\nsheet: german\n{options}date: 2026-01-01\nyellow:\n")
    assert error.value.key == "green, red, black"


@pytest.mark.parametrize("text", ["", "\n\n", "; nothing", "Ludo game record 1\n"])
def test_a_text_that_is_no_record(text: str) -> None:
    with pytest.raises(BadInput, match=r"record|sheet"):
        record(text)


@pytest.mark.parametrize(
    ("text", "move", "clauses"),
    [
        ("german | yellow 1 6 10 | red 25", "yellow 4 6>10", {"G8", "G9"}),
        ("german | yellow 1 6 10 | red 25", "red 4 25>29", {"O4"}),
        ("german | yellow 1 6 10 | red 25", "green 4 25>29", {"O5"}),
        ("german | yellow 1 6 10 | red 25", "yellow 4 -", {"O6"}),
        ("pairs | red 20 20 | yellow 45", "red 4 20>24", {"P9"}),
        ("pairs | red 20 21 | yellow 45", "red 4 20>22 pair", {"O5"}),
        ("cards | red 1 0 0 0 | green 0 0 0 0", "red 3 add 1 2", {"C6"}),
        ("cards | red 1 0 0 0 | green 0 0 0 0", "red 1 lay 1", {"C6"}),
        ("cards | red 1 0 0 0 | green 0 0 0 0", "green 3 lay 3", {"O1", "O4"}),
    ],
)
def test_a_move_that_is_not_legal_names_its_clauses(
    text: str, move: str, clauses: set[str]
) -> None:
    here = at(text)
    assert set(broken_clauses(here, here.game.move(move))) == clauses


def test_a_ruling_belongs_to_the_same_game() -> None:
    told = record(WRITTEN)
    with pytest.raises(BadInput, match="ruling for dutch"):
        told.then(Ruling(game("dutch").start()))


def test_a_record_has_a_name_for_every_seat_or_none() -> None:
    with pytest.raises(BadInput, match="2 seats, but 3"):
        Record(game("german", (), ["yellow", "red"]), DAY, ("a", "b", "c"))


def test_what_the_referee_kept_becomes_the_record_of_the_game() -> None:
    match = Match(game("german", colours=("yellow", "red")), {"red": "Bo"})
    kept = [match.started()]
    for face in (6, 1, 4):
        kept += [match.roll(face), match.play(match.legal[0])]
    kept += [
        match.take_back(),
        match.rule(at("german yellow,red | yellow 9 | red 25")),
        match.end(),
    ]
    again = Match.replay(kept)
    assert again is not None
    told = from_history(again, DAY)
    assert told.players == ("", "Bo")
    assert told.position == match.position
    assert told.ended
    assert [type(event).__name__ for event in told.events[-3:]] == ["TakeBack", "Ruling", "End"]
    assert str(record(str(told))) == str(told)


def test_a_record_says_which_rolls_were_chosen() -> None:
    match = Match(game("german", colours=("yellow", "red")))
    for face, source in ((6, "die:a"), (1, "chosen"), (4, "chosen")):
        match.roll(face, source=source)
        match.play(match.legal[0])
    match.take_back()
    match.play(match.legal[0])  # with the same roll
    told = from_history(match, DAY)
    lines = str(told).splitlines()[-5:]
    assert lines == [
        "yellow 6 -",
        "red 1 - ; chosen, begins yellow (G3)",
        "yellow 4 1>5 ; chosen",
        "take back",
        "yellow 4 1>5 ; chosen",
    ]
    assert record(str(told)) == told
    assert [deed_text(deed) for deed in match.deeds if deed_text(deed)] == lines
    assert record(told.unmarked()).events == told.events


def test_only_a_roll_is_chosen() -> None:
    told = record(WRITTEN.replace("take back", "take back ; chosen"))
    assert told == record(WRITTEN)
    assert not told.chosen


def test_a_long_record_is_not_copied_with_every_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a megabyte of lines would take minutes."""
    made = [0]
    check = Record.__post_init__

    def counted(self: Record) -> None:
        made[0] += 1
        check(self)

    lines = ["yellow 3 -", "take back"] * 500
    monkeypatch.setattr(Record, "__post_init__", counted)
    text = "\n".join([TITLE, "sheet: german", "date: 2025-11-16", "yellow:", "red:", *lines, ""])
    assert len(record(text).events) == 1000
    assert made[0] < 10

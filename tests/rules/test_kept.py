"""What no game comes to is refused when it is typed, and never when it was kept."""

from datetime import date

import pytest

from companion.referee import Match
from companion.rules import BadInput, game, position, recall_game, recall_position
from companion.rules.records import record
from tests.rules.asking import at, typed
from tests.rules.test_bad_input import says

SEATS = ("yellow", "green", "red", "black")


@pytest.mark.parametrize(
    ("option", "players", "needs"),
    [
        ("two_colours_each", 3, "2 players"),
        ("two_colours_each", 4, "2 players"),
        ("neutral_colour", 2, "3 players"),
        ("neutral_colour", 4, "3 players"),
    ],
)
def test_an_option_that_these_seats_cannot_have_is_refused_for_a_new_game(
    option: str, players: int, needs: str
) -> None:
    with pytest.raises(BadInput) as error:
        game("german", [option], SEATS[:players])
    says(error, option, needs, str(players))
    old = f"german+{option} {','.join(SEATS[:players])}"
    with pytest.raises(BadInput):
        position(f"{old} | turn yellow")
    assert str(recall_game(old)) == old


def test_two_options_that_no_number_of_seats_can_have_together() -> None:
    with pytest.raises(BadInput):
        game("german", ["two_colours_each", "neutral_colour"], SEATS[:2])


UNREACHABLE = [
    ("british | red 1 | green 40", "red", "1"),
    ("british | red 5 | green 40", "red", "5"),
    ("pairs | red 9 9 | yellow 9 9", "9"),
    ("cards | red 3 0 0 0 | green 3 0 0 0", "R.1", "G.1"),
    ("german+three_rolls | yellow 5 | red 25 | turn yellow rolls 3", "3 rolls left"),
    ("german+three_rolls | yellow | red 25 | turn yellow rolls 2 sixes 1", "rolls"),
    ("german | yellow 5 | red 25 | opening yellow=? red=? | turn yellow", "start"),
]


@pytest.mark.parametrize(("text", "words"), [(text, words) for text, *words in UNREACHABLE])
def test_a_position_no_game_comes_to(text: str, words: list[str]) -> None:
    with pytest.raises(BadInput) as error:
        typed(text)
    says(error, *words)
    assert recall_position(str(at(text))) == at(text)


def test_a_card_stack_that_is_full_or_not_begun_may_be_as_high_as_another() -> None:
    assert typed("cards | red 6 0 2 1 | green 6 0 1 2")


def test_a_pair_and_a_single_pawn_share_a_safe_square() -> None:
    assert typed("pairs | red 9 9 | yellow 9")


@pytest.mark.parametrize(
    "text",
    [
        "german yellow,red | yellow 1 2 3 4 | red 21 22 23 24 | turn yellow turn red",
        "german yellow,red | yellow 1 2 3 4 | red 21 22 23 24 | turn yellow | turn red",
        "german yellow,red | yellow 1 2 3 4 | red 21 22 23 24 | turn yellow rolls 1 rolls 1",
    ],
)
def test_the_turn_stands_once(text: str) -> None:
    for read in (position, recall_position):
        with pytest.raises(BadInput) as error:
            read(text)
        says(error, "twice")


def test_a_header_of_another_game_is_refused() -> None:
    rest = "yellow 1 2 3 4 | red 21 22 23 24 | turn yellow"
    table = game("german", (), ["yellow", "red"])
    assert table.position(rest) == table.position(f"german red,yellow | {rest}")
    for header in ("german+barriers yellow,red", "german yellow,green", "german", "pairs red,blue"):
        with pytest.raises(BadInput) as error:
            table.position(f"{header} | {rest}")
        says(error, header)


# -- what was kept goes on -----------------------------------------------------------------------

LET_STAND = "british red,green | red R.B R.B R.B 1 | green G.B G.B G.B 40 | turn green"


def test_a_kept_ruling_on_a_british_start_square_still_stands() -> None:
    here = recall_position(LET_STAND)
    assert str(here) == LET_STAND
    assert recall_position(str(here)) == here


def test_an_old_record_with_such_a_ruling_still_replays() -> None:
    told = record(
        "Ludo game record 1\nsheet: british\ndate: 2025-01-01\nred: Anna\ngreen: Ben\n"
        f"begins: red\n\nred 4 -\nruling {LET_STAND.partition(' | ')[2]}\ngreen 3 40>43\n"
    )
    assert told.date == date(2025, 1, 1)
    assert str(record(str(told))) == str(told)


def test_an_old_record_with_seats_an_option_cannot_have_still_replays() -> None:
    told = record(
        "Ludo game record 1\nsheet: german\noptions: two_colours_each\ndate: 2025-01-01\n"
        "yellow: A\ngreen: B\nred: C\nbegins: yellow\n\nyellow 4 1>5\n"
    )
    assert told.position.colour == "green"


def test_an_old_journal_of_either_kind_resumes() -> None:
    ruled = Match.replay(
        [
            {"kind": "start", "game": "british red,green"},
            {"kind": "ruling", "position": LET_STAND},
            {"kind": "move", "move": "green 3 40>43"},
        ]
    )
    assert ruled is not None
    assert ruled.position.colour == "red"
    seated = Match.replay([{"kind": "start", "game": "german+neutral_colour yellow,red"}])
    assert seated is not None
    assert len(seated.game.players) == 2

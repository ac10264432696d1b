"""The boards: counts, neighbours, starts and marks are what the rules pages say."""

from itertools import pairwise

import pytest

from companion.rules.boards import (
    BASE,
    BOARD_40,
    BOARD_52,
    BOARD_52_MIRRORED,
    BOARD_68,
    BOARDS,
    MAT,
    Board,
    Place,
)

PLAYED = [board for board in BOARDS.values() if isinstance(board, Board)]


def quarter_turn_sense(board: Board) -> float:
    """Positive when the start squares go clockwise round the middle (y points down)."""
    middle = (board.grid - 1) / 2
    first, second = board.places[0], board.places[board.quarter]
    return (first.x - middle) * (second.y - middle) - (first.y - middle) * (second.x - middle)


@pytest.mark.parametrize(
    ("board", "track", "places", "last"),
    [(BOARD_40, 40, 72, 43), (BOARD_52, 52, 104, 56), (BOARD_68, 68, 128, 74)],
    ids=lambda value: value.name if isinstance(value, Board) else str(value),
)
def test_boards_have_the_printed_counts(board: Board, track: int, places: int, last: int) -> None:
    assert (board.track, len(board.places), board.last) == (track, places, last)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_no_two_places_share_a_name_or_a_spot(board: Board) -> None:
    assert len({place.name for place in board.places}) == len(board.places)
    assert len({(place.x, place.y) for place in board.places}) == len(board.places)
    assert all(0 <= p.x <= board.grid - 1 and 0 <= p.y <= board.grid - 1 for p in board.places)


@pytest.mark.parametrize("board", PLAYED, ids=lambda board: board.name)
def test_a_way_never_jumps(board: Board) -> None:
    """From square to square along every colour's way is at most one diagonal step."""
    for seat in range(4):
        way = [board.places_of(seat, step)[0] for step in range(board.last + (not board.home))]
        for here, there in pairwise(way):
            assert max(abs(here.x - there.x), abs(here.y - there.y)) == 1, (here, there)


@pytest.mark.parametrize("board", PLAYED, ids=lambda board: board.name)
def test_progress_and_places_are_inverse(board: Board) -> None:
    for seat in range(4):
        for step in range(BASE, board.last + 1):
            for place in board.places_of(seat, step):
                assert board.progress_at(seat, place) == step


def test_the_mirrored_board_has_the_same_spots_the_other_way_round() -> None:
    spots = {(place.x, place.y) for place in BOARD_52.places}
    assert {(place.x, place.y) for place in BOARD_52_MIRRORED.places} == spots
    assert quarter_turn_sense(BOARD_52) > 0 > quarter_turn_sense(BOARD_52_MIRRORED)
    assert BOARD_52_MIRRORED.colours == ("red", "blue", "yellow", "green")
    for colour in BOARD_52.colours:
        corner = {(p.x, p.y) for p in BOARD_52.places if p.kind == "base" and p.colour == colour}
        assert corner == {
            (p.x, p.y) for p in BOARD_52_MIRRORED.places if p.kind == "base" and p.colour == colour
        }


def test_globes_stars_and_safe_squares() -> None:
    assert BOARD_52.marked("globe") == (0, 8, 13, 21, 26, 34, 39, 47)
    assert BOARD_52.marked("star") == (5, 11, 18, 24, 31, 37, 44, 50)
    assert BOARD_52.marked("safe") == BOARD_52.marked("globe")
    assert BOARD_40.marked("globe") == ()


def test_yellow_sits_opposite_red_on_the_40_board() -> None:
    assert BOARD_40.colours.index("red") - BOARD_40.colours.index("yellow") == 2
    assert BOARD_40.colours.index("black") - BOARD_40.colours.index("green") == 2


def test_the_square_behind_the_start_is_never_used_on_52_and_68() -> None:
    for board in (BOARD_52, BOARD_68):
        assert board.progress(0, board.track - 1) is None
    assert BOARD_40.progress(0, 39) == 39


def test_the_68_board_starts_one_in_from_the_end_of_the_arm() -> None:
    assert (BOARD_68.places[0].x, BOARD_68.places[0].y) == (1, 8)
    assert BOARD_68.places_of(0, 66)[0][3:] == (0, 9)


def test_names_are_the_printed_ones() -> None:
    assert BOARD_40.spot(0, BASE) == "Y.B"
    assert BOARD_40.spot(1, 0) == "11"
    assert BOARD_40.spot(1, 41) == "G.b"
    assert BOARD_52.spot(0, 56) == "R.H"
    assert [place.name for place in BOARD_40.places_of(3, BASE)] == ["K.B1", "K.B2", "K.B3", "K.B4"]
    assert MAT.by_name["G.3"] == Place("G.3", "stack", "green", 3.0, 0.0)

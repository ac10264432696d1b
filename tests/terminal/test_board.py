"""The live view: every place drawn once, where it lies, in its colour."""

import click
import pytest

from companion.rules.boards import BOARDS, Board, Mat
from companion.terminal.board import ACROSS, draw, spots


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_every_place_is_drawn_close_to_its_spot_and_fits_a_terminal(board: Board | Mat) -> None:
    drawn = spots(board.places)
    assert sorted(place.name for place in drawn.values()) == sorted(board.by_name)
    for (column, line), place in drawn.items():
        assert abs(column - place.x * ACROSS) <= 4
        assert abs(line - place.y) <= 0.5
    lines = [click.unstyle(line) for line in draw(board, {})]
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 19
    assert sum(line.count("·") for line in lines) == len(board.places)


def test_marks_tell_on_seen_and_flickering_apart() -> None:
    board = BOARDS["40"]
    text = click.unstyle("\n".join(draw(board, {"1"}, {"1", "2"}, {"3"})))
    line = text.splitlines()[4]
    assert line.startswith("●   ○   !   ·")


def test_colours_are_those_of_the_board() -> None:
    assert "\x1b[33m" in draw(BOARDS["40"], {"Y.B1"})[0]

"""Safe stars are drawn where the switch makes squares safe: on the page, the screen, in a shell."""

import pytest

from companion.referee import View
from companion.rules import SHEETS, BadInput, game
from companion.screens.pictures import picture
from companion.terminal.game import legend


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_printed_sheet_shows_the_marks_of_its_board(sheet: str) -> None:
    shown = {
        "dutch": {"globe", "star"},
        "pairs": {"safe"},
        "indian": {"safe"},
        "parchis": {"safe"},
    }
    assert set(game(sheet).marked_squares()) == shown.get(sheet, set())


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_safe_square_has_one_sign(sheet: str) -> None:
    try:
        table = game(sheet, ["safe_stars"])
    except BadInput:
        return
    signs = [square for squares in table.marked_squares().values() for square in squares]
    assert len(signs) == len(set(signs))
    assert table.safe_squares <= set(signs)


@pytest.mark.parametrize(("sheet", "square"), [("german", 5), ("british", 8)])
def test_a_safe_star_is_seen_on_the_small_screen(sheet: str, square: int) -> None:
    assert square in game(sheet, ["safe_stars"]).marked_squares()["safe_star"]
    plain, starred = (
        picture(View(phase="roll", position=game(sheet, options).start()))
        for options in ([], ["safe_stars"])
    )
    assert plain.tobytes() != starred.tobytes()


def test_a_shell_says_what_the_sign_means() -> None:
    table = game("german", ["safe_stars"])
    assert table.board.walked is not None
    assert "+ safe" in legend(table.board.walked, table)

"""Playing by hand in a real browser, as a newcomer does: drags, taps and keys, no shortcuts."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.by_hand import (
    before_capture,
    begin,
    carry,
    do,
    drag,
    german,
    phase,
    turn_of,
)
from tests.web.conftest import Open

WAYS = ["presence", "touch", "choose"]
FALSE_ALARM = ".verdict.wrong, .marked, .remedy.wrong, .oops:not([hidden])"


def nobody_is_blamed(page: Page) -> None:
    expect(page.locator(FALSE_ALARM)).to_have_count(0)


# -- every way of sensing --------------------------------------------------------------------------


@pytest.mark.parametrize("sensing", WAYS)
@pytest.mark.parametrize("hand", [drag, carry])
def test_every_way_of_sensing_is_played_by_hand(sensing: str, hand: object, visit: Open) -> None:
    page = visit(has_touch=True)
    german(page, sensing)
    hand(page, "yellow4", "5")  # type: ignore[operator]
    turn_of(page, "red")
    nobody_is_blamed(page)
    do(page, do="roll", face=4)
    phase(page, "move")
    hand(page, "red4", "25")  # type: ignore[operator]
    turn_of(page, "yellow")
    nobody_is_blamed(page)


@pytest.mark.parametrize(
    ("sensing", "wants"), [("presence", "Drag"), ("touch", "pressed"), ("choose", "from the list")]
)
def test_the_hint_says_what_this_way_of_sensing_wants(
    sensing: str, wants: str, visit: Open
) -> None:
    page = visit()
    begin(page, sensing)
    expect(page.locator(".hint").first).to_contain_text(wants)


def test_buttons_at_the_squares_refuse_a_wrong_move_and_it_is_dragged_back(visit: Open) -> None:
    page = visit()
    german(page, "touch")
    drag(page, "yellow4", "9")
    phase(page, "illegal")
    expect(page.locator(".verdict")).to_contain_text("9 → 1")
    drag(page, "yellow4", "1")
    phase(page, "move")
    drag(page, "yellow4", "5")
    turn_of(page, "red")


def test_where_moves_are_chosen_a_piece_that_goes_nowhere_goes_back(visit: Open) -> None:
    page = visit()
    german(page, "choose")
    drag(page, "yellow4", "9")
    expect(page.locator(".oops")).to_contain_text("no legal move")
    expect(page.locator('[data-piece="yellow4"]')).to_have_attribute(
        "aria-label", "yellow piece, 1"
    )
    phase(page, "move")


# -- captures --------------------------------------------------------------------------------------


@pytest.mark.parametrize("sensing", WAYS)
def test_whoever_is_captured_is_carried_home(sensing: str, visit: Open) -> None:
    page = visit()
    before_capture(page, sensing)
    drag(page, "red4", "6")
    turn_of(page, "yellow")
    phase(page, "roll")
    nobody_is_blamed(page)
    expect(page.locator('[data-piece^="yellow"][aria-label="yellow piece, base"]')).to_have_count(4)
    expect(page.locator(".history")).to_contain_text("is captured")


def test_of_two_pieces_on_one_square_the_one_that_must_leave_is_taken(visit: Open) -> None:
    """Sensors would not see that the colours were swapped."""
    page = visit()
    before_capture(page)
    drag(page, "yellow4", "1")  # onto red, who stands there
    expect(page.locator(".quiet-line").first).to_contain_text("Put Yellow on 6")
    nobody_is_blamed(page)
    drag(page, "red4", "6")
    phase(page, "move")
    for piece, place in (("yellow4", "6"), ("red4", "1")):
        label = f"{piece[:-1]} piece, {place}"
        expect(page.locator(f'[data-piece="{piece}"]')).to_have_attribute("aria-label", label)


def test_a_piece_is_not_put_into_anothers_base(visit: Open) -> None:
    page = visit()
    german(page)
    drag(page, "yellow4", "R.B4")
    expect(page.locator(".oops")).to_contain_text("another colour")
    expect(page.locator('[data-piece="yellow4"]')).to_have_attribute(
        "aria-label", "yellow piece, 1"
    )
    phase(page, "move")

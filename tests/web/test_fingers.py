"""Fingers and keys on the board: real touches, which a browser may take for scrolling, and Tab."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.web.players import Players
from tests.web.by_hand import (
    begin,
    carry,
    do,
    drag,
    german,
    middle,
    phase,
    slide,
    swipe,
    tap,
    turn_of,
    violations,
    wait_for,
)
from tests.web.conftest import Open, Process
from tests.web.tables import AWAY

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


def scrolled(page: Page) -> float:
    return float(page.evaluate("scrollY"))


@pytest.mark.parametrize("path", ["/", "/phone"])
@pytest.mark.parametrize("sensing", ["presence", "touch", "choose"])
def test_a_finger_drags_a_piece_and_the_page_stays(path: str, sensing: str, visit: Open) -> None:
    page = visit(path, **PHONE)
    german(page, sensing)
    expect(page.locator('[data-piece="yellow4"].movable')).to_be_visible()
    page.locator('[data-piece="yellow4"]').scroll_into_view_if_needed()
    before = scrolled(page)
    slide(page, "yellow4", "5")
    turn_of(page, "red")
    assert scrolled(page) == before
    expect(page.locator(".oops:not([hidden]), .verdict.wrong")).to_have_count(0)


@pytest.mark.parametrize("near", [True, False])
def test_on_a_small_phone_a_finger_drags_on_a_part_or_the_whole(near: bool, visit: Open) -> None:
    page = visit("/phone", **{**PHONE, "viewport": {"width": 320, "height": 568}})
    german(page)
    if not near:
        page.get_by_role("button", name="Whole board").tap()
        expect(page.get_by_role("button", name="Look closer")).to_be_visible()
    slide(page, "yellow4", "5")
    turn_of(page, "red")


@pytest.mark.parametrize("path", ["/", "/phone"])
def test_a_finger_that_begins_beside_a_piece_scrolls(path: str, visit: Open) -> None:
    page = visit(path, **PHONE)
    german(page)
    expect(page.locator('[data-piece="yellow4"].movable')).to_be_visible()
    board = page.locator("svg.board")
    board.scroll_into_view_if_needed()
    before = scrolled(page)
    x, y = middle(page.locator('[data-place="3"]'))
    swipe(page, (x, y), (x, y - 150))
    wait_for(page, f"scrollY > {before} + 50")
    phase(page, "move")


# -- what sensors do not feel ----------------------------------------------------------------------


def play(page: Page, *faces: int) -> None:
    """Roll these, and make the first move that is listed."""
    for face in faces:
        phase(page, "roll")
        do(page, do="roll", face=face)
        phase(page, "move")
        page.locator(".move").first.click()
        phase(page, "roll")


def roll(page: Page, face: int) -> None:
    do(page, do="roll", face=face)
    phase(page, "move")


def standing_on(page: Page, place: str) -> str:
    """The piece that the page draws on a square."""
    square = page.locator(f'[data-place="{place}"]')
    square.scroll_into_view_if_needed()
    x, y = middle(square)
    found = page.evaluate(
        "([x, y]) => document.elementsFromPoint(x, y).map((one) => "
        "one.closest('[data-piece]')?.dataset.piece).find(Boolean)",
        [x, y],
    )
    return str(found)


DRAGGING = pytest.mark.parametrize(("hand", "seen"), [(drag, {}), (slide, PHONE)])
"""Who taps one piece and then another that can move has taken that one instead."""


@DRAGGING
def test_a_piece_set_on_an_own_one_has_its_reason_until_it_is_put_back(
    hand: Callable[[Page, str, str], None], seen: dict[str, Any], visit: Open
) -> None:
    page = visit(**seen)
    begin(page)
    play(page, 3, 5, 6)
    roll(page, 3)  # yellow stands on 1 and 4
    reason = page.locator(".verdict .reason")
    piece = standing_on(page, "1")
    hand(page, piece, "4")
    phase(page, "illegal")
    expect(reason).to_have_text(["Your own piece is on square 4."])
    expect(page.locator(".verdict .clause")).to_have_text("Rule G8")
    expect(page.locator(".verdict .step")).to_have_text(["Yellow: 4 → 1"])
    hand(page, standing_on(page, "4"), "1")
    phase(page, "move")
    expect(reason).to_have_count(0)
    hand(page, standing_on(page, "4"), "7")
    turn_of(page, "red")
    expect(reason).to_have_count(0)


@DRAGGING
def test_a_piece_from_the_base_set_on_an_own_one_has_its_reason(
    hand: Callable[[Page, str, str], None], seen: dict[str, Any], visit: Open
) -> None:
    page = visit(**seen)
    begin(page)
    roll(page, 3)
    hand(page, "yellow1", "1")
    reason = page.locator(".verdict .reason")
    phase(page, "illegal")
    expect(reason.first).to_have_text("Only a 6 brings a piece in, you rolled 3.")
    expect(page.locator(".verdict .step")).to_have_text(["Yellow: 1 → base"])
    hand(page, standing_on(page, "1"), "Y.B1")
    phase(page, "move")
    hand(page, standing_on(page, "1"), "4")
    turn_of(page, "red")
    expect(reason).to_have_count(0)


def test_where_two_of_a_colour_may_stand_nothing_is_said_of_it(visit: Open) -> None:
    page = visit()
    do(page, do="new_game", sheet="parchis", seats=["yellow", "red"], sensing="presence")
    phase(page, "opening")
    do(page, do="roll", face=6)
    turn_of(page, "yellow")
    do(page, do="roll", face=1)
    turn_of(page, "red")
    play(page, 5, 5)
    roll(page, 5)
    drag(page, "red1", "1")
    turn_of(page, "yellow")
    expect(page.locator(".verdict .reason")).to_have_count(0)


# -- taking back on a phone ------------------------------------------------------------------------


def a_players_phone(visit: Open, at: Process, colour: str = "yellow") -> Page:
    return visit(
        f"/P/{Players(at.journal.parent).key(colour)}", at=at, extra_http_headers=AWAY, **PHONE
    )


def taken_back(phone: Page) -> Locator:
    """Take yellow's move back on a phone; what it then says of the pieces."""
    turn_of(phone, "red")
    phone.get_by_role("button", name="Take back").tap()
    phase(phone, "restore")
    return phone.locator("#main > .hint:not(.lan)")


@pytest.mark.parametrize("hand", [carry, slide])
@pytest.mark.parametrize("own", [True, False])
def test_a_phone_that_takes_back_puts_the_piece_back(
    own: bool, hand: object, visit: Open, unused: Process
) -> None:
    unused.kill()
    Players(unused.journal.parent).key("yellow")
    unused.start()
    table = visit(at=unused)
    german(table)
    phone = a_players_phone(visit, unused) if own else visit("/phone", at=unused, **PHONE)
    phase(phone, "move")
    tap(phone, phone.locator(".move"))
    how = "Tap the piece, then where its arrow leads."
    expect(taken_back(phone)).to_have_text(how)
    carry(phone, "yellow4", "3")  # not there
    expect(phone.locator(".oops")).to_have_text(how)
    phase(phone, "restore")
    hand(phone, "yellow4", "1")  # type: ignore[operator]
    phase(phone, "move")
    turn_of(phone, "yellow")
    slide(phone, "yellow4", "5")
    turn_of(phone, "red")


def test_a_phone_at_a_real_table_says_who_puts_the_piece_back(visit: Open, tmp_path: Path) -> None:
    process = Process(tmp_path / "games.db", real=True)
    table = visit(at=process)
    german(table)
    drag(table, "yellow4", "5")
    phone = visit("/phone", at=process.real, **PHONE)
    expect(taken_back(phone)).to_have_text(
        "Somebody at the table has to put this right: the board sees it there."
    )
    drag(table, "yellow4", "1")
    phase(phone, "move")
    process.stop()


# -- keys ------------------------------------------------------------------------------------------


def test_tab_goes_from_piece_to_piece_in_one_order_whatever_was_lifted(visit: Open) -> None:
    page = visit()
    german(page)
    page.locator(".move").click()
    turn_of(page, "red")
    do(page, do="roll", face=6)
    phase(page, "move")
    page.locator(".move").first.click()
    phase(page, "roll")
    do(page, do="roll", face=6)
    phase(page, "move")
    page.locator(".board-card").focus()
    stops = page.locator('[data-piece][tabindex="0"]')
    assert stops.count() > 1
    before = [str(one.get_attribute("data-piece")) for one in stops.all()]
    for piece in before:
        page.keyboard.press("Tab")
        expect(page.locator(f'[data-piece="{piece}"]')).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator(f'[data-piece="{piece}"].held')).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator(".held")).to_have_count(0)
        expect(page.locator(f'[data-piece="{piece}"]')).to_be_focused()
    assert [one.get_attribute("data-piece") for one in stops.all()] == before


def test_the_space_bar_rolls_after_practise_was_opened_and_enter_closes_it(visit: Open) -> None:
    page = visit()
    begin(page)
    summary, practice = page.locator(".practice summary"), page.locator(".practice")
    summary.click()
    expect(practice).to_have_attribute("open", "")
    page.keyboard.press("Space")
    phase(page, "move")
    expect(practice).to_have_attribute("open", "")
    expect(summary).to_be_focused()
    page.keyboard.press("Enter")
    expect(practice).not_to_have_attribute("open", "")
    page.keyboard.press("Space")  # nothing is to be rolled
    expect(practice).to_have_attribute("open", "")


# -- cards -----------------------------------------------------------------------------------------


def red_lays_three(page: Page) -> None:
    """A game of cards in which red has rolled a 3: a card on stack 3 is right."""
    do(page, do="new_game", sheet="cards", seats=["red", "yellow"], sensing="touch")
    phase(page, "opening")
    for face in (6, 1, 3):
        do(page, do="roll", face=face)
    phase(page, "move")


@pytest.mark.parametrize("key", [False, True])
def test_a_wrong_card_is_seen_and_taken_off_with_a_tap(key: bool, visit: Open) -> None:
    page = visit(**PHONE)
    red_lays_three(page)
    stack, card = page.locator('[data-place="R.1"]'), page.locator(".wrong-cards .card")
    stack.tap()
    phase(page, "illegal")
    expect(page.locator(".verdict")).to_contain_text("Red: take a card off stack 1.")
    expect(card).to_have_count(1)
    expect(page.locator(".play-side .hint")).to_have_text("Tap the stack to take the card off.")
    expect(stack).to_have_attribute("aria-label", "red stack 1: 0 of 6, and a card to take off")
    assert violations(page) == []
    stack.press("Enter") if key else stack.tap()
    phase(page, "move")
    expect(card).to_have_count(0)
    expect(page.locator(".verdict.wrong")).to_have_count(0)
    expect(stack).to_have_attribute("aria-label", "red stack 1: 0 of 6")
    page.locator('[data-place="R.3"]').tap()
    turn_of(page, "yellow")


def test_a_card_is_not_taken_off_while_nobody_hears_it(visit: Open) -> None:
    page = visit()
    red_lays_three(page)
    stack, card = page.locator('[data-place="R.1"]'), page.locator(".wrong-cards .card")
    stack.click()
    expect(card).to_have_count(1)
    page.route("**/do", lambda route: route.abort())
    with page.expect_request("**/do"):
        stack.click()
    expect(card).to_have_count(1)
    page.unroute("**/do")
    stack.click()
    phase(page, "move")
    expect(card).to_have_count(0)


def test_a_card_that_was_taken_back_is_taken_off_with_a_tap(visit: Open) -> None:
    page = visit()
    red_lays_three(page)
    page.locator('[data-place="R.3"]').click()
    turn_of(page, "yellow")
    page.get_by_role("button", name="Take back").click()
    turn_of(page, "red")
    if page.locator(".turn.p-restore").count():
        page.locator('[data-place="R.3"]').click()
    phase(page, "move")
    expect(page.locator(".wrong-cards .card")).to_have_count(0)
    page.locator('[data-place="R.3"]').click()
    turn_of(page, "yellow")


def test_on_a_phone_what_is_said_does_not_lie_on_what_is_to_be_put_right(visit: Open) -> None:
    page = visit(**PHONE)
    begin(page)
    roll(page, 3)
    slide(page, "yellow1", "1")
    phase(page, "illegal")
    expect(page.locator(".verdict .reason")).to_have_count(3)
    said = page.locator(".verdict").bounding_box()
    board = page.locator(".board-card").bounding_box()
    assert said is not None
    assert board is not None
    assert board["y"] > -1
    assert board["y"] + board["height"] <= said["y"]


def two_can_move(page: Page, sensing: str) -> None:
    """Red has rolled a six: one on 9 can go on, and another enter."""
    do(page, do="new_game", sheet="british", seats=["red", "yellow"], sensing=sensing)
    phase(page, "opening")
    for colour, face in (("red", 6), ("yellow", 1), ("red", 6)):
        turn_of(page, colour)
        do(page, do="roll", face=face)
    phase(page, "move")
    page.locator(".move").first.click()
    play(page, 3)
    turn_of(page, "yellow")
    do(page, do="roll", face=1)
    turn_of(page, "red")
    roll(page, 6)


@pytest.mark.parametrize("path", ["/", "/phone"])
@pytest.mark.parametrize("sensing", ["presence", "touch", "choose"])
def test_another_piece_is_tapped_instead(path: str, sensing: str, visit: Open) -> None:
    """The first goes back to where it stood, and nothing is wrong."""
    page = visit(path, **PHONE)
    two_can_move(page, sensing)
    out, waiting = (page.locator(f'[data-piece="red{n}"]') for n in (4, 3))
    place = out.get_attribute("transform")
    tap(page, out.locator(".body"))
    expect(out).to_have_class(re.compile("held"))
    tap(page, waiting.locator(".body"))
    expect(waiting).to_have_class(re.compile("held"))
    expect(out).not_to_have_class(re.compile("held"))
    expect(out).to_have_attribute("transform", place or "")
    tap(page, out.locator(".body"))
    expect(out).to_have_class(re.compile("held"))
    tap(page, page.locator('[data-place="15"]'))
    phase(page, "roll")
    expect(page.locator(".oops:not([hidden]), .verdict.wrong")).to_have_count(0)


def test_escape_puts_a_piece_back_wherever_the_focus_is(visit: Open) -> None:
    page = visit()
    german(page)
    piece = page.locator('[data-piece="yellow4"]')
    piece.locator(".body").click()
    expect(piece).to_have_class(re.compile("held"))
    page.locator("header").click(position={"x": 3, "y": 3})
    page.keyboard.press("Escape")
    expect(piece).not_to_have_class(re.compile("held"))
    phase(page, "move")


@pytest.mark.parametrize("sensing", ["presence", "touch", "choose"])
def test_a_lifted_piece_is_in_no_hand_once_a_listed_move_is_played(
    sensing: str, visit: Open
) -> None:
    page = visit()
    two_can_move(page, sensing)
    out = page.locator('[data-piece="red4"]')
    out.locator(".body").click()
    expect(out).to_have_class(re.compile("held"))
    page.locator(".move").filter(has_text="new piece").click()
    phase(page, "roll")
    expect(out).not_to_have_class(re.compile("held"))
    do(page, do="roll", face=2)
    phase(page, "move")
    drag(page, "red4", "11")
    turn_of(page, "yellow")
    expect(page.locator(".oops:not([hidden]), .verdict.wrong")).to_have_count(0)


def test_a_piece_that_was_tapped_can_be_dragged(visit: Open) -> None:
    page = visit()
    german(page)
    piece = page.locator('[data-piece="yellow4"]')
    piece.locator(".body").click()
    expect(piece).to_have_class(re.compile("held"))
    drag(page, "yellow4", "5")
    turn_of(page, "red")


def test_with_buttons_a_piece_dropped_on_an_own_one_goes_back_and_is_told_why(visit: Open) -> None:
    """A press there would choose the other one without a word."""
    page = visit()
    begin(page, "touch")
    play(page, 3, 5, 6)
    roll(page, 3)  # yellow stands on 1 and 4
    piece = page.locator(f'[data-piece="{standing_on(page, "1")}"]')
    place = piece.get_attribute("transform")
    drag(page, standing_on(page, "1"), "4")
    expect(page.locator(".oops")).to_contain_text("Your own piece is on square 4. (Rule G8)")
    expect(piece).to_have_attribute("transform", place or "")
    phase(page, "move")
    drag(page, standing_on(page, "4"), "7")
    turn_of(page, "red")


def test_with_buttons_a_piece_dropped_where_another_has_to_leave_goes_back(visit: Open) -> None:
    """A press there would take up the one that has to leave, and it was that one that went on."""
    page = visit()
    german(page, "touch")
    drag(page, "yellow4", "9")
    phase(page, "illegal")
    piece = page.locator('[data-piece="red4"]')
    place = piece.get_attribute("transform")
    drag(page, "red4", "9")
    expect(page.locator(".oops")).to_contain_text("Tap the piece, then where its arrow leads.")
    expect(piece).to_have_attribute("transform", place or "")
    expect(page.locator(".verdict .step")).to_have_text(["Yellow: 9 → 1"])
    drag(page, "yellow4", "1")
    phase(page, "move")
    expect(page.get_by_text("Thank you, now the board is right.").first).to_be_visible()
    drag(page, "yellow4", "5")
    turn_of(page, "red")


def test_a_piece_dragged_out_of_the_part_that_is_shown_goes_back(visit: Open) -> None:
    """The rest of the board lies beyond the edge, and nobody sees where it would be put."""
    page = visit("/", **PHONE)
    german(page)
    piece = page.locator('[data-piece="yellow4"]')
    expect(piece).to_have_class(re.compile("movable"))
    page.locator("svg.board").scroll_into_view_if_needed()
    place = piece.get_attribute("transform")
    board = page.locator("svg.board").bounding_box()
    assert board is not None
    page.mouse.move(*middle(piece.locator(".body")))
    page.mouse.down()
    page.mouse.move(board["x"] + board["width"] / 2, board["y"] + board["height"] / 2, steps=4)
    page.mouse.move(board["x"] + board["width"] / 2, max(board["y"] - 12, 1), steps=4)
    page.mouse.up()
    expect(piece).not_to_have_class(re.compile("held"))
    expect(piece).to_have_attribute("transform", place or "")
    slide(page, "yellow4", "5")
    turn_of(page, "red")
    expect(page.locator(".oops:not([hidden]), .verdict.wrong")).to_have_count(0)


@pytest.mark.parametrize("hand", [drag, carry])
def test_where_moves_are_chosen_one_can_be_made_though_the_roll_after_it_was_refused(
    hand: Callable[[Page, str, str], None], visit: Open
) -> None:
    page = visit("/", **({} if hand is drag else PHONE))
    german(page, "choose")
    do(page, do="roll", face=4)
    phase(page, "illegal")
    expect(page.locator(".verdict .reason")).to_have_text(["First play what you have rolled."])
    hand(page, "yellow4", "5")
    turn_of(page, "red")


def test_of_pieces_in_a_base_another_is_taken_to_put_it_right(visit: Open) -> None:
    page = visit("/", **PHONE)
    german(page)
    slide(page, "yellow4", "Y.B4")
    phase(page, "illegal")
    expect(page.locator(".verdict .step")).to_have_text(["Yellow: base → 1"])
    first, other = (page.locator(f'[data-piece="yellow{n}"]') for n in (1, 2))
    tap(page, first.locator(".body"))
    expect(first).to_have_class(re.compile("held"))
    tap(page, other.locator(".body"))
    expect(other).to_have_class(re.compile("held"))
    expect(first).not_to_have_class(re.compile("held"))
    tap(page, page.locator('[data-place="1"]'))
    phase(page, "move")


def test_a_piece_in_the_hand_stays_there_while_something_else_changes(
    visit: Open, process: Process
) -> None:
    german(visit())
    phone = visit("/phone", **PHONE)
    phase(phone, "move")
    tap(phone, phone.locator(".man.movable .body"))
    expect(phone.locator(".man.held")).to_have_count(1)
    do(phone, do="seat", colour="red", level="fox")  # the first that is told since it was opened
    expect(phone.locator(".standing .c-red .who")).to_have_text("Fox")
    expect(phone.locator(".man.held")).to_have_count(1)

"""Playing by hand in a real browser, as a newcomer does: drags, taps and keys, no shortcuts."""

import re
import sqlite3
from collections.abc import Callable
from datetime import date
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.screens import labels
from companion.screens.languages import words
from companion.web.players import Players
from tests.web.by_hand import (
    before_capture,
    begin,
    box_of,
    carry,
    do,
    drag,
    games_of,
    german,
    held,
    middle,
    phase,
    tap,
    turn_of,
    violations,
)
from tests.web.conftest import Open, Process
from tests.web.tables import AWAY, PIN
from tests.web.whole_games import Player

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
    ("sensing", "wants"), [("presence", "Drag"), ("touch", "buttons"), ("choose", "from the list")]
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
    expect(page.locator(".play-side .hint")).to_have_text(
        "Tap the piece, then where its arrow leads."  # this is no moment to try something out
    )
    drag(page, "yellow4", "1")
    phase(page, "move")
    drag(page, "yellow4", "5")
    turn_of(page, "red")


def test_where_moves_are_chosen_a_piece_that_goes_nowhere_goes_back(visit: Open) -> None:
    page = visit()
    german(page, "choose")
    drag(page, "yellow4", "9")
    expect(page.locator(".oops")).to_have_text("That is 8 squares, you rolled 4. (Rule O8)")
    expect(page.locator('[data-piece="yellow4"]')).to_have_attribute(
        "aria-label", "yellow piece, 1"
    )
    phase(page, "move")


@pytest.mark.parametrize(
    ("sheet", "sensing", "hand"),
    [
        ("parchis", "touch", "mouse"),
        ("british", "presence", "touch"),
        ("pairs", "presence", "keys"),
    ],
)
def test_honest_moves_are_neither_refused_nor_blamed(
    sheet: str, sensing: str, hand: str, visit: Open
) -> None:
    """A few moves of what `python -m tests.web.whole_games` plays to its end."""
    size = {"width": 360, "height": 740} if hand == "touch" else {"width": 1280, "height": 800}
    page = visit(viewport=size, has_touch=hand == "touch")
    played = Player(page, hand, Random(sheet)).play(sheet, sensing, 3)
    assert played.moves == 3
    assert (played.refused, played.blamed) == ([], [])


# -- captures --------------------------------------------------------------------------------------


@pytest.mark.parametrize("sensing", WAYS)
def test_whoever_is_captured_is_carried_home(sensing: str, visit: Open) -> None:
    page = visit()
    before_capture(page, sensing)
    expect(page.locator(".move .hit")).to_have_text("↯")
    drag(page, "red4", "6")
    turn_of(page, "yellow")
    phase(page, "roll")
    nobody_is_blamed(page)
    expect(page.locator('[data-piece^="yellow"][aria-label="yellow piece, base"]')).to_have_count(4)
    expect(page.locator(".history")).to_contain_text("is captured")


@pytest.mark.parametrize("sensing", ["presence", "touch"])
def test_a_miscounted_capture_is_explained_and_dragged_back(sensing: str, visit: Open) -> None:
    page = visit()
    german(page, sensing)
    drag(page, "yellow4", "21")
    phase(page, "illegal")
    reason, steps = page.locator(".verdict .reason"), page.locator(".verdict .step")
    expect(reason).to_have_text("That is 20 squares, you rolled 4.")
    captured = ["Red: base → 21"] if sensing == "presence" else []
    expect(steps).to_have_text(["Yellow: 21 → 1", *captured])
    page.mouse.move(*middle(page.locator('[data-place="21"]')))  # whoever lies on top
    page.mouse.down()
    page.mouse.move(*middle(page.locator('[data-place="1"]')), steps=12)
    page.mouse.up()
    if sensing == "presence":
        expect(steps).to_have_text(captured)
        expect(reason).to_have_text("That is 20 squares, you rolled 4.")
        drag(page, "red4", "21")
    phase(page, "move")
    expect(page.locator(".verdict")).to_contain_text("now the board is right")
    drag(page, "yellow4", "5")
    turn_of(page, "red")
    nobody_is_blamed(page)


def play(player: Player, sheet: str, faces: list[int], which: int) -> None:
    """Begin a game of red and yellow; for each face make this one of the moves that are listed."""
    wishes = {"do": "new_game", "sheet": sheet, "seats": ["red", "yellow"], "sensing": "presence"}
    do(player.page, **wishes)
    for deeds, face in enumerate(faces):
        player.until(lambda now, deeds=deeds: now["deeds"] == deeds and not now["face"])  # type: ignore[misc]
        do(player.page, do="roll", face=face)
        told = player.until(lambda now, deeds=deeds: now["deeds"] > deeds or now["face"])  # type: ignore[misc]
        if told["face"]:
            do(player.page, do="move", move=told["legal"][which]["move"])
    player.until(lambda now: now["deeds"] == len(faces) and not now["face"])


def carry_one(player: Player, face: int, text: str) -> None:
    """Roll a face and carry the piece of a move, as it is written."""
    do(player.page, do="roll", face=face)
    told = player.until(lambda now: now["phase"] == "move")
    player.carry(told, next(move for move in told["legal"] if move["text"] == text))
    player.until(lambda now: now["deeds"] > told["deeds"] or now["phase"] == "ask")
    expect(player.page.locator(".turn.p-ask")).to_have_count(0)
    nobody_is_blamed(player.page)


def test_who_is_set_where_colours_stand_side_by_side_is_told_why_it_may_not(visit: Open) -> None:
    player = Player(visit(), "mouse", Random(1))
    page = player.page
    play(player, "indian", [6, 1, 6, 3, 6, 6, 1], 0)  # yellow has one on 27, where it is safe
    do(page, do="roll", face=2)
    told = player.until(lambda now: now["phase"] == "move")
    (red,) = (one["id"] for one in told["sim"]["pieces"] if one["place"] == "4")
    drag(page, red, "27")
    phase(page, "illegal")
    expect(page.locator(".verdict .reason")).to_have_text("That is 23 squares, you rolled 2.")
    expect(page.locator(".verdict .step")).to_have_text(["Red: 27 → 4"])
    page.mouse.move(*middle(page.locator('[data-place="27"]')))  # whoever lies on top
    page.mouse.down()
    page.mouse.move(*middle(page.locator('[data-place="4"]')), steps=12)
    page.mouse.up()
    phase(page, "move")
    expect(page.locator(".verdict .reason")).to_have_count(0)
    expect(page.locator(f'[data-piece="{red}"]')).to_have_attribute("aria-label", "red piece, 4")


def test_a_move_from_a_stack_to_a_stack_counts_though_no_sensor_sees_it(visit: Open) -> None:
    player = Player(visit(), "mouse", Random(1))
    play(player, "british", [6, 1, 6, 1, 1, 6, 6], 0)  # the third 1 is yellow's, for nothing
    carry_one(player, 1, "6→7")
    turn_of(player.page, "yellow")


def test_on_a_square_of_two_colours_the_one_whose_turn_it_is_is_taken(visit: Open) -> None:
    player = Player(visit(), "mouse", Random(1))
    to_9 = [face for own in (5, 5, 5, 5, 5, 5, 4) for face in (own, 2)]
    play(player, "indian", [1, 6, 6, *to_9[:-1], 6, 6], -1)
    carry_one(player, 2, "7→9")  # nobody is asked whether that was it
    carry_one(player, 3, "9→12")
    standing = {one["id"]: one["place"] for one in player.told["sim"]["pieces"]}
    assert "12" in {place for name, place in standing.items() if name.startswith("yellow")}


def test_a_piece_set_out_of_turn_on_who_is_to_move_is_explained_and_goes_back(visit: Open) -> None:
    """Sensors would not see that the colours were swapped; the page knows, and nobody checks."""
    page = visit()
    before_capture(page)
    drag(page, "yellow4", "1")  # onto red, who stands there
    phase(page, "illegal")
    steps = page.locator(".verdict .step")
    expect(steps).to_have_text(["Yellow: 1 → 6", "Red: base → 1"])
    drag(page, "yellow4", "6")
    expect(steps).to_have_text(["Red: base → 1"])
    drag(page, "red4", "1")
    phase(page, "move")
    expect(page.locator(".verdict")).to_contain_text("now the board is right")
    expect(page.locator(".turn .quiet-line")).to_be_empty()
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


# -- one six too many ------------------------------------------------------------------------------


def third_six(page: Page, sensing: str) -> str:
    """A game of Parchís in which the third six lies there; the piece that has to go back."""
    do(page, do="new_game", sheet="parchis", seats=["red", "yellow"], sensing=sensing)
    phase(page, "opening")
    for face, mover in ((6, "yellow"), (1, "red")):
        do(page, do="roll", face=face)
        turn_of(page, mover)
    for face, mover in ((5, "red"), (5, "yellow"), (6, "red"), (6, "red")):
        turn_of(page, mover)
        phase(page, "roll")
        do(page, do="roll", face=face)
        phase(page, "move")
        page.locator(".move").first.click()
        expect(
            page.locator(f".turn.p-roll.c-{'red' if face == 6 else other(mover)}")
        ).to_be_visible()
    do(page, do="roll", face=6)
    phase(page, "move")
    return str(page.locator(".man.movable").get_attribute("data-piece"))


def other(colour: str) -> str:
    return "yellow" if colour == "red" else "red"


@pytest.mark.parametrize("sensing", WAYS)
@pytest.mark.parametrize("hand", [drag, carry, "ring", "list", "keys"])
def test_the_third_six_takes_a_piece_to_its_base_by_every_hand(
    sensing: str, hand: Any, visit: Open
) -> None:
    page = visit(has_touch=True)
    piece = third_six(page, sensing)
    expect(page.locator(".move")).to_have_text(re.compile(r"\d+ back to its base"))
    expect(page.locator(".verdict")).to_contain_text("one six too many")
    expect(page.locator(".verdict .clause")).to_have_text("Rule S6")
    ring = page.locator("circle.target")
    expect(ring).to_have_count(1)
    at, waits = middle(ring), page.locator('[data-piece^="red"] .body')
    for one in range(waits.count()):  # no piece hides it
        x, y = middle(waits.nth(one))
        assert abs(x - at[0]) + abs(y - at[1]) > 10
    if hand == "ring":
        tap(page, ring)
    elif hand == "list":
        page.keyboard.press("1")
    elif hand == "keys":
        page.locator(f'[data-piece="{piece}"]').focus()
        page.keyboard.press("Enter")
        for _ in range(20):
            page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
    else:
        hand(page, piece, free_place(page))
    turn_of(page, "yellow")
    phase(page, "roll")
    nobody_is_blamed(page)
    expect(page.locator('[data-piece^="red"][aria-label="red piece, base"]')).to_have_count(4)
    expect(page.locator(".history")).to_contain_text("→ base")


def free_place(page: Page) -> str:
    """The place of red's base under the ring."""
    x, y = middle(page.locator("circle.target"))
    for number in range(1, 5):
        to_x, to_y = middle(page.locator(f'[data-place="R.B{number}"]'))
        if abs(x - to_x) + abs(y - to_y) < 10:
            return f"R.B{number}"
    raise AssertionError("the ring is not in the base")


@pytest.mark.parametrize("view", ["/phone", "/kiosk"])
def test_phone_and_big_screen_say_of_the_third_six_what_the_table_says(
    view: str, visit: Open
) -> None:
    page = visit()
    third_six(page, "presence")
    there = visit(view)
    expect(there.locator(".verdict")).to_contain_text("one six too many")
    expect(there.locator(".verdict .clause")).to_have_text("Rule S6")
    expect(there.locator("circle.target")).to_have_count(1)
    expect(there.locator("body")).not_to_contain_text("to home")
    if view == "/phone":
        expect(there.locator(".move")).to_have_text(re.compile(r"\d+ back to its base"))


# -- what is said ----------------------------------------------------------------------------------


def test_no_move_is_one_line_with_the_name_of_who_rolled(visit: Open) -> None:
    page = visit()
    before_capture(page, names={"yellow": "Anna", "red": "Ben"})
    drag(page, "red4", "6")
    turn_of(page, "yellow")
    below = box_of(page.locator(".places"))
    do(page, do="roll", face=3)
    turn_of(page, "red")
    said = page.locator(".verdict")
    expect(said).to_contain_text("Anna rolled 3: nothing can move.")
    expect(said).not_to_contain_text("you rolled")
    assert box_of(page.locator(".places")) == below
    expect(said.locator(".says")).to_be_hidden()
    said.get_by_text("Why?").click()
    expect(said.locator(".says")).to_have_count(1)
    expect(said.locator(".says")).to_contain_text("Only a six brings a piece from your base")


def _throws(wish: str | None) -> bool:
    return wish == '{"do":"roll"}'


def test_who_presses_twice_in_a_row_or_holds_the_key_rolls_once(visit: Open) -> None:
    page = visit()
    throws: list[str] = []
    page.on("request", lambda sent: throws.append(sent.url) if _throws(sent.post_data) else None)
    for press in ("click", "key"):
        begin(page)
        if press == "click":
            page.locator(".die-button").dblclick()
        else:
            page.locator(".board-card").focus()
            page.keyboard.down("Space")
            page.keyboard.down("Space")
            page.keyboard.up("Space")
        turn_of(page, "yellow")
        phase(page, "move")
    assert len(throws) == 2


def test_a_roll_too_many_leaves_nothing_to_put_right(visit: Open) -> None:
    page = visit()
    german(page, names={"yellow": "Anna"})
    expect(page.locator(".history")).to_contain_text("Anna begins.")  # who is known by name
    do(page, do="roll", face=4)
    phase(page, "illegal")
    expect(page.locator(".todo")).to_have_text("Make your move.")
    expect(page.locator(".turn")).not_to_contain_text("put it right")
    drag(page, "yellow4", "5")
    turn_of(page, "red")


def test_questions_and_menus_have_their_titles_and_statistics_their_figures(visit: Open) -> None:
    page = visit()
    german(page, names={"red": "W" * 20})
    drag(page, "yellow4", "5")
    turn_of(page, "red")
    page.get_by_role("button", name="Hold OK").click()
    phase(page, "menu")
    expect(page.get_by_role("heading", name="Menu")).to_be_visible()
    page.locator(".moves").get_by_role("button", name="Statistics").click()
    expect(page.get_by_role("heading", name="Statistics")).to_be_visible()
    expect(page.locator(".tallies tbody tr")).to_have_count(2)
    expect(page.locator(".tallies tbody tr").first).to_contain_text("Yellow")
    inside = """(table) => table.getBoundingClientRect().right <=
        table.closest(".card").getBoundingClientRect().right"""
    assert page.locator(".tallies table").evaluate(inside)


def test_menus_of_a_simulated_table_speak_to_somebody_with_only_a_browser(visit: Open) -> None:
    page = visit()
    begin(page)
    menu = page.locator(".moves")
    page.get_by_role("button", name="Hold OK").click()
    expect(menu.get_by_role("button", name="Stop the program")).to_be_visible()
    expect(menu).not_to_contain_text("Shut down")
    menu.get_by_role("button", name="Stop the program").click()
    expect(page.get_by_role("dialog")).to_contain_text("the game is kept")
    page.get_by_role("button", name="Cancel").click()
    menu.get_by_role("button", name="Settings").click()
    seen = menu.get_by_role("button", name="How moves are seen")
    expect(seen).to_contain_text("sensors under the squares")
    expect(menu).not_to_contain_text("Brightness")  # of a screen that is only a picture
    expect(menu).not_to_contain_text("Upside down")
    seen.click()
    expect(seen).to_contain_text("buttons at the squares")
    seen.click()
    expect(seen).to_contain_text("chosen from the list")
    digit = menu.get_by_role("button").count()  # keys count the lines that are shown
    expect(menu.get_by_role("button", name="How moves are seen")).to_have_attribute(
        "data-digit", str(digit - 1)
    )
    page.keyboard.press(str(digit))
    expect(page.get_by_role("heading", name="Menu")).to_be_visible()
    page.keyboard.press("1")
    phase(page, "roll")


def test_the_menu_of_a_simulated_table_asks_nobody_to_ignore_its_sensors(visit: Open) -> None:
    page = visit()
    german(page)
    drag(page, "yellow1", "9")
    phase(page, "illegal")
    page.get_by_role("button", name="Hold OK").click()
    expect(page.locator(".moves").get_by_role("button", name="Settings")).to_be_visible()
    expect(page.locator(".moves")).not_to_contain_text(re.compile("sensor", re.IGNORECASE))


def test_an_arrow_that_was_hovered_does_not_hide_the_remedy(visit: Open) -> None:
    page = visit()
    german(page)
    page.locator(".move").hover()
    expect(page.locator(".above .way")).to_have_count(1)
    do(page, do="lift", piece="yellow4")
    do(page, do="put", piece="yellow4", place="9")
    phase(page, "illegal")
    expect(page.locator(".above .remedy")).to_have_count(1)
    expect(page.locator(".above .way")).to_have_count(0)


def test_no_arrow_leaves_the_board_or_is_lost_on_a_piece_of_its_colour(visit: Open) -> None:
    """What is drawn beyond its edge is cut off; each line and tip stands out by its halo."""
    page = visit()
    do(page, do="new_game", sheet="german", seats=["yellow", "green"])
    phase(page, "opening")
    inside = """(board) => [...board.querySelectorAll(".above .line")].map((line) => {
        const [at, whole, room] = [line.getBBox(), board.viewBox.baseVal, 0.13];
        const within = (from, size, edge, all) =>
            from - room >= edge && from + size + room <= edge + all;
        return within(at.x, at.width, whole.x, whole.width) &&
            within(at.y, at.height, whole.y, whole.height);
    })"""
    board = page.locator(".board")
    drag(page, "green1", "9")
    phase(page, "illegal")
    expect(page.locator(".above .line")).to_have_count(1)
    assert board.evaluate(inside) == [True]
    assert page.locator(".above .halo").count() == 1
    edged = """(line) => {
        const tip = getComputedStyle(line).markerEnd.slice(5, -2);
        return getComputedStyle(document.querySelector(`${tip} path`)).stroke;
    }"""
    assert page.locator(".above .line").evaluate(edged) != "none"
    page.locator('[data-piece="green1"]').press("Enter")
    expect(page.locator(".above .ring")).to_have_count(1)  # in the hand: only where to is shown
    assert board.evaluate(inside) == [True]
    assert page.locator(".above .halo").count() == 1


def test_a_right_move_beside_a_piece_pushed_aside_is_said_to_count(
    visit: Open, unused: Process
) -> None:
    """A board that knows its pieces would call it moved; one with a sensor set aside does not."""
    page = visit(at=unused)  # its sensor stays aside
    german(page)
    do(page, do="set_aside", place="R.B1")
    drag(page, "red4", "22")
    expect(page.locator(".turn .quiet-line")).to_have_text("Put Red from 22 to 21.")
    expect(page.locator(".todo")).to_have_text("Make your move.")
    below = box_of(page.locator(".places"))
    drag(page, "yellow4", "5")
    expect(page.locator(".todo")).to_have_text("Your move counts. Still to do:")
    expect(page.locator(".turn .quiet-line")).to_have_text("Put Red from 22 to 21.")
    phone = visit("/phone", at=unused)
    expect(phone.locator("#main > .hint:not(.lan)")).to_contain_text("Somebody at the table")
    page.locator('[data-piece="yellow4"]').hover()
    expect(page.locator(".above .remedy")).to_have_count(1)
    expect(page.locator(".above .way")).to_have_count(0)
    ink = "(node) => getComputedStyle(node).color"
    plain = page.locator(".todo").evaluate(ink)
    assert page.locator(".turn .quiet-line").evaluate(ink) == plain, "no grey line"
    expect(page.locator(".moves")).to_have_text(
        "Your move is made. To change it, move the piece again."
    )
    expect(page.locator(".target")).to_have_count(0)
    assert box_of(page.locator(".places")) == below
    page.keyboard.press("1")  # plays nothing
    made = page.locator('[data-piece="yellow4"]')
    expect(made).to_have_attribute("aria-label", "yellow piece, 5")
    expect(made).to_have_attribute("tabindex", "0")
    drag(page, "red4", "21")
    turn_of(page, "red")
    expect(page.locator(".todo")).to_have_text("Roll the die.")
    expect(page.locator(".turn .quiet-line")).to_have_text("")


@pytest.mark.parametrize("path", ["/", "/phone"])
def test_whoever_only_watches_is_told_whose_turn_it_is(path: str, visit: Open) -> None:
    table = visit()
    begin(table, names={"yellow": "Ida"})
    page = visit(path, extra_http_headers=AWAY)
    for now in ("roll", "move"):
        phase(page, now)
        expect(page.locator(".todo")).to_have_text("It is Ida's turn.")
        expect(page.locator(".moves")).to_be_hidden()
        if now == "roll":
            do(table, do="roll", face=4)
    do(table, do="pause")
    expect(page.locator(".todo")).to_have_text("The game is paused.")


def test_whoever_plays_against_the_box_presses_take_back_once_for_the_own_move(
    visit: Open,
) -> None:
    page = visit()
    german(page)
    page.locator(".standing .c-red select").select_option("fox")
    drag(page, "yellow4", "5")
    red = page.locator(".history .entry.c-red").filter(has_text="21 →")
    expect(red).to_have_count(1)
    turn_of(page, "yellow")
    phase(page, "roll")
    page.get_by_role("button", name="Take back").click()
    expect(red).to_have_count(0)
    expect(page.locator(".verdict")).to_contain_text("taken back, and the box's answer with it")
    steps = page.locator(".verdict .step")
    expect(steps).to_have_count(2)
    drag(page, "yellow4", "1")
    drag(page, "red4", "21")
    phase(page, "move")
    turn_of(page, "yellow")
    nobody_is_blamed(page)
    drag(page, "yellow4", "5")  # the roll lies there again


def test_take_back_is_offered_on_the_phone_as_soon_as_something_was_played(visit: Open) -> None:
    table, phone = visit(), visit("/phone")
    begin(table)
    phone.reload()
    phase(phone, "roll")
    do(table, do="roll", face=4)
    phase(phone, "move")
    phone.locator(".move").click()
    turn_of(phone, "red")
    expect(phone.get_by_role("button", name="Take back")).to_be_visible()


def test_after_a_restart_nobody_is_thanked_for_nothing(visit: Open, unused: Process) -> None:
    german(visit(at=unused))
    unused.stop()
    unused.start()
    for path in ("/", "/phone"):
        page = visit(path, at=unused)
        phase(page, "move")
        expect(page.locator('[data-piece="yellow4"].movable')).to_be_visible()
        expect(page.locator(".verdict")).to_have_text("")


@pytest.mark.parametrize("end", [Process.stop, Process.kill])
def test_after_a_restart_the_pieces_stand_where_hands_left_them(
    end: Callable[[Process], None], visit: Open, unused: Process
) -> None:
    """As on a real board: a piece that was put wrong is not put right behind people's backs."""
    page = visit(at=unused)
    german(page)
    drag(page, "yellow4", "9")
    phase(page, "illegal")
    end(unused)
    unused.start()
    page = visit(at=unused)
    expect(page.locator('[data-piece="yellow4"]')).to_have_attribute(
        "aria-label", "yellow piece, 9"
    )
    expect(page.locator(".verdict")).to_contain_text("9 → 1")
    drag(page, "yellow4", "1")
    phase(page, "move")
    drag(page, "yellow4", "5")
    turn_of(page, "red")


# -- the first minute ------------------------------------------------------------------------------


def test_a_newcomer_plays_against_the_box_with_one_press(visit: Open, unused: Process) -> None:
    phone = visit(at=unused, viewport={"width": 360, "height": 640})
    expect(phone.get_by_role("button", name="Play now against the box")).to_be_in_viewport(ratio=1)
    page = visit(at=unused)
    welcome = page.locator(".welcome")
    expect(welcome.locator("p")).to_have_count(3)
    expect(page.locator(".turn")).to_be_hidden()
    welcome.get_by_role("button", name="Play now against the box").click()
    phase(page, "opening")
    expect(welcome).to_be_hidden()
    expect(page.locator(".roll-label")).to_have_text("Roll")
    expect(page.locator(".face-button").first).to_be_hidden()
    page.get_by_role("button", name="Roll the die").click()
    expect(page.locator(".history .entry.c-red").first).to_be_attached()  # the box rolls by itself
    page.locator(".practice summary").click()
    expect(page.locator(".face-button").first).to_be_visible()


@pytest.mark.parametrize("sheet", ["German", "Dutch"])
def test_every_option_of_the_form_says_what_it_means(sheet: str, visit: Open) -> None:
    page = visit()
    page.get_by_role("button", name="New game").click()
    form = page.get_by_role("dialog")
    form.get_by_text(sheet, exact=True).click()
    meanings = form.locator("fieldset").first.locator("small")
    options = form.locator("fieldset").first.locator("input, select")
    assert meanings.count() == options.count() > 0
    for text in meanings.all_inner_texts():
        assert len(text) > 15, text


def test_space_and_digits_play_a_game_and_tab_finds_what_can_move(visit: Open) -> None:
    page = visit()
    page.get_by_role("button", name="New game").click()
    page.keyboard.press("Escape")
    begin(page)
    page.get_by_role("button", name="New game").press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Start the game").press("Enter")
    page.get_by_role("dialog", name="under way").get_by_role("button", name="Start").press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    phase(page, "opening")
    page.keyboard.press("Space")  # the dialog stays closed, the die is rolled
    expect(page.locator(".history .entry")).to_have_count(1)
    expect(page.get_by_role("dialog")).to_have_count(0)
    begin(page)
    do(page, do="roll", face=4)
    phase(page, "move")
    page.locator(".board-card").focus()
    page.keyboard.press("Tab")
    expect(page.locator('[data-piece="yellow4"]')).to_be_focused()
    page.keyboard.press("Enter")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    turn_of(page, "red")
    phase(page, "roll")
    page.keyboard.press("Space")  # rolls, though a piece has the focus
    expect(page.locator(".turn.p-roll.c-red")).to_have_count(0)
    german(page)
    page.keyboard.press("1")
    turn_of(page, "red")
    nobody_is_blamed(page)


def test_the_space_bar_rolls_after_a_dialog_is_closed(visit: Open) -> None:
    page = visit()
    begin(page)
    rules = page.get_by_role("button", name="Rules", exact=True)
    rules.click()
    expect(page.get_by_role("dialog")).to_be_visible()  # its clauses have to be fetched first
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)  # gone, and the keyboard is at the board
    page.keyboard.press("Space")
    phase(page, "move")
    expect(page.get_by_role("dialog")).to_have_count(0)
    rules.press("Enter")  # while nobody has to roll, the keyboard goes on where it was
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(rules).to_be_focused()


def test_tab_visits_what_can_move_before_anything_else(visit: Open) -> None:
    """Whoever presses Tab and Enter, as in every turn, does not make the box play."""
    page = visit()
    german(page)
    page.locator(".board-card").focus()

    def by_keys(piece: str, steps: int) -> None:
        page.keyboard.press("Tab")
        expect(page.locator(f'[data-piece="{piece}"]')).to_be_focused()
        for key in ("Enter", *["ArrowRight"] * steps, "Enter"):
            page.keyboard.press(key)
        phase(page, "roll")

    by_keys("yellow4", 4)
    do(page, do="roll", face=3)  # by somebody else: the keyboard is where it was
    phase(page, "move")
    by_keys("red4", 3)
    page.keyboard.press("Space")
    phase(page, "move")
    page.keyboard.press("Tab")
    expect(page.locator('[data-piece^="yellow"]:focus')).to_have_count(1)  # a six moves another


# -- what cannot be undone is asked first, who plays, and room for names ---------------------------


def test_ending_and_starting_anew_are_asked_first(visit: Open) -> None:
    page = visit()
    german(page)
    page.get_by_role("button", name="Hold OK").click()
    phase(page, "menu")
    page.locator(".moves").get_by_role("button", name="End this game").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    phase(page, "menu")
    page.locator(".moves").get_by_role("button", name="Back").click()
    phase(page, "move")
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("dialog", name="under way").get_by_role("button", name="Cancel").click()
    phase(page, "move")


def test_stopping_autoplay_leaves_the_box_its_seats(visit: Open) -> None:
    page = visit()
    do(page, do="new_game", sheet="cards", seats=["red", "yellow"], box={"yellow": "cat"})
    do(page, do="auto", on=False, pace=10)  # so slow that nobody wins meanwhile
    phase(page, "opening")
    page.get_by_role("button", name="Autoplay").click()
    page.get_by_role("button", name="Stop autoplay").click()
    places = page.locator(".places")
    expect(places.get_by_label("Who plays yellow")).to_have_value("cat")
    places.get_by_label("Who plays yellow").select_option("person")
    expect(places.locator("li.c-yellow .who")).to_have_text("Yellow")
    places.get_by_label("Who plays red").select_option("fox")
    expect(places.locator("li.c-red .who")).to_have_text("Fox")
    do(page, do="seat", colour="red")
    do(page, do="auto", on=False, pace=0)


@pytest.mark.parametrize(
    ("view", "size"), [("/", (1280, 800)), ("/kiosk", (1920, 1080)), ("/kiosk", (1080, 1920))]
)
def test_long_names_stay_in_their_room(view: str, size: tuple[int, int], visit: Open) -> None:
    page = visit(view, viewport={"width": size[0], "height": size[1]})
    names = {"yellow": "Maximiliane", "red": "Jean-Baptiste-Louis"}
    begin(page, names=names)
    turn = box_of(page.locator(".turn-name"))
    assert turn["width"] > 2 * turn["height"]  # not one letter a line
    for row in page.locator(".standing li").all():
        who, bar = (box_of(row.locator(part)) for part in (".who", ".bar"))
        beside, above = who["x"] + who["width"] <= bar["x"], who["y"] + who["height"] <= bar["y"]
        assert beside or above
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.parametrize(
    ("view", "size"), [("/", (1280, 800)), ("/kiosk", (1920, 1080)), ("/kiosk", (1080, 1920))]
)
def test_names_are_whole_where_there_is_room(view: str, size: tuple[int, int], visit: Open) -> None:
    page = visit(view, viewport={"width": size[0], "height": size[1]})
    names = {"yellow": "Maximiliane", "red": "Jean-Baptiste-Louis"}
    begin(page, names=names)
    whole = "(all) => all.map((one) => one.scrollWidth <= one.clientWidth)"
    assert page.locator(".standing .who").evaluate_all(whole) == [True, True]
    if view == "/":
        page.get_by_role("tab", name="Charts").click()
        expect(page.locator(".chart .label")).to_have_text(list(names.values()))
        clear = """(all) => all.map((one) => {
            const { left } = one.getBoundingClientRect();
            return left >= one.ownerSVGElement.getBoundingClientRect().left;
        })"""
        assert page.locator(".chart .label").evaluate_all(clear) == [True, True]


BROKEN_AT = """({ firstChild: text }) => {
    const one = document.createRange();
    const letters = [...text.data].map((letter, n) => {
        one.setStart(text, n);
        one.setEnd(text, n + 1);
        const top = [...one.getClientRects()].at(-1)?.top; // a hyphen may come first
        return { letter, top, broken: !"\u00ad -".includes(text.data[n - 1] ?? " ") };
    }).filter(({ letter }) => !"\u00ad ".includes(letter));
    const lower = ({ top }, n) => n && top > letters[n - 1].top + 4;
    return letters.filter(lower).filter(({ broken }) => broken).map(({ letter }) => letter);
}"""
"""Where a text goes on in the next line without a hyphen."""


@pytest.mark.parametrize(
    ("name", "syllables"),
    [
        ("Bartholomäusjohannes", "Bartho-lo-mäus-jo-han-nes"),
        ("Jean-Baptiste Ludwig", "Jean-Baptiste Ludwig"),  # it has places of its own
        ("W" * 20, "W" * 20),  # there is none: it is broken where its room ends
    ],
)
def test_the_longest_names_are_broken_between_syllables_and_not_cut_off(
    name: str, syllables: str, visit: Open
) -> None:
    page = visit()
    begin(page, names={"yellow": name})
    shown = page.locator(".turn-name")
    assert (shown.text_content() or "").replace("\u00ad", "-") == syllables
    assert shown.evaluate(BROKEN_AT) == [] or set(name) == {"W"}
    page.get_by_role("tab", name="Charts").click()
    label = page.locator(".chart .label").first
    expect(label).to_have_text(name)
    drawn, chart = box_of(label), box_of(page.locator(".chart svg:has(.label)"))
    assert chart["x"] <= drawn["x"]
    assert drawn["x"] + drawn["width"] <= chart["x"] + chart["width"]


@pytest.mark.parametrize("size", [(1280, 900), (360, 740)])
def test_the_form_shows_how_to_start_and_which_names_are_taken(
    size: tuple[int, int], visit: Open
) -> None:
    page = visit(viewport={"width": size[0], "height": size[1]})
    begin(page)
    do(page, do="seat", colour="red", level="butterfly")
    expect(page.get_by_label("Who plays red")).to_have_value("butterfly")
    page.get_by_role("button", name="New game").click()
    form = page.get_by_role("dialog")
    start = form.get_by_role("button", name="Start the game")
    expect(start).to_be_in_viewport(ratio=1)
    reds, blacks = form.get_by_label("Name of red"), form.get_by_label("Name of black")
    expect(reds).to_be_disabled()
    ground = "(field) => getComputedStyle(field).backgroundColor"
    assert reds.evaluate(ground) != blacks.evaluate(ground)
    form.get_by_label("Who plays yellow").select_option("nobody")
    start.click()
    expect(form.get_by_role("alert")).to_contain_text("two")
    expect(form.get_by_role("alert")).to_be_in_viewport(ratio=1)
    expect(start).to_be_in_viewport(ratio=1)


def test_the_form_says_in_a_sentence_that_nobody_answers(visit: Open) -> None:
    page = visit("/?lang=de")
    page.get_by_role("button", name="Neues Spiel").click()
    page.route("**/do", lambda route: route.abort())
    form = page.get_by_role("dialog")
    form.get_by_role("button", name="Spiel beginnen").click()
    if page.get_by_role("dialog").count() > 1:  # a game is on
        page.get_by_role("dialog").last.get_by_role("button", name="Spiel beginnen").click()
    expect(form.first.locator(".fault")).to_have_text(re.compile("^Der Tisch antwortet nicht"))


def test_a_name_can_be_read_in_the_form_on_a_phone(visit: Open) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    page.get_by_role("button", name="New game").click()
    name = page.get_by_label("Name of yellow")
    name.fill("Jean-Baptiste-Louis")
    assert name.evaluate("(field) => field.scrollWidth <= field.clientWidth")


def test_who_plays_stands_in_one_place_until_the_end_and_no_way_is_done_before_a_move(
    visit: Open,
) -> None:
    page = visit()
    do(page, do="new_game", sheet="german", seats=["yellow", "red"], sensing="presence")
    phase(page, "opening")
    part = page.locator(".standing .prize")
    expect(part).to_have_text(["", ""])
    begin(page, names={"yellow": "Anna", "red": "Ben"})
    who = page.locator(".standing .who")
    expect(who).to_have_text(["Anna", "Ben"])
    expect(part).to_have_text(["", ""])
    do(page, do="roll", face=1)
    page.locator(".move").click()
    turn_of(page, "red")
    do(page, do="roll", face=5)
    page.locator(".move").click()
    turn_of(page, "yellow")
    expect(part).to_have_text(["1 %", "3 %"])
    expect(who).to_have_text(["Anna", "Ben"])


def test_no_button_is_as_loud_as_the_die(visit: Open) -> None:
    page = visit()
    begin(page)
    paint = "(all) => all.map((one) => getComputedStyle(one).backgroundColor)"
    loud = page.locator(".wanted .roll-label").evaluate_all(paint)
    others = page.locator("button:visible").evaluate_all(paint)
    assert len(loud) == 1 < len(others)
    assert loud[0] not in others


def test_whoever_looks_for_their_phone_is_told_why_it_cannot_come(
    visit: Open, unused: Process, tmp_path: Path
) -> None:
    page = visit(at=unused)
    page.get_by_role("link", name="Phone").click()
    expect(page.get_by_text("companion play --lan", exact=True)).to_be_in_viewport()
    page.set_viewport_size({"width": 390, "height": 844})
    command = page.get_by_text("companion play --lan", exact=True)
    one_line = "(node) => node.getClientRects().length"
    assert command.evaluate(one_line) == 1, "it is not broken in two"
    assert violations(page) == []
    at_home = Process(tmp_path / "home" / "games.db", phone="http://192.168.0.9:8080/phone")
    try:
        page = visit("/phone", at_home)
        phase(page, "idle")
        expect(page.get_by_text("--lan")).to_be_hidden()
    finally:
        at_home.stop()


def red_begins(page: Page, sheet: str, **more: Any) -> None:
    """A game of red and yellow, before red's first roll."""
    do(page, do="new_game", sheet=sheet, seats=["red", "yellow"], **more)
    phase(page, "opening")
    for face in (6, 1):
        do(page, do="roll", face=face)
    phase(page, "roll")


def test_on_a_phone_what_can_move_is_large_enough_for_a_finger(visit: Open) -> None:
    page = visit(viewport={"width": 360, "height": 740}, has_touch=True)
    red_begins(page, "british")
    do(page, do="roll", face=6)
    phase(page, "move")
    piece = box_of(page.locator(".man.movable .grip").first)
    assert min(piece["width"], piece["height"]) >= 24
    page.get_by_role("button", name="Whole board").click()
    small = box_of(page.locator(".man.movable .grip").first)
    assert small["width"] < piece["width"]
    page.get_by_role("button", name="Look closer").click()
    carry(page, "red1", "6")
    phase(page, "roll")
    nobody_is_blamed(page)


def with_a_piece_out(page: Page, then: int = 4, **more: Any) -> None:
    """A red piece on 5 may go to 9; with a six there is a choice."""
    red_begins(page, "british", **more)
    do(page, do="roll", face=6)
    phase(page, "move")
    page.locator(".move").click()
    phase(page, "roll")
    do(page, do="roll", face=then)
    phase(page, "move")


@pytest.mark.parametrize("view", ["/", "/phone"])
def test_on_a_phone_the_ringed_squares_answer_to_a_tap(view: str, visit: Open) -> None:
    page = visit(view, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    for by_piece in (True, False):
        with_a_piece_out(page)
        if by_piece:
            page.get_by_role("button", name="Whole board").click()  # where squares are smallest
        ring = page.locator(".target").first
        ring.scroll_into_view_if_needed()
        if by_piece:
            tap(page, page.locator(".man.movable .body").first)
        x, y = middle(ring)
        page.touchscreen.tap(x + 8, y - 8)  # a finger is broad: a target has 24 pixels and more
        turn_of(page, "yellow")
        nobody_is_blamed(page)


def test_a_mat_is_not_looked_at_closer(visit: Open) -> None:
    page = visit(viewport={"width": 390, "height": 844})
    red_begins(page, "british")
    do(page, do="roll", face=6)
    phase(page, "move")
    lens = page.locator(".lens")
    expect(lens).to_be_visible()
    do(page, do="new_game", sheet="cards", seats=["red", "yellow"])
    expect(page.locator(".board.mat")).to_be_visible()
    expect(lens).to_be_hidden()


def test_who_slides_off_a_ringed_square_has_not_chosen_it(visit: Open) -> None:
    page = visit("/phone", viewport={"width": 800, "height": 1400})  # the whole board is seen
    with_a_piece_out(page)
    x, y = middle(page.locator(".target").first)
    board = box_of(page.locator("svg.board").first)
    for away in ((board["x"] + board["width"] / 2, board["y"] - 3), (x + 90, y + 90)):
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(*away, steps=4)
        page.mouse.up()
        page.mouse.click(board["x"] + board["width"] / 2, board["y"] + board["height"] / 2)
        expect(page.locator(".move")).to_have_count(1)
        phase(page, "move")
    page.mouse.click(x, y)
    turn_of(page, "yellow")


def test_stacks_show_how_high_they_are_and_do_not_overlap(visit: Open) -> None:
    page = visit()
    red_begins(page, "cards")
    do(page, do="roll", face=4)
    phase(page, "move")
    page.locator('[data-place="R.4"]').click()
    turn_of(page, "yellow")
    expect(page.locator('[data-place="R.4"] .card-number')).to_have_text("1")
    page.evaluate(
        """async () => {
            const { Mat } = await import("/mat.js");
            const boards = await (await fetch("/boards.json")).json();
            const { colours } = await (await fetch("/words.json?lang=en")).json();
            const mat = new Mat("mat", boards.mat, colours);
            mat.setHeights({ red: [6, 6, 6, 6] }, ["red"]);
            mat.svg.id = "full";
            document.querySelector(".board-card").replaceChildren(mat.svg);
        }"""
    )
    boxes = [box_of(one) for one in page.locator("#full .stack.full .cards").all()]
    boxes.sort(key=lambda box: box["y"])
    assert len(boxes) == 4
    for upper, lower in pairwise(boxes):
        assert upper["y"] + upper["height"] <= lower["y"] + 1


# -- the end, and games that were played before ----------------------------------------------------


def test_joy_comes_once_and_leaves_nothing_lying_about(visit: Open, unused: Process) -> None:
    page = visit(at=unused)
    page.emulate_media(reduced_motion="no-preference")
    do(page, do="new_game", sheet="cards", seats=["red", "yellow"])
    phase(page, "opening")
    page.get_by_role("button", name="Autoplay").click()
    scraps = page.locator(".end .confetti i")
    expect(scraps).to_have_count(28)
    page.evaluate("document.querySelector('.confetti').dataset.first = true")
    page.locator(".end").get_by_role("button", name="Turn it on").click()
    expect(page.locator(".end .luck table")).to_be_visible()
    expect(page.locator(".end .confetti")).to_have_attribute("data-first", "true")
    expect(scraps.last).to_have_css("opacity", "0")
    page.get_by_role("combobox", name="Language").select_option("de")
    expect(page.locator(".end h2")).to_contain_text("gewinnt")
    expect(scraps).to_have_count(0)  # that was no end


def test_joy_is_not_for_a_game_that_ended_before(visit: Open, unused: Process) -> None:
    page = visit(at=unused)
    do(page, do="new_game", sheet="cards", seats=["red", "yellow"])
    phase(page, "opening")
    page.get_by_role("button", name="Autoplay").click()
    expect(page.locator(".end")).to_be_visible()
    later = visit(at=unused)
    later.emulate_media(reduced_motion="no-preference")
    later.reload()
    expect(later.locator(".end .podium li")).to_have_count(2)
    expect(later.locator(".end .facts")).to_contain_text("rolls")
    expect(later.locator(".end .confetti")).to_have_count(0)


def test_what_one_presses_twice_stays_under_the_finger(visit: Open) -> None:
    page = visit()
    before_capture(page, sensing="touch")
    page.locator(".move").click()
    turn_of(page, "yellow")
    buttons = page.locator(".deeds button:not(.last)")
    row = [box_of(button) for button in buttons.all() if button.is_visible()]
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_role("button", name="Done")).to_be_visible()
    assert [box_of(button) for button in buttons.all() if button.is_visible()] == row


def test_the_end_has_places_figures_and_a_rematch_and_is_found_again(
    visit: Open, unused: Process
) -> None:
    page = visit(at=unused)
    names = {"red": "Anna", "yellow": "Ben <i>"}
    do(page, do="new_game", sheet="cards", seats=["red", "yellow"], names=names)
    phase(page, "opening")
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "/games.json" in one.url else None)
    page.route("**/games.json", lambda route: route.fulfill(status=503), times=1)
    page.get_by_role("button", name="Autoplay").click()
    end = page.locator(".end")
    expect(end).to_be_visible()
    expect(end.get_by_role("heading")).to_contain_text("wins!")
    expect(end.locator(".podium li")).to_have_count(2)
    expect(end.locator(".facts")).to_contain_text("rolls")
    expect(end).not_to_contain_text("null")
    expect(end).to_contain_text("Who was lucky? Turn this on in the menu: Settings, Who will win.")
    end.get_by_role("button", name="Turn it on").click()
    expect(end.locator(".luck table, [role=status]")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(end.get_by_role("button", name="Rematch")).to_be_in_viewport()
    expect(page.get_by_role("link", name="Past games")).to_be_visible()
    assert end.locator(".confetti i").count() == 0  # somebody likes it calm
    expect(end.get_by_role("link", name="Watch it again")).to_be_visible()
    page.get_by_role("tab", name="Charts").click()
    page.get_by_role("tab", name="History").click()
    assert len(asked) == 2  # again after no answer, and never again after one
    end.get_by_role("link", name="Watch it again").click()
    expect(page.locator(".past-game")).to_contain_text("Anna, Ben <i>")
    expect(page.locator(".said")).to_contain_text("0 / ")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    slider = page.locator(".replay input[type=range]")
    expect(slider).to_have_value("3")
    count = page.locator(".said").inner_text().split("/")[1].split()[0]
    expect(page.locator(".past-game")).to_contain_text(f"{count} moves")
    page.evaluate("window.unloaded = false")
    page.get_by_role("button", name="Link to this move").click()
    assert "after=1" in page.url
    expect(page.get_by_role("textbox", name="Link to this move")).to_have_value(page.url)
    assert page.evaluate("window.unloaded") is False  # nothing was loaded again
    assert violations(page) == []
    page.keyboard.press("ArrowRight")
    page.get_by_label("Language").select_option("nl")
    expect(slider).to_have_value("4")  # and nobody has to look for it again
    day = date.today()
    month = words("nl").gettext(labels.MONTHS[day.month - 1])
    expect(page.locator(".past-game .day")).to_contain_text(f"{day.day} {month} {day.year}")
    page.get_by_label("Taal").select_option("en")
    page.get_by_label("Search").fill("nobody of that name")
    expect(page.locator(".found > .fault")).to_contain_text("No game fits that")
    page.get_by_label("Search").fill("")
    expect(page.locator(".past-game")).to_have_attribute("aria-pressed", "true")
    page.goto(unused.address + "/games?game=4711&move=9")
    expect(page.locator(".found > .fault")).to_contain_text("Game 4711 is not there")
    page.goto(unused.address + "/games?game=abc&move=-5")
    expect(page.locator(".found > .fault")).to_contain_text("Game abc is not there")
    page.goto(unused.address)
    page.locator(".end").get_by_role("button", name="Rematch").click()
    phase(page, "opening")
    expect(page.locator(".turn-name")).to_have_text("Anna")
    expect(page.get_by_role("combobox", name="Who plays yellow")).to_have_value("person")


def test_past_games_without_the_pin_are_one_sentence_until_it_is_shown(
    visit: Open, unused: Process
) -> None:
    table = visit(at=unused)
    begin(table, names={"yellow": "Anna"})
    size = {"width": 360, "height": 740}
    phone = visit("/games?game=1&move=1", unused, viewport=size, extra_http_headers=AWAY)
    expect(phone.locator("main")).to_contain_text("To see past games, enter the PIN.")
    expect(phone.get_by_label("Search")).to_be_hidden()
    expect(phone.locator(".statistics")).to_be_hidden()
    assert violations(phone) == []
    phone.get_by_label("PIN").fill(PIN)
    phone.get_by_role("button", name="Unlock").click()
    expect(phone.locator(".past-game")).to_contain_text("Anna")
    expect(phone.locator(".replay h2")).to_contain_text("Anna")  # where the link leads
    expect(phone.get_by_label("PIN")).to_have_count(0)


def test_the_search_for_past_games_says_what_it_finds_on_a_phone_in_german(visit: Open) -> None:
    page = visit("/games?lang=de", viewport={"width": 360, "height": 740})
    search = page.get_by_role("searchbox")
    expect(search).to_be_visible()
    words = """(search) => {
        const pen = document.createElement("canvas").getContext("2d");
        pen.font = getComputedStyle(search).font;
        return pen.measureText(search.placeholder).width;
    }"""
    room = "(search) => search.clientWidth - 2 * parseFloat(getComputedStyle(search).paddingLeft)"
    assert search.evaluate(words) < search.evaluate(room) - 20  # where it can be cleared


def test_a_past_game_is_deleted_after_a_question_but_not_the_one_on_the_table(
    visit: Open, unused: Process
) -> None:
    page = visit(at=unused)
    begin(page, names={"yellow": "Anna", "red": "Ben"})
    begin(page, names={"yellow": "Cleo", "red": "Dirk"})
    page.goto(unused.address + "/games")
    games, remove = page.locator(".past-game"), page.get_by_role("button", name="Delete")
    games.filter(has_text="Cleo").click()
    expect(page.locator(".replay h2")).to_contain_text("Cleo")
    expect(remove).to_be_disabled()
    expect(page.locator(".replay")).to_contain_text("can be deleted once another has begun")
    games.filter(has_text="Anna").click()
    expect(page.locator(".replay h2")).to_contain_text("Anna")
    remove.click()
    asked = page.get_by_role("dialog")
    expect(asked).to_contain_text("Anna, Ben")
    expect(asked).to_contain_text("for good")
    page.keyboard.press("Enter")  # whoever does not read has answered no
    expect(asked).to_have_count(0)
    expect(games).to_have_count(2)
    remove.focus()
    page.keyboard.press("Enter")
    asked.get_by_role("button", name="Delete").click()
    expect(games).to_have_count(1)
    expect(games).to_contain_text("Cleo")
    expect(page.locator(".found > [role=status]")).to_have_text("The game is deleted.")
    expect(page.locator(".found > .fault")).to_have_count(0)  # and nothing went wrong
    expect(page.locator(".replay")).to_be_hidden()
    page.keyboard.press("ArrowRight")  # nothing is replayed any more
    page.get_by_label("Language").select_option("de")
    expect(games).to_have_count(1)
    games.click()
    expect(page.get_by_role("button", name="Löschen")).to_be_disabled()


def test_a_damaged_past_game_can_be_deleted_too(visit: Open, unused: Process) -> None:
    begin(visit(at=unused), names={"yellow": "Anna", "red": "Ben"})
    unused.stop()
    with sqlite3.connect(unused.journal) as journal:
        journal.execute("UPDATE records SET record = '{\"kind\": \"roll\"}' WHERE kind = 'roll'")
    journal.close()
    unused.start()
    page = visit(at=unused)
    begin(page, names={"yellow": "Cleo", "red": "Dirk"})
    page.goto(unused.address + "/games")
    games, remove = page.locator(".past-game"), page.get_by_role("button", name="Delete")
    games.filter(has_text="Anna").click()
    expect(page.locator(".found > .fault")).to_contain_text("cannot be replayed")
    remove.click()
    asked = page.get_by_role("dialog")
    expect(asked).to_contain_text("Anna")
    asked.get_by_role("button", name="Delete").click()
    expect(games).to_have_count(1)
    expect(games).to_contain_text("Cleo")
    expect(page.locator(".found > [role=status]")).to_have_text("The game is deleted.")
    expect(remove).to_have_count(0)


def test_a_link_counts_moves_as_the_replay_does_and_old_links_lead_where_they_did(
    visit: Open, unused: Process
) -> None:
    page = visit(at=unused)
    german(page)
    drag(page, "yellow4", "5")
    turn_of(page, "red")
    page.goto(unused.address + "/games?game=1&move=3")  # with the rolls for who begins
    said, slider = page.locator(".replay .said"), page.get_by_role("slider")
    expect(said).to_contain_text("1 / 1")
    page.get_by_role("button", name="Link to this move").click()
    link = page.get_by_role("textbox", name="Link to this move")
    expect(link).to_have_value(f"{unused.address}/games?number=1&after=1")
    page.goto(link.input_value())
    expect(said).to_contain_text("1 / 1")
    expect(slider).to_have_value("3")
    slider.focus()
    for at in ("2", "1"):  # among the rolls for who begins no move can be named
        page.keyboard.press("ArrowLeft")
        expect(slider).to_have_value(at)
    page.get_by_label("Language").select_option("de")
    expect(page.locator(".replay .said")).to_contain_text("0 / 1")
    expect(slider).to_have_value("1")


def test_the_address_is_that_of_the_past_game_shown_and_back_leads_to_the_one_before(
    visit: Open, unused: Process
) -> None:
    page = visit(at=unused)
    games_of(page, "Anna", "Cleo")
    page.goto(unused.address + "/games")
    games, shown = page.locator(".past-game"), page.locator(".replay h2")
    hint = page.get_by_text("Choose a game: it is shown here")
    expect(hint).to_be_visible()
    expect(games.filter(has_text="Anna")).to_contain_text("1 move ")
    games.filter(has_text="Anna").click()
    expect(shown).to_contain_text("Anna")
    expect(page).to_have_url(f"{unused.address}/games?number=1")
    expect(hint).to_be_hidden()
    page.keyboard.press("End")
    expect(page).to_have_url(f"{unused.address}/games?number=1&after=1")
    games.filter(has_text="Cleo").click()
    expect(shown).to_contain_text("Cleo")
    number = games.filter(has_text="Cleo").get_attribute("data-number")
    expect(page).to_have_url(f"{unused.address}/games?number={number}")
    page.go_back()
    expect(shown).to_contain_text("Anna")
    expect(page.locator(".said")).to_contain_text("1 / 1")
    page.go_back()
    expect(page.locator(".replay")).to_be_hidden()
    expect(hint).to_be_visible()
    page.go_forward()
    expect(shown).to_contain_text("Anna")


def test_of_two_past_games_the_one_chosen_last_is_shown_whichever_comes_first(
    visit: Open, unused: Process
) -> None:
    page = visit(at=unused)
    for name in ("Anna", "Cleo"):
        begin(page, names={"yellow": name, "red": "Ben"})
    page.goto(unused.address + "/games")
    games, shown = page.locator(".past-game"), page.locator(".replay h2")
    first = held(page, "**/games/1.json*", games.filter(has_text="Anna").click)
    games.filter(has_text="Cleo").click()
    expect(shown).to_contain_text("Cleo")
    with page.expect_response("**/games/1.json*"):
        first.continue_()
    page.wait_for_timeout(300)
    expect(shown).to_contain_text("Cleo")
    expect(games.filter(has_text="Cleo")).to_have_attribute("aria-pressed", "true")


def test_on_a_phone_a_tapped_past_game_comes_into_view(visit: Open, unused: Process) -> None:
    page = visit(at=unused, viewport={"width": 390, "height": 700}, has_touch=True)
    begin(page)
    page.goto(unused.address + "/games")
    tap(page, page.locator(".past-game"))
    expect(page.locator(".replay h2")).to_be_in_viewport()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_end_has_room_for_long_names(visit: Open, width: int) -> None:
    page = visit(viewport={"width": width, "height": 800})
    begin(page, names={"yellow": "W" * 20, "red": "M" * 20})
    do(page, do="end_game")
    end = page.locator(".end")
    expect(end).to_be_visible()
    inside = """(end) => [...end.querySelectorAll(".podium li > *")].every((one) =>
        one.getBoundingClientRect().left >= end.getBoundingClientRect().left)"""
    assert end.evaluate(inside)


def test_the_heads_of_the_table_of_luck_break_between_words(visit: Open) -> None:
    page = visit(viewport={"width": 320, "height": 800})
    begin(page, names={"yellow": "W" * 20, "red": "Ben"})
    do(page, do="end_game")
    expect(page.locator(".end")).to_be_visible()
    heads = page.evaluate(LUCK)
    assert all(lines == 1 for lines in heads), heads


LUCK = """() => {
    const make = (tag, ...inside) => {
        const one = document.createElement(tag);
        one.append(...inside);
        return one;
    };
    const row = (tag, ...texts) => make("tr", ...texts.map((text) => make(tag, text)));
    const luck = make("div", make("table", make("thead", row("th", "", "Own luck", "Given away")),
        make("tbody", row("th", "W".repeat(20), "+12.3", "0.4"))));
    luck.className = "luck";
    document.querySelector(".end").append(luck);
    return [...luck.querySelectorAll("thead th")].slice(1).flatMap((head) => {
        const text = head.firstChild;
        return [...text.data.matchAll(/\\S+/g)].map(({ index, 0: word }) => {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            return new Set([...range.getClientRects()].map((one) => Math.round(one.top))).size;
        });
    });
}"""
"""A table as the end has it where luck is reckoned; on how many lines each word of its heads is."""


def test_after_a_line_was_chosen_by_its_number_the_space_bar_rolls(visit: Open) -> None:
    page = visit()
    begin(page)
    page.get_by_role("button", name="Hold OK: menu").click()
    phase(page, "menu")
    page.keyboard.press("1")
    phase(page, "roll")
    page.keyboard.press("Space")
    phase(page, "move")


def test_a_players_phone_plays_its_own_colour_by_touch(visit: Open, unused: Process) -> None:
    """Its key was given before a power cut."""
    unused.kill()
    key = Players(unused.journal.parent).key("yellow")
    unused.start()
    table = visit(at=unused)
    begin(table, names={"yellow": "Anna"})
    phone = visit(
        f"/P/{key}",
        at=unused,
        viewport={"width": 360, "height": 740},
        has_touch=True,
        extra_http_headers=AWAY,
    )
    you = phone.get_by_role("heading", name="You play Anna")
    expect(you).to_be_in_viewport(ratio=1)
    expect(you.locator(".chip.c-yellow")).to_have_text("✚")
    expect(you).to_contain_text("It is your turn.")
    expect(phone.get_by_role("button", name="New game")).to_have_count(0)
    expect(phone.get_by_role("button", name="Roll the die")).to_be_enabled()
    do(table, do="roll", face=4)
    phase(phone, "move")
    carry(phone, "yellow4", "3")
    expect(phone.locator(".oops")).to_have_text("That is 2 squares, you rolled 4. (Rule O8)")
    assert phone.request.get(f"{unused.address}/why.json?from=x&to=1").status == 422
    tap(phone, phone.locator(".move"))
    turn_of(phone, "red")
    expect(phone.locator(".todo")).to_have_text("It is Red's turn.")
    expect(phone.locator(".moves")).to_be_hidden()
    tap(phone, phone.locator('[data-place="21"]'))
    expect(phone.locator(".oops")).to_have_text("It is Red's turn.")
    expect(phone.get_by_role("button", name="Roll the die")).to_be_disabled()
    seat = phone.get_by_role("combobox", name="Who plays yellow")
    seat.select_option("fox")
    expect(seat).to_have_value("fox")
    seat.select_option("person")
    expect(seat).to_have_value("person")
    phone.get_by_role("button", name="Take back").tap()  # when the page is drawn anew
    turn_of(phone, "yellow")
    phone.goto(unused.address)  # on the table's page it may not begin another game either
    turn_of(phone, "yellow")
    expect(phone.get_by_role("button", name="New game")).to_be_disabled()
    for button in ("Up", "Down", "OK", "Hold OK: menu"):
        expect(phone.get_by_role("button", name=button, exact=True)).to_be_disabled()
    assert violations(phone) == []
    phone.goto(unused.address)
    expect(phone.get_by_role("button", name="New game")).to_be_disabled()


def test_a_seat_is_given_by_an_address_too_and_taken_back_only_after_asking(
    visit: Open, tmp_path: Path
) -> None:
    table = Process(tmp_path / "games.db", phone="http://table.local:8080/phone")
    page = visit(at=table)
    german(page, names={"yellow": "Anna"})
    rows = page.locator(".places li")
    expect(rows.get_by_role("button", name="phone for")).to_have_count(2)
    do(page, do="seat", colour="red", level="fox")
    expect(rows.get_by_role("button", name="phone for")).to_have_count(1)  # the box needs none
    page.get_by_role("button", name="A phone for Anna").click()
    address = page.locator(".seat-code a")
    expect(address).to_have_text(re.compile(r"^http://table\.local:8080/p/[a-z2-7]+$"))
    first = str(address.text_content())
    off = page.get_by_role("button", name="Disconnect this phone")
    expect(off).to_be_hidden()  # none is connected
    phone = visit(f"/p/{first.rpartition('/')[2]}", at=table, extra_http_headers=AWAY)
    expect(phone.get_by_role("heading", name="You play Anna")).to_be_visible()
    off.click()
    question = page.get_by_role("dialog", name="The phone that plays Anna can then only watch.")
    question.get_by_role("button", name="Cancel").click()
    expect(address).to_have_text(first)
    off.click()
    question.get_by_role("button", name="Disconnect this phone").click()
    expect(page.locator(".sure .hint")).to_contain_text("The old code no longer works.")
    expect(address).not_to_have_text(first)
    expect(off).to_be_hidden()
    table.stop()


def test_what_a_players_phone_says_is_still_so(visit: Open, unused: Process) -> None:
    unused.kill()
    key = Players(unused.journal.parent).key("yellow")
    unused.start()
    table = visit(at=unused)
    german(table, names={"yellow": "Anna"})
    phone = visit(
        f"/P/{key}", at=unused, viewport={"width": 360, "height": 740}, has_touch=True,
        extra_http_headers=AWAY,
    )  # fmt: skip
    expect(phone.get_by_role("heading", name="You play Anna")).to_be_visible()
    phone.goto(f"{unused.address}/P/NONSENSE")
    said = phone.locator("main > .fault")
    expect(said).to_have_text("This code no longer works, but you can go on playing here.")
    phone.add_init_script(  # no notice fades by itself
        "const later = setTimeout; window.setTimeout = (act, ms) => ms === 5000 || later(act, ms);"
    )
    phone.goto(f"{unused.address}/phone")
    phase(phone, "move")
    expect(said).to_be_hidden()
    expect(
        phone.locator("label", has_text="Who plays yellow").get_by_role("combobox")
    ).to_be_visible()
    carry(phone, "yellow4", "3")
    notice = phone.locator(".oops")
    expect(notice).to_have_text("That is 2 squares, you rolled 4. (Rule O8)")
    expect(notice).to_be_visible()
    table.locator(".move").click()
    turn_of(phone, "red")
    expect(notice).to_be_hidden()
    assert table.request.post(f"{unused.address}/put-off", data={"colour": "yellow"}).status == 204
    expect(said).to_contain_text("This phone was disconnected.")
    expect(phone.get_by_label("PIN")).to_be_visible()
    assert violations(phone) == []
    phone.get_by_label("PIN").fill(PIN)
    phone.get_by_role("button", name="Unlock").click()
    expect(said).to_be_hidden()  # it plays again


@pytest.mark.parametrize("language", ["en", "de", "nl"])
def test_what_the_referee_says_on_a_phone_does_not_cover_what_plays_by_itself(
    language: str, visit: Open
) -> None:
    page = visit(viewport={"width": 390, "height": 844}, locale=language)
    page.get_by_role("combobox").first.select_option(language)

    def is_seen() -> None:
        said = box_of(page.locator(".verdict"))
        for button in page.locator(".deeds button").all()[:2]:
            shown = box_of(button)
            assert said["y"] + said["height"] <= shown["y"], button.text_content()
            expect(button).to_be_in_viewport(ratio=1)

    begin(page)
    is_seen()
    do(page, do="roll", face=4)
    phase(page, "move")
    drag(page, "yellow4", "9")
    phase(page, "illegal")
    is_seen()


def test_a_notice_on_a_phone_does_not_cover_what_is_to_be_put_right(visit: Open) -> None:
    page = visit("/phone", viewport={"width": 360, "height": 740}, has_touch=True)
    german(page)
    carry(page, "yellow4", "5")
    turn_of(page, "red")
    page.get_by_role("button", name="Take back").tap()
    phase(page, "restore")
    carry(page, "yellow4", "9")
    notice, remedy = page.locator(".oops"), page.locator(".remedy-line")
    expect(notice).to_have_text("Tap the piece, then where its arrow leads.")
    expect(remedy).to_contain_text("Yellow: 5 → 1")
    said, asked = box_of(notice), box_of(remedy)
    assert said["y"] + said["height"] <= asked["y"] or asked["y"] + asked["height"] <= said["y"]


def test_whoever_shows_no_pin_is_asked_for_it(visit: Open) -> None:
    page = visit("/phone", extra_http_headers=AWAY)
    page.context.clear_cookies()
    page.reload()
    page.get_by_role("button", name="Unlock").click()
    expect(page.locator(".pin-form [role=alert]")).to_have_text("Please enter the PIN.")
    expect(page.locator(".pin-form input")).to_be_focused()


def test_a_players_phone_gets_a_hint_and_plays_for_nobody_else(
    visit: Open, unused: Process
) -> None:
    unused.kill()
    key = Players(unused.journal.parent).key("red")
    unused.start()
    table = visit(at=unused)
    with_a_piece_out(table, names={"red": "Jörg", "yellow": "Ben"}, then=6)
    size = {"width": 360, "height": 640}
    phone = visit(
        f"/P/{key}", at=unused, viewport=size, has_touch=True, is_mobile=True,
        extra_http_headers=AWAY,
    )  # fmt: skip
    phase(phone, "move")
    phone.get_by_role("button", name="Give me a hint").tap()
    expect(phone.locator(".verdict")).to_contain_text(re.compile("Looking for|Best: |No move is"))
    tap(phone, phone.locator(".move").first)
    phase(phone, "roll")
    do(table, do="roll", face=1)
    phase(phone, "move")
    tap(phone, phone.locator(".move").first)
    turn_of(phone, "yellow")
    you = phone.get_by_role("heading", name="You play Jörg")
    expect(you).not_to_contain_text("your turn")
    do(table, do="roll", face=6)
    phase(phone, "move")
    expect(phone.get_by_role("button", name="Give me a hint")).to_have_count(0)
    for move in phone.locator(".move").all():
        expect(move).to_be_disabled()
    tap(phone, phone.locator(".target").first)  # Ben's piece stays where it is
    expect(phone.locator(".turn.p-move.c-yellow")).to_be_visible()
    answers = phone.evaluate(
        """async () => Promise.all([{do: "advise"}, {do: "seat", colour: "yellow", level: "fox"},
            {do: "end_game"}].map(async (wish) => (await fetch("/do",
            {method: "POST", headers: {"Content-Type": "application/json"},
            body: JSON.stringify(wish)})).status))"""
    )
    assert answers == [403, 403, 403]
    expect(phone.locator(".turn.p-move.c-yellow")).to_be_visible()


def test_the_history_speaks_the_new_language_though_its_last_line_is_the_same(visit: Open) -> None:
    page = visit()
    with_a_piece_out(page)
    page.locator(".move").first.click()
    turn_of(page, "yellow")
    expect(page.locator(".history")).to_contain_text("enter")
    page.get_by_label("Language").select_option("nl")
    expect(page.locator(".history")).not_to_contain_text("enter")
    page.get_by_label("Taal").select_option("en")
    expect(page.locator(".history")).to_contain_text("enter")


def test_another_way_is_tried_from_a_past_move_and_refusals_are_told(
    visit: Open, unused: Process, tmp_path: Path
) -> None:
    page = visit(at=unused)
    german(page)
    drag(page, "yellow4", "9")
    phase(page, "illegal")
    drag(page, "yellow4", "1")
    phase(page, "move")
    drag(page, "yellow4", "5")
    turn_of(page, "red")
    page.get_by_role("link", name="Past games").click()
    page.locator(".past-game").click()
    expect(page.locator(".said")).to_contain_text("0 / 1")  # rolls for who begins are no moves
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".refused")).to_contain_text("That is 8 squares, you rolled 4.")
    page.keyboard.press("ArrowLeft")
    with page.expect_download() as kept:
        page.get_by_role("link", name="Download the record").click()
    record = tmp_path / "record.txt"
    kept.value.save_as(record)
    page.locator(".statistics summary").click()
    expect(page.locator(".statistics")).to_contain_text("What was not allowed, by rule")
    expect(page.locator(".statistics [role=status]")).to_have_text("Games: 1.")
    clause = page.locator(".statistics th").last
    expect(clause).to_contain_text("O8")
    expect(clause).to_contain_text("A move goes exactly as far as the roll says")
    assert violations(page) == []
    page.get_by_role("button", name="What if?").click()
    expect(page.locator(".what-if")).to_contain_text("This table does not count")
    phase(page, "move")
    drag(page, "yellow4", "5")
    turn_of(page, "red")
    nobody_is_blamed(page)
    assert violations(page) == []
    page.get_by_role("link", name="Back to the game").click()
    expect(page.locator(".replay input[type=range]")).to_have_value("2")
    damaged, huge = tmp_path / "damaged.txt", tmp_path / "huge.txt"
    undated, begun = tmp_path / "undated.txt", tmp_path / "begun.txt"
    undated.write_text(re.sub("date: .*\n", "", record.read_text()))
    begun.write_text(
        "Ludo game record 1\nsheet: german\ndate: 2026-01-01\nyellow:\nred:\nbegins: red\n"
    )
    damaged.write_text(record.read_text() + "yellow 9 1>2\n")
    huge.write_text("x" * 500_000)
    chess = tmp_path / "chess.txt"
    chess.write_text(begun.read_text().replace("german", "chess"))
    for file, says in (
        (chess, "This box knows no sheet “chess”."),
        (damaged, "damaged in line"),
        (undated, "The header of this record lacks “date”."),
        (begun, "nobody rolled for who begins"),
        (huge, "too large"),
        (Path(__file__), "not a record"),
    ):
        page.locator("input[type=file]").set_input_files(file)
        expect(page.locator(".bring .fault")).to_contain_text(says)
    expect(page.locator(".past-game")).to_have_count(1)
    page.locator("input[type=file]").set_input_files(record)
    expect(page.locator(".bring .fault")).to_contain_text("here already")
    expect(page.locator(".past-game")).to_have_count(1)


RECORD = """Ludo game record 1
sheet: german
date: 2026-10-{day:02}
yellow: Anna
red: Ben

yellow 6 -
red 5 - ; begins yellow (G3)
yellow 4 1>5
"""


def bring(page: Page, day: int, more: str = "") -> None:
    """Choose a file with a game of that day."""
    text = (RECORD.format(day=day) + more).encode()
    record = {"name": "game.txt", "mimeType": "text/plain", "buffer": text}
    page.locator("input[type=file]").set_input_files(record)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [(1280, 600), (360, 740)])
def test_what_became_of_a_game_from_a_file_is_said_where_it_is_seen_and_counted(
    size: tuple[int, int], visit: Open, unused: Process
) -> None:
    page = visit("/games", at=unused, viewport={"width": size[0], "height": size[1]})
    said, games = page.locator(".bring [role=status]"), page.locator(".past-game")
    counted = page.locator(".statistics [role=status]")
    page.locator(".statistics summary").click()
    for day in range(1, 9):  # the list becomes long
        bring(page, day)
        expect(games).to_have_count(day)
    expect(said).to_have_text("The game is here now.")
    expect(counted).to_contain_text("not counted here: 8.")
    button = page.get_by_role("button", name="Bring a game from a file")
    for day, more, says in ((9, "red 9 -\n", "damaged in line 10"), (1, "", "here already")):
        button.scroll_into_view_if_needed()
        bring(page, day, more)
        expect(said).to_contain_text(says)
        expect(said).to_be_in_viewport(ratio=1)
    games.first.click()
    expect(said).to_have_text("")  # that is over
    assert button.evaluate("(one) => getComputedStyle(one).borderColor") != "rgba(0, 0, 0, 0)"


def test_who_brings_a_game_with_a_name_too_long_is_told_that_it_was_cut(
    visit: Open, unused: Process
) -> None:
    page = visit("/games", at=unused)
    record = RECORD.format(day=1).replace("Anna", "Anna" * 69)
    file = {"name": "game.txt", "mimeType": "text/plain", "buffer": record.encode()}
    page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    expect(page.locator(".bring [role=status]")).to_have_text(
        "The game is here now. Names of more than 20 letters were cut."
    )
    expect(page.locator(".past-game")).to_contain_text("Anna" * 5)


@pytest.mark.parametrize("view", ["/", "/phone"])
def test_a_roll_too_many_is_seen_and_cannot_be_let_stand(view: str, visit: Open) -> None:
    page = visit(view)
    german(page)
    do(page, do="roll", face=2)
    phase(page, "illegal")
    expect(page.get_by_role("button", name="Let it stand")).to_be_hidden()
    page.get_by_role("button", name="I see").click()
    phase(page, "move")
    expect(page.get_by_role("button", name="I see")).to_be_hidden()


def test_who_moves_before_the_roll_is_not_told_to_roll_first(visit: Open) -> None:
    page = visit()
    begin(page)
    drag(page, "yellow4", "9")
    phase(page, "illegal")
    expect(page.locator(".moves .none")).to_have_text("Put it right first.")
    drag(page, "yellow4", "1")
    phase(page, "roll")
    expect(page.locator(".moves .none")).to_have_text("Roll first.")


@pytest.mark.parametrize(
    ("press", "says"),
    [("Pause", "The game is paused."), ("Hold OK: menu", "The menu of the box is open.")],
)
def test_who_moves_while_nothing_is_judged_is_told_so(press: str, says: str, visit: Open) -> None:
    page = visit()
    german(page)
    page.get_by_role("button", name=press).click()
    expect(page.locator(".turn.p-paused, .turn.p-menu")).to_be_visible()
    drag(page, "yellow4", "9")
    expect(page.locator(".oops")).to_have_text(says)
    drag(page, "yellow4", "1")
    page.locator(".ground").focus()
    page.evaluate("document.querySelector('.oops').hidden = true")
    page.keyboard.press(" ")
    expect(page.locator(".oops")).to_be_visible()


def test_a_second_wrong_card_does_not_hide_the_first(visit: Open) -> None:
    page = visit()
    red_begins(page, "cards", sensing="touch")
    do(page, do="roll", face=3)
    phase(page, "move")
    page.locator('[data-place="R.1"]').click()
    phase(page, "illegal")
    page.locator('[data-place="R.2"]').click()
    expect(page.locator('[data-place="R.2"][data-wrong="1"]')).to_be_visible()
    expect(page.locator('[data-place="R.1"][data-wrong="1"]')).to_be_visible()
    off = page.locator(".remedy-line .step")
    expect(off).to_have_text(["Red: take a card off stack 1.", "Red: take a card off stack 2."])
    page.locator('[data-place="R.1"]').click()
    expect(off).to_have_text(["Red: take a card off stack 2."])
    phase(page, "illegal")
    page.locator('[data-place="R.2"]').click()
    phase(page, "move")
    expect(off).to_have_count(0)


def test_two_wrong_cards_of_one_stack_are_taken_off_one_by_one(visit: Open) -> None:
    page = visit()
    red_begins(page, "cards", sensing="touch")
    do(page, do="roll", face=3)
    phase(page, "move")
    stack, off = page.locator('[data-place="R.1"]'), page.locator(".remedy-line .step")
    for number in (1, 2):
        do(page, do="touch", place="R.1")
        expect(off).to_have_count(number)
    stack.click()
    expect(off).to_have_count(1)
    stack.click()
    phase(page, "move")
    expect(page.locator(".wrong-cards .card")).to_have_count(0)


def test_steps_count_in_whatever_order_they_are_done(visit: Open) -> None:
    page = visit()
    german(page)
    drag(page, "yellow4", "9")
    phase(page, "illegal")
    drag(page, "red4", "1")
    steps = page.locator(".verdict .step")
    expect(steps).to_have_text(["Red: 1 → 21", "Yellow: 9 → 1"])
    drag(page, "yellow4", "1")  # who has yet to leave is taken along
    phase(page, "move")
    expect(page.locator(".verdict")).to_contain_text("now the board is right")
    expect(page.locator(".turn .quiet-line")).to_be_empty()
    expect(page.locator('[data-piece="red4"]')).to_have_attribute("aria-label", "red piece, 21")
    drag(page, "yellow4", "5")
    turn_of(page, "red")


def test_a_phone_has_done_what_is_shown_also_where_that_leads_forward(visit: Open) -> None:
    table = visit()
    phone = visit("/phone", viewport={"width": 360, "height": 740}, has_touch=True)
    german(table)
    drag(table, "yellow4", "9")
    phase(table, "illegal")
    drag(table, "red4", "22")  # wrong, too
    steps = phone.locator(".verdict .step")
    expect(steps).to_have_count(2)
    drag(table, "yellow4", "5")  # where the roll leads: that counts
    expect(steps).to_have_text(["Red: 22 → 21"])
    carry(phone, "red4", "21")
    turn_of(phone, "red")
    standing = table.locator('[data-piece="yellow4"]')
    expect(standing).to_have_attribute("aria-label", "yellow piece, 5")


def test_who_rolls_again_too_early_is_told_what_comes_first_and_not_blamed(visit: Open) -> None:
    page = visit()
    notice, die = page.locator(".oops"), page.locator(".die-button")

    def presses(said: str) -> None:
        for by_key in (False, True):
            page.locator(".board-card").focus()
            if by_key:
                page.keyboard.press("Space")
            else:
                die.click()
            expect(notice).to_have_text(said)
            page.evaluate("document.querySelector('.oops').textContent = ''")

    german(page)
    presses("First play what you have rolled.")
    phase(page, "move")
    nobody = page.locator(".verdict.wrong")
    expect(nobody).to_have_count(0)
    drag(page, "yellow4", "9")
    phase(page, "illegal")
    presses("Put it right first.")
    expect(page.locator(".verdict .reason")).to_have_text("That is 8 squares, you rolled 4.")
    drag(page, "yellow4", "1")
    phase(page, "move")
    do(page, do="roll", face=2)  # chosen: that is meant, and one too many
    phase(page, "illegal")
    presses("First play what you have rolled.")
    page.get_by_role("button", name="Pause").click()
    phase(page, "paused")
    presses("The game is paused.")
    page.get_by_role("button", name="Go on").click()
    drag(page, "yellow4", "5")
    die.click()  # no sooner moved than rolled
    turn_of(page, "red")
    expect(page.locator(".turn.p-move, .turn.p-roll")).to_be_visible()
    expect(nobody).to_have_count(0)


def test_who_rolls_with_a_bonus_to_play_is_told_of_that_and_of_no_roll(visit: Open) -> None:
    page = visit()
    rules = {"twenty_for_a_capture": True}
    do(page, do="new_game", sheet="german", seats=["yellow", "green"], options=rules)
    phase(page, "opening")
    do(page, do="roll", face=6)
    turn_of(page, "green")
    do(page, do="roll", face=1)
    for number, face in enumerate((5, 1, 5, 1, 2)):
        turn_of(page, "green" if number % 2 else "yellow")
        phase(page, "roll")
        do(page, do="roll", face=face)
        phase(page, "move")
        page.locator(".move").click()
    expect(page.locator(".verdict")).to_contain_text("20 squares more")
    page.locator(".die-button").click()
    expect(page.locator(".oops")).to_have_text("Play the 20 bonus squares first, then roll.")


def test_of_an_own_piece_set_on_another_sentence_and_arrow_say_the_same(
    visit: Open, unused: Process
) -> None:
    page = visit(at=unused)  # of two that stand together either may go back
    german(page)
    drag(page, "yellow1", "1")  # the pointer stays there, over a piece that could move
    expect(page.locator(".verdict .step")).to_have_text(["Yellow: 1 → base"])
    expect(page.locator(".above .remedy")).to_have_count(1)
    expect(page.locator(".above .way")).to_have_count(0)
    drag(page, "yellow1", "Y.B1")
    phase(page, "move")
    page.locator(".move").hover()
    expect(page.locator(".above .way")).to_have_count(1)


def test_a_hundred_per_cent_is_the_whole_way(visit: Open) -> None:
    rounded = "async (all) => all.map((await import('/words.js')).percent)"
    assert visit().evaluate(rounded, [0, 0.004, 0.5, 0.9955, 1]) == [0, 0, 50, 99, 100]


@pytest.mark.parametrize(
    ("path", "size"),
    [
        ("/", (1280, 800)),
        ("/", (390, 844)),
        ("/phone", (390, 844)),
        ("/kiosk", (1920, 1080)),
        ("/kiosk", (1080, 1920)),
    ],
)
def test_the_longest_names_stand_whole_among_the_places(
    path: str, size: tuple[int, int], visit: Open
) -> None:
    page = visit(path, viewport={"width": size[0], "height": size[1]})
    names = {"yellow": "W" * 20, "red": "Bartholomäusjohannes"}
    german(page, names=names)
    for ended in (False, True):
        if ended:
            do(page, do="end_game")
            page.locator(".turn.p-over").wait_for(state="attached")
        for name in names.values():
            rows = page.locator(".standing .who, .podium li span").filter(has_text=name)
            shown = rows.filter(visible=True).first
            expect(shown).to_have_text(name)
            assert shown.evaluate("one => one.scrollWidth <= one.clientWidth")


def test_charts_of_all_games_are_drawn_again_when_one_is_deleted(
    visit: Open, unused: Process
) -> None:
    page = visit(at=unused)
    begin(page, names={"yellow": "Anna", "red": "Ben"})
    do(page, do="new_game", sheet="dutch", seats=["yellow", "red"])
    listed = "async () => (await (await fetch('/games.json')).json()).games.length"
    for _ in range(600):  # a roll before the new game's opening does not count
        do(page, do="roll", face=6)
        if page.evaluate(listed) == 2:
            break
        page.wait_for_timeout(50)
    page.goto(unused.address + "/games")
    page.locator(".statistics summary").click()
    rows = page.locator(".statistics figure", has_text="Played by these rules").locator("tr")
    expect(rows).to_have_count(2)
    page.locator(".past-game").filter(has_text="Anna").click()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Dutch")
    expect(page.locator(".statistics [role=status]")).to_have_text("Games: 1.")


def test_a_hint_is_offered_where_there_is_a_choice_and_moves_no_other_button(visit: Open) -> None:
    page = visit()
    hint = page.get_by_role("button", name="Give me a hint")
    others = page.locator(".deed:visible").filter(has_not_text="hint")
    with_a_piece_out(page)  # one move only
    expect(hint).to_be_hidden()
    before = [box_of(one) for one in others.all()]
    with_a_piece_out(page, then=6)
    expect(hint).to_be_visible()
    assert [box_of(one) for one in others.all()] == before
    do(page, do="set", name="advice", value=False)
    expect(hint).to_be_hidden()
    do(page, do="set", name="advice", value=True)
    hint.click()
    expect(page.locator(".verdict")).to_contain_text(re.compile("Best|No move is clearly better"))


def test_a_calm_referee_leaves_no_gap_and_a_word_pushes_nothing(visit: Open) -> None:
    page = visit()
    german(page)
    calm, places = page.locator(".saying"), page.locator(".places")
    said = "getComputedStyle(document.querySelector('.saying'), '::before').content"
    assert "The referee speaks here" in page.evaluate(said)
    before = box_of(places)
    page.get_by_role("button", name="Hold OK").click()
    phase(page, "menu")
    assert box_of(places)["y"] - box_of(calm)["y"] - box_of(calm)["height"] < 20
    page.locator(".moves").get_by_role("button", name="Back").click()
    phase(page, "move")
    assert box_of(places) == before


@pytest.mark.parametrize("language", ["en", "nl"])
def test_places_stay_where_they_are_whether_one_move_is_listed_or_four(
    language: str, visit: Open
) -> None:
    page = visit(locale=language)
    page.get_by_role("combobox").first.select_option(language)
    do(page, do="new_game", sheet="parchis", seats=["red", "yellow"], sensing="presence")
    phase(page, "opening")
    do(page, do="roll", face=6)
    turn_of(page, "yellow")
    do(page, do="roll", face=1)
    phase(page, "roll")
    moves, places = page.locator(".move"), page.locator(".places")
    there, seen = box_of(places)["y"], set[int]()
    for number in range(1, 60):  # red enters with every other roll, yellow walks or waits
        if 4 in seen:
            break
        turn_of(page, "red")
        phase(page, "roll")
        do(page, do="roll", face=2 if number % 2 == 0 else 5)
        phase(page, "move")
        seen.add(moves.count())
        assert box_of(places)["y"] == there, moves.all_inner_texts()
        moves.first.click()
        turn_of(page, "yellow")
        phase(page, "roll")
        do(page, do="roll", face=1)
        turn_of(page, "red")
    assert 4 in seen


@pytest.mark.parametrize("language", ["en", "de"])
def test_places_stay_where_they_are_when_more_moves_are_listed_than_fit(
    language: str, visit: Open, unused: Process
) -> None:
    """In the card game there may be eight."""
    page = visit(at=unused, locale=language)
    do(page, do="new_game", sheet="cards", seats=["red", "yellow"])
    phase(page, "opening")
    for colour, face in (("red", 6), ("yellow", 1)):
        turn_of(page, colour)
        do(page, do="roll", face=face)
    phase(page, "roll")
    moves, places = page.locator(".move"), page.locator(".places")
    there = box_of(places)["y"]
    for listed in (4, 3, 5):  # after a six red rolls again
        phase(page, "roll")
        do(page, do="roll", face=6)
        expect(moves).to_have_count(listed)
        assert box_of(places)["y"] == there, moves.all_inner_texts()
        if listed < 5:
            moves.first.click()
    page.locator(".moves").hover()
    page.mouse.wheel(0, 400)
    expect(moves.last).to_be_in_viewport(ratio=1)
    page.mouse.click(*middle(moves.last))
    phase(page, "roll")


def test_who_plays_stays_where_it_is_from_roll_to_roll(visit: Open) -> None:
    """However many moves are listed, as long as there are no more than pieces."""
    page = visit()
    before_capture(page)
    drag(page, "red4", "6")
    turn_of(page, "yellow")
    phase(page, "roll")
    there = box_of(page.locator(".places"))["y"]
    do(page, do="roll", face=6)
    phase(page, "move")
    assert box_of(page.locator(".places"))["y"] == there
    page.locator(".move").first.click()
    phase(page, "roll")
    do(page, do="roll", face=6)
    phase(page, "move")
    assert box_of(page.locator(".places"))["y"] == there


def test_the_referee_has_no_place_of_its_own_before_and_after_a_game(
    visit: Open, unused: Process
) -> None:
    page = visit(at=unused)
    shown = "getComputedStyle(document.querySelector('.saying'), '::before').display"
    expect(page.locator(".welcome")).to_be_visible()
    assert page.evaluate(shown) == "none"
    german(page)
    assert page.evaluate(shown) != "none"
    do(page, do="end_game")
    expect(page.locator(".end")).to_be_visible()
    assert page.evaluate(shown) == "none"

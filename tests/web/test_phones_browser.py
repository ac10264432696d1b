"""Players' phones, watchers and the big screen in a browser: each is told what it may do here."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.screens.languages import words
from companion.screens.page import page_words
from companion.web.players import Players
from tests.web.by_hand import (
    ask_which_was_captured,
    before_capture,
    before_question,
    begin,
    box_of,
    do,
    drag,
    german,
    phase,
    turn_of,
)
from tests.web.conftest import Open, Process
from tests.web.tables import AWAY, PIN

SMALL = {"width": 360, "height": 740}
NAMES = {"yellow": "Anna", "red": "Ben"}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Process]:
    """A table whose page phones can reach."""
    one = Process(tmp_path / "games.db", phone="http://192.168.0.9:8080/phone")
    yield one
    one.stop()


def phone_of(
    visit: Open,
    at: Process,
    colour: str = "yellow",
    size: tuple[int, int] = (360, 740),
    **options: object,
) -> Page:
    """The phone that plays a colour; its key is known because the table keeps it."""
    key = Players(at.journal.parent).key(colour)
    small = {"width": size[0], "height": size[1]}
    return visit(f"/P/{key}", at, viewport=small, extra_http_headers=AWAY, **options)


@pytest.fixture
def table(visit: Open, house: Process) -> Page:
    """The table's own page, where both players' keys have been made before it began."""
    house.kill()
    for colour in ("yellow", "red"):
        Players(house.journal.parent).key(colour)
    house.start()
    return visit(at=house)


def open_menu(page: Page) -> None:
    page.get_by_role("button", name="Hold OK: menu").click()
    phase(page, "menu")


def show_code(page: Page, name: str) -> None:
    """Somebody at the table has the box show a player's code."""
    open_menu(page)
    page.get_by_role("button", name="Play by phone").click()
    page.locator(".line", has_text=name).click()
    expect(page.locator(".line", has_text="New code")).to_be_visible()


# -- the menu, and what is not known ---------------------------------------------------------------


def test_a_players_phone_says_that_the_menu_is_open_and_offers_nothing_of_it(
    visit: Open, house: Process, table: Page
) -> None:
    begin(table, names=NAMES)
    phone = phone_of(visit, house)
    expect(phone.get_by_role("heading", name="You play Anna")).to_contain_text("It is your turn.")
    open_menu(table)
    phase(phone, "menu")
    expect(phone.locator(".todo")).to_have_text("The menu of the box is open.")
    expect(phone.get_by_role("heading", name="You play Anna")).to_be_visible()
    expect(phone.locator(".you")).not_to_contain_text("your turn")
    expect(phone.locator(".line:visible, .move:visible")).to_have_count(0)
    expect(phone.locator(".die-button")).to_be_disabled()
    phone.locator(".board-card svg").click()
    expect(phone.locator(".oops")).to_have_text("The menu of the box is open.")


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "That cannot be done now."),
        ("de", "Das geht gerade nicht."),
        ("nl", "Dat kan nu niet."),
    ],
)
def test_what_the_box_does_not_know_is_refused_in_plain_words(
    language: str, says: str, visit: Open, house: Process, table: Page
) -> None:
    begin(table, names=NAMES)
    phone = phone_of(visit, house, locale=language)
    phase(phone, "roll")
    phone.route(
        "**/do",
        lambda route: route.continue_(post_data='{"do": "settings"}'),
    )
    with phone.expect_response("**/do") as answer:
        phone.locator(".die-button").click()
    assert answer.value.status == 400
    told = answer.value.json()["error"]
    assert "$" not in told
    assert "Invalid" not in told
    expect(phone.locator(".oops")).to_have_text(says)


# -- room on a phone -------------------------------------------------------------------------------

# Which controls come within a few pixels of each other, or of what the referee says.
TOUCHING = """() => {
  const controls = [...document.querySelectorAll("a[href], button, input, select, summary")]
    .filter((one) => !one.closest(".unseen, .skip"));
  const said = document.querySelector(".verdict:not(:empty)");
  const seen = [...controls, ...(said ? [said] : [])].filter((one) =>
    one.checkVisibility({ visibilityProperty: true }));
  const apart = (one, other) => {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    return Math.max(b.left - a.right, a.left - b.right, b.top - a.bottom, a.top - b.bottom);
  };
  const pairs = seen.flatMap((one, n) => seen.slice(n + 1).map((other) => [one, other]));
  return pairs
    .filter(([one, other]) => !one.contains(other) && !other.contains(one))
    .filter(([one, other]) => apart(one, other) < 2)
    .map((pair) => pair.map((one) => `${one.className} ${one.textContent}`));
}"""


def takes_back_with_buttons(page: Page) -> None:
    german(page, "touch", names=NAMES)
    do(page, do="move", move="yellow 4 1>5")
    turn_of(page, "red")
    do(page, do="take_back")
    phase(page, "restore")


def is_told_to_stop(page: Page) -> None:
    german(page, names=NAMES)
    drag(page, "yellow4", "9")
    phase(page, "illegal")


def gets_a_hint(page: Page) -> None:
    german(page, names=NAMES)
    do(page, do="lift", piece="red1")
    expect(page.locator(".turn .quiet-line")).not_to_be_empty()


def is_asked(page: Page) -> None:
    before_question(page, names=NAMES)
    ask_which_was_captured(page)


@pytest.mark.parametrize("size", [(320, 568), (360, 740), (390, 844)])
@pytest.mark.parametrize(
    ("act", "shown"),
    [
        (lambda page: begin(page, names=NAMES), "roll"),
        (lambda page: german(page, names=NAMES), "move"),
        (gets_a_hint, "move"),
        (is_told_to_stop, "illegal"),
        (takes_back_with_buttons, "restore"),
        (is_asked, "ask"),
    ],
    ids=["rolling", "moving", "hint", "stop", "done", "question"],
)
def test_nothing_lies_on_a_control_of_a_players_phone(
    act: Callable[[Page], None],
    shown: str,
    size: tuple[int, int],
    visit: Open,
    house: Process,
    table: Page,
) -> None:
    phone = phone_of(visit, house, size=size)
    act(table)
    phase(phone, shown)
    if shown in ("illegal", "restore"):
        expect(phone.locator(".verdict")).to_be_in_viewport(ratio=1)
    if shown == "restore":
        expect(phone.get_by_role("button", name="Done")).to_be_in_viewport(ratio=1)
    for depth in ("0", "document.body.scrollHeight"):
        phone.evaluate(f"scrollTo(0, {depth})")
        assert phone.evaluate(TOUCHING) == []


def is_paused(page: Page) -> None:
    german(page, names=NAMES)
    do(page, do="pause")


def has_the_menu_open(page: Page) -> None:
    german(page, names=NAMES)
    open_menu(page)


def can_move_nothing(page: Page) -> None:
    before_capture(page, names=NAMES)
    drag(page, "red4", "6")
    turn_of(page, "yellow")
    do(page, do="roll", face=3)
    expect(page.locator(".verdict")).not_to_be_empty()


@pytest.mark.parametrize("size", [(320, 568), (360, 740), (390, 844)])
@pytest.mark.parametrize(
    ("act", "shown"),
    [
        (lambda page: begin(page, names=NAMES), "roll"),
        (lambda page: german(page, names=NAMES), "move"),
        (gets_a_hint, "move"),
        (can_move_nothing, "roll"),
        (is_told_to_stop, "illegal"),
        (takes_back_with_buttons, "restore"),
        (is_asked, "ask"),
        (is_paused, "paused"),
        (has_the_menu_open, "menu"),
    ],
    ids=["rolling", "moving", "hint", "none", "stop", "done", "question", "pause", "menu"],
)
def test_what_the_referee_says_touches_no_control_of_the_table_on_a_phone(
    act: Callable[[Page], None], shown: str, size: tuple[int, int], visit: Open, process: Process
) -> None:
    act(visit())
    page = visit(viewport={"width": size[0], "height": size[1]})
    phase(page, shown)
    if shown in ("illegal", "restore"):
        expect(page.locator(".verdict")).to_be_in_viewport(ratio=1)
    whole = int(page.evaluate("document.body.scrollHeight"))
    for depth in range(0, whole, size[1] // 3):
        page.evaluate(f"scrollTo(0, {depth})")
        touched = [pair for pair in page.evaluate(TOUCHING) if "verdict" in " ".join(pair)]
        assert touched == [], depth


def test_nothing_jumps_on_a_players_phone_when_the_turn_or_the_referees_word_changes(
    visit: Open, house: Process, table: Page
) -> None:
    begin(table, names={"yellow": "Bartholomäusjohannes", "red": "Ben"})
    phone = phone_of(visit, house)
    phase(phone, "roll")
    board = phone.locator(".board-card")
    there = box_of(board)
    do(table, do="roll", face=4)
    phase(phone, "move")
    assert box_of(board) == there
    below = box_of(phone.locator(".moves"))
    drag(table, "yellow4", "9")
    phase(phone, "illegal")
    assert [box_of(board), box_of(phone.locator(".moves"))] == [there, below]
    drag(table, "yellow4", "5")
    turn_of(phone, "red")
    assert box_of(board) == there


# -- the big screen --------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1920, 1080), (1080, 1920), (1280, 720)])
def test_the_big_screen_shows_a_code_and_all_of_it_fits(
    size: tuple[int, int], visit: Open, house: Process, table: Page
) -> None:
    width, height = size
    do(table, do="new_game", sheet="german", names={**NAMES, "green": "Cleo", "black": "Dirk"})
    phase(table, "opening")
    screen = visit("/kiosk", house, viewport={"width": width, "height": height})
    show_code(table, "Anna")
    code = screen.locator(".seat img")
    expect(code).to_be_visible()
    expect(screen.locator(".seat")).to_contain_text("A phone for Anna")
    for part in (".seat img", ".seat p", ".board-card svg", ".turn"):
        box = box_of(screen.locator(part))
        assert box["y"] >= 0
        assert box["x"] >= 0
        assert box["y"] + box["height"] <= height, part
        assert box["x"] + box["width"] <= width, part
    assert screen.evaluate("document.documentElement.scrollHeight") <= height
    assert box_of(code)["width"] >= 0.3 * min(size)
    assert box_of(screen.locator(".board-card svg"))["width"] >= 0.4 * min(size)
    expect(screen.locator("img:visible")).to_have_count(1)  # no other code beside it


# -- what each is told -----------------------------------------------------------------------------


def test_a_player_at_the_table_page_is_led_to_the_phone_page(
    visit: Open, house: Process, table: Page
) -> None:
    german(table, names=NAMES)
    phone = phone_of(visit, house)
    expect(phone.get_by_role("heading", name="You play Anna")).to_be_visible()
    phone.goto(house.address)
    phase(phone, "move")
    expect(phone.locator(".play-side .hint")).to_have_text("")
    expect(phone.locator(".pin")).to_have_count(0)
    expect(phone.get_by_text("You play Anna")).to_be_visible()
    phone.get_by_role("link", name="Your phone page").click()
    expect(phone.get_by_role("heading", name="You play Anna")).to_be_visible()


def test_a_watcher_is_not_told_to_begin_a_game(visit: Open, house: Process) -> None:
    phone = visit("/phone", house, viewport=SMALL, extra_http_headers=AWAY)
    phase(phone, "idle")
    expect(phone.locator(".todo")).to_have_text("No game is on yet.")
    own = visit("/phone", house)
    expect(own.locator(".todo")).to_have_text("Start a new game.")


def test_at_the_end_only_who_may_is_told_what_to_turn_on(
    visit: Open, house: Process, table: Page
) -> None:
    do(table, do="set", name="chances", value=False)
    begin(table, names=NAMES)
    phone = phone_of(visit, house)
    do(table, do="end_game")
    expect(table.get_by_role("button", name="Turn it on")).to_be_visible()
    expect(phone.locator(".end")).to_be_visible()
    expect(phone.locator(".end .hint")).to_have_count(0)


def test_with_the_box_at_the_seat_the_phone_says_who_plays(
    visit: Open, house: Process, table: Page
) -> None:
    begin(table, names=NAMES)
    phone = phone_of(visit, house, "red")
    phone.get_by_role("combobox", name="Who plays red").select_option("fox")
    expect(phone.locator(".you")).to_contain_text("Fox plays for Ben")
    expect(phone.locator(".you")).not_to_contain_text("You play")
    phone.get_by_role("combobox", name="Who plays red").select_option("person")
    expect(phone.get_by_role("heading", name="You play Ben")).to_be_visible()


def test_the_menu_of_phones_has_the_names_that_the_box_has(table: Page) -> None:
    begin(table, names={"yellow": "Anna"})
    open_menu(table)
    table.get_by_role("button", name="Play by phone").click()
    expect(table.locator(".line").nth(0)).to_have_text("Anna")
    expect(table.locator(".line").nth(1)).to_have_text("Red")


def test_while_paused_nothing_is_to_be_tried_and_nothing_old_is_told(table: Page) -> None:
    before_capture(table)
    table.locator(".move").click()
    turn_of(table, "yellow")
    expect(table.locator(".verdict")).to_contain_text("is captured")
    table.get_by_role("button", name="Pause").click()
    phase(table, "paused")
    expect(table.locator(".play-side .hint")).to_have_text("")
    do(table, do="roll", face=3)
    expect(table.locator(".verdict")).to_contain_text("That cannot be done now.")
    expect(table.locator(".verdict")).not_to_contain_text("captured")
    open_menu(table)
    expect(table.get_by_role("button", name="Pause")).to_have_count(0)
    expect(table.locator(".line", has_text="Go on")).to_have_count(1)
    table.get_by_role("button", name="Go on", exact=True).click()
    phase(table, "roll")
    expect(table.get_by_role("button", name="Pause", exact=True)).to_be_visible()


def test_with_buttons_whoever_takes_back_is_told_to_press_done(visit: Open, table: Page) -> None:
    german(table, "touch")
    do(table, do="move", move="yellow 4 1>5")
    turn_of(table, "red")
    table.get_by_role("button", name="Take back").click()
    phase(table, "restore")
    expect(table.locator(".verdict")).to_contain_text("Then press “Done”.")
    table.get_by_role("button", name="Done").click()
    phase(table, "move")


def test_whoever_has_no_seat_may_still_show_the_pin(visit: Open, house: Process) -> None:
    phone = visit("/", house, viewport=SMALL, extra_http_headers=AWAY)
    field = phone.locator(".pin")
    expect(field).to_be_visible()
    field.fill(PIN)
    phone.get_by_role("button", name="Unlock").click()
    expect(field).to_be_hidden()


def test_take_back_is_offered_only_where_something_can_be_taken_back(
    visit: Open, house: Process, table: Page
) -> None:
    """As at the table: rolls for the start, and rolls with which nothing moved, cannot be."""
    phone = phone_of(visit, house)
    back = phone.get_by_role("button", name="Take back")
    begin(table, names=NAMES)
    expect(phone.locator(".you-play, .turn.p-roll").first).to_be_visible()
    do(table, do="roll", face=4)
    phase(phone, "move")
    expect(back).to_have_count(0)
    expect(table.get_by_role("button", name="Take back")).to_be_disabled()
    phone.locator(".move").click()
    turn_of(phone, "red")
    expect(back).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "said"), [("en", "Phone beside"), ("de", "Handy neben"), ("nl", "Telefoon naast")]
)
def test_who_watches_where_there_is_no_pin_is_told_how_to_play(locale: str, said: str) -> None:
    assert said in page_words(words(locale))["no_pin"]

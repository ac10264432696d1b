"""The page in a real browser: playing, being refused, putting right, keyboard, phone, languages."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.languages import LANGUAGES
from companion.web.files import STATIC
from tests.web.by_hand import (
    begin,
    box_of,
    do,
    drag,
    german,
    held,
    middle,
    phase,
    turn_of,
    violations,
    wait_for,
)
from tests.web.conftest import Open, Process
from tests.web.tables import AWAY, PIN

ROOT = Path(__file__).parents[2]
TITLES = {
    "german": ("German", "40", 8),
    "cards": ("Cards", "mat", 0),
    "british": ("British", "68", 8),
    "dutch": ("Dutch", "52-mirrored", 8),
    "pairs": ("Pairs", "52", 8),
}


# -- playing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", TITLES)
def test_a_game_of_each_sheet_starts_from_the_form_and_rolls(sheet: str, visit: Open) -> None:
    title, board, pieces = TITLES[sheet]
    page = visit()
    do(page, do="end_game")
    page.get_by_role("button", name="New game").click()
    form = page.get_by_role("dialog")
    form.get_by_text(title, exact=True).click()
    rivals = form.locator(".seat select")
    rivals.nth(1).select_option("nobody")
    rivals.nth(3).select_option("nobody")
    form.locator(".seat input").nth(0).fill("Anna")
    form.locator(".seat input").nth(2).fill("Ben")  # whoever played before is still there
    form.get_by_role("button", name="Start the game").click()
    expect(form).to_have_count(0)
    phase(page, "opening")
    expect(page.locator(".turn-name")).to_have_text("Anna")
    expect(page.locator("[data-piece]")).to_have_count(pieces)
    page.get_by_role("button", name="Roll the die").click()
    expect(page.locator(".history .entry")).to_have_count(1)
    kind = ".mat" if board == "mat" else {"40": ".b11", "68": ".b19"}.get(board, ".b15")
    expect(page.locator(f".board{kind}")).to_be_visible()


def test_a_legal_move_is_dragged_and_can_be_taken_back(visit: Open) -> None:
    page = visit()
    german(page)
    page.locator(".move").hover()
    expect(page.locator(".above .way")).to_have_count(1)
    drag(page, "yellow4", "5")
    turn_of(page, "red")
    expect(page.locator(".history")).to_contain_text("1 → 5")
    page.get_by_role("button", name="Take back").click()
    turn_of(page, "yellow")
    expect(page.locator(".verdict")).to_contain_text("taken back")
    expect(page.locator(".history")).not_to_contain_text("1 → 5")


@pytest.mark.parametrize("view", ["/", "/phone"])
def test_without_sensors_a_button_says_that_a_move_taken_back_is_put_right(
    visit: Open, view: str
) -> None:
    page = visit(view)
    german(page, sensing="touch")
    do(page, do="move", move="yellow 4 1>5")
    turn_of(page, "red")
    page.get_by_role("button", name="Take back").click()
    phase(page, "restore")
    expect(page.locator(".verdict")).to_contain_text("5 → 1")
    page.get_by_role("button", name="Done").click()
    phase(page, "move")
    turn_of(page, "yellow")
    expect(page.get_by_role("button", name="Done")).to_be_hidden()


def test_pieces_that_only_the_game_moves_need_no_putting_right(visit: Open) -> None:
    page = visit()
    german(page, sensing="choose")
    do(page, do="move", move="yellow 4 1>5")
    turn_of(page, "red")
    page.get_by_role("button", name="Take back").click()
    turn_of(page, "yellow")
    phase(page, "move")


def test_an_illegal_move_says_why_and_by_which_clause_and_is_put_right(visit: Open) -> None:
    page = visit()
    german(page)
    drag(page, "yellow4", "9")
    verdict = page.get_by_role("status").filter(has_text="not allowed")
    expect(verdict).to_contain_text("That is 8 squares, you rolled 4.")
    expect(verdict).to_contain_text("Rule O8")
    expect(verdict).to_contain_text("9 → 1")
    expect(page.locator(".above .remedy")).to_have_count(1)
    do(page, do="advise")
    expect(verdict).to_contain_text("First put the pieces right.")
    verdict.get_by_role("button", name="Rule O8").click()
    expect(page.get_by_role("dialog").locator(".marked dt")).to_have_text("O8")
    page.get_by_role("button", name="Close").click()
    drag(page, "yellow4", "1")
    phase(page, "move")
    expect(page.locator(".verdict")).to_contain_text("the board is right")
    expect(page.locator(".above .remedy")).to_have_count(0)


@pytest.mark.parametrize("view", ["/", "/phone", "/kiosk"])
def test_a_hint_is_a_quiet_line_and_nothing_jumps(visit: Open, view: str) -> None:
    page = visit(view)
    german(page)
    parts = [page.locator(".turn"), page.locator(".board-card")]
    before = [box_of(part) for part in parts]
    do(page, do="lift", piece="red1")
    expect(page.locator(".turn .quiet-line")).to_have_text("Now send Red home.")
    phase(page, "move")
    assert [box_of(part) for part in parts] == before
    expect(page.locator(".above .remedy.note")).to_have_count(1)
    expect(page.locator(".verdict.wrong, .marked, .remedy.wrong")).to_have_count(0)
    expect(page.locator("body")).not_to_contain_text("not allowed")
    do(page, do="put", piece="red1", place="R.B1")
    expect(page.locator(".turn .quiet-line")).to_have_text("")
    expect(page.locator(".above .remedy, .noted")).to_have_count(0)


@pytest.mark.parametrize(
    ("view", "width", "height"), [("/", 1280, 800), ("/", 360, 740), ("/phone", 360, 740)]
)
def test_an_alarm_is_in_view_and_nothing_jumps_when_it_comes_or_goes(
    visit: Open, view: str, width: int, height: int
) -> None:
    page = visit(view, viewport={"width": width, "height": height})
    german(page)
    kinds = [".board-card", ".die-button", ".moves", ".deeds", ".standing", ".history"]
    parts = [page.locator(kind) for kind in kinds]
    before = [box_of(part) for part in parts]
    alarm = page.locator(".verdict.wrong")
    do(page, do="lift", piece="yellow4")
    do(page, do="put", piece="yellow4", place="9")
    expect(alarm).to_contain_text("That is 8 squares, you rolled 4.")
    assert [box_of(part) for part in parts] == before
    for said in (alarm.locator(".reason"), alarm.locator(".step")):
        expect(said).to_be_in_viewport(ratio=1)
    board, told = before[0], box_of(alarm)  # neither the board nor what can be played is covered
    assert told["y"] >= board["y"] + board["height"] or told["x"] >= board["x"] + board["width"]
    page.locator(".move").click(trial=True)
    page.evaluate("scrollTo(0, 0)")  # a click brings what is pressed into view
    do(page, do="lift", piece="yellow4")
    do(page, do="put", piece="yellow4", place="1")
    expect(page.locator(".verdict")).to_contain_text("the board is right")
    assert [box_of(part) for part in parts] == before


def test_whose_turn_it_is_stays_in_its_place_on_the_big_screen_at_a_stop(visit: Open) -> None:
    screen = visit("/kiosk", viewport={"width": 1920, "height": 1080})
    page = visit()
    german(page)
    phase(screen, "move")
    there = box_of(screen.locator(".turn"))
    drag(page, "yellow4", "9")
    expect(screen.locator(".verdict.wrong")).to_be_in_viewport(ratio=1)
    assert box_of(screen.locator(".turn")) == there


def test_thinking_with_a_piece_in_the_hand_is_no_crime(visit: Open) -> None:
    page = visit()
    german(page)
    do(page, do="lift", piece="yellow4")
    expect(page.locator(".turn .quiet-line")).to_have_text("In the hand: Yellow (from 1).")
    expect(page.locator(".noted")).to_have_attribute("data-place", "1")
    phase(page, "move")


def test_an_illegal_move_can_be_let_stand(visit: Open) -> None:
    page = visit()
    german(page)
    drag(page, "yellow4", "9")
    phase(page, "illegal")
    expect(page.get_by_role("button", name="I see")).to_be_hidden()
    page.get_by_role("button", name="Let it stand").click()
    turn_of(page, "red")
    ruled = page.locator(".history .entry.c-yellow").first
    expect(ruled).to_contain_text("let stand")
    expect(ruled).to_contain_text("1 to 9")


def test_tapping_moves_a_piece_as_well(visit: Open) -> None:
    page = visit()
    german(page)
    page.locator('[data-piece="yellow4"]').click()
    expect(page.locator('[data-piece="yellow4"]')).to_have_class(re.compile("held"))
    page.locator('[data-place="5"]').click()
    turn_of(page, "red")


def test_a_piece_dropped_beside_the_board_goes_back(visit: Open) -> None:
    page = visit()
    german(page)
    page.mouse.move(*middle(page.locator('[data-piece="yellow4"] .body')))
    page.mouse.down()
    page.mouse.move(1200, 780, steps=5)
    page.mouse.up()
    drag(page, "yellow4", "5")
    turn_of(page, "red")


def test_a_move_is_played_from_the_list_and_by_hands(visit: Open) -> None:
    page = visit()
    german(page)
    page.get_by_role("button", name="1 to 5").click()
    turn_of(page, "red")
    do(page, do="roll", face=5)
    phase(page, "move")
    page.get_by_role("button", name="Play it for me").click()
    turn_of(page, "yellow")


@pytest.mark.parametrize(
    ("sensing", "why"), [("touch", "needs a 2 or a 6"), ("choose", "no legal move")]
)
def test_cards_are_laid_by_pressing_stacks(sensing: str, why: str, visit: Open) -> None:
    page = visit()
    do(page, do="new_game", sheet="cards", seats=["red", "yellow"], sensing=sensing)
    phase(page, "opening")
    for face in (6, 1, 3):
        do(page, do="roll", face=face)
    phase(page, "move")
    page.locator('[data-place="R.2"]').click()
    expect(page.locator(".verdict, .oops").filter(has_text=why)).to_be_visible()
    page.locator('[data-place="R.3"]').click()
    turn_of(page, "yellow")
    expect(page.locator('[data-place="R.3"]')).to_have_attribute("data-height", "1")


def test_what_was_open_stays_so_in_another_language_and_an_old_roll_is_pale(visit: Open) -> None:
    page = visit()
    do(page, do="new_game", sheet="german", seats=["red", "yellow"])
    phase(page, "opening")
    page.get_by_role("tab", name="Charts").click()
    page.locator(".practice summary").click()
    do(page, do="roll", face=3)
    expect(page.locator(".die.old > g")).to_have_css("opacity", "0.3")  # who is next has to roll
    page.get_by_label("Language").select_option("nl")
    expect(page.get_by_role("tab", name="Grafieken")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".practice .face-button").first).to_be_visible()
    page.get_by_label("Taal").select_option("en")


def test_of_two_languages_wished_at_once_the_box_speaks_the_last(visit: Open) -> None:
    page = visit()
    do(page, do="new_game", sheet="german", seats=["red", "yellow"])
    phase(page, "opening")
    with page.expect_request(lambda one: '"en"' in (one.post_data or "")):
        page.locator(".language").evaluate(
            """(choice) => {
                for (const wish of ["nl", "en"]) {
                    choice.value = wish;
                    choice.dispatchEvent(new Event("change"));
                }
            }"""
        )
    expect(page.get_by_role("tab", name="Charts")).to_be_visible()


def test_a_screen_of_the_box_opens_in_the_language_of_the_box(visit: Open) -> None:
    first = visit()
    german(first)
    do(first, do="set", name="language", value="nl")
    expect(first.locator("html")).to_have_attribute("lang", "nl")
    for address, spoken in (("/", "nl"), ("/?lang=de", "de")):
        expect(visit(address, locale="en-GB").locator("html")).to_have_attribute("lang", spoken)
    watcher = visit(locale="en-GB", extra_http_headers=AWAY)
    expect(watcher.locator("html")).to_have_attribute("lang", "en")
    second = visit(locale="de-DE")
    second.locator(".language").select_option("de")
    expect(first.locator("html")).to_have_attribute("lang", "de")
    second.reload()
    expect(second.locator("html")).to_have_attribute("lang", "de")
    do(first, do="set", name="language", value="en")
    first.reload()
    expect(first.locator("html")).to_have_attribute("lang", "en")


def test_of_two_languages_the_last_wished_is_spoken_whichever_words_come_first(visit: Open) -> None:
    page = visit()
    begin(page)
    language = page.locator(".language")
    dutch = held(page, "**/words.json?lang=nl", lambda: language.select_option("nl"))
    language.select_option("de")
    page.wait_for_timeout(300)  # these words could come first
    with page.expect_request(lambda one: '"de"' in (one.post_data or "")):
        dutch.continue_()
    expect(page.get_by_role("tab", name="Verlauf")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "de"
    do(page, do="set", name="language", value="en")


def test_autoplay_finishes_a_game(visit: Open) -> None:
    page = visit()
    do(page, do="new_game", sheet="cards", seats=["red", "yellow"])
    phase(page, "opening")
    page.get_by_role("button", name="Autoplay").click()
    expect(page.locator(".end")).to_be_visible()
    expect(page.locator(".end h2")).to_contain_text("wins!")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    path = download.value.path()
    assert path.read_text(encoding="utf-8").startswith("Ludo game record 1")


def test_the_box_shows_its_screen_and_its_buttons_work(visit: Open, unused: Process) -> None:
    page = visit(at=unused)
    expect(page.locator(".oled")).to_be_visible()
    lit = """() => { const c = document.querySelector(".oled"), d = c.getContext("2d")
        .getImageData(0, 0, 128, 64).data; let n = 0; for (let i = 0; i < d.length; i += 4)
        n += d[i] > 100; return n }"""
    wait_for(page, f"({lit})() > 200")
    page.get_by_role("button", name="OK", exact=True).click()
    phase(page, "menu")
    expect(page.locator(".moves .at")).to_have_text("Start the game")
    page.get_by_role("button", name="Down", exact=True).click()
    expect(page.locator(".moves .at")).not_to_have_text("Start the game")
    page.get_by_role("button", name="Hold OK").click()
    expect(page.locator(".welcome")).to_be_visible()


def test_who_begins_stands_in_the_row_of_who_does(visit: Open) -> None:
    page = visit()
    begin(page)  # red has rolled last
    rows = page.locator(".history .entry")
    expect(rows).to_have_count(3)
    expect(rows.first).to_have_text(re.compile("begins"))
    expect(rows.first).to_have_class(re.compile("c-yellow"))
    expect(rows.nth(1)).to_have_class(re.compile("c-red"))


def test_charts_are_drawn(visit: Open) -> None:
    page = visit()
    german(page)
    do(page, do="step")
    turn_of(page, "red")
    page.get_by_role("button", name="Roll", exact=False).first.click()
    page.get_by_role("tab", name="Charts").click()
    expect(page.locator("path.lead.c-yellow").first).to_be_attached()
    die = page.locator("figure.chart").filter(has_text="The die")
    expect(die).to_contain_text("Rolls: 1. The band")
    expect(die).to_contain_text("Too few rolls to say")
    expect(die).to_contain_text("not counted here: 3.")


def test_rolls_that_were_chosen_say_nothing_about_the_die(visit: Open) -> None:
    page = visit()
    begin(page)
    page.get_by_text("Practise").click()
    page.locator(".face-button").last.click()
    page.get_by_role("tab", name="Charts").click()
    die = page.locator("figure.chart").filter(has_text="The die")
    expect(die).to_contain_text("Chosen or entered by hand, and not counted here: 3.")
    expect(die).not_to_contain_text("fair")
    expect(die.get_by_role("img")).to_have_attribute("aria-label", re.compile("6: 0"))


# -- keyboard, languages, phone --------------------------------------------------------------------


def test_a_whole_move_with_the_keyboard_only(visit: Open) -> None:
    page = visit()
    do(page, do="end_game")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="New game").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("button", name="Start the game").focus()
    page.keyboard.press("Enter")
    phase(page, "opening")
    page.evaluate("document.activeElement.blur()")
    for _ in range(20):
        if page.locator(".turn.p-move").count():
            break
        before = page.locator(".history .entry").count()
        page.keyboard.press("Space")
        wait_for(
            page,
            f"document.querySelectorAll('.history .entry').length > {before}"
            " || Boolean(document.querySelector('.turn.p-move'))",
        )
    phase(page, "move")
    move = page.evaluate("document.querySelector('.man.movable').dataset.piece")
    piece = page.locator(f'[data-piece="{move}"]')
    place = piece.get_attribute("aria-label")
    piece.focus()
    expect(page.locator(".above .way")).to_have_count(1)
    steps = page.evaluate("[...document.querySelectorAll('.die:not(.blank) circle')].length")
    page.keyboard.press("Enter")
    expect(piece).to_have_attribute("aria-pressed", "true")
    for _ in range(1 if "base" in str(place) else steps):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".turn.p-roll")).to_be_visible()
    expect(piece).not_to_have_attribute("aria-label", str(place))


def test_escape_puts_a_lifted_piece_back(visit: Open) -> None:
    page = visit()
    german(page)
    piece = page.locator('[data-piece="yellow4"]')
    piece.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(piece).to_have_attribute("aria-label", re.compile(", 1$"))
    phase(page, "move")


@pytest.mark.parametrize(
    ("language", "title", "verdict", "reason"),
    [
        ("English", "Ludo companion", "That is not allowed.", "That is 8 squares, you rolled 4."),
        ("Deutsch", "Ludo-Begleiter", "Das ist nicht erlaubt.", "8 Felder"),
        ("Nederlands", "Ludo-maatje", "Dat mag niet.", "8 velden"),
    ],
)
def test_the_page_speaks_three_languages(
    language: str, title: str, verdict: str, reason: str, visit: Open
) -> None:
    page = visit()
    german(page)
    drag(page, "yellow4", "9")
    phase(page, "illegal")
    page.locator(".language").select_option(label=language)
    expect(page.get_by_role("heading", level=1)).to_contain_text(title)
    expect(page.locator(".verdict h3")).to_contain_text(verdict)
    expect(page.locator(".reason")).to_contain_text(reason)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_contain_text(title)


@pytest.mark.parametrize("path", ["/", "/phone", "/kiosk"])
def test_360_pixels_are_wide_enough(path: str, visit: Open) -> None:
    page = visit(path, viewport={"width": 360, "height": 740})
    german(page)
    drag_over = page.evaluate("document.documentElement.scrollWidth")
    assert drag_over <= 360
    expect(page.locator(".board").first).to_be_visible()


def test_other_rules_do_not_change_who_plays(visit: Open) -> None:
    page = visit()
    seats, box = ["yellow", "red"], {"red": "fox"}
    do(page, do="new_game", sheet="german", seats=seats, names={"yellow": "Ida"}, box=box)
    phase(page, "opening")
    expect(page.locator(".standing .c-red .who")).to_have_text("Fox")
    page.get_by_role("button", name="New game").click()
    form = page.get_by_role("dialog")
    form.get_by_text("Dutch", exact=True).click()

    def plays(colour: str) -> str:
        return form.get_by_role("combobox", name=f"Who plays {colour}").input_value()

    expect(form.get_by_role("combobox", name="Who plays blue")).to_have_value("nobody")
    assert [plays(one) for one in ("yellow", "red", "green")] == ["person", "fox", "nobody"]
    expect(form.get_by_role("textbox", name="Name of yellow")).to_have_value("Ida")
    form.get_by_role("combobox", name="Who plays red").select_option("nobody")
    form.get_by_role("combobox", name="Who plays blue").select_option("cat")
    form.get_by_text("German", exact=True).click()
    expect(form.get_by_role("combobox", name="Who plays black")).to_have_value("nobody")
    assert [plays(one) for one in ("yellow", "green", "red")] == ["person", "cat", "nobody"]


def test_two_players_of_one_kind_are_told_apart_by_their_colour(
    visit: Open, unused: Process
) -> None:
    page = visit(at=unused)
    seats = ["red", "yellow"]
    do(page, do="new_game", sheet="cards", seats=seats, box=dict.fromkeys(seats, "fox"))
    do(page, do="auto", on=True)
    expect(page.locator(".end h2")).to_have_text(re.compile(r"^Fox \((red|yellow)\) wins!$"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_plays_can_be_pressed_within_its_card(language: str, visit: Open) -> None:
    page = visit(f"/?lang={language}")
    german(page, names={"yellow": "Maximiliane", "red": "Jörg"})
    card = box_of(page.locator(".places"))
    for buttons in page.locator(".places .seat-buttons").all():
        box = box_of(buttons)
        assert box["x"] + box["width"] <= card["x"] + card["width"]


def test_a_phone_watches_and_plays_with_the_pin(visit: Open) -> None:
    table = visit()
    german(table)
    away = {"viewport": {"width": 360, "height": 740}, "extra_http_headers": AWAY}
    phone = visit("/phone", **away)
    turn_of(phone, "yellow")
    expect(phone.locator(".move")).to_be_disabled()
    phone.get_by_label("PIN").fill("0000")
    phone.get_by_role("button", name="Unlock").click()
    expect(phone.locator(".control .fault")).to_contain_text("not the PIN")
    phone.get_by_label("PIN").fill(PIN)
    phone.get_by_role("button", name="Unlock").click()
    phone.get_by_role("button", name="1 to 5").click()
    turn_of(phone, "red")
    turn_of(table, "red")
    expect(table.locator('[data-piece="yellow4"]')).to_have_attribute(
        "aria-label", "yellow piece, 5"
    )


def test_who_only_watches_moves_no_piece(visit: Open) -> None:
    table = visit()
    german(table)
    watcher = visit(extra_http_headers=AWAY)
    phase(watcher, "move")
    drag(watcher, "yellow4", "5")
    expect(watcher.locator('[data-piece="yellow4"]')).to_have_attribute(
        "aria-label", "yellow piece, 1"
    )
    expect(watcher.get_by_role("button", name="Roll the die")).to_be_disabled()
    phase(table, "move")


def test_a_line_of_the_menu_is_taken_by_pressing_it(visit: Open) -> None:
    page = visit()
    german(page)
    page.get_by_role("button", name="Hold OK").click()
    phase(page, "menu")
    page.locator(".moves").get_by_role("button", name="Statistics").click()
    expect(page.locator(".moves .line")).to_have_count(1)
    page.locator(".moves").get_by_role("button", name="Back").click()
    page.locator(".moves").get_by_role("button", name="Back").click()
    phase(page, "move")


def test_two_colours_of_one_player_are_refused_in_words(visit: Open) -> None:
    page = visit("/?lang=de")
    page.get_by_role("button", name="Neues Spiel").click()
    form = page.get_by_role("dialog")
    form.get_by_text("Deutsch", exact=True).click()
    form.get_by_label("Je zwei Farben (zu 2)").check()
    for number in (1, 3):
        form.locator(".seat select").nth(number).select_option("nobody")
    form.get_by_role("button", name="Spiel beginnen").click()
    expect(form.get_by_role("alert")).to_contain_text("Gelb + Rot gehören zusammen")


def test_whoever_is_named_in_the_form_plays(visit: Open) -> None:
    page = visit()
    german(page)
    page.get_by_role("button", name="New game").click()
    form = page.get_by_role("dialog")
    kind = form.get_by_role("combobox", name="Who plays green")
    expect(kind).to_have_value("nobody")
    name = form.get_by_role("textbox", name="Name of green")
    name.press("Space")
    expect(kind).to_have_value("nobody")
    name.press_sequentially("Zoë")
    expect(kind).to_have_value("person")
    fox = form.get_by_role("combobox", name="Who plays red")
    fox.select_option("fox")
    taken = form.get_by_role("textbox", name="Name of red")
    expect(taken).to_be_disabled()  # the box has its own names
    fox.select_option("person")
    expect(taken).to_be_enabled()
    taken.fill("zoë ")
    form.get_by_role("button", name="Start the game").click()
    expect(form.get_by_role("alert")).to_contain_text("Two players are called zoë")
    fox.select_option("fox")
    expect(taken).to_have_value("")
    form.get_by_role("button", name="Start the game").click()
    page.get_by_role("dialog").last.get_by_role("button", name="Start the game").click()
    expect(page.locator(".standing .c-green .who")).to_have_text("Zoë")


def test_the_kiosk_invites_until_somebody_plays(visit: Open, unused: Process) -> None:
    kiosk = visit("/kiosk", at=unused, viewport={"width": 1920, "height": 1080})
    expect(kiosk.get_by_role("heading", name="Come and play!")).to_be_visible()
    german(kiosk)
    expect(kiosk.get_by_role("heading", name="Come and play!")).to_be_hidden()
    turn_of(kiosk, "yellow")
    expect(kiosk.locator(".standing li")).to_have_count(2)


def test_who_will_win_is_certain_at_the_end(visit: Open, unused: Process) -> None:
    page = visit("/kiosk", unused)
    do(page, do="new_game", sheet="cards", seats=["red", "yellow"])
    phase(page, "opening")
    size = "(name) => getComputedStyle(name).fontSize"
    before = page.locator(".turn-name").evaluate(size)
    do(page, do="set", name="chances", value=True)
    do(page, do="auto", on=True)
    chart = page.locator("figure.chart").filter(has_text="Who will win").get_by_role("img")
    expect(page.locator(".turn-name")).to_contain_text("wins!")
    assert page.locator(".turn-name").evaluate(size) == before  # who wins is no smaller for it
    expect(chart).to_have_attribute("aria-label", re.compile("100 %.* 0 %|: 0 %.* 100 %"))


@pytest.mark.parametrize("size", [(1080, 1920), (1200, 1920), (768, 1366)])
def test_four_players_and_the_charts_have_room_on_an_upright_kiosk(
    size: tuple[int, int], visit: Open
) -> None:
    kiosk = visit("/kiosk?lang=de", viewport={"width": size[0], "height": size[1]})
    do(kiosk, do="new_game", sheet="german", seats=["yellow", "green", "red", "black"])
    expect(kiosk.locator(".standing li")).to_have_count(4)
    phase(kiosk, "opening")
    for chart in kiosk.locator(".pair .chart").all():
        expect(chart.locator("svg")).to_be_in_viewport(ratio=1)
    assert kiosk.evaluate("document.documentElement.scrollHeight") <= size[1]


# -- coming back -----------------------------------------------------------------------------------


def test_after_a_crash_the_page_comes_back_with_the_same_game(visit: Open, unused: Process) -> None:
    page = visit(at=unused)
    german(page)
    drag(page, "yellow4", "5")
    turn_of(page, "red")
    unused.kill()
    expect(page.locator(".lost")).to_be_visible()
    unused.start()
    expect(page.locator(".lost")).to_be_hidden()
    turn_of(page, "red")
    phase(page, "roll")
    expect(page.locator(".history")).to_contain_text("1 → 5")
    expect(page.locator('[data-piece^="yellow"][aria-label="yellow piece, 5"]')).to_have_count(1)
    do(page, do="roll", face=3)
    phase(page, "move")


def test_a_reader_hears_the_same_roll_again(visit: Open) -> None:
    page = visit()
    begin(page)
    do(page, do="roll", face=6)
    phase(page, "move")
    page.locator(".move").first.click()
    phase(page, "roll")
    note_what_is_said(page)
    do(page, do="roll", face=6)
    phase(page, "move")
    page.locator(".move").first.hover()
    assert page.evaluate("heard") == ["Yellow rolled 6"]


def note_what_is_said(page: Page) -> None:
    """From now on `heard` has what a screen reader is told of rolls."""
    page.evaluate("""() => {
        const told = (window.heard = []);
        const line = document.querySelector(".turn .unseen");
        new MutationObserver(() => told.push(line.textContent)).observe(line, { childList: true });
    }""")


def test_after_a_restart_a_reader_hears_who_rolled_what_lies_there(
    visit: Open, unused: Process
) -> None:
    page = visit(at=unused)
    do(page, do="new_game", sheet="british", seats=["red", "yellow"], names={"red": "Anna"})
    phase(page, "opening")
    for face in (6, 1, *[1] * 330, 6):  # so much is told in portions
        do(page, do="roll", face=face)
    phase(page, "move")
    page.locator(".move").first.click()
    phase(page, "roll")  # it is kept
    said = page.locator(".turn .unseen")
    expect(said).to_have_text("Anna rolled 6")
    unused.kill()
    expect(page.locator(".lost")).to_be_visible()
    note_what_is_said(page)
    unused.start()
    expect(page.locator(".lost")).to_be_hidden()
    do(page, do="roll", face=3)
    phase(page, "move")
    assert page.evaluate("heard.slice(0, -1)") == [], "nothing else was rolled"
    expect(said).to_have_text("Anna rolled 3")


@pytest.mark.parametrize("path", ["/", "/kiosk", "/phone"])
def test_after_an_update_the_page_is_the_new_one(
    path: str, visit: Open, unused: Process, tmp_path: Path
) -> None:
    """Nobody reloads a kiosk by hand; and a mere restart is no reason to."""
    page = visit(path, at=unused)
    german(page)
    page.evaluate("window.old = true")
    unused.kill()
    expect(page.locator(".lost")).to_be_visible()
    unused.start()
    expect(page.locator(".lost")).to_be_hidden()
    assert page.evaluate("window.old") is True
    newer = shutil.copytree(STATIC, tmp_path / "static")
    main = (newer / "main.js").read_text(encoding="utf-8")
    (newer / "main.js").write_text(main.replace('t("title")', '"A newer companion"'))
    unused.kill()
    expect(page.locator(".lost")).to_be_visible()
    unused.start(newer)
    expect(page).to_have_title("A newer companion")
    assert page.evaluate("window.old") is None
    turn_of(page, "yellow")
    phase(page, "move")


def test_after_a_restart_a_phone_is_asked_for_the_pin_again(visit: Open, unused: Process) -> None:
    phone = visit("/phone", at=unused, extra_http_headers=AWAY)
    phone.get_by_label("PIN").fill(PIN)
    phone.get_by_role("button", name="Unlock").click()
    expect(phone.locator(".control").get_by_role("button", name="New game")).to_be_visible()
    unused.kill()
    expect(phone.locator(".lost")).to_be_visible()
    unused.start()
    expect(phone.locator(".pin-form")).to_contain_text("enter the PIN again")
    phone.get_by_label("PIN").fill(PIN)
    phone.get_by_role("button", name="Unlock").click()
    expect(phone.locator(".control").get_by_role("button", name="New game")).to_be_visible()


# -- for everybody ---------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong_before_a_game(scheme: str, visit: Open, unused: Process) -> None:
    for path in ("/", "/kiosk", "/phone"):
        page = visit(path, at=unused, color_scheme=scheme)
        expect(page.locator(".board").first).to_be_attached()
        assert violations(page) == [], path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/kiosk", "/phone"])
def test_axe_finds_nothing_wrong(path: str, scheme: str, visit: Open) -> None:
    away = AWAY if path == "/phone" else {}
    page = visit(path, color_scheme=scheme, extra_http_headers=away)
    table = visit()
    german(table)
    phase(page, "move")
    assert violations(page) == [], "move"
    drag(table, "yellow4", "9")
    phase(page, "illegal")
    assert violations(page) == [], "illegal"
    if path == "/":
        page.get_by_role("tab", name="Charts").click()
        assert violations(page) == [], "charts"
        page.get_by_role("button", name="New game").click()
        assert violations(page) == [], "form"
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Rules").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        assert violations(page) == [], "rules"
    do(table, do="new_game", sheet="cards")
    phase(page, "opening")
    assert violations(page) == [], "cards"

"""Past games in a browser: found, replayed with the keys, and called by one number everywhere."""

import re
import sqlite3

import pytest
from playwright.sync_api import expect

from tests.web.by_hand import do, drag, games_of, german, phase, turn_of
from tests.web.conftest import Open, Process


def test_the_space_bar_plays_after_a_game_was_chosen_with_the_mouse(
    visit: Open, unused: Process
) -> None:
    page = visit(at=unused)
    german(page)
    drag(page, "yellow4", "5")
    turn_of(page, "red")
    page.goto(unused.address + "/games")
    page.locator(".past-game").click()
    said = page.locator(".replay .said")
    expect(said).to_contain_text("0 / 1")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    slider = page.get_by_role("slider")
    expect(slider).to_have_value("2")
    page.keyboard.press("Space")
    expect(slider).to_have_value("3")
    expect(said).to_contain_text("1 / 1")


def test_with_the_keyboard_a_game_is_chosen_in_the_list_and_played_with_the_same_key(
    visit: Open, unused: Process
) -> None:
    page = visit(at=unused)
    games_of(page, "Anna", "Cleo")
    page.goto(unused.address + "/games")
    games, shown = page.locator(".past-game"), page.locator(".replay h2")
    games.filter(has_text="Cleo").focus()
    page.keyboard.press("Tab")
    expect(games.filter(has_text="Anna")).to_be_focused()
    page.keyboard.press("Space")
    expect(shown).to_contain_text("Anna")
    page.keyboard.press("Space")
    expect(page.get_by_role("slider")).to_have_value("3")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("slider")).to_have_value("2")
    page.keyboard.press("Tab")  # from the game on: its own buttons come next
    expect(page.get_by_role("button", name="One move back")).to_be_focused()


def test_a_game_is_called_by_its_number_and_old_links_lead_to_it(
    visit: Open, unused: Process
) -> None:
    page = visit(at=unused)
    games_of(page, "Anna", "Cleo")
    page.goto(unused.address + "/games?game=2")  # no game had this number in links of before
    expect(page.locator(".found > .fault")).to_contain_text("Game 2 is not there")
    expect(page.get_by_role("button", name="Delete game")).to_be_hidden()  # another is called so
    page.goto(unused.address + "/games?number=2")
    shown = page.locator(".replay h2")
    expect(shown).to_contain_text("Game 2 · ")
    expect(shown).to_contain_text("Cleo")
    expect(page).to_have_url(f"{unused.address}/games?number=2")
    expect(page.locator(".past-game").filter(has_text="Cleo")).to_contain_text("Game 2 · ")
    with sqlite3.connect(unused.journal) as journal:
        (old,) = journal.execute("SELECT max(game) FROM records").fetchone()
    journal.close()
    page.goto(f"{unused.address}/games?game={old}&after=1")
    expect(shown).to_contain_text("Cleo")
    expect(page).to_have_url(f"{unused.address}/games?number=2&after=1")
    page.get_by_role("button", name="What if?").click()
    page.get_by_role("link", name="Back to the game").click()
    expect(shown).to_contain_text("Cleo")


def test_a_new_game_in_which_nobody_rolled_is_not_listed(visit: Open, unused: Process) -> None:
    page = visit(at=unused)
    german(page, names={"yellow": "Anna", "red": "Ben"})
    do(page, do="new_game", sheet="german", seats=["yellow", "red"], names={"yellow": "Cleo"})
    phase(page, "opening")
    page.goto(unused.address + "/games")
    expect(page.locator(".past-game")).to_have_count(1)
    expect(page.locator(".past-game")).to_contain_text("Anna")


def test_what_if_after_the_last_move_begins_before_it(visit: Open, unused: Process) -> None:
    page = visit(at=unused)
    do(page, do="new_game", sheet="cards", seats=["red", "yellow"])
    phase(page, "opening")
    do(page, do="auto", on=True)
    expect(page.locator(".end")).to_be_visible()
    page.goto(unused.address + "/games?number=1")
    expect(page.locator(".said")).to_contain_text("0 / ")
    page.keyboard.press("End")
    slider = page.get_by_role("slider")
    last = int(slider.get_attribute("max") or 0)
    expect(slider).to_have_value(str(last))
    page.get_by_role("button", name="What if?").click()
    phase(page, "move")  # somebody can still do something else
    page.get_by_role("link", name="Back to the game").click()
    expect(slider).to_have_value(str(last - 1))


def test_what_if_shows_the_rules_of_its_own_game(visit: Open, unused: Process) -> None:
    page = visit(at=unused)
    german(page, options={"bounce": True})
    do(page, do="new_game", sheet="british", seats=["red", "yellow"])
    page.goto(unused.address + "/games?number=1")
    page.get_by_role("button", name="What if?").click()
    page.get_by_role("button", name="Rules", exact=True).click()
    rules = page.get_by_role("dialog")
    expect(rules.locator("dt", has_text="G1").first).to_be_visible()
    expect(rules.locator("dt", has_text="B1")).to_have_count(0)  # of the table that counts


@pytest.mark.parametrize(
    ("locale", "said", "alone"),
    [("en-GB", "Anna (then Fox)", "Fox"), ("de-DE", "Anna (dann Fuchs)", "Fuchs")],
)
def test_who_gave_the_seat_to_the_box_is_named_with_it_at_the_end_and_in_past_games(
    locale: str, said: str, alone: str, visit: Open, unused: Process
) -> None:
    page = visit(at=unused, locale=locale)
    names = {"red": "Anna", "yellow": "Ben"}
    do(page, do="new_game", sheet="cards", seats=["red", "yellow"], names=names)
    phase(page, "opening")
    do(page, do="roll", face=6)
    turn_of(page, "yellow")
    page.locator(".standing .c-red select").select_option("fox")
    expect(page.locator(".standing .c-red .who")).to_have_text(alone)
    do(page, do="auto", on=True)
    expect(page.locator(".end")).to_be_visible()
    expect(page.locator(".podium .c-red")).to_contain_text(said)
    kiosk = visit("/kiosk", at=unused)  # in the language of the box
    both = re.compile(r"^Anna \((then Fox|dann Fuchs)\)$")
    expect(kiosk.locator(".standing .c-red .who")).to_have_text(both)
    page.goto(f"{unused.address}/games?lang={locale[:2]}")
    expect(page.locator(".past-game strong")).to_have_text(f"{said}, Ben")
    page.locator(".past-game").click()
    expect(page.locator(".replay h2")).to_contain_text(f"{said}, Ben")
    who = page.locator(".said strong")
    page.keyboard.press("ArrowRight")
    expect(who).to_have_text("Anna")
    seen = set()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
        seen.add(who.inner_text())
    assert seen == {alone, "Ben"}  # who made each move


def test_the_longest_name_leaves_past_games_as_narrow_as_a_phone(
    visit: Open, unused: Process
) -> None:
    page = visit(at=unused, viewport={"width": 320, "height": 640})
    german(page, names={"yellow": "W" * 20, "red": "Ben"})
    page.goto(unused.address + "/games?number=1")
    expect(page.locator(".replay h2")).to_contain_text("W" * 20)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320

"""House rules on the page in a real browser: made on a phone, played by, shared, deleted."""

import contextlib
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from companion.house_sheets import HouseSheets
from companion.languages import LANGUAGES
from companion.rules import SHEETS, BadInput
from companion.rules.family import from_line, house_rules
from companion.screens.fridge import fridge_page
from companion.screens.house_rules import choices
from companion.screens.languages import words
from tests.scanning import scanned
from tests.web.by_hand import do, phase, violations
from tests.web.conftest import Open, Process

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SUNDAY = from_line("Sunday rules: british+bounce+pieces=3")._replace(rolls=212.5)


def switch(page: Page, name: str) -> None:
    page.locator(f".switch:has(input[name={name}])").click()


def test_a_sheet_is_made_on_a_phone_and_played(visit: Open, unused: Process) -> None:
    page = visit("/house-rules", unused, **PHONE)
    page.get_by_role("button", name="Make your own rules").click()
    page.get_by_text("British", exact=True).click()
    switch(page, "third_six_void")
    expect(page.locator(".switch.on")).to_have_count(1)
    switch(page, "third_six_back")
    expect(page.locator(".trouble li")).to_contain_text("leave one of them off")
    expect(page.locator(".switch.wrong .clash")).to_have_count(2)
    assert violations(page) == []
    keep = page.get_by_role("button", name="Try it out and keep it")
    expect(keep).to_be_disabled()
    switch(page, "third_six_void")
    expect(page.locator(".trouble li")).to_have_count(0)
    page.locator("fieldset.switch .number", has_text="2").click()
    expect(page.locator(".switch.on")).to_have_count(2)
    assert violations(page) == []
    keep.click()
    expect(page.locator(".said")).to_have_text("It needs a name.")
    page.get_by_label("3. What do you call it?").fill("Oma <3")
    expect(page.locator(".trouble")).to_contain_text("letters, numbers and spaces")
    page.get_by_label("3. What do you call it?").fill("Oma's rules")
    keep.click()
    expect(page.locator(".own-sheet h3")).to_have_text("Oma's rules")
    expect(page.locator(".good")).to_contain_text("Kept")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []
    (kept,) = HouseSheets(unused.journal.parent).read().offered
    assert str(kept) == "Oma's rules: british+pieces=2+third_six_back"

    table = visit("/", unused)
    table.locator("button.new").click()
    table.get_by_text("Oma's rules", exact=True).click()
    expect(table.locator(".about")).to_have_text("British, Pieces: 2, Third six sends back")
    table.get_by_role("button", name="Start").click()
    phase(table, "opening")
    table.locator("header").get_by_role("button", name="Rules").click()
    expect(table.locator(".articles")).to_contain_text("H10")
    expect(page.locator(".own-sheet")).to_contain_text("when the game is over")
    expect(page.get_by_role("button", name="Delete")).to_be_disabled()


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "nl-NL"])
def test_house_rules_are_found_on_a_phone(locale: str, visit: Open, unused: Process) -> None:
    page = visit("/", unused, viewport={"width": 360, "height": 740}, locale=locale)
    link = page.locator("header .to-own")
    expect(link).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    link.click()
    expect(page.locator(".intro button")).to_be_visible()


def test_own_rules_are_begun_from_the_form_with_one_press(visit: Open, unused: Process) -> None:
    page = visit("/", unused)
    page.locator("button.new").click()
    page.get_by_role("link", name="Make your own rules").click()
    page.get_by_label("3. What do you call it?").fill("Oma")
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".begun")).to_contain_text("You have begun “Oma”")


def test_what_was_begun_outlives_back_and_another_language(visit: Open, unused: Process) -> None:
    page = visit("/", unused)
    page.get_by_role("link", name="House rules").click()
    page.get_by_role("button", name="Make your own rules").click()
    page.get_by_text("British", exact=True).click()
    switch(page, "bounce")
    page.get_by_label("3. What do you call it?").fill("Oma")
    expect(page.locator(".switch.on")).to_have_count(1)
    page.go_back()
    expect(page.locator(".begun")).to_contain_text("You have begun “Oma”")
    page.go_forward()
    expect(page.get_by_text("This is what you had begun.")).to_be_visible()
    page.get_by_label("Language").select_option("de")
    expect(page.get_by_text("Das hattest du angefangen.")).to_be_visible()
    page.get_by_label("Sprache").select_option("en")
    page.goto(unused.address)
    page.goto(f"{unused.address}/house-rules")
    page.get_by_role("button", name="Go on with it").click()
    expect(page.get_by_label("3. What do you call it?")).to_have_value("Oma")
    expect(page.locator(".switch.on input")).to_have_attribute("name", "bounce")
    expect(page.get_by_role("radio", name="British")).to_be_checked()
    assert violations(page) == []
    page.get_by_role("button", name="Back").click()
    page.get_by_role("button", name="Throw it away").click()
    expect(page.locator(".begun")).to_have_count(0)


def test_neither_a_lost_answer_nor_the_end_of_a_trial_takes_what_was_begun(
    visit: Open, unused: Process
) -> None:
    page = visit("/house-rules", unused)
    page.get_by_role("button", name="Make your own rules").click()
    page.get_by_text("British", exact=True).click()
    switch(page, "bounce")
    expect(page.locator(".switch.on")).to_have_count(1)
    busy = [True]  # the box has no time for one answer

    def answer(route: Route) -> None:
        route.fulfill(status=503) if busy and busy.pop() else route.continue_()

    page.route("**/look.json*", answer)
    switch(page, "third_six_void")
    expect(page.locator(".switch.on")).to_have_count(2)
    name = page.get_by_label("3. What do you call it?")
    name.fill("Oma")
    trials: list[Route] = []

    def hold(route: Route) -> None:
        trials.append(route)

    page.route("**/trial.json", hold)
    with page.expect_request("**/trial.json"):
        page.get_by_role("button", name="Try it out and keep it").click()
    expect(page.locator(".switches")).to_have_js_property("inert", True)
    expect(page.locator(".sheets")).to_have_js_property("inert", True)
    expect(name).not_to_be_editable()
    page.get_by_role("button", name="Back").click()
    page.get_by_role("button", name="Make your own rules").click()
    name.fill("Opa")
    page.unroute("**/trial.json")
    with page.expect_response(lambda found: "keep_rules" in (found.request.post_data or "")):
        trials[0].continue_()
    page.evaluate("fetch('/house-rules.json').then((answer) => answer.json())")
    (kept,) = HouseSheets(unused.journal.parent).read().offered
    assert str(kept) == "Oma: british+bounce+third_six_void"
    expect(name).to_have_value("Opa")
    page.reload()
    expect(name).to_have_value("Opa")


def test_a_kept_sheet_is_played_with_one_press_and_is_known_by_its_name_later(
    visit: Open, unused: Process
) -> None:
    HouseSheets(unused.journal.parent).keep(SUNDAY)
    page = visit("/house-rules", unused, **PHONE)
    expect(page.locator(".busy")).to_have_count(0)
    page.get_by_role("button", name="Play: Red, Fox").tap()
    phase(page, "opening")
    expect(page.locator(".board-card")).to_have_attribute("aria-label", "Board: Sunday rules")
    expect(page.locator("[data-piece]")).to_have_count(6)
    page.goto(f"{unused.address}/house-rules")
    expect(page.locator(".busy")).to_be_in_viewport()  # before anybody makes rules in vain
    page.get_by_role("button", name="Make your own rules").tap()
    expect(page.locator(".busy")).to_be_in_viewport()
    do(page, do="roll", face=6)  # a game in which nobody rolled is not listed
    page.wait_for_function(
        "async () => (await (await fetch('/games.json')).json()).games.length === 1"
    )
    page.goto(f"{unused.address}/games")
    expect(page.locator(".past-game")).to_contain_text("Red, Fox")
    expect(page.locator(".past-game")).to_contain_text("Sunday rules")


def test_a_sheet_is_shared_opened_from_a_link_and_deleted(
    visit: Open, unused: Process, tmp_path: Path
) -> None:
    HouseSheets(unused.journal.parent).keep(SUNDAY)
    page = visit("/house-rules", unused, **PHONE)
    page.get_by_role("button", name="Share").click()
    expect(page.locator("dialog input")).to_have_value(str(SUNDAY))
    picture = page.locator("dialog img")
    assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth > 0)")
    picture.screenshot(path=tmp_path / "code.png")
    assert scanned(tmp_path / "code.png") == str(SUNDAY)
    assert violations(page) == []
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Delete").click()
    page.locator("dialog .main").click()
    expect(page.locator(".own-sheet")).to_have_count(0)
    page.goto(f"{unused.address}/house-rules?line=Other%3A%20british%2Bbounce")
    expect(page.get_by_label("3. What do you call it?")).to_have_value("Other")
    expect(page.locator(".switch.on")).to_have_count(1)
    page.goto(f"{unused.address}/house-rules?line=nonsense")
    expect(page.locator(".oops")).to_contain_text("cannot be read")


@pytest.mark.parametrize("base", SHEETS)
def test_the_page_for_the_fridge_prints_on_one_page(browser: Browser, base: str) -> None:
    """Of every sheet with as many rules as can go together."""
    chosen: list[str] = []
    names = [option.name for option, _ in choices(base)]
    for name in (*names, "pieces=2"):
        with contextlib.suppress(BadInput):
            house_rules("All", base, [*chosen, name])
            chosen.append(name)
    rules = house_rules("All", base, chosen)
    page = browser.new_page()
    for language in LANGUAGES:
        page.set_content(fridge_page(rules, language, words(language)))
        printed = page.pdf(prefer_css_page_size=True)
        assert printed.count(b"/Type /Page\n") == 1, language
    page.close()


def test_a_broken_file_is_told_and_markup_stays_text(visit: Open, unused: Process) -> None:
    folder = Path(unused.journal.parent) / "house-rules"
    folder.mkdir()
    (folder / "bad.toml").write_text('name = "<img src=x>"\nbase = "german"\n', encoding="utf-8")
    page = visit("/house-rules", unused)
    expect(page.locator(".card.fault")).to_contain_text("bad.toml")
    expect(page.locator("img[src=x]")).to_have_count(0)


def test_who_only_watches_reads_and_makes_nothing(visit: Open, unused: Process) -> None:
    HouseSheets(unused.journal.parent).keep(SUNDAY)
    page = visit("/house-rules", unused)
    expect(page.locator(".own-sheet")).to_have_count(1)
    do(page, do="menu")
    page.context.clear_cookies()
    page.reload()
    expect(page.get_by_text("Only who controls the table")).to_be_visible()
    expect(page.get_by_role("button", name="Delete")).to_have_count(0)
    expect(page.get_by_role("button", name="Share")).to_be_visible()


def test_only_those_who_may_are_asked_to_make_rules(visit: Open, unused: Process) -> None:
    page = visit("/house-rules", unused)
    said = page.get_by_text("There are no house rules yet.")
    expect(said).to_have_text("There are no house rules yet. Make the first!")
    page.context.clear_cookies()
    page.reload()
    expect(page.get_by_text("Only who controls the table")).to_be_visible()
    expect(said).to_have_text("There are no house rules yet.")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Sunday rules: british+barriers", "Britisch hat diese Regel schon"),
        ("Sunday rules: english", "keine Regeln „english“"),
        ("Sunday rules: german+teleport", "keine Regel „teleport“"),
        ("Sunday rules: german+pieces=99", "„pieces=99“ gibt es nicht"),
        ("Sunday rules: german+", "lässt sich nicht lesen"),
        ("Sunday rules", "lässt sich nicht lesen"),
    ],
)
def test_a_pasted_line_that_cannot_be_played_is_told_why(visit: Open, line: str, why: str) -> None:
    page = visit("/house-rules?lang=de")
    page.get_by_role("textbox").fill(line)
    page.get_by_role("button", name="Öffnen").click()
    expect(page.locator("main .fault")).to_contain_text(why)


def test_rules_made_during_a_game_are_not_kept_and_the_game_can_be_ended_there(
    visit: Open, unused: Process
) -> None:
    page = visit(at=unused)
    do(page, do="new_game", sheet="german", seats=["yellow", "red"])
    phase(page, "opening")
    page.goto(unused.address + "/house-rules")
    page.get_by_role("button", name="Make your own rules").click()
    expect(page.locator(".busy")).to_contain_text("no rules can be tried out and kept")
    switch(page, "bounce")
    page.get_by_label("3. What do you call it?").fill("Oma")
    keep = page.get_by_role("button", name="Try it out and keep it")
    keep.click()
    expect(page.locator(".said")).to_contain_text("This is not kept yet")
    page.get_by_role("button", name="End this game").click()
    asked = page.get_by_role("dialog")
    expect(asked).to_contain_text("before somebody has won?")
    asked.get_by_role("button", name="End this game").click()
    expect(page.locator(".busy")).to_be_hidden()
    keep.click()
    expect(page.locator(".own-sheet h3")).to_have_text("Oma")


def test_no_rule_runs_under_its_switch_on_the_narrowest_phone(visit: Open) -> None:
    page = visit("/house-rules?lang=de", viewport={"width": 320, "height": 640})
    page.get_by_role("button", name="Eigene Regeln machen").click()
    expect(page.locator(".switch").first).to_be_visible()
    under = """(all) => all.filter((one) => {
        const range = document.createRange();
        range.selectNodeContents(one.querySelector(".what"));
        const knob = one.querySelector(".knob");
        return knob && range.getBoundingClientRect().right > knob.getBoundingClientRect().left;
    }).map((one) => one.textContent)"""
    assert page.locator(".switch").evaluate_all(under) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320

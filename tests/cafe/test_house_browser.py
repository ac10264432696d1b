"""The house's page in a real browser: fifty tables, on the wall, on a phone, in three languages."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.cafe.crowd import PIN
from tests.patience import PATIENCE
from tests.web.by_hand import violations, wait_for

ROOT = Path(__file__).parents[2]
SIZES = {"/": (1400, 900), "/wall": (1920, 1080), "/staff": (390, 844), "/statistics": (800, 900)}


class Crowd:
    """A house with fifty tables in a process of its own."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "tests.cafe.crowd", str(folder), "50"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().partition("/?")[0].strip()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crowd]:
    one = Crowd(tmp_path_factory.mktemp("house"))
    yield one
    one.kill()


def opened(browser: Browser, address: str, path: str, language: str, scheme: Any) -> Page:
    width, height = SIZES[path]
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto(f"{address}{path}?lang={language}")
    return page


@pytest.mark.parametrize(
    ("path", "language", "scheme"),
    [
        ("/", "en", "light"),
        ("/", "de", "dark"),
        ("/wall", "de", "dark"),
        ("/wall", "nl", "light"),
        ("/staff", "nl", "light"),
        ("/staff", "en", "dark"),
        ("/statistics", "de", "light"),
    ],
)
def test_fifty_tables_are_shown_and_axe_finds_nothing_wrong(
    path: str, language: str, scheme: str, browser: Browser, crowd: Crowd
) -> None:
    page = opened(browser, crowd.address, path, language, scheme)
    if path == "/statistics":
        expect(page.locator(".bars").first).to_be_visible()
    else:
        expect(page.locator("article.table")).to_have_count(50)
        expect(page.locator(".helper").first).to_be_visible()
        expect(page.locator(".table.there").first).to_be_visible()
        expect(page.locator(".table.lost")).to_have_count(5)
    wait_for(page, "document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []
    page.context.close()


def test_every_table_fits_on_the_wall(browser: Browser, crowd: Crowd) -> None:
    page = opened(browser, crowd.address, "/wall", "en", "dark")
    expect(page.locator("article.table")).to_have_count(50)
    words = "[...document.querySelectorAll('.words')]"
    for width in (1920, 3840):  # with large boards the words are larger too
        page.set_viewport_size({"width": width, "height": width * 9 // 16})
        wait_for(page, "document.documentElement.scrollHeight <= innerHeight + 1")
        wait_for(page, f"{words}.every((one) => one.scrollHeight <= one.clientHeight)")
    page.context.close()


@pytest.mark.parametrize("path", ["/", "/wall", "/staff"])
def test_stacks_of_cards_are_a_picture_and_no_text_to_click(
    path: str, browser: Browser, crowd: Crowd
) -> None:
    page = opened(browser, crowd.address, path, "en", "light")
    expect(page.locator(".there .stack").first).to_be_visible()
    stack = "document.querySelector('.there .stack')"  # the page draws tables anew at any time
    picture = f"getComputedStyle({stack}.closest('.picture'))"
    wait_for(page, f"{picture}.textDecorationLine === 'none'")
    wait_for(page, f"{stack}.offsetHeight < 2 * parseFloat(getComputedStyle({stack}).fontSize)")
    page.context.close()


def test_who_calls_comes_first_and_orders_ask_for_the_pin(browser: Browser, crowd: Crowd) -> None:
    page = opened(browser, crowd.address, "/staff", "en", "light")
    expect(page.locator(".helper").first).to_contain_text("Calls for help")
    expect(page.locator("article.lost").first).to_be_visible()
    page.locator("article.lost .open").first.click()
    dialog = page.locator("dialog.orders")
    expect(dialog).to_be_visible()
    assert violations(page) == []
    dialog.get_by_label("Staff PIN").fill("000000")
    dialog.get_by_role("button", name="Sign in").click()
    expect(dialog.locator(".answer")).to_have_text("That is not the PIN.")
    dialog.get_by_label("Staff PIN").fill(PIN)
    dialog.get_by_role("button", name="Sign in").click()
    begin = dialog.get_by_role("button", name="New game")
    expect(begin).to_be_enabled()
    assert violations(page) == []
    for colour in ("yellow", "green", "red"):
        dialog.get_by_label(colour).uncheck()
    expect(begin).to_be_disabled()  # nobody plays alone
    dialog.locator("form select").first.select_option(index=1)
    expect(begin).to_be_enabled()  # by other rules all are asked again
    dialog.get_by_label("Show a line").fill("Last orders")
    dialog.get_by_role("button", name="Send").click()
    expect(dialog.locator(".answer")).to_have_text("The table does not answer.")
    dialog.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="I am coming").first.click()
    expect(page.locator(".help .answer")).to_contain_text(": The table does not answer.")
    page.context.close()


def test_a_click_on_a_small_board_leads_to_the_tables_page(browser: Browser, crowd: Crowd) -> None:
    page = opened(browser, crowd.address, "/", "en", "light")
    there = page.locator("article.there", has_text="Tisch 3").locator("a.picture").first
    expect(there).to_have_attribute("href", "http://table-03.local/")
    expect(page.locator("article.lost").first).to_be_visible()
    expect(page.locator("article.lost a.picture[href]")).to_have_count(0)
    page.context.close()


def test_when_the_house_is_gone_no_table_is_shown_as_there(
    browser: Browser, tmp_path: Path
) -> None:
    one = Crowd(tmp_path)
    page = opened(browser, one.address, "/", "en", "light")
    expect(page.locator(".table.there").first).to_be_visible()
    one.kill()
    expect(page.locator(".banner")).to_contain_text("The house does not answer")
    expect(page.locator(".table.there")).to_have_count(0)
    page.context.close()


LONG = "W" * 300
RUDE = {
    "name": "table-01",
    "label": LONG,
    "page": "",
    "status": "there",
    "statusText": "there",
    "age": 0,
    "away": 0,
    "free": False,
    "playing": True,
    "phase": "roll",
    "tone": LONG[:64],
    "doing": LONG[:64],
    "waited": 1e12,
    "sheet": "",
    "sheets": [],
    "turn": "constructor",
    "face": 0,
    "needs": [{"kind": "call", "text": LONG}] * 16,
    "troubles": ["\u0301" * 300],
    "done": {},
    "names": {"red": "<img src=x onerror=alert(1)>\u202e"},
    "ranking": ["red"],
    "leader": "red",
    "pieces": {"red": ["\u202e" * 64, "W" * 64, -1], "__proto__": ["12"]},
    "language": "",
    "volume": 9,
    "called": True,
}


@pytest.mark.parametrize("board", ["mat", "__proto__"])
def test_no_table_makes_the_page_wider_for_the_others(
    board: str, browser: Browser, crowd: Crowd
) -> None:
    """Whatever a table says, with a board that there is or not."""
    told = {
        "house": {"hears": True, "why": "", "refused": [], "control": True, "pin": True},
        "table": {**RUDE, "board": board},
    }
    body = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in told.items())
    for path in ("/", "/wall", "/staff"):
        page = opened(browser, crowd.address, path, "en", "light")
        page.route(
            "**/events*", lambda route: route.fulfill(body=body, content_type="text/event-stream")
        )
        page.reload()
        expect(page.locator("article.table")).to_have_count(1)
        wait_for(page, "document.documentElement.scrollWidth <= innerWidth")
        assert not page.locator("article img").count()
        page.context.close()

"""Pictures of the page in every phase of a game, to look at: nobody sees a page by its tests.

`python -m tests.web.shots FOLDER [WORD ...]` draws each phase wide, on a phone, on the large screen
both ways, in light and dark; words (a language, a view, a scheme, a phase) leave only those.
"""

import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from companion.languages import LANGUAGES
from companion.web.guard import BOX_COOKIE
from companion.web.key import kept_key
from tests.patience import PATIENCE
from tests.web.by_hand import before_capture, begin, do, drag, phase, turn_of
from tests.web.conftest import Process

VIEWS: dict[str, tuple[str, tuple[int, int]]] = {
    "wide": ("/", (1280, 800)),
    "small": ("/", (360, 740)),
    "phone": ("/phone", (360, 740)),
    "kiosk": ("/kiosk", (1920, 1080)),
    "upright": ("/kiosk", (1080, 1920)),
}
SCHEMES = ("light", "dark")
NAMES = {"yellow": "Anna", "red": "Jörg", "green": "Maximiliane", "black": "Bo"}
CALM = 350  # milliseconds in which a page has drawn what it was told


# -- the phases ------------------------------------------------------------------------------------


def _welcome(page: Page) -> None:
    page.wait_for_timeout(CALM)


def _opening(page: Page) -> None:
    do(page, do="new_game", sheet="german", seats=list(NAMES), names=NAMES, sensing="presence")
    phase(page, "opening")


def _to_roll(page: Page) -> None:
    begin(page, names=NAMES)


def _to_move(page: Page) -> None:
    begin(page, names=NAMES)
    do(page, do="roll", face=4)
    phase(page, "move")


def _hint(page: Page) -> None:
    _to_move(page)
    do(page, do="lift", piece="red1")
    expect(page.locator(".turn .quiet-line")).not_to_be_empty()


def _made(page: Page) -> None:
    _to_move(page)
    do(page, do="set_aside", place="R.B1")  # a board that knows its pieces is pushed by no sleeve
    drag(page, "red4", "22")
    expect(page.locator(".turn .quiet-line")).not_to_be_empty()
    drag(page, "yellow4", "5")
    page.locator(".quiet-line.due").wait_for()


def _illegal(page: Page) -> None:
    _to_move(page)
    drag(page, "yellow4", "9")
    phase(page, "illegal")


def _board_is_right(page: Page) -> None:
    _illegal(page)
    drag(page, "yellow4", "1")
    phase(page, "move")


def _captured(page: Page) -> None:
    before_capture(page, names=NAMES)
    drag(page, "red4", "6")
    turn_of(page, "yellow")


def _no_move(page: Page) -> None:
    _captured(page)
    do(page, do="roll", face=3)
    turn_of(page, "red")


def _taken_back(page: Page) -> None:
    begin(page, "touch", names=NAMES)
    do(page, do="roll", face=4)
    phase(page, "move")
    do(page, do="move", move="yellow 4 1>5")
    turn_of(page, "red")
    do(page, do="take_back")
    phase(page, "restore")


def _menu(page: Page) -> None:
    _to_move(page)
    do(page, do="menu")
    phase(page, "menu")


def _paused(page: Page) -> None:
    _to_move(page)
    do(page, do="pause")
    phase(page, "paused")


def _middle(sheet: str, seats: list[str], entries: int) -> Callable[[Page], None]:
    """A game that the box has played some way by itself."""

    def bring(page: Page) -> None:
        do(page, do="new_game", sheet=sheet, seats=seats)
        phase(page, "opening")
        do(page, do="auto", on=True)
        page.locator(f".history .entry:nth-child({entries})").wait_for(timeout=PATIENCE * 1000)
        do(page, do="auto", on=False)
        page.wait_for_timeout(CALM)

    return bring


def _over(page: Page) -> None:
    colours = {"red": "Anna", "yellow": "Jörg", "green": "Maximiliane"}
    do(page, do="new_game", sheet="cards", seats=list(colours), names=colours)
    phase(page, "opening")
    do(page, do="auto", on=True)
    page.locator(".end").wait_for(timeout=PATIENCE * 1000)


FOUR = ["red", "green", "yellow", "blue"]
PHASES: dict[str, Callable[[Page], None]] = {
    "01-welcome": _welcome,
    "02-opening": _opening,
    "03-roll": _to_roll,
    "04-move": _to_move,
    "05-hint": _hint,
    "05-made": _made,
    "06-illegal": _illegal,
    "07-board-is-right": _board_is_right,
    "08-captured": _captured,
    "09-no-move": _no_move,
    "10-taken-back": _taken_back,
    "11-menu": _menu,
    "12-paused": _paused,
    "13-british": _middle("british", FOUR, 30),
    "14-dutch": _middle("dutch", FOUR, 30),
    "15-pairs": _middle("pairs", FOUR, 30),
    "16-indian": _middle("indian", FOUR, 30),
    "17-parchis": _middle("parchis", FOUR, 30),
    "18-cards": _middle("cards", FOUR, 14),
    "19-over": _over,
}


# -- what is opened over the page, or stands beside it ---------------------------------------------


def _form(page: Page) -> None:
    page.locator("button.new").click()
    page.locator("dialog").wait_for()


def _rules(page: Page) -> None:
    page.locator("header button.quiet").first.click()
    page.locator("dialog").wait_for()


def _games(page: Page) -> None:
    page.goto(page.url.partition("?")[0].rstrip("/") + "/games")
    page.locator(".past-game").first.click()
    page.locator(".replay input[type=range]").wait_for()
    for _ in range(9):
        page.keyboard.press("ArrowRight")


def _missing(page: Page) -> None:
    page.goto(page.url.partition("?")[0].rstrip("/") + "/nothing-there")


BESIDE: dict[str, Callable[[Page], None]] = {
    "20-new-game": _form,
    "21-rules": _rules,
    "22-past-games": _games,
    "23-wrong-address": _missing,
}


def launched(playwright: Playwright) -> Browser:
    """Debian's browser, as the tests have it."""
    return playwright.chromium.launch(
        executable_path=shutil.which("chromium"), args=["--no-sandbox"]
    )


def opened(browser: Browser, table: Process, language: str, view: str, scheme: str) -> Page:
    """A view of the table at its size, on the box's own screen."""
    path, (width, height) = VIEWS[view]
    options: dict[str, Any] = {"viewport": {"width": width, "height": height}}
    options |= {"reduced_motion": "reduce", "locale": language, "color_scheme": scheme}
    context = browser.new_context(**options)
    box = {"name": BOX_COOKIE, "value": kept_key(table.journal.parent), "url": table.address}
    context.add_cookies([box])  # type: ignore[list-item]
    page = context.new_page()
    page.goto(table.address + path)
    return page


def shots(
    browser: Browser,
    table: Process,
    language: str,
    views: Mapping[str, tuple[str, ...]],
    phases: Collection[str] = (*PHASES, *BESIDE),
) -> Iterator[tuple[str, bytes]]:
    """Names and pictures of phases, in these views and their schemes."""
    hand = opened(browser, table, language, "wide", "light")
    pages = {
        (view, scheme): opened(browser, table, language, view, scheme)
        for view, schemes in views.items()
        for scheme in schemes
    }
    for name in (one for one in PHASES if one in phases):
        PHASES[name](hand)
        for (view, scheme), page in pages.items():
            page.wait_for_timeout(CALM)
            yield f"{name}-{view}-{scheme}", page.screenshot(full_page=view != "kiosk")
    for name in (one for one in BESIDE if one in phases):
        for (view, scheme), page in pages.items():
            if view not in ("wide", "small"):
                continue
            page.goto(table.address)
            page.wait_for_timeout(CALM)
            BESIDE[name](page)
            page.wait_for_timeout(CALM)
            yield f"{name}-{view}-{scheme}", page.screenshot()


def main(folder: Path, words: list[str]) -> None:
    """Draw all of them, or those that the words leave."""

    def left(all_of_them: Iterable[str]) -> list[str]:
        there = list(all_of_them)
        return [one for one in there if one in words] or there

    expect.set_options(timeout=PATIENCE * 1000)
    phases = left([*PHASES, *BESIDE])
    views = dict.fromkeys(left(VIEWS), tuple(left(SCHEMES)))
    with sync_playwright() as playwright:
        browser = launched(playwright)
        for language in left(LANGUAGES):
            out = folder / language
            out.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory() as kept:
                table = Process(Path(kept) / "games.db")
                for name, picture in shots(browser, table, language, views, phases):
                    (out / f"{name}.png").write_bytes(picture)
                table.stop()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

"""What people do on the page, for tests: real drags and taps, and quick ways to a position."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import FloatRect, Locator, Page, Route, expect

AXE = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"


def do(page: Page, **wish: Any) -> None:
    """Ask something of the table as the page itself does."""
    status = page.evaluate(
        """async (wish) => (await fetch("/do", {method: "POST",
            headers: {"Content-Type": "application/json"}, body: JSON.stringify(wish)})).status""",
        wish,
    )
    assert status == 204, wish


def phase(page: Page, name: str) -> None:
    """Wait until the page shows a phase of the game."""
    expect(page.locator(f".turn.p-{name}")).to_be_visible()


def turn_of(page: Page, colour: str) -> None:
    expect(page.locator(f".turn.c-{colour}")).to_be_visible()


def german(page: Page, sensing: str = "presence", **more: Any) -> None:
    """A game of two with yellow to move and a 4 rolled: only 1 to 5 is legal."""
    begin(page, sensing, **more)
    do(page, do="roll", face=4)
    phase(page, "move")


def games_of(page: Page, *names: str) -> None:
    """A game by each of these against Ben, in which yellow has moved from 1 to 5."""
    for name in names:
        german(page, names={"yellow": name, "red": "Ben"})
        drag(page, "yellow4", "5")
        turn_of(page, "red")


def box_of(found: Locator) -> FloatRect:
    """Where something lies, once it lies still: the page may just be drawing it again."""
    last = None
    for _ in range(600):
        box = found.bounding_box()
        if box is not None and box == last:
            return box
        last = box
        found.page.wait_for_timeout(50)
    raise AssertionError(f"never lies still: {found}")


def middle(found: Locator) -> tuple[float, float]:
    box = box_of(found)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, piece: str, place: str) -> None:
    """Drag a piece to a place, over whatever lies between."""
    page.mouse.move(*middle(page.locator(f'[data-piece="{piece}"] .body')))
    page.mouse.down()
    page.mouse.move(*middle(page.locator(f'[data-place="{place}"]')), steps=12)
    page.mouse.up()


def wait_for(page: Page, expression: str) -> None:
    """Wait until an expression is true; the page's policy lets nobody poll it from inside."""
    for _ in range(600):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never true: {expression}")


def held(page: Page, path: str, act: Callable[[], object]) -> Route:
    """What is asked for by an act, and not answered before the test says so."""
    asked: list[Route] = []
    page.route(path, lambda route: asked.append(route))
    act()
    for _ in range(600):
        if asked:
            return asked[0]
        page.wait_for_timeout(50)
    raise AssertionError(f"never asked for: {path}")


def tap(page: Page, found: Locator) -> None:
    """Touch something with a finger."""
    found.scroll_into_view_if_needed()
    page.touchscreen.tap(*middle(found))


def carry(page: Page, piece: str, place: str) -> None:
    """Tap a piece, then a place."""
    tap(page, page.locator(f'[data-piece="{piece}"] .body'))
    tap(page, page.locator(f'[data-place="{place}"]'))


def begin(page: Page, sensing: str = "presence", **more: Any) -> None:
    """A game of two in which yellow begins, before its first roll."""
    do(page, do="new_game", sheet="german", seats=["yellow", "red"], sensing=sensing, **more)
    phase(page, "opening")
    do(page, do="roll", face=6)
    reds = page.locator(".turn.c-red")
    for tries in range(1, 201):
        if reds.is_visible():
            break
        page.wait_for_timeout(50)
        if tries % 60 == 0:  # the opening of the game before was still shown: it did not count
            do(page, do="roll", face=6)
    do(page, do="roll", face=1)
    phase(page, "roll")


def before_capture(page: Page, sensing: str = "presence", **more: Any) -> None:
    """Red has rolled a 5 and stands on 1, yellow on 6: the only legal move captures."""
    begin(page, sensing, **more)
    for number in range(9):
        mover, other = ("red", "yellow") if number % 2 else ("yellow", "red")
        turn_of(page, mover)
        phase(page, "roll")
        do(page, do="roll", face=5 if number % 2 else 1)
        phase(page, "move")
        page.locator(".move").click()
        turn_of(page, other)
    phase(page, "roll")
    do(page, do="roll", face=5)
    phase(page, "move")


def before_question(page: Page, **more: Any) -> None:
    """Yellow on 20 has a 3 and may capture red on 23; beside it, on 24, stands red, too."""
    begin(page, **more)
    played = "yellow 5 6, red 1 22, yellow 5 11, red 2 24, yellow 5 16, red 6 21, red 1 22, "
    for one in (played + "yellow 4 20, red 1 23").split(", "):
        colour, face, to = one.split()
        turn_of(page, colour)
        phase(page, "roll")
        do(page, do="roll", face=int(face))
        phase(page, "move")
        page.locator(".move").filter(has_text=to).click()
    turn_of(page, "yellow")
    phase(page, "roll")
    do(page, do="roll", face=3)
    phase(page, "move")


def ask_which_was_captured(page: Page) -> None:
    """After `before_question`: red on 24 goes home, and yellow stands there.

    With a sensor set aside the board no longer knows its pieces, as no real one does.
    """
    do(page, do="set_aside", place="Y.B1")
    do(page, do="lift", piece="red4")
    do(page, do="lift", piece="yellow4")
    do(page, do="put", piece="yellow4", place="24")
    do(page, do="put", piece="red4", place="R.B4")
    phase(page, "ask")


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong with a page. It is run outside the page's own policy."""
    page.evaluate(AXE.read_text(encoding="utf-8") + "\n;undefined")
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {one['help']}: {[node['html'][:120] for node in one['nodes'][:3]]}"
        for one in found["violations"]
    ]


def swipe(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Move a finger over the glass: the browser decides whether that scrolls."""
    line = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y} for x, y in points]
        line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", start)
    for n in range(1, 13):
        part = n / 12
        (x, y), (to_x, to_y) = start, end
        touch("touchMove", (x + (to_x - x) * part, y + (to_y - y) * part))
    touch("touchEnd")
    line.detach()


def slide(page: Page, piece: str, place: str) -> None:
    """Drag a piece to a place with a finger."""
    page.locator(f'[data-piece="{piece}"]').scroll_into_view_if_needed()
    begin = middle(page.locator(f'[data-piece="{piece}"] .body'))
    swipe(page, begin, middle(page.locator(f'[data-place="{place}"]')))

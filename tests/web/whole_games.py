"""Whole games by hand in a real browser: by mouse, by touch on a phone's size, by keys alone.

`python -m tests.web.whole_games [MOVES] [WORD ...]` plays every sheet with every way of sensing and
prints what came of it; with MOVES games stop there, and words (a sheet, a way, a hand) leave only
those. An honest act that the server refuses, or a red word about one, is a fault.
"""

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page, Response, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from companion.rules import SHEETS
from companion.screens.notation import CAPTURE
from companion.web.guard import BOX_COOKIE
from companion.web.key import kept_key
from tests.web.by_hand import do, middle
from tests.web.conftest import Process
from tests.web.shots import launched

WAYS = ("presence", "touch", "choose")
BLAME = ".verdict.wrong, .marked, .remedy.wrong, .oops:not([hidden])"
LISTEN = """() => {
    window.told = null;
    let deeds = 0;
    const stream = new EventSource("/events?lang=en&full=1");
    stream.addEventListener("state", ({ data }) => (window.told = { ...JSON.parse(data), deeds }));
    stream.addEventListener("history", (event) => {
        const { from, entries } = JSON.parse(event.data);
        deeds = from + entries.length;
        if (window.told) window.told.deeds = deeds;
    });
}"""
PHASES = ("opening", "roll", "move", "over", "ask")
MOST = 3000  # acts after which a game is given up
PATIENCE = 200  # looks, 50 ms apart, until something has come of an act

TWICE = 400  # milliseconds after which a second tap is meant as one


@dataclass
class Played:
    """What came of one game."""

    moves: int = 0
    rolls: int = 0
    captures: int = 0
    over: bool = False
    broken: str = ""
    refused: list[str] = field(default_factory=list)
    blamed: list[str] = field(default_factory=list)


class Player:
    """Somebody who plays all colours on the page, and only as the rules allow."""

    def __init__(self, page: Page, hand: str, rng: Random) -> None:
        self.page, self.hand, self.rng = page, hand, rng
        self.played = Played()
        self.last = ""
        page.on("response", self._answered)
        page.evaluate(LISTEN)

    def _answered(self, answer: Response) -> None:
        if answer.url.endswith("/do") and answer.status >= 400:
            self.played.refused.append(f"{answer.status} {answer.request.post_data}")

    @property
    def told(self) -> dict[str, Any]:
        """The table as the page knows it."""
        return self.page.evaluate("window.told") or {}

    def until(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until something holds of the table."""
        for _ in range(PATIENCE):
            told = self.told
            if told and holds(told):
                return told
            self.page.wait_for_timeout(50)
        raise AssertionError(f"nothing came of it: {_seen(told)}")

    def play(self, sheet: str, sensing: str, moves: int, **more: Any) -> Played:
        """Play a game until it is over, or so many moves were made."""
        colours = SHEETS[sheet].board.colours
        seats = [colours[0], colours[2]]
        do(self.page, do="new_game", sheet=sheet, seats=seats, sensing=sensing, **more)
        self.until(lambda told: told["phase"] == "opening")
        self.page.locator(".board-card").focus()
        for _ in range(MOST):
            told = self.until(lambda told: told["phase"] in PHASES and not told["rolling"])
            if told["phase"] == "over" or self.played.moves >= moves:
                self.played.over = told["phase"] == "over"
                return self.played
            self.act(told)
            self.look()
        raise AssertionError("the game has no end")

    def act(self, told: dict[str, Any]) -> None:
        """Roll, move, or answer what the page shows; wait until that has come to something."""
        shown = f".turn.p-{told['phase']}" + (f".c-{told['turn']}" if told["turn"] else "")
        self.page.locator(shown).wait_for()
        if told["phase"] == "ask":
            self.press(self.page.locator(".moves button").first)
            self.until(lambda now: now["phase"] != "ask")
        elif told["phase"] == "move":
            self.move(told)
            self.until(lambda now: now["phase"] == "ask" or now["deeds"] > told["deeds"])
        else:
            self.roll()
            self.until(
                lambda now: not now["rolling"] and (now["face"] or now["deeds"] > told["deeds"])
            )

    def look(self) -> None:
        """Nobody may be blamed: everything was as the rules have it."""
        found = self.page.locator(BLAME)
        if found.count():
            self.played.blamed.append(found.first.inner_text() or "red")

    def roll(self) -> None:
        self.played.rolls += 1
        die = self.page.locator("button.roll, .turn button").first
        if self.hand == "keys":
            self.page.keyboard.press("Space")
        elif self.hand == "touch":
            self.page.wait_for_timeout(TWICE)
            die.tap()
        else:
            die.click()

    def move(self, told: dict[str, Any]) -> None:
        move = self.rng.choice(told["legal"])
        self.played.moves += 1
        self.last = str(move)
        self.played.captures += move["text"].endswith(CAPTURE)
        walks = move["from"] is not None and move["to"] is not None
        if self.hand == "keys":
            number = min(told["legal"].index(move), 8)
            self.page.locator(".move").nth(number).wait_for()
            self.page.keyboard.press(str(number + 1))
        elif not walks and "stacks" in move:
            for stack in move["stacks"]:
                self.press(self.page.locator(f'[data-place="{stack}"]'))
        elif not walks or move.get("size", 1) > 1:
            self.press(self.page.locator(".move").nth(told["legal"].index(move)))
        else:
            self.carry(told, move)

    def press(self, found: Any) -> None:
        if self.hand == "touch":
            found.scroll_into_view_if_needed()
            self.page.touchscreen.tap(*middle(found))
        else:
            found.click()

    def carry(self, told: dict[str, Any], move: dict[str, Any]) -> None:
        """Take the piece from where it stands to where it goes."""
        standing = {one["id"]: one["place"] for one in told["sim"]["pieces"]}
        piece = next(
            name
            for name, place in standing.items()
            if name.startswith(move["colour"])
            and place is not None
            and _spot(place) == move["from"]
        )
        taken = set(standing.values())
        places = [move["to"], *(f"{move['to']}{n}" for n in range(1, 5))]
        free = [one for one in places if one == move["to"] or one not in taken]
        there = next(one for one in free if self.page.locator(f'[data-place="{one}"]').count())
        man = self.page.locator(f'[data-piece="{piece}"] .grip')
        square = self.page.locator(f'[data-place="{there}"]')
        if self.hand == "touch":
            self.press(man)
            self.press(square)
            return
        man.scroll_into_view_if_needed()
        self.page.mouse.move(*middle(man))
        self.page.mouse.down()
        self.page.mouse.move(*middle(square), steps=6)
        self.page.mouse.up()


def _seen(told: dict[str, Any]) -> str:
    """What the table said last, in short."""
    names = ("phase", "turn", "face", "tone", "refusals", "remedy", "notice", "question", "missing")
    return ", ".join(f"{name} {told[name]}" for name in names if told.get(name))


def _spot(place: str) -> str:
    return place[:-1] if place[-2:-1] in ("B", "H") and "." in place else place


def opened(browser: Browser, table: Process, hand: str) -> Page:
    """A page of the size that this hand is for."""
    size = {"width": 360, "height": 740} if hand == "touch" else {"width": 1280, "height": 800}
    options: dict[str, Any] = {"viewport": size, "has_touch": hand == "touch", "locale": "en-GB"}
    context = browser.new_context(reduced_motion="reduce", **options)
    box = {"name": BOX_COOKIE, "value": kept_key(table.journal.parent), "url": table.address}
    context.add_cookies([box])  # type: ignore[list-item]
    page = context.new_page()
    page.goto(table.address)
    return page


def games() -> list[tuple[str, str, str]]:
    """Sheet, way of sensing and hand of every game; phones and keys play by what is sensed best."""
    mouse = [(sheet, way, "mouse") for sheet in SHEETS for way in WAYS]
    return [*mouse, *((sheet, "presence", hand) for sheet in SHEETS for hand in ("touch", "keys"))]


def main(moves: int, words: list[str]) -> int:
    """Play them all, and print a line for each; how many faults there were."""
    faults = 0
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as kept:
        browser = launched(playwright)
        table = Process(Path(kept) / "games.db")
        for sheet, way, hand in games():
            if not all(word in (sheet, way, hand) for word in words):
                continue
            page = opened(browser, table, hand)
            player = Player(page, hand, Random(f"{sheet} {way} {hand}"))
            played = player.played
            try:
                player.play(sheet, way, moves)
            except (AssertionError, PlaywrightError, StopIteration) as broken:
                played.broken = f"broke off: {broken!s} {player.last}"
            page.context.close()
            faults += len(played.refused) + len(played.blamed) + bool(played.broken)
            sys.stdout.write(
                f"{sheet:8} {way:8} {hand:5}  {played.rolls:4} rolls {played.moves:4} moves "
                f"{played.captures:3} captures  {'over' if played.over else 'stopped'}  "
                f"refused {len(played.refused)} blamed {len(played.blamed)}"
                f"  {' | '.join([played.broken, *played.refused, *played.blamed])[:600]}\n"
            )
            sys.stdout.flush()
        table.stop()
        browser.close()
    return faults


if __name__ == "__main__":
    given = sys.argv[1:]
    number = int(given.pop(0)) if given and given[0].isdigit() else 1 << 30
    sys.exit(main(number, given) > 0)

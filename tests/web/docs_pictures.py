"""The pictures of the documentation, made again: page, workbench, house and small screen.

`python -m tests.web.docs_pictures FOLDER [NAME ...]` makes all of them, or those that are named.
What they show is the same each time; a file is written only if its picture has changed.
"""

import io
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image, ImageChops, ImageOps
from playwright.sync_api import Browser, Page, sync_playwright

from companion.config import ASSUMED
from companion.daemon.house_demo import LABELS, free_port
from companion.invitation import Invitation
from companion.languages import LANGUAGES
from companion.screens.pictures import picture
from companion.screens.samples import samples
from companion.web.guard import BOX_COOKIE
from companion.web.key import kept_key
from tests.web.by_hand import begin, do, drag, phase
from tests.web.conftest import ROOT, Process
from tests.web.shots import CALM, launched
from tests.web.whole_games import Player

OLED = {
    "hint": ("german", "hint-captured"),
    "illegal": ("german", "illegal-0"),
    "menu": ("german", "menu-0"),
    "move": ("british", "move-6"),
    "no-move": ("dutch", "no-move"),
    "roll": ("german", "roll-black"),
    "rule": ("german", "illegal-1"),
}
"""Sheet and name of each picture of the small screen, as `companion screens` has them."""
SCALE, BEZEL = 3, 12
NAMES = {"yellow": "Anna", "red": "Jörg"}
PHONE = "http://ludo.local:8080/phone"
COLOURS = 256  # of a picture: a third of the bytes, and nobody sees it
MOVES = 36  # after which a game is in its middle
SMALLER = 960  # how wide the pictures of the first game are
INVITATION = Invitation("bar.local", 1883, "table-3", "By the window", "secret")
SMALL_SCREEN = "document.querySelector('canvas.oled')?.toDataURL() ?? ''"
BLINKS = 50  # looks at it, within which it has shown all that it has to show
RUN = "from companion.cli import main; main()"

Size = tuple[int, int]
WIDE = (1280, 800)


# -- what pictures are taken of --------------------------------------------------------------------


@contextmanager
def _table() -> Iterator[Process]:
    """A simulated table on which nothing was played."""
    with tempfile.TemporaryDirectory() as kept:
        table = Process(Path(kept) / "games.db", phone=PHONE)
        try:
            yield table
        finally:
            table.stop()


@contextmanager
def _started(*words: str, ready: str) -> Iterator[str]:
    """A process; the line in which it says that it is ready."""
    process = subprocess.Popen(
        [sys.executable, *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    said = ""
    try:
        while ready not in said:
            assert process.poll() is None, said
            said = process.stdout.readline()
        yield said.strip()
    finally:
        process.terminate()
        process.communicate(timeout=20)


@contextmanager
def _new_box() -> Iterator[tuple[str, str]]:
    """The service of a box with nothing written down: its address, and its own screen's key."""
    port = free_port()
    with tempfile.TemporaryDirectory() as kept:
        config = Path(kept) / "companion.toml"
        config.write_text(f"{ASSUMED}[web]\nport = {port}\n", encoding="utf-8")
        journal = str(Path(kept) / "games.db")
        words = ("-c", RUN, "run", "--config", str(config), "--journal", journal)
        with _started(*words, ready="page is at"):
            config.unlink()
            yield f"http://127.0.0.1:{port}", kept_key(Path(kept))


def _opened(browser: Browser, address: str, size: Size, key: str = "", **options: Any) -> Page:
    width, height = size
    options = {"locale": "en", "color_scheme": "light", **options}
    context = browser.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce", **options
    )
    if key:
        context.add_cookies([{"name": BOX_COOKIE, "value": key, "url": address}])
    page = context.new_page()
    page.goto(address)
    return page


def _visit(browser: Browser, table: Process, path: str, size: Size, **options: Any) -> Page:
    """A view of a table, on the box's own screen."""
    key = kept_key(table.journal.parent)
    return _opened(browser, table.address + path, size, key, **options)


def _taken(page: Page, *, whole: bool = False) -> Image.Image:
    """What is seen of a page, or the `whole` of it."""
    page.mouse.move(0, 0)
    page.wait_for_timeout(CALM)
    seen = set()
    for _ in range(BLINKS):  # the small screen blinks: of its pictures always the same is taken
        seen.add(page.evaluate(SMALL_SCREEN))
        page.wait_for_timeout(100)
    while True:
        before = page.evaluate(SMALL_SCREEN)
        taken = page.screenshot(full_page=whole) if before == max(seen) else b""
        if taken and page.evaluate(SMALL_SCREEN) == before:
            return Image.open(io.BytesIO(taken)).convert("RGB")
        page.wait_for_timeout(50)


def _narrower(image: Image.Image, width: int) -> Image.Image:
    return image.resize(
        (width, round(image.height * width / image.width)), Image.Resampling.LANCZOS
    )


# -- the pictures ----------------------------------------------------------------------------------

Pictures = Iterator[tuple[str, Image.Image]]


def _screen() -> Pictures:
    for name, (sheet, sample) in OLED.items():
        small = picture(samples(sheet)[sample])
        large = small.resize((small.width * SCALE, small.height * SCALE), Image.Resampling.NEAREST)
        yield name, ImageOps.expand(large.convert("1"), BEZEL, 0)


def _first_game(browser: Browser, language: str) -> Pictures:
    with _table() as table:
        page = _visit(browser, table, "/", WIDE, locale=language)
        page.locator(".welcome").wait_for()
        yield f"first-{language}-welcome", _narrower(_taken(page, whole=True), SMALLER)
        begin(page, names=NAMES)
        do(page, do="roll", face=4)
        phase(page, "move")
        yield f"first-{language}-move", _narrower(_taken(page, whole=True), SMALLER)
        drag(page, "yellow4", "9")
        phase(page, "illegal")
        yield f"first-{language}-wrong", _narrower(_taken(page, whole=True), SMALLER)


def _wrong_move(browser: Browser) -> Pictures:
    with _table() as table:
        page = _visit(browser, table, "/", WIDE)
        begin(page, names=NAMES)
        do(page, do="roll", face=4)
        phase(page, "move")
        drag(page, "yellow4", "9")
        phase(page, "illegal")
        yield "page-table", _taken(page, whole=True)


def _middle(browser: Browser) -> Pictures:
    """A game in its middle: in the dark, on the large screen, and on two phones."""
    with _table() as table:
        page = _visit(browser, table, "/", WIDE, color_scheme="dark")
        player = Player(page, "keys", Random(4))
        player.play("german", "presence", MOVES, names=NAMES)
        while (told := player.until(lambda told: not told["rolling"]))["phase"] != "move":
            player.act(told)
        page.locator(".tabs button").last.click()
        yield "page-dark", _taken(page, whole=True)
        yield "page-kiosk", _taken(_visit(browser, table, "/kiosk", (1280, 720)))
        size = (360, 720)
        playing = _taken(_visit(browser, table, "/phone", size, locale="en"))
        watching = _taken(_opened(browser, f"{table.address}/phone", size, locale="de"))
        both = Image.new("RGB", (size[0] * 2 + 8, size[1]), "white")
        both.paste(playing, (0, 0))
        both.paste(watching, (size[0] + 8, 0))
        yield "page-phone", both


def _bench(browser: Browser) -> Pictures:
    words = ("bench", "--simulated", "--board", "40", "--no-browser", "--port", "0")
    with _started("-c", RUN, *words, ready="The bench is ready") as said:
        page = _opened(browser, said.split("open ")[1].split(" ")[0], (1240, 820))
        page.on("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Map it again").click()
        for number in range(1, 14):
            page.locator(".asks", has_text=f"square {number},").wait_for()
            page.locator(f'[data-place="{number}"]').click()
        page.locator(".asks", has_text="square 14,").wait_for()
        page.get_by_role("button", name="Nothing answers").click()
        page.locator(".asks", has_text="square 15,").wait_for()
        page.locator('[data-place="3"]').click()
        page.locator(".says.wrong").wait_for()
        yield "page-bench", _taken(page)


def _setting_up(browser: Browser) -> Pictures:
    with _new_box() as (address, key):
        page = _opened(browser, f"{address}/setup", (820, 760), key)
        page.get_by_role("button", name="Write it down").wait_for()
        yield "page-setup", _taken(page)


def _joining(browser: Browser) -> Pictures:
    with tempfile.TemporaryDirectory() as kept:
        Path(kept, "companion.toml").write_text(ASSUMED, encoding="utf-8")
        words = ("-m", "companion.daemon.guests", kept, "1", "1")
        with _started(*words, ready="the page is at ") as said:
            link = INVITATION.link(said.split("the page is at ")[1])
            page = _opened(browser, link, (390, 430), kept_key(Path(kept)))
            page.get_by_role("button", name="Join it").wait_for()
            yield "house-join", _taken(page)


def _house(browser: Browser) -> Pictures:
    with (
        tempfile.TemporaryDirectory() as kept,
        _started(
            "-m", "tests.cafe.crowd", kept, str(len(LABELS)), "0", "still", ready="http"
        ) as said,
    ):
        address = said.partition("/?")[0]
        for name, path, size, scheme in (
            ("house", "/", (1280, 860), "light"),
            ("house-wall", "/wall", (1600, 900), "dark"),
            ("house-staff", "/staff", (390, 700), "light"),
        ):
            page = _opened(browser, said, size, color_scheme=scheme)
            page.goto(address + path)
            page.locator("article.table").nth(len(LABELS) - 1).wait_for()
            page.locator(".helper").first.wait_for()
            yield name, _taken(page)


PICTURES: dict[tuple[str, ...], Callable[[Browser], Pictures]] = {
    tuple(OLED): lambda _: _screen(),
    **{
        tuple(f"first-{language}-{what}" for what in ("welcome", "move", "wrong")): partial(
            _first_game, language=language
        )
        for language in LANGUAGES
    },
    ("page-table",): _wrong_move,
    ("page-dark", "page-kiosk", "page-phone"): _middle,
    ("page-bench",): _bench,
    ("page-setup",): _setting_up,
    ("house-join",): _joining,
    ("house", "house-wall", "house-staff"): _house,
}
"""What makes pictures, by their names."""


def main(folder: Path, wanted: list[str]) -> None:
    """Make them, and say of each whether it has changed."""
    with sync_playwright() as playwright:
        browser = launched(playwright)
        for names, make in PICTURES.items():
            if wanted and not set(wanted) & set(names):
                continue
            for name, image in make(browser):
                assert name in names
                new = _write(folder / f"{name}.png", image)
                sys.stdout.write(f"{name}: {'new' if new else 'as it was'}\n")
                sys.stdout.flush()
        browser.close()


def _write(path: Path, image: Image.Image) -> bool:
    """Write a picture, unless that very picture is there."""
    if image.mode == "RGB":
        image = image.quantize(COLOURS, dither=Image.Dither.NONE)
    if path.exists():
        with Image.open(path) as there:
            if (
                there.size == image.size
                and not ImageChops.difference(there.convert("RGB"), image.convert("RGB")).getbbox()
            ):
                return False
    image.save(path, optimize=True)
    return True


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

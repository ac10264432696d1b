"""The bench's page in a real browser: a board is mapped and tested with nothing but the page."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.config import ASSUMED, load
from companion.web.key import kept_key
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
RUN = "from companion.cli import main; main()"


@pytest.fixture
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    """A simulated bench, usually with the card game's mat, in a process of its own."""
    board = getattr(request, "param", "mat")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    arguments = ("bench", "--simulated", "--board", board, "--no-browser", "--port", port)
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    said = process.stdout.readline()
    assert "The bench is ready" in said
    yield said.split("open ")[1].split(" ")[0]
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 0
    process.stdout.close()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    one = context.new_page()
    faults: list[str] = []
    one.on("pageerror", lambda fault: faults.append(str(fault)))
    one.on("dialog", lambda dialog: dialog.accept())
    one.goto(address)
    expect(one.locator("[data-place]").first).to_be_visible()
    yield one
    context.close()
    assert faults == []


def asks(page: Page, text: str) -> None:
    expect(page.locator(".asks")).to_have_text(text)


def place(page: Page, name: str) -> None:
    page.locator(f"[data-place='{name}']").click()


def test_a_board_is_mapped_and_tested_with_nothing_but_the_page(page: Page) -> None:
    page.get_by_role("button", name="Map it again").click()
    asks(page, "Press red: stack 1.")
    expect(page.locator(".board .mark.asked")).to_have_count(1)
    place(page, "R.1")
    asks(page, "Press red: stack 2.")
    expect(page.locator(".says")).to_have_text("red: stack 1 is row 1, column 1.")
    place(page, "R.1")
    expect(page.locator(".says.wrong")).to_contain_text("That is red: stack 1")
    page.get_by_role("button", name="Nothing answers").click()
    asks(page, "Press red: stack 3.")
    expect(page.locator(".board .mark.bad")).to_have_count(1)
    page.get_by_role("button", name="Ask the last again").click()
    asks(page, "Press red: stack 2.")
    names = [f"{side}.{n}" for side in "RGYB" for n in range(1, 5)][1:]
    for n, name in enumerate(names, 2):
        place(page, name)
        expect(page.locator(".far")).to_contain_text(f"{n}/16")
    expect(page.locator(".says")).to_contain_text("All 16 places are mapped.")
    page.locator("summary").click()
    expect(page.locator("pre")).to_contain_text('"R.1 R.2 R.3 R.4 G.1')
    page.get_by_role("button", name="Test the board").click()
    place(page, "Y.2")
    asks(page, "yellow: stack 2 off")
    expect(page.locator(".board .mark.done")).to_have_count(1)
    expect(page.locator(".far")).to_contain_text("1 of 16")


def test_the_simulated_box_maps_with_its_own_screen_and_buttons(page: Page) -> None:
    box = page.locator(".box")
    box.get_by_role("button", name="Hold OK: menu").click()
    asks(page, "Workbench")
    for _ in range(2):
        box.get_by_role("button", name="Down").click()
    box.get_by_role("button", name="OK", exact=True).click()
    asks(page, "Press red: stack 1.")
    box.get_by_role("button", name="OK", exact=True).click()  # nothing answers
    asks(page, "Press red: stack 2.")
    box.get_by_role("button", name="Up").click()
    asks(page, "Press red: stack 1.")


def test_the_page_speaks_other_languages_and_is_used_with_the_keyboard(page: Page) -> None:
    page.get_by_role("combobox").select_option("nl")
    expect(page.get_by_role("button", name="Bord testen")).to_be_visible()
    page.locator("[data-place='G.1']").press("Enter")
    asks(page, "groen: stapel 1 uit")


@pytest.mark.parametrize("address", ["40"], indirect=True)
def test_a_place_that_was_pressed_gets_no_ring_of_the_browsers_own(page: Page) -> None:
    """In a drawing's units it is as large as a quarter of the board."""
    place(page, "3")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "none"


@pytest.fixture
def real_box(tmp_path: Path) -> Iterator[Path]:
    """The service of a box with nothing plugged in, as somebody starts it by hand."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    config = tmp_path / "companion.toml"
    config.write_text(f"{ASSUMED}[web]\nport = {port}\n")
    words = ("run", "--config", str(config), "--journal", str(tmp_path / "games.db"))
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, *words], cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    while "the bench's page is at" not in process.stderr.readline():
        assert process.poll() is None
    yield config
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 0


def test_a_box_is_set_up_with_nothing_but_the_page(browser: Browser, real_box: Path) -> None:
    key = kept_key(real_box.parent)
    port = load(real_box, complete=False).web.port
    context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 500})
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{port}/setup?key={key}")
    expect(page.get_by_text("Only this machine can open this page.")).to_be_visible()
    expect(page.locator("code")).to_have_text("companion house add")
    page.get_by_role("button", name="Write it down").click()  # as found, and nothing is plugged in
    expect(page.locator(".said")).to_contain_text("nothing was found")
    expect(page.locator(".said a")).to_have_count(0)
    page.get_by_label("PIN of 6 to 12 digits").fill("471100")
    page.get_by_role("button", name="Open it to the house").click()
    expect(page.locator(".said")).to_be_in_viewport()  # wherever the button was
    expect(page.get_by_text("Who knows the PIN 471100 can play")).to_be_visible()
    assert load(real_box, complete=False).web.address == "0.0.0.0"
    build, screen = page.get_by_label("Which one is it?"), page.get_by_label("The screen")
    expect(build).to_have_value("found")
    build.select_option("build-b-52")
    expect(screen).to_have_value("sh1106")  # as its papers have it
    screen.select_option("none")
    page.get_by_role("button", name="Write it down").click()
    written = page.get_by_text("Written down: board 52, sensors under the squares")
    expect(written).to_be_visible()
    config = load(real_box)
    assert (config.board, config.oled, config.web.pin) == ("52", None, "471100")
    expect(build).to_have_value("build-b-52")
    expect(page.get_by_role("link", name="Go to the table")).to_be_visible()
    page.get_by_role("button", name="For this machine only").click()
    expect(page.get_by_text("Only this machine can open")).to_be_visible()
    page.get_by_label("Language").select_option("de")
    busy = {"error": "somebody else is sending an update: try again later"}
    page.route("**/update", lambda route: route.fulfill(status=503, json=busy))
    package = {"name": "one.deb", "mimeType": "application/octet-stream", "buffer": b"x"}
    page.locator("input[type=file]").set_input_files(package)  # type: ignore[arg-type]
    expect(page.locator(".said")).to_have_text(
        "Gerade schickt jemand anders ein Update: Versuch es gleich noch einmal."
    )
    context.close()

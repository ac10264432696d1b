"""How a box is set up: orders of its page and its menu, and what is written down for them."""

import asyncio
import json
import os
import re
from pathlib import Path

import pytest

from companion import orders, privileged, updates
from companion.config import ASSUMED, load, parse
from companion.config_file import with_build, with_map
from companion.daemon.setup import NotWrittenError, Setup
from companion.orders import Build
from companion.rules.boards import BOARDS
from tests.test_small_files import ODD


class Box:
    """A box that somebody started by hand: it writes its own configuration."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "companion.toml"
        self.begun = 0
        self.setup = Setup(self.path, self._again)

    def _again(self) -> None:
        self.begun += 1

    def order(self, order: orders.Order) -> None:
        asyncio.run(self.setup.carry_out(order))


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def test_a_box_without_a_configuration_says_what_it_assumes(box: Box) -> None:
    told = box.setup.told()
    assert not told["written"]
    assert (told["board"], told["die"], told["matrix"], told["screen"]) == (
        "40",
        "serial",
        "serial",
        "ssd1306",
    )
    assert not told["open"]


def test_what_was_found_is_written_down(box: Box) -> None:
    box.order(orders.Configure("found"))
    assert parse(box.path.read_text(), complete=False) == parse(ASSUMED, complete=False)
    assert box.setup.told()["written"]
    assert box.begun == 1


def test_the_page_is_opened_with_a_pin_and_closed_again(box: Box) -> None:
    box.order(orders.OpenPage())
    web = load(box.path, complete=False).web
    assert web.address == "0.0.0.0"
    assert web.pin is not None
    assert len(web.pin) == 6
    assert "pin" not in str(box.setup.told()["pin"])
    box.order(orders.OpenPage(pin="471100"))
    assert box.setup.pin() == "471100"
    box.order(orders.OpenPage())
    assert box.setup.pin() != "471100"  # another one, that nobody can guess
    box.order(orders.OpenPage(pin="471100"))
    box.order(orders.OpenPage(on=False))
    box.order(orders.OpenPage())
    box.order(orders.OpenPage(on=False))
    web = load(box.path, complete=False).web
    assert (web.address, web.pin) == ("127.0.0.1", "471100")


def test_a_comment_of_the_owner_stays(box: Box) -> None:
    box.path.write_text("# my table\n" + ASSUMED)
    box.order(orders.OpenPage())
    assert box.path.read_text().startswith("# my table\n")


@pytest.mark.parametrize("build", list(orders.Build.__args__))  # type: ignore[attr-defined]
def test_every_build_can_be_written_down(box: Box, build: Build) -> None:
    box.path.write_text(ASSUMED + '[web]\npin = "471100"\n')
    box.order(orders.Configure(build))
    assert load(box.path, complete=False).web.pin == "471100"
    assert box.setup.told()["build"] == build


def test_another_screen_or_none(box: Box) -> None:
    box.order(orders.Configure("build-a-40", "ssd1306", upside_down=True))
    oled = load(box.path).oled
    assert oled is not None
    assert (oled.chip, oled.rotation) == ("ssd1306", 180)
    box.order(orders.Configure("build-a-40", "none"))
    assert load(box.path).oled is None


def test_a_map_that_was_learned_stays_with_its_board() -> None:
    names = [place.name for place in BOARDS["40"].places]
    learned = with_map(ASSUMED, "40", [" ".join(names[at : at + 9]) for at in range(0, 72, 9)])
    again = parse(with_build(learned, "found", "sh1106", False))
    assert again.matrix == parse(learned).matrix
    other = parse(with_build(learned, "build-c-68", None, False))
    assert other.matrix != parse(learned).matrix


def test_what_cannot_be_written_is_not_said_to_be(
    box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installed service asks root; where root does not answer, nothing has changed."""
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    monkeypatch.setattr(privileged, "PATIENCE", 0.0)
    setup = Setup(tmp_path / "etc.toml", lambda: pytest.fail("it starts again"))
    with pytest.raises(NotWrittenError, match="it was not written down"):
        asyncio.run(setup.carry_out(orders.OpenPage()))
    assert (tmp_path / privileged.ORDER).exists()


def test_what_came_of_the_wish_before_is_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root takes a moment to begin, and meanwhile its last answer still lies there."""
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    answer = tmp_path / "answer.json"
    monkeypatch.setattr(updates, "ANSWER", answer)
    setup = Setup(tmp_path / "etc.toml", lambda: None)
    assert setup.told()["update"] is None
    for state in ("fault", "ready"):
        asyncio.run(setup.carry_out(orders.LookForUpdate("stick")))
        assert setup.told()["update"] == {"state": "working"}
        stamp = updates.answered() + 1
        answer.write_text(json.dumps({"state": state}))
        os.utime(answer, ns=(stamp, stamp))
        assert setup.told()["update"] == {"state": state}


@pytest.mark.parametrize("odd", ["loop", "pipe", "zeros", "folder", "huge"])
def test_what_lies_in_the_configurations_place_is_said_with_its_name(box: Box, odd: str) -> None:
    ODD[odd](box.path)
    told = f"{re.escape(str(box.path))} cannot be read: [^[]"
    with pytest.raises(NotWrittenError, match=told):
        box.setup.told()
    with pytest.raises(NotWrittenError, match=told):
        box.order(orders.Configure("build-a-40"))
    assert not privileged.is_written("", box.path)


def test_a_configuration_that_is_no_toml_is_not_built_upon(box: Box) -> None:
    box.path.write_text("[[[")
    with pytest.raises(NotWrittenError, match="is not TOML"):
        box.order(orders.Configure("build-a-40"))


def test_a_configuration_that_cannot_be_read_is_left_alone(box: Box) -> None:
    box.path.write_text("[[[")
    with pytest.raises(NotWrittenError):
        box.order(orders.OpenPage())
    assert box.path.read_text() == "[[["
    assert box.begun == 0


@pytest.mark.parametrize("text", [b"[[[[", b"\xff\xfe", b"colour = 1"])
def test_a_file_that_somebody_is_at_work_on_is_said(box: Box, text: bytes) -> None:
    """The page asks how the box is set up; it must not stumble over half a line."""
    box.path.write_bytes(text)
    with pytest.raises(NotWrittenError):
        box.setup.told()
    with pytest.raises(NotWrittenError):
        box.order(orders.OpenPage())
    assert box.path.read_bytes() == text

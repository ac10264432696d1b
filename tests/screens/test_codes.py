"""The code that gives a seat to a phone: drawn on 128x64 pixels, and read again."""

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from companion.languages import LANGUAGES
from companion.screens.codes import code_picture
from companion.screens.drawing import Drawing
from companion.screens.pictures import picture
from companion.screens.rest import menu
from companion.screens.samples import samples
from tests.scanning import scanned
from tests.screens.looking import faults

ADDRESSES = (
    "HTTP://192.168.178.123:8080/P/ABCDEFGHIJKLMNOP",
    "HTTP://10.0.0.7:8080/P/QRSTUVWXYZ234567",
    "HTTP://LUDO-COMPANION.LOCAL:8080/P/ABCDEFGHIJKLMNOP",
)


def read(image: Image.Image, path: Path) -> str:
    """What a reader makes of a photograph of the screen: light pixels with dark around them."""
    seen = Image.new("L", (image.width * 6 + 60, image.height * 6 + 60), 20)
    large = image.convert("L").resize((image.width * 6, image.height * 6))
    seen.paste(large, (30, 30))
    seen.save(path)
    return scanned(path)


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("name", ["phone", "phone-is-off"])
def test_the_code_on_the_screen_is_read_again(address: str, name: str, tmp_path: Path) -> None:
    view = samples("german", "de")[name]
    assert read(picture(view, 0.0, address), tmp_path / "seen.png") == address


def test_a_code_too_fine_for_the_screen_is_not_drawn(tmp_path: Path) -> None:
    assert code_picture("http://" + "a" * 90) is None
    view = samples("german", "en")["phone"]
    drawn = picture(view, 0.0, "http://" + "a" * 90)
    assert drawn == picture(view)
    assert read(drawn, tmp_path / "seen.png") == ""


def test_the_screen_without_a_code_says_so_in_its_place() -> None:
    view = samples("german", "en")["phone"]
    assert picture(view) != picture(view, 0.0, ADDRESSES[0])
    assert picture(replace(view, cursor=1)) != picture(view)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["phone", "phone-is-off", "menu-phones"])
def test_who_only_watches_reads_that_there_is_no_code_for_them(name: str, language: str) -> None:
    drawing = Drawing(samples("german", language)[name], 0.0, watched=True)
    menu(drawing)
    assert faults(drawing) == []
    said = " ".join(mark.text for mark in drawing.canvas.marks)
    assert "471100" not in said
    assert all(mark.kind != "code" for mark in drawing.canvas.marks)

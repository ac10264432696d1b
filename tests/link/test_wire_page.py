"""The page about the serial line names every word, and no other."""

import re
from pathlib import Path

import pytest

from firmware.line import FROM_BOX, FROM_DEVICE, LONGEST, PROTOCOL, decode
from firmware.port import SILENCE as BOX_SILENCE

PAGE = (Path(__file__).parent.parent.parent / "docs" / "wire.md").read_text()


@pytest.mark.parametrize(
    ("heading", "words"), [("From the device", FROM_DEVICE), ("From the box", FROM_BOX)]
)
def test_the_page_lists_the_words_of_the_codec(heading: str, words: tuple[str, ...]) -> None:
    section = PAGE.split(f"## {heading}")[1].split("\n## ")[0]
    assert tuple(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == words


def test_the_pages_example_and_numbers_are_true() -> None:
    example = re.search(r"^\d+ press .*$", PAGE, re.MULTILINE)
    assert example is not None
    assert decode(example.group().encode()) is not None
    assert f"protocol {PROTOCOL}." in PAGE
    assert f"at most {LONGEST} bytes" in PAGE
    assert f"Nothing for {BOX_SILENCE // 1000} s" in PAGE

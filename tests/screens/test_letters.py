"""The lettering: every letter is there, names are large, and text breaks without loss."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.languages import LANGUAGES
from companion.screens import letters, phrases
from companion.screens.languages import words
from companion.screens.letters import SOFT_HYPHEN, big, lettering, shortened, width, wrapped

LATIN = st.text(
    st.characters(min_codepoint=0x21, max_codepoint=0xFF, exclude_categories=["C", "Z"])
)


def ink(text: str) -> list[str]:
    image = lettering(text)
    return [
        "".join("#" if image.getpixel((x, y)) else "." for x in range(image.width))
        for y in range(image.height)
    ]


def test_a_word_looks_as_it_was_drawn() -> None:
    assert ink("Aj") == [
        ".##...#",
        "#..#...",
        "#..#..#",
        "####..#",
        "#..#..#",
        "#..#..#",
        "#..#..#",
        "......#",
        ".....#.",
    ]


@pytest.mark.parametrize("letter", [chr(code) for code in range(0x21, 0x100) if code != 0xAD])
def test_every_latin_letter_has_ink_within_nine_rows(letter: str) -> None:
    if not letter.isprintable():
        assert letters.lacks(letter) == {letter}
        return
    assert letters.lacks(letter) == set()
    box = lettering(letter).getbbox()
    assert box is not None
    assert 0 <= box[1] < box[3] <= letters.HEIGHT


def test_no_two_letters_of_a_word_look_the_same() -> None:
    looks = [lettering(chr(code)).tobytes() for code in range(0x21, 0x7F)]
    sizes = [lettering(chr(code)).size for code in range(0x21, 0x7F)]
    assert len(set(zip(looks, sizes, strict=True))) == len(looks)


def test_what_nobody_has_drawn_is_named() -> None:
    assert letters.lacks("Łódź") == {"Ł", "ź"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("colour", phrases.COLOURS)
def test_a_seat_is_written_in_letters_of_twenty_pixels(colour: str, language: str) -> None:
    name = phrases.colour(colour, words(language)).capitalize()
    box = big(name, 63).getbbox()
    assert box is not None
    assert box[3] - box[1] >= 20
    assert box[2] <= 63
    assert big(name, 63).width >= 2 * width(name) - len(name)  # not the narrow ones


@pytest.mark.parametrize("name", ["Butterfly", "Schmetterling", "Christopher W."])
def test_a_long_name_is_whole_and_not_too_narrow_to_read(name: str) -> None:
    written = big(name, 63)
    box = written.getbbox()
    assert box is not None
    assert written.width >= width(name)
    assert 2 * letters.CAPITAL <= box[3] - box[1] <= 2 * letters.HEIGHT


@given(st.lists(LATIN.filter(bool), min_size=1), st.integers(20, 124))
def test_wrapped_lines_fit_and_lose_nothing(parts: list[str], room: int) -> None:
    text = " ".join(parts)
    lines = wrapped(text, room)
    assert all(width(line) <= room for line in lines)
    kept = "".join(lines).replace("-", "")
    assert kept.replace(" ", "") == text.replace(" ", "").replace("-", "").replace(SOFT_HYPHEN, "")


def test_a_long_word_breaks_at_its_soft_hyphen() -> None:
    assert wrapped(f"Der Zug ist zurück{SOFT_HYPHEN}genommen.", 63) == (
        "Der Zug ist",
        "zurück-",
        "genommen.",
    )
    assert wrapped(f"zurück{SOFT_HYPHEN}genommen.", 124) == ("zurückgenommen.",)


@given(LATIN, st.integers(10, 80))
def test_a_name_is_cut_only_if_it_has_to_be(name: str, room: int) -> None:
    short = shortened(name, room)
    assert (short == name) == (width(name) <= room)
    assert width(short) <= room

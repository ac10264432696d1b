"""The languages: every sentence is translated, the catalogues are made, and the choice counts."""

import re
import string
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from companion.build import compile_catalogues
from companion.defaults import SETTINGS
from companion.languages import LANGUAGES
from companion.pages.sentences import FOLDER, load, messages, template
from companion.rules import SHEETS, Refusal, game
from companion.screens import labels, phrases
from companion.screens.languages import words
from companion.screens.letters import SOFT_HYPHEN, width
from companion.screens.samples import samples
from tests.screens.looking import texts

ROOT = Path(__file__).parents[2]
OTHERS = [language for language in LANGUAGES if language != "en"]
COLUMN = 63


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def forms(said: object) -> list[str]:
    return [str(one) for one in said] if isinstance(said, (list, tuple)) else [str(said)]


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_is_missing_in_any_language(language: str) -> None:
    catalogue = load(language)
    for message, _ in messages():
        key = message if isinstance(message, str) else message[0]
        found = catalogue.get(key)
        assert found is not None, f"{key!r} is not in the catalogue: run `make languages`"
        assert all(forms(found.string)), f"{key!r} is not translated"
        assert not found.fuzzy


@pytest.mark.parametrize("language", OTHERS)
def test_no_catalogue_keeps_a_sentence_that_nobody_says(language: str) -> None:
    said = {str(message.id) for message in template() if message.id}
    assert {str(message.id) for message in load(language) if message.id} == said


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_only_gaps_that_are_filled(language: str) -> None:
    """A reason may use what was rolled in either form, everything else keeps its own gaps."""
    for message in load(language):
        if message.id:
            known = set().union(*(gaps(form) for form in forms(message.id)))
            used = set().union(*(gaps(form) for form in forms(message.string)))
            assert used - {"roll", "rolled"} == known - {"roll", "rolled"}, message.id
            assert bool(used & {"roll", "rolled"}) == bool(known & {"roll", "rolled"}), message.id


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_spoken_is_what_the_catalogue_says(language: str) -> None:
    """The compiled catalogue is the written one; if not, `make` has not run."""
    speak = words(language)
    for message in load(language):
        if isinstance(message.id, str) and message.id:
            assert speak.gettext(message.id) == message.string


@pytest.mark.parametrize(("language", "foreign"), [("de", "”"), ("nl", "„")])
def test_a_catalogue_has_one_kind_of_quotation_marks(language: str, foreign: str) -> None:
    for message in load(language):
        assert not any(foreign in form for form in forms(message.string)), message.id


@pytest.mark.parametrize("language", OTHERS)
def test_that_nothing_was_changed_is_always_said_in_the_same_words(language: str) -> None:
    said = {
        str(message.string).rpartition(". ")[2]
        for message in load(language)
        if str(message.id).endswith(". Nothing was changed.")
    }
    assert len(said) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_beside_the_map_is_broken_anywhere_but_at_a_soft_hyphen(language: str) -> None:
    speak = words(language)
    for table in (phrases.REFUSALS, phrases.HAPPENINGS, labels.NOTICES, labels.MISSING):
        for sentence in table.values():
            for form in (sentence,) if isinstance(sentence, str) else sentence:
                for word in speak.gettext(form).split():
                    for part in word.split(SOFT_HYPHEN):
                        assert "{" in part or width(f"{part}-") <= COLUMN, word


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sheet", SHEETS)
def test_no_clause_lacks_its_sentence(sheet: str, language: str) -> None:
    speak, played = words(language), game(sheet)
    for article in SHEETS[sheet].articles:
        for text in (article.text, article.reading):
            if text and language != "en":
                assert speak.gettext(text) != text, article.id
        assert labels.clause(played, article.id, speak)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "That is 5 squares, you rolled 4."),
        ("de", "Das sind 5 Felder, du hast 4 gewürfelt."),
        ("nl", "Dat zijn 5 velden, je gooide 4."),
    ],
)
def test_a_refusal_reads_as_a_sentence(language: str, said: str) -> None:
    why = Refusal("O8", "wrong_count", ("5", "10"), 5)
    assert phrases.refusal(game("german"), why, 4, words(language)) == said


def test_one_square_is_not_squares() -> None:
    why = Refusal("O8", "wrong_count", ("5", "6"), 1)
    said = phrases.refusal(game("german"), why, 4, words("de"))
    assert said == "Das ist 1 Feld, du hast 4 gewürfelt."


def test_everything_the_referee_says_has_its_words_and_none_is_left_over() -> None:
    source = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "companion/referee").glob("*.py")
    )
    said = set(re.findall(r'(?:say|Notice)\(\s*"(\w+)"', source))
    said |= set(re.findall(r'"(no_game)" if', source))
    assert said == set(labels.NOTICES)
    unnamed = {"move", "option", "phone", "player", "seat"}
    lines = set(re.findall(r'Line\(f?"(\w+)', source)) - unnamed
    assert lines | set(SETTINGS) == set(labels.LINES)
    options = {option.name for sheet in SHEETS.values() for option in sheet.options}
    assert options == set(labels.OPTIONS)
    assert set(SHEETS) == set(labels.SHEET_NAMES)
    titles = set(re.findall(r'(?:ask|open_menu)\(\s*"(\w+)"', source))
    assert titles <= set(labels.TITLES)


def test_every_language_in_the_menu_is_spoken_and_named() -> None:
    assert SETTINGS["language"] == tuple(LANGUAGES)
    assert sorted(folder.name for folder in FOLDER.iterdir()) == sorted(OTHERS)


def test_a_language_without_a_catalogue_speaks_english() -> None:
    assert words("xx").gettext("Menu") == "Menu"


def test_a_catalogue_is_compiled_to_where_it_is_wanted(tmp_path: Path) -> None:
    written = compile_catalogues(FOLDER, tmp_path)
    assert written == [tmp_path / one / "LC_MESSAGES" / "companion.mo" for one in sorted(OTHERS)]
    for language, path in zip(sorted(OTHERS), written, strict=True):
        assert path.read_bytes() == (FOLDER / language / "LC_MESSAGES/companion.mo").read_bytes()


def test_a_wheel_brings_its_catalogues(tmp_path: Path) -> None:
    """Built from files as in a fresh clone, where none is compiled."""
    clone = tmp_path / "clone"
    listed = subprocess.run(
        ["git", "ls-files", "companion", "firmware", "pyproject.toml", "README.md", "LICENSE"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.split():
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        (clone / name).write_bytes((ROOT / name).read_bytes())
    assert not list(clone.rglob("*.mo"))
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index"]
    command += ["--no-build-isolation", "--wheel-dir", str(tmp_path), str(clone)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        names = files.namelist()
        files.extractall(tmp_path / "installed")
    for language in OTHERS:
        assert f"companion/screens/catalogues/{language}/LC_MESSAGES/companion.mo" in names
    code = "from companion.screens.languages import words; print(words('de').gettext('Menu'))"
    said = subprocess.run(
        [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, '.'); {code}"],
        cwd=tmp_path / "installed",
        capture_output=True,
        encoding="utf-8",
        check=True,
        env={"PYTHONIOENCODING": "utf-8", "PATH": "/usr/bin:/bin"},
    )
    assert said.stdout.strip() == "Menü"


PIECES = {
    "en": "piece|pawn",
    "de": "Figur|[Zz]ieh|[Ss]tell",
    "nl": "pion|[Zz]et (?:de|hem|terug|zelf)",
}
"""What only a board has: the card game has cards, and they are laid."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_card_game_speaks_of_cards(language: str) -> None:
    for name, view in samples("cards", language).items():
        if not name.startswith("menu"):  # which are of the box
            found = re.search(PIECES[language], texts(view))
            assert found is None, (name, texts(view))
    for article in SHEETS["cards"].articles:
        assert not re.search(PIECES[language], words(language).gettext(article.text)), article.id

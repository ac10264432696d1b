"""The page's files: light, with words for all it says, and nothing inline or foreign."""

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from companion.languages import LANGUAGES
from companion.screens.languages import words
from companion.screens.page import WORDS, page_words
from companion.web import state
from companion.web.files import STATIC

SCRIPTS = sorted(STATIC.glob("*.js"))
LIGHT = 200_000
"""Bytes for the whole page, uncompressed: seven sheets and their boards are in it."""


PAGES = ("index.html", "bench.html", "join.html", "missing.html", "setup.html")
BEHIND_TABLE = ("bench.html", "join.html", "setup.html")
LATER = {
    "charts.css",
    "charts.js",
    "kiosk.js",
    "kiosk.css",
    "phone.js",
    "phone.css",
    "games.js",
    "games.css",
    "seat_code.js",
    "statistics.js",
    "house_rules.js",
    "house_rules.css",
    "rule_pictures.js",
}
"""Loaded only by another view, or when somebody looks at charts or past games, makes rules or gives
a phone a seat."""
FRIDGE = {"fridge.css", "fridge.js"}
"""Loaded by the page that is printed for the fridge."""


def loaded(page: str) -> list[str]:
    """Every file that a page loads, its modules with all that they import."""
    text = (STATIC / page).read_text(encoding="utf-8")
    found = [page, *dict.fromkeys(re.findall(r'(?:href|src)="/([\w.]+)"', text))]
    for name in found:
        if name.endswith(".js"):
            code = (STATIC / name).read_text(encoding="utf-8")
            found += [one for one in re.findall(r'from "\./([\w.]+)"', code) if one not in found]
    return found


@pytest.mark.parametrize("page", PAGES)
def test_a_page_weighs_less_than_200_kilobytes(
    page: str, record_property: Callable[[str, object], None]
) -> None:
    files = sum((STATIC / name).stat().st_size for name in loaded(page))
    boards = len(msgspec.json.encode(state.boards()))
    behind = page in BEHIND_TABLE
    told = [state.words_in(one, behind=behind) for one in LANGUAGES]
    words = max(len(msgspec.json.encode(one)) for one in told)
    whole = files + boards + words
    record_property("figure", f"weight of {page}: {whole / 1000:.0f} kB uncompressed")
    assert whole < LIGHT


def test_no_file_is_without_a_page_that_loads_it() -> None:
    used = {name for page in PAGES for name in loaded(page)} | LATER | FRIDGE
    assert {path.name for path in STATIC.iterdir()} == used


def test_every_word_that_is_used_exists_and_every_word_is_used() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    used = set(re.findall(r'\bt\("(\w+)"', code))
    assert len(used) > 80
    assert used <= set(WORDS)
    spoken = used | set(re.findall(r'"(\w+)"', code))
    built = ("do_", *re.findall(r"`(\w+_)\$\{", code))
    assert set(WORDS) - spoken - {key for key in WORDS if key.startswith(built)} == set()


def test_a_table_is_told_every_word_that_its_scripts_use_and_few_others() -> None:
    behind = {name for page in BEHIND_TABLE for name in loaded(page)} - set(loaded("index.html"))
    behind |= {"house_rules.js"}
    code = "\n".join(
        path.read_text(encoding="utf-8") for path in SCRIPTS if path.name not in behind
    )
    used = set(re.findall(r'"(\w+)"', code)) & set(WORDS)
    assert used <= set(state.words_in("en")["words"])
    assert not any(key.startswith("setup_") for key in state.words_in("en")["words"])
    assert "try_and_keep" not in state.words_in("en")["words"]
    assert state.words_in("en", behind=True)["words"] == page_words()
    making = (STATIC / "house_rules.js").read_text(encoding="utf-8")
    used = set(re.findall(r'"(\w+)"', making)) & set(WORDS)
    assert used <= set(state.words_in("en", rules=True)["words"])


def test_a_page_fills_every_gap_of_its_words() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    for key, said in WORDS.items():
        for gap in re.findall(r"\{(\w+)\}", said):
            filled = re.findall(rf'\bt\([^()]*"{key}"[^{{()]*\{{([^}}]*)', code)
            for prefix, names in re.findall(r"\bt\(`(\w+_)\$\{[^}]*\}`, \{([^}]*)", code):
                filled += [names] if key.startswith(prefix) else []
            assert filled, key
            assert all(re.search(rf"\b{gap}\b", names) for names in filled), (key, gap)


def test_a_page_has_no_words_but_those_of_the_catalogues() -> None:
    """A sentence in a script would be said in one language only."""
    for path in SCRIPTS:
        text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        said = re.findall(r'"([A-Z][a-z]+ [^"]*)"|>([A-Z][a-z]+ [^<]*)<', text)
        assert said == [], path.name


@pytest.mark.parametrize(
    ("wanted", "spoken"), [("", "en"), ("de", "de"), ("fr,nl,de", "nl"), ("fr", "en"), ("d,", "en")]
)
def test_a_page_is_told_everything_in_the_first_language_that_is_spoken(
    wanted: str, spoken: str
) -> None:
    told = state.words_in(state.language_of(wanted))
    assert told["language"] == spoken
    assert told["words"] == page_words(words(spoken), behind=False, rules=False)
    assert told["languages"] == LANGUAGES


@pytest.mark.parametrize("path", sorted(STATIC.iterdir()), ids=lambda path: path.name)
def test_nothing_is_inline_or_from_elsewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    addresses = set(re.findall(r"https?://[^\s\"'`)]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    if path.suffix == ".html":
        assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|style=|<style", text)
    if path.suffix == ".js":
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|\beval\(|new Function", text)
        for name in re.findall(r'from "\./([\w.]+)"', text):
            assert (STATIC / name).exists(), name


@pytest.mark.parametrize("page", PAGES)
def test_the_browser_is_told_of_every_module_at_once(page: str) -> None:
    """Otherwise it would find them one after the other, a round trip each."""
    text = (STATIC / page).read_text(encoding="utf-8")
    modules = sorted(name for name in loaded(page) if name.endswith(".js"))
    assert re.findall(r'modulepreload" href="/([\w.]+)"', text) == modules


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_module_opens_by_saying_what_it_is_for(path: Path) -> None:
    assert path.read_text(encoding="utf-8").startswith("// ")

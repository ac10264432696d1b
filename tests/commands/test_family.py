"""`companion family`: house rules are checked, tried and printed."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.rules.family import from_line
from companion.rules.house import SWITCHES
from companion.screens.fridge import fridge_page
from companion.screens.languages import words

SUNDAY = "Sunday rules: german+three_rolls+capture_rolls+pieces=2"


def test_a_file_is_checked_tried_and_printed(tmp_path: Path) -> None:
    file, page = tmp_path / "sunday.toml", tmp_path / "fridge.html"
    file.write_text(from_line(SUNDAY).toml(), encoding="utf-8")
    asked = ["family", str(file), "--games", "3", "--page", str(page), "--language", "de"]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 0, done.output
    assert "3 random games ended" in done.output
    assert "at 12 seconds a roll" in done.output
    assert f"To share: {SUNDAY}" in done.output
    assert "H3" in page.read_text(encoding="utf-8")


def test_a_line_that_was_shared_is_checked() -> None:
    done = CliRunner().invoke(main, ["family", SUNDAY, "--games", "1"])
    assert done.exit_code == 0, done.output
    assert "Sunday rules" in done.output


@pytest.mark.parametrize(
    ("what", "word"),
    [
        ("x: british+barriers", "leave barriers off"),
        ("x: dutch+bounce", "switch on plain_die"),
        ("nowhere.toml", "nowhere.toml"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_sentence(what: str, word: str) -> None:
    done = CliRunner().invoke(main, ["family", what])
    assert done.exit_code == 2
    assert word in done.output


@pytest.mark.parametrize("language", ["en", "de", "nl"])
def test_the_page_names_every_clause_in_force_and_no_other(language: str) -> None:
    rules = from_line("Us & co".replace("&", "and") + ": british+bounce+third_six_back")
    page = fridge_page(rules, language, words(language))
    for article in rules.articles:
        assert f"<b>{article.id}</b>" in page
    others = {switch.article.id for switch in SWITCHES.values()} - {"H5", "H10"}
    assert not any(f"<b>{clause}</b>" in page for clause in others)
    assert page.index("<b>H5</b>") < page.index("<b>B1</b>")
    granted = words(language).gettext("The sheets take this for granted.")
    assert page.count(granted) == 1  # said once, with the clauses that it is about
    assert f"O1, O2, O3, O4, O5, O6, O7: {granted}" in page


def test_the_page_of_the_docs_names_every_switch() -> None:
    page = (Path(__file__).parents[2] / "docs" / "house-rules.md").read_text(encoding="utf-8")
    for switch in SWITCHES.values():
        assert f"| `{switch.name}` | {switch.article.id} | {switch.article.text} |" in page

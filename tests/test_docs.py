"""The documentation is true: what it names exists, and what exists is named."""

import re
from pathlib import Path

import click
import pytest

from companion.cli import COMMANDS, main
from companion.pages.sentences import messages
from companion.screens import labels
from companion.screens.languages import words
from companion.screens.page import page_words
from tests.web.docs_pictures import PICTURES

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMAND_PAGE = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))


def command(name: str) -> click.Command:
    found = main.get_command(click.Context(main), name)
    assert found is not None, f"there is no command {name}"
    return found


def section(name: str) -> str:
    """What the page of commands says about one."""
    return COMMAND_PAGE.partition(f"\n## `companion {name}`\n")[2].partition("\n## ")[0]


def test_the_readme_shows_how_to_play_and_how_to_test() -> None:
    assert re.search(r"^    make play\b", README, re.M)
    assert re.search(r"^    make test\b", README, re.M)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_make_targets_and_commands_that_are_named_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"(?:`|^    )make ([a-z]+)", text, re.M):
        assert target in TARGETS | {"help"}, f"{page.name}: make {target}"
    for name in re.findall(r"(?:`|^    )companion ([a-z]+)", text, re.M):
        command(name)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert "://" in link or (page.parent / link).exists(), f"{page.name}: {link}"


def test_the_pictures_that_are_linked_are_those_that_can_be_made_again() -> None:
    """`make pictures` makes them; nobody has to remember how one was taken."""
    folder = ROOT / "docs/pictures"
    linked = {
        (page.parent / link).resolve()
        for page in PAGES
        for link in re.findall(r"""(?:\]\(|src=")([^)"]+\.png)""", page.read_text(encoding="utf-8"))
    }
    made = {name for names in PICTURES for name in names}
    assert {path.stem for path in linked if path.parent == folder} == made
    assert {path.stem for path in folder.glob("*.png")} == made


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_documented(name: str) -> None:
    words = section(name)
    assert words, f"docs/commands.md has no section on companion {name}"
    for parameter in command(name).params:
        if isinstance(parameter, click.Option):
            assert f"`{parameter.opts[0]}`" in words, f"{name} {parameter.opts[0]}"


def test_the_page_of_commands_has_no_command_that_does_not_exist() -> None:
    assert sorted(re.findall(r"^## `companion ([a-z]+)`$", COMMAND_PAGE, re.M)) == sorted(COMMANDS)


def test_the_record_for_players_can_be_read() -> None:
    from companion.rules.records import record

    page = (ROOT / "docs/players.md").read_text(encoding="utf-8")
    block = page.partition("    Ludo game record 1")[2].partition("\n\nA line is")[0]
    told = record("Ludo game record 1" + block.replace("\n    ", "\n"))
    assert told.players == ("Anna", "Ben")
    assert str(told).split() == ("Ludo game record 1" + block).split()


def test_the_habits_of_the_project_point_to_what_there_is() -> None:
    """Links of the pages beside the README lead somewhere; a bug comes with its report."""
    for name in ("CONTRIBUTING.md", "CHANGELOG.md"):
        for link in re.findall(r"\]\(([^)#]+)", (ROOT / name).read_text(encoding="utf-8")):
            assert (ROOT / link).exists(), (name, link)
    template = (ROOT / ".github/ISSUE_TEMPLATE/bug.md").read_text(encoding="utf-8")
    assert "`companion report`" in template
    assert "report" in COMMANDS


@pytest.mark.parametrize(("language", "page"), [("en", ""), ("de", ".de"), ("nl", ".nl")])
def test_the_first_game_names_buttons_as_the_page_does(language: str, page: str) -> None:
    text = (ROOT / f"docs/first-game{page}.md").read_text(encoding="utf-8")
    said = set(page_words(words(language)).values())
    named = re.findall(r"(?<!\*)\*([^*\[]+)\*(?!\*)", text)
    assert len(named) >= 6
    assert [one for one in named if one not in said] == []
    assert len(re.findall(r"^!\[.+\]\(pictures/", text, re.MULTILINE)) == 3


@pytest.mark.parametrize(("language", "page"), [("en", ""), ("de", ".de"), ("nl", ".nl")])
def test_the_page_for_players_quotes_what_is_said(language: str, page: str) -> None:
    """What stands in italics is a sentence of the box or a button of the page."""
    text = (ROOT / f"docs/players{page}.md").read_text(encoding="utf-8")
    spoken = words(language)
    said = [spoken.gettext(one) for one, _ in messages() if isinstance(one, str)]
    known = [
        re.sub(r"\\\{\w+\\\}", ".+", re.escape(one.rstrip(".").replace("\xad", ""))) for one in said
    ]
    quoted = re.findall(r"(?<![*\w])\*([^*\[]+)\*(?!\*)", text)
    assert len(quoted) >= 6
    unknown = [one for one in quoted if not any(re.fullmatch(form, one) for form in known)]
    assert unknown == []
    for key in ("enter", "base", "home"):
        assert re.search(rf"`[^`]*\b{labels.word(key, spoken)}\b[^`]*`", text), key

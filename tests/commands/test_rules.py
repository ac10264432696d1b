"""`companion rules`: the sheets, a sheet, a clause; bad names are answered in one sentence."""

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner, Result

from companion.cli import COMMANDS, main
from companion.rules import SHEETS


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["rules", *arguments])


def words(text: str) -> str:
    return " ".join(text.split())


def test_without_a_name_it_lists_the_sheets_and_their_options() -> None:
    result = run()
    assert result.exit_code == 0
    for sheet in SHEETS.values():
        assert sheet.title in result.stdout
        for option in sheet.options:
            assert option.name in words(result.stdout)


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_is_printed_whole_with_readings_marked(name: str) -> None:
    result = run(name)
    assert result.exit_code == 0
    page = words(result.stdout)
    for article in SHEETS[name].articles:
        assert words(f"{article.id} {article.text}") in page
        assert words(f"Our reading: {article.reading}") in page or not article.reading
    assert all(len(line) <= 80 for line in result.stdout.splitlines())


def test_one_clause_is_printed_alone_however_it_is_typed() -> None:
    for typed in ("GV4", "gv4"):
        result = run("german", typed)
        assert result.exit_code == 0
        assert result.stdout.startswith("GV4   Three rolls:")
        assert "Only with the option three_rolls." in result.stdout
        assert "GV5" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rules", "french"], "unknown sheet 'french': choose from german, cards"),
        (["rules", "german", "P1"], "unknown clause of german 'P1': choose from G1"),
        (["selfplay", "french"], "unknown sheet 'french'"),
        (["selfplay", "german", "--option", "walls"], "'walls'"),
        (["selfplay", "dutch", "--option", "pieces=9"], "pieces cannot be '9'"),
        (["selfplay", "cards", "--option", "fast"], "cards has no options"),
        (["selfplay", "german", "--seats", "yellow"], "1 players cannot play german"),
        (["selfplay", "german", "--seats", "yellow,yellow"], "yellow has two players"),
        (["selfplay", "german", "--seats", "yellow,pink"], "'pink'"),
        (["selfplay", "german", "--games", "0"], "0"),
        (["selfplay", "german", "--games", "many"], "many"),
        (["textplay", "french"], "'french'"),
        (["textplay", "german", "--asked", "pink"], "'pink'"),
        (["nonsense"], "nonsense"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert said in line
    assert "Traceback" not in result.output


def test_the_installed_command_answers_bad_input_without_a_traceback() -> None:
    code = "from companion.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "rules", "french"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        "Error: unknown sheet 'french': choose from german, cards, british, dutch, pairs, "
        "indian, parchis"
    ]


def printed(*lines: str) -> str:
    """What a Python of its own prints when it runs these lines."""
    code = "\n".join(("import sys", *lines))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_help_imports_nothing_heavy() -> None:
    """On a Pi Zero each of these takes a second or more."""
    told = printed(
        "from companion.cli import main",
        "try: main(['--help'])",
        "except SystemExit: pass",
        "heavy = {'rich', 'PIL', 'aiohttp', 'companion.table', 'msgspec'}",
        "print('heavy:', sorted(heavy & set(sys.modules)))",
    )
    assert told.splitlines()[-1] == "heavy: []"
    for name, about in COMMANDS.items():
        assert name in told
        assert words(about) in words(told)


def test_the_page_is_loaded_only_when_the_table_is_up() -> None:
    """What serves the page is a quarter of all there is to load: people wait for their table."""
    told = printed(
        "from companion.commands import run",
        "from companion.daemon import house, serving, setup, wiring",
        "from companion.config import WebSection",
        "print(serving.page_address(WebSection(address='0.0.0.0')))",
        "print('loaded:', 'aiohttp' in sys.modules)",
    )
    assert told.splitlines()[-1] == "loaded: False"


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_the_group_says_what_the_command_says(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.name == name
    assert command.get_short_help_str(limit=200) == COMMANDS[name]

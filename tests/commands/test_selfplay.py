"""`companion selfplay`: random games of every sheet, reported as text and as JSON."""

import json
import random
import re

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.commands.selfplay import SelfplayFigures, play_games
from companion.rules import SHEETS, game


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["selfplay", *arguments])
    assert result.exit_code == 0, result.output
    return result


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_sheet_reports_length_wins_captures_and_refusals(sheet: str) -> None:
    report = json.loads(run(sheet, "--games", "4", "--seed", "7", "--json").stdout)
    assert report["games"] == 4
    assert report["rolls"]["shortest"] <= report["rolls"]["median"] <= report["rolls"]["longest"]
    assert sum(report["wins"].values()) == pytest.approx(1)
    assert report["per_game"]["beaten" if sheet == "cards" else "captured"] > 0
    attempts = report["attempts"]
    assert attempts["judged"] == sum(attempts[said] for said in ("accepted", "refused", "unclear"))
    assert attempts["refused"] > attempts["judged"] / 2
    clauses = {article.id for article in SHEETS[sheet].articles}
    assert set(report["refused_by"]) <= clauses
    assert all(0 < share <= 1 for share in report["refused_by"].values())


def test_the_same_seed_plays_the_same_games() -> None:
    first = run("british", "--games", "2", "--seed", "3", "--json").stdout
    assert run("british", "--games", "2", "--seed", "3", "--json").stdout == first
    assert run("british", "--games", "2", "--seed", "4", "--json").stdout != first


def test_options_and_seats_are_played() -> None:
    told = run("german", "--games", "2", "--option", "barriers", "--option", "compulsory_capture",
               "--seats", "yellow,red", "--seed", "1", "--json")  # fmt: skip
    report = json.loads(told.stdout)
    assert report["game"] == "german+barriers+compulsory_capture yellow,red"
    assert set(report["wins"]) == {"yellow", "red"}
    assert report["per_game"]["penalty"] > 0


def test_with_two_colours_each_the_player_wins_not_the_colour() -> None:
    told = run("german", "--games", "4", "--option", "two_colours_each",
               "--seats", "yellow,green", "--json")  # fmt: skip
    assert set(json.loads(told.stdout)["wins"]) == {"yellow", "green"}


def test_the_text_is_for_people_and_progress_goes_to_the_side() -> None:
    result = run("dutch", "--games", "3", "--seed", "1")
    assert re.search(r"rolls a game +\d+ on average", result.stdout)
    assert "won by" in result.stdout
    assert "100%" in result.stderr
    assert "100%" not in result.stdout.split("tried")[0].split("won by")[0]


def test_a_tally_counts_every_game_once() -> None:
    figures = SelfplayFigures()
    for number, _ in enumerate(play_games(game("cards"), 3, random.Random(1), figures), 1):
        assert len(figures.lengths) == number == figures.wins.total()

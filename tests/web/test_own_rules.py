"""The family's own sheets on the page: who may make one, what is refused, and what is told."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from companion.archive import pace, reading
from companion.events import Pressed
from companion.journal import Journal
from companion.languages import LANGUAGES
from companion.referee import Referee
from companion.rules import SHEETS
from companion.rules.house import SWITCHES
from companion.trying import Tryout
from tests.patience import PATIENCE
from tests.test_trying import saying
from tests.web.tables import AWAY, PIN, Table, table

RULES = ["capture_rolls", "pieces=2"]
KEEP = {"do": "keep_rules", "name": "Sunday rules", "base": "german", "rules": RULES}
DELETE = {"do": "delete_rules", "name": "Sunday rules"}
PASSES = saying("print('[1000, 1000, 1000, 100.0, 250]')")
ENDLESS = saying("print('[3, 1000, 2, 9000.0, 20000]')")
WAITS = saying("print('[20, 1000, 20, 9.0, 9]'); import time; time.sleep(600)")


def at_a_table(tmp_path: Path, act: Callable[[Table], Awaitable[None]], **options: Any) -> None:
    async def run() -> None:
        async with asyncio.timeout(PATIENCE), table(tmp_path / "games.db", **options) as one:
            one.page.own.rules._tryout = Tryout(PASSES)
            await act(one)

    asyncio.run(run())


async def get(one: Table, path: str, **query: str) -> Any:
    async with one.client.get(one.address + path, params=query) as answer:
        return await answer.json() if answer.status == 200 else answer.status


async def post(one: Table, path: str, body: dict[str, Any], **options: Any) -> int:
    async with one.client.post(one.address + path, json=body, **options) as answer:
        return answer.status


async def tried(one: Table, base: str = "german", rules: list[str] = RULES) -> str:
    """Try rules out and wait for the end."""
    assert await post(one, "house-rules/trial", {"base": base, "rules": rules}) == 202
    while (told := await get(one, "house-rules/trial.json"))["state"] == "running":
        await asyncio.sleep(0.01)
    return str(told["state"])


async def kept(one: Table) -> None:
    assert await tried(one) == "passed"
    assert await one.do(KEEP) == 204


def test_rules_are_tried_out_kept_offered_and_deleted(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        assert await one.do(KEEP) == 422  # nobody has tried them out
        await kept(one)
        (sheet,) = (await get(one, "house-rules.json", lang="de"))["sheets"]
        assert sheet["name"] == "Sunday rules"
        assert sheet["title"] == "Deutsch"
        assert sheet["minutes"] == 20  # a hundred rolls of twelve seconds
        assert not sheet["ownPace"]
        assert sheet["line"] == "Sunday rules: german+capture_rolls+pieces=2"
        async with one.events() as events:
            assert (await events.next("state"))["own"][0]["name"] == "Sunday rules"
        assert await one.do({**KEEP, "name": "Monday", "instead_of": "Sunday rules"}) == 204
        assert await one.do({**DELETE, "name": "Monday"}) == 204
        assert (await get(one, "house-rules.json"))["sheets"] == []

    at_a_table(tmp_path, act)


def test_a_game_by_them_has_their_name_and_their_clauses(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        await kept(one)
        options = {"capture_rolls": True, "pieces": 2}
        assert await one.do({"do": "new_game", "sheet": "german", "options": options}) == 204
        await one.until(lambda view: view.position is not None)
        async with one.events() as events:
            told = await events.next("state")
        assert told["game"]["title"] == "Sunday rules"
        assert told["game"]["house"]
        clauses = {one["id"] for one in await get(one, "articles.json", lang="nl")}
        assert {"H3", "H8", "G1"} <= clauses
        assert not {"H5", "GV1"} & clauses
        assert (await get(one, "house-rules.json"))["sheets"][0]["inUse"]
        assert await one.do(DELETE) == 409
        assert len(one.page.own.rules.kept.sheets) == 1

    at_a_table(tmp_path, act)


def test_every_clause_of_every_sheet_is_told_in_each_language(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        for language in LANGUAGES:
            told = await get(one, "clauses.json", lang=language)
            assert {sheet: [one["id"] for one in clauses] for sheet, clauses in told.items()} == {
                name: [article.id for article in sheet.articles] for name, sheet in SHEETS.items()
            }
            assert all(one["text"] for clauses in told.values() for one in clauses)
        assert told["german"] != (await get(one, "clauses.json", lang="en"))["german"]

    at_a_table(tmp_path, act)


def test_a_game_by_rules_without_a_name_says_which(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        options = {"capture_rolls": True, "pieces": 2, "three_rolls": True}
        assert await one.do({"do": "new_game", "sheet": "german", "options": options}) == 204
        await one.until(lambda view: view.position is not None)
        async with one.events("?lang=en") as events:
            told = await events.next("state")
        assert told["game"]["title"] == "German, Another roll after a capture, Pieces: 2"

    at_a_table(tmp_path, act)


def test_a_trial_says_whose_rules_it_is_about(tmp_path: Path) -> None:
    """Two at once: nobody is told of their own rules what was found of the other's."""

    async def act(one: Table) -> None:
        one.page.own.rules._tryout = Tryout(WAITS)
        said = []
        for rules in (RULES, ["bounce"]):
            body = {"base": "german", "rules": rules}
            async with one.client.post(f"{one.address}house-rules/trial", json=body) as answer:
                said.append((await answer.json())["rules"])
        assert said[0] != said[1]
        assert (await get(one, "house-rules/trial.json"))["rules"] == said[1]

    at_a_table(tmp_path, act)


def test_more_rules_than_there_can_be_are_a_sentence(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        asked = {"base": "german", "rules": ",".join(["bounce"] * 100)}
        assert await get(one, "house-rules/look.json", **asked) == 422

    at_a_table(tmp_path, act)


def test_nothing_is_tried_out_during_a_game(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        one.page.own.rules._tryout = Tryout(WAITS)
        body = {"base": "german", "rules": RULES}
        assert await post(one, "house-rules/trial", body) == 202
        while not (await get(one, "house-rules/trial.json"))["games"]:
            await asyncio.sleep(0.01)
        assert await one.do({"do": "new_game", "sheet": "german"}) == 204
        while (await get(one, "house-rules/trial.json"))["state"] == "running":
            await asyncio.sleep(0.01)
        assert (await get(one, "house-rules/trial.json"))["state"] == "ended"
        assert await post(one, "house-rules/trial", body) == 409
        assert await one.do(KEEP) == 422

    at_a_table(tmp_path, act)


def test_rules_whose_games_do_not_end_are_not_kept(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        one.page.own.rules._tryout = Tryout(ENDLESS)
        assert await tried(one) == "endless"
        assert await one.do(KEEP) == 422

    at_a_table(tmp_path, act)


def test_only_who_controls_the_table_makes_or_deletes_one(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        await kept(one)
        async with aiohttp.ClientSession() as stranger:
            for body in (KEEP, DELETE):
                async with stranger.post(f"{one.address}do", json=body, headers=AWAY) as answer:
                    assert answer.status == 401
            trial = {"base": "german", "rules": []}
            path = f"{one.address}house-rules/trial"
            async with stranger.post(path, json=trial, headers=AWAY) as answer:
                assert answer.status == 401
            cookie = {"companion-player": one.page.players.key("red")}
            async with aiohttp.ClientSession(cookies=cookie) as phone:
                for body in (KEEP, DELETE):
                    async with phone.post(f"{one.address}do", json=body, headers=AWAY) as answer:
                        assert answer.status == 403
                async with phone.post(path, json=trial, headers=AWAY) as answer:
                    assert answer.status == 403
        assert len(one.page.own.rules.kept.sheets) == 1

    at_a_table(tmp_path, act, pin=PIN)


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "<b>x</b>"},
        {"name": "x" * 500},
        {"name": " "},
        {"base": "uckers"},
        {"rules": ["teleport"]},
        {"rules": ["pieces=9"]},
        {"rules": ["three_tries"]},
        {"instead_of": "Nobody"},
    ],
)
def test_what_cannot_be_kept_is_refused_with_a_sentence(tmp_path: Path, wrong: Any) -> None:
    async def act(one: Table) -> None:
        assert await tried(one) == "passed"
        async with one.client.post(f"{one.address}do", json={**KEEP, **wrong}) as answer:
            assert answer.status == 422
            assert len((await answer.json())["error"]) > 10
        assert one.page.own.rules.kept == ({}, {})

    at_a_table(tmp_path, act)


@pytest.mark.parametrize(
    ("base", "rules", "language", "said"),
    [
        ("british", "third_six_void,third_six_back", "de", "„Dritte Sechs zählt nicht“ und"),
        ("british", "third_six_void,third_six_back", "nl", "laat een van de twee uit"),
        ("dutch", "bounce", "en", "switch on “Plain die”"),
        ("german", "bounce,capture_backwards", "en", "leave one of them off"),
        ("german", "neutral_colour,pieces=3", "en", "“Pieces for each player”"),
    ],
)
def test_contradictions_are_named_with_the_way_out_in_the_readers_language(
    tmp_path: Path, base: str, rules: str, language: str, said: str
) -> None:
    async def act(one: Table) -> None:
        told = await get(one, "house-rules/look.json", base=base, rules=rules, lang=language)
        assert any(said in one for one in told["contradictions"])
        assert not told["passed"]

    at_a_table(tmp_path, act)


def test_every_choice_has_a_name_a_meaning_and_why_it_cannot_be(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        for base in ("german", "cards", "indian"):
            for language in ("en", "de", "nl"):
                told = await get(one, "house-rules/look.json", base=base, rules="", lang=language)
                for choice in told["choices"]:
                    assert choice["label"]
                    assert choice["about"] or choice["name"] == "pieces"
                never = {choice["name"] for choice in told["choices"] if choice["never"]}
                assert ("three_tries" in never) == (base != "indian")
                assert base != "cards" or never == set(SWITCHES)
        assert await get(one, "house-rules/look.json", base="uckers") == 422
        assert await get(one, "house-rules/look.json", base="german", rules="teleport") == 422

    at_a_table(tmp_path, act)


def test_a_line_that_was_sent_is_read(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        told = await get(one, "house-rules/line.json", line="Oma: british+bounce+pieces=3")
        assert told == {"name": "Oma", "base": "british", "rules": ["bounce", "pieces=3"]}
        for line in ("", "Oma", "Oma: uckers", "Oma: british+barriers", "x" * 3000):
            assert await get(one, "house-rules/line.json", line=line) == 422

    at_a_table(tmp_path, act)


@pytest.mark.parametrize(
    ("language", "can", "cannot"),
    [
        ("en", "You can write: {}.", "“{}” cannot be chosen."),
        ("de", "Du kannst schreiben: {}.", "„{}“ gibt es nicht."),
        ("nl", "Je kunt schrijven: {}.", "“{}” kan niet."),
    ],
)
def test_a_value_that_a_rule_cannot_have_is_told_in_the_readers_language(
    language: str, can: str, cannot: str, tmp_path: Path
) -> None:
    pieces, bounce = "pieces=2, pieces=3, pieces=4", "bounce=off, bounce"

    async def act(one: Table) -> None:
        async def why(line: str) -> str | None:
            asked = {"line": line, "lang": language}
            async with one.client.get(
                f"{one.address}house-rules/line.json", params=asked
            ) as answer:
                assert answer.status == 422
                told: dict[str, Any] = await answer.json()
                return told.get("why")

        assert await why("X: german+pieces=99") == said("pieces=99", pieces)
        assert await why("X: german+bounce+pieces") == said("pieces", pieces)
        assert await why("X: german+bounce=3") == said("bounce=3", bounce)
        assert await why("X: german+") is None  # the page says that it is not all there
        assert await why("X: german++bounce") is None

    def said(given: str, choices: str) -> str:
        return f"{cannot.format(given)} {can.format(choices)}"

    at_a_table(tmp_path, act)


def test_the_page_for_the_fridge_and_the_code_are_served(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        await kept(one)
        async with one.client.get(f"{one.address}house-rules/sunday-rules.html?lang=de") as answer:
            page = await answer.text()
            assert answer.status == 200
        assert "<b>H3</b>" in page
        assert "Figuren: 2." in page
        assert "<style" not in page  # the page's policy forbids it
        async with one.client.get(f"{one.address}house-rules/sunday-rules.svg") as answer:
            assert (await answer.text()).startswith("<svg")
        for path in ("house-rules/nobody.html", "house-rules/nobody.svg"):
            assert await get(one, path) == 404

    at_a_table(tmp_path, act)


def test_the_code_is_a_link_where_phones_can_follow_it(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        await kept(one)
        rules = one.page.own.rules
        line = "Sunday rules: german+capture_rolls+pieces=2"
        assert rules.shared("sunday-rules", None) == line
        link = rules.shared("sunday-rules", "http://10.1.2.3:8080/phone")
        assert link == (
            "http://10.1.2.3:8080/house-rules?line="
            "Sunday%20rules%3A%20german%2Bcapture_rolls%2Bpieces%3D2"
        )

    at_a_table(tmp_path, act)


def test_the_menu_lists_it_beside_the_printed_sheets(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        await kept(one)
        one.daemon.post(Pressed("ok", held=True))
        one.daemon.post(Pressed("down"))
        await one.until(lambda view: view.cursor == 1)
        for _ in range(7):
            one.daemon.post(Pressed("ok"))
        await one.until(lambda view: view.lines[1][:2] == ("own_sheet", "Sunday rules"))
        assert await one.do(DELETE) == 204
        await one.until(lambda view: view.lines[1].key == "sheet")

    at_a_table(tmp_path, act)


def test_after_a_start_the_menu_knows_what_was_kept(tmp_path: Path) -> None:
    async def keep(one: Table) -> None:
        await kept(one)

    async def look(one: Table) -> None:
        assert [sheet.name for sheet in one.daemon.referee.choice.own] == ["Sunday rules"]

    at_a_table(tmp_path, keep)
    at_a_table(tmp_path, look)


# -- how fast people play ------------------------------------------------------------------------


def journal_of(path: Path, *games: list[float]) -> None:
    """A journal with games, of which only the times of the rolls are told."""
    Journal(path).close()
    with sqlite3.connect(path) as connection:
        for number, times in enumerate(games, 1):
            rows = [(number, at, "roll", "{}") for at in times]
            connection.executemany(
                "INSERT INTO records (game, at, kind, record) VALUES (?, ?, ?, ?)", rows
            )
    connection.close()


def every(seconds: float, count: int = 30) -> list[float]:
    return [1000.0 + seconds * number for number in range(count)]


@pytest.mark.parametrize(
    ("games", "found"),
    [
        ([], None),
        ([every(10.0, 5)], None),  # too few rolls to tell
        ([every(0.2)], None),  # the box played by itself
        ([every(10.0), every(20.0), every(14.0)], 14.0),
        ([[*every(8.0), *(at + 86_400 for at in every(8.0))]], 8.0),  # a night between
    ],
)
def test_the_pace_is_that_of_past_games(
    tmp_path: Path, games: list[list[float]], found: float | None
) -> None:
    journal_of(tmp_path / "games.db", *games)
    with reading(tmp_path / "games.db") as connection:
        assert pace(connection) == found


def test_a_family_is_told_how_long_it_takes_at_its_own_pace(tmp_path: Path) -> None:
    async def act(one: Table) -> None:
        await kept(one)
        one.page.own.rules._journal = tmp_path / "past.db"
        (sheet,) = (await get(one, "house-rules.json"))["sheets"]
        assert (sheet["minutes"], sheet["seconds"], sheet["ownPace"]) == (50, 30, True)

    journal_of(tmp_path / "past.db", every(30.0))
    at_a_table(tmp_path, act)


def test_a_referee_is_made_again_from_what_a_journal_noted() -> None:
    choice = {"sheet": "german", "own": [["Sunday", "british", ["bounce"], None]]}
    assert Referee(choice=choice).choice.own[0].options == {"bounce": True}

"""Past games on the page: who may see them, searching, replaying, and what is not there."""

import asyncio
import json
import time
from collections import Counter
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.house_sheets import HouseSheets
from companion.journal import Journal
from companion.rules import game
from companion.rules.family import from_line
from companion.rules.history import Deed, History, Roll, Seat, started
from companion.rules.history import kept as journalled
from companion.rules.names import LONGEST_NAME
from companion.screens import labels
from companion.web.guard import RequestRefused
from companion.web.imported import ImportedGames
from companion.web.past import PastGames
from tests.web.tables import AWAY, Table, table

NAMES = {"yellow": "Anna <b>", "red": "Ben"}


async def one_move(found: Table, **more: Any) -> None:
    """A game in which yellow has moved from 1 to 5; a player of the box rolls by itself."""
    order = {"do": "new_game", "sheet": "german", "seats": ["yellow", "red"], "names": NAMES}
    assert await found.do(order | more) == 204
    await found.until(lambda view: view.phase == "opening")
    for face in (6,) if "box" in more else (6, 1):
        assert await found.do({"do": "roll", "face": face}) == 204
    await found.until(lambda view: view.phase == "roll")
    assert await found.do({"do": "roll", "face": 4}) == 204
    await found.until(lambda view: view.phase == "move")
    assert await found.do({"do": "move", "move": "yellow 4 1>5"}) == 204
    await found.until(lambda view: view.colour == "red")


async def get(found: Table, path: str, **options: Any) -> tuple[int, Any]:
    async with found.client.get(found.address + path, **options) as answer:
        kind = answer.headers["Content-Type"]
        return answer.status, await (answer.json() if "json" in kind else answer.text())


async def statistics(found: Table) -> list[Any]:
    """What is counted of every game, asked for until it is all: one answer has what was ready."""
    counted: list[Any] = []
    after: int | None = 0
    while after is not None:
        _, told = await get(found, f"statistics.json?after={after}")
        counted += told["games"]
        after = told["next"]
    return counted


def test_games_are_found_by_name_sheet_and_day_and_replayed(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db") as found:
            status, told = await get(found, "games.json")
            assert (status, told["games"]) == (200, [])
            await one_move(found)
            await one_move(found, names={"yellow": "Cleo"})
            _, told = await get(found, "games.json")
            second, first = (one["number"] for one in told["games"])
            assert told["games"][1]["players"] == {"yellow": "Anna <b>", "red": "Ben"}
            _, results = await get(found, f"results.json?numbers={first},{second},x,99")
            assert results[str(second)]["state"] == "open"
            assert results[str(first)]["state"] == "ended"
            for query, wanted in (("anna", [first]), ("GERMAN cleo", [second]), ("parchis", [])):
                _, told = await get(found, f"games.json?q={query}")
                assert [one["number"] for one in told["games"]] == wanted, query
            _, told = await get(found, "games.json?q=20")
            assert len(told["games"]) == 2  # every day of this century has a 20 in it
            today = date.today()
            month = labels.MONTHS[today.month - 1]
            for query in (
                f"{today.day} {month}",
                f"{today.day}.{today.month}.",
                f"{today:%d-%m-%Y}",
            ):
                _, told = await get(found, f"games.json?q={query}")
                assert len(told["games"]) == 2, query
            _, told = await get(found, f"games.json?before={second}")
            assert [one["number"] for one in told["games"]] == [first]
            status, game = await get(found, f"games/{first}.json?lang=de")
            assert status == 200
            assert game["names"] == {"yellow": "Anna <b>", "red": "Ben"}
            assert game["moves"][-1]["text"] == "1→5"
            assert "5" in game["moves"][-1]["pieces"]["yellow"]
            assert "1" in game["pieces"]["yellow"]
            status, text = await get(found, f"games/{first}.txt")
            assert text.startswith("Ludo game record 1")

    asyncio.run(run())


def test_accents_house_rules_and_the_box_are_found_as_people_call_them(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db") as found:
            named = {"names": {"yellow": "Jörg"}, "box": {"red": "fox"}}
            await one_move(found, **named, options={"home_rolls": True})
            await one_move(found)
            for query in ("jorg", "JÖRG", "oma", "fuchs"):
                _, told = await get(found, f"games.json?q={query}&lang=de")
                assert [one["number"] for one in told["games"]] == ["1"], query
            (one,) = told["games"]
            assert (one["sheet"], one["levels"]) == ("Bei Oma", {"red": "fox"})
            _, game = await get(found, "games/1.json?lang=de")
            assert (game["game"]["title"], game["levels"]) == ("Bei Oma", {"red": "fox"})
            counted = await statistics(found)
            assert [one["rules"] for one in counted] == ["Bei Oma", None]

    rules = from_line("Bei Oma: german+home_rolls")._replace(rolls=99.0)
    HouseSheets(tmp_path).keep(rules)
    asyncio.run(run())


def kept(path: Path, name: str, at: float) -> None:
    """One game, long enough to be known by its first records; in the end the box has a seat."""
    journal = Journal(path)
    rolls = [{"kind": "roll", "face": face, "chosen": True} for face in (1, 2, 3, 1, 2, 3, 1, 2)]
    start = {"kind": "start", "game": "german yellow,red", "names": {"yellow": name}}
    seat = {"kind": "seat", "colour": "yellow", "level": "fox"}
    assert journal.keep([start, *rolls, seat], at)
    journal.close()


def test_who_was_listed_is_not_when_the_name_is_forgotten_or_the_file_another(
    tmp_path: Path,
) -> None:
    path = tmp_path / "games.db"
    kept(path, "Ann", 1.0)
    past = PastGames(path, lambda: None)
    assert past.listed("ann", None, "en")["games"][0]["players"]["yellow"] == "Ann"
    journal = Journal(path)
    assert journal.forget(["Ann"])
    journal.close()
    assert past.listed("ann", None, "en")["games"] == []
    path.unlink()
    kept(path, "Ben", 2.0)
    assert len(past.listed("ben", None, "en")["games"]) == 1


def test_who_wins_is_who_had_the_seat_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    kept(path, "Ann", 1.0)
    (one,) = PastGames(path, lambda: None).figures(0, lambda: False)["games"]
    assert one["held"] == {"yellow": "fox"}


def test_who_took_a_seat_later_is_searched_for_too(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    kept(path, "Ann", 1.0)
    past = PastGames(path, lambda: None)
    for query, language, found in (
        ("fox", "en", 1),
        ("fuchs ann", "de", 1),
        ("fuchs ben", "de", 0),
        ("fuchs", "en", 0),
        ("owl", "en", 0),
    ):
        assert len(past.listed(query, None, language)["games"]) == found, query


def test_captures_are_counted_for_who_made_them(tmp_path: Path) -> None:
    """Here yellow's seat goes from Ann to the box or back after each of its captures."""
    played, chance = History(game("german", {}, ("yellow", "red")), {"yellow": "Ann"}), Random(4)
    records = [started(played.game, played.names)]
    made: Counter[str] = Counter()

    def add(entry: Any) -> Deed:
        records.append(journalled(played.game, entry))
        return played.add(entry)

    while not played.position.over:
        if played.face is None:
            add(Roll(chance.randint(1, 6)))
            continue
        deed = add(chance.choice(played.game.legal_moves(played.position, played.face)))
        hits = sum(one.what == "captured" for one in deed.happenings)
        yellow = deed.position.seat == played.game.colours.index("yellow")
        made[("fox" if played.box else "Ann") if yellow else "red"] += hits
        if yellow and hits:
            add(Seat("yellow", None if played.box else "fox"))
    journal = Journal(tmp_path / "games.db")
    assert journal.keep(records, 1.0)
    journal.close()
    (one,) = PastGames(tmp_path / "games.db", lambda: None).figures(0, lambda: False)["games"]
    told = {level or one["players"][colour]: number for colour, level, number in one["hits"]}
    assert told == +made
    assert set(+made) == {"Ann", "fox", "red"}


def test_names_are_for_those_who_may_play(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db", pin="482916") as found:
            await one_move(found)
            for path in ("games.json", "results.json?numbers=1", "games/1.json", "games/1.txt"):
                status, told = await get(found, path, headers=AWAY)
                assert status == 401
                assert "Anna" not in str(told)

    asyncio.run(run())


def test_a_game_that_is_not_there_is_a_sentence_and_a_wrong_address_a_page(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db") as found:
            await one_move(found)
            for path in ("games/9.json", "games/999999999999999.json"):
                status, told = await get(found, path)
                assert (status, "there is no game" in told["error"]) == (404, True)
            status, told = await get(found, "games/i1.json")
            assert status == 404
            assert told["error"] == "there is no game i1 here, or it cannot be read"
            status, _ = await get(found, f"games.json?before={'9' * 30}&q={'x' * 5000}")
            assert status == 200
            for path in ("nothing", "games/x.json", "a/b/c"):
                status, told = await get(found, path, headers={"Accept": "text/html"})
                assert status == 404
                assert "There is no such page" in told
                status, told = await get(found, path, headers={"Accept": "*/*"})
                assert (status, list(told)) == (404, ["error"])

    asyncio.run(run())


def test_a_replay_says_what_was_refused_as_it_was_said(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db") as found:
            order = {"do": "new_game", "sheet": "german", "seats": ["yellow", "red"]}
            assert await found.do(order) == 204
            await found.until(lambda view: view.phase == "opening")
            for face in (6, 1, 4):
                assert await found.do({"do": "roll", "face": face}) == 204
            await found.until(lambda view: view.phase == "move")
            for wish in ("lift", "put"):
                place = {"place": "9"} if wish == "put" else {}
                assert await found.do({"do": wish, "piece": "yellow4", **place}) == 204
            await found.until(lambda view: view.phase == "illegal")
            _, told = await get(found, "games/1.json?lang=de")
            said = {"clause": "O8", "text": "Das sind 8 Felder, du hast 4 gewürfelt."}
            assert [one | said for one in told["refused"]["2"]] == told["refused"]["2"]
            (counted,) = await statistics(found)
            assert counted["refused"] == {"O8": 1}
            assert (sum(counted["faces"]), counted["chosen"]) == (0, 3)  # they were chosen
            for wish in ("lift", "put"):
                place = {"place": "5"} if wish == "put" else {}
                assert await found.do({"do": wish, "piece": "yellow4", **place}) == 204
            await found.until(lambda view: view.phase == "roll" and view.colour == "red")
            _, told = await get(found, "games/1.json")
            assert list(told["refused"]) == ["3"]  # beside the move that was made instead

    asyncio.run(run())


# -- games from elsewhere --------------------------------------------------------------------------


async def bring(found: Table, text: str, **options: Any) -> tuple[int, Any]:
    async with found.client.post(
        f"{found.address}import", json={"text": text}, **options
    ) as answer:
        return answer.status, await answer.json()


def test_a_game_is_taken_elsewhere_and_brought_back(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path / "one" / "games.db") as found:
            await one_move(found)
            _, text = await get(found, "games/1.txt")
            status, told = await bring(found, text)
            assert (status, told["number"]) == (409, "1")
            assert told["error"] == "this game is here already: 1"
        async with table(tmp_path / "two" / "games.db", pin="482916") as found:
            assert (await bring(found, text, headers=AWAY))[0] == 401
            assert await bring(found, text) == (200, {"number": "i1"})
            _, told = await get(found, "games.json")
            assert [one["number"] for one in told["games"]] == ["i1"]
            assert told["games"][0]["began"] == date.today().isoformat()  # no hour is known
            _, told = await get(found, "games/i1.json")
            assert told["moves"][-1]["text"] == "1→5"
            assert told["names"] == NAMES
            assert await get(found, "games/i1.txt") == (200, text)
            assert found.view.phase == "idle"  # nobody goes on with it
            await one_move(found)
            _, told = await get(found, "games.json")
            assert [one["number"] for one in told["games"]] == ["1", "i1"]
            _, told = await get(found, "results.json?numbers=1,i1")
            assert sorted(told) == ["1", "i1"]
            status, told = await bring(found, text)
            assert (status, "is here already" in told["error"]) == (409, True)

    asyncio.run(run())


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "Pacific/Honolulu"])
def test_a_game_from_elsewhere_keeps_its_day_wherever_the_box_stands(
    zone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db") as found:
            await one_move(found)
            _, text = await get(found, "games/1.txt")
            other = text.replace(f"date: {date.today()}", "date: 2025-12-31")
            assert await bring(found, other) == (200, {"number": "i1"})
            _, told = await get(found, "games.json")
            assert told["games"][-1]["began"] == "2025-12-31"
            assert await get(found, "games/i1.txt") == (200, other)

    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        asyncio.run(run())
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_name_in_a_record_is_no_longer_than_one_in_the_form(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db") as found:
            await one_move(found)
            _, text = await get(found, "games/1.txt")
            long = text.replace("yellow: Anna", f"yellow: {'Anna ' * 5}")
            assert await bring(found, long) == (200, {"number": "i1", "cut": True})
            _, told = await get(found, "games.json?query=anna")
            assert max(len(name) for name in told["games"][-1]["players"].values()) <= LONGEST_NAME

    asyncio.run(run())


PLAYERS = "Ludo game record 1\nsheet: german\ndate: 2026-01-01\nyellow:\nred:\n"


@pytest.mark.parametrize(
    ("text", "status", "why", "line"),
    [
        ("[Event 'chess'] 1. e4 e5", 415, "no game record", None),
        ("", 415, "no game record", None),
        ("Ludo game record 1\nsheet: german\ndate: 2026-01-01\n\nyellow 9 -", 422, "line 5", 5),
        ("Ludo game record 1\nsheet: chess\ndate: 2026-01-01", 422, "line 2", 2),
        ("Ludo game record 1\nsheet: german\ndate: never", 422, "date", 3),
        ("Ludo game record 1\nsheet: german\nred:\nyellow:", 422, "date", None),
        (f"{PLAYERS}begins: pink", 422, "pink", 6),
        ("Ludo game record 1\n" + "x" * 20_000, 422, "damaged", 2),
        ("x" * 600_000, 413, "bytes", None),
    ],
)
def test_what_is_no_whole_record_is_a_sentence_and_nothing_is_lost(
    text: str, status: int, why: str, line: int | None, tmp_path: Path
) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db") as found:
            await one_move(found)
            told = await bring(found, text)
            assert told[0] == status
            assert why in told[1]["error"]
            assert told[1].get("line") == line
            _, listed = await get(found, "games.json")
            assert [one["number"] for one in listed["games"]] == ["1"]

    asyncio.run(run())


@pytest.mark.parametrize(
    ("head", "sheet"),
    [
        ("sheet: chess\ndate: 2026-01-01", "chess"),
        ("sheet:chess+fast\ndate: 2026-01-01", "chess"),
        ("sheet:\ndate: 2026-01-01", None),
        ("\n\nsheet: \n\nred: Ann", None),
    ],
)
def test_a_record_that_names_no_sheet_does_not_name_its_next_line(
    head: str, sheet: str | None, tmp_path: Path
) -> None:
    games = ImportedGames(tmp_path, lambda: None, lambda _: None)
    with pytest.raises(RequestRefused) as refused:
        games.take(f"Ludo game record 1\n{head}\n", lambda _: None)
    assert refused.value.told.get("sheet") == sheet


@pytest.mark.parametrize("rules", ["uckers", "german+teleport"])
def test_a_game_by_rules_unknown_here_is_listed_and_says_why(rules: str, tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db") as found:
            _, listed = await get(found, "games.json")
            assert [one["number"] for one in listed["games"]] == ["1"]
            status, told = await get(found, "games/1.json")
            assert (status, rules.split("+")[-1] in told["error"]) == (404, True)
            assert found.view.phase == "idle"
            await one_move(found)

    journal = Journal(tmp_path / "games.db")
    start = {"kind": "start", "game": f"{rules} yellow,red", "names": {}}
    journal.keep([start, {"kind": "roll", "face": 6}], 1.0)
    journal.close()
    asyncio.run(run())


def test_rolls_that_were_chosen_are_counted_apart(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db") as found:
            await one_move(found)
            assert await found.do({"do": "roll"}) == 204
            await found.until(lambda view: view.face is not None or view.colour != "red")
            die = found.page.history.die()
            assert (sum(die["counts"]), die["entered"]) == (1, 3)

    asyncio.run(run())


def test_rolls_that_were_all_chosen_say_nothing_about_the_die(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db") as found:
            await one_move(found)
            die = found.page.history.die()
            assert die.pop("standing") == 3
            assert die == {"counts": [0] * 6, "entered": 3, "few": True, "loaded": False}
            _, told = await get(found, "games/1.json")
            assert told["die"] == die
            assert await found.do({"do": "take_back"}) == 204
            await found.until(lambda view: view.colour == "yellow")
            assert found.page.history.die()["standing"] == 2  # as many as the replay has

    asyncio.run(run())


def test_a_game_from_elsewhere_has_its_rolls_and_is_said_not_to_be_counted(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db") as found:
            await one_move(found)
            _, text = await get(found, "games/1.txt")
            text = text.replace(" chosen", "").replace("Ben", "Bo")
            assert await bring(found, text) == (200, {"number": "i1"})
            _, told = await get(found, "games/i1.json")
            assert told["die"]["counts"] == [1, 0, 0, 1, 0, 1]
            _, told = await get(found, "statistics.json?after=1")
            assert (told["games"], told["elsewhere"]) == ([], 1)

    asyncio.run(run())


def test_rolls_that_were_chosen_are_told_apart_in_the_record_too(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db") as found:
            await one_move(found)
            assert await found.do({"do": "take_back"}) == 204
            await found.until(lambda view: view.face == 4)
            _, told = await get(found, "games/1.json")
            _, text = await get(found, "games/1.txt")
            assert "\nyellow 4 1>5 ; chosen\n" in text
            text += "yellow 4 1>5 ; chosen\nred 2 21>23\ntake back\nred 3 21>24 ; chosen\n"
            assert await bring(found, text) == (200, {"number": "i1"})
            _, again = await get(found, "games/i1.json")
            entered = told["die"]["entered"] + 1  # red's 3, in place of a 2 that some die showed
            assert again["die"] == {**told["die"], "entered": entered, "counts": [0, 1, 0, 0, 0, 0]}
            _, exported = await get(found, "games/i1.txt")
            assert exported == text
            unmarked = text.replace(" ; chosen, ", " ; ").replace(" ; chosen", "")
            assert (await bring(found, unmarked))[0] == 409  # the same game

    asyncio.run(run())


@pytest.mark.parametrize(("length", "status"), [(LONGEST_NAME + 1, 400), (20_000, 413)])
def test_a_name_too_long_is_refused_in_a_sentence_and_the_game_goes_on(
    length: int, status: int, tmp_path: Path
) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db") as found:
            await one_move(found)
            order = {"do": "new_game", "sheet": "german", "names": {"yellow": "x" * length}}
            async with found.client.post(f"{found.address}do", json=order) as answer:
                told = await answer.json()
            assert (answer.status, bool(told.get("error"))) == (status, True), told
            assert found.view.colour == "red"
            assert found.view.names == NAMES

    asyncio.run(run())


def test_the_page_is_told_how_long_a_name_may_be_and_one_as_long_is_taken(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db") as found:
            _, told = await get(found, "words.json?lang=en")
            names = {"yellow": "x" * told["longestName"], "red": "Ben"}
            await one_move(found, names=names)
            assert found.view.names == names
            assert told["longestName"] == LONGEST_NAME

    asyncio.run(run())


# -- deleting --------------------------------------------------------------------------------------


async def delete(found: Table, number: str, **options: Any) -> int:
    return await found.do({"do": "delete_game", "number": number}, **options)


def test_a_game_is_deleted_for_good_by_those_who_may_play(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path / "games.db", pin="482916") as found:
            await one_move(found)
            _, text = await get(found, "games/1.txt")
            await one_move(found, names={"yellow": "Cleo"})
            _, told = await get(found, "games.json")
            last, first = (one["number"] for one in told["games"])
            assert (await get(found, f"games/{first}.json"))[1]["onTable"] is False
            assert (await get(found, f"games/{last}.json"))[1]["onTable"] is True
            assert await delete(found, first, headers=AWAY) == 401
            assert await delete(found, last) == 409
            assert await delete(found, "4711") == 404
            assert await delete(found, "i1") == 404
            assert await delete(found, first) == 204
            assert await delete(found, first) == 404
            assert (await get(found, f"games/{first}.json"))[0] == 404
            assert "Anna" not in str(await get(found, "games.json"))
            assert [one["number"] for one in await statistics(found)] == [last]
            assert await bring(found, text) == (200, {"number": "i1"})  # as one from elsewhere
            assert (await get(found, "games/i1.json"))[1]["onTable"] is False
            assert await delete(found, "i1") == 204
            assert "Anna" not in str(await get(found, "games.json"))
            changed = text.replace("Ben", "Bo")
            assert await bring(found, changed) == (200, {"number": "i2"})  # i1 stays nobody's
            _, told = await get(found, "results.json?numbers=i1,i2")
            assert {number: one["count"] for number, one in told.items()} == {"i2": 1}
            assert found.view.phase == "roll"  # the game on the table goes on
        async with table(tmp_path / "games.db") as found:
            await found.until(lambda view: view.phase == "roll")
            assert await found.do({"do": "roll", "face": 4}) == 204

    asyncio.run(run())


def test_a_game_has_one_number_on_the_page_and_in_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    for name in ("Ann", "Ben", "Cleo"):
        kept(path, name, 1.0)
    journal = Journal(path)
    start = {"kind": "start", "game": "german yellow,red", "names": {}}
    assert journal.keep([start, {"kind": "end"}], 2.0)  # nobody rolled
    past = PastGames(path, lambda: None)

    def on_the_page() -> list[tuple[str, str]]:
        games = past.listed("", None, "en")["games"]
        return [(one["number"], one["players"]["yellow"]) for one in games]

    def in_the_terminal() -> list[str]:
        lines = CliRunner().invoke(main, ["games", "--journal", str(path)]).output.splitlines()
        return [line.split()[0] for line in lines]

    assert on_the_page() == [("3", "Cleo"), ("2", "Ben"), ("1", "Ann")]
    assert in_the_terminal() == ["3", "2", "1"]
    assert past.latest() == "4"
    assert [one["number"] for one in past.figures(0, lambda: False)["games"]] == ["1", "2", "3"]
    assert past.id(2) == 11
    assert journal.delete(11)
    assert on_the_page() == [("3", "Cleo"), ("1", "Ann")]
    assert in_the_terminal() == ["3", "1"]
    assert past.results([2], "en") == {}
    with pytest.raises(RequestRefused):
        past.text(2)
    told = CliRunner().invoke(main, ["export", "3", "--journal", str(path)])
    assert (told.output, told.exit_code) == (past.text(3), 0)
    told = CliRunner().invoke(main, ["export", "2", "--journal", str(path)])
    assert told.output == "Error: there is no game 2: `companion games` lists them\n"
    journal.close()


def test_an_old_link_leads_where_it_did_or_nowhere(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    for name in ("Ann", "Ben", "Cleo"):
        kept(path, name, 1.0)
    past = PastGames(path, lambda: None)

    def shown(number: int, *, old: bool = False) -> tuple[str, str]:
        told = json.loads(past.replayed(number, "en", old=old))
        return told["number"], told["names"]["yellow"]

    assert shown(11, old=True) == ("2", "Ben")  # where its first record is
    with pytest.raises(RequestRefused):
        shown(2, old=True)  # no record of that number began a game
    assert shown(3) == ("3", "Cleo")
    with pytest.raises(RequestRefused):
        shown(11)


def test_a_refused_move_counts_for_every_rule_that_was_named(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    journal = Journal(path)
    start = {"kind": "start", "game": "german yellow,red", "names": {}}
    named = [["O8", "counted", ["1", "5"], 4], ["G11", "own", ["5"], 0], ["O8", "own", ["5"], 0]]
    journal.keep([start, {"kind": "roll", "face": 6}], 1.0)
    journal.keep([{"kind": "refused", "face": 6, "refusals": named}], 2.0)
    journal.close()
    (one,) = PastGames(path, lambda: None).figures(0, lambda: False)["games"]
    assert one["refused"] == {"O8": 1, "G11": 1}

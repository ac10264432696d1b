"""Past games: listed, exported, replayed, counted, and packed into a report."""

import asyncio
import json
import re
import sqlite3
import zipfile
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Literal
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from PIL import Image, ImageFont

from companion import archive
from companion.archive import IMPORTED
from companion.charts import WIDTH, Bars, drawable, font, shapes, svg
from companion.cli import main
from companion.commands.replay import sensed, show
from companion.commands.report import without_secrets
from companion.commands.stats import length_groups
from companion.config import Config
from companion.daemon.wiring import put_together
from companion.events import Command, Event, Lost, Pressed, Reading, Rolled, Snapshot, Tick, as_json
from companion.journal import EVENTS, Journal
from companion.referee import Effect, Match, Referee, Times, View
from companion.rules import Position, game, legal_moves
from companion.rules.records import record
from tests.picos import until

NAMES = {"yellow": "Ada", "red": "Ben"}


def kept(
    journal: Journal, seed: int, most: int = 10_000, names: dict[str, str] = NAMES
) -> Position:
    """Play a game into a journal; half a minute passes with every roll."""
    rng = Random(seed)
    match = Match(game("german", colours=["yellow", "red"]), names)
    at = 1_700_000_000.0 + 86_400 * seed
    journal.keep([match.started()], at)
    for number in range(most):
        if match.over:
            break
        face = rng.randint(1, 6)
        move = rng.choice(legal_moves(match.position, face))
        at += 30
        journal.keep([match.roll(face, number), match.play(move)], at)
    return match.position


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Two finished games and one under way."""
    path = tmp_path / "games.db"
    book = Journal(path)
    for seed, most in ((1, 10_000), (2, 10_000), (3, 25)):
        kept(book, seed, most)
    book.close()
    return path


def companion(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_who_gave_the_seat_to_the_box_is_listed_with_it(tmp_path: Path) -> None:
    book = Journal(tmp_path / "games.db")
    match = Match(game("german", colours=["yellow", "red"]), NAMES)
    book.keep([match.started(), match.seat("red", "cat")], 1.0)
    for number, face in enumerate((6, 1, 4, 4, 4)):
        if number == 4:
            book.keep([match.seat("yellow", "fox")], 1.0)
        rolled = match.roll(face, number)
        book.keep([rolled, match.play(legal_moves(match.position, face)[0])], 1.0)
    book.close()
    (line,) = companion("games", "--journal", book.path).output.splitlines()
    assert line.endswith("Ada (then Fox) (yellow), Cat (red): not finished")


def test_games_are_listed_latest_first_with_their_results(journal: Path) -> None:
    done = companion("games", "--journal", journal)
    first, second, third = done.output.splitlines()
    assert "not finished" in first
    assert "Ada (yellow), Ben (red): " in second
    assert second.endswith(" won")
    assert third.endswith(" won")
    assert done.exit_code == 0


@pytest.mark.parametrize(
    ("words", "looked_at"), [(["games"], 21), (["games", "--all"], 30), (["export"], 1)]
)
def test_no_more_games_are_looked_at_than_are_told_of(
    words: list[str], looked_at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = Journal(tmp_path / "games.db")
    for seed in range(30):
        kept(book, seed, 1)
    book.close()
    looked: list[int] = []

    def played(_: sqlite3.Connection, id: int) -> bool:
        looked.append(id)
        return True

    monkeypatch.setattr(archive, "was_played", played)
    done = companion(*words, "--journal", tmp_path / "games.db")
    assert done.exit_code == 0, done.output
    assert len(looked) == looked_at
    if words == ["games"]:
        *games, more = done.output.splitlines()
        assert [int(line.split()[0]) for line in games] == list(range(30, 10, -1))
        assert more == "... and earlier ones: --all lists them."


def test_a_game_that_nobody_played_is_not_the_latest(journal: Path) -> None:
    latest = companion("export", "--journal", journal).output
    book = Journal(journal)
    book.keep([Match(game("german", colours=["yellow", "red"]), NAMES).started()], 2e9)
    book.close()
    assert companion("export", "--journal", journal).output == latest
    assert companion("games", "--journal", journal).output.split()[0] == "3"


def test_games_of_a_running_daemon_can_be_read(tmp_path: Path) -> None:
    book = Journal(tmp_path / "games.db")
    kept(book, 1, 5)
    assert "not finished" in companion("games", "--journal", tmp_path / "games.db").output


def test_an_exported_game_replays_to_where_it_stood(tmp_path: Path) -> None:
    book = Journal(tmp_path / "games.db")
    last = kept(book, 4)
    done = companion("export", "--journal", tmp_path / "games.db")
    assert record(done.output).position == last
    assert "yellow: Ada" in done.output


def test_every_game_is_exported_to_a_folder(journal: Path, tmp_path: Path) -> None:
    done = companion("export", "--journal", journal, "--all", tmp_path / "out")
    assert "3 games written" in done.output
    files = sorted((tmp_path / "out").iterdir())
    assert [record(file.read_text()).position.over for file in files] == [True, True, False]


def test_a_game_is_replayed_move_by_move(journal: Path, tmp_path: Path) -> None:
    done = companion("replay", "--journal", journal)
    assert "  25  " in done.output
    assert "  26  " not in done.output
    text = companion("export", "--journal", journal).output
    (tmp_path / "game.txt").write_text(text)
    assert companion("replay", tmp_path / "game.txt").output == done.output
    assert companion("replay", "1", "--journal", journal).output.endswith("has won.\n") or (
        "has won, then" in companion("replay", "1", "--journal", journal).output
    )


def test_a_board_that_a_terminal_is_too_narrow_for_is_not_drawn(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = record("Ludo game record 1\nsheet: dutch\ndate: 2025-11-16\nred:\nblue:\n\nred 2 -\n")
    show(told, 0, columns=60)
    narrow = capsys.readouterr().out
    assert "it needs 61 columns, this terminal has 60" in narrow
    assert "red 2 -" in narrow
    assert len(narrow.splitlines()) == 2
    show(told, 0, columns=61)
    wide = capsys.readouterr().out
    assert len(wide.splitlines()) > 15
    assert "columns" not in wide


def test_stats_tell_players_die_and_length(journal: Path) -> None:
    done = companion("stats", "--journal", journal).output
    assert "3 games, 2 played to the end." in done
    assert "of 2 won" in done
    assert "chi-square" in done
    assert "nothing that a fair die would not do" in done


def test_a_loaded_die_is_noticed(tmp_path: Path) -> None:
    book = Journal(tmp_path / "games.db")
    book.keep([{"kind": "start", "game": "german yellow,red", "names": {}}], 0.0)
    book.keep([{"kind": "roll", "face": 6, "number": n} for n in range(60)], 1.0)
    done = companion("stats", "--journal", tmp_path / "games.db").output
    assert "a fair die hardly ever looks like this" in done


def rolled(path: Path, **faces: list[int]) -> str:
    """What stats say of a game with these rolls, by where they came from."""
    book = Journal(path)
    book.keep([{"kind": "start", "game": "german yellow,red", "names": {}}], 0.0)
    for source, each in faces.items():
        told = {"kind": "roll", "number": None, "source": source.replace("die_", "die:")}
        book.keep([{**told, "face": face} for face in each], 1.0)
    book.close()
    return companion("stats", "--journal", path).output.partition("\n")[2]


FAIR = [1, 2, 3, 4, 5, 6]


def test_rolls_that_were_entered_are_told_apart_from_those_of_the_die(tmp_path: Path) -> None:
    done = rolled(tmp_path / "games.db", die_a1=FAIR * 9, hand=[6] * 30, page=[6] * 20)
    assert done.startswith("The die: 54 rolls (1: 9, 2: 9, 3: 9, 4: 9, 5: 9, 6: 9)")
    assert "50 more were entered by hand and are not counted." in done
    assert "hardly ever" not in done


def test_a_table_without_a_die_of_its_own_is_told_what_was_entered(tmp_path: Path) -> None:
    done = rolled(tmp_path / "games.db", hand=[6] * 60)
    assert done.startswith("Rolls entered by hand: 60 rolls (1: 0,")
    assert "a fair die hardly ever looks like this" in done


def test_rolls_that_were_chosen_say_nothing_about_a_die(tmp_path: Path) -> None:
    done = rolled(tmp_path / "games.db", chosen=[6] * 60)
    assert done.startswith("Rolls entered by hand: 0 rolls")
    assert "60 more were chosen for practice and are not counted." in done
    assert "hardly ever" not in done


def test_each_of_several_dice_is_judged_alone(tmp_path: Path) -> None:
    done = rolled(tmp_path / "games.db", die_a1=FAIR * 9, die_b2=[6] * 60, box=FAIR)
    fair, loaded, box = done.splitlines()
    assert fair.startswith("The die a1: 54 rolls")
    assert "nothing that a fair die would not do" in fair
    assert loaded.startswith("The die b2: 60 rolls")
    assert "a fair die hardly ever looks like this" in loaded
    assert box.startswith("Drawn by the box: 6 rolls")


@pytest.mark.parametrize("name", ["plot.svg", "plot.png"])
def test_stats_are_drawn(journal: Path, tmp_path: Path, name: str) -> None:
    done = companion("stats", "--journal", journal, "--plot", tmp_path / name)
    assert f"Drawn in {tmp_path / name}" in done.output
    if name.endswith("png"):
        with Image.open(tmp_path / name) as image:
            assert image.size == (640, 720)
            assert len(image.getcolors(1 << 20) or []) > 4
    else:
        assert (tmp_path / name).read_text().count("<rect") > 12


def test_a_plot_of_another_kind_is_refused(journal: Path, tmp_path: Path) -> None:
    done = companion("stats", "--journal", journal, "--plot", tmp_path / "plot.gif")
    assert done.exit_code == 2
    assert "should end in .svg or .png" in done.output


def test_a_name_cannot_break_a_picture() -> None:
    assert "<Ada & Co>" not in svg([Bars("Won", ["<Ada & Co>"], [1])])


@pytest.mark.parametrize("command", ["games", "stats", "export"])
def test_a_name_can_neither_steer_a_terminal_nor_break_a_picture(
    command: str, tmp_path: Path
) -> None:
    path, plot = tmp_path / "games.db", tmp_path / "plot.svg"
    book = Journal(path)
    kept(book, 1, names={"yellow": "A\x1b[2Jda", "red": "\x07Ben\x08"})
    done = companion(command, "--journal", path)
    assert "A[2Jda" in done.output
    assert "Ben" in done.output
    assert not re.search(r"[\x00-\x09\x0b-\x1f]", done.output)
    companion("stats", "--journal", path, "--plot", plot)
    assert "A[2Jda" in "".join(ElementTree.parse(plot).getroot().itertext())


LONG = ["Bartholomäus von und zu Guttenberg-Wasserfall", "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW"]


def test_nothing_in_a_chart_is_printed_over_something_else() -> None:
    """The widths are those of the font that PNGs are drawn with."""
    bars = Bars("A title " * 4, [*LONG * 6, "Al"], [5, *range(12)], 2.5)
    boxes = []
    for one in shapes([bars, bars]):
        if one.words:
            width = font(one.size).getlength(one.words)
            left = one.x - width if one.end else one.x
            boxes.append((left, one.y, left + width, one.y + one.size * 0.9))
    assert len(boxes) == 2 * (1 + 2 * 13)
    for number, box in enumerate(boxes):
        assert box[0] >= 0
        assert box[2] <= WIDTH
        for other in boxes[:number]:
            assert box[0] >= other[2] or box[2] <= other[0] or box[1] >= other[3], (box, other)


def test_a_letter_that_the_font_does_not_have_is_no_box_in_a_png() -> None:
    small = ImageFont.load_default(11)
    assert drawable("Zoë 🦊", small) == "Zoe"
    assert drawable("🦊", small) == "?"
    assert drawable("A…", small) == "A…"


def test_a_long_pause_is_no_playing_time(tmp_path: Path) -> None:
    """The game was left overnight, or the clock was set meanwhile."""
    path = tmp_path / "games.db"
    book = Journal(path)
    kept(book, 1, 20)
    book.keep([{"kind": "roll", "face": 1, "number": 999}], 1_800_000_000.0)
    book.keep([{"kind": "unroll"}], 60.0)
    assert "  20 min " in companion("games", "--journal", path).output


def test_one_game_is_not_called_games(tmp_path: Path) -> None:
    book = Journal(tmp_path / "games.db")
    kept(book, 1)
    done = companion("stats", "--journal", tmp_path / "games.db").output
    assert "1 game, 1 played to the end." in done


@pytest.mark.parametrize("command", ["games", "stats"])
def test_a_file_that_was_set_aside_is_mentioned(command: str, journal: Path) -> None:
    assert "damaged" not in companion(command, "--journal", journal).output
    with sqlite3.connect(journal) as connection:
        connection.execute(
            "UPDATE records SET record = '{' WHERE id = (SELECT max(id) FROM records)"
        )
    book = Journal(journal)
    book.close()
    [aside] = journal.parent.glob("games.db.damaged-*[0-9]")
    done = companion(command, "--journal", journal)
    assert done.exit_code == 0
    assert f"{aside} was set aside; games from before may be in it" in done.output
    assert companion("games", "--journal", aside).output.count(" won\n") == 2


def test_games_are_grouped_by_length() -> None:
    assert length_groups([]) == {}
    assert sum(length_groups([3, 99, 250, 251]).values()) == 4


@pytest.mark.parametrize("command", ["games", "export", "replay", "stats"])
def test_without_a_journal_a_sentence_says_so(command: str, tmp_path: Path) -> None:
    done = companion(command, "--journal", tmp_path / "none.db")
    assert done.exit_code == 1
    assert "there are no games yet" in done.output


@pytest.mark.parametrize("command", ["export", "replay"])
@pytest.mark.parametrize("number", ["99999", "9" * 20])
def test_a_number_that_no_game_has_is_said(command: str, number: str, journal: Path) -> None:
    done = companion(command, number, "--journal", journal)
    assert f"there is no game {number}" in done.output


@pytest.mark.parametrize("command", ["export", "replay", "analyse"])
@pytest.mark.parametrize("brought", [0, 2])
def test_a_game_from_elsewhere_that_is_not_there_is_called_as_it_was_typed(
    command: str, brought: int, journal: Path
) -> None:
    if brought:
        book = Journal(journal.with_name(IMPORTED))
        for seed in range(brought):
            kept(book, seed, 3)
        book.close()
    done = companion(command, "i99", "--journal", journal)
    assert done.exit_code == 1
    listed = "the page lists those from elsewhere (Past games)"
    assert done.output == f"Error: there is no game i99: {listed}\n"


def test_a_game_from_elsewhere_does_not_take_the_file_of_one_played_here(
    journal: Path, tmp_path: Path
) -> None:
    book = Journal(journal.with_name(IMPORTED))
    kept(book, 1, 3)  # of the same day as the first game here
    book.close()
    for number in ("1", "i1"):
        done = companion("export", number, "--all", tmp_path / "all", "--journal", journal)
        assert done.exit_code == 0, done.output
    names = sorted(path.name for path in (tmp_path / "all").iterdir())
    assert [name.split("-", 3)[3] for name in names] == ["000001-german.txt", "i000001-german.txt"]


def test_a_damaged_game_from_elsewhere_is_called_as_it_was_typed(journal: Path) -> None:
    book = Journal(journal.with_name(IMPORTED))
    kept(book, 1, 3)
    book.close()
    with sqlite3.connect(journal.with_name(IMPORTED)) as connection:
        connection.execute("UPDATE records SET record = '[]' WHERE id = 2")
    connection.close()
    done = companion("export", "i1", "--journal", journal)
    assert done.output.startswith("Error: game i1 cannot be read")


@pytest.mark.parametrize("command", ["export", "replay"])
def test_games_are_counted_from_one(command: str, journal: Path) -> None:
    done = companion(command, "0", "--journal", journal)
    assert done.exit_code == 1
    assert "there is no game 0" in done.output


BROKEN = [
    "UPDATE records SET record = replace(record, 'german', 'klingon') WHERE id = 1",
    "UPDATE records SET record = '{\"ki' WHERE id = 5",
    "UPDATE records SET record = '[]' WHERE id = 5",
    'UPDATE records SET record = \'{"kind": "move"}\' WHERE id = 5',
    'UPDATE records SET record = \'{"kind": "start"}\' WHERE id = 1',
    "DELETE FROM records WHERE id = 1",
    "UPDATE records SET record = CAST(X'FF' || record AS TEXT) WHERE id = 5",
]


@pytest.mark.parametrize("damage", BROKEN)
def test_one_broken_game_does_not_hide_the_others(
    damage: str, journal: Path, tmp_path: Path
) -> None:
    with sqlite3.connect(journal) as connection:
        connection.execute(damage)
    listed = companion("games", "--journal", journal)
    assert listed.exit_code == 0, listed.output
    assert listed.output.count("Ada (yellow), Ben (red): ") >= 2
    assert re.search(r"(?m)^ +1  .*cannot be (read|replayed)", listed.output)
    assert "1 of 3 games cannot be replayed" in companion("stats", "--journal", journal).output
    alone = companion("export", "1", "--journal", journal)
    assert alone.exit_code in (1, 2)
    assert alone.output.startswith("Error: ")
    everything = companion("export", "--all", tmp_path / "out", "--journal", journal)
    assert everything.exit_code == 0, everything.output
    assert "2 games written" in everything.output
    assert "Game 1 was left out: " in everything.output
    packed = tmp_path / "report.zip"
    assert companion("report", "--journal", journal, "-o", packed).exit_code == 0
    assert {"records.jsonl", "events.jsonl"} <= set(zipfile.ZipFile(packed).namelist())
    assert companion("replay", packed).exit_code == 0


def test_a_report_without_games_does_not_promise_a_replay(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    packed = tmp_path / "report.zip"
    done = companion("report", "--journal", tmp_path / "empty.db", "-o", packed)
    assert done.exit_code == 0, done.output
    assert "replay" not in done.output
    assert "there are no games yet" in zipfile.ZipFile(packed).read("games.txt").decode()
    again = companion("replay", packed)
    assert again.exit_code == 1
    assert "holds no game" in again.output


@pytest.mark.parametrize("words", [[], ["3"], ["games.txt"]])
def test_only_a_report_has_events_to_replay(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text("german\n")
    done = companion("replay", "--events", *(str(tmp_path / word) for word in words))
    assert done.exit_code in (1, 2)
    assert "report" in done.output


def test_secrets_are_removed_from_a_configuration() -> None:
    text = (
        'board = "40"\n[die]\nsource = "gpio"\npin = 25\n[web]\npin = "4711"\n'
        '[cafe]\nPassword = "hunter2"\nbroker = "cafe.local"\ntokens = ["a"]\n'
    )
    cleaned = without_secrets(text)
    assert "4711" not in cleaned
    assert "hunter2" not in cleaned
    assert "pin = 25" in cleaned
    assert "cafe.local" in cleaned
    assert "hunter2" not in without_secrets('password = "hunter2')


@pytest.mark.parametrize(
    "text",
    [
        'tokens = ["hunter2"]\n',
        'secret = { name = "hunter2" }\n',
        '[[cafe]]\nPassword = "hunter2"\n',
        '# password = "hunter2"\nboard = "40"\n',
        'board = "40" # it was hunter2 before\n',
        '[cafe]\nbroker = "mqtt://anna:hunter2@cafe.local:1883"\n',
        '[cafe]\nbrokers = ["mqtt://anna:hunter2@cafe.local"]\n',
    ],
)
def test_a_secret_is_removed_wherever_it_stands(text: str) -> None:
    assert "hunter2" not in without_secrets(text)


def run_daemon(
    path: Path, events: Iterable[Event], board: Literal["40", "52"] = "40"
) -> list[View]:
    """A real daemon on a simulated table, stopped after these events; what it told."""
    views: list[View] = []

    async def go() -> None:
        config = Config(board=board, sensing="choose")
        daemon = put_together(config, path, pretend=True)
        daemon.subscribe(views.append)
        running = asyncio.create_task(daemon.run())
        await until(lambda: bool(views))
        for event in events:
            await until(lambda: len(daemon.inbox) < 1000)
            daemon.post(event)
        await until(lambda: len(daemon.inbox) == 0)
        daemon.stop()
        await running

    asyncio.run(go())
    return views


def told_again(journal: Path, folder: Path) -> list[str]:
    """What the events of a report on this journal tell."""
    done = companion("report", "--journal", journal, "-o", folder / "report.zip")
    assert done.exit_code == 0, done.output
    return list(sensed(folder / "report.zip"))


def played(path: Path) -> list[View]:
    """What a daemon told that was stopped in the middle of a game, and begun again."""
    start = Command("new_game", {"sheet": "german", "seats": ["yellow", "red"]})
    rolls = [Rolled(n, n % 6 + 1) for n in range(1, 9)]
    before = run_daemon(path, [start, Command("go_on"), *rolls])
    return before + run_daemon(
        path, [Pressed("ok"), Lost("die", "gone"), Rolled(99, 3), Pressed("down")]
    )


def test_a_report_holds_what_happened_and_plays_it(tmp_path: Path) -> None:
    views = played(tmp_path / "games.db")
    (tmp_path / "companion.toml").write_text('board = "40"\n[web]\npin = "471108151234"\n')
    file = tmp_path / "report.zip"
    done = companion(
        "report", "--journal", tmp_path / "games.db", "-o", file,
        "--config", tmp_path / "companion.toml",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(file) as packed:
        names = packed.namelist()
        assert b"471108151234" not in b"".join(packed.read(name) for name in names)
        assert b"ludo-companion" in packed.read("versions.txt")
        events = [json.loads(line) for line in packed.read("events.jsonl").splitlines()]
    assert {"versions.txt", "config.toml", "log.txt", "records.jsonl"} <= set(names)
    assert [e["event"] for e in events].count("began") == 2
    again = companion("replay", file).output
    assert again == companion("replay", "--journal", tmp_path / "games.db").output
    lines = list(sensed(file))
    assert lines == companion("replay", file, "--events").output.splitlines()
    assert any("Lost device=die why=gone" in line for line in lines)
    phases = [line.rpartition("-> ")[2].partition(";")[0] for line in lines if "-> " in line]
    assert phases[-1] == views[-1].phase or views[-1].phase in " ".join(lines)


@pytest.mark.parametrize(("settle", "phase"), [(0.1, "roll"), (0.5, "move")])
def test_events_are_fed_again_with_the_patience_they_were_taken_with(
    tmp_path: Path, settle: float, phase: str
) -> None:
    stand = "german yellow,red | yellow Y.B Y.B 5 15 | red R.B R.B R.B 25 | turn yellow"
    records = [
        {"kind": "start", "game": "german yellow,red"},
        {"kind": "ruling", "position": stand},
    ]
    rows = [{"id": n, "game": 1, "record": record} for n, record in enumerate(records, 1)]
    on = frozenset(["Y.B1", "Y.B2", "5", "15", "R.B1", "R.B2", "R.B3", "25"])
    times = Times(settle=settle)._asdict()
    began = {"at": 0, "event": "began", "sensing": "presence", "die": "serial", "after": 2}
    deeds: list[tuple[float, Event]] = [
        (1.0, Snapshot(on)),
        (2.0, Tick()),
        (3.0, Rolled(1, 4)),
        (4.0, Reading("5", False)),
        (4.1, Reading("9", True)),
        (4.3, Tick()),
    ]
    events = [{**began, "times": times}, *({"at": at, **as_json(deed)} for at, deed in deeds)]
    with zipfile.ZipFile(tmp_path / "report.zip", "w") as packed:
        packed.writestr("records.jsonl", "\n".join(map(json.dumps, rows)))
        packed.writestr("events.jsonl", "\n".join(map(json.dumps, events)))
    phases = [line.rpartition("-> ")[2] for line in sensed(tmp_path / "report.zip") if "->" in line]
    assert phases[-1].startswith(phase)


def test_events_of_another_board_are_fed_to_a_referee_for_that_board(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    rolls = [Rolled(n, n % 5 + 1) for n in range(1, 21)]
    views = run_daemon(path, [Command("start"), Command("go_on"), *rolls], board="52")
    assert str(views[-1].position).startswith("pairs")
    phases = [after.phase for before, after in pairwise(views) if after.phase != before.phase]
    told = [line.partition("-> ")[2].split(";")[0] for line in told_again(path, tmp_path)]
    assert [phase for phase in told if phase and "refused" not in phase] == phases


def test_the_event_over_which_a_referee_stumbled_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed = Referee.feed

    def stumbling(self: Referee, event: Event, now: float) -> list[Effect]:
        if event == Rolled(3, 4):
            raise ZeroDivisionError
        return feed(self, event, now)

    monkeypatch.setattr(Referee, "feed", stumbling)
    path = tmp_path / "games.db"
    start = Command("new_game", {"sheet": "german", "seats": ["yellow", "red"]})
    run_daemon(path, [start, Command("go_on"), *(Rolled(n, n + 1) for n in range(1, 6))])
    told = told_again(path, tmp_path)
    (at,) = [n for n, line in enumerate(told) if "stumbled: ZeroDivisionError()" in line]
    assert "Rolled number=3" in told[at]
    assert "began: roll" in told[at + 1]
    assert "Rolled number=4" in told[at + 2]


def test_the_events_of_a_long_evening_can_be_fed_again(tmp_path: Path) -> None:
    """The daemon's start is long gone then: it notes now and then where things stand."""
    path = tmp_path / "games.db"
    start = Command("new_game", {"sheet": "german", "seats": ["yellow", "red"]})
    quarrel: list[Event] = [Pressed("up"), Pressed("down")] * (EVENTS // 2)
    rolls = [Rolled(n, n % 6 + 1) for n in range(1, 9)]
    views = run_daemon(path, [start, Command("go_on"), Lost("die", "gone"), *rolls, *quarrel])
    told = told_again(path, tmp_path)
    assert "goes_on: " in told[0]
    assert len(told) > EVENTS // 2
    assert not any("cannot be read" in line for line in told)
    assert not any("goes_on" in line for line in told[1:])
    assert "die" in views[-1].missing


def test_a_report_goes_back_to_the_game_its_events_begin_in(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    start = Command("new_game", {"sheet": "german", "seats": ["yellow", "red"]})
    rolls = [Rolled(n, n % 6 + 1) for n in range(1, 5)]
    run_daemon(path, [start, Command("go_on"), *rolls])
    views = run_daemon(path, [Pressed("up"), *[start, Command("go_on")] * 5])
    assert views[0].phase != "idle"
    began = [line for line in told_again(path, tmp_path) if "began" in line]
    assert began[1].endswith(f"began: {views[0].phase}")


def test_damaged_lines_of_a_report_are_passed_over(tmp_path: Path) -> None:
    began = {"at": 0, "event": "began", "sensing": "choose", "die": "hand", "after": 0}
    lines = ["{", "7", json.dumps({"event": "Tick"}), json.dumps(began)]
    lines += [json.dumps({"at": 1, "event": "Chess"}), json.dumps({"at": 2, "event": "Tick"})]
    with zipfile.ZipFile(tmp_path / "report.zip", "w") as packed:
        packed.writestr("records.jsonl", '{"id": 1}\nnonsense\n')
        packed.writestr("events.jsonl", "\n".join(lines))
    told = list(sensed(tmp_path / "report.zip"))
    assert [line.split("  ")[-1].split(":")[0] for line in told] == [
        "cannot be read",
        "began",
        "cannot be read",
        "Tick",
    ]

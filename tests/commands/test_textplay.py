"""`companion textplay`: asked in a real terminal, or playing by itself where there is none."""

import os
import pty
import random
import select
import subprocess
import sys
from datetime import date
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.commands.textplay import Stopped, Terminal
from companion.rules import SHEETS, game
from companion.rules.boardgame import BoardGame
from companion.rules.history import End, Ruling
from companion.rules.records import Record, record
from companion.terminal.game import picture
from tests.rules.asking import at

DAY = date(2025, 11, 16)
RUN = "from companion.cli import main; main()"


@pytest.mark.parametrize("sheet", SHEETS)
def test_without_a_terminal_a_whole_game_plays_itself(sheet: str, tmp_path: Path) -> None:
    path = tmp_path / "game.ludo"
    result = CliRunner().invoke(main, ["textplay", sheet, "--seed", "5", "--record", str(path)])
    assert result.exit_code == 0, result.output
    assert "has won" in result.stdout
    told = record(path.read_text(encoding="utf-8"))
    assert told.position.over
    assert f"{len(told.events)} rolls." in result.stdout
    assert result.stdout.count("●") >= len(told.events)


def test_a_record_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "game.ludo"
    result = CliRunner().invoke(
        main, ["textplay", "dutch", "--option", "pieces=1", "--record", str(path)]
    )
    assert result.exit_code == 1
    assert "cannot be written: " in result.stderr
    assert result.stdout == ""  # and it is said before the game


class Person:
    """Answers from a list, and stops when it is used up."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)

    def __call__(self, prompt: str) -> str:
        if not self.answers:
            raise Stopped
        return self.answers.pop(0)


def asked(text: str, roll: int, *answers: str) -> tuple[str, Record]:
    """What is said, and what is played, when this is rolled and these are the answers."""
    here = at(text)

    class Rolls(random.Random):
        def random(self) -> float:
            return (roll - 0.5) / 6

    table = Terminal(here.game, Rolls())
    table.people, table.read = here.game.colours, Person(*answers)
    outputs: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(click, "echo", lambda text="", nl=True: outputs.append(str(text)))
        told = table.run(Record(here.game, DAY).then(Ruling(here)))
    return click.unstyle("\n".join(outputs)), told


def moves(told: Record) -> list[str]:
    """The moves made, without the ruling that set the table and the end."""
    return [told.game.move_text(one) for one in told.events[1:] if not isinstance(one, End)]  # type: ignore[arg-type]


def test_moves_are_numbered_and_chosen_by_number_or_by_squares() -> None:
    said, told = asked("german | yellow 5 15 | red 25", 4, "2")
    assert "Yellow rolled 4." in said
    assert "1) 5 to 9" in said
    assert "2) 15 to 19" in said
    assert moves(told) == ["yellow 4 15>19"]
    assert moves(asked("german | yellow 5 15 | red 25", 4, "5>9")[1]) == ["yellow 4 5>9"]
    assert moves(asked("german | yellow 9 | red 25", 6, "y.B>1")[1])[:1] == ["yellow 6 Y.B>1"]
    assert moves(asked("cards | red 1 1 0 0 | green 0 0 0 0", 3, "R.1 R.2")[1]) == ["red 3 add 1 2"]


def test_a_refusal_is_explained_with_its_clause_and_the_way_out() -> None:
    said, told = asked("german | yellow 5 15 | red 25", 4, "5>10", "25>29", "-")
    assert "✘ That is 5 squares, you rolled 4. (O8)" in said
    assert "Put it back, and play 5 to 9 or 15 to 19." in said
    assert "✘ The piece on square 25 is not yours. (O4)" in said
    assert "✘ You can use this 4, so you have to. (O6)" in said
    assert moves(told) == []
    assert told.ended


def test_an_unclear_answer_is_asked_about_and_nonsense_is_quoted() -> None:
    said, _ = asked("pairs | red 20 20 | yellow 45", 6, "20>", "what?", "99>1", "")
    assert "Which do you mean: base to 1" not in said
    assert "Which do you mean: 20 to 26 or the Pair 20 to 23?" in said
    assert "cannot read 'what?'" in said
    assert "there is no place '99'" in said
    assert "FROM>TO" in said


def test_what_follows_from_a_move_is_said() -> None:
    said, _ = asked("german | yellow 5 | red 9", 4, "1")
    assert "The red piece on square 9 is captured: it goes to its base. (G7)" in said


def test_a_roll_that_moves_nothing_says_why_and_goes_on() -> None:
    said, told = asked("german | yellow 40 | red 25", 5, "1")
    assert "yellow 5 -   Only a 6 brings a piece in, you rolled 5." in said
    assert moves(told)[:2] == ["yellow 5 -", "red 5 25>30"]


def test_only_the_colours_asked_for_are_asked() -> None:
    table = Terminal(game("german", (), ["yellow", "red"]), random.Random(3))
    table.people, table.read = ["yellow"], Person("1", "1", "1")
    told = table.run(Record(table.table, DAY))
    colours = {one.seat for one in told.events if not isinstance(one, End)}  # type: ignore[union-attr]
    assert colours == {0, 2}
    assert told.position.colour == "yellow"


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_picture_shows_every_piece_and_square(sheet: str) -> None:
    here = game(sheet).start()
    text = click.unstyle("\n".join(picture(here)))
    if isinstance(here.game, BoardGame):
        for square in range(1, here.game.board.track + 1):
            place = here.game.board.places[square - 1]
            taken = any(
                place in here.game.board.places_of(seat, piece)
                for seat, pieces in enumerate(here.pieces)
                for piece in pieces
            )
            assert taken or str(square) in text
        for colour in here.game.colours:
            letter = "K" if colour == "black" else colour[0].upper()
            assert text.count(letter) == 4
    assert all(len(line) <= 80 for line in text.splitlines())


def test_pieces_on_the_way_stand_on_their_squares() -> None:
    text = click.unstyle("\n".join(picture(at("pairs | red 1 20 20 R.H | yellow 1 45 Y.3 Y.H"))))
    assert "RY" in text
    assert "RR" in text
    assert text.count("H1") == 2
    assert " 20 " not in text
    assert " 45 " not in text


def in_a_terminal(*arguments: str, keys: tuple[bytes, ...] = ()) -> tuple[str, int]:
    """Run the command on a real pseudo-terminal, type keys at its prompts; screen and code."""
    ours, theirs = pty.openpty()
    worker = subprocess.Popen(
        [sys.executable, "-c", RUN, *arguments], stdin=theirs, stdout=theirs, stderr=theirs,
        env={**os.environ, "TERM": "xterm"}, start_new_session=True,
        preexec_fn=lambda: __import__("fcntl").ioctl(0, __import__("termios").TIOCSCTTY, 0),
    )  # fmt: skip
    os.close(theirs)
    screen, typed, silent = b"", 0, 0
    while silent < 60:
        if not select.select([ours], [], [], 2)[0]:
            silent += 1
            if keys and typed == len(keys):
                # A Ctrl-C between prompt and reading is lost in Python; people press it again.
                os.write(ours, keys[-1])
            continue
        try:
            read = os.read(ours, 4096)
        except OSError:
            break
        if not read:
            break
        screen += read
        while typed < min(len(keys), screen.count(b"\n> ")):
            os.write(ours, keys[typed])
            typed += 1
    os.close(ours)
    return click.unstyle(screen.decode()), worker.wait()


@pytest.mark.parametrize("last", [b"q\n", b"\x03", b"\x04"], ids=["q", "Ctrl-C", "Ctrl-D"])
def test_in_a_terminal_people_are_asked_and_can_stop(last: bytes) -> None:
    screen, code = in_a_terminal(
        "textplay", "german", "--seats", "yellow,red", "--seed", "4", keys=(b"1>60\n", last)
    )
    assert "rolled" in screen
    assert "there is no place '60'" in screen
    assert "Goodbye!" in screen
    assert "Traceback" not in screen
    assert code == 0


def test_in_a_terminal_a_random_game_is_drawn_as_it_goes() -> None:
    screen, code = in_a_terminal(
        "textplay", "dutch", "--option", "pieces=1", "--random", "--pace", "0"
    )
    assert code == 0
    assert screen.count("H0") > 4
    assert "has won" in screen

"""`companion textplay`: a game in the terminal; it rolls, asks for moves, and explains refusals."""

import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import click

from companion.rules import (
    Accepted,
    AnyMove,
    Attempt,
    BadInput,
    Game,
    Move,
    Pass,
    Position,
    Refused,
    attempt,
    judge,
    outcome,
)
from companion.rules.errors import known
from companion.rules.history import End
from companion.rules.records import Record, event_text
from companion.screens import phrases
from companion.terminal.game import legend, painted, picture, ranking_line
from companion.terminal.printable import why
from companion.terminal.table_options import chosen_game, table_options

HELP = "Type a number, or FROM>TO such as 12>18 (B is the base: Y.B>1), or q to stop."
CLEAR = "\x1b[2J\x1b[H"

Say = Callable[[str], None]
Choose = Callable[[Position, int, Sequence[AnyMove]], AnyMove]


class Stopped(Exception):  # noqa: N818 - somebody wants to stop, which is no error
    """The player has had enough."""


@click.command()
@click.argument("sheet", default="german")
@table_options
@click.option("--random", "by_itself", is_flag=True, help="Every move is drawn at random.")
@click.option("--asked", metavar="COLOUR,COLOUR", help="Ask only these; the others are drawn.")
@click.option("--seed", type=int, help="Roll the same numbers again.")
@click.option("--pace", type=float, help="Seconds between two random moves.")
@click.option(
    "--record", "path", type=click.Path(path_type=Path, dir_okay=False), help="Write the record."
)
def textplay(
    sheet: str,
    options: tuple[str, ...],
    seats: str | None,
    by_itself: bool,
    asked: str | None,
    seed: int | None,
    pace: float | None,
    path: Path | None,
) -> None:
    """Play a game of SHEET (german, if not given) in the terminal.

    Everybody sits at the same keyboard. Where no keyboard is at hand, the game plays itself.
    """
    table = chosen_game(sheet, options, seats)
    rng = random.Random(seed)
    colours = [table.colours[seat] for seat in table.order]
    chosen = asked.split(",") if asked else colours
    people = [known("colour", word.strip(), colours) for word in chosen]
    if path is not None:
        with _writing(path), path.open("a", encoding="utf-8"):
            pass  # nobody plays a whole game to learn that it cannot be kept
    game = Terminal(table, rng, pace)
    if not by_itself and sys.stdin.isatty():
        game.people = people
        click.echo(HELP)
    record = game.run(Record(table, date.today()))
    if path is not None:
        with _writing(path):
            path.write_text(str(record), encoding="utf-8")
        click.echo(f"The record is in {path}.")


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {why(error)}") from None


def _read(prompt: str) -> str:
    try:
        return input(prompt)
    except EOFError:
        raise Stopped from None


class Terminal:
    """A game at a terminal: the colours in `people` are asked, the others draw their moves."""

    def __init__(self, table: Game, rng: random.Random, pace: float | None = None) -> None:
        self.table, self.rng = table, rng
        self.people: Sequence[str] = ()
        self.read: Callable[[str], str] = _read
        self.live = sys.stdout.isatty()
        self.pace = pace if pace is not None else 0.08 if self.live else 0.0

    def run(self, record: Record) -> Record:
        """Play to the end, or until somebody stops; the record of what was played."""
        try:
            while not record.position.over:
                record = record.then(self.turn(record.position))
        except (Stopped, KeyboardInterrupt):
            click.echo(f"\nStopped after {len(record.events)} rolls. Goodbye!")
            return record.then(End())
        self.show(record.position)
        click.echo(f"{ranking_line(self.table, record.position)} {len(record.events)} rolls.")
        return record

    def turn(self, here: Position) -> AnyMove:
        """One roll and the move that is made with it."""
        face = here.due or self.table.die.roll(self.rng.random)
        moves = self.table.legal_moves(here, face)
        asked = here.opening is None and here.colour in self.people
        if asked and any(not isinstance(move, Pass) for move in moves):
            move = self.ask(here, face, moves)
            for told in outcome(here, move).happenings:
                click.echo(f"  {phrases.happening(self.table, told)} ({told.clause})")
            return move
        move = self.rng.choice(moves)
        self.tell_drawn(here, move)
        return move

    def tell_drawn(self, here: Position, move: AnyMove) -> None:
        """A move that nobody was asked for: a line of the record, and why nothing moves."""
        line = event_text(here, move)
        why = ""
        if isinstance(move, Pass) and here.opening is None:
            reasons = self.table.why_pass(here, move.face)
            why = f"   {phrases.refusal(self.table, reasons[0], move.face)}" if reasons else ""
        if self.live and not self.people:
            click.echo(CLEAR, nl=False)
            self.show(here)
        colour = self.table.colours[move.seat]
        click.echo(f"{painted('●', colour)} {line}{why if self.people else ''}")
        if self.pace:
            time.sleep(self.pace)

    def show(self, here: Position, moves: Sequence[AnyMove] = ()) -> None:
        """Draw the board."""
        targets: set[str] = set()
        if self.table.board.walked is not None:
            targets = {self.table.stops(move)[1] for move in moves if isinstance(move, Move)}
        click.echo()
        for line in picture(here, targets):
            click.echo(line)
        board = self.table.board.walked
        if moves and board is not None:
            click.echo(click.style(f"  ({legend(board, self.table)})", dim=True))
        click.echo()

    def ask(self, here: Position, face: int, moves: Sequence[AnyMove]) -> AnyMove:
        """Show the roll and the legal moves, and ask until one of them is made."""
        self.show(here, moves)
        colour = here.colour or ""
        rolled = painted(f"{phrases.colour(colour).capitalize()} rolled", colour, bold=True)
        click.echo(f"{rolled} {click.style(phrases.rolled(self.table, face), bold=True)}.")
        for number, move in enumerate(moves, 1):
            whose = self.table.colours[move.seat]
            note = "" if whose == colour else f" ({phrases.colour(whose)})"
            click.echo(f"  {number}) {phrases.move(self.table, move)}{note}")
        while True:
            answer = self.read("> ").strip()
            if answer.lower() in ("q", "quit", "exit"):
                raise Stopped
            found = self.understand(here, face, moves, answer)
            if found is not None:
                return found

    def understand(
        self, here: Position, face: int, moves: Sequence[AnyMove], answer: str
    ) -> AnyMove | None:
        """The move an answer means; None, after saying why, if it means no move."""
        if answer in ("", "?", "help"):
            click.echo(HELP)
            return None
        if answer.isdecimal() and 1 <= int(answer) <= len(moves):
            return moves[int(answer) - 1]
        try:
            verdict = judge(here, face, self._attempt(answer))
        except BadInput as error:
            click.echo(f"{click.style('?', fg='yellow', bold=True)} {error}")
            return None
        if isinstance(verdict, Accepted):
            return verdict.move
        if isinstance(verdict, Refused):
            for why in verdict.refusals:
                cross = click.style("✘", fg="red", bold=True)
                click.echo(f"{cross} {phrases.refusal(self.table, why, face)} ({why.clause})")
            click.echo(f"  {phrases.remedy(self.table, verdict)}")
        else:
            click.echo(f"? {phrases.unclear(self.table, verdict)}")
        return None

    def _attempt(self, answer: str) -> Attempt:
        """A typed attempt; the letter of a colour may be small."""
        return attempt(re.sub(r"\b[a-z]\.", lambda found: found[0].upper(), answer))

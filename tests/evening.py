"""A simulated evening of honest moves on every board: clumsy hands, but nothing that is not legal.

`tests/people` do everything else that people do, wrong things too. They do not play parchís yet,
whose bonus moves need no roll; so these hands stay until they do.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from companion.events import Command, Event, Pressed, Rolled, Rolling, Snapshot, Tick
from companion.referee import Effect, Match, Referee, View
from companion.rules import (
    SHEETS,
    Game,
    Move,
    Pass,
    Position,
    game,
    legal_moves,
    play,
)
from companion.rules.boardgame import BoardGame
from companion.rules.boards import Board
from tests.hands import Fingers, Hands, PhysicalTable, Timed
from tests.scripts import line_of

BOARD_SHEETS = [name for name, sheet in SHEETS.items() if isinstance(sheet.board, Board)]


def random_game(rng: Random, sheet: str) -> Game:
    """A sheet with random options and seats."""
    board = SHEETS[sheet].board
    options = {option.name: rng.choice(option.allowed) for option in SHEETS[sheet].options}
    seats = rng.sample(board.colours, rng.randint(2, 4))
    if options.get("two_colours_each") and len(seats) == 2:
        seats = [board.colours[0], rng.choice(board.colours[1::2])]
    for option, players in (("two_colours_each", 2), ("neutral_colour", 3)):
        if option in options and len(seats) != players:
            options[option] = False
    return game(sheet, options, seats)


def looks(position: Position) -> Counter[str]:
    """What sensors can tell of a position: pieces in each base and home, squares taken."""
    board = position.game.board
    assert isinstance(board, Board)
    spots = [board.spot(seat, at) for seat, own in enumerate(position.pieces) for at in own]
    found = Counter(spots)
    return Counter({spot: n if spot[-1] in "BH" else 1 for spot, n in found.items()})


@dataclass
class Counts:
    """What happened in an evening."""

    moves: int = 0
    games: int = 0
    faults: list[str] = field(default_factory=list)


class Evening:
    """One referee, one table, one pair of hands; everything from one seed."""

    def __init__(self, seed: int, sheet: str, sensing: str) -> None:
        self.rng = Random(f"{seed} {sheet} {sensing} 0.0")
        self.game = random_game(self.rng, sheet)
        assert isinstance(self.game, BoardGame)
        self.table = PhysicalTable(self.game.board, self.rng)
        self.hands = Hands(self.table, self.rng)
        self.fingers = Fingers(self.table, self.rng)
        self.sensing = sensing
        self.referee = Referee(sensing=sensing)
        self.now = 0.0
        self.rolls = 0
        self.counts = Counts()
        self.trace: list[Timed] = []

    # -- feeding ---------------------------------------------------------------------------

    def feed(self, event: Event, delay: float = 0.05) -> list[Effect]:
        """Let time pass, with the ticks the referee asks for, then the event."""
        self.wait(delay)
        self.trace.append((event, self.now))
        return self.referee.feed(event, self.now)

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while (deadline := self.referee.next_deadline()) is not None and deadline <= end:
            self.now = max(self.now, deadline)
            self.trace.append((Tick(), self.now))
            self.referee.feed(Tick(), self.now)
        self.now = end

    def feed_all(self, events: Iterable[Timed]) -> None:
        for event, delay in events:
            self.feed(event, delay)

    @property
    def view(self) -> View:
        return self.referee.view

    @property
    def match(self) -> Match:
        match = self.referee.match
        assert match is not None
        return match

    # -- an evening ------------------------------------------------------------------------

    def begin(self) -> None:
        """Choose the game, set the pieces."""
        seats = [self.game.colours[seat] for seat in self.game.seats]
        choice = {"sheet": self.game.sheet.id, "options": self.game.options, "seats": seats}
        self.feed(Command("new_game", choice))
        self.table.set_up(self.game.start())
        if self.sensing == "presence":
            self.feed(Snapshot(self.table.on()))
            self.wait(1.0)
        else:
            self.feed(Pressed("ok"))
        self.expect(self.view.phase == "opening", "the set-up was not taken")

    def expect(self, held: bool, fault: str) -> bool:
        if not held:
            view = self.view
            self.counts.faults.append(
                f"{fault}: phase {view.phase}, {self.match.position}, roll {view.face}, "
                f"{view.refusals} {view.notice} {view.remedy}"
            )
        return held

    def play(self, most_moves: int) -> Counts:
        """Play until the game is over, so many moves are made, or something is wrong."""
        self.begin()
        mirror = self.match.position
        while not mirror.over and self.counts.moves < most_moves and not self.counts.faults:
            face = mirror.due or self.rng.randint(1, 6)
            legal = legal_moves(mirror, face)
            if mirror.due is None:
                self.roll(face)
            move = self.rng.choice(legal)
            if not isinstance(move, Pass):
                assert isinstance(move, Move)
                self.make(mirror, move)
            elif len(legal) > 1:
                self.choose(move)
            mirror = play(mirror, move)
            while mirror.due and isinstance(legal_moves(mirror, mirror.due)[0], Pass):
                mirror = play(mirror, legal_moves(mirror, mirror.due)[0])  # it is lost at once
            self.expect(self.match.position == mirror, f"not the engine's position {mirror}")
            self.counts.moves += 1
        self.counts.games += mirror.over
        return self.counts

    def roll(self, face: int) -> None:
        self.rolls += 1
        self.feed(Rolling(), self.rng.uniform(0.05, 1.5))
        self.feed(Rolled(self.rolls, face), 0.6)

    def make(self, position: Position, move: Move) -> None:
        """Make a legal move with hands or fingers, and confirm what cannot be seen."""
        if self.sensing == "touch":
            self.feed_all(self.fingers.make(position, move))
            self.table.set_up(play(position, move))
            if self.view.phase == "penalty":
                self.feed(Pressed("ok"), 0.5)
        else:
            self.feed_all(self.hands.make(position, move))
        self.wait(1.0)
        if self.sensing == "touch" or self.can_be_seen(position, move):
            still = self.match.position == position
            unseen = (self.view.phase == "move" and still) or self.view.title == "which_move"
            self.expect(not unseen, f"{move} was plain to see, but not recognised")
        if self.view.phase in ("move", "ask") and self.match.position == position:
            self.choose(move)
        taken = self.view.phase in ("roll", "over", "ask") or self.match.position != position
        self.expect(taken, f"{move} was not taken")

    def can_be_seen(self, position: Position, move: Move) -> bool:
        """Whether a piece comes somewhere, and no other legal move makes the board look so."""
        before, after = looks(position), looks(play(position, move))
        legal = legal_moves(position, move.face)
        alike = [other for other in legal if looks(play(position, other)) == after]
        return bool(after - before) and alike == [move]

    def choose(self, move: Move | Pass) -> None:
        """OK for a move that cannot be seen; if asked which one, say so."""
        if self.view.phase == "move":
            self.feed(Pressed("ok"))
        for _ in range(40):
            view = self.view
            if view.cursor < 0 or view.phase not in ("move", "ask") or view.title == "won":
                return
            if view.lines[view.cursor].move == move:
                self.feed(Pressed("ok"))
                return
            self.feed(Pressed("down"))


def save_trace(path: Path, evening: Evening) -> None:
    """Write what led to a fault as a script that replays."""
    begun = [f"# {fault}" for fault in evening.counts.faults]
    begun += [f"sensing {evening.sensing}", f"new {evening.game}"]
    lines = [f"@{at:.4f} {line_of(event)}" for event, at in evening.trace[1:]]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*begun, *lines]) + "\n")

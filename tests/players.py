"""Players at a table of simulated Picos: they see what the table tells, throw and move.

They know a game only from what they are told (`Told`), so they can sit in another process than
the daemon, and go on after it was killed.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

from companion.events import Cell, Command, Event, Pressed
from companion.referee import View
from companion.rules import Move, Pass, Position, legal_moves
from companion.rules.boardgame import BoardGame
from companion.rules.boards import BOARDS, Board
from companion.table.pico import SimulatedBoard, SimulatedDie
from tests.hands import PhysicalTable, hops_of


def columns(board: str) -> int:
    """How wide the matrix of a board is; it has eight rows."""
    return -(-len(BOARDS[board].places) // 8)


def wiring(board: str) -> dict[str, Cell]:
    """Where each place of a board is wired: in order, row by row."""
    wide = columns(board)
    return {place.name: divmod(n, wide) for n, place in enumerate(BOARDS[board].places)}


COLUMNS = columns("40")
WIRING = wiring("40")
NUDGE = 3.0  # seconds without news after which players look at the board again


class Told(NamedTuple):
    """What a table tells its players."""

    phase: str
    position: Position | None
    face: int | None
    title: str = ""
    sensing: str = "presence"
    kept: int = 0

    @classmethod
    def of(cls, view: View, kept: int = 0) -> "Told":
        return cls(view.phase, view.position, view.face, view.title, view.sensing, kept)


def config_text(folder: Path, sensing: str = "presence", board: str = "40") -> str:
    """A table whose die and board are Picos in this folder."""
    names, wide = list(wiring(board)), columns(board)
    lines = [" ".join(names[n : n + wide]) for n in range(0, len(names), wide)]
    listed = ",\n".join(f'    "{line}"' for line in lines)
    return (
        f'board = "{board}"\nsensing = "{sensing}"\npin_factory = "mock"\n'
        f'[serial]\nports = ["{folder}/pico-*"]\n'
        f'[die]\nsource = "serial"\n[matrix]\nvia = "serial"\nmap = [\n{listed}\n]\n'
    )


class Players:
    """Everybody around one table. `post` reaches the daemon as a page would.

    A sheet for another board than the one on the table is played with sensing `choose`.
    """

    def __init__(
        self, folder: Path, rng: Random, post: Callable[[Event], object], board: str = "40"
    ) -> None:
        self.rng = rng
        self.post = post
        self.wiring = wiring(board)
        self.board = SimulatedBoard(folder / "pico-board", columns=columns(board), seed=1)
        self.die = SimulatedDie(folder / "pico-die", seed=rng.randrange(1 << 30))
        lies = BOARDS[board]
        assert isinstance(lies, Board)
        self.table = PhysicalTable(lies, rng)
        self.squares = {place.name for place in lies.places if place.kind not in ("base", "home")}
        self.games = self.turns = self.nudges = 0
        self.told: Told | None = None
        self._news = asyncio.Event()
        self._on: frozenset[str] = frozenset()

    def plug(self) -> None:
        self.board.plug()
        self.die.plug()

    def unplug(self) -> None:
        self.board.unplug()
        self.die.unplug()

    def hear(self, told: Told) -> None:
        """The table tells something."""
        if told != self.told:
            self.told = told
            self._news.set()

    def wake(self) -> None:
        """Let `play` look whether it is done."""
        self._news.set()

    async def play(self, choose: Callable[[], Command], done: Callable[[], bool]) -> None:
        """Play game after game until done."""
        while not done():
            self._news.clear()
            if self.told is not None:
                self.act(self.told, choose)
            try:
                async with asyncio.timeout(NUDGE):
                    await self._news.wait()
            except TimeoutError:
                self.nudges += 1
                self.nudge()

    def act(self, told: Told, choose: Callable[[], Command]) -> None:
        """Do what the table waits for."""
        if told.phase in ("idle", "over"):
            self.games += told.phase == "over"
            self.told = None
            self.post(choose())
        elif told.sensing == "choose" and told.phase not in ("opening", "roll"):
            self.choose_move(told)
        elif told.phase in ("setting", "restore", "penalty", "illegal"):
            assert told.position is not None
            self.set_right(told.position)
            if told.sensing == "touch" or told.phase == "illegal":
                self.post(Pressed("ok"))  # it may not have been the pieces: somebody rolled twice
        elif told.phase in ("opening", "roll"):
            self.die.throw()
        elif told.phase == "ask":
            self.post(Pressed("ok"))
        elif told.phase == "menu":  # they pressed OK just when the game was over
            self.post(Pressed("ok", held=True))
        elif told.phase == "move":
            self.move(told)

    def choose_move(self, told: Told) -> None:
        """With the box's buttons alone: any line of those shown."""
        for _ in range(self.rng.randrange(4) if told.phase == "move" else 0):
            self.post(Pressed("down"))
        self.post(Pressed("ok"))

    def move(self, told: Told) -> None:
        """Make any of the legal moves, with hands or fingers."""
        position, face = told.position, told.face
        assert position is not None
        assert face is not None
        moves = [one for one in legal_moves(position, face) if not isinstance(one, Pass)]
        chosen = self.rng.choice(moves)
        assert isinstance(chosen, Move)
        assert isinstance(position.game, BoardGame)
        self.turns += 1
        if told.sensing == "touch":
            for spot in position.game.stops(chosen):
                self.tap(spot if spot in self.wiring else f"{spot}1")
            return
        if not self.stands(position):  # it was moved while nobody looked
            self.set_right(position)
        moved, captured, penalties = hops_of(position, chosen)
        for hop in (*captured, *moved, *penalties):
            place = self.table.taken_place(hop.origin, hop.seat)
            self.table.lift(place, hop.seat)
            self.show_board()
            self.table.drop(self.table.free_place(hop.target), hop.seat)
            self.show_board()

    def stands(self, position: Position) -> bool:
        """Whether the pieces stand on the table as in a position."""
        wanted = sorted(
            (seat, self.table.board.spot(seat, piece))
            for seat, own in enumerate(position.pieces)
            for piece in own
        )
        found = sorted(
            (seat, place if place in self.squares else place[:-1])
            for place, pieces in self.table.standing.items()
            for seat in pieces
        )
        return wanted == found

    def tap(self, place: str) -> None:
        self.board.press(*self.wiring[place])
        self.board.release(*self.wiring[place])

    def set_right(self, position: Position) -> None:
        """Put every piece where the game has it."""
        self.table.set_up(position)
        self.show_board()

    def show_board(self) -> None:
        """Let the switches follow the pieces."""
        touch = self.told is not None and self.told.sensing == "touch"
        on = frozenset[str]() if touch else self.table.on()  # buttons stay up under pieces
        for place in sorted(self._on - on):
            self.board.open_switch(*self.wiring[place])
        for place in sorted(on - self._on):
            self.board.close_switch(*self.wiring[place])
        self._on = on
        self.board.run(60, 20)

    def nudge(self) -> None:
        """Nothing happened: put the pieces right and say that they are."""
        told = self.told
        if told is None or told.position is None:
            return
        if told.sensing != "choose":
            self.set_right(told.position)
        if told.phase in ("setting", "illegal", "restore", "penalty", "move"):
            self.post(Pressed("ok"))

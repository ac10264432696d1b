"""An evening with pieces on a board: what stands where, and what readings can tell of it."""

from collections import Counter
from typing import Any

from companion.referee import Notice
from companion.rules import Move, Position, legal_moves, play
from companion.rules.boardgame import BoardGame
from tests.people import twins
from tests.people.acts import Hands
from tests.people.room import SNAP_EVERY
from tests.people.table import BESIDE, FLOOR, Colours, Hop, Table, colours_in
from tests.people.turns import Turns


def lawful_ways(position: Position, face: int | None) -> list[tuple[Colours, Colours]]:
    """From what stands where now to how each legal move leaves it; the first way moves nobody."""
    here = colours_in(position)
    moves = legal_moves(position, face) if face is not None else ()
    there = (colours_in(play(position, move)) for move in moves if isinstance(move, Move))
    return [(here, here), *((here, after) for after in there)]


def on_the_way(stands: Colours, here: Colours, there: Colours, elsewhere: Colours) -> bool:
    """Whether all that stands is where a move begins or ends, or `elsewhere` with good reason.

    Who is at both ends of a move's way at once is two pieces, of which one was not moved by it.
    """
    rest = stands - (here & there)
    too_many = _number(rest) - _number(here - there) - _number(elsewhere)
    return not rest - (here | there | elsewhere) and not too_many


def _number(stands: Colours) -> Counter[str]:
    """How many pieces of each colour these are."""
    return Counter(colour for _, colour in stands.elements())


class Pieces(Turns[Move]):
    """Whoever sits here has pieces and a board."""

    game: BoardGame
    table: Table

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.early: Hop | None = None
        self.false_step = False
        self.why_refused = "nothing"
        """What was going on when the box last wanted something done with the pieces."""
        self.began = 0.0
        self.unseen = False
        """Whether somebody did what no sensor can see, so that the box believes otherwise."""
        self.heeded: Notice | None = None
        """What the box was saying when the last move was begun: that has been read."""
        self.late = False
        """Whether an illegal act is pressed like a piece that goes back late."""
        self.misread = False
        """Whether the box said STOP to what looks like an illegal act, and was none."""
        self.hands = Hands(self.table, self.rates, self.room.in_a_while)
        self.whose = {
            place.name: place.colour
            for place in self.game.board.places
            if place.kind == "base" and place.colour is not None
        }
        self.checkpoint()

    def lay_table(self) -> Table:
        assert isinstance(self.game, BoardGame)
        return Table(self.game.board)

    def forget(self) -> None:
        super().forget()
        self.early = None
        self.hands.pushed.clear()

    def moves(self, position: Position, face: int) -> list[Move]:
        return [one for one in legal_moves(position, face) if isinstance(one, Move)]

    def looks_illegal(self, view: Any) -> bool:
        """Whether the readings speak for an illegal act, whatever really happened: a twin.

        A piece stands where neither the truth nor any lawful board has it; or, if only a roll
        was refused, the piece that was moved stands nowhere.
        """
        if self.sensing != "presence" or view.position is None:
            return False
        true = self.table.colours()
        away = [colour for gone in self.table.away.values() for colour in gone]
        ways = lawful_ways(view.position, view.face)
        before = [] if self.previous is None else lawful_ways(*self.previous[:2])
        lawful: Colours = Counter()
        for here, there in (*ways, *before):
            lawful |= here | there
        resting = true - lawful  # a hand is at it, or a sleeve has pushed it there

        def astray(stands: Colours) -> bool:
            return not any(on_the_way(stands, *way, resting) for way in (*ways, *before))

        def unmoved(stands: Colours) -> bool:
            return all(
                any(stands[one] < there[one] for one in there - here) for here, there in ways[1:]
            )

        known = twins.pictures(self.known, (), self.room.readings, self.whose)
        only_a_roll = all(refusal.clause == "O2" for refusal in view.refusals)
        illegal = unmoved if only_a_roll else astray
        found = twins.looks_illegal(known, (true, away), illegal, self.table.ground.spot_of)
        self.misread = self.misread or found
        return found

    def cause(self) -> str:
        """What is going on, for whoever wants to know why the box spoke."""
        away = self.table.away
        if self.is_cut():
            return self.is_cut()
        if self.room.now - self.room.lost_at < 2 * SNAP_EVERY:
            return "a reading was lost"
        if away[FLOOR]:
            return "on the floor"
        if self.hands.is_pushed():
            return "pushed"
        if away[BESIDE] and self.doing != "jolt":
            return "captured piece beside the board"
        return self.doing

    def barred(self, position: Position, face: int) -> set[str]:
        """The spots where some legal move begins or ends."""
        return {spot for move in self.moves(position, face) for spot in self.game.stops(move)}

    def checkpoint(self) -> None:
        """The board is known to be right: from here on readings are kept to tell twins apart."""
        super().checkpoint()
        self.unseen = False
        self.known = {place: list(own) for place, own in self.table.stands.items()}

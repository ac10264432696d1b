"""What the rules answer: evidence and happenings as values, never sentences."""

from typing import TYPE_CHECKING, NamedTuple

from companion.rules.moves import AnyMove

if TYPE_CHECKING:
    from companion.rules.positions import Position


class Evidence(NamedTuple):
    """Why a clause objects: which slip it is, the places that prove it, what was counted."""

    slip: str
    places: tuple[str, ...] = ()
    counted: int | None = None


class Refusal(NamedTuple):
    """One clause that an attempt breaks, with the clause's evidence."""

    clause: str
    slip: str
    places: tuple[str, ...] = ()
    counted: int | None = None


class Happening(NamedTuple):
    """One thing that follows from a move by some clause: a capture, another roll, a place."""

    clause: str
    what: str
    seat: int
    places: tuple[str, ...] = ()
    colour: str = ""


class Outcome(NamedTuple):
    """The position after a move, and what else happened on the way there."""

    position: "Position"
    happenings: tuple[Happening, ...] = ()


class Accepted(NamedTuple):
    """The attempt is this legal move, and leads to this outcome."""

    move: AnyMove
    outcome: Outcome


class Refused(NamedTuple):
    """The attempt breaks these clauses; `instead` are the legal moves."""

    refusals: tuple[Refusal, ...]
    instead: tuple[AnyMove, ...]

    @property
    def worth_saying(self) -> tuple[Refusal, ...]:
        """Of a piece that is somebody else's nothing is said of its way: that is for one's own."""
        slips = [one.slip for one in self.refusals]
        if "not_your_piece" not in slips:
            return self.refusals
        return self.refusals[: slips.index("not_your_piece") + 1]


class Unclear(NamedTuple):
    """More than one legal move fits what was seen."""

    moves: tuple[AnyMove, ...]


Verdict = Accepted | Refused | Unclear

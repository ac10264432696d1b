"""What a way of sensing is told, and what it finds: the words between board and referee.

A way of sensing (`Presence`, `Touch`, `Choose`) is told what may come next (`Outlook`) and what
the board says; it answers with findings. It knows neither the referee nor the screen, and it
changes nothing: only `Play` acts.
"""

from typing import NamedTuple, Protocol

from companion.events import Reading, Snapshot
from companion.referee.effects import Notice
from companion.referee.match import Match
from companion.referee.outlines import Step
from companion.referee.phases import Task
from companion.rules import AnyMove, Attempt, Refusal


class Accept(NamedTuple):
    """A legal move was made with the roll that lies."""

    move: AnyMove


class Amend(NamedTuple):
    """The last move was meant to be this one."""

    move: AnyMove


class Back(NamedTuple):
    """The last move was moved back."""


class Right(NamedTuple):
    """The board is as the game has it again; `said` if it had been told otherwise.

    Where colours may have changed places unseen, `check` names the spots to look at.
    """

    said: bool = True
    check: tuple[str, ...] = ()


class Refuse(NamedTuple):
    """Something is not allowed: why, what to do, and what was tried, as far as that is known."""

    refusals: tuple[Refusal, ...]
    remedy: tuple[Step, ...] = ()
    attempt: Attempt | None = None


class Guide(NamedTuple):
    """Pieces have to go where the game has them."""

    remedy: tuple[Step, ...]


class Question(NamedTuple):
    """Only people know which of these was made; None is the last move taken back."""

    moves: tuple[AnyMove | None, ...]


class Hint(NamedTuple):
    """A quiet word, or the next steps of what is half done; nothing is wrong."""

    remedy: tuple[Step, ...] = ()
    notice: Notice | None = None
    said: bool = True
    """Whether it is to be heard; otherwise it only goes on being shown."""
    made: bool = False
    """Whether a legal move is made all the same, and counts with the next roll."""


Finding = Accept | Amend | Back | Right | Refuse | Guide | Question | Hint


class Outlook(NamedTuple):
    """What may come next: the game as it stands, and what to do with a board that differs."""

    match: Match
    task: Task
    remedy: tuple[Step, ...] = ()
    asked: tuple[AnyMove | None, ...] = ()


class Sensing(Protocol):
    """One way to learn what hands do on the board."""

    @property
    def sees(self) -> bool:
        """Whether it sees where pieces stand; otherwise people say so."""

    @property
    def pressed(self) -> tuple[str, ...]:
        """The buttons of the board pressed so far for a move."""

    def expect(self, outlook: Outlook, now: float) -> Finding | None:
        """Hear what may come next; a board that is to be checked is looked at there and then."""

    def sense(self, event: Reading | Snapshot, now: float) -> None:
        """Hear what the board says."""

    def deadline(self) -> float | None:
        """When `due` is wanted at the latest; None if nothing is waited for."""

    def due(self, now: float) -> Finding | None:
        """What has become clear by now."""

    def look(self, now: float) -> Finding | None:
        """Look again, without hurry: something covered the table for a while."""

    def settle(self, now: float) -> Finding | None:
        """Somebody rolled or pressed OK: the board is meant as it lies."""

    def moved(self, now: float) -> Finding | None:
        """Somebody says «I have moved», where that could not be seen."""

    def forget(self) -> None:
        """The board went away."""

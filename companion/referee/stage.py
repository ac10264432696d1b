"""The stage: what the table is being told right now, apart from the game itself."""

from dataclasses import dataclass

from companion.referee.effects import Line, Notice
from companion.referee.outlines import Step
from companion.referee.phases import PHASES, Phase, Row
from companion.rules import Attempt, Refusal

MovedBy = tuple[str, bool]
"""How moves are made: the way of sensing, and whether the board is missing."""


@dataclass
class Stage:
    """A phase and everything shown with it; a new one forgets the old.

    A menu or a pause covers another stage, which stays as it is beneath.
    """

    phase: Phase = "idle"
    title: str = ""
    lines: tuple[Line, ...] = ()
    cursor: int | None = None
    """The line that OK takes; None where pieces or buttons on the board do the choosing."""
    page: int | None = None
    notice: Notice | None = None
    refusals: tuple[Refusal, ...] = ()
    remedy: tuple[Step, ...] = ()
    made: bool = False
    """Whether a legal move is made but for the remedy."""
    attempt: Attempt | None = None
    """What was refused, if it could be told."""
    hand_face: int = 1
    """The roll that up and down have turned to, where rolls are entered."""
    beneath: "Stage | None" = None
    """What this one covers."""
    covered_by: MovedBy = ("", False)
    """How moves were made when it was covered; if that changes, they are asked for again."""

    @property
    def row(self) -> Row:
        """What this phase means."""
        return PHASES[self.phase]

    @property
    def line(self) -> Line | None:
        """The line under the cursor."""
        return None if self.cursor is None or not self.lines else self.lines[self.cursor]

    def below(self, *covers: Phase) -> "Stage":
        """What is shown, or would be if these did not cover it."""
        stage = self
        while stage.phase in covers and stage.beneath is not None:
            stage = stage.beneath
        return stage

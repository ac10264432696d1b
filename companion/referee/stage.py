"""The stage: what the table is being told right now, apart from the game itself."""

from dataclasses import dataclass

from companion.referee.effects import Line, Notice, Phase
from companion.referee.outlines import Step
from companion.rules import Attempt, Refusal

PUTTING_RIGHT: tuple[Phase, ...] = ("illegal", "restore", "penalty")
"""The phases in which pieces have to go where the game has them."""


@dataclass
class Stage:
    """A phase and everything shown with it; a new one forgets the old."""

    phase: Phase = "idle"
    title: str = ""
    lines: tuple[Line, ...] = ()
    cursor: int | None = None
    """The line that OK takes; None where pieces or buttons on the board do the choosing."""
    page: int | None = None
    notice: Notice | None = None
    refusals: tuple[Refusal, ...] = ()
    remedy: tuple[Step, ...] = ()
    attempt: Attempt | None = None
    """What was refused, if it could be told."""
    pressed: tuple[str, ...] = ()
    """Buttons of the board pressed so far for a move."""
    taken: tuple[Step, ...] = ()
    """Pieces pressed home before the move that is to capture them."""
    hand_face: int = 1
    """The roll that up and down have turned to, where rolls are entered."""

    @property
    def line(self) -> Line | None:
        """The line under the cursor."""
        return None if self.cursor is None or not self.lines else self.lines[self.cursor]

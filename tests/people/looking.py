"""Looking at the box and doing what it says, whatever it is that people move."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from companion.rules import Lay, Move, Position
from tests.people.plans import Plan
from tests.people.sitting import STEPS_SHOWN, Sitting

GOES_ON = ("roll", "opening", "move", "over", "illegal")
GAME_SHOWN = (*GOES_ON, "ask", *STEPS_SHOWN)
STILL = 0.8
"""Seconds since the last piece was touched before anybody acts on what the box shows."""
ROUNDS = 40
"""How often people look at the box and do what it says before they give up."""

M = TypeVar("M", Move, Lay)


@dataclass
class Mind(Generic[M]):
    """What people are about, and what they remember of what the box has shown them."""

    goals: list[Position]
    """How the game may stand in the end; the first is what they mean."""
    plan: Plan
    move: M | None = None
    """The move that was made, if one was."""
    listed: tuple[Any, ...] = ()
    """The steps that they read last."""
    done: int = 0
    """How many of these were done, one after the other."""
    untold: Counter[Any] = field(default_factory=Counter)
    """The steps that were done in any order, and that nobody has told the box of."""
    seen: set[object] = field(default_factory=set)
    """All steps that were read, each time with how the table stood."""
    left: object = None
    """How the table stood when they last looked at it, or did a step."""
    waited: int = 0
    puzzled: bool = False
    followed: int = 0
    asked: int = 0
    content: int = 0
    """How often the box has shown, since the last step, that it wants nothing."""


class Looking(Sitting, Generic[M]):
    """People look at the box, and do what it says."""

    def cope(self, goals: list[Position], plan: Plan, move: M | None = None) -> Position | None:
        """Look at the box and do what it says until the game stands as one of the goals has it.

        Who has made a move means the first goal, and was at the last one before. None if it does
        not come about: it has been counted then.
        """
        mind = Mind(goals, plan, move)
        rounds = 0
        while rounds < ROUNDS:
            self.look()
            rounds += not self.waiting()  # nobody gives up while somebody else is still at it
            self.let_go()
            steps, position = self.steps(), self.room.view.position
            goal = next((one for one in goals if one == position), None)
            if goal is not None and self.is_reached(goal, goals):
                if mind.followed:
                    self.figures.add("remedies")
                self.checkpoint()
                return goal
            if steps:
                mind.content = 0
                why = self.do_shown(steps, mind)
                if why:
                    return self.false_remedy(why, mind)
            elif self.is_lost(goal, mind):
                return None
        self.fault("hanging", f"{self.room.view.phase}: {self.why_hanging()}")
        return None

    def waiting(self) -> bool:
        """Whether somebody is still about to put something right by themselves."""
        return False

    def let_go(self) -> None:
        """Where half of a move was heard, and nothing is to put right, that is let go of."""

    def is_reached(self, goal: Position, goals: list[Position]) -> bool:
        """Whether box and table are where they should be."""
        raise NotImplementedError

    def do_shown(self, steps: tuple[Any, ...], mind: Mind[M]) -> str:
        """Do the next of the steps shown; '' or why they are no good."""
        raise NotImplementedError

    def false_remedy(self, why: str, mind: Mind[M]) -> Position | None:
        """What is shown cannot be done, or leads nowhere: people put all as it was."""
        raise NotImplementedError

    def is_lost(self, goal: Position | None, mind: Mind[M]) -> bool:
        """No steps are shown: answer, tell the box, or put right; True if all is in vain."""
        raise NotImplementedError

    def why_hanging(self) -> str:
        """What was going on, for whoever wants to know why people gave up."""
        return self.cause()

    # -- what it shows ---------------------------------------------------------------------

    def shown(self) -> Position:
        """The position on the screen."""
        return self.room.view.position or self.truth

    def look(self) -> None:
        """A moment passes, until hands are still; while the box is dark, nobody does anything.

        Without the cable some wait, and some go on with the buttons, if fingers have moved so far.
        """
        self.room.wait(0.8)
        while self.room.now - self.room.changed < STILL:
            self.room.wait(0.4)  # somebody is just putting down a piece
        while not (self.room.power and (self.room.cable or self.by_buttons)):
            self.room.wait(1.0)

    @property
    def by_buttons(self) -> bool:
        """Whether people tell the box by its buttons what they have done."""
        unplugged = self.sensing == "touch" and not self.room.cable
        return self.sensing == "choose" or (unplugged and self.goes_on)

    def is_settled(self) -> bool:
        """Whether the box waits for the game to go on, and for nothing else."""
        view = self.room.view
        return not self.steps() and (view.phase in GOES_ON or view.title == "won")

    # -- the box's buttons -----------------------------------------------------------------

    def choose(self, wanted: object) -> bool:
        """Turn to a move among the lines shown, and press OK."""
        if self.sensing == "choose" and self.room.view.phase == "illegal":
            self.room.press("ok")
        lines = self.room.view.lines
        return self.room.pick(lambda n: n < len(lines) and lines[n].move == wanted)

    def take_it_back(self) -> bool:
        """The menu takes the last move back, if it has a line for that."""
        self.room.press("ok", held=True)
        lines = self.room.view.lines
        picked = self.room.pick(lambda n: lines[n].key == "take_back")
        if not picked:
            self.room.press("ok")
        return picked

"""Doing what the box says at the card game: steps literally, and told again what was not heard."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from companion.rules import Lay, Position
from companion.rules.cards import CardGame
from tests.people.acts import Act
from tests.people.mat import Mat
from tests.people.plans import Plan
from tests.people.turns import GAME_SHOWN, Turns

ROUNDS = 40
"""How often people look at the box and do what it says before they give up."""
PATIENCE = 4
"""How often they look at a box that wants nothing before they say that it is wrong."""


@dataclass
class Mind:
    """What people remember of what the box has shown them."""

    listed: tuple[Any, ...] = ()
    done: Counter[Any] = field(default_factory=Counter)
    """The steps that were done, and that nobody has told the box of."""
    waited: int = 0
    followed: int = 0
    content: int = 0
    """How often the box has shown, since the last step, that it wants nothing."""


class CardFollowing(Turns[Lay]):
    """People with cards look at the box, and do what it says."""

    game: CardGame
    table: Mat

    def lay_table(self) -> Mat:
        assert isinstance(self.game, CardGame)
        return Mat()

    def press(self, stack: str) -> None:
        """A finger presses; the contact may bounce."""
        self.room.tap(stack, bounces=self.room.rng.random() < self.rates["bounce"])

    def tell(self, cards: list[str], plan: Plan) -> Act:
        """What the screen shows as pressed becomes what lies: let go of, and pressed again."""
        view, wanted = self.room.view, Counter(cards)
        if Counter(view.pressed) - wanted:
            self.room.press("ok")
            yield plan.span(self.rates, "tap")
        shown = Counter(self.room.view.pressed)
        for card in (wanted - shown).elements():
            self.press(card)
            yield plan.span(self.rates, "tap")

    def cope(self, goals: list[Position], plan: Plan, move: Lay | None = None) -> Position | None:
        """Look at the box and do what it says until the game stands as one of the goals has it.

        Who has made a lay means the first goal, and was at the last one before. None if it does
        not come about: it has been counted then.
        """
        mind = Mind()
        for _ in range(ROUNDS):
            self.look()
            goal = next((one for one in goals if one == self.room.view.position), None)
            if goal is not None and self.is_reached(goal):
                if mind.followed:
                    self.figures.add("remedies")
                self.checkpoint()
                return goal
            if self.steps():
                mind.content = 0
                why = self.do_shown(mind, plan)
                if why:
                    section = "apart" if self.room.missed else "wrong_remedy"
                    self.fault(section, f"{why}: {self.guilt or self.cause()}")
                    return self.by_heart(goals[0])
            elif self.is_lost(goal, goals, mind, plan, move):
                return None
        self.fault("hanging", f"{self.room.view.phase}: {self.guilt or self.cause()}")
        return None

    def is_reached(self, goal: Position) -> bool:
        """Whether box and stacks are where they should be, and nothing is half pressed."""
        settled = self.is_settled() and not self.room.view.pressed
        return settled and (goal.over or self.table.is_like(goal))

    def do_shown(self, mind: Mind, plan: Plan) -> str:
        """Do the next of the steps shown, and say so with OK; '' or why they are no good."""
        steps = self.steps()
        if self.table.is_like(self.shown()) and not mind.followed:
            mind.waited += 1
            self.room.press("ok")  # it is so
        elif steps != mind.listed:
            mind.listed = steps
            self.room.wait(1.2)
        elif left := Counter(steps) - mind.done:
            mind.followed += 1
            return self.follow(next(step for step in steps if left[step]), plan, mind.done)
        else:
            mind.waited += 1
            self.room.press("ok")
        return "done, and still shown" if mind.waited > PATIENCE else ""

    def follow(self, step: Any, plan: Plan, done: Counter[Any]) -> str:
        """Do one step literally: a card off, or a card on; '' or why that cannot be done.

        Where a finger slipped or the box has not heard all, nobody touches what lies right.
        """
        heights, stack = self.table.heights, step.origin or step.target
        known = self.slipped or self.room.missed
        wrong = self.table.extra if step.origin else self.table.missing
        done[step] += 1
        if known and not wrong(self.shown())[stack]:
            return ""
        self.room.wait(plan.span(self.rates, "lift_to_put"))
        if step.origin is None:
            self.table.lay(stack)
            if self.sensing == "touch" and plan.rng.random() < 0.5:
                done[step] -= 1
                self.press(stack)
        elif not heights[stack]:
            return "no card lies there"
        else:
            heights[stack] -= 1
        return ""

    def is_lost(
        self,
        goal: Position | None,
        goals: list[Position],
        mind: Mind,
        plan: Plan,
        lay: Lay | None,
    ) -> bool:
        """No steps are shown: tell the box, or put right; True if all is in vain."""
        view = self.room.view
        mind.content += 1
        unheard = self.slipped or self.room.missed
        if view.phase == "ask" and view.title != "won":
            if lay is None or not self.choose(lay):
                self.figures.add("false_asks", f"{view.title}: {self.guilt or self.cause()}")
                self.room.press("ok")
        elif goal is None and view.phase in GAME_SHOWN:
            if mind.content > PATIENCE:
                section = "wrong_remedy" if mind.followed else "mistaken"
                self.fault(section, f"the game stands otherwise: {self.guilt or self.cause()}")
                return True
        elif goal is None or not self.is_settled():
            self.room.press("ok")
        elif lay is not None and goal is goals[-1] and (unheard or self.by_buttons):
            self.tell_again(goals[0], lay, plan)
        elif view.pressed:
            self.room.press("ok")
        elif unheard:
            self.room.note("# the cards go where the screen has them")
            self.table.set_up(goal)
        elif mind.content > PATIENCE:
            section = "wrong_remedy" if mind.followed else "mistaken"
            self.fault(section, f"heights differ: {self.guilt or self.cause()}")
            return True
        return False

    def tell_again(self, after: Position, lay: Lay, plan: Plan) -> None:
        """Not all was heard: the cards lie there, and the box is told of those it does not show."""
        self.table.set_up(after)
        if self.by_buttons or self.cuts.random() < 0.1:
            self.choose(lay)
        else:
            self.run(self.tell(list(self.game.stops(lay)), plan), plan)

    def by_heart(self, goal: Position) -> Position | None:
        """Somebody who knows how it was puts it right; None if the box does not see it."""
        self.table.set_up(goal)
        for _ in range(3):
            self.room.wait(1.5)
            if self.room.view.position == goal and self.is_reached(goal):
                self.checkpoint()
                return goal
            self.room.press("ok")
        self.fault("hanging", f"put right by heart, and not seen: {self.cause()}")
        return None

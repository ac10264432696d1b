"""Doing what the box says at the card game: steps literally, and told again what was not heard."""

from collections import Counter
from typing import Any

from companion.rules import Lay, Position
from companion.rules.cards import CardGame
from tests.people.acts import Act
from tests.people.looking import GAME_SHOWN, Mind
from tests.people.mat import Mat
from tests.people.plans import Plan
from tests.people.turns import Turns

PATIENCE = 4
"""How often they look at a box that wants nothing before they say that it is wrong."""


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

    def is_reached(self, goal: Position, goals: list[Position]) -> bool:
        """Whether box and stacks are where they should be, and nothing is half pressed."""
        settled = self.is_settled() and not self.room.view.pressed
        return settled and (goal.over or self.table.is_like(goal))

    def do_shown(self, steps: tuple[Any, ...], mind: Mind[Lay]) -> str:
        """Do the next of the steps shown, and say so with OK; '' or why they are no good."""
        if self.table.is_like(self.shown()) and not mind.followed:
            mind.waited += 1
            self.room.press("ok")  # it is so
        elif steps != mind.listed:
            mind.listed = steps
            self.room.wait(1.2)
        elif left := Counter(steps) - mind.untold:
            mind.followed += 1
            step = next(step for step in steps if left[step])
            return self.follow(step, mind.plan, mind.untold)
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

    def is_lost(self, goal: Position | None, mind: Mind[Lay]) -> bool:
        view, lay = self.room.view, mind.move
        mind.content += 1
        unheard = self.slipped or self.room.missed
        if view.phase == "ask" and view.title != "won":
            if lay is None or not self.choose(lay):
                self.figures.add("false_asks", f"{view.title}: {self.guilt or self.cause()}")
                self.room.press("ok")
        elif goal is None and view.phase in GAME_SHOWN:
            return self.loses_patience("the game stands otherwise", mind)
        elif goal is None or not self.is_settled():
            self.room.press("ok")
        elif lay is not None and goal is mind.goals[-1] and (unheard or self.by_buttons):
            self.tell_again(mind.goals[0], lay, mind.plan)
        elif view.pressed:
            self.room.press("ok")
        elif unheard:
            self.room.note("# the cards go where the screen has them")
            self.table.set_up(goal)
        else:
            return self.loses_patience("heights differ", mind)
        return False

    def loses_patience(self, why: str, mind: Mind[Lay]) -> bool:
        """Whether the box has wanted nothing for so long that it must be wrong."""
        if mind.content <= PATIENCE:
            return False
        section = "wrong_remedy" if mind.followed else "mistaken"
        self.fault(section, f"{why}: {self.guilt or self.cause()}")
        return True

    def tell_again(self, after: Position, lay: Lay, plan: Plan) -> None:
        """Not all was heard: the cards lie there, and the box is told of those it does not show."""
        self.table.set_up(after)
        if self.by_buttons or self.cuts.random() < 0.1:
            self.choose(lay)
        else:
            self.run(self.tell(list(self.game.stops(lay)), plan), plan)

    def why_hanging(self) -> str:
        return self.guilt or self.cause()

    def false_remedy(self, why: str, mind: Mind[Lay]) -> Position | None:
        section = "apart" if self.room.missed else "wrong_remedy"
        self.fault(section, f"{why}: {self.guilt or self.cause()}")
        return self.by_heart(mind.goals[0])

    def by_heart(self, goal: Position) -> Position | None:
        """Somebody who knows how it was puts it right; None if the box does not see it."""
        self.table.set_up(goal)
        for _ in range(3):
            self.room.wait(1.5)
            if self.room.view.position == goal and self.is_reached(goal, [goal]):
                self.checkpoint()
                return goal
            self.room.press("ok")
        self.fault("hanging", f"put right by heart, and not seen: {self.cause()}")
        return None

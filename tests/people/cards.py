"""An evening with the card game: real cards on real stacks, and what the box is told of them.

With buttons a finger presses a stack for each card that is laid on it; who takes a card off presses
nothing. Without buttons the cards are laid, and chosen on the box.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from companion.rules import Lay, Position, legal_moves, play
from tests.people.acts import MENDS, Act, Mark
from tests.people.card_following import CardFollowing
from tests.people.card_wrongs import Framing, Wrong, clauses, lays, parts, wrongs
from tests.people.mat import cards_in
from tests.people.plans import Plan
from tests.people.turns import ROLLS_WRONG

PATIENCE = 6.0
"""Seconds for which somebody who did something wrong waits to be told."""
SECOND = 0.2
"""Share of mistakes that are followed by another one before they are put right."""


class CardEvening(CardFollowing):
    """A game with cards."""

    called, undone = "lay", "the cards are taken off"

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.laid: list[str] = []
        """The cards that were laid with this roll, in their order."""

    def forget(self) -> None:
        super().forget()
        self.passed = None

    def turn(self, plan: Plan) -> None:
        boxed = self.boxed
        if plan.wrong and self.truth.opening is None and plan.rng.random() < 0.25:
            self.finish_before()
            self.wrong_before_roll(plan)
        self.get_roll(plan)
        found = self.moves(self.truth, plan.face)
        if not found:
            self.previous, self.passed = None, (self.truth, plan.face)
            self.truth = play(self.truth, legal_moves(self.truth, plan.face)[0])
            return
        self.passed = None
        if not (plan.wrong and self.wrong_after_roll(plan)):
            self.honest(plan, self.wished(plan, found) if boxed else found)

    # -- honest lays -----------------------------------------------------------------------

    def moves(self, position: Position, face: int) -> list[Lay]:
        return lays(position, face)

    def honest(self, plan: Plan, moves: list[Lay]) -> None:
        before, lay = self.truth, moves[int(plan.choice * len(moves))]
        self.room.note(f"# honest: {lay} {sorted(plan.odd)}")
        if plan.cut:
            self.room.cut_soon(plan.cut, plan.cut_at)
        made, after = self.make_honest(plan, lay), self.truth
        if made and "impatient" in plan.odd and not after.over:
            self.pending = plan, before, lay, after
            return
        self.finish(plan, before, lay, after, made)
        if plan.odd & {"take_back", "change_mind"} and not after.over:
            self.take_back(plan, before)

    def make(self, plan: Plan, before: Position, move: Lay) -> bool:
        cards, self.laid = list(self.game.stops(move)), []
        if self.sensing == "choose":
            self.doing = "chooses"
            for card in cards:
                self.lay(card)
            self.choose(move)
        else:
            self.run(self.press_lay(before, cards, plan), plan, heeds=plan.obeys)
        made = Counter(self.laid) == Counter(cards)
        if made:
            self.take_beaten(before, move, late=plan.capture == "late")
        return made

    def lay(self, card: str) -> None:
        self.table.lay(card)
        self.laid.append(card)

    def take_beaten(self, before: Position, lay: Lay, late: bool) -> None:
        """Beaten stacks go back to their players, at once or while the others play on."""
        after = play(before, lay)
        for stack in cards_in(before) - cards_in(after):
            self.table.beaten.add(stack)
            if late:
                wait = self.room.rng.uniform(2.0, 30.0)
                self.room.in_a_while(wait, lambda s=stack: self.table.clear(s), MENDS)  # type: ignore[misc]
            else:
                self.table.clear(stack)

    def press_lay(self, before: Position, cards: list[str], plan: Plan) -> Act:
        """Lay cards in any order, and press each stack."""
        rng, odd = plan.rng, plan.odd
        rng.shuffle(cards)
        slips = rng.randrange(len(cards))
        yield Mark("lays")
        if "other_first" in odd:
            yield from self.think_better(before, plan)
        for number, card in enumerate(cards):
            if number == slips and "touch_stray" in odd:
                others = [p.name for p in self.game.board.places if p.name[0] in self.letters]
                free = [one for one in others if not self.completes(before, plan.face, one)]
                yield from self.slip(rng.choice(free), "a finger slips", plan)
            if self.room.view.phase == "illegal" and self.slipped:
                return
            self.lay(card)
            self.press(card)
            twice = number == slips and "touch_twice" in odd
            if twice and not self.completes(before, plan.face, card):
                yield 0.3
                yield from self.slip(card, "presses twice", plan)
            yield plan.think if number == slips and plan.think else plan.span(self.rates, "tap")

    @property
    def letters(self) -> set[str]:
        """What the names of the stacks in this game begin with."""
        return {self.game.spot(seat, 1)[0] for seat in self.game.seats}

    def completes(self, before: Position, face: int, card: str) -> bool:
        """Whether one press more makes a legal lay of what lies: nobody could tell it from one."""
        found = [Counter(self.game.stops(lay)) for lay in lays(before, face)]
        return Counter([*self.laid, card]) in found

    def slip(self, stack: str, how: str, plan: Plan) -> Act:
        """A press that lays no card. Who sees it on the screen lets go of it with OK."""
        yield Mark(how, guilty=True)
        self.slipped = True
        self.press(stack)
        yield plan.span(self.rates, "tap")
        if self.room.view.phase == "move":
            yield Mark(f"after {how}")
            yield from self.tell(self.laid, plan)

    def think_better(self, before: Position, plan: Plan) -> Act:
        """Some cards of another legal lay are taken off again, and let go of with OK."""
        begun = parts(before, plan.face)
        if not begun:
            return
        yield Mark("thinks better of it")
        for card in plan.rng.choice(begun):
            self.lay(card)
            self.press(card)
            yield plan.span(self.rates, "tap")
        for card in self.laid:
            self.table.heights[card] -= 1
        self.laid.clear()
        yield plan.span(self.rates, "tap")
        if self.room.view.pressed and self.room.view.phase == "move":
            self.room.press("ok")
        yield plan.span(self.rates, "tap")

    def led_back(self, plan: Plan, made: bool) -> None:
        if made:
            self.fault("refused", self.cause())
        else:
            self.figures.add("turned", "led back after a STOP that was deserved")

    def put_as_before(self, plan: Plan, before: Position) -> Position | None:
        self.slipped = bool(self.table.beaten)  # these cards lie there still
        self.table.beaten.clear()
        if not self.steps() and not self.table.is_like(before):
            self.fault("wrong_remedy", "nobody says which cards go where: taken back")
        return self.make_good(plan, [before], [])

    # -- illegal acts ----------------------------------------------------------------------

    def wrong_before_roll(self, plan: Plan) -> None:
        """Somebody lays cards before the roll."""
        wrong = wrongs(self.truth, None, plan.rng)
        if self.sensing == "touch" and wrong is not None:
            self.do_wrong(wrong, plan, None)

    def wrong_after_roll(self, plan: Plan) -> bool:
        """Something illegal with a roll lying; True if a legal lay came of it in the end."""
        if plan.rng.random() < 0.1 or self.sensing == "choose":
            self.wrong_roll(plan)
            return False
        wrong = wrongs(self.truth, plan.face, plan.rng)
        if wrong is None or (wrong.rolls and self.boxed):
            return False  # who rolls though the box has rolled is told so, and nothing more
        if wrong.legal_first is not None:
            self.make_first(plan, wrong.legal_first)
            self.do_wrong(wrong, plan, None)
            return True
        return self.do_wrong(wrong, plan, plan.face)

    def do_wrong(self, wrong: Wrong, plan: Plan, face: int | None) -> bool:
        """Do it, wait for STOP, put it right; True if a legal lay came of it in the end."""
        before = self.truth
        found = lays(before, face) if face is not None else []
        cut = self.cut_in_wrong(plan)
        self.lay_wrong(wrong, plan, face)
        if plan.rng.random() < SECOND and not self.room.missed:
            second = wrongs(before, face, plan.rng)
            if second is not None and len(second.cards) == 1 and second.legal_first is None:
                second.kind = "a second mistake"
                if not second.rolls:
                    self.lay_wrong(second, plan, face, wrong.cards)
        self.cut_later(cut, plan)
        goals = [before, *(play(before, lay) for lay in found)]
        reached = self.wrong_over(self.make_good(plan, goals, found))
        if reached is before:
            return False
        self.turned(wrong.kind, plan.face, reached)
        return True

    def lay_wrong(
        self, wrong: Wrong, plan: Plan, face: int | None, before: Sequence[str] = ()
    ) -> None:
        """The hands of an illegal act, after other wrong cards, and what the box says to it."""
        self.begin_wrong(wrong.kind)
        self.doing = wrong.kind
        for card in wrong.cards:
            self.table.lay(card)
            self.press(card)
            self.room.wait(plan.span(self.rates, "tap"))
        if wrong.rolls:
            self.wait_till_heard()
            self.room.roll(plan.rng.randint(1, 6), plan.span(self.rates, "rolling"))
        framings: list[Framing] = [(self.truth, face, [*before, *wrong.cards])]
        if face is None and self.previous is not None:
            position, thrown, lay = self.previous
            framings.append((position, thrown, [*self.game.stops(lay), *wrong.cards]))
        if face is None and self.passed is not None:
            framings.append((*self.passed, wrong.cards))
        self.await_stop(wrong.kind, ROLLS_WRONG if wrong.rolls else clauses(framings))

    def await_stop(self, kind: str, fitting: set[str]) -> None:
        """Wait to be told; count whether it was heard, flagged, and with which clause."""
        released = self.wait_for_stop(self.room.now, PATIENCE)
        if not self.room.missed:
            self.judged(kind, released, fitting)
        elif not self.steps():
            self.fault("apart", f"not heard: {kind}")

    def told_of_roll(self, kind: str) -> None:
        self.await_stop(kind, ROLLS_WRONG)

    def make_good(self, plan: Plan, goals: list[Position], found: list[Lay]) -> Position | None:
        """What is shown, literally; or half of it and then otherwise, perhaps on to a legal lay."""
        if not self.steps():
            self.table.set_up(goals[0])  # nobody tells a box what it knows nothing of
        elif plan.half and not self.room.missed:
            return self.half(plan, goals, found)
        return self.cope(goals, plan)

    def half(self, plan: Plan, goals: list[Position], found: list[Lay]) -> Position | None:
        """Half of the steps, and then as one knows it was, or on to a legal lay."""
        self.figures.add("halves")
        steps = self.steps()
        for step in steps[: len(steps) // 2]:
            self.follow(step, plan, Counter())
        self.room.note("# half of it, and then otherwise")
        self.room.wait(plan.span(self.rates, "tap"))
        before, guilt = goals[0], self.guilt
        self.table.set_up(before)
        if not found or plan.rng.random() < 0.5:
            return self.cope(goals, plan)
        lay = plan.rng.choice(found)
        after = play(before, lay)
        self.make(Plan(plan.rng, plan.face, 0.0, "first"), before, lay)
        self.guilt = guilt
        return self.cope([after, before], plan, lay)

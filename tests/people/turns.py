"""A game, turn by turn: what people do with die and box, whatever it is that they move."""

from contextlib import AbstractContextManager, nullcontext
from random import Random

from companion.events import Command
from companion.rules import Pass, Position, legal_moves
from tests.people.looking import Looking, M
from tests.people.plans import Plan, draw
from tests.people.sitting import STEPS_SHOWN, StuckError, played

ROLLS_WRONG = {"O1", "O2"}
"""The clauses that fit a roll against the order."""


class Turns(Looking[M]):
    """One game. A turn is one roll and all that comes with it."""

    called = "move"
    """What people call what they make of a roll."""
    undone = "the move is put back"
    """What people call it when it is led back."""
    pending: tuple[Plan, Position, M, Position] | None = None
    """A move that is made, as planned, while nobody has looked yet whether the box took it."""
    previous: tuple[Position, int, M] | None = None
    """The move before: where it was made, with which roll."""
    passed: tuple[Position, int] | None = None
    """The roll before, if nothing could be made of it."""

    def play(self, most: int = 4000) -> int:
        """Play until it is over, or for so many rolls; how many honest moves were made."""
        args = {
            "sheet": self.game.sheet.id,
            "options": self.game.options,
            "seats": [self.game.colours[seat] for seat in self.game.seats],
            "box": self.room.box,
        }
        self.room.feed(Command("new_game", args))
        self.room.snapshot()
        self.room.wait(1.0)
        if self.room.view.phase == "setting":
            self.room.press("ok")
        before = self.figures.count["honest"], self.figures.count["stops"]
        unfair = self.figures.count["undeserved"]
        while not self.truth.over and self.turns < most:
            self.turns += 1
            self.figures.add("turns")
            self.one_turn()
        self.figures.add("games")
        if len(self.game.players) == 4 and self.truth.over:
            self.figures.add("four")
            stops = self.figures.count["stops"] - before[1]
            self.figures.four.append((stops, self.figures.count["undeserved"] - unfair))
        return self.figures.count["honest"] - before[0]

    def one_turn(self) -> None:
        """One turn; who gets stuck sets everything up again as it really stands."""
        self.plan = draw(f"{self.seed} {self.turns}", self.rates)
        self.doing = "nothing"
        self.room.rng = Random(f"{self.seed} {self.turns} wires")
        self.cuts = Random(f"{self.seed} {self.turns} cuts")
        self.goes_on = self.cuts.random() < 0.5
        if self.sensing == "choose" and self.plan.cut == "cable":
            self.plan.cut = ""  # there is none
        self.open_window()
        try:
            self.turn(self.plan)
        except StuckError:
            self.guilty("")
            self.forget()
            self.room.stand(self.truth)
            self.checkpoint()
        self.room.no_cut()

    def turn(self, plan: Plan) -> None:
        """One roll, and what is made of it."""
        raise NotImplementedError

    def forget(self) -> None:
        """Nobody knows any longer what was half done."""
        self.pending = self.previous = None

    # -- moves -----------------------------------------------------------------------------

    def moves(self, position: Position, face: int) -> list[M]:
        """What may be moved with a roll."""
        raise NotImplementedError

    def honest(self, plan: Plan, moves: list[M]) -> None:
        """One of the legal moves, with all the odd things of the plan."""
        raise NotImplementedError

    def make(self, plan: Plan, before: Position, move: M) -> bool:
        """Make a legal move, and tell the box; False if a STOP kept people from it."""
        raise NotImplementedError

    def make_honest(self, plan: Plan, move: M) -> bool:
        """Make an honest move, which counts from now on; False if a STOP kept people from it."""
        before = self.truth
        made = self.make(plan, before, move)
        self.figures.add("honest")
        self.truth, self.previous = played(before, move), (before, plan.face, move)
        return made

    def make_first(self, plan: Plan, move: M) -> None:
        """A legal move before what is too much, with or without a look at the box."""
        before, plain = self.truth, Plan(plan.rng, plan.face, 0.0, "first")
        made = self.make_honest(plain, move)
        if plan.rng.random() < 0.5 or self.room.missed:
            self.finish(plain, before, move, self.truth, made)

    def finish(
        self, plan: Plan, before: Position, move: M, after: Position, made: bool = True
    ) -> None:
        """The box has to see the move so, sooner or later; `made` if nothing kept hands from it."""
        for _ in range(4):
            reached = self.cope([after, before], plan, move)
            if reached is after:
                return
            if reached is None:
                raise StuckError
            self.led_back(plan, made)
            self.doing = f"{self.called}s again"
            made = self.make(Plan(plan.rng, plan.face, 0.0, "first"), before, move)
        self.fault("hanging", f"{self.undone} again and again: {self.cause()}")
        raise StuckError

    def led_back(self, plan: Plan, made: bool) -> None:
        """The box had an honest move put back: count whether it had a reason."""
        raise NotImplementedError

    def finish_before(self) -> None:
        """Whoever was in a hurry waits until the move before is done."""
        if self.pending is not None:
            plan, before, move, after = self.pending
            self.pending = None
            self.finish(plan, before, move, after)

    def take_back(self, plan: Plan, before: Position) -> None:
        """From the menu: the last move is taken back, the table follows, and another is made."""
        room = self.room
        if room.view.phase not in ("roll", "opening"):
            return
        self.doing = "taken back from the menu"
        if not self.take_it_back():
            return
        if room.missed and room.view.position != before:
            self.look()  # the power failed before it was taken back, and people do it again
            if room.view.position != before:
                self.take_it_back()
        if room.view.position != before:
            self.fault("hanging", f"take back did not take the last {self.called} back")
            raise StuckError
        self.truth = before
        if self.put_as_before(plan, before) is None:
            raise StuckError
        self.previous = None
        face = room.view.face
        if face is not None:
            again = Plan(plan.rng, face, plan.choice, "first")
            self.honest(again, self.moves(before, face))

    def put_as_before(self, plan: Plan, before: Position) -> Position | None:
        """A move was taken back from the menu: the table follows, as the box shows it."""
        raise NotImplementedError

    @property
    def boxed(self) -> bool:
        """Whether a player of the box has the turn."""
        own = next(player for player in self.game.players if self.truth.seat in player)
        return any(self.game.colours[seat] in self.room.box for seat in own)

    # -- the box's players -------------------------------------------------------------------

    def wait_for_box(self, plan: Plan) -> None:
        """The box rolls for itself, once everything is right and nobody is at the board."""
        room = self.room
        self.doing = "the box is to roll"
        self.finish_before()
        for _ in range(60):
            if room.power and room.cable and room.to_draw is not None:
                room.draw(plan.face)
                if self.counted(plan.face):
                    return
            if room.view.title == "won":
                room.press("ok")  # the others play on
            if not self.is_settled() and self.cope([self.truth], plan) is None:
                raise StuckError
            room.wait(1.0)
        self.fault("hanging", f"the box does not roll: {self.cause()}")
        raise StuckError

    def wished(self, plan: Plan, moves: list[M]) -> list[M]:
        """What the box wants moved; now and then a hand makes another legal move for it."""
        for _ in range(20):
            wish = self.room.view.wish
            if wish is not None and not isinstance(wish, Pass):
                others = [one for one in moves if one != wish]
                odd = others and plan.rng.random() < 0.1
                self.figures.add("boxed", "another move" if odd else "as it wants")
                return others if odd else [one for one in moves if one == wish]
            self.room.wait(0.5)
        self.fault("hanging", f"the box does not say what it wants: {self.cause()}")
        raise StuckError

    # -- rolling ---------------------------------------------------------------------------

    def get_roll(self, plan: Plan) -> None:
        """Somebody rolls; for its own players mostly the box does."""
        if self.boxed and plan.rng.random() < 0.8:
            self.wait_for_box(plan)
        else:
            self.throw(plan)

    def throw(self, plan: Plan) -> None:
        """Roll until it counts."""
        hurry, room = self.pending is not None, self.room
        room.wait(plan.rng.uniform(0.05, 0.5) if hurry else plan.span(self.rates, "before_roll"))
        for tries in range(6):
            self.wait_till_heard()
            if not hurry or tries or room.missed:
                self.finish_before()
                if not self.is_ready(plan):
                    raise StuckError
            self.doing = self.rolls_how("impatient roll" if hurry else "roll")
            room.roll(plan.face, plan.span(self.rates, "rolling"))
            if self.counted(plan.face):
                self.pending = None
                if self.table.is_like(self.truth):
                    self.checkpoint()  # with the roll everybody stands by it
                return
            self.figures.add("rolls_lost", self.cause())
            self.not_counted(plan)
        self.fault("hanging", "a roll is never counted")
        raise StuckError

    def wait_till_heard(self) -> None:
        """Nobody rolls while they see that the box is off, or hears nothing."""
        while not (self.room.power and self.room.cable):
            self.room.wait(1.0)

    def is_ready(self, plan: Plan) -> bool:
        """Whether all is right before the roll, or has been put right now."""
        return self.cope([self.truth], plan) is not None

    def rolls_how(self, how: str) -> str:
        """How somebody rolls, in words."""
        return how

    def not_counted(self, plan: Plan) -> None:
        """A roll has to be made again."""

    def counted(self, face: int) -> bool:
        """Whether the box took the roll."""
        view = self.room.view
        if view.position == self.truth:
            return view.face == face
        passed = legal_moves(self.truth, face)
        return isinstance(passed[0], Pass) and view.position == played(self.truth, passed[0])

    # -- doing something illegal -----------------------------------------------------------

    def begin_wrong(self, kind: str) -> None:
        self.figures.add("wrongs", kind)
        self.room.note(f"# ILLEGAL: {kind}")
        self.guilty(kind)
        self.stopped_at = None

    def cut_in_wrong(self, plan: Plan) -> str:
        """Now and then the cable or the power fails in the act, or later while it is put right."""
        rng = plan.rng if self.sensing == "presence" else self.cuts
        if rng.random() >= self.rates["cut_in_wrong"]:
            return ""
        if rng.random() < 0.5:
            self.room.cut_soon(rng.choice(("cable", "power")), rng.randint(1, 3))
            return "now"
        return "later"

    def cut_later(self, cut: str, plan: Plan) -> None:
        """The cable or the power fails while an illegal act is put right, if so drawn."""
        if cut == "later":
            self.room.cut_soon(plan.rng.choice(("cable", "power")), plan.rng.randint(1, 3))

    def wrong_over(self, reached: Position | None) -> Position:
        """An illegal act is over; who could not put it right is stuck."""
        self.guilty("")
        if reached is None:
            raise StuckError
        return reached

    def turned(self, kind: str, face: int, reached: Position) -> None:
        """A legal move came of an illegal act in the end: it counts."""
        self.figures.add("turned", kind)
        before = self.truth
        made = next(one for one in self.moves(before, face) if played(before, one) == reached)
        self.truth, self.previous = reached, (before, face, made)

    def wrong_roll(self, plan: Plan) -> None:
        """A second roll before the first is played, or a roll of somebody else."""
        rng, kinds = plan.rng, self.wrong_rolls(plan)
        if self.boxed or not kinds:
            return  # who rolls though the box has rolled is told so, and nothing more
        kind = rng.choice(kinds)
        self.begin_wrong(kind)
        others = [seat for seat in self.game.order if seat != self.truth.seat]
        by, face = self.game.colours[rng.choice(others)], rng.randint(1, 6)
        with self.hands_at_wrong_roll(kind, plan):
            self.wait_till_heard()
            if kind == "rolls out of turn":
                self.room.feed(Command("roll", {"face": face, "by": by}))
            else:
                self.room.roll(face, plan.span(self.rates, "rolling"))
            self.told_of_roll(kind)
            self.room.wait(rng.uniform(0.5, 3.0))
        self.guilty("")
        if self.room.view.position != self.truth or self.room.view.face != plan.face:
            self.fault("mistaken", f"the game changed: {kind}")
            raise StuckError

    def wrong_rolls(self, plan: Plan) -> list[str]:
        """How somebody may roll against the order now."""
        return ["rolls twice", "rolls out of turn"]

    def hands_at_wrong_roll(self, kind: str, plan: Plan) -> AbstractContextManager[None]:
        """What hands do meanwhile."""
        return nullcontext()

    def told_of_roll(self, kind: str) -> None:
        """Count what the box says to a roll against the order."""
        raise NotImplementedError

    # -- what the box says to it -----------------------------------------------------------

    def wait_for_stop(self, released: float, patience: float) -> float:
        """Wait to be told; since when the box could have said it, were it not off."""
        room = self.room
        while room.now - released < patience and room.view.phase not in STEPS_SHOWN:
            room.wait(0.25)
            if not (room.power and room.cable):
                released = room.now
        return released

    def judged(self, kind: str, released: float, fitting: set[str], push: bool = False) -> None:
        """Count whether the box said STOP to what it could see, when, and with which clause.

        What a `push` of a sleeve could have done too may be a hint.
        """
        self.figures.add("visible")
        view = self.room.view
        if view.phase == "restore" and self.steps():
            self.figures.add("guided", kind)  # after a power cut all is guided back
        elif view.phase != "illegal":
            self.not_flagged(kind, push)
        else:
            self.figures.add("flagged")
            self.figures.times.append(max(0.0, (self.stopped_at or self.room.now) - released))
            said = {refusal.clause for refusal in view.refusals}
            if not said & fitting:
                self.wrong_clause(kind, said, fitting)

    def not_flagged(self, kind: str, push: bool) -> None:
        """The box did not say STOP to an illegal act."""
        self.fault("unflagged", kind)

    def wrong_clause(self, kind: str, said: set[str], fitting: set[str]) -> None:
        """The box said STOP, with clauses that do not fit."""
        slips = " ".join(f"{r.clause} {r.slip}" for r in self.room.view.refusals)
        self.fault("clause_wrong", f"{kind}: {slips} instead of {' '.join(sorted(fitting))}")

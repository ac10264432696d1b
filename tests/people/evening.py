"""A whole game by simulated people against a referee, and what came of it.

The evening knows the truth: how the game really stands, which colours stand where, and whether
anybody did something illegal. The referee hears only its events.
"""

from companion.rules import Move, Pass, Position, legal_moves, play
from tests.people.acts import HOLDS, deed_of
from tests.people.plans import Plan
from tests.people.sitting import StuckError, played
from tests.people.table import BESIDE, Hop
from tests.people.wrongdoing import Wrongdoing


class Evening(Wrongdoing):
    """A game with pieces on a board."""

    def turn(self, plan: Plan) -> None:
        if self.truth.due is not None:
            self.bonus(plan, self.truth.due)
            return
        in_opening = self.truth.opening is not None
        boxed = self.boxed
        if boxed:
            plan.odd -= {"early_hand"}
        if plan.wrong and not in_opening and plan.rng.random() < 0.25:
            self.finish_before()
            if self.wrong_before_roll(plan):
                return  # perhaps it is somebody else's turn now
        if "early_hand" in plan.odd and not in_opening and self.sensing == "presence":
            if plan.rng.random() < 0.5:
                self.finish_before()  # or else while the other still finishes
            self.take_early(plan)
        self.get_roll(plan)
        self.passed = None
        legal = legal_moves(self.truth, plan.face)
        moves = self.moves(self.truth, plan.face)
        if not moves:
            self.previous, self.passed = None, (self.truth, plan.face)
            self.truth = played(self.truth, legal[0])
            self.put_back_early(plan)
            return
        if plan.wrong and self.wrong_after_roll(plan):
            return
        if len(moves) < len(legal) and plan.choice < 0.3 and self.early is None:
            self.choose_pass(plan, next(one for one in legal if isinstance(one, Pass)))
            return
        self.honest(plan, self.wished(plan, moves) if boxed else moves)

    # -- the box's players -------------------------------------------------------------------

    def bonus(self, plan: Plan, due: int) -> None:
        """Squares are owed: nobody rolls, somebody moves."""
        self.finish_before()
        self.passed, plan.face = None, due
        self.doing = "bonus"
        self.room.wait(plan.span(self.rates, "before_roll"))
        if self.cope([self.truth], plan) is None:
            raise StuckError
        if self.room.view.face != due:
            self.fault("hanging", "the box does not wait for the squares that are owed")
            raise StuckError
        moves = self.moves(self.truth, due)
        if not (plan.wrong and self.wrong_after_roll(plan)):
            self.honest(plan, moves)

    def wait_for_box(self, plan: Plan) -> None:
        self.hands.current = None
        super().wait_for_box(plan)

    # -- rolling ---------------------------------------------------------------------------

    def throw(self, plan: Plan) -> None:
        self.hands.current = None
        super().throw(plan)

    def is_ready(self, plan: Plan) -> bool:
        return self.early is not None or super().is_ready(plan)

    def rolls_how(self, how: str) -> str:
        return how if self.early is None else "roll with a piece in the hand"

    def not_counted(self, plan: Plan) -> None:
        self.put_back_early(plan)

    def take_early(self, plan: Plan) -> None:
        """Whose turn it is takes a piece into the hand before rolling."""
        game = self.game
        own = [piece for piece in self.truth.pieces[self.truth.seat] if piece >= 0]
        own = [piece for piece in own if piece < game.arrived]
        colour = game.colours[self.truth.seat]
        spots = [game.spot(self.truth.seat, piece) for piece in own]
        spots = [spot for spot in spots if self.table.taken(spot, colour)]
        if spots:
            spot = plan.rng.choice(spots)
            self.doing = "piece in the hand before rolling"
            self.hands.take(spot, colour)
            self.early = Hop(colour, spot, spot)
            self.room.wait(plan.rng.uniform(0.5, 8.0))

    def put_back_early(self, plan: Plan) -> None:
        if self.early is not None:
            self.room.wait(plan.rng.uniform(0.3, 1.0))
            self.hands.set_down(self.early.origin, self.early.colour)
            self.early = None
            self.room.wait(0.8)

    # -- honest moves ----------------------------------------------------------------------

    def honest(self, plan: Plan, moves: list[Move]) -> None:
        """One of the legal moves, with all the odd things of the plan."""
        before, self.began, self.misread = self.truth, self.room.now, False
        while self.room.is_coming(HOLDS):  # who was too early puts the piece back first
            self.room.wait(0.2)
        if self.early is not None:
            fits = [one for one in moves if self.game.stops(one)[0] == self.early.origin]
            if fits:
                moves, plan.in_hand, self.early = fits, True, None
            else:
                self.put_back_early(plan)
        move = moves[int(plan.choice * len(moves))]
        self.room.note(f"# honest: {self.game.move_text(move)} {sorted(plan.odd)} {plan.capture}")
        if plan.cut:
            self.room.cut_soon(plan.cut, plan.cut_at)
        if "change_mind" in plan.odd and len(moves) > 1 and not plan.in_hand:
            self.change_mind(plan, [one for one in moves if one != move])
        self.straighten_mover(plan, before, move)
        complete = self.make_honest(plan, move)
        late = bool(self.table.away[BESIDE]) and plan.capture == "late"
        after, owed = self.truth, deed_of(before, move).penalty
        if complete and (late or "impatient" in plan.odd) and not (after.over or owed):
            self.pending = plan, before, move, after
            return
        self.finish(plan, before, move, after, complete)
        if "take_back" in plan.odd and not after.over:
            self.take_back(plan, before)

    def change_mind(self, plan: Plan, others: list[Move]) -> None:
        """Another legal move first; it is moved back by hand."""
        before = self.truth
        other = plan.rng.choice(others)
        deed = deed_of(before, other)
        then = play(before, other)
        if deed.penalty or deed.touched or then.over or then.owed:
            return  # what has earned squares is taken back from the menu
        plain = Plan(plan.rng, plan.face, 0.0, plan.capture if plan.capture != "late" else "last")
        self.room.note(f"# changes the mind after {self.game.move_text(other)}")
        if self.sensing == "choose":
            return
        self.make(plain, before, other)
        self.room.wait(plan.rng.uniform(0.3, 3.0))
        for _ in range(8):
            self.as_shown(then, before, plan)
            self.doing = "moves back"
            self.run(self.put_back(before, plan), plan)
            self.room.wait(plan.rng.uniform(0.6, 2.0))
            if not self.room.missed:
                break

    def as_shown(self, then: Position, before: Position, plan: Plan) -> None:
        """Who was not heard looks at the screen, and has the pieces as it shows them."""
        if not self.room.missed:
            return
        self.look()
        if self.shown() == then:
            self.table.set_up(then)
        if self.cope([before, then], plan) is None:
            raise StuckError

    def put_as_before(self, plan: Plan, before: Position) -> Position | None:
        if plan.half:
            self.half(plan, [before])
        return self.cope([before], plan)

    def choose_pass(self, plan: Plan, wanted: Pass) -> None:
        """Only splits are left: the player passes, with the buttons."""
        before, after = self.truth, played(self.truth, wanted)
        self.doing = "passes"
        self.put_back_early(plan)
        self.truth, self.previous, self.passed = after, None, (before, plan.face)
        self.room.wait(1.0)
        for _ in range(4):
            if self.room.view.position == after:
                break
            if self.room.view.phase == "illegal" and not self.steps():
                self.room.press("ok")  # only a roll was refused: that has been read
            if self.room.view.phase == "move" and self.sensing == "presence":
                self.room.press("ok")
            if self.room.view.phase in ("move", "ask"):
                self.choose(wanted)
            self.room.wait(1.0)
        if self.cope([after, before], plan) is not after:
            self.fault("hanging", "a pass is not taken")
            raise StuckError

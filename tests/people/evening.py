"""A whole game by simulated people against a referee, and what came of it.

The evening knows the truth: how the game really stands, which colours stand where, and whether
anybody did something illegal. The referee hears only its events.
"""

from random import Random

from companion.events import Command
from companion.rules import Move, Pass, Position, legal_moves, play
from tests.people.acts import HOLDS, deed_of
from tests.people.plans import Plan, draw
from tests.people.sitting import StuckError, played
from tests.people.table import BESIDE, Hop
from tests.people.wrongdoing import Wrongdoing


class Evening(Wrongdoing):
    """One game. A turn is one roll and all that comes with it."""

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
            self.early = self.pending = self.previous = None
            self.hands.pushed.clear()
            self.room.stand(self.truth)
            self.checkpoint()
        self.room.no_cut()

    @property
    def boxed(self) -> bool:
        """Whether a player of the box has the turn."""
        own = next(player for player in self.game.players if self.truth.seat in player)
        return any(self.game.colours[seat] in self.room.box for seat in own)

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
        if boxed and plan.rng.random() < 0.8:
            self.wait_for_box(plan)
        else:
            self.throw(plan)
        self.passed = None
        legal = legal_moves(self.truth, plan.face)
        moves = [move for move in legal if isinstance(move, Move)]
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

    def wrong_roll(self, plan: Plan) -> None:
        """Who rolls though the box has rolled is told so, and nothing more."""
        if not self.boxed:
            super().wrong_roll(plan)

    def wait_for_box(self, plan: Plan) -> None:
        """The box rolls for itself, once everything is right and nobody is at the board."""
        room = self.room
        self.hands.current, self.doing = None, "the box is to roll"
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

    def wished(self, plan: Plan, moves: list[Move]) -> list[Move]:
        """What the box wants moved; now and then a hand makes another legal move for it."""
        for _ in range(20):
            wish = self.room.view.wish
            if isinstance(wish, Move):
                others = [one for one in moves if one != wish]
                odd = others and plan.rng.random() < 0.1
                self.figures.add("boxed", "another move" if odd else "as it wants")
                return others if odd else [wish]
            self.room.wait(0.5)
        self.fault("hanging", f"the box does not say what it wants: {self.cause()}")
        raise StuckError

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
        legal = legal_moves(self.truth, due)
        if not (plan.wrong and self.wrong_after_roll(plan)):
            self.honest(plan, [move for move in legal if isinstance(move, Move)])

    # -- rolling ---------------------------------------------------------------------------

    def throw(self, plan: Plan) -> None:
        """Roll until it counts."""
        hurry, room = self.pending is not None, self.room
        self.hands.current = None
        room.wait(plan.rng.uniform(0.05, 0.5) if hurry else plan.span(self.rates, "before_roll"))
        for tries in range(6):
            while not (room.power and room.cable):
                room.wait(1.0)  # everybody sees that the box is not with them
            if not hurry or tries or room.missed:
                self.finish_before()
                if self.early is None and self.cope([self.truth], plan) is None:
                    raise StuckError
            self.doing = "impatient roll" if hurry else "roll"
            if self.early is not None:
                self.doing = "roll with a piece in the hand"
            room.roll(plan.face, plan.span(self.rates, "rolling"))
            if self.counted(plan.face):
                self.pending = None
                if self.table.is_like(self.truth):
                    self.checkpoint()  # with the roll everybody stands by it
                return
            self.figures.add("rolls_lost", self.cause())
            self.put_back_early(plan)
        self.fault("hanging", "a roll is never counted")
        raise StuckError

    def counted(self, face: int) -> bool:
        """Whether the box took the roll."""
        view = self.room.view
        if view.position == self.truth:
            return view.face == face
        passed = legal_moves(self.truth, face)
        return isinstance(passed[0], Pass) and view.position == played(self.truth, passed[0])

    def finish_before(self) -> None:
        """Whoever was in a hurry waits until the move before is done."""
        if self.pending is not None:
            plan, before, move, after = self.pending
            self.pending = None
            self.finish(plan, before, move, after)

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
        after = played(before, move)
        self.room.note(f"# honest: {self.game.move_text(move)} {sorted(plan.odd)} {plan.capture}")
        if plan.cut:
            self.room.cut_soon(plan.cut, plan.cut_at)
        if "change_mind" in plan.odd and len(moves) > 1 and not plan.in_hand:
            self.change_mind(plan, [one for one in moves if one != move])
        self.straighten_mover(plan, before, move)
        complete = self.make(plan, before, move)
        self.figures.add("honest")
        self.truth, self.previous = after, (before, plan.face, move)
        late = bool(self.table.away[BESIDE]) and plan.capture == "late"
        owed = deed_of(before, move).penalty
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

    def take_back(self, plan: Plan, before: Position) -> None:
        """From the menu: the move just made is taken back, and the pieces follow what is shown."""
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
            self.fault("hanging", "take back did not take the last move back")
            raise StuckError
        self.truth = before
        if plan.half:
            self.half(plan, [before])
        if self.cope([before], plan) is None:
            raise StuckError
        self.previous = None
        face = room.view.face
        if face is None:
            return
        moves = [one for one in legal_moves(before, face) if isinstance(one, Move)]
        again = Plan(plan.rng, face, plan.choice, "first")
        self.honest(again, moves)

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

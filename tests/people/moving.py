"""Making a legal move with hands, fingers or buttons, as the table senses it."""

from collections.abc import Iterable
from itertools import groupby

from companion.rules import Move, Position, play
from tests.people.acts import HOLDS, MENDS, Act, Deed, Mark, deed_of
from tests.people.pieces import Pieces
from tests.people.plans import Plan
from tests.people.sitting import played
from tests.people.table import Hop, hops_back, in_free_order, the_short_way


class Moving(Pieces):
    """Whoever sits here can make a move."""

    def make(self, plan: Plan, before: Position, move: Move) -> bool:
        """Hands, fingers or buttons make a legal move; False if a STOP kept them from it."""
        deed, self.heeded = deed_of(before, move), self.room.view.notice
        if self.sensing == "choose":
            self.doing = "chooses"
            self.table.set_up(play(before, move))
            return self.choose(move)
        if self.sensing == "touch":
            return self.run(self.press_move(before, deed, plan), plan, heeds=plan.obeys)
        barred = self.barred(before, plan.face)
        return self.run(self.hands.move(before, deed, plan, barred), plan, heeds=plan.obeys)

    def straighten_mover(self, plan: Plan, before: Position, move: Move) -> None:
        """Who is to be moved and was pushed aside goes back to its square first.

        So does who was pushed onto a square of the move: nobody sets a piece on top of it. Who has
        moved since, and stands there rightly, stays.
        """
        if plan.in_hand:
            return
        spots = deed_of(before, move).spots
        origin = deed_of(before, move).mover[0].origin
        colour = self.game.colours[move.seat]
        while not self.table.taken(origin, colour) and self.room.is_coming(HOLDS, MENDS):
            self.room.wait(1.0)  # it fell off the table, and is looked for
        astray = self.table.extra(before)
        pushed = [one for one in self.hands.pushed if (one.target, one.colour) in astray]
        for hop in [one for one in pushed if {one.origin, one.target} & spots]:
            if self.hands.is_pushed() and hop in self.hands.pushed:
                self.hands.straighten(hop.target, hop.origin, hop.colour)
                self.room.wait(plan.rng.uniform(0.8, 1.5))

    def put_back(self, position: Position, plan: Plan) -> Act:
        """All pieces as they are in a position, by hand or with fingers."""
        hops = hops_back(self.table, position)
        if self.room.missed:
            return self.put_silently(position)
        if self.sensing == "touch":
            short = the_short_way(hops, self.game)
            return self.press_hops(in_free_order(short, self.table), plan)
        return self.put_all_back(hops, position, plan)

    def put_silently(self, position: Position) -> Act:
        """Nobody presses what the box knows nothing of."""
        self.room.note("# the pieces are put back, and not pressed")
        self.table.set_up(position)
        yield 1.0

    def put_all_back(self, hops: list[Hop], position: Position, plan: Plan) -> Act:
        """Who finds nothing beside the board any longer, since somebody has put it down elsewhere
        meanwhile, takes it from there."""
        yield from self.hands.put_right(hops, plan)
        yield from self.hands.put_right(hops_back(self.table, position), plan)

    # -- fingers ---------------------------------------------------------------------------

    def tap_spot(self, spot: str, colour: str | None = None) -> None:
        """A finger presses where a piece stands, or where it goes."""
        taken = self.table.taken(spot, colour) if colour else None
        self.room.tap(taken or self.table.free(spot))

    def press_hops(self, hops: Iterable[Hop], plan: Plan) -> Act:
        """Pieces are moved, and their places pressed: from, to; of a pair only once.

        Whoever sees that the box did not hear it looks at the screen before going on.
        """
        for hop, same in groupby(hops):
            if self.room.missed:
                return
            pieces = list(same)
            if hop.origin:
                self.tap_spot(hop.origin, hop.colour)
                for _ in pieces:
                    self.hands.take(hop.origin, hop.colour)
                yield plan.span(self.rates, "tap")
            self.tap_spot(hop.target)
            for _ in pieces:
                where = self.table.where_away(hop.colour)
                if where is not None:
                    self.table.put(self.table.free(hop.target), hop.colour, where[0])
            yield plan.span(self.rates, "tap")

    def let_go_if_missed(self) -> Act:
        """Half of what was pressed may have been heard: that is let go of."""
        if self.room.missed:
            while not (self.room.power and self.room.cable):
                yield 1.0
            if self.room.view.pressed:
                self.room.press("ok")

    def press_move(self, before: Position, deed: Deed, plan: Plan) -> Act:
        """Press where from, press where to; a captured piece may be pressed home too.

        The target is pressed first only where that is no legal move: nobody could tell it from one.
        """
        odd, rng = plan.odd, plan.rng
        stops = [self.game.stops(move) for move in self.moves(before, plan.face)]
        presses = {deed.mover[0].origin, deed.mover[0].target, *(v.origin for v in deed.victims)}
        meant = {origin for origin, target in stops if target in presses}
        yield Mark("presses")
        if "other_first" in odd:
            own = [self.game.spot(deed.move.seat, p) for p in before.pieces[deed.move.seat]]
            others = sorted(set(own) - meant - {deed.mover[0].origin, deed.mover[0].target})
            if others:
                yield Mark("presses another own piece first")
                self.slipped = True
                self.tap_spot(rng.choice(others), deed.mover[0].colour)
                yield plan.span(self.rates, "tap") * rng.choice((1, 3))
        if "touch_stray" in odd:
            yield Mark("a finger slips", guilty=True)
            self.slipped = True
            # With another press a slip may make a legal move: nobody could tell that from one.
            made = {target for origin, target in stops if origin in self.room.view.pressed}
            moves = made | (meant - {deed.mover[0].origin})
            spot_of = self.table.ground.spot_of
            self.room.tap(rng.choice(sorted(p for p, spot in spot_of.items() if spot not in moves)))
            yield plan.span(self.rates, "tap")
        if plan.capture == "first":
            yield from self.press_hops(deed.victims, plan)
            yield from self.let_go_if_missed()
        if self.room.view.position == played(before, deed.move):
            self.table.set_up(played(before, deed.move))  # the box has it already
            return
        hop = deed.mover[0]
        aim = deed.touched or hop.target
        if "touch_target_first" in odd and (aim, hop.origin) not in stops:
            yield Mark("presses the target first", guilty=True)
            self.slipped = True
            self.tap_spot(aim)
            yield plan.span(self.rates, "tap")
            self.tap_spot(hop.origin, hop.colour)
            yield rng.uniform(0.5, 3.0)
        yield Mark("presses")
        self.tap_spot(hop.origin, hop.colour)
        if "touch_twice" in odd:
            yield 0.3
            self.tap_spot(hop.origin, hop.colour)
            yield 0.3
            self.tap_spot(hop.origin, hop.colour)
        yield plan.think or plan.span(self.rates, "tap")
        on_square = self.table.taken(aim) if deed.victims else None
        self.room.tap(on_square or self.table.free(aim))
        for one in deed.mover:
            self.hands.take(one.origin, one.colour)
            self.hands.set_down(one.target, one.colour)
        yield plan.span(self.rates, "tap")
        if plan.capture in ("last", "meanwhile"):
            yield from self.press_hops(deed.victims, plan)
        for victim in deed.victims:  # whoever is not home yet goes there, and nobody presses it
            self.hands.take(victim.origin, victim.colour)
            self.hands.set_down(victim.target, victim.colour)

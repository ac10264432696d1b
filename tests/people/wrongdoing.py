"""Doing something illegal, waiting for STOP, and making it good again."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from companion.events import Reading
from companion.rules import Move, Position, outcome
from companion.rules.boards import BASE
from tests.people import twins
from tests.people.acts import Act, Deed, deed_of
from tests.people.following import Following, said_colour
from tests.people.plans import Plan
from tests.people.sitting import lost_squares, played
from tests.people.table import BESIDE, Hop, colours_in
from tests.people.turns import ROLLS_WRONG
from tests.people.wrongs import (
    Wrong,
    clauses,
    lawful_boards,
    like_a_push,
    sensed,
    stands_wrong,
    wrongs,
)

PATIENCE = 12.0
"""Seconds for which somebody who did something wrong waits to be told."""

IN_THE_AIR = "rolls while a piece is in the air"

Framing = tuple[Position, int | None, list[Hop]]
"""An attempt as `judge` may be asked about it: the position, the roll, the hops."""


def pressed_by(wrong: Wrong) -> list[Hop]:
    """The hops of an illegal act that fingers press, in their order."""
    victims = [wrong.victim] if wrong.victim is not None and wrong.style == "first" else []
    return [*victims, *wrong.hops]


class Wrongdoing(Following):
    """Children, cheats, and people who count badly."""

    twins_at_stop: frozenset[str] = frozenset()
    """The clauses for which readings spoke when the box said STOP, perhaps amid an act."""

    def wrong_before_roll(self, plan: Plan) -> bool:
        """Somebody moves before the roll; True if the last move was changed by it in the end."""
        if self.sensing == "choose":
            return False
        wrong = wrongs(self.truth, None, plan.rng)
        if wrong is None or self.says_home(wrong):
            return False
        changed = self.changes_last(wrong)
        return self.do_change(wrong, plan, changed) if changed else self.do_wrong(wrong, plan, None)

    def changes_last(self, wrong: Wrong) -> Move | None:
        """The move that fingers make of the last one: of a pair, say, only one goes, but further.

        Anybody may change a move before the next roll, and no press tells that from a second one.
        """
        if self.sensing != "touch" or self.previous is None or len(pressed_by(wrong)) != 1:
            return None
        position, face, move = self.previous
        (began, ended), hop = self.game.stops(move), wrong.hops[0]
        others = (one for one in self.moves(position, face) if one != move)
        stops = {self.game.stops(one): one for one in others}
        return stops.get((began, hop.target)) if hop.origin == ended else None

    def do_change(self, wrong: Wrong, plan: Plan, changed: Move) -> bool:
        """An illegal act that looks like changing the last move: to the end, as the box sees it."""
        assert self.previous is not None
        before, (position, face, _) = self.truth, self.previous
        after = played(position, changed)
        self.begin_wrong(wrong.kind)
        self.doing = wrong.kind
        self.run_wrong(wrong, plan)
        for victim in deed_of(position, changed).victims:
            self.hands.take(victim.origin, victim.colour)
            self.hands.set_down(victim.target, victim.colour)
        self.guilt = wrong.kind
        reached = self.wrong_over(self.cope([after, before], plan, changed))
        if reached is after:
            self.fault("apart", f"no press tells it from a changed move: {wrong.kind}")
            self.truth, self.previous = after, (position, face, changed)
        return reached is after

    def says_home(self, wrong: Wrong) -> bool:
        """Whether the first press may as well say that the piece captured last is home.

        A second one where nobody stands tells that it was taken out again.
        """
        if self.sensing != "touch" or self.previous is None:
            return False
        position, _, move = self.previous
        told = outcome(position, move).happenings
        homes = {self.game.spot(one.seat, BASE) for one in told if one.what == "captured"}
        begun = pressed_by(wrong)[0]
        return begun.origin in homes and self.table.taken(begun.target) is not None

    def wrong_after_roll(self, plan: Plan) -> bool:
        """Something illegal with a roll lying; True if a legal move came of it in the end."""
        if self.early is not None or plan.rng.random() < 0.1 or self.sensing == "choose":
            self.wrong_roll(plan)
            return False
        wrong = wrongs(self.truth, plan.face, plan.rng)
        if self.sensing == "touch" and wrong is not None and wrong.kind == "exchange":
            return False  # pressed one after the other, the second takes the first back
        if wrong is not None and any(
            self.picks_another((self.truth, plan.face, [hop])) for hop in pressed_by(wrong)[:-1]
        ):
            return False  # nobody can tell what was pressed from then on
        return wrong is not None and self.do_wrong(wrong, plan, plan.face)

    def wrong_rolls(self, plan: Plan) -> list[str]:
        kinds = super().wrong_rolls(plan)
        if self.early is not None:
            return [] if self.early.origin in self.goes_unseen(plan) else kinds
        if self.sensing == "presence" and self.free_to_lift(plan):
            kinds.append(IN_THE_AIR)
        return kinds

    def goes_unseen(self, plan: Plan) -> set[str]:
        """From where a piece may go onto another unseen: there a roll rightly says that it has."""
        stops = map(self.game.stops, self.moves(self.truth, plan.face))
        return {origin for origin, target in stops if self.table.taken(target)}

    def free_to_lift(self, plan: Plan) -> list[str]:
        """The places of those that may move, and not unseen; others were pushed away."""
        stops = map(self.game.stops, self.moves(self.truth, plan.face))
        origins = {origin for origin, _ in stops} - self.goes_unseen(plan)
        return sorted(place for place in map(self.table.taken, origins) if place)

    @contextmanager
    def hands_at_wrong_roll(self, kind: str, plan: Plan) -> Iterator[None]:
        if kind != IN_THE_AIR:
            yield
            return
        place = plan.rng.choice(self.free_to_lift(plan))
        held = self.table.lift(place)
        self.room.wait(plan.rng.uniform(0.6, 2.0))
        yield
        self.table.put(place, held)
        self.room.wait(1.0)

    def told_of_roll(self, kind: str) -> None:
        self.judged(kind, self.room.now, ROLLS_WRONG)

    def do_wrong(self, wrong: Wrong, plan: Plan, face: int | None) -> bool:
        """Do it, wait for STOP, put it right; True if a legal move came of it in the end."""
        before = self.truth
        if wrong.legal_first is not None:
            self.wrong_second(wrong, plan, face)
            return True
        if face is None and self.goes_back(wrong):
            return False
        victims = [wrong.victim] if wrong.victim else []
        framings: list[Framing] = [(before, face, wrong.hops)]
        earlier: tuple[Position, int, Hop] | None = None
        if face is None and self.previous is not None:
            position, thrown, move = self.previous
            origin, target = self.game.stops(move)
            done = Hop(self.game.colours[move.seat], origin, target)
            framings.append((position, thrown, [done, *wrong.hops]))
            framings += self.as_one_hop(position, thrown, done, [*wrong.hops, *victims])
            lost = lost_squares(position, move)
            framings += [(owed, passing.face, wrong.hops) for owed, passing in lost]
            earlier = position, thrown, done
        if wrong.victim is not None:
            framings.append((before, face, [*wrong.hops, wrong.victim]))
            if wrong.style == "on_top":  # all that sensors see of it
                seen = [hop._replace(target=wrong.victim.target) for hop in wrong.hops]
                framings.append((before, face, seen))
            # A STOP may come before the captor stands there: it is about what was done by then.
            framings.append((before, face, [wrong.victim]))
        if face is None and self.passed is not None:
            framings.append((*self.passed, wrong.hops))
            framings += [(*self.passed, [victim]) for victim in victims]
        lawful = lawful_boards(before, face)
        if face is None and self.previous is not None:
            lawful += lawful_boards(self.previous[0], self.previous[1])
        self.begin_wrong(wrong.kind)
        self.doing = wrong.kind
        cut = self.cut_in_wrong(plan)
        self.run_wrong(wrong, plan)
        for hop in self.own_on_own(wrong.hops):
            framings.append((before, face, [hop]))
            if earlier is not None and hop.origin == earlier[2].target:
                framings.append((*earlier[:2], [hop._replace(origin=earlier[2].origin)]))
        self.guilt = wrong.kind
        legal = self.moves(before, face) if face is not None else []
        goals = [before, *(played(before, one) for one in legal)]
        if face is None and self.begins_back(wrong) and self.previous is not None:
            goals.append(self.previous[0])
        self.await_stop(wrong, plan, framings, lawful, lawful[:1])
        self.cut_later(cut, plan)
        reached = self.wrong_over(self.make_good(plan, goals))
        if reached is before:
            return False
        if self.previous is not None and reached is self.previous[0]:
            self.fault("apart", f"no press tells it from a move taken back: {wrong.kind}")
            self.move_again(plan, *self.previous)
            return False
        self.turned(wrong.kind, plan.face, reached)
        return True

    def wrong_second(self, wrong: Wrong, plan: Plan, face: int | None) -> None:
        """A legal move, and then a second piece."""
        before, move = self.truth, wrong.legal_first
        assert move is not None
        self.straighten_mover(plan, before, move)
        self.make_first(plan, move)
        after = self.truth
        self.begin_wrong(wrong.kind)
        self.doing = wrong.kind
        cut = self.cut_in_wrong(plan)
        origin, target = self.game.stops(move)
        done = Hop(self.game.colours[move.seat], origin, target)
        self.run_wrong(wrong, plan)
        self.guilt = wrong.kind
        framings: list[Framing] = [
            (before, face, [done, *wrong.hops]),
            (after, None, wrong.hops),
            *self.as_one_hop(before, plan.face, done, wrong.hops),
        ]
        lawful = [*lawful_boards(before, face), *lawful_boards(after, None)]
        self.await_stop(wrong, plan, framings, lawful, [lawful[0], lawful_boards(after, None)[0]])
        self.cut_later(cut, plan)
        legal = self.moves(before, plan.face)
        others = {played(before, one): one for one in legal if one != move}
        reached = self.wrong_over(self.make_good(plan, [after, before, *others]))
        if reached in others:
            self.figures.add("turned", wrong.kind)
            self.truth, self.previous = reached, (before, plan.face, others[reached])
        elif reached is before:
            self.move_again(plan, before, plan.face, move)

    def move_again(self, plan: Plan, before: Position, face: int, move: Move) -> None:
        """The last move was put back with the rest: it is made once more."""
        after, plain = self.truth, Plan(plan.rng, face, 0.0, "first")
        self.truth, self.previous = before, None
        self.make(plain, before, move)
        self.truth, self.previous = after, (before, face, move)
        self.finish(plain, before, move, after)

    def begins_back(self, wrong: Wrong) -> bool:
        """Whether the first presses take the last move back: what is captured goes home first."""
        if self.sensing != "touch" or self.previous is None:
            return False
        origin, target = self.game.stops(self.previous[2])
        return pressed_by(wrong)[0][1:] == (target, origin)

    def goes_back(self, wrong: Wrong) -> bool:
        """Whether it only takes the last move back, which anybody may before the next roll."""
        if self.previous is None or len(wrong.hops) != 1:
            return False
        origin, target = self.game.stops(self.previous[2])
        return wrong.hops[0][1:] == (target, origin)

    def goes_back_late(self, wrong: Wrong) -> bool:
        """Whether it is pressed like a piece that goes back after STOP, only after the next move.

        STOP has shown that way, and as nobody has pressed it, the box has said to look there.
        """
        notice, pressed = self.room.view.notice, pressed_by(wrong)
        if self.sensing != "touch" or len(pressed) != 1 or self.shown() != self.truth:
            return False
        asked = notice.places if notice is not None and notice.key == "check_colours" else ()
        return pressed[0][1:] in self.stop_said and pressed[0].target in asked

    def own_on_own(self, hops: list[Hop]) -> Iterator[Hop]:
        """A piece in its base may also have come from where another of its colour now stands."""
        lifted = {
            self.table.ground.spot_of[reading.place]
            for reading in self.room.readings
            if isinstance(reading, Reading) and not reading.on
        }
        for colour, origin, target in hops:
            if origin and len(self.table.ground.places_of.get(target, ())) > 1:
                own = {spot for spot, whose in self.table.colours() if whose == colour}
                yield from (Hop(colour, origin, spot) for spot in sorted(own & lifted))

    def as_one_hop(
        self, position: Position, face: int, done: Hop, hops: list[Hop]
    ) -> list[Framing]:
        """The piece just moved goes on: that is the same move, only further."""
        return [
            (position, face, [hop._replace(origin=done.origin)])
            for hop in hops
            if hop.origin == done.target
        ]

    # -- the hands of it -------------------------------------------------------------------

    def run_wrong(self, wrong: Wrong, plan: Plan) -> None:
        """The hands of an illegal act; nothing stops them."""
        deaf = Plan(plan.rng, plan.face, 0.0, wrong.style)
        self.late = self.goes_back_late(wrong)
        self.stop_said.clear()  # it goes back once
        if self.sensing == "touch":
            self.run(self.press_hops(pressed_by(wrong), deaf), deaf)
            return
        if wrong.kind == "exchange":
            self.run(self.exchange(wrong.hops, plan), deaf)
            return
        deed = Deed(Move(0, 1, 0, 0), wrong.hops, [wrong.victim] if wrong.victim else [])
        self.run(self.plain_hops(deed, deaf), deaf)

    def plain_hops(self, deed: Deed, plan: Plan) -> Act:
        """Pieces one after the other, and a captured one in one of the usual ways."""
        style = plan.capture if deed.victims else ""
        if style in ("first", "meanwhile"):
            for victim in deed.victims:
                self.hands.take(victim.origin, victim.colour, BESIDE)
                yield plan.span(self.rates, "lift_to_put")
                if style == "first":
                    self.hands.set_down(victim.target, victim.colour, BESIDE)
        for hop in deed.mover:
            self.hands.take(hop.origin, hop.colour)
            yield plan.span(self.rates, "lift_to_put")
            yield from self.hands.arrive(deed, hop, plan, style)
            yield plan.rng.uniform(0.1, 0.5)
        if style in ("last", "on_top", "meanwhile"):
            yield from self.hands.victims_home(deed, plan)

    def exchange(self, hops: list[Hop], plan: Plan) -> Act:
        """Two pieces in the air at once, and down on each other's squares."""
        for hop in hops:
            self.hands.take(hop.origin, hop.colour)
            yield 0.3
        for hop in hops:
            self.hands.set_down(hop.target, hop.colour)
            yield 0.3

    # -- what the box makes of it ----------------------------------------------------------

    def await_stop(
        self,
        wrong: Wrong,
        plan: Plan,
        framings: list[Framing],
        lawful: list[Any],
        stood: list[Any],
    ) -> None:
        """Wait to be told; count whether a sensor could see it, and whether it was flagged.

        What a sleeve could have done too, from how the board `stood` before, may be a hint.
        """
        seen = sensed(self.table.colours().elements(), self.table.ground)
        straight = Counter(self.unpushed(spot) for spot in seen.elements())
        wrong_to_see = stands_wrong(seen, lawful) and stands_wrong(straight, lawful)
        unheard = self.room.missed or self.late or self.picks_another(framings[0])
        visible = wrong_to_see and not unheard
        released = self.wait_for_stop(self.room.changed, PATIENCE)
        if not visible:
            if not self.steps():
                self.unseen = True
                why = "not heard" if self.room.missed else "no sensor sees it"
                why = "no press tells it from a piece that goes back late" if self.late else why
                self.fault("apart", f"{why}: {wrong.kind}")
            return
        push = any(like_a_push(seen, board, self.table.ground) for board in stood)
        if push and self.room.view.title == "won":
            self.room.press("ok")  # the others play on: only then it is hinted
            self.room.wait(PATIENCE)
        self.judged(wrong.kind, released, clauses(framings), push)

    def unpushed(self, spot: str) -> str:
        """Where what stands there would stand if no sleeve had pushed it: nobody did that."""
        pushed = self.hands.pushed if self.hands.is_pushed() else []
        return next((hop.origin for hop in pushed if hop.target == spot), spot)

    def picks_another(self, framing: Framing) -> bool:
        """Whether fingers went from an own piece to one that may move: that chooses this one."""
        position, face, hops = framing
        if self.sensing != "touch" or face is None:
            return False
        moves = self.moves(position, face)
        own = {self.game.colours[seat] for seat in self.game.hands[position.seat]}
        return hops[-1].colour in own and hops[-1].target in {self.game.stops(m)[0] for m in moves}

    def not_flagged(self, kind: str, push: bool) -> None:
        turned = self.stopped_at is not None and self.shown() != self.truth
        if push and self.steps():
            self.figures.add("as_push", kind)
        elif turned and self.sensing == "touch":
            self.fault("apart", f"after STOP no press tells it from a legal move: {kind}")
        else:
            super().not_flagged(kind, push)

    def wrong_clause(self, kind: str, said: set[str], fitting: set[str]) -> None:
        if any(map(self.is_misread, self.room.view.remedy)):
            self.fault("apart", f"readings speak for another piece: {kind}")
        elif said & (self.twins_at_stop | self.clauses_of_twins()):
            self.fault("apart", f"readings speak as well for another act: {kind}")
        else:
            super().wrong_clause(kind, said, fitting)

    def stopped(self, view: Any) -> None:
        super().stopped(view)
        self.twins_at_stop = frozenset(self.clauses_of_twins() if self.guilt else ())

    def clauses_of_twins(self) -> set[str]:
        """The clauses that `judge` gives for acts that readings speak for as much as for the truth.

        Of each colour one piece at most has gone somewhere else then.
        """
        position, face = self.shown(), self.room.view.face
        if self.sensing != "presence":
            return set()
        known = twins.pictures(self.known, (), self.room.readings, self.whose)
        away = [colour for gone in self.table.away.values() for colour in gone]
        here, framings = colours_in(position), []
        true = self.table.colours(), away
        for there in twins.believed(known, true, self.table.ground.spot_of):
            left = {colour: spot for spot, colour in (here - there).elements()}
            came = {colour: spot for spot, colour in (there - here).elements()}
            if len(came) == (there - here).total() and came.keys() <= left.keys():
                hops = [Hop(colour, left[colour], spot) for colour, spot in came.items()]
                framings.append((position, face, hops))
        return clauses(framings)

    def is_misread(self, step: Any) -> bool:
        """Whether the box says that it cannot know whose it is, or has to believe otherwise."""
        colour = said_colour(step)
        if step.origin is None or colour is None:
            return step.origin is not None
        stands = self.table.taken(step.origin, colour)
        return stands is None and self.may_be_believed(step.origin, colour)

    def make_good(self, plan: Plan, goals: list[Position]) -> Position | None:
        """After STOP: what is shown, literally; or half of it and then otherwise."""
        stopped = self.room.view.phase == "illegal"
        pressed = stopped or bool(self.room.view.pressed)
        unheard = pressed or self.late or self.room.missed
        if not self.steps() and self.sensing == "touch" and unheard:
            self.table.set_up(goals[0])  # nobody presses what the box knows nothing of
            if pressed:
                self.room.press("ok")
        elif not self.steps() and not stopped:
            goal = self.shown() if self.sees_missing() else goals[0]
            self.run(self.put_back(goal, plan), plan)
        elif plan.half and not self.room.missed:
            self.half(plan, goals)
        return self.cope(goals, plan)

    def half(self, plan: Plan, goals: list[Position]) -> None:
        """Half of the steps, and then as one knows it was, or on to a legal move."""
        self.figures.add("halves")
        self.look()
        steps = self.steps()
        for step in steps[: len(steps) // 2]:
            if self.follow(step, plan, goals):
                break
        if len(steps) == 1 and steps[0].origin is not None and self.sensing == "presence":
            place = self.table.taken(steps[0].origin, said_colour(steps[0]))
            if place is not None:
                self.table.lift(place)
                self.room.wait(plan.rng.uniform(0.5, 3.0))
        if self.sensing == "touch":
            self.room.wait(plan.span(self.rates, "tap"))
        guilt = self.guilt
        goal = plan.rng.choice(goals) if plan.rng.random() < 0.5 else goals[0]
        self.room.note("# half of it, and then otherwise")
        self.run(self.put_back(goal, plan), plan)
        self.guilt = guilt
